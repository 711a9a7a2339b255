//! ARFF, WEKA's attribute-relation file format.
//!
//! As in WEKA, values are separated by commas or blanks, keywords are of any case, `%` starts a comment wherever a
//! word could start, and a sparse row leaves out values that are 0 or the first label. Where WEKA guesses, this
//! reader refuses: an empty value, a `%` inside a word, a value that is not declared, text after a closing quote.

mod dates;
mod header;
mod lexer;
mod rows;

use std::sync::Arc;

use self::rows::Arff;
use super::ReadOptions;
use super::blocks::Blocks;
use super::dictionary::CellRules;
use super::plan::Attribute;
use crate::Result;

/// The caller's own tokens are missing; an unquoted `?` is so by syntax, a quoted one is a value.
pub(crate) fn rules(options: &ReadOptions) -> CellRules {
    CellRules { trim: false, missing: options.missing_tokens.clone() }
}

/// The attributes of a text, and how its rows are read.
pub(crate) fn open(blocks: &mut Blocks<'_>) -> Result<(Vec<Attribute>, Arff)> {
    let attributes = header::read(blocks)?;
    let format = Arff::new(Arc::clone(blocks.file()), attributes.len());
    Ok((attributes, format))
}
