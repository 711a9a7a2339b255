//! Numbers, lists and tables as people read them.

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

/// A line under the header and one at the end.
const STYLE: TableStyle = TableStyle::new()
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .bottom_border(LineStyle::none().fill('─').junction('─'));

/// An empty table with a header. Columns from `first_number` on hold numbers and are set to the right.
pub(crate) fn table(header: &[String], first_number: usize) -> Table {
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Disabled).set_header(header);
    for index in 0..header.len() {
        if let Some(column) = table.column_mut(index) {
            // Beside the blank that the style puts between columns.
            column.set_padding((0, u16::from(index + 1 < header.len())));
            if index >= first_number {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
    }
    table
}

/// A count with its noun: `1 row`, `2 rows`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// As many of some items as fit into a width, but at least one, and how many more there are.
pub(crate) fn few<T: AsRef<str>>(items: &[T], width: usize) -> String {
    let mut used = 0;
    let fits = |item: &&T| {
        used += item.as_ref().chars().count() + 2;
        used <= width + 2
    };
    let shown = items.iter().take_while(fits).count().max(1);
    let shown: Vec<&str> = items.iter().take(shown).map(AsRef::as_ref).collect();
    let text = shown.join(", ");
    let more = items.len().saturating_sub(shown.len());
    if more > 0 { format!("{text}, … ({more} more)") } else { text }
}

/// A number of bytes.
pub(crate) fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 3] = ["KiB", "MiB", "GiB"];
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let mut size = bytes as f64 / 1024.0;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    format!("{size:.1} {}", UNITS[unit])
}

/// A p-value to three places; what is smaller has an exponent.
pub(crate) fn p_value(p: f64) -> String {
    if p > 0.0 && p < 0.001 { format!("{p:.1e}") } else { format!("{p:.3}") }
}

/// A probability to four places; what would look like 0 but is not has an exponent.
pub(crate) fn probability(p: f64) -> String {
    if p > 0.0 && p < 0.000_05 { format!("{p:.1e}") } else { format!("{p:.4}") }
}

/// The name of `available` that is most like `name`, when it is like it at all.
pub(crate) fn nearest<'a>(name: &str, available: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    available
        .into_iter()
        .map(|other| (distance(name, other), other))
        .min()
        .filter(|&(distance, other)| distance <= other.chars().count().max(2) / 2)
        .map(|(_, other)| other)
}

/// Levenshtein's edit distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_near() {
        assert_eq!(nearest("oade", ["nb", "tan", "aode"]), Some("aode"));
        assert_eq!(nearest("ten", ["nb", "tan", "aode"]), Some("tan"));
        assert_eq!(nearest("random-forest", ["nb", "tan", "aode"]), None);
    }

    #[test]
    fn small_probabilities_do_not_look_like_zero() {
        assert_eq!(probability(0.0), "0.0000");
        assert_eq!(probability(0.25), "0.2500");
        assert_eq!(probability(0.000_012), "1.2e-5");
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes(1023), "1023 bytes");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes(3 << 20), "3.0 MiB");
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(few(&["a", "b", "c"], 4), "a, b, … (1 more)");
        assert_eq!(few(&["a", "b"], 4), "a, b");
        assert_eq!(few(&["too long"], 4), "too long");
        assert_eq!(few(&[] as &[&str], 4), "");
    }
}
