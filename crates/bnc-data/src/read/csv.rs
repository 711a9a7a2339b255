//! Comma-separated values: rows without quotes are split where the delimiter stands, those with quotes by `csv-core`.

use std::io::BufRead;
use std::sync::Arc;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use memchr::{memchr, memchr_iter};

use super::ReadOptions;
use super::column::{Cell, Span};
use super::dictionary::CellRules;
use super::plan::{Attribute, Declared};
use super::table::Rows;
use super::text::{Text, read_error};
use crate::{Error, Place, Result};

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
    text: Text<'a>,
    file: &Arc<str>,
    options: &ReadOptions,
    delimiter: Option<u8>,
) -> Result<(Vec<Attribute>, CsvRows<'a>)> {
    let mut rows = CsvRows {
        text,
        file: Arc::clone(file),
        delimiter: b',',
        parser: Reader::new(),
        raw: Vec::new(),
        cells: Vec::new(),
        ends: Vec::new(),
        gap: 0,
        line: 0,
        next_line: 1,
        columns: None,
        reread: false,
    };
    if !rows.read_row_line()? {
        return Err(Error::Format {
            place: Place::file(&**file),
            found: "the file is empty".into(),
            expected: "a line of column names, then rows".into(),
        });
    }
    let delimiter = options.delimiter.or(delimiter).unwrap_or_else(|| guess_delimiter(&rows.cells));
    if !delimiter.is_ascii() || matches!(delimiter, b'"' | b'\n' | b'\r' | 0) {
        return Err(Error::BadParameter {
            parameter: "delimiter".into(),
            value: char::from(delimiter).escape_default().to_string(),
            expected: "one ASCII character other than a quotation mark or a line end".into(),
        });
    }
    rows.delimiter = delimiter;
    rows.parser = ReaderBuilder::new().delimiter(delimiter).build();
    rows.split()?;
    rows.columns = Some(rows.ends.len());
    rows.reread = !options.header;
    let attributes = (0..rows.ends.len())
        .map(|index| {
            let name = String::from_utf8_lossy(rows.bytes(index).trim_ascii());
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
pub(crate) struct CsvRows<'a> {
    text: Text<'a>,
    file: Arc<str>,
    delimiter: u8,
    parser: Reader,
    /// Lines that wait for the parser.
    raw: Vec<u8>,
    /// The cells of the row, one after the other.
    cells: Vec<u8>,
    /// Where each cell ends.
    ends: Vec<usize>,
    /// How many bytes stand between two cells: the delimiter in a row that was only split.
    gap: usize,
    /// The line on which the row starts, and the one after what was read.
    line: u64,
    next_line: u64,
    /// How many cells a row has, once the first one was read.
    columns: Option<usize>,
    /// Whether the row at hand is to come once more, being a row and not a header.
    reread: bool,
}

impl CsvRows<'_> {
    /// Reads the next line that is not empty into `cells`; `false` when there is none.
    fn read_row_line(&mut self) -> Result<bool> {
        self.cells.clear();
        loop {
            self.line = self.next_line;
            let more =
                read_line(&mut self.text, &mut self.cells).map_err(|error| read_error(&self.file, error))?;
            self.next_line += 1;
            if !self.cells.is_empty() || !more {
                return Ok(!self.cells.is_empty());
            }
        }
    }

    /// Splits the line in `cells`, and reads on where a quoted cell goes on in the next one.
    fn split(&mut self) -> Result<()> {
        if memchr(b'"', &self.cells).is_some() {
            return self.parse();
        }
        self.gap = 1;
        self.ends.clear();
        self.ends.extend(memchr_iter(self.delimiter, &self.cells));
        self.ends.push(self.cells.len());
        Ok(())
    }

    /// Parses the line in `cells`, which has quotes.
    fn parse(&mut self) -> Result<()> {
        std::mem::swap(&mut self.raw, &mut self.cells);
        self.raw.push(b'\n');
        self.gap = 0;
        self.cells.resize(self.raw.len(), 0);
        self.ends.resize(self.columns.unwrap_or(1), 0);
        let (mut read, mut written, mut ended) = (0, 0, 0);
        loop {
            let (result, input, output, ends) = self.parser.read_record(
                &self.raw[read..],
                &mut self.cells[written..],
                &mut self.ends[ended..],
            );
            read += input;
            written += output;
            ended += ends;
            match result {
                ReadRecordResult::OutputFull => self.cells.resize(2 * self.cells.len() + 1, 0),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len() + 1, 0),
                ReadRecordResult::InputEmpty => {
                    self.raw.clear();
                    read = 0;
                    let more = read_line(&mut self.text, &mut self.raw)
                        .map_err(|error| read_error(&self.file, error))?;
                    if !more && self.raw.is_empty() {
                        return Err(self.format_error(
                            "a quotation mark is opened and never closed".into(),
                            "a closing quotation mark; one inside quotes is doubled",
                        ));
                    }
                    self.next_line += 1;
                    self.raw.push(b'\n');
                }
                ReadRecordResult::Record | ReadRecordResult::End => break,
            }
        }
        self.cells.truncate(written);
        self.ends.truncate(ended);
        Ok(())
    }

    fn bytes(&self, index: usize) -> &[u8] {
        &self.cells[self.start(index)..self.ends[index]]
    }

    #[inline]
    fn start(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |before| self.ends[before] + self.gap)
    }

    fn format_error(&self, found: String, expected: &str) -> Error {
        Error::Format { place: Place::line(&*self.file, self.line), found, expected: expected.into() }
    }
}

/// Appends the rest of the line, without its end; `false` when the text ended before a line end.
fn read_line(text: &mut Text<'_>, line: &mut Vec<u8>) -> std::io::Result<bool> {
    loop {
        let bytes = text.fill_buf()?;
        if bytes.is_empty() {
            return Ok(false);
        }
        let end = memchr(b'\n', bytes);
        line.extend_from_slice(&bytes[..end.unwrap_or(bytes.len())]);
        let used = end.map_or(bytes.len(), |end| end + 1);
        text.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

impl Rows for CsvRows<'_> {
    fn advance(&mut self) -> Result<bool> {
        if std::mem::take(&mut self.reread) {
            return Ok(true);
        }
        if !self.read_row_line()? {
            return Ok(false);
        }
        self.split()?;
        let expected = *self.columns.get_or_insert(self.ends.len());
        if self.ends.len() != expected {
            let found = match self.ends.len() {
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
        match self.ends.get(position) {
            Some(&end) => Cell::Text(Span::new(&self.cells, self.start(position)..end)),
            None => Cell::Missing,
        }
    }

    fn weight(&self) -> Option<u32> {
        None
    }
}
