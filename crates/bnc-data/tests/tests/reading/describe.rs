//! Summaries and reports.

use bnc_data::{Format, ReadOptions, Silent, Summary, describe};

use super::support::*;

#[test]
fn a_description_counts_cells() {
    let text = "a,n,class,w\nx,5,yes,2\ny,7,no,1\n?,?,yes,1\ny,5,yes,3\n";
    let options = ReadOptions { weight: Some("w".into()), ..ReadOptions::default() };
    let frame = csv_with(text, &options).unwrap();
    let description = describe(&frame).unwrap();
    assert_eq!((description.rows, description.weight, description.class), (4, 7, Some(2)));
    let [a, n, class] = &description.columns[..] else { panic!("three columns") };
    assert_eq!(a.missing, 1);
    assert_eq!(a.cells, Summary::Nominal(vec![("x".into(), 1), ("y".into(), 2)]));
    assert_eq!(a.cells.most_frequent(), [("y", 2), ("x", 1)]);
    assert_eq!(n.cells, Summary::Numeric { distinct: Some(2), range: Some((5.0, 17.0 / 3.0, 7.0)) });
    assert_eq!(class.cells.distinct(), Some(2));

    let files = Files::new();
    let path = files.write("data.csv", text);
    let source = bnc_data::open(&path, &options, &Silent).unwrap();
    let streamed = describe(&source).unwrap();
    assert_eq!(streamed.columns, description.columns);
}

#[test]
fn declared_labels_may_not_occur() {
    let text = "@relation t\n@attribute a {x,y}\n@attribute n real\n@attribute c {p,q}\n@data\nx,?,p\n";
    let description = describe(&arff(text).unwrap()).unwrap();
    assert_eq!(description.columns[0].cells.distinct(), Some(1));
    assert_eq!(description.columns[0].cells, Summary::Nominal(vec![("x".into(), 1), ("y".into(), 0)]));
    assert_eq!(description.columns[1].cells, Summary::Numeric { distinct: Some(0), range: None });
}

#[test]
fn r120_identifiers_are_reported() {
    let rows: String = (0..1000).map(|row| format!("u{row},{},k,{}\n", row % 5, row % 2)).collect();
    let text = format!("id,n,constant,class\n{rows}");
    let (_, report) = read_bytes(text.as_bytes(), Format::Csv, &ReadOptions::default()).unwrap();
    let names = |columns: Vec<&bnc_data::ColumnReport>| {
        columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(report.identifiers().collect()), ["id"]);
    assert_eq!(names(report.constant().collect()), ["constant"]);
    assert_eq!(report.with_missing().count(), 0);
    assert_eq!(report.rows, 1000);
}
