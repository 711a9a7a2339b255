//! Raw rows to codes, by a fitted encoder.

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
        let column_of = |name: &str| frame.columns.iter().find(|column| column.name == name);
        let mut unseen = Vec::new();
        let mut features = Vec::with_capacity(self.fill.len());
        for (variable, &fill) in self.schema.features().iter().zip(&self.fill) {
            let column = column_of(variable.name()).ok_or_else(|| Error::NoSuchColumn {
                column: variable.name().into(),
                available: frame.columns.iter().map(|column| column.name.clone()).collect(),
            })?;
            let (mut codes, missed) = self.encode_feature(frame, column, variable, fill)?;
            if fill != MISSING {
                // An unseen value stays missing under every policy: it is not a gap in the data.
                for (row, code) in codes.iter_mut().enumerate() {
                    if *code == MISSING && column.values.is_missing(row) {
                        *code = fill;
                    }
                }
            }
            features.push(codes);
            unseen.extend(missed);
        }
        let class = match column_of(self.schema.class().name()) {
            Some(column) => {
                let (codes, missed) = self.code_column(frame, column, self.schema.class(), MISSING)?;
                unseen.extend(missed);
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

    fn encode_feature(
        &self,
        frame: &Frame,
        column: &Column,
        variable: &Variable,
        fill: Code,
    ) -> Result<(Vec<Code>, Option<Unseen>)> {
        if self.missing == MissingPolicy::Reject
            && let Some(row) = (0..frame.rows()).find(|&row| column.values.is_missing(row))
        {
            return Err(missing_cell(frame, row, variable.name()));
        }
        self.code_column(frame, column, variable, fill)
    }

    fn code_column(
        &self,
        frame: &Frame,
        column: &Column,
        variable: &Variable,
        fill: Code,
    ) -> Result<(Vec<Code>, Option<Unseen>)> {
        let codes = match (variable.domain(), &column.values) {
            (domain @ Domain::Intervals { .. }, Values::Numeric(numbers)) => {
                return Ok((numbers.iter().map(|&number| domain.interval(number)).collect(), None));
            }
            (domain @ Domain::Intervals { .. }, Values::Nominal { labels, codes }) => {
                return Ok((intervals_of_text(frame, column, domain, labels, codes)?, None));
            }
            (Domain::Labels(known), Values::Nominal { labels, codes }) => {
                let known = self.cell_labels(known, fill);
                if known == &labels[..] {
                    return Ok((codes.clone(), None));
                }
                let index: HashMap<&str, Code> =
                    (0..).zip(known).map(|(code, label)| (label.as_str(), code)).collect();
                let translated: Vec<Code> = labels
                    .iter()
                    .map(|label| index.get(label.as_str()).copied().unwrap_or(MISSING))
                    .collect();
                let code_of = |&code: &Code| translated.get(usize::from(code)).copied().unwrap_or(MISSING);
                codes.iter().map(code_of).collect::<Vec<_>>()
            }
            (Domain::Labels(known), Values::Numeric(numbers)) => {
                let index = codes_of_numbers(self.cell_labels(known, fill));
                let code_of = |&number: &f64| index.get(&bits(number)).copied().unwrap_or(MISSING);
                numbers.iter().map(code_of).collect()
            }
        };
        let unseen = unseen_in(column, &codes);
        Ok((codes, unseen))
    }
}

/// The intervals of a column whose numbers came as text. Each label is parsed once; one that no row uses need
/// not be a number.
fn intervals_of_text(
    frame: &Frame,
    column: &Column,
    domain: &Domain,
    labels: &[String],
    codes: &[Code],
) -> Result<Vec<Code>> {
    let parsed: Vec<Option<Code>> =
        labels.iter().map(|label| number_of(label).map(|number| domain.interval(number))).collect();
    let code_of = |(row, &code): (usize, &Code)| match parsed.get(usize::from(code)) {
        None => Ok(MISSING),
        Some(Some(interval)) => Ok(*interval),
        Some(None) => Err(Error::BadValue {
            place: frame.place(row).in_column(&*column.name),
            value: labels[usize::from(code)].clone(),
            expected: "a number, as this column was when the model was trained".into(),
        }),
    };
    codes.iter().enumerate().map(code_of).collect()
}

/// The codes of labels that are numbers, such as `1` or `1.0`, by their value; the first of equal ones.
fn codes_of_numbers(labels: &[String]) -> HashMap<u64, Code> {
    let mut index = HashMap::new();
    for (code, label) in (0..).zip(labels) {
        if let Some(number) = number_of(label) {
            index.entry(bits(number)).or_insert(code);
        }
    }
    index
}

/// The number that a text is; `NaN` is none.
fn number_of(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| !number.is_nan())
}

/// A number as a key: adding zero makes one of -0 and 0.
fn bits(number: f64) -> u64 {
    (number + 0.0).to_bits()
}

/// The cells that are not missing in the file but have no code.
fn unseen_in(column: &Column, coded: &[Code]) -> Option<Unseen> {
    let mut rows =
        (0..coded.len()).filter(|&row| coded[row] == MISSING && !column.values.is_missing(row)).peekable();
    let row = *rows.peek()?;
    let first = column.values.text(row).unwrap_or_default();
    Some(Unseen { column: column.name.clone(), cells: rows.count() as u64, first, row })
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
