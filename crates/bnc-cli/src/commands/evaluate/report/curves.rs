//! Learning curves as tables.

use bnc_eval::Metric;
use comfy_table::Table;

use super::Outcome;
use super::results::cell;
use crate::commands::evaluate::figures::{best, means};
use crate::text::table;

/// The accuracy of each learner by the number of training rows.
pub(super) fn curves(outcome: &Outcome) -> Table {
    let points = &outcome.learning_curve;
    let header: Vec<String> = std::iter::once("learner \\ training rows".to_string())
        .chain(points.iter().map(|point| point.rows.to_string()))
        .collect();
    let mut table = table(&header, 1);
    for (index, learner) in outcome.evaluation.learners.iter().enumerate() {
        let cells = points.iter().map(|point| {
            let all = &point.evaluation.learners;
            let is_best = best(&means(all, Metric::Accuracy), Metric::Accuracy)[index];
            cell(all[index].summary[Metric::Accuracy], is_best)
        });
        table.add_row(std::iter::once(learner.name.clone()).chain(cells));
    }
    table
}
