//! What turns counts into a classifier.

use bnc_data::{Progress, Schema};
use bnc_stats::Counter;

use crate::{Classifier, Result};

/// A learner is its parameters: a plain value that asks a counter for tables and builds a model from them.
pub trait Learner: Sync {
    /// What it learns.
    type Model: Classifier + 'static;

    /// Learns a model. Parameters are validated first.
    ///
    /// # Errors
    /// [`Error::BadParameter`](crate::Error::BadParameter), [`Error::NoLabelledRows`](crate::Error::NoLabelledRows),
    /// [`Error::TooLarge`](crate::Error::TooLarge), and those of counting.
    fn fit(&self, counter: &dyn Counter) -> Result<Self::Model>;

    /// As [`Learner::fit`]; a learner whose search can take long says how far it is, and stops when it is asked to.
    ///
    /// # Errors
    /// Those of [`Learner::fit`], and [`bnc_data::Error::Cancelled`].
    fn fit_with_progress(&self, counter: &dyn Counter, progress: &dyn Progress) -> Result<Self::Model> {
        let _ = progress;
        self.fit(counter)
    }

    /// The memory in bytes that the search for the structure takes at its peak, where it is known before the work
    /// and worth knowing; the rows are not counted.
    fn memory(&self, schema: &Schema) -> Option<u64> {
        let _ = schema;
        None
    }
}

/// A learner whose model's type does not matter.
pub trait AnyLearner: Sync {
    /// Learns a model; see [`Learner::fit_with_progress`].
    ///
    /// # Errors
    /// Those of [`Learner::fit_with_progress`].
    fn fit_any(&self, counter: &dyn Counter, progress: &dyn Progress) -> Result<Box<dyn Classifier>>;

    /// See [`Learner::memory`].
    fn memory_any(&self, schema: &Schema) -> Option<u64>;
}

impl<L: Learner> AnyLearner for L {
    fn fit_any(&self, counter: &dyn Counter, progress: &dyn Progress) -> Result<Box<dyn Classifier>> {
        Ok(Box::new(self.fit_with_progress(counter, progress)?))
    }

    fn memory_any(&self, schema: &Schema) -> Option<u64> {
        self.memory(schema)
    }
}
