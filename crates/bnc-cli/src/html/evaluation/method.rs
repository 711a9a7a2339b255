//! How the figures came about.

use maud::{Markup, html};

use super::{Input, Section};
use crate::html::{Column, Table};
use crate::text::counted;

pub(super) fn section(input: &Input<'_>) -> Section {
    let content = html! {
        h3 { "Command" }
        pre { code { (input.command) } }
        p class="note" { "The same command on the same files gives the same figures, but for the times, on any machine." }
        h3 { "Setting" }
        (terms(&setting(input)))
        h3 { "Data" }
        (data(input))
        h3 { "Measures" }
        (terms(&measures()))
    };
    Section { id: "method", title: "Method", content }
}

fn setting(input: &Input<'_>) -> Vec<(&'static str, String)> {
    let setting = input.setting;
    let mut terms = vec![
        ("program", concat!("bnc ", env!("CARGO_PKG_VERSION")).to_string()),
        ("system", format!("{}, {}", std::env::consts::OS, std::env::consts::ARCH)),
        ("learners", input.learners().join("; ")),
    ];
    let folds =
        format!("{}, {}", counted(setting.folds as u64, "fold"), counted(setting.repeats as u64, "repeat"));
    terms.push(match (&setting.test, &setting.fold_file) {
        (Some(test), _) => ("test", format!("learnt from all rows, tested on {test}")),
        (None, Some(file)) => ("folds", format!("{folds}, from {file}")),
        (None, None) => {
            ("folds", format!("{folds}, stratified, seed {}; the same for every learner", setting.seed))
        }
    });
    if setting.test.is_none() {
        terms.push((
            "protocol",
            match setting.protocol {
                "honest" => "honest: cut points and fill values are learnt in each training part".into(),
                other => {
                    format!("{other}: cut points and fill values are learnt from all rows, which flatters")
                }
            },
        ));
    }
    terms.push(("numbers", format!("discretize {}", setting.discretize)));
    terms.push(("missing cells", setting.missing.to_string()));
    terms
}

fn measures() -> Vec<(&'static str, String)> {
    [
        ("accuracy", "share of right predictions; zero-one loss is 1 − accuracy"),
        ("RMSE", "root of the mean of (1 − P(true class))²"),
        (
            "log loss",
            "mean of −ln P(true class), in nats; infinite as soon as a true class has probability 0",
        ),
        ("Brier", "mean over rows of the summed squared errors of all class probabilities, 0 to 2"),
        ("AUC", "Hand and Till’s M: the mean over pairs of classes of the area under the ROC curve"),
        ("ECE", "expected calibration error over ten bins: mean distance of confidence and share of right predictions"),
        (
            "significance",
            "corrected resampled t-test of Nadeau and Bengio over the folds, two-tailed, at 5\u{a0}%",
        ),
    ]
    .map(|(name, meaning)| (name, meaning.to_string()))
    .into()
}

fn terms(terms: &[(&str, String)]) -> Markup {
    html! { dl class="terms" { @for (name, meaning) in terms { dt { (name) } dd { (meaning) } } } }
}

fn data(input: &Input<'_>) -> Markup {
    let columns = vec![
        Column::words("data"),
        Column::numbers("rows"),
        Column::numbers("features"),
        Column::numbers("classes"),
    ];
    let rows = input.outcomes.iter().map(|outcome| {
        vec![
            html! { (outcome.data) },
            html! { (outcome.rows) },
            html! { (outcome.features) },
            html! { (outcome.evaluation.classes.len()) },
        ]
    });
    html! { (Table { title: "Data sets", columns, rows: rows.collect(), foot: Vec::new() }) }
}
