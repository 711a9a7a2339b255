//! The columns of a file while it is read: blocks are coded with what they know, and teach them more, in order.

use std::sync::Arc;

use super::blocks::Block;
use super::coder::{Coded, Coder, Part, take_first};
use super::column::{Column, Refusal};
use super::dictionary::CellRules;
use super::report::{ColumnReport, Report};
use super::rows::{Cell, Rows};
use crate::{Error, Frame, MAX_VALUES, Place, RawColumn, Result, parallel};

/// How the rows of a text are told apart, and their cells.
pub(crate) trait RowFormat: Sync {
    /// Where the last whole row ends of a text that starts with a row.
    fn last_end(&self, text: &[u8]) -> Option<usize>;

    /// The rows of a block.
    fn rows(&self, block: Block) -> Rows;
}

/// Where rows come from.
pub(crate) trait Pieces {
    /// Reads all rows into a table, and hands them to `take` piece by piece.
    fn run(&mut self, table: &mut Table, take: &mut dyn FnMut(&Table, Piece) -> Result<()>) -> Result<()>;
}

/// The columns that are read from a file.
pub(crate) struct Table {
    pub(crate) file: Arc<str>,
    pub(crate) class: Option<usize>,
    pub(crate) class_by_default: bool,
    columns: Vec<Column>,
    coder: Arc<Coder>,
    weighted: bool,
    rows: u64,
}

/// Rows that were read.
pub(crate) struct Piece {
    lines: Vec<u64>,
    /// None if no row has a weight.
    weights: Vec<u32>,
    parts: Vec<Part>,
}

impl Piece {
    pub(crate) fn rows(&self) -> usize {
        self.lines.len()
    }

    /// Takes off the first `rows` rows.
    pub(crate) fn take_first(&mut self, rows: usize) -> Self {
        Self {
            lines: take_first(&mut self.lines, rows),
            weights: if self.weights.is_empty() { Vec::new() } else { take_first(&mut self.weights, rows) },
            parts: self.parts.iter_mut().map(|part| part.take_first(rows)).collect(),
        }
    }
}

impl Table {
    /// `weight` is the name and position of the column of weights.
    pub(crate) fn new(
        file: Arc<str>,
        columns: Vec<Column>,
        weight: Option<(String, usize)>,
        rules: Arc<CellRules>,
    ) -> Self {
        let coder = Coder { file: Arc::clone(&file), rules, weight, columns: Vec::new() };
        let mut table = Self {
            file,
            class: None,
            class_by_default: false,
            columns,
            coder: Arc::new(coder),
            weighted: false,
            rows: 0,
        };
        table.renew_coder();
        table
    }

    /// What is known of the columns so far, for the next blocks.
    pub(crate) fn coder(&self) -> Arc<Coder> {
        Arc::clone(&self.coder)
    }

    fn renew_coder(&mut self) {
        self.coder = Arc::new(Coder {
            file: Arc::clone(&self.file),
            rules: Arc::clone(&self.coder.rules),
            weight: self.coder.weight.clone(),
            columns: self.columns.iter().map(Column::coder).collect(),
        });
    }

    /// Takes the next block, and learns from the cells that its coder did not know.
    ///
    /// # Errors
    /// Of all that is wrong the first, by row, then column.
    pub(crate) fn add(&mut self, coded: Coded) -> Result<Piece> {
        let Coded { columns, weights, error, lines, rows } = coded;
        let mut refused: Option<(usize, Error)> = None;
        let mut parts = Vec::with_capacity(columns.len());
        let mut learnt = false;
        for (column, coded) in self.columns.iter_mut().zip(columns) {
            match column.add(coded, &rows) {
                Ok(part) => parts.push(part),
                Err((row, refusal)) if refused.as_ref().is_none_or(|first| row < first.0) => {
                    let place = Place::line(&*self.file, lines[row]).in_column(&*column.name);
                    let cell = rows.cell(row, column.position);
                    refused = Some((row, refusal.error(place, &self.coder.rules, cell)));
                }
                Err(_) => {}
            }
            learnt |= column.show();
        }
        // Within a row, cells come before its weight; an error of the row itself has no cells.
        let first = refused.into_iter().chain(error).min_by_key(|&(row, _)| row);
        if let Some((_, error)) = first {
            return Err(error);
        }
        if learnt {
            self.renew_coder();
        }
        self.weighted |= !weights.is_empty();
        self.rows += lines.len() as u64;
        Ok(Piece { lines, weights, parts })
    }

    /// Takes the next rows, which each column has made parts of already. Their numbers, from 1, stand for lines.
    ///
    /// # Errors
    /// Of all that is wrong the first, by row, then column.
    #[cfg(feature = "parquet")]
    pub(crate) fn add_parts(
        &mut self,
        rows: usize,
        parts: Vec<Result<Part, (usize, Refusal, String)>>,
        weights: Result<Vec<u32>, (usize, String)>,
    ) -> Result<Piece> {
        let place =
            |row: usize, column: &str| Place::line(&*self.file, self.rows + row as u64 + 1).in_column(column);
        let mut refused: Vec<(usize, Error)> = Vec::new();
        let mut taken = Vec::with_capacity(parts.len());
        for (column, part) in self.columns.iter().zip(parts) {
            match part {
                Ok(part) => taken.push(part),
                Err((row, refusal, text)) => {
                    let cell = Cell::Text(text.as_bytes());
                    refused.push((row, refusal.error(place(row, &column.name), &self.coder.rules, cell)));
                }
            }
        }
        let weights = weights.unwrap_or_else(|(row, value)| {
            let name = self.coder.weight.as_ref().map_or("", |(name, _)| name);
            refused.push((row, Error::BadValue { place: place(row, name), value, expected: WEIGHT.into() }));
            Vec::new()
        });
        if let Some((_, error)) = refused.into_iter().min_by_key(|&(row, _)| row) {
            return Err(error);
        }
        let lines = (self.rows + 1..).take(rows).collect();
        self.weighted |= !weights.is_empty();
        self.rows += rows as u64;
        Ok(Piece { lines, weights, parts: taken })
    }

    /// Where the columns stand in a row of the file.
    #[cfg(feature = "parquet")]
    pub(crate) fn positions(&self) -> Vec<usize> {
        self.columns.iter().map(|column| column.position).collect()
    }

    /// Where the column of weights stands.
    #[cfg(feature = "parquet")]
    pub(crate) fn weight_position(&self) -> Option<usize> {
        self.coder.weight.as_ref().map(|(_, position)| *position)
    }

    /// The columns, to be given their next cells.
    #[cfg(feature = "parquet")]
    pub(crate) fn columns_mut(&mut self) -> &mut [Column] {
        &mut self.columns
    }

    /// The number of rows read so far.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// The columns as they have turned out, all rows being read.
    pub(crate) fn raw_columns(&self) -> Vec<RawColumn> {
        let raw = |column: &Column| RawColumn { name: column.name.clone(), kind: column.kind() };
        self.columns.iter().map(raw).collect()
    }

    /// What there is to tell about the rows read so far.
    pub(crate) fn report(&self, columns: &[RawColumn]) -> Report {
        Report {
            file: Arc::clone(&self.file),
            rows: self.rows,
            class: self.class,
            class_by_default: self.class_by_default,
            weighted: self.weighted,
            columns: columns
                .iter()
                .zip(&self.columns)
                .map(|(raw, column)| ColumnReport {
                    name: raw.name.clone(),
                    kind: raw.kind.clone(),
                    missing: column.missing,
                })
                .collect(),
        }
    }

    /// Takes over what a survey of the same file learnt. `false` if the file has other columns by now.
    pub(crate) fn settle(&mut self, columns: &[RawColumn], weighted: bool) -> bool {
        self.weighted = weighted;
        let names = columns.iter().map(|column| &column.name);
        if !self.columns.iter().map(|column| &column.name).eq(names) {
            return false;
        }
        for (column, raw) in self.columns.iter_mut().zip(columns) {
            column.settle(&raw.kind);
        }
        self.renew_coder();
        true
    }

    /// Joins pieces to a frame of the given columns.
    pub(crate) fn join(&self, columns: &[RawColumn], pieces: Vec<Piece>) -> Frame {
        let rows = pieces.iter().map(Piece::rows).sum();
        let mut lines = Vec::with_capacity(rows);
        let mut weights = self.weighted.then(|| Vec::with_capacity(rows));
        let mut parts: Vec<Vec<Part>> = columns.iter().map(|_| Vec::with_capacity(pieces.len())).collect();
        for piece in pieces {
            if let Some(weights) = &mut weights {
                weights.extend_from_slice(&piece.weights);
                weights.resize(lines.len() + piece.rows(), 1);
            }
            lines.extend_from_slice(&piece.lines);
            for (parts, part) in parts.iter_mut().zip(piece.parts) {
                parts.push(part);
            }
        }
        let columns: Vec<_> = columns.iter().zip(&self.columns).zip(parts).collect();
        let columns = parallel::map(
            rows * columns.len(),
            columns,
            |((raw, column), parts): ((&RawColumn, &Column), _)| crate::Column {
                name: raw.name.clone(),
                values: column.join(&raw.kind, parts),
            },
        );
        Frame { file: Arc::clone(&self.file), columns, class: self.class, weights, lines }
    }
}

/// What a weight has to be.
pub(crate) const WEIGHT: &str = "a weight; weights are whole numbers from 0 to 4294967295";

/// The weight that a text states.
pub(crate) fn weight(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

impl Refusal {
    fn error(self, place: Place, rules: &CellRules, cell: Cell<'_>) -> Error {
        match self {
            Self::Value(expected) => Error::BadValue {
                place,
                value: match cell {
                    Cell::Text(text) => {
                        String::from_utf8_lossy(rules.value(text).unwrap_or_default()).into_owned()
                    }
                    Cell::Missing | Cell::Absent => String::new(),
                },
                expected,
            },
            Self::TooMany => Error::Format {
                place,
                found: format!("distinct value number {}", MAX_VALUES + 1),
                expected: format!(
                    "at most {MAX_VALUES}; drop the column if it is an identifier, or make it numeric"
                ),
            },
            Self::Absent => Error::Format {
                place,
                found: "a sparse row leaves this cell out".into(),
                expected:
                    "its value, or ? where it is missing: only numbers and declared values have a default"
                        .into(),
            },
        }
    }
}
