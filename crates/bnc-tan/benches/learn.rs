//! Learning trees and forests: many rows of few features, fewer rows of many, and binary features by the thousand.

#![allow(clippy::expect_used, reason = "a benchmark fails as tests do")]

use std::hint::black_box;

use bnc_models::AnyLearner;
use bnc_models::bnc_data::{Encoder, Preparation, Silent, builtin};
use bnc_tan::{Abn, Tan, TanFda};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn learn(criterion: &mut Criterion) {
    let learners: [(&str, &dyn AnyLearner); 3] =
        [("tan", &Tan::default()), ("abn", &Abn::default()), ("tan-fda", &TanFda::default())];
    for (rows, features, arity) in [(100_000_u64, 30, "2-10"), (20_000, 200, "2-5"), (1_000, 1_000, "2")] {
        let set = format!("network:rows={rows},features={features},arity={arity},parents=1,classes=3");
        let frame = builtin(&set).expect("a built-in set");
        let encoder = Encoder::fit(&frame, Preparation::default()).expect("complete rows");
        let data = encoder.encode(&frame).expect("the same columns").data;
        let mut group =
            criterion.benchmark_group(format!("{rows} rows, {features} features of {arity} values"));
        group.sample_size(10).throughput(Throughput::Elements(rows * features * (features - 1) / 2));
        for (name, learner) in learners {
            group.bench_function(format!("{name} learns (a row and pair)"), |bencher| {
                bencher.iter(|| black_box(learner.fit_any(&data, &Silent).is_ok()));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, learn);
criterion_main!(benches);
