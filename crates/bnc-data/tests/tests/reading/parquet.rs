//! Parquet, written here by the library that also reads it.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float32Array, Float64Array,
    Int8Array, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray, UInt64Array,
};
use bnc_data::{
    ClassChoice, Code, Error, Format, Frame, MISSING, RawSource, ReadOptions, Result, Silent, Values,
};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::support::*;

/// A file of these columns in row groups of so many rows.
fn file(columns: Vec<(&str, ArrayRef)>, compression: Compression, rows_a_group: usize) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_max_row_group_row_count(Some(rows_a_group))
        .build();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn read(columns: Vec<(&str, ArrayRef)>, options: &ReadOptions) -> Result<Frame> {
    let bytes = file(columns, Compression::SNAPPY, 2);
    read_bytes(&bytes, Format::Parquet, options).map(|(frame, _)| frame)
}

fn strings(texts: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(texts.to_vec()))
}

fn codes(frame: &Frame, name: &str) -> Vec<Code> {
    match &column(frame, name).values {
        Values::Nominal { codes, .. } => codes.clone(),
        Values::Numeric(_) => panic!("'{name}' has numbers"),
    }
}

fn classes(count: usize) -> ArrayRef {
    Arc::new(StringArray::from((0..count).map(|row| ["no", "yes"][row % 2]).collect::<Vec<_>>()))
}

#[test]
fn texts_are_labels_in_natural_order() {
    let coded: DictionaryArray<Int32Type> = [Some("red"), None, Some("blue")].into_iter().collect();
    let columns = vec![
        ("text", strings(&[Some("b"), Some("a b"), None])),
        ("number", strings(&[Some("10"), Some("9"), Some("9")])),
        ("coded", Arc::new(coded) as ArrayRef),
        ("truth", Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)]))),
        ("class", classes(3)),
    ];
    let frame = read(columns, &ReadOptions::default()).unwrap();
    assert_eq!(names(&frame), ["text", "number", "coded", "truth", "class"]);
    assert_eq!(labels(&frame, "text"), ["a b", "b"]);
    assert_eq!(codes(&frame, "text"), [1, 0, MISSING]);
    assert_eq!(labels(&frame, "number"), ["9", "10"]);
    assert_eq!(codes(&frame, "coded"), [1, MISSING, 0]);
    assert_eq!(labels(&frame, "truth"), ["false", "true"]);
    assert_eq!(codes(&frame, "truth"), [1, MISSING, 0]);
    assert_eq!(codes(&frame, "class"), [0, 1, 0]);
    assert_eq!(frame.lines, [1, 2, 3]);
}

#[test]
fn numbers_of_all_kinds_are_numbers_or_labels_as_wanted() {
    let decimal =
        Decimal128Array::from(vec![Some(-150), Some(5), None]).with_precision_and_scale(9, 2).unwrap();
    let columns = || -> Vec<(&str, ArrayRef)> {
        vec![
            ("small", Arc::new(Int8Array::from(vec![Some(-3), Some(10), None]))),
            ("large", Arc::new(Int64Array::from(vec![9_007_199_254_740_993, 9_007_199_254_740_992, -1]))),
            ("larger", Arc::new(UInt64Array::from(vec![u64::MAX, 0, 1]))),
            ("single", Arc::new(Float32Array::from(vec![0.5, -2.0, f32::INFINITY]))),
            ("double", Arc::new(Float64Array::from(vec![1.0, f64::NAN, 0.1]))),
            ("decimal", Arc::new(decimal.clone())),
            ("class", classes(3)),
        ]
    };
    let frame = read(columns(), &ReadOptions::default()).unwrap();
    assert_eq!(numbers(&frame, "small")[..2], [-3.0, 10.0]);
    assert!(numbers(&frame, "small")[2].is_nan());
    assert_eq!(numbers(&frame, "single"), [0.5, -2.0, f64::INFINITY]);
    assert!(numbers(&frame, "double")[1].is_nan());
    assert_eq!(numbers(&frame, "decimal")[..2], [-1.5, 0.05]);
    let frame = read(columns(), &ReadOptions { infer_numbers: false, ..ReadOptions::default() }).unwrap();
    assert_eq!(labels(&frame, "small"), ["-3", "10"]);
    // Numbers that no real number tells apart are different labels.
    assert_eq!(labels(&frame, "large"), ["-1", "9007199254740992", "9007199254740993"]);
    assert_eq!(labels(&frame, "larger"), ["0", "1", "18446744073709551615"]);
    assert_eq!(labels(&frame, "double"), ["0.1", "1"]);
    assert_eq!(labels(&frame, "decimal"), ["-1.5", "0.05"]);
    assert_eq!(codes(&frame, "double"), [1, MISSING, 0]);
}

#[test]
fn texts_can_be_wanted_as_numbers() {
    let options = ReadOptions { numeric: vec!["x".into()], ..ReadOptions::default() };
    let good = vec![("x", strings(&[Some("1.5"), None, Some("nan")])), ("class", classes(3))];
    let frame = read(good, &options).unwrap();
    assert!(numbers(&frame, "x")[0] == 1.5 && numbers(&frame, "x")[1..].iter().all(|number| number.is_nan()));
    let bad = vec![("x", strings(&[Some("1"), Some("2"), Some("many")])), ("class", classes(3))];
    assert_error(read(bad, &options), &["line 3", "'x'", "'many'", "a number"]);
}

#[test]
fn dates_are_milliseconds_or_iso_labels() {
    let columns = || -> Vec<(&str, ArrayRef)> {
        vec![
            ("day", Arc::new(Date32Array::from(vec![Some(1), None]))),
            ("time", Arc::new(TimestampMicrosecondArray::from(vec![1_500, 86_400_000_000]))),
            ("class", classes(2)),
        ]
    };
    let frame = read(columns(), &ReadOptions::default()).unwrap();
    assert_eq!(numbers(&frame, "day")[0], 86_400_000.0);
    assert_eq!(numbers(&frame, "time"), [1.5, 86_400_000.0]);
    let frame = read(columns(), &ReadOptions { infer_numbers: false, ..ReadOptions::default() }).unwrap();
    assert_eq!(labels(&frame, "time"), ["1970-01-01T00:00:00.0015Z", "1970-01-02T00:00:00Z"]);
}

#[test]
fn only_wanted_columns_are_read_and_others_need_not_be_cells() {
    let mut list = ListBuilder::new(StringBuilder::new());
    list.values().append_value("a");
    list.append(true);
    list.append(true);
    let columns = || -> Vec<(&str, ArrayRef)> {
        vec![
            ("bag", Arc::new(list.finish_cloned())),
            ("weight", Arc::new(Int64Array::from(vec![2, 0]))),
            ("x", strings(&[Some("a"), Some("b")])),
            ("class", classes(2)),
        ]
    };
    assert_error(read(columns(), &ReadOptions::default()), &["'bag'", "List", "drop the column"]);
    let options = ReadOptions {
        drop: vec!["bag".into()],
        weight: Some("weight".into()),
        missing_tokens: vec!["b".into()],
        class: ClassChoice::Named("class".into()),
        ..ReadOptions::default()
    };
    let frame = read(columns(), &options).unwrap();
    assert_eq!(names(&frame), ["x", "class"]);
    assert_eq!(frame.weights, Some(vec![2, 0]));
    assert_eq!(codes(&frame, "x"), [0, MISSING]);
    let mut negative = columns();
    negative[1].1 = Arc::new(Int64Array::from(vec![Some(1), Some(-1)]));
    assert_error(read(negative, &options), &["line 2", "'weight'", "'-1'", "whole numbers"]);
}

#[test]
fn every_codec_and_many_batches_give_the_same_frame() {
    let rows = 150_000_i32;
    let columns = || -> Vec<(&str, ArrayRef)> {
        let labels: StringArray =
            (0..rows).map(|row| Some(format!("v{}", row % 1_000 * (row % 1_000) % 37))).collect();
        let numbers: Float64Array =
            (0..rows).map(|row| (row % 11 > 0).then_some(f64::from(row % 101))).collect();
        vec![("label", Arc::new(labels)), ("number", Arc::new(numbers)), ("class", classes(150_000))]
    };
    let options = ReadOptions::default();
    let (plain, report) =
        read_bytes(&file(columns(), Compression::UNCOMPRESSED, 1 << 20), Format::Parquet, &options).unwrap();
    assert_eq!(plain.rows(), 150_000);
    assert_eq!(report.columns[1].missing, 150_000_u64.div_ceil(11));
    for (codec, group) in [
        (Compression::SNAPPY, 40_000),
        (Compression::ZSTD(ZstdLevel::default()), 65_536),
        (Compression::GZIP(GzipLevel::default()), 100_001),
        (Compression::LZ4_RAW, 7_000),
    ] {
        let bytes = file(columns(), codec, group);
        let (frame, _) = read_bytes(&bytes, Format::Parquet, &options).unwrap();
        assert_same(&frame, &plain);
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let (alone, _) = one
            .install(|| bnc_data::read_from(&bytes[..], "data", Format::Parquet, &options, &Silent))
            .unwrap();
        assert_same(&alone, &plain);
    }
}

#[test]
fn the_same_rows_as_csv_are_the_same() {
    let columns = vec![
        ("x", strings(&[Some("a"), Some("b"), None, Some("a")])),
        ("n", Arc::new(Float64Array::from(vec![1.0, 2.5, f64::NAN, -1.0])) as ArrayRef),
        ("class", classes(4)),
    ];
    let frame = read(columns, &ReadOptions::default()).unwrap();
    let text = csv("x,n,class\na,1,no\nb,2.5,yes\n,?,no\na,-1,yes\n").unwrap();
    assert_eq!(frame.columns(), text.columns());
    assert_eq!(codes(&frame, "x"), codes(&text, "x"));
}

#[test]
fn broken_files_are_refused() {
    let whole = file(vec![("x", strings(&[Some("a")])), ("class", classes(1))], Compression::SNAPPY, 10);
    for bytes in [&b""[..], b"PAR1", b"a,b\n1,2\n", &whole[..whole.len() - 9], &whole[9..]] {
        assert_error(
            read_bytes(bytes, Format::Parquet, &ReadOptions::default()).map(|(frame, _)| frame),
            &["Parquet", "whole"],
        );
    }
    let mut flipped = whole.clone();
    for at in 4..whole.len() / 2 {
        flipped[at] ^= 0xff;
        // Whatever the bytes: no panic.
        let _ = bnc_data::read_from(&flipped[..], "data", Format::Parquet, &ReadOptions::default(), &Silent);
        flipped[at] ^= 0xff;
    }
    let none = file(vec![("x", strings(&[])), ("class", classes(0))], Compression::SNAPPY, 10);
    assert_error(
        read_bytes(&none, Format::Parquet, &ReadOptions::default()).map(|(frame, _)| frame),
        &["no rows"],
    );
    let twice = ReadOptions { class: ClassChoice::Named("y".into()), ..ReadOptions::default() };
    assert!(matches!(
        read(vec![("x", strings(&[Some("a")])), ("class", classes(1))], &twice),
        Err(Error::NoSuchColumn { .. })
    ));
}
