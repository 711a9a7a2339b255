//! Variables, their values, and the schema of a table.

use crate::{Error, Result};

/// The index of a value in its variable's domain; [`MISSING`] marks a missing value.
pub type Code = u16;

/// The code of a missing value.
pub const MISSING: Code = Code::MAX;

/// The largest number of values a variable can have.
pub const MAX_VALUES: usize = Code::MAX as usize;

/// The values that a variable can take.
#[derive(Debug, Clone, PartialEq)]
pub enum Domain {
    /// One label a value, in declared order (or, where nothing is declared, in natural order).
    Labels(Vec<String>),
    /// The intervals between strictly increasing cut points; `n` cuts make `n + 1` intervals.
    /// A number equal to a cut belongs to the interval on its left.
    Intervals {
        /// The cut points.
        cuts: Vec<f64>,
        /// Whether one more value, the last, stands for a missing number.
        missing: bool,
    },
}

impl Domain {
    /// The number of values; at least 1.
    #[must_use]
    pub fn cardinality(&self) -> usize {
        match self {
            Self::Labels(labels) => labels.len(),
            Self::Intervals { cuts, missing } => cuts.len() + 1 + usize::from(*missing),
        }
    }

    /// Intervals between cut points, without a value for missing numbers.
    #[must_use]
    pub fn intervals(cuts: Vec<f64>) -> Self {
        Self::Intervals { cuts, missing: false }
    }

    /// The value's text: its label, its interval as `(low, high]`, or `?` for the value that stands for missing
    /// numbers.
    ///
    /// # Examples
    /// ```
    /// use bnc_data::Domain;
    /// let domain = Domain::intervals(vec![0.5, 2.0]);
    /// assert_eq!(domain.label(1).as_deref(), Some("(0.5, 2]"));
    /// assert_eq!(domain.label(3), None);
    /// ```
    #[must_use]
    pub fn label(&self, code: Code) -> Option<String> {
        let code = usize::from(code);
        match self {
            Self::Labels(labels) => labels.get(code).cloned(),
            Self::Intervals { cuts, missing } if code > cuts.len() => {
                (*missing && code == cuts.len() + 1).then(|| "?".into())
            }
            Self::Intervals { cuts, .. } => {
                let low = code.checked_sub(1).map_or("-inf".into(), |i| cuts[i].to_string());
                Some(match cuts.get(code) {
                    Some(high) => format!("({low}, {high}]"),
                    None => format!("({low}, inf)"),
                })
            }
        }
    }

    /// The interval of a number: how many cuts lie strictly below it.
    /// `NaN` is missing; a domain of labels has no intervals and yields [`MISSING`] too.
    #[must_use]
    pub fn interval(&self, number: f64) -> Code {
        match self {
            Self::Intervals { cuts, .. } if !number.is_nan() => {
                cuts.partition_point(|&cut| cut < number) as Code
            }
            _ => MISSING,
        }
    }
}

/// A named variable with its domain.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    name: String,
    domain: Domain,
}

impl Variable {
    /// A variable over `domain`.
    ///
    /// # Errors
    /// [`Error::NoValues`] for an empty list of labels, [`Error::TooManyValues`] beyond [`MAX_VALUES`],
    /// [`Error::DuplicateLabel`] for a repeated label, [`Error::BadCuts`] unless cuts are finite and
    /// strictly increasing.
    pub fn new(name: impl Into<String>, domain: Domain) -> Result<Self> {
        let name = name.into();
        match &domain {
            Domain::Labels(labels) => {
                if labels.is_empty() {
                    return Err(Error::NoValues { variable: name });
                }
                let mut sorted: Vec<&str> = labels.iter().map(String::as_str).collect();
                sorted.sort_unstable();
                if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                    return Err(Error::DuplicateLabel { label: pair[0].into(), variable: name });
                }
            }
            Domain::Intervals { cuts, .. } => {
                let increasing = cuts.windows(2).all(|pair| pair[0] < pair[1]);
                if !increasing || cuts.iter().any(|cut| !cut.is_finite()) {
                    return Err(Error::BadCuts { variable: name });
                }
            }
        }
        if domain.cardinality() > MAX_VALUES {
            return Err(Error::TooManyValues { variable: name, limit: MAX_VALUES });
        }
        Ok(Self { name, domain })
    }

    /// The variable's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The variable's values.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The number of values; at least 1.
    #[must_use]
    pub fn cardinality(&self) -> usize {
        self.domain.cardinality()
    }
}

/// The class and the features of a table, each with its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    class: Variable,
    features: Vec<Variable>,
}

impl Schema {
    /// A schema of a class and any number of features.
    ///
    /// # Errors
    /// [`Error::DuplicateColumn`] when two variables share a name, [`Error::NumericClass`] when the class
    /// is made of intervals.
    pub fn new(class: Variable, features: Vec<Variable>) -> Result<Self> {
        if matches!(class.domain, Domain::Intervals { .. }) {
            return Err(Error::NumericClass { column: class.name });
        }
        let mut names: Vec<&str> = features.iter().chain([&class]).map(Variable::name).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::DuplicateColumn { column: pair[0].into() });
        }
        Ok(Self { class, features })
    }

    /// The class variable.
    #[must_use]
    pub fn class(&self) -> &Variable {
        &self.class
    }

    /// The feature variables, in column order.
    #[must_use]
    pub fn features(&self) -> &[Variable] {
        &self.features
    }

    /// The number of classes.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.class.cardinality()
    }

    /// The number of values of feature `feature`.
    ///
    /// # Panics
    /// When there is no such feature.
    #[must_use]
    pub fn cardinality(&self, feature: usize) -> usize {
        self.features[feature].cardinality()
    }
}
