//! The counts of all features and pairs in flat arrays, and probabilities in the same places.

use std::ops::Range;

use bnc_models::bnc_data::{Code, Schema, Variable};
use bnc_models::bnc_stats::Table;
use bnc_models::{Error, Result, Smoothing};
use rayon::prelude::*;

/// The largest number of probabilities of a model: of each feature given each other.
const MAX_CELLS: usize = 1 << 28;

/// Counts by class. All runs are over the classes; pairs `i < j` come in lexicographic order, the values of `j` faster than
/// those of `i`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PairCounts {
    classes: usize,
    dims: Vec<usize>,
    /// Where the runs of each feature start in `singles`.
    single_starts: Vec<usize>,
    /// Where the runs of each pair start in `pairs`, and a last one past the end.
    pair_starts: Vec<usize>,
    pub(super) class: Vec<u64>,
    pub(super) singles: Vec<u64>,
    pub(super) pairs: Vec<u64>,
}

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

impl PairCounts {
    /// Nothing counted yet.
    pub(super) fn zeros(schema: &Schema) -> Result<Self> {
        let classes = schema.classes();
        let dims: Vec<usize> = schema.features().iter().map(Variable::cardinality).collect();
        check_size(&dims, classes)?;
        let mut single_starts = Vec::with_capacity(dims.len());
        let mut pair_starts = Vec::with_capacity(dims.len() * dims.len().saturating_sub(1) / 2 + 1);
        let (mut singles, mut pairs) = (0, 0);
        for (i, &dim) in dims.iter().enumerate() {
            single_starts.push(singles);
            singles += dim * classes;
            for &other in &dims[i + 1..] {
                pair_starts.push(pairs);
                pairs += dim * other * classes;
            }
        }
        pair_starts.push(pairs);
        Ok(Self {
            classes,
            dims,
            single_starts,
            pair_starts,
            class: vec![0; classes],
            singles: vec![0; singles],
            pairs: vec![0; pairs],
        })
    }

    /// From flat arrays; `None` when their lengths do not fit the schema, or their sums are out of range.
    pub(super) fn from_flat(
        schema: &Schema,
        class: Vec<u64>,
        singles: Vec<u64>,
        pairs: Vec<u64>,
    ) -> Result<Option<Self>> {
        let zeros = Self::zeros(schema)?;
        let fits = [(&class, &zeros.class), (&singles, &zeros.singles), (&pairs, &zeros.pairs)]
            .into_iter()
            .all(|(ours, zeros)| {
                let total = ours.iter().try_fold(0_u64, |total, &count| total.checked_add(count));
                ours.len() == zeros.len() && total.is_some()
            });
        Ok(fits.then_some(Self { class, singles, pairs, ..zeros }))
    }

    /// Takes the counts of the tables of all pairs, of the class and of all single features.
    pub(super) fn fill(&mut self, tables: &[Table]) {
        let (pairs, rest) = tables.split_at(self.pair_starts.len() - 1);
        let (class, singles) = rest.split_at(1);
        let classes = self.classes;
        let copy = |table: &Table, target: &mut [u64]| {
            for (number, run) in table.runs() {
                let start = number as usize * classes;
                target[start..start + classes].copy_from_slice(run);
            }
        };
        for table in class {
            copy(table, &mut self.class);
        }
        for (table, &start) in singles.iter().zip(&self.single_starts) {
            copy(table, &mut self.singles[start..]);
        }
        for (table, &start) in pairs.iter().zip(&self.pair_starts) {
            copy(table, &mut self.pairs[start..]);
        }
    }

    /// Where the run of a value lies in `singles`.
    pub(super) fn single(&self, feature: usize, code: Code) -> Range<usize> {
        let start = self.single_starts[feature] + usize::from(code) * self.classes;
        start..start + self.classes
    }

    /// Where the run of two values of features `i < j` lies in `pairs`.
    pub(super) fn pair(&self, (i, of_i): (usize, Code), (j, of_j): (usize, Code)) -> Range<usize> {
        let configuration = usize::from(of_i) * self.dims[j] + usize::from(of_j);
        let start = self.pair_starts[self.pair_number(i, j)] + configuration * self.classes;
        start..start + self.classes
    }

    fn pair_number(&self, i: usize, j: usize) -> usize {
        i * self.dims.len() - i * (i + 1) / 2 + j - i - 1
    }

    /// The number of features.
    pub(super) fn features(&self) -> usize {
        self.dims.len()
    }

    /// The number of values of a feature.
    pub(super) fn cardinality(&self, feature: usize) -> usize {
        self.dims[feature]
    }

    pub(super) fn logs(&self, smoothing: Smoothing) -> Logs {
        let mut roots = vec![0.0; self.singles.len()];
        let estimate = Estimate { classes: self.classes, smoothing };
        for (&start, &dim) in self.single_starts.iter().zip(&self.dims) {
            let cells = start..start + dim * self.classes;
            let alone = Axis { dim: 1, stride: 0 };
            estimate.logs(&self.singles[cells.clone()], Axis { dim, stride: 1 }, alone, &mut roots[cells]);
        }
        Logs { roots, of_lower: self.pair_logs(estimate, true), of_higher: self.pair_logs(estimate, false) }
    }

    /// ln P(child | parent, y) of all pairs, the child being the lower or the higher feature.
    fn pair_logs(&self, estimate: Estimate, of_lower: bool) -> Vec<f64> {
        let mut logs = vec![0.0; self.pairs.len()];
        let mut rest = logs.as_mut_slice();
        let mut blocks = Vec::with_capacity(self.dims.len());
        for i in 0..self.dims.len() {
            let (first, end) = (self.pair_number(i, i + 1), self.pair_number(i + 1, i + 2));
            let (block, more) = rest.split_at_mut(self.pair_starts[end] - self.pair_starts[first]);
            blocks.push((i, first, block));
            rest = more;
        }
        blocks.into_par_iter().for_each(|(i, first, block)| {
            let start = self.pair_starts[first];
            for (place, &dim) in self.dims[i + 1..].iter().enumerate() {
                let cells = self.pair_starts[first + place]..self.pair_starts[first + place + 1];
                let out = &mut block[cells.start - start..cells.end - start];
                let lower = Axis { dim: self.dims[i], stride: dim };
                let higher = Axis { dim, stride: 1 };
                let (child, parent) = if of_lower { (lower, higher) } else { (higher, lower) };
                estimate.logs(&self.pairs[cells], child, parent, out);
            }
        });
        logs
    }
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

fn check_size(dims: &[usize], classes: usize) -> Result<()> {
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
