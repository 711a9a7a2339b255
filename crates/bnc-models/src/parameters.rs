//! Learners by name: `name` or `name:key=value,key=value`.

use std::fmt;
use std::str::FromStr;

use crate::spelling::{split, split_once};
use crate::{Error, Learner, Result};

/// What a program or a page says about a learner; each learner states it once.
#[derive(Debug, Clone, Copy)]
pub struct LearnerInfo {
    /// The name that users write.
    pub name: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// The idea, in a sentence.
    pub idea: &'static str,
    /// When to use it, in a sentence.
    pub when: &'static str,
    /// Its parameters.
    pub parameters: &'static [ParameterInfo],
    /// The cost of training and prediction, in N rows, n features, c classes, v values.
    pub complexity: &'static str,
    /// The paper.
    pub reference: &'static str,
}

/// A parameter of a learner.
#[derive(Debug, Clone, Copy)]
pub struct ParameterInfo {
    /// The key that users write.
    pub name: &'static str,
    /// The value where none is given.
    pub default: &'static str,
    /// What is allowed.
    pub values: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

impl ParameterInfo {
    /// The parameter `smoothing` with a learner's default.
    #[must_use]
    pub const fn smoothing(default: &'static str) -> Self {
        Self {
            name: "smoothing",
            default,
            values: "laplace | lidstone:A | m:M | bdeu:ESS | mle | friedman:S",
            meaning: "how counts become probabilities",
        }
    }

    /// The parameter `require`; see [`Constraints`](crate::Constraints).
    pub const REQUIRE: Self = Self {
        name: "require",
        default: "none",
        values: "PARENT:CHILD+… | none",
        meaning: "arcs that must be there",
    };

    /// The parameter `forbid`; see [`Constraints`](crate::Constraints).
    pub const FORBID: Self = Self {
        name: "forbid",
        default: "none",
        values: "PARENT:CHILD+… | none",
        meaning: "arcs that must not be there",
    };

    /// The parameter `order`; see [`Constraints`](crate::Constraints).
    pub const ORDER: Self = Self {
        name: "order",
        default: "none",
        values: "FIRST+SECOND+… | none",
        meaning: "of two columns listed, the later is never a parent of the earlier",
    };
}

/// A learner that can be made from parameters written as text.
pub trait Configure: Learner + Sized {
    /// What is to be said about it.
    const INFO: LearnerInfo;

    /// The learner with these parameters; those not given have their default.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for a value out of range.
    fn configure(parameters: &Parameters) -> Result<Self>;
}

/// A learner as users write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LearnerSpec {
    /// The learner's name.
    pub name: String,
    /// Keys and values in the order given.
    pub parameters: Vec<(String, String)>,
}

impl FromStr for LearnerSpec {
    type Err = Error;

    /// # Errors
    /// [`Error::BadSpec`].
    fn from_str(text: &str) -> Result<Self> {
        let bad = || Error::BadSpec { text: text.into() };
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        if name.is_empty() || name.contains(['=', ',']) {
            return Err(bad());
        }
        let mut parameters: Vec<(String, String)> = Vec::new();
        for part in rest.map(|rest| split(rest, ',')).into_iter().flatten() {
            let (key, value) = split_once(part, '=').ok_or_else(bad)?;
            if key.is_empty() || value.is_empty() || parameters.iter().any(|(known, _)| known == key) {
                return Err(bad());
            }
            parameters.push((key.into(), value.into()));
        }
        Ok(Self { name: name.into(), parameters })
    }
}

impl fmt::Display for LearnerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (index, (key, value)) in self.parameters.iter().enumerate() {
            write!(f, "{}{key}={value}", if index == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

/// The parameters of a learner, checked against those that it has.
#[derive(Debug, Clone)]
pub struct Parameters {
    learner: &'static str,
    given: Vec<(String, String)>,
}

impl Parameters {
    /// The parameters given for a learner.
    ///
    /// # Errors
    /// [`Error::NoSuchParameter`] for a key that it does not have.
    pub fn new(info: &LearnerInfo, given: Vec<(String, String)>) -> Result<Self> {
        let known = |key: &str| info.parameters.iter().any(|parameter| parameter.name == key);
        if let Some((key, _)) = given.iter().find(|(key, _)| !known(key)) {
            return Err(Error::NoSuchParameter {
                learner: info.name.into(),
                parameter: key.clone(),
                available: info.parameters.iter().map(|parameter| parameter.name.into()).collect(),
            });
        }
        Ok(Self { learner: info.name, given })
    }

    /// The value of a parameter where it is given; `expected` says what is allowed.
    ///
    /// # Errors
    /// [`Error::BadParameter`] when it cannot be read.
    pub fn get<T: FromStr>(&self, parameter: &str, expected: &str) -> Result<Option<T>> {
        let Some((_, value)) = self.given.iter().find(|(key, _)| key == parameter) else {
            return Ok(None);
        };
        value.parse().map(Some).map_err(|_| self.bad(parameter, value.clone(), expected))
    }

    /// The error for a value that is not what is expected.
    #[must_use]
    pub fn bad(&self, parameter: &str, value: String, expected: &str) -> Error {
        Error::BadParameter {
            learner: self.learner.into(),
            parameter: parameter.into(),
            value,
            expected: expected.into(),
        }
    }

    /// A parameter that is a smoothing, where it is given.
    ///
    /// # Errors
    /// [`Error::BadParameter`].
    pub fn smoothing(&self, parameter: &str) -> Result<Option<crate::Smoothing>> {
        self.get(parameter, crate::smoothing::SMOOTHINGS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_read_and_written() {
        let spec: LearnerSpec = "nb:smoothing=m:1,prior=mle".parse().unwrap();
        assert_eq!(spec.name, "nb");
        assert_eq!(spec.parameters[0], ("smoothing".into(), "m:1".into()));
        assert_eq!(spec.to_string(), "nb:smoothing=m:1,prior=mle");
        for bad in ["", ":a=1", "nb:", "nb:a", "nb:a=", "nb:=1", "nb:a=1,a=2", "a=1"] {
            assert!(bad.parse::<LearnerSpec>().is_err(), "{bad}");
        }
    }
}
