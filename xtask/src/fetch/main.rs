//! Fetches real data sets: from their public address or a mirror, pinned by commit and SHA-256, into a cache folder.

mod address;
mod catalogue;
mod download;
mod origin;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use crate::catalogue::Catalogue;
use crate::download::{Outcome, fetch};
use crate::origin::Origin;

/// Fetch real data sets from their public address into a cache folder.
///
/// Each file is pinned by commit and SHA-256. What is there already is checked and kept; what was interrupted goes on where it stopped.
#[derive(Parser)]
#[command(name = "cargo xtask fetch", bin_name = "cargo xtask fetch")]
struct Arguments {
    /// `uci36` (the 36 sets of the literature), `extra` (ten more) or names of sets.
    #[arg(required = true, value_name = "uci36|extra|NAME")]
    sets: Vec<String>,
    /// The folder to put them into, as SET/NAME.arff [default: `data-cache` at the root of the workspace].
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// Another place that holds the original bytes at the same paths: a folder or an address.
    #[arg(long, value_name = "DIR|URL")]
    mirror: Option<String>,
}

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> Result<()> {
    let catalogue = Catalogue::read()?;
    let chosen = catalogue.select(&arguments.sets)?;
    let origin = Origin::new(arguments.mirror.as_deref().unwrap_or(&catalogue.address));
    let into = arguments.into.unwrap_or_else(default_folder);

    for (at, set) in chosen.iter().enumerate() {
        eprint!("[{:>2}/{}] {:<14} {:>7} bytes ", at + 1, chosen.len(), set.name, set.bytes);
        std::io::stderr().flush()?;
        let mut say = |note: &str| eprint!("\n        {note} ");
        match fetch(set, &origin, &into, &mut say) {
            Ok(Outcome::Fetched) => eprintln!("fetched"),
            Ok(Outcome::Present) => eprintln!("already there"),
            Err(error) => {
                eprintln!("failed");
                return Err(error);
            }
        }
    }
    println!("{}", into.display());
    Ok(())
}

fn default_folder() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).join("data-cache")
}
