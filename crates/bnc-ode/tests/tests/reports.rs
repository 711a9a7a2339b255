//! What users of such tools reported, where AODE answers.

use approx::assert_abs_diff_eq;
use bnc_models::bnc_data::{Dataset, Encoder, Format, MISSING, Preparation, ReadOptions, Silent, read_from};
use bnc_models::{Classifier, Learner};
use bnc_ode::Aode;

fn data(text: &str) -> Dataset {
    let (frame, _) =
        read_from(text.as_bytes(), "table", Format::Csv, &ReadOptions::default(), &Silent).unwrap();
    Encoder::fit(&frame, Preparation::default()).unwrap().encode(&frame).unwrap().data
}

/// Seven rows, of which one lacks `a` and one lacks `b`.
#[test]
fn r23_missing_values_are_left_out_as_parent_and_as_child() {
    let data = data("a,b,class\nx,p,yes\nx,q,yes\ny,p,no\n?,q,no\nx,?,yes\ny,p,no\nx,p,yes\n");
    let model = Aode::default().fit(&data).unwrap();
    let posterior = |row: [u16; 2]| {
        let mut posterior = vec![0.0; 2];
        model.posterior_into(&row, &mut posterior).unwrap();
        posterior
    };
    // (?, p): b is the only super-parent and has no child. P(y, p) = (F + 1) / (6 + 4) over the rows that know b.
    let p = posterior([MISSING, 0]);
    assert_abs_diff_eq!(p[1], 3.0 / 6.0, epsilon = 1e-12);
    // (x, p): a as the parent is over the 6 rows that know a, its child over the 5 that know both.
    let a_parent =
        |class_count: f64, joint: f64, child: f64| (class_count + 1.0) / 10.0 * (joint + 1.0) / (child + 2.0);
    let yes = a_parent(4.0, 2.0, 3.0) + a_parent(2.0, 2.0, 2.0);
    let no = a_parent(0.0, 0.0, 0.0) + a_parent(2.0, 0.0, 2.0);
    assert_abs_diff_eq!(posterior([0, 0])[1], yes / (yes + no), epsilon = 1e-12);
    // Nothing known: the class distribution.
    assert_abs_diff_eq!(posterior([MISSING, MISSING])[1], 5.0 / 9.0, epsilon = 1e-12);
}

#[test]
fn r120_an_identifier_column_is_carried_and_too_many_are_refused_with_the_size() {
    let rows = 20_000_u16;
    let schema = bnc_models::conformance::schema(&[usize::from(rows), 3], 2);
    let class = (0..rows).map(|row| row % 2).collect();
    let features = vec![(0..rows).collect(), (0..rows).map(|row| row % 3).collect()];
    let data = Dataset::new(schema, class, features, None).unwrap();
    let model = Aode::default().fit(&data).unwrap();
    assert_eq!(model.predict(&[7, 1]).unwrap(), 1);
    let wide = bnc_models::conformance::schema(&[usize::from(rows), usize::from(rows)], 2);
    let columns = vec![(0..rows).collect(), (0..rows).collect()];
    let data = Dataset::new(wide, (0..rows).map(|row| row % 2).collect(), columns, None).unwrap();
    let error = Aode::default().fit(&data).unwrap_err().to_string();
    assert!(error.contains("needs 1600000000 cells (11.9 GiB)"), "{error}");
}
