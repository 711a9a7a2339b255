//! Metrics of predictions that come chunk by chunk.

use bnc_eval::{Metric, RunningScore};
use serde::Serialize;

use crate::terminal::Terminal;
use crate::text::counted;

/// The metrics that are means over rows; the AUC is none, as it needs all rows at once.
#[derive(Serialize)]
pub(super) struct Values {
    rows: u64,
    accuracy: f64,
    zero_one_loss: f64,
    rmse: f64,
    log_loss: f64,
    brier: f64,
}

impl Values {
    /// The metrics; `None` without a labelled row.
    pub(super) fn of(score: &RunningScore) -> Option<Self> {
        Some(Self {
            rows: score.confusion.total(),
            accuracy: score.metric(Metric::Accuracy)?,
            zero_one_loss: score.metric(Metric::ZeroOneLoss)?,
            rmse: score.metric(Metric::Rmse)?,
            log_loss: score.metric(Metric::LogLoss)?,
            brier: score.metric(Metric::Brier)?,
        })
    }

    pub(super) fn note(&self, terminal: Terminal) {
        terminal.note(format!(
            "{}: accuracy {:.4}, zero-one loss {:.4}, RMSE {:.4}, log loss {:.4} nats, Brier {:.4}",
            counted(self.rows, "labelled row"),
            self.accuracy,
            self.zero_one_loss,
            self.rmse,
            self.log_loss,
            self.brier
        ));
    }
}
