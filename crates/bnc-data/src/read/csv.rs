//! Comma-separated values: what a header says, and rows split into cells.

use std::sync::Arc;

use memchr::memchr;

use super::ReadOptions;
use super::blocks::{Block, Blocks};
use super::dictionary::CellRules;
use super::plan::{Attribute, Declared};
use super::quotes;
use super::rows::{Rows, Span, split};
use super::table::RowFormat;
use super::text::line_ends;
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

/// The columns of a text, and how its rows are read; `delimiter` is what the kind of file suggests.
pub(crate) fn open(
    blocks: &mut Blocks<'_>,
    options: &ReadOptions,
    delimiter: Option<u8>,
) -> Result<(Vec<Attribute>, Csv)> {
    let first_line = loop {
        match blocks.line()? {
            Some(line) if line.text == b"\n" => {}
            Some(line) => break line,
            None => {
                return Err(Error::Format {
                    place: Place::file(&**blocks.file()),
                    found: "the file is empty".into(),
                    expected: "a line of column names, then rows".into(),
                });
            }
        }
    };
    let delimiter = options.delimiter.or(delimiter).unwrap_or_else(|| guess_delimiter(&first_line.text));
    if !delimiter.is_ascii() || matches!(delimiter, b'"' | b'\n' | b'\r' | 0) {
        return Err(Error::BadParameter {
            parameter: "delimiter".into(),
            value: char::from(delimiter).escape_default().to_string(),
            expected: "one ASCII character other than a quotation mark or a line end".into(),
        });
    }
    let mut csv = Csv { file: Arc::clone(blocks.file()), delimiter, columns: 1 };
    blocks.put_back(first_line);
    let header = blocks.cut(1, |text| quotes::record(text, delimiter))?;
    let Some(header) = header else { return Ok((Vec::new(), csv)) };
    let mut names = Unquoted::default();
    if names.record(&header.text, delimiter).is_none() {
        return Err(csv.never_closed(header.line));
    }
    csv.columns = names.ends.len();
    let attributes = (1..)
        .zip(names.cells())
        .map(|(number, name)| {
            let name = String::from_utf8_lossy(name.trim_ascii());
            let named = options.header && !name.is_empty();
            Attribute {
                name: if named { name.into_owned() } else { format!("column{number}") },
                declared: Declared::Nothing,
            }
        })
        .collect();
    if !options.header {
        blocks.put_back(header);
    }
    Ok((attributes, csv))
}

fn guess_delimiter(first_line: &[u8]) -> u8 {
    [b',', b';', b'\t'].into_iter().find(|delimiter| first_line.contains(delimiter)).unwrap_or(b',')
}

/// How the rows of a CSV text are read.
pub(crate) struct Csv {
    file: Arc<str>,
    delimiter: u8,
    columns: usize,
}

impl Csv {
    fn never_closed(&self, line: u64) -> Error {
        Error::Format {
            place: Place::line(&*self.file, line),
            found: "a quotation mark is opened and never closed".into(),
            expected: "a closing quotation mark; one inside quotes is doubled".into(),
        }
    }

    fn ragged(&self, line: u64, cells: usize) -> Error {
        let found = if cells == 1 { "1 cell".into() } else { format!("{cells} cells") };
        let columns = self.columns;
        Error::Format {
            place: Place::line(&*self.file, line),
            found,
            expected: format!("{columns}, as in the first row; quote a cell that holds the delimiter"),
        }
    }
}

impl RowFormat for Csv {
    fn last_end(&self, text: &[u8]) -> Option<usize> {
        quotes::last_record_end(text, self.delimiter)
    }

    fn rows(&self, block: Block) -> Rows {
        let length = block.text.len();
        let mut line = block.line;
        let mut rows = Rows::new(block.text, self.columns, block.lines);
        let quoted = memchr(b'"', &rows.text).is_some();
        let mut row = vec![Span::default(); self.columns + 1];
        let mut unquoted = Unquoted::default();
        let mut at = 0;
        while let Some(in_line) = memchr(b'\n', &rows.text[at..length]) {
            let end = at + in_line;
            let first_line = line;
            line += 1;
            if in_line == 0 {
                at += 1;
                continue;
            }
            let cells = if quoted && memchr(b'"', &rows.text[at..end]).is_some() {
                let Some(read) = unquoted.record(&rows.text[at..length], self.delimiter) else {
                    rows.error = Some(self.never_closed(first_line));
                    break;
                };
                line = first_line + line_ends(&rows.text[at..at + read]);
                at += read;
                unquoted.place(&mut rows.text, &mut row)
            } else {
                let cells = split(&rows.text[at..end], at, self.delimiter, &mut row);
                at = end + 1;
                cells
            };
            if cells != self.columns {
                rows.error = Some(self.ragged(first_line, cells));
                break;
            }
            rows.add(first_line, &row[..cells], None);
        }
        rows
    }
}

/// The cells of one record, without quotes.
#[derive(Default)]
struct Unquoted {
    text: Vec<u8>,
    /// Where each cell ends.
    ends: Vec<usize>,
}

impl Unquoted {
    /// Takes over the record at the start of a text; its length, or `None` if a quote is never closed.
    fn record(&mut self, text: &[u8], delimiter: u8) -> Option<usize> {
        self.text.clear();
        self.ends.clear();
        quotes::walk(
            text,
            delimiter,
            self,
            |record, byte| record.text.push(byte),
            |record| record.ends.push(record.text.len()),
        )
    }

    fn cells(&self) -> impl Iterator<Item = &[u8]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.text[start..end])
    }

    /// Appends the cells to a text and their places to a row, as [`split`] does.
    fn place(&self, text: &mut Vec<u8>, row: &mut [Span]) -> usize {
        let mut start = text.len();
        text.extend_from_slice(&self.text);
        let base = start;
        for (place, &end) in row.iter_mut().zip(&self.ends) {
            *place = Span::new(start, base + end);
            start = base + end;
        }
        self.ends.len()
    }
}
