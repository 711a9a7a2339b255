//! Counting every pair of 20 features by 3 classes over 100,000 rows, for several numbers of values.
//!
//! The planner's bound between its kernels is read off here: run with the bound moved, and compare.

use std::hint::black_box;

use bnc_models::conformance::pattern;
use bnc_stats::{Counter, all_pairs};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn pairs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pairs");
    group.sample_size(10);
    let plan = all_pairs(20);
    let rows = 100_000;
    group.throughput(Throughput::Elements((rows * plan.len()) as u64));
    for values in [2, 4, 6, 7, 8, 10, 16] {
        let data = pattern(&[values; 20], 3, rows, 0);
        group.bench_function(format!("{values} values"), |bencher| {
            bencher.iter(|| black_box(data.count(&plan)));
        });
    }
    group.finish();
}

criterion_group!(benches, pairs);
criterion_main!(benches);
