//! What each value says about the class, what each pair of values says about each other, and which values imply which:
//! computed once, so that a row's structure needs no logarithm.

use bitvec::prelude::BitVec;
use bnc_models::bnc_data::{Code, Dataset};
use bnc_models::bnc_stats::{
    Counter, Table, all_pairs, all_singles, local_conditional_mutual_information, local_mutual_information,
};
use bnc_models::{Result, Smoothing};
use rayon::prelude::*;

/// Pairs are counted so many at a time, to bound the memory of their tables.
const PAIRS_AT_A_TIME: usize = 1 << 16;

/// Measures of values, which are numbered through all features.
#[derive(Debug, Clone)]
pub(crate) struct ValueMeasures {
    /// Where each feature's values start, and a last one past the end.
    starts: Vec<usize>,
    /// I(x; Y) in nats.
    local: Vec<f64>,
    /// Whether the value was seen.
    seen: Vec<bool>,
    /// P̂(x) among the rows that know the feature.
    marginal: Vec<f64>,
    /// I(xi; xj | Y) in nats: the lower triangle of values × values, with its diagonal.
    conditional: Vec<f64>,
    /// For each value the values that it implies.
    implied: Vec<BitVec<u64>>,
}

/// The cells that [`ValueMeasures::new`] needs for so many values in all.
pub(crate) fn cells(values: usize) -> u128 {
    values as u128 * (values as u128 + 1) / 2
}

impl ValueMeasures {
    /// From labelled rows; a value implies another when all rows that have it and know the other's feature have the other,
    /// and these are `l` or more.
    pub(crate) fn new(rows: &Dataset, l: u64) -> Result<Self> {
        let features = rows.features().len();
        let mut starts = vec![0];
        for feature in 0..features {
            starts.push(starts[feature] + rows.schema().cardinality(feature));
        }
        let values = starts[features];
        let mut measures = Self {
            starts,
            local: Vec::with_capacity(values),
            seen: Vec::with_capacity(values),
            marginal: Vec::with_capacity(values),
            conditional: vec![0.0; values * (values + 1) / 2],
            implied: vec![BitVec::repeat(false, values); values],
        };
        for table in rows.count(&all_singles(features))?.iter().skip(1) {
            let mut counts = vec![0_u64; table.dims()[0]];
            table.runs().for_each(|(value, run)| counts[value as usize] = run.iter().sum());
            measures.local.extend(local_mutual_information(table));
            measures.seen.extend(counts.iter().map(|&count| count > 0));
            measures.marginal.extend(Smoothing::Mle.prior(&counts));
        }
        for plan in all_pairs(features).chunks(PAIRS_AT_A_TIME) {
            let tables = rows.count(plan)?;
            let locals: Vec<Vec<f64>> = tables.par_iter().map(local_conditional_mutual_information).collect();
            for (table, locals) in tables.iter().zip(&locals) {
                measures.add_pair(table, locals, l);
            }
        }
        Ok(measures)
    }

    fn add_pair(&mut self, table: &Table, locals: &[f64], l: u64) {
        let mut features = table.vars().iter();
        let (Some(i), Some(j)) = (features.next(), features.next()) else { return };
        let (first, second) = (self.starts[i], self.starts[j]);
        let (rows, columns) = (table.dims()[0], table.dims()[1]);
        let mut counts = vec![0_u64; rows * columns];
        table.runs().for_each(|(cell, run)| counts[cell as usize] = run.iter().sum());
        let of_row: Vec<u64> = counts.chunks_exact(columns).map(|row| row.iter().sum()).collect();
        let of_column: Vec<u64> =
            (0..columns).map(|column| counts.iter().skip(column).step_by(columns).sum()).collect();
        let enough = l.max(1);
        for (cell, (&count, &local)) in counts.iter().zip(locals).enumerate() {
            let (row, column) = (cell / columns, cell % columns);
            let (a, b) = (first + row, second + column);
            self.conditional[b * (b + 1) / 2 + a] = local;
            if count >= enough {
                self.implied[a].set(b, count == of_row[row]);
                self.implied[b].set(a, count == of_column[column]);
            }
        }
    }

    /// The number of a feature's value.
    pub(crate) fn value(&self, feature: usize, code: Code) -> usize {
        self.starts[feature] + usize::from(code)
    }

    /// I(x; Y) in nats.
    pub(crate) fn local(&self, value: usize) -> f64 {
        self.local[value]
    }

    /// I(x; x' | Y) in nats.
    pub(crate) fn conditional(&self, value: usize, other: usize) -> f64 {
        let (low, high) = (value.min(other), value.max(other));
        self.conditional[high * (high + 1) / 2 + low]
    }

    /// Whether some training row has the value.
    pub(crate) fn seen(&self, value: usize) -> bool {
        self.seen[value]
    }

    /// P̂(x).
    pub(crate) fn marginal(&self, value: usize) -> f64 {
        self.marginal[value]
    }

    /// Whether a value implies another.
    pub(crate) fn implies(&self, value: usize, other: usize) -> bool {
        self.implied[value][other]
    }
}
