//! What reading a file found that a user should be told.

use std::sync::Arc;

use crate::RawKind;

/// What was read, for the notes that a program shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// What error messages call the file.
    pub file: Arc<str>,
    /// The number of rows.
    pub rows: u64,
    /// The index of the class column, where there is one.
    pub class: Option<usize>,
    /// Whether the class is the last column only because none was named.
    pub class_by_default: bool,
    /// Whether the rows have weights.
    pub weighted: bool,
    /// The columns, in the order of the file.
    pub columns: Vec<ColumnReport>,
}

/// What was read of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnReport {
    /// The column's name.
    pub name: String,
    /// Its kind and labels.
    pub kind: RawKind,
    /// How many of its cells are missing.
    pub missing: u64,
}

impl ColumnReport {
    /// The number of labels; `None` for numbers.
    #[must_use]
    pub fn labels(&self) -> Option<usize> {
        match &self.kind {
            RawKind::Nominal(labels) => Some(labels.len()),
            RawKind::Numeric => None,
        }
    }
}

/// Below this many labels a column is no identifier, however few the rows.
const FEW_LABELS: usize = 20;

impl Report {
    /// Features whose number of labels exceeds a tenth of the rows (and 20): probably identifiers, which blow up
    /// tables and teach nothing.
    pub fn identifiers(&self) -> impl Iterator<Item = &ColumnReport> {
        self.features().filter(|column| {
            column.labels().is_some_and(|labels| labels > FEW_LABELS && labels as u64 > self.rows / 10)
        })
    }

    /// Features with at most one label, which change nothing.
    pub fn constant(&self) -> impl Iterator<Item = &ColumnReport> {
        self.features().filter(|column| column.labels().is_some_and(|labels| labels < 2))
    }

    /// Columns with missing cells.
    pub fn with_missing(&self) -> impl Iterator<Item = &ColumnReport> {
        self.columns.iter().filter(|column| column.missing > 0)
    }

    fn features(&self) -> impl Iterator<Item = &ColumnReport> {
        self.columns
            .iter()
            .enumerate()
            .filter(|&(index, _)| Some(index) != self.class)
            .map(|(_, column)| column)
    }
}
