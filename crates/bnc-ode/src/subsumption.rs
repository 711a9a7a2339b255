//! Subsumption resolution (Zheng and Webb 2006).

use bnc_models::bnc_data::{Code, MISSING};
use bnc_models::bnc_stats::PairCounts;

/// The row with the generalisations of its other values made missing: `x_i` generalises `x_j` when `F(x_j) = F(x_i, x_j)`,
/// and `x_j` must have been seen `least` times (and at all). Of two values that generalise each other the one of the lower
/// feature is kept.
pub(crate) fn without_generalisations(counts: &PairCounts, row: &[Code], least: u64) -> Vec<Code> {
    let known: Vec<(usize, Code, u64)> = row
        .iter()
        .enumerate()
        .filter(|(_, code)| **code != MISSING)
        .map(|(feature, &code)| (feature, code, counts.frequency(feature, code)))
        .collect();
    let mut kept = row.to_vec();
    for &(i, value, frequency) in &known {
        let special = |&&(j, other, seen): &&(usize, Code, u64)| {
            i != j
                && seen >= least.max(1)
                && (seen < frequency || seen == frequency && j < i)
                && counts.pair(i, j).run(usize::from(value), usize::from(other)).iter().sum::<u64>() == seen
        };
        if known.iter().find(special).is_some() {
            kept[i] = MISSING;
        }
    }
    kept
}
