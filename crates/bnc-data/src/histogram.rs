//! The distinct values of a numeric column with their class counts: all that a discretiser needs.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// The rows that hold one value and one class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cell {
    /// The value; never `NaN` or `-0`.
    pub(crate) value: f64,
    /// The class.
    pub(crate) class: usize,
    /// How many rows, weighted; at least 1.
    pub(crate) count: u64,
}

impl Cell {
    #[inline]
    fn is(&self, value: f64, class: usize) -> bool {
        self.value.to_bits() == value.to_bits() && self.class == class
    }
}

/// Distinct numbers in ascending order, each with its (weighted) count per class.
///
/// It does not depend on the order of the rows and keeps `-0` and `0` as one value. `NaN` is not a value.
///
/// # Examples
/// ```
/// use bnc_data::HistogramBuilder;
/// let mut builder = HistogramBuilder::new(2);
/// for (number, class) in [(2.5, 0), (1.0, 1), (2.5, 0)] {
///     builder.add(number, class, 1);
/// }
/// let histogram = builder.histogram();
/// assert_eq!(histogram.values().collect::<Vec<_>>(), [(1.0, 1), (2.5, 2)]);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Histogram {
    classes: usize,
    /// Ascending by value, then class; each pair once.
    cells: Vec<Cell>,
}

impl Histogram {
    /// The number of classes.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The pairs of value and class that occur, ascending by value, then class.
    pub(crate) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The distinct values in ascending order, each with its number of rows.
    pub fn values(&self) -> impl Iterator<Item = (f64, u64)> {
        self.cells
            .chunk_by(|a, b| a.value.total_cmp(&b.value).is_eq())
            .map(|cells| (cells[0].value, cells.iter().map(|cell| cell.count).sum()))
    }

    /// The number of distinct values.
    #[must_use]
    pub fn distinct(&self) -> usize {
        self.values().count()
    }

    /// The number of rows counted.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.cells.iter().map(|cell| cell.count).sum()
    }

    /// The mean of the finite values, summed in ascending order so that the order of the rows does not matter;
    /// `None` without any.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let finite = || self.cells.iter().filter(|cell| cell.value.is_finite());
        let rows = finite().map(|cell| cell.count).sum::<u64>() as f64;
        let sum: f64 = finite().map(|cell| cell.value * cell.count as f64).sum();
        if rows == 0.0 {
            None
        } else if sum.is_finite() {
            Some(sum / rows)
        } else {
            // The sum overflows although the mean does not.
            Some(finite().map(|cell| cell.value * (cell.count as f64 / rows)).sum())
        }
    }
}

/// Counts rows, one by one, for a [`Histogram`]. Its memory grows with the number of distinct values, not with
/// the rows.
#[derive(Debug, Clone, Default)]
pub struct HistogramBuilder {
    classes: usize,
    /// Each pair of value and class that was met; sorted only at the end, so that a row costs one look-up.
    cells: Vec<Cell>,
    index: HashTable<usize>,
    hasher: RandomState,
    /// Where the pairs met last stand in `cells`, each in the place that its hash says: few values are most rows.
    recent: Vec<usize>,
}

/// How many pairs are remembered; a power of two.
const RECENT: usize = 256;

impl HistogramBuilder {
    /// No rows, over `classes` classes.
    #[must_use]
    pub fn new(classes: usize) -> Self {
        Self { classes, ..Self::default() }
    }

    /// Counts a number `weight` times under `class`; `NaN` and a class out of range are left out.
    #[inline]
    pub fn add(&mut self, number: f64, class: usize, weight: u64) {
        if number.is_nan() || class >= self.classes || weight == 0 {
            return;
        }
        // Adding zero turns -0 into 0.
        let value = number + 0.0;
        let hash = (value.to_bits() ^ class as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // Short numbers differ in their highest bits only, and those reach the highest bits of a product.
        let place = (hash >> (u64::BITS - RECENT.ilog2())) as usize;
        let found = self.recent.get(place).and_then(|&at| self.cells.get_mut(at));
        match found {
            Some(cell) if cell.is(value, class) => cell.count += weight,
            _ => self.add_to_any(place, value, class, weight),
        }
    }

    fn add_to_any(&mut self, place: usize, value: f64, class: usize, weight: u64) {
        let Self { cells, index, hasher, recent, .. } = self;
        let hash = |value: f64, class: usize| hasher.hash_one((value.to_bits(), class));
        let entry = index.entry(
            hash(value, class),
            |&at| cells[at].is(value, class),
            |&at| hash(cells[at].value, cells[at].class),
        );
        let at = *entry.or_insert(cells.len()).get();
        if at == cells.len() {
            cells.push(Cell { value, class, count: 0 });
        }
        cells[at].count += weight;
        recent.resize(RECENT, at);
        recent[place] = at;
    }

    /// The histogram of what was counted so far.
    #[must_use]
    pub fn histogram(&self) -> Histogram {
        let mut cells = self.cells.clone();
        cells.sort_unstable_by(|a, b| a.value.total_cmp(&b.value).then(a.class.cmp(&b.class)));
        Histogram { classes: self.classes, cells }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(rows: &[(f64, usize, u64)]) -> Histogram {
        let mut builder = HistogramBuilder::new(2);
        for &(number, class, weight) in rows {
            builder.add(number, class, weight);
        }
        builder.histogram()
    }

    #[test]
    fn zeros_are_one_value_and_nan_is_none() {
        let histogram = built(&[(-0.0, 0, 1), (0.0, 0, 2), (f64::NAN, 0, 1), (1.0, 2, 1), (1.0, 1, 0)]);
        assert_eq!(histogram.cells().len(), 1);
        assert_eq!(histogram.cells()[0].count, 3);
        assert!(histogram.cells()[0].value.is_sign_positive());
    }

    #[test]
    fn memory_follows_the_distinct_values() {
        let mut builder = HistogramBuilder::new(3);
        for row in 0..1_000_000_u32 {
            builder.add(f64::from(row % 100), (row % 3) as usize, 1);
        }
        assert_eq!(builder.cells.len(), 300);
        assert_eq!(builder.histogram().cells().len(), 300);
        assert_eq!(builder.histogram().distinct(), 100);
        assert_eq!(builder.histogram().total(), 1_000_000);
    }

    #[test]
    fn the_order_of_the_rows_does_not_matter() {
        let row = |row: u32| (f64::from(row * 7919 % 1000) - 500.0, (row % 2) as usize, 1);
        let rows: Vec<_> = (0..5_000).map(row).collect();
        let reversed: Vec<_> = (0..5_000).rev().map(row).collect();
        let histogram = built(&rows);
        assert_eq!(histogram, built(&reversed));
        assert!(histogram.values().is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn the_mean_is_weighted_finite_and_never_overflows() {
        let mean = |rows: &[(f64, usize, u64)]| built(rows).mean();
        assert_eq!(mean(&[(1.0, 0, 3), (5.0, 1, 1)]), Some(2.0));
        assert_eq!(mean(&[(f64::INFINITY, 0, 1), (5.0, 1, 1)]), Some(5.0));
        assert_eq!(mean(&[(f64::NEG_INFINITY, 0, 1)]), None);
        assert_eq!(mean(&[(f64::MAX, 0, 2), (f64::MAX, 1, 2)]), Some(f64::MAX));
    }
}
