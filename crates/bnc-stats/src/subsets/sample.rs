//! The rows that count, without repetition.

use bnc_data::{Code, Dataset, MISSING};

use super::ClassRole;
use super::partition::Partition;
use super::rows::{Codes, Columns, Planes, Row, Unit, Weighted};

/// What is done with the rows, whatever form they have.
pub(super) trait Work {
    type Output;

    fn run<C: Codes, R: Row<C::Key>>(self, sample: &Sample, codes: &C) -> Self::Output;
}

/// The complete rows over the variables, in an order of the variables that suits the kernel.
#[derive(Debug)]
pub(super) struct Sample {
    /// The node that each variable is.
    pub(super) order: Vec<usize>,
    /// The numbers of values of the variables.
    pub(super) dims: Vec<usize>,
    /// The number of configurations of what belongs to every subset: of the class where it is a parent of all.
    pub(super) base: usize,
    /// The rows by their weights.
    pub(super) total: u64,
    /// The codes of the variables.
    columns: Vec<Vec<Code>>,
    weights: Vec<u64>,
    /// Where each cell of the empty subset ends.
    ends: Vec<u32>,
}

impl Sample {
    /// The variables with most entropy come last: refined first, they leave the least to do for the many subsets of the rest.
    pub(super) fn new(rows: &Dataset, features: &[usize], class: ClassRole) -> Self {
        let schema = rows.schema();
        let mut nodes: Vec<(&[Code], usize)> = features
            .iter()
            .map(|&feature| (rows.features()[feature].as_slice(), schema.cardinality(feature)))
            .collect();
        let (base, by_class) = match class {
            ClassRole::Parent => (schema.classes(), true),
            ClassRole::Variable => {
                nodes.push((rows.class(), schema.classes()));
                (1, false)
            }
        };
        let weight = |row: usize| rows.weights().map_or(1, |weights| u64::from(weights[row]));
        let mut kept: Vec<usize> = (0..rows.rows())
            .filter(|&row| weight(row) > 0 && rows.class()[row] != MISSING)
            .filter(|&row| nodes.iter().all(|(column, _)| column[row] != MISSING))
            .collect();
        let total = kept.iter().map(|&row| weight(row)).sum();
        let mut order: Vec<(f64, usize)> = nodes
            .iter()
            .enumerate()
            .map(|(node, (column, dim))| (entropy(column, *dim, &kept, &weight), node))
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let order: Vec<usize> = order.into_iter().map(|(_, node)| node).collect();

        let cell = |row: usize| if by_class { rows.class()[row] } else { 0 };
        let compare = |a: usize, b: usize| {
            let columns = order.iter().rev().map(|&node| nodes[node].0);
            cell(a).cmp(&cell(b)).then_with(|| {
                columns
                    .map(|column| column[a].cmp(&column[b]))
                    .find(|order| order.is_ne())
                    .unwrap_or(a.cmp(&a))
            })
        };
        kept.sort_by(|&a, &b| compare(a, b));
        let mut distinct: Vec<(usize, u64)> = Vec::new();
        for &row in &kept {
            match distinct.last_mut() {
                Some((last, sum)) if compare(*last, row).is_eq() => *sum += weight(row),
                _ => distinct.push((row, weight(row))),
            }
        }
        // A few rows that occur twice cost less than a weight beside every row.
        if distinct.len() >= kept.len() / 4 * 3 && kept.iter().all(|&row| weight(row) == 1) {
            distinct = kept.into_iter().map(|row| (row, 1)).collect();
        }
        let ends = (1..=distinct.len())
            .filter(|&end| distinct.get(end).is_none_or(|&(row, _)| cell(row) != cell(distinct[end - 1].0)))
            .map(|end| end as u32)
            .collect();
        let columns =
            order.iter().map(|&node| distinct.iter().map(|&(row, _)| nodes[node].0[row]).collect()).collect();
        let weights = distinct.into_iter().map(|(_, weight)| weight).collect();
        Self {
            dims: order.iter().map(|&node| nodes[node].1).collect(),
            order,
            base,
            total,
            columns,
            weights,
            ends,
        }
    }

    /// Does some work on the rows in their smallest form.
    pub(super) fn work<W: Work>(&self, work: W) -> W::Output {
        let columns: Vec<&[Code]> = self.columns.iter().map(Vec::as_slice).collect();
        if let Some(codes) = Planes::<u64>::new(&columns, &self.dims) {
            self.with_weights(work, &codes)
        } else if let Some(codes) = Planes::<u128>::new(&columns, &self.dims) {
            self.with_weights(work, &codes)
        } else {
            self.with_weights(work, &Columns(&columns))
        }
    }

    fn with_weights<W: Work, C: Codes>(&self, work: W, codes: &C) -> W::Output {
        if self.weights.iter().all(|&weight| weight == 1) {
            work.run::<C, Unit<C::Key>>(self, codes)
        } else {
            work.run::<C, Weighted<C::Key>>(self, codes)
        }
    }

    /// The partition of the empty subset: one cell, or one a class.
    pub(super) fn start<C: Codes, R: Row<C::Key>>(&self, codes: &C) -> Partition<R> {
        let rows =
            self.weights.iter().enumerate().map(|(row, &weight)| R::new(codes.key(row), weight)).collect();
        Partition::new(rows, self.ends.clone(), self.weights.iter().copied().max().unwrap_or_default())
    }
}

fn entropy(column: &[Code], dim: usize, rows: &[usize], weight: &dyn Fn(usize) -> u64) -> f64 {
    let mut counts = vec![0_u64; dim];
    for &row in rows {
        counts[usize::from(column[row])] += weight(row);
    }
    let total = counts.iter().sum::<u64>() as f64;
    let seen = counts.iter().filter(|&&count| count > 0);
    seen.map(|&count| -(count as f64) / total * (count as f64 / total).ln()).sum()
}
