//! `cargo xtask fetch`: hands over to the program `xtask-fetch`, built on demand.
//!
//! It is a program of its own because TLS takes longer to build than the rest of xtask, and most who test never fetch.

use std::ffi::OsString;

use anyhow::{Context, Result};

use crate::command::cargo;

/// Runs `xtask-fetch` with the arguments and ends this process with its exit status.
pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let mut command =
        cargo(&["run", "--quiet", "--package", "xtask", "--features", "fetch", "--bin", "xtask-fetch", "--"]);
    // Relative paths among the arguments are meant from where the user stands.
    command.current_dir(std::env::current_dir().context("cannot tell the current folder")?);
    let status = command.args(arguments).status().context("cannot start cargo")?;
    std::process::exit(status.code().unwrap_or(1))
}
