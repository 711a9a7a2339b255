//! The frozen forms in which schemas and encoders stand in files.
//!
//! A wire struct never changes once it is released; a new need makes a `V2` beside it. `docs/format.md` describes
//! the bytes. A file is untrusted input: the way back checks every invariant again.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Code, Domain, Encoder, Error, MISSING, MissingPolicy, Result, Schema, Variable};

/// A [`Schema`] as it stands in a file, version 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SchemaV1 {
    /// The class.
    pub class: VariableV1,
    /// The features, in column order.
    pub features: Vec<VariableV1>,
}

/// A [`Variable`] as it stands in a file, version 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct VariableV1 {
    /// The name.
    pub name: String,
    /// The values.
    pub domain: DomainV1,
}

/// A [`Domain`] as it stands in a file, version 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum DomainV1 {
    /// One label a value.
    Labels(Vec<String>),
    /// Intervals between cut points.
    Intervals {
        /// The cut points, strictly increasing.
        cuts: Vec<f64>,
        /// Whether one more value stands for a missing number.
        missing: bool,
    },
}

/// An [`Encoder`] as it stands in a file, version 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EncoderV1 {
    /// The variables.
    pub schema: SchemaV1,
    /// The policy for missing cells.
    pub missing: MissingPolicyV1,
    /// For each feature the code of a missing cell; `u16::MAX` where it stays missing.
    pub fill: Vec<u16>,
}

/// A [`MissingPolicy`] as it stands in a file, version 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum MissingPolicyV1 {
    /// [`MissingPolicy::Ignore`].
    Ignore,
    /// [`MissingPolicy::Value`].
    Value,
    /// [`MissingPolicy::Mode`].
    Mode,
    /// [`MissingPolicy::Reject`].
    Reject,
}

impl Schema {
    /// The schema as it stands in a file.
    #[must_use]
    pub fn wire(&self) -> SchemaV1 {
        let variable = |variable: &Variable| VariableV1 {
            name: variable.name().into(),
            domain: match variable.domain() {
                Domain::Labels(labels) => DomainV1::Labels(labels.clone()),
                Domain::Intervals { cuts, missing } => {
                    DomainV1::Intervals { cuts: cuts.clone(), missing: *missing }
                }
            },
        };
        SchemaV1 { class: variable(self.class()), features: self.features().iter().map(variable).collect() }
    }

    /// The schema that stands in a file.
    ///
    /// # Errors
    /// [`Error::Shape`] when an invariant of [`Variable::new`] or [`Schema::new`] does not hold.
    pub fn from_wire(wire: SchemaV1) -> Result<Self> {
        let variable = |wire: VariableV1| {
            let domain = match wire.domain {
                DomainV1::Labels(labels) => Domain::Labels(labels),
                DomainV1::Intervals { cuts, missing } => Domain::Intervals { cuts, missing },
            };
            Variable::new(wire.name, domain)
        };
        let schema = || {
            let features = wire.features.into_iter().map(variable).collect::<Result<_>>()?;
            Self::new(variable(wire.class)?, features)
        };
        schema().map_err(|error| Error::Shape(format!("the schema is not valid: {error}")))
    }
}

impl Encoder {
    /// The encoder as it stands in a file.
    #[must_use]
    pub fn wire(&self) -> EncoderV1 {
        EncoderV1 {
            schema: self.schema.wire(),
            missing: match self.missing {
                MissingPolicy::Ignore => MissingPolicyV1::Ignore,
                MissingPolicy::Value => MissingPolicyV1::Value,
                MissingPolicy::Mode => MissingPolicyV1::Mode,
                MissingPolicy::Reject => MissingPolicyV1::Reject,
            },
            fill: self.fill.clone(),
        }
    }

    /// The encoder that stands in a file.
    ///
    /// # Errors
    /// [`Error::Shape`] for a schema that is not valid, and for fill codes that do not fit the schema or the
    /// policy.
    pub fn from_wire(wire: EncoderV1) -> Result<Self> {
        let schema = Arc::new(Schema::from_wire(wire.schema)?);
        let missing = match wire.missing {
            MissingPolicyV1::Ignore => MissingPolicy::Ignore,
            MissingPolicyV1::Value => MissingPolicy::Value,
            MissingPolicyV1::Mode => MissingPolicy::Mode,
            MissingPolicyV1::Reject => MissingPolicy::Reject,
        };
        if wire.fill.len() != schema.features().len() {
            return Err(Error::Shape(format!(
                "{} fill codes for {} features",
                wire.fill.len(),
                schema.features().len()
            )));
        }
        for (variable, &fill) in schema.features().iter().zip(&wire.fill) {
            if !fill_fits(variable, missing, fill) {
                return Err(Error::Shape(format!(
                    "code {fill} cannot stand for a missing cell of '{}'",
                    variable.name()
                )));
            }
        }
        Ok(Self { schema, missing, fill: wire.fill })
    }
}

/// Whether fitting under `policy` can put `fill` in the place of a missing cell of `variable`.
fn fill_fits(variable: &Variable, policy: MissingPolicy, fill: Code) -> bool {
    let codes = variable.cardinality();
    match policy {
        MissingPolicy::Ignore | MissingPolicy::Reject => fill == MISSING,
        MissingPolicy::Mode => usize::from(fill) < codes,
        MissingPolicy::Value => {
            let last = usize::from(fill) == codes - 1;
            match variable.domain() {
                Domain::Labels(_) => fill == MISSING || last,
                Domain::Intervals { missing, .. } => *missing == last && (last || fill == MISSING),
            }
        }
    }
}
