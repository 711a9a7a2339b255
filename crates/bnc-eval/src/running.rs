//! Sums over rows, from which the metrics that are no ranking follow.

use bnc_data::{Code, MISSING};
use bnc_models::most_probable;
use ndarray::ArrayRef2;

use crate::{Confusion, Error, Metric, Reliability, Result};

/// How far the probabilities of a row may be from summing to 1.
const TOLERANCE: f64 = 1e-6;

/// Predictions as far as they were scored, a few numbers however many they are.
///
/// Rows that are added in parts give the same metrics as all of them at once, to the bit.
#[derive(Debug, Clone, PartialEq)]
pub struct RunningScore {
    /// What was predicted for what.
    pub confusion: Confusion,
    /// How often predictions of some confidence were right.
    pub reliability: Reliability,
    squares: f64,
    logs: f64,
    brier: f64,
}

impl RunningScore {
    /// No rows yet, of so many classes.
    #[must_use]
    pub fn new(classes: usize) -> Self {
        Self {
            confusion: Confusion::new(classes),
            reliability: Reliability::default(),
            squares: 0.0,
            logs: 0.0,
            brier: 0.0,
        }
    }

    /// Adds posteriors (an array of rows × classes) and the true classes of their rows. Rows whose class is [`MISSING`] are
    /// left out; a row counts as often as its case weight says.
    ///
    /// # Errors
    /// [`Error::Shape`] when the parts have not one length or a true class is not among the columns;
    /// [`Error::BadPosterior`] for a row that is no distribution (to 1e-6). Then nothing is added.
    pub fn add(
        &mut self,
        truth: &[Code],
        posteriors: &ArrayRef2<f64>,
        weights: Option<&[u32]>,
    ) -> Result<()> {
        check(truth, posteriors, weights)?;
        let mut posterior = vec![0.0; posteriors.ncols()];
        for (row, &class) in truth.iter().enumerate() {
            let weight = weights.map_or(1, |weights| u64::from(weights[row]));
            // A row without weight has no say, not even with an infinite loss.
            if weight == 0 || class == MISSING {
                continue;
            }
            let class = usize::from(class);
            posterior.iter_mut().zip(posteriors.row(row)).for_each(|(place, p)| *place = *p);
            let predicted = usize::from(most_probable(&posterior));
            self.confusion.add(class, predicted, weight);
            self.reliability.add(posterior[predicted], predicted == class, weight);
            let times = weight as f64;
            self.squares += times * (1.0 - posterior[class]).powi(2);
            self.logs -= times * posterior[class].ln();
            let errors = posterior.iter().enumerate().map(|(c, p)| (p - f64::from(c == class)).powi(2));
            self.brier += times * errors.sum::<f64>();
        }
        Ok(())
    }

    /// A metric of the rows so far; `None` where it is undefined, and for areas under curves, which rank all rows.
    #[must_use]
    pub fn metric(&self, metric: Metric) -> Option<f64> {
        let total = self.confusion.total() as f64;
        let mean_of = |sum: f64| (total > 0.0).then(|| sum / total);
        match metric {
            Metric::Accuracy => self.confusion.accuracy(),
            Metric::ZeroOneLoss => self.confusion.zero_one_loss(),
            Metric::Rmse => mean_of(self.squares).map(f64::sqrt),
            Metric::LogLoss => mean_of(self.logs),
            Metric::Brier => mean_of(self.brier),
            Metric::CalibrationError => self.reliability.expected_calibration_error(),
            Metric::Auc | Metric::AucOvrWeighted | Metric::AucOvrMacro => None,
            Metric::BalancedAccuracy => self.confusion.balanced_accuracy(),
            Metric::Kappa => self.confusion.kappa(),
            Metric::Mcc => self.confusion.mcc(),
            Metric::F1Macro => self.confusion.f1_macro(),
        }
    }
}

fn check(truth: &[Code], posteriors: &ArrayRef2<f64>, weights: Option<&[u32]>) -> Result<()> {
    let (rows, classes) = posteriors.dim();
    let lengths = [Some(truth.len()), weights.map(<[u32]>::len)];
    if let Some(length) = lengths.into_iter().flatten().find(|&length| length != rows) {
        return Err(Error::Shape(format!("posteriors of {rows} rows beside classes or weights of {length}")));
    }
    if let Some(class) = truth.iter().find(|&&class| class != MISSING && usize::from(class) >= classes) {
        return Err(Error::Shape(format!("true class {class} (from 0) is not among the {classes} classes")));
    }
    for (row, posterior) in posteriors.rows().into_iter().enumerate() {
        let found = match posterior.iter().find(|p| !(0.0..=1.0 + TOLERANCE).contains(*p)) {
            Some(bad) => bad.to_string(),
            None if (posterior.sum() - 1.0).abs() > TOLERANCE => format!("a sum of {}", posterior.sum()),
            None => continue,
        };
        return Err(Error::BadPosterior { row, found });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use ndarray::{Axis, array};

    use super::*;

    #[test]
    fn parts_make_the_whole() {
        let posteriors = array![[0.9, 0.1], [0.3, 0.7], [0.6, 0.4], [0.55, 0.45], [0.2, 0.8]];
        let (truth, weights) = ([0, 1, MISSING, 1, 0], [3, 1, 2, 0, 5]);
        let mut whole = RunningScore::new(2);
        whole.add(&truth, &posteriors, Some(&weights)).unwrap();
        let mut parts = RunningScore::new(2);
        for rows in [0..2, 2..5] {
            let part = posteriors.select(Axis(0), &rows.clone().collect::<Vec<_>>());
            parts.add(&truth[rows.clone()], &part, Some(&weights[rows])).unwrap();
        }
        assert_eq!(parts, whole);
        assert_eq!(whole.confusion.total(), 9);
        assert_eq!(whole.metric(Metric::Accuracy), Some(4.0 / 9.0));
        assert_eq!(whole.metric(Metric::Auc), None);
    }

    #[test]
    fn what_is_refused_adds_nothing() {
        let mut running = RunningScore::new(2);
        assert!(running.add(&[0, 0], &array![[0.5, 0.5], [0.5, 0.6]], None).is_err());
        assert_eq!(running, RunningScore::new(2));
    }
}
