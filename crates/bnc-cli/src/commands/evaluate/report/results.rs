//! The table of results.

use bnc_eval::{Metric, Summary, compare};
use comfy_table::Table;

use super::Outcome;
use crate::commands::evaluate::figures::{SHOWN, best, mean_times, means_over_data, number, times, verdict};
use crate::experiment::Significance;
use crate::text::table;

/// Whether there are tests of one learner against the first.
pub(super) fn has_tests(outcomes: &[Outcome]) -> bool {
    outcomes.iter().any(|outcome| {
        outcome.evaluation.learners.len() > 1 && outcome.evaluation.learners[0].parts.len() > 1
    })
}

pub(super) fn results(outcomes: &[Outcome], significance: &Significance) -> Table {
    let several = outcomes.len() > 1;
    let tests = has_tests(outcomes);
    let mut header: Vec<String> = Vec::new();
    if several {
        header.push("data".into());
    }
    header.push("learner".into());
    let first_number = header.len();
    header.extend(SHOWN.map(|(_, name)| name.to_string()));
    if tests {
        header.push(format!("vs {}", outcomes[0].evaluation.learners[0].name));
    }
    header.extend(["fit ms".to_string(), "predict ms".to_string()]);
    let mut table = table(&header, first_number);
    for outcome in outcomes {
        let learners = &outcome.evaluation.learners;
        for (index, learner) in learners.iter().enumerate() {
            let mut row = Vec::new();
            if several {
                row.push(if index == 0 { outcome.name().into() } else { String::new() });
            }
            row.push(learner.name.clone());
            for (metric, _) in SHOWN {
                let is_best = best(&outcome.means(metric), metric)[index];
                row.push(cell(learner.summary[metric], is_best));
            }
            if tests {
                row.push(if index == 0 {
                    String::new()
                } else {
                    verdict(compare(learner, &learners[0], Metric::Accuracy)).into()
                });
            }
            row.extend(times(learner).map(|seconds| format!("{:.2}", seconds * 1000.0)));
            table.add_row(row);
        }
    }
    if several {
        add_means(&mut table, outcomes, significance, tests);
    }
    table
}

/// The mean over the data sets, with wins, ties and losses.
fn add_means(table: &mut Table, outcomes: &[Outcome], significance: &Significance, tests: bool) {
    let learners = &outcomes[0].evaluation.learners;
    for (index, learner) in learners.iter().enumerate() {
        let mut row = vec![
            if index == 0 { format!("mean of {}", outcomes.len()) } else { String::new() },
            learner.name.clone(),
        ];
        for (metric, _) in SHOWN {
            let means = means_over_data(outcomes, metric);
            let summary = Summary { mean: means[index], sd: None, n: outcomes.len() };
            row.push(cell(summary, best(&means, metric)[index]));
        }
        if tests {
            let tally = significance.tally(index, 0);
            row.push(tally.map_or_else(String::new, |it| format!("{}/{}/{}", it.wins, it.ties, it.losses)));
        }
        row.extend(mean_times(outcomes, index).map(|seconds| format!("{:.2}", seconds * 1000.0)));
        table.add_row(row);
    }
}

/// Mean and deviation; a star marks the best mean of the learners.
pub(super) fn cell(summary: Summary, is_best: bool) -> String {
    let Some(mean) = summary.mean else { return "–".into() };
    let deviation = summary.sd.map_or(String::new(), |sd| format!(" ± {sd:.3}"));
    format!("{}{}{deviation}", number(mean), if is_best { '*' } else { ' ' })
}
