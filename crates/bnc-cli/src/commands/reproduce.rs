//! `bnc reproduce`.

mod comparison;
mod document;
mod papers;
mod protocol;
mod published;
mod report;
mod run;
mod sets;
mod significance;

use std::path::PathBuf;

use clap::Args;

use self::comparison::Comparison;
use self::document::Document;
use self::papers::Paper;
use self::run::Choices;
use crate::error::{Error, Result};
use crate::output;
use crate::terminal::{self, Terminal};
use crate::text::few;

/// Run the experiment of a paper, and print our figures beside the published ones
#[derive(Debug, Args)]
#[command(after_help = "\
The data are those that cargo xtask fetch brings (docs/datasets.md): NAME.arff in the folder, or in its parts
uci36 and extra. What a paper never published in a readable table is said, and its figure is missing.

Examples:
  bnc reproduce mi-ode --data data-cache
  bnc reproduce anb --data data-cache --only iris,car --json anb.json
  bnc reproduce akdb --data data-cache --resume akdb.run")]
pub(crate) struct Reproduce {
    /// The paper
    #[arg(value_enum, value_name = "PAPER")]
    paper: Paper,
    /// The folder of the data sets
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Only these of the sets
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    only: Vec<String>,
    /// How often cross-validation is repeated [default: as in the paper]
    #[arg(long, value_name = "N")]
    repeats: Option<usize>,
    /// The seed of the folds
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Take the folds from DIR/NAME.txt: a line a row, on it the fold in each repeat
    #[arg(long, value_name = "DIR", conflicts_with = "repeats")]
    folds_from: Option<PathBuf>,
    /// Print JSON instead of the tables, or write it to a file beside them
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-", value_parser = output::result_file)]
    json: Option<PathBuf>,
    /// Keep finished work in this file, and go on from it after an interruption
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

/// So wide a list in a warning may be before the rest is only counted.
const LISTED: usize = 200;

impl Reproduce {
    pub(crate) fn run(&self, terminal: Terminal) -> Result<()> {
        if self.repeats == Some(0) {
            return Err(Error::Usage("--repeats 0: expected 1 or more".into()));
        }
        let protocol = self.paper.protocol();
        let published = published::parse(protocol.published)?;
        let (found, missing) = sets::find(protocol, &self.data, &self.only)?;
        let missing: Vec<&str> = missing.iter().map(|set| set.name).collect();
        if !missing.is_empty() {
            terminal::warning(format!(
                "{}: {} of {} data sets are not there and left out of the means: {}",
                self.data.display(),
                missing.len(),
                missing.len() + found.len(),
                few(&missing, LISTED)
            ));
        }
        let choices = Choices {
            repeats: self.repeats.unwrap_or(protocol.repeats),
            seed: self.seed,
            folds_from: self.folds_from.as_deref(),
            resume: self.resume.as_deref(),
        };
        let results = run::run(protocol, &published, &found, &choices, terminal)?;
        let comparison = Comparison { protocol, published: &published, results: &results };
        let document = Document::new(comparison, &choices, missing)?;
        output::results(self.json.as_deref(), &document, || report::report(protocol, &document))
    }
}
