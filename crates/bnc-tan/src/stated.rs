//! What a learner states of the structure that it found.

use bnc_models::bnc_stats::{Child, Counter, Table};
use bnc_models::bnc_structure::Structure;
use bnc_models::{Network, Result, StructureScore};

/// The score of a structure without an equivalent sample size: the sum over its families, each over the rows that know
/// it.
///
/// # Errors
/// Those of counting.
pub(crate) fn stated_score(
    counter: &dyn Counter,
    structure: &Structure,
    name: &str,
    of_family: impl Fn(&Table, Child) -> f64,
) -> Result<StructureScore> {
    let tables = counter.count(&Network::plan(structure))?;
    let count = structure.features().len();
    let features = tables
        .iter()
        .take(count)
        .enumerate()
        .map(|(feature, table)| of_family(table, Child::Feature(feature)));
    let features: f64 = features.sum();
    let class = tables.get(count).map_or(0.0, |table| of_family(table, Child::Class));
    Ok(StructureScore {
        name: name.into(),
        equivalent_sample_size: None,
        rows: tables.get(count).map_or(0, Table::total),
        features,
        total: features + class,
        optima: None,
    })
}
