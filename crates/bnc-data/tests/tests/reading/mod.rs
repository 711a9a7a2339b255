//! Reading files.

mod real_data;
mod support;
