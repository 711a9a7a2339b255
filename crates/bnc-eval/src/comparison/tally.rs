//! Wins, ties and losses over data sets, each by its own test.

use serde::Serialize;

use super::{Outcome, check_learners, check_level, compare};
use crate::{Evaluation, Metric, Result};

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

/// For each learner after the first, its wins, ties and losses against the first over some data sets, by the corrected
/// resampled t-test at a two-tailed level. A data set on which there is no test is not counted.
///
/// # Errors
/// [`Error::BadLevel`](crate::Error::BadLevel) unless 0 < `level` < 1; [`Error::Shape`](crate::Error::Shape) when the
/// evaluations are not of the same learners.
pub fn tally(evaluations: &[Evaluation], metric: Metric, level: f64) -> Result<Vec<Tally>> {
    check_level(level)?;
    let learners = check_learners(evaluations)?;
    let mut tallies = vec![Tally::default(); learners.saturating_sub(1)];
    for evaluation in evaluations {
        let Some((first, others)) = evaluation.learners.split_first() else {
            continue;
        };
        for (learner, tally) in others.iter().zip(&mut tallies) {
            match compare(learner, first, metric).map(|test| test.outcome(metric, level)) {
                Some(Outcome::Win) => tally.wins += 1,
                Some(Outcome::Tie) => tally.ties += 1,
                Some(Outcome::Loss) => tally.losses += 1,
                None => {}
            }
        }
    }
    Ok(tallies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    #[test]
    fn a_level_is_between_0_and_1() {
        for level in [0.0, 1.0, -0.1, f64::NAN] {
            assert!(matches!(tally(&[], Metric::Accuracy, level), Err(Error::BadLevel { .. })));
        }
    }
}
