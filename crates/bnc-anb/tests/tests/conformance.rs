//! The common suite.

use bnc_anb::{Anb, FsAnb, Gbn, Manb, Search};
use bnc_models::bnc_stats::LocalScore;
use bnc_models::{NETWORK_LOADER, conformance};

#[test]
fn exact_anb_conforms() {
    conformance::check(&Anb::default(), NETWORK_LOADER);
}

#[test]
fn exact_anb_with_a_limit_of_parents_conforms() {
    let search = Search::default().with_score(LocalScore::Bic).with_max_parents(Some(1));
    conformance::check(&Anb::new(search), NETWORK_LOADER);
}

#[test]
fn exact_gbn_conforms() {
    conformance::check(&Gbn::default(), NETWORK_LOADER);
}

#[test]
fn anb_over_chosen_features_conforms() {
    conformance::check(&FsAnb::default(), NETWORK_LOADER);
}

#[test]
fn anb_over_the_markov_blanket_conforms() {
    conformance::check(&Manb::default(), NETWORK_LOADER);
}
