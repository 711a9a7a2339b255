//! What graphs score on held-out folds.

use std::collections::BTreeMap;

use bnc_models::most_probable;
use rayon::prelude::*;

use super::McDagScore;
use super::folds::Folds;
use super::operators::Operator;

/// The equivalent sample size of the probabilities.
pub(super) const EQUIVALENT_SAMPLE_SIZE: f64 = 1.0;

/// The class scores of every held-out row under a graph whose probabilities come from the other folds.
pub(super) struct HeldOut<'a> {
    folds: &'a Folds,
    score: McDagScore,
    /// P(x, y) by row and class, divided by the largest of the row.
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
            // A class that is less probable than any other by e^700 stays above 0.
            row.iter_mut().for_each(|log| *log = (*log - largest).max(-700.0).exp());
        }
        Self { folds, score, joint: logs }
    }

    /// What the graph itself scores.
    pub(super) fn current(&self) -> f64 {
        self.total(&self.joint, None)
    }

    /// What each operator leads to: P(x, y) times the new factor of its child, divided by the old one.
    pub(super) fn scores(&self, operators: &[Operator]) -> Vec<f64> {
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
            places.iter().map(score).collect::<Vec<(usize, f64)>>()
        });
        let mut all = vec![0.0; operators.len()];
        for (place, score) in scores.collect::<Vec<_>>().into_iter().flatten() {
            all[place] = score;
        }
        all
    }

    /// The number of rows whose class is the most probable one, or the sum of the logarithms of its probability.
    fn total(&self, joint: &[f64], factor: Option<&[f64]>) -> f64 {
        let classes = self.folds.rows.classes();
        let mut product = vec![0.0; classes];
        let mut sum = 0.0;
        for (row, (class, weight)) in self.folds.rows.labels().enumerate() {
            let here = row * classes..(row + 1) * classes;
            product.copy_from_slice(&joint[here.clone()]);
            if let Some(factor) = factor {
                product.iter_mut().zip(&factor[here]).for_each(|(value, factor)| *value *= factor);
            }
            sum += weight
                * match self.score {
                    McDagScore::Accuracy => f64::from(u8::from(usize::from(most_probable(&product)) == class)),
                    McDagScore::ConditionalLogLikelihood => (product[class] / product.iter().sum::<f64>()).ln(),
                };
        }
        sum
    }
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
            totals.iter_mut().for_each(|total| *total += sign * weight);
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
