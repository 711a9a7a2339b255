//! Patterns and operators against all graphs of four nodes; scores of operators against the graphs that they lead to.

use std::collections::{BTreeMap, BTreeSet};

use bnc_models::conformance::pattern as pattern_data;

use super::McDagScore;
use super::folds::Folds;
use super::held_out::HeldOut;
use super::operators::{Operator, deletions, insertions};
use super::pattern::Pattern;
use crate::greedy::Rows;

const NODES: usize = 4;
const CLASS: usize = 3;

type Graph = Vec<Vec<usize>>;

fn is_acyclic(graph: &Graph) -> bool {
    let mut left: Vec<usize> = (0..graph.len()).collect();
    while let Some(place) =
        left.iter().position(|&node| graph[node].iter().all(|parent| !left.contains(parent)))
    {
        left.remove(place);
    }
    left.is_empty()
}

fn graphs() -> Vec<Graph> {
    let graph = |bits: u32| -> Graph {
        let has = |parent, child| parent != child && bits >> (child * NODES + parent) & 1 == 1;
        (0..NODES).map(|child| (0..NODES).filter(|&parent| has(parent, child)).collect()).collect()
    };
    let diagonal: u32 = (0..NODES).map(|node| 1 << (node * NODES + node)).sum();
    (0..1 << (NODES * NODES)).filter(|bits| bits & diagonal == 0).map(graph).filter(is_acyclic).collect()
}

/// What Verma and Pearl's theorem tells classes apart by: edges, and colliders without an edge between their parents.
type Identity = (BTreeSet<(usize, usize)>, BTreeSet<(usize, usize, usize)>);

fn identity(graph: &Graph) -> Identity {
    let arcs = || {
        graph
            .iter()
            .enumerate()
            .flat_map(|(child, parents)| parents.iter().map(move |&parent| (parent, child)))
    };
    let edges: BTreeSet<(usize, usize)> = arcs().map(|(a, b)| (a.min(b), a.max(b))).collect();
    let mut colliders = BTreeSet::new();
    for (a, child) in arcs() {
        for &b in graph[child].iter().filter(|&&b| a < b && !edges.contains(&(a, b))) {
            colliders.insert((a, child, b));
        }
    }
    (edges, colliders)
}

fn is_class_focused(graph: &Graph) -> bool {
    graph[CLASS].is_empty() && graph.iter().all(|parents| parents.is_empty() || parents.contains(&CLASS))
}

fn classes() -> Vec<Vec<Graph>> {
    let mut classes = BTreeMap::<Identity, Vec<Graph>>::new();
    for graph in graphs() {
        classes.entry(identity(&graph)).or_default().push(graph);
    }
    classes.into_values().collect()
}

#[test]
fn a_pattern_directs_what_all_members_agree_on() {
    let classes = classes();
    assert_eq!(classes.len(), 185, "the classes of four nodes (Gillispie and Perlman 2001)");
    for members in classes {
        for member in &members {
            let pattern = Pattern::of_graph(member);
            for (from, to) in (0..NODES).flat_map(|from| (0..NODES).map(move |to| (from, to))) {
                let possible = members.iter().any(|graph| graph[to].contains(&from));
                assert_eq!(pattern.open(from, to), possible, "{member:?} {from} {to}");
            }
            assert!(members.contains(&pattern.extension().unwrap()), "{member:?}");
        }
    }
}

#[test]
fn a_class_is_focused_when_one_of_its_members_is() {
    let mut focused = 0;
    for members in classes() {
        let found = Pattern::of_graph(&members[0]).class_focused(CLASS);
        assert_eq!(found.is_some(), members.iter().any(is_class_focused), "{members:?}");
        if let Some(graph) = found {
            assert!(is_class_focused(&graph) && members.contains(&graph), "{graph:?}");
            focused += 1;
        }
    }
    assert!(focused > 20, "{focused}");
}

/// The classes that the operators lead to.
fn results(members: &[Graph], operators: fn(&Pattern, usize) -> Vec<Operator>) -> BTreeSet<Identity> {
    let pattern = Pattern::of_graph(&members[0]);
    let apply = |operator: &Operator| {
        let changed = operator.apply(&pattern, CLASS);
        let graph = changed.and_then(|pattern| pattern.class_focused(CLASS));
        identity(&graph.unwrap_or_else(|| panic!("{members:?}: {operator:?}")))
    };
    operators(&pattern, CLASS).iter().map(apply).collect()
}

#[test]
fn insertions_lead_to_all_focused_classes_that_an_arc_more_leads_to() {
    for members in classes().iter().filter(|members| members.iter().any(is_class_focused)) {
        let mut expected = BTreeSet::new();
        for graph in members.iter().filter(|graph| is_class_focused(graph)) {
            for (parent, child) in (0..NODES).flat_map(|parent| (0..NODES).map(move |child| (parent, child)))
            {
                let mut more = graph.clone();
                if parent != child && !more[child].contains(&parent) {
                    more[child].push(parent);
                    more[child].sort_unstable();
                    if is_acyclic(&more) && is_class_focused(&more) {
                        expected.insert(identity(&more));
                    }
                }
            }
        }
        assert_eq!(results(members, insertions), expected, "{members:?}");
    }
}

#[test]
fn deletions_lead_to_all_focused_classes_that_an_arc_less_leads_to() {
    for members in classes().iter().filter(|members| members.iter().any(is_class_focused)) {
        let mut expected = BTreeSet::new();
        for graph in members.iter().filter(|graph| is_class_focused(graph)) {
            for (child, parents) in graph.iter().enumerate() {
                for &parent in parents {
                    let mut fewer = graph.clone();
                    fewer[child].retain(|&other| other != parent && parent != CLASS);
                    expected.insert(identity(&fewer));
                }
            }
        }
        assert_eq!(results(members, deletions), expected, "{members:?}");
    }
}

#[test]
fn an_operator_scores_what_its_graph_scores() {
    let rows = Rows::distinct(&pattern_data(&[2, 3, 2], 3, 150, 0));
    let folds = Folds::stratified(&rows, 5);
    let mut compared = 0;
    for score in [McDagScore::Accuracy, McDagScore::ConditionalLogLikelihood] {
        for members in classes() {
            let pattern = Pattern::of_graph(&members[0]);
            let Some(graph) = pattern.class_focused(CLASS) else { continue };
            let held_out = HeldOut::new(&folds, score, &graph);
            let operators = [insertions(&pattern, CLASS), deletions(&pattern, CLASS)].concat();
            for (operator, merit) in operators.iter().zip(held_out.scores(&operators)) {
                let changed = operator.apply(&pattern, CLASS).unwrap().class_focused(CLASS).unwrap();
                let expected = HeldOut::new(&folds, score, &changed).current();
                assert!(
                    (merit.likelihood - expected.likelihood).abs() < 1e-9
                        && (merit.right - expected.right).abs() < 0.5,
                    "{operator:?}: {merit:?} {expected:?}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn folds_share_out_rows_by_class() {
    let data = pattern_data(&[2, 2], 3, 203, 0);
    let rows = Rows::distinct(&data);
    let folds = Folds::stratified(&rows, 10);
    let mut labels = folds.rows.labels();
    let mut of_class = vec![Vec::new(); 3];
    for range in &folds.ranges {
        let mut counts = [0.0; 3];
        for (class, weight) in labels.by_ref().take(range.len()) {
            counts[class] += weight;
        }
        counts.iter().zip(&mut of_class).for_each(|(&count, all)| all.push(count));
    }
    for (class, counts) in of_class.iter().enumerate() {
        let held = data.class().iter().filter(|&&y| usize::from(y) == class).count();
        assert!((counts.iter().sum::<f64>() - held as f64).abs() < 1e-9);
        let (fewest, most) = counts.iter().fold((f64::MAX, 0.0_f64), |(a, b), &c| (a.min(c), b.max(c)));
        assert!(most - fewest <= 1.0, "class {class}: {counts:?}");
    }
}
