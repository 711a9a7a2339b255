//! What a learner says of the structure that it found.

use bnc_models::StructureScore;

use crate::text::counted;

/// The score in words.
pub(crate) fn describe(score: &StructureScore) -> String {
    let size = score.equivalent_sample_size.map(|size| format!(" (equivalent sample size {size})"));
    let optima = match score.optima {
        Some(1) => "; no other structure reaches it".into(),
        Some(optima) => format!("; {optima} structures reach it"),
        None => String::new(),
    };
    format!(
        "{}{} of {}, features {:.3}, with the class {:.3} (natural logs, greater is better){optima}",
        score.name,
        size.unwrap_or_default(),
        counted(score.rows, "row"),
        score.features,
        score.total
    )
}
