//! Structures and posteriors of other tools.

use bnc_kdb::{BackOffNetwork, Kdb};
use bnc_models::bnc_data::{Dataset, Preparation};
use bnc_models::bnc_stats::{Counter, Vars, conditional_mutual_information};
use bnc_models::{Learner, Network, Smoothing};
use bnc_reference::{Golden, SETS, compare, discrete_set, structure_of, training_and_test};

/// The links from parents to a child, in nats.
fn links(training: &Dataset, child: usize, parents: &[usize]) -> Vec<f64> {
    let plan: Vec<Vars> = parents.iter().map(|&parent| Vars::new([parent, child])).collect();
    training.count(&plan).unwrap().iter().map(conditional_mutual_information).collect()
}

/// Where two parents have the same link, rounding decides in Petal: there its parents are taken as they are.
#[test]
fn kdb_with_back_off_equals_petal() {
    let Some(reference) = bnc_reference::folder("KDB against Petal") else { return };
    for set in SETS {
        let (training, test) = training_and_test(&discrete_set(&reference, set), Preparation::default());
        for k in 1..=3 {
            let golden = Golden::read(&reference.join(format!("golden/{set}/petal_kdbk{k}.tsv")));
            let mut theirs = golden.parents().unwrap();
            let class = theirs.len();
            for parents in &mut theirs {
                parents.retain(|&parent| parent != class);
            }
            let learner = Kdb::default().with_k(k).with_back_off(true).with_smoothing(Smoothing::M(1.0));
            let model = learner.fit(&training).unwrap();
            let ours = model.structure().features().iter().map(|family| &family.parents);
            let mut tied = false;
            for (child, (ours, theirs)) in ours.zip(&theirs).enumerate().filter(|(_, (a, b))| a != b) {
                assert_eq!((set, child), ("soybean", 24), "the only tie");
                let pairs = links(&training, child, ours).into_iter().zip(links(&training, child, theirs));
                assert!(ours.len() == theirs.len() && pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-12));
                tied = true;
            }
            let name = format!("{set} k={k}");
            if tied {
                let model = BackOffNetwork::fit(&training, theirs, Smoothing::M(1.0)).unwrap();
                compare(&golden, &model, &test).assert_equal(&name);
            } else {
                compare(&golden, &model, &test).assert_equal(&name);
            }
        }
    }
}

#[test]
fn the_network_of_bnclassify_has_its_posteriors() {
    let Some(reference) = bnc_reference::folder("KDB networks of bnclassify") else { return };
    let mut compared = 0;
    for set in SETS {
        let path = reference.join(format!("golden/{set}/bnclassify_kdb.tsv"));
        if !path.exists() {
            continue;
        }
        let golden = Golden::read(&path);
        let (training, test) = training_and_test(&discrete_set(&reference, set), Preparation::default());
        let laplace = Smoothing::Laplace;
        let model = Network::fit(&training, structure_of(&golden), laplace, laplace).unwrap();
        compare(&golden, &model, &test).assert_equal(set);
        compared += 1;
    }
    assert!(compared > 0, "nothing was compared");
}
