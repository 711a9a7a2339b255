#![doc = include_str!("../README.md")]

mod anb;
mod exact;
mod gbn;
mod greedy;
mod mc_dag;
mod parameters;
mod search;
mod selection;
mod training;

pub use anb::Anb;
pub use gbn::Gbn;
pub use search::Search;
pub use selection::{FsAnb, Manb};

pub use bnc_models;
pub use greedy::{Bnc2p, GreedyGbn, GreedyScore};
pub use mc_dag::{McDag, McDagScore, McDagStart};
