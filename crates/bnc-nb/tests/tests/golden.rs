//! Posteriors of other tools.

use bnc_models::bnc_data::Preparation;
use bnc_models::{Learner, Smoothing};
use bnc_nb::NaiveBayes;
use bnc_reference::{Golden, SETS, compare, discrete_set, read_set, training_and_test};

#[test]
fn equal_to_weka_bnclassify_scikit_learn_petal_and_bnlearn() {
    let Some(reference) = bnc_reference::folder("naive Bayes against five tools") else {
        return;
    };
    let learner = |smoothing| NaiveBayes::default().with_smoothing(smoothing);
    let tools = [
        ("weka_nb", learner(Smoothing::Laplace)),
        ("bnclassify_nb", learner(Smoothing::Laplace)),
        ("sklearn_categoricalnb_a1", learner(Smoothing::Lidstone(1.0)).with_prior(Smoothing::Mle)),
        ("sklearn_categoricalnb_a0.1", learner(Smoothing::Lidstone(0.1)).with_prior(Smoothing::Mle)),
        ("petal_nb", learner(Smoothing::M(1.0))),
        ("bnlearn_nb", learner(Smoothing::Bdeu(1.0))),
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
    let Some(reference) = bnc_reference::folder("naive Bayes against WEKA with missing cells") else {
        return;
    };
    for set in ["soybean", "vote"] {
        let golden = Golden::read(&reference.join(format!("golden/missing/{set}_weka_nb.tsv")));
        let (training, test) = training_and_test(&read_set(&reference, "uci36", set), Preparation::default());
        compare(&golden, &NaiveBayes::default().fit(&training).unwrap(), &test).assert_equal(set);
    }
}
