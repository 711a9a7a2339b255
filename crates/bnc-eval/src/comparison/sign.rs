//! The sign test.

use serde::Serialize;
use statrs::distribution::{Binomial, DiscreteCDF};

use super::Ties;

/// A sign test of the hypothesis that wins and losses are as likely as each other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SignTest {
    /// The wins, with their share of the ties.
    pub wins: u64,
    /// The losses, with their share of the ties.
    pub losses: u64,
    /// The two-tailed p-value.
    pub p: f64,
    /// The one-tailed p-value of wins being more likely than losses.
    pub p_greater: f64,
}

/// The sign test (Sheskin 2000; Demšar 2006, section 3.1.4) of a learner against another that it beats on `wins` data sets,
/// equals on `ties` and is beaten by on `losses`. Both p-values are exact: with n = wins + losses, the one-tailed is
/// P(X ≥ wins) of X ~ Binomial(n, ½), the two-tailed twice the smaller tail, up to 1. Without wins and losses both are 1.
///
/// # Examples
/// ```
/// use bnc_eval::{Ties, sign_test};
/// let test = sign_test(10, 2, 2, Ties::Drop);
/// assert!((test.p - 0.0386).abs() < 5e-5);
/// let split = sign_test(10, 2, 2, Ties::Split);
/// assert_eq!((split.wins, split.losses), (11, 3));
/// assert!((split.p_greater - 0.0287).abs() < 5e-5);
/// ```
#[must_use]
pub fn sign_test(wins: u64, ties: u64, losses: u64, rule: Ties) -> SignTest {
    let share = match rule {
        Ties::Drop => 0,
        Ties::Split => ties / 2,
    };
    let (wins, losses) = (wins + share, losses + share);
    let (p_greater, p_less) = (at_least(wins, wins + losses), at_least(losses, wins + losses));
    SignTest { wins, losses, p: (2.0 * p_greater.min(p_less)).min(1.0), p_greater }
}

/// P(X ≥ wins) of X ~ Binomial(n, ½).
fn at_least(wins: u64, n: u64) -> f64 {
    // Below every value lies all probability; ½ is a probability, so that there is a distribution.
    let below = wins.checked_sub(1).zip(Binomial::new(0.5, n).ok());
    below.map_or(1.0, |(below, distribution)| distribution.sf(below))
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn agrees_with_scipy() {
        // scipy.stats.binomtest 1.17.1.
        for (wins, losses, p, p_greater) in [
            (15, 9, 0.307_456_254_959_106_45, 0.153_728_127_479_553_22),
            (11, 3, 0.057_373_046_875, 0.028_686_523_437_5),
            (3, 20, 0.000_488_281_25, 0.999_966_979_026_794_4),
            (60, 31, 0.003_112_689_848_393_76, 0.001_556_344_924_196_88),
            (5, 5, 1.0, 0.623_046_875),
            (1, 0, 1.0, 0.5),
            (0, 4, 0.125, 1.0),
            (0, 0, 1.0, 1.0),
        ] {
            let test = sign_test(wins, 7, losses, Ties::Drop);
            assert_eq!((test.wins, test.losses), (wins, losses));
            assert_relative_eq!(test.p, p, max_relative = 1e-11);
            assert_relative_eq!(test.p_greater, p_greater, max_relative = 1e-11);
        }
    }

    #[test]
    fn an_odd_tie_is_left_out() {
        assert_eq!(sign_test(4, 3, 1, Ties::Split), sign_test(5, 0, 2, Ties::Split));
    }

    #[test]
    fn equals_the_sum_of_binomial_coefficients() {
        for n in 0..30_u64 {
            let mut coefficient = 1.0;
            let mut tail = 0.0;
            for wins in (0..=n).rev() {
                tail += coefficient / 2.0_f64.powi(n as i32);
                assert_relative_eq!(at_least(wins, n), tail, max_relative = 1e-12);
                coefficient = coefficient * wins as f64 / (n - wins + 1) as f64;
            }
        }
    }
}
