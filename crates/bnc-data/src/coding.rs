//! Raw rows to codes, by a fitted encoder.

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
            let (mut codes, missed) = self.encode_feature(frame, column, variable)?;
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
                let (codes, missed) = code_column(frame, column, self.schema.class())?;
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
    ) -> Result<(Vec<Code>, Option<Unseen>)> {
        if self.missing == MissingPolicy::Reject
            && let Some(row) = (0..frame.rows()).find(|&row| column.values.is_missing(row))
        {
            return Err(missing_cell(frame, row, variable.name()));
        }
        code_column(frame, column, variable)
    }
}

fn code_column(frame: &Frame, column: &Column, variable: &Variable) -> Result<(Vec<Code>, Option<Unseen>)> {
    match (variable.domain(), &column.values) {
        (domain @ Domain::Intervals { .. }, Values::Numeric(numbers)) => Ok((
            numbers.iter().map(|&number| domain.interval(number)).collect(),
            None,
        )),
        (domain @ Domain::Intervals { .. }, Values::Nominal { labels, codes }) => {
            // The intervals of the labels, each parsed once; labels that no row uses need not be numbers.
            let parsed: Vec<Option<Code>> = labels
                .iter()
                .map(|label| label.parse().ok().map(|number| domain.interval(number)))
                .collect();
            let code_of = |(row, &code): (usize, &Code)| match parsed.get(usize::from(code)) {
                None => Ok(MISSING),
                Some(Some(interval)) => Ok(*interval),
                Some(None) => Err(Error::BadValue {
                    place: frame.place(row).in_column(&*column.name),
                    value: labels[usize::from(code)].clone(),
                    expected: "a number, as this column was when the model was trained".into(),
                }),
            };
            Ok((
                codes.iter().enumerate().map(code_of).collect::<Result<_>>()?,
                None,
            ))
        }
        (Domain::Labels(known), Values::Nominal { labels, codes }) => {
            if known.as_slice() == &labels[..] {
                return Ok((codes.clone(), None));
            }
            let index = index_of(known);
            let translated: Vec<Code> = labels
                .iter()
                .map(|label| index.get(label.as_str()).copied().unwrap_or(MISSING))
                .collect();
            let coded: Vec<Code> = codes
                .iter()
                .map(|&code| translated.get(usize::from(code)).copied().unwrap_or(MISSING))
                .collect();
            let unseen = unseen_in(column, &coded);
            Ok((coded, unseen))
        }
        (Domain::Labels(known), Values::Numeric(numbers)) => {
            let index = index_of(known);
            let coded: Vec<Code> = numbers
                .iter()
                .map(|number| index.get(number.to_string().as_str()).copied().unwrap_or(MISSING))
                .collect();
            let unseen = unseen_in(column, &coded);
            Ok((coded, unseen))
        }
    }
}

fn index_of(labels: &[String]) -> std::collections::HashMap<&str, Code> {
    labels
        .iter()
        .enumerate()
        .map(|(code, label)| (label.as_str(), code as Code))
        .collect()
}

/// The cells that are not missing in the file but have no code.
fn unseen_in(column: &Column, coded: &[Code]) -> Option<Unseen> {
    let mut rows = (0..coded.len())
        .filter(|&row| coded[row] == MISSING && !column.values.is_missing(row))
        .peekable();
    let row = *rows.peek()?;
    let first = column.values.text(row).unwrap_or_default();
    Some(Unseen {
        column: column.name.clone(),
        cells: rows.count() as u64,
        first,
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
        self.raw
            .scan(&mut |frame| visit(&self.encoder.encode(frame)?.data))
    }
}
