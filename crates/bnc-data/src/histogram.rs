//! The distinct values of a numeric column with their class counts: all that a discretiser needs.

use std::collections::BTreeMap;

/// Distinct numbers in ascending order, each with its (weighted) count per class.
///
/// It grows with the number of distinct values, not with the rows, does not depend on the order of the rows,
/// and keeps `-0` and `0` as one value. `NaN` is not a value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Histogram {
    classes: usize,
    cells: BTreeMap<Key, Vec<u64>>,
}

/// A number that is not `NaN`, ordered.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Key(f64);

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Histogram {
    /// An empty histogram over `classes` classes.
    #[must_use]
    pub fn new(classes: usize) -> Self {
        Self {
            classes,
            cells: BTreeMap::new(),
        }
    }

    /// Counts a number `weight` times under `class`; `NaN` and a class out of range are left out.
    pub fn add(&mut self, number: f64, class: usize, weight: u64) {
        if number.is_nan() || class >= self.classes || weight == 0 {
            return;
        }
        // Adding zero turns -0 into 0.
        let cell = self
            .cells
            .entry(Key(number + 0.0))
            .or_insert_with(|| vec![0; self.classes]);
        cell[class] += weight;
    }

    /// The number of classes.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The number of distinct values.
    #[must_use]
    pub fn distinct(&self) -> usize {
        self.cells.len()
    }

    /// The distinct values in ascending order with their counts per class.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (f64, &[u64])> + ExactSizeIterator {
        self.cells.iter().map(|(key, counts)| (key.0, counts.as_slice()))
    }

    /// The number of rows counted.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.cells.values().flatten().sum()
    }

    /// The mean of the finite values, summed in ascending order so that the order of the rows does not matter;
    /// `None` without any.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let (mut sum, mut count) = (0.0, 0.0);
        for (value, counts) in self.iter().filter(|(value, _)| value.is_finite()) {
            let rows = counts.iter().sum::<u64>() as f64;
            sum += value * rows;
            count += rows;
        }
        (count > 0.0).then(|| sum / count)
    }
}
