#![doc = include_str!("../README.md")]

mod akdb;
mod back_off;
mod back_off_wire;
mod cache;
mod kdb;
mod local;
mod local_model;
mod local_wire;
mod resolution;
mod row_index;
mod rows;
mod value_measures;

pub use akdb::{AKDB_LOADER, Akdb, AkdbModel};
pub use back_off::BackOffNetwork;
pub use back_off_wire::BACK_OFF_LOADER;
pub use kdb::{Kdb, KdbModel};
pub use local::LocalKdb;
pub use local_model::{LocalFactor, LocalKdbModel, LocalStructure, MAX_LOCAL_CELLS};
pub use local_wire::LOCAL_KDB_LOADER;

pub use bnc_models;
