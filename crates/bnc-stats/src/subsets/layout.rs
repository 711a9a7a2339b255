//! Where the value of a subset is stored.

use rayon::prelude::*;

/// The subsets of at most `largest` of `nodes` elements, in the order of their bit masks.
///
/// The masks below 2^k with at most d elements are `size(k, d)` many, and those whose highest element is x take the places
/// from `size(x, d)` on: a contiguous block, laid out in the same way with x and d − 1.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    nodes: usize,
    largest: usize,
    sizes: Vec<usize>,
}

impl Layout {
    /// `None` where there are more subsets than can be addressed.
    pub(super) fn new(nodes: usize, largest: usize) -> Option<Self> {
        let largest = largest.min(nodes);
        let mut sizes = vec![1_usize; (largest + 1) * (nodes + 1)];
        for d in 1..=largest {
            for k in 1..=nodes {
                let with = sizes[(d - 1) * (nodes + 1) + k - 1];
                let without = sizes[d * (nodes + 1) + k - 1];
                sizes[d * (nodes + 1) + k] = without.checked_add(with)?;
            }
        }
        let layout = Self { nodes, largest, sizes };
        layout.len().checked_mul(size_of::<f64>()).filter(|&bytes| isize::try_from(bytes).is_ok())?;
        Some(layout)
    }

    /// The number of subsets of at most d of the first k elements.
    #[inline]
    pub(super) fn size(&self, k: usize, d: usize) -> usize {
        self.sizes[d.min(self.largest) * (self.nodes + 1) + k]
    }

    /// The number of subsets.
    pub(super) fn len(&self) -> usize {
        self.size(self.nodes, self.largest)
    }

    /// The number of elements.
    pub(super) fn nodes(&self) -> usize {
        self.nodes
    }

    /// The number of elements of the largest subset.
    pub(super) fn largest(&self) -> usize {
        self.largest
    }

    /// Whether every subset is there, so that a mask is its own place.
    #[inline]
    pub(super) fn is_complete(&self) -> bool {
        self.largest == self.nodes
    }

    /// The place of a subset of at most `largest` elements.
    #[inline]
    pub(super) fn place(&self, mut mask: u64) -> usize {
        if self.is_complete() {
            return mask as usize;
        }
        let (mut place, mut d) = (0, self.largest);
        while mask != 0 {
            let highest = mask.ilog2() as usize;
            place += self.size(highest, d);
            d = d.saturating_sub(1);
            mask ^= 1 << highest;
        }
        place
    }

    /// Lays values out anew: bit p of the masks so far stands for element `order[p]`.
    pub(super) fn reorder(&self, mut values: Vec<f64>, order: &[usize]) -> Vec<f64> {
        if self.is_complete() {
            let mut order = order.to_vec();
            for low in 0..order.len() {
                let high = order.iter().position(|&element| element == low).unwrap_or(low);
                if high > low {
                    swap_bits(&mut values, low, high);
                    order.swap(low, high);
                }
            }
            return values;
        }
        let mut moved = vec![0.0; values.len()];
        self.for_each(self.nodes, self.largest, 0, 0, &mut |place, mask| {
            moved[self.place(renamed(mask, order))] = values[place];
        });
        moved
    }

    fn for_each(&self, k: usize, d: usize, place: usize, mask: u64, visit: &mut impl FnMut(usize, u64)) {
        visit(place, mask);
        if d > 0 {
            for x in 0..k {
                self.for_each(x, d - 1, place + self.size(x, d), mask | 1 << x, visit);
            }
        }
    }
}

/// The mask with every bit p moved to `order[p]`.
fn renamed(mask: u64, order: &[usize]) -> u64 {
    order.iter().enumerate().fold(0, |moved, (bit, &element)| moved | (mask >> bit & 1) << element)
}

/// Exchanges the values at masks that differ by exchanging bits `low` and `high`, in place.
fn swap_bits(values: &mut [f64], low: usize, high: usize) {
    let (step, half) = (1 << low, 1 << high);
    values.par_chunks_exact_mut(2 * half).for_each(|chunk| {
        let (without, with) = chunk.split_at_mut(half);
        let pairs = without.par_chunks_exact_mut(2 * step).zip(with.par_chunks_exact_mut(2 * step));
        pairs.with_min_len(4096 / step + 1).for_each(|(without, with)| {
            without[step..].swap_with_slice(&mut with[..step]);
        });
    });
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "values are moved, not computed")]
mod tests {
    use super::*;

    #[test]
    fn places_are_the_ranks_of_masks() {
        for (nodes, largest) in [(0, 0), (1, 0), (5, 5), (6, 2), (7, 3), (9, 8)] {
            let layout = Layout::new(nodes, largest).unwrap();
            let masks: Vec<u64> =
                (0..1 << nodes).filter(|mask: &u64| mask.count_ones() as usize <= largest).collect();
            assert_eq!(layout.len(), masks.len());
            for (place, &mask) in masks.iter().enumerate() {
                assert_eq!(layout.place(mask), place);
            }
        }
        assert_eq!(Layout::new(60, 4).unwrap().len(), 523_686);
        assert!(Layout::new(63, 63).is_none());
    }

    #[test]
    fn reordering_renames_the_elements() {
        let order = [3, 0, 5, 1, 4, 2];
        for largest in [2, 4, 6] {
            let layout = Layout::new(6, largest).unwrap();
            let masks = (0..64_u64).filter(|mask| mask.count_ones() as usize <= largest);
            let values = masks.clone().map(|mask| renamed(mask, &order) as f64).collect();
            let moved = layout.reorder(values, &order);
            assert_eq!(moved, masks.map(|mask| mask as f64).collect::<Vec<_>>());
        }
    }
}
