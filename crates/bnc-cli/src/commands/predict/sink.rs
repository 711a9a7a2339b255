//! Predictions as CSV or JSON, written as they come.

use std::io::Write;

use bnc_models::{Model, most_probable};
use ndarray::Array2;
use serde::Serialize;

use super::metrics::RunningMetrics;
use super::unseen::UnseenTally;
use crate::error::Result;
use crate::labels::class_labels;

/// Where predictions go.
pub(super) struct Sink<'a> {
    labels: Vec<String>,
    form: Form<'a>,
}

enum Form<'a> {
    Csv(Box<csv::Writer<&'a mut dyn Write>>),
    /// One document that is written piece by piece, as it may be larger than memory.
    Json {
        out: &'a mut dyn Write,
        is_first: bool,
    },
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
            Form::Json { out, is_first: true }
        } else {
            let mut writer = csv::Writer::from_writer(out);
            let header = ["row".to_string(), "predicted".to_string()].into_iter();
            let header = header.chain(labels.iter().map(|label| format!("P({label})")));
            writer.write_record(header)?;
            Form::Csv(Box::new(writer))
        };
        Ok(Self { labels, form })
    }

    /// Writes the predictions of some rows, the first of which is number `before + 1`.
    pub(super) fn rows(&mut self, before: u64, posteriors: &Array2<f64>) -> Result<()> {
        for (row, posterior) in (before + 1..).zip(posteriors.rows()) {
            let posterior = posterior.to_vec();
            let predicted = &self.labels[usize::from(most_probable(&posterior))];
            match &mut self.form {
                Form::Csv(writer) => {
                    writer.write_field(row.to_string())?;
                    writer.write_field(predicted)?;
                    for p in &posterior {
                        // As many digits as it takes to get the same number back.
                        writer.write_field(format!("{p:?}"))?;
                    }
                    writer.write_record(None::<&[u8]>)?;
                }
                Form::Json { out, is_first } => {
                    let prediction = to_json(&Prediction { row, predicted, probabilities: &posterior })?;
                    write!(out, "{}\n{prediction}", if *is_first { "" } else { "," })?;
                    *is_first = false;
                }
            }
        }
        Ok(())
    }

    pub(super) fn finish(self, unseen: &UnseenTally, metrics: &RunningMetrics) -> Result<()> {
        match self.form {
            Form::Csv(mut writer) => Ok(writer.flush()?),
            Form::Json { out, .. } => {
                let unseen = to_json(unseen.entries())?;
                let metrics = to_json(&metrics.values())?;
                Ok(writeln!(out, "\n],\"unseen\":{unseen},\"metrics\":{metrics}}}")?)
            }
        }
    }
}

fn to_json(value: &(impl Serialize + ?Sized)) -> Result<String> {
    Ok(serde_json::to_string(value)?)
}
