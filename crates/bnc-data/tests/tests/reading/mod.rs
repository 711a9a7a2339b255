//! Reading files.

mod arff;
mod csv;
mod describe;
mod files;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod properties;
mod real_data;
mod support;
