//! The sparse kernel, for tables beyond the dense budget: rows are sorted by their configuration, and equal ones summed.

use bnc_data::{Code, MISSING};

use super::direct::Direct;
use crate::table::configuration;

/// The configurations that occur among rows with a class, ascending, and their counts by class.
pub(super) fn count(rows: &Direct<'_>) -> (Vec<u128>, Vec<u64>) {
    let weight = |row: usize| rows.weights.map_or(1, |weights| weights[row]);
    let mut cells: Vec<(u128, Code, u32)> = (0..rows.class.len())
        .filter(|&row| rows.class[row] != MISSING && weight(row) > 0)
        .filter_map(|row| {
            let codes = rows.columns.iter().map(|(column, values)| (column[row], *values));
            Some((configuration(codes)?, rows.class[row], weight(row)))
        })
        .collect();
    cells.sort_unstable();
    let (mut configurations, mut runs) = (Vec::new(), Vec::new());
    for (number, class, weight) in cells {
        if configurations.last() != Some(&number) {
            configurations.push(number);
            runs.resize(configurations.len() * rows.classes, 0);
        }
        let run = (configurations.len() - 1) * rows.classes;
        runs[run + usize::from(class)] += u64::from(weight);
    }
    (configurations, runs)
}
