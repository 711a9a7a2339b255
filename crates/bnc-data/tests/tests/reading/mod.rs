//! Reading files.

mod arff;
mod csv;
mod describe;
mod files;
mod options;
mod properties;
mod real_data;
mod support;
