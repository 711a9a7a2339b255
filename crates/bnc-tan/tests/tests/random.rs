//! Random data whose features depend on each other, from a seed.

use bnc_models::bnc_data::{Code, Dataset};
use bnc_models::conformance::schema;

/// The generator `SplitMix64`.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    /// Features that follow the class or an earlier feature in some of the rows, more or fewer from feature to feature.
    pub(crate) fn data(&mut self, dims: &[usize], classes: usize, rows: usize) -> Dataset {
        let class: Vec<Code> = (0..rows).map(|_| self.below(classes) as Code).collect();
        let mut columns = vec![class];
        for &dim in dims {
            let source = self.below(columns.len());
            let (share, shift) = (self.below(10), self.below(dim));
            let column = (0..rows)
                .map(|row| {
                    let value = if self.below(10) < share {
                        usize::from(columns[source][row]) + shift
                    } else {
                        self.below(dim)
                    };
                    (value % dim) as Code
                })
                .collect();
            columns.push(column);
        }
        let class = columns.remove(0);
        Dataset::new(schema(dims, classes), class, columns, None).unwrap()
    }
}
