//! Posteriors of other tools.

use bnc_models::bnc_data::Preparation;
use bnc_models::{Learner, Smoothing};
use bnc_ode::{Aode, Joint};
use bnc_reference::{Golden, SETS, compare, discrete_set, read_set, training_and_test};

#[test]
fn equal_to_weka_bnclassify_and_petal() {
    let Some(reference) = bnc_reference::folder("AODE against three tools") else {
        return;
    };
    let m_estimate = Aode::default().with_smoothing(Smoothing::M(1.0));
    let tools = [
        ("weka_aode", Aode::default()),
        ("weka_aode-f30", Aode::default().with_minimum_frequency(30)),
        ("weka_aode-m1", m_estimate),
        ("petal_aode", m_estimate),
        ("bnclassify_aode", Aode::default().with_joint(Joint::Factored).with_minimum_frequency(0)),
    ];
    for set in SETS {
        let (training, test) = training_and_test(&discrete_set(&reference, set), Preparation::default());
        for (tool, learner) in tools {
            let golden = Golden::read(&reference.join(format!("golden/{set}/{tool}.tsv")));
            compare(&golden, &learner.fit(&training).unwrap(), &test).assert_equal(&format!("{set} {tool}"));
        }
    }
}

#[test]
fn equal_to_weka_with_missing_cells() {
    let Some(reference) = bnc_reference::folder("AODE against WEKA with missing cells") else {
        return;
    };
    let tools =
        [("weka_aode", Aode::default()), ("weka_aode-m1", Aode::default().with_smoothing(Smoothing::M(1.0)))];
    for set in ["soybean", "vote"] {
        let (training, test) = training_and_test(&read_set(&reference, "uci36", set), Preparation::default());
        for (tool, learner) in tools {
            let golden = Golden::read(&reference.join(format!("golden/missing/{set}_{tool}.tsv")));
            compare(&golden, &learner.fit(&training).unwrap(), &test).assert_equal(&format!("{set} {tool}"));
        }
    }
}
