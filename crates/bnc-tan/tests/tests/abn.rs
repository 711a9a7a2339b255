//! The optimum against all forests, straight from the rows.

use std::collections::HashMap;
use std::sync::Arc;

use bnc_models::bnc_data::{Code, Dataset, MISSING};
use bnc_models::bnc_structure::{Structure, maximum_spanning_forest};
use bnc_models::conformance::{pattern, schema};
use bnc_models::{Classifier, Configure, Error, Learner, Network, Parameters, Smoothing};
use bnc_tan::{Abn, Score, Tan, Weights};

use crate::random::Random;

/// What a feature with one feature parent or none costs: its parameters minus its log-likelihood, from the rows.
fn family_cost(data: &Dataset, score: Score, child: usize, parent: Option<usize>) -> f64 {
    let mut cells = HashMap::<(Code, Option<Code>, Code), f64>::new();
    let mut parents = HashMap::<(Option<Code>, Code), f64>::new();
    for row in 0..data.rows() {
        let (class, context) = (data.class()[row], parent.map(|parent| data.features()[parent][row]));
        *cells.entry((data.features()[child][row], context, class)).or_default() += 1.0;
        *parents.entry((context, class)).or_default() += 1.0;
    }
    let mut terms: Vec<f64> =
        cells.iter().map(|(&(_, context, class), n)| n * (n / parents[&(context, class)]).ln()).collect();
    terms.sort_by(f64::total_cmp);
    let configurations = parent.map_or(1, |parent| data.schema().cardinality(parent));
    let parameters = (data.schema().cardinality(child) - 1) * configurations * data.schema().classes();
    let price = match score {
        Score::Mdl => (data.rows() as f64).ln() / 2.0,
        Score::Aic => 1.0,
    };
    price * parameters as f64 - terms.iter().sum::<f64>()
}

/// What each choice of a parent costs: `[child][parent]`, the child's own index standing for none.
pub(crate) fn family_costs(data: &Dataset, score: Score) -> Vec<Vec<f64>> {
    let features = data.features().len();
    let cost = |child: usize, parent: usize| {
        family_cost(data, score, child, Some(parent).filter(|&parent| parent != child))
    };
    (0..features).map(|child| (0..features).map(|parent| cost(child, parent)).collect()).collect()
}

/// All parent functions without a cycle, thus all forests in all directions; the child's own index stands for none.
pub(crate) fn forests(features: usize) -> impl Iterator<Item = Vec<usize>> {
    let function = move |number: usize| -> Vec<usize> {
        (0..features).map(|child| number / features.pow(child as u32) % features).collect()
    };
    let ends = |parents: &[usize]| {
        (0..parents.len()).all(|start| {
            let end = parents.iter().fold(start, |node, _| parents[node]);
            parents[end] == end
        })
    };
    (0..features.pow(features as u32)).map(function).filter(move |parents| ends(parents))
}

fn least(costs: &[Vec<f64>]) -> f64 {
    forests(costs.len()).map(|parents| total(costs, &parents)).fold(f64::INFINITY, f64::min)
}

pub(crate) fn total(costs: &[Vec<f64>], parents: &[usize]) -> f64 {
    parents.iter().enumerate().map(|(child, &parent)| costs[child][parent]).sum()
}

pub(crate) fn cost_of(costs: &[Vec<f64>], structure: &Structure) -> f64 {
    let parent = |child: usize| structure.features()[child].parents.first().copied().unwrap_or(child);
    (0..costs.len()).map(|child| costs[child][parent(child)]).sum()
}

fn case(seed: u64) -> Dataset {
    let mut random = Random(seed);
    let features = 1 + random.below(5);
    let dims: Vec<usize> = (0..features).map(|_| 1 + random.below(5)).collect();
    let classes = 1 + random.below(4);
    let rows = 1 + random.below([10, 60, 400][(seed % 3) as usize]);
    random.data(&dims, classes, rows)
}

#[test]
fn no_forest_costs_less() {
    let (mut without, mut forests, mut trees) = (0, 0, 0);
    for seed in 0..2500 {
        let data = case(seed);
        for score in [Score::Mdl, Score::Aic] {
            let costs = family_costs(&data, score);
            let model = Abn::default().with_score(score).fit(&data).unwrap();
            let (ours, best) = (cost_of(&costs, model.structure()), least(&costs));
            assert!((ours - best).abs() < 1e-9 * (1.0 + best.abs()), "{seed} {score:?}: {ours} {best}");
            match model.structure().arcs().count() {
                0 => without += 1,
                arcs if arcs + 1 == data.features().len() => trees += 1,
                _ => forests += 1,
            }
        }
    }
    assert!(without > 100 && forests > 100 && trees > 100, "{without} {forests} {trees}");
}

#[test]
fn the_cost_is_that_of_the_class_and_the_families() {
    for seed in 0..200 {
        let data = case(seed);
        let rows = data.rows() as f64;
        for score in [Score::Mdl, Score::Aic] {
            let structure = Abn::default().with_score(score).fit(&data).unwrap().structure().clone();
            let mut expected = cost_of(&family_costs(&data, score), &structure);
            let classes = data.schema().classes();
            expected += score.penalty(data.rows() as u64) * (classes as f64 - 1.0);
            for class in 0..classes {
                let n = data.class().iter().filter(|&&code| usize::from(code) == class).count() as f64;
                expected -= if n > 0.0 { n * (n / rows).ln() } else { 0.0 };
            }
            let stated = Abn::default().with_score(score).fit(&data).unwrap().score().unwrap().clone();
            assert_eq!(stated.name, if score == Score::Mdl { "bic" } else { "aic" });
            assert!((stated.total + expected).abs() < 1e-9 * (1.0 + expected.abs()), "{seed}: {stated:?}");
            let ours = score.cost(&data, &structure).unwrap();
            assert!((ours - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{seed}: {ours} {expected}");
        }
    }
}

#[test]
fn nothing_to_score_is_refused() {
    let empty = pattern(&[2, 3], 2, 6, 0).select(&[]);
    let refused = Score::Mdl.cost(&empty, &Structure::naive(2));
    assert!(matches!(refused, Err(Error::NoLabelledRows)));
}

/// Found by a search over seeds.
#[test]
fn raw_weights_are_not_optimal() {
    let data = Random(93).data(&[4, 2, 3, 2], 3, 183);
    let structure = |weights| {
        let model = Abn::default().with_weights(weights).fit(&data).unwrap();
        model.structure().clone()
    };
    let cost = |weights| Score::Mdl.cost(&data, &structure(weights)).unwrap();
    let (net, raw) = (cost(Weights::Net), cost(Weights::Raw));
    assert!((net - 749.599_651_8).abs() < 1e-6 && (raw - 780.394_416_5).abs() < 1e-6, "{net} {raw}");
    let costs = family_costs(&data, Score::Mdl);
    assert!((cost_of(&costs, &structure(Weights::Net)) - least(&costs)).abs() < 1e-9);
}

#[test]
fn with_equal_cardinalities_raw_weights_do_and_a_connected_forest_is_the_tree_of_tan() {
    let mut connected = 0;
    for seed in 0..300 {
        let mut random = Random(seed);
        let dims = vec![2 + random.below(2); 5];
        let data = random.data(&dims, 2, 400);
        let net = Abn::default().fit(&data).unwrap();
        let raw = Abn::default().with_weights(Weights::Raw).fit(&data).unwrap();
        assert_eq!(net.structure(), raw.structure(), "{seed}");
        if net.structure().arcs().count() == 4 {
            connected += 1;
            let smoothing = Smoothing::Laplace;
            let tan = Tan::default().with_smoothing(smoothing).fit(&data).unwrap();
            let abn = Abn::default().with_smoothing(smoothing).fit(&data).unwrap();
            assert_eq!(abn.structure(), tan.structure(), "{seed}");
            assert_eq!(abn.posteriors(&data).unwrap(), tan.posteriors(&data).unwrap(), "{seed}");
        }
    }
    assert!(connected > 10, "{connected}");
}

#[test]
fn a_pair_that_gains_nothing_is_left_out() {
    // One row: no penalty and no information.
    let one = pattern(&[2, 3, 2], 2, 1, 0);
    assert_eq!(Abn::default().fit(&one).unwrap().structure(), &Structure::naive(3));
    // A feature of one value costs nothing and tells nothing.
    let column: Vec<Code> = (0..80).map(|row| row / 2 % 2).collect();
    let columns = vec![vec![0; 80], column.clone(), column];
    let class = (0..80).map(|row| row % 2).collect();
    let data = Dataset::new(schema(&[1, 2, 2], 2), class, columns, None).unwrap();
    let model = Abn::default().fit(&data).unwrap();
    assert_eq!(model.structure().arcs().collect::<Vec<_>>(), [(1, 2)]);
}

/// A pair gains on the rows that know both, and pays by the number of labelled rows.
#[test]
fn missing_cells_are_left_out_of_the_pairs_that_need_them() {
    let mut arcs = 0;
    for seed in 0..100 {
        let mut random = Random(seed);
        let dims = [2, 3, 4, 2];
        let complete = random.data(&dims, 2, 150);
        let mut columns = complete.features().to_vec();
        let mut class = complete.class().to_vec();
        for code in columns.iter_mut().chain([&mut class]).flatten() {
            if random.below(8) == 0 {
                *code = MISSING;
            }
        }
        let data = Dataset::new(Arc::clone(complete.schema()), class, columns, None).unwrap();
        let knows = |row: usize, features: &[usize]| {
            data.class()[row] != MISSING && features.iter().all(|&i| data.features()[i][row] != MISSING)
        };
        let labelled = (0..150).filter(|&row| knows(row, &[])).count() as f64;
        let gain = |i: usize, j: usize| {
            let rows: Vec<usize> = (0..150).filter(|&row| knows(row, &[i, j])).collect();
            let known = data.select(&rows);
            let free = (2 * (dims[i] - 1) * (dims[j] - 1)) as f64;
            let likelihood =
                family_cost(&known, Score::Aic, j, None) - family_cost(&known, Score::Aic, j, Some(i)) + free;
            likelihood - labelled.ln() / 2.0 * free
        };
        let gains: Vec<f64> =
            (0..4).flat_map(|i| (i + 1..4).map(move |j| (i, j))).map(|(i, j)| gain(i, j)).collect();
        let expected = maximum_spanning_forest(4, &gains, Some(0.0));
        assert_eq!(Abn::default().fit(&data).unwrap().structure(), &expected, "{seed}");
        arcs += expected.arcs().count();
    }
    assert!(arcs > 50, "{arcs}");
}

#[test]
fn the_roots_do_not_change_the_posteriors() {
    let data = Random(5).data(&[3, 2, 4], 3, 200);
    let chains = [[None, Some(0), Some(1)], [Some(1), None, Some(1)], [Some(1), Some(2), None]];
    let posteriors = chains.map(|parents| {
        let parents = parents.map(|parent| parent.into_iter().collect()).to_vec();
        let smoothing = Smoothing::Bdeu(1.0);
        let network = Network::fit(&data, Structure::augmented(parents).unwrap(), smoothing, smoothing);
        network.unwrap().posteriors(&data).unwrap()
    });
    for other in &posteriors[1..] {
        assert!((other - &posteriors[0]).iter().all(|difference| difference.abs() < 1e-12));
    }
}

#[test]
fn parameters_are_read() {
    let of = |given: &[(&str, &str)]| {
        let given = given.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
        Abn::configure(&Parameters::new(&Abn::INFO, given)?)
    };
    assert_eq!(of(&[]).unwrap(), Abn::default());
    let all = of(&[("score", "aic"), ("weights", "raw"), ("smoothing", "laplace")]).unwrap();
    let expected = Abn::default().with_score(Score::Aic).with_weights(Weights::Raw);
    assert_eq!(all, expected.with_smoothing(Smoothing::Laplace));
    let error = of(&[("score", "bic")]).unwrap_err().to_string();
    assert_eq!(error, "abn: score=bic is not mdl or aic");
    let error = of(&[("weights", "cmi")]).unwrap_err().to_string();
    assert_eq!(error, "abn: weights=cmi is not net or raw");
}
