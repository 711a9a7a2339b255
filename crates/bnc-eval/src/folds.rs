//! Which rows are tested when: stratified folds, repeated, or folds that a file assigns.

use bnc_data::{Code, MISSING};

use crate::random::{generator, shuffle};
use crate::{Error, Resampling, Result};

/// An assignment of rows to folds, once a repeat. Every labelled row is tested exactly once a repeat, no fold is empty,
/// and unlabelled rows are neither tested nor trained on.
///
/// Two folds a repeat and ten repeats or so are the repeated cross-validation by which Webb (*`MultiBoosting`*,
/// Machine Learning 40, 2000) estimates bias and variance; see [`BiasVariance`](crate::BiasVariance).
///
/// # Examples
/// ```
/// use bnc_eval::Folds;
/// let classes = [0, 0, 0, 1, 1, 1];
/// let folds = Folds::stratified(&classes, 3, 10, 1)?;
/// let tested = folds.test_rows(9, 2);
/// assert_eq!(tested.len(), 2);
/// assert_ne!(classes[tested[0]], classes[tested[1]]);
/// # Ok::<(), bnc_eval::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folds {
    folds: usize,
    /// One fold a row, for each repeat.
    repeats: Vec<Vec<u32>>,
}

/// The fold of a row that is never tested.
pub(crate) const NEVER: u32 = u32::MAX;

/// A class with fewer rows than there are folds: some folds test none of its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RareClass {
    /// The class.
    pub class: Code,
    /// Its rows.
    pub rows: usize,
}

impl Folds {
    /// Random folds that keep the shares of the classes: within a repeat the sizes of two folds differ by at most 1, and
    /// so do their numbers of rows of each class. `classes` holds one code a row, [`MISSING`] where unlabelled.
    ///
    /// The rows of each class are shuffled (Fisher–Yates over `ChaCha8`, keyed by the seed, one stream a repeat) and dealt
    /// out to the folds in turn, class after class. A repeat depends on the seed and its own number alone, on every
    /// platform.
    ///
    /// # Errors
    /// [`Error::TooFewFolds`] below 2, [`Error::TooManyFolds`] above the number of labelled rows, [`Error::NoRepeats`].
    pub fn stratified(classes: &[Code], folds: usize, repeats: usize, seed: u64) -> Result<Self> {
        let by_class = rows_by_class(classes);
        let rows = by_class.iter().map(Vec::len).sum();
        if folds < 2 {
            return Err(Error::TooFewFolds { folds });
        }
        if folds > rows {
            return Err(Error::TooManyFolds { folds, rows });
        }
        if repeats == 0 {
            return Err(Error::NoRepeats);
        }
        let one_repeat = |repeat: usize| {
            let mut random = generator(seed, repeat as u64);
            let mut assignment = vec![NEVER; classes.len()];
            let mut dealt = 0;
            for rows in &by_class {
                let mut rows = rows.clone();
                shuffle(&mut rows, &mut random);
                for row in rows {
                    assignment[row] = (dealt % folds) as u32;
                    dealt += 1;
                }
            }
            assignment
        };
        Ok(Self { folds, repeats: (0..repeats).map(one_repeat).collect() })
    }

    /// Folds from an assignment whose rules were checked.
    pub(crate) fn from_parts(folds: usize, repeats: Vec<Vec<u32>>) -> Self {
        Self { folds, repeats }
    }

    /// The number of folds.
    #[must_use]
    pub fn folds(&self) -> usize {
        self.folds
    }

    /// The number of repeats.
    #[must_use]
    pub fn repeats(&self) -> usize {
        self.repeats.len()
    }

    /// The number of rows, unlabelled ones among them.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.repeats.first().map_or(0, Vec::len)
    }

    /// The fold in which a row is tested, from 0; `None` for an unlabelled row.
    ///
    /// # Panics
    /// When there is no such repeat or row.
    #[must_use]
    pub fn fold_of(&self, repeat: usize, row: usize) -> Option<usize> {
        let fold = self.repeats[repeat][row];
        (fold != NEVER).then_some(fold as usize)
    }

    /// The rows that a fold tests, ascending.
    ///
    /// # Panics
    /// When there is no such repeat.
    #[must_use]
    pub fn test_rows(&self, repeat: usize, fold: usize) -> Vec<usize> {
        self.rows_where(repeat, |its| its == fold)
    }

    /// The rows that a fold trains on, ascending: the labelled rows that it does not test.
    ///
    /// # Panics
    /// When there is no such repeat.
    #[must_use]
    pub fn train_rows(&self, repeat: usize, fold: usize) -> Vec<usize> {
        self.rows_where(repeat, |its| its != fold)
    }

    fn rows_where(&self, repeat: usize, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.rows()).filter(|&row| self.fold_of(repeat, row).is_some_and(&wanted)).collect()
    }

    /// The classes that have rows, but fewer than there are folds, ascending. They do not hinder an evaluation, but its
    /// figures rest on little, and a user should be told.
    #[must_use]
    pub fn rare_classes(&self, classes: &[Code]) -> Vec<RareClass> {
        let sizes = rows_by_class(classes).into_iter().map(|rows| rows.len()).enumerate();
        let rare = sizes.filter(|&(_, rows)| rows > 0 && rows < self.folds);
        rare.map(|(class, rows)| RareClass { class: class as Code, rows }).collect()
    }
}

impl Resampling for Folds {
    fn rows(&self) -> usize {
        self.rows()
    }

    fn is_labelled(&self, row: usize) -> bool {
        self.repeats.first().is_some_and(|repeat| repeat[row] != NEVER)
    }

    fn repeats(&self) -> usize {
        self.repeats()
    }

    fn parts(&self) -> usize {
        self.folds
    }

    fn train_rows(&self, repeat: usize, part: usize) -> Vec<usize> {
        self.train_rows(repeat, part)
    }

    fn test_rows(&self, repeat: usize, part: usize) -> Vec<usize> {
        self.test_rows(repeat, part)
    }
}

/// The labelled rows of each class, ascending.
pub(crate) fn rows_by_class(classes: &[Code]) -> Vec<Vec<usize>> {
    let labelled = || classes.iter().enumerate().filter(|&(_, &class)| class != MISSING);
    let count = labelled().map(|(_, &class)| usize::from(class) + 1).max().unwrap_or(0);
    let mut by_class = vec![Vec::new(); count];
    for (row, &class) in labelled() {
        by_class[usize::from(class)].push(row);
    }
    by_class
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_these_folds_for_ever() {
        let classes = [0, 1, 0, 1, MISSING, 0, 2, 1, 0, 1];
        let folds = Folds::stratified(&classes, 3, 2, 1).unwrap();
        let of = |repeat: usize| -> Vec<Option<usize>> {
            (0..classes.len()).map(|row| folds.fold_of(repeat, row)).collect()
        };
        // From an independent program that builds the ChaCha8 key stream from its definition.
        let expected: [[i32; 10]; 2] = [[1, 2, 2, 0, -1, 0, 2, 1, 0, 1], [0, 1, 2, 1, -1, 1, 2, 2, 0, 0]];
        for (repeat, expected) in expected.iter().enumerate() {
            let expected: Vec<_> = expected.iter().map(|&fold| usize::try_from(fold).ok()).collect();
            assert_eq!(of(repeat), expected);
        }
    }

    #[test]
    fn a_repeat_does_not_depend_on_how_many_there_are() {
        let classes: Vec<Code> = (0..50).map(|row| row % 3).collect();
        let few = Folds::stratified(&classes, 5, 2, 7).unwrap();
        let many = Folds::stratified(&classes, 5, 4, 7).unwrap();
        assert_eq!(few.repeats[..], many.repeats[..2]);
        assert_ne!(many.repeats[0], many.repeats[1]);
        assert_ne!(few, Folds::stratified(&classes, 5, 2, 8).unwrap());
    }

    #[test]
    fn impossible_folds_are_refused() {
        let classes = [0, 1, MISSING];
        assert!(matches!(Folds::stratified(&classes, 1, 1, 1), Err(Error::TooFewFolds { folds: 1 })));
        assert!(matches!(
            Folds::stratified(&classes, 3, 1, 1),
            Err(Error::TooManyFolds { folds: 3, rows: 2 })
        ));
        assert!(matches!(Folds::stratified(&classes, 2, 0, 1), Err(Error::NoRepeats)));
        assert!(matches!(Folds::stratified(&[], 2, 1, 1), Err(Error::TooManyFolds { folds: 2, rows: 0 })));
    }
}
