//! Adjusting p-values for there being several of them: each is multiplied so that no true hypothesis among them is rejected
//! with a probability above the level.

/// The p-values adjusted by Holm's step-down procedure (1979), in the order given: the i-th smallest of n becomes
/// max over j ≤ i of (n − j + 1) p₍ⱼ₎, up to 1. It holds for tests that depend on each other in any way.
///
/// A value that is no probability counts as 1.
///
/// # Examples
/// ```
/// use bnc_eval::holm;
/// assert_eq!(holm(&[0.5, 0.125, 0.25]), [0.5, 0.375, 0.5]);
/// ```
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    adjust(p_values, |sorted| {
        let mut highest = 0.0_f64;
        let factors = (1..=sorted.len()).rev();
        let step = |(p, factor): (&f64, usize)| {
            highest = highest.max(factor as f64 * p).min(1.0);
            highest
        };
        sorted.iter().zip(factors).map(step).collect()
    })
}

/// The p-values adjusted by Hommel's procedure (1988), in the order given: never above Holm's, for independent tests and for
/// such as are positively dependent in the way that Simes' inequality needs.
///
/// It is the closure of Simes' test (1986): the adjusted value of a hypothesis is the largest of Simes' p = min over j of
/// s p₍ⱼ₎ / j among all sets of s hypotheses that contain it. The largest of one size is that of the hypothesis with the
/// s − 1 largest others.
///
/// A value that is no probability counts as 1.
///
/// # Complexity
/// O(n²) for n p-values.
///
/// # Examples
/// ```
/// use bnc_eval::hommel;
/// assert_eq!(hommel(&[0.5, 0.125, 0.25]), [0.5, 0.375, 0.5]);
/// assert_eq!(hommel(&[0.5, 0.6]), [0.6, 0.6]);
/// ```
#[must_use]
pub fn hommel(p_values: &[f64]) -> Vec<f64> {
    adjust(p_values, |sorted| {
        let count = sorted.len();
        let mut adjusted = vec![0.0_f64; count];
        for size in 1..=count {
            let others = count - size;
            let term = |j: usize, p: f64| size as f64 * p / j as f64;
            let of_the_others = (2..=size).map(|j| term(j, sorted[others + j - 1])).fold(1.0, f64::min);
            for (index, adjusted) in adjusted.iter_mut().enumerate() {
                let simes = term(1, sorted[index.min(others)]).min(of_the_others);
                *adjusted = adjusted.max(simes);
            }
        }
        adjusted
    })
}

/// Adjusts the sorted values, each of which goes back to where it came from.
fn adjust(p_values: &[f64], adjusted: impl FnOnce(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let probability = |&p: &f64| if (0.0..=1.0).contains(&p) { p } else { 1.0 };
    let values: Vec<f64> = p_values.iter().map(probability).collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let sorted: Vec<f64> = order.iter().map(|&index| values[index]).collect();
    let mut result = vec![0.0; values.len()];
    for (index, p) in order.into_iter().zip(adjusted(&sorted)) {
        result[index] = p;
    }
    result
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        found.iter().zip(expected).for_each(|(found, expected)| {
            assert_abs_diff_eq!(found, expected, epsilon = 1e-14);
        });
    }

    /// `statsmodels.stats.multitest.multipletests` 0.15.0, which for these gives what R's `p.adjust` defines.
    #[test]
    fn agrees_with_statsmodels() {
        let p = [0.01, 0.02, 0.03, 0.04, 0.05];
        check(&holm(&p), &[0.05, 0.08, 0.09, 0.09, 0.09]);
        check(&hommel(&p), &[0.05; 5]);
        let p = [0.001, 0.01, 0.04, 0.03, 0.005, 0.5, 0.9];
        check(&holm(&p), &[0.007, 0.05, 0.12, 0.12, 0.03, 1.0, 1.0]);
        check(&hommel(&p), &[0.007, 0.05, 0.12, 0.09, 0.03, 0.9, 0.9]);
        let p = [0.2, 0.011, 0.011, 0.7, 0.04, 0.0004, 0.013, 0.03];
        check(&holm(&p), &[0.4, 0.077, 0.077, 0.7, 0.12, 0.0032, 0.077, 0.12]);
        check(&hommel(&p), &[0.4, 0.055, 0.055, 0.7, 0.12, 0.0032, 0.065, 0.09]);
        let p = [0.001, 0.02, 0.021, 0.022, 0.3, 0.31, 0.8, 0.0007, 0.05, 0.05];
        check(&holm(&p), &[0.009, 0.16, 0.16, 0.16, 0.9, 0.9, 0.9, 0.007, 0.25, 0.25]);
        check(&hommel(&p), &[0.009, 0.1, 0.105, 0.11, 0.6, 0.62, 0.8, 0.0063, 0.2, 0.2]);
    }

    #[test]
    fn of_few_and_of_what_is_no_probability() {
        for adjusted in [holm, hommel] {
            assert!(adjusted(&[]).is_empty());
            check(&adjusted(&[0.04]), &[0.04]);
            check(&adjusted(&[f64::NAN, 0.01, -1.0, 7.0]), &[1.0, 0.04, 1.0, 1.0]);
        }
    }

    /// The largest p of any set that contains the hypothesis.
    fn closed(p: &[f64], test: fn(&[f64]) -> f64) -> Vec<f64> {
        let sets = || 1_u32..1 << p.len();
        let of_set = |set: u32| -> Vec<f64> {
            (0..p.len()).filter(|&index| set >> index & 1 == 1).map(|index| p[index]).collect()
        };
        let adjusted = |index: usize| {
            sets().filter(|set| set >> index & 1 == 1).map(|set| test(&of_set(set))).fold(0.0, f64::max)
        };
        (0..p.len()).map(adjusted).collect()
    }

    fn bonferroni(p: &[f64]) -> f64 {
        (p.len() as f64 * p.iter().copied().fold(1.0, f64::min)).min(1.0)
    }

    fn simes(p: &[f64]) -> f64 {
        let mut sorted = p.to_vec();
        sorted.sort_by(f64::total_cmp);
        let terms = sorted.iter().zip(1..).map(|(p, j)| p * sorted.len() as f64 / f64::from(j));
        terms.fold(1.0, f64::min)
    }

    proptest! {
        #[test]
        fn equal_the_closed_tests(p in prop::collection::vec(prop_oneof![0.0..=1.0, 0.0..0.1, Just(0.03)], 1..=6)) {
            let (holm, hommel) = (holm(&p), hommel(&p));
            check(&holm, &closed(&p, bonferroni));
            check(&hommel, &closed(&p, simes));
        }

        #[test]
        fn keep_the_order(p in prop::collection::vec(prop_oneof![0.0..=1.0, 0.0..0.01], 1..40)) {
            let (holm, hommel) = (holm(&p), hommel(&p));
            for (a, &raw) in p.iter().enumerate() {
                prop_assert!(raw <= hommel[a] && hommel[a] <= holm[a] + 1e-15 && holm[a] <= 1.0);
                for b in (0..p.len()).filter(|&b| raw <= p[b]) {
                    prop_assert!(hommel[a] <= hommel[b] && holm[a] <= holm[b]);
                }
            }
        }
    }
}
