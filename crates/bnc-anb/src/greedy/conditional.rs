//! The conditional log likelihood of the class, with maximum likelihood estimates.

use std::collections::BTreeMap;

use bnc_models::Result;
use rayon::prelude::*;

use super::climb::Objective;
use super::graph::{Graph, Operator};
use super::rows::{Groups, Rows};

/// CLL = Σ ln P(y | x) over the rows, less a penalty for each free parameter.
///
/// Only the factors of the class's Markov blanket depend on the class: P(class | parents) and those of the class's
/// children. The matrix of ln P(x, y') by row and class y' is built once a step; for each candidate the changed factors
/// alone are replaced, in O(N c).
///
/// A configuration of parents that was never seen has the uniform distribution. Its own class is possible for every row;
/// where others are not, their factors of 0 are counted beside the sums of the logarithms, so that a 0 can be taken out.
pub(crate) struct Conditional<'a> {
    rows: &'a Rows,
    /// In nats.
    penalty: f64,
}

/// P(node | parents) of each row's own values, under every class.
struct Factor {
    /// The run of each row.
    cells: Vec<u32>,
    /// Runs of one number a class.
    values: Vec<f64>,
}

/// The product of all factors, by row and class.
struct Joint {
    /// For each node its factor, where it depends on the class.
    factors: Vec<Option<Factor>>,
    /// The sum of the logarithms of the factors above 0.
    logs: Vec<f64>,
    /// The number of factors that are 0.
    zeros: Vec<u32>,
}

/// The joint without some factors, for each row relative to its most probable class.
struct Rest {
    logs: Vec<f64>,
    /// exp(logs).
    weights: Vec<f64>,
}

impl<'a> Conditional<'a> {
    pub(crate) fn new(rows: &'a Rows, penalty: f64) -> Self {
        Self { rows, penalty }
    }

    fn factor(&self, node: usize, parents: &[usize]) -> Option<Factor> {
        self.factor_of(node, parents, || self.rows.groups(parents))
    }

    /// As [`Conditional::factor`], from the configurations of the parents.
    fn factor_of(&self, node: usize, parents: &[usize], groups: impl Fn() -> Groups) -> Option<Factor> {
        let class = self.rows.class();
        if node == class {
            return Some(self.class_factor(groups()));
        }
        parents.contains(&class).then(|| self.feature_factor(node, &groups()))
    }

    fn class_factor(&self, groups: Groups) -> Factor {
        let classes = self.rows.classes();
        let mut values = vec![0.0; groups.count * classes];
        for (&group, (class, weight)) in groups.ids.iter().zip(self.rows.labels()) {
            values[group as usize * classes + class] += weight;
        }
        for run in values.chunks_exact_mut(classes) {
            let total: f64 = run.iter().sum();
            if total > 0.0 {
                for value in run {
                    *value /= total;
                }
            }
        }
        Factor { cells: groups.ids, values }
    }

    fn feature_factor(&self, node: usize, groups: &Groups) -> Factor {
        let classes = self.rows.classes();
        let cells = self.rows.refine(groups, node);
        let mut values = vec![0.0; cells.count * classes];
        let mut totals = vec![0.0; groups.count * classes];
        let mut group_of = vec![None; cells.count];
        for ((&cell, &group), (class, weight)) in cells.ids.iter().zip(&groups.ids).zip(self.rows.labels()) {
            values[cell as usize * classes + class] += weight;
            totals[group as usize * classes + class] += weight;
            group_of[cell as usize] = Some(group as usize);
        }
        let unseen = 1.0 / self.rows.cardinalities[node] as f64;
        for (run, group) in values.chunks_exact_mut(classes).zip(group_of) {
            let Some(group) = group else { continue };
            for (value, &total) in run.iter_mut().zip(&totals[group * classes..]) {
                *value = if total > 0.0 { *value / total } else { unseen };
            }
        }
        Factor { cells: cells.ids, values }
    }

    fn joint(&self, graph: &Graph) -> Joint {
        let classes = self.rows.classes();
        let factors: Vec<Option<Factor>> =
            (0..graph.nodes()).into_par_iter().map(|node| self.factor(node, graph.parents(node))).collect();
        let mut joint = Joint {
            factors: Vec::new(),
            logs: vec![0.0; self.rows.len() * classes],
            zeros: vec![0; self.rows.len() * classes],
        };
        for factor in factors.iter().flatten() {
            let logs: Vec<f64> = factor.values.iter().map(|value| value.ln()).collect();
            let places = joint.logs.chunks_exact_mut(classes).zip(joint.zeros.chunks_exact_mut(classes));
            for ((sums, zeros), &cell) in places.zip(&factor.cells) {
                for ((sum, zeros), &log) in sums.iter_mut().zip(zeros).zip(&logs[cell as usize * classes..]) {
                    if log == f64::NEG_INFINITY {
                        *zeros += 1;
                    } else {
                        *sum += log;
                    }
                }
            }
        }
        joint.factors = factors;
        joint
    }

    /// The joint without the factors of some nodes.
    fn rest(&self, joint: &Joint, nodes: impl Iterator<Item = usize>) -> Rest {
        let classes = self.rows.classes();
        let mut logs = joint.logs.clone();
        let mut zeros = joint.zeros.clone();
        for factor in nodes.filter_map(|node| joint.factors[node].as_ref()) {
            let runs = logs.chunks_exact_mut(classes).zip(zeros.chunks_exact_mut(classes));
            for ((sums, zeros), &cell) in runs.zip(&factor.cells) {
                let values = &factor.values[cell as usize * classes..];
                for ((sum, zeros), &value) in sums.iter_mut().zip(zeros).zip(values) {
                    if value > 0.0 {
                        *sum -= value.ln();
                    } else {
                        *zeros -= 1;
                    }
                }
            }
        }
        for (sums, zeros) in logs.chunks_exact_mut(classes).zip(zeros.chunks_exact(classes)) {
            for (sum, _) in sums.iter_mut().zip(zeros).filter(|(_, zeros)| **zeros > 0) {
                *sum = f64::NEG_INFINITY;
            }
            let largest = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            for sum in sums {
                *sum -= largest;
            }
        }
        Rest { weights: logs.iter().map(|log| log.exp()).collect(), logs }
    }

    /// Σ ln P(y | x) of the joint whose other factors are these.
    fn conditional(&self, rest: &Rest, factors: &[Factor]) -> f64 {
        let classes = self.rows.classes();
        let mut product = vec![1.0; classes];
        let mut sum = 0.0;
        for (row, (class, weight)) in self.rows.labels().enumerate() {
            let run = |factor: &'_ Factor| factor.cells[row] as usize * classes;
            if let Some((first, others)) = factors.split_first() {
                product.copy_from_slice(&first.values[run(first)..][..classes]);
                for factor in others {
                    product.iter_mut().zip(&factor.values[run(factor)..]).for_each(|(p, value)| *p *= value);
                }
            }
            let here = row * classes..(row + 1) * classes;
            let total: f64 = rest.weights[here.clone()].iter().zip(&product).map(|(w, p)| w * p).sum();
            let logs = &rest.logs[here];
            let share = product[class] / total;
            sum += weight
                * if share.is_finite() && product[class] >= f64::MIN_POSITIVE {
                    logs[class] + share.ln()
                } else {
                    log_share(logs, &product, class)
                };
        }
        sum
    }

    fn parameters(&self, node: usize, parents: &[usize]) -> f64 {
        let configurations: f64 =
            parents.iter().map(|&parent| self.rows.cardinalities[parent] as f64).product();
        (self.rows.cardinalities[node] as f64 - 1.0) * configurations
    }
}

/// ln of a class's share where all the weights of the possible classes underflow.
fn log_share(logs: &[f64], product: &[f64], class: usize) -> f64 {
    let sums: Vec<f64> = logs.iter().zip(product).map(|(log, p)| log + p.ln()).collect();
    sums[class] - bnc_models::log_sum_exp(&sums)
}

impl Objective for Conditional<'_> {
    fn gains(&mut self, graph: &Graph, operators: &[Operator]) -> Result<Vec<f64>> {
        let joint = self.joint(graph);
        let current = self.conditional(&self.rest(&joint, std::iter::empty()), &[]);
        // The operators that change the same nodes need the same rest.
        let mut by_nodes = BTreeMap::<Vec<usize>, Vec<usize>>::new();
        for (place, operator) in operators.iter().enumerate() {
            by_nodes.entry(operator.toggles().map(|(node, _)| node).collect()).or_default().push(place);
        }
        let by_nodes: Vec<(Vec<usize>, Vec<usize>)> = by_nodes.into_iter().collect();
        let gains = by_nodes.par_iter().map(|(nodes, places)| {
            let rest = self.rest(&joint, nodes.iter().copied());
            let configurations: Vec<Groups> =
                nodes.iter().map(|&node| self.rows.groups(graph.parents(node))).collect();
            let gain = |&place: &usize| {
                let mut parameters = 0.0;
                let mut factors = Vec::new();
                let mut same = true;
                for ((node, other), groups) in operators[place].toggles().zip(&configurations) {
                    let parents = graph.toggled(node, other);
                    parameters +=
                        self.parameters(node, &parents) - self.parameters(node, graph.parents(node));
                    let added = other != self.rows.class() && parents.len() > graph.parents(node).len();
                    let groups = || {
                        if added { self.rows.refine(groups, other) } else { self.rows.groups(&parents) }
                    };
                    let factor = self.factor_of(node, &parents, groups);
                    same &= factor.is_none() && joint.factors[node].is_none();
                    factors.extend(factor);
                }
                let fit = if same { 0.0 } else { self.conditional(&rest, &factors) - current };
                (place, fit - self.penalty * parameters)
            };
            places.iter().map(gain).collect::<Vec<(usize, f64)>>()
        });
        let mut all = vec![0.0; operators.len()];
        for (place, gain) in gains.collect::<Vec<_>>().into_iter().flatten() {
            all[place] = gain;
        }
        Ok(all)
    }
}
