//! Learning exactly optimal augmented naive Bayes, and its greedy rivals, from 1,000 rows.

#![allow(clippy::expect_used, reason = "a benchmark fails as tests do")]

use std::hint::black_box;

use bnc_anb::{Anb, Bnc2p, Gbn};
use bnc_models::AnyLearner;
use bnc_models::bnc_data::{Encoder, Preparation, Silent, builtin};
use criterion::{Criterion, criterion_group, criterion_main};

fn learn(criterion: &mut Criterion) {
    let learners: [(&str, &dyn AnyLearner); 3] =
        [("anb", &Anb::default()), ("gbn", &Gbn::default()), ("bnc2p", &Bnc2p::default())];
    for (features, arity) in [(14, "2"), (14, "2-4"), (18, "2-4")] {
        let set = format!("network:rows=1000,features={features},arity={arity},parents=2,classes=3");
        let frame = builtin(&set).expect("a built-in set");
        let encoder = Encoder::fit(&frame, Preparation::default()).expect("complete rows");
        let data = encoder.encode(&frame).expect("the same columns").data;
        let mut group =
            criterion.benchmark_group(format!("1000 rows, {features} features of {arity} values"));
        group.sample_size(10);
        for (name, learner) in learners {
            group.bench_function(format!("{name} learns"), |bencher| {
                bencher.iter(|| black_box(learner.fit_any(&data, &Silent).is_ok()));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, learn);
criterion_main!(benches);
