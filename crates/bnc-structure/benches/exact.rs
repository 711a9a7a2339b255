//! Exact search with scores that cost next to nothing, so that what is timed is the search alone. Set `BNC_BENCH_NODES`
//! for another number of nodes (each takes twice the memory: 25 nodes 3.6 GB) and `BNC_BENCH_BUDGET` for another number
//! of bytes.

#![allow(clippy::expect_used, reason = "a benchmark without its result is none")]

use std::hint::black_box;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use bnc_structure::{ArcConstraints, ExactSearch, SubsetScores};
use criterion::{Criterion, criterion_group, criterion_main};

/// Differences of one function of sets, like scores that do not tell equivalent graphs apart.
struct Differences {
    nodes: usize,
    of_sets: Vec<f64>,
}

impl Differences {
    fn new(nodes: usize) -> Self {
        let of_set = |set: usize| {
            let noise = (set as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            -100.0 * f64::from(set.count_ones()).sqrt() - noise as f64 * 1e-7
        };
        Self { nodes, of_sets: (0..1 << nodes).map(of_set).collect() }
    }
}

impl SubsetScores for Differences {
    fn nodes(&self) -> usize {
        self.nodes
    }

    fn score(&self, node: usize, parents: u32) -> f64 {
        self.of_sets[parents as usize | 1 << node] - self.of_sets[parents as usize]
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

fn searching(criterion: &mut Criterion) {
    let nodes = number("BNC_BENCH_NODES", 20) as usize;
    let budget = number("BNC_BENCH_BUDGET", 20 << 30);
    let scores = Differences::new(nodes);
    let constraints = ArcConstraints::none(nodes);
    let mut group = criterion.benchmark_group(format!("exact search over {nodes} nodes"));
    group.sample_size(10);
    for (name, max_parents) in [("any parents", None), ("3 parents", Some(3))] {
        let search = ExactSearch { max_parents, budget, constraints: &constraints, watch: &|_, _| true };
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(search.run(&scores).expect("a graph")));
        });
        report_phases(&ExactSearch { watch: &|_, _| true, ..search }, &scores);
    }
    group.finish();
}

/// Prints when the shares of the work were done, as the search tells its progress.
fn report_phases(search: &ExactSearch<'_>, scores: &Differences) {
    let start = Instant::now();
    let shares: Mutex<[Duration; 9]> = Mutex::default();
    let watch = |done: u64, total: u64| {
        let share = (done * 8 / total) as usize;
        if let Ok(mut shares) = shares.lock() {
            shares[share] = shares[share].max(start.elapsed());
        }
        true
    };
    let graph = ExactSearch { watch: &watch, ..*search }.run(scores).expect("a graph");
    let shares = shares.into_inner().expect("no panic");
    println!(
        "{:?} for {} arcs; until each eighth of the work: {shares:.2?}",
        start.elapsed(),
        graph.parents.concat().len()
    );
}

criterion_group!(benches, searching);
criterion_main!(benches);
