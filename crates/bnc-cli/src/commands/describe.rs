//! `bnc describe`.

use bnc_data::{Frame, RawKind, Report, Values};
use clap::Args;
use serde::Serialize;

use crate::data::{Data, ReadArgs, load_or_open};
use crate::error::Result;
use crate::notes;
use crate::output;
use crate::terminal::Terminal;
use crate::text::{few, table};

/// Summarise data: columns, values, missing cells
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bnc describe weather.csv
  bnc describe builtin:balance-scale --json")]
pub(crate) struct Describe {
    /// The data: a file, - for CSV on standard input, or builtin:NAME
    data: Data,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read: ReadArgs,
}

/// So wide a list of values may be before the rest is only counted.
const LISTED: usize = 60;

impl Describe {
    pub(crate) fn run(&self, terminal: Terminal) -> Result<()> {
        let bar = terminal.reading(format!("reading {}", self.data));
        let loaded = load_or_open(&self.data, &self.read.options(None), &bar)?;
        let report = loaded.report();
        let mut contents: Vec<Content> =
            report.columns.iter().map(|column| Content::new(&column.kind)).collect();
        loaded.source().scan(&mut |frame| {
            add(&mut contents, frame);
            Ok(())
        })?;
        bar.clear();
        notes::read(terminal, report);
        let summary = Summary::new(report, contents);
        if self.json { output::write_json(None, &summary) } else { output::print(&summary.table()) }
    }
}

fn add(contents: &mut [Content], frame: &Frame) {
    for (content, column) in contents.iter_mut().zip(&frame.columns) {
        match (content, &column.values) {
            (Content::Nominal { values }, Values::Nominal { codes, .. }) => {
                for (row, &code) in codes.iter().enumerate() {
                    if let Some(value) = values.get_mut(usize::from(code)) {
                        value.count += u64::from(frame.weight(row));
                    }
                }
            }
            (Content::Numeric { min, max, mean, count }, Values::Numeric(numbers)) => {
                for &number in numbers.iter().filter(|number| !number.is_nan()) {
                    *min = Some(min.map_or(number, |min| min.min(number)));
                    *max = Some(max.map_or(number, |max| max.max(number)));
                    *count += 1;
                    let before = mean.unwrap_or(0.0);
                    *mean = Some(before + (number - before) / *count as f64);
                }
            }
            // A source keeps the kinds that it declares.
            _ => {}
        }
    }
}

/// What stands in a column.
#[derive(Serialize)]
#[serde(untagged)]
enum Content {
    Nominal { values: Vec<Value> },
    Numeric { min: Option<f64>, max: Option<f64>, mean: Option<f64>, count: u64 },
}

/// A label and its (weighted) number of rows.
#[derive(Serialize)]
struct Value {
    label: String,
    count: u64,
}

impl Content {
    fn new(kind: &RawKind) -> Self {
        match kind {
            RawKind::Nominal(labels) => Self::Nominal {
                values: labels.iter().map(|label| Value { label: label.clone(), count: 0 }).collect(),
            },
            RawKind::Numeric => Self::Numeric { min: None, max: None, mean: None, count: 0 },
        }
    }

    fn describe(&self) -> String {
        match self {
            Self::Nominal { values } => {
                let each: Vec<String> =
                    values.iter().map(|value| format!("{} ×{}", value.label, value.count)).collect();
                few(&each, LISTED)
            }
            Self::Numeric { min: Some(min), max: Some(max), mean: Some(mean), .. } => {
                format!("{min} to {max}, mean {mean:.4}")
            }
            Self::Numeric { .. } => String::new(),
        }
    }
}

#[derive(Serialize)]
struct Summary {
    data: String,
    rows: u64,
    class: Option<String>,
    weighted: bool,
    columns: Vec<Column>,
}

#[derive(Serialize)]
struct Column {
    name: String,
    role: &'static str,
    kind: &'static str,
    missing: u64,
    #[serde(flatten)]
    content: Content,
}

impl Summary {
    fn new(report: &Report, contents: Vec<Content>) -> Self {
        let columns = report.columns.iter().zip(contents).enumerate();
        let columns = columns.map(|(index, (column, content))| Column {
            name: column.name.clone(),
            role: if report.class == Some(index) { "class" } else { "feature" },
            kind: notes::kind(&column.kind),
            missing: column.missing,
            content,
        });
        Self {
            data: report.file.to_string(),
            rows: report.rows,
            class: report.class.map(|class| report.columns[class].name.clone()),
            weighted: report.weighted,
            columns: columns.collect(),
        }
    }

    fn table(&self) -> String {
        let header = ["column", "role", "kind", "contents", "values", "missing"];
        let mut table = table(&header.map(String::from), 4);
        for column in &self.columns {
            let values = match &column.content {
                Content::Nominal { values } => values.len().to_string(),
                Content::Numeric { .. } => "–".into(),
            };
            table.add_row([
                column.name.clone(),
                column.role.into(),
                column.kind.into(),
                column.content.describe(),
                values,
                column.missing.to_string(),
            ]);
        }
        table.trim_fmt() + "\n"
    }
}
