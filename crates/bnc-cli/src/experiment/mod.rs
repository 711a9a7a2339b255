//! Evaluations of some learners over several data sets: one progress bar over all, and a journal to go on from.

mod fingerprint;
mod journal;
mod significance;

use std::path::Path;

use bnc_data::Frame;
use bnc_eval::{CrossValidation, Evaluation, Folds, NamedLearner, Protocol, class_codes};
use bnc_models::{AnyLearner, LearnerSpec};

use self::journal::Journal;
pub(crate) use self::significance::{LEVEL, Significance};
use crate::error::{Error, Result};
use crate::registry;
use crate::terminal::{Overall, Step, Terminal};

/// Learners with their names as users write them.
pub(crate) struct Learners(Vec<(String, Box<dyn AnyLearner>)>);

impl Learners {
    /// The learners that are written so, each of which may be there once.
    pub(crate) fn new(specs: &[LearnerSpec]) -> Result<Self> {
        let named = specs.iter().map(|spec| Ok((spec.to_string(), registry::build(spec)?)));
        let named: Vec<(String, Box<dyn AnyLearner>)> = named.collect::<Result<_>>()?;
        for (index, (name, _)) in named.iter().enumerate() {
            if named[..index].iter().any(|(other, _)| other == name) {
                return Err(Error::Usage(format!("--learner {name} is given twice")));
            }
        }
        Ok(Self(named))
    }

    /// As an evaluation takes them.
    pub(crate) fn named(&self) -> Vec<NamedLearner<'_>> {
        self.0.iter().map(|(name, learner)| (name.as_str(), &**learner)).collect()
    }
}

/// The folds that a file assigns to the rows of a frame, see [`Folds::parse`].
pub(crate) fn folds_of_file(path: &Path, frame: &Frame) -> Result<Folds> {
    let text = std::fs::read_to_string(path).map_err(|error| bnc_data::Error::io(path, error))?;
    Ok(Folds::parse(&text, &path.display().to_string(), class_codes(frame)?)?)
}

/// The steps of a run: evaluations under one progress bar, whose finished parts a journal may keep.
pub(crate) struct Experiment {
    terminal: Terminal,
    bar: Overall,
    journal: Option<Journal>,
}

impl Experiment {
    /// A run of so much work, in any unit that the shares of its steps are told in, with the journal of that name.
    pub(crate) fn new(terminal: Terminal, work: u64, journal: Option<&Path>) -> Result<Self> {
        Ok(Self { terminal, bar: terminal.overall(work), journal: journal.map(Journal::open).transpose()? })
    }

    /// Says something while the bar is off the screen.
    pub(crate) fn aside<T>(&self, say: impl FnOnce() -> T) -> T {
        self.bar.aside(say)
    }

    /// Takes the bar off the screen for good.
    pub(crate) fn finish(&self) {
        self.bar.clear();
    }

    /// A step that is no evaluation: what it is watched by.
    pub(crate) fn step(&mut self, label: &str, share: u64) -> Step {
        self.bar.step(label, share)
    }

    /// Runs a cross-validation, or what the journal lacks of it. The label names it to the reader, `share` is its part of the
    /// work.
    pub(crate) fn cross_validate(
        &mut self,
        label: &str,
        share: u64,
        validation: &CrossValidation<'_>,
    ) -> Result<Evaluation> {
        let step = self.bar.step(label, share);
        let Some(journal) = &mut self.journal else {
            return Ok(validation.run(&step)?);
        };
        let run = fingerprint::run(validation);
        let finished = journal.finished(&run, validation.learners);
        if !finished.is_empty() {
            let parts = validation.resampling.parts() * validation.resampling.repeats();
            let all = parts * validation.learners.len();
            let done = finished.len();
            self.bar.aside(|| {
                self.terminal.note(format!("{label}: {done} of {all} folds × learners are finished already"));
            });
        }
        Ok(validation.resume(&finished, &mut |record| journal.add(&run, record), &step)?)
    }
}

/// The name of a protocol.
pub(crate) fn protocol_name(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Honest => "honest",
        Protocol::Paper => "paper",
    }
}
