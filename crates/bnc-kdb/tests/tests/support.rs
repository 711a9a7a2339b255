//! Counts straight from the rows, and what the definitions are tested on.

use bnc_models::Classifier;
use bnc_models::bnc_data::{Code, Dataset, MISSING};

pub(crate) const DIMS: [usize; 5] = [2, 3, 4, 2, 3];
pub(crate) const CLASSES: usize = 3;

/// The weight of the rows of a class that have the given values and know the given features.
pub(crate) fn weight(data: &Dataset, fixed: &[(usize, Code)], known: &[usize], class: Option<usize>) -> u32 {
    (0..data.rows())
        .filter(|&r| class.is_none_or(|class| usize::from(data.class()[r]) == class))
        .filter(|&r| fixed.iter().all(|&(feature, code)| data.features()[feature][r] == code))
        .filter(|&r| known.iter().all(|&feature| data.features()[feature][r] != MISSING))
        .map(|r| data.weights().map_or(1, |weights| weights[r]))
        .sum()
}

pub(crate) fn count(data: &Dataset, fixed: &[(usize, Code)], known: &[usize], class: Option<usize>) -> f64 {
    f64::from(weight(data, fixed, known, class))
}

pub(crate) fn posterior(model: &impl Classifier, row: &[Code]) -> Vec<f64> {
    let mut posterior = vec![0.0; model.schema().classes()];
    model.posterior_into(row, &mut posterior).unwrap();
    posterior
}
