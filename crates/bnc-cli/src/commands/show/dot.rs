//! Structures for Graphviz.

use std::fmt::Write;

use bnc_models::{Member, Model};

use crate::error::Result;

/// The graph in the language of Graphviz. Nodes are numbered and carry their names as labels.
pub(super) fn draw(model: &Model, member: &Member) -> Result<String> {
    let mut out = String::new();
    write(&mut out, model, member)?;
    Ok(out)
}

fn write(out: &mut String, model: &Model, member: &Member) -> std::fmt::Result {
    let schema = model.schema();
    writeln!(out, "digraph {} {{", quoted(model.learner()))?;
    writeln!(out, "  node [shape=ellipse, fontname=\"Helvetica\"];")?;
    writeln!(
        out,
        "  class [label={}, shape=box, style=filled, fillcolor=\"#dbe9f6\"];",
        quoted(schema.class().name())
    )?;
    for (index, feature) in schema.features().iter().enumerate() {
        let outline = if member.super_parents.contains(&index) { ", peripheries=2" } else { "" };
        writeln!(out, "  f{index} [label={}{outline}];", quoted(feature.name()))?;
    }
    for parent in member.structure.class_parents() {
        writeln!(out, "  f{parent} -> class;")?;
    }
    for (child, family) in member.structure.features().iter().enumerate() {
        if family.class {
            writeln!(out, "  class -> f{child} [color=gray60];")?;
        }
        for parent in &family.parents {
            writeln!(out, "  f{parent} -> f{child};")?;
        }
    }
    writeln!(out, "}}")
}

/// A string of Graphviz that shows the text as it is.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' | '\r' => quoted.push_str("\\n"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn quotes_and_backslashes_are_kept() {
        assert_eq!(quoted(r#"say "a\b""#), r#""say \"a\\b\"""#);
        assert_eq!(quoted("two\nlines"), "\"two\\nlines\"");
    }
}
