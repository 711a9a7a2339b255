//! Small frames, and where the reference data stand.

use std::path::PathBuf;

use bnc_data::{Code, Column, Frame, MISSING, Values};

/// A column of categories; `?` is missing, any other text must be among the labels.
pub(crate) fn nominal(name: &str, labels: &[&str], cells: &[&str]) -> Column {
    let code = |cell: &&str| match *cell {
        "?" => MISSING,
        cell => labels.iter().position(|label| *label == cell).expect(cell) as Code,
    };
    Column {
        name: name.into(),
        values: Values::Nominal {
            labels: labels.iter().map(ToString::to_string).collect(),
            codes: cells.iter().map(code).collect(),
        },
    }
}

/// A column of numbers; `NaN` is missing.
pub(crate) fn numeric(name: &str, numbers: &[f64]) -> Column {
    Column { name: name.into(), values: Values::Numeric(numbers.to_vec()) }
}

/// A frame whose last column is the class.
pub(crate) fn frame(columns: Vec<Column>) -> Frame {
    let class = columns.len() - 1;
    Frame::new("test", columns, Some(class), None).expect("a sound frame")
}

/// The folder of reference data and golden numbers; without it the caller's check is skipped.
pub(crate) fn reference(check: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("BNC_REFERENCE").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: {check}: BNC_REFERENCE is not set");
    }
    folder
}
