//! Bias and variance of zero-one loss.

use bnc_data::{Code, MISSING};
use serde::Serialize;

use crate::{Error, Result};

/// How much of the error is the fault of what a learner cannot say (bias), and how much that of its learning something else from
/// other training sets (variance): estimated from several predictions of each row by models of different training sets.
///
/// Let p(y) be the share of class y among the predictions of a row whose true class is t. Each figure is a mean over the rows,
/// by case weight, of:
///
/// | | bias | variance |
/// |---|---|---|
/// | Kohavi and Wolpert (1996) | ½ Σ (\[y = t\] − p(y))² | ½ (1 − Σ p(y)²) |
/// | the same, corrected | bias − ½ Σ p(y) (1 − p(y))/(T − 1) | error − corrected bias |
/// | Webb (2000) | P(error and prediction = central tendency) | P(error and prediction ≠ central tendency) |
///
/// The bias of Kohavi and Wolpert is what they call bias²; noise is taken to be 0. The correction makes the estimates unbiased for T
/// predictions of a row; a corrected bias can be below 0. The central tendency is the most frequent prediction; ties are
/// averaged. In all three, bias and variance sum to the error. (WEKA's programs print the corrected bias beside the uncorrected
/// variance, which do not.)
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BiasVariance {
    /// The rows that were predicted and have a case weight above 0.
    pub rows: usize,
    /// Their predictions.
    pub predictions: u64,
    /// The share of wrong predictions, 0 to 1: of each row, averaged over the rows.
    pub error: f64,
    /// Kohavi and Wolpert's, from the shares of the predictions as they are.
    pub kohavi_wolpert: Decomposition,
    /// Kohavi and Wolpert's, corrected for the number of predictions; `None` when some row was predicted once only.
    pub kohavi_wolpert_corrected: Option<Decomposition>,
    /// Webb's.
    pub webb: Decomposition,
}

/// The parts of an error, of which they are the sum.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Decomposition {
    /// What all models get wrong together.
    pub bias: f64,
    /// What they get wrong because they differ.
    pub variance: f64,
}

impl Decomposition {
    fn add(&mut self, weight: f64, bias: f64, variance: f64) {
        self.bias += weight * bias;
        self.variance += weight * variance;
    }

    fn over(self, weight: f64) -> Self {
        Self { bias: self.bias / weight, variance: self.variance / weight }
    }
}

impl BiasVariance {
    /// From the true class of each row ([`MISSING`] to leave it out), its predictions (none to leave it out) and its case
    /// weight; `None` without a row that counts.
    ///
    /// # Errors
    /// [`Error::Shape`] when the parts have not one length.
    ///
    /// # Examples
    /// ```
    /// use bnc_eval::BiasVariance;
    /// // Always right, wrong in one of four, always wrong in the same way.
    /// let predictions = [[0, 0, 0, 0], [0, 1, 1, 1], [2, 2, 2, 2]];
    /// let parts = BiasVariance::of(&[0, 1, 0], &predictions, None)?.ok_or("no rows")?;
    /// assert_eq!(parts.error, 1.25 / 3.0);
    /// assert_eq!((parts.webb.bias, parts.webb.variance), (1.0 / 3.0, 0.25 / 3.0));
    /// assert_eq!(parts.kohavi_wolpert.variance, 0.1875 / 3.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(
        truth: &[Code],
        predictions: &[impl AsRef<[Code]>],
        weights: Option<&[u32]>,
    ) -> Result<Option<Self>> {
        let lengths = [Some(predictions.len()), weights.map(<[u32]>::len)];
        if let Some(length) = lengths.into_iter().flatten().find(|&length| length != truth.len()) {
            return Err(Error::Shape(format!(
                "true classes of {} rows beside predictions or weights of {length}",
                truth.len()
            )));
        }
        let rows = truth.iter().zip(predictions).enumerate();
        let rows = rows.map(|(row, (&class, its))| Row {
            truth: class,
            predicted: its.as_ref(),
            weight: weights.map_or(1, |weights| weights[row]),
        });
        let rows = rows.filter(|row| row.truth != MISSING && row.weight > 0 && !row.predicted.is_empty());
        Ok(Self::of_rows(rows))
    }

    fn of_rows<'a>(rows: impl Iterator<Item = Row<'a>>) -> Option<Self> {
        let (mut count, mut predictions, mut weight, mut error) = (0, 0, 0.0, 0.0);
        let [mut raw, mut corrected, mut webb] = [Decomposition::default(); 3];
        let mut can_be_corrected = true;
        for row in rows {
            let shares = Shares::of(&row);
            let its = f64::from(row.weight);
            count += 1;
            predictions += row.predicted.len() as u64;
            weight += its;
            error += its * shares.error();
            let (bias, variance) = shares.kohavi_wolpert();
            raw.add(its, bias, variance);
            let (bias, variance) = shares.webb();
            webb.add(its, bias, variance);
            if let Some((bias, variance)) = shares.corrected() {
                corrected.add(its, bias, variance);
            } else {
                can_be_corrected = false;
            }
        }
        (count > 0).then(|| Self {
            rows: count,
            predictions,
            error: error / weight,
            kohavi_wolpert: raw.over(weight),
            kohavi_wolpert_corrected: can_be_corrected.then(|| corrected.over(weight)),
            webb: webb.over(weight),
        })
    }
}

struct Row<'a> {
    truth: Code,
    predicted: &'a [Code],
    weight: u32,
}

/// How often a row was predicted to be of each class; whole numbers, so that the order of predictions does not matter.
struct Shares {
    total: f64,
    right: f64,
    /// The sum of the squares of the counts.
    squares: f64,
    /// The count of the most frequent predictions, and how many such classes there are.
    most: f64,
    modes: f64,
    right_is_mode: bool,
}

impl Shares {
    fn of(row: &Row<'_>) -> Self {
        let mut predicted = row.predicted.to_vec();
        predicted.sort_unstable();
        let counts = || predicted.chunk_by(|a, b| a == b).map(<[Code]>::len);
        let most = counts().max().unwrap_or(0);
        let right = predicted.iter().filter(|&&class| class == row.truth).count();
        Self {
            total: predicted.len() as f64,
            right: right as f64,
            squares: counts().map(|count| count * count).sum::<usize>() as f64,
            most: most as f64,
            modes: counts().filter(|&count| count == most).count() as f64,
            right_is_mode: right == most,
        }
    }

    fn error(&self) -> f64 {
        (self.total - self.right) / self.total
    }

    fn kohavi_wolpert(&self) -> (f64, f64) {
        let square = self.total * self.total;
        let bias = (square - 2.0 * self.total * self.right + self.squares) / (2.0 * square);
        (bias, (square - self.squares) / (2.0 * square))
    }

    /// `None` from a single prediction, which says nothing of the variance.
    fn corrected(&self) -> Option<(f64, f64)> {
        let (bias, variance) = self.kohavi_wolpert();
        // ½ Σ p (1 − p) is the raw variance.
        let correction = variance / (self.total - 1.0);
        (self.total > 1.0).then_some((bias - correction, variance + correction))
    }

    fn webb(&self) -> (f64, f64) {
        let wrong_modes = self.modes - f64::from(self.right_is_mode);
        // Averaged over the modes: the errors that are the mode, and those that are not.
        let bias = wrong_modes * self.most / (self.modes * self.total);
        let others = wrong_modes * (self.total - self.right - self.most)
            + (self.modes - wrong_modes) * (self.total - self.right);
        (bias, others / (self.modes * self.total))
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use super::*;

    fn of(truth: &[Code], predictions: &[&[Code]], weights: Option<&[u32]>) -> BiasVariance {
        BiasVariance::of(truth, predictions, weights).unwrap().unwrap()
    }

    #[track_caller]
    fn check(found: Decomposition, bias: f64, variance: f64) {
        assert_abs_diff_eq!(found.bias, bias, epsilon = 1e-14);
        assert_abs_diff_eq!(found.variance, variance, epsilon = 1e-14);
    }

    #[test]
    fn one_row_by_hand() {
        // Shares 1/2, 1/3 and 1/6; the true class is the second.
        let parts = of(&[1], &[&[0, 1, 0, 2, 1, 0]], None);
        assert_abs_diff_eq!(parts.error, 2.0 / 3.0);
        check(parts.kohavi_wolpert, 13.0 / 36.0, 11.0 / 36.0);
        check(parts.kohavi_wolpert_corrected.unwrap(), 13.0 / 36.0 - 11.0 / 180.0, 66.0 / 180.0);
        check(parts.webb, 1.0 / 2.0, 1.0 / 6.0);
    }

    #[test]
    fn agrees_with_exact_fractions() {
        // From an independent program in rational numbers; the corrected variance as half the share of the ordered pairs of two
        // predictions of a row that differ.
        let predictions: [&[Code]; 8] = [
            &[0, 0, 0, 0, 0],
            &[1, 0, 1, 2, 1],
            &[0, 0, 2, 2, 1],
            &[0, 0, 0, 1],
            &[1, 2, 1, 2, 0, 0],
            &[0, 1, 0],
            &[1, 1],
            &[2, 2, 2, 2, 2, 0, 0],
        ];
        let parts = of(&[0, 1, 2, 1, 0, 2, 1, 0], &predictions, Some(&[1, 2, 1, 3, 1, 2, 1, 4]));
        assert_eq!((parts.rows, parts.predictions), (8, 37));
        assert_abs_diff_eq!(parts.error, 3853.0 / 6300.0, epsilon = 1e-14);
        check(parts.kohavi_wolpert, 1_082_603.0 / 2_646_000.0, 535_657.0 / 2_646_000.0);
        check(parts.kohavi_wolpert_corrected.unwrap(), 557.0 / 1575.0, 65.0 / 252.0);
        check(parts.webb, 8647.0 / 18_900.0, 104.0 / 675.0);
    }

    #[test]
    fn tied_modes_are_averaged() {
        // Two of each of three classes: the mode is right in one of three cases, and then all errors are variance.
        check(of(&[0], &[&[0, 1, 2, 2, 1, 0]], None).webb, 2.0 / 9.0, 4.0 / 9.0);
        check(of(&[3], &[&[0, 0, 1, 1, 3]], None).webb, 2.0 / 5.0, 2.0 / 5.0);
    }

    #[test]
    fn a_row_predicted_once_cannot_be_corrected() {
        let parts = of(&[0, 1], &[&[0, 1], &[0]], None);
        assert_eq!((parts.rows, parts.predictions, parts.error), (2, 3, 0.75));
        assert_eq!(parts.kohavi_wolpert_corrected, None);
        check(parts.kohavi_wolpert, 0.625, 0.125);
        // A row without weight has no say in it.
        assert!(of(&[0, 1], &[&[0, 1], &[0]], Some(&[1, 0])).kohavi_wolpert_corrected.is_some());
    }

    #[test]
    fn what_was_not_predicted_or_is_not_labelled_is_left_out() {
        let all = of(&[0, 1, MISSING], &[&[0, 1], &[], &[1, 1]], None);
        assert_eq!(all, of(&[0], &[&[0, 1]], None));
        assert_eq!(BiasVariance::of(&[0], &[[0; 0]], None).unwrap(), None);
        assert_eq!(BiasVariance::of(&[], &[[0; 1]; 0], None).unwrap(), None);
        assert!(matches!(BiasVariance::of(&[0], &[[0]; 2], None), Err(Error::Shape(_))));
        assert!(matches!(BiasVariance::of(&[0], &[[0]], Some(&[1, 1])), Err(Error::Shape(_))));
    }
}
