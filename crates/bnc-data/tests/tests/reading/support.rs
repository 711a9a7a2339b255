//! Short ways to read small texts, in every way that there is.

use std::io::Write;
use std::path::{Path, PathBuf};

use bnc_data::{
    ClassChoice, Column, Error, Format, Frame, RawSource, ReadOptions, Report, Result, Silent, Values,
};
use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

/// A folder for the files of one test.
pub(super) struct Files(TempDir);

impl Files {
    pub(super) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(super) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Reads bytes whole, and streams them too: both must give the same.
pub(super) fn read_bytes(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<(Frame, Report)> {
    let whole = bnc_data::read_from(bytes, "data", format, options, &Silent);
    let files = Files::new();
    let name = match format {
        Format::Csv => "data.csv",
        Format::Tsv => "data.tsv",
        Format::Parquet => "data.parquet",
        _ => "data.arff",
    };
    let streamed = read_streamed(&files.write(name, bytes), options);
    match (whole, streamed) {
        (Ok((whole, report)), Ok((streamed, streamed_report))) => {
            assert_same(&whole, &streamed);
            assert_eq!(report.columns, streamed_report.columns);
            assert_eq!(report.rows, streamed_report.rows);
            Ok((whole, report))
        }
        (Err(error), Err(_)) => Err(error),
        (whole, streamed) => panic!("read: {whole:?}\nopen: {streamed:?}"),
    }
}

pub(super) fn csv(text: &str) -> Result<Frame> {
    csv_with(text, &ReadOptions::default())
}

pub(super) fn csv_with(text: &str, options: &ReadOptions) -> Result<Frame> {
    read_bytes(text.as_bytes(), Format::Csv, options).map(|(frame, _)| frame)
}

pub(super) fn arff(text: &str) -> Result<Frame> {
    arff_with(text, &ReadOptions::default())
}

pub(super) fn arff_with(text: &str, options: &ReadOptions) -> Result<Frame> {
    read_bytes(text.as_bytes(), Format::Arff, options).map(|(frame, _)| frame)
}

/// The chunks of a streamed file, put together.
pub(super) fn read_streamed(path: &Path, options: &ReadOptions) -> Result<(Frame, Report)> {
    let source = bnc_data::open(path, options, &Silent)?;
    let mut whole: Option<Frame> = None;
    source.scan(&mut |chunk| {
        match &mut whole {
            None => whole = Some(chunk.clone()),
            Some(whole) => append(whole, chunk),
        }
        Ok(())
    })?;
    let whole = whole.expect("a file without rows is refused");
    assert_eq!(whole.columns(), source.columns());
    Ok((whole, source.report().clone()))
}

fn append(whole: &mut Frame, chunk: &Frame) {
    for (column, more) in whole.columns.iter_mut().zip(&chunk.columns) {
        match (&mut column.values, &more.values) {
            (Values::Nominal { codes, labels }, Values::Nominal { codes: more, labels: same }) => {
                assert_eq!(labels, same);
                codes.extend(more);
            }
            (Values::Numeric(numbers), Values::Numeric(more)) => numbers.extend(more),
            _ => panic!("a column changed its kind"),
        }
    }
    whole.lines.extend(&chunk.lines);
    match (&mut whole.weights, &chunk.weights) {
        (Some(weights), Some(more)) => weights.extend(more),
        (None, None) => {}
        _ => panic!("some chunks have weights"),
    }
}

/// Equal columns to the bit, lines, class and weights; the name of the file may differ.
pub(super) fn assert_same(a: &Frame, b: &Frame) {
    assert_eq!(a.class, b.class);
    assert_eq!(a.weights, b.weights);
    assert_eq!(a.lines, b.lines);
    assert_eq!(a.columns.len(), b.columns.len());
    for (a, b) in a.columns.iter().zip(&b.columns) {
        assert_eq!(a.name, b.name);
        match (&a.values, &b.values) {
            (Values::Numeric(a), Values::Numeric(b)) => {
                let bits =
                    |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(a), bits(b));
            }
            (a, b) => assert_eq!(a, b),
        }
    }
}

pub(super) fn column<'a>(frame: &'a Frame, name: &str) -> &'a Column {
    let found = frame.columns.iter().find(|column| column.name == name);
    found.unwrap_or_else(|| panic!("no column {name}: {:?}", names(frame)))
}

pub(super) fn names(frame: &Frame) -> Vec<&str> {
    frame.columns.iter().map(|column| column.name.as_str()).collect()
}

/// The texts of a column of labels, `?` where missing.
pub(super) fn texts(frame: &Frame, name: &str) -> Vec<String> {
    let values = &column(frame, name).values;
    assert!(matches!(values, Values::Nominal { .. }), "{name} is numeric");
    (0..frame.rows()).map(|row| values.text(row).unwrap_or("?".into())).collect()
}

pub(super) fn labels(frame: &Frame, name: &str) -> Vec<String> {
    match &column(frame, name).values {
        Values::Nominal { labels, .. } => labels.to_vec(),
        Values::Numeric(_) => panic!("{name} is numeric"),
    }
}

pub(super) fn numbers(frame: &Frame, name: &str) -> Vec<f64> {
    match &column(frame, name).values {
        Values::Numeric(numbers) => numbers.clone(),
        Values::Nominal { labels, .. } => panic!("{name} has labels {labels:?}"),
    }
}

/// The message of an error, and that it holds all the given parts.
pub(super) fn assert_error(result: Result<Frame>, parts: &[&str]) -> Error {
    let error = result.expect_err("an error");
    let message = error.to_string();
    for part in parts {
        assert!(message.contains(part), "{part:?} is not in: {message}");
    }
    error
}

pub(super) fn class(name: &str) -> ReadOptions {
    ReadOptions { class: ClassChoice::Named(name.into()), ..ReadOptions::default() }
}
