//! The head of an ARFF file: its attributes.

use std::collections::HashSet;
use std::sync::Arc;

use super::dates;
use super::lexer::{Lexer, Token};
use crate::read::blocks::{Block, Blocks};
use crate::read::plan::{Attribute, Declared};
use crate::{Error, Result};

/// Reads up to and including the line `@data`.
pub(super) fn read(blocks: &mut Blocks<'_>) -> Result<Vec<Attribute>> {
    let file = Arc::clone(blocks.file());
    let mut attributes = Vec::new();
    let mut names = HashSet::new();
    let mut last_line = 0;
    while let Some(Block { mut text, line, .. }) = blocks.line()? {
        last_line = line;
        let mut lexer = Lexer::new(&file, &mut text, line);
        if lexer.is_empty() {
            continue;
        }
        let keyword = match lexer.next()? {
            Token::Text(range, false) => lexer.string(range),
            other => return Err(unexpected(&lexer, other)),
        };
        match keyword.to_ascii_lowercase().as_str() {
            // The name of the relation means nothing here.
            "@relation" => {}
            "@attribute" => {
                let attribute = attribute(&mut lexer)?;
                if !names.insert(attribute.name.clone()) {
                    return Err(Error::DuplicateColumn { column: attribute.name });
                }
                attributes.push(attribute);
            }
            "@data" => {
                let token = lexer.next()?;
                expect_end(&lexer, token)?;
                return if attributes.is_empty() {
                    Err(lexer.error("@data before any @attribute", "the attributes first"))
                } else {
                    Ok(attributes)
                };
            }
            _ => return Err(unexpected_word(&lexer, &keyword)),
        }
    }
    let lexer = Lexer::new(&file, &mut [], last_line);
    if last_line == 0 {
        return Err(
            lexer.error("the file is empty", "an ARFF file: @relation, @attribute lines, @data, rows")
        );
    }
    Err(lexer.error("the file ends before @data", "a line @data after the attributes; is the file cut?"))
}

fn attribute(lexer: &mut Lexer<'_>) -> Result<Attribute> {
    let name = match lexer.next()? {
        Token::Text(range, _) => lexer.string(range),
        other => {
            let found = lexer.describe(other);
            return Err(lexer.error(found, "the name of the attribute"));
        }
    };
    let declared = match lexer.next()? {
        Token::Open => Declared::Labels(labels(lexer, &name)?.into()),
        Token::Text(range, false) => keyword(lexer, &name, range)?,
        other => {
            let found = lexer.describe(other);
            return Err(lexer.error(found, expected_type(&name)));
        }
    };
    match lexer.next()? {
        // Old files state a range after a numeric type, `[1,10]`; it binds nobody.
        Token::Text(range, false)
            if matches!(declared, Declared::Number) && lexer.bytes(range.clone()).starts_with(b"[") => {}
        other => expect_end(lexer, other)?,
    }
    Ok(Attribute { name, declared })
}

fn keyword(lexer: &mut Lexer<'_>, name: &str, range: std::ops::Range<usize>) -> Result<Declared> {
    let written = lexer.string(range);
    match written.to_ascii_lowercase().as_str() {
        "numeric" | "real" | "integer" => Ok(Declared::Number),
        "string" => Ok(Declared::Text),
        "date" => {
            let pattern = match lexer.next()? {
                Token::Text(range, _) => lexer.string(range),
                Token::End => dates::ISO_8601.into(),
                other => {
                    let found = lexer.describe(other);
                    return Err(lexer.error(found, "a date pattern"));
                }
            };
            dates::parser(&pattern)
                .map(Declared::Encoded)
                .map_err(|expected| lexer.error(format!("the date pattern '{pattern}'"), expected))
        }
        "relational" => Err(lexer.error(
            format!("attribute '{name}' is relational"),
            "attributes of single values; tables inside tables cannot be read",
        )),
        _ => Err(lexer.error(format!("'{written}'"), expected_type(name))),
    }
}

fn expected_type(name: &str) -> String {
    format!(
        "the type of attribute '{name}': numeric, real, integer, string, date or {{label, ...}}; quote a name with blanks"
    )
}

/// The labels after an opening brace, up to the closing one.
fn labels(lexer: &mut Lexer<'_>, name: &str) -> Result<Vec<String>> {
    let mut labels = Vec::new();
    let mut seen = HashSet::new();
    let mut after_label = false;
    loop {
        match lexer.next()? {
            Token::Text(range, _) => {
                let label = lexer.string(range);
                if !seen.insert(label.clone()) {
                    return Err(lexer.error(
                        format!("attribute '{name}' declares the value '{label}' twice"),
                        "different values",
                    ));
                }
                labels.push(label);
                after_label = true;
            }
            Token::Comma if after_label => after_label = false,
            Token::Close if after_label => break,
            Token::Close if labels.is_empty() => {
                return Err(lexer.error(format!("attribute '{name}' declares no values"), "at least one"));
            }
            other => {
                let found = lexer.describe(other);
                return Err(lexer.error(
                    found,
                    format!("another value of attribute '{name}', or }} at the end of its values"),
                ));
            }
        }
    }
    if labels.len() > crate::MAX_VALUES {
        return Err(Error::TooManyValues { variable: name.into(), limit: crate::MAX_VALUES });
    }
    Ok(labels)
}

fn expect_end(lexer: &Lexer<'_>, token: Token) -> Result<()> {
    if token == Token::End {
        return Ok(());
    }
    let found = lexer.describe(token);
    Err(lexer.error(found, "the end of the line"))
}

fn unexpected(lexer: &Lexer<'_>, token: Token) -> Error {
    let found = lexer.describe(token);
    lexer.error(found, "@relation, @attribute or @data; is this an ARFF file?")
}

fn unexpected_word(lexer: &Lexer<'_>, word: &str) -> Error {
    let start: String = word.chars().take(40).collect();
    lexer.error(format!("'{start}'"), "@relation, @attribute or @data; is this an ARFF file?")
}
