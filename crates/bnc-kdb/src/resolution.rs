//! Substitution-elimination resolution (Wang et al. 2015): functional dependencies between the values of one row.

/// The first k of the candidates that say something new: one that another kept one implies is passed over, and one that
/// implies kept ones takes their place. Of values that imply each other the first stays.
///
/// This is the paper's substitution: given a value, what it implies is redundant among the parents, and the next candidate
/// takes its place.
pub(crate) fn substitute(
    candidates: impl Iterator<Item = usize>,
    k: usize,
    implies: impl Fn(usize, usize) -> bool,
) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    for candidate in candidates {
        if kept.len() == k {
            break;
        }
        if !kept.iter().any(|&other| implies(other, candidate)) {
            kept.retain(|&other| !implies(candidate, other));
            kept.push(candidate);
        }
    }
    kept
}

/// Whether one of some values implies another of them.
pub(crate) fn redundant(values: &[usize], implies: impl Fn(usize, usize) -> bool) -> bool {
    values.iter().any(|&a| values.iter().any(|&b| a != b && implies(a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_candidate_takes_the_place_of_a_redundant_one() {
        let implies = |a, b| (a, b) == (0, 1);
        assert_eq!(substitute([0, 1, 2, 3].into_iter(), 2, implies), [0, 2]);
        assert_eq!(substitute([0, 1].into_iter(), 2, implies), [0], "nothing is left");
        // The special value comes later: it takes the place of the general one.
        assert_eq!(substitute([1, 2, 0, 3].into_iter(), 3, implies), [2, 0, 3]);
        assert_eq!(substitute([1, 2, 0, 3].into_iter(), 2, implies), [1, 2], "it is not reached");
        assert_eq!(substitute([1, 0, 2].into_iter(), 0, implies), [0; 0]);
    }

    #[test]
    fn chains_leave_their_most_special_value() {
        let implies = |a, b| a < b && b < 3;
        for chain in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            assert_eq!(substitute(chain.into_iter(), 2, implies), [0], "{chain:?}");
        }
        assert_eq!(substitute([2, 5, 1, 0, 7].into_iter(), 3, implies), [5, 0, 7]);
    }

    #[test]
    fn of_values_that_imply_each_other_the_first_stays() {
        let implies = |a: usize, b: usize| a.max(b) < 2 && a != b;
        assert_eq!(substitute([1, 0, 2].into_iter(), 2, implies), [1, 2]);
        assert!(redundant(&[1, 0], implies) && !redundant(&[1, 2], implies));
    }
}
