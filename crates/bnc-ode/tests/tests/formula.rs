//! The formula, straight from the rows.

use bnc_models::bnc_data::{Code, Dataset, MISSING};
use bnc_models::conformance::pattern;
use bnc_models::{Classifier, Learner};
use bnc_ode::Aode;
use proptest::prelude::*;

const DIMS: [usize; 4] = [2, 3, 4, 2];
const CLASSES: usize = 3;

/// `Σ_{i: F(x_i) ≥ m} P(y, x_i) Π_{j≠i} P(x_j | y, x_i)` with Laplace's estimates; naive Bayes without a super-parent.
fn by_definition(data: &Dataset, row: &[Code], m: usize) -> Vec<f64> {
    let count = |fixed: &[(usize, Code)], known: &[usize], class: Option<usize>| {
        (0..data.rows())
            .filter(|&r| class.is_none_or(|class| usize::from(data.class()[r]) == class))
            .filter(|&r| fixed.iter().all(|&(feature, code)| data.features()[feature][r] == code))
            .filter(|&r| known.iter().all(|&feature| data.features()[feature][r] != MISSING))
            .count() as f64
    };
    let known: Vec<usize> = (0..row.len()).filter(|&feature| row[feature] != MISSING).collect();
    let mut scores = vec![0.0; CLASSES];
    let mut any = false;
    for &i in &known {
        if count(&[(i, row[i])], &[], None) < m as f64 {
            continue;
        }
        any = true;
        for (class, score) in scores.iter_mut().enumerate() {
            let joint = (count(&[(i, row[i])], &[], Some(class)) + 1.0)
                / (count(&[], &[i], None) + (CLASSES * DIMS[i]) as f64);
            let children = known.iter().filter(|&&j| j != i).map(|&j| {
                (count(&[(i, row[i]), (j, row[j])], &[], Some(class)) + 1.0)
                    / (count(&[(i, row[i])], &[j], Some(class)) + DIMS[j] as f64)
            });
            *score += joint * children.product::<f64>();
        }
    }
    if !any {
        for (class, score) in scores.iter_mut().enumerate() {
            let prior = (count(&[], &[], Some(class)) + 1.0) / (data.rows() + CLASSES) as f64;
            let features = known.iter().map(|&j| {
                (count(&[(j, row[j])], &[], Some(class)) + 1.0)
                    / (count(&[], &[j], Some(class)) + DIMS[j] as f64)
            });
            *score = prior * features.product::<f64>();
        }
    }
    let sum: f64 = scores.iter().sum();
    scores.into_iter().map(|score| score / sum).collect()
}

proptest! {
    #[test]
    fn equal_to_the_definition(
        missing in prop_oneof![Just(0), 3..9_usize],
        m in 0..70_usize,
        row in [0..3_u16, 0..4_u16, 0..5_u16, 0..3_u16],
    ) {
        let data = pattern(&DIMS, CLASSES, 90, missing);
        let row: Vec<Code> =
            row.iter().zip(DIMS).map(|(&code, dim)| if usize::from(code) < dim { code } else { MISSING }).collect();
        let model = Aode::default().with_minimum_frequency(m as u64).fit(&data).unwrap();
        let mut posterior = vec![0.0; CLASSES];
        model.posterior_into(&row, &mut posterior).unwrap();
        for (ours, expected) in posterior.iter().zip(by_definition(&data, &row, m)) {
            prop_assert!((ours - expected).abs() < 1e-12, "{} {}", ours, expected);
        }
    }
}
