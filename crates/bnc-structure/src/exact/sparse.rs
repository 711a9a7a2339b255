//! Lists of the parent sets that are worth having, where tables are too large.

use std::borrow::Cow;

use rayon::prelude::*;

use super::SubsetScores;
use super::cell::Cell;
use super::families::{BestFamilies, Scorer};
use super::legal::{members, place};
use super::progress::Progress;
use super::transform::maximise;
use crate::Result;

/// Bytes a candidate parent set takes at most: its entry, with room to grow, and the maxima of two sizes of sets.
pub(super) const BYTES_A_SET: u64 = 48;

/// The parent sets of each node that score more than all their subsets: by falling score, then size, then order.
pub(super) struct Sparse(Vec<Vec<(f64, usize)>>);

impl Sparse {
    pub(super) fn new(scorer: &Scorer<'_, impl SubsetScores>, progress: &Progress<'_>) -> Result<Self> {
        let lists = (0..scorer.nodes()).into_par_iter().map(|node| list(scorer, node, progress));
        Ok(Self(lists.collect::<Result<_>>()?))
    }
}

/// The number of candidate parent sets of a node.
pub(super) fn candidates(nodes: usize, max_parents: usize) -> u64 {
    let others = nodes.saturating_sub(1);
    (0..=max_parents.min(others)).map(|size| binomial(others, size) as u64).sum()
}

/// Whether so many candidate sets a node are sure to take less time as lists than as tables (measured).
pub(super) fn is_cheap(nodes: usize, sets: u64) -> bool {
    // Short beside what the sweep does in each of its chunks, and few of all sets.
    sets <= 1 << 18 && sets * 16 <= 1 << nodes.saturating_sub(1)
}

fn list(
    scorer: &Scorer<'_, impl SubsetScores>,
    node: usize,
    progress: &Progress<'_>,
) -> Result<Vec<(f64, usize)>> {
    let required = place(node, scorer.legal.required[node]);
    let free: Vec<usize> = members(place(node, scorer.legal.allowed[node]) ^ required).collect();
    let most = (scorer.legal.max_parents - required.count_ones() as usize).min(free.len());
    let mut list = Vec::new();
    // The maxima over subsets of all sets of one size, in ascending order of their masks.
    let mut maxima: Vec<f64> = Vec::new();
    for size in 0..=most {
        progress.advance(0)?;
        let layer = Combinations::new(free.len(), size).map(|chosen| {
            let smaller =
                ranks_of_smaller(&chosen).map(|rank| maxima[rank]).fold(f64::FORBIDDEN, f64::larger);
            let set = chosen.iter().fold(required, |set, &index| set | 1 << free[index]);
            let score: f64 = scorer.cell(node, set);
            if score > smaller {
                list.push((score, set));
            }
            score.larger(smaller)
        });
        maxima = layer.collect();
    }
    let key = |set: usize| (set.count_ones(), members(set).collect::<Vec<_>>());
    list.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| key(a.1).cmp(&key(b.1))));
    list.shrink_to_fit();
    Ok(list)
}

fn binomial(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, index| product * (n.saturating_sub(index)) / (index + 1))
}

/// Combinations of a size, each as ascending indices, in ascending order of their masks.
struct Combinations {
    of: usize,
    next: Option<Vec<usize>>,
}

impl Combinations {
    fn new(of: usize, size: usize) -> Self {
        Self { of, next: (size <= of).then(|| (0..size).collect()) }
    }
}

impl Iterator for Combinations {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let current = self.next.take()?;
        let mut next = current.clone();
        let end = |index: usize| current.get(index + 1).copied().unwrap_or(self.of);
        // The lowest index that can move up does, and those below it start anew.
        if let Some(moved) = (0..current.len()).find(|&index| current[index] + 1 < end(index)) {
            next[moved] += 1;
            (0..moved).for_each(|index| next[index] = index);
            self.next = Some(next);
        }
        Some(current)
    }
}

/// The ranks, among the combinations of one size less, of a combination without each of its indices.
fn ranks_of_smaller(chosen: &[usize]) -> impl Iterator<Item = usize> {
    (0..chosen.len()).map(|left_out| {
        let rest = chosen.iter().enumerate().filter(|&(index, _)| index != left_out);
        rest.enumerate().map(|(index, (_, &member))| binomial(member, index + 1)).sum()
    })
}

impl BestFamilies for Sparse {
    type Cell = f64;

    fn nodes(&self) -> usize {
        self.0.len()
    }

    fn block(&self, node: usize, first: usize, length: usize) -> Cow<'_, [f64]> {
        let mut block = vec![f64::FORBIDDEN; length];
        let within = first + length - 1;
        for &(score, set) in self.0[node].iter().filter(|(_, set)| set & !within == 0) {
            let entry = &mut block[set & (length - 1)];
            *entry = entry.larger(score);
        }
        maximise(&mut block, 0);
        Cow::Owned(block)
    }

    fn best(&self, node: usize, within: usize) -> f64 {
        self.first(node, within).map_or(f64::FORBIDDEN, |(score, _)| score)
    }

    fn smallest(&self, node: usize, within: usize) -> usize {
        self.first(node, within).map_or(within, |(_, set)| set)
    }
}

impl Sparse {
    fn first(&self, node: usize, within: usize) -> Option<(f64, usize)> {
        self.0[node].iter().copied().find(|(_, set)| set & !within == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_ascend_and_their_ranks_are_their_places() {
        for of in 0..7 {
            for size in 0..=of {
                let all: Vec<Vec<usize>> = Combinations::new(of, size).collect();
                assert_eq!(all.len(), binomial(of, size));
                let mask = |chosen: &Vec<usize>| chosen.iter().fold(0, |mask, index| mask | 1 << index);
                assert!(all.is_sorted_by_key(&mask));
                if size > 0 {
                    let smaller: Vec<Vec<usize>> = Combinations::new(of, size - 1).collect();
                    for chosen in &all {
                        for (left_out, rank) in ranks_of_smaller(chosen).enumerate() {
                            assert_eq!(mask(&smaller[rank]), mask(chosen) ^ 1 << chosen[left_out]);
                        }
                    }
                }
            }
        }
        assert_eq!(candidates(5, 2), 1 + 4 + 6);
        assert_eq!(candidates(32, 40), 1 << 31);
        assert_eq!(candidates(0, 3), 1);
    }
}
