//! A partially directed graph.

use bitvec::prelude::{BitVec, Lsb0};
use rayon::prelude::*;

/// A set of nodes.
pub(super) type Nodes = BitVec<u64, Lsb0>;

/// No node of so many.
pub(super) fn none(count: usize) -> Nodes {
    BitVec::repeat(false, count)
}

/// These nodes of so many.
pub(super) fn set_of(count: usize, nodes: &[usize]) -> Nodes {
    let mut set = none(count);
    mark(&mut set, nodes, true);
    set
}

/// Takes nodes into a set or out of it.
fn mark(set: &mut Nodes, nodes: &[usize], member: bool) {
    for &node in nodes {
        set.set(node, member);
    }
}

/// The members of `within` that are not in `without`, ascending.
pub(super) fn difference<'a>(within: &'a Nodes, without: &'a Nodes) -> impl Iterator<Item = usize> + 'a {
    words(within.as_raw_slice().iter().zip(without.as_raw_slice()).map(|(a, b)| a & !b))
}

/// The members of both, ascending.
pub(super) fn intersection<'a>(a: &'a Nodes, b: &'a Nodes) -> impl Iterator<Item = usize> + 'a {
    words(a.as_raw_slice().iter().zip(b.as_raw_slice()).map(|(a, b)| a & b))
}

fn words(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(place, mut word)| {
        std::iter::from_fn(move || {
            let bit = word.trailing_zeros() as usize;
            word &= word.wrapping_sub(1);
            (bit < 64).then_some(place * 64 + bit)
        })
    })
}

/// A graph whose edges are arcs or, as yet, have no direction.
#[derive(Debug, Clone)]
pub(super) struct Graph {
    /// The other ends of a node's edges that have no direction.
    pub(super) links: Vec<Nodes>,
    pub(super) parents: Vec<Nodes>,
    pub(super) children: Vec<Nodes>,
    /// The other ends of all edges.
    pub(super) adjacent: Vec<Nodes>,
}

impl Graph {
    /// Every two of some nodes are linked; the others have no edge.
    pub(super) fn complete(count: usize, nodes: &[usize]) -> Self {
        let all = set_of(count, nodes);
        let mut links = vec![none(count); count];
        for &node in nodes {
            links[node].clone_from(&all);
            links[node].set(node, false);
        }
        Self {
            adjacent: links.clone(),
            links,
            parents: vec![none(count); count],
            children: vec![none(count); count],
        }
    }

    /// The number of nodes.
    pub(super) fn count(&self) -> usize {
        self.links.len()
    }

    /// Takes an edge away, whatever its direction.
    pub(super) fn remove(&mut self, a: usize, b: usize) {
        for (a, b) in [(a, b), (b, a)] {
            for ends in [&mut self.links, &mut self.parents, &mut self.children, &mut self.adjacent] {
                ends[a].set(b, false);
            }
        }
    }

    /// Gives a link its direction.
    pub(super) fn direct(&mut self, parent: usize, child: usize) {
        self.links[parent].set(child, false);
        self.links[child].set(parent, false);
        self.children[parent].set(child, true);
        self.parents[child].set(parent, true);
    }

    /// The nodes that are or may become parents of a node: of those outside the sub-structure only its parents, for edges
    /// that leave the sub-structure are arcs.
    pub(super) fn potential_parents(&self, node: usize) -> Vec<usize> {
        difference(&self.adjacent[node], &self.children[node]).collect()
    }

    /// The sub-structure split up: first its descendants, the components (of nodes that reach each other along arcs and
    /// links) that no arc leaves for another component; then the connected parts of the others.
    pub(super) fn split(&self, nodes: &[usize]) -> (Vec<usize>, Vec<Vec<usize>>) {
        let inside = set_of(self.count(), nodes);
        let mut onward = self.adjacent.clone();
        for (ends, parents) in onward.iter_mut().zip(&self.parents) {
            parents.iter_ones().for_each(|parent| ends.set(parent, false));
        }
        let reached: Vec<Nodes> = nodes.par_iter().map(|&node| reach(&onward, node, &inside)).collect();
        let place = |node: usize| nodes.binary_search(&node).unwrap_or_default();
        let is_last =
            |node: &usize| reached[place(*node)].iter_ones().all(|other| reached[place(other)][*node]);
        let descendants: Vec<usize> = nodes.iter().copied().filter(is_last).collect();
        let mut rest = inside;
        mark(&mut rest, &descendants, false);
        let mut parts = Vec::new();
        while let Some(start) = rest.first_one() {
            let part: Vec<usize> = reach(&self.adjacent, start, &rest).iter_ones().collect();
            mark(&mut rest, &part, false);
            parts.push(part);
        }
        (descendants, parts)
    }
}

/// The nodes that a node reaches without leaving `inside`, itself among them.
fn reach(ends: &[Nodes], start: usize, inside: &Nodes) -> Nodes {
    let mut left = inside.clone();
    let mut reached = none(inside.len());
    let mut stack = vec![start];
    left.set(start, false);
    while let Some(node) = stack.pop() {
        reached.set(node, true);
        let met: Vec<usize> = intersection(&ends[node], &left).collect();
        mark(&mut left, &met, false);
        stack.extend(met);
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descendants_come_last_and_the_rest_falls_apart() {
        // 0 – 1 → 2 – 3 ← 4, 5 alone.
        let mut graph = Graph::complete(6, &[0, 1, 2, 3, 4, 5]);
        let kept = [(0, 1), (1, 2), (2, 3), (3, 4)];
        for a in 0..6 {
            (a + 1..6).filter(|&b| !kept.contains(&(a, b))).for_each(|b| graph.remove(a, b));
        }
        graph.direct(1, 2);
        graph.direct(4, 3);
        assert_eq!(graph.split(&[0, 1, 2, 3, 4]), (vec![2, 3], vec![vec![0, 1], vec![4]]));
        assert_eq!(graph.split(&[0, 1, 4, 5]), (vec![0, 1, 4, 5], vec![]));
        assert_eq!(graph.potential_parents(3), [2, 4]);
        assert_eq!(graph.potential_parents(1), [0]);
    }

    #[test]
    fn sets_are_read_across_words() {
        let a = set_of(130, &[0, 63, 64, 129]);
        let b = set_of(130, &[63, 129]);
        assert_eq!(difference(&a, &b).collect::<Vec<_>>(), [0, 64]);
        assert_eq!(intersection(&a, &b).collect::<Vec<_>>(), [63, 129]);
    }
}
