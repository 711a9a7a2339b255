//! The loop from the rows of any format to columns, shared by whole files, surveys and chunks.

use std::sync::Arc;

use super::column::{Cell, Column, Refusal};
use super::dictionary::CellRules;
use super::report::{ColumnReport, Report};
use crate::{Error, Frame, MAX_VALUES, Place, RawColumn, Result};

/// The rows of a file, one at a time.
pub(crate) trait Rows {
    /// Goes to the next row; `false` when there is none.
    fn advance(&mut self) -> Result<bool>;

    /// The line on which the row starts.
    fn line(&self) -> u64;

    /// The cell of the row at a position below the number of columns.
    fn cell(&self, position: usize) -> Cell<'_>;

    /// The weight that the row itself states.
    fn weight(&self) -> Option<u32>;
}

/// [`Rows`] of a format known only while running: one call reads many rows.
pub(crate) trait Feed {
    /// Reads up to `limit` rows into a table; `false` at the end of the file.
    fn feed(&mut self, table: &mut Table, limit: usize) -> Result<bool>;
}

impl<R: Rows> Feed for R {
    fn feed(&mut self, table: &mut Table, limit: usize) -> Result<bool> {
        table.fill(self, limit)
    }
}

/// The columns that are read from a file.
pub(crate) struct Table {
    pub(crate) file: Arc<str>,
    pub(crate) columns: Vec<Column>,
    pub(crate) class: Option<usize>,
    pub(crate) class_by_default: bool,
    /// The name and position of the column of weights.
    pub(crate) weight: Option<(String, usize)>,
    pub(crate) rules: Arc<CellRules>,
    /// Empty until a row has a weight.
    weights: Vec<u32>,
    weighted: bool,
    lines: Vec<u64>,
    rows: u64,
}

impl Table {
    pub(crate) fn new(file: Arc<str>, columns: Vec<Column>, rules: Arc<CellRules>) -> Self {
        Self {
            file,
            columns,
            class: None,
            class_by_default: false,
            weight: None,
            rules,
            weights: Vec::new(),
            weighted: false,
            lines: Vec::new(),
            rows: 0,
        }
    }

    fn fill(&mut self, rows: &mut impl Rows, limit: usize) -> Result<bool> {
        for _ in 0..limit {
            if !rows.advance()? {
                return Ok(false);
            }
            for column in &mut self.columns {
                let cell = rows.cell(column.position);
                if let Err(refusal) = column.push(cell) {
                    let place = Place::line(&*self.file, rows.line()).in_column(&*column.name);
                    return Err(refused(refusal, place, &self.rules, cell));
                }
            }
            self.push_weight(rows)?;
            self.lines.push(rows.line());
            self.rows += 1;
        }
        Ok(true)
    }

    fn push_weight(&mut self, rows: &impl Rows) -> Result<()> {
        let stated = rows.weight();
        let weight = match (&self.weight, stated) {
            (None, None) => None,
            (None, Some(weight)) => Some(weight),
            (Some(_), Some(weight)) => {
                return Err(Error::Format {
                    place: Place::line(&*self.file, rows.line()),
                    found: format!(
                        "the row states its weight {weight}, and a column of weights is named too"
                    ),
                    expected: "one of the two".into(),
                });
            }
            (Some((name, position)), None) => {
                let value = match rows.cell(*position) {
                    Cell::Text(text) => self.rules.value(text.bytes()).map(String::from_utf8_lossy),
                    Cell::Missing => None,
                    Cell::Absent => Some("0".into()),
                };
                let weight = value.as_ref().and_then(|value| weight(value));
                if weight.is_none() {
                    return Err(Error::BadValue {
                        place: Place::line(&*self.file, rows.line()).in_column(&**name),
                        value: value.unwrap_or("?".into()).into_owned(),
                        expected: WEIGHT.into(),
                    });
                }
                weight
            }
        };
        if weight.is_some() && !self.weighted {
            self.weighted = true;
            self.weights = vec![1; self.lines.len()];
        }
        if self.weighted {
            self.weights.push(weight.unwrap_or(1));
        }
        Ok(())
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
        true
    }

    /// Takes out the rows read since the last call.
    pub(crate) fn take(&mut self, columns: &[RawColumn]) -> Frame {
        Frame {
            file: Arc::clone(&self.file),
            columns: columns
                .iter()
                .zip(&mut self.columns)
                .map(|(raw, column)| crate::Column { name: raw.name.clone(), values: column.take(&raw.kind) })
                .collect(),
            class: self.class,
            weights: self.weighted.then(|| std::mem::take(&mut self.weights)),
            lines: std::mem::take(&mut self.lines),
        }
    }

    /// Forgets the rows read so far, but not what they taught.
    pub(crate) fn clear(&mut self) {
        self.columns.iter_mut().for_each(Column::clear);
        self.weights.clear();
        self.lines.clear();
    }
}

/// What a weight has to be.
pub(crate) const WEIGHT: &str = "a weight; weights are whole numbers from 0 to 4294967295";

/// The weight that a text states.
pub(crate) fn weight(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

fn refused(refusal: Refusal, place: Place, rules: &CellRules, cell: Cell<'_>) -> Error {
    match refusal {
        Refusal::Value(expected) => Error::BadValue {
            place,
            value: match cell {
                Cell::Text(text) => {
                    String::from_utf8_lossy(rules.value(text.bytes()).unwrap_or_default()).into_owned()
                }
                Cell::Missing | Cell::Absent => String::new(),
            },
            expected,
        },
        Refusal::TooMany => Error::Format {
            place,
            found: format!("distinct value number {}", MAX_VALUES + 1),
            expected: format!(
                "at most {MAX_VALUES}; drop the column if it is an identifier, or make it numeric"
            ),
        },
        Refusal::Absent => Error::Format {
            place,
            found: "a sparse row leaves this cell out".into(),
            expected: "its value, or ? where it is missing: only numbers and declared values have a default"
                .into(),
        },
    }
}
