//! The suite that every learner's crate runs in its tests; third parties can, too.
//!
//! [`check`] panics with the name of the first property that does not hold:
//!
//! - posteriors are finite and sum to 1 on every kind of data below, for known, missing and declared but unseen values;
//! - rows in ranges of any length give the posteriors and the errors of the rows one by one, to the last bit;
//! - one class, no feature, one feature, constant and duplicate features, cells all missing, one row, 2,000 features;
//! - the same model on one thread and on several, from memory, from a stream in chunks and from merged counts, to the last
//!   bit of its file;
//! - weights count as repeated rows; the order of rows does not matter;
//! - a model read back from its file gives the same posteriors, and its file again;
//! - a file cut short or with a flipped bit is refused.

#![allow(clippy::panic, clippy::expect_used, reason = "a suite for tests; a panic is a failed test")]

use std::path::Path;
use std::sync::Arc;

use bnc_data::{
    Code, Dataset, Domain, Encoder, MISSING, Result as DataResult, Schema, Silent, Source, Variable,
};
use bnc_stats::{Counter, Counts, Error as StatsError};

mod ranges;

pub use ranges::check_batches;
use ranges::check_ranges;

use crate::{AnyLearner, Classifier, Error, Loader, Model};

/// Runs the suite on a learner whose models `loader` reads.
///
/// # Panics
/// When a property does not hold.
pub fn check(learner: &dyn AnyLearner, loader: Loader) {
    for (name, data) in cases() {
        let model = fit(learner, &data, name);
        check_posteriors(&*model, &data, name);
        check_file(&*model, &data, loader, name);
        check_sources(learner, &data, &*model, name);
    }
    check_nothing_to_learn(learner);
    check_damage(learner, loader);
    check_wide(learner, loader);
    check_threads(learner);
}

fn fit(learner: &dyn AnyLearner, counter: &dyn Counter, name: &str) -> Box<dyn Classifier> {
    match learner.fit_any(counter, &Silent) {
        Ok(model) => model,
        Err(error) => panic!("{name}: {error}"),
    }
}

fn bytes(model: &dyn Classifier) -> Vec<u8> {
    model.save().expect("a model can be saved").bytes
}

/// A schema of features with the given cardinalities.
///
/// # Panics
/// When a cardinality is 0 or beyond the largest.
#[must_use]
pub fn schema(dims: &[usize], classes: usize) -> Arc<Schema> {
    let labels = |count: usize| Domain::Labels((0..count).map(|value| format!("v{value}")).collect());
    let variable = |name: String, count| Variable::new(name, labels(count)).expect("a variable");
    let features = dims.iter().enumerate().map(|(index, &dim)| variable(format!("x{index}"), dim)).collect();
    Arc::new(Schema::new(variable("class".into(), classes), features).expect("a schema"))
}

/// Rows that depend on each other and on the class, without a generator: a fixed arithmetic pattern. Every `missing`-th cell
/// is missing; 0 leaves none out.
///
/// # Panics
/// As [`schema`].
#[must_use]
pub fn pattern(dims: &[usize], classes: usize, rows: usize, missing: usize) -> Dataset {
    let schema = schema(dims, classes);
    let class: Vec<Code> = (0..rows).map(|row| ((row * row / 3 + row) % classes) as Code).collect();
    let features = dims.iter().enumerate().map(|(feature, &dim)| {
        let cell = |row: usize| {
            if missing > 0 && (row * 7 + feature * 3).is_multiple_of(missing) {
                return MISSING;
            }
            let noise = (row * 31 + feature * 17 + row * row % 11) % 5;
            ((usize::from(class[row]) + row / (feature + 2) + noise / 4 * feature) % dim) as Code
        };
        (0..rows).map(cell).collect()
    });
    Dataset::new(schema, class.clone(), features.collect(), None).expect("a data set")
}

fn cases() -> Vec<(&'static str, Dataset)> {
    let pattern_of = |dims: &[usize], classes, rows| pattern(dims, classes, rows, 0);
    let base = pattern_of(&[2, 3, 4, 2], 3, 120);
    let remake = |class: Vec<Code>, features: Vec<Vec<Code>>| {
        Dataset::new(Arc::clone(base.schema()), class, features, None).expect("a data set")
    };
    let duplicate = Dataset::new(
        schema(&[3, 3, 2], 2),
        (0..60).map(|row| row % 2).collect(),
        vec![
            (0..60).map(|row| row % 3).collect(),
            (0..60).map(|row| row % 3).collect(),
            (0..60).map(|row| row / 2 % 2).collect(),
        ],
        None,
    );
    let declared_only = schema(&[5, 4, 6, 5], 5);
    let unseen = Dataset::new(declared_only, base.class().to_vec(), base.features().to_vec(), None);
    vec![
        ("plain", base.clone()),
        ("missing cells", pattern(&[2, 3, 4, 2], 3, 120, 5)),
        ("one class", pattern_of(&[2, 3], 1, 30)),
        ("one class seen of three", remake(vec![1; 120], base.features().to_vec())),
        ("no feature", pattern_of(&[], 2, 10)),
        ("one feature", pattern_of(&[3], 2, 30)),
        ("constant features", pattern_of(&[1, 3, 1], 2, 30)),
        ("duplicate features", duplicate.expect("a data set")),
        ("all cells missing", remake(base.class().to_vec(), vec![vec![MISSING; 120]; 4])),
        ("one feature all missing", {
            let mut features = base.features().to_vec();
            features[1] = vec![MISSING; 120];
            remake(base.class().to_vec(), features)
        }),
        ("values and classes that are declared but never seen", unseen.expect("a data set")),
        ("one row", pattern_of(&[2, 2], 2, 1)),
        ("unlabelled rows among the labelled", {
            let class = base.class().iter().enumerate();
            remake(
                class.map(|(row, &y)| if row % 4 == 0 { MISSING } else { y }).collect(),
                base.features().to_vec(),
            )
        }),
    ]
}

/// Rows of the data, then rows with every kind of missing value, then rows of the last declared values.
fn probes(data: &Dataset) -> Vec<Vec<Code>> {
    let features = data.features().len();
    let mut rows: Vec<Vec<Code>> = (0..data.rows().min(20))
        .map(|row| data.features().iter().map(|column| column[row]).collect())
        .collect();
    rows.push(vec![MISSING; features]);
    rows.push((0..features).map(|feature| data.schema().cardinality(feature) as Code - 1).collect());
    for hidden in 0..features.min(20) {
        let mut row = rows[0].clone();
        row[hidden] = MISSING;
        rows.push(row);
    }
    rows
}

/// Finite posteriors that sum to 1, and the most probable class as the prediction.
fn check_rows(model: &dyn Classifier, rows: &[Vec<Code>], name: &str) {
    for row in rows {
        let mut posterior = vec![f64::NAN; model.schema().classes()];
        model.posterior_into(row, &mut posterior).unwrap_or_else(|error| panic!("{name}: {row:?}: {error}"));
        let sum: f64 = posterior.iter().sum();
        assert!(
            posterior.iter().all(|p| p.is_finite() && *p >= 0.0) && (sum - 1.0).abs() < 1e-9,
            "{name}: the posterior of {row:?} is {posterior:?}"
        );
        let prediction = usize::from(model.predict(row).expect("a prediction"));
        assert!(
            posterior.iter().all(|p| *p <= posterior[prediction]),
            "{name}: the most probable class is predicted"
        );
    }
}

fn check_posteriors(model: &dyn Classifier, data: &Dataset, name: &str) {
    let classes = data.schema().classes();
    check_rows(model, &probes(data), name);
    check_ranges(model, data, name);
    let too_short = vec![0; data.features().len() + 1];
    let refused = model.posterior_into(&too_short, &mut vec![0.0; classes]);
    assert!(matches!(refused, Err(Error::RowLength { .. })), "{name}: a row of the wrong length is refused");
    if !data.features().is_empty() {
        let mut row = probes(data)[0].clone();
        row[0] = data.schema().cardinality(0) as Code;
        let refused = model.posterior_into(&row, &mut vec![0.0; classes]);
        assert!(
            matches!(refused, Err(Error::BadCode { .. })),
            "{name}: a code outside its domain is refused"
        );
    }
}

fn model_file(model: &dyn Classifier, loader: Loader, name: &str) -> Vec<u8> {
    let saved = model.save().expect("a model can be saved");
    assert_eq!(saved.kind, loader.kind, "{name}: the loader reads this kind");
    let classifier = (loader.load)(&saved.bytes, Path::new("memory"), model.schema())
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let encoder = Encoder::of_schema(Arc::clone(model.schema()));
    Model::new("test", encoder, classifier).expect("a model").to_bytes().expect("bytes")
}

fn check_file(model: &dyn Classifier, data: &Dataset, loader: Loader, name: &str) {
    let file = model_file(model, loader, name);
    let read =
        Model::from_bytes(&file, Path::new("memory"), &[loader]).expect("a model file that can be read");
    assert_eq!(bytes(read.classifier()), bytes(model), "{name}: saved, read and saved again");
    let before = model.posteriors(data).expect("posteriors");
    assert_eq!(
        read.posteriors(data).expect("posteriors"),
        before,
        "{name}: the posteriors of the model read"
    );
}

/// A data set shown in chunks of a few rows.
struct Chunked<'a>(&'a Dataset, usize);

impl Source for Chunked<'_> {
    fn schema(&self) -> &Arc<Schema> {
        self.0.schema()
    }

    fn scan(&self, visit: &mut dyn FnMut(&Dataset) -> DataResult<()>) -> DataResult<()> {
        for start in (0..self.0.rows()).step_by(self.1) {
            visit(&self.0.select(&(start..self.0.rows().min(start + self.1)).collect::<Vec<_>>()))?;
        }
        Ok(())
    }
}

fn check_sources(learner: &dyn AnyLearner, data: &Dataset, model: &dyn Classifier, name: &str) {
    let expected = bytes(model);
    let same = |counter: &dyn Counter, how: &str| {
        assert_eq!(bytes(&*fit(learner, counter, name)), expected, "{name}: {how}");
    };
    same(&Chunked(data, 7), "streamed in chunks of 7 rows");
    same(&data.select(&(0..data.rows()).rev().collect::<Vec<_>>()), "rows in reverse order");
    if let Some(counts) = merged_counts(learner, data) {
        same(&counts, "merged counts");
    }
    let doubled = |data: &Dataset, weights| {
        Dataset::new(Arc::clone(data.schema()), data.class().to_vec(), data.features().to_vec(), weights)
    };
    let weighted = doubled(data, Some(vec![2; data.rows()])).expect("a data set");
    let repeated = data.select(&(0..data.rows()).chain(0..data.rows()).collect::<Vec<_>>());
    assert_eq!(
        bytes(&*fit(learner, &weighted, name)),
        bytes(&*fit(learner, &repeated, name)),
        "{name}: a weight of 2 is a row twice"
    );
}

/// The counts that the learner asks for, merged from three parts; `None` for a learner that needs rows.
fn merged_counts(learner: &dyn AnyLearner, data: &Dataset) -> Option<Counts> {
    let parts: Vec<Dataset> = (0..3)
        .map(|part| data.select(&(0..data.rows()).filter(|row| row % 3 == part).collect::<Vec<_>>()))
        .collect();
    let mut plan = Vec::new();
    loop {
        let gather = |part: &Dataset| Counts::gather(part, &plan).expect("counts");
        let mut counts = gather(&parts[0]);
        counts.merge(&gather(&parts[1])).expect("a merge");
        counts.merge(&gather(&parts[2])).expect("a merge");
        match learner.fit_any(&counts, &Silent) {
            Err(Error::Stats(StatsError::Unanswered { plan: lacking })) => plan.extend(lacking),
            Err(Error::Stats(StatsError::NoRows)) => return None,
            _ => return Some(counts),
        }
    }
}

fn check_nothing_to_learn(learner: &dyn AnyLearner) {
    let data = pattern(&[2, 3], 2, 6, 0);
    let empty = data.select(&[]);
    assert!(matches!(learner.fit_any(&empty, &Silent), Err(Error::NoLabelledRows)), "no rows are refused");
    let unlabelled =
        Dataset::new(Arc::clone(data.schema()), vec![MISSING; 6], data.features().to_vec(), None);
    let refused = learner.fit_any(&unlabelled.expect("a data set"), &Silent);
    assert!(matches!(refused, Err(Error::NoLabelledRows)), "rows without a label are refused");
}

fn check_damage(learner: &dyn AnyLearner, loader: Loader) {
    let data = pattern(&[2, 2], 2, 9, 0);
    let file = model_file(&*fit(learner, &data, "damage"), loader, "damage");
    let read = |bytes: &[u8]| Model::from_bytes(bytes, Path::new("memory"), &[loader]);
    for length in 0..file.len() {
        assert!(read(&file[..length]).is_err(), "a file cut to {length} bytes is refused");
    }
    for bit in 0..file.len() * 8 {
        let mut flipped = file.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(read(&flipped).is_err(), "a file with bit {bit} flipped is refused");
    }
    // Behind a valid checksum, too, damage is an error or a sound model, never a panic.
    let saved = fit(learner, &data, "damage").save().expect("a model can be saved");
    for bit in 0..saved.bytes.len() * 8 {
        let mut flipped = saved.bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        if let Ok(model) = (loader.load)(&flipped, Path::new("memory"), data.schema()) {
            check_rows(&*model, &probes(&data), "a stored model with a flipped bit");
            check_batches(&*model, &data, "a stored model with a flipped bit");
        }
    }
}

fn check_wide(learner: &dyn AnyLearner, loader: Loader) {
    let data = pattern(&[2; 2000], 2, 24, 41);
    match learner.fit_any(&data, &Silent) {
        Ok(model) => {
            check_rows(&*model, &probes(&data)[18..24], "2,000 features");
            check_file(&*model, &data, loader, "2,000 features");
        }
        // A learner may say that so many are too many for it, with the figures.
        Err(Error::TooLarge { .. }) => {}
        Err(error) => panic!("2,000 features: {error}"),
    }
}

fn check_threads(learner: &dyn AnyLearner) {
    let data = pattern(&[2, 3, 4, 2, 5, 3], 3, 3000, 11);
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| {
            let model = fit(learner, &data, "threads");
            let posteriors = model.posteriors(&data).expect("posteriors");
            (bytes(&*model), posteriors)
        })
    };
    assert_eq!(with_threads(1), with_threads(8), "one thread and eight give the same");
    check_batches(&*fit(learner, &data, "threads"), &data, "3,000 rows with missing cells");
    let complete = pattern(&[2, 3, 4, 2, 5, 3], 3, 1500, 0);
    check_batches(&*fit(learner, &data, "threads"), &complete, "1,500 complete rows");
}
