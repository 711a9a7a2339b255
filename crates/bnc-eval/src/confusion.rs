//! What was predicted for what.

use serde::Serialize;

/// A confusion matrix: how often (by case weight) each class was predicted for rows of each class, in the order of the
/// schema. Serialised as one list a true class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Confusion {
    rows: Vec<Vec<u64>>,
}

impl Confusion {
    /// An empty matrix of that many classes.
    #[must_use]
    pub fn new(classes: usize) -> Self {
        Self { rows: vec![vec![0; classes]; classes] }
    }

    /// Counts a prediction `weight` times.
    ///
    /// # Panics
    /// When there is no such class.
    pub fn add(&mut self, truth: usize, predicted: usize, weight: u64) {
        self.rows[truth][predicted] += weight;
    }

    /// Adds the counts of another matrix of the same classes.
    pub fn merge(&mut self, other: &Self) {
        for (row, others) in self.rows.iter_mut().zip(&other.rows) {
            row.iter_mut().zip(others).for_each(|(count, other)| *count += other);
        }
    }

    /// The counts: one list a true class, in it one number a predicted class.
    #[must_use]
    pub fn rows(&self) -> &[Vec<u64>] {
        &self.rows
    }

    /// The sum of all counts.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.rows.iter().flatten().sum()
    }

    fn right(&self) -> u64 {
        (0..self.rows.len()).map(|class| self.rows[class][class]).sum()
    }

    /// For each class: how often it was right, how often it was true, how often it was predicted.
    fn margins(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        (0..self.rows.len()).map(|class| {
            let truth: u64 = self.rows[class].iter().sum();
            let predicted: u64 = self.rows.iter().map(|row| row[class]).sum();
            (self.rows[class][class] as f64, truth as f64, predicted as f64)
        })
    }

    /// See [`Metric::Accuracy`](crate::Metric::Accuracy).
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        ratio(self.right() as f64, self.total() as f64)
    }

    /// See [`Metric::ZeroOneLoss`](crate::Metric::ZeroOneLoss).
    #[must_use]
    pub fn zero_one_loss(&self) -> Option<f64> {
        ratio((self.total() - self.right()) as f64, self.total() as f64)
    }

    /// See [`Metric::BalancedAccuracy`](crate::Metric::BalancedAccuracy).
    #[must_use]
    pub fn balanced_accuracy(&self) -> Option<f64> {
        mean(self.margins().filter_map(|(right, truth, _)| ratio(right, truth)))
    }

    /// See [`Metric::F1Macro`](crate::Metric::F1Macro).
    #[must_use]
    pub fn f1_macro(&self) -> Option<f64> {
        mean(self.margins().filter_map(|(right, truth, predicted)| ratio(2.0 * right, truth + predicted)))
    }

    /// See [`Metric::Kappa`](crate::Metric::Kappa).
    #[must_use]
    pub fn kappa(&self) -> Option<f64> {
        let total = self.total() as f64;
        let by_chance: f64 = self.margins().map(|(_, truth, predicted)| truth * predicted).sum();
        ratio(self.right() as f64 * total - by_chance, total * total - by_chance)
    }

    /// See [`Metric::Mcc`](crate::Metric::Mcc).
    #[must_use]
    pub fn mcc(&self) -> Option<f64> {
        let total = self.total() as f64;
        let sum = |term: fn((f64, f64, f64)) -> f64| self.margins().map(term).sum::<f64>();
        let covariance = self.right() as f64 * total - sum(|(_, truth, predicted)| truth * predicted);
        let of_truth = total * total - sum(|(_, truth, _)| truth * truth);
        let of_predictions = total * total - sum(|(_, _, predicted)| predicted * predicted);
        let correlation = ratio(covariance, (of_truth * of_predictions).sqrt()).unwrap_or(0.0);
        (total > 0.0).then_some(correlation)
    }
}

/// A quotient of which 0 of 0 is undefined.
fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

/// The mean; `None` of nothing.
pub(crate) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u64), |(sum, count), value| (sum + value, count + 1));
    ratio(sum, count as f64)
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use super::*;

    fn of(rows: &[&[u64]]) -> Confusion {
        Confusion { rows: rows.iter().map(|row| row.to_vec()).collect() }
    }

    /// The values that scikit-learn gives for the same counts.
    #[track_caller]
    fn check(confusion: &Confusion, expected: [f64; 5]) {
        let found = [
            confusion.accuracy(),
            confusion.balanced_accuracy(),
            confusion.kappa(),
            confusion.mcc(),
            confusion.f1_macro(),
        ];
        for (found, expected) in found.into_iter().zip(expected) {
            assert_abs_diff_eq!(found.unwrap(), expected, epsilon = 1e-9);
        }
    }

    #[test]
    fn agrees_with_scikit_learn() {
        check(&of(&[&[84, 0], &[12, 4]]), [0.88, 0.625, 0.358_974_359, 0.467_707_173, 0.666_666_667]);
        // Class 2 is never true but predicted, class 3 is neither.
        check(
            &of(&[&[5, 1, 2, 0], &[0, 3, 1, 0], &[0, 0, 0, 0], &[0, 0, 0, 0]]),
            [2.0 / 3.0, 0.6875, 0.454_545_454_545, 0.515_710_623_129, 0.506_410_256_410],
        );
        // Constant predictions: no correlation.
        check(&of(&[&[7, 0], &[3, 0]]), [0.7, 0.5, 0.0, 0.0, 7.0 / 17.0]);
    }

    #[test]
    fn of_a_single_class() {
        let confusion = of(&[&[4, 0], &[0, 0]]);
        assert_eq!(confusion.accuracy(), Some(1.0));
        assert_eq!(confusion.f1_macro(), Some(1.0));
        assert_eq!(confusion.kappa(), None);
        assert_eq!(confusion.mcc(), Some(0.0));
    }

    #[test]
    fn of_nothing() {
        let nothing = Confusion::new(2);
        assert_eq!(nothing.accuracy(), None);
        assert_eq!(nothing.balanced_accuracy(), None);
        assert_eq!(nothing.mcc(), None);
    }
}
