#![doc = include_str!("../README.md")]

mod abn;
mod arcs;
mod score;
mod tan;
mod tan_fda;

pub use abn::{Abn, Weights};
pub use score::Score;
pub use tan::{ArcScore, Tan};
pub use tan_fda::{TAN_FDA_LOADER, TanFda, TanFdaModel};

pub use bnc_models;
