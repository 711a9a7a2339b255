//! `cargo xtask ci`: every check that a change must pass, in the order in which they find out most cheaply.

use std::time::{Instant, SystemTime};

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::command::{cargo, metadata, run as run_command};
use crate::{test, tidy};

/// A step of the continuous integration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Step {
    /// The code is formatted.
    Fmt,
    /// The rules of the house hold.
    Tidy,
    /// Clippy has nothing to say.
    Clippy,
    /// All tests pass.
    Test,
    /// The documentation builds without a warning.
    Docs,
    /// Every published crate compiles without its siblings' features, with and without its defaults.
    Alone,
    /// Every published crate can be packaged, and compiles from its package.
    Package,
}

/// Runs all steps but those to skip; the first failure ends it.
pub(crate) fn run(skip: &[Step]) -> Result<()> {
    let steps: Vec<Step> =
        Step::value_variants().iter().copied().filter(|step| !skip.contains(step)).collect();
    let start = Instant::now();
    for (at, &step) in steps.iter().enumerate() {
        let name = step.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        eprintln!("\n== {name} ({}/{})", at + 1, steps.len());
        let begun = Instant::now();
        step.run().with_context(|| format!("ci stopped at the step `{name}`"))?;
        eprintln!("== {name} passed in {:.1} s", begun.elapsed().as_secs_f64());
    }
    eprintln!("\nci passed in {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

impl Step {
    fn run(self) -> Result<()> {
        match self {
            Self::Fmt => run_command(&mut cargo(&["fmt", "--all", "--check"])),
            Self::Tidy => tidy::run(false),
            Self::Clippy => run_command(&mut cargo(&[
                "clippy",
                "--workspace",
                "--all-targets",
                "--all-features",
                "--",
                "-D",
                "warnings",
            ])),
            Self::Test => test::run(),
            // Without private items: the pages checked are those that docs.rs shows.
            Self::Docs => run_command(
                cargo(&["doc", "--workspace", "--all-features", "--no-deps"])
                    .env("RUSTDOCFLAGS", "-D warnings"),
            ),
            Self::Alone => alone(),
            Self::Package => package(),
        }
    }
}

fn alone() -> Result<()> {
    for name in packages(true)? {
        run_command(&mut cargo(&["check", "--package", &name]))?;
        run_command(&mut cargo(&["check", "--package", &name, "--no-default-features"]))?;
    }
    Ok(())
}

/// One call packages all crates, because cargo then resolves those not yet published among each other.
///
/// Cargo unpacks them into its home by the path of the target folder and the version, and takes what is there already: a
/// target folder of its own for every run keeps it from compiling what an earlier run packaged.
fn package() -> Result<()> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_nanos();
    let target = metadata()?.target_directory.join(format!("package-{now}"));
    let mut command = cargo(&["package", "--workspace", "--target-dir", target.as_str()]);
    for name in packages(false)? {
        command.args(["--exclude", &name]);
    }
    // A contributor tries uncommitted work; the continuous integration sees only what is committed.
    if std::env::var_os("CI").is_none() {
        command.arg("--allow-dirty");
    }
    let packaged = run_command(&mut command);
    if target.exists() {
        std::fs::remove_dir_all(&target)?;
    }
    packaged
}

/// The names of the workspace's packages that are published, or of those that are not.
fn packages(published: bool) -> Result<Vec<String>> {
    let metadata = metadata()?;
    let matching =
        metadata.workspace_packages().into_iter().filter(|package| is_published(package) == published);
    Ok(matching.map(|package| package.name.to_string()).collect())
}

/// Whether the manifest lets the package be published: `publish = false` is an empty list of registries.
pub(crate) fn is_published(package: &cargo_metadata::Package) -> bool {
    package.publish.as_ref().is_none_or(|registries| !registries.is_empty())
}
