//! Predictions as CSV or JSON, written as they come.

use std::io::{self, Write};

use bnc_models::{Model, most_probable};
use ndarray::{Array2, Axis};
use rayon::prelude::*;
use serde::Serialize;

use super::metrics::Values;
use super::unseen::UnseenTally;
use crate::error::Result;
use crate::labels::class_labels;

/// Rows that one thread turns into text at a time.
const ROWS_A_TASK: usize = 2048;

/// Where predictions go.
pub(super) struct Sink<'a> {
    out: &'a mut dyn Write,
    form: Form,
}

/// The text of a prediction.
enum Form {
    /// A line each. The labels stand as they do in CSV.
    Csv { labels: Vec<String> },
    /// One document that is written piece by piece, as it may be larger than memory.
    Json { labels: Vec<String> },
}

#[derive(Serialize)]
struct Prediction<'a> {
    row: u64,
    predicted: &'a str,
    probabilities: &'a [f64],
}

impl<'a> Sink<'a> {
    pub(super) fn new(out: &'a mut dyn Write, json: bool, model: &Model) -> Result<Self> {
        let labels = class_labels(model.schema());
        let form = if json {
            let learner = to_json(&model.learner())?;
            let class = to_json(&model.schema().class().name())?;
            let all = to_json(&labels)?;
            write!(out, "{{\"learner\":{learner},\"class\":{class},\"labels\":{all},\"predictions\":[")?;
            Form::Json { labels }
        } else {
            let header = ["row".to_string(), "predicted".to_string()].into_iter();
            let header = header.chain(labels.iter().map(|label| format!("P({label})")));
            csv::Writer::from_writer(&mut *out).write_record(header)?;
            Form::Csv { labels: labels.iter().map(|label| quoted(label)).collect::<Result<_>>()? }
        };
        Ok(Self { out, form })
    }

    /// Writes the predictions of some rows, the first of which is number `before + 1`.
    pub(super) fn rows(&mut self, before: u64, posteriors: &Array2<f64>) -> Result<()> {
        let tasks: Vec<_> = posteriors.axis_chunks_iter(Axis(0), ROWS_A_TASK).enumerate().collect();
        let text_of = |(task, rows): &(usize, ndarray::ArrayView2<'_, f64>)| {
            let mut text = Vec::new();
            for (number, posterior) in (before + (task * ROWS_A_TASK) as u64 + 1..).zip(rows.rows()) {
                self.form.write(number, &posterior.to_vec(), &mut text)?;
            }
            Ok(text)
        };
        let texts: Vec<Vec<u8>> = tasks.par_iter().map(text_of).collect::<io::Result<_>>()?;
        Ok(texts.iter().try_for_each(|text| self.out.write_all(text))?)
    }

    pub(super) fn finish(self, unseen: &UnseenTally, metrics: Option<&Values>) -> Result<()> {
        if let Form::Json { .. } = self.form {
            let unseen = to_json(unseen.entries())?;
            let metrics = to_json(&metrics)?;
            writeln!(self.out, "\n],\"unseen\":{unseen},\"metrics\":{metrics}}}")?;
        }
        Ok(())
    }
}

impl Form {
    /// Appends the prediction of the row of a number, from 1.
    fn write(&self, row: u64, posterior: &[f64], text: &mut Vec<u8>) -> io::Result<()> {
        let predicted = usize::from(most_probable(posterior));
        match self {
            Self::Csv { labels } => {
                write!(text, "{row},{}", labels[predicted])?;
                for p in posterior {
                    // As many digits as it takes to get the same number back.
                    write!(text, ",{p:?}")?;
                }
                text.push(b'\n');
            }
            Self::Json { labels } => {
                text.extend_from_slice(if row == 1 { b"\n" } else { b",\n" });
                let prediction = Prediction { row, predicted: &labels[predicted], probabilities: posterior };
                serde_json::to_writer(text, &prediction)?;
            }
        }
        Ok(())
    }
}

/// A label as it stands in CSV beside other cells.
fn quoted(label: &str) -> Result<String> {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    writer.write_record(["", label])?;
    let line = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
    let cell = line.strip_prefix(b"\"\",").or_else(|| line.strip_prefix(b",")).unwrap_or(&line);
    Ok(String::from_utf8_lossy(cell).trim_end_matches('\n').to_owned())
}

fn to_json(value: &(impl Serialize + ?Sized)) -> Result<String> {
    Ok(serde_json::to_string(value)?)
}
