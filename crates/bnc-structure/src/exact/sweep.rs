//! The best total over every set of nodes, and the way back from it to a graph.

use std::borrow::Cow;

use rayon::prelude::*;

use super::cell::Cell;
use super::families::BestFamilies;
use super::legal::{members, parents_at, place};
use super::progress::Progress;
use crate::{Error, Result};

/// Sets that differ in their lowest nodes only are a chunk, which stays in a core's cache.
const CHUNK_BITS: usize = 14;

/// The best total of a graph over each set of nodes, in units.
pub(super) struct Totals {
    /// The number of low bits that index a chunk.
    bits: usize,
    /// The chunk of each choice of high bits.
    chunks: Vec<Vec<f64>>,
}

impl Totals {
    /// total(U) = max over the sinks i in U of total(U - i) + best(i within U - i); total(∅) = 0.
    pub(super) fn new(families: &impl BestFamilies, progress: &Progress<'_>) -> Result<Self> {
        let nodes = families.nodes();
        let bits = nodes.min(CHUNK_BITS);
        let mut totals = Self { bits, chunks: vec![Vec::new(); 1 << (nodes - bits)] };
        // Chunks with as many high nodes depend on smaller ones only.
        let mut highs: Vec<usize> = (0..totals.chunks.len()).collect();
        highs.sort_by_key(|high| high.count_ones());
        for layer in highs.chunk_by(|a, b| a.count_ones() == b.count_ones()) {
            let chunks: Result<Vec<_>> = layer
                .par_iter()
                .map(|&high| {
                    progress.advance(((2 * u64::from(high.count_ones()) + bits as u64) << bits) / 2)?;
                    Ok(totals.chunk(high, families))
                })
                .collect();
            for (&high, chunk) in layer.iter().zip(chunks?) {
                totals.chunks[high] = chunk;
            }
        }
        Ok(totals)
    }

    /// The totals of the sets with the given high nodes.
    fn chunk(&self, high: usize, families: &impl BestFamilies) -> Vec<f64> {
        let mut chunk = vec![f64::NEG_INFINITY; 1 << self.bits];
        if high == 0 {
            chunk[0] = 0.0;
        }
        for member in members(high) {
            let (node, without) = (member + self.bits, high ^ 1 << member);
            let first = place(node, (without << self.bits) as u32);
            raise(&mut chunk, &self.chunks[without], &families.block(node, first, 1 << self.bits));
        }
        if self.bits > 0 {
            let half = 1 << (self.bits - 1);
            let best: Vec<_> = (0..self.bits).map(|node| families.block(node, high * half, half)).collect();
            settle(&mut chunk, 0, &best);
        }
        chunk
    }

    pub(super) fn of(&self, set: usize) -> f64 {
        self.chunks[set >> self.bits][set & ((1 << self.bits) - 1)]
    }

    /// The parents of each node, as masks: from the full set down the lowest node that can be its last is taken out.
    pub(super) fn walk_back(&self, families: &impl BestFamilies) -> Result<Vec<u32>> {
        let nodes = families.nodes();
        let mut parents = vec![0; nodes];
        let mut set = (1_usize << nodes) - 1;
        while set != 0 {
            let total = self.of(set);
            let is_sink = |&node: &usize| {
                let others = set ^ 1 << node;
                self.of(others) + families.best(node, place(node, others as u32)).units() >= total
            };
            let sink = members(set).find(is_sink).filter(|_| total.is_finite()).ok_or(Error::NoGraph)?;
            set ^= 1 << sink;
            parents[sink] = parents_at(sink, families.smallest(sink, place(sink, set as u32)));
        }
        Ok(parents)
    }
}

/// Takes a node as the last where that is better: `with` and `without` are totals of sets with and without it.
fn raise<T: Cell>(with: &mut [f64], without: &[f64], best: &[T]) {
    for ((with, without), best) in with.iter_mut().zip(without).zip(best) {
        let total = without + best.units();
        *with = if total > *with { total } else { *with };
    }
}

/// Completes the totals of an aligned part of a chunk by its low nodes: first the sets without the highest of them, from
/// those the sets with it, then these among themselves.
fn settle<T: Cell>(part: &mut [f64], first: usize, best: &[Cow<'_, [T]>]) {
    let half = part.len() / 2;
    if half == 0 {
        return;
    }
    let (without, with) = part.split_at_mut(half);
    settle(without, first, best);
    let start = first / 2;
    raise(with, without, &best[half.trailing_zeros() as usize][start..start + half]);
    settle(with, first + half, best);
}
