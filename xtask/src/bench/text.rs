//! Tables of Markdown, and numbers as they stand in them.

/// A Markdown table; all columns but the first are numbers and stand at the right.
pub(super) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        cells.fold("|".to_owned(), |line, cell| line + " " + &cell.replace('|', "\\|") + " |") + "\n"
    };
    let rule: String = (0..head.len()).map(|column| if column == 0 { "---|" } else { "--:|" }).collect();
    let rows = rows.iter().map(|row| line(&mut row.iter().map(String::as_str)));
    line(&mut head.iter().copied()) + "|" + &rule + "\n" + &rows.collect::<String>()
}

/// Seconds with three digits that count, in a unit that fits.
pub(super) fn seconds(seconds: f64) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")];
    let (unit, name) = units.into_iter().find(|(unit, _)| seconds >= *unit).unwrap_or((1e-9, "ns"));
    format!("{} {name}", digits(seconds / unit))
}

/// A positive number with three digits that count.
pub(super) fn digits(number: f64) -> String {
    let decimals = if number >= 100.0 {
        0
    } else if number >= 10.0 {
        1
    } else if number >= 1.0 {
        2
    } else if number >= 0.1 {
        3
    } else {
        4
    };
    format!("{number:.decimals$}")
}

/// A whole number with its thousands parted.
pub(super) fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_and_a_unit() {
        assert_eq!(seconds(1.5), "1.50 s");
        assert_eq!(seconds(0.0123), "12.3 ms");
        assert_eq!(seconds(2.5e-9), "2.50 ns");
        assert_eq!(seconds(2.34e-11), "0.0234 ns");
        assert_eq!(digits(0.567), "0.567");
        assert_eq!(digits(123.4), "123");
        assert_eq!(count(1_000), "1,000");
        assert_eq!(count(100), "100");
        assert_eq!(count(12_345_678), "12,345,678");
    }

    #[test]
    fn tables_align_numbers() {
        let rows = vec![vec!["a|b".into(), "1".into()]];
        assert_eq!(table(&["what", "s"], &rows), "| what | s |\n|---|--:|\n| a\\|b | 1 |\n");
    }
}
