//! `cargo xtask bench`: the benchmarks, and what docs/performance.md says of them.

mod machine;
mod parts;
mod peers;
mod program;
mod scaling;
mod sets;
mod text;

use anyhow::{Context, Result};

use crate::command::root;
use crate::sections::renew;

/// The page whose sections are measured.
const PAGE: &str = "docs/performance.md";

/// A measured section of the page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    /// Whole learners over more and more rows, columns, values and threads.
    Scaling,
    /// Other programs on the same data in the same run.
    Peers,
    /// Every benchmark of the crates.
    Parts,
}

const SECTIONS: [(&str, Section); 3] =
    [("scaling", Section::Scaling), ("peers", Section::Peers), ("parts", Section::Parts)];

/// Measures all sections, or the one of the name given, and writes them to the page; the name of a crate or of a
/// benchmark runs what it names and writes nothing.
pub(crate) fn run(name: Option<&str>) -> Result<()> {
    match name {
        None => SECTIONS.iter().try_for_each(|(name, section)| write(name, *section)),
        Some(name) => match SECTIONS.iter().find(|(known, _)| *known == name) {
            Some((name, section)) => write(name, *section),
            None => parts::run(name),
        },
    }
}

fn write(name: &str, section: Section) -> Result<()> {
    let before = machine::load();
    let measured = match section {
        Section::Scaling => scaling::measure()?,
        Section::Peers => peers::measure()?,
        Section::Parts => parts::measure()?,
    };
    let head = machine::describe(before, machine::load())?;
    let path = root().join(PAGE);
    let page = std::fs::read_to_string(&path).with_context(|| format!("cannot read {PAGE}"))?;
    let page =
        renew(&page, name, &format!("\n{head}\n\n{measured}\n")).with_context(|| format!("in {PAGE}"))?;
    std::fs::write(&path, page).with_context(|| format!("cannot write {PAGE}"))?;
    eprintln!("wrote the section '{name}' of {PAGE}");
    Ok(())
}
