//! `bnc datasets`.

use bnc_data::{BUILTIN, BuiltinInfo};
use clap::Args;
use serde::Serialize;

use crate::error::Result;
use crate::output;
use crate::text::table;

/// List the built-in data sets, which need no download
#[derive(Debug, Args)]
#[command(after_help = "\
A built-in set is written builtin:NAME or builtin:NAME:KEY=VALUE,KEY=VALUE wherever data are read.

Examples:
  bnc datasets
  bnc describe builtin:led-24:rows=1000,noise=0.2")]
pub(crate) struct Datasets {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Datasets {
    pub(crate) fn run(&self) -> Result<()> {
        if self.json {
            return output::write_json(None, &BUILTIN.iter().map(Entry::from).collect::<Vec<_>>());
        }
        let header = ["set", "what it is", "parameters", "rows", "features", "classes"];
        let mut table = table(&header.map(String::from), 3);
        for set in BUILTIN {
            let parameters =
                set.parameters.iter().map(|parameter| format!("{}={}", parameter.key, parameter.default));
            table.add_row([
                set.name.to_string(),
                format!("{}\n{}", set.what, set.source),
                parameters.collect::<Vec<_>>().join("\n"),
                set.rows.to_string(),
                set.features.to_string(),
                set.classes.to_string(),
            ]);
        }
        output::print(&format!("{}\nbuiltin:NAME names a set wherever data are read.\n", table.trim_fmt()))
    }
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    what: &'static str,
    source: &'static str,
    rows: usize,
    features: usize,
    classes: usize,
    parameters: Vec<Parameter>,
}

#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    default: &'static str,
    meaning: &'static str,
}

impl From<&'static BuiltinInfo> for Entry {
    fn from(set: &'static BuiltinInfo) -> Self {
        let parameters = set.parameters.iter().map(|parameter| Parameter {
            name: parameter.key,
            default: parameter.default,
            meaning: parameter.what,
        });
        Self {
            name: set.name,
            what: set.what,
            source: set.source,
            rows: set.rows,
            features: set.features,
            classes: set.classes,
            parameters: parameters.collect(),
        }
    }
}
