//! The results as tables that people read.

mod bias_variance;
mod curves;
mod ranks;
mod results;

use std::fmt::Write;

use bnc_eval::LearnerResult;
use comfy_table::Table;

use self::results::{has_tests, results};

use super::{Outcome, Setting};
use crate::error::Result;
use crate::experiment::Significance;
use crate::text::{counted, table};

/// The table with its legend, and confusion matrices where they are asked for.
pub(super) fn report(
    setting: &Setting,
    outcomes: &[Outcome],
    significance: &Significance,
    confusion: bool,
) -> Result<String> {
    let mut text = String::new();
    if let [outcome] = outcomes {
        writeln!(text, "{}: {}", outcome.data, outcome.size())?;
    }
    writeln!(text, "{}", results(outcomes, significance).trim_fmt())?;
    write_legend(&mut text, setting, outcomes)?;
    if let [first, ..] = outcomes {
        let learners: Vec<&str> = first.evaluation.learners.iter().map(|it| it.name.as_str()).collect();
        ranks::write(&mut text, &learners, significance)?;
    }
    if let Some(scheme) = &setting.bias_variance {
        writeln!(text, "\nBias and variance of the zero-one loss, scheme {scheme}")?;
        writeln!(text, "{}", bias_variance::table_of(outcomes).trim_fmt())?;
        writeln!(text, "{}", bias_variance::LEGEND)?;
    }
    for outcome in outcomes.iter().filter(|outcome| !outcome.learning_curve.is_empty()) {
        writeln!(text, "\nAccuracy by the number of training rows, {}", outcome.data)?;
        writeln!(text, "{}", curves::curves(outcome).trim_fmt())?;
    }
    let learners =
        outcomes.iter().flat_map(|outcome| outcome.evaluation.learners.iter().map(move |it| (outcome, it)));
    for (outcome, learner) in learners.filter(|_| confusion) {
        writeln!(text, "\n{}, {}\n{}", outcome.data, learner.name, matrix(outcome, learner).trim_fmt())?;
    }
    Ok(text)
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
