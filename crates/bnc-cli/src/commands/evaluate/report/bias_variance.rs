//! Bias and variance as a table.

use comfy_table::Table;

use super::Outcome;
use crate::commands::evaluate::figures::{mean_parts, number, parts};
use crate::text::table;

const HEADER: [&str; 7] = ["error", "bias²", "variance", "bias² c.", "variance c.", "bias W.", "variance W."];

/// What the legend says of the columns.
pub(super) const LEGEND: &str = "\
bias², variance: Kohavi and Wolpert's, which add up to the error; c.: corrected for the number of predictions;
W.: Webb's, the errors that agree with the most frequent prediction of a row, and those that do not.";

/// Bias and variance of every learner on every data set, and their means.
pub(super) fn table_of(outcomes: &[Outcome]) -> Table {
    let several = outcomes.len() > 1;
    let mut header: Vec<String> = if several { vec!["data".into()] } else { Vec::new() };
    header.push("learner".into());
    let first_number = header.len();
    header.extend(HEADER.map(String::from));
    let mut table = table(&header, first_number);
    for outcome in outcomes {
        let learners = outcome.evaluation.learners.iter().zip(&outcome.bias_variance);
        for (index, (learner, found)) in learners.enumerate() {
            let mut row: Vec<String> = Vec::new();
            if several {
                row.push(if index == 0 { outcome.name().into() } else { String::new() });
            }
            row.push(learner.name.clone());
            row.extend(parts(found).map(text));
            table.add_row(row);
        }
    }
    if several {
        let learners = outcomes[0].evaluation.learners.iter().zip(mean_parts(outcomes));
        for (index, (learner, means)) in learners.enumerate() {
            let name = if index == 0 { format!("mean of {}", outcomes.len()) } else { String::new() };
            table.add_row([name, learner.name.clone()].into_iter().chain(means.map(text)));
        }
    }
    table
}

fn text(value: Option<f64>) -> String {
    value.map_or_else(|| "–".into(), number)
}
