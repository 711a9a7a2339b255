//! What is said about data that were read and coded.

use bnc_data::{ColumnReport, Domain, Encoder, RawKind, Report};

use crate::terminal::{self, Terminal};
use crate::text::{counted, few};

/// So wide a list of columns may be before the rest is only counted.
const NAMED: usize = 80;

/// Says what was read: rows, columns, the class, missing cells, columns of one value, likely identifiers.
pub(crate) fn read(terminal: Terminal, report: &Report) {
    let mut line = format!(
        "{}: {}, {}",
        report.file,
        counted(report.rows, "row"),
        counted(report.columns.len() as u64, "column")
    );
    if let Some(class) = report.class.and_then(|class| report.columns.get(class)) {
        line.extend(["; the class is '", &class.name, "'"]);
        if report.class_by_default {
            line.push_str(", the last column (--class names another)");
        }
    }
    terminal.note(line);
    let missing: Vec<&ColumnReport> = report.with_missing().collect();
    if !missing.is_empty() {
        let cells: u64 = missing.iter().map(|column| column.missing).sum();
        let each: Vec<String> =
            missing.iter().map(|column| format!("{} {}", column.name, column.missing)).collect();
        terminal.note(format!(
            "missing: {} in {} ({})",
            counted(cells, "cell"),
            counted(missing.len() as u64, "column"),
            few(&each, NAMED)
        ));
    }
    let constant: Vec<&str> = report.constant().map(|column| column.name.as_str()).collect();
    if !constant.is_empty() {
        terminal.note(format!("one value only, so they change nothing: {}", few(&constant, NAMED)));
    }
    for column in report.identifiers() {
        terminal::warning(format!(
            "{}: column '{}' has {} in {}; if it is an identifier, leave it out with --drop",
            report.file,
            column.name,
            counted(column.labels().unwrap_or_default() as u64, "value"),
            counted(report.rows, "row")
        ));
    }
}

/// Says what was cut into how many intervals.
pub(crate) fn coded(terminal: Terminal, encoder: &Encoder) {
    let (whole, cut): (Vec<_>, Vec<_>) = intervals(encoder).into_iter().partition(|&(_, count)| count < 2);
    if !cut.is_empty() {
        let each: Vec<String> = cut.iter().map(|(name, count)| format!("{name} {count}")).collect();
        terminal.note(format!("numbers cut into intervals: {}", few(&each, NAMED)));
    }
    if !whole.is_empty() {
        let names: Vec<&str> = whole.iter().map(|&(name, _)| name).collect();
        terminal.note(format!(
            "numbers with nothing to cut (one interval, so they change nothing): {}",
            few(&names, NAMED)
        ));
    }
}

/// The names of the numeric features, each with the number of its intervals.
pub(crate) fn intervals(encoder: &Encoder) -> Vec<(&str, usize)> {
    let features = encoder.schema().features().iter();
    features
        .filter_map(|feature| match feature.domain() {
            Domain::Intervals { cuts, .. } => Some((feature.name(), cuts.len() + 1)),
            Domain::Labels(_) => None,
        })
        .collect()
}

/// The kind of a column in a word.
pub(crate) fn kind(kind: &RawKind) -> &'static str {
    match kind {
        RawKind::Nominal(_) => "nominal",
        RawKind::Numeric => "numeric",
    }
}
