//! Required and forbidden arcs and orders.

use bnc_models::bnc_data::Dataset;
use bnc_models::bnc_stats::{Counter, all_pairs, conditional_mutual_information};
use bnc_models::bnc_structure::Structure;
use bnc_models::conformance::pattern;
use bnc_models::{Configure, Constraints, Error, Learner, Parameters};
use bnc_tan::{Abn, ArcScore, Score, Tan};

use crate::abn::{cost_of, family_costs, forests, total};
use crate::random::Random;

fn arcs(arcs: &[(usize, usize)]) -> Vec<(String, String)> {
    arcs.iter().map(|(parent, child)| (format!("x{parent}"), format!("x{child}"))).collect()
}

fn structures(data: &Dataset, constraints: &Constraints) -> [Structure; 3] {
    let tan = Tan::default().with_constraints(constraints.clone());
    let abn = Abn::default().with_constraints(constraints.clone());
    let acll = tan.clone().with_score(ArcScore::Acll);
    [tan.fit(data), acll.fit(data), abn.fit(data)].map(|model| model.unwrap().structure().clone())
}

/// Report R48: constraints that the search violated.
#[test]
fn r48_constraints_are_always_obeyed() {
    let constraints =
        Constraints { required: arcs(&[(1, 2)]), forbidden: arcs(&[(0, 1), (1, 0)]), order: Vec::new() };
    let mut against = 0;
    for seed in 0..1000 {
        let mut random = Random(seed);
        let dims: Vec<usize> = (0..4).map(|_| 2 + random.below(3)).collect();
        let data = random.data(&dims, 2, 60);
        for structure in structures(&data, &constraints) {
            let arcs: Vec<(usize, usize)> = structure.arcs().collect();
            assert!(arcs.contains(&(1, 2)), "{seed}: {arcs:?}");
            assert!(!arcs.contains(&(0, 1)) && !arcs.contains(&(1, 0)), "{seed}: {arcs:?}");
        }
        let free = Tan::default().fit(&data).unwrap();
        against += usize::from(free.structure().arcs().any(|arc| arc == (0, 1)));
    }
    assert!(against > 100, "{against}");
}

/// An empty list is no list, down to the last bit.
#[test]
fn r48_no_constraint_changes_nothing() {
    let none = |key: &str| (key.to_string(), "none".to_string());
    for seed in 0..100 {
        let data = Random(seed).data(&[2, 3, 2, 4], 3, 90);
        let given = vec![none("require"), none("forbid"), none("order")];
        let tan = Tan::configure(&Parameters::new(&Tan::INFO, given.clone()).unwrap()).unwrap();
        assert_eq!(tan.fit(&data).unwrap(), Tan::default().fit(&data).unwrap());
        let abn = Abn::configure(&Parameters::new(&Abn::INFO, given).unwrap()).unwrap();
        assert_eq!(abn.fit(&data).unwrap(), Abn::default().fit(&data).unwrap());
        let one = Constraints { order: vec!["x2".into()], ..Constraints::default() };
        assert_eq!(
            Tan::default().with_constraints(one).fit(&data).unwrap(),
            Tan::default().fit(&data).unwrap()
        );
    }
}

/// Constraints that do not contradict each other, with at most one required parent.
fn random_constraints(random: &mut Random, features: usize) -> Constraints {
    let mut order: Vec<usize> = (0..features).collect();
    for last in 1..features {
        order.swap(last, random.below(last + 1));
    }
    let mut required = Vec::new();
    for child in 1..features {
        if random.below(3) == 0 {
            required.push((order[random.below(child)], order[child]));
        }
    }
    let mut forbidden = Vec::new();
    for _ in 0..random.below(5) {
        let arc = (random.below(features), random.below(features));
        if arc.0 != arc.1 && !required.contains(&arc) {
            forbidden.push(arc);
        }
    }
    let listed = if random.below(2) == 0 { random.below(features + 1) } else { 0 };
    Constraints {
        required: arcs(&required),
        forbidden: arcs(&forbidden),
        order: order[..listed].iter().map(|node| format!("x{node}")).collect(),
    }
}

#[test]
fn no_structure_that_obeys_is_better() {
    let mut bound = 0;
    for seed in 0..500 {
        let mut random = Random(seed);
        let features = 2 + random.below(3);
        let dims: Vec<usize> = (0..features).map(|_| 2 + random.below(3)).collect();
        let rows = 20 + random.below(300);
        let data = random.data(&dims, 2, rows);
        let constraints = random_constraints(&mut random, features);
        let resolved = constraints.resolve(data.schema()).unwrap();
        let structure = |parents: &[usize]| {
            let parents = parents.iter().enumerate();
            let lists = parents.map(|(child, &parent)| if parent == child { vec![] } else { vec![parent] });
            Structure::augmented(lists.collect()).unwrap()
        };
        let obeying: Vec<Vec<usize>> =
            forests(features).filter(|parents| resolved.is_met_by(&structure(parents))).collect();
        let [tan, _, abn] = structures(&data, &constraints);
        assert!(resolved.is_met_by(&tan) && resolved.is_met_by(&abn), "{seed}");

        let costs = family_costs(&data, Score::Mdl);
        let best = obeying.iter().map(|parents| total(&costs, parents)).fold(f64::INFINITY, f64::min);
        let ours = cost_of(&costs, &abn);
        assert!((ours - best).abs() < 1e-9 * (1.0 + best.abs()), "{seed}: {ours} {best}");
        bound += usize::from(cost_of(&costs, Abn::default().fit(&data).unwrap().structure()) < best - 1e-6);

        let information = data.count(&all_pairs(features)).unwrap();
        let information: Vec<f64> = information.iter().map(conditional_mutual_information).collect();
        let pairs: Vec<(usize, usize)> =
            (0..features).flat_map(|i| (i + 1..features).map(move |j| (i, j))).collect();
        let weight = |structure: &Structure| {
            let of = |(a, b): (usize, usize)| {
                information[pairs.iter().position(|&pair| pair == (a.min(b), a.max(b))).unwrap()]
            };
            (structure.arcs().count(), structure.arcs().map(of).sum::<f64>())
        };
        let best = obeying.iter().map(|parents| weight(&structure(parents)));
        let (most, heaviest) = best.max_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
        let (count, ours) = weight(&tan);
        assert!(count == most && (ours - heaviest).abs() < 1e-9, "{seed}: {count} {ours} {most} {heaviest}");
    }
    assert!(bound > 100, "{bound}");
}

#[test]
fn what_cannot_be_is_refused_in_the_words_of_the_columns() {
    let data = pattern(&[2, 2, 2], 2, 20, 0);
    let error = |key: &str, value: &str| {
        let given = vec![(key.to_string(), value.to_string())];
        let tan = Tan::configure(&Parameters::new(&Tan::INFO, given.clone()).unwrap()).unwrap();
        let abn = Abn::configure(&Parameters::new(&Abn::INFO, given).unwrap()).unwrap();
        let (tan, abn) = (tan.fit(&data).unwrap_err(), abn.fit(&data).unwrap_err());
        assert!(matches!(tan, Error::BadConstraint(_)), "{tan}");
        assert_eq!(tan.to_string(), abn.to_string());
        tan.to_string()
    };
    let two = "'x2' can have one parent, and x0:x2 and x1:x2 are both required";
    assert!(error("require", "x0:x2+x1:x2").contains(two));
    assert!(
        error("require", "x0:class")
            .contains("the class has no parents here, and the arc x0:class is required")
    );
    let always = "the class is a parent of every feature here, and the arc class:x1 is ruled out";
    assert!(error("forbid", "class:x1").contains(always));
    assert!(error("order", "x1+class").contains(always));
    assert!(error("require", "x0:x9").contains("there is no column 'x9'"));
}

/// Arcs of the class that are always so, and never so, may be said.
#[test]
fn what_is_always_so_is_no_contradiction() {
    let data = pattern(&[2, 2], 2, 40, 0);
    let constraints = Constraints {
        required: vec![("class".into(), "x0".into())],
        forbidden: vec![("x1".into(), "class".into())],
        order: vec!["class".into(), "x1".into(), "x0".into()],
    };
    let [tan, acll, _] = structures(&data, &constraints);
    assert_eq!(tan.arcs().collect::<Vec<_>>(), [(1, 0)]);
    assert_eq!(acll.arcs().collect::<Vec<_>>(), [(1, 0)]);
}
