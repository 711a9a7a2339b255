//! The approximate conditional log-likelihood of Carvalho, Adão and Mateus (2013).

use std::collections::BTreeMap;

use crate::Table;

/// No weighted count is below this.
const FEWEST: f64 = 5.0;

/// The weight β that the rows of all classes get in [`approximate_conditional_log_likelihood`]; negative.
///
/// It is the regression coefficient of `−ln Σ_c U_c` on `Σ_c ln U_c` for `(U_1, …, U_s, R) ~ Dirichlet(1, …, 1, b0)`, with s the
/// number of classes: `β = −(ψ1(s) − ψ1(s + b0)) / (ψ1(1) − s ψ1(s + b0))`, where ψ1 is the trigamma function. The usual b0
/// is the number of rows; infinity is allowed.
///
/// # Examples
/// ```
/// assert!((bnc_stats::acll_beta(2, 1000.0) + 0.391942).abs() < 1e-6);
/// ```
#[must_use]
pub fn acll_beta(classes: usize, b0: f64) -> f64 {
    if classes <= 1 {
        // The formula's value for every b0 > 0: a class that is certain has no likelihood to gain.
        return -1.0;
    }
    let s = classes as f64;
    let tail = trigamma(s + b0);
    -(trigamma(s) - tail) / (trigamma(1.0) - s * tail)
}

/// The term of a family in the approximate conditional log-likelihood: of a feature of the table, given the table's other
/// features and the class. Natural logarithms; larger is better. A table over the child alone gives its term under naive
/// Bayes.
///
/// With weighted counts `W_jck = N_jck + β Σ_c' N_jc'k` and `W⁺_jck = max(5, W_jck)`, it is
/// `Σ_jck W_jck ln( W⁺_jck / Σ_k W⁺_jck )`. The terms of an arc and of its reversal differ. `beta` is [`acll_beta`].
///
/// # Panics
/// When the child is not a feature of the table.
#[must_use]
pub fn approximate_conditional_log_likelihood(table: &Table, child: usize, beta: f64) -> f64 {
    let axis = table.vars().position(child);
    assert!(axis.is_some(), "feature {child} is not an axis of the table");
    let axis = axis.unwrap_or_default();
    let (arity, classes) = (table.dims()[axis], table.classes());
    let after: u128 = table.dims()[axis + 1..].iter().map(|&dim| dim as u128).product();
    // Weighted counts by parent configuration, class and value of the child.
    let mut weighted: BTreeMap<u128, Vec<f64>> = BTreeMap::new();
    for (number, run) in table.runs().filter(|(_, run)| run.iter().any(|&count| count > 0)) {
        let (before, value) = (number / after / arity as u128, (number / after % arity as u128) as usize);
        let cells =
            weighted.entry(before * after + number % after).or_insert_with(|| vec![0.0; classes * arity]);
        let shared = beta * run.iter().sum::<u64>() as f64;
        for (class, &count) in run.iter().enumerate() {
            cells[class * arity + value] = count as f64 + shared;
        }
    }
    let of_class = |cells: &[f64]| {
        let total: f64 = cells.iter().map(|weight| weight.max(FEWEST)).sum();
        cells.iter().map(|&weight| weight * (weight.max(FEWEST) / total).ln()).sum::<f64>()
    };
    weighted.values().flat_map(|cells| cells.chunks_exact(arity)).map(of_class).sum()
}

/// The trigamma function for x > 0: moved up by `ψ1(x) = ψ1(x + 1) + 1/x²`, then the asymptotic series.
fn trigamma(x: f64) -> f64 {
    let mut x = x;
    let mut sum = 0.0;
    while x < 16.0 {
        sum += 1.0 / (x * x);
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    // The Bernoulli numbers B2, B4, …, B12.
    let series = y
        * (1.0 / 6.0
            - y * (1.0 / 30.0 - y * (1.0 / 42.0 - y * (1.0 / 30.0 - y * (5.0 / 66.0 - y * 691.0 / 2730.0)))));
    sum + (1.0 + 0.5 / x + series) / x
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn trigamma_has_its_known_values() {
        assert_relative_eq!(trigamma(1.0), PI * PI / 6.0, max_relative = 1e-15);
        assert_relative_eq!(trigamma(0.5), PI * PI / 2.0, max_relative = 1e-15);
        assert_relative_eq!(trigamma(40.0), trigamma(39.0) - 1.0 / (39.0 * 39.0), max_relative = 1e-14);
        assert_relative_eq!(trigamma(f64::INFINITY), 0.0);
    }

    #[test]
    fn beta_has_its_known_values() {
        assert_relative_eq!(acll_beta(2, 1000.0), -0.391_942, epsilon = 5e-7);
        assert_relative_eq!(acll_beta(3, 1000.0), -0.239_921, epsilon = 5e-7);
        for classes in [2, 3, 10_usize] {
            let limit = -trigamma(classes as f64) / trigamma(1.0);
            assert_relative_eq!(acll_beta(classes, f64::INFINITY), limit, max_relative = 1e-14);
            assert_relative_eq!(acll_beta(classes, 1e12), limit, max_relative = 1e-9);
        }
        assert_relative_eq!(acll_beta(1, 50.0), -1.0);
    }
}
