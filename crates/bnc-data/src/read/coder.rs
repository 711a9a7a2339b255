//! Blocks of cells to values, with what is known of each column so far. Many threads do this side by side, so nothing
//! is learnt here: cells that need more than is known are left to [`Table::add`](super::table::Table::add).

use std::sync::Arc;

use super::column::Parser;
use super::dictionary::{CellRules, Dictionary, UNKNOWN};
use super::rows::{Cell, Rows, Span};
use super::table::{WEIGHT, weight};
use crate::{Code, Error, MISSING, Place};

/// What is known of the columns at some point of a file.
pub(crate) struct Coder {
    pub(crate) file: Arc<str>,
    pub(crate) rules: Arc<CellRules>,
    /// The name and position of the column of weights.
    pub(crate) weight: Option<(String, usize)>,
    pub(crate) columns: Vec<ColumnCoder>,
}

/// What is known of a column.
pub(crate) struct ColumnCoder {
    /// Where its cells stand in a row of the file.
    pub(crate) position: usize,
    /// The text that a cell left out of a sparse row stands for.
    pub(crate) absent: Option<Arc<[u8]>>,
    pub(crate) known: Known,
}

/// The meaning of cells.
#[derive(Clone)]
pub(crate) enum Known {
    /// Labels, those in the dictionary.
    Labels(Arc<Dictionary>),
    /// Numbers.
    Numbers(Parser),
}

/// Values of consecutive cells of a column.
#[derive(Debug)]
pub(crate) enum Part {
    /// Codes of the column's dictionary.
    Codes(Vec<Code>),
    /// Numbers, `NaN` where missing.
    Numbers(Vec<f64>),
}

impl Part {
    /// The number of cells.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Codes(codes) => codes.len(),
            Self::Numbers(numbers) => numbers.len(),
        }
    }

    /// Takes off the first `rows` cells.
    pub(crate) fn take_first(&mut self, rows: usize) -> Self {
        match self {
            Self::Codes(codes) => Self::Codes(take_first(codes, rows)),
            Self::Numbers(numbers) => Self::Numbers(take_first(numbers, rows)),
        }
    }
}

/// Takes off the first `count` items.
pub(crate) fn take_first<T>(items: &mut Vec<T>, count: usize) -> Vec<T> {
    let rest = items.split_off(count);
    std::mem::replace(items, rest)
}

/// A column of a block.
pub(crate) struct CodedColumn {
    pub(crate) part: Part,
    /// How many of the cells are missing, those that are open not counted.
    pub(crate) missing: u64,
    /// The rows of cells that need more than is known, in order; in the part they are missing.
    pub(crate) open: Vec<usize>,
}

/// A block as far as it could be coded.
pub(crate) struct Coded {
    pub(crate) columns: Vec<CodedColumn>,
    /// None if no row has a weight.
    pub(crate) weights: Vec<u32>,
    /// What is wrong with the first row that is broken, and which one it is, should all cells before it be right.
    pub(crate) error: Option<(usize, Error)>,
    pub(crate) lines: Vec<u64>,
    /// Where the open cells stand.
    pub(crate) rows: Rows,
}

/// How many rows are coded at a time: while one column after the other picks its cells, the places and texts of those
/// beside them stay in the first-level cache.
const TILE: usize = 64;

impl Coder {
    /// Codes a block.
    pub(crate) fn code(&self, mut rows: Rows) -> Coded {
        let mut columns: Vec<CodedColumn> =
            self.columns.iter().map(|column| CodedColumn::new(&column.known, rows.len())).collect();
        for cells in rows.cells.chunks(TILE * rows.columns) {
            for (column, coded) in self.columns.iter().zip(&mut columns) {
                column.code(&rows.text, cells.chunks_exact(rows.columns), &self.rules, coded);
            }
        }
        columns.iter_mut().for_each(CodedColumn::count_missing);
        let mut error = rows.error.take().map(|error| (rows.len(), error));
        let weights = self.weights(&rows).unwrap_or_else(|broken| {
            error = Some(broken);
            Vec::new()
        });
        Coded { columns, weights, error, lines: std::mem::take(&mut rows.lines), rows }
    }

    fn weights(&self, rows: &Rows) -> Result<Vec<u32>, (usize, Error)> {
        let Some((name, position)) = &self.weight else {
            return Ok(rows.weights.iter().map(|weight| weight.unwrap_or(1)).collect());
        };
        let weight_of = |row| {
            if let Some(Some(weight)) = rows.weights.get(row) {
                return Err((
                    row,
                    Error::Format {
                        place: Place::line(&*self.file, rows.lines[row]),
                        found: format!(
                            "the row states its weight {weight}, and a column of weights is named too"
                        ),
                        expected: "one of the two".into(),
                    },
                ));
            }
            let value = match rows.cell(row, *position) {
                Cell::Text(text) => self.rules.value(text).map(String::from_utf8_lossy),
                Cell::Missing => None,
                Cell::Absent => Some("0".into()),
            };
            value.as_ref().and_then(|value| weight(value)).ok_or_else(|| {
                let place = Place::line(&*self.file, rows.lines[row]).in_column(&**name);
                let value = value.unwrap_or("?".into()).into_owned();
                (row, Error::BadValue { place, value, expected: WEIGHT.into() })
            })
        };
        (0..rows.len()).map(weight_of).collect()
    }
}

impl ColumnCoder {
    /// Appends the values of the column's cells in the given rows of a text.
    fn code(
        &self,
        text: &[u8],
        rows: std::slice::ChunksExact<'_, Span>,
        rules: &CellRules,
        coded: &mut CodedColumn,
    ) {
        let CodedColumn { part, open, .. } = coded;
        match (&self.known, part) {
            (Known::Labels(dictionary), Part::Codes(codes)) => {
                let absent = self.absent.as_deref().and_then(|text| dictionary.find(text));
                let absent = absent.map_or(UNKNOWN, u32::from);
                let dictionary = &**dictionary;
                self.append(rows, codes, open, move |span| {
                    let code = dictionary.look_up(text, span, absent);
                    (code as Code, code != UNKNOWN)
                });
            }
            (Known::Numbers(parser), Part::Numbers(numbers)) => {
                let absent = self.absent.as_deref().and_then(|text| parser.number(text, rules));
                self.append(rows, numbers, open, move |span| {
                    let number = match span.cell(text) {
                        Cell::Text(text) => parser.number(text, rules),
                        Cell::Missing => Some(f64::NAN),
                        Cell::Absent => absent,
                    };
                    (number.unwrap_or(f64::NAN), number.is_some())
                });
            }
            // The part was made for what is known.
            _ => {}
        }
    }

    #[inline]
    fn append<V: Clone + Default>(
        &self,
        rows: std::slice::ChunksExact<'_, Span>,
        values: &mut Vec<V>,
        open: &mut Vec<usize>,
        value_of: impl Fn(Span) -> (V, bool),
    ) {
        let (first, position) = (values.len(), self.position);
        values.resize(first + rows.len(), V::default());
        // The loop knows no row numbers, so that what it needs stays in registers.
        let mut all = true;
        for (value, cells) in values[first..].iter_mut().zip(rows.clone()) {
            let (found, known) = value_of(cells[position]);
            *value = found;
            all &= known;
        }
        if !all {
            let is_open = |cells: &[Span]| !value_of(cells[position]).1;
            open.extend((first..).zip(rows).filter(|(_, cells)| is_open(cells)).map(|(row, _)| row));
        }
    }
}

impl CodedColumn {
    fn new(known: &Known, rows: usize) -> Self {
        let part = match known {
            Known::Labels(_) => Part::Codes(Vec::with_capacity(rows)),
            Known::Numbers(_) => Part::Numbers(Vec::with_capacity(rows)),
        };
        Self { part, missing: 0, open: Vec::new() }
    }

    fn count_missing(&mut self) {
        let missing: u64 = match &self.part {
            // Sums that fit in a code are made for many codes at once.
            Part::Codes(codes) => codes
                .chunks(usize::from(Code::MAX))
                .map(|part| part.iter().map(|&code| Code::from(code == MISSING)).sum::<Code>())
                .map(u64::from)
                .sum(),
            Part::Numbers(numbers) => numbers.iter().filter(|number| number.is_nan()).count() as u64,
        };
        // Those that are open look like missing ones.
        self.missing = missing - self.open.len() as u64;
    }
}
