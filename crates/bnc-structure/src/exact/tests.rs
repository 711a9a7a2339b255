#![allow(clippy::float_cmp, reason = "sums of small whole numbers are exact, and equal bits are meant")]

use std::sync::atomic::{AtomicU64, Ordering};

use proptest::prelude::*;

use super::*;
use crate::topology::topological_order;

const ALL_FORMS: [Form; 3] = [Form::Wide, Form::Narrow, Form::Lists];

struct Scores<F>(usize, F);

impl<F: Fn(usize, u32) -> f64 + Sync> SubsetScores for Scores<F> {
    fn nodes(&self) -> usize {
        self.0
    }

    fn score(&self, node: usize, parents: u32) -> f64 {
        assert_eq!(parents >> node & 1, 0, "a node is no parent of its own");
        self.1(node, parents)
    }
}

fn search(max_parents: Option<usize>, constraints: &ArcConstraints) -> ExactSearch<'_> {
    ExactSearch { max_parents, budget: u64::MAX, constraints, watch: &|_, _| true }
}

/// Numbers that look random, between -100 and 0.
fn scrambled(node: usize, parents: u32) -> f64 {
    let mut state = (node as u64) << 32 | u64::from(parents);
    for _ in 0..3 {
        state = (state ^ state >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1);
    }
    (state >> 11) as f64 / (1_u64 << 53) as f64 * -100.0
}

/// The parents of all optimal graphs, by trying all graphs.
fn brute_force(
    nodes: usize,
    score: impl Fn(usize, u32) -> f64,
    max_parents: Option<usize>,
    constraints: &ArcConstraints,
) -> (f64, Vec<Vec<Vec<usize>>>) {
    let mut best = (f64::NEG_INFINITY, Vec::new());
    for code in 0_usize..1 << (nodes * nodes) {
        let masks: Vec<u32> =
            (0..nodes).map(|node| (code >> (node * nodes) & ((1 << nodes) - 1)) as u32).collect();
        let arcs: Vec<(usize, usize)> = (0..nodes)
            .flat_map(|child| members(masks[child] as usize).map(move |parent| (parent, child)))
            .collect();
        let permitted = masks
            .iter()
            .all(|mask| max_parents.is_none_or(|most| mask.count_ones() as usize <= most))
            && arcs.iter().all(|&(parent, child)| parent != child && constraints.allows(parent, child))
            && constraints.required().filter(|arc| arc.0.max(arc.1) < nodes).all(|arc| arcs.contains(&arc));
        if !permitted || topological_order(nodes, arcs.into_iter()).is_err() {
            continue;
        }
        let total: f64 = (0..nodes).map(|node| score(node, masks[node])).sum();
        if total > best.0 {
            best = (total, Vec::new());
        }
        if total == best.0 && total.is_finite() {
            best.1.push(masks.iter().map(|&mask| members(mask as usize).collect()).collect());
        }
    }
    best
}

/// The optimal graph that the rule for ties chooses.
fn chosen(nodes: usize, mut optimal: Vec<Vec<Vec<usize>>>) -> Vec<Vec<usize>> {
    let mut set: Vec<usize> = (0..nodes).collect();
    while !set.is_empty() {
        let is_sink = |graph: &Vec<Vec<usize>>, node| !set.iter().any(|&child| graph[child].contains(&node));
        let sink = *set.iter().find(|&&node| optimal.iter().any(|graph| is_sink(graph, node))).unwrap();
        optimal.retain(|graph| is_sink(graph, sink));
        let first = |graph: &Vec<Vec<usize>>| (graph[sink].len(), graph[sink].clone());
        let parents = optimal.iter().map(first).min().unwrap().1;
        optimal.retain(|graph| graph[sink] == parents);
        set.retain(|&node| node != sink);
    }
    assert_eq!(optimal.len(), 1);
    optimal.remove(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn equal_to_trying_all_graphs(
        nodes in 0_usize..5,
        // Few different numbers, so that there are many ties; some families have no score.
        scores in prop::collection::vec(
            prop_oneof![9 => (-2_i8..3).prop_map(f64::from), 1 => Just(f64::NEG_INFINITY), 1 => Just(f64::NAN)],
            64,
        ),
        max_parents in prop::option::of(0_usize..4),
        required in prop::collection::vec((0_usize..5, 0_usize..5), 0..2),
        forbidden in prop::collection::vec((0_usize..5, 0_usize..5), 0..4),
        order in Just((0..5).collect::<Vec<usize>>()).prop_shuffle(),
        listed in 0_usize..4,
    ) {
        let Ok(constraints) = ArcConstraints::new(5, &required, &forbidden, &order[..listed]) else {
            return Ok(());
        };
        let score = |node: usize, parents: u32| scores[node * 16 + parents as usize];
        let finite = |node: usize, parents: u32| {
            Some(score(node, parents)).filter(|score| score.is_finite()).unwrap_or(f64::NEG_INFINITY)
        };
        let (total, optimal) = brute_force(nodes, finite, max_parents, &constraints);
        for form in ALL_FORMS {
            let result = search(max_parents, &constraints).run_as(form, &Scores(nodes, score));
            let counts_required =
                |child| constraints.required().filter(|arc| arc.0 < nodes && arc.1 == child).count();
            if let Some(most) = max_parents.map(|most| most.min(nodes))
                && let Some(child) = (0..nodes).find(|&child| counts_required(child) > most)
            {
                let required = counts_required(child);
                prop_assert_eq!(result, Err(Error::ManyRequiredParents { child, required, limit: most }));
            } else if optimal.is_empty() {
                prop_assert_eq!(result, Err(Error::NoGraph));
            } else {
                let graph = result.unwrap();
                prop_assert_eq!(&graph.parents, &chosen(nodes, optimal.clone()), "{:?}", form);
                prop_assert_eq!(graph.total, total);
                prop_assert_eq!(graph.optima, Some(optimal.len() as u64), "{:?}", form);
                for (node, parents) in graph.parents.iter().enumerate() {
                    let mask = parents.iter().fold(0, |mask, parent| mask | 1 << parent);
                    prop_assert_eq!(graph.scores[node], score(node, mask));
                }
            }
        }
    }

    #[test]
    fn equal_to_trying_all_graphs_with_real_scores(
        nodes in 1_usize..5,
        scores in prop::collection::vec(-1000.0..0.0, 64),
        max_parents in prop::option::of(1_usize..4),
    ) {
        let constraints = ArcConstraints::none(nodes);
        let score = |node: usize, parents: u32| scores[node * 16 + parents as usize];
        let (total, optimal) = brute_force(nodes, score, max_parents, &constraints);
        for form in ALL_FORMS {
            let graph = search(max_parents, &constraints).run_as(form, &Scores(nodes, score)).unwrap();
            prop_assert_eq!(graph.total, total);
            prop_assert_eq!(&graph.parents, &optimal[0]);
        }
    }
}

/// The best total by the recurrences, one set after the other.
fn plain_total(nodes: usize, score: impl Fn(usize, u32) -> f64, max_parents: usize) -> f64 {
    let full = 1_u32 << nodes;
    let mut totals = vec![f64::NEG_INFINITY; full as usize];
    totals[0] = 0.0;
    let mut best = vec![vec![f64::NEG_INFINITY; full as usize]; nodes];
    for (node, best) in best.iter_mut().enumerate() {
        for set in (0..full).filter(|set| set >> node & 1 == 0) {
            if set.count_ones() as usize <= max_parents {
                best[set as usize] = score(node, set);
            }
            for member in members(set as usize) {
                best[set as usize] = best[set as usize].max(best[set as usize ^ 1 << member]);
            }
        }
    }
    for set in 1..full as usize {
        for sink in members(set) {
            totals[set] = totals[set].max(totals[set ^ 1 << sink] + best[sink][set ^ 1 << sink]);
        }
    }
    totals[full as usize - 1]
}

fn assert_is_graph(graph: &OptimalGraph, score: impl Fn(usize, u32) -> f64) {
    let nodes = graph.parents.len();
    let arcs = (0..nodes).flat_map(|child| graph.parents[child].iter().map(move |&parent| (parent, child)));
    assert!(topological_order(nodes, arcs).is_ok());
    for (node, parents) in graph.parents.iter().enumerate() {
        let mask = parents.iter().fold(0, |mask, parent| mask | 1 << parent);
        assert_eq!(graph.scores[node], score(node, mask));
    }
}

#[test]
fn equal_to_the_plain_recurrences() {
    // 16 nodes are several chunks of the sweep and several leaves of the tables.
    for (nodes, max_parents) in [(9, 9), (9, 2), (10, 4), (16, 16), (16, 3)] {
        // Larger sets pay, up to a point, so that optimal parent sets have all sizes.
        let score = |node: usize, parents: u32| {
            scrambled(node, parents) + 15.0 * f64::from(parents.count_ones().min(node as u32 / 2))
        };
        let expected = plain_total(nodes, score, max_parents);
        for form in ALL_FORMS {
            if form == Form::Lists && max_parents > 9 {
                continue;
            }
            let none = ArcConstraints::none(nodes);
            let graph = search(Some(max_parents), &none).run_as(form, &Scores(nodes, score)).unwrap();
            assert!((graph.total - expected).abs() < 1e-6, "{form:?}: {} and {expected}", graph.total);
            assert_is_graph(&graph, score);
        }
    }
}

#[test]
fn all_forms_and_thread_counts_give_the_same_graph() {
    // Whole numbers of few values: the ties are many, and all forms are exact.
    let score = |node: usize, parents: u32| (scrambled(node, parents) / 30.0).round();
    let none = ArcConstraints::none(15);
    let run = |form, threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| search(Some(4), &none).run_as(form, &Scores(15, score)).unwrap())
    };
    let first = run(Form::Wide, 1);
    for form in ALL_FORMS {
        for threads in [1, 4] {
            assert_eq!(run(form, threads), first);
        }
    }
}

#[test]
fn noise_does_not_decide() {
    let noisy = |node: usize, parents: u32| 1e-12 * scrambled(node, parents) - 3.25;
    let none = ArcConstraints::none(5);
    let graph = search(None, &none).run(Scores(5, noisy)).unwrap();
    assert_eq!(graph.parents, vec![Vec::<usize>::new(); 5]);
    // All 29,281 graphs of five nodes are equal.
    assert_eq!(graph.optima, Some(29_281));
}

#[test]
fn counts_beyond_64_bits_are_not_given() {
    let count = |nodes| {
        let none = ArcConstraints::none(nodes);
        search(None, &none).run(Scores(nodes, |_, _| 0.0)).unwrap().optima
    };
    assert_eq!(count(10), Some(4_175_098_976_430_598_143));
    assert_eq!(count(12), None);
    assert_eq!(count(13), None);
}

#[test]
fn a_budget_is_kept() {
    let none = ArcConstraints::none(6);
    let with = |max_parents, budget| ExactSearch { budget, ..search(max_parents, &none) };
    let totals = 64 * 8;
    assert_eq!(with(None, u64::MAX).memory(6), 6 * 32 * 8 + totals);
    assert_eq!(with(None, 6 * 32 * 8 + totals - 1).memory(6), 6 * 32 * 4 + totals);
    assert_eq!(with(Some(0), 6 * 32 * 4 + totals - 1).memory(6), 6 * 48 + totals);
    let scores = Scores(6, scrambled);
    let needed = 6 * 32 * 4 + totals;
    let refusal = Error::OverBudget { nodes: 6, bytes: needed, budget: needed - 1 };
    assert_eq!(with(None, needed - 1).run(&scores), Err(refusal));
    assert!(with(None, needed).run(&scores).is_ok());
    assert_eq!(with(Some(0), 6 * 48 + totals).run(&scores).unwrap().parents, vec![Vec::<usize>::new(); 6]);
    // Few sets are kept as lists where tables fit, too, and many are where tables do not fit.
    assert_eq!(with(Some(2), u64::MAX).memory(20), 20 * (1 + 19 + 171) * 48 + (8 << 20));
    assert_eq!(with(Some(9), u64::MAX).memory(20), (20 << 19) * 8 + (8 << 20));
    let sets: u64 = 1 + 27 + 351 + 2925 + 17_550 + 80_730 + 296_010;
    assert_eq!(with(Some(6), 40 << 30).memory(28), (28 << 27) * 8 + (8 << 28));
    assert_eq!(with(Some(6), 15 << 30).memory(28), 28 * sets * 48 + (8 << 28));
    // 28 nodes take 14 GiB of tables and 2 GiB of totals.
    assert_eq!(with(None, 20 << 30).memory(28), 16 << 30);
    assert_eq!(with(None, u64::MAX).memory(33), u64::MAX);
    let refusal = Error::ManyNodes { nodes: 33, limit: 32 };
    assert_eq!(with(None, u64::MAX).run(Scores(33, scrambled)), Err(refusal));
}

#[test]
fn progress_ends_at_its_total() {
    for form in ALL_FORMS {
        let largest = AtomicU64::new(0);
        let end = AtomicU64::new(0);
        let watch = |done, total| {
            largest.fetch_max(done, Ordering::Relaxed);
            end.store(total, Ordering::Relaxed);
            true
        };
        let none = ArcConstraints::none(16);
        let search = ExactSearch { watch: &watch, ..search(Some(2), &none) };
        search.run_as(form, &Scores(16, scrambled)).unwrap();
        assert_eq!(largest.load(Ordering::Relaxed), end.load(Ordering::Relaxed), "{form:?}");
    }
}

#[test]
fn a_search_can_be_stopped_at_any_time() {
    for form in ALL_FORMS {
        for part in 0..8 {
            let asked = AtomicU64::new(0);
            let watch = |done, total| {
                asked.fetch_add(1, Ordering::Relaxed);
                done * 8 <= total * part
            };
            let none = ArcConstraints::none(16);
            let search = ExactSearch { watch: &watch, ..search(Some(2), &none) };
            let scored = AtomicU64::new(0);
            let score = |node: usize, parents: u32| {
                scored.fetch_add(1, Ordering::Relaxed);
                scrambled(node, parents)
            };
            assert_eq!(search.run_as(form, &Scores(16, score)), Err(Error::Cancelled), "{form:?}");
            assert!(asked.load(Ordering::Relaxed) > 0);
            if part == 0 && form != Form::Lists {
                // The first piece is hardly begun.
                assert!(scored.load(Ordering::Relaxed) < 16 << 10, "{form:?}");
            }
        }
    }
}
