//! How many graphs are optimal.

use super::SubsetScores;
use super::cell::Cell;
use super::families::{BestFamilies, Scorer};
use super::legal::{members, place};
use super::sweep::Totals;

/// Optimal graphs are counted for up to so many nodes: the work is of order 3^nodes.
pub(super) const MOST_NODES: usize = 12;

/// The number of graphs that reach the best total, if it fits.
///
/// A graph over U is one over U \ W with the sinks W added. Over all non-empty sets W of its sinks the signs
/// (-1)^(|W| + 1) add up to one, so that each graph is counted once.
pub(super) fn count<F: BestFamilies>(
    scorer: &Scorer<'_, impl SubsetScores>,
    families: &F,
    totals: &Totals,
) -> Option<u64> {
    let nodes = families.nodes();
    let choices: Vec<Vec<i128>> = (0..nodes).map(|node| choices(scorer, families, node)).collect();
    let mut counts = vec![0_i128; 1 << nodes];
    counts[0] = 1;
    for set in 1..counts.len() {
        let total = totals.of(set);
        if total.is_finite() {
            counts[set] = subsets(set)
                .filter(|&sinks| sinks != 0)
                .map(|sinks| {
                    let rest = set ^ sinks;
                    let place = |node| place(node, rest as u32);
                    let gain: f64 = members(sinks).map(|node| families.best(node, place(node)).units()).sum();
                    // No term is more than the number of graphs of twelve nodes, about 2^89.
                    let graphs =
                        members(sinks).fold(counts[rest], |graphs, node| graphs * choices[node][place(node)]);
                    let reached = totals.of(rest) + gain >= total;
                    if !reached {
                        0
                    } else if sinks.count_ones() % 2 == 1 {
                        graphs
                    } else {
                        -graphs
                    }
                })
                .sum();
        }
    }
    u64::try_from(counts[counts.len() - 1]).ok()
}

/// The number of parent sets of a node with the best score within each set.
fn choices<F: BestFamilies>(scorer: &Scorer<'_, impl SubsetScores>, families: &F, node: usize) -> Vec<i128> {
    let places = 1_usize << (families.nodes() - 1);
    let scores: Vec<F::Cell> = (0..places).map(|place| scorer.cell(node, place)).collect();
    let count = |within| subsets(within).filter(|&set| scores[set] >= families.best(node, within)).count();
    (0..places).map(|within| count(within) as i128).collect()
}

/// All subsets of a mask.
fn subsets(mask: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(mask), move |&subset| (subset != 0).then(|| (subset - 1) & mask))
}
