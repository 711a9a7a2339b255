//! Hill climbing against brute force.

use std::sync::LazyLock;

use bnc_anb::{Bnc2p, GreedyGbn, GreedyScore};
use bnc_models::bnc_data::{Code, Dataset, Error as DataError, Progress};
use bnc_models::bnc_stats::{Child, Counter, LocalScore, Vars};
use bnc_models::bnc_structure::{Family, Structure};
use bnc_models::conformance::{check, pattern, schema};
use bnc_models::{
    Classifier, Configure, Constraints, Error, Learner, NETWORK_LOADER, Network, Parameters, Smoothing,
};

/// The generator `SplitMix64`.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    /// Columns that follow a mix of up to two earlier ones in some of the rows; the class is any of them.
    pub(crate) fn data(&mut self, features: usize, rows: usize) -> Dataset {
        let mut dims: Vec<usize> = (0..=features).map(|_| 2 + self.below(2)).collect();
        let mut columns: Vec<Vec<Code>> = Vec::new();
        for (place, &dim) in dims.iter().enumerate() {
            let sources = (self.below(place + 1), self.below(place + 1));
            let share = self.below(11);
            let cell = |row: usize, random: &mut Self| {
                if place > 0 && random.below(10) < share {
                    let of = |source: usize| usize::from(columns[source.min(place - 1)][row]);
                    ((of(sources.0) + of(sources.1) * 2) % dim) as Code
                } else {
                    random.below(dim) as Code
                }
            };
            let column = (0..rows).map(|row| cell(row, self)).collect();
            columns.push(column);
        }
        let class = self.below(features + 1);
        let (classes, class) = (dims.remove(class), columns.remove(class));
        Dataset::new(schema(&dims, classes), class, columns, None).unwrap()
    }
}

type Graph = Vec<Vec<usize>>;

/// All directed acyclic graphs of up to 4 nodes, as the parents of each node.
fn graphs(nodes: usize) -> &'static [Graph] {
    static ALL: LazyLock<Vec<Vec<Graph>>> = LazyLock::new(|| {
        let acyclic = |graph: &Graph| structure(graph).is_some();
        let of_nodes = |nodes: usize| {
            let graph = |bits: u32| -> Graph {
                let has = |parent, child| parent != child && bits >> (child * nodes + parent) & 1 == 1;
                (0..nodes).map(|child| (0..nodes).filter(|&parent| has(parent, child)).collect()).collect()
            };
            let diagonal: u32 = (0..nodes).map(|node| 1 << (node * nodes + node)).sum();
            (0..1_u32 << (nodes * nodes))
                .filter(|bits| bits & diagonal == 0)
                .map(graph)
                .filter(acyclic)
                .collect()
        };
        (1..=4).map(of_nodes).collect()
    });
    &ALL[nodes - 1]
}

/// `None` where there is a cycle.
fn structure(graph: &[Vec<usize>]) -> Option<Structure> {
    let (class_parents, features) = graph.split_last().unwrap();
    let class = features.len();
    let family = |parents: &Vec<usize>| Family {
        class: parents.contains(&class),
        parents: parents.iter().copied().filter(|&parent| parent != class).collect(),
    };
    Structure::new(features.iter().map(family).collect(), class_parents.clone()).ok()
}

fn graph_of(structure: &Structure) -> Graph {
    let class = structure.features().len();
    let parents = |family: &Family| {
        let mut parents = family.parents.clone();
        parents.extend(family.class.then_some(class));
        parents
    };
    structure.features().iter().map(parents).chain([structure.class_parents().to_vec()]).collect()
}

/// The sum over the families, each counted for itself.
fn local(data: &Dataset, graph: &[Vec<usize>], score: LocalScore) -> f64 {
    let class = graph.len() - 1;
    let family = |(node, parents): (usize, &Vec<usize>)| {
        let axes = parents.iter().copied().chain([node]).filter(|&axis| axis != class);
        let table = data.count(&[Vars::new(axes)]).unwrap().remove(0);
        let child = if node == class { Child::Class } else { Child::Feature(node) };
        score.of_family(&table, child, parents.contains(&class), data.rows() as u64)
    };
    graph.iter().enumerate().map(family).sum()
}

/// Σ ln P(y | x) over the training rows under the network of maximum likelihood estimates.
fn conditional(data: &Dataset, graph: &[Vec<usize>]) -> f64 {
    let network = Network::fit(data, structure(graph).unwrap(), Smoothing::Mle, Smoothing::Mle).unwrap();
    let posteriors = network.posteriors(data).unwrap();
    data.class().iter().zip(posteriors.rows()).map(|(&class, row)| row[usize::from(class)].ln()).sum()
}

/// CMDL, negative: larger is better.
fn cmdl(data: &Dataset, graph: &[Vec<usize>]) -> f64 {
    let network = Network::fit(data, structure(graph).unwrap(), Smoothing::Mle, Smoothing::Mle).unwrap();
    conditional(data, graph) - (data.rows() as f64).ln() / 2.0 * network.free_parameters() as f64
}

/// The graphs that one arc more, one less or one reversed makes.
fn neighbours(graph: &Graph) -> Vec<Graph> {
    let mut found = Vec::new();
    for child in 0..graph.len() {
        for parent in (0..graph.len()).filter(|&parent| parent != child) {
            let mut changed = graph.clone();
            if let Some(place) = graph[child].iter().position(|&other| other == parent) {
                changed[child].remove(place);
                found.push(changed.clone());
                changed[parent].push(child);
            } else {
                changed[child].push(parent);
            }
            found.push(changed);
        }
    }
    found.retain(|graph| structure(graph).is_some());
    found
}

/// Compares what a learner finds in random data with all graphs, and with those one operator away; gives how often it found
/// the best.
fn compare(
    learner: &dyn Fn(&Dataset) -> Network,
    value: &dyn Fn(&Dataset, &[Vec<usize>]) -> f64,
    allowed: &dyn Fn(&Graph) -> bool,
    seeds: u64,
) -> usize {
    let mut best_found = 0;
    for seed in 0..seeds {
        let mut random = Random(seed);
        let (features, rows) = (random.below(4), 1 + random.below(120));
        let data = random.data(features, rows);
        let graph = graph_of(learner(&data).structure());
        assert!(allowed(&graph), "{seed}: {graph:?}");
        let found = value(&data, &graph);
        let best = graphs(features + 1).iter().filter(|graph| allowed(graph));
        let best = best.map(|graph| value(&data, graph)).fold(f64::NEG_INFINITY, f64::max);
        assert!(found <= best + 1e-9, "{seed}: {found} is above the best, {best}");
        best_found += usize::from(found >= best - 1e-6);
        for other in neighbours(&graph).iter().filter(|graph| allowed(graph)) {
            let other_value = value(&data, other);
            assert!(other_value <= found + 2e-9, "{seed}: {other:?} scores {other_value}, {graph:?} {found}");
        }
    }
    best_found
}

#[test]
fn climbing_by_a_sum_over_families_ends_in_a_local_optimum() {
    let scores = [
        LocalScore::Bdeu(1.0),
        LocalScore::Bdeu(10.0),
        LocalScore::Bds(1.0),
        LocalScore::Bic,
        LocalScore::Aic,
        LocalScore::K2,
        LocalScore::FactorizedNml,
        LocalScore::QuotientNml,
    ];
    for score in scores {
        let learner = GreedyGbn::default().with_score(GreedyScore::Local(score));
        let fit = |data: &Dataset| {
            let model = learner.fit(data).unwrap();
            let stated = model.score().unwrap().total;
            let counted = local(data, &graph_of(model.structure()), score);
            assert!((stated - counted).abs() < 1e-9, "{score:?}: {stated} {counted}");
            model
        };
        let found = compare(&fit, &|data, graph| local(data, graph, score), &|_| true, 25);
        assert!(found >= 18, "{score:?}: the best graph in {found} of 25");
    }
}

#[test]
fn climbing_by_conditional_scores_ends_in_a_local_optimum() {
    let learner = GreedyGbn::default().with_score(GreedyScore::Cmdl);
    let found = compare(&|data| learner.fit(data).unwrap(), &cmdl, &|_| true, 150);
    assert!(found >= 100, "CMDL: the best graph in {found} of 150");
    let two = |graph: &Graph| graph.iter().all(|parents| parents.len() <= 2);
    let found = compare(&|data| Bnc2p::default().fit(data).unwrap(), &conditional, &two, 150);
    assert!(found >= 75, "CLL: the best graph in {found} of 150");
}

#[test]
fn a_limit_of_parents_does_not_count_the_class() {
    for most in 0..2 {
        let learner = GreedyGbn::default().with_max_parents(Some(most));
        let within = |graph: &Graph| {
            let class = graph.len() - 1;
            graph.iter().all(|parents| parents.iter().filter(|&&parent| parent != class).count() <= most)
        };
        let value = |data: &Dataset, graph: &[Vec<usize>]| local(data, graph, LocalScore::Bdeu(1.0));
        let found = compare(&|data| learner.fit(data).unwrap(), &value, &within, 60);
        assert!(found >= 45, "the best graph in {found} of 60");
    }
}

/// Probabilities that underflow, and rows that all but one class are ruled out for.
#[test]
fn many_features_end_in_a_local_optimum_too() {
    let data = Random(7).data(12, 60);
    let graph = graph_of(Bnc2p::default().fit(&data).unwrap().structure());
    let found = conditional(&data, &graph);
    for other in neighbours(&graph).iter().filter(|graph| graph.iter().all(|parents| parents.len() <= 2)) {
        assert!(conditional(&data, other) <= found + 1e-9, "{other:?}");
    }
}

/// A learner under constraints.
type Constrained = Box<dyn Fn(&Dataset, Constraints) -> Result<Network, Error>>;

fn constrained() -> [(&'static str, Constrained); 3] {
    [
        ("bdeu", Box::new(|data, given| GreedyGbn::default().with_constraints(given).fit(data))),
        (
            "cmdl",
            Box::new(|data, given| {
                GreedyGbn::default().with_score(GreedyScore::Cmdl).with_constraints(given).fit(data)
            }),
        ),
        ("bnc2p", Box::new(|data, given| Bnc2p::default().with_constraints(given).fit(data))),
    ]
}

#[test]
fn r48_constraints_are_always_obeyed() {
    let learners = constrained();
    let mut changed = 0;
    for seed in 0..1000 {
        let mut random = Random(seed);
        let data = random.data(4, 40);
        let name = |node: usize| if node == 4 { "class".to_string() } else { format!("x{node}") };
        // Required arcs along a random order, so that they form no cycle.
        let mut order: Vec<usize> = (0..5).collect();
        (1..5).rev().for_each(|last| order.swap(last, random.below(last + 1)));
        let required = vec![(name(order[0]), name(order[1])), (name(order[1]), name(order[3]))];
        let mut forbidden = vec![(name(order[0]), name(order[2])), (name(order[2]), name(order[0]))];
        forbidden.push((name(order[4]), name(order[1])));
        let order = vec![name(order[1]), name(order[2]), name(order[4])];
        let given = Constraints { required, forbidden, order };
        let (label, fit) = &learners[(seed % 3) as usize];
        let model = fit(&data, given.clone()).unwrap();
        let resolved = given.resolve(data.schema()).unwrap();
        assert!(resolved.is_met_by(model.structure()), "{label} {seed}: {:?}", model.structure());
        let free = fit(&data, Constraints::default()).unwrap();
        changed += usize::from(free.structure() != model.structure());
    }
    assert!(changed > 500, "the constraints matter in {changed} of 1000");
}

#[test]
fn r48_an_empty_list_is_no_list() {
    let data = Random(3).data(5, 200);
    let configured = |given: Vec<(String, String)>| {
        GreedyGbn::configure(&Parameters::new(&GreedyGbn::INFO, given).unwrap()).unwrap()
    };
    let none = ["require", "forbid", "order"].map(|key| (key.to_string(), "none".to_string()));
    let empty = configured(none.to_vec());
    assert_eq!(empty, configured(Vec::new()));
    assert_eq!(empty.fit(&data).unwrap(), GreedyGbn::default().fit(&data).unwrap());
}

#[test]
fn more_required_parents_than_allowed_are_refused_by_name() {
    let data = pattern(&[2, 2, 2], 2, 20, 0);
    let arc = |parent: &str| (parent.to_string(), "x0".to_string());
    let given = Constraints { required: vec![arc("x1"), arc("x2"), arc("class")], ..Constraints::default() };
    let error = Bnc2p::default().with_constraints(given.clone()).fit(&data).unwrap_err();
    assert!(
        matches!(&error, Error::BadConstraint(text) if text.contains("'x0'") && text.contains('2')),
        "{error}"
    );
    assert!(
        GreedyGbn::default().with_constraints(given.clone()).with_max_parents(Some(2)).fit(&data).is_ok()
    );
    assert!(GreedyGbn::default().with_constraints(given).with_max_parents(Some(1)).fit(&data).is_err());
}

#[test]
fn of_equal_gains_the_class_and_lower_features_come_first() {
    // Both features repeat the class: every single arc is worth the same.
    let class: Vec<Code> = (0..40).map(|row| row % 2).collect();
    let data =
        Dataset::new(schema(&[2, 2], 2), class.clone(), vec![class.clone(), class.clone()], None).unwrap();
    let mdl = GreedyGbn::default().with_score(GreedyScore::Local(LocalScore::Bic));
    let model = mdl.fit(&data).unwrap();
    // The class becomes a parent of the first; then the second may follow either, and class → x1 comes first.
    assert_eq!(graph_of(model.structure()), [vec![2], vec![2], vec![]]);
}

struct Impatient;

impl Progress for Impatient {
    fn advance(&self, _done: u64, _total: Option<u64>) {}

    fn is_cancelled(&self) -> bool {
        true
    }
}

#[test]
fn a_search_can_be_cancelled() {
    let data = pattern(&[2, 3, 2], 2, 50, 0);
    let cmdl = GreedyGbn::default().with_score(GreedyScore::Cmdl);
    for result in [
        GreedyGbn::default().fit_with_progress(&data, &Impatient),
        cmdl.fit_with_progress(&data, &Impatient),
        Bnc2p::default().fit_with_progress(&data, &Impatient),
    ] {
        assert!(matches!(result, Err(Error::Data(DataError::Cancelled))));
    }
}

#[test]
fn parameters_are_read_and_refused() {
    let parameters = |given: &[(&str, &str)]| {
        let given = given.iter().map(|&(key, value)| (key.into(), value.into())).collect();
        Parameters::new(&GreedyGbn::INFO, given).unwrap()
    };
    let configure = |given: &[(&str, &str)]| GreedyGbn::configure(&parameters(given));
    assert_eq!(configure(&[]).unwrap(), GreedyGbn::default());
    let bdeu = GreedyScore::Local(LocalScore::Bdeu(10.0));
    assert_eq!(configure(&[("ess", "10")]).unwrap(), GreedyGbn::default().with_score(bdeu));
    let cmdl = GreedyGbn::default().with_score(GreedyScore::Cmdl).with_max_parents(Some(3));
    assert_eq!(configure(&[("score", "cmdl"), ("max-parents", "3")]).unwrap(), cmdl);
    for bad in [
        &[("score", "cmdl"), ("ess", "1")],
        &[("score", "mdl"), ("ess", "1")],
        &[("score", "best"), ("order", "a")],
    ] {
        assert!(matches!(configure(bad), Err(Error::BadParameter { .. })), "{bad:?}");
    }
    assert!(
        GreedyGbn::default()
            .with_score(GreedyScore::Local(LocalScore::Bdeu(0.0)))
            .fit(&pattern(&[2], 2, 4, 0))
            .is_err()
    );
}

#[test]
fn too_many_features_are_refused_with_a_way_out() {
    let data = pattern(&[2; 1024], 2, 6, 0);
    let refused = Bnc2p::default().fit(&data);
    assert!(matches!(refused, Err(Error::TooLarge { limit: 1_048_576, .. })), "{refused:?}");
}

#[test]
fn greedy_networks_conform() {
    check(&GreedyGbn::default(), NETWORK_LOADER);
    check(&GreedyGbn::default().with_score(GreedyScore::Local(LocalScore::Bic)), NETWORK_LOADER);
    check(&GreedyGbn::default().with_score(GreedyScore::Cmdl), NETWORK_LOADER);
    check(&Bnc2p::default(), NETWORK_LOADER);
}
