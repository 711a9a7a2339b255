//! Orders of nodes along arcs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The nodes so that every parent comes before its children; among the free, lower nodes come first (Kahn's algorithm).
///
/// `arcs` are (parent, child) without repetition. The error is the lowest node of a cycle.
pub(crate) fn topological_order(
    nodes: usize,
    arcs: impl Iterator<Item = (usize, usize)>,
) -> Result<Vec<usize>, usize> {
    let mut parents = vec![Vec::new(); nodes];
    let mut children = vec![Vec::new(); nodes];
    for (parent, child) in arcs {
        parents[child].push(parent);
        children[parent].push(child);
    }
    let mut waiting: Vec<usize> = parents.iter().map(Vec::len).collect();
    let mut ready: BinaryHeap<_> = (0..nodes).filter(|&node| waiting[node] == 0).map(Reverse).collect();
    let mut order = Vec::with_capacity(nodes);
    while let Some(Reverse(node)) = ready.pop() {
        order.push(node);
        for &child in &children[node] {
            waiting[child] -= 1;
            if waiting[child] == 0 {
                ready.push(Reverse(child));
            }
        }
    }
    let stuck = |node: &usize| waiting[*node] > 0;
    let Some(first) = (0..nodes).find(stuck) else {
        return Ok(order);
    };
    // A node that waits has a parent that waits: going up for long enough ends on a cycle.
    let up = |node: usize| parents[node].iter().copied().find(stuck).unwrap_or(node);
    let start = (0..nodes).fold(first, |node, _| up(node));
    let mut lowest = start;
    let mut node = up(start);
    while node != start {
        lowest = lowest.min(node);
        node = up(node);
    }
    Err(lowest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_first() {
        let arcs = [(2, 0), (3, 2)];
        assert_eq!(topological_order(4, arcs.into_iter()), Ok(vec![1, 3, 2, 0]));
    }

    #[test]
    fn the_node_named_is_on_a_cycle() {
        // Node 0 hangs below the cycle 3 → 1 → 2 → 3.
        let arcs = [(1, 0), (3, 1), (1, 2), (2, 3)];
        assert_eq!(topological_order(4, arcs.into_iter()), Err(1));
    }
}
