//! Equivalence classes of directed acyclic graphs.

/// A partially directed graph; when complete, it stands for all directed acyclic graphs of a Markov equivalence class: an
/// edge is directed where all of them agree (Chickering 1995).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    nodes: usize,
    /// Whether `from → to` is possible, by from, then by to; an undirected edge has both.
    open: Vec<bool>,
}

impl Pattern {
    /// The class of a graph, by Chickering's labelling of its edges.
    pub(super) fn of_graph(parents: &[Vec<usize>]) -> Self {
        let nodes = parents.len();
        let mut pattern = Self { nodes, open: vec![false; nodes * nodes] };
        let order = topological_order(parents);
        let mut place = vec![0; nodes];
        order.iter().enumerate().for_each(|(index, &node)| place[node] = index);
        let is_parent = |parent: usize, child: usize| parents[child].contains(&parent);
        // Compelled edges; the rest are reversible.
        let mut known = vec![false; nodes * nodes];
        let mut compelled = vec![false; nodes * nodes];
        for &child in &order {
            let mut incoming = parents[child].clone();
            incoming.sort_unstable_by_key(|&parent| std::cmp::Reverse(place[parent]));
            for &parent in &incoming {
                if known[parent * nodes + child] {
                    continue;
                }
                let above: Vec<usize> = parents[parent]
                    .iter()
                    .copied()
                    .filter(|&node| compelled[node * nodes + parent])
                    .collect();
                let collides = above.iter().any(|&node| !is_parent(node, child))
                    || parents[child].iter().any(|&node| node != parent && !is_parent(node, parent));
                for node in above {
                    if is_parent(node, child) {
                        known[node * nodes + child] = true;
                        compelled[node * nodes + child] = true;
                    }
                }
                for &node in &incoming {
                    if !std::mem::replace(&mut known[node * nodes + child], true) {
                        compelled[node * nodes + child] = collides;
                    }
                }
            }
            for &parent in &incoming {
                pattern.open[parent * nodes + child] = true;
                pattern.open[child * nodes + parent] = !compelled[parent * nodes + child];
            }
        }
        pattern
    }

    pub(super) fn nodes(&self) -> usize {
        self.nodes
    }

    /// Whether `from → to` is in some graph: the edge is there, and not directed the other way.
    pub(super) fn open(&self, from: usize, to: usize) -> bool {
        self.open[from * self.nodes + to]
    }

    pub(super) fn adjacent(&self, a: usize, b: usize) -> bool {
        self.open(a, b) || self.open(b, a)
    }

    pub(super) fn undirected(&self, a: usize, b: usize) -> bool {
        self.open(a, b) && self.open(b, a)
    }

    pub(super) fn directed(&self, from: usize, to: usize) -> bool {
        self.open(from, to) && !self.open(to, from)
    }

    /// The nodes with an edge directed to this one, ascending.
    pub(super) fn parents(&self, node: usize) -> Vec<usize> {
        (0..self.nodes).filter(|&other| self.directed(other, node)).collect()
    }

    /// The nodes with an undirected edge to this one, ascending.
    pub(super) fn neighbours(&self, node: usize) -> Vec<usize> {
        (0..self.nodes).filter(|&other| self.undirected(other, node)).collect()
    }

    pub(super) fn is_clique(&self, nodes: &[usize]) -> bool {
        nodes.iter().enumerate().all(|(place, &a)| nodes[..place].iter().all(|&b| self.adjacent(a, b)))
    }

    /// Puts a directed edge in, or directs the one that is there.
    pub(super) fn direct(&mut self, from: usize, to: usize) {
        self.open[from * self.nodes + to] = true;
        self.open[to * self.nodes + from] = false;
    }

    pub(super) fn remove(&mut self, a: usize, b: usize) {
        self.open[a * self.nodes + b] = false;
        self.open[b * self.nodes + a] = false;
    }

    /// Whether every path from one node to another that follows no edge against its direction passes a blocked node.
    pub(super) fn separates(&self, blocked: &[usize], from: usize, to: usize) -> bool {
        let mut seen = vec![false; self.nodes];
        for &node in blocked {
            seen[node] = true;
        }
        seen[from] = true;
        let mut ready = vec![from];
        while let Some(node) = ready.pop() {
            for (next, seen) in seen.iter_mut().enumerate() {
                if self.open(node, next) && !*seen {
                    if next == to {
                        return false;
                    }
                    *seen = true;
                    ready.push(next);
                }
            }
        }
        true
    }

    /// A directed acyclic graph with these edges and no other collider (Dor and Tarsi 1992), as the parents of each node;
    /// `None` when there is none.
    pub(super) fn extension(&self) -> Option<Vec<Vec<usize>>> {
        let mut left: Vec<usize> = (0..self.nodes).collect();
        let mut parents = vec![Vec::new(); self.nodes];
        while !left.is_empty() {
            let is_sink = |&node: &usize| {
                let near: Vec<usize> =
                    left.iter().copied().filter(|&other| self.adjacent(node, other)).collect();
                near.iter().all(|&other| {
                    self.open(other, node)
                        && (self.directed(other, node)
                            || near.iter().all(|&third| third == other || self.adjacent(other, third)))
                })
            };
            let place = left.iter().position(is_sink)?;
            let sink = left.remove(place);
            parents[sink] = left.iter().copied().filter(|&other| self.adjacent(sink, other)).collect();
        }
        Some(parents)
    }

    /// The member in which the class has no parents, when it is a minimal class-focused graph: each arc enters a child of the
    /// class. `None` when no member is one.
    pub(super) fn class_focused(&self, class: usize) -> Option<Vec<Vec<usize>>> {
        let mut rooted = self.clone();
        for node in self.neighbours(class) {
            rooted.direct(class, node);
        }
        let child = |node: usize| rooted.directed(class, node);
        let focused = (0..self.nodes).all(|to| {
            // An edge that can enter a node that is no child of the class must be none.
            child(to) || (0..self.nodes).all(|from| !rooted.open(from, to))
        });
        focused.then(|| rooted.extension()).flatten()
    }
}

fn topological_order(parents: &[Vec<usize>]) -> Vec<usize> {
    let mut waiting: Vec<usize> = parents.iter().map(Vec::len).collect();
    let mut children = vec![Vec::new(); parents.len()];
    for (child, parents) in parents.iter().enumerate() {
        for &parent in parents {
            children[parent].push(child);
        }
    }
    let mut order: Vec<usize> = (0..parents.len()).filter(|&node| waiting[node] == 0).collect();
    let mut next = 0;
    while next < order.len() {
        for &child in &children[order[next]] {
            waiting[child] -= 1;
            if waiting[child] == 0 {
                order.push(child);
            }
        }
        next += 1;
    }
    order
}
