//! The labels of a column, numbered as they appear.

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::hash::BuildHasher;
use std::sync::Arc;

use super::rows::{Cell, Span};
use super::spelling::Spellings;
pub(crate) use super::spelling::UNKNOWN;
use crate::{Code, MAX_VALUES, MISSING};

/// Which cells are missing, and whether blanks around a cell belong to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CellRules {
    pub(crate) trim: bool,
    pub(crate) missing: Vec<String>,
}

impl CellRules {
    /// The value in a cell; `None` where it is missing.
    pub(crate) fn value<'a>(&self, cell: &'a [u8]) -> Option<&'a [u8]> {
        let value = if self.trim { cell.trim_ascii() } else { cell };
        let missing = self.missing.iter().any(|token| token.as_bytes() == value);
        (!missing).then_some(value)
    }
}

/// Numbers the distinct values of a column in order of appearance, up to [`MAX_VALUES`] of them.
///
/// Most cells repeat a short spelling that has been met before. Those are answered by one probe of a small table
/// whose keys hold the whole cell, so that neither blanks nor missing tokens nor the text itself are looked at.
#[derive(Debug, Clone)]
pub(crate) struct Dictionary {
    rules: Arc<CellRules>,
    spellings: Spellings,
    index: HashTable<Code>,
    hasher: RandomState,
    /// All labels, one after the other.
    text: String,
    /// Where each label ends in `text`.
    ends: Vec<usize>,
}

impl Dictionary {
    pub(crate) fn new(rules: Arc<CellRules>) -> Self {
        Self {
            rules,
            spellings: Spellings::default(),
            index: HashTable::new(),
            hasher: RandomState::default(),
            text: String::new(),
            ends: Vec::new(),
        }
    }

    /// A dictionary of the given distinct labels, numbered in their order.
    pub(crate) fn of(rules: Arc<CellRules>, labels: &[String]) -> Self {
        let mut dictionary = Self::new(rules);
        for label in labels.iter().take(MAX_VALUES) {
            dictionary.add(label.as_bytes());
        }
        for label in labels {
            dictionary.find_and_remember(label.as_bytes());
        }
        dictionary
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn labels(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|id| self.label(id as Code))
    }

    /// The code of a cell that stands in a text, [`MISSING`] where it is missing, `absent` where a sparse row leaves it
    /// out; [`UNKNOWN`] for a value that is not in the dictionary, and for a spelling that is worth remembering.
    #[inline]
    pub(crate) fn look_up(&self, text: &[u8], span: Span, absent: u32) -> u32 {
        match text.get(span.start()) {
            Some(&byte) if span.length() == 1 => self.spellings.of_byte(byte),
            _ => self.look_up_longer(text, span, absent),
        }
    }

    /// Out of the way of cells of one byte, whose loop is a short one.
    #[inline(never)]
    fn look_up_longer(&self, text: &[u8], span: Span, absent: u32) -> u32 {
        let code = self.spellings.get(text, span.start(), span.length());
        if code == UNKNOWN { self.look_up_unfamiliar(span.cell(text), absent) } else { code }
    }

    #[cold]
    #[inline(never)]
    fn look_up_unfamiliar(&self, cell: Cell<'_>, absent: u32) -> u32 {
        match cell {
            Cell::Text(text) if self.spellings.has_room_for(text) => UNKNOWN,
            Cell::Text(text) => self.find(text).map_or(UNKNOWN, u32::from),
            Cell::Missing => MISSING.into(),
            Cell::Absent => absent,
        }
    }

    /// The code of a cell, [`MISSING`] where it is missing; `None` for a value that is not in the dictionary.
    pub(crate) fn find(&self, cell: &[u8]) -> Option<Code> {
        match self.rules.value(cell) {
            None => Some(MISSING),
            Some(value) => self.code_of(value),
        }
    }

    /// The same, for a spelling that may come again.
    pub(crate) fn find_and_remember(&mut self, cell: &[u8]) -> Option<Code> {
        let code = self.find(cell)?;
        self.remember(cell, code);
        Some(code)
    }

    fn remember(&mut self, cell: &[u8], code: Code) {
        // In one block it may be met more than once before it is looked up again.
        if self.spellings.get(cell, 0, cell.len()) == UNKNOWN {
            self.spellings.remember(cell, code);
        }
    }

    /// The code of a cell, [`MISSING`] where it is missing; a new value is added. `None` when there is no room.
    pub(crate) fn find_or_insert(&mut self, cell: &[u8]) -> Option<Code> {
        let code = match self.rules.value(cell) {
            None => MISSING,
            Some(value) => self.add(value)?,
        };
        self.remember(cell, code);
        Some(code)
    }

    /// The code of a label.
    pub(crate) fn code_of(&self, value: &[u8]) -> Option<Code> {
        let hash = self.hasher.hash_one(value);
        self.index.find(hash, |&code| self.label(code).as_bytes() == value).copied()
    }

    fn label(&self, code: Code) -> &str {
        label(&self.text, &self.ends, code)
    }

    /// The code of a value that may be new; `None` when there is no room.
    fn add(&mut self, value: &[u8]) -> Option<Code> {
        let (text, ends, hasher) = (&self.text, &self.ends, &self.hasher);
        let entry = self.index.entry(
            hasher.hash_one(value),
            |&code| label(text, ends, code).as_bytes() == value,
            |&code| hasher.hash_one(label(text, ends, code).as_bytes()),
        );
        match entry {
            Entry::Occupied(entry) => Some(*entry.get()),
            Entry::Vacant(_) if self.ends.len() == MAX_VALUES => None,
            Entry::Vacant(entry) => {
                let code = self.ends.len() as Code;
                entry.insert(code);
                // Cells are cut from valid text at ASCII characters, so nothing is ever lost here.
                self.text.push_str(&String::from_utf8_lossy(value));
                self.ends.push(self.text.len());
                Some(code)
            }
        }
    }
}

fn label<'a>(text: &'a str, ends: &[usize], code: Code) -> &'a str {
    let code = usize::from(code);
    let start = code.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[code]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Arc<CellRules> {
        Arc::new(CellRules { trim: true, missing: vec![String::new(), "?".into()] })
    }

    #[test]
    fn codes_follow_first_appearance() {
        let mut dictionary = Dictionary::new(rules());
        let codes: Vec<_> = ["b", "a", " b ", "", "?", " ? ", "a very long label indeed", "a"]
            .iter()
            .map(|cell| dictionary.find_or_insert(cell.as_bytes()).unwrap())
            .collect();
        assert_eq!(codes, [0, 1, 0, MISSING, MISSING, MISSING, 2, 1]);
        assert_eq!(dictionary.labels().collect::<Vec<_>>(), ["b", "a", "a very long label indeed"]);
        let look_up = |text: &str| dictionary.look_up(text.as_bytes(), Span::new(0, text.len()), 7);
        let missing = u32::from(MISSING);
        assert_eq!(["b", " b ", "?", " ? ", ""].map(look_up), [0, 0, missing, missing, missing]);
        assert_eq!(look_up("a very long label indeed"), 2);
        // Not known, and known but not in this spelling.
        assert_eq!(["c", " b"].map(look_up), [UNKNOWN, UNKNOWN]);
        assert_eq!(dictionary.find(b" b"), Some(0));
        assert_eq!(dictionary.look_up(b"abc", Span::MISSING, 7), missing);
        assert_eq!(dictionary.look_up(b"abc", Span::ABSENT, 7), 7);
    }

    #[test]
    fn there_is_room_for_every_code_but_the_missing_one() {
        let mut dictionary = Dictionary::new(rules());
        for value in 0..MAX_VALUES {
            assert_eq!(dictionary.find_or_insert(value.to_string().as_bytes()), Some(value as Code));
        }
        assert_eq!(dictionary.find_or_insert(b"one more"), None);
        assert_eq!(dictionary.find_or_insert(b"65534"), Some(65534));
        assert_eq!(dictionary.find_or_insert(b"?"), Some(MISSING));
    }
}
