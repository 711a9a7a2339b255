//! Training rows as one bitmap a value, for counts that no table holds.

use std::ops::Range;

use bitvec::prelude::{BitVec, Lsb0};
use bnc_models::bnc_data::{Code, Dataset, MISSING};
use multiversion::multiversion;

type Plane = BitVec<u64, Lsb0>;

/// One bitmap a value, over rows sorted by class, so that each class is a range of words: the count of a conjunction of
/// values is the population count of the conjunction of their bitmaps, in all classes at once.
#[derive(Debug, Clone)]
pub(crate) struct RowIndex {
    /// The words of each class.
    classes: Vec<Range<usize>>,
    /// For each feature a bitmap a value.
    values: Vec<Vec<Plane>>,
    /// For each feature the rows that know it.
    known: Vec<Plane>,
    /// The weights' binary digits, from the lowest; none when all weights are 1.
    weights: Vec<Plane>,
}

/// The words of the bitmaps that [`RowIndex::new`] would make of rows with so many values in all.
pub(crate) fn words(data: &Dataset, values: usize) -> u128 {
    let class_rows = class_rows(data);
    let words: u128 = class_rows.iter().map(|rows| rows.div_ceil(64) as u128).sum();
    words * (values + data.features().len()) as u128
}

fn class_rows(data: &Dataset) -> Vec<usize> {
    let mut rows = vec![0; data.schema().classes()];
    data.class().iter().for_each(|&class| rows[usize::from(class)] += 1);
    rows
}

impl RowIndex {
    /// Indexes labelled rows.
    pub(crate) fn new(data: &Dataset) -> Self {
        let mut classes = Vec::new();
        let mut next = Vec::new();
        let mut word = 0;
        for rows in class_rows(data) {
            let words = rows.div_ceil(64);
            classes.push(word..word + words);
            next.push(word * 64);
            word += words;
        }
        let places: Vec<usize> = data
            .class()
            .iter()
            .map(|&class| {
                let place = &mut next[usize::from(class)];
                *place += 1;
                *place - 1
            })
            .collect();
        let empty = || Plane::repeat(false, word * 64);
        let index = |(column, r): (&Vec<Code>, usize)| {
            let mut planes = vec![empty(); r];
            let mut known = empty();
            for (&code, &place) in column.iter().zip(&places).filter(|(code, _)| **code != MISSING) {
                planes[usize::from(code)].set(place, true);
                known.set(place, true);
            }
            (planes, known)
        };
        let dims = data.schema().features().iter().map(bnc_models::bnc_data::Variable::cardinality);
        let (values, known) = data.features().iter().zip(dims).map(index).unzip();
        let digits =
            data.weights().and_then(|weights| weights.iter().max()).map_or(0, |most| most.ilog2() + 1);
        let weights = (0..digits).map(|digit| {
            let mut plane = empty();
            for (&weight, &place) in data.weights().into_iter().flatten().zip(&places) {
                plane.set(place, weight >> digit & 1 == 1);
            }
            plane
        });
        Self { classes, values, known, weights: weights.collect() }
    }

    /// The rows that have all of some features' values, as a bitmap. Without any, bits of no row may be set, too.
    pub(crate) fn conjunction(&self, mut values: impl Iterator<Item = (usize, Code)>) -> Vec<u64> {
        let plane = |(feature, code): (usize, Code)| self.values[feature][usize::from(code)].as_raw_slice();
        let Some(first) = values.next() else {
            return vec![u64::MAX; self.classes.last().map_or(0, |range| range.end)];
        };
        let mut rows = plane(first).to_vec();
        for value in values {
            rows.iter_mut().zip(plane(value)).for_each(|(word, other)| *word &= other);
        }
        rows
    }

    /// By class, the weight of those of the rows that have the value of a feature.
    pub(crate) fn count_value(&self, rows: &[u64], feature: usize, code: Code, out: &mut [f64]) {
        count(rows, &self.values[feature][usize::from(code)], &self.weights, &self.classes, out);
    }

    /// By class, the weight of those of the rows that know a feature.
    pub(crate) fn count_known(&self, rows: &[u64], feature: usize, out: &mut [f64]) {
        count(rows, &self.known[feature], &self.weights, &self.classes, out);
    }
}

/// By class, the weight of the rows that are in both bitmaps.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vpopcntdq",
    "x86_64+avx2+bmi2+popcnt",
    "aarch64+neon"
))]
fn count(rows: &[u64], plane: &Plane, weights: &[Plane], classes: &[Range<usize>], out: &mut [f64]) {
    let plane = plane.as_raw_slice();
    // Loops, not iterators' sums: these are functions of their own, compiled for any processor.
    for (count, range) in out.iter_mut().zip(classes) {
        let (rows, plane) = (&rows[range.clone()], &plane[range.clone()]);
        let mut total = 0;
        if weights.is_empty() {
            for (a, b) in rows.iter().zip(plane) {
                total += u64::from((a & b).count_ones());
            }
        }
        for (power, digit) in weights.iter().enumerate() {
            let mut ones = 0;
            for ((a, b), digit) in rows.iter().zip(plane).zip(&digit.as_raw_slice()[range.clone()]) {
                ones += u64::from((a & b & digit).count_ones());
            }
            total += ones << power;
        }
        *count = total as f64;
    }
}
