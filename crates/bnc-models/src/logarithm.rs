//! Probabilities in logarithms.

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
    let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return false;
    }
    let mut sum = 0.0;
    for score in scores.iter_mut() {
        *score = (*score - largest).exp();
        sum += *score;
    }
    for score in scores.iter_mut() {
        *score /= sum;
    }
    true
}
