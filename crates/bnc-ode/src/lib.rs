#![doc = include_str!("../README.md")]

mod a2de;
mod aode;
mod aode_sr_branch;
mod aodesr;
mod batch;
mod cells;
mod conditionals;
mod ensemble;
mod held_out;
mod hnb;
mod mi_ode;
mod mixtures;
mod pairs;
mod spode;
mod subsumption;
mod tables;
mod tiles;
mod triples;
mod two_dependence;
mod waode;
mod wire;

pub use a2de::A2de;
pub use aode::Aode;
pub use aode_sr_branch::AodeSrBranch;
pub use aodesr::{Aodesr, SubsumptionRule};
pub use ensemble::{Ensemble, Joint};
pub use hnb::{Hnb, HnbModel, PairInformation};
pub use mi_ode::MiOde;
pub use spode::{Spode, SuperParentChoice};
pub use tables::MAX_CELLS;
pub use two_dependence::TwoDependenceEnsemble;
pub use waode::Waode;
pub use wire::{A2DE_LOADER, ENSEMBLE_LOADER, HNB_LOADER};

pub use bnc_models;
