//! Trees and posteriors of other tools.

use std::path::Path;

use bnc_models::bnc_data::{Dataset, MissingPolicy, Preparation};
use bnc_models::bnc_stats::{Counter, Vars, conditional_mutual_information};
use bnc_models::bnc_structure::Structure;
use bnc_models::{Learner, Network, Smoothing};
use bnc_reference::{Golden, SETS, compare, discrete_set, read_set, structure_of, training_and_test};
use bnc_tan::{Abn, Score, Tan};

/// The conditional mutual information of all arcs together, in nats.
fn weight(training: &Dataset, structure: &Structure) -> f64 {
    let plan: Vec<Vars> = structure.arcs().map(|(parent, child)| Vars::new([parent, child])).collect();
    training.count(&plan).unwrap().iter().map(conditional_mutual_information).sum()
}

fn golden(reference: &Path, set: &str, tool: &str) -> Golden {
    Golden::read(&reference.join(format!("golden/{set}/{tool}.tsv")))
}

#[test]
fn the_tree_weighs_what_the_trees_of_weka_bnclassify_and_bnlearn_weigh() {
    let Some(reference) = bnc_reference::folder("TAN trees against three tools") else {
        return;
    };
    for set in SETS {
        let (training, _) = training_and_test(&discrete_set(&reference, set), Preparation::default());
        let ours = weight(&training, Tan::default().fit(&training).unwrap().structure());
        for tool in ["weka_tan-entropy", "bnclassify_tan_cl_loglik", "bnlearn_tan_cl"] {
            let theirs = weight(&training, &structure_of(&golden(&reference, set, tool)));
            assert!((ours - theirs).abs() < 1e-9, "{set} {tool}: {ours} {theirs}");
        }
    }
}

#[test]
fn networks_as_given_have_the_posteriors_of_their_tools() {
    let Some(reference) = bnc_reference::folder("network posteriors against three tools") else {
        return;
    };
    let tools = [
        ("weka_tan-entropy", Smoothing::Lidstone(0.5)),
        ("weka_tan-bayes", Smoothing::Lidstone(0.5)),
        ("weka_tan-mdl", Smoothing::Lidstone(0.5)),
        ("weka_k2-p2", Smoothing::Lidstone(0.5)),
        ("bnclassify_tan_cl_loglik", Smoothing::Laplace),
        ("bnclassify_tan_cl_aic", Smoothing::Laplace),
        ("bnclassify_tan_cl_bic", Smoothing::Laplace),
        ("bnlearn_tan_cl", Smoothing::Bdeu(1.0)),
    ];
    for set in SETS {
        let (training, test) = training_and_test(&discrete_set(&reference, set), Preparation::default());
        for (tool, smoothing) in tools {
            let golden = golden(&reference, set, tool);
            let model = Network::fit(&training, structure_of(&golden), smoothing, smoothing).unwrap();
            compare(&golden, &model, &test).assert_equal(&format!("{set} {tool}"));
        }
    }
}

/// WEKA's network classifier fills missing cells with the modes of the training rows.
#[test]
fn networks_with_missing_cells_have_the_posteriors_of_weka() {
    let Some(reference) = bnc_reference::folder("network posteriors with missing cells against WEKA") else {
        return;
    };
    let preparation = Preparation { missing: MissingPolicy::Mode, ..Preparation::default() };
    for set in ["soybean", "vote"] {
        let golden = Golden::read(&reference.join(format!("golden/missing/{set}_weka_tan-bayes.tsv")));
        let (training, test) = training_and_test(&read_set(&reference, "uci36", set), preparation);
        let smoothing = Smoothing::Lidstone(0.5);
        let model = Network::fit(&training, structure_of(&golden), smoothing, smoothing).unwrap();
        compare(&golden, &model, &test).assert_equal(set);
    }
}

/// The number after a name in the comment line about the training rows.
fn figure(golden: &Golden, name: &str) -> f64 {
    let line = golden.comments.iter().find(|line| line.starts_with("training rows")).unwrap();
    let rest = line.split_once(name).unwrap().1;
    rest.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn the_forest_and_its_score_are_those_of_bnclassify() {
    let Some(reference) = bnc_reference::folder("forests of AIC and BIC against bnclassify") else {
        return;
    };
    for set in SETS {
        let (training, test) = training_and_test(&discrete_set(&reference, set), Preparation::default());
        for (score, tool) in [(Score::Aic, "bnclassify_tan_cl_aic"), (Score::Mdl, "bnclassify_tan_cl_bic")] {
            let golden = golden(&reference, set, tool);
            let learner = Abn::default().with_score(score).with_smoothing(Smoothing::Laplace);
            let model = learner.fit(&training).unwrap();
            // Other forests could score as much; here they are the same.
            assert_eq!(model.structure(), &structure_of(&golden), "{set} {tool}");
            for (score, name) in [(Score::Aic, "AIC_smooth0"), (Score::Mdl, "BIC_smooth0")] {
                let ours = -score.cost(&training, model.structure()).unwrap();
                let printed = figure(&golden, name);
                assert!((ours - printed).abs() < 1e-8, "{set} {tool} {name}: {ours} {printed}");
            }
            let parameters = model.free_parameters() as f64;
            assert!((parameters - figure(&golden, "free_parameters")).abs() < 0.5, "{set} {tool}");
            compare(&golden, &model, &test).assert_equal(&format!("{set} {tool}"));
        }
    }
}
