//! Posteriors of other tools.

use bnc_models::bnc_data::{Preparation, Silent};
use bnc_models::{AnyLearner, Smoothing};
use bnc_ode::{A2de, Aode, Aodesr, Hnb, Joint, PairInformation, SubsumptionRule, Waode};
use bnc_reference::{Golden, SETS, compare, discrete_set, read_set, training_and_test};

type Tools<'a> = &'a [(&'a str, &'a dyn AnyLearner)];

fn compare_on_discrete_sets(what: &str, tools: Tools<'_>) {
    let Some(reference) = bnc_reference::folder(what) else {
        return;
    };
    for set in SETS {
        let (training, test) = training_and_test(&discrete_set(&reference, set), Preparation::default());
        for (tool, learner) in tools {
            let golden = Golden::read(&reference.join(format!("golden/{set}/{tool}.tsv")));
            let model = learner.fit_any(&training, &Silent).unwrap();
            compare(&golden, &*model, &test).assert_equal(&format!("{set} {tool}"));
        }
    }
}

fn compare_with_missing_cells(what: &str, tools: Tools<'_>) {
    let Some(reference) = bnc_reference::folder(what) else {
        return;
    };
    for set in ["soybean", "vote"] {
        let (training, test) = training_and_test(&read_set(&reference, "uci36", set), Preparation::default());
        for (tool, learner) in tools {
            let golden = Golden::read(&reference.join(format!("golden/missing/{set}_{tool}.tsv")));
            let model = learner.fit_any(&training, &Silent).unwrap();
            compare(&golden, &*model, &test).assert_equal(&format!("{set} {tool}"));
        }
    }
}

fn m_estimate() -> Aode {
    Aode::default().with_smoothing(Smoothing::M(1.0))
}

fn weka_aodesr() -> Aodesr {
    Aodesr::default().with_subsumption(50, SubsumptionRule::Weka)
}

#[test]
fn aode_equals_weka_bnclassify_and_petal() {
    compare_on_discrete_sets(
        "AODE against three tools",
        &[
            ("weka_aode", &Aode::default()),
            ("weka_aode-f30", &Aode::default().with_minimum_frequency(30)),
            ("weka_aode-m1", &m_estimate()),
            ("petal_aode", &m_estimate()),
            ("bnclassify_aode", &Aode::default().with_joint(Joint::Factored).with_minimum_frequency(0)),
        ],
    );
}

#[test]
fn aode_equals_weka_with_missing_cells() {
    let tools: Tools<'_> = &[("weka_aode", &Aode::default()), ("weka_aode-m1", &m_estimate())];
    compare_with_missing_cells("AODE against WEKA with missing cells", tools);
}

#[test]
fn waode_equals_weka() {
    compare_on_discrete_sets("WAODE against WEKA", &[("weka_waode", &Waode::default())]);
}

#[test]
fn aodesr_equals_weka() {
    let laplace =
        Aodesr::default().with_smoothing(Smoothing::Laplace).with_subsumption(100, SubsumptionRule::Weka);
    let tools: Tools<'_> = &[("weka_aodesr", &weka_aodesr()), ("weka_aodesr-c100-l", &laplace)];
    compare_on_discrete_sets("AODEsr against WEKA", tools);
}

#[test]
fn aodesr_equals_weka_with_missing_cells() {
    compare_with_missing_cells("AODEsr against WEKA with missing cells", &[("weka_aodesr", &weka_aodesr())]);
}

#[test]
fn hnb_equals_weka() {
    let learner = Hnb::default().with_information(PairInformation::Weka);
    compare_on_discrete_sets("HNB against WEKA", &[("weka_hnb", &learner)]);
}

#[test]
fn a2de_equals_petal() {
    compare_on_discrete_sets("A2DE against Petal", &[("petal_a2de", &A2de::default())]);
}
