//! Tests of the crate as its users see it.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not test functions")]

mod comparison;
mod cross_validation;
mod golden;
mod holdout;
mod properties;
mod reports;
mod resampling;
mod resume;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use bnc_data::{Code, Column, Frame, Preparation, Schema, Values};
use bnc_eval::{CrossValidation, Evaluation, Folds, NamedLearner, Protocol, class_codes};
use bnc_models::bnc_stats::Counter;
use bnc_models::bnc_structure::Structure;
use bnc_models::{Error, Learner, Network, Smoothing};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Naive Bayes.
struct Naive(Smoothing);

impl Learner for Naive {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> bnc_models::Result<Network> {
        let structure = Structure::naive(counter.schema().features().len());
        Network::fit(counter, structure, self.0, self.0)
    }
}

/// Notes what it is shown and learns nothing: a prior without features.
#[derive(Default)]
struct Probe {
    /// For each call the cardinalities of the features.
    seen: Mutex<Vec<Vec<usize>>>,
}

impl Learner for Probe {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> bnc_models::Result<Network> {
        let schema = counter.schema();
        self.seen
            .lock()
            .unwrap()
            .push(schema.features().iter().map(bnc_data::Variable::cardinality).collect());
        Naive(Smoothing::Laplace).fit(counter)
    }
}

/// Claims to take more memory than two searches at a time should, and notes how many are under way at once.
#[derive(Default)]
struct Heavy {
    running: AtomicUsize,
    most: AtomicUsize,
}

impl Learner for Heavy {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> bnc_models::Result<Network> {
        self.most.fetch_max(self.running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        // Every other part has the chance to begin now.
        (0..10_000).for_each(|_| {
            rayon::yield_now();
        });
        self.running.fetch_sub(1, Ordering::SeqCst);
        Naive(Smoothing::Laplace).fit(counter)
    }

    fn memory(&self, _: &Schema) -> Option<u64> {
        Some(2 << 30)
    }
}

/// Fails where the training part has an odd number of rows of the first class.
struct Fickle;

impl Learner for Fickle {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> bnc_models::Result<Network> {
        let rows = counter.rows()?;
        if rows.class().iter().filter(|&&class| class == 0).count() % 2 == 1 {
            return Err(Error::BadPrior("odd".into()));
        }
        Naive(Smoothing::Laplace).fit(counter)
    }
}

fn nominal(name: &str, labels: &[&str], codes: &[Code]) -> Column {
    let labels = labels.iter().map(ToString::to_string).collect();
    Column { name: name.into(), values: Values::Nominal { labels, codes: codes.into() } }
}

/// A frame of nominal columns whose class is the last.
fn frame(columns: Vec<Column>) -> Frame {
    let class = columns.len() - 1;
    Frame::new("data.csv", columns, Some(class), None).unwrap()
}

/// Rows of three classes, of which two features tell something and one tells nothing.
fn noisy(rows: usize) -> Frame {
    let mut random = ChaCha8Rng::from_seed([5; 32]);
    let mut below = |bound: u32| (random.next_u32() % bound) as Code;
    let class: Vec<Code> = (0..rows).map(|_| below(3)).collect();
    let mut noise = |share: u32, values: u32| -> Vec<Code> {
        class.iter().map(|&class| if below(100) < share as Code { below(values) } else { class }).collect()
    };
    let (a, b, c) = (noise(40, 3), noise(60, 4), noise(100, 2));
    frame(vec![
        nominal("a", &["x", "y", "z"], &a),
        nominal("b", &["k", "l", "m", "n"], &b),
        nominal("c", &["0", "1"], &c),
        nominal("class", &["red", "green", "blue"], &class),
    ])
}

/// T1 of the reports, with one more row.
fn t1_and(a: &[&str], code: Code) -> Frame {
    frame(vec![
        nominal("a", a, &[0, 0, 1, 1, 0, 1, code]),
        nominal("b", &["p", "q"], &[0, 1, 0, 1, 0, 0, 0]),
        nominal("class", &["no", "yes"], &[1, 1, 0, 0, 1, 0, 0]),
    ])
}

fn cross_validation<'a>(
    frame: &'a Frame,
    learners: &'a [NamedLearner<'a>],
    folds: &'a Folds,
) -> CrossValidation<'a> {
    CrossValidation {
        frame,
        preparation: Preparation::default(),
        protocol: Protocol::Honest,
        learners,
        resampling: folds,
    }
}

fn stratified(frame: &Frame, folds: usize, repeats: usize) -> Folds {
    Folds::stratified(class_codes(frame).unwrap(), folds, repeats, 1).unwrap()
}

/// The bytes of an evaluation but its timings.
fn bytes(mut evaluation: Evaluation) -> String {
    for learner in &mut evaluation.learners {
        assert_eq!(learner.timings.len(), learner.parts.len());
        learner.timings.clear();
    }
    serde_json::to_string(&evaluation).unwrap()
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}
