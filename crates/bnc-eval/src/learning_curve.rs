//! Learning curves: the same folds, learnt from fewer rows.

use std::cmp::Ordering;

use bnc_data::Code;

use crate::folds::rows_by_class;
use crate::random::{generator, part_stream, shuffle};
use crate::{Folds, Resampling};

/// Folds whose training parts are cut to a number of rows: a point of a learning curve. What is tested stays the same.
///
/// The rows of a training part are put into an order of which every beginning keeps the shares of the classes, each class shuffled by
/// the seed; a point takes the beginning of that order, so that the training sets of a smaller size are parts of those of a larger
/// one. A part that has no more rows is left whole.
///
/// # Examples
/// ```
/// use bnc_eval::{Folds, Resampling, Truncated, learning_curve_sizes};
/// let classes = [0, 1].repeat(100);
/// let folds = Folds::stratified(&classes, 10, 1, 1)?;
/// let sizes = learning_curve_sizes(&folds);
/// assert_eq!(sizes, [11, 22, 45, 90, 180]);
/// // One evaluation a size, each with its own results.
/// for size in sizes {
///     let point = Truncated::new(&folds, &classes, size, 1);
///     assert_eq!(point.train_rows(0, 9).len(), size);
///     assert_eq!(point.test_rows(0, 9), folds.test_rows(0, 9));
/// }
/// # Ok::<(), bnc_eval::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Truncated<'a> {
    folds: &'a Folds,
    classes: &'a [Code],
    rows: usize,
    seed: u64,
}

impl<'a> Truncated<'a> {
    /// Cuts the training parts of `folds` to `rows` rows; `classes` are the class codes that the folds were made for.
    #[must_use]
    pub fn new(folds: &'a Folds, classes: &'a [Code], rows: usize, seed: u64) -> Self {
        Self { folds, classes, rows, seed }
    }
}

/// The sizes of a learning curve, ascending: the largest training part, a half of it, a quarter and so on, at most eight sizes and
/// none below ten rows but the last.
#[must_use]
pub fn learning_curve_sizes(folds: &Folds) -> Vec<usize> {
    let parts = (0..folds.repeats()).flat_map(|repeat| (0..folds.folds()).map(move |fold| (repeat, fold)));
    let whole = parts.map(|(repeat, fold)| folds.train_rows(repeat, fold).len()).max().unwrap_or(0);
    (0..8).rev().map(|halvings| whole >> halvings).filter(|&size| size >= 10 || size == whole).collect()
}

impl Resampling for Truncated<'_> {
    fn rows(&self) -> usize {
        self.folds.rows()
    }

    fn is_labelled(&self, row: usize) -> bool {
        self.folds.is_labelled(row)
    }

    fn repeats(&self) -> usize {
        self.folds.repeats()
    }

    fn parts(&self) -> usize {
        self.folds.folds()
    }

    fn train_rows(&self, repeat: usize, part: usize) -> Vec<usize> {
        let rows = self.folds.train_rows(repeat, part);
        if rows.len() <= self.rows {
            return rows;
        }
        let classes: Vec<Code> = rows.iter().map(|&row| self.classes[row]).collect();
        let mut random = generator(self.seed, part_stream(repeat, part));
        let mut queue: Vec<Place> = Vec::with_capacity(rows.len());
        for (class, mut its) in rows_by_class(&classes).into_iter().enumerate() {
            shuffle(&mut its, &mut random);
            let of = its.len();
            let places = its.into_iter().enumerate();
            queue.extend(places.map(|(index, its)| Place { index, of, class, row: rows[its] }));
        }
        queue.sort_unstable_by(Place::order);
        let mut kept: Vec<usize> = queue[..self.rows].iter().map(|place| place.row).collect();
        kept.sort_unstable();
        kept
    }

    fn test_rows(&self, repeat: usize, part: usize) -> Vec<usize> {
        self.folds.test_rows(repeat, part)
    }
}

/// The place of a row among those of its class.
struct Place {
    index: usize,
    of: usize,
    class: usize,
    row: usize,
}

impl Place {
    /// By the middle of the stretch that a row takes of its class, (index + ½)/of.
    fn order(&self, other: &Self) -> Ordering {
        let middle = |one: &Self, another: &Self| (2 * one.index as u128 + 1) * another.of as u128;
        middle(self, other).cmp(&middle(other, self)).then(self.class.cmp(&other.class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_double_up_to_the_whole() {
        let sizes = |rows: usize| learning_curve_sizes(&Folds::stratified(&vec![0; rows], 2, 1, 1).unwrap());
        assert_eq!(sizes(80), [10, 20, 40]);
        assert_eq!(sizes(79), [10, 20, 40]);
        assert_eq!(sizes(10), [5]);
        assert_eq!(sizes(200_000).len(), 8);
        assert_eq!(sizes(200_000)[..2], [781, 1562]);
    }
}
