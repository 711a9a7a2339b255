//! Which rows are learnt from and which are tested.

use bnc_data::{Code, MISSING};

/// A scheme of an evaluation: some repeats of the same number of parts, for each of which a model is learnt from some rows
/// and tested on others. What it says is a function of its arguments alone; all row numbers are those of the whole data.
///
/// [`Folds`](crate::Folds) are cross-validation, repeated or from a file; [`Truncated`](crate::Truncated) folds are a point of a
/// learning curve; [`HoldoutSamples`](crate::HoldoutSamples) and [`SubSampled`](crate::SubSampled) are for bias and variance.
pub trait Resampling: Sync {
    /// The number of rows that it is about, unlabelled ones among them.
    fn rows(&self) -> usize;

    /// Whether a row (below [`Resampling::rows`]) has a class label. Unlabelled rows are neither tested nor trained on.
    fn is_labelled(&self, row: usize) -> bool;

    /// The number of repeats.
    fn repeats(&self) -> usize;

    /// The number of parts of every repeat.
    fn parts(&self) -> usize;

    /// The labelled rows that a part is learnt from, ascending.
    fn train_rows(&self, repeat: usize, part: usize) -> Vec<usize>;

    /// The labelled rows that a part tests, ascending.
    fn test_rows(&self, repeat: usize, part: usize) -> Vec<usize>;
}

/// The labelled rows, ascending.
pub(crate) fn labelled_rows(classes: &[Code]) -> Vec<usize> {
    (0..classes.len()).filter(|&row| classes[row] != MISSING).collect()
}
