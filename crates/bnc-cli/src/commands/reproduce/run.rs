//! Running an experiment.

use std::path::Path;

use bnc_data::{Encoder, Frame, Silent};
use bnc_eval::{
    CrossValidation, Evaluation, Folds, LearnerResult, NamedLearner, Protocol as Split, class_codes,
};
use bnc_models::StructureScore;
use bnc_models::bnc_stats::LocalScore;

use super::protocol::{Measure, Protocol, Set};
use super::published::Figure;
use super::sets::{self, Found};
use crate::data::Data;
use crate::error::Result;
use crate::experiment::{Experiment, folds_of_file};
use crate::terminal::{self, Terminal};

/// What is chosen on the command line.
pub(super) struct Choices<'a> {
    pub(super) repeats: usize,
    pub(super) seed: u64,
    pub(super) folds_from: Option<&'a Path>,
    pub(super) resume: Option<&'a Path>,
}

/// The results on a data set.
pub(super) struct SetResult {
    pub(super) set: &'static Set,
    pub(super) rows: usize,
    pub(super) features: usize,
    pub(super) evaluation: Evaluation,
    /// The one for bias and variance, where there is one.
    resampled: Option<Evaluation>,
    /// For each learner of the protocol, its place in the evaluation and its structure.
    learners: Vec<Option<(usize, Option<Shape>)>>,
}

/// The structure that a learner finds in all rows.
struct Shape {
    /// In nats, the class included.
    description_length: f64,
    arcs: usize,
}

impl SetResult {
    /// The result of a learner of the protocol, when it ran.
    pub(super) fn learner(&self, learner: usize) -> Option<&LearnerResult> {
        let (place, _) = self.learners.get(learner)?.as_ref()?;
        self.evaluation.learners.get(*place)
    }

    /// What was measured of a learner of the protocol.
    pub(super) fn value(&self, learner: usize, measure: Measure) -> Option<f64> {
        let shape = || self.learners.get(learner)?.as_ref()?.1.as_ref();
        let parts = || {
            let (place, _) = self.learners.get(learner)?.as_ref()?;
            Some(self.resampled.as_ref()?.learners.get(*place)?.bias_variance?.kohavi_wolpert)
        };
        match measure {
            Measure::Metric(metric) => self.learner(learner)?.summary[metric].mean,
            Measure::Bias => parts().map(|parts| parts.bias),
            Measure::Variance => parts().map(|parts| parts.variance),
            Measure::DescriptionLength => shape().map(|shape| shape.description_length),
            Measure::Arcs => shape().map(|shape| shape.arcs as f64),
        }
    }
}

/// Runs an experiment on the data sets that are there.
pub(super) fn run(
    protocol: &Protocol,
    published: &[Figure],
    found: &[Found],
    choices: &Choices<'_>,
    terminal: Terminal,
) -> Result<Vec<SetResult>> {
    let learners = protocol.learners()?;
    let learners = learners.named();
    let plan: Vec<(&Found, Vec<usize>, u64)> = found
        .iter()
        .map(|found| {
            let weight = Data::File(found.path.clone()).weight();
            (found, protocol.learners_on(found.set, published), weight)
        })
        .collect();
    let parts = (protocol.folds * choices.repeats) as u64;
    let more = protocol.bias_variance.map_or(0, |(folds, repeats)| (folds * repeats) as u64);
    let work =
        plan.iter().map(|(_, learners, weight)| weight * (1 + (parts + more) * learners.len() as u64)).sum();
    let mut experiment = Experiment::new(terminal, work, choices.resume)?;
    let mut results = Vec::with_capacity(plan.len());
    for (number, (found, places, weight)) in (1..).zip(&plan) {
        let label = format!("{} ({number} of {})", found.set.name, plan.len());
        let frame = found.read(protocol, &experiment.step(&label, *weight))?;
        if sets::is_cut_already(protocol, found.set, &frame) {
            experiment.aside(|| {
                terminal::warning(format!(
                    "{}: its numbers are intervals already, which the paper had made in another way ({})",
                    found.path.display(),
                    protocol.preparation.discretize
                ));
            });
        }
        let running: Vec<NamedLearner<'_>> = places.iter().map(|&place| learners[place]).collect();
        let folds = folds(protocol, found.set, &frame, choices)?;
        let validation = CrossValidation {
            frame: &frame,
            preparation: protocol.preparation.preparation(),
            protocol: Split::Paper,
            learners: &running,
            resampling: &folds,
        };
        let share = weight * running.len() as u64;
        let evaluation = experiment.cross_validate(&label, share * parts, &validation)?;
        let resampled = match protocol.bias_variance {
            None => None,
            Some((folds, repeats)) => {
                let folds = Folds::stratified(class_codes(&frame)?, folds, repeats, choices.seed)?;
                let validation = CrossValidation { resampling: &folds, ..validation };
                Some(experiment.cross_validate(&label, share * more, &validation)?)
            }
        };
        let mut by_learner: Vec<Option<(usize, Option<Shape>)>> = learners.iter().map(|_| None).collect();
        for (place, (&learner, shape)) in places.iter().zip(shapes(protocol, &frame, &running)?).enumerate() {
            by_learner[learner] = Some((place, shape));
        }
        results.push(SetResult {
            set: found.set,
            rows: frame.rows(),
            features: frame.columns.len() - 1,
            evaluation,
            resampled,
            learners: by_learner,
        });
    }
    experiment.finish();
    Ok(results)
}

/// The structures that learners find in all rows, where the protocol looks at them.
fn shapes(protocol: &Protocol, frame: &Frame, learners: &[NamedLearner<'_>]) -> Result<Vec<Option<Shape>>> {
    if !protocol.measures.iter().any(|measured| measured.measure.is_of_structure()) {
        return Ok(learners.iter().map(|_| None).collect());
    }
    let data = Encoder::fit(frame, protocol.preparation.preparation())?.encode(frame)?.data;
    let shape = |(_, learner): &NamedLearner<'_>| {
        let model = learner.fit_any(&data, &Silent)?;
        let Some(member) = model.members().into_iter().next() else { return Ok(None) };
        let score = StructureScore::of(&data, &member.structure, LocalScore::Bic)?;
        Ok(Some(Shape { description_length: -score.total, arcs: member.structure.arcs().count() }))
    };
    learners.iter().map(shape).collect()
}

/// The protocol's folds, or those of a folder.
fn folds(protocol: &Protocol, set: &Set, frame: &Frame, choices: &Choices<'_>) -> Result<Folds> {
    match choices.folds_from {
        Some(folder) => folds_of_file(&folder.join(format!("{}.txt", set.name)), frame),
        None => Ok(Folds::stratified(class_codes(frame)?, protocol.folds, choices.repeats, choices.seed)?),
    }
}
