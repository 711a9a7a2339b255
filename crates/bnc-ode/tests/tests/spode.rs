//! The choice of a super-parent against running it naively.

use bnc_models::bnc_data::{Code, Dataset, MISSING};
use bnc_models::conformance::{pattern, schema};
use bnc_models::{Classifier, Error, Learner, Smoothing};
use bnc_ode::{Spode, SuperParentChoice};
use proptest::prelude::*;

fn given(smoothing: Smoothing, parent: usize) -> Spode {
    Spode::default().with_smoothing(smoothing).with_parent(SuperParentChoice::Feature(format!("x{parent}")))
}

/// The errors of a super-parent when each part in turn is predicted by the network of the others.
fn naive_errors(data: &Dataset, learner: &Spode, parts: &[usize]) -> usize {
    let mut errors = 0;
    for part in 0..=*parts.iter().max().unwrap() {
        let rows = |own: bool| {
            data.select(&(0..data.rows()).filter(|&row| (parts[row] == part) == own).collect::<Vec<_>>())
        };
        let model = learner.fit(&rows(false)).unwrap();
        let test = rows(true);
        let mut row = vec![MISSING; test.features().len()];
        for index in 0..test.rows() {
            test.row_into(index, &mut row);
            errors += usize::from(model.predict(&row).unwrap() != test.class()[index]);
        }
    }
    errors
}

/// Rows in the order of class and values.
fn sorted(data: &Dataset) -> Dataset {
    let mut order: Vec<usize> = (0..data.rows()).collect();
    order.sort_by_key(|&row| {
        let values: Vec<Code> = data.features().iter().map(|column| column[row]).collect();
        (data.class()[row], values)
    });
    data.select(&order)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn as_the_naive_procedure_chooses(
        cells in prop::collection::vec((0..3_u16, 0..3_u16, 0..4_u16, 0..2_u16, 0..2_u16), 24..60),
        missing in prop_oneof![Just(0_usize), 3..9_usize],
        smoothing in prop_oneof![
            Just(Smoothing::Laplace), Just(Smoothing::Bdeu(1.0)), Just(Smoothing::Friedman(5.0)), Just(Smoothing::M(1.0)),
        ],
        leave_one_out in any::<bool>(),
    ) {
        let class = cells.iter().map(|cell| cell.4).collect();
        let mut features: Vec<Vec<Code>> = vec![
            cells.iter().map(|cell| cell.0).collect(),
            cells.iter().map(|cell| cell.1).collect(),
            cells.iter().map(|cell| (cell.2 + cell.4) % 4).collect(),
            cells.iter().map(|cell| cell.3 ^ u16::from(cell.0 > 1)).collect(),
        ];
        for (feature, column) in features.iter_mut().enumerate().filter(|_| missing > 0) {
            (0..column.len()).filter(|row| (row * 7 + feature * 3).is_multiple_of(missing)).for_each(|row| column[row] = MISSING);
        }
        let data = Dataset::new(schema(&[3, 3, 4, 2], 2), class, features, None).unwrap();
        let (choice, parts): (_, Vec<usize>) = if leave_one_out {
            (SuperParentChoice::LeaveOneOut, (0..data.rows()).collect())
        } else {
            (SuperParentChoice::CrossValidation, (0..data.rows()).map(|row| row % 10).collect())
        };
        let in_order = sorted(&data);
        let best = (0..4).min_by_key(|&parent| naive_errors(&in_order, &given(smoothing, parent), &parts)).unwrap();
        let chosen = Spode::default().with_smoothing(smoothing).with_parent(choice).fit(&data).unwrap();
        prop_assert_eq!(chosen, given(smoothing, best).fit(&data).unwrap());
    }
}

#[test]
fn a_feature_that_does_not_exist_is_refused() {
    let error = given(Smoothing::Laplace, 9).fit(&pattern(&[2, 2], 2, 20, 0)).unwrap_err();
    assert!(matches!(error, Error::BadParameter { .. }), "{error}");
}
