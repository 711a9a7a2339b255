//! The class column of a frame.

use bnc_data::{Code, Error, Frame, Values};

use crate::Result;

/// The class codes of a frame, in the order of its labels: what [`Folds`](crate::Folds) are made from.
///
/// # Errors
/// [`bnc_data::Error::Shape`] without a class column, [`bnc_data::Error::NumericClass`] for a numeric one.
pub fn class_codes(frame: &Frame) -> Result<&[Code]> {
    Ok(class_column(frame)?.1)
}

/// The labels and the codes of the class.
pub(crate) fn class_column(frame: &Frame) -> Result<(&[String], &[Code])> {
    let class = frame.class.and_then(|index| frame.columns.get(index));
    let missing =
        || Error::Shape(format!("{}: there is no class column; choose one of the columns", frame.file));
    let class = class.ok_or_else(missing)?;
    match &class.values {
        Values::Nominal { labels, codes } => Ok((labels, codes)),
        Values::Numeric(_) => Err(Error::NumericClass { column: class.name.clone() }.into()),
    }
}
