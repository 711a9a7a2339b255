//! How large a model's structure is.

use bnc_data::Schema;
use bnc_models::{Classifier, Member};

use crate::text::counted;

/// The structure's size in words: arcs between features and free parameters, of all members of an ensemble.
pub(crate) fn describe(classifier: &dyn Classifier) -> String {
    let members = classifier.members();
    let arcs: usize = members.iter().map(|member| member.structure.arcs().count()).sum();
    let parameters = members
        .iter()
        .fold(0_u64, |sum, member| sum.saturating_add(free_parameters(classifier.schema(), member)));
    let ensemble = match members.as_slice() {
        [] => return "none of its own".into(),
        [member, ..] if member.super_parents.is_empty() => String::new(),
        _ => format!("{}, ", counted(members.len() as u64, "estimator")),
    };
    format!(
        "{ensemble}{} between features, {}",
        counted(arcs as u64, "arc"),
        counted(parameters, "free parameter")
    )
}

/// The number of free parameters of a member's tables.
pub(crate) fn free_parameters(schema: &Schema, member: &Member) -> u64 {
    let product = |features: &[usize]| {
        features
            .iter()
            .fold(1_u64, |product, &feature| product.saturating_mul(schema.cardinality(feature) as u64))
    };
    let classes = schema.classes() as u64;
    let families = member.structure.features().iter().enumerate();
    let features = families.map(|(feature, family)| {
        let by_class = if family.class { classes } else { 1 };
        (product(&family.parents).saturating_mul(by_class))
            .saturating_mul(schema.cardinality(feature) as u64 - 1)
    });
    let class = product(member.structure.class_parents()).saturating_mul(classes - 1);
    features.fold(class, u64::saturating_add)
}
