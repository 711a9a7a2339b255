//! Independent random bits, of which BDeu makes a dense network.

use bnc_anb::{Anb, Search};
use bnc_models::bnc_data::Dataset;
use bnc_models::bnc_stats::LocalScore;
use bnc_models::{Learner, Network, conformance};

/// 80 rows of balanced bits that follow from each other by no rule that a few parents could tell: the bits of the
/// steps of a linear congruential generator.
fn random_bits(features: usize, rows: usize) -> Dataset {
    let mut state = 1_u64;
    let mut bit = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 61) as u16 & 1
    };
    let class = (0..rows).map(|_| bit()).collect();
    let columns = (0..features).map(|_| (0..rows).map(|_| bit()).collect()).collect();
    Dataset::new(conformance::schema(&vec![2; features], 2), class, columns, None).unwrap()
}

fn most_parents(model: &Network) -> usize {
    model.structure().features().iter().map(|family| family.parents.len()).max().unwrap()
}

fn learn(search: Search) -> Network {
    Anb::new(search).fit(&random_bits(12, 80)).unwrap()
}

#[test]
fn bdeu_gives_random_bits_many_parents() {
    let model = learn(Search::default());
    assert!(most_parents(&model) >= 7, "{} parents", most_parents(&model));
    // No arcs score less, although nothing depends on anything.
    let naive = Anb::new(Search::default().with_max_parents(Some(0))).fit(&random_bits(12, 80)).unwrap();
    assert!(model.score().unwrap().features > naive.score().unwrap().features);
}

#[test]
fn a_limit_mdl_and_bds_avoid_it() {
    assert!(most_parents(&learn(Search::default().with_max_parents(Some(2)))) <= 2);
    for score in [LocalScore::Bic, LocalScore::Bds(1.0), LocalScore::QuotientNml] {
        let model = learn(Search::default().with_score(score));
        assert!(most_parents(&model) <= 2, "{score:?}: {} parents", most_parents(&model));
    }
}
