//! `bnc evaluate`.

mod document;
mod fingerprint;
mod journal;
mod report;

use std::path::PathBuf;

use bnc_data::{ClassChoice, Encoder, Frame};
use bnc_eval::{CrossValidation, Evaluation, Folds, NamedLearner, class_codes, train_and_test};
use bnc_models::{AnyLearner, LearnerSpec};
use clap::{Args, ValueEnum};

use self::journal::Journal;
use crate::data::{Data, PrepareArgs, ReadArgs, load};
use crate::error::{Error, Result};
use crate::terminal::Terminal;
use crate::text::{counted, few};
use crate::{notes, output, registry};

/// Compare learners by cross-validation or on a test file
#[derive(Debug, Args)]
#[command(after_help = "\
Folds are stratified and the same for every learner; the same seed gives the same figures on any machine.
AUC is Hand and Till's; a metric that is undefined (the AUC of rows of one class) is shown as –.

Examples:
  bnc evaluate builtin:tic-tac-toe --learner nb --learner tan --learner aode
  bnc evaluate soybean.arff vote.arff --repeats 10 --json results.json
  bnc evaluate train.csv --test test.csv --learner aode:m=30
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
    /// How often cross-validation is repeated with other folds
    #[arg(long, value_name = "N", default_value_t = 1)]
    repeats: usize,
    /// The seed of the folds
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Learn from all rows and test on this file instead of cross-validating
    #[arg(long, value_name = "FILE", conflicts_with_all = ["folds", "repeats", "seed", "fold_file", "resume", "protocol"])]
    test: Option<Data>,
    /// Take the folds from a file: a line a row, on it the fold in each repeat, as digits or with commas between
    #[arg(long, value_name = "FILE", conflicts_with_all = ["folds", "repeats", "seed"])]
    fold_file: Option<PathBuf>,
    /// What is learnt before the split
    #[arg(long, value_enum, value_name = "NAME", default_value_t = Protocol::Honest)]
    protocol: Protocol,
    /// Print JSON instead of the table, or write it to a file beside the table
    #[arg(long, value_name = "FILE", num_args = 0..=1, value_parser = json_file)]
    json: Option<Option<PathBuf>>,
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

impl Protocol {
    fn name(self) -> &'static str {
        match self {
            Self::Honest => "honest",
            Self::Paper => "paper",
        }
    }
}

/// A mistyped command line must not replace data by JSON.
fn json_file(text: &str) -> Result<PathBuf, String> {
    let lower = text.to_ascii_lowercase();
    let looks_like_data = text.starts_with("builtin:")
        || [".csv", ".tsv", ".arff", ".parquet", ".gz"].iter().any(|ending| lower.ends_with(ending));
    if looks_like_data {
        return Err("this looks like data; put --json last, or name a file for it".into());
    }
    Ok(text.into())
}

/// The results on one data set.
pub(super) struct Outcome {
    pub(super) data: String,
    pub(super) rows: usize,
    pub(super) features: usize,
    pub(super) evaluation: Evaluation,
}

/// A learner with its name as users write it.
type Learners = Vec<(String, Box<dyn AnyLearner>)>;

impl Evaluate {
    pub(crate) fn run(&self, terminal: Terminal) -> Result<()> {
        let learners = self.learners()?;
        if self.protocol == Protocol::Paper {
            terminal.warning(
                "--protocol paper: cut points and fill values are learnt from all rows, test rows among them, which flatters every learner",
            );
        }
        let mut journal = self.resume.as_deref().map(Journal::open).transpose()?;
        let mut outcomes = Vec::with_capacity(self.data.len());
        for (number, data) in (1..).zip(&self.data) {
            let label = if self.data.len() > 1 {
                format!("{data} ({number} of {})", self.data.len())
            } else {
                data.to_string()
            };
            outcomes.push(self.evaluate(data, &label, &learners, journal.as_mut(), terminal)?);
        }
        self.write(&outcomes)
    }

    fn write(&self, outcomes: &[Outcome]) -> Result<()> {
        let setting = self.setting(outcomes);
        if let Some(file) = &self.json {
            let document = document::Document::new(&setting, outcomes)?;
            output::write_json(file.as_deref(), &document)?;
            if file.is_none() {
                return Ok(());
            }
        }
        output::print(&report::report(&setting, outcomes, self.confusion)?)
    }

    fn setting(&self, outcomes: &[Outcome]) -> Setting {
        let (folds, repeats) = outcomes
            .first()
            .map_or((self.folds, self.repeats), |first| (first.evaluation.folds, first.evaluation.repeats));
        Setting {
            test: self.test.as_ref().map(ToString::to_string),
            fold_file: self.fold_file.as_ref().map(|path| path.display().to_string()),
            folds,
            repeats,
            seed: self.seed,
            protocol: self.protocol.name(),
            discretize: self.prepare.discretize.to_string(),
            missing: self.prepare.missing.name(),
        }
    }

    fn learners(&self) -> Result<Learners> {
        let specs: Vec<LearnerSpec> = if self.learners.is_empty() {
            let default = |name: &str| LearnerSpec { name: name.into(), parameters: Vec::new() };
            ["nb", "tan", "aode"].map(default).into()
        } else {
            self.learners.clone()
        };
        let named = specs.iter().map(|spec| Ok((spec.to_string(), registry::build(spec)?)));
        let named: Learners = named.collect::<Result<_>>()?;
        for (index, (name, _)) in named.iter().enumerate() {
            if named[..index].iter().any(|(other, _)| other == name) {
                return Err(Error::Usage(format!("--learner {name} is given twice")));
            }
        }
        Ok(named)
    }

    fn evaluate(
        &self,
        data: &Data,
        label: &str,
        learners: &Learners,
        journal: Option<&mut Journal>,
        terminal: Terminal,
    ) -> Result<Outcome> {
        let bar = terminal.reading(format!("reading {label}"));
        let options = self.read.options(Some(&self.prepare));
        let (frame, report) = load(data, &options, &bar)?;
        bar.clear();
        notes::read(terminal, &report);
        let preparation = self.prepare.preparation();
        let named: Vec<NamedLearner<'_>> =
            learners.iter().map(|(name, learner)| (name.as_str(), &**learner)).collect();
        let work = terminal.working(label);
        let evaluation = if let Some(test) = &self.test {
            let mut options = self.read.options(Some(&self.prepare));
            let encoder = Encoder::fit(&frame, preparation)?;
            // The training file says which columns there are and of which kind.
            options.columns = Some(encoder.raw_columns());
            options.class = ClassChoice::Named(encoder.schema().class().name().into());
            (options.nominal, options.numeric, options.drop) = Default::default();
            let (test, _) = load(test, &options, &bar)?;
            let holdout = train_and_test(&frame, &test, preparation, &named, &work)?;
            work.clear();
            let unseen: Vec<String> = holdout
                .unseen
                .iter()
                .map(|unseen| {
                    format!(
                        "{} of '{}' (first '{}')",
                        counted(unseen.cells, "cell"),
                        unseen.column,
                        unseen.first
                    )
                })
                .collect();
            if !unseen.is_empty() {
                terminal.warning(format!(
                    "values of the test file that the training file does not have, taken as missing: {}",
                    few(&unseen, 200)
                ));
            }
            holdout.evaluation
        } else {
            let folds = self.folds(&frame)?;
            warn_of_rare_classes(terminal, &frame, &folds)?;
            let validation = CrossValidation {
                frame: &frame,
                preparation,
                protocol: match self.protocol {
                    Protocol::Honest => bnc_eval::Protocol::Honest,
                    Protocol::Paper => bnc_eval::Protocol::Paper,
                },
                learners: &named,
                folds: &folds,
            };
            match journal {
                None => validation.run(&work)?,
                Some(journal) => {
                    let run = fingerprint::run(&frame, &folds, &preparation, self.protocol.name());
                    let finished = journal.finished(&run, learners.iter().map(|(name, _)| name.as_str()));
                    if !finished.is_empty() {
                        terminal.note(format!(
                            "{}: {} of earlier runs taken over",
                            data,
                            counted(finished.len() as u64, "fold")
                        ));
                    }
                    validation.resume(&finished, &mut |record| journal.add(&run, record), &work)?
                }
            }
        };
        work.clear();
        Ok(Outcome {
            data: data.to_string(),
            rows: frame.rows(),
            features: frame.columns.len() - 1,
            evaluation,
        })
    }

    fn folds(&self, frame: &Frame) -> Result<Folds> {
        let classes = class_codes(frame)?;
        let Some(path) = &self.fold_file else {
            return Ok(Folds::stratified(classes, self.folds, self.repeats, self.seed)?);
        };
        let text = std::fs::read_to_string(path).map_err(|error| bnc_data::Error::io(path, error))?;
        Ok(Folds::parse(&text, &path.display().to_string(), classes)?)
    }
}

/// How an evaluation was done.
pub(super) struct Setting {
    pub(super) test: Option<String>,
    pub(super) fold_file: Option<String>,
    pub(super) folds: usize,
    pub(super) repeats: usize,
    pub(super) seed: u64,
    pub(super) protocol: &'static str,
    pub(super) discretize: String,
    pub(super) missing: &'static str,
}

fn warn_of_rare_classes(terminal: Terminal, frame: &Frame, folds: &Folds) -> Result<()> {
    let classes = class_codes(frame)?;
    let labels = frame.class.map(|class| &frame.columns[class].values);
    let label = |code: u16| match labels {
        Some(bnc_data::Values::Nominal { labels, .. }) => labels[usize::from(code)].clone(),
        _ => code.to_string(),
    };
    let rare: Vec<String> = folds
        .rare_classes(classes)
        .iter()
        .map(|rare| format!("'{}' ({})", label(rare.class), counted(rare.rows as u64, "row")))
        .collect();
    if !rare.is_empty() {
        terminal.warning(format!(
            "{}: fewer rows than the {} folds, so some folds test none: class {}",
            frame.file,
            folds.folds(),
            few(&rare, 200)
        ));
    }
    Ok(())
}
