//! What turns counts into a classifier.

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
}

/// A learner whose model's type does not matter.
pub trait AnyLearner: Sync {
    /// Learns a model; see [`Learner::fit`].
    ///
    /// # Errors
    /// Those of [`Learner::fit`].
    fn fit_any(&self, counter: &dyn Counter) -> Result<Box<dyn Classifier>>;
}

impl<L: Learner> AnyLearner for L {
    fn fit_any(&self, counter: &dyn Counter) -> Result<Box<dyn Classifier>> {
        Ok(Box::new(self.fit(counter)?))
    }
}
