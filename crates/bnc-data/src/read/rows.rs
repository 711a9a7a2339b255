//! The rows of a block: where each cell stands.

use crate::Error;

/// Where the text of a cell stands in its block, or that it has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// Missing by the syntax of the file.
    pub(crate) const MISSING: Self = Self { start: 2, end: 0 };
    /// Left out of a sparse row, which stands for 0 or the first label.
    pub(crate) const ABSENT: Self = Self { start: 1, end: 0 };

    /// A text between two places, the second not before the first. Blocks are far shorter than 4 GiB.
    #[inline]
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    #[inline]
    pub(crate) fn start(self) -> usize {
        self.start as usize
    }

    /// The length of a text; more than any text has where there is none.
    #[inline]
    pub(crate) fn length(self) -> usize {
        self.end.wrapping_sub(self.start) as usize
    }

    pub(crate) fn cell(self, text: &[u8]) -> Cell<'_> {
        match self {
            Self::MISSING => Cell::Missing,
            Self::ABSENT => Cell::Absent,
            _ => Cell::Text(text.get(self.start as usize..self.end as usize).unwrap_or_default()),
        }
    }
}

/// A cell as its file holds it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cell<'a> {
    /// The cell's text, before blanks and missing tokens are looked at.
    Text(&'a [u8]),
    /// See [`Span::MISSING`].
    Missing,
    /// See [`Span::ABSENT`].
    Absent,
}

/// The rows of a block, and the error that ends them, if one does.
#[derive(Debug)]
pub(crate) struct Rows {
    /// Where the texts of the cells stand; more than the block where cells were unquoted.
    pub(crate) text: Vec<u8>,
    /// How many cells a row has; at least 1.
    pub(crate) columns: usize,
    /// The cells, row by row.
    pub(crate) cells: Vec<Span>,
    /// The line on which each row starts.
    pub(crate) lines: Vec<u64>,
    /// The weights that rows state themselves: none, or one place a row.
    pub(crate) weights: Vec<Option<u32>>,
    /// What is wrong with the row after the last one.
    pub(crate) error: Option<Error>,
}

impl Rows {
    pub(crate) fn new(text: Vec<u8>, columns: usize, lines: usize) -> Self {
        // A block may be one long line with many cells too few; that is for its error to tell.
        let cells = columns.saturating_mul(lines).min(text.len());
        Self {
            text,
            columns: columns.max(1),
            cells: Vec::with_capacity(cells),
            lines: Vec::with_capacity(lines),
            weights: Vec::new(),
            error: None,
        }
    }

    /// Adds the next row.
    #[inline]
    pub(crate) fn add(&mut self, line: u64, cells: &[Span], weight: Option<u32>) {
        if weight.is_some() || !self.weights.is_empty() {
            self.weights.resize(self.len(), None);
            self.weights.push(weight);
        }
        self.lines.push(line);
        self.cells.extend_from_slice(cells);
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    pub(crate) fn cell(&self, row: usize, position: usize) -> Cell<'_> {
        self.cells[row * self.columns + position].cell(&self.text)
    }
}

/// Splits a line that starts at a place of its text. Gives the number of cells, of which only as many are kept as
/// `row` has places.
#[inline]
pub(crate) fn split(line: &[u8], start: usize, delimiter: u8, row: &mut [Span]) -> usize {
    let (words, rest) = line.as_chunks::<8>();
    let mut last = [!delimiter; 8];
    last[..rest.len()].copy_from_slice(rest);
    let (mut cells, mut cell_start, mut at) = (0, start, start);
    let mut end_cell = |end: usize| {
        if let Some(place) = row.get_mut(cells) {
            *place = Span::new(cell_start, end);
        }
        cells += 1;
        cell_start = end + 1;
    };
    for word in words.iter().chain([&last]) {
        let mut found = places_of(delimiter, *word);
        while found != 0 {
            end_cell(at + (found.trailing_zeros() / 8) as usize);
            found &= found - 1;
        }
        at += 8;
    }
    end_cell(start + line.len());
    cells
}

/// The highest bit of each byte of a (little-endian) word that is the byte looked for.
#[inline]
fn places_of(byte: u8, word: [u8; 8]) -> u64 {
    const LOW: u64 = u64::from_ne_bytes([0x7f; 8]);
    let different = u64::from_le_bytes(word) ^ u64::from_ne_bytes([byte; 8]);
    !(((different & LOW) + LOW) | different | LOW)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn cells_stand_between_delimiters(line in "[a,\u{80}é+]{0,40}", start in 0..3usize, places in 1..20usize) {
            let text = ["..", &line].concat();
            let text = &text.as_bytes()[2 - start..];
            let mut row = vec![Span::default(); places];
            let cells = split(line.as_bytes(), start, b',', &mut row);
            let expected: Vec<&[u8]> = line.split(',').map(str::as_bytes).collect();
            prop_assert_eq!(cells, expected.len());
            for (span, expected) in row.iter().zip(expected) {
                prop_assert_eq!(span.cell(text), Cell::Text(expected));
            }
        }
    }
}
