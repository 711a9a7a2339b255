//! Evaluating the learners on one data set.

use std::collections::HashSet;

use bnc_data::{Encoder, Frame, Progress, Report, Values};
use bnc_eval::{
    BiasVariance, CrossValidation, Evaluation, Folds, NamedLearner, Truncated, class_codes,
    learning_curve_sizes, train_and_test,
};
use bnc_models::Model;

use super::{CurvePoint, Evaluate, Outcome, scheme};
use crate::data::{Data, load};
use crate::error::Result;
use crate::experiment::{Experiment, Learners, folds_of_file};
use crate::notes;
use crate::terminal::{self, Terminal};
use crate::text::{counted, few};

/// So wide a list in a warning may be before the rest is only counted.
const LISTED: usize = 200;

/// The cross-validation of a data set, which other evaluations vary.
struct Task<'a> {
    label: &'a str,
    /// The work of all learners on one part.
    weight: u64,
    validation: CrossValidation<'a>,
    folds: &'a Folds,
}

impl Evaluate {
    /// The work on a data set, in the unit of [`Data::weight`]: to read it is taken to cost as much as one learner on one
    /// part of it.
    pub(super) fn work(&self, data: &Data, learners: usize) -> u64 {
        let curve = if self.learning_curve.is_some() { self.parts() } else { 0 };
        let page = u64::from(self.html.is_some());
        data.weight() * (1 + (self.parts() + curve + self.models_for_bias() + page) * learners as u64)
    }

    fn parts(&self) -> u64 {
        if self.test.is_some() { 1 } else { (self.folds * self.repeats()) as u64 }
    }

    fn models_for_bias(&self) -> u64 {
        self.bias_variance.map_or(0, |scheme| scheme.models(self.repeats()) as u64)
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
        let weight = data.weight() * learners.len() as u64;
        let (rows, features) = (frame.rows(), frame.columns.len() - 1);
        let outcome = |evaluation, bias_variance, learning_curve, experiment: &mut Experiment| {
            let models = if self.html.is_some() {
                self.models(&frame, &learners, &experiment.step(label, weight))?
            } else {
                Vec::new()
            };
            let data = data.to_string();
            Ok(Outcome { data, rows, features, evaluation, bias_variance, learning_curve, models })
        };
        if let Some(test) = &self.test {
            let evaluation = self.test_on(test, &frame, &learners, weight, experiment)?;
            return outcome(evaluation, Vec::new(), Vec::new(), experiment);
        }
        let folds = self.folds(&frame)?;
        experiment.aside(|| warn_of_rare_classes(&frame, &folds))?;
        let validation = CrossValidation {
            frame: &frame,
            preparation: self.prepare.preparation(),
            protocol: self.protocol.into(),
            learners: &learners,
            resampling: &folds,
        };
        let task = Task { label, weight, validation, folds: &folds };
        let evaluation = experiment.cross_validate(label, weight * self.parts(), &validation)?;
        let bias_variance = self.bias_variance(&task, &evaluation, experiment)?;
        let learning_curve = self.learning_curve(&task, &evaluation, experiment)?;
        outcome(evaluation, bias_variance, learning_curve, experiment)
    }

    /// What each learner makes of all rows, where it can: the results are not to be lost for want of a picture.
    fn models(
        &self,
        frame: &Frame,
        learners: &[NamedLearner<'_>],
        progress: &dyn Progress,
    ) -> Result<Vec<Option<Model>>> {
        let encoder = Encoder::fit(frame, self.prepare.preparation())?;
        let data = encoder.encode(frame)?.data;
        let model = |&(name, learner): &NamedLearner<'_>| {
            let model = learner.fit_any(&data, progress).and_then(|it| Model::new(name, encoder.clone(), it));
            match model {
                Err(error) if progress.is_cancelled() => Err(error.into()),
                model => Ok(model.ok()),
            }
        };
        learners.iter().map(model).collect()
    }

    /// Bias and variance of each learner, where asked for.
    fn bias_variance(
        &self,
        task: &Task<'_>,
        evaluation: &Evaluation,
        experiment: &mut Experiment,
    ) -> Result<Vec<BiasVariance>> {
        let Some(scheme) = self.bias_variance else { return Ok(Vec::new()) };
        let classes = class_codes(task.validation.frame)?;
        let resampling = scheme.resampling(classes, self.repeats(), self.seed)?;
        let of_all = |evaluation: &Evaluation| -> Option<Vec<BiasVariance>> {
            evaluation.learners.iter().map(|learner| learner.bias_variance).collect()
        };
        let found = match &resampling {
            None => of_all(evaluation),
            Some(resampling) => {
                let validation = CrossValidation { resampling: &**resampling, ..task.validation };
                let share = task.weight * self.models_for_bias();
                of_all(&experiment.cross_validate(task.label, share, &validation)?)
            }
        };
        found.ok_or_else(scheme::needs_repeats)
    }

    /// The learning curves of all learners, where asked for.
    fn learning_curve(
        &self,
        task: &Task<'_>,
        evaluation: &Evaluation,
        experiment: &mut Experiment,
    ) -> Result<Vec<CurvePoint>> {
        let Some(sizes) = &self.learning_curve else { return Ok(Vec::new()) };
        let halved = learning_curve_sizes(task.folds);
        let whole = halved.last().copied().unwrap_or(0);
        let mut sizes: Vec<usize> =
            if sizes.is_empty() { halved } else { sizes.iter().map(|size| size.get()).collect() };
        sizes.sort_unstable();
        sizes.dedup();
        let classes = class_codes(task.validation.frame)?;
        let total: usize = sizes.iter().filter(|&&size| size < whole).sum();
        let mut points = Vec::with_capacity(sizes.len());
        for &rows in sizes.iter().filter(|&&size| size < whole) {
            let resampling = Truncated::new(task.folds, classes, rows, self.seed)?;
            let validation = CrossValidation { resampling: &resampling, ..task.validation };
            let share = u128::from(task.weight * self.parts()) * rows as u128 / total as u128;
            let label = format!("{}, {}", task.label, counted(rows as u64, "training row"));
            let evaluation = experiment.cross_validate(&label, share as u64, &validation)?;
            points.push(CurvePoint { rows, evaluation });
        }
        if sizes.iter().any(|&size| size >= whole) {
            points.push(CurvePoint { rows: whole, evaluation: evaluation.clone() });
        }
        Ok(points)
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
        let options = self.read.options_for_test(&encoder, &self.prepare);
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

    fn folds(&self, frame: &Frame) -> Result<Folds> {
        match &self.fold_file {
            Some(path) => folds_of_file(path, frame),
            None => Ok(Folds::stratified(class_codes(frame)?, self.folds, self.repeats(), self.seed)?),
        }
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
