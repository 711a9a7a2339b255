//! `bnc learners`.

use bnc_models::LearnerInfo;
use clap::Args;
use serde::Serialize;

use crate::error::{Error, Result};
use crate::output;
use crate::registry;
use crate::text::table;

/// List the learners, or say more about one
#[derive(Debug, Args)]
#[command(after_help = "\
A learner is written NAME or NAME:KEY=VALUE,KEY=VALUE, such as aode:m=30,smoothing=m:1.

Examples:
  bnc learners
  bnc learners tan")]
pub(crate) struct Learners {
    /// The learner to say more about
    name: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Learners {
    pub(crate) fn run(&self) -> Result<()> {
        let chosen = self.name.as_deref().map(registry::info).transpose().map_err(Error::Usage)?;
        match (chosen, self.json) {
            (Some(info), true) => output::write_json(None, &Entry::from(info)),
            (Some(info), false) => output::print(&details(info)),
            (None, true) => output::write_json(None, &registry::infos().map(Entry::from).collect::<Vec<_>>()),
            (None, false) => output::print(&overview()),
        }
    }
}

fn overview() -> String {
    let mut table = table(&["learner".into(), "what it is".into(), "parameters".into()], usize::MAX);
    for info in registry::infos() {
        let defaults =
            info.parameters.iter().map(|parameter| format!("{}={}", parameter.name, parameter.default));
        table.add_row([
            info.name.to_string(),
            format!("{}\n{}", info.title, info.reference),
            defaults.collect::<Vec<_>>().join("\n"),
        ]);
    }
    format!("{}\nbnc learners NAME says more; every learner takes smoothing.\n", table.trim_fmt())
}

fn details(info: &LearnerInfo) -> String {
    let mut table =
        table(&["parameter".into(), "default".into(), "values".into(), "meaning".into()], usize::MAX);
    for parameter in info.parameters {
        table.add_row([parameter.name, parameter.default, parameter.values, parameter.meaning]);
    }
    format!(
        "{} ({})\n\n{}\n{}\n\nCost   {} (N rows, n features, c classes)\nPaper  {}\n\n{}\n",
        info.title,
        info.name,
        info.idea,
        info.when,
        info.complexity,
        info.reference,
        table.trim_fmt()
    )
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    title: &'static str,
    idea: &'static str,
    when: &'static str,
    complexity: &'static str,
    reference: &'static str,
    parameters: Vec<Parameter>,
}

#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    default: &'static str,
    values: &'static str,
    meaning: &'static str,
}

impl From<&'static LearnerInfo> for Entry {
    fn from(info: &'static LearnerInfo) -> Self {
        let parameters = info.parameters.iter().map(|parameter| Parameter {
            name: parameter.name,
            default: parameter.default,
            values: parameter.values,
            meaning: parameter.meaning,
        });
        Self {
            name: info.name,
            title: info.title,
            idea: info.idea,
            when: info.when,
            complexity: info.complexity,
            reference: info.reference,
            parameters: parameters.collect(),
        }
    }
}
