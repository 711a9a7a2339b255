//! Learning and prediction by local KDB and AKDB, on rows of the size of the letter set: 16 features of 10 values, 26 classes.

use std::hint::black_box;

use bnc_kdb::{Akdb, Kdb, LocalKdb};
use bnc_models::AnyLearner;
use bnc_models::bnc_data::Silent;
use bnc_models::conformance::pattern;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn local(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("local");
    group.sample_size(10);
    let data = pattern(&[10; 16], 26, 20_000, 0);
    let some = data.select(&(0..2_000).map(|row| row * 10).collect::<Vec<_>>());
    let learners: [(&str, &dyn AnyLearner); 3] =
        [("kdb", &Kdb::default()), ("local-kdb", &LocalKdb::default()), ("akdb", &Akdb::default())];
    for (name, learner) in learners {
        group.throughput(Throughput::Elements(data.rows() as u64));
        group.bench_function(format!("{name} learns 20000 rows"), |bencher| {
            bencher.iter(|| black_box(learner.fit_any(&data, &Silent).is_ok()));
        });
        let Ok(model) = learner.fit_any(&data, &Silent) else { continue };
        group.throughput(Throughput::Elements(some.rows() as u64));
        group.bench_function(format!("{name} predicts 2000 rows"), |bencher| {
            bencher.iter(|| black_box(model.posteriors(&some)));
        });
    }
    group.finish();
}

criterion_group!(benches, local);
criterion_main!(benches);
