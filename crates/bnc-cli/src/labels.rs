//! The labels of variables.

use bnc_data::{Schema, Variable};

/// The text of each value, in the order of the codes.
pub(crate) fn labels(variable: &Variable) -> Vec<String> {
    (0..variable.cardinality()).map(|code| variable.domain().label(code as u16).unwrap_or_default()).collect()
}

/// The class labels, in the order of the schema.
pub(crate) fn class_labels(schema: &Schema) -> Vec<String> {
    labels(schema.class())
}
