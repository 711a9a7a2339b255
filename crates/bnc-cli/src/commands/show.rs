//! `bnc show`.

mod dot;
mod json;
mod tables;
mod text;
mod tree;

use std::path::PathBuf;

use bnc_models::{Member, Model};
use clap::{Args, ValueEnum};

use crate::error::{Error, Result};
use crate::labels::super_parents;
use crate::terminal::Terminal;
use crate::text::few;
use crate::{drawing, output, registry};

/// Show what a model has learnt: its structure and its tables
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  bnc show weather.bnc
  bnc show weather.bnc --feature outlook
  bnc show weather.bnc --format svg -o weather.svg
  bnc show weather.bnc --format dot | dot -Tpdf > weather.pdf")]
pub(crate) struct Show {
    /// The model file
    #[arg(value_name = "M.bnc")]
    model: PathBuf,
    /// The form
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The file to write instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Text: show this feature and its table only
    #[arg(long, value_name = "NAME", conflicts_with = "tables")]
    feature: Option<String>,
    /// Text: show every table, however many
    #[arg(long)]
    tables: bool,
    /// Dot and svg: the member of an ensemble to draw, two names joined by a comma where it has two super-parents
    /// [default: the first]
    #[arg(long, value_name = "NAME")]
    super_parent: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For reading
    Text,
    /// For Graphviz
    Dot,
    /// Structure, tables and labels for programs
    Json,
    /// A picture
    Svg,
}

impl Show {
    pub(crate) fn run(&self, terminal: Terminal) -> Result<()> {
        let model = Model::read(&self.model, registry::LOADERS)?;
        let path = self.output.as_deref();
        let text = match self.format {
            Format::Text => text::show(&model, self.feature.as_deref(), self.tables)?,
            Format::Json => return output::write_json(path, &json::Document::new(&model)),
            Format::Dot => dot::draw(&model, &self.member(&model, terminal)?)?,
            Format::Svg => drawing::document(&model, &self.member(&model, terminal)?)?,
        };
        output::write(path, |out| Ok(out.write_all(text.as_bytes())?))
    }

    /// The member to draw.
    fn member(&self, model: &Model, terminal: Terminal) -> Result<Member> {
        let name = |member: &Member| super_parents(model.schema(), member);
        let mut members = model.classifier().members();
        let parents: Vec<String> = members.iter().map(name).filter(|name| !name.is_empty()).collect();
        let chosen = match &self.super_parent {
            Some(wanted) => parents.iter().position(|name| name == wanted).ok_or_else(|| {
                Error::Usage(if parents.is_empty() {
                    "--super-parent: this model is not an ensemble of super-parents; leave it out".into()
                } else {
                    format!("--super-parent {wanted}: there are: {}", few(&parents, 400))
                })
            })?,
            None => 0,
        };
        if members.is_empty() {
            return Err(Error::failed(
                "this model has no structure of its own to draw: it has no features, or learns one for every row",
            ));
        }
        if self.super_parent.is_none() && parents.len() > 1 {
            terminal.note(format!(
                "one of {} members is drawn, that of '{}' (--super-parent names another)",
                parents.len(),
                parents[0]
            ));
        }
        Ok(members.swap_remove(chosen))
    }
}
