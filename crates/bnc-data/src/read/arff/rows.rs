//! The rows of an ARFF file, dense and sparse.

use std::ops::Range;

use super::lexer::{Lexer, Token};
use crate::read::column::{Cell, Span};
use crate::read::plan::Attribute;
use crate::read::table::{self, Rows};
use crate::{Error, Result};

/// The rows that follow `@data`.
pub(crate) struct ArffRows<'a> {
    lexer: Lexer<'a>,
    names: Vec<String>,
    cells: Vec<Place>,
    weight: Option<u32>,
}

/// Where a cell stands in its line.
#[derive(Clone)]
enum Place {
    Text(Range<usize>),
    Missing,
    Absent,
}

impl<'a> ArffRows<'a> {
    pub(super) fn new(lexer: Lexer<'a>, attributes: &[Attribute]) -> Self {
        Self {
            lexer,
            names: attributes.iter().map(|attribute| attribute.name.clone()).collect(),
            cells: Vec::new(),
            weight: None,
        }
    }

    fn place(&self, range: Range<usize>, quoted: bool) -> Place {
        if !quoted && self.lexer.bytes(range.clone()) == b"?" { Place::Missing } else { Place::Text(range) }
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
                Token::Open if self.cells.len() == self.names.len() => {
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
                        format!("{} values, perhaps followed by {{weight}}", self.names.len()),
                    ));
                }
            }
            token = self.lexer.next()?;
        }
        if self.cells.len() == self.names.len() {
            return Ok(());
        }
        Err(self.lexer.error(
            format!("{} values", self.cells.len()),
            format!("{}, one an attribute; quote a value with blanks or commas", self.names.len()),
        ))
    }

    /// Pairs of an index, from 0, and a value, between braces.
    fn sparse(&mut self) -> Result<()> {
        self.cells.resize(self.names.len(), Place::Absent);
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
            Some(place @ Place::Absent) => {
                *place = cell;
                Ok(())
            }
            Some(_) => Err(self.lexer.error(format!("two values of attribute {written}"), "one")),
            None => Err(self.lexer.error(
                format!("'{written}'"),
                format!("the index of an attribute, 0 to {}", self.names.len() - 1),
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

impl Rows for ArffRows<'_> {
    fn advance(&mut self) -> Result<bool> {
        if !self.lexer.next_line()? {
            return Ok(false);
        }
        self.cells.clear();
        self.weight = None;
        match self.lexer.next()? {
            Token::Open => self.sparse()?,
            first => self.dense(first)?,
        }
        Ok(true)
    }

    fn line(&self) -> u64 {
        self.lexer.number()
    }

    fn cell(&self, position: usize) -> Cell<'_> {
        match &self.cells[position] {
            Place::Text(range) => Cell::Text(Span::new(self.lexer.line(), range.clone())),
            Place::Missing => Cell::Missing,
            Place::Absent => Cell::Absent,
        }
    }

    fn weight(&self) -> Option<u32> {
        self.weight
    }
}
