//! Trees by approximate conditional log-likelihood against all trees, straight from the rows.

use bnc_models::bnc_data::Dataset;
use bnc_models::bnc_stats::acll_beta;
use bnc_models::bnc_structure::Structure;
use bnc_models::{Classifier, Configure, Learner, Network, Parameters, Smoothing};
use bnc_tan::{ArcScore, Tan};

use crate::abn::{cost_of, forests, total};
use crate::random::Random;

/// Minus the aCLL of a feature given one other and the class, or given the class alone, by the formula of the paper.
fn family_cost(data: &Dataset, child: usize, parent: usize) -> f64 {
    let schema = data.schema();
    let beta = acll_beta(schema.classes(), data.rows() as f64);
    let contexts = if parent == child { 1 } else { schema.cardinality(parent) };
    let count = |context: usize, class: Option<usize>, value: usize| {
        let fits = |&row: &usize| {
            usize::from(data.features()[child][row]) == value
                && (parent == child || usize::from(data.features()[parent][row]) == context)
                && class.is_none_or(|class| usize::from(data.class()[row]) == class)
        };
        (0..data.rows()).filter(fits).count() as f64
    };
    let mut sum = 0.0;
    for context in 0..contexts {
        for class in 0..schema.classes() {
            let weight = |value| count(context, Some(class), value) + beta * count(context, None, value);
            let weights: Vec<f64> = (0..schema.cardinality(child)).map(weight).collect();
            let all: f64 = weights.iter().map(|weight| weight.max(5.0)).sum();
            sum += weights.iter().map(|weight| weight * (weight.max(5.0) / all).ln()).sum::<f64>();
        }
    }
    -sum
}

fn family_costs(data: &Dataset) -> Vec<Vec<f64>> {
    let features = data.features().len();
    (0..features)
        .map(|child| (0..features).map(|parent| family_cost(data, child, parent)).collect())
        .collect()
}

fn case(seed: u64) -> Dataset {
    let mut random = Random(seed);
    let dims: Vec<usize> = (0..=random.below(4)).map(|_| 1 + random.below(4)).collect();
    let classes = 1 + random.below(4);
    let rows = 1 + random.below([20, 80, 300][(seed % 3) as usize]);
    random.data(&dims, classes, rows)
}

#[test]
fn no_tree_has_a_larger_acll() {
    let mut other = 0;
    for seed in 0..400 {
        let data = case(seed);
        let features = data.features().len();
        let model = Tan::default().with_score(ArcScore::Acll).fit(&data).unwrap();
        let costs = family_costs(&data);
        let is_tree =
            |parents: &Vec<usize>| (0..features).filter(|&child| parents[child] == child).count() == 1;
        let best = forests(features)
            .filter(is_tree)
            .map(|parents| total(&costs, &parents))
            .fold(f64::INFINITY, f64::min);
        assert_eq!(model.structure().arcs().count(), features - 1, "{seed}");
        let ours = cost_of(&costs, model.structure());
        assert!((ours - best).abs() < 1e-9 * (1.0 + best.abs()), "{seed}: {ours} {best}");
        let stated = model.score().unwrap();
        assert_eq!(stated.name, "acll");
        assert!((stated.features + ours).abs() < 1e-9 * (1.0 + ours.abs()), "{seed}: {stated:?} {ours}");
        let likely = Tan::default().fit(&data).unwrap();
        other += usize::from(cost_of(&costs, likely.structure()) > best + 1e-6);
    }
    assert!(other > 40, "the most likely tree is another in {other} cases");
}

/// Without a difference of the classes to gain, an arc and its reversal still differ.
#[test]
fn arcs_have_a_direction() {
    let data = Random(11).data(&[2, 4], 2, 100);
    let costs = family_costs(&data);
    assert!((costs[0][1] - costs[0][0] - costs[1][0] + costs[1][1]).abs() > 1e-3);
    let model = Tan::default().with_score(ArcScore::Acll).fit(&data).unwrap();
    let forward = costs[1][0] + costs[0][0] < costs[0][1] + costs[1][1];
    assert_eq!(model.structure().arcs().next(), Some(if forward { (0, 1) } else { (1, 0) }));
}

#[test]
fn the_smoothing_goes_with_the_score() {
    let data = Random(4).data(&[3, 2, 3], 2, 80);
    let acll = Tan::default().with_score(ArcScore::Acll);
    let fit = |structure: &Structure, smoothing| {
        Network::fit(&data, structure.clone(), smoothing, smoothing).unwrap()
    };
    let check = |model: &Network, smoothing| {
        let expected = fit(model.structure(), smoothing);
        assert_eq!(model.posteriors(&data).unwrap(), expected.posteriors(&data).unwrap(), "{smoothing}");
    };
    check(&acll.fit(&data).unwrap(), Smoothing::Bdeu(1.0));
    check(&acll.with_smoothing(Smoothing::Laplace).fit(&data).unwrap(), Smoothing::Laplace);
    check(&Tan::default().fit(&data).unwrap(), Smoothing::Friedman(5.0));
}

#[test]
fn parameters_are_read() {
    let of = |key: &str, value: &str| {
        Tan::configure(&Parameters::new(&Tan::INFO, vec![(key.into(), value.into())])?)
    };
    assert_eq!(of("score", "cmi").unwrap(), Tan::default());
    assert_eq!(of("score", "acll").unwrap(), Tan::default().with_score(ArcScore::Acll));
    assert_eq!(of("score", "mdl").unwrap_err().to_string(), "tan: score=mdl is not cmi or acll");
}
