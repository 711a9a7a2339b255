//! Probabilities from counts that the models of this crate share.

use std::sync::Arc;

use bnc_models::bnc_data::{Code, MISSING, Schema, Variable};
use bnc_models::bnc_stats::{PairCounts, PairView};
use bnc_models::{Error, Result, Smoothing, normalize};

use crate::cells::Cells;
use crate::conditionals::{Conditionals, Scale};
use crate::tiles::MARGIN;

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
    /// Where each feature's cells start among those of all features.
    firsts: Vec<usize>,
    /// The number of values of all features together.
    values: usize,
}

impl Tables {
    pub(crate) fn new(schema: Arc<Schema>, counts: &PairCounts, smoothing: Smoothing) -> Self {
        let classes = schema.classes();
        let dims: Vec<usize> = schema.features().iter().map(Variable::cardinality).collect();
        let prior = smoothing.prior(counts.class()).into_iter().map(f64::ln).collect();
        let mut firsts = Vec::with_capacity(dims.len());
        let mut values = 0;
        for dim in &dims {
            firsts.push(values * classes);
            values += dim;
        }
        Self { naive: naive_logs(counts, smoothing), schema, prior, dims, firsts, values }
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

    /// Where the cells of a feature's values start among those of all features.
    pub(crate) fn first(&self, feature: usize) -> usize {
        self.firsts[feature]
    }

    /// Among the cells of the parent's values, the first of a child's value: one cell a class.
    pub(crate) fn cell(&self, parent: usize, child: usize, code: Code) -> usize {
        let lacking = if child > parent { self.dims[parent] * self.prior.len() } else { 0 };
        self.firsts[child] + usize::from(code) * self.prior.len() - lacking
    }

    /// The number of cells of one configuration of the parents.
    pub(crate) fn width<const K: usize>(&self, parents: [usize; K]) -> usize {
        (self.values - parents.iter().map(|&parent| self.dims[parent]).sum::<usize>()) * self.prior.len()
    }

    /// Where the known values of a row lie among the cells of children.
    pub(crate) fn cells(&self, row: &[Code]) -> Cells {
        Cells::new(row, &self.firsts, self.prior.len())
    }

    /// A feature with the number of cells of its values, as [`Cells::add`] wants a parent.
    pub(crate) fn with_size(&self, feature: usize) -> (usize, usize) {
        (feature, self.dims[feature] * self.prior.len())
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

    /// P(child | y, x) of a parent, on a scale: for each value of the parent the values of all other features, in order, by
    /// class; with cells before and after as [`Estimator::children`](crate::batch::Estimator::children) has them.
    pub(crate) fn children(
        &self,
        counts: &PairCounts,
        parent: usize,
        smoothing: Smoothing,
        scale: Scale,
    ) -> Vec<f64> {
        let classes = self.prior.len();
        let own = self.dims[parent];
        let q = (own * classes) as f64;
        let children: Vec<(PairView<'_>, Vec<f64>)> = (0..self.dims.len())
            .filter(|&child| child != parent)
            .map(|child| (counts.pair(parent, child), marginal(counts.single(child), classes)))
            .collect();
        let mut conditionals = Conditionals::new(smoothing, scale, classes);
        let mut cells = vec![0.0; own * classes];
        cells.reserve_exact(own * self.width([parent]) + MARGIN);
        for value in 0..own {
            for (pair, marginal) in &children {
                let runs = (0..marginal.len()).map(|code| pair.run(value, code));
                conditionals.extend(&mut cells, runs, marginal, q);
            }
        }
        cells.extend([0.0; MARGIN]);
        cells
    }
}

/// ln P(x | y) of each feature, values × classes.
fn naive_logs(counts: &PairCounts, smoothing: Smoothing) -> Vec<Vec<f64>> {
    let classes = counts.classes();
    let mut conditionals = Conditionals::new(smoothing, Scale::Logarithm, classes);
    let mut of_feature = |single: &[u64]| {
        let mut logs = Vec::with_capacity(single.len());
        let marginal = marginal(single, classes);
        conditionals.extend(&mut logs, single.chunks_exact(classes), &marginal, classes as f64);
        logs
    };
    (0..counts.features()).map(|feature| of_feature(counts.single(feature))).collect()
}

/// P̂(x) of a feature from its counts.
pub(crate) fn marginal(single: &[u64], classes: usize) -> Vec<f64> {
    let counts: Vec<u64> = single.chunks_exact(classes).map(|run| run.iter().sum()).collect();
    Smoothing::Mle.prior(&counts)
}
