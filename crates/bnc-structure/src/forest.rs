//! Maximum spanning forests.

use std::cmp::Ordering;

use crate::Structure;

/// The augmented naive Bayes whose arcs between features are a maximum spanning forest.
///
/// The forest that Kruskal's algorithm finds over the edges `i < j` with `weight(i, j) > floor` (`None`: all edges, so that
/// the forest is a tree), heaviest first, ties by lower (i, j). Each tree is rooted at its lowest feature and arcs point away
/// from it. By the matroid property no forest of edges above the floor is heavier.
///
/// Edges are totally ordered, so there is one such forest; it is grown by Prim's algorithm in O(n²) time and, beside the
/// weights, O(n) memory.
///
/// `weights` has one entry a pair in lexicographic order: (0, 1), (0, 2), …, (1, 2), …. `NaN` weighs less than any
/// number and is never above a floor.
///
/// # Panics
/// When `weights` has not `features (features - 1) / 2` entries.
///
/// # Examples
/// ```
/// use bnc_structure::maximum_spanning_forest;
/// let tree = maximum_spanning_forest(3, &[0.1, 0.5, 0.4], None);
/// assert_eq!(tree.arcs().collect::<Vec<_>>(), [(2, 1), (0, 2)]);
/// let forest = maximum_spanning_forest(3, &[0.1, 0.5, 0.4], Some(0.45));
/// assert_eq!(forest.arcs().collect::<Vec<_>>(), [(0, 2)]);
/// ```
#[must_use]
pub fn maximum_spanning_forest(features: usize, weights: &[f64], floor: Option<f64>) -> Structure {
    assert_eq!(weights.len(), features * features.saturating_sub(1) / 2, "one weight a pair of features");
    let mut neighbours = vec![Vec::new(); features];
    let mut outside: Vec<usize> = (0..features).collect();
    // For each feature the heaviest edge that joins it to the tree which is growing.
    let mut edges: Vec<Option<Edge>> = vec![None; features];
    // Without an edge above the floor the next tree begins.
    let heaviest = |edges: &[Option<Edge>], outside: &[usize]| {
        (0..outside.len()).min_by(|&a, &b| match (edges[outside[a]], edges[outside[b]]) {
            (Some(a), Some(b)) => before(a, b),
            (a, b) => a.is_none().cmp(&b.is_none()),
        })
    };
    while let Some(place) = heaviest(&edges, &outside) {
        let joined = outside.swap_remove(place);
        if let Some((_, i, j)) = edges[joined] {
            neighbours[i].push(j);
            neighbours[j].push(i);
        }
        for &feature in &outside {
            let (i, j) = (joined.min(feature), joined.max(feature));
            let weight = weights[i * features - i * (i + 1) / 2 + j - i - 1];
            let edge = (weight, i, j);
            if floor.is_none_or(|floor| weight > floor)
                && edges[feature].is_none_or(|known| before(edge, known).is_lt())
            {
                edges[feature] = Some(edge);
            }
        }
    }
    rooted(&neighbours)
}

/// A weight and the features i < j.
type Edge = (f64, usize, usize);

/// The order in which Kruskal's algorithm takes edges.
fn before(a: Edge, b: Edge) -> Ordering {
    heaviest_first(a.0, b.0).then((a.1, a.2).cmp(&(b.1, b.2)))
}

/// The edges between features, heaviest first: sorted once for many forests over some of the features.
///
/// # Examples
/// ```
/// use bnc_structure::SortedEdges;
/// let edges = SortedEdges::new(3, &[0.1, 0.5, 0.4], None);
/// let forest = edges.maximum_spanning_forest(|feature| feature != 2);
/// assert_eq!(forest.arcs().collect::<Vec<_>>(), [(0, 1)]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortedEdges {
    features: usize,
    edges: Vec<(usize, usize)>,
}

impl SortedEdges {
    /// The edges above the floor; parameters, ties and `NaN` as for [`maximum_spanning_forest`].
    ///
    /// # Panics
    /// When `weights` has not `features (features - 1) / 2` entries.
    #[must_use]
    pub fn new(features: usize, weights: &[f64], floor: Option<f64>) -> Self {
        assert_eq!(weights.len(), features * features.saturating_sub(1) / 2, "one weight a pair of features");
        let pairs = (0..features).flat_map(|i| (i + 1..features).map(move |j| (i, j)));
        let mut edges: Vec<Edge> = pairs
            .zip(weights)
            .filter(|(_, weight)| floor.is_none_or(|floor| **weight > floor))
            .map(|((i, j), &weight)| (weight, i, j))
            .collect();
        edges.sort_by(|&a, &b| before(a, b));
        Self { features, edges: edges.into_iter().map(|(_, i, j)| (i, j)).collect() }
    }

    /// The heaviest forest of the edges between the features to keep; the other features have no arcs.
    #[must_use]
    pub fn maximum_spanning_forest(&self, keep: impl Fn(usize) -> bool) -> Structure {
        let kept: Vec<bool> = (0..self.features).map(keep).collect();
        let mut trees = kept.iter().filter(|kept| **kept).count();
        let mut neighbours = vec![Vec::new(); self.features];
        let mut components = Components::new(self.features);
        for &(i, j) in self.edges.iter().filter(|&&(i, j)| kept[i] && kept[j]) {
            if trees <= 1 {
                break;
            }
            if components.join(i, j) {
                trees -= 1;
                neighbours[i].push(j);
                neighbours[j].push(i);
            }
        }
        rooted(&neighbours)
    }
}

/// Falling weights; what is no number comes last.
pub(crate) fn heaviest_first(a: f64, b: f64) -> Ordering {
    // -0 and 0 tie, as numbers do.
    b.partial_cmp(&a).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}

/// Arcs away from the lowest feature of each tree.
fn rooted(neighbours: &[Vec<usize>]) -> Structure {
    let mut parents = vec![Vec::new(); neighbours.len()];
    let mut reached = vec![false; neighbours.len()];
    let mut stack = Vec::new();
    for root in 0..neighbours.len() {
        if !reached[root] {
            reached[root] = true;
            stack.push(root);
        }
        while let Some(node) = stack.pop() {
            for &child in &neighbours[node] {
                if !reached[child] {
                    reached[child] = true;
                    parents[child].push(node);
                    stack.push(child);
                }
            }
        }
    }
    // A forest has no cycle; naive Bayes stands for the impossible case.
    Structure::augmented(parents).unwrap_or_else(|_| Structure::naive(neighbours.len()))
}

/// Disjoint sets with path halving.
struct Components(Vec<usize>);

impl Components {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn find(&mut self, mut node: usize) -> usize {
        while self.0[node] != node {
            self.0[node] = self.0[self.0[node]];
            node = self.0[node];
        }
        node
    }

    /// Whether the two were apart.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
        a != b
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "sums of small whole numbers are exact")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The weight of the heaviest forest of edges above the floor, by trying all sets of edges.
    fn brute_force(features: usize, weights: &[f64], floor: Option<f64>, spanning: bool) -> f64 {
        let pairs: Vec<(usize, usize)> =
            (0..features).flat_map(|i| (i + 1..features).map(move |j| (i, j))).collect();
        let mut best = f64::NEG_INFINITY;
        for set in 0_u32..1 << pairs.len() {
            let mut components = Components::new(features);
            let chosen = (0..pairs.len()).filter(|edge| set >> edge & 1 == 1);
            let mut weight = 0.0;
            let mut edges = 0;
            let mut legal = true;
            for edge in chosen {
                legal &= components.join(pairs[edge].0, pairs[edge].1);
                legal &= floor.is_none_or(|floor| weights[edge] > floor);
                weight += weights[edge];
                edges += 1;
            }
            if legal && (!spanning || edges + 1 == features) {
                best = best.max(weight);
            }
        }
        best
    }

    fn weight_of(structure: &Structure, features: usize, weights: &[f64]) -> f64 {
        let index = |i: usize, j: usize| i * features - i * (i + 1) / 2 + j - i - 1;
        structure.arcs().map(|(a, b)| weights[index(a.min(b), a.max(b))]).sum()
    }

    proptest! {
        #[test]
        fn no_forest_is_heavier(weights in prop::collection::vec((-4_i8..5).prop_map(f64::from), 10)) {
            let forest = maximum_spanning_forest(5, &weights, Some(0.0));
            prop_assert_eq!(weight_of(&forest, 5, &weights), brute_force(5, &weights, Some(0.0), false));
            let tree = maximum_spanning_forest(5, &weights, None);
            prop_assert_eq!(tree.arcs().count(), 4);
            prop_assert_eq!(weight_of(&tree, 5, &weights), brute_force(5, &weights, None, true));
        }

        #[test]
        fn a_forest_over_some_features_is_that_of_their_edges(
            weights in prop::collection::vec((-4_i8..5).prop_map(f64::from), 10),
            kept in 0_u32..32,
        ) {
            let keep = |feature: usize| kept >> feature & 1 == 1;
            let pairs = (0..5).flat_map(|i| (i + 1..5).map(move |j| (i, j)));
            let masked = pairs.zip(&weights).map(|((i, j), &weight)| if keep(i) && keep(j) { weight } else { f64::NAN });
            let expected = maximum_spanning_forest(5, &masked.collect::<Vec<_>>(), Some(-9.0));
            let forest = SortedEdges::new(5, &weights, None).maximum_spanning_forest(keep);
            prop_assert_eq!(forest, expected);
        }

        #[test]
        fn growing_trees_and_sorting_edges_come_to_the_same_forest(
            weights in prop::collection::vec(prop::sample::select(vec![f64::NAN, -1.0, -0.0, 0.0, 0.5, 1.0, 2.0]), 45),
            floor in prop::option::of(prop::sample::select(vec![-0.5, 0.0, 0.5])),
        ) {
            let expected = SortedEdges::new(10, &weights, floor).maximum_spanning_forest(|_| true);
            prop_assert_eq!(maximum_spanning_forest(10, &weights, floor), expected);
        }
    }

    #[test]
    fn ties_go_to_lower_pairs() {
        let tree = maximum_spanning_forest(4, &[1.0; 6], None);
        assert_eq!(tree.arcs().collect::<Vec<_>>(), [(0, 1), (0, 2), (0, 3)]);
    }

    #[test]
    fn none_and_one_feature_have_no_arcs() {
        assert_eq!(maximum_spanning_forest(0, &[], None), Structure::naive(0));
        assert_eq!(maximum_spanning_forest(1, &[], None), Structure::naive(1));
    }
}
