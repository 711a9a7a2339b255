//! Structures of limited dependence: features in an order, each with a few earlier ones as parents.

use crate::Structure;
use crate::forest::heaviest_first;

/// The k-dependence structure (Sahami 1996): the class is a parent of every feature; features are placed by falling
/// `relevance`, and each has as further parents the k placed before it with the highest link to it, all of them while
/// there are no more than k.
///
/// Parents are listed by falling link. Ties in relevance go to the lower feature, ties in link to the feature placed
/// earlier. `link` has one entry a pair in lexicographic order: (0, 1), (0, 2), …, (1, 2), …. `NaN` counts as less than
/// any number.
///
/// # Panics
/// When `link` has not one entry a pair of features.
///
/// # Examples
/// ```
/// use bnc_structure::k_dependence;
/// // Placed as 2, 0, 1; the pairs are (0,1), (0,2), (1,2).
/// let structure = k_dependence(&[0.2, 0.1, 0.3], &[0.5, 0.1, 0.7], 1);
/// assert_eq!(structure.arcs().collect::<Vec<_>>(), [(2, 0), (2, 1)]);
/// let structure = k_dependence(&[0.2, 0.1, 0.3], &[0.5, 0.1, 0.7], 2);
/// assert_eq!(structure.features()[1].parents, [2, 0]);
/// ```
#[must_use]
pub fn k_dependence(relevance: &[f64], link: &[f64], k: usize) -> Structure {
    let features = relevance.len();
    assert_eq!(link.len(), features * features.saturating_sub(1) / 2, "one link a pair of features");
    let link = |a: usize, b: usize| {
        let (i, j) = (a.min(b), a.max(b));
        link[i * features - i * (i + 1) / 2 + j - i - 1]
    };
    let mut order: Vec<usize> = (0..features).collect();
    sort_by_relevance(&mut order, |feature| relevance[feature]);
    let mut parents = vec![Vec::new(); features];
    let mut strongest = Vec::new();
    for (place, &feature) in order.iter().enumerate() {
        strongest_links(&order[..place], k, |placed| link(feature, placed), &mut strongest);
        parents[feature] = strongest.iter().map(|(_, parent)| *parent).collect();
    }
    // Parents come earlier in the order, so there is no cycle; naive Bayes stands for the impossible case.
    Structure::augmented(parents).unwrap_or_else(|_| Structure::naive(features))
}

/// Sorts features by falling relevance, ties by the lower feature: the first half of [`k_dependence`], for whoever builds
/// many structures.
pub fn sort_by_relevance(features: &mut [usize], relevance: impl Fn(usize) -> f64) {
    features.sort_unstable_by(|&a, &b| heaviest_first(relevance(a), relevance(b)).then(a.cmp(&b)));
}

/// The k of the features `placed` with the highest link, by falling link, ties by the earlier place: the second half of
/// [`k_dependence`]. `strongest` is emptied first, and holds links and features.
pub fn strongest_links(
    placed: &[usize],
    k: usize,
    link: impl Fn(usize) -> f64,
    strongest: &mut Vec<(f64, usize)>,
) {
    // Few of many are inserted one by one, else all are sorted.
    const FEW: usize = 16;
    strongest.clear();
    if k > FEW {
        strongest.extend(placed.iter().map(|&feature| (link(feature), feature)));
        strongest.sort_by(|a, b| heaviest_first(a.0, b.0));
        strongest.truncate(k);
        return;
    }
    for &feature in placed {
        let link = link(feature);
        let place = strongest.partition_point(|(stronger, _)| heaviest_first(*stronger, link).is_le());
        if place < k {
            strongest.truncate(k - 1);
            strongest.insert(place, (link, feature));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, by stable sorting.
    fn by_definition(relevance: &[f64], link: impl Fn(usize, usize) -> f64, k: usize) -> Vec<Vec<usize>> {
        let mut order: Vec<usize> = (0..relevance.len()).collect();
        order.sort_by(|&a, &b| relevance[b].total_cmp(&relevance[a]));
        let mut parents = vec![Vec::new(); relevance.len()];
        for (place, &feature) in order.iter().enumerate() {
            let mut placed = order[..place].to_vec();
            placed.sort_by(|&a, &b| link(feature, b).total_cmp(&link(feature, a)));
            placed.truncate(k);
            parents[feature] = placed;
        }
        parents
    }

    proptest! {
        // Few different numbers, so that there are many ties.
        #[test]
        fn equal_to_the_definition(
            relevance in prop::collection::vec((0_i8..4).prop_map(f64::from), 6),
            links in prop::collection::vec((-2_i8..3).prop_map(f64::from), 15),
            k in 0_usize..8,
        ) {
            let link = |a: usize, b: usize| {
                let pairs: Vec<(usize, usize)> = (0..6).flat_map(|i| (i + 1..6).map(move |j| (i, j))).collect();
                links[pairs.iter().position(|&pair| pair == (a.min(b), a.max(b))).unwrap()]
            };
            let structure = k_dependence(&relevance, &links, k);
            let parents: Vec<Vec<usize>> =
                structure.features().iter().map(|family| family.parents.clone()).collect();
            prop_assert_eq!(parents, by_definition(&relevance, link, k));
            prop_assert!(structure.features().iter().all(|family| family.class));
            // The i-th placed feature has min(i, k) parents.
            prop_assert_eq!(structure.arcs().count(), (0..6).map(|place: usize| place.min(k)).sum::<usize>());
        }
    }

    #[test]
    fn few_are_the_first_of_many() {
        let placed: Vec<usize> = (0..40).rev().collect();
        let link = |feature: usize| (feature * 7 % 5) as f64;
        let (mut all, mut few) = (Vec::new(), Vec::new());
        strongest_links(&placed, 40, link, &mut all);
        assert_eq!(all.len(), 40);
        for k in 0..40 {
            strongest_links(&placed, k, link, &mut few);
            assert_eq!(few, all[..k]);
        }
    }

    #[test]
    fn no_dependence_is_naive_bayes() {
        assert_eq!(k_dependence(&[0.1, 0.3, 0.2], &[1.0, 2.0, 3.0], 0), Structure::naive(3));
        assert_eq!(k_dependence(&[], &[], 2), Structure::naive(0));
        assert_eq!(k_dependence(&[0.1], &[], 2), Structure::naive(1));
    }

    #[test]
    fn ties_go_to_the_lower_feature_and_the_earlier_place() {
        let structure = k_dependence(&[0.0, 1.0, 0.0], &[1.0; 3], 1);
        assert_eq!(structure.arcs().collect::<Vec<_>>(), [(1, 0), (1, 2)]);
    }

    #[test]
    fn what_is_no_number_comes_last() {
        let structure = k_dependence(&[f64::NAN, 1.0, 2.0], &[f64::NAN, 0.5, 0.1], 1);
        assert_eq!(structure.arcs().collect::<Vec<_>>(), [(2, 0), (2, 1)]);
    }
}
