//! Bias and variance as a table.

use bnc_eval::{BiasVariance, Summary};
use comfy_table::Table;

use super::Outcome;
use super::results::{file_name, number};
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
                row.push(if index == 0 { file_name(&outcome.data).into() } else { String::new() });
            }
            row.push(learner.name.clone());
            row.extend(figures(found).map(text));
            table.add_row(row);
        }
    }
    if several {
        for (index, learner) in outcomes[0].evaluation.learners.iter().enumerate() {
            let name = if index == 0 { format!("mean of {}", outcomes.len()) } else { String::new() };
            let all: Vec<[Option<f64>; 7]> =
                outcomes.iter().filter_map(|it| it.bias_variance.get(index)).map(figures).collect();
            let means = (0..HEADER.len()).map(|column| Summary::of(all.iter().map(|row| row[column])).mean);
            table.add_row([name, learner.name.clone()].into_iter().chain(means.map(text)));
        }
    }
    table
}

/// The figures in the order of the header.
fn figures(found: &BiasVariance) -> [Option<f64>; 7] {
    let corrected = found.kohavi_wolpert_corrected;
    [
        Some(found.error),
        Some(found.kohavi_wolpert.bias),
        Some(found.kohavi_wolpert.variance),
        corrected.map(|it| it.bias),
        corrected.map(|it| it.variance),
        Some(found.webb.bias),
        Some(found.webb.variance),
    ]
}

fn text(value: Option<f64>) -> String {
    value.map_or_else(|| "–".into(), number)
}
