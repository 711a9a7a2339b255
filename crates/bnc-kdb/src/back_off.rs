//! A network whose tables hold observed parent values only, and back off to fewer parents.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use bnc_models::bnc_data::{Code, Dataset, MISSING, Schema};
use bnc_models::bnc_stats::{Counter, Table, Vars};
use bnc_models::bnc_structure::Structure;
use bnc_models::{Classifier, Error, Member, Result, Saved, Smoothing, check_row, normalize};
use rayon::prelude::*;

/// An augmented naive Bayes that asks, for each feature, the longest prefix of its parents whose values some training row
/// has, whatever its class.
///
/// `P(y | x) ∝ P(y) Π P(x_i | y, the first l_i(x) parents of i)`
///
/// A missing parent ends the prefix; a missing feature has no factor. Memory grows with what was observed, not with the
/// product of the cardinalities. A factor that is 0 under every class is left out; when the others rule out every class,
/// the posterior is the class distribution.
#[derive(Debug, Clone, PartialEq)]
pub struct BackOffNetwork {
    schema: Arc<Schema>,
    structure: Structure,
    pub(crate) smoothing: Smoothing,
    pub(crate) class: Vec<u64>,
    /// ln P(y).
    prior: Vec<f64>,
    /// For each feature a level for each number of parents, from none to all.
    pub(crate) levels: Vec<Vec<Level>>,
}

/// The counts and logarithms of a feature given the first few of its parents.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Level {
    /// The numbers of the observed values of the parents, ascending; the last parent is the fastest.
    pub(crate) configurations: Vec<u128>,
    /// For each configuration the counts of values × classes.
    pub(crate) counts: Vec<u64>,
    /// ln P(x | parents, y) in the same order.
    logs: Vec<f64>,
}

impl BackOffNetwork {
    /// The network in which the class is a parent of every feature, which has the given feature parents as well, asked in
    /// the order given: counts every feature with every prefix of its parents.
    ///
    /// # Errors
    /// [`Error::Structure`], [`Error::BadParameter`], [`Error::NoLabelledRows`], and those of counting.
    pub fn fit(counter: &dyn Counter, parents: Vec<Vec<usize>>, smoothing: Smoothing) -> Result<Self> {
        let structure = Structure::augmented(parents)?;
        let schema = Arc::clone(counter.schema());
        let mut plan = vec![Vars::default()];
        for (feature, family) in structure.features().iter().enumerate() {
            for length in 0..=family.parents.len() {
                plan.push(Vars::new(family.parents[..length].iter().copied().chain([feature])));
            }
        }
        let tables = counter.count(&plan)?;
        let Some((class, mut tables)) = tables.split_first() else {
            return Err(Error::NoLabelledRows);
        };
        if class.total() == 0 {
            return Err(Error::NoLabelledRows);
        }
        let mut levels = Vec::with_capacity(structure.features().len());
        for (feature, family) in structure.features().iter().enumerate() {
            let (own, rest) = tables.split_at(family.parents.len() + 1);
            tables = rest;
            levels.push(
                own.iter()
                    .enumerate()
                    .map(|(length, table)| observed(table, feature, &family.parents[..length]))
                    .collect(),
            );
        }
        Self::new(schema, structure, smoothing, class.class_counts(), levels)
    }

    /// From counts; levels are (configurations, counts).
    pub(crate) fn new(
        schema: Arc<Schema>,
        structure: Structure,
        smoothing: Smoothing,
        class: Vec<u64>,
        levels: Vec<Vec<(Vec<u128>, Vec<u64>)>>,
    ) -> Result<Self> {
        smoothing.validate("back-off")?;
        let classes = schema.classes();
        let unsound = || Err(Error::Unsound("its counts do not fit its schema".into()));
        let lengths = structure.features().iter().map(|family| family.parents.len() + 1);
        if class.len() != classes
            || class.iter().all(|&count| count == 0)
            || structure.features().len() != schema.features().len()
            || !lengths.eq(levels.iter().map(Vec::len))
        {
            return unsound();
        }
        for (feature, levels) in levels.iter().enumerate() {
            let block = schema.cardinality(feature) * classes;
            let mut configurations = 1_u128;
            for (length, (numbers, counts)) in levels.iter().enumerate() {
                if length > 0 {
                    let parent = structure.features()[feature].parents[length - 1];
                    configurations = configurations.saturating_mul(schema.cardinality(parent) as u128);
                }
                let ascending = numbers.windows(2).all(|pair| pair[0] < pair[1]);
                let within = numbers.last().is_none_or(|&last| last < configurations);
                // A count beyond 2^53 would not be exact.
                let exact = counts.iter().all(|&count| count <= 1 << 53);
                if !(ascending && within && exact) || counts.len() != numbers.len() * block {
                    return unsound();
                }
            }
        }
        let prior = smoothing.prior(&class).into_iter().map(f64::ln).collect();
        let levels = levels
            .into_par_iter()
            .enumerate()
            .map(|(feature, levels)| {
                let r = schema.cardinality(feature);
                let marginal = match levels.first() {
                    Some((_, counts)) if !counts.is_empty() => {
                        let of_value = counts.chunks_exact(classes).map(|run| run.iter().sum());
                        Smoothing::Mle.prior(&of_value.collect::<Vec<u64>>())
                    }
                    _ => vec![1.0 / r as f64; r],
                };
                let mut q = classes as f64;
                let level = |(length, (configurations, counts)): (usize, (Vec<u128>, Vec<u64>))| {
                    if length > 0 {
                        q *= schema.cardinality(structure.features()[feature].parents[length - 1]) as f64;
                    }
                    let logs = logs_of(&counts, classes, q, &marginal, smoothing);
                    Level { configurations, counts, logs }
                };
                levels.into_iter().enumerate().map(level).collect()
            })
            .collect();
        Ok(Self { schema, structure, smoothing, class, prior, levels })
    }

    /// The graph; parents are listed in the order in which they are asked.
    #[must_use]
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// The number of parents that a feature's factor uses for a row, and ln P(x | these, y) by class. `None` where the
    /// feature is missing, or was never seen.
    fn factor(&self, feature: usize, row: &[Code]) -> Option<(usize, &[f64])> {
        if row[feature] == MISSING {
            return None;
        }
        let classes = self.prior.len();
        let mut number = 0_u128;
        let mut found = None;
        for (length, level) in self.levels[feature].iter().enumerate() {
            if length > 0 {
                let parent = self.structure.features()[feature].parents[length - 1];
                if row[parent] == MISSING {
                    break;
                }
                number = number * self.schema.cardinality(parent) as u128 + u128::from(row[parent]);
            }
            let Ok(place) = level.configurations.binary_search(&number) else { break };
            let start = (place * self.schema.cardinality(feature) + usize::from(row[feature])) * classes;
            found = Some((length, &level.logs[start..start + classes]));
        }
        found
    }

    /// Classifies rows that lie one after the other, feature by feature.
    fn classify(&self, rows: &[Code], out: &mut [f64]) {
        let (features, classes) = (self.schema.features().len(), self.prior.len());
        out.chunks_exact_mut(classes).for_each(|scores| scores.copy_from_slice(&self.prior));
        for feature in 0..features {
            for (row, scores) in rows.chunks_exact(features).zip(out.chunks_exact_mut(classes)) {
                if let Some((_, run)) = self.factor(feature, row)
                    && run.iter().any(|&log| log > f64::NEG_INFINITY)
                {
                    scores.iter_mut().zip(run).for_each(|(score, log)| *score += log);
                }
            }
        }
        for scores in out.chunks_exact_mut(classes) {
            if !normalize(scores) {
                scores.copy_from_slice(&self.prior);
                normalize(scores);
            }
        }
    }

    /// The number of parents that each feature's factor uses for a row; `None` where it has no factor.
    ///
    /// # Errors
    /// [`Error::RowLength`], [`Error::BadCode`].
    pub fn parents_used(&self, row: &[Code]) -> Result<Vec<Option<usize>>> {
        check_row(&self.schema, row)?;
        Ok((0..row.len()).map(|feature| self.factor(feature, row).map(|(length, _)| length)).collect())
    }
}

/// A table by its observed values of the parents, in their order.
fn observed(table: &Table, feature: usize, parents: &[usize]) -> (Vec<u128>, Vec<u64>) {
    let classes = table.classes();
    let axis = |feature: usize| table.vars().position(feature).unwrap_or_default();
    let own = axis(feature);
    let axes: Vec<usize> = parents.iter().map(|&parent| axis(parent)).collect();
    let block = table.dims()[own] * classes;
    let mut blocks = BTreeMap::<u128, Vec<u64>>::new();
    for (number, run) in table.runs().filter(|(_, run)| run.iter().any(|&count| count > 0)) {
        let codes = table.codes(number);
        let configuration = axes
            .iter()
            .fold(0, |number, &axis| number * table.dims()[axis] as u128 + u128::from(codes[axis]));
        let start = usize::from(codes[own]) * classes;
        blocks.entry(configuration).or_insert_with(|| vec![0; block])[start..start + classes]
            .copy_from_slice(run);
    }
    let (configurations, counts): (Vec<u128>, Vec<Vec<u64>>) = blocks.into_iter().unzip();
    (configurations, counts.concat())
}

/// ln P(x | parents, y) from blocks of values × classes.
fn logs_of(counts: &[u64], classes: usize, q: f64, marginal: &[f64], smoothing: Smoothing) -> Vec<f64> {
    let r = marginal.len();
    let mut logs = vec![0.0; counts.len()];
    for (logs, counts) in logs.chunks_exact_mut(r * classes).zip(counts.chunks_exact(r * classes)) {
        for class in 0..classes {
            let total = counts.iter().skip(class).step_by(classes).sum::<u64>() as f64;
            for (value, &marginal) in marginal.iter().enumerate() {
                let cell = value * classes + class;
                logs[cell] = smoothing.conditional(counts[cell] as f64, total, r, q, marginal).ln();
            }
        }
    }
    logs
}

impl Classifier for BackOffNetwork {
    fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    fn posterior_into(&self, row: &[Code], out: &mut [f64]) -> Result<()> {
        check_row(&self.schema, row)?;
        self.classify(row, out);
        Ok(())
    }

    fn posteriors_into(&self, data: &Dataset, rows: Range<usize>, out: &mut [f64]) -> Result<()> {
        // So few that they stay in cache while feature after feature looks up its levels.
        const ROWS_A_BLOCK: usize = 256;
        let (features, classes) = (data.features().len(), self.prior.len());
        let mut block = vec![0; features * ROWS_A_BLOCK.min(rows.len())];
        for (first, out) in rows.clone().step_by(ROWS_A_BLOCK).zip(out.chunks_mut(ROWS_A_BLOCK * classes)) {
            let count = (rows.end - first).min(out.len() / classes);
            for place in 0..count {
                let row = &mut block[place * features..][..features];
                data.row_into(first + place, row);
                check_row(&self.schema, row)?;
            }
            self.classify(&block[..count * features], &mut out[..count * classes]);
        }
        Ok(())
    }

    fn members(&self) -> Vec<Member> {
        vec![self.structure.clone().into()]
    }

    fn save(&self) -> Result<Saved> {
        self.to_saved()
    }
}
