//! Which columns are read, and as what.

use bnc_data::{ClassChoice, Encoder, Error, Format, Preparation, RawColumn, RawKind, ReadOptions};

use super::support::*;

const TABLE: &str = "id,a,n,class,w\n1,x,5,yes,2\n2,y,6,no,0\n3,x,?,yes,1\n";

#[test]
fn the_class_is_the_last_column_unless_named() {
    let (frame, report) = read_bytes(TABLE.as_bytes(), Format::Csv, &ReadOptions::default()).unwrap();
    assert_eq!(frame.class, Some(4));
    assert!(report.class_by_default);
    assert_eq!(labels(&frame, "w"), ["0", "1", "2"]);
    let (frame, report) = read_bytes(TABLE.as_bytes(), Format::Csv, &class("class")).unwrap();
    assert_eq!(frame.class, Some(3));
    assert!(!report.class_by_default);
    assert_eq!(numbers(&frame, "w"), [2.0, 0.0, 1.0]);
    assert_error(csv_with(TABLE, &class("Class")), &["'Class'", "id, a, n, class, w"]);
}

#[test]
fn weights_and_dropped_columns_are_no_features() {
    let options = ReadOptions { weight: Some("w".into()), drop: vec!["id".into()], ..ReadOptions::default() };
    let frame = csv_with(TABLE, &options).unwrap();
    assert_eq!(names(&frame), ["a", "n", "class"]);
    assert_eq!(frame.class, Some(2));
    assert_eq!(frame.weights, Some(vec![2, 0, 1]));
    for weight in ["-1", "1.5", "many", "4294967296", "", "+1"] {
        let text = format!("a,w,class\nx,1,yes\nx,{weight},no\n");
        assert_error(
            csv_with(&text, &ReadOptions { weight: Some("w".into()), ..ReadOptions::default() }),
            &["line 3", "'w'", "whole numbers"],
        );
    }
    let stated = "@relation t\n@attribute w real\n@attribute c {x}\n@data\n2,x\n2,x,{3}\n";
    let options = ReadOptions { weight: Some("w".into()), ..ReadOptions::default() };
    assert_error(arff_with(stated, &options), &["line 6", "one of the two"]);
    let once = stated.replace(",{3}", "");
    assert_eq!(arff_with(&once, &options).unwrap().weights, Some(vec![2, 2]));
}

#[test]
fn names_that_do_not_exist_are_refused() {
    let unknown = || vec!["b".to_string()];
    for options in [
        ReadOptions { nominal: unknown(), ..ReadOptions::default() },
        ReadOptions { numeric: unknown(), ..ReadOptions::default() },
        ReadOptions { drop: unknown(), ..ReadOptions::default() },
        ReadOptions { weight: Some("b".into()), ..ReadOptions::default() },
    ] {
        assert_error(csv_with(TABLE, &options), &["'b'", "id, a, n"]);
    }
}

#[test]
fn contradicting_wishes_are_refused() {
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let options = ReadOptions { nominal: names(&["n"]), numeric: names(&["n"]), ..ReadOptions::default() };
    assert!(matches!(csv_with(TABLE, &options), Err(Error::BadParameter { .. })));
    let options = ReadOptions { numeric: names(&["class"]), ..class("class") };
    assert!(matches!(csv_with(TABLE, &options), Err(Error::NumericClass { .. })));
    let options = ReadOptions { drop: names(&["class"]), ..class("class") };
    assert!(matches!(csv_with(TABLE, &options), Err(Error::NoSuchColumn { .. })));
    let options = ReadOptions { drop: names(&["id", "a", "n", "class", "w"]), ..ReadOptions::default() };
    assert!(matches!(csv_with(TABLE, &options), Err(Error::BadParameter { .. })));
}

#[test]
fn without_numbers_every_column_has_labels() {
    let options = ReadOptions { infer_numbers: false, ..ReadOptions::default() };
    assert_eq!(labels(&csv_with(TABLE, &options).unwrap(), "n"), ["5", "6"]);
    let text = "@relation t\n@attribute n real\n@attribute c {x}\n@data\n10,x\n9,x\n";
    assert_eq!(labels(&arff_with(text, &options).unwrap(), "n"), ["9", "10"]);
}

#[test]
fn only_the_columns_that_a_model_needs_are_read() {
    let columns = vec![
        RawColumn { name: "n".into(), kind: RawKind::Numeric },
        RawColumn { name: "id".into(), kind: RawKind::Nominal(["1".to_string()].into()) },
        RawColumn {
            name: "class".into(),
            kind: RawKind::Nominal(["no".to_string(), "yes".to_string()].into()),
        },
    ];
    let options = |class: &str| ReadOptions {
        columns: Some(columns.clone()),
        class: ClassChoice::IfPresent(class.into()),
        ..ReadOptions::default()
    };
    let frame = csv_with(TABLE, &options("class")).unwrap();
    assert_eq!(names(&frame), ["id", "n", "class"]);
    assert_eq!(frame.class, Some(2));
    assert_eq!(labels(&frame, "id"), ["1", "2", "3"]);
    assert_eq!(numbers(&frame, "n")[..2], [5.0, 6.0]);
    let frame = csv_with("n,id\n7,1\n?,2\n", &options("class")).unwrap();
    assert_eq!((names(&frame), frame.class), (vec!["n", "id"], None));
    let frame = csv_with("n,id,class\n7,1,?\n", &options("class")).unwrap();
    assert_eq!(texts(&frame, "class"), ["?"]);
    assert_error(csv_with("id,class\n1,yes\n", &options("class")), &["'n'", "id, class"]);
    assert_error(csv_with("id,n\n1,5\n2,five\n", &options("class")), &["line 3", "'n'", "'five'", "number"]);
    let arff_text = "@relation t\n@attribute id real\n@attribute n {5,6}\n@data\n7,6\n";
    let frame = arff_with(arff_text, &options("class")).unwrap();
    assert_eq!(labels(&frame, "id"), ["7"]);
    assert_eq!(numbers(&frame, "n"), [6.0]);
}

#[test]
fn a_fitted_encoder_reads_new_files() {
    let training = csv_with(TABLE, &class("class")).unwrap();
    let encoder = Encoder::fit(&training, Preparation::default()).unwrap();
    let options = ReadOptions {
        columns: Some(encoder.raw_columns()),
        class: ClassChoice::IfPresent("class".into()),
        ..ReadOptions::default()
    };
    let new = csv_with("extra,w,n,a,id\n!,1,2,y,9\n!,1,2,z,9\n", &options).unwrap();
    let encoded = encoder.encode(&new).unwrap();
    assert_eq!(encoded.data.rows(), 2);
    assert_eq!(encoded.unseen.len(), 1);
    assert_eq!(encoded.unseen[0].first, "z");
}
