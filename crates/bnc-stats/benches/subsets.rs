//! The local scores of all families of 20 features with the class as a parent of all: BDeu, 3 classes.
//!
//! Each feature depends on the class and one feature before it.

#![allow(clippy::expect_used, reason = "a benchmark fails as tests do")]

use std::hint::black_box;

use bnc_models::conformance::schema;
use bnc_stats::bnc_data::{Code, Dataset};
use bnc_stats::{ClassRole, FamilyScores, LocalScore};
use criterion::{Criterion, criterion_group, criterion_main};

/// A stream of numbers that look random (`SplitMix64`).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

/// Rows of a random augmented naive Bayes network whose features follow their parents in three rows of five.
fn sampled(dims: &[usize], rows: usize) -> Dataset {
    let mut numbers = Numbers(1);
    let classes = 3;
    let class: Vec<Code> = (0..rows).map(|_| numbers.below(classes) as Code).collect();
    let mut columns: Vec<Vec<Code>> = Vec::new();
    for (feature, &dim) in dims.iter().enumerate() {
        let parent = numbers.below(feature + 1);
        let column = (0..rows).map(|row| {
            let of_parent = columns.get(parent).map_or(0, |column| usize::from(column[row]));
            let follows = numbers.below(5) < 3;
            let value = if follows { usize::from(class[row]) + of_parent } else { numbers.below(dim) };
            (value % dim) as Code
        });
        let column = column.collect();
        columns.push(column);
    }
    Dataset::new(schema(dims, classes), class, columns, None).expect("a data set")
}

fn subsets(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("subsets");
    group.sample_size(10);
    let features: Vec<usize> = (0..20).collect();
    let mixed: Vec<usize> = features.iter().map(|feature| 2 + feature % 3).collect();
    for (name, dims, rows) in
        [("2 to 4 values", &mixed, 1000), ("2 to 4 values", &mixed, 5000), ("2 values", &vec![2; 20], 5000)]
    {
        let data = sampled(dims, rows);
        group.bench_function(format!("{name}, {rows} rows"), |bencher| {
            bencher.iter(|| {
                let score = LocalScore::Bdeu(1.0);
                black_box(FamilyScores::count(&data, &features, ClassRole::Parent, score, None, &|_, _| true))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, subsets);
criterion_main!(benches);
