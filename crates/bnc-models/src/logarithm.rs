//! Probabilities in logarithms.

use crate::exponential::exponentials;

/// ln Σ exp(x), without overflow or underflow; −∞ for nothing and for all −∞.
///
/// # Examples
/// ```
/// let sum = bnc_models::log_sum_exp(&[-1000.0, -1000.0]);
/// assert_eq!(sum, -1000.0 + 2.0_f64.ln());
/// ```
#[must_use]
pub fn log_sum_exp(logs: &[f64]) -> f64 {
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return largest;
    }
    largest + logs.iter().map(|log| (log - largest).exp()).sum::<f64>().ln()
}

/// Turns log scores into probabilities that sum to 1. Returns whether that was possible: not when every score is −∞,
/// which leaves the scores as they are.
pub fn normalize(scores: &mut [f64]) -> bool {
    if !subtract_largest(scores) {
        return false;
    }
    exponentials(scores);
    divide_by_sum(scores);
    true
}

/// Makes the largest score 0; `false` when every score is −∞.
pub(crate) fn subtract_largest(scores: &mut [f64]) -> bool {
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return false;
    }
    for score in scores {
        *score -= largest;
    }
    true
}

pub(crate) fn divide_by_sum(weights: &mut [f64]) {
    let sum: f64 = weights.iter().sum();
    for weight in weights {
        *weight /= sum;
    }
}
