//! What graphs score on held-out folds.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::McDagScore;
use super::folds::Folds;
use super::operators::Operator;

/// The equivalent sample size of the probabilities.
pub(super) const EQUIVALENT_SAMPLE_SIZE: f64 = 1.0;

/// How good a graph is; compared in the order of the fields.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(super) struct Merit {
    /// The number of held-out rows whose class is the most probable one; 0 where accuracy is not the score.
    pub(super) right: f64,
    /// The conditional log likelihood of the held-out rows.
    pub(super) likelihood: f64,
}

/// What the likelihood must rise by, in nats, where the accuracy stays as it is: less is no reason for another arc.
const WORTHWHILE: f64 = 1.0;

impl Merit {
    /// Whether this is reason enough to leave the other graph.
    pub(super) fn exceeds(self, other: Self, score: McDagScore, rows: u64) -> bool {
        let least = match score {
            McDagScore::Accuracy => WORTHWHILE,
            // More than rounding.
            McDagScore::ConditionalLogLikelihood => (1e-12 * rows as f64).max(1e-9),
        };
        self.right > other.right || (self.right >= other.right && self.likelihood > other.likelihood + least)
    }

    /// Whether accuracy is the score, and every row is predicted right.
    pub(super) fn is_perfect(self, rows: u64) -> bool {
        self.right >= rows as f64
    }
}

/// The class scores of every held-out row under a graph whose probabilities come from the other folds.
pub(super) struct HeldOut<'a> {
    folds: &'a Folds,
    score: McDagScore,
    /// P(x, y) by row and class, relative to the largest of the row.
    joint: Vec<f64>,
}

impl<'a> HeldOut<'a> {
    /// The scores of a graph in which the class has no parents.
    pub(super) fn new(folds: &'a Folds, score: McDagScore, graph: &[Vec<usize>]) -> Self {
        let classes = folds.rows.classes();
        let factors = graph.par_iter().enumerate().map(|(node, parents)| factor(folds, node, parents));
        let mut logs = vec![0.0; folds.rows.len() * classes];
        for factor in factors.collect::<Vec<_>>().into_iter().flatten() {
            logs.iter_mut().zip(factor).for_each(|(sum, value)| *sum += value.ln());
        }
        for row in logs.chunks_exact_mut(classes) {
            let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            // However improbable, a class stays above 0, with room for the factors to come.
            for log in row {
                *log = (*log - largest).max(-600.0).exp();
            }
        }
        Self { folds, score, joint: logs }
    }

    /// What the graph itself scores.
    pub(super) fn current(&self) -> Merit {
        self.total(&self.joint, None)
    }

    /// What each operator leads to, in their order: P(x, y) times the new factor of its child, divided by the old one.
    pub(super) fn scores(&self, operators: &[Operator]) -> Vec<Merit> {
        let mut by_family = BTreeMap::<(usize, &[usize]), Vec<usize>>::new();
        for (place, operator) in operators.iter().enumerate() {
            by_family.entry((operator.child, &operator.before)).or_default().push(place);
        }
        let by_family: Vec<_> = by_family.into_iter().collect();
        let scores = by_family.par_iter().map(|((child, before), places)| {
            let mut rest = self.joint.clone();
            if let Some(old) = factor(self.folds, *child, before) {
                rest.iter_mut().zip(old).for_each(|(value, old)| *value /= old);
            }
            let score = |&place: &usize| {
                let new = factor(self.folds, *child, &operators[place].after);
                (place, self.total(&rest, new.as_deref()))
            };
            places.iter().map(score).collect::<Vec<(usize, Merit)>>()
        });
        let mut all = vec![None; operators.len()];
        for (place, merit) in scores.collect::<Vec<_>>().into_iter().flatten() {
            all[place] = Some(merit);
        }
        all.into_iter().flatten().collect()
    }

    fn total(&self, joint: &[f64], factor: Option<&[f64]>) -> Merit {
        let classes = self.folds.rows.classes();
        let mut product = vec![0.0; classes];
        let mut merit = Merit { right: 0.0, likelihood: 0.0 };
        for (row, (class, weight)) in self.folds.rows.labels().enumerate() {
            let here = row * classes..(row + 1) * classes;
            product.copy_from_slice(&joint[here.clone()]);
            if let Some(factor) = factor {
                product.iter_mut().zip(&factor[here]).for_each(|(value, factor)| *value *= factor);
            }
            merit.likelihood += weight * (product[class] / product.iter().sum::<f64>()).ln();
            if self.score == McDagScore::Accuracy && predicted(&product) == Some(class) {
                merit.right += weight;
            }
        }
        merit
    }
}

/// The lowest of the most probable classes; those that tie in exact arithmetic tie here, whichever way they were computed.
fn predicted(joint: &[f64]) -> Option<usize> {
    let largest = joint.iter().copied().fold(0.0, f64::max);
    joint.iter().position(|&value| value >= largest * (1.0 - 1e-12))
}

/// P(node | parents, y) of each row's own values by row and class, from the rows of the other folds (expected a posteriori
/// under BDeu); `None` where it does not depend on the class.
fn factor(folds: &Folds, node: usize, parents: &[usize]) -> Option<Vec<f64>> {
    let rows = &folds.rows;
    let (class, classes) = (rows.class(), rows.classes());
    if node != class && !parents.contains(&class) {
        return None;
    }
    let groups = rows.groups(parents);
    // The class itself is counted as a run of one group; a feature as a cell of its group.
    let cells = if node == class { groups.clone() } else { rows.refine(&groups, node) };
    let configurations: f64 = parents.iter().map(|&parent| rows.cardinalities[parent] as f64).product();
    let prior = EQUIVALENT_SAMPLE_SIZE / configurations;
    let share = prior / rows.cardinalities[node] as f64;
    let mut counts = vec![0.0; cells.count * classes];
    let mut totals = vec![0.0; groups.count * classes];
    let labels: Vec<(usize, f64)> = rows.labels().collect();
    let add = |counts: &mut [f64], totals: &mut [f64], row: usize, sign: f64| {
        let (y, weight) = labels[row];
        counts[cells.ids[row] as usize * classes + y] += sign * weight;
        if node == class {
            for total in totals {
                *total += sign * weight;
            }
        } else {
            totals[groups.ids[row] as usize * classes + y] += sign * weight;
        }
    };
    (0..rows.len()).for_each(|row| add(&mut counts, &mut totals, row, 1.0));
    let mut values = vec![0.0; rows.len() * classes];
    for range in &folds.ranges {
        range.clone().for_each(|row| add(&mut counts, &mut totals, row, -1.0));
        for row in range.clone() {
            let (cell, group) = (cells.ids[row] as usize * classes, groups.ids[row] as usize * classes);
            for y in 0..classes {
                values[row * classes + y] = (counts[cell + y] + share) / (totals[group + y] + prior);
            }
        }
        range.clone().for_each(|row| add(&mut counts, &mut totals, row, 1.0));
    }
    Some(values)
}
