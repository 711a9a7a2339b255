//! Whether learners differ by more than chance: two on one data set, two over many data sets, many over many.

mod adjustment;
mod friedman;
mod nemenyi;
mod ranks;
mod resampled_t;
mod sign;
mod studentized_range;
mod tally;
mod wilcoxon;

use crate::{Error, Result};

pub use adjustment::{holm, hommel};
pub use friedman::{Friedman, RankTest, friedman};
pub use nemenyi::{Nemenyi, nemenyi_critical_difference};
pub use resampled_t::{Outcome, PairedTest, compare, corrected_resampled_t};
pub use sign::{SignTest, sign_test};
pub use tally::{Tally, tally};
pub use wilcoxon::{WilcoxonTest, wilcoxon};

/// What becomes of data sets on which two learners do not differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ties {
    /// They are left out (Wilcoxon 1945 for the signed ranks).
    #[default]
    Drop,
    /// Half of them count for either side; one of an odd number is left out (Demšar 2006).
    Split,
}

/// A level of significance must be one.
fn check_level(level: f64) -> Result<()> {
    if level > 0.0 && level < 1.0 { Ok(()) } else { Err(Error::BadLevel { level }) }
}

/// A mean, or a difference of means, as it is to be compared: rounded to 12 decimals, so that the order in which values were
/// summed up does not decide.
#[must_use]
pub fn to_12_decimals(value: f64) -> f64 {
    (value * 1e12).round() / 1e12
}
