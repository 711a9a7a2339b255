//! The table of results.

use bnc_eval::{LearnerResult, Metric, Outcome as Verdict, Summary, compare};
use comfy_table::Table;

use super::Outcome;
use crate::experiment::{LEVEL, Significance};
use crate::text::table;

/// The metrics that have a column.
const SHOWN: [(Metric, &str); 5] = [
    (Metric::Accuracy, "accuracy ↑"),
    (Metric::Rmse, "RMSE ↓"),
    (Metric::LogLoss, "log loss ↓"),
    (Metric::Brier, "Brier ↓"),
    (Metric::Auc, "AUC ↑"),
];

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
                row.push(if index == 0 { file_name(&outcome.data).into() } else { String::new() });
            }
            row.push(learner.name.clone());
            for (metric, _) in SHOWN {
                let all = learners.iter().map(|learner| learner.summary[metric].mean);
                row.push(cell(learner.summary[metric], metric, all));
            }
            if tests {
                row.push(if index == 0 { String::new() } else { verdict(learner, &learners[0]).into() });
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

/// Without the folder, which all data sets usually share.
pub(super) fn file_name(data: &str) -> &str {
    data.rsplit(['/', std::path::MAIN_SEPARATOR]).next().unwrap_or(data)
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
            let of = |index| mean_over_data(outcomes, index, metric);
            let summary = Summary { mean: of(index), sd: None, n: outcomes.len() };
            row.push(cell(summary, metric, (0..learners.len()).map(of)));
        }
        if tests {
            let tally = significance.tally(index, 0);
            row.push(tally.map_or_else(String::new, |it| format!("{}/{}/{}", it.wins, it.ties, it.losses)));
        }
        let each: Vec<[f64; 2]> =
            outcomes.iter().map(|outcome| times(&outcome.evaluation.learners[index])).collect();
        for which in 0..2 {
            let mean = each.iter().map(|times| times[which]).sum::<f64>() / each.len() as f64;
            row.push(format!("{:.2}", mean * 1000.0));
        }
        table.add_row(row);
    }
}

/// The mean over the data sets of a learner's mean; `None` when it is undefined on all of them.
pub(in super::super) fn mean_over_data(outcomes: &[Outcome], learner: usize, metric: Metric) -> Option<f64> {
    Summary::of(outcomes.iter().map(|outcome| outcome.evaluation.learners[learner].summary[metric].mean)).mean
}

/// The mean seconds of learning and of prediction of a fold.
fn times(learner: &LearnerResult) -> [f64; 2] {
    let mean = |seconds: fn(&bnc_eval::Timing) -> f64| {
        learner.timings.iter().map(seconds).sum::<f64>() / learner.timings.len().max(1) as f64
    };
    [mean(|timing| timing.fit_seconds), mean(|timing| timing.predict_seconds)]
}

/// Mean and deviation; a star marks the best mean of the learners (all of those that look the same).
pub(super) fn cell(summary: Summary, metric: Metric, all: impl Iterator<Item = Option<f64>>) -> String {
    let Some(mean) = summary.mean else { return "–".into() };
    let better = |a: f64, b: f64| if metric.higher_is_better() { a.max(b) } else { a.min(b) };
    let all: Vec<f64> = all.flatten().collect();
    let best = all.iter().copied().reduce(better);
    let is_best = all.len() > 1 && best.is_some_and(|best| number(best) == number(mean));
    let deviation = summary.sd.map_or(String::new(), |sd| format!(" ± {sd:.3}"));
    format!("{}{}{deviation}", number(mean), if is_best { '*' } else { ' ' })
}

pub(super) fn number(value: f64) -> String {
    format!("{value:.4}")
}

fn verdict(learner: &LearnerResult, first: &LearnerResult) -> &'static str {
    match compare(learner, first, Metric::Accuracy).map(|test| test.outcome(Metric::Accuracy, LEVEL)) {
        Some(Verdict::Win) => "win",
        Some(Verdict::Tie) => "tie",
        Some(Verdict::Loss) => "loss",
        None => "–",
    }
}
