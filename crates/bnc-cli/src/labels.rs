//! The labels of variables.

use bnc_data::{Schema, Variable};
use bnc_models::Member;

/// The text of each value, in the order of the codes.
pub(crate) fn labels(variable: &Variable) -> Vec<String> {
    (0..variable.cardinality()).map(|code| variable.domain().label(code as u16).unwrap_or_default()).collect()
}

/// The class labels, in the order of the schema.
pub(crate) fn class_labels(schema: &Schema) -> Vec<String> {
    labels(schema.class())
}

/// The super-parents of a member of an ensemble, joined by commas; empty without any.
pub(crate) fn super_parents(schema: &Schema, member: &Member) -> String {
    let names = member.super_parents.iter().map(|&parent| schema.features()[parent].name());
    names.collect::<Vec<_>>().join(",")
}
