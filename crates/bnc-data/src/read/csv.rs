//! Comma-separated values, by the `csv` crate.

use std::io::{BufRead, Cursor, Read};
use std::sync::Arc;

use csv::{ByteRecord, ErrorKind, Reader, ReaderBuilder};

use super::ReadOptions;
use super::column::{Cell, Span};
use super::dictionary::CellRules;
use super::plan::{Attribute, Declared};
use super::table::Rows;
use super::text::{Text, line_ends, read_error};
use crate::{Error, Place, Result};

/// Text never holds NUL, so this after its end shows whether it ended inside quotes.
const END: &[u8] = b"\n\0";

const BUFFER: usize = 64 * 1024;

/// How far the first line is looked at for its delimiter.
const HEAD: u64 = 1024 * 1024;

/// An empty cell, one of blanks and `?` are missing, quoted or not, and so are the caller's own tokens.
pub(crate) fn rules(options: &ReadOptions) -> CellRules {
    CellRules {
        trim: true,
        missing: ["", "?"]
            .into_iter()
            .map(String::from)
            .chain(options.missing_tokens.iter().map(|token| token.trim_ascii().to_string()))
            .collect(),
    }
}

/// The columns and the rows of a text; `delimiter` is what the kind of file suggests.
pub(crate) fn open<'a>(
    mut text: Text<'a>,
    file: &Arc<str>,
    options: &ReadOptions,
    delimiter: Option<u8>,
) -> Result<(Vec<Attribute>, CsvRows<impl Read + use<'a>>)> {
    let mut head = Vec::new();
    (&mut text).take(HEAD).read_until(b'\n', &mut head).map_err(|error| read_error(file, error))?;
    let delimiter = options.delimiter.or(delimiter).unwrap_or_else(|| guess_delimiter(&head));
    if !delimiter.is_ascii() || matches!(delimiter, b'"' | b'\n' | b'\r' | 0) {
        return Err(Error::BadParameter {
            parameter: "delimiter".into(),
            value: char::from(delimiter).escape_default().to_string(),
            expected: "one ASCII character other than a quotation mark or a line end".into(),
        });
    }
    let reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .buffer_capacity(BUFFER)
        .from_reader(Cursor::new(head).chain(text).chain(END));
    let mut rows = CsvRows {
        reader,
        file: Arc::clone(file),
        record: ByteRecord::new(),
        line: 1,
        columns: None,
        reread: false,
    };
    if !rows.advance()? {
        return Err(Error::Format {
            place: Place::file(&**file),
            found: "the file is empty".into(),
            expected: "a line of column names, then rows".into(),
        });
    }
    rows.reread = !options.header;
    let attributes = (rows.record.iter().enumerate())
        .map(|(index, cell)| {
            let name = String::from_utf8_lossy(cell.trim_ascii());
            let named = options.header && !name.is_empty();
            Attribute {
                name: if named { name.into_owned() } else { format!("column{}", index + 1) },
                declared: Declared::Nothing,
            }
        })
        .collect();
    Ok((attributes, rows))
}

fn guess_delimiter(first_line: &[u8]) -> u8 {
    [b',', b';', b'\t'].into_iter().find(|delimiter| first_line.contains(delimiter)).unwrap_or(b',')
}

/// The records of a CSV text.
pub(crate) struct CsvRows<R> {
    reader: Reader<R>,
    file: Arc<str>,
    record: ByteRecord,
    line: u64,
    /// How many cells a row has, once one was read.
    columns: Option<usize>,
    /// Whether the record at hand is to come once more, being a row and not a header.
    reread: bool,
}

impl<R: Read> CsvRows<R> {
    /// The line on which the record at hand starts. The reader only counts the line ends that it has passed: those
    /// of empty lines before the record, those inside it, and the one that ends it unless it ends inside quotes.
    fn first_line(&self, before: u64, unterminated: bool) -> u64 {
        let after = self.reader.position().line();
        if after == before + 1 && !unterminated {
            return before;
        }
        let inside = line_ends(self.record.as_slice());
        after.saturating_sub(inside + u64::from(!unterminated))
    }

    fn format_error(&self, found: String, expected: &str) -> Error {
        Error::Format { place: Place::line(&*self.file, self.line), found, expected: expected.into() }
    }
}

impl<R: Read> Rows for CsvRows<R> {
    fn advance(&mut self) -> Result<bool> {
        if std::mem::take(&mut self.reread) {
            return Ok(true);
        }
        let before = self.reader.position().line();
        let more = self.reader.read_byte_record(&mut self.record).map_err(|error| {
            let place = Place::line(&*self.file, before);
            match error.into_kind() {
                ErrorKind::Io(error) => read_error(&self.file, error),
                other => {
                    Error::Format { place, found: format!("{other:?}"), expected: "a row of cells".into() }
                }
            }
        })?;
        let last = self.record.iter().next_back();
        if !more || (self.record.len() == 1 && last == Some(&END[1..])) {
            return Ok(false);
        }
        let unterminated = last.is_some_and(|cell| cell.ends_with(END));
        self.line = self.first_line(before, unterminated);
        if unterminated {
            return Err(self.format_error(
                "a quotation mark is opened and never closed".into(),
                "a closing quotation mark; one inside quotes is doubled",
            ));
        }
        let expected = *self.columns.get_or_insert(self.record.len());
        if self.record.len() != expected {
            let found = match self.record.len() {
                1 => "1 cell".into(),
                cells => format!("{cells} cells"),
            };
            return Err(self.format_error(
                found,
                &format!("{expected}, as in the first row; quote a cell that holds the delimiter"),
            ));
        }
        Ok(true)
    }

    fn line(&self) -> u64 {
        self.line
    }

    #[inline]
    fn cell(&self, position: usize) -> Cell<'_> {
        match self.record.range(position) {
            Some(range) => Cell::Text(Span::new(self.record.as_slice(), range)),
            None => Cell::Missing,
        }
    }

    fn weight(&self) -> Option<u32> {
        None
    }
}
