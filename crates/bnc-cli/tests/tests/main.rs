//! Runs the program as its users do.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests, too")]
#![expect(clippy::float_cmp, reason = "the numbers that are compared so are exact")]
#![expect(clippy::format_collect, reason = "the texts are small, and this is the shortest way to write them")]

mod bench;
mod command_line;
mod discretisation;
mod evaluation;
mod models;
mod pages;
mod parquet;
mod pictures;
mod reference;
mod reproduction;
mod road;
mod structures;
mod support;
mod values;
