//! The arcs between features: at most one parent each.

use bnc_models::bnc_data::Schema;
use bnc_models::bnc_structure::{ArcConstraints, Structure, constrained_branching, maximum_spanning_forest};
use bnc_models::{Result, bad_constraint};

/// The maximum spanning forest of pairs weighed without a direction, or, where there are constraints, the heaviest
/// branching that obeys them; `weights` and `floor` as for [`maximum_spanning_forest`].
///
/// # Errors
/// [`Error::BadConstraint`](bnc_models::Error::BadConstraint) for two required parents of a feature.
pub(crate) fn forest(
    schema: &Schema,
    weights: &[f64],
    floor: Option<f64>,
    constraints: &ArcConstraints,
) -> Result<Structure> {
    let features = schema.features().len();
    if constraints.is_empty() {
        return Ok(maximum_spanning_forest(features, weights, floor));
    }
    let place = |i: usize, j: usize| pair(features, i.min(j), i.max(j));
    branching(schema, |parent, child| weights[place(parent, child)], floor, constraints)
}

/// The heaviest branching that obeys constraints; see [`constrained_branching`].
///
/// # Errors
/// Those of [`forest`].
pub(crate) fn branching(
    schema: &Schema,
    weight: impl Fn(usize, usize) -> f64,
    floor: Option<f64>,
    constraints: &ArcConstraints,
) -> Result<Structure> {
    let parents = constrained_branching(schema.features().len(), weight, floor, constraints)
        .map_err(|error| bad_constraint(&error, schema))?;
    Ok(Structure::augmented(parents.into_iter().map(|parent| parent.into_iter().collect()).collect())?)
}

/// The place of the pair i < j among all pairs in lexicographic order.
pub(crate) fn pair(features: usize, i: usize, j: usize) -> usize {
    i * features - i * (i + 1) / 2 + j - i - 1
}
