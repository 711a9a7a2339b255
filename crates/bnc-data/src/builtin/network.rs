//! Rows of a random Bayesian network.

use std::ops::RangeInclusive;

use super::numbered;
use super::parameters::{Parameters, number_within};
use super::random::Random;
use crate::{Code, Column, Error, Result};

const ARITY: RangeInclusive<usize> = 2..=1000;

/// The largest number of probabilities in all tables together (512 MiB).
const MAX_PROBABILITIES: usize = 1 << 26;

/// A feature with the class and some earlier features as its parents.
struct Node {
    arity: usize,
    /// Earlier features, ascending.
    parents: Vec<usize>,
    /// For each configuration of the parents (the class slowest, the last parent fastest) the `arity - 1` inner
    /// bounds of its cumulative distribution.
    bounds: Vec<f64>,
}

/// The network is drawn first, feature by feature, then the rows: the class, then the features in order. So
/// the number of rows does not change the network.
pub(super) fn network(parameters: &Parameters) -> Result<Vec<Column>> {
    let features = parameters.number("features", 1..=100_000_usize)?;
    let arities = parameters.get("arity", arity_range)?;
    let parents = parameters.number("parents", 0..=20_usize)?;
    let classes = parameters.number("classes", 2..=1000_usize)?;
    let rows = parameters.rows(features + 1)?;
    let seed = parameters.seed()?;
    let mut random = Random::new(seed);
    let mut nodes: Vec<Node> = Vec::with_capacity(features);
    let mut probabilities = 0_usize;
    for feature in 0..features {
        let arity = arities.start() + random.below(arities.end() - arities.start() + 1);
        let chosen = choose(&mut random, feature, parents);
        let configurations =
            chosen.iter().fold(classes, |size, &parent| size.saturating_mul(nodes[parent].arity));
        let size = configurations.saturating_mul(arity - 1);
        probabilities = probabilities.saturating_add(size);
        if probabilities > MAX_PROBABILITIES {
            return Err(Error::BadParameter {
                parameter: "arity and parents of the built-in set 'network'".into(),
                value: format!("{}-{} and {parents}", arities.start(), arities.end()),
                expected: format!(
                    "fewer, as the tables would hold more than {MAX_PROBABILITIES} probabilities"
                ),
            });
        }
        // Sorted uniform numbers part the unit interval as a uniform draw from the simplex does.
        let mut bounds: Vec<f64> = (0..size).map(|_| random.uniform()).collect();
        for bounds in bounds.chunks_mut(arity - 1) {
            bounds.sort_by(f64::total_cmp);
        }
        nodes.push(Node { arity, parents: chosen, bounds });
    }
    Ok(sample(&nodes, classes, rows, &mut random))
}

fn sample(nodes: &[Node], classes: usize, rows: usize, random: &mut Random) -> Vec<Column> {
    let mut columns = vec![Vec::with_capacity(rows); nodes.len()];
    let mut class = Vec::with_capacity(rows);
    let mut row = vec![0; nodes.len()];
    for _ in 0..rows {
        let label = random.below(classes);
        class.push(label as Code);
        for (feature, node) in nodes.iter().enumerate() {
            let configuration =
                node.parents.iter().fold(label, |index, &parent| index * nodes[parent].arity + row[parent]);
            let width = node.arity - 1;
            let bounds = &node.bounds[configuration * width..][..width];
            let number = random.uniform();
            row[feature] = bounds.partition_point(|&bound| bound <= number);
            columns[feature].push(row[feature] as Code);
        }
    }
    (1..)
        .zip(nodes.iter().zip(columns))
        .map(|(number, (node, codes))| numbered(format!("x{number}"), node.arity, codes))
        .chain([numbered("class", classes, class)])
        .collect()
}

/// `most` of the features before `feature`, or all of them when there are no more; each set equally likely.
fn choose(random: &mut Random, feature: usize, most: usize) -> Vec<usize> {
    // Floyd's method: each step adds a new one.
    let mut chosen: Vec<usize> = Vec::with_capacity(most.min(feature));
    for last in feature.saturating_sub(most)..feature {
        let parent = random.below(last + 1);
        chosen.push(if chosen.contains(&parent) { last } else { parent });
    }
    chosen.sort_unstable();
    chosen
}

/// `3` or `2-4`.
fn arity_range(text: &str) -> Option<RangeInclusive<usize>> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    let (low, high) = (number_within(low, &ARITY)?, number_within(high, &ARITY)?);
    (low <= high).then_some(low..=high)
}
