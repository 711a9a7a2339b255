//! Parquet: only the columns that are needed, batch by batch, so that memory does not grow with the rows.
//!
//! The columns are shared out among the threads; each share has a reader of its own over the same file. [`cells`]
//! turns arrays of Arrow into values.

mod cells;

use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};

use super::ReadOptions;
use super::coder::Part;
use super::column::{Column, Refusal};
use super::dictionary::CellRules;
use super::plan::{Attribute, Declared, plan};
use super::table::{Piece, Pieces, Table};
use crate::{Error, Place, Progress, Result, parallel};

/// How many rows are read at a time.
const BATCH: usize = 65_536;

/// The rows of a Parquet file.
pub(super) struct ParquetRows<'a> {
    shares: Vec<Share>,
    progress: &'a dyn Progress,
    bytes: u64,
    rows: u64,
}

/// Some columns, and who reads them.
struct Share {
    /// Which columns of the table they are.
    columns: Range<usize>,
    reader: ParquetRecordBatchReader,
    /// The index of the column of weights in its batches, if it has it.
    weight: Option<usize>,
}

/// What a share has read: its columns' values, and the weights or the row and text of the first that is none.
struct Taken {
    rows: usize,
    parts: Vec<Result<Part, (usize, Refusal, String)>>,
    weights: Option<Result<Vec<u32>, (usize, String)>>,
}

/// The columns of the file at `path`, which error messages call `file`, and its rows.
pub(super) fn open<'a>(
    path: &Path,
    file: &Arc<str>,
    options: &ReadOptions,
    progress: &'a dyn Progress,
) -> Result<(Table, ParquetRows<'a>)> {
    let open = || File::open(path).map_err(|error| Error::io(path, error));
    let broken = |error: parquet::errors::ParquetError| broken(file, &error.to_string());
    let source = open()?;
    let bytes = source.metadata().map_err(|error| Error::io(path, error))?.len();
    // What another program noted about its own types does not matter; texts come with their dictionaries.
    let plain = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let metadata = ArrowReaderMetadata::load(&source, plain.clone()).map_err(broken)?;
    let schema = with_dictionaries(metadata.schema());
    let metadata =
        ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), plain.with_schema(Arc::clone(&schema)))
            .map_err(broken)?;
    let attributes: Vec<Attribute> = schema
        .fields()
        .iter()
        .map(|field| Attribute {
            name: field.name().clone(),
            declared: cells::declared(field.data_type()).unwrap_or(Declared::Text),
        })
        .collect();
    let rules = CellRules { trim: false, missing: options.missing_tokens.clone() };
    let table = plan(&attributes, options, Arc::clone(file), rules)?;
    let positions = table.positions();
    let weight = table.weight_position();
    for &position in positions.iter().chain(&weight) {
        refuse_no_cells(file, schema.field(position))?;
    }
    let count = rayon::current_num_threads().min(positions.len()).max(1);
    let shares = (0..count).map(|share| {
        let columns = share * positions.len() / count..(share + 1) * positions.len() / count;
        let mut roots = positions[columns.clone()].to_vec();
        let weight = weight.filter(|_| share == 0);
        roots.extend(weight);
        roots.sort_unstable();
        let mask = ProjectionMask::roots(metadata.parquet_schema(), roots.iter().copied());
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(open()?, metadata.clone())
            .with_projection(mask)
            .with_batch_size(BATCH)
            .build()
            .map_err(broken)?;
        let weight = weight.and_then(|weight| roots.iter().position(|&root| root == weight));
        Ok(Share { columns, reader, weight })
    });
    let shares = shares.collect::<Result<_>>()?;
    let rows = metadata.metadata().file_metadata().num_rows();
    let rows = ParquetRows { shares, progress, bytes, rows: rows.try_into().unwrap_or_default() };
    Ok((table, rows))
}

fn with_dictionaries(schema: &Schema) -> Arc<Schema> {
    let numbered = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let field = |field: &Arc<Field>| match field.data_type() {
        DataType::Utf8 => Arc::new(field.as_ref().clone().with_data_type(numbered.clone())),
        _ => Arc::clone(field),
    };
    Arc::new(Schema::new(schema.fields().iter().map(field).collect::<Vec<_>>()))
}

fn refuse_no_cells(file: &str, field: &Field) -> Result<()> {
    if cells::declared(field.data_type()).is_some() {
        return Ok(());
    }
    Err(Error::Format {
        place: Place::file(file).in_column(field.name()),
        found: format!("a column of type {}", field.data_type()),
        expected: "numbers, texts, truth values or dates; drop the column, or store such values".into(),
    })
}

fn broken(file: &str, found: &str) -> Error {
    Error::Format {
        place: Place::file(file),
        found: format!("Parquet cannot be read here: {found}"),
        expected: "a whole Parquet file, compressed by Snappy, Zstandard, gzip, LZ4 or not at all".into(),
    }
}

impl Share {
    /// The next rows; `None` at the end.
    fn next(&mut self, columns: &mut [Column]) -> Option<Result<Taken, String>> {
        let batch = match self.reader.next()? {
            Ok(batch) => batch,
            Err(error) => return Some(Err(error.to_string())),
        };
        Some(Ok(self.take(&batch, columns)))
    }

    fn take(&self, batch: &RecordBatch, columns: &mut [Column]) -> Taken {
        let arrays = batch.columns().iter().enumerate().filter(|(index, _)| Some(*index) != self.weight);
        let parts = columns.iter_mut().zip(arrays).map(|(column, (_, array))| cells::take(column, array));
        Taken {
            rows: batch.num_rows(),
            parts: parts.collect(),
            weights: self.weight.map(|index| cells::weights(batch.column(index))),
        }
    }
}

impl Pieces for ParquetRows<'_> {
    fn run(&mut self, table: &mut Table, take: &mut dyn FnMut(&Table, Piece) -> Result<()>) -> Result<()> {
        loop {
            if self.progress.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let mut rest = table.columns_mut();
            let mut work = Vec::with_capacity(self.shares.len());
            for share in &mut self.shares {
                let (columns, others) = rest.split_at_mut(share.columns.len());
                rest = others;
                work.push((share, columns));
            }
            let cells = BATCH * table_width(&work);
            let taken = parallel::map(cells, work, |(share, columns)| share.next(columns));
            if taken.iter().all(Option::is_none) {
                return Ok(());
            }
            let taken = taken.into_iter().flatten().collect::<Result<Vec<_>, _>>();
            let taken = taken.map_err(|found| broken(&table.file, &found))?;
            let rows = taken.first().map_or(0, |taken| taken.rows);
            if taken.len() < self.shares.len() || taken.iter().any(|taken| taken.rows != rows) {
                return Err(broken(&table.file, "the columns are not of one length"));
            }
            let mut parts = Vec::new();
            let mut weights = Ok(Vec::new());
            for share in taken {
                parts.extend(share.parts);
                weights = share.weights.unwrap_or(weights);
            }
            let piece = table.add_parts(rows, parts, weights)?;
            take(table, piece)?;
            let done = table.rows().saturating_mul(self.bytes) / self.rows.max(1);
            self.progress.advance(done, Some(self.bytes));
        }
    }
}

fn table_width(work: &[(&mut Share, &mut [Column])]) -> usize {
    work.iter().map(|(_, columns)| columns.len()).sum()
}
