//! The parameters of a built-in set: `key=value,key=value`.

use std::ops::RangeInclusive;
use std::str::FromStr;

use super::{BuiltinInfo, MAX_CELLS};
use crate::{Error, Result};

/// The parameters of one set, every key with its value.
pub(super) struct Parameters {
    info: &'static BuiltinInfo,
    /// In the order of the set's own list.
    values: Vec<String>,
}

impl Parameters {
    /// Reads what stands after the colon of a set's name.
    pub(super) fn parse(info: &'static BuiltinInfo, given: Option<&str>) -> Result<Self> {
        let mut values: Vec<Option<String>> = vec![None; info.parameters.len()];
        for pair in given.into_iter().flat_map(|given| given.split(',')) {
            let refused = |expected: String| Error::BadParameter {
                parameter: format!("built-in set '{}'", info.name),
                value: pair.into(),
                expected,
            };
            let known = || {
                let keys: Vec<&str> = info.parameters.iter().map(|parameter| parameter.key).collect();
                if keys.is_empty() {
                    "nothing, as it has no parameters".into()
                } else {
                    format!("key=value with a key among {}", keys.join(", "))
                }
            };
            let (key, value) = pair.split_once('=').ok_or_else(|| refused(known()))?;
            let index = info
                .parameters
                .iter()
                .position(|parameter| parameter.key == key)
                .ok_or_else(|| refused(known()))?;
            if values[index].replace(value.into()).is_some() {
                return Err(refused(format!("'{key}' once only")));
            }
        }
        let values = values
            .into_iter()
            .zip(info.parameters)
            .map(|(value, parameter)| value.unwrap_or_else(|| parameter.default.into()))
            .collect();
        Ok(Self { info, values })
    }

    /// The value of `key` if `accept` takes it.
    pub(super) fn get<T>(&self, key: &str, accept: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        let mut all = self.info.parameters.iter().zip(&self.values);
        let Some((parameter, value)) = all.find(|(parameter, _)| parameter.key == key) else {
            return Err(Error::Shape(format!("'{}' has no parameter '{key}'", self.info.name)));
        };
        accept(value).ok_or_else(|| Error::BadParameter {
            parameter: format!("{key} of the built-in set '{}'", self.info.name),
            value: value.clone(),
            expected: parameter.what.into(),
        })
    }

    /// The number that stands for `key`, within `range`.
    pub(super) fn number<T: FromStr + PartialOrd>(&self, key: &str, range: RangeInclusive<T>) -> Result<T> {
        self.get(key, |text| number_within(text, &range))
    }

    /// The seed of the random numbers.
    pub(super) fn seed(&self) -> Result<u64> {
        self.number("seed", 0..=u64::MAX)
    }

    /// The number of rows, when that many rows of `columns` columns can be kept in memory.
    pub(super) fn rows(&self, columns: usize) -> Result<usize> {
        let rows = self.number("rows", 1..=usize::MAX)?;
        let most = MAX_CELLS / columns;
        if rows > most {
            return Err(Error::BadParameter {
                parameter: format!("rows of the built-in set '{}'", self.info.name),
                value: rows.to_string(),
                expected: format!("at most {most} for {columns} columns, as the set is kept in memory"),
            });
        }
        Ok(rows)
    }
}

/// The number in a text, if it is one and lies within the range.
pub(super) fn number_within<T: FromStr + PartialOrd>(text: &str, range: &RangeInclusive<T>) -> Option<T> {
    text.parse().ok().filter(|number| range.contains(number))
}
