//! Raw columns: what stands in a file, before anything is learnt from it.

use std::sync::Arc;

use crate::{Code, Error, MISSING, Result};

/// The cells of a raw column.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Categories: the labels in declared (or natural) order, and one code a row ([`MISSING`] where missing).
    Nominal {
        /// The labels; a code is an index into them.
        labels: Arc<[String]>,
        /// One code a row.
        codes: Vec<Code>,
    },
    /// Numbers, `NaN` where missing; infinities are allowed and sort to the ends.
    Numeric(Vec<f64>),
}

impl Values {
    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Nominal { codes, .. } => codes.len(),
            Self::Numeric(numbers) => numbers.len(),
        }
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the cell of `row` is missing.
    #[must_use]
    pub fn is_missing(&self, row: usize) -> bool {
        match self {
            Self::Nominal { codes, .. } => codes[row] == MISSING,
            Self::Numeric(numbers) => numbers[row].is_nan(),
        }
    }

    /// The cell's text; `None` where missing.
    #[must_use]
    pub fn text(&self, row: usize) -> Option<String> {
        match self {
            Self::Nominal { labels, codes } => labels.get(usize::from(codes[row])).cloned(),
            Self::Numeric(numbers) => (!numbers[row].is_nan()).then(|| numbers[row].to_string()),
        }
    }

    fn select(&self, rows: &[usize]) -> Self {
        match self {
            Self::Nominal { labels, codes } => Self::Nominal {
                labels: Arc::clone(labels),
                codes: rows.iter().map(|&row| codes[row]).collect(),
            },
            Self::Numeric(numbers) => Self::Numeric(rows.iter().map(|&row| numbers[row]).collect()),
        }
    }
}

/// A named raw column.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// The column's name, unique in its frame.
    pub name: String,
    /// Its cells.
    pub values: Values,
}

/// Raw rows: a whole file in memory, or one chunk of a file that is streamed.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// What error messages call the file.
    pub file: Arc<str>,
    /// The columns, all of the same length.
    pub columns: Vec<Column>,
    /// The index of the class column, where there is one.
    pub class: Option<usize>,
    /// Case weights, one a row; `None` means 1 each.
    pub weights: Option<Vec<u32>>,
    /// The line in the file on which each row starts, from 1; empty when there are no lines to name.
    pub lines: Vec<u64>,
}

impl Frame {
    /// A frame of equally long, differently named columns.
    ///
    /// # Errors
    /// [`Error::Shape`] for columns or weights of unequal lengths, codes outside their labels or a class
    /// index outside the columns; [`Error::DuplicateColumn`] for a repeated name.
    pub fn new(
        file: impl Into<Arc<str>>,
        columns: Vec<Column>,
        class: Option<usize>,
        weights: Option<Vec<u32>>,
    ) -> Result<Self> {
        let rows = columns.first().map_or(0, |column| column.values.len());
        let mut names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::DuplicateColumn { column: pair[0].into() });
        }
        for column in &columns {
            if column.values.len() != rows {
                return Err(Error::Shape(format!(
                    "column '{}' has {} rows, expected {rows}",
                    column.name,
                    column.values.len()
                )));
            }
            if let Values::Nominal { labels, codes } = &column.values
                && codes.iter().any(|&code| code != MISSING && usize::from(code) >= labels.len())
            {
                return Err(Error::Shape(format!("column '{}' has a code outside its labels", column.name)));
            }
        }
        if weights.as_ref().is_some_and(|weights| weights.len() != rows) {
            return Err(Error::Shape(format!("the weights do not match the {rows} rows")));
        }
        if class.is_some_and(|class| class >= columns.len()) {
            return Err(Error::Shape("the class is not among the columns".into()));
        }
        Ok(Self { file: file.into(), columns, class, weights, lines: Vec::new() })
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// The rows with the given indices, in that order.
    ///
    /// # Panics
    /// When an index is out of range.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        Self {
            file: Arc::clone(&self.file),
            columns: self
                .columns
                .iter()
                .map(|column| Column { name: column.name.clone(), values: column.values.select(rows) })
                .collect(),
            class: self.class,
            weights: self.weights.as_ref().map(|weights| rows.iter().map(|&row| weights[row]).collect()),
            lines: if self.lines.is_empty() {
                Vec::new()
            } else {
                rows.iter().map(|&row| self.lines[row]).collect()
            },
        }
    }

    /// The case weight of a row.
    #[must_use]
    pub fn weight(&self, row: usize) -> u32 {
        self.weights.as_ref().map_or(1, |weights| weights[row])
    }
}

/// What is known of a raw column before its cells are read.
#[derive(Debug, Clone, PartialEq)]
pub struct RawColumn {
    /// The column's name.
    pub name: String,
    /// Its kind.
    pub kind: RawKind,
}

/// The kind of a raw column.
#[derive(Debug, Clone, PartialEq)]
pub enum RawKind {
    /// Categories with these labels.
    Nominal(Arc<[String]>),
    /// Numbers.
    Numeric,
}

/// Raw rows that can be read again and again, chunk by chunk: a [`Frame`], or a file that is streamed.
///
/// Every chunk of a scan has the same columns with the same labels, and the same class.
pub trait RawSource: Sync {
    /// What error messages call the source.
    fn file(&self) -> Arc<str>;

    /// The columns, in the order of the file.
    fn columns(&self) -> Vec<RawColumn>;

    /// The index of the class column, where there is one.
    fn class(&self) -> Option<usize>;

    /// Shows all rows, in order, in chunks.
    ///
    /// # Errors
    /// Those of reading, and those of `visit`, which end the scan.
    fn scan(&self, visit: &mut dyn FnMut(&Frame) -> Result<()>) -> Result<()>;
}

impl RawSource for Frame {
    fn file(&self) -> Arc<str> {
        Arc::clone(&self.file)
    }

    fn columns(&self) -> Vec<RawColumn> {
        let kind = |values: &Values| match values {
            Values::Nominal { labels, .. } => RawKind::Nominal(Arc::clone(labels)),
            Values::Numeric(_) => RawKind::Numeric,
        };
        self.columns
            .iter()
            .map(|column| RawColumn { name: column.name.clone(), kind: kind(&column.values) })
            .collect()
    }

    fn class(&self) -> Option<usize> {
        self.class
    }

    fn scan(&self, visit: &mut dyn FnMut(&Frame) -> Result<()>) -> Result<()> {
        visit(self)
    }
}
