#![doc = include_str!("../README.md")]

mod anb;
mod exact;
mod gbn;
mod greedy;
mod mc_dag;
mod parameters;
mod rai;
mod search;
mod selection;
mod training;

pub use anb::Anb;
pub use gbn::Gbn;
pub use greedy::{Bnc2p, GreedyGbn, GreedyScore};
pub use mc_dag::{McDag, McDagScore, McDagStart};
pub use rai::RaiAnb;
pub use search::Search;
pub use selection::{FsAnb, Manb};

pub use bnc_models;
