//! Rows in the order in which they are added up.

use smallvec::SmallVec;

use crate::kernel::carry_save::GROUP;

/// Rows by class and value of a lead, each of which begins with a new group: what fills a group up is the row without bits.
#[derive(Default)]
pub(super) struct Sorted {
    pub(super) wanted: bool,
    groups: Vec<[u16; GROUP]>,
    /// The first group of every class and value, and the end.
    starts: Vec<usize>,
    /// The rows of the most frequent class and value.
    pub(super) most: usize,
}

impl Sorted {
    /// The groups of a key.
    pub(super) fn groups(&self, key: usize) -> &[[u16; GROUP]] {
        &self.groups[self.starts[key]..self.starts[key + 1]]
    }

    /// The value with most rows of a class, more or less.
    pub(super) fn most_frequent(&self, class: usize, values: usize) -> usize {
        (0..values).max_by_key(|value| self.groups(class * values + value).len()).unwrap_or(0)
    }

    /// Sorts the rows by their keys, each of which so many have.
    pub(super) fn sort(&mut self, keys: &[u16], sizes: &[usize]) {
        let Self { groups, starts, most, .. } = self;
        *most = sizes.iter().copied().max().unwrap_or(0);
        starts.clear();
        let mut start = 0;
        let mut next: SmallVec<[u32; 256]> = SmallVec::with_capacity(sizes.len());
        for &size in sizes {
            starts.push(start);
            next.push((start * GROUP) as u32);
            start += size.div_ceil(GROUP);
        }
        starts.push(start);
        groups.clear();
        groups.resize(start, [keys.len() as u16; GROUP]);
        let (next, places) = (next.as_mut_slice(), groups.as_flattened_mut());
        for (row, &key) in keys.iter().enumerate() {
            let next = &mut next[usize::from(key)];
            places[*next as usize] = row as u16;
            *next += 1;
        }
    }
}
