//! The errors of every single super-parent on held-out rows, exactly, from counts less those of the rows.

use std::cmp::Ordering;

use bnc_models::bnc_data::{Code, Dataset, MISSING};
use bnc_models::bnc_stats::Counter;
use bnc_models::{Result, Smoothing, log_sum_exp, most_probable, normalize};
use rayon::prelude::*;

use crate::pairs::{PairCounts, gather};
use crate::tables::{conditionals, marginal};

/// What is held out at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Partition {
    /// One of so many folds.
    Folds(u64),
    /// One row.
    Single,
}

/// Rows that are held out together; a row counts for so many copies of it.
struct Group {
    rows: Vec<(usize, u64)>,
    /// How often such a group occurs.
    repeats: u64,
}

/// For each feature as the super-parent the number of held-out rows whose class it gets wrong.
pub(crate) fn errors_of_super_parents(
    counter: &dyn Counter,
    learner: &str,
    smoothing: Smoothing,
    partition: Partition,
) -> Result<Vec<u64>> {
    const TASKS: usize = 16;
    let rows = counter.rows()?;
    let counts = gather(&*rows, learner)?.counts;
    let groups = groups(&rows, partition);
    let features = rows.features().len();
    let of_task = |groups: &[Group]| {
        let mut counts = counts.clone();
        let mut errors = vec![0; features];
        for group in groups {
            add_errors(&rows, &mut counts, smoothing, group, &mut errors);
        }
        errors
    };
    let tasks: Vec<Vec<u64>> = groups.par_chunks(groups.len().div_ceil(TASKS).max(1)).map(of_task).collect();
    Ok((0..features).map(|parent| tasks.iter().map(|errors| errors[parent]).sum()).collect())
}

/// The groups of a partition, from the rows in the order of class and values, equal rows together.
fn groups(rows: &Dataset, partition: Partition) -> Vec<Group> {
    let compare = |a: &usize, b: &usize| {
        let columns = std::iter::once(rows.class()).chain(rows.features().iter().map(Vec::as_slice));
        columns
            .map(|column| column[*a].cmp(&column[*b]))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    };
    let mut order: Vec<usize> = (0..rows.rows()).collect();
    order.sort_by(compare);
    let copies_of = |row: usize| rows.weights().map_or(1, |weights| u64::from(weights[row]));
    let distinct = order.chunk_by(|a, b| compare(a, b).is_eq()).filter_map(|same| {
        let copies: u64 = same.iter().map(|&row| copies_of(row)).sum();
        (copies > 0).then_some((same[0], copies))
    });
    match partition {
        Partition::Single => {
            distinct.map(|(row, copies)| Group { rows: vec![(row, 1)], repeats: copies }).collect()
        }
        Partition::Folds(folds) => {
            let mut groups: Vec<Group> = (0..folds).map(|_| Group { rows: Vec::new(), repeats: 1 }).collect();
            let mut dealt = 0;
            for (row, copies) in distinct {
                for (fold, group) in (0..folds).zip(&mut groups) {
                    // How many of the first so many copies went to this fold.
                    let of_first = |copies: u64| (copies + folds - 1 - fold) / folds;
                    let own = of_first(dealt + copies) - of_first(dealt);
                    if own > 0 {
                        group.rows.push((row, own));
                    }
                }
                dealt += copies;
            }
            groups
        }
    }
}

fn add_errors(
    rows: &Dataset,
    counts: &mut PairCounts,
    smoothing: Smoothing,
    group: &Group,
    errors: &mut [u64],
) {
    let mut row = vec![MISSING; errors.len()];
    for &(index, copies) in &group.rows {
        rows.row_into(index, &mut row);
        counts.for_each_cell(&row, rows.class()[index], |cell| *cell -= copies);
    }
    let mut posterior = vec![0.0; rows.schema().classes()];
    for &(index, copies) in &group.rows {
        rows.row_into(index, &mut row);
        for (parent, errors) in errors.iter_mut().enumerate() {
            posterior_of(counts, smoothing, &row, parent, &mut posterior);
            if most_probable(&posterior) != rows.class()[index] {
                *errors += copies * group.repeats;
            }
        }
    }
    for &(index, copies) in &group.rows {
        rows.row_into(index, &mut row);
        counts.for_each_cell(&row, rows.class()[index], |cell| *cell += copies);
    }
}

/// The posterior of the network with this super-parent. It is not worth its tables: they would serve few rows.
fn posterior_of(counts: &PairCounts, smoothing: Smoothing, row: &[Code], parent: usize, out: &mut [f64]) {
    let prior: Vec<f64> = smoothing.prior(counts.class()).into_iter().map(f64::ln).collect();
    let values = match row[parent] {
        MISSING => 0..counts.cardinality(parent),
        code => usize::from(code)..usize::from(code) + 1,
    };
    let factors: Vec<Vec<f64>> = (0..row.len())
        .filter(|&feature| feature == parent || row[feature] != MISSING)
        .map(|feature| {
            if feature == parent {
                of_super_parent(counts, smoothing, parent, values.clone())
            } else {
                values
                    .clone()
                    .flat_map(|value| of_child(counts, smoothing, (parent, value), feature, row))
                    .collect()
            }
        })
        .collect();
    for skip_impossible in [false, true] {
        let mut scores: Vec<f64> = values.clone().flat_map(|_| prior.iter().copied()).collect();
        for factor in &factors {
            if skip_impossible && factor.iter().all(|&log| log == f64::NEG_INFINITY) {
                continue;
            }
            scores.iter_mut().zip(factor).for_each(|(score, log)| *score += log);
        }
        for (class, score) in out.iter_mut().enumerate() {
            let of_values: Vec<f64> = scores.iter().skip(class).step_by(prior.len()).copied().collect();
            *score = log_sum_exp(&of_values);
        }
        if normalize(out) {
            return;
        }
    }
    out.copy_from_slice(&prior);
    normalize(out);
}

/// ln P(x | y) of some values of the super-parent, by class.
fn of_super_parent(
    counts: &PairCounts,
    smoothing: Smoothing,
    parent: usize,
    values: std::ops::Range<usize>,
) -> Vec<f64> {
    let classes = counts.class().len();
    let single = counts.single(parent);
    let mut logs = Vec::with_capacity(single.len());
    conditionals(
        single.chunks_exact(classes),
        &marginal(single, classes),
        classes,
        classes as f64,
        smoothing,
        |p| {
            logs.push(p);
        },
    );
    logs[values.start * classes..values.end * classes].iter().map(|p| p.ln()).collect()
}

/// ln P(x | y, value of the super-parent) of a row's value, by class.
fn of_child(
    counts: &PairCounts,
    smoothing: Smoothing,
    (parent, value): (usize, usize),
    child: usize,
    row: &[Code],
) -> Vec<f64> {
    let classes = counts.class().len();
    let pair = counts.pair(parent, child);
    let (own, r) = (counts.cardinality(parent), counts.cardinality(child));
    let marginal = match smoothing {
        Smoothing::Friedman(_) => {
            let of_code = |code| (0..own).map(|value| pair.run(value, code).iter().sum::<u64>()).sum();
            Smoothing::Mle.prior(&(0..r).map(of_code).collect::<Vec<u64>>())
        }
        // No other needs it.
        _ => vec![0.0; r],
    };
    let mut probabilities = Vec::with_capacity(r * classes);
    let runs = (0..r).map(|code| pair.run(value, code));
    conditionals(runs, &marginal, classes, (own * classes) as f64, smoothing, |p| probabilities.push(p));
    let first = usize::from(row[child]) * classes;
    probabilities[first..first + classes].iter().map(|p| p.ln()).collect()
}
