//! The rows that structures are learnt from.

use bnc_models::bnc_data::{Dataset, MISSING};
use bnc_models::bnc_stats::{Counter, LocalScore};
use bnc_models::bnc_structure::Structure;
use bnc_models::{Error, Network, Result, Smoothing, StructureScore};

/// The labelled rows in which every feature is known: those that scores are computed from, so that every family is
/// scored on the same rows.
///
/// # Errors
/// [`Error::NoLabelledRows`], and those of reading.
pub(crate) fn complete_rows(counter: &dyn Counter) -> Result<Dataset> {
    let rows = counter.rows()?;
    let labelled = |row: &usize| rows.class()[*row] != MISSING && weight(&rows, *row) > 0;
    if !(0..rows.rows()).any(|row| labelled(&row)) {
        return Err(Error::NoLabelledRows);
    }
    let complete =
        |row: &usize| labelled(row) && rows.features().iter().all(|column| column[*row] != MISSING);
    Ok(rows.select(&(0..rows.rows()).filter(complete).collect::<Vec<_>>()))
}

fn weight(rows: &Dataset, row: usize) -> u32 {
    rows.weights().map_or(1, |weights| weights[row])
}

/// The network of a structure learnt by a score, with its score on the complete rows and probabilities from all rows.
///
/// # Errors
/// Those of counting and of [`Network::fit`].
pub(crate) fn finish(
    counter: &dyn Counter,
    rows: &Dataset,
    structure: Structure,
    score: LocalScore,
    smoothing: Smoothing,
    optima: Option<u64>,
) -> Result<Network> {
    let scored = StructureScore { optima, ..StructureScore::of(rows, &structure, score)? };
    Ok(Network::fit(counter, structure, smoothing, smoothing)?.with_score(scored))
}
