//! The fitted ensemble.

use std::sync::Arc;

use bnc_models::bnc_data::{Code, MISSING, Schema};
use bnc_models::bnc_structure::Structure;
use bnc_models::{Classifier, Error, Member, Result, Saved, Smoothing, check_row, normalize};
use rayon::prelude::*;

use crate::aode::{Aode, Joint};
use crate::pairs::PairCounts;

/// The largest number of cells of the ensemble's tables.
pub const MAX_CELLS: usize = 1 << 28;

/// A fitted [`Aode`]: for each value of each super-parent the log probabilities of all other features' values by class.
///
/// Where every class is ruled out (possible without smoothing only) the posterior is that of the estimators that do not
/// rule out all classes, then naive Bayes over the values that are possible, then the class distribution.
#[derive(Debug, Clone, PartialEq)]
pub struct AodeModel {
    schema: Arc<Schema>,
    pub(crate) learner: Aode,
    pub(crate) counts: PairCounts,
    /// ln P(y).
    prior: Vec<f64>,
    /// For each feature ln P(x | y), values × classes.
    naive: Vec<Vec<f64>>,
    /// For each super-parent its tables.
    parents: Vec<SuperParent>,
    /// Where each feature's values start among those of all features.
    starts: Vec<usize>,
    /// The number of values of all features together.
    values: usize,
}

/// The tables of one super-parent.
#[derive(Debug, Clone, PartialEq)]
struct SuperParent {
    /// How often each value was seen.
    frequencies: Vec<u64>,
    /// ln P(y, x), values × classes.
    joint: Vec<f64>,
    /// ln P(child | y, x): for each value of the parent the values of all other features, in order, by class.
    children: Vec<f64>,
}

/// Refuses a schema whose tables do not fit.
pub(crate) fn check_size(schema: &Schema) -> Result<()> {
    let values: u128 = schema.features().iter().map(|feature| feature.cardinality() as u128).sum();
    let blocks = schema.features().iter().map(|feature| {
        let own = feature.cardinality() as u128;
        own * (values - own)
    });
    let cells = blocks.sum::<u128>() * schema.classes() as u128;
    if cells > MAX_CELLS as u128 {
        return Err(Error::TooLarge {
            what: format!("AODE over {} features of {values} values in all", schema.features().len()),
            cells: u64::try_from(cells).unwrap_or(u64::MAX),
            limit: MAX_CELLS,
            way_out: "drop columns of many values, such as identifiers, or choose naive Bayes or TAN".into(),
        });
    }
    Ok(())
}

impl AodeModel {
    pub(crate) fn new(schema: Arc<Schema>, learner: Aode, counts: PairCounts) -> Result<Self> {
        check_size(&schema)?;
        let smoothing = learner.smoothing;
        let features = schema.features().len();
        let classes = schema.classes();
        let prior: Vec<f64> = smoothing.prior(counts.class()).into_iter().map(f64::ln).collect();
        let naive: Vec<Vec<f64>> =
            (0..features).map(|feature| naive_logs(counts.single(feature), classes, smoothing)).collect();
        let parents = (0..features)
            .into_par_iter()
            .map(|parent| {
                let single = counts.single(parent);
                let joint = match learner.joint {
                    Joint::Direct => smoothing.prior(single).into_iter().map(f64::ln).collect(),
                    Joint::Factored => {
                        naive[parent].iter().zip(prior.iter().cycle()).map(|(x, y)| x + y).collect()
                    }
                };
                SuperParent {
                    frequencies: single.chunks_exact(classes).map(|run| run.iter().sum()).collect(),
                    joint,
                    children: child_logs(&schema, &counts, parent, smoothing),
                }
            })
            .collect();
        let mut starts = Vec::with_capacity(features);
        let mut values = 0;
        for feature in schema.features() {
            starts.push(values);
            values += feature.cardinality();
        }
        Ok(Self { schema, learner, counts, prior, naive, parents, starts, values })
    }

    /// P(y, x) summed over the qualified super-parents into `out`, up to a common factor; whether there was any that does
    /// not rule out every class.
    fn ensemble(&self, row: &[Code], out: &mut [f64]) -> bool {
        let classes = out.len();
        let mut scores = Vec::with_capacity(row.len() * classes);
        for (parent, (&value, tables)) in row.iter().zip(&self.parents).enumerate() {
            let own = tables.frequencies.len();
            let value = usize::from(value);
            if value >= own || tables.frequencies[value] < self.learner.minimum_frequency {
                continue;
            }
            let first = scores.len();
            scores.extend_from_slice(&tables.joint[value * classes..(value + 1) * classes]);
            let sums = &mut scores[first..];
            let width = (self.values - own) * classes;
            let block = &tables.children[value * width..(value + 1) * width];
            for (child, (&code, &start)) in row.iter().zip(&self.starts).enumerate() {
                if child == parent || code == MISSING {
                    continue;
                }
                let skipped = if child > parent { own } else { 0 };
                let index = (start - skipped + usize::from(code)) * classes;
                for (sum, log) in sums.iter_mut().zip(&block[index..index + classes]) {
                    *sum += log;
                }
            }
        }
        let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if largest == f64::NEG_INFINITY {
            return false;
        }
        out.fill(0.0);
        for spode in scores.chunks_exact(classes) {
            for (sum, score) in out.iter_mut().zip(spode) {
                *sum += (score - largest).exp();
            }
        }
        true
    }

    fn naive_bayes(&self, row: &[Code], out: &mut [f64], skip_impossible: bool) {
        let classes = out.len();
        out.copy_from_slice(&self.prior);
        for (&code, logs) in row.iter().zip(&self.naive).filter(|(code, _)| **code != MISSING) {
            let run = &logs[usize::from(code) * classes..(usize::from(code) + 1) * classes];
            if skip_impossible && run.iter().all(|&log| log == f64::NEG_INFINITY) {
                continue;
            }
            for (score, log) in out.iter_mut().zip(run) {
                *score += log;
            }
        }
    }
}

impl Classifier for AodeModel {
    fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    fn posterior_into(&self, row: &[Code], out: &mut [f64]) -> Result<()> {
        check_row(&self.schema, row)?;
        if self.ensemble(row, out) {
            let sum: f64 = out.iter().sum();
            for probability in out {
                *probability /= sum;
            }
            return Ok(());
        }
        for skip_impossible in [false, true] {
            self.naive_bayes(row, out, skip_impossible);
            if normalize(out) {
                return Ok(());
            }
        }
        out.copy_from_slice(&self.prior);
        normalize(out);
        Ok(())
    }

    fn members(&self) -> Vec<Member> {
        let features = self.schema.features().len();
        let spode = |parent: usize| {
            let parents = (0..features).map(|child| if child == parent { Vec::new() } else { vec![parent] });
            Structure::augmented(parents.collect()).ok()
        };
        (0..features)
            .filter_map(|parent| {
                let frequencies = self.parents[parent].frequencies.clone();
                Some(Member { super_parent: Some(parent), frequencies, structure: spode(parent)? })
            })
            .collect()
    }

    fn save(&self) -> Result<Saved> {
        self.to_saved()
    }
}

/// ln P(x | y), values × classes, from one feature's counts.
fn naive_logs(single: &[u64], classes: usize, smoothing: Smoothing) -> Vec<f64> {
    let r = single.len() / classes;
    let marginal = marginal(single, classes);
    let mut totals = vec![0; classes];
    for run in single.chunks_exact(classes) {
        for (total, count) in totals.iter_mut().zip(run) {
            *total += count;
        }
    }
    let mut logs = Vec::with_capacity(single.len());
    for (run, &marginal) in single.chunks_exact(classes).zip(&marginal) {
        let probability = |(&n, &total): (&u64, &u64)| {
            smoothing.conditional(n as f64, total as f64, r, classes as f64, marginal).ln()
        };
        logs.extend(run.iter().zip(&totals).map(probability));
    }
    logs
}

fn marginal(single: &[u64], classes: usize) -> Vec<f64> {
    let counts: Vec<u64> = single.chunks_exact(classes).map(|run| run.iter().sum()).collect();
    Smoothing::Mle.prior(&counts)
}

fn child_logs(schema: &Schema, counts: &PairCounts, parent: usize, smoothing: Smoothing) -> Vec<f64> {
    let classes = schema.classes();
    let own = schema.cardinality(parent);
    let q = (own * classes) as f64;
    let children: Vec<(usize, Vec<f64>)> = (0..schema.features().len())
        .filter(|&child| child != parent)
        .map(|child| (child, marginal(counts.single(child), classes)))
        .collect();
    let mut logs = Vec::with_capacity(own * classes * children.iter().map(|(_, m)| m.len()).sum::<usize>());
    let mut totals = vec![0; classes];
    for value in 0..own {
        for (child, marginal) in &children {
            let pair = counts.pair(parent, *child);
            let r = marginal.len();
            totals.fill(0);
            for code in 0..r {
                for (total, count) in totals.iter_mut().zip(pair.run(value, code)) {
                    *total += count;
                }
            }
            for (code, &marginal) in marginal.iter().enumerate() {
                let probability = |(&n, &total): (&u64, &u64)| {
                    smoothing.conditional(n as f64, total as f64, r, q, marginal).ln()
                };
                logs.extend(pair.run(value, code).iter().zip(&totals).map(probability));
            }
        }
    }
    logs
}
