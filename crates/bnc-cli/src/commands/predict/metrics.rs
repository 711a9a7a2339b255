//! Metrics of predictions that come chunk by chunk.

use bnc_data::Dataset;
use bnc_eval::{Confusion, Metric, score};
use ndarray::Array2;
use serde::Serialize;

use crate::error::Result;
use crate::terminal::Terminal;
use crate::text::counted;

/// The metrics that are means over rows; the AUC is none, as it needs all rows at once.
pub(super) struct RunningMetrics {
    confusion: Confusion,
    squares: f64,
    log_loss: f64,
    brier: f64,
}

#[derive(Serialize)]
pub(super) struct Values {
    rows: u64,
    accuracy: f64,
    zero_one_loss: f64,
    rmse: f64,
    log_loss: f64,
    brier: f64,
}

impl RunningMetrics {
    pub(super) fn new(classes: usize) -> Self {
        Self { confusion: Confusion::new(classes), squares: 0.0, log_loss: 0.0, brier: 0.0 }
    }

    /// Adds the labelled ones of some rows.
    pub(super) fn add(&mut self, data: &Dataset, posteriors: &Array2<f64>) -> Result<()> {
        let score = score(data.class(), posteriors, data.weights())?;
        let rows = score.confusion.total() as f64;
        let sum = |metric: Metric| score.metrics[metric].map_or(0.0, |mean| rows * mean);
        self.squares += score.metrics[Metric::Rmse].map_or(0.0, |rmse| rows * rmse * rmse);
        self.log_loss += sum(Metric::LogLoss);
        self.brier += sum(Metric::Brier);
        self.confusion.merge(&score.confusion);
        Ok(())
    }

    /// The metrics; `None` without a labelled row.
    pub(super) fn values(&self) -> Option<Values> {
        let rows = self.confusion.total();
        let mean = |sum: f64| sum / rows as f64;
        Some(Values {
            rows,
            accuracy: self.confusion.accuracy()?,
            zero_one_loss: self.confusion.zero_one_loss()?,
            rmse: mean(self.squares).sqrt(),
            log_loss: mean(self.log_loss),
            brier: mean(self.brier),
        })
    }

    pub(super) fn note(&self, terminal: Terminal) {
        if let Some(values) = self.values() {
            terminal.note(format!(
                "{}: accuracy {:.4}, zero-one loss {:.4}, RMSE {:.4}, log loss {:.4} nats, Brier {:.4}",
                counted(values.rows, "labelled row"),
                values.accuracy,
                values.zero_one_loss,
                values.rmse,
                values.log_loss,
                values.brier
            ));
        }
    }
}
