//! `bnc evaluate`.

mod document;
pub(crate) mod figures;
mod page;
mod report;
mod scheme;
mod work;

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use bnc_eval::{BiasVariance, Evaluation, Metric};
use bnc_models::{LearnerSpec, Model};
use clap::{Args, ValueEnum};

use self::scheme::Scheme;
use crate::data::{Data, PrepareArgs, ReadArgs};
use crate::error::Result;
use crate::experiment::{Experiment, Learners, Significance, protocol_name};
use crate::terminal::{self, Terminal};
use crate::{output, registry};

/// Compare learners by cross-validation or on a test file
#[derive(Debug, Args)]
#[command(after_help = "\
Folds are stratified and the same for every learner; the same seed gives the same figures on any machine.
AUC is Hand and Till's; a metric that is undefined (the AUC of rows of one class) is shown as –.

Examples:
  bnc evaluate builtin:tic-tac-toe --learner nb --learner tan --learner aode
  bnc evaluate soybean.arff vote.arff --repeats 10 --json results.json
  bnc evaluate train.csv --test test.csv --learner aode:m=30
  bnc evaluate vote.arff --bias-variance --learning-curve=25,50,100,200
  bnc evaluate vote.arff zoo.arff --repeats 10 --html report.html
  bnc evaluate large.csv --repeats 10 --resume large.run")]
pub(crate) struct Evaluate {
    /// The data: files, - for CSV on standard input, or builtin:NAME
    #[arg(required = true)]
    data: Vec<Data>,
    /// A learner: NAME or NAME:KEY=VALUE,…; can be repeated [default: nb, tan, aode]
    #[arg(short, long = "learner", value_name = "L", value_parser = registry::parse)]
    learners: Vec<LearnerSpec>,
    /// The number of folds
    #[arg(long, value_name = "K", default_value_t = 10)]
    folds: usize,
    /// How often cross-validation is repeated with other folds [default: 1; for bias and variance 10]
    #[arg(long, value_name = "N")]
    repeats: Option<usize>,
    /// The seed of the folds
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Learn from all rows and test on this file instead of cross-validating
    #[arg(long, value_name = "FILE", conflicts_with_all = ["folds", "repeats", "seed", "fold_file", "resume", "protocol", "bias_variance", "learning_curve"])]
    test: Option<Data>,
    /// Take the folds from a file: a line a row, on it the fold in each repeat, as digits or with commas between
    #[arg(long, value_name = "FILE", conflicts_with_all = ["folds", "repeats", "seed"])]
    fold_file: Option<PathBuf>,
    /// What is learnt before the split
    #[arg(long, value_enum, value_name = "NAME", default_value_t = Protocol::Honest)]
    protocol: Protocol,
    /// Take the error apart into bias and variance. The SCHEME says how training sets are drawn: folds, those of the
    /// repeats; sub-sampled or sub-sampled:ROWS, Webb and Conilione's; holdout or holdout:POOL, Kohavi and Wolpert's
    /// [default: folds]
    #[arg(long, value_name = "SCHEME", num_args = 0..=1, require_equals = true, default_missing_value = "folds")]
    bias_variance: Option<Scheme>,
    /// Learn from parts of the training rows, too: of these SIZES, or halved again and again
    #[arg(long, value_name = "SIZES", num_args = 0.., require_equals = true, value_delimiter = ',')]
    learning_curve: Option<Vec<NonZeroUsize>>,
    /// Print JSON instead of the table, or write it to a file beside the table
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-", value_parser = output::result_file)]
    json: Option<PathBuf>,
    /// Write a page with tables, charts and the learned networks, for a browser, beside the table
    #[arg(long, value_name = "FILE", value_parser = output::result_file)]
    html: Option<PathBuf>,
    /// Keep finished work in this file, and go on from it after an interruption
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Print how often each class was predicted for each class
    #[arg(long)]
    confusion: bool,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    prepare: PrepareArgs,
}

/// What may be learnt before the rows are split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Protocol {
    /// Nothing: cut points and fill values are learnt in each training part
    Honest,
    /// Cut points and fill values are learnt from all rows, as in many papers; this flatters
    Paper,
}

impl From<Protocol> for bnc_eval::Protocol {
    fn from(protocol: Protocol) -> Self {
        match protocol {
            Protocol::Honest => Self::Honest,
            Protocol::Paper => Self::Paper,
        }
    }
}

/// The results on one data set.
pub(crate) struct Outcome {
    pub(crate) data: String,
    pub(crate) rows: usize,
    pub(crate) features: usize,
    pub(crate) evaluation: Evaluation,
    /// One a learner, where it was asked for.
    pub(crate) bias_variance: Vec<BiasVariance>,
    /// By the number of training rows, ascending; empty unless it was asked for.
    pub(crate) learning_curve: Vec<CurvePoint>,
    /// For a page: what each learner makes of all rows, if it can.
    pub(crate) models: Vec<Option<Model>>,
}

/// A point of the learning curves of all learners.
pub(crate) struct CurvePoint {
    pub(crate) rows: usize,
    pub(crate) evaluation: Evaluation,
}

impl Evaluate {
    pub(crate) fn run(&self, terminal: Terminal) -> Result<()> {
        let learners = self.learners()?;
        if self.bias_variance == Some(Scheme::Folds) && self.fold_file.is_none() && self.repeats() < 2 {
            return Err(scheme::needs_repeats());
        }
        if self.protocol == Protocol::Paper {
            terminal::warning(
                "--protocol paper: cut points and fill values are learnt from all rows, test rows among them, which flatters every learner",
            );
        }
        let work = self.data.iter().map(|data| self.work(data, learners.named().len())).sum();
        let mut experiment = Experiment::new(terminal, work, self.resume.as_deref())?;
        let mut outcomes = Vec::with_capacity(self.data.len());
        let mut dropped = HashSet::new();
        for (number, data) in (1..).zip(&self.data) {
            let label = if self.data.len() > 1 {
                format!("{data} ({number} of {})", self.data.len())
            } else {
                data.to_string()
            };
            outcomes.push(self.evaluate(data, &label, &learners, &mut dropped, &mut experiment, terminal)?);
        }
        experiment.finish();
        for name in self.read.drop.iter().filter(|name| !dropped.contains(*name)) {
            terminal::warning(format!("--drop {name}: no data set has a column of that name"));
        }
        self.write(&outcomes)
    }

    fn write(&self, outcomes: &[Outcome]) -> Result<()> {
        let setting = self.setting(outcomes);
        let evaluations: Vec<&Evaluation> = outcomes.iter().map(|outcome| &outcome.evaluation).collect();
        let significance = Significance::new(&evaluations, Metric::Accuracy)?;
        if let Some(path) = &self.html {
            page::write(path, &setting, outcomes, &significance)?;
        }
        let document = document::Document::new(&setting, outcomes, &significance);
        output::results(self.json.as_deref(), &document, || {
            report::report(&setting, outcomes, &significance, self.confusion)
        })
    }

    fn setting(&self, outcomes: &[Outcome]) -> Setting {
        let (folds, repeats) = outcomes
            .first()
            .map_or((self.folds, self.repeats()), |first| (first.evaluation.folds, first.evaluation.repeats));
        Setting {
            test: self.test.as_ref().map(ToString::to_string),
            fold_file: self.fold_file.as_ref().map(|path| path.display().to_string()),
            folds,
            repeats,
            seed: self.seed,
            protocol: protocol_name(self.protocol.into()),
            discretize: self.prepare.discretize.to_string(),
            missing: self.prepare.missing.name(),
            bias_variance: self.bias_variance.map(|scheme| scheme.to_string()),
        }
    }

    fn repeats(&self) -> usize {
        self.repeats.unwrap_or(if self.bias_variance.is_some() { 10 } else { 1 })
    }

    fn learners(&self) -> Result<Learners> {
        let specs: Vec<LearnerSpec> = if self.learners.is_empty() {
            let default = |name: &str| LearnerSpec { name: name.into(), parameters: Vec::new() };
            ["nb", "tan", "aode"].map(default).into()
        } else {
            self.learners.clone()
        };
        Learners::new(&specs)
    }
}

/// How an evaluation was done.
pub(crate) struct Setting {
    pub(crate) test: Option<String>,
    pub(crate) fold_file: Option<String>,
    pub(crate) folds: usize,
    pub(crate) repeats: usize,
    pub(crate) seed: u64,
    pub(crate) protocol: &'static str,
    pub(crate) discretize: String,
    pub(crate) missing: &'static str,
    pub(crate) bias_variance: Option<String>,
}
