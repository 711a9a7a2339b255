//! `bnc discretize`.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use bnc_data::{Column, Domain, Encoder, Format, Frame, RawColumn, RawKind, RawSource, Values, Variable};
use clap::Args;

use crate::arff;
use crate::data::{Data, PrepareArgs, ReadArgs, load_or_open};
use crate::error::{Error, Result};
use crate::labels::labels;
use crate::notes;
use crate::output;
use crate::terminal::{self, Terminal};

/// Write data with numbers cut into intervals
#[derive(Debug, Args)]
#[command(after_help = "\
The cut points are learnt from all rows. A cross-validation of the coded file would let its test rows have
a say in how they are coded; bnc evaluate on the original data learns them inside each training part.

Examples:
  bnc discretize iris.arff -o iris-coded.arff
  bnc discretize trial.csv --discretize frequency:5 -o trial-coded.csv")]
pub(crate) struct Discretize {
    /// The data: a file, - for CSV on standard input, or builtin:NAME
    data: Data,
    /// The file to write: .csv, .tsv or .arff
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    prepare: PrepareArgs,
}

impl Discretize {
    pub(crate) fn run(&self, terminal: Terminal) -> Result<()> {
        let format = Format::of(&self.output).map_err(|error| Error::Usage(error.to_string()))?;
        if format == Format::Parquet {
            return Err(Error::Usage(format!(
                "{}: coded files are .csv, .tsv or .arff",
                self.output.display()
            )));
        }
        if self.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
            return Err(Error::Usage(format!(
                "{}: coded files are not gzipped; leave .gz out",
                self.output.display()
            )));
        }
        let bar = terminal.reading(format!("reading {}", self.data));
        let loaded = load_or_open(&self.data, &self.read.options(Some(&self.prepare)), &bar)?;
        bar.clear();
        notes::read(terminal, loaded.report());
        let source = loaded.source();
        let encoder = Encoder::fit(source, self.prepare.preparation())?;
        bar.clear();
        notes::coded(terminal, &encoder);
        let coder = Coder::new(&encoder, source);
        let weights = loaded.report().weighted.then(|| self.read.weight.as_deref().unwrap_or("weight"));
        output::write(Some(&self.output), |out| match format {
            Format::Arff => coder.write_arff(out, &self.data.to_string()),
            _ => coder.write_csv(out, if format == Format::Tsv { b'\t' } else { b',' }, weights),
        })?;
        bar.clear();
        let cut = |variable: &Variable| matches!(variable.domain(), Domain::Intervals { .. });
        if encoder.schema().features().iter().any(cut) {
            terminal::warning(format!(
                "{} must not be cross-validated: its cut points were learnt from all rows; evaluate {} instead",
                self.output.display(),
                self.data
            ));
        }
        Ok(())
    }
}

/// Codes rows and writes them in the order of the original columns.
struct Coder<'a> {
    encoder: &'a Encoder,
    source: &'a dyn RawSource,
    /// The coded columns.
    columns: Vec<RawColumn>,
}

impl<'a> Coder<'a> {
    fn new(encoder: &'a Encoder, source: &'a dyn RawSource) -> Self {
        let schema = encoder.schema();
        let mut features = schema.features().iter();
        let class = source.class();
        let columns = source.columns().into_iter().enumerate().filter_map(|(index, column)| {
            let variable = if Some(index) == class { schema.class() } else { features.next()? };
            Some(RawColumn { name: column.name, kind: RawKind::Nominal(labels(variable).into()) })
        });
        let columns = columns.collect();
        Self { encoder, source, columns }
    }

    fn write_arff(&self, out: &mut dyn Write, relation: &str) -> Result<()> {
        arff::write_header(out, relation, &self.columns)?;
        self.scan(|frame| Ok(arff::write_rows(out, frame)?))
    }

    fn write_csv(&self, out: &mut dyn Write, delimiter: u8, weights: Option<&str>) -> Result<()> {
        let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(out);
        let names = self.columns.iter().map(|column| column.name.as_str());
        writer.write_record(names.chain(weights))?;
        self.scan(|frame| {
            for row in 0..frame.rows() {
                let cells =
                    frame.columns.iter().map(|column| column.values.text(row).unwrap_or_else(|| "?".into()));
                let weight = weights.map(|_| frame.weight(row).to_string());
                writer.write_record(cells.chain(weight))?;
            }
            Ok(())
        })?;
        Ok(writer.flush()?)
    }

    /// Shows the coded rows in chunks.
    fn scan(&self, mut visit: impl FnMut(&Frame) -> Result<()>) -> Result<()> {
        let mut failure = None;
        let scanned = self.source.scan(&mut |frame| {
            let coded = self.code(frame)?;
            visit(&coded).map_err(|error| {
                failure = Some(error);
                bnc_data::Error::Cancelled
            })
        });
        match failure {
            Some(error) => Err(error),
            None => Ok(scanned?),
        }
    }

    fn code(&self, frame: &Frame) -> bnc_data::Result<Frame> {
        let data = self.encoder.encode(frame)?.data;
        let mut features = data.features().iter();
        let columns = self.columns.iter().enumerate().filter_map(|(index, column)| {
            let codes = if Some(index) == frame.class { data.class() } else { features.next()? };
            let RawKind::Nominal(labels) = &column.kind else { return None };
            Some(Column {
                name: column.name.clone(),
                values: Values::Nominal { labels: Arc::clone(labels), codes: codes.to_vec() },
            })
        });
        Frame::new(Arc::clone(&frame.file), columns.collect(), frame.class, frame.weights.clone())
    }
}
