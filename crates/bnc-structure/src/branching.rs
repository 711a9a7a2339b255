//! Maximum branchings: the directed cousins of spanning forests.

use crate::{ArcConstraints, Error, Result};

/// The heaviest branching (Chu and Liu 1965, Edmonds 1967): each node has at most one parent, and there is no cycle.
///
/// With no floor it has as many arcs as possible and is the heaviest of those: a spanning arborescence where there is
/// one. With a floor it is the heaviest of those whose arcs all weigh more than the floor, however few arcs that takes.
/// `weight(parent, child)` that is not finite stands for an arc that does not exist. The result is the parent of each
/// node. Ties are decided at each choice by the lower parent, and no parent comes before any; a cycle is entered at its
/// lowest node. Takes O(nodes²) time and memory.
///
/// # Examples
/// ```
/// use bnc_structure::maximum_branching;
/// let weights = [[0.0, 3.0, 1.0], [4.0, 0.0, 2.0], [0.5, 0.5, 0.0]];
/// let weight = |parent: usize, child: usize| weights[parent][child];
/// assert_eq!(maximum_branching(3, weight, None), [Some(1), None, Some(1)]);
/// assert_eq!(maximum_branching(3, weight, Some(3.5)), [Some(1), None, None]);
/// ```
#[must_use]
pub fn maximum_branching(
    nodes: usize,
    weight: impl Fn(usize, usize) -> f64,
    floor: Option<f64>,
) -> Vec<Option<usize>> {
    heaviest(nodes, weight, floor, &ArcConstraints::none(nodes), &vec![None; nodes])
}

/// As [`maximum_branching`], the best of the branchings that have all required arcs, whatever those weigh, and no
/// forbidden one. Constraints on further nodes, such as the class, are for the caller to see to.
///
/// # Errors
/// [`Error::TwoRequiredParents`]: a branching gives a node at most one.
///
/// # Examples
/// ```
/// use bnc_structure::{ArcConstraints, constrained_branching};
/// let constraints = ArcConstraints::new(3, &[(2, 0)], &[], &[])?;
/// let weight = |parent: usize, child: usize| (2 * parent + child) as f64;
/// assert_eq!(constrained_branching(3, weight, None, &constraints)?, [Some(2), Some(2), None]);
/// # Ok::<(), bnc_structure::Error>(())
/// ```
pub fn constrained_branching(
    nodes: usize,
    weight: impl Fn(usize, usize) -> f64,
    floor: Option<f64>,
    constraints: &ArcConstraints,
) -> Result<Vec<Option<usize>>> {
    let mut required = vec![None; nodes];
    for (parent, child) in constraints.required().filter(|&(parent, child)| parent.max(child) < nodes) {
        if let Some(first) = required[child].replace(parent) {
            return Err(Error::TwoRequiredParents { child, first, second: parent });
        }
    }
    Ok(heaviest(nodes, weight, floor, constraints, &required))
}

/// The number of arcs that count, then their weight.
type Weight = (i64, f64);

/// One more node, the root, is a parent of all that need not have one, so that a branching is an arborescence.
fn heaviest(
    nodes: usize,
    weight: impl Fn(usize, usize) -> f64,
    floor: Option<f64>,
    constraints: &ArcConstraints,
    required: &[Option<usize>],
) -> Vec<Option<usize>> {
    let root = nodes;
    let mut graph = Graph::new(nodes + 1, root);
    for (child, &required) in required.iter().enumerate() {
        if let Some(parent) = required {
            // The only candidate; required arcs form no cycle, so that it can be reached.
            graph.set(parent, child, Some((0, 0.0)));
            continue;
        }
        graph.set(root, child, Some((0, 0.0)));
        for parent in (0..nodes).filter(|&parent| parent != child && constraints.allows(parent, child)) {
            let weight = weight(parent, child);
            if weight.is_finite() && floor.is_none_or(|floor| weight > floor) {
                graph.set(parent, child, Some((i64::from(floor.is_none()), weight)));
            }
        }
    }
    let parents = graph.arborescence();
    parents.into_iter().take(nodes).map(|parent| Some(parent).filter(|&parent| parent != root)).collect()
}

/// A dense graph whose cycles are contracted in place into their lowest nodes.
struct Graph {
    nodes: usize,
    root: usize,
    weights: Vec<Option<Weight>>,
    /// The nodes that are not contracted into others, ascending.
    active: Vec<usize>,
}

/// A cycle that has become one node.
struct Contraction {
    /// The nodes of the cycle, each with its parent on it; the first is the lowest and stands for all.
    cycle: Vec<(usize, usize)>,
    /// The node by which an arc from each node outside enters.
    entered: Vec<usize>,
    /// The node from which an arc to each node outside leaves.
    left: Vec<usize>,
}

impl Graph {
    fn new(nodes: usize, root: usize) -> Self {
        Self { nodes, root, weights: vec![None; nodes * nodes], active: (0..nodes).collect() }
    }

    fn weight(&self, parent: usize, child: usize) -> Option<Weight> {
        self.weights[parent * self.nodes + child]
    }

    fn set(&mut self, parent: usize, child: usize, weight: Option<Weight>) {
        self.weights[parent * self.nodes + child] = weight;
    }

    /// The parent of each node in the heaviest arborescence from the root, which can reach all; the root is its own.
    fn arborescence(mut self) -> Vec<usize> {
        let mut contractions = Vec::new();
        let mut parents = self.heaviest_parents();
        while let Some(cycle) = self.cycle(&parents) {
            let contraction = self.contract(cycle);
            self.renew_parents(&mut parents, &contraction);
            contractions.push(contraction);
        }
        for Contraction { cycle, entered, left } in contractions.into_iter().rev() {
            let lowest = cycle[0].0;
            for child in 0..self.nodes {
                if parents[child] == lowest && left[child] < self.nodes {
                    parents[child] = left[child];
                }
            }
            let from = parents[lowest];
            for &(node, parent) in &cycle {
                parents[node] = parent;
            }
            parents[entered[from]] = from;
        }
        parents
    }

    fn heaviest_parents(&self) -> Vec<usize> {
        let mut parents = vec![self.root; self.nodes];
        for &child in self.active.iter().filter(|&&child| child != self.root) {
            parents[child] = self.heaviest_parent(child);
        }
        parents
    }

    fn heaviest_parent(&self, child: usize) -> usize {
        // The root is the last node, and comes before all in a tie.
        let candidates = [self.root].into_iter().chain(self.active.iter().copied());
        first_maximum(candidates, |parent| self.weight(parent, child)).unwrap_or(self.root)
    }

    /// The heaviest parents once a cycle has become its lowest node: that node's own, and those of nodes that it is the
    /// heaviest parent of, because one of the cycle was or because it now comes first in a tie.
    fn renew_parents(&self, parents: &mut [usize], contraction: &Contraction) {
        let lowest = contraction.cycle[0].0;
        let mut on_cycle = vec![false; self.nodes];
        contraction.cycle.iter().for_each(|&(node, _)| on_cycle[node] = true);
        for &child in self.active.iter().filter(|&&child| child != self.root && child != lowest) {
            let known = parents[child];
            let ties = known != self.root
                && lowest < known
                && self.weight(lowest, child) == self.weight(known, child);
            if on_cycle[known] || ties {
                parents[child] = lowest;
            }
        }
        parents[lowest] = self.heaviest_parent(lowest);
    }

    /// A cycle of active nodes with their parents, from its lowest node upwards.
    fn cycle(&self, parents: &[usize]) -> Option<Vec<(usize, usize)>> {
        // The walk up from a node on which each node was first met.
        let mut met = vec![None; self.nodes];
        for &start in &self.active {
            let mut node = start;
            while met[node].is_none() && node != self.root {
                met[node] = Some(start);
                node = parents[node];
            }
            if node != self.root && met[node] == Some(start) {
                let mut cycle = vec![(node, parents[node])];
                while cycle[cycle.len() - 1].1 != node {
                    let next = cycle[cycle.len() - 1].1;
                    cycle.push((next, parents[next]));
                }
                cycle.sort_unstable();
                return Some(cycle);
            }
        }
        None
    }

    fn contract(&mut self, cycle: Vec<(usize, usize)>) -> Contraction {
        let on_cycle = |node: usize| cycle.binary_search_by_key(&node, |pair| pair.0).is_ok();
        self.active.retain(|&node| node == cycle[0].0 || !on_cycle(node));
        let lowest = cycle[0].0;
        let mut entered = vec![self.nodes; self.nodes];
        let mut left = vec![self.nodes; self.nodes];
        for index in 0..self.active.len() {
            let outside = self.active[index];
            if outside == lowest {
                continue;
            }
            // To enter at a node is to give up the node's parent on the cycle.
            let entering = |place: usize| {
                let (node, parent) = cycle[place];
                let (arcs, weight) = self.weight(outside, node)?;
                let (lost_arcs, lost) = self.weight(parent, node)?;
                Some((arcs - lost_arcs, weight - lost))
            };
            let enter = first_maximum(0..cycle.len(), entering);
            let enter_weight = enter.and_then(entering);
            let leave = first_maximum(cycle.iter().map(|pair| pair.0), |node| self.weight(node, outside));
            let leave_weight = leave.and_then(|node| self.weight(node, outside));
            entered[outside] = enter.map_or(self.nodes, |place| cycle[place].0);
            left[outside] = leave.unwrap_or(self.nodes);
            // Neither touches the rows of other nodes outside nor the arcs on the cycle, which are still to be read.
            self.set(lowest, outside, leave_weight);
            self.set(outside, lowest, enter_weight);
        }
        Contraction { cycle, entered, left }
    }
}

/// The first of the items with the largest weight; items without weight are left out.
fn first_maximum(
    items: impl Iterator<Item = usize>,
    weight: impl Fn(usize) -> Option<Weight>,
) -> Option<usize> {
    let mut best: Option<(usize, Weight)> = None;
    for item in items {
        if let Some(weight) = weight(item)
            && best.is_none_or(|(_, heaviest)| weight > heaviest)
        {
            best = Some((item, weight));
        }
    }
    best.map(|(item, _)| item)
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "sums of small whole numbers are exact")]
mod tests {
    use super::*;
    use crate::Structure;
    use proptest::prelude::*;

    const MISSING: f64 = f64::NEG_INFINITY;

    /// Arcs and weight of a branching, if it is one of allowed arcs.
    fn value(parents: &[Option<usize>], weight: impl Fn(usize, usize) -> f64) -> Option<(usize, f64)> {
        let lists = parents.iter().map(|parent| parent.iter().copied().collect()).collect();
        Structure::augmented(lists).ok()?;
        let arcs =
            parents.iter().enumerate().filter_map(|(child, parent)| parent.map(|parent| (parent, child)));
        let weights: Vec<f64> = arcs.map(|(parent, child)| weight(parent, child)).collect();
        let total: f64 = weights.iter().sum();
        total.is_finite().then_some((weights.len(), total))
    }

    /// The best value of all branchings that are allowed.
    fn brute_force(
        nodes: usize,
        weight: impl Fn(usize, usize) -> f64 + Copy,
        floor: Option<f64>,
        legal: impl Fn(&[Option<usize>]) -> bool,
    ) -> Option<(usize, f64)> {
        let options = nodes + 1;
        let all = (0..options.pow(nodes as u32)).map(|code| {
            let digit = |child: usize| code / options.pow(child as u32) % options;
            (0..nodes).map(|child| Some(digit(child)).filter(|&parent| parent < nodes)).collect::<Vec<_>>()
        });
        let values = all.filter(|parents| legal(parents)).filter_map(|parents| value(&parents, weight));
        // Without a floor the number of arcs counts first, with one not at all.
        values
            .map(|(arcs, total)| (if floor.is_none() { arcs } else { 0 }, total))
            .max_by(|a, b| a.partial_cmp(b).unwrap())
    }

    fn weights() -> impl Strategy<Value = Vec<f64>> {
        let weight = prop_oneof![4 => (-3_i8..6).prop_map(f64::from), 1 => Just(MISSING)];
        prop::collection::vec(weight, 25)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn no_branching_is_better(nodes in 0_usize..6, weights in weights(), floor in prop::option::of(-2_i8..3)) {
            let floor = floor.map(f64::from);
            let weight = |parent: usize, child: usize| weights[parent * 5 + child];
            let above = |parent: usize, child: usize| {
                let weight = weight(parent, child);
                if floor.is_none_or(|floor| weight > floor) { weight } else { MISSING }
            };
            let branching = maximum_branching(nodes, weight, floor);
            let (arcs, total) = value(&branching, above).expect("a branching");
            let found = (if floor.is_none() { arcs } else { 0 }, total);
            prop_assert_eq!(Some(found), brute_force(nodes, above, floor, |_| true));
        }

        #[test]
        fn constraints_are_met_by_the_best(
            weights in weights(),
            floor in prop::option::of(-2_i8..3),
            required in prop::collection::vec((0_usize..4, 0_usize..4), 0..4),
            forbidden in prop::collection::vec((0_usize..4, 0_usize..4), 0..5),
            order in Just((0..4).collect::<Vec<usize>>()).prop_shuffle(),
            listed in 0_usize..4,
        ) {
            let Ok(constraints) = ArcConstraints::new(5, &required, &forbidden, &order[..listed]) else {
                return Ok(());
            };
            let floor = floor.map(f64::from);
            let weight = |parent: usize, child: usize| weights[parent * 5 + child];
            let counts_required = |child: usize| constraints.required().filter(|arc| arc.1 == child).count();
            let result = constrained_branching(4, weight, floor, &constraints);
            if let Some(child) = (0..4).find(|&child| counts_required(child) > 1) {
                let is_named = matches!(result, Err(Error::TwoRequiredParents { child: named, .. })
                    if counts_required(named) > 1);
                prop_assert!(is_named, "{child}");
                return Ok(());
            }
            let branching = result.unwrap();
            let meets = |parents: &[Option<usize>]| {
                let lists = parents.iter().map(|parent| parent.iter().copied().collect()).collect();
                Structure::augmented(lists).is_ok_and(|structure| constraints.is_met_by(&structure))
            };
            prop_assert!(meets(&branching));
            // Required arcs are in whatever they weigh.
            let effective = |parent: usize, child: usize| {
                let weight = weight(parent, child);
                if constraints.requires(parent, child) {
                    0.0
                } else if floor.is_none_or(|floor| weight > floor) {
                    weight
                } else {
                    MISSING
                }
            };
            let (arcs, total) = value(&branching, effective).expect("a branching of arcs above the floor");
            let found = (if floor.is_none() { arcs } else { 0 }, total);
            prop_assert_eq!(Some(found), brute_force(4, effective, floor, meets));
        }
    }

    #[test]
    fn ties_go_to_lower_nodes() {
        assert_eq!(maximum_branching(4, |_, _| 1.0, None), [None, Some(0), Some(0), Some(0)]);
        assert_eq!(maximum_branching(3, |_, _| 0.0, Some(-1.0)), [None; 3], "no parent comes before any");
    }

    #[test]
    fn what_is_no_number_is_no_arc() {
        let weight = |parent: usize, _: usize| if parent == 2 { 1.0 } else { f64::NAN };
        assert_eq!(maximum_branching(3, weight, None), [Some(2), Some(2), None]);
        assert_eq!(maximum_branching(0, |_, _| 1.0, None), []);
    }

    #[test]
    fn nested_cycles_are_taken_apart() {
        // 0 ⇄ 1 is contracted first, then the cycle of that with 2, then of that with 3; 4 alone can enter.
        let weights = [
            [0.0, 10.0, 8.0, 0.0, 0.0],
            [10.0, 0.0, 0.0, 7.0, 0.0],
            [6.0, 5.0, 0.0, 0.0, 0.0],
            [1.0, 0.0, 6.5, 0.0, 0.0],
            [1.0, 2.0, 3.0, 2.5, 0.0],
        ];
        let weight = |parent: usize, child: usize| {
            if child == 4 || weights[parent][child] == 0.0 { MISSING } else { weights[parent][child] }
        };
        let branching = maximum_branching(5, weight, None);
        assert_eq!(value(&branching, weight), brute_force(5, weight, None, |_| true));
        assert_eq!(branching.iter().filter(|parent| parent.is_none()).count(), 1);
    }
}
