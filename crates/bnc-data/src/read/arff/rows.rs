//! The rows of an ARFF file, dense and sparse.

use std::ops::Range;
use std::sync::Arc;

use memchr::{memchr, memrchr};

use super::lexer::{Lexer, Token};
use crate::read::blocks::Block;
use crate::read::rows::{Rows, Span, split};
use crate::read::table::{self, RowFormat};
use crate::{Error, Result};

/// How the rows that follow `@data` are read.
pub(crate) struct Arff {
    file: Arc<str>,
    columns: usize,
}

impl Arff {
    pub(super) fn new(file: Arc<str>, columns: usize) -> Self {
        Self { file, columns }
    }
}

impl RowFormat for Arff {
    fn last_end(&self, text: &[u8]) -> Option<usize> {
        memrchr(b'\n', text).map(|end| end + 1)
    }

    fn rows(&self, block: Block) -> Rows {
        let mut rows = Rows::new(block.text, self.columns, block.lines);
        let mut cells = vec![Span::default(); self.columns + 1];
        let (mut number, mut at) = (block.line, 0);
        while let Some(length) = memchr(b'\n', &rows.text[at..]) {
            let end = at + length;
            if plain(&rows.text[at..end]) && split_plain(&rows.text[..end], at, &mut cells) {
                rows.add(number, &cells[..self.columns], None);
            } else {
                let mut lexer = Lexer::new(&self.file, &mut rows.text[at..=end], number);
                if !lexer.is_empty() {
                    let mut row = Row {
                        lexer,
                        start: at,
                        cells: Vec::with_capacity(self.columns),
                        weight: None,
                        columns: self.columns,
                    };
                    match row.read() {
                        Ok(()) => {
                            let Row { cells, weight, .. } = row;
                            rows.add(number, &cells, weight);
                        }
                        Err(error) => {
                            rows.error = Some(error);
                            break;
                        }
                    }
                }
            }
            number += 1;
            at = end + 1;
        }
        rows
    }
}

/// Whether a line has neither blanks nor any sign with a meaning but commas.
fn plain(line: &[u8]) -> bool {
    // Without a branch inside a part, many bytes are compared at once.
    let special = |byte: u8| byte <= b' ' || matches!(byte, b'\'' | b'"' | b'%' | b'{' | b'}');
    !line.chunks(256).any(|part| part.iter().fold(false, |found, &byte| found | special(byte)))
}

/// Splits a plain line, which ends its text, at commas. `false` if its cells are not as many as there are attributes,
/// or one is empty.
fn split_plain(text: &[u8], start: usize, cells: &mut [Span]) -> bool {
    let columns = cells.len() - 1;
    if split(&text[start..], start, b',', cells) != columns {
        return false;
    }
    for cell in &mut cells[..columns] {
        match cell.length() {
            0 => return false,
            1 if text[cell.start()] == b'?' => *cell = Span::MISSING,
            _ => {}
        }
    }
    true
}

/// A row that is taken apart token by token.
struct Row<'a> {
    lexer: Lexer<'a>,
    /// Where the line starts in its block.
    start: usize,
    cells: Vec<Span>,
    weight: Option<u32>,
    columns: usize,
}

impl Row<'_> {
    fn read(&mut self) -> Result<()> {
        match self.lexer.next()? {
            Token::Open => self.sparse(),
            first => self.dense(first),
        }
    }

    fn place(&self, range: Range<usize>, quoted: bool) -> Span {
        if !quoted && self.lexer.bytes(range.clone()) == b"?" {
            Span::MISSING
        } else {
            Span::new(self.start + range.start, self.start + range.end)
        }
    }

    /// Values separated by commas or blanks.
    fn dense(&mut self, first: Token) -> Result<()> {
        let mut token = first;
        let mut after_comma = true;
        loop {
            match token {
                Token::Text(range, quoted) => {
                    let cell = self.place(range, quoted);
                    self.cells.push(cell);
                    after_comma = false;
                }
                Token::Comma if !after_comma => after_comma = true,
                Token::Comma => {
                    return Err(self.lexer.error("an empty value", "a value, or ? where it is missing"));
                }
                Token::Open if self.cells.len() == self.columns => {
                    self.read_weight()?;
                    break;
                }
                Token::End if !after_comma => break,
                Token::End => {
                    return Err(self.lexer.error("a comma at the end of the row", "a value after it"));
                }
                other => {
                    let found = self.lexer.describe(other);
                    return Err(self.lexer.error(
                        format!("{found} after {} values", self.cells.len()),
                        format!("{} values, perhaps followed by {{weight}}", self.columns),
                    ));
                }
            }
            token = self.lexer.next()?;
        }
        if self.cells.len() == self.columns {
            return Ok(());
        }
        Err(self.lexer.error(
            format!("{} values", self.cells.len()),
            format!("{}, one an attribute; quote a value with blanks or commas", self.columns),
        ))
    }

    /// Pairs of an index, from 0, and a value, between braces.
    fn sparse(&mut self) -> Result<()> {
        self.cells.resize(self.columns, Span::ABSENT);
        let mut after_pair = false;
        loop {
            match self.lexer.next()? {
                Token::Text(range, false) => {
                    self.pair(range)?;
                    after_pair = true;
                }
                Token::Comma if after_pair => after_pair = false,
                Token::Close => break,
                other => {
                    let found = self.lexer.describe(other);
                    return Err(self
                        .lexer
                        .error(found, "an index and a value, or } at the end of the sparse row"));
                }
            }
        }
        let mut token = self.lexer.next()?;
        if token == Token::Comma {
            token = self.lexer.next()?;
        }
        match token {
            Token::End => Ok(()),
            Token::Open => self.read_weight(),
            other => {
                let found = self.lexer.describe(other);
                Err(self.lexer.error(found, "the end of the row, or {weight}"))
            }
        }
    }

    fn pair(&mut self, index: Range<usize>) -> Result<()> {
        let written = self.lexer.string(index);
        let value = self.lexer.next()?;
        let Token::Text(range, quoted) = value else {
            let found = self.lexer.describe(value);
            return Err(self.lexer.error(found, format!("the value of attribute {written}")));
        };
        let cell = self.place(range, quoted);
        match written.parse().ok().and_then(|index: usize| self.cells.get_mut(index)) {
            Some(place) if *place == Span::ABSENT => {
                *place = cell;
                Ok(())
            }
            Some(_) => Err(self.lexer.error(format!("two values of attribute {written}"), "one")),
            None => Err(self.lexer.error(
                format!("'{written}'"),
                format!("the index of an attribute, 0 to {}", self.columns - 1),
            )),
        }
    }

    /// The weight after an opening brace, and the end of the row.
    fn read_weight(&mut self) -> Result<()> {
        let value = self.lexer.next()?;
        let Token::Text(range, _) = value else {
            let found = self.lexer.describe(value);
            return Err(self.lexer.error(found, "the weight of the row"));
        };
        let written = self.lexer.string(range);
        self.weight = Some(table::weight(&written).ok_or_else(|| Error::BadValue {
            place: self.lexer.place(),
            value: written,
            expected: table::WEIGHT.into(),
        })?);
        for (expected, text) in [(Token::Close, "} after the weight"), (Token::End, "the end of the row")] {
            let token = self.lexer.next()?;
            if token != expected {
                let found = self.lexer.describe(token);
                return Err(self.lexer.error(found, text));
            }
        }
        Ok(())
    }
}
