//! `bnc man`.

use std::path::PathBuf;

use clap::{Args, CommandFactory};

use crate::cli::Cli;
use crate::error::{Error, Result};

/// Write the man pages into a folder
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The folder; it is made where it does not exist
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

impl Man {
    pub(crate) fn run(&self) -> Result<()> {
        let wrote = std::fs::create_dir_all(&self.output)
            .and_then(|()| clap_mangen::generate_to(Cli::command(), &self.output));
        wrote.map_err(|error| Error::failed(format!("{}: {error}", self.output.display())))
    }
}
