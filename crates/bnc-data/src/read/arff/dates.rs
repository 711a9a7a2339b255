//! Dates as Java's `SimpleDateFormat` writes them, as milliseconds since 1970 in UTC.

use std::sync::Arc;

use jiff::civil::DateTime;
use jiff::fmt::strtime::BrokenDownTime;
use jiff::tz::Offset;

use crate::read::column::Parser;

/// The pattern of a date attribute that names none.
pub(super) const ISO_8601: &str = "yyyy-MM-dd'T'HH:mm:ss";

/// A parser for dates of a pattern; the error says what patterns may hold.
///
/// Fields that the pattern leaves out are those of 1970-01-01T00:00:00Z. A fraction (`S`) is read as decimals of a
/// second, which for the usual three digits are its milliseconds.
pub(super) fn parser(pattern: &str) -> Result<Parser, String> {
    let format = strtime_format(pattern)?;
    Ok(Parser {
        parse: Arc::new(move |text| milliseconds(&format, text)),
        expected: format!("a date written as {pattern}").into(),
    })
}

fn milliseconds(format: &str, text: &str) -> Option<f64> {
    let mut fields = BrokenDownTime::parse(format, text).ok()?;
    fields.set_year(fields.year().or(Some(1970))).ok()?;
    if fields.day_of_year().is_none() {
        fields.set_month(fields.month().or(Some(1))).ok()?;
        fields.set_day(fields.day().or(Some(1))).ok()?;
    }
    if fields.hour().is_none() {
        fields.set_hour(Some(0)).ok()?;
    }
    // A time of day needs every field above the smallest one.
    if fields.minute().is_none() {
        fields.set_minute(Some(0)).ok()?;
    }
    if fields.second().is_none() {
        fields.set_second(Some(0)).ok()?;
    }
    let date_time: DateTime = fields.to_datetime().ok()?;
    let timestamp = fields.offset().unwrap_or(Offset::UTC).to_timestamp(date_time).ok()?;
    Some(timestamp.as_millisecond() as f64)
}

/// The directives of `strtime` for a pattern of `SimpleDateFormat`.
fn strtime_format(pattern: &str) -> Result<String, String> {
    let mut format = String::new();
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\'' {
            // Two quotes are a quote, inside quoted text too.
            if letters.next_if_eq(&'\'').is_some() {
                format.push('\'');
                continue;
            }
            loop {
                match letters.next() {
                    None => return Err("a closing ' after literal text".into()),
                    Some('\'') if letters.next_if_eq(&'\'').is_none() => break,
                    Some(literal) => push_literal(&mut format, literal),
                }
            }
        } else if letter.is_ascii_alphabetic() {
            let mut length = 1;
            while letters.next_if_eq(&letter).is_some() {
                length += 1;
            }
            format.push_str(directive(letter, length).ok_or_else(|| {
                format!("the letters y, M, d, D, E, a, H, h, m, s, S, Z and X, and text in quotes; '{letter}' is none")
            })?);
        } else {
            push_literal(&mut format, letter);
        }
    }
    Ok(format)
}

fn push_literal(format: &mut String, literal: char) {
    if literal == '%' {
        format.push('%');
    }
    format.push(literal);
}

fn directive(letter: char, length: usize) -> Option<&'static str> {
    Some(match (letter, length) {
        ('y', 2) => "%y",
        ('y', _) => "%Y",
        ('M', 1 | 2) => "%m",
        ('M', 3) => "%b",
        ('M', _) => "%B",
        ('d', _) => "%d",
        ('D', _) => "%j",
        ('E', 1..=3) => "%a",
        ('E', _) => "%A",
        ('a', _) => "%p",
        ('H', _) => "%H",
        ('h', _) => "%I",
        ('m', _) => "%M",
        ('s', _) => "%S",
        ('S', _) => "%f",
        ('Z', _) | ('X', 2) => "%z",
        ('X', 3) => "%:z",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pattern: &str, text: &str) -> Option<f64> {
        (parser(pattern).unwrap().parse)(text)
    }

    #[test]
    fn dates_are_milliseconds_since_1970() {
        for (pattern, text, milliseconds) in [
            (ISO_8601, "1970-01-01T00:00:00", 0.0),
            (ISO_8601, "2001-04-03T12:12:12", 986_299_932_000.0),
            ("yyyy-MM-dd HH:mm:ss", "1969-12-31 23:59:59", -1000.0),
            ("yyyy-MM-dd HH:mm:ss.SSS", "1970-01-01 00:00:01.250", 1250.0),
            ("yyyy-MM-dd'T'HH:mm:ssZ", "1970-01-01T01:00:00+0100", 0.0),
            ("yyyy-MM-dd'T'HH:mm:ssXXX", "1970-01-01T01:00:00+01:00", 0.0),
            ("dd.MM.yy", "02.01.70", 86_400_000.0),
            ("d/M/yyyy", "2/1/1970", 86_400_000.0),
            ("EEE, d MMM yyyy", "Fri, 2 Jan 1970", 86_400_000.0),
            ("yyyy", "1971", 31_536_000_000.0),
            ("yyyy-DDD", "1970-002", 86_400_000.0),
            ("HH:mm", "00:01", 60_000.0),
            ("hh:mm a", "12:01 AM", 60_000.0),
            ("yyyy 'o''clock' %", "1970 o'clock %", 0.0),
            ("yyyy''MM", "1970'01", 0.0),
        ] {
            assert_eq!(read(pattern, text), Some(milliseconds), "{pattern} {text}");
        }
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for (pattern, text) in [
            (ISO_8601, "2001-02-30T00:00:00"),
            (ISO_8601, "2001-04-03"),
            (ISO_8601, "2001-04-03T12:12:12Z"),
            ("yyyy", "x"),
            ("yyyy", ""),
        ] {
            assert_eq!(read(pattern, text), None, "{pattern} {text}");
        }
    }

    #[test]
    fn strange_patterns_are_refused() {
        for pattern in ["yyyy-ww", "G", "yyyy 'open"] {
            assert!(parser(pattern).is_err(), "{pattern}");
        }
    }
}
