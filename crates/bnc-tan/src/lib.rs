#![doc = include_str!("../README.md")]

mod abn;
mod pairs;
mod score;
mod tan;

pub use abn::{Abn, Weights};
pub use score::Score;
pub use tan::Tan;

pub use bnc_models;
