//! Raw rows to codes, by a fitted encoder.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use crate::encoder::missing_cell;
use crate::{
    Code, Column, Dataset, Domain, Encoder, Error, Frame, MISSING, MissingPolicy, RawSource, Result, Source,
    Values, Variable,
};

/// Coded rows, and what could not be coded.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoded {
    /// The codes; a value that the encoder does not know is missing.
    pub data: Dataset,
    /// The values that the encoder does not know, per column, in column order; the class comes last.
    pub unseen: Vec<Unseen>,
}

/// Values of a column that an encoder does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unseen {
    /// The column's name.
    pub column: String,
    /// How many cells hold such a value.
    pub cells: u64,
    /// The first such value.
    pub first: String,
    /// The row of that value in the frame, from 0.
    pub row: usize,
}

impl Encoder {
    /// Codes the rows of a frame. Columns are matched by name; columns that the encoder does not know are
    /// passed over; an absent class leaves every row unlabelled.
    ///
    /// # Errors
    /// [`Error::NoSuchColumn`] for an absent feature, [`Error::BadValue`] for text where a number is needed,
    /// [`Error::MissingCell`] under [`MissingPolicy::Reject`].
    pub fn encode(&self, frame: &Frame) -> Result<Encoded> {
        let columns: HashMap<&str, &Column> =
            frame.columns.iter().map(|column| (column.name.as_str(), column)).collect();
        let mut unseen = Vec::new();
        let mut features = Vec::with_capacity(self.fill.len());
        for (variable, &fill) in self.schema.features().iter().zip(&self.fill) {
            let column = *columns.get(variable.name()).ok_or_else(|| Error::NoSuchColumn {
                column: variable.name().into(),
                available: frame.columns.iter().map(|column| column.name.clone()).collect(),
            })?;
            let values = match variable.domain() {
                Domain::Labels(_) => Cow::Borrowed(&column.values),
                Domain::Intervals { .. } => numbers_in(frame, column)?,
            };
            let missing = |row: &usize| values.is_missing(*row);
            if self.missing == MissingPolicy::Reject
                && let Some(row) = (0..frame.rows()).find(missing)
            {
                return Err(missing_cell(frame, row, variable.name()));
            }
            let mut codes = self.code(&values, variable, fill);
            unseen.extend(unseen_in(&column.name, &values, &codes));
            if fill != MISSING {
                // An unseen value stays missing under every policy: it is not a gap in the data.
                (0..frame.rows()).filter(missing).for_each(|row| codes[row] = fill);
            }
            features.push(codes);
        }
        let class = self.schema.class();
        let class = match columns.get(class.name()) {
            Some(column) => {
                let codes = self.code(&column.values, class, MISSING);
                unseen.extend(unseen_in(&column.name, &column.values, &codes));
                codes
            }
            None => vec![MISSING; frame.rows()],
        };
        let data = Dataset::new(Arc::clone(&self.schema), class, features, frame.weights.clone())?;
        Ok(Encoded { data, unseen })
    }

    /// A source of coded rows over a source of raw rows.
    #[must_use]
    pub fn over<'a>(&'a self, raw: &'a dyn RawSource) -> impl Source + 'a {
        EncodedSource { encoder: self, raw }
    }

    /// The codes of a column's cells; [`MISSING`] where a cell is missing or its value is not known.
    fn code(&self, values: &Values, variable: &Variable, fill: Code) -> Vec<Code> {
        match (variable.domain(), values) {
            (Domain::Labels(known), Values::Nominal { labels, codes }) => {
                let known = self.cell_labels(known, fill);
                if known == &labels[..] {
                    return codes.clone();
                }
                let index: HashMap<&str, Code> =
                    (0..).zip(known).map(|(code, label)| (label.as_str(), code)).collect();
                let translated: Vec<Code> = labels
                    .iter()
                    .map(|label| index.get(label.as_str()).copied().unwrap_or(MISSING))
                    .collect();
                let code_of = |&code: &Code| translated.get(usize::from(code)).copied().unwrap_or(MISSING);
                codes.iter().map(code_of).collect()
            }
            (Domain::Labels(known), Values::Numeric(numbers)) => {
                let index = codes_of_numbers(self.cell_labels(known, fill));
                let code_of = |&number: &f64| index.get(&bits(number)).copied().unwrap_or(MISSING);
                numbers.iter().map(code_of).collect()
            }
            (domain @ Domain::Intervals { .. }, Values::Numeric(numbers)) => {
                numbers.iter().map(|&number| domain.interval(number)).collect()
            }
            // Text was made numbers before.
            (Domain::Intervals { .. }, Values::Nominal { codes, .. }) => vec![MISSING; codes.len()],
        }
    }
}

/// The cells of a column as numbers. Each label is parsed once; one that no row uses need not be a number.
fn numbers_in<'a>(frame: &Frame, column: &'a Column) -> Result<Cow<'a, Values>> {
    let Values::Nominal { labels, codes } = &column.values else {
        return Ok(Cow::Borrowed(&column.values));
    };
    let parsed: Vec<Option<f64>> = labels.iter().map(|label| label.parse().ok()).collect();
    let number_of = |(row, &code): (usize, &Code)| match parsed.get(usize::from(code)) {
        None => Ok(f64::NAN),
        Some(Some(number)) => Ok(*number),
        Some(None) => Err(Error::BadValue {
            place: frame.place(row).in_column(&*column.name),
            value: labels[usize::from(code)].clone(),
            expected: "a number, as this column was when the model was trained".into(),
        }),
    };
    let numbers = codes.iter().enumerate().map(number_of).collect::<Result<_>>()?;
    Ok(Cow::Owned(Values::Numeric(numbers)))
}

/// The codes of labels that are numbers, such as `1` or `1.0`, by their value; the first of equal ones.
fn codes_of_numbers(labels: &[String]) -> HashMap<u64, Code> {
    let mut index = HashMap::new();
    for (code, label) in (0..).zip(labels) {
        match label.parse::<f64>() {
            Ok(number) if !number.is_nan() => {
                index.entry(bits(number)).or_insert(code);
            }
            _ => {}
        }
    }
    index
}

/// A number as a key: adding zero makes one of -0 and 0.
fn bits(number: f64) -> u64 {
    (number + 0.0).to_bits()
}

/// The cells that are not missing in the file but have no code.
fn unseen_in(column: &str, values: &Values, codes: &[Code]) -> Option<Unseen> {
    let mut rows =
        (0..codes.len()).filter(|&row| codes[row] == MISSING && !values.is_missing(row)).peekable();
    let row = *rows.peek()?;
    Some(Unseen {
        column: column.into(),
        cells: rows.count() as u64,
        first: values.text(row).unwrap_or_default(),
        row,
    })
}

struct EncodedSource<'a> {
    encoder: &'a Encoder,
    raw: &'a dyn RawSource,
}

impl Source for EncodedSource<'_> {
    fn schema(&self) -> &Arc<crate::Schema> {
        &self.encoder.schema
    }

    fn scan(&self, visit: &mut dyn FnMut(&Dataset) -> Result<()>) -> Result<()> {
        self.raw.scan(&mut |frame| visit(&self.encoder.encode(frame)?.data))
    }
}
