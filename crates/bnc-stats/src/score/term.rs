//! What one cell of a contingency table adds to a score.

use statrs::function::gamma::ln_gamma;

/// A function of a cell's count; 0 for a count of 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Term {
    /// `n ln n`.
    CountLogCount,
    /// `lnΓ(a + n) − lnΓ(a)`, the logarithm of the rising factorial of a > 0.
    Rising(f64),
    /// `n ln n + ln C(n, r)`.
    Regret(f64),
}

/// Up to this count a rising factorial is multiplied out, which is more exact than a difference of two logarithms.
const MULTIPLIED: u64 = 32;

impl Term {
    /// The value at a count.
    pub(crate) fn at(self, count: u64) -> f64 {
        let n = count as f64;
        match self {
            _ if count == 0 => 0.0,
            Self::CountLogCount => n * n.ln(),
            Self::Rising(a) if count <= MULTIPLIED => (0..count).map(|step| (a + step as f64).ln()).sum(),
            Self::Rising(a) => ln_gamma(a + n) - ln_gamma(a),
            Self::Regret(arity) => n * n.ln() + ln_regret(count, arity),
        }
    }

    /// The values at the counts 0, 1, …, `last`.
    pub(crate) fn table(self, last: u64) -> Vec<f64> {
        match self {
            Self::Rising(a) => {
                // Neumaier's sum: the thousands of small errors would otherwise add up.
                let (mut sum, mut lost) = (0.0_f64, 0.0_f64);
                let steps = (0..last).map(|step| {
                    let more = (a + step as f64).ln();
                    let next = sum + more;
                    lost += if sum.abs() >= more.abs() { (sum - next) + more } else { (more - next) + sum };
                    sum = next;
                    sum + lost
                });
                std::iter::once(0.0).chain(steps).collect()
            }
            _ => (0..=last).map(|count| self.at(count)).collect(),
        }
    }
}

/// The logarithm of C(n, r), the sum of the maximised likelihoods of all samples of n rows from a multinomial of r values:
/// the regret of normalised maximum likelihood.
///
/// `C(n, r) = Σ_{j=0}^{n} n!/((n−j)! n^j) · (r−1)(r)…(r+j−2)/j!` (Mononen and Myllymäki 2008), all terms positive. It equals the
/// recurrence `C(n, r+2) = C(n, r+1) + (n/r) C(n, r)` of Kontkanen and Myllymäki 2007, but takes at most n steps for
/// any r, and about √(nr) for few values.
pub(crate) fn ln_regret(count: u64, arity: f64) -> f64 {
    const LARGE: f64 = 1e200;
    let n = count as f64;
    let (mut term, mut sum, mut scale) = (1.0_f64, 1.0_f64, 0.0_f64);
    for step in 0..count {
        let j = step as f64;
        let ratio = (arity - 1.0 + j) / (j + 1.0) * ((n - j) / n);
        term *= ratio;
        sum += term;
        if sum > LARGE {
            scale += sum.ln();
            term /= sum;
            sum = 1.0;
        }
        // The ratios fall, so the rest is below a geometric series.
        if ratio < 1.0 && term * ratio < sum * (1.0 - ratio) * 1e-17 {
            break;
        }
    }
    scale + sum.ln()
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    /// By the definition: the sum over how the rows fall on two values, then the recurrence.
    fn by_recurrence(count: u64, arity: usize) -> f64 {
        let n = count as f64;
        let power = |x: f64| if x == 0.0 { 0.0 } else { x * (x / n).ln() };
        let two: f64 = (0..=count)
            .map(|h| {
                let h = h as f64;
                let choose = ln_gamma(n + 1.0) - ln_gamma(h + 1.0) - ln_gamma(n - h + 1.0);
                (choose + power(h) + power(n - h)).exp()
            })
            .sum();
        let (mut before, mut last) = (1.0, two);
        for r in 1..arity - 1 {
            (before, last) = (last, last + n / r as f64 * before);
        }
        if arity == 1 { 0.0 } else { last.ln() }
    }

    #[test]
    fn the_regret_is_that_of_the_recurrence() {
        for count in [1, 2, 3, 10, 100, 1000] {
            assert_relative_eq!(ln_regret(count, 1.0), 0.0);
            for arity in [2, 3, 4, 7, 30, 200] {
                assert_relative_eq!(
                    ln_regret(count, arity as f64),
                    by_recurrence(count, arity),
                    max_relative = 1e-11
                );
            }
        }
        assert_relative_eq!(ln_regret(0, 5.0), 0.0);
    }

    #[test]
    fn the_regret_of_more_values_than_can_be_counted_is_finite() {
        assert_relative_eq!(ln_regret(1, 1e30), 1e30_f64.ln(), max_relative = 1e-14);
        // Two equal rows have likelihood 1, two different ones 1/4.
        let two_rows = (1e30 + 1e30 * (1e30 - 1.0) / 4.0_f64).ln();
        assert_relative_eq!(ln_regret(2, 1e30), two_rows, max_relative = 1e-14);
        assert!(ln_regret(5000, 1e30).is_finite());
    }

    #[test]
    fn tables_hold_the_values() {
        for term in
            [Term::CountLogCount, Term::Rising(1e-9), Term::Rising(0.7), Term::Rising(3.0), Term::Regret(3.0)]
        {
            for (count, &value) in term.table(3000).iter().enumerate() {
                assert_relative_eq!(value, term.at(count as u64), max_relative = 1e-12, epsilon = 1e-12);
            }
        }
    }
}
