//! The folds that a graph is judged on.

use std::ops::Range;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::greedy::Rows;

/// Rows by fold.
pub(super) struct Folds {
    pub(super) rows: Rows,
    /// The rows of each fold.
    pub(super) ranges: Vec<Range<usize>>,
}

impl Folds {
    /// Stratified folds, which depend on the rows and how often each occurs, but not on their order.
    ///
    /// Of equal rows each fold gets as many as can be shared out evenly; those left over are shuffled class by class by a fixed
    /// generator and dealt out in turn.
    pub(super) fn stratified(rows: &Rows, folds: usize) -> Self {
        let mut random = ChaCha8Rng::from_seed([0; 32]);
        let mut weights = vec![vec![0; rows.len()]; folds];
        let mut left_over = vec![Vec::new(); rows.classes()];
        for ((row, (class, _)), &weight) in rows.labels().enumerate().zip(rows.weights()) {
            for fold in &mut weights {
                fold[row] = weight / folds as u64;
            }
            left_over[class].extend((0..weight % folds as u64).map(|_| row));
        }
        let mut dealt = 0;
        for mut rows in left_over {
            for last in (1..rows.len()).rev() {
                // The remainder of a division by at most the number of rows: its bias is beyond notice.
                rows.swap(last, (random.next_u64() % (last as u64 + 1)) as usize);
            }
            for row in rows {
                weights[dealt % folds][row] += 1;
                dealt += 1;
            }
        }
        let mut places = Vec::new();
        let mut ranges = Vec::with_capacity(folds);
        let mut kept = Vec::new();
        for fold in &weights {
            let start = places.len();
            for (row, &weight) in fold.iter().enumerate().filter(|(_, weight)| **weight > 0) {
                places.push(row);
                kept.push(weight);
            }
            ranges.push(start..places.len());
        }
        Self { rows: rows.select(&places, kept), ranges }
    }
}
