//! Nemenyi's test after Friedman's.

use serde::Serialize;

use super::studentized_range::upper_quantile;
use super::{Friedman, check_level};
use crate::{Error, Result};

/// Which learners of a Friedman test differ from which: what a critical-difference diagram shows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Nemenyi {
    /// Mean ranks that are so far apart, or further, differ significantly.
    pub critical_difference: f64,
    /// The largest groups of two or more learners no two of which differ significantly, each a list of the learners' numbers
    /// (from 0) from the best mean rank to the worst. Groups may overlap, and come in the order of their best.
    pub groups: Vec<Vec<usize>>,
}

/// The critical difference of Nemenyi's test (1963; Demšar 2006): √(k(k+1)/(6M)) q for k learners over M data sets, where √2 q
/// is exceeded by the range of k independent standard normal variables with probability `level`.
///
/// # Errors
/// [`Error::BadLevel`] unless 0 < `level` < 1, [`Error::TooFewToCompare`] below two learners or one data set.
///
/// # Examples
/// ```
/// use bnc_eval::nemenyi_critical_difference;
/// let difference = nemenyi_critical_difference(4, 14, 0.05)?;
/// assert!((difference - 1.2536).abs() < 5e-5);
/// # Ok::<(), bnc_eval::Error>(())
/// ```
pub fn nemenyi_critical_difference(learners: usize, data_sets: usize, level: f64) -> Result<f64> {
    check_level(level)?;
    if learners < 2 || data_sets < 1 {
        return Err(Error::TooFewToCompare { learners, data_sets });
    }
    let (k, m) = (learners as f64, data_sets as f64);
    Ok(upper_quantile(learners, level) * (k * (k + 1.0) / (12.0 * m)).sqrt())
}

impl Friedman {
    /// Nemenyi's test of every learner against every other, at a level of significance.
    ///
    /// # Errors
    /// Those of [`nemenyi_critical_difference`].
    pub fn nemenyi(&self, level: f64) -> Result<Nemenyi> {
        let critical_difference = nemenyi_critical_difference(self.mean_ranks.len(), self.data_sets, level)?;
        Ok(Nemenyi { critical_difference, groups: groups(&self.mean_ranks, critical_difference) })
    }
}

/// The largest groups of two or more whose ranks lie less than a distance apart.
fn groups(ranks: &[f64], distance: f64) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..ranks.len()).collect();
    order.sort_by(|&a, &b| ranks[a].total_cmp(&ranks[b]));
    let mut groups = Vec::new();
    let mut covered = 0;
    for start in 0..order.len() {
        let near = order[start..].iter().take_while(|&&other| ranks[other] - ranks[order[start]] < distance);
        let end = start + near.count();
        // A group that ends where another did is a part of it.
        if end > covered && end - start > 1 {
            groups.push(order[start..end].to_vec());
        }
        covered = covered.max(end);
    }
    groups
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn agrees_with_published_tables() {
        // Demšar (2006), Table 5(a), three decimals.
        let at_05 = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164];
        let at_10 = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920];
        for (level, table) in [(0.05, at_05), (0.1, at_10)] {
            for (learners, q) in (2_usize..).zip(table) {
                let k = learners as f64;
                let found = nemenyi_critical_difference(learners, 1, level).unwrap();
                // The table is off by up to one in its last place.
                assert_abs_diff_eq!(found / (k * (k + 1.0) / 6.0).sqrt(), q, epsilon = 1e-3);
            }
        }
        // 1.4245 is published for 7 learners on 40 sets, with q as in the table.
        assert_abs_diff_eq!(nemenyi_critical_difference(7, 40, 0.05).unwrap(), 1.4245, epsilon = 5e-4);
        assert_abs_diff_eq!(
            nemenyi_critical_difference(7, 40, 0.05).unwrap(),
            1.424_173_871_4,
            epsilon = 1e-9
        );
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        assert!(matches!(nemenyi_critical_difference(3, 5, 1.0), Err(Error::BadLevel { .. })));
        assert!(matches!(nemenyi_critical_difference(1, 5, 0.1), Err(Error::TooFewToCompare { .. })));
        assert!(matches!(nemenyi_critical_difference(2, 0, 0.1), Err(Error::TooFewToCompare { .. })));
    }

    #[test]
    fn groups_by_hand() {
        let ranks = [3.1, 1.0, 2.0, 1.9, 4.5];
        assert_eq!(groups(&ranks, 1.15), [vec![1, 3, 2], vec![2, 0]]);
        assert_eq!(groups(&ranks, 1.25), [vec![1, 3, 2], vec![3, 2, 0]]);
        assert_eq!(groups(&ranks, 0.05), Vec::<Vec<usize>>::new());
        assert_eq!(groups(&ranks, 9.0), [vec![1, 3, 2, 0, 4]]);
        // A distance that is reached is significant.
        assert_eq!(groups(&[1.0, 2.0], 1.0), Vec::<Vec<usize>>::new());
    }

    proptest! {
        #[test]
        fn groups_are_the_maximal_cliques(ranks in prop::collection::vec((0_u8..30).prop_map(f64::from), 0..8), distance in 0_u8..20) {
            let distance = f64::from(distance);
            let n = ranks.len();
            let members = |set: u32| (0..n).filter(move |i| set >> i & 1 == 1);
            let is_clique = |set: u32| members(set).all(|a| members(set).all(|b| a == b || (ranks[a] - ranks[b]).abs() < distance));
            let is_maximal = |set: u32| (0..n).all(|i| set >> i & 1 == 1 || !is_clique(set | 1 << i));
            let mut expected: Vec<Vec<usize>> = (0..1 << n)
                .filter(|&set: &u32| set.count_ones() > 1 && is_clique(set) && is_maximal(set))
                .map(|set| members(set).collect())
                .collect();
            let mut found = groups(&ranks, distance);
            prop_assert!(found.iter().all(|group| group.is_sorted_by(|&a, &b| ranks[a] <= ranks[b])));
            for group in &mut found {
                group.sort_unstable();
            }
            found.sort();
            expected.sort();
            prop_assert_eq!(found, expected);
        }
    }
}
