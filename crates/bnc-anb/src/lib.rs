#![doc = include_str!("../README.md")]

mod parameters;
mod rai;
mod training;

pub use rai::RaiAnb;

pub use bnc_models;
