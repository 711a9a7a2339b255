//! `bnc train`.

use std::path::PathBuf;
use std::time::Instant;

use bnc_data::{Encoder, Preparation, Report};
use bnc_models::{LearnerSpec, Model, Network};
use clap::Args;

use crate::data::{Data, Loaded, PrepareArgs, ReadArgs, load_or_open};
use crate::error::Result;
use crate::labels::class_labels;
use crate::terminal::Terminal;
use crate::text::{self, counted};
use crate::{notes, output, prior, registry, score, size};

/// Learn a model from data and save it
#[derive(Debug, Args)]
#[command(after_help = "\
The model file holds all that prediction needs: labels, cut points, what is done with missing cells.
Files above 64 MiB (gzipped or Parquet: 8 MiB) are streamed instead of being kept in memory; the model is the same.

Examples:
  bnc train weather.csv --class play --learner aode -o weather.bnc
  bnc train builtin:tic-tac-toe --learner tan:smoothing=laplace -o game.bnc
  bnc train trial.arff --learner nb --prior yes=0.01,no=0.99 -o trial.bnc")]
pub(crate) struct Train {
    /// The data: a file, - for CSV on standard input, or builtin:NAME
    data: Data,
    /// The learner: NAME or NAME:KEY=VALUE,…; see bnc learners
    #[arg(short, long, value_name = "L", value_parser = registry::parse)]
    learner: LearnerSpec,
    /// The model file to write
    #[arg(short, long, value_name = "M.bnc")]
    output: PathBuf,
    /// Class probabilities of the population that is predicted, where they differ from those of the data
    #[arg(long, value_name = "LABEL=P,…")]
    prior: Option<String>,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    prepare: PrepareArgs,
}

/// So much memory for a search, in bytes, is said before it begins.
const NOTED_MEMORY: u64 = 64 << 20;

impl Train {
    pub(crate) fn run(&self, terminal: Terminal) -> Result<()> {
        let start = Instant::now();
        let bar = terminal.reading(format!("reading {}", self.data));
        let loaded = load_or_open(&self.data, &self.read.options(Some(&self.prepare)), &bar)?;
        bar.clear();
        let report = loaded.report().clone();
        notes::read(terminal, &report);
        let mut model = fit(&self.learner, loaded, self.prepare.preparation(), terminal)?;
        bar.clear();
        notes::coded(terminal, model.encoder());
        if let Some(prior) = &self.prior {
            let prior = prior::parse(prior, &class_labels(model.schema()))?;
            model = model.with_prior(prior)?;
        }
        model.write(&self.output)?;
        output::print(&self.summary(&model, &report, start)?)
    }

    fn summary(&self, model: &Model, report: &Report, start: Instant) -> Result<String> {
        let schema = model.schema();
        let size =
            std::fs::metadata(&self.output).map_err(|error| bnc_data::Error::io(&self.output, error))?;
        let missing: u64 = report.columns.iter().map(|column| column.missing).sum();
        let cut = notes::intervals(model.encoder());
        let score = model.classifier().network().and_then(Network::score);
        let mut lines = vec![
            ("model", format!("{}, {}", self.output.display(), text::bytes(size.len()))),
            ("learner", model.learner().to_string()),
            ("rows", report.rows.to_string()),
            (
                "columns",
                format!(
                    "{}; class '{}' of {}",
                    counted(schema.features().len() as u64, "feature"),
                    schema.class().name(),
                    counted(schema.classes() as u64, "value")
                ),
            ),
            (
                "numbers",
                match cut.len() as u64 {
                    0 => "none".into(),
                    features => format!(
                        "{} cut into {} by {}",
                        counted(features, "feature"),
                        counted(cut.iter().map(|&(_, count)| count as u64).sum(), "interval"),
                        self.prepare.discretize
                    ),
                },
            ),
            ("missing", counted(missing, "cell")),
            ("structure", size::describe(model.classifier())),
        ];
        lines.extend(score.map(|score| ("score", score::describe(score))));
        lines.push(("time", format!("{:.2} s", start.elapsed().as_secs_f64())));
        let line = |(name, value): &(&str, String)| format!("{name:<11}{value}\n");
        Ok(lines.iter().map(line).collect())
    }
}

/// Learns a model from data that are in memory or streamed.
fn fit(
    spec: &LearnerSpec,
    loaded: Loaded<'_>,
    preparation: Preparation,
    terminal: Terminal,
) -> Result<Model> {
    let learner = registry::build(spec)?;
    let encoder = Encoder::fit(loaded.source(), preparation)?;
    if let Some(memory) = learner.memory_any(encoder.schema()).filter(|memory| *memory >= NOTED_MEMORY) {
        terminal.note(format!("the search takes {} of memory", text::bytes(memory)));
    }
    let bar = terminal.searching(format!("learning {spec}"));
    let classifier = match loaded {
        Loaded::Memory(frame, _) => learner.fit_any(&encoder.encode_owned(*frame)?.data, &bar)?,
        Loaded::Stream(source) => learner.fit_any(&encoder.over(&*source), &bar)?,
    };
    bar.clear();
    Ok(Model::new(spec.to_string(), encoder, classifier)?)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::io::Write as _;

    use bnc_data::{ReadOptions, Silent, open, read};

    use super::*;

    #[test]
    fn streamed_and_in_memory_make_the_same_model() {
        // More rows than a chunk of the stream has.
        let mut file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
        let mut text = String::from("a,b,c,class\n");
        for row in 0..70_000_u32 {
            let a = ["x", "y", "z", "?"][row as usize % 4];
            let c = f64::from(row * 37 % 1000) / 10.0;
            writeln!(text, "{a},{},{c},{}", row % 7, row % 3 * (row % 2)).unwrap();
        }
        file.write_all(text.as_bytes()).unwrap();
        let options = ReadOptions::default();
        let (frame, report) = read(file.path(), &options, &Silent).unwrap();
        let memory = || Loaded::Memory(Box::new(frame.clone()), Box::new(report.clone()));
        let stream = || Loaded::Stream(Box::new(open(file.path(), &options, &Silent).unwrap()));
        for info in registry::infos() {
            let spec = info.name.parse().unwrap();
            let bytes = |loaded| {
                fit(&spec, loaded, Preparation::default(), Terminal { quiet: true })
                    .unwrap()
                    .to_bytes()
                    .unwrap()
            };
            assert!(bytes(memory()) == bytes(stream()), "{}", info.name);
        }
    }
}
