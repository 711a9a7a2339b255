//! Probabilities from counts that the models of this crate share.

use std::sync::Arc;

use bnc_models::bnc_data::{Code, MISSING, Schema, Variable};
use bnc_models::bnc_stats::PairCounts;
use bnc_models::{Error, Result, Smoothing, normalize};

/// The largest number of cells of a model's tables.
pub const MAX_CELLS: usize = 1 << 28;

/// Refuses a schema whose tables of children do not fit.
pub(crate) fn check_size(learner: &str, schema: &Schema) -> Result<()> {
    let values: u128 = schema.features().iter().map(|feature| feature.cardinality() as u128).sum();
    let blocks = schema.features().iter().map(|feature| {
        let own = feature.cardinality() as u128;
        own * (values - own)
    });
    let cells = blocks.sum::<u128>() * schema.classes() as u128;
    if cells > MAX_CELLS as u128 {
        return Err(Error::TooLarge {
            what: format!("{learner} over {} features of {values} values in all", schema.features().len()),
            cells: u64::try_from(cells).unwrap_or(u64::MAX),
            limit: MAX_CELLS,
            way_out: "drop columns of many values, such as identifiers, or choose naive Bayes or TAN".into(),
        });
    }
    Ok(())
}

/// Naive Bayes, and where the cells of a feature's children lie.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tables {
    pub(crate) schema: Arc<Schema>,
    /// ln P(y).
    pub(crate) prior: Vec<f64>,
    /// For each feature ln P(x | y), values × classes.
    pub(crate) naive: Vec<Vec<f64>>,
    dims: Vec<usize>,
    /// Where each feature's values start among those of all features.
    starts: Vec<usize>,
    /// The number of values of all features together.
    values: usize,
}

impl Tables {
    pub(crate) fn new(schema: Arc<Schema>, counts: &PairCounts, smoothing: Smoothing) -> Self {
        let classes = schema.classes();
        let dims: Vec<usize> = schema.features().iter().map(Variable::cardinality).collect();
        let prior = smoothing.prior(counts.class()).into_iter().map(f64::ln).collect();
        let naive = (0..dims.len()).map(|feature| naive_logs(counts.single(feature), classes, smoothing));
        let mut starts = Vec::with_capacity(dims.len());
        let mut values = 0;
        for dim in &dims {
            starts.push(values);
            values += dim;
        }
        Self { naive: naive.collect(), schema, prior, dims, starts, values }
    }

    pub(crate) fn classes(&self) -> usize {
        self.prior.len()
    }

    pub(crate) fn features(&self) -> usize {
        self.dims.len()
    }

    pub(crate) fn cardinality(&self, feature: usize) -> usize {
        self.dims[feature]
    }

    /// Among the cells of the parents' values, the first of a child's value: one cell a class.
    pub(crate) fn cell<const K: usize>(&self, parents: [usize; K], child: usize, code: Code) -> usize {
        let skipped: usize =
            parents.iter().map(|&parent| if child > parent { self.dims[parent] } else { 0 }).sum();
        (self.starts[child] - skipped + usize::from(code)) * self.prior.len()
    }

    /// The number of cells of one configuration of the parents.
    pub(crate) fn width<const K: usize>(&self, parents: [usize; K]) -> usize {
        (self.values - parents.iter().map(|&parent| self.dims[parent]).sum::<usize>()) * self.prior.len()
    }

    /// Adds the logs of a row's known values, but those of the parents, to scores by class. `block` holds the cells of the
    /// parents' configuration.
    pub(crate) fn add_children<const K: usize>(
        &self,
        block: &[f64],
        parents: [usize; K],
        row: &[Code],
        scores: &mut [f64],
    ) {
        for (child, &code) in row.iter().enumerate() {
            if code == MISSING || parents.contains(&child) {
                continue;
            }
            let cell = self.cell(parents, child, code);
            for (score, log) in scores.iter_mut().zip(&block[cell..]) {
                *score += log;
            }
        }
    }

    /// ln P(x | y) of a feature's value.
    pub(crate) fn naive_run(&self, feature: usize, code: Code) -> &[f64] {
        let classes = self.prior.len();
        &self.naive[feature][usize::from(code) * classes..(usize::from(code) + 1) * classes]
    }

    /// The posterior of naive Bayes; over the values that are possible under some class where it rules out every class;
    /// the class distribution where that does, too.
    pub(crate) fn naive_posterior(&self, row: &[Code], out: &mut [f64]) {
        for skip_impossible in [false, true] {
            out.copy_from_slice(&self.prior);
            for (feature, &code) in row.iter().enumerate().filter(|(_, code)| **code != MISSING) {
                let run = self.naive_run(feature, code);
                if skip_impossible && run.iter().all(|&log| log == f64::NEG_INFINITY) {
                    continue;
                }
                for (score, log) in out.iter_mut().zip(run) {
                    *score += log;
                }
            }
            if normalize(out) {
                return;
            }
        }
        out.copy_from_slice(&self.prior);
        normalize(out);
    }

    /// P(child | y, x) of a parent, as `scale` has it: for each value of the parent the values of all other features, in
    /// order, by class.
    pub(crate) fn children(
        &self,
        counts: &PairCounts,
        parent: usize,
        smoothing: Smoothing,
        scale: fn(f64) -> f64,
    ) -> Vec<f64> {
        let classes = self.prior.len();
        let own = self.dims[parent];
        let q = (own * classes) as f64;
        let children: Vec<(usize, Vec<f64>)> = (0..self.dims.len())
            .filter(|&child| child != parent)
            .map(|child| (child, marginal(counts.single(child), classes)))
            .collect();
        let mut cells = Vec::with_capacity(own * self.width([parent]));
        for value in 0..own {
            for (child, marginal) in &children {
                let pair = counts.pair(parent, *child);
                let runs = (0..marginal.len()).map(|code| pair.run(value, code));
                conditionals(runs, marginal, classes, q, smoothing, |probability| {
                    cells.push(scale(probability));
                });
            }
        }
        cells
    }
}

/// P(x | y, parents) of every value and class, class fastest, from the runs by class of the values.
pub(crate) fn conditionals<'a>(
    runs: impl Iterator<Item = &'a [u64]> + Clone,
    marginal: &[f64],
    classes: usize,
    q: f64,
    smoothing: Smoothing,
    mut push: impl FnMut(f64),
) {
    let mut totals = vec![0_u64; classes];
    for run in runs.clone() {
        for (total, count) in totals.iter_mut().zip(run) {
            *total += count;
        }
    }
    for (run, &of_value) in runs.zip(marginal) {
        for (&n, &total) in run.iter().zip(&totals) {
            push(smoothing.conditional(n as f64, total as f64, marginal.len(), q, of_value));
        }
    }
}

/// ln P(x | y), values × classes, from one feature's counts.
fn naive_logs(single: &[u64], classes: usize, smoothing: Smoothing) -> Vec<f64> {
    let mut logs = Vec::with_capacity(single.len());
    let runs = single.chunks_exact(classes);
    conditionals(runs, &marginal(single, classes), classes, classes as f64, smoothing, |probability| {
        logs.push(probability.ln());
    });
    logs
}

/// P̂(x) of a feature from its counts.
pub(crate) fn marginal(single: &[u64], classes: usize) -> Vec<f64> {
    let counts: Vec<u64> = single.chunks_exact(classes).map(|run| run.iter().sum()).collect();
    Smoothing::Mle.prior(&counts)
}
