//! Evaluating the learners on one data set.

use std::collections::HashSet;

use bnc_data::{ClassChoice, Encoder, Frame, Progress, Report, Values};
use bnc_eval::{CrossValidation, Evaluation, Folds, NamedLearner, class_codes, train_and_test};

use super::{Evaluate, Outcome};
use crate::data::{Data, load};
use crate::error::Result;
use crate::experiment::{Experiment, Learners};
use crate::notes;
use crate::terminal::{self, Terminal};
use crate::text::{counted, few};

/// So wide a list in a warning may be before the rest is only counted.
const LISTED: usize = 200;

impl Evaluate {
    /// The work on a data set, in the unit of [`Data::weight`]: to read it is taken to cost as much as one learner on one
    /// part of it.
    pub(super) fn work(&self, data: &Data, learners: usize) -> u64 {
        data.weight() * (1 + self.parts() * learners as u64)
    }

    fn parts(&self) -> u64 {
        if self.test.is_some() { 1 } else { (self.folds * self.repeats) as u64 }
    }

    /// The results on one data set, which the progress bar calls `label`.
    pub(super) fn evaluate(
        &self,
        data: &Data,
        label: &str,
        learners: &Learners,
        dropped: &mut HashSet<String>,
        experiment: &mut Experiment,
        terminal: Terminal,
    ) -> Result<Outcome> {
        let step = experiment.step(label, data.weight());
        let (frame, report) = self.load(data, dropped, &step)?;
        experiment.aside(|| notes::read(terminal, &report));
        let learners = learners.named();
        let share = data.weight() * self.parts() * learners.len() as u64;
        let evaluation = match &self.test {
            Some(test) => self.test_on(test, &frame, &learners, share, experiment)?,
            None => self.cross_validate(label, &frame, &learners, share, experiment)?,
        };
        Ok(Outcome {
            data: data.to_string(),
            rows: frame.rows(),
            features: frame.columns.len() - 1,
            evaluation,
        })
    }

    /// Reads a data set. One of several need not have every column that is to be left out; `dropped` collects what some of
    /// them have.
    fn load(
        &self,
        data: &Data,
        dropped: &mut HashSet<String>,
        progress: &dyn Progress,
    ) -> Result<(Frame, Report)> {
        let mut options = self.read.options(Some(&self.prepare));
        loop {
            match load(data, &options, progress) {
                Err(error) => match error.no_such_column() {
                    Some(column) if self.data.len() > 1 && options.drop.contains(column) => {
                        options.drop.retain(|name| name != column);
                    }
                    _ => return Err(error),
                },
                loaded => {
                    dropped.extend(options.drop);
                    return loaded;
                }
            }
        }
    }

    fn test_on(
        &self,
        test: &Data,
        frame: &Frame,
        learners: &[NamedLearner<'_>],
        share: u64,
        experiment: &mut Experiment,
    ) -> Result<Evaluation> {
        let preparation = self.prepare.preparation();
        let encoder = Encoder::fit(frame, preparation)?;
        // The training file says which columns there are and of which kind.
        let mut options = self.read.options(Some(&self.prepare));
        options.columns = Some(encoder.raw_columns());
        options.class = ClassChoice::Named(encoder.schema().class().name().into());
        (options.nominal, options.numeric, options.drop) = Default::default();
        let (label, half) = (test.to_string(), share / 2);
        let (test, _) = load(test, &options, &experiment.step(&label, half))?;
        let holdout =
            train_and_test(frame, &test, preparation, learners, &experiment.step(&label, share - half))?;
        let unseen = holdout.unseen.iter().map(|unseen| {
            format!("{} of '{}' (first '{}')", counted(unseen.cells, "cell"), unseen.column, unseen.first)
        });
        let unseen: Vec<String> = unseen.collect();
        if !unseen.is_empty() {
            experiment.aside(|| {
                terminal::warning(format!(
                    "values of the test file that the training file does not have, taken as missing: {}",
                    few(&unseen, LISTED)
                ));
            });
        }
        Ok(holdout.evaluation)
    }

    fn cross_validate(
        &self,
        label: &str,
        frame: &Frame,
        learners: &[NamedLearner<'_>],
        share: u64,
        experiment: &mut Experiment,
    ) -> Result<Evaluation> {
        let folds = self.folds(frame)?;
        experiment.aside(|| warn_of_rare_classes(frame, &folds))?;
        let validation = CrossValidation {
            frame,
            preparation: self.prepare.preparation(),
            protocol: self.protocol.into(),
            learners,
            resampling: &folds,
        };
        experiment.cross_validate(label, share, &validation)
    }

    fn folds(&self, frame: &Frame) -> Result<Folds> {
        let classes = class_codes(frame)?;
        let Some(path) = &self.fold_file else {
            return Ok(Folds::stratified(classes, self.folds, self.repeats, self.seed)?);
        };
        let text = std::fs::read_to_string(path).map_err(|error| bnc_data::Error::io(path, error))?;
        Ok(Folds::parse(&text, &path.display().to_string(), classes)?)
    }
}

fn warn_of_rare_classes(frame: &Frame, folds: &Folds) -> Result<()> {
    let labels = match frame.class.map(|class| &frame.columns[class].values) {
        Some(Values::Nominal { labels, .. }) => &labels[..],
        _ => &[],
    };
    let rare = folds.rare_classes(class_codes(frame)?).into_iter().filter_map(|rare| {
        let label = labels.get(usize::from(rare.class))?;
        Some(format!("'{label}' ({})", counted(rare.rows as u64, "row")))
    });
    let rare: Vec<String> = rare.collect();
    if !rare.is_empty() {
        terminal::warning(format!(
            "{}: a class with fewer rows than there are folds ({}) is not tested in all of them: {}",
            frame.file,
            folds.folds(),
            few(&rare, LISTED)
        ));
    }
    Ok(())
}
