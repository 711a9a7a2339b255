//! Counting all pairs of features by 3 classes, beside the plain loop: one increment a row and pair.
//!
//! Both are measured per row and pair, so that their throughputs compare. Over 1,000,000 rows the plain loop counts the pairs
//! of the first feature only, to save time: what it takes for a pair does not depend on the others. The figures of the
//! planner are read off here.

#![allow(clippy::expect_used, reason = "a benchmark fails as tests do")]

use std::hint::black_box;
use std::time::Duration;

use bnc_models::conformance::schema;
use bnc_stats::bnc_data::{Code, Dataset};
use bnc_stats::{Counter, all_pairs};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const CLASSES: usize = 3;

/// Independent codes of as many values (`SplitMix64`): all equally frequent, or each an eighth as frequent as the one before, so that
/// increments wait for each other.
fn made(features: usize, values: usize, rows: usize, skewed: bool) -> Dataset {
    let mut state = 1_u64;
    let mut column = |values: usize, skewed: bool| -> Vec<Code> {
        let code = |_| {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^= z >> 31;
            if skewed {
                (z.trailing_zeros() / 3).min(values as u32 - 1) as Code
            } else {
                (z % values as u64) as Code
            }
        };
        (0..rows).map(code).collect()
    };
    let class = column(CLASSES, false);
    let columns = (0..features).map(|_| column(values, skewed)).collect();
    Dataset::new(schema(&vec![values; features], CLASSES), class, columns, None).expect("a data set")
}

/// The tables of the first `leads` features with each feature after them.
fn plain_loop(data: &Dataset, leads: usize, values: usize) -> Vec<Vec<u64>> {
    let columns = data.features();
    let pairs = (0..leads).flat_map(|i| (i + 1..columns.len()).map(move |j| (&columns[i], &columns[j])));
    let count = |(i, j): (&Vec<Code>, &Vec<Code>)| {
        let mut cells = vec![0; values * values * CLASSES];
        for ((&i, &j), &class) in i.iter().zip(j).zip(data.class()) {
            cells[(usize::from(i) * values + usize::from(j)) * CLASSES + usize::from(class)] += 1;
        }
        cells
    };
    pairs.map(count).collect()
}

fn compare(criterion: &mut Criterion, features: usize, rows: usize, arities: &[usize], skewed: bool) {
    let frequencies = if skewed { ", skewed" } else { "" };
    let mut group = criterion.benchmark_group(format!("{features} features, {rows} rows{frequencies}"));
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(400));
    let plan = all_pairs(features);
    for &values in arities {
        let data = made(features, values, rows, skewed);
        let (leads, pairs) = if rows < 1_000_000 { (features, plan.len()) } else { (1, features - 1) };
        group.throughput(Throughput::Elements((rows * pairs) as u64));
        group.bench_function(format!("{values} values, plain loop"), |bencher| {
            bencher.iter(|| black_box(plain_loop(&data, leads, values)));
        });
        group.throughput(Throughput::Elements((rows * plan.len()) as u64));
        group.bench_function(format!("{values} values, counter"), |bencher| {
            bencher.iter(|| black_box(data.count(&plan)));
        });
    }
    group.finish();
}

fn pairs(criterion: &mut Criterion) {
    let arities = [2, 3, 4, 8, 12, 16, 20, 32, 64];
    for rows in [1_000, 100_000, 1_000_000] {
        compare(criterion, 30, rows, &arities, false);
    }
    compare(criterion, 30, 100_000, &arities, true);
    compare(criterion, 200, 100_000, &[4], false);
    let few_rows = [(2, 100), (4, 150), (10, 300), (2, 1_000), (10, 1_000)];
    let few_tables = [(2, 20_000), (3, 20_000), (2, 1_000_000), (3, 1_000_000), (6, 1_000_000)];
    for (features, rows) in few_rows.into_iter().chain(few_tables) {
        compare(criterion, features, rows, &[2, 4, 8], false);
    }
}

criterion_group!(benches, pairs);
criterion_main!(benches);
