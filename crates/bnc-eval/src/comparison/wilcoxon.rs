//! The signed-ranks test.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

use super::Ties;
use super::ranks::{Ranks, ranks};

/// Up to so many differences the p-values are exact, the limit of `SciPy`.
const EXACT: usize = 50;

/// A signed-ranks test of the hypothesis that differences are distributed symmetrically around 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct WilcoxonTest {
    /// The differences that were ranked.
    pub n: usize,
    /// The sum of the ranks of differences above 0, with its share of those that are 0.
    pub positive_ranks: f64,
    /// The sum of the ranks of differences below 0, with its share of those that are 0.
    pub negative_ranks: f64,
    /// The standardised sum of the positive ranks, from which the p-values come; `None` where they are exact.
    pub z: Option<f64>,
    /// The two-tailed p-value.
    pub p: f64,
    /// The one-tailed p-value of differences being above 0 rather than below.
    pub p_greater: f64,
}

/// The signed-ranks test of Wilcoxon (1945) over the differences of two learners, one a data set: the sizes of the
/// differences are ranked, equal ones sharing the mean of their ranks. `zeros` says what becomes of differences of 0.
///
/// Without ties and zeros among at most 50 ranked differences, the p-values are exact. Otherwise they are those of the normal
/// approximation without correction for continuity: with n differences, `z = (W − n(n+1)/4) / √(n(n+1)(2n+1)/24 − Σ(t³−t)/48)`
/// for the positive ranks' sum W and groups of t equal sizes, the split zeros among them. Without any difference to rank
/// both p-values are 1.
///
/// Differences are ranked as they are: round them first where rounding errors tell apart what should be the same size
/// (0.3 − 0.2 and 0.2 − 0.1). `None` when one is NaN.
///
/// # Examples
/// ```
/// use bnc_eval::{Ties, wilcoxon};
/// let test = wilcoxon(&[3.0, -1.0, 5.0, 2.0, -4.0, 6.0, 8.0], Ties::Drop).unwrap();
/// assert_eq!((test.positive_ranks, test.negative_ranks), (23.0, 5.0));
/// assert_eq!((test.p, test.z), (0.15625, None));
/// ```
#[must_use]
pub fn wilcoxon(differences: &[f64], zeros: Ties) -> Option<WilcoxonTest> {
    if differences.iter().any(|difference| difference.is_nan()) {
        return None;
    }
    let is_zero = |difference: &&f64| **difference == 0.0;
    let kept_zeros = match zeros {
        Ties::Drop => 0,
        Ties::Split => differences.iter().filter(is_zero).count() / 2 * 2,
    };
    let ranked: Vec<f64> = differences
        .iter()
        .filter(|difference| !is_zero(difference))
        .copied()
        .chain(std::iter::repeat_n(0.0, kept_zeros))
        .collect();
    let sizes: Vec<f64> = ranked.iter().map(|difference| difference.abs()).collect();
    let Ranks { of: ranks, ties } = ranks(&sizes);
    let sum = |share: fn(f64) -> f64| -> f64 {
        ranked.iter().zip(&ranks).map(|(&difference, rank)| share(difference) * rank).sum()
    };
    let positive_ranks =
        sum(|difference| f64::midpoint(f64::from(difference > 0.0), f64::from(difference >= 0.0)));
    let negative_ranks =
        sum(|difference| f64::midpoint(f64::from(difference < 0.0), f64::from(difference <= 0.0)));
    let n = ranked.len();
    let (z, p_greater, p_less) = if n <= EXACT && ties == 0.0 && kept_zeros == 0 {
        (None, at_least(positive_ranks, n), at_least(negative_ranks, n))
    } else {
        let count = n as f64;
        let variance = count * (count + 1.0) * (2.0 * count + 1.0) / 24.0 - ties / 48.0;
        let z = (positive_ranks - count * (count + 1.0) / 4.0) / variance.sqrt();
        let normal = Normal::standard();
        (Some(z), normal.sf(z), normal.sf(-z))
    };
    let p = (2.0 * p_greater.min(p_less)).min(1.0);
    Some(WilcoxonTest { n, positive_ranks, negative_ranks, z, p, p_greater })
}

/// The probability that the ranks 1 to n, each taken with probability ½, sum to `sum` or more.
fn at_least(sum: f64, n: usize) -> f64 {
    let mut probabilities = vec![0.0; n * (n + 1) / 2 + 1];
    probabilities[0] = 1.0;
    for rank in 1..=n {
        for total in (0..probabilities.len()).rev() {
            let without = probabilities[total];
            let with = total.checked_sub(rank).map_or(0.0, |rest| probabilities[rest]);
            probabilities[total] = f64::midpoint(without, with);
        }
    }
    (0_u32..).zip(probabilities).filter(|&(total, _)| f64::from(total) >= sum).map(|(_, p)| p).sum()
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    use super::*;

    /// The values of `scipy.stats.wilcoxon` 1.17.1 without `correction`.
    #[track_caller]
    fn check(differences: &[f64], zeros: Ties, sums: (f64, f64), z: Option<f64>, p: (f64, f64)) {
        let test = wilcoxon(differences, zeros).unwrap();
        assert_eq!((test.positive_ranks, test.negative_ranks), sums);
        assert_eq!(test.z.is_some(), z.is_some());
        if let (Some(found), Some(expected)) = (test.z, z) {
            assert_relative_eq!(found, expected, max_relative = 1e-12);
        }
        assert_relative_eq!(test.p, p.0, max_relative = 1e-10);
        assert_relative_eq!(test.p_greater, p.1, max_relative = 1e-10);
    }

    /// 1, 2, …, of which every `period`-th is negative.
    fn numbers(count: i32, period: i32) -> Vec<f64> {
        (1..=count).map(|i| f64::from(if i % period == 0 { -i } else { i })).collect()
    }

    /// The differences of Demšar (2006), Table 2, in thousandths.
    const DEMSAR: [f64; 14] = [5.0, -8.0, 17.0, 33.0, 6.0, -5.0, 7.0, 0.0, 63.0, 0.0, 22.0, 47.0, 9.0, 21.0];

    #[test]
    fn exact_values_agree_with_scipy() {
        let seven = [0.03, -0.01, 0.05, 0.02, -0.04, 0.06, 0.08];
        check(&seven, Ties::Drop, (23.0, 5.0), None, (0.15625, 0.078_125));
        let sums = (147.0, 63.0);
        check(&numbers(20, 3), Ties::Drop, sums, None, (0.123_092_651_367_187_5, 0.061_546_325_683_593_75));
        let sums = (963.0, 312.0);
        check(
            &numbers(50, 4),
            Ties::Drop,
            sums,
            None,
            (0.001_330_357_872_394_216_7, 0.000_665_178_936_197_108_3),
        );
    }

    #[test]
    fn approximate_values_agree_with_scipy() {
        let z = Some(3.290_086_870_618_966_3);
        let p = (0.001_001_564_564_926_420_9, 0.000_500_782_282_463_210_4);
        check(&numbers(51, 4), Ties::Drop, (1014.0, 312.0), z, p);
        let tied = [1.0, 1.0, 2.0, -2.0, 3.0, 3.0, 3.0, -4.0, 5.0, 6.0, -6.0, 7.0];
        let z = Some(1.337_194_717_998_756_4);
        check(&tied, Ties::Drop, (56.0, 22.0), z, (0.181_159_085_608_046_94, 0.090_579_542_804_023_47));
        let z = Some(2.550_490_903_554_589);
        check(&DEMSAR, Ties::Drop, (71.5, 6.5), z, (0.010_757_133_119_789_63, 0.005_378_566_559_894_815));
        // `zero_method="zsplit"`.
        let z = Some(2.543_700_886_736_377);
        check(&DEMSAR, Ties::Split, (93.0, 12.0), z, (0.010_968_496_564_224_73, 0.005_484_248_282_112_365));
        let zeros = [0.0, 0.0, 0.0, 0.0, 3.0, -1.0, 4.0, -1.0, 5.0, 9.0, -2.0, 6.0];
        let z = Some(1.260_487_425_269_683);
        check(&zeros, Ties::Split, (55.0, 23.0), z, (0.207_493_581_307_773_4, 0.103_746_790_653_886_7));
    }

    #[test]
    fn agrees_with_demsar() {
        // "R⁺ = 93 and R⁻ = 12", z = −2.54 for the smaller, both with the zeros' ranks split.
        let test = wilcoxon(&DEMSAR, Ties::Split).unwrap();
        assert!((test.z.unwrap() - 2.54).abs() < 0.005);
    }

    #[test]
    fn an_odd_zero_is_left_out() {
        let with = [&DEMSAR[..], &[0.0]].concat();
        assert_eq!(wilcoxon(&with, Ties::Split), wilcoxon(&DEMSAR, Ties::Split));
        assert_eq!(wilcoxon(&[1.0, -2.0, 0.0], Ties::Split), wilcoxon(&[1.0, -2.0], Ties::Drop));
    }

    #[test]
    fn without_differences() {
        for zeros in [&[][..], &[0.0], &[0.0; 4]] {
            for rule in [Ties::Drop, Ties::Split] {
                let test = wilcoxon(zeros, rule).unwrap();
                assert_eq!((test.p, test.positive_ranks), (1.0, test.negative_ranks));
            }
        }
        assert_eq!(wilcoxon(&[1.0, f64::NAN], Ties::Drop), None);
        let infinite = wilcoxon(&[f64::INFINITY, -1.0, 2.0], Ties::Drop).unwrap();
        assert_eq!((infinite.positive_ranks, infinite.negative_ranks), (5.0, 1.0));
    }

    proptest! {
        #[test]
        fn exact_values_count_all_signs(signs in prop::collection::vec(any::<bool>(), 0..10)) {
            let differences: Vec<f64> =
                signs.iter().zip(1..).map(|(&sign, rank)| f64::from(if sign { rank } else { -rank })).collect();
            let test = wilcoxon(&differences, Ties::Drop).unwrap();
            let n = differences.len();
            let sum = |taken: u32| -> u32 { (0..n as u32).filter(|i| taken >> i & 1 == 1).map(|i| i + 1).sum() };
            let as_high = (0..1 << n).filter(|&taken| f64::from(sum(taken)) >= test.positive_ranks).count();
            // Both are exact in binary.
            prop_assert_eq!((test.z, test.p_greater), (None, as_high as f64 / f64::from(1 << n)));
        }
    }
}
