//! Rows ordered by class.

use std::ops::Range;

use bnc_data::Code;
use multiversion::target::target_cfg_f;
use smallvec::SmallVec;

use super::loops::{FEW_CLASSES, LANES};

/// Where the rows of each class lie when rows are ordered by class and every class begins with a new word.
#[derive(Default)]
pub(super) struct ClassOrder {
    /// The number of rows of each class.
    pub(super) sizes: Vec<u64>,
    /// The words of each class.
    pub(super) classes: Vec<Range<usize>>,
    /// The places that hold a row.
    pub(super) valid: Vec<u64>,
}

/// The place of the next row of each class.
pub(super) type Next = SmallVec<[usize; FEW_CLASSES]>;

impl ClassOrder {
    pub(super) fn fill(&mut self, class: &[Code], classes: usize) {
        let Self { sizes, classes: ranges, valid } = self;
        sizes.clear();
        if classes <= FEW_CLASSES {
            sizes.extend((0..classes).map(|wanted| u64::from(count(class, wanted as Code))));
        } else {
            sizes.resize(classes, 0);
            for &class in class {
                if let Some(size) = sizes.get_mut(usize::from(class)) {
                    *size += 1;
                }
            }
        }
        // Rows of few classes may be put in their places by whole vectors, which reach beyond the last one.
        let spare = if classes <= FEW_CLASSES { LANES } else { 0 };
        // Tiny classes are not filled up: too much of the planes would be empty.
        let unit = if class.len() >= 128 * classes { unit() } else { 1 };
        ranges.clear();
        valid.clear();
        for &size in &*sizes {
            let (start, size) = (valid.len(), size as usize);
            valid.resize(start + size / 64, u64::MAX);
            if !size.is_multiple_of(64) {
                valid.push((1 << (size % 64)) - 1);
            }
            valid.resize((start + (size + spare).div_ceil(64)).next_multiple_of(unit), 0);
            ranges.push(start..valid.len());
        }
    }

    /// The number of words of a plane.
    pub(super) fn words(&self) -> usize {
        self.valid.len()
    }

    /// The places before any row is put.
    pub(super) fn start(&self) -> Next {
        self.classes.iter().map(|range| range.start * 64).collect()
    }
}

vectorised! {
/// What the words of a class are filled up to a multiple of: a vector, where ones are counted by the vector.
fn unit() -> usize {
    if target_cfg_f!(target_feature = "avx512f") { LANES } else { 1 }
}
}

vectorised! {
/// The number of rows of a class, below 65,536.
fn count(class: &[Code], wanted: Code) -> u16 {
    class.iter().map(|&class| u16::from(class == wanted)).fold(0, u16::wrapping_add)
}
}
