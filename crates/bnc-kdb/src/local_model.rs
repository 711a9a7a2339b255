//! A fitted local KDB.

use std::ops::Range;
use std::sync::Arc;

use bnc_models::bnc_data::{Code, Dataset, MISSING, Schema, Variable};
use bnc_models::bnc_structure::{Family, Structure, sort_by_relevance, strongest_links};
use bnc_models::{Classifier, Error, Member, Result, Saved, check_row, normalize};

use crate::LocalKdb;
use crate::cache::Cache;
use crate::resolution::{redundant, substitute};
use crate::row_index::{self, RowIndex};
use crate::value_measures::{self, ValueMeasures};

/// The largest number of cells, 8 bytes each, that a model may need.
pub const MAX_LOCAL_CELLS: usize = 1 << 28;

/// A fitted [`LocalKdb`]: the training rows as bitmaps, and the measures of all values and pairs of values.
#[derive(Debug, Clone)]
pub struct LocalKdbModel {
    pub(crate) learner: LocalKdb,
    /// Distinct and sorted.
    pub(crate) rows: Dataset,
    index: RowIndex,
    measures: ValueMeasures,
    /// ln P(y).
    prior: Vec<f64>,
}

/// The structure of one row: its factors in the order in which its values were placed. Missing values and values that no
/// training row has are not among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalStructure {
    /// One factor a value.
    pub factors: Vec<LocalFactor>,
}

/// The factor of a value, beside the class as a parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalFactor {
    /// The feature.
    pub feature: usize,
    /// The parents, by falling conditional local mutual information.
    pub parents: Vec<usize>,
    /// Those of the k strongest links that are no parents, because a parent implies them.
    pub substituted: Vec<usize>,
    /// The parent that implies the value; then the factor is 1, and left out.
    pub eliminated_by: Option<usize>,
}

impl LocalKdbModel {
    /// From distinct rows.
    pub(crate) fn new(learner: LocalKdb, rows: Dataset) -> Result<Self> {
        let values: usize = rows.schema().features().iter().map(Variable::cardinality).sum();
        let cells = value_measures::cells(values) + row_index::words(&rows, values);
        if cells > MAX_LOCAL_CELLS as u128 {
            return Err(Error::TooLarge {
                what: format!("local KDB over {} rows of {values} values in all", rows.rows()),
                cells: u64::try_from(cells).unwrap_or(u64::MAX),
                limit: MAX_LOCAL_CELLS,
                way_out: "drop columns of many values, such as identifiers, or choose kdb".into(),
            });
        }
        let mut class = vec![0_u64; rows.schema().classes()];
        for (row, &y) in rows.class().iter().enumerate() {
            class[usize::from(y)] += rows.weights().map_or(1, |weights| u64::from(weights[row]));
        }
        Ok(Self {
            learner,
            index: RowIndex::new(&rows),
            measures: ValueMeasures::new(&rows, learner.l)?,
            prior: learner.smoothing.prior(&class).into_iter().map(f64::ln).collect(),
            rows,
        })
    }

    /// The structure of a row.
    ///
    /// # Errors
    /// [`Error::RowLength`], [`Error::BadCode`].
    pub fn structure_for(&self, row: &[Code]) -> Result<LocalStructure> {
        check_row(self.rows.schema(), row)?;
        let measures = &self.measures;
        let value = |feature: usize| measures.value(feature, row[feature]);
        let implies = |a: usize, b: usize| measures.implies(value(a), value(b));
        let mut order: Vec<usize> = (0..row.len())
            .filter(|&feature| row[feature] != MISSING && measures.seen(value(feature)))
            .collect();
        sort_by_relevance(&mut order, |feature| measures.local(value(feature)));
        let mut strongest = Vec::new();
        let mut factors = Vec::with_capacity(order.len());
        for (place, &feature) in order.iter().enumerate() {
            let placed = &order[..place];
            let own = value(feature);
            let link = |parent: usize| measures.conditional(own, value(parent));
            strongest_links(placed, self.learner.k, link, &mut strongest);
            let first: Vec<usize> = strongest.iter().map(|(_, parent)| *parent).collect();
            let (parents, substituted) = if redundant(&first, implies) {
                let mut asked = self.learner.k;
                let parents = loop {
                    // A few more candidates are enough in most cases.
                    asked = asked.saturating_mul(4);
                    strongest_links(placed, asked, link, &mut strongest);
                    let candidates = strongest.iter().map(|(_, parent)| *parent);
                    let parents = substitute(candidates, self.learner.k, implies);
                    if parents.len() == self.learner.k || asked >= placed.len() {
                        break parents;
                    }
                };
                let substituted = first.into_iter().filter(|parent| !parents.contains(parent)).collect();
                (parents, substituted)
            } else {
                (first, Vec::new())
            };
            let eliminated_by = parents.iter().copied().find(|&parent| implies(parent, feature));
            factors.push(LocalFactor { feature, parents, substituted, eliminated_by });
        }
        Ok(LocalStructure { factors })
    }
}

/// What rows that are classified one after the other have in common, by numbers of values.
struct Shared {
    /// The training rows that have some parents' values, by these in ascending order.
    rows: Cache<u64>,
    /// ln P(x | parents, y) by class, by the value x and its parents' values in ascending order; empty for a factor that is
    /// 0 under every class.
    runs: Cache<f64>,
    key: Vec<u32>,
}

impl Default for Shared {
    /// Empty, for at most 8 MiB of each kind.
    fn default() -> Self {
        const NUMBERS: usize = 1 << 19;
        Self { rows: Cache::new(NUMBERS), runs: Cache::new(NUMBERS), key: Vec::new() }
    }
}

impl LocalKdbModel {
    fn classify(&self, row: &[Code], shared: &mut Shared, out: &mut [f64]) -> Result<()> {
        let structure = self.structure_for(row)?;
        out.copy_from_slice(&self.prior);
        let Shared { rows, runs, key } = shared;
        let value = |feature: usize| self.measures.value(feature, row[feature]) as u32;
        for factor in structure.factors.iter().filter(|factor| factor.eliminated_by.is_none()) {
            key.clear();
            key.push(value(factor.feature));
            key.extend(factor.parents.iter().map(|&parent| value(parent)));
            key[1..].sort_unstable();
            let run = runs.of(key, || {
                let parents = factor.parents.iter().map(|&parent| (parent, row[parent]));
                self.run(factor, row, rows.of(&key[1..], || self.index.conjunction(parents)))
            });
            out.iter_mut().zip(run).for_each(|(score, log)| *score += log);
        }
        if !normalize(out) {
            out.copy_from_slice(&self.prior);
            normalize(out);
        }
        Ok(())
    }

    /// ln P(x | parents, y) by class from the training rows that have the parents' values; empty where it is −∞ for all.
    fn run(&self, factor: &LocalFactor, row: &[Code], rows: &[u64]) -> Vec<f64> {
        let (schema, feature, classes) = (self.rows.schema(), factor.feature, self.prior.len());
        let (mut run, mut totals) = (vec![0.0; classes], vec![0.0; classes]);
        self.index.count_value(rows, feature, row[feature], &mut run);
        self.index.count_known(rows, feature, &mut totals);
        let r = schema.cardinality(feature);
        let q = factor.parents.iter().map(|&parent| schema.cardinality(parent) as f64).product::<f64>();
        let marginal = self.measures.marginal(self.measures.value(feature, row[feature]));
        for (cell, &total) in run.iter_mut().zip(&totals) {
            let estimate = self.learner.smoothing.conditional(*cell, total, r, q * classes as f64, marginal);
            *cell = estimate.ln();
        }
        if run.iter().all(|&log| log == f64::NEG_INFINITY) { Vec::new() } else { run }
    }
}

impl Classifier for LocalKdbModel {
    fn schema(&self) -> &Arc<Schema> {
        self.rows.schema()
    }

    fn posterior_into(&self, row: &[Code], out: &mut [f64]) -> Result<()> {
        self.classify(row, &mut Shared::default(), out)
    }

    /// What the rows have in common is counted once.
    fn posteriors_into(&self, data: &Dataset, rows: Range<usize>, out: &mut [f64]) -> Result<()> {
        let mut shared = Shared::default();
        let mut row = vec![0; data.features().len()];
        for (index, out) in rows.zip(out.chunks_exact_mut(self.prior.len())) {
            data.row_into(index, &mut row);
            self.classify(&row, &mut shared, out)?;
        }
        Ok(())
    }

    /// None: every row has a structure of its own, see [`LocalKdbModel::structure_for`].
    fn members(&self) -> Vec<Member> {
        Vec::new()
    }

    fn save(&self) -> Result<Saved> {
        self.to_saved()
    }
}

impl LocalStructure {
    /// The factors as a graph over all features; those without a factor have no parents, not even the class.
    ///
    /// # Errors
    /// [`Error::Structure`] when there are fewer features than the factors name.
    pub fn graph(&self, features: usize) -> Result<Structure> {
        let mut families = vec![Family::default(); features];
        for factor in self.factors.iter().filter(|factor| factor.eliminated_by.is_none()) {
            if let Some(family) = families.get_mut(factor.feature) {
                *family = Family { parents: factor.parents.clone(), class: true };
            }
        }
        Ok(Structure::new(families, Vec::new())?)
    }
}
