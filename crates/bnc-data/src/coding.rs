//! Raw rows to codes, by a fitted encoder.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use crate::encoder::missing_cell;
use crate::{
    Code, Column, Dataset, Domain, Encoder, Error, Frame, MISSING, MissingPolicy, RawSource, Result, Source,
    Values, Variable, parallel,
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
        let columns = frame.columns.iter().map(Cow::Borrowed).collect();
        self.encode_columns(columns, frame.rows(), frame, frame.weights.clone())
    }

    /// The same as [`encode`](Self::encode) for rows that are not needed any more: codes that stay as they are cost
    /// no copy.
    ///
    /// # Errors
    /// Those of [`encode`](Self::encode).
    pub fn encode_owned(&self, mut frame: Frame) -> Result<Encoded> {
        let rows = frame.rows();
        let weights = frame.weights.take();
        let columns = std::mem::take(&mut frame.columns).into_iter().map(Cow::Owned).collect();
        self.encode_columns(columns, rows, &frame, weights)
    }

    /// Codes columns; `frame` says where their rows stand.
    fn encode_columns(
        &self,
        columns: Vec<Cow<'_, Column>>,
        rows: usize,
        frame: &Frame,
        weights: Option<Vec<u32>>,
    ) -> Result<Encoded> {
        let positions: HashMap<&str, usize> =
            columns.iter().zip(0..).map(|(column, position)| (column.name.as_str(), position)).collect();
        let features = self.schema.features().iter().zip(self.fill.iter().copied());
        let mut work = Vec::with_capacity(self.fill.len() + 1);
        for (variable, fill) in features {
            let position = *positions.get(variable.name()).ok_or_else(|| Error::NoSuchColumn {
                column: variable.name().into(),
                available: columns.iter().map(|column| column.name.clone()).collect(),
            })?;
            work.push((position, variable, fill, self.missing == MissingPolicy::Reject));
        }
        let class = self.schema.class();
        if let Some(&position) = positions.get(class.name()) {
            work.push((position, class, MISSING, false));
        }
        let mut columns: Vec<Option<Cow<'_, Column>>> = columns.into_iter().map(Some).collect();
        let work = work
            .into_iter()
            .filter_map(|(position, variable, fill, reject)| {
                Some((columns[position].take()?, variable, fill, reject))
            })
            .collect::<Vec<_>>();
        let coded = parallel::map(rows * work.len(), work, |(column, variable, fill, reject)| {
            self.code(column, variable, fill, reject, frame)
        });
        let mut unseen = Vec::new();
        let mut features = Vec::with_capacity(coded.len());
        for column in coded {
            let (codes, not_known) = column?;
            features.push(codes);
            unseen.extend(not_known);
        }
        let has_class = features.len() > self.fill.len();
        let class = features.pop_if(|_| has_class).unwrap_or_else(|| vec![MISSING; rows]);
        let data = Dataset::new(Arc::clone(&self.schema), class, features, weights)?;
        Ok(Encoded { data, unseen })
    }

    /// A source of coded rows over a source of raw rows.
    #[must_use]
    pub fn over<'a>(&'a self, raw: &'a dyn RawSource) -> impl Source + 'a {
        EncodedSource { encoder: self, raw }
    }

    /// The codes of a column's cells, `fill` where a cell is missing and [`MISSING`] where its value is not known: under
    /// no policy is that a gap in the data.
    fn code(
        &self,
        column: Cow<'_, Column>,
        variable: &Variable,
        fill: Code,
        reject: bool,
        frame: &Frame,
    ) -> Result<(Vec<Code>, Option<Unseen>)> {
        let (name, domain) = (variable.name(), variable.domain());
        let mut values = match column {
            Cow::Borrowed(column) => Cow::Borrowed(&column.values),
            Cow::Owned(column) => Cow::Owned(column.values),
        };
        if let Domain::Intervals { .. } = domain {
            values = numbers_in(frame, name, values)?;
        }
        if reject && let Some(row) = (0..values.len()).find(|&row| values.is_missing(row)) {
            return Err(missing_cell(frame, row, name));
        }
        let codes: Vec<Code> = match (domain, &*values) {
            (Domain::Intervals { .. }, Values::Numeric(numbers)) => {
                let code_of = |&number: &f64| if number.is_nan() { fill } else { domain.interval(number) };
                return Ok((numbers.iter().map(code_of).collect(), None));
            }
            (Domain::Labels(known), Values::Nominal { labels, .. })
                if self.cell_labels(known, fill) == &labels[..] =>
            {
                return Ok((codes_with_fill(values, fill), None));
            }
            (Domain::Labels(known), Values::Nominal { labels, codes }) => {
                let index: HashMap<&str, Code> =
                    self.cell_labels(known, fill).iter().map(String::as_str).zip(0..).collect();
                let code_of = |label: &String| index.get(label.as_str()).copied().unwrap_or(MISSING);
                let translated: Vec<Code> = labels.iter().map(code_of).collect();
                let code_of = |&code: &Code| translated.get(usize::from(code)).copied().unwrap_or(fill);
                codes.iter().map(code_of).collect()
            }
            (Domain::Labels(known), Values::Numeric(numbers)) => {
                let index = codes_of_numbers(self.cell_labels(known, fill));
                let code_of = |&number: &f64| {
                    if number.is_nan() { fill } else { index.get(&bits(number)).copied().unwrap_or(MISSING) }
                };
                numbers.iter().map(code_of).collect()
            }
            // Text was made numbers before.
            (Domain::Intervals { .. }, Values::Nominal { codes, .. }) => vec![MISSING; codes.len()],
        };
        let unseen = unseen_in(name, &values, &codes);
        Ok((codes, unseen))
    }
}

/// The codes of a column of labels, with `fill` in place of missing ones.
fn codes_with_fill(values: Cow<'_, Values>, fill: Code) -> Vec<Code> {
    let mut codes = match values {
        Cow::Owned(Values::Nominal { codes, .. }) => codes,
        Cow::Borrowed(Values::Nominal { codes, .. }) => codes.clone(),
        Cow::Owned(Values::Numeric(_)) | Cow::Borrowed(Values::Numeric(_)) => Vec::new(),
    };
    if fill != MISSING {
        codes.iter_mut().filter(|code| **code == MISSING).for_each(|code| *code = fill);
    }
    codes
}

/// The cells of a column as numbers. Each label is parsed once; one that no row uses need not be a number.
fn numbers_in<'a>(frame: &Frame, name: &str, values: Cow<'a, Values>) -> Result<Cow<'a, Values>> {
    let Values::Nominal { labels, codes } = &*values else {
        return Ok(values);
    };
    let parsed: Vec<Option<f64>> = labels.iter().map(|label| label.parse().ok()).collect();
    let number_of = |(row, &code): (usize, &Code)| match parsed.get(usize::from(code)) {
        None => Ok(f64::NAN),
        Some(Some(number)) => Ok(*number),
        Some(None) => Err(Error::BadValue {
            place: frame.place(row).in_column(name),
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
