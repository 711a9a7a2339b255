#![doc = include_str!("../README.md")]

mod aode;
mod aode_sr_branch;
mod aodesr;
mod ensemble;
mod held_out;
mod hnb;
mod mi_ode;
mod pairs;
mod spode;
mod subsumption;
mod tables;
mod waode;
mod wire;

pub use aode::Aode;
pub use aode_sr_branch::AodeSrBranch;
pub use aodesr::{Aodesr, SubsumptionRule};
pub use ensemble::{Ensemble, Joint};
pub use hnb::{Hnb, HnbModel, PairInformation};
pub use mi_ode::MiOde;
pub use spode::{Spode, SuperParentChoice};
pub use tables::MAX_CELLS;
pub use waode::Waode;
pub use wire::{AODE_LOADER, ENSEMBLE_LOADER, HNB_LOADER};

pub use bnc_models;
