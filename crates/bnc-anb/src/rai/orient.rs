//! Directions for the edges of a graph.

use std::collections::HashMap;

use super::graph::{Graph, Nodes, difference, intersection, none, set_of};

/// What separates two nodes that are not adjacent; nothing where there is no entry.
#[derive(Debug, Default)]
pub(super) struct Separators(HashMap<(usize, usize), Vec<usize>>);

impl Separators {
    pub(super) fn insert(&mut self, a: usize, b: usize, separator: Vec<usize>) {
        if !separator.is_empty() {
            self.0.insert((a.min(b), a.max(b)), separator);
        }
    }

    fn contains(&self, a: usize, b: usize, node: usize) -> bool {
        self.0.get(&(a.min(b), a.max(b))).is_some_and(|separator| separator.contains(&node))
    }
}

/// Directs links of a sub-structure: colliders, then the rules of Meek (1995). A direction that is known stays, and none is
/// given that would close a cycle.
pub(super) fn orient(graph: &mut Graph, separators: &Separators, nodes: &[usize]) {
    let mut orientation = Orientation::new(graph, nodes);
    orientation.colliders(separators, nodes);
    orientation.rules(nodes);
}

struct Orientation<'a> {
    graph: &'a mut Graph,
    /// The nodes of the sub-structure that each of its nodes reaches along arcs.
    below: Vec<Nodes>,
}

impl<'a> Orientation<'a> {
    fn new(graph: &'a mut Graph, nodes: &[usize]) -> Self {
        let inside = set_of(graph.count(), nodes);
        let below = vec![none(graph.count()); graph.count()];
        let mut orientation = Self { graph, below };
        for &parent in nodes {
            let children: Vec<usize> = intersection(&orientation.graph.children[parent], &inside).collect();
            for child in children {
                orientation.extend_below(parent, child, nodes);
            }
        }
        orientation
    }

    /// Takes an arc into account: what reaches its parent reaches what its child reaches.
    fn extend_below(&mut self, parent: usize, child: usize, nodes: &[usize]) {
        if self.below[parent][child] {
            return;
        }
        let mut more = self.below[child].clone();
        more.set(child, true);
        for &node in nodes {
            if node == parent || (self.below[node][parent] && !self.below[node][child]) {
                self.below[node] |= &more;
            }
        }
    }

    /// Whether the edge is such an arc already, or a link that may become it.
    fn may_direct(&self, parent: usize, child: usize) -> bool {
        self.graph.parents[child][parent] || (self.graph.links[child][parent] && !self.below[child][parent])
    }

    fn direct(&mut self, parent: usize, child: usize, nodes: &[usize]) {
        if self.graph.links[child][parent] {
            self.graph.direct(parent, child);
            self.extend_below(parent, child, nodes);
        }
    }

    /// x → z ← y where x and y are not adjacent and z is not in what separates them; x or y may be outside.
    fn colliders(&mut self, separators: &Separators, nodes: &[usize]) {
        for &z in nodes {
            for x in self.graph.links[z].iter_ones().collect::<Vec<_>>() {
                if !self.graph.links[z][x] || !self.may_direct(x, z) {
                    continue;
                }
                let other = difference(&self.graph.adjacent[z], &self.graph.adjacent[x])
                    .find(|&y| y != x && !separators.contains(x, y, z) && self.may_direct(y, z));
                if let Some(y) = other {
                    self.direct(x, z, nodes);
                    self.direct(y, z, nodes);
                }
            }
        }
    }

    fn rules(&mut self, nodes: &[usize]) {
        let mut changed = true;
        while changed {
            changed = false;
            for &b in nodes {
                for c in self.graph.links[b].iter_ones().collect::<Vec<_>>() {
                    if self.may_direct(b, c) && self.is_forced(b, c) {
                        self.direct(b, c, nodes);
                        changed = true;
                    }
                }
            }
        }
    }

    /// Whether b – c must be b → c.
    fn is_forced(&self, b: usize, c: usize) -> bool {
        let Graph { links, parents, adjacent, .. } = &*self.graph;
        // a → b – c, and a is not adjacent to c: another collider otherwise.
        difference(&parents[b], &adjacent[c]).next().is_some()
            // b reaches c: a cycle otherwise.
            || self.below[b][c]
            // b – d → c and b – e → c, and d is not adjacent to e.
            || intersection(&links[b], &parents[c]).any(|d| {
                difference(&links[b], &adjacent[d]).any(|e| e != d && parents[c][e])
            })
    }
}

/// The parents of every node once all links have a direction: without a cycle, and without a collider more where that can
/// be had (Dor and Tarsi 1992).
///
/// Nodes without children are taken away one after the other, of those that can be the last the highest. A node can be when
/// the ends of its links are adjacent to all its neighbours; where there is no such node, the one with the fewest links
/// is.
pub(super) fn extend(mut graph: Graph) -> Vec<Vec<usize>> {
    let mut left: Vec<usize> = (0..graph.count()).collect();
    let mut parents = vec![Vec::new(); graph.count()];
    while !left.is_empty() {
        let childless = || left.iter().rev().copied().filter(|&node| graph.children[node].not_any());
        let sink = childless().find(|&node| closes(&graph, node));
        let sink = sink.or_else(|| childless().min_by_key(|&node| graph.links[node].count_ones()));
        // The arcs form no cycle, so that some node has no child.
        let Some(sink) = sink.or(left.last().copied()) else { break };
        parents[sink] = graph.adjacent[sink].iter_ones().collect();
        parents[sink].iter().for_each(|&parent| graph.remove(parent, sink));
        left.retain(|&node| node != sink);
    }
    parents
}

/// Whether all links of a node can lead to it without a collider more.
fn closes(graph: &Graph, node: usize) -> bool {
    let neighbours = &graph.adjacent[node];
    graph.links[node]
        .iter_ones()
        .all(|end| difference(neighbours, &graph.adjacent[end]).all(|other| other == end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(nodes: usize, links: &[(usize, usize)], arcs: &[(usize, usize)]) -> Graph {
        let mut graph = Graph::complete(nodes, &(0..nodes).collect::<Vec<_>>());
        for a in 0..nodes {
            for b in a + 1..nodes {
                if !links.contains(&(a, b)) && !arcs.contains(&(a, b)) && !arcs.contains(&(b, a)) {
                    graph.remove(a, b);
                }
            }
        }
        for &(parent, child) in arcs {
            graph.direct(parent, child);
        }
        graph
    }

    fn arcs(graph: &Graph) -> Vec<(usize, usize)> {
        let of = |child: usize| graph.parents[child].iter_ones().map(move |parent| (parent, child));
        (0..graph.count()).flat_map(of).collect()
    }

    fn oriented(mut graph: Graph, separators: &[(usize, usize, usize)]) -> Graph {
        let mut known = Separators::default();
        for &(a, b, separator) in separators {
            known.insert(a, b, vec![separator]);
        }
        let nodes: Vec<usize> = (0..graph.count()).collect();
        orient(&mut graph, &known, &nodes);
        graph
    }

    #[test]
    fn colliders_and_what_follows_from_them() {
        // 0 – 2 – 1, 2 – 3: a collider at 2, so 2 → 3.
        let result = oriented(graph(4, &[(0, 2), (1, 2), (2, 3)], &[]), &[(0, 3, 2), (1, 3, 2)]);
        assert_eq!(arcs(&result), [(0, 2), (1, 2), (2, 3)]);
        // A chain stays undirected.
        let result = oriented(graph(3, &[(0, 1), (1, 2)], &[]), &[(0, 2, 1)]);
        assert_eq!(arcs(&result), []);
    }

    #[test]
    fn an_arc_from_outside_orients_within() {
        let mut outside = graph(3, &[(1, 2)], &[(0, 1)]);
        let mut separators = Separators::default();
        separators.insert(0, 2, vec![1]);
        orient(&mut outside, &separators, &[1, 2]);
        assert_eq!(arcs(&outside), [(0, 1), (1, 2)]);
        let mut outside = graph(3, &[(1, 2)], &[(0, 1)]);
        orient(&mut outside, &Separators::default(), &[1, 2]);
        assert_eq!(arcs(&outside), [(0, 1), (2, 1)]);
    }

    #[test]
    fn the_rules_of_meek() {
        let result = oriented(graph(3, &[(0, 2)], &[(0, 1), (1, 2)]), &[]);
        assert_eq!(arcs(&result), [(0, 1), (0, 2), (1, 2)], "a cycle otherwise");
        let kite = graph(4, &[(0, 1), (0, 2), (0, 3)], &[(2, 1), (3, 1)]);
        let result = oriented(kite, &[(2, 3, 0)]);
        assert_eq!(arcs(&result), [(0, 1), (2, 1), (3, 1)], "the third rule, and no more");
    }

    #[test]
    fn no_direction_closes_a_cycle() {
        // Two colliders that contradict each other on 0 – 1.
        let result = oriented(graph(4, &[(0, 1), (0, 2), (1, 3)], &[]), &[]);
        assert_eq!(arcs(&result), [(1, 0), (2, 0)]);
        // 0 → 1 → 2 and a collider that would have 2 → 0.
        let result = oriented(graph(4, &[(0, 2)], &[(0, 1), (1, 2), (3, 0)]), &[(1, 3, 0)]);
        assert_eq!(arcs(&result), [(3, 0), (0, 1), (0, 2), (1, 2)]);
    }

    #[test]
    fn an_extension_adds_no_collider_where_it_can() {
        let chain = extend(graph(3, &[(0, 1), (1, 2)], &[]));
        assert_eq!(chain, [vec![], vec![0], vec![1]]);
        let into = extend(graph(3, &[(1, 2)], &[(0, 1)]));
        assert_eq!(into, [vec![], vec![0], vec![1]]);
        // A square has no extension without one.
        let square = extend(graph(4, &[(0, 1), (1, 2), (2, 3), (0, 3)], &[]));
        assert_eq!(square.iter().map(Vec::len).sum::<usize>(), 4);
        assert!(bnc_models::bnc_structure::Structure::augmented(square).is_ok());
    }
}
