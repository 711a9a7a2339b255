//! The operators of greedy equivalence search that stay among minimal class-focused graphs.

use super::pattern::Pattern;

/// A change of one edge between two equivalence classes (Chickering 2002, definitions 12 and 13): with some neighbours of
/// `child` directed, there is a graph of the class in which only the parents of `child` change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Operator {
    kind: Kind,
    parent: usize,
    pub(super) child: usize,
    /// The neighbours of the child that become parents (insertion), or children (deletion).
    directed: Vec<usize>,
    /// The parents of the child before, ascending.
    pub(super) before: Vec<usize>,
    /// The parents of the child after, ascending.
    pub(super) after: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Insert,
    Delete,
}

/// All valid insertions: by parent (the class first), then by child, then by the set of directed neighbours.
///
/// Between features an edge may be put in only where the child depends on the class before: the class must be among the
/// parents that the child has in the graph that the insertion stands for.
pub(super) fn insertions(pattern: &Pattern, class: usize) -> Vec<Operator> {
    let mut operators = Vec::new();
    for (parent, child) in pairs(pattern, class).filter(|&(parent, child)| !pattern.adjacent(parent, child)) {
        let (near, far): (Vec<usize>, Vec<usize>) =
            pattern.neighbours(child).into_iter().partition(|&node| pattern.adjacent(node, parent));
        for clique in cliques(pattern, &near, &far) {
            let before = union(&pattern.parents(child), &clique);
            let reaches_class = parent == class || before.contains(&class);
            if reaches_class && pattern.separates(&clique, child, parent) {
                let directed = clique.into_iter().filter(|node| far.contains(node)).collect();
                let after = union(&before, &[parent]);
                operators.push(Operator { kind: Kind::Insert, parent, child, directed, before, after });
            }
        }
    }
    operators
}

/// All valid deletions: by parent (the class first), then by child, then by the set of neighbours that stay parents.
///
/// The class never becomes a child of the child. A child that loses the class loses its other parents, too.
pub(super) fn deletions(pattern: &Pattern, class: usize) -> Vec<Operator> {
    let mut operators = Vec::new();
    for (parent, child) in pairs(pattern, class).filter(|&(parent, child)| pattern.open(parent, child)) {
        let near: Vec<usize> =
            pattern.neighbours(child).into_iter().filter(|&node| pattern.adjacent(node, parent)).collect();
        let (stay, may): (Vec<usize>, Vec<usize>) = near.iter().partition(|&&node| node == class);
        for clique in cliques(pattern, &stay, &may) {
            let directed = near.iter().copied().filter(|node| !clique.contains(node)).collect();
            let rest: Vec<usize> = union(&pattern.parents(child), &clique);
            let before = union(&rest, &[parent]);
            let after = if parent == class {
                Vec::new()
            } else {
                rest.into_iter().filter(|&node| node != parent).collect()
            };
            operators.push(Operator { kind: Kind::Delete, parent, child, directed, before, after });
        }
    }
    operators
}

impl Operator {
    /// The equivalence class after the operator; `None` where it is empty.
    pub(super) fn apply(&self, pattern: &Pattern, class: usize) -> Option<Pattern> {
        let Self { parent, child, .. } = *self;
        let mut changed = pattern.clone();
        match self.kind {
            Kind::Insert => {
                self.directed.iter().for_each(|&node| changed.direct(node, child));
                changed.direct(parent, child);
                changed.extension().map(|graph| Pattern::of_graph(&graph))
            }
            Kind::Delete if parent != class => {
                for &node in &self.directed {
                    changed.direct(child, node);
                    if changed.undirected(parent, node) {
                        changed.direct(parent, node);
                    }
                }
                changed.remove(parent, child);
                changed.extension().map(|graph| Pattern::of_graph(&graph))
            }
            Kind::Delete => {
                self.directed.iter().for_each(|&node| changed.direct(child, node));
                self.before.iter().for_each(|&node| changed.direct(node, child));
                let mut graph = changed.extension()?;
                graph[child].clear();
                Some(Pattern::of_graph(&graph))
            }
        }
    }
}

/// Ordered pairs of nodes whose second is a feature, the class first.
fn pairs(pattern: &Pattern, class: usize) -> impl Iterator<Item = (usize, usize)> {
    let nodes = pattern.nodes();
    let parents = [class].into_iter().chain((0..nodes).filter(move |&node| node != class));
    parents.flat_map(move |parent| {
        (0..nodes).filter(move |&child| child != parent && child != class).map(move |child| (parent, child))
    })
}

/// All cliques of `always` and some of `may`, each ascending.
fn cliques(pattern: &Pattern, always: &[usize], may: &[usize]) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    if pattern.is_clique(always) {
        found.push(always.to_vec());
    }
    for &node in may {
        for place in 0..found.len() {
            if found[place].iter().all(|&other| pattern.adjacent(node, other)) {
                found.push(union(&found[place], &[node]));
            }
        }
    }
    found
}

fn union(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut all: Vec<usize> = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}
