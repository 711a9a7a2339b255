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

use self::lexer::Lexer;
use self::rows::ArffRows;
use super::ReadOptions;
use super::dictionary::CellRules;
use super::plan::Attribute;
use super::text::Text;
use crate::Result;

/// The caller's own tokens are missing; an unquoted `?` is so by syntax, a quoted one is a value.
pub(crate) fn rules(options: &ReadOptions) -> CellRules {
    CellRules { trim: false, missing: options.missing_tokens.clone() }
}

/// The attributes and the rows of a text.
pub(crate) fn open<'a>(text: Text<'a>, file: &Arc<str>) -> Result<(Vec<Attribute>, ArffRows<'a>)> {
    let mut lexer = Lexer::new(text, Arc::clone(file));
    let attributes = header::read(&mut lexer)?;
    let rows = ArffRows::new(lexer, &attributes);
    Ok((attributes, rows))
}
