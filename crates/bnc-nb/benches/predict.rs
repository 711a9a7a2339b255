//! Prediction by naive Bayes: many rows of few features, fewer rows of many, and one row.

use std::hint::black_box;

use bnc_models::conformance::pattern;
use bnc_models::{Classifier, Learner};
use bnc_nb::NaiveBayes;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn predict(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("predict");
    group.sample_size(10);
    for (rows, features) in [(1_000_000, 5), (10_000, 50), (1, 5)] {
        let data = pattern(&vec![2; features], 2, rows, 0);
        let Ok(model) = NaiveBayes::default().fit(&data) else { continue };
        group.throughput(Throughput::Elements(rows as u64));
        group.bench_function(format!("{rows} rows of {features} features"), |bencher| {
            bencher.iter(|| black_box(model.posteriors(&data)));
        });
    }
    group.finish();
}

criterion_group!(benches, predict);
criterion_main!(benches);
