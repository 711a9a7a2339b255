//! Raw rows to codes: domains, unseen values, missing cells, weights, chunks.

use std::sync::Arc;

use bnc_data::{
    Code, Column, Dataset, Domain, Encoder, Error, Frame, MISSING, MissingPolicy, Preparation, RawColumn,
    RawKind, RawSource, Result, Source, Unseen, Values,
};
use proptest::prelude::*;

use crate::support::{frame, nominal, numeric};

fn fit(frame: &Frame, missing: MissingPolicy) -> Encoder {
    let preparation = Preparation { missing, discretization: bnc_data::Discretization::Width(2) };
    Encoder::fit(frame, preparation).unwrap()
}

fn labels(encoder: &Encoder, feature: usize) -> Vec<String> {
    match encoder.schema().features()[feature].domain() {
        Domain::Labels(labels) => labels.clone(),
        Domain::Intervals { .. } => panic!("feature {feature} is numeric"),
    }
}

fn codes(encoder: &Encoder, frame: &Frame, feature: usize) -> Vec<Code> {
    encoder.encode(frame).unwrap().data.features()[feature].clone()
}

fn yes_no(cells: &[&str]) -> Column {
    nominal("class", &["no", "yes"], cells)
}

#[test]
fn r01_unseen_category_is_missing_and_counted() {
    let training = frame(vec![nominal("a", &["x", "y"], &["x", "y"]), yes_no(&["yes", "no"])]);
    let new = frame(vec![
        nominal("a", &["w", "y", "z"], &["y", "z", "?", "w", "z"]),
        nominal("class", &["maybe", "yes"], &["yes", "?", "maybe", "yes", "yes"]),
    ]);
    for policy in [MissingPolicy::Ignore, MissingPolicy::Value, MissingPolicy::Mode] {
        let encoded = fit(&training, policy).encode(&new).unwrap();
        let fill = if policy == MissingPolicy::Mode { 0 } else { MISSING };
        assert_eq!(encoded.data.features()[0], [1, MISSING, fill, MISSING, MISSING], "{policy:?}");
        assert_eq!(encoded.data.class(), [1, MISSING, MISSING, 1, 1]);
        let unseen = |column: &str, cells, first: &str, row| Unseen {
            column: column.into(),
            cells,
            first: first.into(),
            row,
        };
        assert_eq!(encoded.unseen, [unseen("a", 3, "z", 1), unseen("class", 1, "maybe", 2)]);
    }
}

#[test]
fn r02_a_training_part_keeps_the_values_of_the_whole() {
    let whole = frame(vec![
        nominal("a", &["x", "y", "w"], &["x", "y", "w", "x"]),
        nominal("class", &["no", "yes", "never"], &["yes", "no", "no", "yes"]),
    ]);
    let encoder = fit(&whole.select(&[0, 1, 3]), MissingPolicy::Ignore);
    assert_eq!(labels(&encoder, 0), ["x", "y", "w"]);
    assert_eq!(encoder.schema().classes(), 3);
    assert_eq!(codes(&encoder, &whole, 0), [0, 1, 2, 0]);
}

#[test]
fn r03_declared_values_are_kept_in_declared_order() {
    let frame = frame(vec![nominal("a", &["z", "x", "y"], &["x", "y"]), yes_no(&["yes", "no"])]);
    for policy in [MissingPolicy::Ignore, MissingPolicy::Value, MissingPolicy::Mode] {
        assert_eq!(labels(&fit(&frame, policy), 0), ["z", "x", "y"]);
    }
}

#[test]
fn columns_are_matched_by_name() {
    let training = frame(vec![
        nominal("a", &["x", "y"], &["x", "y"]),
        numeric("b", &[1.0, 5.0]),
        yes_no(&["yes", "no"]),
    ]);
    let encoder = fit(&training, MissingPolicy::Ignore);
    let columns = vec![numeric("extra", &[f64::NAN]), numeric("b", &[4.0]), nominal("a", &["y"], &["y"])];
    let encoded = encoder.encode(&Frame::new("new", columns, None, None).unwrap()).unwrap();
    assert_eq!(encoded.data.features(), [vec![1], vec![1]]);
    assert_eq!(encoded.data.class(), [MISSING]);

    let lacking = Frame::new("new", vec![numeric("b", &[4.0])], None, None).unwrap();
    match encoder.encode(&lacking) {
        Err(Error::NoSuchColumn { column, available }) => {
            assert_eq!((&*column, &available[..]), ("a", &["b".to_string()][..]));
        }
        other => panic!("{other:?}"),
    }
}

fn with_gaps() -> Frame {
    frame(vec![
        nominal("a", &["x", "y"], &["y", "?", "y", "x"]),
        numeric("b", &[0.0, 10.0, f64::NAN, 8.0]),
        nominal("full", &["u", "v"], &["u", "v", "u", "v"]),
        yes_no(&["yes", "no", "no", "yes"]),
    ])
}

#[test]
fn missing_cells_stay_missing_under_ignore() {
    let encoder = fit(&with_gaps(), MissingPolicy::Ignore);
    assert_eq!(codes(&encoder, &with_gaps(), 0), [1, MISSING, 1, 0]);
    assert_eq!(codes(&encoder, &with_gaps(), 1), [0, 1, MISSING, 1]);
    assert_eq!(encoder.schema().cardinality(0), 2);
}

#[test]
fn missing_cells_are_one_more_value_under_value() {
    let encoder = fit(&with_gaps(), MissingPolicy::Value);
    assert_eq!(labels(&encoder, 0), ["x", "y", "?"]);
    assert_eq!(codes(&encoder, &with_gaps(), 0), [1, 2, 1, 0]);
    assert_eq!(codes(&encoder, &with_gaps(), 1), [0, 1, 2, 1]);
    let numbers = &encoder.schema().features()[1];
    assert_eq!(numbers.cardinality(), 3);
    assert_eq!(numbers.domain().label(2).as_deref(), Some("?"));
    // A feature that was complete in training gets no such value, and a later gap stays missing.
    assert_eq!(encoder.schema().cardinality(2), 2);
    let mut gap = with_gaps();
    gap.columns[2] = nominal("full", &["u", "v"], &["?", "u", "v", "?"]);
    assert_eq!(codes(&encoder, &gap, 2), [MISSING, 0, 1, MISSING]);
}

#[test]
fn missing_cells_become_mode_and_mean_under_mode() {
    let encoder = fit(&with_gaps(), MissingPolicy::Mode);
    assert_eq!(codes(&encoder, &with_gaps(), 0), [1, 1, 1, 0]);
    // The mean is 6, above the cut at 5.
    assert_eq!(codes(&encoder, &with_gaps(), 1), [0, 1, 1, 1]);
    let tie = frame(vec![
        nominal("a", &["x", "y", "z"], &["z", "y", "z", "y", "?"]),
        yes_no(&["yes", "no", "no", "yes", "no"]),
    ]);
    let encoder = fit(&tie, MissingPolicy::Mode);
    assert_eq!(codes(&encoder, &tie, 0)[4], 1, "the lowest code of equally frequent ones");
}

#[test]
fn missing_cells_are_refused_under_reject() {
    let reject = Preparation { missing: MissingPolicy::Reject, ..Preparation::default() };
    let mut frame = with_gaps();
    frame.lines = vec![2, 4, 5, 9];
    let message = Encoder::fit(&frame, reject).unwrap_err().to_string();
    assert!(message.starts_with("test, line 4, column 'a'"), "{message}");

    let encoder = Encoder::fit(&frame.select(&[0, 3]), reject).unwrap();
    let message = encoder.encode(&frame.select(&[0, 2])).unwrap_err().to_string();
    assert!(message.starts_with("test, line 5, column 'b'"), "{message}");
    // A missing class is no missing feature.
    frame.columns[3] = yes_no(&["?", "?", "?", "yes"]);
    assert!(Encoder::fit(&frame, reject).is_ok(), "unlabelled rows are not looked at");
    assert!(encoder.encode(&frame.select(&[0, 3])).is_ok());
}

#[test]
fn a_real_question_mark_is_no_missing_cell() {
    let frame = |cells: &[&str]| {
        let mut frame = frame(vec![nominal("a", &["x", "Q"], cells), yes_no(&["yes", "no", "no"])]);
        if let Values::Nominal { labels, .. } = &mut frame.columns[0].values {
            *labels = ["x".to_string(), "?".to_string()].into();
        }
        frame
    };
    // Known in training: the value for missing cells gets another name.
    let encoder = fit(&frame(&["x", "Q", "?"]), MissingPolicy::Value);
    assert_eq!(labels(&encoder, 0), ["x", "?", "??"]);
    assert_eq!(codes(&encoder, &frame(&["?", "Q", "x"]), 0), [2, 1, 0]);

    // Not known in training: unseen, although the value for missing cells has the same name.
    let training = crate::support::frame(vec![nominal("a", &["x"], &["x", "?"]), yes_no(&["yes", "no"])]);
    let encoder = fit(&training, MissingPolicy::Value);
    assert_eq!(labels(&encoder, 0), ["x", "?"]);
    let encoded = encoder.encode(&frame(&["?", "Q", "x"])).unwrap();
    assert_eq!(encoded.data.features()[0], [1, MISSING, 0]);
    assert_eq!(encoded.unseen[0].cells, 1);
    // A reader is told the labels that stand in cells.
    assert_eq!(encoder.raw_columns()[0].kind, RawKind::Nominal(["x".to_string()].into()));
}

#[test]
fn a_column_without_a_known_cell_keeps_one_value() {
    let frame = frame(vec![
        nominal("a", &[], &["?", "?"]),
        nominal("b", &["x", "y"], &["?", "?"]),
        numeric("c", &[f64::NAN, f64::NAN]),
        yes_no(&["yes", "no"]),
    ]);
    for (policy, values, expected) in [
        (MissingPolicy::Ignore, [1, 2, 1], [MISSING; 3]),
        (MissingPolicy::Value, [2, 3, 2], [1, 2, 1]),
        (MissingPolicy::Mode, [1, 2, 1], [0, 0, 0]),
    ] {
        let encoder = fit(&frame, policy);
        for feature in 0..3 {
            assert_eq!(encoder.schema().cardinality(feature), values[feature], "{policy:?}");
            assert_eq!(codes(&encoder, &frame, feature), [expected[feature]; 2], "{policy:?}");
        }
    }
}

#[test]
fn unlabelled_rows_are_left_out_of_fitting() {
    let frame = frame(vec![
        nominal("a", &["x", "y"], &["y", "y", "x", "?", "?"]),
        numeric("b", &[100.0, -100.0, 0.0, 8.0, f64::NAN]),
        yes_no(&["?", "?", "yes", "no", "?"]),
    ]);
    for policy in [MissingPolicy::Ignore, MissingPolicy::Value, MissingPolicy::Mode] {
        let all = fit(&frame, policy);
        assert_eq!(all, fit(&frame.select(&[2, 3]), policy), "{policy:?}");
    }
    let encoder = fit(&frame, MissingPolicy::Mode);
    assert_eq!(*encoder.schema().features()[1].domain(), Domain::intervals(vec![4.0]));
    assert_eq!(codes(&encoder, &frame, 0), [1, 1, 0, 0, 0]);
}

#[test]
fn weights_count_as_rows() {
    let columns = vec![
        nominal("a", &["x", "y"], &["x", "y", "?"]),
        numeric("b", &[1.0, 3.0, 9.0]),
        yes_no(&["yes", "no", "no"]),
    ];
    let weighted = Frame::new("test", columns, Some(2), Some(vec![2, 3, 0])).unwrap();
    let repeated = weighted.select(&[0, 0, 1, 1, 1]);
    let repeated = Frame::new("test", repeated.columns, Some(2), None).unwrap();
    for policy in [MissingPolicy::Value, MissingPolicy::Mode] {
        assert_eq!(fit(&weighted, policy), fit(&repeated, policy), "{policy:?}");
    }
    let encoded = fit(&weighted, MissingPolicy::Mode).encode(&weighted).unwrap();
    assert_eq!(encoded.data.features()[0], [0, 1, 1]);
    assert_eq!(encoded.data.weights(), Some(&[2, 3, 0][..]));
}

#[test]
fn text_where_numbers_are_needed() {
    let training = frame(vec![numeric("b", &[1.0, 5.0]), yes_no(&["yes", "no"])]);
    let encoder = fit(&training, MissingPolicy::Ignore);
    let mut new = frame(vec![
        nominal("b", &["4.5", "1e0", "unused", "inf"], &["4.5", "1e0", "?", "inf"]),
        yes_no(&["yes", "no", "yes", "no"]),
    ]);
    assert_eq!(codes(&encoder, &new, 0), [1, 0, MISSING, 1]);
    // As a reader does: `nan` is a missing number, whatever the policy puts in its place.
    let gaps = frame(vec![nominal("b", &["NaN", "5"], &["NaN", "5"]), yes_no(&["yes", "no"])]);
    for (policy, fill) in [(MissingPolicy::Ignore, MISSING), (MissingPolicy::Mode, 0)] {
        assert_eq!(codes(&fit(&training, policy), &gaps, 0), [fill, 1]);
    }
    let refused = fit(&training, MissingPolicy::Reject).encode(&gaps);
    assert!(matches!(refused, Err(Error::MissingCell { .. })));
    for text in ["tall", "", "4,5"] {
        new.columns[0] = nominal("b", &["1", text], &["1", "1", text, "1"]);
        match encoder.encode(&new) {
            Err(Error::BadValue { place, value, expected }) => {
                assert_eq!((place.to_string(), &*value), ("test, row 3, column 'b'".into(), text));
                assert!(expected.starts_with("a number"), "{expected}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn numbers_where_labels_are_needed() {
    let training = frame(vec![
        nominal("a", &["1", "2.50", "many", "-0"], &["1", "2.50", "many", "-0"]),
        nominal("class", &["0", "1"], &["0", "1", "0", "1"]),
    ]);
    let encoder = fit(&training, MissingPolicy::Ignore);
    let new = frame(vec![
        numeric("a", &[2.5, 1.0, f64::NAN, 3.0, 0.0]),
        numeric("class", &[1.0, 0.0, f64::NAN, 7.0, 1.0]),
    ]);
    let encoded = encoder.encode(&new).unwrap();
    assert_eq!(encoded.data.features()[0], [1, 0, MISSING, MISSING, 3]);
    assert_eq!(encoded.data.class(), [1, 0, MISSING, MISSING, 1]);
    let told: Vec<_> = encoded.unseen.iter().map(|unseen| (&*unseen.column, &*unseen.first)).collect();
    assert_eq!(told, [("a", "3"), ("class", "7")]);
}

#[test]
fn what_cannot_be_fitted_is_refused() {
    let prepare = |frame: &Frame| Encoder::fit(frame, Preparation::default()).unwrap_err();
    let good = with_gaps();
    let mut bad = good.clone();
    bad.class = None;
    assert!(matches!(prepare(&bad), Error::Shape(_)));
    bad.class = Some(1);
    assert!(matches!(prepare(&bad), Error::NumericClass { column } if column == "b"));
    let mut bad = good;
    bad.columns[3] = nominal("class", &[], &["?"; 4]);
    assert!(matches!(prepare(&bad), Error::NoLabelledRows { .. }));
}

#[test]
fn a_schema_alone_encodes_its_labels() {
    let frame = with_gaps();
    let fitted = fit(&frame, MissingPolicy::Value);
    let encoder = Encoder::of_schema(Arc::clone(fitted.schema()));
    assert_eq!(encoder.missing(), MissingPolicy::Ignore);
    assert_eq!(codes(&encoder, &frame, 0), [1, MISSING, 1, 0]);
    assert_eq!(codes(&encoder, &frame, 1), [0, 1, MISSING, 1]);
}

/// A frame that shows itself in chunks.
struct Chunks<'a>(&'a Frame, usize);

impl Chunks<'_> {
    fn parts(&self) -> Vec<Frame> {
        let rows: Vec<usize> = (0..self.0.rows()).collect();
        rows.chunks(self.1).map(|rows| self.0.select(rows)).collect()
    }
}

impl RawSource for Chunks<'_> {
    fn file(&self) -> Arc<str> {
        self.0.file()
    }

    fn columns(&self) -> Vec<RawColumn> {
        self.0.columns()
    }

    fn class(&self) -> Option<usize> {
        RawSource::class(self.0)
    }

    fn scan(&self, visit: &mut dyn FnMut(&Frame) -> Result<()>) -> Result<()> {
        self.parts().iter().try_for_each(visit)
    }
}

fn frames() -> impl Strategy<Value = Frame> {
    let row = (
        0..5_u16,
        prop_oneof![4 => (0..12_u8).prop_map(f64::from), 1 => Just(f64::NAN), 1 => proptest::num::f64::ANY],
        0..4_u16,
        0..4_u32,
    );
    (proptest::collection::vec(row, 1..40), any::<bool>()).prop_map(|(rows, weighted)| {
        // The last code of a category stands for a missing cell.
        let codes = |values: u16, codes: Vec<u16>| Values::Nominal {
            labels: (0..values).map(|value| format!("v{value}")).collect(),
            codes: codes.into_iter().map(|code| if code == values { MISSING } else { code }).collect(),
        };
        let column = |name: &str, values| Column { name: name.into(), values };
        Frame::new(
            "random",
            vec![
                column("a", codes(4, rows.iter().map(|row| row.0).collect())),
                column("b", Values::Numeric(rows.iter().map(|row| row.1).collect())),
                column("class", codes(3, rows.iter().map(|row| row.2).collect())),
            ],
            Some(2),
            weighted.then(|| rows.iter().map(|row| row.3).collect()),
        )
        .unwrap()
    })
}

fn in_domain(data: &Dataset) -> bool {
    let variables = data.schema().features().iter().chain([data.schema().class()]);
    let columns = data.features().iter().map(Vec::as_slice).chain([data.class()]);
    variables.zip(columns).all(|(variable, codes)| {
        codes.iter().all(|&code| code == MISSING || usize::from(code) < variable.cardinality())
    })
}

proptest! {
    #[test]
    fn codes_stay_in_their_domains_and_chunks_change_nothing(
        training in frames(),
        new in frames(),
        chunk in 1..9_usize,
        policy in prop_oneof![Just(MissingPolicy::Ignore), Just(MissingPolicy::Value), Just(MissingPolicy::Mode)],
        discretization in prop_oneof![
            Just(bnc_data::Discretization::Mdl),
            Just(bnc_data::Discretization::Width(4)),
            Just(bnc_data::Discretization::Frequency(3)),
            Just(bnc_data::Discretization::Median),
        ],
    ) {
        let preparation = Preparation { missing: policy, discretization };
        let encoder = Encoder::fit(&training, preparation).unwrap();
        prop_assert_eq!(&encoder, &Encoder::fit(&Chunks(&training, chunk), preparation).unwrap());
        for frame in [&training, &new] {
            let whole = encoder.encode(frame).unwrap();
            prop_assert!(in_domain(&whole.data));
            prop_assert_eq!(&whole.unseen, &[]);
            let chunks = Chunks(frame, chunk);
            let mut start = 0;
            encoder
                .over(&chunks)
                .scan(&mut |part| {
                    let rows: Vec<usize> = (start..start + part.rows()).collect();
                    assert_eq!(*part, whole.data.select(&rows));
                    start += part.rows();
                    Ok(())
                })
                .unwrap();
            prop_assert_eq!(start, frame.rows());
        }
        if policy == MissingPolicy::Mode {
            let coded = encoder.encode(&training).unwrap();
            prop_assert!(coded.data.features().iter().flatten().all(|&code| code != MISSING));
        }
    }
}
