//! Codes of short cells, found by one probe.

use crate::Code;

/// A cell of up to 13 bytes, packed with its length so that different cells are different keys: eight bytes, then
/// five bytes, two that are 0 (a slot keeps a code there), and the length.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub(crate) struct Spelling(u64, u64);

const LONGEST: usize = 13;
const CODE_SHIFT: u32 = 40;
const LENGTH_SHIFT: u32 = 56;

impl Spelling {
    /// The spelling of a cell, if it is short.
    #[inline]
    fn of(cell: &[u8]) -> Option<Self> {
        Self::within(cell, 0, cell.len())
    }

    /// The spelling of the `length` bytes of a text from `start` on, which the text has, if they are few. The bytes
    /// around the cell spare a copy: eight bytes are loaded at once and those of others are shifted or masked away.
    #[inline]
    fn within(text: &[u8], start: usize, length: usize) -> Option<Self> {
        if length > LONGEST {
            return None;
        }
        let head = load(text, start, length.min(8));
        let tag = (length as u64) << LENGTH_SHIFT;
        let tail = if length > 8 { load(text, start + 8, length - 8) } else { 0 };
        Some(Self(head, tail | tag))
    }

    #[inline]
    fn hash(self) -> u64 {
        (self.0 ^ self.1.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// `length` (up to 8) bytes of a text as a number.
#[inline]
fn load(text: &[u8], start: usize, length: usize) -> u64 {
    // Near the end of the text the last eight bytes are loaded, and those before the cell shifted out.
    let from = start.min(text.len().saturating_sub(8));
    let word = match text.get(from..).and_then(<[u8]>::first_chunk::<8>) {
        Some(word) => u64::from_le_bytes(*word) >> (8 * (start - from)).min(63),
        None => text[start..].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    };
    let unused = 64 - 8 * length as u32;
    word & u64::MAX.checked_shr(unused).unwrap_or_default()
}

/// A spelling with its code, in two words.
#[derive(Debug, Clone, Copy)]
struct Slot(u64, u64);

/// No cell is 255 bytes long and short.
const EMPTY: Slot = Slot(0, u64::MAX);

impl Slot {
    fn new(spelling: Spelling, code: Code) -> Self {
        Self(spelling.0, spelling.1 | u64::from(code) << CODE_SHIFT)
    }

    #[inline]
    fn spelling(self) -> Spelling {
        Spelling(self.0, self.1 & !(u64::from(Code::MAX) << CODE_SHIFT))
    }

    #[inline]
    fn code(self) -> Code {
        (self.1 >> CODE_SHIFT) as Code
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.1 == EMPTY.1
    }
}

/// In place of the code of a cell that is not known. All codes being taken, it is a larger number; a plain one, so that
/// the loop over cells has no branch for it.
pub(crate) const UNKNOWN: u32 = u32::MAX;

/// A bounded memory of spellings. It may forget, which costs time and changes nothing.
#[derive(Debug, Clone)]
pub(crate) struct Spellings {
    /// The codes of cells of one byte.
    bytes: [u32; 256],
    /// Those of other short cells: a power of two of slots, or none.
    slots: Vec<Slot>,
    used: usize,
}

impl Default for Spellings {
    fn default() -> Self {
        Self { bytes: [UNKNOWN; 256], slots: Vec::new(), used: 0 }
    }
}

/// How many slots a lookup visits.
const PROBES: usize = 8;
/// The first and the largest number of slots: enough for categories, little beside a column of numbers.
const SMALLEST: usize = 64;
const LARGEST: usize = 4096;

impl Spellings {
    /// The code of a cell of one byte.
    #[inline]
    pub(crate) fn of_byte(&self, byte: u8) -> u32 {
        self.bytes[usize::from(byte)]
    }

    /// The code of the `length` bytes of a text from `start` on.
    #[inline]
    pub(crate) fn get(&self, text: &[u8], start: usize, length: usize) -> u32 {
        if let (1, Some(&byte)) = (length, text.get(start)) {
            return self.of_byte(byte);
        }
        let Some(spelling) = Spelling::within(text, start, length) else { return UNKNOWN };
        let mask = self.slots.len().wrapping_sub(1);
        let first = (spelling.hash() >> 32) as usize;
        for probe in 0..PROBES {
            match self.slots.get((first + probe) & mask) {
                Some(slot) if slot.spelling() == spelling => return slot.code().into(),
                Some(slot) if !slot.is_empty() => {}
                _ => break,
            }
        }
        UNKNOWN
    }

    /// Whether a cell that is not known would be remembered.
    pub(crate) fn has_room_for(&self, cell: &[u8]) -> bool {
        cell.len() <= LONGEST
            && (cell.len() == 1 || self.slots.len() < LARGEST || 2 * self.used < self.slots.len())
    }

    /// Remembers the code of a cell that [`get`](Self::get) does not know, if it is short and there is room.
    pub(crate) fn remember(&mut self, cell: &[u8], code: Code) {
        if let [byte] = cell {
            self.bytes[usize::from(*byte)] = code.into();
            return;
        }
        let Some(spelling) = Spelling::of(cell) else {
            return;
        };
        if 2 * self.used >= self.slots.len() && self.slots.len() < LARGEST {
            let larger = (2 * self.slots.len()).max(SMALLEST);
            let old = std::mem::replace(&mut self.slots, vec![EMPTY; larger]);
            self.used = 0;
            for slot in old.into_iter().filter(|slot| !slot.is_empty()) {
                self.place(slot);
            }
        }
        self.place(Slot::new(spelling, code));
    }

    fn place(&mut self, filled: Slot) {
        let mask = self.slots.len() - 1;
        let first = (filled.spelling().hash() >> 32) as usize;
        for probe in 0..PROBES {
            let slot = &mut self.slots[(first + probe) & mask];
            if slot.is_empty() {
                *slot = filled;
                self.used += 1;
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn different_cells_have_different_spellings(
            a in proptest::collection::vec(0u8..3, 0..18),
            b in proptest::collection::vec(0u8..3, 0..18),
            after in proptest::collection::vec(any::<u8>(), 0..18),
        ) {
            match (Spelling::of(&a), Spelling::of(&b)) {
                (Some(first), Some(second)) => prop_assert_eq!(first == second, a == b),
                _ => prop_assert!(a.len() > LONGEST || b.len() > LONGEST),
            }
            let row = [after.clone(), a.clone(), after.clone()].concat();
            prop_assert_eq!(Spelling::within(&row, after.len(), a.len()), Spelling::of(&a));
            let row = [after.clone(), a.clone()].concat();
            prop_assert_eq!(Spelling::within(&row, after.len(), a.len()), Spelling::of(&a));
        }
    }

    #[test]
    fn what_is_remembered_is_right() {
        let mut spellings = Spellings::default();
        for code in 0..10_000u16 {
            spellings.remember(code.to_string().as_bytes(), code);
        }
        let get = |spellings: &Spellings, cell: &str| spellings.get(cell.as_bytes(), 0, cell.len());
        let found = |code: u16| get(&spellings, &code.to_string());
        assert!((0..10).all(|code| found(code) == u32::from(code)));
        assert!((0..10_000).filter(|&code| found(code) != UNKNOWN).count() > LARGEST / 2);
        assert!((0..10_000).all(|code| [UNKNOWN, code.into()].contains(&found(code))));
        assert_eq!(found(10_001), UNKNOWN);
        assert_eq!(get(&spellings, ""), UNKNOWN);
        assert_eq!(get(&spellings, "x"), UNKNOWN);
        assert!(!spellings.has_room_for(b"10001") && spellings.has_room_for(b"x"));
        assert!(!Spellings::default().has_room_for(&[b'x'; LONGEST + 1]));
    }
}
