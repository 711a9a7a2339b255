//! The graph that a climb changes, an arc at a time.

use bnc_models::Result;
use bnc_models::bnc_structure::Structure;

/// A directed acyclic graph: the nodes 0 to `features - 1` are the features, the last node is the class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Graph {
    /// Ascending.
    parents: Vec<Vec<usize>>,
}

/// A change of one arc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Add { parent: usize, child: usize },
    Delete { parent: usize, child: usize },
    Reverse { parent: usize, child: usize },
}

impl Operator {
    /// The nodes whose parents change, each with the node that becomes a parent or no longer is one.
    pub(crate) fn toggles(self) -> impl Iterator<Item = (usize, usize)> {
        let (first, second) = match self {
            Self::Add { parent, child } | Self::Delete { parent, child } => ((child, parent), None),
            Self::Reverse { parent, child } => ((child, parent), Some((parent, child))),
        };
        std::iter::once(first).chain(second)
    }
}

impl Graph {
    pub(crate) fn new(nodes: usize, arcs: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut graph = Self { parents: vec![Vec::new(); nodes] };
        for (parent, child) in arcs {
            graph.parents[child] = graph.toggled(child, parent);
        }
        graph
    }

    pub(crate) fn nodes(&self) -> usize {
        self.parents.len()
    }

    /// Ascending.
    pub(crate) fn parents(&self, node: usize) -> &[usize] {
        &self.parents[node]
    }

    pub(crate) fn has(&self, parent: usize, child: usize) -> bool {
        self.parents[child].binary_search(&parent).is_ok()
    }

    /// The parents of `child` with `other` added, or taken away where it is one.
    pub(crate) fn toggled(&self, child: usize, other: usize) -> Vec<usize> {
        let mut parents = self.parents[child].clone();
        match parents.binary_search(&other) {
            Ok(place) => drop(parents.remove(place)),
            Err(place) => parents.insert(place, other),
        }
        parents
    }

    pub(crate) fn apply(&mut self, operator: Operator) {
        for (child, other) in operator.toggles() {
            self.parents[child] = self.toggled(child, other);
        }
    }

    /// The nodes that can be reached from each.
    pub(crate) fn descendants(&self) -> Descendants {
        let nodes = self.nodes();
        let words = nodes.div_ceil(64);
        let mut children = vec![0; nodes];
        self.parents.iter().flatten().for_each(|&parent| children[parent] += 1);
        let mut of = vec![vec![0_u64; words]; nodes];
        let mut ready: Vec<usize> = (0..nodes).filter(|&node| children[node] == 0).collect();
        while let Some(child) = ready.pop() {
            let mut below = of[child].clone();
            below[child / 64] |= 1 << (child % 64);
            for &parent in &self.parents[child] {
                of[parent].iter_mut().zip(&below).for_each(|(word, &more)| *word |= more);
                children[parent] -= 1;
                if children[parent] == 0 {
                    ready.push(parent);
                }
            }
        }
        Descendants { of }
    }

    pub(crate) fn structure(&self) -> Result<Structure> {
        Ok(Structure::of_nodes(self.parents.clone())?)
    }
}

/// What can be reached from what by arcs.
pub(crate) struct Descendants {
    /// For each node a bit a node, without itself.
    of: Vec<Vec<u64>>,
}

impl Descendants {
    pub(crate) fn reaches(&self, from: usize, to: usize) -> bool {
        self.of[from][to / 64] >> (to % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descendants_follow_arcs() {
        let graph = Graph::new(70, [(0, 3), (3, 69), (69, 2)].into_iter());
        let below = graph.descendants();
        let reached = |from| (0..70).filter(|&to| below.reaches(from, to)).collect::<Vec<_>>();
        assert_eq!(reached(0), [2, 3, 69]);
        assert_eq!(reached(69), [2]);
        assert!(reached(2).is_empty());
    }

    #[test]
    fn operators_undo_each_other() {
        let start = Graph::new(3, [(0, 1)].into_iter());
        let mut graph = start.clone();
        graph.apply(Operator::Reverse { parent: 0, child: 1 });
        assert!(graph.has(1, 0) && !graph.has(0, 1));
        graph.apply(Operator::Delete { parent: 1, child: 0 });
        graph.apply(Operator::Add { parent: 0, child: 1 });
        assert_eq!(graph, start);
    }
}
