#![doc = include_str!("../README.md")]

mod parameters;
mod training;

pub use bnc_models;
