//! The program `bnc`: trains, evaluates, inspects and uses Bayesian network classifiers.

mod arff;
mod cli;
mod commands;
mod data;
mod drawing;
mod error;
mod experiment;
mod html;
mod labels;
mod notes;
mod output;
mod prior;
mod registry;
mod score;
mod size;
mod terminal;
mod text;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
