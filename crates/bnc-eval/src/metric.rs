//! The metrics and their names.

use std::ops::Index;

use serde::{Serialize, Serializer};

/// A figure that says how good predictions are. Case weights count rows that often.
///
/// The predicted class is the most probable one, the lowest code on ties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Metric {
    /// The share of right predictions, 0 to 1.
    Accuracy,
    /// The share of wrong predictions, 0 to 1.
    ZeroOneLoss,
    /// The root of the mean of (1 − P(true class))², 0 to 1, as in Webb's group (Webb, Boughton and Wang 2005): it looks
    /// at the true class only.
    Rmse,
    /// The mean of −ln P(true class), in nats; infinite as soon as one true class has probability 0.
    LogLoss,
    /// The mean over rows of the sum over classes of (P(class) − \[class is true\])², 0 to 2 (Brier 1950).
    Brier,
    /// The expected calibration error (Naeini, Cooper and Hauskrecht 2015), 0 to 1, of the predicted class over ten bins:
    /// see [`Reliability`](crate::Reliability).
    CalibrationError,
    /// Hand and Till's M (2001), 0 to 1: the mean over pairs of classes of the probability that a row of one class gets a
    /// higher probability of that class than a row of the other does, ties counting one half. Pairs of which one class has
    /// no row are left out. With two classes it is the area under the ROC curve. Probabilities so near 0 or 1 that rounding makes
    /// them the same are tied.
    Auc,
    /// The area under the ROC curve of each class against the rest, 0 to 1, ties counting one half, weighted by the rows
    /// of the class. Classes without rows, or without others to tell them from, are left out.
    AucOvrWeighted,
    /// The unweighted mean of the areas under the ROC curves of each class against the rest.
    AucOvrMacro,
    /// The mean over the classes that have rows of the share of their rows that are predicted right, 0 to 1.
    BalancedAccuracy,
    /// Cohen's κ (1960), up to 1: agreement beyond that of independent guesses with the same frequencies; undefined
    /// when truth and predictions are one and the same class throughout.
    Kappa,
    /// Matthews' correlation coefficient, −1 to 1, in Gorodkin's form (2004) for more than two classes; 0 when truth or
    /// predictions are constant, as in scikit-learn.
    Mcc,
    /// The unweighted mean of the classes' F₁, 0 to 1, over the classes that are true or predicted somewhere.
    F1Macro,
}

impl Metric {
    /// All metrics, in the order of reports.
    pub const ALL: [Self; 13] = [
        Self::Accuracy,
        Self::ZeroOneLoss,
        Self::Rmse,
        Self::LogLoss,
        Self::Brier,
        Self::CalibrationError,
        Self::Auc,
        Self::AucOvrWeighted,
        Self::AucOvrMacro,
        Self::BalancedAccuracy,
        Self::Kappa,
        Self::Mcc,
        Self::F1Macro,
    ];

    /// The name in machine-readable reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::ZeroOneLoss => "zero_one_loss",
            Self::Rmse => "rmse",
            Self::LogLoss => "log_loss",
            Self::Brier => "brier",
            Self::CalibrationError => "calibration_error",
            Self::Auc => "auc",
            Self::AucOvrWeighted => "auc_ovr_weighted",
            Self::AucOvrMacro => "auc_ovr_macro",
            Self::BalancedAccuracy => "balanced_accuracy",
            Self::Kappa => "kappa",
            Self::Mcc => "mcc",
            Self::F1Macro => "f1_macro",
        }
    }

    /// Whether more is better; losses are better when lower.
    #[must_use]
    pub fn higher_is_better(self) -> bool {
        !matches!(self, Self::ZeroOneLoss | Self::Rmse | Self::LogLoss | Self::Brier | Self::CalibrationError)
    }
}

/// One value for each [`Metric`]; serialised as a map from the metrics' names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PerMetric<T>([T; Metric::ALL.len()]);

/// The metrics of one set of predictions; `None` where a metric is undefined (the AUC of rows of a single class, or
/// anything over no rows).
///
/// JSON knows no infinity: `serde_json` writes an infinite log loss as `null`, too.
pub type Metrics = PerMetric<Option<f64>>;

impl<T> PerMetric<T> {
    /// The values that `value` has for each metric.
    pub fn from_fn(value: impl FnMut(Metric) -> T) -> Self {
        Self(Metric::ALL.map(value))
    }

    /// The metrics with their values, in the order of reports.
    pub fn iter(&self) -> impl Iterator<Item = (Metric, &T)> {
        Metric::ALL.into_iter().zip(&self.0)
    }
}

impl<T> Index<Metric> for PerMetric<T> {
    type Output = T;

    fn index(&self, metric: Metric) -> &T {
        &self.0[metric as usize]
    }
}

impl<T: Serialize> Serialize for PerMetric<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(metric, value)| (metric.name(), value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_stands_at_its_own_place() {
        let names = PerMetric::from_fn(Metric::name);
        for metric in Metric::ALL {
            assert_eq!(names[metric], metric.name());
        }
    }

    #[test]
    fn serialised_as_a_map() {
        let metrics: Metrics = PerMetric::from_fn(|metric| (metric != Metric::Auc).then_some(0.5));
        let json = serde_json::to_value(metrics).unwrap();
        assert_eq!(json["zero_one_loss"], 0.5);
        assert!(json["auc"].is_null());
        assert_eq!(json.as_object().unwrap().len(), Metric::ALL.len());
    }
}
