//! Conditional probabilities of all features and pairs, in the places of their counts.

use std::ops::Range;

use bnc_models::bnc_data::{Code, Schema, Variable};
use bnc_models::bnc_stats::PairCounts;
use bnc_models::{Error, Result, Smoothing};
use rayon::prelude::*;

/// The largest number of probabilities of a model: of each feature given each other.
const MAX_CELLS: usize = 1 << 28;

/// The logarithms of the conditional probabilities, each at the place of its count.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Logs {
    /// ln P(x | y).
    pub(super) roots: Vec<f64>,
    /// ln P(`x_i` | `x_j`, y) of each pair `i < j`.
    pub(super) of_lower: Vec<f64>,
    /// ln P(`x_j` | `x_i`, y) of each pair `i < j`.
    pub(super) of_higher: Vec<f64>,
}

impl Logs {
    pub(super) fn new(counts: &PairCounts, smoothing: Smoothing) -> Self {
        let (_, singles, _) = counts.flat();
        let mut roots = vec![0.0; singles.len()];
        let estimate = Estimate { classes: counts.classes(), smoothing };
        for feature in 0..counts.features() {
            let own = Axis { dim: counts.cardinality(feature), stride: 1 };
            let alone = Axis { dim: 1, stride: 0 };
            estimate.logs(counts.single(feature), own, alone, &mut roots[counts.single_cells(feature)]);
        }
        Self {
            roots,
            of_lower: pair_logs(counts, estimate, true),
            of_higher: pair_logs(counts, estimate, false),
        }
    }
}

/// Where the run of a value lies among those of all features.
pub(super) fn single(counts: &PairCounts, feature: usize, code: Code) -> Range<usize> {
    let start = counts.single_cells(feature).start + usize::from(code) * counts.classes();
    start..start + counts.classes()
}

/// Where the run of two values of features `i < j` lies among those of all pairs.
pub(super) fn pair(counts: &PairCounts, (i, of_i): (usize, Code), (j, of_j): (usize, Code)) -> Range<usize> {
    let configuration = usize::from(of_i) * counts.cardinality(j) + usize::from(of_j);
    let start = counts.pair_cells(i, j).start + configuration * counts.classes();
    start..start + counts.classes()
}

/// ln P(child | parent, y) of all pairs, the child being the lower or the higher feature.
fn pair_logs(counts: &PairCounts, estimate: Estimate, of_lower: bool) -> Vec<f64> {
    let (_, _, pairs) = counts.flat();
    let mut logs = vec![0.0; pairs.len()];
    let mut rest = logs.as_mut_slice();
    let mut blocks = Vec::with_capacity(counts.features());
    for i in 0..counts.features() {
        for j in i + 1..counts.features() {
            let cells = counts.pair_cells(i, j);
            let (block, more) = rest.split_at_mut(cells.len());
            blocks.push((i, j, cells, block));
            rest = more;
        }
    }
    blocks.into_par_iter().for_each(|(i, j, cells, block)| {
        let dim = counts.cardinality(j);
        let lower = Axis { dim: counts.cardinality(i), stride: dim };
        let higher = Axis { dim, stride: 1 };
        let (child, parent) = if of_lower { (lower, higher) } else { (higher, lower) };
        estimate.logs(&pairs[cells], child, parent, block);
    });
    logs
}

/// An axis of a table: its length, and the runs from one value to the next.
#[derive(Clone, Copy)]
struct Axis {
    dim: usize,
    stride: usize,
}

#[derive(Clone, Copy)]
struct Estimate {
    classes: usize,
    smoothing: Smoothing,
}

impl Estimate {
    /// ln P(child | parent, y) at the places of the counts.
    fn logs(self, counts: &[u64], child: Axis, parent: Axis, out: &mut [f64]) {
        let classes = self.classes;
        let start = |value: usize, context: usize| (value * child.stride + context * parent.stride) * classes;
        let seen = |value: usize| {
            let run = |context: usize| &counts[start(value, context)..start(value, context) + classes];
            (0..parent.dim).flat_map(run).sum()
        };
        let marginal = Smoothing::Mle.prior(&(0..child.dim).map(seen).collect::<Vec<u64>>());
        let configurations = parent.dim as f64 * classes as f64;
        for context in 0..parent.dim {
            for class in 0..classes {
                let count = |value: usize| counts[start(value, context) + class] as f64;
                let total = (0..child.dim).map(count).sum();
                for (value, &marginal) in marginal.iter().enumerate() {
                    let probability =
                        self.smoothing.conditional(count(value), total, child.dim, configurations, marginal);
                    out[start(value, context) + class] = probability.ln();
                }
            }
        }
    }
}

/// Refuses a schema with too many probabilities.
pub(super) fn check_size(schema: &Schema) -> Result<()> {
    let dims: Vec<usize> = schema.features().iter().map(Variable::cardinality).collect();
    let classes = schema.classes();
    let values: u128 = dims.iter().map(|&dim| dim as u128).sum();
    let cells = dims.iter().map(|&dim| dim as u128 * (values - dim as u128)).sum::<u128>() * classes as u128;
    if cells > MAX_CELLS as u128 {
        return Err(Error::TooLarge {
            what: format!("TAN-FDA over {} features of {values} values in all", dims.len()),
            cells: u64::try_from(cells).unwrap_or(u64::MAX),
            limit: MAX_CELLS,
            way_out: "drop columns of many values, such as identifiers, or choose TAN".into(),
        });
    }
    Ok(())
}
