//! `bnc predict`.

mod metrics;
mod sink;
mod unseen;

use std::path::PathBuf;

use bnc_data::{ClassChoice, Frame, RawKind, ReadOptions, open};
use bnc_eval::RunningScore;
use bnc_models::Model;
use clap::Args;

use self::metrics::Values;
use self::sink::Sink;
use self::unseen::UnseenTally;
use crate::data::{Data, Loaded, ReadArgs, load};
use crate::error::{Error, Result};
use crate::terminal::Terminal;
use crate::{output, registry};

/// Predict the class of every row of some data
#[derive(Debug, Args)]
#[command(after_help = "\
Prints CSV with one line a row, in order: row,predicted,P(label),… with the labels in the order of the
model. Columns are matched by name; others are passed over, and the class need not be there: where it is,
metrics are printed on standard error. A value that the model does not know counts as missing.
Files are streamed, standard input is kept in memory.

Examples:
  bnc predict weather.bnc tomorrow.csv
  bnc predict weather.bnc tomorrow.csv --strict -o labels.csv
  zcat all.csv.gz | bnc predict weather.bnc -")]
pub(crate) struct Predict {
    /// The model file
    #[arg(value_name = "M.bnc")]
    model: PathBuf,
    /// The data: a file, - for CSV on standard input, or builtin:NAME
    data: Data,
    /// The file to write instead of standard output
    #[arg(short, long, value_name = "OUT.csv")]
    output: Option<PathBuf>,
    /// Refuse values that the model does not know
    #[arg(long)]
    strict: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read: ReadArgs,
}

impl Predict {
    pub(crate) fn run(&self, terminal: Terminal) -> Result<()> {
        let model = Model::read(&self.model, registry::LOADERS)?;
        let options = self.options(&model)?;
        let bar = terminal.reading(format!("predicting {}", self.data));
        let loaded = match &self.data {
            Data::File(path) => Loaded::Stream(Box::new(open(path, &options, &bar)?)),
            data => {
                let (frame, report) = load(data, &options, &bar)?;
                Loaded::Memory(Box::new(frame), Box::new(report))
            }
        };
        let mut unseen = UnseenTally::default();
        let mut score = RunningScore::new(model.schema().classes());
        output::write(self.output.as_deref(), |out| {
            let mut sink = Sink::new(out, self.json, &model)?;
            let mut rows = 0;
            let mut failure = None;
            let scanned = loaded.source().scan(&mut |frame| {
                let done = self.chunk(&model, frame, rows, &mut sink, &mut unseen, &mut score);
                rows += frame.rows() as u64;
                done.map_err(|error| {
                    failure = Some(error);
                    bnc_data::Error::Cancelled
                })
            });
            if let Some(error) = failure {
                return Err(error);
            }
            scanned?;
            sink.finish(&unseen, Values::of(&score).as_ref())
        })?;
        bar.clear();
        unseen.warn(model.schema().class().name());
        if let Some(values) = Values::of(&score) {
            values.note(terminal);
        }
        Ok(())
    }

    /// The model says which columns are read and as what; options that contradict it are refused.
    fn options(&self, model: &Model) -> Result<ReadOptions> {
        let class = model.schema().class().name();
        if let Some(name) = self.read.class.as_ref().filter(|name| *name != class) {
            return Err(Error::Usage(format!(
                "--class {name}: the class of this model is '{class}'; rename the column or leave --class out"
            )));
        }
        let columns = model.encoder().raw_columns();
        for (option, names, numeric) in
            [("nominal", &self.read.nominal, false), ("numeric", &self.read.numeric, true)]
        {
            let other = |name: &&String| {
                let mut known = columns.iter().filter(|column| column.name == **name);
                known.any(|column| (column.kind == RawKind::Numeric) != numeric)
            };
            if let Some(name) = names.iter().find(other) {
                return Err(Error::Usage(format!(
                    "--{option} {name}: the column was not {option} when this model was trained; leave the option out"
                )));
            }
        }
        let mut options = self.read.options(None);
        options.class = ClassChoice::IfPresent(class.into());
        // A frame without columns would not know how many rows there are.
        options.columns = (columns.len() > 1).then_some(columns);
        Ok(options)
    }

    /// Predicts some rows, the first of which is number `before + 1`.
    fn chunk(
        &self,
        model: &Model,
        frame: &Frame,
        before: u64,
        sink: &mut Sink<'_>,
        unseen: &mut UnseenTally,
        score: &mut RunningScore,
    ) -> Result<()> {
        let encoded = model.encoder().encode(frame)?;
        if self.strict {
            unseen::refuse(&encoded.unseen, frame, before, model.schema())?;
        }
        unseen.add(&encoded.unseen, frame);
        let posteriors = model.posteriors(&encoded.data)?;
        score.add(encoded.data.class(), &posteriors, encoded.data.weights())?;
        sink.rows(before, &posteriors)
    }
}
