//! The optimum against all structures.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use bnc_anb::{Anb, Gbn, Search};
use bnc_models::bnc_data::{Dataset, MISSING};
use bnc_models::bnc_stats::{Child, Counter, LocalScore, Vars};
use bnc_models::bnc_structure::{Family, Structure};
use bnc_models::{Constraints, Learner, Network, conformance};
use proptest::prelude::*;

/// The parent sets, as bit masks, of every directed acyclic graph over so many nodes.
fn graphs(nodes: usize) -> Vec<Vec<u32>> {
    let mut all = Vec::new();
    let choices = 1_u32 << (nodes - 1);
    for mut number in 0..choices.pow(nodes as u32) {
        let mut graph = Vec::with_capacity(nodes);
        for node in 0..nodes {
            let packed = number % choices;
            number /= choices;
            let low = packed & ((1 << node) - 1);
            graph.push(low | (packed >> node) << (node + 1));
        }
        if is_acyclic(&graph) {
            all.push(graph);
        }
    }
    all
}

fn is_acyclic(graph: &[u32]) -> bool {
    let mut placed = 0_u32;
    for _ in 0..graph.len() {
        let Some(next) = (0..graph.len()).find(|&node| placed >> node & 1 == 0 && graph[node] & !placed == 0)
        else {
            return false;
        };
        placed |= 1 << next;
    }
    true
}

static FOUR: LazyLock<Vec<Vec<u32>>> = LazyLock::new(|| graphs(4));
static FIVE: LazyLock<Vec<Vec<u32>>> = LazyLock::new(|| graphs(5));

#[test]
fn the_number_of_graphs_is_that_of_robinson() {
    assert_eq!((FOUR.len(), FIVE.len()), (543, 29_281));
}

/// Scores of families, from tables; node `features` is the class.
struct Families<'a> {
    rows: &'a Dataset,
    score: LocalScore,
    known: HashMap<(usize, u32, bool), f64>,
}

impl Families<'_> {
    /// The score of a feature given features, and the class or not; or of the class given features.
    fn of(&mut self, node: usize, parents: u32, class: bool) -> f64 {
        let (rows, score) = (self.rows, self.score);
        *self.known.entry((node, parents, class)).or_insert_with(|| {
            let features = rows.features().len();
            let set = (0..features).filter(|&feature| parents >> feature & 1 == 1);
            let vars = Vars::new(set.chain((node < features).then_some(node)));
            let table = rows.count(&[vars]).unwrap().remove(0);
            let child = if node < features { Child::Feature(node) } else { Child::Class };
            score.of_family(&table, child, class, table.total())
        })
    }
}

/// The best score of the features' families in an augmented naive Bayes, and how many graphs reach it.
fn best_augmented(rows: &Dataset, score: LocalScore, allowed: impl Fn(&[u32]) -> bool) -> (f64, u64) {
    let mut families = Families { rows, score, known: HashMap::new() };
    let all = match rows.features().len() {
        4 => &*FOUR,
        5 => &*FIVE,
        _ => panic!("4 or 5 features"),
    };
    best(all.iter().filter(|graph| allowed(graph)).map(|graph| {
        graph.iter().enumerate().map(|(node, &parents)| families.of(node, parents, true)).sum::<f64>()
    }))
}

/// The best score of a network over three features and the class, and how many graphs reach it.
fn best_general(rows: &Dataset, score: LocalScore, allowed: impl Fn(&[u32]) -> bool) -> (f64, u64) {
    let mut families = Families { rows, score, known: HashMap::new() };
    let class = rows.features().len();
    assert_eq!(class, 3);
    best(FOUR.iter().filter(|graph| allowed(graph)).map(|graph| {
        graph
            .iter()
            .enumerate()
            .map(|(node, &parents)| families.of(node, parents & 0b111, parents >> class & 1 == 1))
            .sum::<f64>()
    }))
}

fn best(scores: impl Iterator<Item = f64>) -> (f64, u64) {
    scores.fold((f64::NEG_INFINITY, 0), |(best, count), score| {
        if score > best + 1e-7 { (score, 1) } else { (best, count + u64::from(score > best - 1e-7)) }
    })
}

/// Random rows in which later features copy earlier ones now and then.
fn rows(features: usize) -> impl Strategy<Value = Dataset> {
    let dims = prop::collection::vec(1_usize..4, features);
    (dims, 1_usize..4, 1_usize..60).prop_flat_map(move |(dims, classes, count)| {
        let row = prop::collection::vec((0_u16..12, 0_u8..4), features);
        let rows = prop::collection::vec((row, 0_u16..12), count);
        (rows, Just(dims), Just(classes), prop::option::of(prop::collection::vec(0_u32..3, count))).prop_map(
            move |(rows, dims, classes, weights)| {
                let schema = conformance::schema(&dims, classes);
                let class: Vec<u16> = rows.iter().map(|(_, code)| code % classes as u16).collect();
                let column = |feature: usize| {
                    let cell = |(row, _): &(Vec<(u16, u8)>, u16)| {
                        let (code, kind) = row[feature];
                        let source = if kind == 0 || feature == 0 { code } else { row[feature - 1].0 };
                        source % dims[feature] as u16
                    };
                    rows.iter().map(cell).collect()
                };
                let columns = (0..dims.len()).map(column).collect();
                // Rows of weight 0 only would leave nothing to learn from.
                let weights = weights.filter(|weights| weights.iter().any(|&weight| weight > 0));
                Dataset::new(schema, class, columns, weights).unwrap()
            },
        )
    })
}

fn score() -> impl Strategy<Value = LocalScore> {
    prop::sample::select(vec![
        LocalScore::Bdeu(1.0),
        LocalScore::Bdeu(10.0),
        LocalScore::Bic,
        LocalScore::Aic,
        LocalScore::K2,
        LocalScore::Bds(1.0),
        LocalScore::LogLikelihood,
        LocalScore::FactorizedNml,
        LocalScore::QuotientNml,
    ])
}

/// Whether the number of optima found can be right: all that are equivalent to the one found where the score tells no
/// equivalent structures apart, and no more than come within rounding of the best. Between, unlike structures whose scores
/// coincide (with 16 rows a parameter of BIC costs ln 4) may be told apart by rounding.
fn is_count(found: &Network, score: LocalScore, optima: u64, graphs: &[Vec<u32>], nodes: usize) -> bool {
    let equivalents = if matches!(score, LocalScore::Bdeu(_) | LocalScore::Bic | LocalScore::Aic) {
        let all = (1 << nodes) - 1;
        let own: Vec<u32> = masks(found.structure())[..nodes].iter().map(|parents| parents & all).collect();
        let own = edges_and_colliders(&own);
        graphs.iter().filter(|graph| edges_and_colliders(graph) == own).count() as u64
    } else {
        1
    };
    found.score().unwrap().optima.is_some_and(|count| (equivalents..=optima).contains(&count))
}

/// What equivalent graphs share (Verma and Pearl 1990).
fn edges_and_colliders(graph: &[u32]) -> (Vec<u32>, Vec<(usize, usize, usize)>) {
    let nodes = graph.len();
    let has = |parent: usize, child: usize| graph[child] >> parent & 1 == 1;
    let adjacent = |a: usize, b: usize| has(a, b) || has(b, a);
    let near = |node: usize| {
        (0..nodes).filter(|&other| adjacent(node, other)).fold(0, |set, other| set | 1 << other)
    };
    let pairs = || (0..nodes).flat_map(move |a| (a + 1..nodes).map(move |b| (a, b)));
    let collides = |&(a, b, child): &(usize, usize, usize)| has(a, child) && has(b, child) && !adjacent(a, b);
    let triples = pairs().flat_map(|(a, b)| (0..nodes).map(move |child| (a, b, child)));
    ((0..nodes).map(near).collect(), triples.filter(collides).collect())
}

#[test]
fn four_nodes_have_185_equivalence_classes() {
    let classes: std::collections::HashSet<_> = FOUR.iter().map(|graph| edges_and_colliders(graph)).collect();
    assert_eq!(classes.len(), 185);
}

fn masks(structure: &Structure) -> Vec<u32> {
    let class = structure.features().len();
    let mask = |parents: &[usize]| parents.iter().fold(0, |mask, parent| mask | 1 << parent);
    let of = |family: &Family| mask(&family.parents) | u32::from(family.class) << class;
    structure.features().iter().map(of).chain([mask(structure.class_parents())]).collect()
}

fn is_near(found: f64, best: f64) -> bool {
    (found - best).abs() <= 1e-6 * best.abs().max(1.0)
}

fn features_score(model: &Network) -> f64 {
    model.score().unwrap().features
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_augmented_naive_bayes_of_four_features_scores_higher(rows in rows(4), score in score()) {
        let model = Anb::new(Search::default().with_score(score)).fit(&rows).unwrap();
        let (best, optima) = best_augmented(&rows, score, |_| true);
        prop_assert!(is_near(features_score(&model), best), "{:?} {best}", model.score());
        prop_assert!(is_count(&model, score, optima, &FOUR, 4), "{:?} {optima}", model.score());
    }

    #[test]
    fn no_network_over_three_features_and_the_class_scores_higher(rows in rows(3), score in score()) {
        let model = Gbn::new(Search::default().with_score(score)).fit(&rows).unwrap();
        let (best, optima) = best_general(&rows, score, |_| true);
        prop_assert!(is_near(model.score().unwrap().total, best), "{:?} {best}", model.score());
        prop_assert!(is_count(&model, score, optima, &FOUR, 4), "{:?} {optima}", model.score());
    }

    #[test]
    fn limits_and_constraints_leave_the_best_of_what_they_allow(
        rows in rows(4),
        score in score(),
        limit in prop::option::of(1_usize..3),
        required in prop::option::of((0_usize..4, 0_usize..4)),
        forbidden in prop::collection::vec((0_usize..4, 0_usize..4), 0..4),
    ) {
        let required = required.filter(|arc| arc.0 != arc.1);
        let forbidden: Vec<_> = forbidden.into_iter().filter(|arc| arc.0 != arc.1 && Some(*arc) != required).collect();
        let name = |feature: usize| format!("x{feature}");
        let named = |&(parent, child): &(usize, usize)| (name(parent), name(child));
        let constraints = Constraints {
            required: required.iter().map(named).collect(),
            forbidden: forbidden.iter().map(named).collect(),
            order: Vec::new(),
        };
        let allowed = |graph: &[u32]| {
            let has = |&(parent, child): &(usize, usize)| graph[child] >> parent & 1 == 1;
            graph.iter().all(|parents| limit.is_none_or(|limit| parents.count_ones() as usize <= limit))
                && required.iter().all(has)
                && !forbidden.iter().any(has)
        };
        let search = Search::default().with_score(score).with_max_parents(limit).with_constraints(constraints);
        let model = Anb::new(search).fit(&rows).unwrap();
        let (best, _) = best_augmented(&rows, score, allowed);
        prop_assert!(is_near(features_score(&model), best), "{:?} {best}", model.score());
        let among_features: Vec<u32> = masks(model.structure())[..4].iter().map(|parents| parents & 0b1111).collect();
        prop_assert!(allowed(&among_features));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn no_augmented_naive_bayes_of_five_features_scores_higher(rows in rows(5), score in score()) {
        let model = Anb::new(Search::default().with_score(score)).fit(&rows).unwrap();
        let (best, optima) = best_augmented(&rows, score, |_| true);
        prop_assert!(is_near(features_score(&model), best), "{:?} {best}", model.score());
        prop_assert!(is_count(&model, score, optima, &FIVE, 5), "{:?} {optima}", model.score());
    }
}

#[test]
fn rows_with_missing_cells_do_not_tell_the_structure() {
    let whole = conformance::pattern(&[2, 3, 2, 2], 2, 90, 0);
    let mut class = whole.class().to_vec();
    let mut columns = whole.features().to_vec();
    for row in 0..30 {
        class.push(row % 2);
        for (feature, column) in columns.iter_mut().enumerate() {
            column.push(if usize::from(row) % 4 == feature { MISSING } else { row % 2 });
        }
    }
    let with_gaps = Dataset::new(Arc::clone(whole.schema()), class, columns, None).unwrap();
    for score in [LocalScore::Bdeu(1.0), LocalScore::Bic] {
        let learner = Anb::new(Search::default().with_score(score));
        let (expected, found) = (learner.fit(&whole).unwrap(), learner.fit(&with_gaps).unwrap());
        assert_eq!(found.structure(), expected.structure());
        assert_eq!(found.score(), expected.score());
        assert_ne!(found.table(0).logs(), expected.table(0).logs(), "probabilities use the rows with gaps");
    }
}
