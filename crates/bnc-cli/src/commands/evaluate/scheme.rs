//! How bias and variance are estimated.

use std::str::FromStr;

use bnc_data::Code;
use bnc_eval::{HoldoutSamples, Resampling, SubSampled};

use crate::error::{Error, Result};

/// A scheme by which every row is predicted by models of several training sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scheme {
    /// The cross-validation itself, whose repeats differ in their folds.
    Folds,
    /// Training sets of this size, by sub-sampled cross-validation; half the rows unless given.
    SubSampled(Option<usize>),
    /// Halves of a pool of this size; all other rows are tested.
    Holdout(usize),
}

impl FromStr for Scheme {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, rows) = match text.split_once(':') {
            Some((name, rows)) => {
                let number = rows.parse().ok().filter(|&rows: &usize| rows > 0);
                (name, Some(number.ok_or_else(|| format!("'{rows}' is not a number of rows"))?))
            }
            None => (text, None),
        };
        match (name, rows) {
            ("folds", None) => Ok(Self::Folds),
            ("sub-sampled", rows) => Ok(Self::SubSampled(rows)),
            ("holdout", rows) => Ok(Self::Holdout(rows.unwrap_or(HoldoutSamples::POOL))),
            _ => Err("expected folds, sub-sampled, sub-sampled:ROWS, holdout or holdout:POOL".into()),
        }
    }
}

impl std::fmt::Display for Scheme {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Folds => f.write_str("folds"),
            Self::SubSampled(None) => f.write_str("sub-sampled"),
            Self::SubSampled(Some(rows)) => write!(f, "sub-sampled:{rows}"),
            Self::Holdout(pool) => write!(f, "holdout:{pool}"),
        }
    }
}

impl Scheme {
    /// The training and test sets, where they are not those of the cross-validation.
    pub(super) fn resampling(
        self,
        classes: &[Code],
        repeats: usize,
        seed: u64,
    ) -> Result<Option<Box<dyn Resampling>>> {
        Ok(match self {
            Self::Folds => None,
            Self::SubSampled(rows) => Some(Box::new(SubSampled::draw(classes, rows, None, repeats, seed)?)),
            Self::Holdout(pool) => {
                let sets = HoldoutSamples::TRAINING_SETS;
                Some(Box::new(HoldoutSamples::draw(classes, pool, sets, seed)?))
            }
        })
    }

    /// About how many models a learner makes.
    pub(super) fn models(self, repeats: usize) -> usize {
        match self {
            Self::Folds => 0,
            Self::SubSampled(_) => 2 * repeats,
            Self::Holdout(_) => HoldoutSamples::TRAINING_SETS,
        }
    }
}

/// The error of a cross-validation in which no row is predicted twice.
pub(super) fn needs_repeats() -> Error {
    Error::Usage("--bias-variance takes two repeats or more; --repeats says how many".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scheme_is_read_as_it_is_written() {
        for text in ["folds", "sub-sampled", "sub-sampled:200", "holdout:300"] {
            assert_eq!(text.parse::<Scheme>().unwrap().to_string(), text);
        }
        assert_eq!("holdout".parse(), Ok(Scheme::Holdout(100)));
    }

    #[test]
    fn what_is_no_scheme_is_refused() {
        for text in ["", "fold", "folds:3", "sub-sampled:0", "holdout:-1", "holdout:"] {
            assert!(text.parse::<Scheme>().is_err(), "{text}");
        }
    }
}
