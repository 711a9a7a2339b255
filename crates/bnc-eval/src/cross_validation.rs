//! Cross-validation.

use std::borrow::Cow;

use bnc_data::{Code, Encoder, Frame, MISSING, Preparation, Progress};

use crate::class::class_column;
use crate::engine::{Engine, NamedLearner, Tested};
use crate::part::PartData;
use crate::{Error, Evaluation, Finished, Journal, Resampling, Result};

/// What may be learnt before the rows are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Protocol {
    /// Nothing: cut points and the values of missing cells are learnt from the training rows of each fold. The labels of
    /// nominal columns are those of the whole frame; they are its schema, not its counts.
    #[default]
    Honest,
    /// Cut points and the values of missing cells are learnt from all rows once, before they are split, as many papers
    /// did. The test rows have a say in how they are coded, which flatters the results.
    Paper,
}

/// An evaluation of some learners, all over the same parts of the rows: cross-validation by [`Folds`](crate::Folds), or another
/// resampling.
/// The crate's front page has an example.
#[derive(Clone, Copy)]
pub struct CrossValidation<'a> {
    /// The rows.
    pub frame: &'a Frame,
    /// How they are coded.
    pub preparation: Preparation,
    /// What may be learnt before the split.
    pub protocol: Protocol,
    /// Who is evaluated.
    pub learners: &'a [NamedLearner<'a>],
    /// Which rows are learnt from and tested when.
    pub resampling: &'a dyn Resampling,
}

impl CrossValidation<'_> {
    /// Runs it. The work is spread over the threads of the current rayon pool; `progress` advances by one for each learner
    /// on each fold and can cancel between them.
    ///
    /// # Errors
    /// [`Error::NoLearners`], [`Error::DuplicateLearner`], [`Error::OtherFolds`] for a resampling of other rows
    /// than those of the frame, [`Error::Unprepared`] and [`Error::Failed`], which name repeat and fold, and
    /// [`bnc_data::Error::Cancelled`].
    pub fn run(&self, progress: &dyn Progress) -> Result<Evaluation> {
        self.resume(&[], &mut |_| Ok(()), progress)
    }

    /// Goes on with a run that was interrupted: what is `finished` is not done again, and `journal` is told of everything
    /// that is new, one record at a time, in the order in which it is done. The result is that of an uninterrupted run.
    ///
    /// The caller makes sure that the finished work is of the same data, learners, resampling and preparation; only what cannot
    /// fit is noticed here.
    ///
    /// # Errors
    /// Those of [`CrossValidation::run`]; [`Error::OtherRun`] for a record that does not fit; those of `journal`.
    pub fn resume(
        &self,
        finished: &[Finished],
        journal: &mut Journal<'_>,
        progress: &dyn Progress,
    ) -> Result<Evaluation> {
        let (labels, codes) = class_column(self.frame)?;
        self.check_rows(codes)?;
        let encoder = match self.protocol {
            Protocol::Honest => None,
            Protocol::Paper => Some(Encoder::fit(self.frame, self.preparation)?),
        };
        let whole = encoder.map(|encoder| encoder.encode(self.frame)).transpose()?;
        let prepare = |repeat: usize, fold: usize| {
            let train = self.resampling.train_rows(repeat, fold);
            let test = self.resampling.test_rows(repeat, fold);
            if let Some(row) = train.iter().chain(&test).find(|&&row| !is_labelled(codes, row)) {
                let why = format!("they name row {row} (from 0), and there is no labelled one");
                return Err(Error::OtherFolds { why });
            }
            let part = if let Some(whole) = &whole {
                PartData::new(whole.data.select(&train), &whole.data.select(&test))
            } else {
                let (train, test) = (self.frame.select(&train), self.frame.select(&test));
                PartData::encode(&train, &test, self.preparation)?.0
            };
            Ok(Cow::Owned(part))
        };
        let engine = Engine {
            classes: labels,
            folds: self.resampling.parts(),
            repeats: self.resampling.repeats(),
            learners: self.learners,
            tested: Some(Tested {
                resampling: self.resampling,
                classes: codes,
                weights: self.frame.weights.as_deref(),
            }),
            prepare: &prepare,
        };
        engine.run(finished, journal, progress)
    }

    /// The resampling must be about these rows: as many, the same ones labelled.
    fn check_rows(&self, codes: &[Code]) -> Result<()> {
        let (rows, expected) = (codes.len(), self.resampling.rows());
        let other = |why: String| Err(Error::OtherFolds { why });
        if rows != expected {
            return other(format!("they are about {expected} rows, {} has {rows}", self.frame.file));
        }
        match (0..rows).find(|&row| self.resampling.is_labelled(row) != is_labelled(codes, row)) {
            Some(row) => {
                other(format!("{} has a class label in one, but not in the other", self.frame.place(row)))
            }
            None => Ok(()),
        }
    }
}

fn is_labelled(classes: &[Code], row: usize) -> bool {
    classes.get(row).is_some_and(|&class| class != MISSING)
}
