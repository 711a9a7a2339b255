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

/// A measured section of the page: its name, and what measures it.
type Section = (&'static str, fn() -> Result<String>);

/// Whole learners over more and more rows, columns, values and threads; every benchmark of the crates; and, last because
/// it fails where none is installed, other programs on the same data.
const SECTIONS: [Section; 3] =
    [("scaling", scaling::measure), ("parts", parts::measure), ("peers", peers::measure)];

/// Measures all sections, or the one of the name given, and writes them to the page; the name of a crate or of a
/// benchmark runs what it names and writes nothing.
pub(crate) fn run(name: Option<&str>) -> Result<()> {
    match name {
        None => SECTIONS.iter().try_for_each(write),
        Some(name) => match SECTIONS.iter().find(|(known, _)| *known == name) {
            Some(section) => write(section),
            None => parts::run(name),
        },
    }
}

fn write((name, measure): &Section) -> Result<()> {
    let before = machine::load();
    let measured = measure()?;
    let head = machine::describe(before, machine::load())?;
    let path = root().join(PAGE);
    let page = std::fs::read_to_string(&path).with_context(|| format!("cannot read {PAGE}"))?;
    let page =
        renew(&page, name, &format!("\n{head}\n\n{measured}\n")).with_context(|| format!("in {PAGE}"))?;
    std::fs::write(&path, page).with_context(|| format!("cannot write {PAGE}"))?;
    eprintln!("wrote the section '{name}' of {PAGE}");
    Ok(())
}
