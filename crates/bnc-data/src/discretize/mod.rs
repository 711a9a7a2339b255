//! Cutting numbers into intervals.
//!
//! Every method sees only the distinct values and their counts, so the order of the rows cannot matter and a
//! row of weight `w` is the same as `w` rows. A number equal to a cut belongs to the interval on its left.
//! A column in which a method finds nothing to cut keeps one interval.

mod binning;
mod mdl;

use std::fmt;
use std::str::FromStr;

use crate::{Error, Histogram, Result};

/// How a numeric column is cut into intervals; written `mdl`, `width:K`, `frequency:K` or `median`.
///
/// # Examples
/// ```
/// use bnc_data::{Discretization, HistogramBuilder};
/// let mut builder = HistogramBuilder::new(2);
/// for number in 1..=8_u8 {
///     builder.add(f64::from(number), usize::from(number > 4), 1);
/// }
/// let method: Discretization = "mdl".parse()?;
/// assert_eq!(method.cuts("age", &builder.histogram())?, [4.5]);
/// # Ok::<(), bnc_data::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Discretization {
    /// Cuts that tell most about the class, as many as the minimum description length principle accepts
    /// (Fayyad and Irani 1993), at the same points as WEKA's supervised `Discretize`.
    #[default]
    Mdl,
    /// That many intervals of equal width between the smallest and the largest finite value.
    Width(u16),
    /// About that many intervals of about equal numbers of rows: for `i = 1..k` the boundary between two
    /// distinct values at which the number of rows to the left is nearest to `i/k` of all (the lower one of
    /// equally near ones), each boundary once.
    Frequency(u16),
    /// Two intervals: numbers up to the median, and numbers above it. Of an even number of rows the median
    /// is the mean of the middle two. Without a number above the median there is one interval.
    Median,
}

/// The smallest and the largest number of intervals that can be asked for.
const INTERVALS: std::ops::RangeInclusive<u16> = 2..=10_000;

impl Discretization {
    /// The cut points of a column: finite and strictly increasing, none where nothing is worth cutting.
    ///
    /// Infinite values fall into the first and the last interval; a cut between an infinity and its finite
    /// neighbour is the largest finite number of that sign.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a number of intervals out of range, naming the column.
    pub fn cuts(self, column: &str, histogram: &Histogram) -> Result<Vec<f64>> {
        match self {
            Self::Mdl => Ok(mdl::cuts(histogram)),
            Self::Width(intervals) | Self::Frequency(intervals) if !INTERVALS.contains(&intervals) => {
                Err(bad(&format!("discretisation of '{column}'"), &self.to_string()))
            }
            Self::Width(intervals) => Ok(binning::width(histogram, intervals)),
            Self::Frequency(intervals) => Ok(binning::frequency(histogram, intervals)),
            Self::Median => Ok(binning::median(histogram)),
        }
    }
}

impl fmt::Display for Discretization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mdl => f.write_str("mdl"),
            Self::Width(intervals) => write!(f, "width:{intervals}"),
            Self::Frequency(intervals) => write!(f, "frequency:{intervals}"),
            Self::Median => f.write_str("median"),
        }
    }
}

impl FromStr for Discretization {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (name, intervals) = match text.split_once(':') {
            Some((name, intervals)) => (name, Some(intervals.parse::<u16>().ok())),
            None => (text, None),
        };
        match (name, intervals) {
            ("mdl", None) => Ok(Self::Mdl),
            ("median", None) => Ok(Self::Median),
            ("width", Some(Some(intervals))) if INTERVALS.contains(&intervals) => Ok(Self::Width(intervals)),
            ("frequency", Some(Some(intervals))) if INTERVALS.contains(&intervals) => {
                Ok(Self::Frequency(intervals))
            }
            _ => Err(bad("discretisation", text)),
        }
    }
}

fn bad(parameter: &str, value: &str) -> Error {
    Error::BadParameter {
        parameter: parameter.into(),
        value: value.into(),
        expected: format!(
            "mdl, width:K, frequency:K or median, with K from {} to {}",
            INTERVALS.start(),
            INTERVALS.end()
        ),
    }
}

/// A finite number that is at least `low` (unless that is infinite) and less than `high`: their midpoint where
/// that is possible, the largest finite number of its sign beside an infinity. `None` when there is no such
/// number, which is when a finite end is the largest of its sign.
fn between(low: f64, high: f64) -> Option<f64> {
    let cut = match (low.is_finite(), high.is_finite()) {
        (true, true) => {
            let sum = low + high;
            let middle = if sum.is_finite() { sum / 2.0 } else { low / 2.0 + high / 2.0 };
            // Between neighbouring numbers the midpoint may round to `high`, which would then fall to the left.
            if middle < high { middle } else { low }
        }
        (false, true) => f64::MIN,
        (true, false) => f64::MAX,
        (false, false) => 0.0,
    };
    (cut < high).then_some(cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        for text in ["mdl", "width:2", "frequency:10000", "median"] {
            assert_eq!(text.parse::<Discretization>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_wrong_is_refused_with_what_is_right() {
        for text in [
            "",
            "MDL",
            "mdl:3",
            "median:2",
            "width",
            "width:",
            "width:1",
            "width:x",
            "frequency:-2",
            "frequency:10001",
            "width:3:4",
            "none",
        ] {
            let error = text.parse::<Discretization>().unwrap_err().to_string();
            assert!(error.contains(&format!("= {text}:")), "{error}");
            assert!(error.contains("width:K"), "{error}");
        }
        let histogram = Histogram::default();
        for method in [Discretization::Width(0), Discretization::Frequency(1)] {
            let error = method.cuts("age", &histogram).unwrap_err().to_string();
            assert!(error.contains("'age'") && error.contains("from 2"), "{error}");
        }
    }

    #[test]
    fn a_cut_between_two_numbers_parts_them() {
        let (next, infinity) = (1.0_f64.next_up(), f64::INFINITY);
        assert_eq!(between(1.0, 2.0), Some(1.5));
        assert_eq!(between(1.0, next), Some(1.0));
        assert_eq!(between(next, next.next_up()), Some(next));
        assert_eq!(between(-f64::MAX, f64::MAX), Some(0.0));
        assert_eq!(between(f64::MAX.next_down(), f64::MAX), Some(f64::MAX.next_down()));
        assert_eq!(between(-infinity, 3.0), Some(f64::MIN));
        assert_eq!(between(3.0, infinity), Some(f64::MAX));
        assert_eq!(between(f64::MAX, infinity), Some(f64::MAX));
        assert_eq!(between(-infinity, infinity), Some(0.0));
        assert_eq!(between(-infinity, f64::MIN), None);
    }
}
