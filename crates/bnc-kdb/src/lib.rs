#![doc = include_str!("../README.md")]

mod back_off;
mod back_off_wire;
mod kdb;

pub use back_off::BackOffNetwork;
pub use back_off_wire::BACK_OFF_LOADER;
pub use kdb::{Kdb, KdbModel};

pub use bnc_models;
