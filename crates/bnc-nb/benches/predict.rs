//! Prediction by naive Bayes: many rows of few features, fewer rows of many, and one row. Then networks with 0, 1 and 2
//! parents beside the class, on one thread: rows in a range beside the same rows one by one.

use std::hint::black_box;

use bnc_models::bnc_data::Dataset;
use bnc_models::bnc_structure::Structure;
use bnc_models::conformance::pattern;
use bnc_models::{Classifier, Learner, Network, Result, Smoothing};
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

/// Each feature has the `parents` features before it as parents, and the class.
fn network(data: &Dataset, parents: usize) -> Result<Network> {
    let before = |feature: usize| (feature.saturating_sub(parents)..feature).collect();
    let structure = Structure::augmented((0..data.features().len()).map(before).collect())?;
    Network::fit(data, structure, Smoothing::Laplace, Smoothing::Laplace)
}

fn ranges(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ranges");
    group.sample_size(10);
    let dims: Vec<usize> = (0..30).map(|feature| 2 + feature % 9).collect();
    for classes in [2, 3, 26] {
        // One cell in 1,009 is missing in the second.
        for missing in [0, 1_009] {
            let data = pattern(&dims, classes, 20_000, missing);
            for (parents, name) in ["naive Bayes", "one parent", "two parents"].into_iter().enumerate() {
                let Ok(model) = network(&data, parents) else { continue };
                let mut out = vec![0.0; data.rows() * classes];
                let case =
                    format!("{name}, {classes} classes{}", if missing > 0 { ", missing cells" } else { "" });
                group.throughput(Throughput::Elements(data.rows() as u64));
                group.bench_function(format!("{case}: a range"), |bencher| {
                    bencher
                        .iter(|| black_box(model.posteriors_into(&data, 0..data.rows(), &mut out).is_ok()));
                });
                let mut row = vec![0; dims.len()];
                group.bench_function(format!("{case}: one by one"), |bencher| {
                    bencher.iter(|| {
                        for (index, out) in out.chunks_exact_mut(classes).enumerate() {
                            data.row_into(index, &mut row);
                            black_box(model.posterior_into(&row, out).is_ok());
                        }
                    });
                });
            }
        }
    }
    group.finish();
}

criterion_group!(benches, predict, ranges);
criterion_main!(benches);
