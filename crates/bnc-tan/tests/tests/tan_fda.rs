//! Dependencies, trees and posteriors straight from the rows.

use std::path::Path;
use std::sync::Arc;

use approx::assert_abs_diff_eq;
use bnc_models::bnc_data::{Code, Dataset, MISSING};
use bnc_models::bnc_stats::{Counter, all_pairs, conditional_mutual_information};
use bnc_models::bnc_structure::{Structure, maximum_spanning_forest};
use bnc_models::conformance::{pattern, schema};
use bnc_models::{Classifier, Configure, Error, Learner, Model, Parameters, Smoothing};
use bnc_tan::{TAN_FDA_LOADER, Tan, TanFda};
use proptest::prelude::*;

use crate::random::Random;

/// The number of rows with these values.
fn count(data: &Dataset, fixed: &[(usize, Code)], class: Option<usize>) -> usize {
    (0..data.rows())
        .filter(|&row| class.is_none_or(|class| usize::from(data.class()[row]) == class))
        .filter(|&row| fixed.iter().all(|&(feature, code)| data.features()[feature][row] == code))
        .count()
}

/// The features whose values are known and not implied by another value.
fn remaining(data: &Dataset, row: &[Code], l: usize) -> Vec<usize> {
    let implies = |i: usize, j: usize| {
        let alone = count(data, &[(i, row[i])], None);
        i != j && alone >= l && alone == count(data, &[(i, row[i]), (j, row[j])], None)
    };
    let known: Vec<usize> = (0..row.len()).filter(|&feature| row[feature] != MISSING).collect();
    let goes = |j: usize| known.iter().any(|&i| implies(i, j) && !(implies(j, i) && j < i));
    known.iter().copied().filter(|&j| !goes(j)).collect()
}

/// The heaviest tree of these features alone.
fn tree(data: &Dataset, remaining: &[usize]) -> Structure {
    let features = data.features().len();
    let tables = data.count(&all_pairs(features)).unwrap();
    let weight = |table: &bnc_models::bnc_stats::Table| {
        let inside = table.vars().iter().all(|feature| remaining.contains(&feature));
        if inside { conditional_mutual_information(table) } else { f64::NAN }
    };
    maximum_spanning_forest(features, &tables.iter().map(weight).collect::<Vec<_>>(), Some(-1.0))
}

/// `P(y) Π P(x_i | y, x_parent(i))` over the remaining features with Laplace's estimates.
fn by_definition(data: &Dataset, row: &[Code], remaining: &[usize], tree: &Structure) -> Vec<f64> {
    let schema = data.schema();
    let score = |class: usize| {
        let mut score = (count(data, &[], Some(class)) + 1) as f64;
        for &child in remaining {
            let parents = &tree.features()[child].parents;
            let context: Vec<_> = parents.iter().map(|&parent| (parent, row[parent])).collect();
            let with = |code: usize| [context.as_slice(), &[(child, code as Code)]].concat();
            let r = schema.cardinality(child);
            let known: usize = (0..r).map(|code| count(data, &with(code), Some(class))).sum();
            let seen = count(data, &with(usize::from(row[child])), Some(class));
            score *= (seen + 1) as f64 / (known + r) as f64;
        }
        score
    };
    let scores: Vec<f64> = (0..schema.classes()).map(score).collect();
    let sum: f64 = scores.iter().sum();
    scores.into_iter().map(|score| score / sum).collect()
}

const DIMS: [usize; 6] = [4, 2, 4, 1, 3, 2];

/// The second feature follows from the first, the third is the first in other codes, the fourth has one value, the last
/// is 1 only where the second is.
fn dependent(seed: u64, rows: usize, missing: usize) -> Dataset {
    let mut random = Random(seed);
    let base = random.data(&[4, 3, 2], 3, rows);
    let first = base.features()[0].clone();
    let of_first = |map: &dyn Fn(Code) -> Code| first.iter().map(|&code| map(code)).collect::<Vec<_>>();
    let second = of_first(&|code| code / 2);
    let last = base.features()[2].iter().zip(&second).map(|(a, b)| a * b).collect();
    let third = of_first(&|code| 3 - code);
    let mut columns = vec![first.clone(), second, third, vec![0; rows], base.features()[1].clone(), last];
    for column in &mut columns {
        for code in column.iter_mut() {
            if missing > 0 && random.below(missing) == 0 {
                *code = MISSING;
            }
        }
    }
    Dataset::new(schema(&DIMS, 3), base.class().to_vec(), columns, None).unwrap()
}

proptest! {
    #[test]
    fn equal_to_the_definition(
        seed in 0..1000_u64,
        rows in 1..120_usize,
        missing in prop_oneof![Just(0), 5..60_usize],
        l in 1..30_usize,
        row in [0..5_u16, 0..3_u16, 0..5_u16, 0..2_u16, 0..4_u16, 0..3_u16],
        known in any::<bool>(),
    ) {
        let data = dependent(seed, rows, missing);
        // A row of the data, or any row.
        let row: Vec<Code> = if known {
            data.features().iter().map(|column| column[usize::from(row[0]) % rows]).collect()
        } else {
            row.iter().zip(DIMS).map(|(&code, dim)| if usize::from(code) < dim { code } else { MISSING }).collect()
        };
        let learner = TanFda::default().with_smoothing(Smoothing::Laplace).with_minimum_frequency(l as u64);
        let model = learner.fit(&data).unwrap();
        let remaining = remaining(&data, &row, l);
        prop_assert_eq!(&model.remaining(&row).unwrap(), &remaining);
        let tree = tree(&data, &remaining);
        prop_assert_eq!(&model.tree(&row).unwrap(), &tree);
        let mut posterior = vec![0.0; 3];
        model.posterior_into(&row, &mut posterior).unwrap();
        for (ours, expected) in posterior.iter().zip(by_definition(&data, &row, &remaining, &tree)) {
            prop_assert!((ours - expected).abs() < 1e-12, "{} {}", ours, expected);
        }
    }
}

const SMOOTHINGS: [Smoothing; 6] = [
    Smoothing::Friedman(5.0),
    Smoothing::Laplace,
    Smoothing::Lidstone(0.5),
    Smoothing::M(1.0),
    Smoothing::Bdeu(1.0),
    Smoothing::Mle,
];

#[test]
fn without_dependencies_the_posteriors_are_those_of_tan_to_the_last_bit() {
    let data = Random(11).data(&[2, 3, 4, 2, 5], 3, 250);
    for smoothing in SMOOTHINGS {
        let tan = Tan::default().with_smoothing(smoothing).fit(&data).unwrap();
        let ours = TanFda::default().with_smoothing(smoothing).fit(&data).unwrap();
        let all = (0..data.rows()).map(|row| data.features().iter().map(|column| column[row]).collect());
        assert!(all.into_iter().all(|row: Vec<Code>| ours.remaining(&row).unwrap().len() == 5));
        assert_eq!(ours.members()[0].structure, *tan.structure());
        assert_eq!(ours.posteriors(&data).unwrap(), tan.posteriors(&data).unwrap(), "{smoothing}");
    }
}

#[test]
fn a_feature_that_follows_from_another_might_as_well_not_be_there() {
    let base = Random(3).data(&[3, 2, 4], 2, 900);
    let mut columns = base.features().to_vec();
    columns.push(columns[0].iter().map(|&code| 2 - code).collect());
    columns.push(columns[2].iter().map(|&code| code / 2).collect());
    let more = Dataset::new(schema(&[3, 2, 4, 3, 2], 2), base.class().to_vec(), columns, None).unwrap();
    for smoothing in SMOOTHINGS {
        let without = Tan::default().with_smoothing(smoothing).fit(&base).unwrap();
        // Some of the values are seen less than 100 times.
        let learner = TanFda::default().with_minimum_frequency(20).with_smoothing(smoothing);
        let ours = learner.fit(&more).unwrap();
        assert_eq!(ours.remaining(&[0, 1, 3, 2, 1]).unwrap(), [0, 1, 2]);
        let (ours, without) = (ours.posteriors(&more).unwrap(), without.posteriors(&base).unwrap());
        assert_eq!(ours, without, "{smoothing}");
    }
}

#[test]
fn chains_equals_constants_and_rare_values() {
    // 0 → 1 → 2 in their values 1; 3 equals 0; 4 has one value; each is implied by what precedes it.
    let rows = 400;
    let of = |map: &dyn Fn(usize) -> bool| (0..rows).map(|row| Code::from(map(row))).collect::<Vec<_>>();
    let (first, second, third) = (of(&|row| row % 4 == 0), of(&|row| row % 4 < 2), of(&|row| row % 4 < 3));
    let columns = vec![first.clone(), second, third, first, vec![0; rows]];
    let class = of(&|row| row % 7 < 3);
    let data = Dataset::new(schema(&[2, 2, 2, 2, 1], 2), class, columns, None).unwrap();
    let model = TanFda::default().fit(&data).unwrap();
    let of_row = |row: [Code; 5]| model.remaining(&row).unwrap();
    assert_eq!(of_row([1, 1, 1, 1, 0]), [0], "a chain, an equal and a constant go");
    assert_eq!(of_row([0, 0, 0, 0, 0]), [2], "the chain of the other values runs the other way");
    assert_eq!(of_row([MISSING, 1, 1, 1, 0]), [3], "a missing value neither implies nor is there");
    assert_eq!(of_row([MISSING; 5]), [0_usize; 0]);
    // Values 1 of the first and 0 of the third were seen 100 times.
    let rare = TanFda::default().with_minimum_frequency(101).fit(&data).unwrap();
    assert_eq!(rare.remaining(&[1, 1, 1, 1, 0]).unwrap(), [0, 1, 3], "as if 100 were too few");
    let none = TanFda::default().with_minimum_frequency(401).fit(&data).unwrap();
    assert_eq!(none.remaining(&[1, 1, 1, 1, 0]).unwrap(), [0, 1, 2, 3, 4]);
}

#[test]
fn parameters_are_read_and_checked() {
    let of = |given: &[(&str, &str)]| {
        let given = given.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
        TanFda::configure(&Parameters::new(&TanFda::INFO, given)?)
    };
    assert_eq!(of(&[]).unwrap(), TanFda::default());
    let expected = TanFda::default().with_minimum_frequency(30).with_smoothing(Smoothing::M(1.0));
    assert_eq!(of(&[("l", "30"), ("smoothing", "m:1")]).unwrap(), expected);
    for bad in ["0", "-1", "many"] {
        let error = of(&[("l", bad)]).unwrap_err().to_string();
        assert_eq!(error, format!("tan-fda: l={bad} is not a whole number of 1 or more"));
    }
    let refused = TanFda::default().with_minimum_frequency(0).fit(&pattern(&[2, 2], 2, 9, 0));
    assert!(matches!(refused, Err(Error::BadParameter { .. })));
}

#[test]
fn tables_that_do_not_fit_are_refused_with_their_size() {
    let schema = schema(&[20_000, 20_000], 2);
    let data = Dataset::new(Arc::clone(&schema), vec![0], vec![vec![0], vec![0]], None).unwrap();
    let error = TanFda::default().fit(&data).unwrap_err();
    assert!(matches!(error, Error::TooLarge { cells: 1_600_000_000, .. }), "{error}");
}

#[test]
fn version_1_is_read_for_ever() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/tan-fda-1.bnc");
    let model = Model::read(&path, &[TAN_FDA_LOADER]).unwrap();
    assert_eq!(model.learner(), "tan-fda:l=3");
    let data = pattern(&[2, 3, 2], 2, 12, 5);
    let fitted = TanFda::default().with_minimum_frequency(3).fit(&data).unwrap();
    let (read, expected) = (model.posteriors(&data).unwrap(), fitted.posteriors(&data).unwrap());
    for (ours, expected) in read.iter().zip(&expected) {
        assert_abs_diff_eq!(ours, expected, epsilon = 1e-12);
    }
}
