//! Independent random bits, of which BDeu makes a dense network.

use bnc_anb::{Anb, Search};
use bnc_models::bnc_data::Dataset;
use bnc_models::bnc_stats::{Child, Counter, LocalScore, Vars};
use bnc_models::{Learner, Network, conformance};

/// The high bits of a linear congruential generator.
pub(crate) fn random_bits() -> impl Iterator<Item = u16> {
    let mut state = 1_u64;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 61) as u16 & 1
    })
}

/// 80 rows of bits that have nothing to do with each other.
fn rows() -> Dataset {
    let mut bits = random_bits();
    let mut column = || bits.by_ref().take(80).collect();
    let class = column();
    let columns = (0..12).map(|_| column()).collect();
    Dataset::new(conformance::schema(&[2; 12], 2), class, columns, None).unwrap()
}

fn most_parents(model: &Network) -> usize {
    model.structure().features().iter().map(|family| family.parents.len()).max().unwrap()
}

fn learn(search: Search) -> Network {
    Anb::new(search).fit(&rows()).unwrap()
}

#[test]
fn bdeu_gives_random_bits_many_parents() {
    let model = learn(Search::default());
    assert!(most_parents(&model) >= 7, "{} parents", most_parents(&model));
    // No arcs score less, although nothing depends on anything.
    let naive = Anb::new(Search::default().with_max_parents(Some(0))).fit(&rows()).unwrap();
    assert!(model.score().unwrap().features > naive.score().unwrap().features);
}

#[test]
fn a_limit_and_a_score_that_charges_for_configurations_avoid_it() {
    assert!(most_parents(&learn(Search::default().with_max_parents(Some(2)))) <= 2);
    let model = learn(Search::default().with_score(LocalScore::Bic));
    assert_eq!(most_parents(&model), 0);
}

/// A configuration with a single row scores ln(1/r) under each of these (under qNML nearly, where there are many more
/// configurations than rows): a parent set that tells every row from every other looks like knowledge.
#[test]
fn other_bayesian_scores_do_not_avoid_it() {
    for score in [LocalScore::Bds(1.0), LocalScore::K2, LocalScore::FactorizedNml] {
        let table = rows().count(&[Vars::new(0..12)]).unwrap().remove(0);
        assert!(
            table.runs().all(|(_, run)| run.iter().sum::<u64>() <= 1),
            "every row is told from every other"
        );
        let found = score.of_family(&table, Child::Feature(0), true, 80);
        assert!((found + 80.0 * 2.0_f64.ln()).abs() < 1e-9, "{score:?}: {found}");
    }
    for score in [LocalScore::Bds(1.0), LocalScore::QuotientNml] {
        assert!(most_parents(&learn(Search::default().with_score(score))) >= 4, "{score:?}");
    }
}
