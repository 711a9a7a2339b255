//! Training on one file and testing on another.

use std::borrow::Cow;

use bnc_data::{Frame, Preparation, Progress, Unseen};

use crate::class::class_column;
use crate::engine::{Engine, NamedLearner};
use crate::part::PartData;
use crate::{Error, Evaluation, Result};

/// The results on a test file.
#[derive(Debug, Clone, PartialEq)]
pub struct Holdout {
    /// The results: one repeat of one fold.
    pub evaluation: Evaluation,
    /// The values of the test file that the training file does not know, per column, the class last. Feature cells of
    /// such values were taken as missing; rows with such a class were left out.
    pub unseen: Vec<Unseen>,
}

/// Learns from all of `train` and tests on the labelled rows of `test`. Domains, cut points and the values of missing cells
/// come from the training file; columns are matched by name.
///
/// # Errors
/// [`Error::NoLearners`], [`Error::DuplicateLearner`], [`Error::NoTestRows`], those of coding, [`Error::Failed`] and
/// [`bnc_data::Error::Cancelled`].
pub fn train_and_test(
    train: &Frame,
    test: &Frame,
    preparation: Preparation,
    learners: &[NamedLearner<'_>],
    progress: &dyn Progress,
) -> Result<Holdout> {
    let (classes, _) = class_column(train)?;
    let (data, unseen) = PartData::encode(train, test, preparation)?;
    if data.test.rows() == 0 {
        return Err(Error::NoTestRows { file: test.file.to_string() });
    }
    let engine = Engine {
        classes,
        folds: 1,
        repeats: 1,
        learners,
        tested: None,
        prepare: &|_, _| Ok(Cow::Borrowed(&data)),
    };
    let evaluation = engine.run(&[], &mut |_| Ok(()), progress)?;
    Ok(Holdout { evaluation, unseen })
}
