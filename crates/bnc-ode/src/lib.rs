#![doc = include_str!("../README.md")]

mod aode;
mod model;
mod pairs;
mod wire;

pub use aode::{Aode, Joint};
pub use model::{AodeModel, MAX_CELLS};
pub use wire::AODE_LOADER;

pub use bnc_models;
