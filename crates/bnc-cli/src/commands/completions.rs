//! `bnc completions`.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli::Cli;
use crate::error::Result;
use crate::output;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bnc completions bash > ~/.local/share/bash-completion/completions/bnc")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self) -> Result<()> {
        // The generator panics when it cannot write; text in memory can always be written.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "bnc", &mut script);
        output::write(None, |out| Ok(out.write_all(&script)?))
    }
}
