//! The errors of every single super-parent on held-out rows, exactly, from counts less those of the rows.

use std::cmp::Ordering;

use bnc_models::bnc_data::{Code, Dataset, MISSING};
use bnc_models::bnc_stats::{Counter, PairCounts};
use bnc_models::{Result, Smoothing, log_sum_exp, most_probable, normalize};
use rayon::prelude::*;

use crate::pairs::gather;

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
///
/// Sums run in the order of [`Network`](bnc_models::Network), so that classes which tie up to rounding are decided alike: a
/// missing super-parent is summed out before P(y) comes in, and drops out where no other value is known.
fn posterior_of(counts: &PairCounts, smoothing: Smoothing, row: &[Code], parent: usize, out: &mut [f64]) {
    let prior: Vec<f64> = smoothing.prior(counts.class()).into_iter().map(f64::ln).collect();
    let values = match row[parent] {
        MISSING => 0..counts.cardinality(parent),
        code => usize::from(code)..usize::from(code) + 1,
    };
    let is_hidden = row[parent] == MISSING;
    if row.iter().all(|&code| code == MISSING) {
        out.copy_from_slice(&prior);
        normalize(out);
        return;
    }
    let mut factor = Vec::with_capacity(values.len() * prior.len());
    for skip_impossible in [false, true] {
        let mut scores = if is_hidden { vec![0.0; values.len() * prior.len()] } else { prior.clone() };
        for (feature, &code) in row.iter().enumerate() {
            if code == MISSING && feature != parent {
                continue;
            }
            factor.clear();
            for value in values.clone() {
                if feature == parent {
                    push_super_parent(counts, smoothing, (parent, value), &mut factor);
                } else {
                    push_child(counts, smoothing, (parent, value), (feature, usize::from(code)), &mut factor);
                }
            }
            if skip_impossible && factor.iter().all(|&log| log == f64::NEG_INFINITY) {
                continue;
            }
            scores.iter_mut().zip(&factor).for_each(|(score, log)| *score += log);
        }
        for (class, score) in out.iter_mut().enumerate() {
            let of_values: Vec<f64> = scores.iter().skip(class).step_by(prior.len()).copied().collect();
            *score = log_sum_exp(&of_values);
            if is_hidden {
                *score += prior[class];
            }
        }
        if normalize(out) {
            return;
        }
    }
    out.copy_from_slice(&prior);
    normalize(out);
}

/// ln P(x | y) of a value of the super-parent, by class.
fn push_super_parent(
    counts: &PairCounts,
    smoothing: Smoothing,
    (parent, value): (usize, usize),
    logs: &mut Vec<f64>,
) {
    let classes = counts.class().len();
    let r = counts.cardinality(parent);
    let run = |code: usize| &counts.single(parent)[code * classes..(code + 1) * classes];
    let marginal = share(|code| run(code).iter().sum(), value, r);
    push(run, value, r, (classes as f64, marginal), smoothing, logs);
}

/// ln P(x | y, value of the super-parent) of a value of another feature, by class.
fn push_child(
    counts: &PairCounts,
    smoothing: Smoothing,
    (parent, value): (usize, usize),
    (child, code): (usize, usize),
    logs: &mut Vec<f64>,
) {
    let pair = counts.pair(parent, child);
    let (own, r) = (counts.cardinality(parent), counts.cardinality(child));
    let marginal = match smoothing {
        Smoothing::Friedman(_) => {
            share(|code| (0..own).map(|value| pair.run(value, code).iter().sum::<u64>()).sum(), code, r)
        }
        // No other needs it.
        _ => 0.0,
    };
    let q = (own * counts.class().len()) as f64;
    push(|code| pair.run(value, code), code, r, (q, marginal), smoothing, logs);
}

/// The logs of one of r values, from the runs by class of all of them.
fn push<'a>(
    run: impl Fn(usize) -> &'a [u64],
    value: usize,
    r: usize,
    (q, marginal): (f64, f64),
    smoothing: Smoothing,
    logs: &mut Vec<f64>,
) {
    for (class, &n) in run(value).iter().enumerate() {
        let total: u64 = (0..r).map(|value| run(value)[class]).sum();
        logs.push(smoothing.conditional(n as f64, total as f64, r, q, marginal).ln());
    }
}

/// The relative frequency of one of r values.
fn share(count: impl Fn(usize) -> u64, value: usize, r: usize) -> f64 {
    let total: u64 = (0..r).map(&count).sum();
    Smoothing::Mle.conditional(count(value) as f64, total as f64, r, 1.0, 0.0)
}
