//! AODE against plain loops over nested tables: 20 features × 200,000 rows × 3 classes, and rows like those of the letter set,
//! 16 features of 16 values and 26 classes. One row, too. Then several learners row by row and together, with the ratio.

use std::hint::black_box;
use std::time::Instant;

use bnc_models::bnc_data::{Dataset, Silent, Variable};
use bnc_models::conformance::pattern;
use bnc_models::{AnyLearner, Classifier, Learner};
use bnc_ode::{A2de, Aode, Aodesr, Hnb, MiOde, Waode};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Laplace's estimates in logarithms, as one would write them down.
struct Plain {
    classes: usize,
    dims: Vec<usize>,
    /// ln P(y, x) of each parent, values × classes.
    joint: Vec<Vec<f64>>,
    /// For each parent and child ln P(child | y, parent), values × values × classes.
    children: Vec<Vec<Vec<f64>>>,
}

impl Plain {
    fn fit(data: &Dataset) -> Self {
        let classes = data.schema().classes();
        let dims: Vec<usize> = data.schema().features().iter().map(Variable::cardinality).collect();
        let columns = data.features();
        let joint = |parent: usize| {
            let mut counts = vec![0_u32; dims[parent] * classes];
            for (&value, &class) in columns[parent].iter().zip(data.class()) {
                counts[usize::from(value) * classes + usize::from(class)] += 1;
            }
            let total = (data.rows() + counts.len()) as f64;
            counts.iter().map(|&n| (f64::from(n + 1) / total).ln()).collect()
        };
        let child = |parent: usize, child: usize| {
            let (own, r) = (dims[parent], dims[child]);
            let mut counts = vec![0_u32; own * r * classes];
            for ((&value, &code), &class) in columns[parent].iter().zip(&columns[child]).zip(data.class()) {
                counts[(usize::from(value) * r + usize::from(code)) * classes + usize::from(class)] += 1;
            }
            let mut logs = Vec::with_capacity(counts.len());
            for block in counts.chunks_exact(r * classes) {
                for (cell, &n) in block.iter().enumerate() {
                    let total: u32 = block.iter().skip(cell % classes).step_by(classes).sum();
                    logs.push((f64::from(n + 1) / (f64::from(total) + r as f64)).ln());
                }
            }
            logs
        };
        let all = 0..dims.len();
        Self {
            joint: all.clone().map(joint).collect(),
            children: all.clone().map(|i| all.clone().map(|j| child(i, j)).collect()).collect(),
            classes,
            dims,
        }
    }

    fn posteriors(&self, data: &Dataset) -> Vec<f64> {
        let mut all = Vec::with_capacity(data.rows() * self.classes);
        let mut row = vec![0; self.dims.len()];
        for index in 0..data.rows() {
            data.row_into(index, &mut row);
            let mut scores = Vec::new();
            for (parent, &value) in row.iter().enumerate() {
                for class in 0..self.classes {
                    let mut score = self.joint[parent][usize::from(value) * self.classes + class];
                    for (child, &code) in row.iter().enumerate().filter(|(child, _)| *child != parent) {
                        let cell = usize::from(value) * self.dims[child] + usize::from(code);
                        score += self.children[parent][child][cell * self.classes + class];
                    }
                    scores.push(score);
                }
            }
            let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum_of_class = |class| -> f64 {
                scores.iter().skip(class).step_by(self.classes).map(|score| (score - largest).exp()).sum()
            };
            let sums: Vec<f64> = (0..self.classes).map(sum_of_class).collect();
            let sum: f64 = sums.iter().sum();
            all.extend(sums.iter().map(|of_class| of_class / sum));
        }
        all
    }
}

fn aode(criterion: &mut Criterion) {
    let wide: Vec<usize> = (0..20).map(|feature| 2 + feature % 9).collect();
    let cases = [
        ("20 features, 3 classes", pattern(&wide, 3, 200_000, 0)),
        ("16 features, 26 classes", pattern(&[16; 16], 26, 20_000, 0)),
    ];
    for (name, data) in cases {
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10).throughput(Throughput::Elements(data.rows() as u64));
        group.bench_function("fit", |bencher| bencher.iter(|| black_box(Aode::default().fit(&data).is_ok())));
        group.bench_function("fit, plain loop", |bencher| bencher.iter(|| black_box(Plain::fit(&data))));
        let Ok(model) = Aode::default().fit(&data) else { continue };
        let plain = Plain::fit(&data);
        group.bench_function("predict", |bencher| bencher.iter(|| black_box(model.posteriors(&data))));
        group.bench_function("predict, plain loop", |bencher| {
            bencher.iter(|| black_box(plain.posteriors(&data)));
        });
        let mut row = vec![0; data.features().len()];
        let mut posterior = vec![0.0; data.schema().classes()];
        data.row_into(0, &mut row);
        group.throughput(Throughput::Elements(1)).bench_function("predict one row", |bencher| {
            bencher.iter(|| black_box(model.posterior_into(black_box(&row), &mut posterior).is_ok()));
        });
        group.finish();
    }
}

/// Times the rows of a set one by one and together in turn, and prints the best of each with the ratio.
fn compare(name: &str, learner: &dyn AnyLearner, data: &Dataset) {
    const ROWS: usize = 2_048;
    let Ok(model) = learner.fit_any(data, &Silent) else { return };
    let classes = data.schema().classes();
    let rows = data.rows().min(ROWS);
    let mut row = vec![0; data.features().len()];
    let (mut alone, mut together) = (vec![0.0; rows * classes], vec![0.0; rows * classes]);
    let mut best = [f64::INFINITY; 2];
    for _ in 0..50 {
        let start = Instant::now();
        for (index, out) in alone.chunks_exact_mut(classes).enumerate() {
            data.row_into(index, &mut row);
            black_box(model.posterior_into(&row, out).is_ok());
        }
        best[0] = best[0].min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        black_box(model.posteriors_into(data, 0..rows, &mut together).is_ok());
        best[1] = best[1].min(start.elapsed().as_secs_f64());
    }
    assert_eq!(alone, together, "{name}: the same posteriors");
    let [alone, together] = best.map(|seconds| seconds / rows as f64 * 1e6);
    println!("{name}: {alone:.3} µs a row alone, {together:.3} together, ratio {:.2}", alone / together);
}

fn together(_: &mut Criterion) {
    let wide: Vec<usize> = (0..200).map(|feature| 2 + feature % 4).collect();
    let usual: Vec<usize> = (0..30).map(|feature| 2 + feature % 9).collect();
    let few: Vec<usize> = (0..12).map(|feature| 2 + feature % 4).collect();
    let of = |dims: &[usize], classes, missing| pattern(dims, classes, 20_000, missing);
    let aode = Aode::default();
    compare("aode, 30 features, 3 classes", &aode, &of(&usual, 3, 0));
    compare("aode, 30 features, 3 classes, cells missing", &aode, &of(&usual, 3, 20));
    compare("aode, 16 features of 16 values, 26 classes", &aode, &of(&[16; 16], 26, 0));
    compare("aode, 200 features, 3 classes", &aode, &of(&wide, 3, 0));
    compare("aodesr, 30 features, 3 classes", &Aodesr::default(), &of(&usual, 3, 0));
    compare("waode, 30 features, 3 classes", &Waode::default(), &of(&usual, 3, 0));
    compare("mi-ode, 30 features, 3 classes", &MiOde::default(), &of(&usual, 3, 0));
    compare("hnb, 30 features, 3 classes", &Hnb::default(), &of(&usual, 3, 0));
    compare("a2de, 12 features, 3 classes", &A2de::default(), &of(&few, 3, 0));
}

criterion_group!(benches, together, aode);
criterion_main!(benches);
