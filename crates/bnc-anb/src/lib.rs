#![doc = include_str!("../README.md")]

mod greedy;
mod mc_dag;
mod parameters;
mod training;

pub use bnc_models;
pub use greedy::{Bnc2p, GreedyGbn, GreedyScore};
pub use mc_dag::{McDag, McDagScore, McDagStart};
