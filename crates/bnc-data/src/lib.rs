#![doc = include_str!("../README.md")]

mod builtin;
mod coding;
mod dataset;
mod describe;
mod discretize;
mod encoder;
mod envelope;
mod error;
mod frame;
mod histogram;
mod parallel;
mod progress;
#[cfg(any(feature = "csv", feature = "arff"))]
mod read;
mod schema;
mod wire;

pub use builtin::{BUILTIN, BuiltinInfo, Parameter, builtin};
pub use coding::{Encoded, Unseen};
pub use dataset::{Dataset, Source};
pub use describe::{ColumnDescription, Description, Summary, describe};
pub use discretize::Discretization;
pub use encoder::{Encoder, MissingPolicy, Preparation};
pub use envelope::{Envelope, decode, encode, write_atomically};
pub use error::{Error, Place, Result};
pub use frame::{Column, Frame, RawColumn, RawKind, RawSource, Values};
pub use histogram::{Histogram, HistogramBuilder};
pub use progress::{Progress, Silent};
#[cfg(any(feature = "csv", feature = "arff"))]
pub use read::{ClassChoice, ColumnReport, FileSource, Format, ReadOptions, Report, open, read, read_from};
pub use schema::{Code, Domain, MAX_VALUES, MISSING, Schema, Variable};
pub use wire::{DomainV1, EncoderV1, MissingPolicyV1, SchemaV1, VariableV1};
