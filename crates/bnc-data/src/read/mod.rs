//! Reading files: text, blocks, rows, columns.
//!
//! [`text`] turns bytes into text and [`blocks`] cuts it at row ends. [`csv`] and [`arff`] tell what columns there are,
//! of which [`mod@plan`] decides which are read and how, and split blocks into [`rows`]; [`coder`] makes values of their
//! cells with what the [`table`] knows so far. That much happens on many threads. [`in_order`] hands the blocks back in
//! the order of the file, and the table takes them one after the other: its columns look at the few cells that
//! needed more than was known, settle what they hold, and show what they have learnt to the coders of later blocks.
//! `parquet` has columns to begin with, and gives the table parts of them.

#[cfg(feature = "arff")]
mod arff;
mod blocks;
mod coder;
mod column;
#[cfg(feature = "csv")]
mod csv;
mod dictionary;
mod in_order;
mod join;
mod number;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod plan;
#[cfg(feature = "csv")]
mod quotes;
mod report;
mod rows;
mod source;
mod spelling;
mod table;
#[cfg(all(test, feature = "csv", feature = "arff"))]
mod tests;
mod text;

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

pub use options::{ClassChoice, ReadOptions};
pub use report::{ColumnReport, Report};
pub use source::{FileSource, open};

use crate::{Error, Frame, Place, Progress, RawColumn, Result};
use blocks::{BLOCK, Blocks};
use plan::plan;
use table::{Piece, Pieces, RowFormat, Table};
use text::Text;

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Comma-separated values (RFC 4180), needs the feature `csv`.
    Csv,
    /// The same with tabs, needs the feature `csv`.
    Tsv,
    /// WEKA's attribute-relation file format, needs the feature `arff`.
    Arff,
    /// Apache Parquet, needs the feature `parquet`.
    Parquet,
}

impl Format {
    /// The format that a file's name says: `.csv`, `.tsv` or `.arff`, each perhaps followed by `.gz`, or `.parquet`.
    ///
    /// # Errors
    /// [`Error::Format`] for any other name.
    pub fn of(path: &Path) -> Result<Self> {
        let extension = |path: &Path| path.extension().map(OsStr::to_ascii_lowercase);
        let mut last = extension(path);
        let gzipped = last.as_deref().is_some_and(|extension| extension == "gz");
        if gzipped {
            last = path.file_stem().and_then(|stem| extension(Path::new(stem)));
        }
        match last.as_deref().and_then(|extension| extension.to_str()) {
            Some("csv") => Ok(Self::Csv),
            Some("tsv") => Ok(Self::Tsv),
            Some("arff") => Ok(Self::Arff),
            Some("parquet") if !gzipped => Ok(Self::Parquet),
            _ => Err(Error::Format {
                place: Place::file(path.to_string_lossy()),
                found: "a file of unknown format".into(),
                expected: "a name that ends in .csv, .tsv or .arff, perhaps followed by .gz, or in .parquet"
                    .into(),
            }),
        }
    }
}

/// Reads a CSV or ARFF file (gzipped or not) or a Parquet file into memory in one pass.
///
/// What is missing: in CSV an empty cell, a cell of blanks and `?`, quoted or not; in ARFF an unquoted `?`; in both
/// [`ReadOptions::missing_tokens`], and `nan` where numbers are read. Blanks around a CSV cell are not part of it.
/// Blank lines of CSV are passed over.
///
/// What is a number: in CSV a column all of whose known cells are finite decimals without padding zeros; a column
/// without known cells has labels, none. In ARFF what the header says. Labels that no header lists are put in natural
/// order (by number when all are numbers, else bytewise), so the order of the rows never changes a code. The class
/// always has labels.
///
/// Parquet says what is missing, and a `NaN` is, too; texts and truth values are labels, integers, reals and decimals
/// are numbers, dates and times are milliseconds (since 1970 in UTC, or since midnight). Only the columns that are
/// wanted are read. Rows have numbers, from 1, where a text has lines.
///
/// `progress` is told of the bytes read, and asked whether to go on.
///
/// # Errors
/// [`Error::Io`]; [`Error::Format`] for a file that breaks the rules of its format or has no rows;
/// [`Error::BadValue`] for a cell that its column does not admit; [`Error::TooManyValues`] for a column with more
/// than 65,535 labels; [`Error::NoSuchColumn`], [`Error::DuplicateColumn`], [`Error::BadParameter`] and
/// [`Error::NumericClass`] where options and columns do not fit; [`Error::Cancelled`].
pub fn read(path: &Path, options: &ReadOptions, progress: &dyn Progress) -> Result<(Frame, Report)> {
    Reading::file(path, Format::of(path)?, options, progress)?.into_frame()
}

/// Reads a stream into memory as [`read`] does a file; `name` is what error messages call it.
///
/// # Errors
/// Those of [`read`].
pub fn read_from(
    stream: impl Read,
    name: &str,
    format: Format,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<(Frame, Report)> {
    Reading::stream(stream, name, format, options, progress)?.into_frame()
}

/// A file whose head was read: where its rows come from and where they go.
struct Reading<'a> {
    rows: Box<dyn Pieces + 'a>,
    table: Table,
}

impl<'a> Reading<'a> {
    fn file(path: &Path, format: Format, options: &ReadOptions, progress: &'a dyn Progress) -> Result<Self> {
        let name = path.to_string_lossy();
        if format == Format::Parquet {
            return Self::parquet(path, &name, options, progress);
        }
        let encoding = text::encoding(options.encoding.as_deref())?;
        let text = Text::open(path, name.into(), encoding, progress)?;
        Self::blocks(Blocks::new(text, BLOCK), format, options)
    }

    fn stream(
        mut stream: impl Read + 'a,
        name: &str,
        format: Format,
        options: &ReadOptions,
        progress: &'a dyn Progress,
    ) -> Result<Self> {
        if format == Format::Parquet {
            // Its directory stands at the end.
            let broken = |error| Error::io(name, error);
            let mut copy = tempfile::NamedTempFile::new().map_err(broken)?;
            std::io::copy(&mut stream, &mut copy).map_err(broken)?;
            return Self::parquet(copy.path(), name, options, progress);
        }
        let encoding = text::encoding(options.encoding.as_deref())?;
        let text = Text::new(stream, None, name.into(), encoding, progress)?;
        Self::blocks(Blocks::new(text, BLOCK), format, options)
    }

    #[cfg(feature = "parquet")]
    fn parquet(path: &Path, name: &str, options: &ReadOptions, progress: &'a dyn Progress) -> Result<Self> {
        let (table, rows) = parquet::open(path, &name.into(), options, progress)?;
        Ok(Self { rows: Box::new(rows), table })
    }

    #[cfg(not(feature = "parquet"))]
    fn parquet(_: &Path, name: &str, _: &ReadOptions, _: &'a dyn Progress) -> Result<Self> {
        Err(not_built(name, "parquet"))
    }

    fn blocks(mut blocks: Blocks<'a>, format: Format, options: &ReadOptions) -> Result<Self> {
        let (attributes, rules, format): (_, _, Box<dyn RowFormat>) = match format {
            #[cfg(feature = "csv")]
            Format::Csv | Format::Tsv => {
                let delimiter = (format == Format::Tsv).then_some(b'\t');
                let (attributes, format) = csv::open(&mut blocks, options, delimiter)?;
                (attributes, csv::rules(options), Box::new(format))
            }
            #[cfg(feature = "arff")]
            Format::Arff => {
                let (attributes, format) = arff::open(&mut blocks)?;
                (attributes, arff::rules(options), Box::new(format))
            }
            _ => return Err(not_built(blocks.file(), if format == Format::Arff { "arff" } else { "csv" })),
        };
        blocks.suit(attributes.len());
        let table = plan(&attributes, options, Arc::clone(blocks.file()), rules)?;
        Ok(Self { rows: Box::new(TextRows { blocks, format }), table })
    }

    /// Reads all rows, and hands them to `take` piece by piece.
    fn run(&mut self, mut take: impl FnMut(&Table, Piece) -> Result<()>) -> Result<()> {
        self.rows.run(&mut self.table, &mut take)
    }

    /// The columns and what there is to tell of them, all rows being read.
    fn finish(&self) -> Result<(Vec<RawColumn>, Report)> {
        if self.table.rows() == 0 {
            return Err(Error::Format {
                place: Place::file(&*self.table.file),
                found: "there are columns but no rows".into(),
                expected: "at least one row of data".into(),
            });
        }
        let columns = self.table.raw_columns();
        let report = self.table.report(&columns);
        Ok((columns, report))
    }

    fn into_frame(mut self) -> Result<(Frame, Report)> {
        let mut pieces = Vec::new();
        self.run(|_, piece| {
            pieces.push(piece);
            Ok(())
        })?;
        let (columns, report) = self.finish()?;
        Ok((self.table.join(&columns, pieces), report))
    }
}

fn not_built(file: &str, feature: &str) -> Error {
    Error::Format {
        place: Place::file(file),
        found: "a format that this program was built without".into(),
        expected: format!(
            "a build with the feature '{feature}' (cargo install bnc-cli --features {feature})"
        ),
    }
}

/// Rows of a text.
struct TextRows<'a> {
    blocks: Blocks<'a>,
    format: Box<dyn RowFormat>,
}

impl Pieces for TextRows<'_> {
    fn run(&mut self, table: &mut Table, take: &mut dyn FnMut(&Table, Piece) -> Result<()>) -> Result<()> {
        let Self { blocks, format } = self;
        let format = &**format;
        in_order::in_order(
            &mut (blocks, table, take),
            |(blocks, table, _)| {
                Ok(blocks.next(|text| format.last_end(text))?.map(|block| (block, table.coder())))
            },
            |(block, coder)| coder.code(format.rows(block)),
            |(_, table, take), coded| {
                let piece = table.add(coded)?;
                take(table, piece)
            },
        )
    }
}
