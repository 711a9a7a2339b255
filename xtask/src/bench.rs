//! `cargo xtask bench`: the benchmarks of the workspace.

use anyhow::{Result, bail};

use crate::command::{cargo, metadata, run as run_command};

/// Runs all benchmarks, or those of the crate or with the name given.
pub(crate) fn run(name: Option<&str>) -> Result<()> {
    let metadata = metadata()?;
    let mut all = Vec::new();
    for package in metadata.workspace_packages() {
        for target in package.targets.iter().filter(|target| target.is_bench()) {
            all.push((package.name.to_string(), target.name.clone()));
        }
    }
    let chosen: Vec<_> = all
        .iter()
        .filter(|(package, bench)| name.is_none_or(|name| name == package || name == bench))
        .collect();
    if chosen.is_empty() {
        let known: Vec<_> = all.iter().map(|(package, bench)| format!("{package}/{bench}")).collect();
        bail!(
            "no such benchmark; there are: {}",
            if known.is_empty() { "none".into() } else { known.join(", ") }
        );
    }
    for (package, bench) in chosen {
        run_command(&mut cargo(&["bench", "--all-features", "--package", package, "--bench", bench]))?;
    }
    Ok(())
}
