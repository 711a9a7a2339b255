//! A summary of raw columns.

use std::collections::HashSet;
use std::sync::Arc;

use crate::{MAX_VALUES, RawKind, RawSource, Result, Values};

/// A summary of all rows of a source; every row counts once, whatever its weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Description {
    /// What error messages call the source.
    pub file: Arc<str>,
    /// The number of rows.
    pub rows: u64,
    /// The sum of the case weights; the number of rows where there are none.
    pub weight: u64,
    /// The index of the class column, where there is one.
    pub class: Option<usize>,
    /// The columns, in the order of the source.
    pub columns: Vec<ColumnDescription>,
}

/// A summary of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnDescription {
    /// The column's name.
    pub name: String,
    /// The number of missing cells.
    pub missing: u64,
    /// Its known cells.
    pub cells: Summary,
}

/// A summary of the known cells of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Summary {
    /// Every label with the number of rows that hold it, in the order of the codes; declared labels may have none.
    Nominal(Vec<(String, u64)>),
    /// Numbers.
    Numeric {
        /// How many different numbers there are; `None` beyond 65,535.
        distinct: Option<usize>,
        /// Smallest number, mean and largest number; `None` without a known cell. The mean is not finite where
        /// numbers are not.
        range: Option<(f64, f64, f64)>,
    },
}

impl Summary {
    /// How many different values there are in the rows; `None` beyond 65,535.
    #[must_use]
    pub fn distinct(&self) -> Option<usize> {
        match self {
            Self::Nominal(counts) => Some(counts.iter().filter(|(_, count)| *count > 0).count()),
            Self::Numeric { distinct, .. } => *distinct,
        }
    }

    /// The labels that occur, most frequent first, in the order of their codes where equally frequent; empty for
    /// numbers.
    #[must_use]
    pub fn most_frequent(&self) -> Vec<(&str, u64)> {
        let Self::Nominal(counts) = self else {
            return Vec::new();
        };
        let mut counts: Vec<(&str, u64)> = counts
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(label, count)| (label.as_str(), *count))
            .collect();
        counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        counts
    }
}

/// Summarises the columns of a source in one scan, in memory that does not grow with the rows.
///
/// # Errors
/// Those of reading.
///
/// # Examples
/// ```
/// use bnc_data::{Column, Frame, Summary, Values, describe};
/// let length = Column { name: "length".into(), values: Values::Numeric(vec![1.0, 3.0, f64::NAN]) };
/// let description = describe(&Frame::new("fish", vec![length], None, None)?)?;
/// assert_eq!(description.columns[0].missing, 1);
/// assert_eq!(
///     description.columns[0].cells,
///     Summary::Numeric { distinct: Some(2), range: Some((1.0, 2.0, 3.0)) }
/// );
/// # Ok::<(), bnc_data::Error>(())
/// ```
pub fn describe(source: &dyn RawSource) -> Result<Description> {
    let columns = source.columns();
    let mut tallies: Vec<Tally> = columns.iter().map(|column| Tally::new(&column.kind)).collect();
    let (mut rows, mut weight) = (0, 0);
    source.scan(&mut |frame| {
        rows += frame.rows() as u64;
        weight += match &frame.weights {
            None => frame.rows() as u64,
            Some(weights) => weights.iter().map(|&weight| u64::from(weight)).sum(),
        };
        for (column, tally) in frame.columns.iter().zip(&mut tallies) {
            tally.add(&column.values);
        }
        Ok(())
    })?;
    Ok(Description {
        file: source.file(),
        rows,
        weight,
        class: source.class(),
        columns: columns
            .into_iter()
            .zip(tallies)
            .map(|(column, tally)| tally.finish(column.name, &column.kind))
            .collect(),
    })
}

/// What was counted of a column.
enum Tally {
    Nominal {
        counts: Vec<u64>,
        missing: u64,
    },
    Numeric {
        known: u64,
        missing: u64,
        sum: f64,
        smallest: f64,
        largest: f64,
        /// The bits of the numbers met, up to one more than can be told.
        distinct: HashSet<u64>,
    },
}

impl Tally {
    fn new(kind: &RawKind) -> Self {
        match kind {
            RawKind::Nominal(labels) => Self::Nominal { counts: vec![0; labels.len()], missing: 0 },
            RawKind::Numeric => Self::Numeric {
                known: 0,
                missing: 0,
                sum: 0.0,
                smallest: f64::INFINITY,
                largest: f64::NEG_INFINITY,
                distinct: HashSet::new(),
            },
        }
    }

    fn add(&mut self, values: &Values) {
        match (self, values) {
            (Self::Nominal { counts, missing }, Values::Nominal { codes, .. }) => {
                for &code in codes {
                    *counts.get_mut(usize::from(code)).unwrap_or(missing) += 1;
                }
            }
            (
                Self::Numeric { known, missing, sum, smallest, largest, distinct },
                Values::Numeric(numbers),
            ) => {
                for &number in numbers {
                    if number.is_nan() {
                        *missing += 1;
                        continue;
                    }
                    *known += 1;
                    *sum += number;
                    *smallest = smallest.min(number);
                    *largest = largest.max(number);
                    if distinct.len() <= MAX_VALUES {
                        // Adding 0 makes the two zeros one.
                        distinct.insert((number + 0.0).to_bits());
                    }
                }
            }
            // A source keeps the kinds that it declares.
            _ => {}
        }
    }

    fn finish(self, name: String, kind: &RawKind) -> ColumnDescription {
        let (missing, cells) = match self {
            Self::Nominal { counts, missing } => {
                let labels: &[String] = match kind {
                    RawKind::Nominal(labels) => labels,
                    RawKind::Numeric => &[],
                };
                (missing, Summary::Nominal(labels.iter().cloned().zip(counts).collect()))
            }
            Self::Numeric { known, missing, sum, smallest, largest, distinct } => {
                let cells = Summary::Numeric {
                    distinct: (distinct.len() <= MAX_VALUES).then_some(distinct.len()),
                    range: (known > 0).then(|| (smallest, sum / known as f64, largest)),
                };
                (missing, cells)
            }
        };
        ColumnDescription { name, missing, cells }
    }
}
