//! Writing rows as ARFF, the format in which declared values survive.

use std::borrow::Cow;
use std::io::{self, Write};

use bnc_data::{Frame, RawColumn, RawKind, Values};

/// Writes everything up to the rows.
pub(crate) fn write_header(out: &mut dyn Write, relation: &str, columns: &[RawColumn]) -> io::Result<()> {
    writeln!(out, "@relation {}\n", quoted(relation))?;
    for column in columns {
        write!(out, "@attribute {} ", quoted(&column.name))?;
        match &column.kind {
            RawKind::Numeric => writeln!(out, "numeric")?,
            RawKind::Nominal(labels) => {
                let labels: Vec<Cow<'_, str>> = labels.iter().map(|label| quoted(label)).collect();
                writeln!(out, "{{{}}}", labels.join(","))?;
            }
        }
    }
    writeln!(out, "\n@data")
}

/// Writes the rows, each with its weight where there are weights.
pub(crate) fn write_rows(out: &mut dyn Write, frame: &Frame) -> io::Result<()> {
    let labels: Vec<Vec<Cow<'_, str>>> = frame
        .columns
        .iter()
        .map(|column| match &column.values {
            Values::Nominal { labels, .. } => labels.iter().map(|label| quoted(label)).collect(),
            Values::Numeric(_) => Vec::new(),
        })
        .collect();
    for row in 0..frame.rows() {
        for (index, (column, labels)) in frame.columns.iter().zip(&labels).enumerate() {
            if index > 0 {
                out.write_all(b",")?;
            }
            match &column.values {
                _ if column.values.is_missing(row) => out.write_all(b"?")?,
                Values::Nominal { codes, .. } => out.write_all(labels[usize::from(codes[row])].as_bytes())?,
                Values::Numeric(numbers) => write!(out, "{}", numbers[row])?,
            }
        }
        match &frame.weights {
            Some(weights) => writeln!(out, ",{{{}}}", weights[row])?,
            None => out.write_all(b"\n")?,
        }
    }
    Ok(())
}

/// A word as it is where that is plain, else between quotation marks.
fn quoted(text: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+');
    if !text.is_empty() && text.chars().all(plain) {
        return text.into();
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('\'');
    for c in text.chars() {
        match c {
            '\\' | '\'' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            _ => quoted.push(c),
        }
    }
    quoted.push('\'');
    quoted.into()
}

#[cfg(test)]
mod tests {
    use bnc_data::{Column, Format, MISSING, ReadOptions, Silent, read_from};

    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let odd =
            ["(1,999, 20]", "<=5", "a b", "{x}", "a|b", "it's", "?", "", "100%", "back\\slash", "two\nlines"];
        let labels: Vec<String> = odd.iter().map(ToString::to_string).collect();
        let mut codes: Vec<u16> = (0..labels.len() as u16).collect();
        codes.push(MISSING);
        let numbers = (0..codes.len()).map(|i| if i == 2 { f64::NAN } else { i as f64 / 3.0 });
        let columns = vec![
            Column { name: "x 1".into(), values: Values::Numeric(numbers.collect()) },
            Column { name: "y".into(), values: Values::Nominal { labels: labels.into(), codes } },
        ];
        let rows = columns[0].values.len() as u32;
        let frame = Frame::new("set", columns, Some(1), Some((0..rows).collect())).unwrap();
        let mut text = Vec::new();
        write_header(&mut text, "odd set", &bnc_data::RawSource::columns(&frame)).unwrap();
        write_rows(&mut text, &frame).unwrap();
        let (read, _) = read_from(&text[..], "set", Format::Arff, &ReadOptions::default(), &Silent).unwrap();
        let texts = |frame: &Frame| -> Vec<Vec<Option<String>>> {
            let cells = |column: &Column| (0..frame.rows()).map(|row| column.values.text(row)).collect();
            frame.columns.iter().map(cells).collect()
        };
        assert_eq!(texts(&read), texts(&frame));
        assert_eq!(bnc_data::RawSource::columns(&read), bnc_data::RawSource::columns(&frame));
        assert_eq!(read.weights, frame.weights);
    }
}
