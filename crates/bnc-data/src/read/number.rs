//! Which texts are numbers, and the natural order of labels.

use std::cmp::Ordering;

/// The number that a text plainly is: a finite decimal, `[+-]digits[.digits][e[+-]digits]`.
pub(crate) fn plain(text: &str) -> Option<f64> {
    // The standard parser also knows `inf` and `nan`; the first letter of either is no part of a decimal.
    let decimal =
        text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E'));
    let number: f64 = decimal.then(|| text.parse().ok())??;
    number.is_finite().then_some(number)
}

/// The number that a text is where a number is wanted: a decimal, `inf`, `-inf` or `nan` in any case.
pub(crate) fn any(text: &str) -> Option<f64> {
    text.parse().ok()
}

/// The number of a cell in a column whose kind is guessed: plain, and not padded by a zero as codes are (`007`),
/// because numbers would merge `7` with `007`.
pub(crate) fn inferred(text: &str) -> Option<f64> {
    let digits = text.trim_start_matches(['+', '-']).as_bytes();
    let padded = matches!(digits, [b'0', next, ..] if next.is_ascii_digit());
    if padded { None } else { plain(text) }
}

/// Sorts labels: by number when all are plain numbers (bytewise where numbers are equal), else bytewise.
pub(crate) fn sort_naturally(labels: &mut [String]) {
    if labels.iter().all(|label| plain(label).is_some()) {
        labels.sort_by_cached_key(|label| Numeral(plain(label).unwrap_or_default(), label.clone()));
    } else {
        labels.sort_unstable();
    }
}

/// A number with its text; `-0` and `0` are equal numbers.
struct Numeral(f64, String);

impl Ord for Numeral {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.partial_cmp(&other.0).unwrap_or(Ordering::Equal).then_with(|| self.1.cmp(&other.1))
    }
}

impl PartialOrd for Numeral {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Numeral {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Numeral {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_numbers_are_finite_decimals() {
        for (text, number) in
            [("0", 0.0), ("-1.5", -1.5), ("+2e3", 2000.0), (".5", 0.5), ("5.", 5.0), ("007", 7.0)]
        {
            assert_eq!(plain(text), Some(number), "{text}");
        }
        for text in
            ["", "nan", "inf", "-inf", "1e999", "0x10", "1_000", "1,5", "e", "-", "1e", " 1", "infinity"]
        {
            assert_eq!(plain(text), None, "{text}");
        }
    }

    #[test]
    fn a_leading_zero_makes_a_code() {
        for text in ["007", "-01", "+00", "00.5"] {
            assert_eq!(inferred(text), None, "{text}");
        }
        for text in ["0", "-0", "0.5", "-0.25", "0e3", "10"] {
            assert!(inferred(text).is_some(), "{text}");
        }
    }

    #[test]
    fn labels_sort_by_number_or_by_bytes() {
        let sorted = |labels: &[&str]| {
            let mut labels: Vec<String> = labels.iter().map(ToString::to_string).collect();
            sort_naturally(&mut labels);
            labels
        };
        assert_eq!(sorted(&["10", "9", "1.0", "1", "-2"]), ["-2", "1", "1.0", "9", "10"]);
        assert_eq!(sorted(&["10", "9", "x"]), ["10", "9", "x"]);
        assert_eq!(sorted(&["0", "-0"]), ["-0", "0"]);
    }
}
