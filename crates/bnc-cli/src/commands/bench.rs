//! `bnc bench`.

use std::time::Instant;

use bnc_data::{Dataset, Encoder};
use bnc_eval::{Metric, score};
use bnc_models::{AnyLearner, LearnerSpec};
use clap::Args;
use serde::Serialize;

use crate::data::{Data, PrepareArgs, ReadArgs, load};
use crate::error::Result;
use crate::terminal::{Bar, Terminal};
use crate::text::{counted, table};
use crate::{notes, output, registry};

/// Time a learner: reading, learning and predicting
#[derive(Debug, Args)]
#[command(after_help = "\
Reading includes cutting and coding; learning and predicting start from coded rows in memory, and
predicting gives the probability of every class of every row. Each is done several times. The last
line is JSON with the medians, in seconds, and the accuracy. Without a test file the training rows
are predicted, which flatters.

Examples:
  bnc bench train.csv --learner aode --test test.csv
  bnc bench builtin:waveform-21:rows=100000 --learner tan --runs 9 --threads 1
  bnc bench train.csv --learner nb --test test.csv | tail -n 1")]
pub(crate) struct Bench {
    /// The data: a file, - for CSV on standard input, or builtin:NAME
    data: Data,
    /// The learner: NAME or NAME:KEY=VALUE,…; see bnc learners
    #[arg(short, long, value_name = "L", value_parser = registry::parse)]
    learner: LearnerSpec,
    /// The file whose rows are predicted
    #[arg(long, value_name = "FILE")]
    test: Option<Data>,
    /// How often each is done
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    prepare: PrepareArgs,
}

/// The seconds of one run.
#[derive(Clone, Copy)]
struct Seconds {
    load: f64,
    train: f64,
    predict: f64,
}

/// The last line.
#[derive(Serialize)]
struct Document {
    program: &'static str,
    version: &'static str,
    data: String,
    test: Option<String>,
    learner: String,
    rows: usize,
    features: usize,
    test_rows: usize,
    threads: usize,
    runs: u16,
    load_s: f64,
    train_s: f64,
    predict_s: f64,
    /// Null without labelled rows.
    accuracy: Option<f64>,
}

impl Bench {
    pub(crate) fn run(&self, terminal: Terminal) -> Result<()> {
        let learner = registry::build(&self.learner)?;
        let bar = terminal.searching(format!("timing {}", self.learner));
        // Standard input can be read but once, and to make a built-in set is not to read.
        let loads = if matches!(self.data, Data::File(_)) { self.runs } else { 1 };
        let mut loading = Vec::with_capacity(loads.into());
        let mut loaded = None;
        for _ in 0..loads {
            let start = Instant::now();
            let (frame, report) = load(&self.data, &self.read.options(Some(&self.prepare)), &bar)?;
            let encoder = Encoder::fit(&frame, self.prepare.preparation())?;
            let data = encoder.encode_owned(frame)?.data;
            loading.push(start.elapsed().as_secs_f64());
            loaded = Some((encoder, data, report));
        }
        let Some((encoder, data, report)) = loaded else { return Ok(()) };
        bar.clear();
        notes::read(terminal, &report);
        let test = self.test(&encoder, &bar)?;
        let tested = test.as_ref().unwrap_or(&data);
        let mut runs = Vec::with_capacity(self.runs.into());
        let mut accuracy = None;
        for run in 0..usize::from(self.runs) {
            let load = loading[run.min(loading.len() - 1)];
            let (seconds, found) = time(&*learner, &data, tested, load, &bar)?;
            runs.push(seconds);
            accuracy = found;
        }
        bar.clear();
        let document = Document {
            program: "bnc",
            version: env!("CARGO_PKG_VERSION"),
            data: self.data.to_string(),
            test: self.test.as_ref().map(ToString::to_string),
            learner: self.learner.to_string(),
            rows: data.rows(),
            features: data.schema().features().len(),
            test_rows: tested.rows(),
            threads: rayon::current_num_threads(),
            runs: self.runs,
            load_s: median(&runs, |run| run.load),
            train_s: median(&runs, |run| run.train),
            predict_s: median(&runs, |run| run.predict),
            accuracy,
        };
        let last = serde_json::to_string(&document)?;
        output::print(&format!("{}{last}\n", report_of(&document, &runs)))
    }

    /// The coded rows of the test file.
    fn test(&self, encoder: &Encoder, bar: &Bar) -> Result<Option<Dataset>> {
        let Some(test) = &self.test else { return Ok(None) };
        let options = self.read.options_for_test(encoder, &self.prepare);
        let (frame, _) = load(test, &options, bar)?;
        Ok(Some(encoder.encode_owned(frame)?.data))
    }
}

fn time(
    learner: &dyn AnyLearner,
    data: &Dataset,
    tested: &Dataset,
    load: f64,
    bar: &Bar,
) -> Result<(Seconds, Option<f64>)> {
    let start = Instant::now();
    let model = learner.fit_any(data, bar)?;
    let train = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let posteriors = model.posteriors(tested)?;
    let predict = start.elapsed().as_secs_f64();
    let scored = score(tested.class(), &posteriors, tested.weights())?;
    Ok((Seconds { load, train, predict }, scored.metrics[Metric::Accuracy]))
}

/// The middle one, or the mean of the two in the middle.
fn median(runs: &[Seconds], of: fn(&Seconds) -> f64) -> f64 {
    let mut values: Vec<f64> = runs.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
}

/// A line a run, and what they are about.
fn report_of(document: &Document, runs: &[Seconds]) -> String {
    let mut table = table(&["run", "load s", "train s", "predict s"].map(String::from), 1);
    let row = |name: String, seconds: [f64; 3]| {
        std::iter::once(name).chain(seconds.map(|value| format!("{value:.4}"))).collect::<Vec<String>>()
    };
    for (number, run) in (1..).zip(runs) {
        table.add_row(row(format!("{number}"), [run.load, run.train, run.predict]));
    }
    table.add_row(row("median".into(), [document.load_s, document.train_s, document.predict_s]));
    format!(
        "{} on {}: {}, {}, {} predicted, {}\n{}\n",
        document.learner,
        document.data,
        counted(document.rows as u64, "row"),
        counted(document.features as u64, "feature"),
        counted(document.test_rows as u64, "row"),
        counted(document.threads as u64, "thread"),
        table.trim_fmt()
    )
}
