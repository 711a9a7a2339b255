//! Text cut into blocks of whole rows, which can be parsed side by side.

use std::sync::Arc;

use memchr::memchr;

use super::text::{Fault, Text, line_ends};
use crate::{Error, Place, Result};

/// How many bytes a block has, unless rows are long. The places of its cells take four times as much; both should
/// stay in the cache of a core.
pub(crate) const BLOCK: usize = 64 * 1024;
/// How many columns a block of that size suits; beyond, blocks grow with them, as each costs something a column.
const COLUMNS: usize = 256;
const MOST_TIMES: usize = 256;
/// The longest row, which keeps places in a block within 32 bits and memory bounded.
const LONGEST_ROW: usize = 1 << 29;

/// Whole rows of a text.
#[derive(Debug)]
pub(crate) struct Block {
    /// The rows, each with its line end.
    pub(crate) text: Vec<u8>,
    /// The line of the file on which they start, from 1.
    pub(crate) line: u64,
    /// How many lines they are.
    pub(crate) lines: usize,
}

/// Cuts a text into blocks.
pub(crate) struct Blocks<'a> {
    text: Text<'a>,
    size: usize,
    /// Text that was read but not given out, from `start` on; it starts on line `line`.
    rest: Vec<u8>,
    start: usize,
    line: u64,
    ended: bool,
    fault: Option<Fault>,
}

impl<'a> Blocks<'a> {
    /// Blocks of about `size` bytes.
    pub(crate) fn new(text: Text<'a>, size: usize) -> Self {
        Self { text, size, rest: Vec::new(), start: 0, line: 1, ended: false, fault: None }
    }

    /// What error messages call the file.
    pub(crate) fn file(&self) -> &Arc<str> {
        self.text.file()
    }

    /// Makes blocks large enough for rows of so many cells.
    pub(crate) fn suit(&mut self, columns: usize) {
        self.size *= columns.div_ceil(COLUMNS).clamp(1, MOST_TIMES);
    }

    /// The next line; `None` at the end of the text.
    pub(crate) fn line(&mut self) -> Result<Option<Block>> {
        self.cut(1, |text| memchr(b'\n', text).map(|end| end + 1))
    }

    /// The next block. `end_of` finds the end of the last whole row in a text that starts with a row; rows that
    /// nothing ends are given out as they are at the end of the text.
    pub(crate) fn next(&mut self, end_of: impl Fn(&[u8]) -> Option<usize>) -> Result<Option<Block>> {
        self.cut(self.size, end_of)
    }

    /// The text up to the end that `end_of` finds in at least `wanted` bytes.
    pub(crate) fn cut(
        &mut self,
        mut wanted: usize,
        end_of: impl Fn(&[u8]) -> Option<usize>,
    ) -> Result<Option<Block>> {
        loop {
            self.read(wanted);
            let text = &self.rest[self.start..];
            if let Some(length) = end_of(text).filter(|&length| length > 0) {
                return Ok(Some(self.split(length)));
            }
            if let Some(fault) = self.fault.take() {
                let line_start = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
                return Err(fault.error(self.file(), self.line + line_ends(text), &text[line_start..]));
            }
            if self.ended {
                return Ok(if text.is_empty() { None } else { Some(self.split(text.len())) });
            }
            if text.len() > LONGEST_ROW {
                return Err(Error::Format {
                    place: Place::line(&**self.file(), self.line),
                    found: format!("a row of more than {LONGEST_ROW} bytes"),
                    expected: "shorter rows; is a quotation mark opened and never closed?".into(),
                });
            }
            wanted = 2 * wanted.max(text.len());
        }
    }

    /// Gives text back that was cut off last.
    #[cfg(feature = "csv")]
    pub(crate) fn put_back(&mut self, block: Block) {
        self.line = block.line;
        self.rest.splice(..self.start, block.text);
        self.start = 0;
    }

    /// Reads until `wanted` bytes are there or none follow.
    fn read(&mut self, wanted: usize) {
        while self.rest.len() - self.start < wanted && !self.ended && self.fault.is_none() {
            let amount = wanted.max(self.size) - (self.rest.len() - self.start);
            match self.text.fill(&mut self.rest, amount) {
                Ok(true) => {}
                Ok(false) => {
                    self.ended = true;
                    if self.rest.len() > self.start && self.rest.last() != Some(&b'\n') {
                        self.rest.push(b'\n');
                    }
                }
                Err(fault) => self.fault = Some(fault),
            }
        }
    }

    fn split(&mut self, length: usize) -> Block {
        let end = self.start + length;
        // What is longer is moved, what is shorter copied.
        let text = if self.rest.len() - end < length {
            let mut rest = Vec::with_capacity(self.rest.len() + self.size);
            rest.extend_from_slice(&self.rest[end..]);
            let mut text = std::mem::replace(&mut self.rest, rest);
            text.truncate(end);
            text.drain(..self.start);
            self.start = 0;
            text
        } else {
            let text = self.rest[self.start..end].to_vec();
            self.start = end;
            text
        };
        let lines = line_ends(&text);
        let block = Block { line: self.line, lines: lines as usize, text };
        self.line += lines;
        block
    }
}
