//! Whether probabilities can be believed.

use maud::html;

use super::{Input, Section};
use crate::error::Result;
use crate::html::chart::{Bin, Reliability};
use crate::html::small_grid;

pub(super) fn section(input: &Input<'_>) -> Result<Option<Section>> {
    let diagrams = input.per_data_set(|outcome| {
        let charts: Vec<_> =
            outcome.evaluation.learners.iter().map(|learner| diagram(learner).draw()).collect();
        Ok(Some(small_grid(&charts)))
    })?;
    let Some(diagrams) = diagrams else { return Ok(None) };
    let content = html! {
        figure {
            figcaption {
                strong { "Whether predictions come true as often as their probabilities say." }
                " Predictions are grouped by their confidence, the probability of the predicted class. A point on the dashed line is a group that is right \
                as often as it claims; below the line a learner is too sure of itself, above it not sure enough. Larger \
                points stand for more predictions, which the bars below count. ECE, the expected calibration error, is the mean distance from the line (0 is best)."
            }
            (diagrams)
        }
    };
    Ok(Some(Section { id: "calibration", title: "Calibration", content }))
}

fn diagram(learner: &bnc_eval::LearnerResult) -> Reliability<'_> {
    let bins = learner
        .reliability
        .bins()
        .into_iter()
        .map(|bin| Bin { point: bin.confidence.zip(bin.accuracy), rows: bin.weight });
    Reliability {
        name: &learner.name,
        bins: bins.collect(),
        error: learner.reliability.expected_calibration_error(),
    }
}
