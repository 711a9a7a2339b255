//! Models of ours beside the reference posteriors.

use std::path::Path;

use bnc_data::{Dataset, Encoder, Frame, Preparation, ReadOptions, Silent, read};
use bnc_models::Classifier;
use bnc_models::bnc_structure::{Family, Structure};

use crate::Golden;

/// The discrete sets with reference posteriors.
pub const SETS: [&str; 8] = ["car", "iris", "kr-vs-kp", "soybean", "tic-tac-toe", "vote", "vowel", "zoo"];

/// Reads a set of the reference data from the folder in which it lies: `uci36`, `uci36-discrete` and so on.
///
/// # Panics
/// When it cannot be read.
#[must_use]
pub fn read_set(reference: &Path, folder: &str, set: &str) -> Frame {
    let path = reference.join("data").join(folder).join(format!("{set}.arff"));
    match read(&path, &ReadOptions::default(), &Silent) {
        Ok((frame, _)) => frame,
        Err(error) => panic!("{error}"),
    }
}

/// Reads a discrete set.
///
/// # Panics
/// When it cannot be read.
#[must_use]
pub fn discrete_set(reference: &Path, set: &str) -> Frame {
    let folder = if ["car", "tic-tac-toe"].contains(&set) { "extra-discrete" } else { "uci36-discrete" };
    read_set(reference, folder, set)
}

/// The training rows (index % 3 ≠ 0) and the test rows (index % 3 = 0) of a frame, coded by an encoder that was fitted on the
/// training rows.
///
/// # Panics
/// When they cannot be coded.
#[must_use]
pub fn training_and_test(frame: &Frame, preparation: Preparation) -> (Dataset, Dataset) {
    let rows = |test: bool| (0..frame.rows()).filter(|row| (row % 3 == 0) == test).collect::<Vec<_>>();
    let training = frame.select(&rows(false));
    let encoder = Encoder::fit(&training, preparation).expect("an encoder");
    let encode = |frame: &Frame| encoder.encode(frame).expect("coded rows").data;
    (encode(&training), encode(&frame.select(&rows(true))))
}

/// How far a model is from the reference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// The number of posteriors compared.
    pub posteriors: usize,
    /// The largest difference of a probability.
    pub largest: f64,
    /// How far the reference accuracy over all test rows lies outside of what ours can be: two classes whose probabilities
    /// differ by rounding only are an exact tie, and rounding decides it in either program.
    pub accuracy: f64,
    /// The difference of the mean negative log-likelihood over all test rows, in nats.
    pub log_loss: f64,
}

impl Comparison {
    /// # Panics
    /// Unless every probability agrees to 1e-9, and the means to the digits printed.
    pub fn assert_equal(&self, what: &str) {
        assert!(self.posteriors > 0, "{what}: nothing was compared");
        assert!(
            self.largest < 1e-9 && self.accuracy < 1e-9 && self.log_loss.abs() < 1e-8,
            "{what}: {self:?}"
        );
    }
}

/// Compares a model's posteriors of the test rows with the reference.
///
/// # Panics
/// When the reference does not fit the data.
#[must_use]
pub fn compare(golden: &Golden, model: &dyn Classifier, test: &Dataset) -> Comparison {
    let ours = model.posteriors(test).expect("posteriors");
    let mut largest = 0.0_f64;
    let listed = golden.posteriors();
    for (index, class, theirs) in &listed {
        let row = index / 3;
        assert_eq!(test.class()[row], *class, "row {index}");
        for (our, their) in ours.row(row).iter().zip(theirs) {
            largest = largest.max((our - their).abs());
        }
    }
    let (accuracy, log_loss) = golden.summary();
    let (mut fewest, mut most, mut loss) = (0.0, 0.0, 0.0);
    for (&class, posterior) in test.class().iter().zip(ours.rows()) {
        let own = posterior[usize::from(class)];
        let others = posterior.iter().enumerate().filter(|(other, _)| *other != usize::from(class));
        let best_other = others.map(|(_, &probability)| probability).fold(0.0, f64::max);
        fewest += f64::from(u8::from(own > best_other + 1e-13));
        most += f64::from(u8::from(own >= best_other - 1e-13));
        loss -= own.ln();
    }
    let rows = test.rows() as f64;
    Comparison {
        posteriors: listed.len(),
        largest,
        accuracy: (fewest / rows - accuracy).max(accuracy - most / rows).max(0.0),
        log_loss: loss / rows - log_loss,
    }
}

/// The structure that a reference file gives in its comment lines.
///
/// # Panics
/// When it gives none.
#[must_use]
pub fn structure_of(golden: &Golden) -> Structure {
    let mut parents = golden.parents().expect("a structure in the comment lines");
    let class = parents.len() - 1;
    let class_parents = parents.pop().expect("the class");
    let families = parents
        .into_iter()
        .map(|parents| Family {
            class: parents.contains(&class),
            parents: parents.into_iter().filter(|&parent| parent != class).collect(),
        })
        .collect();
    Structure::new(families, class_parents).expect("a structure")
}
