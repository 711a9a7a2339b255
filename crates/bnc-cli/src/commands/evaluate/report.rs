//! The results as a table that people read.

use std::fmt::Write;

use bnc_eval::{LearnerResult, Metric, Outcome as Verdict, Summary, compare, tally};
use comfy_table::Table;

use super::{Outcome, Setting};
use crate::error::Result;
use crate::text::{counted, table};

/// The level of significance of wins and losses.
pub(super) const LEVEL: f64 = 0.05;

/// The metrics that have a column.
const SHOWN: [(Metric, &str); 5] = [
    (Metric::Accuracy, "accuracy ↑"),
    (Metric::Rmse, "RMSE ↓"),
    (Metric::LogLoss, "log loss ↓"),
    (Metric::Brier, "Brier ↓"),
    (Metric::Auc, "AUC ↑"),
];

/// The table with its legend, and confusion matrices where they are asked for.
pub(super) fn report(setting: &Setting, outcomes: &[Outcome], confusion: bool) -> Result<String> {
    let mut text = String::new();
    if let [outcome] = outcomes {
        writeln!(text, "{}", headline(outcome))?;
    }
    writeln!(text, "{}", results(outcomes)?.trim_fmt())?;
    write_legend(&mut text, setting, outcomes)?;
    let learners =
        outcomes.iter().flat_map(|outcome| outcome.evaluation.learners.iter().map(move |it| (outcome, it)));
    for (outcome, learner) in learners.filter(|_| confusion) {
        writeln!(text, "\n{}, {}\n{}", outcome.data, learner.name, matrix(outcome, learner).trim_fmt())?;
    }
    Ok(text)
}

fn headline(outcome: &Outcome) -> String {
    format!(
        "{}: {}, {}, {}",
        outcome.data,
        counted(outcome.rows as u64, "row"),
        counted(outcome.features as u64, "feature"),
        if outcome.evaluation.classes.len() == 1 {
            "1 class".into()
        } else {
            format!("{} classes", outcome.evaluation.classes.len())
        }
    )
}

/// Whether there are tests of one learner against the first.
fn has_tests(outcomes: &[Outcome]) -> bool {
    outcomes.iter().any(|outcome| {
        outcome.evaluation.learners.len() > 1 && outcome.evaluation.learners[0].parts.len() > 1
    })
}

fn results(outcomes: &[Outcome]) -> Result<Table> {
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
        add_means(&mut table, outcomes, tests)?;
    }
    Ok(table)
}

/// Without the folder, which all data sets usually share.
fn file_name(data: &str) -> &str {
    data.rsplit(['/', std::path::MAIN_SEPARATOR]).next().unwrap_or(data)
}

/// The mean over the data sets, with wins, ties and losses.
fn add_means(table: &mut Table, outcomes: &[Outcome], tests: bool) -> Result<()> {
    let evaluations: Vec<_> = outcomes.iter().map(|outcome| outcome.evaluation.clone()).collect();
    let tallies = tally(&evaluations, Metric::Accuracy, LEVEL)?;
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
            let tally = index.checked_sub(1).and_then(|index| tallies.get(index));
            row.push(
                tally
                    .map_or(String::new(), |tally| format!("{}/{}/{}", tally.wins, tally.ties, tally.losses)),
            );
        }
        let each: Vec<[f64; 2]> =
            outcomes.iter().map(|outcome| times(&outcome.evaluation.learners[index])).collect();
        for which in 0..2 {
            let mean = each.iter().map(|times| times[which]).sum::<f64>() / each.len() as f64;
            row.push(format!("{:.2}", mean * 1000.0));
        }
        table.add_row(row);
    }
    Ok(())
}

/// The mean over the data sets of a learner's mean; `None` when it is undefined on all of them.
pub(super) fn mean_over_data(outcomes: &[Outcome], learner: usize, metric: Metric) -> Option<f64> {
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
fn cell(summary: Summary, metric: Metric, all: impl Iterator<Item = Option<f64>>) -> String {
    let Some(mean) = summary.mean else { return "–".into() };
    let better = |a: f64, b: f64| if metric.higher_is_better() { a.max(b) } else { a.min(b) };
    let all: Vec<f64> = all.flatten().collect();
    let best = all.iter().copied().reduce(better);
    let is_best = all.len() > 1 && best.is_some_and(|best| number(best) == number(mean));
    let deviation = summary.sd.map_or(String::new(), |sd| format!(" ± {sd:.3}"));
    format!("{}{}{deviation}", number(mean), if is_best { '*' } else { ' ' })
}

fn number(value: f64) -> String {
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

fn write_legend(text: &mut String, setting: &Setting, outcomes: &[Outcome]) -> std::fmt::Result {
    match (&setting.test, &setting.fold_file) {
        (Some(test), _) => write!(text, "Trained on all rows, tested on {test}")?,
        (None, Some(file)) => write!(text, "Cross-validation on the folds of {file}, {}", folds(setting))?,
        (None, None) => write!(text, "Cross-validation, {}, seed {}", folds(setting), setting.seed)?,
    }
    if setting.test.is_none() {
        write!(text, ", protocol {}", setting.protocol)?;
    }
    writeln!(text, "; discretize {}, missing {}.", setting.discretize, setting.missing)?;
    if setting.test.is_none() {
        write!(text, "Mean ± standard deviation over the folds. ")?;
    }
    writeln!(text, "↑ more is better, ↓ less is better, * best, – undefined. Times are for one fold.")?;
    writeln!(
        text,
        "RMSE of 1 − P(true class); log loss in nats; AUC by Hand and Till; zero-one loss is 1 − accuracy."
    )?;
    if has_tests(outcomes) {
        let first = &outcomes[0].evaluation.learners[0].name;
        writeln!(
            text,
            "vs {first}: accuracy significantly better (win), worse (loss) or neither (tie), corrected resampled t-test, 5 %."
        )?;
    }
    Ok(())
}

fn folds(setting: &Setting) -> String {
    format!("{}, {}", counted(setting.folds as u64, "fold"), counted(setting.repeats as u64, "repeat"))
}

/// True classes down, predicted classes across.
fn matrix(outcome: &Outcome, learner: &LearnerResult) -> Table {
    let classes = &outcome.evaluation.classes;
    let header: Vec<String> =
        std::iter::once("true \\ predicted".to_string()).chain(classes.iter().cloned()).collect();
    let mut table = table(&header, 1);
    for (class, counts) in classes.iter().zip(learner.confusion.rows()) {
        table.add_row(std::iter::once(class.clone()).chain(counts.iter().map(u64::to_string)));
    }
    table
}
