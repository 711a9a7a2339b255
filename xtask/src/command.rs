//! Running cargo at the root of the workspace.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, MetadataCommand};

/// The root folder of the workspace.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// A call of the cargo that runs this program, at the root of the workspace.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(arguments);
    // `cargo run` tells this program about its own package. Passed on, that would make build scripts that watch these
    // variables run again, and with them all that depends on them.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// Says the command on stderr and runs it; an exit status other than 0 is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = show(command);
    eprintln!("$ {shown}");
    let status = command.status().with_context(|| format!("cannot start `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` failed ({status})");
    }
    Ok(())
}

/// The command as a person would type it.
pub(crate) fn show(command: &Command) -> String {
    let words = command.get_args().map(|word| word.to_string_lossy());
    std::iter::once("cargo".into()).chain(words).collect::<Vec<_>>().join(" ")
}

/// What cargo knows about the workspace, without its external dependencies.
pub(crate) fn metadata() -> Result<Metadata> {
    let mut command = MetadataCommand::new();
    command.current_dir(root()).no_deps();
    command.exec().context("cannot read the workspace with `cargo metadata`")
}
