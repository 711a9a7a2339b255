//! Wins, ties and losses over data sets, each by its own test.

use serde::Serialize;

use super::{Outcome, check_level, compare};
use crate::{LearnerResult, Metric, Result};

/// Over how many data sets a learner is significantly better, not different, and worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    /// Data sets with [`Outcome::Win`].
    pub wins: usize,
    /// Data sets with [`Outcome::Tie`].
    pub ties: usize,
    /// Data sets with [`Outcome::Loss`].
    pub losses: usize,
}

/// Wins, ties and losses of learners against others, a pair a data set, by the corrected resampled t-test at a two-tailed
/// level. A pair without a test is not counted.
///
/// # Errors
/// [`Error::BadLevel`](crate::Error::BadLevel) unless 0 < `level` < 1.
pub fn tally<'a>(
    pairs: impl IntoIterator<Item = (&'a LearnerResult, &'a LearnerResult)>,
    metric: Metric,
    level: f64,
) -> Result<Tally> {
    check_level(level)?;
    let mut tally = Tally::default();
    for (learner, other) in pairs {
        match compare(learner, other, metric).map(|test| test.outcome(metric, level)) {
            Some(Outcome::Win) => tally.wins += 1,
            Some(Outcome::Tie) => tally.ties += 1,
            Some(Outcome::Loss) => tally.losses += 1,
            None => {}
        }
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    #[test]
    fn a_level_is_between_0_and_1() {
        for level in [0.0, 1.0, -0.1, f64::NAN] {
            assert!(matches!(tally([], Metric::Accuracy, level), Err(Error::BadLevel { .. })));
        }
    }
}
