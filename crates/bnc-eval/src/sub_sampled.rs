//! Sub-sampled cross-validation.

use bnc_data::{Code, MISSING};

use crate::random::{generator, part_stream, shuffle};
use crate::resampling::labelled_rows;
use crate::{Error, Resampling, Result};

/// Sub-sampled cross-validation (Webb and Conilione, *Estimating bias and variance from data*, 2002; WEKA's
/// `BVDecomposeSegCVSub`), which sets both the size of the training sets and how much they have in common.
///
/// Of D labelled rows, for training sets of m rows with an overlap of p, segments of ⌈m/p + 1⌉ = s rows are drawn, ⌊D/s⌋ of them.
/// Each repeat shuffles the rows within each segment and divides it into ⌈s/(s − m)⌉ folds; a part tests a fold and learns from m
/// rows drawn from the segment's other folds. The rows in no segment are tested by the first part of each repeat. So every
/// labelled row is tested once a repeat.
///
/// # Examples
/// ```
/// use bnc_eval::{Resampling, SubSampled};
/// let classes = [0, 1].repeat(100);
/// // Segments of 41 rows: 4 of 2 folds, and 36 rows that are left over.
/// let resampling = SubSampled::draw(&classes, Some(20), Some(0.5), 10, 1)?;
/// assert_eq!((resampling.repeats(), resampling.parts()), (10, 8));
/// assert_eq!(resampling.train_rows(0, 0).len(), 20);
/// assert_eq!(resampling.test_rows(0, 0).len(), 21 + 36);
/// # Ok::<(), bnc_eval::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubSampled {
    labelled: Vec<bool>,
    train: usize,
    folds: usize,
    seed: u64,
    /// The rows of each segment in each repeat, in the order in which they are divided into folds.
    repeats: Vec<Vec<Vec<usize>>>,
    left_over: Vec<usize>,
}

impl SubSampled {
    /// Draws the segments. `classes` holds one code a row, [`MISSING`] where unlabelled; `train` is m, half the
    /// labelled rows unless given; `overlap` is p, from m/(D − 1), which is what it is unless given, to below 1: roughly the share of its
    /// rows that a training set has in common with another of the same segment.
    ///
    /// # Errors
    /// [`Error::BadTrainingSize`] unless 1 ≤ m ≤ D − 2, [`Error::BadOverlap`], [`Error::NoRepeats`].
    pub fn draw(
        classes: &[Code],
        train: Option<usize>,
        overlap: Option<f64>,
        repeats: usize,
        seed: u64,
    ) -> Result<Self> {
        let mut rows = labelled_rows(classes);
        let train = train.unwrap_or(rows.len() / 2);
        if train == 0 || train + 2 > rows.len() {
            return Err(Error::BadTrainingSize { train, rows: rows.len() });
        }
        if repeats == 0 {
            return Err(Error::NoRepeats);
        }
        let segment = match overlap {
            None => rows.len(),
            Some(overlap) => segment_size(train, overlap, rows.len())?,
        };
        shuffle(&mut rows, &mut generator(seed, 0));
        let segments = rows.chunks_exact(segment);
        let left_over = segments.remainder().to_vec();
        let one_repeat = |repeat: usize| {
            let mut random = generator(seed, repeat as u64 + 1);
            let shuffled = segments.clone().map(|segment| {
                let mut segment = segment.to_vec();
                shuffle(&mut segment, &mut random);
                segment
            });
            shuffled.collect()
        };
        let repeats = (0..repeats).map(one_repeat).collect();
        let labelled = classes.iter().map(|&class| class != MISSING).collect();
        Ok(Self { labelled, train, folds: segment.div_ceil(segment - train), seed, repeats, left_over })
    }

    /// The rows of a part's segment, and which of them the part tests. The first folds have one row more where the segment
    /// cannot be divided evenly.
    fn fold(&self, repeat: usize, part: usize) -> (&[usize], std::ops::Range<usize>) {
        let segment = &self.repeats[repeat][part / self.folds];
        let fold = part % self.folds;
        let (size, longer) = (segment.len() / self.folds, segment.len() % self.folds);
        let start = fold * size + fold.min(longer);
        (segment, start..start + size + usize::from(fold < longer))
    }
}

/// The size of a segment, ⌈m/p + 1⌉.
fn segment_size(train: usize, overlap: f64, rows: usize) -> Result<usize> {
    /// What rounding may add to the quotient of two decimal numbers, relatively.
    const ROUNDING: f64 = 1e-12;
    let least = train as f64 / (rows - 1) as f64;
    if !(least * (1.0 - ROUNDING)..1.0).contains(&overlap) {
        return Err(Error::BadOverlap { overlap, least });
    }
    let quotient = train as f64 / overlap;
    // An overlap just below 1 still leaves two rows out of each training set.
    let whole = (quotient * (1.0 - ROUNDING)).ceil().max(train as f64 + 1.0);
    #[expect(clippy::cast_sign_loss, reason = "a number of rows")]
    let segment = whole as usize + 1;
    Ok(segment.min(rows))
}

impl Resampling for SubSampled {
    fn rows(&self) -> usize {
        self.labelled.len()
    }

    fn is_labelled(&self, row: usize) -> bool {
        self.labelled[row]
    }

    fn repeats(&self) -> usize {
        self.repeats.len()
    }

    fn parts(&self) -> usize {
        self.repeats.first().map_or(0, Vec::len) * self.folds
    }

    fn train_rows(&self, repeat: usize, part: usize) -> Vec<usize> {
        let (segment, tested) = self.fold(repeat, part);
        let mut rows = [&segment[..tested.start], &segment[tested.end..]].concat();
        shuffle(&mut rows, &mut generator(self.seed, part_stream(repeat, part)));
        rows.truncate(self.train);
        rows.sort_unstable();
        rows
    }

    fn test_rows(&self, repeat: usize, part: usize) -> Vec<usize> {
        let (segment, tested) = self.fold(repeat, part);
        let mut rows = segment[tested].to_vec();
        if part == 0 {
            rows.extend(&self.left_over);
        }
        rows.sort_unstable();
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_by_hand() {
        let sizes = |rows: usize, train, overlap| {
            let it = SubSampled::draw(&vec![0; rows], train, overlap, 2, 1).unwrap();
            (it.repeats[0][0].len(), it.folds, it.repeats[0].len(), it.left_over.len())
        };
        // Without an overlap all rows are one segment.
        assert_eq!(sizes(101, None, None), (101, 2, 1, 0));
        assert_eq!(sizes(100, Some(90), None), (100, 10, 1, 0));
        // 30/0.4 + 1 = 76; 76/46 is above 1. 30/0.7 + 1 = 43.9; 44/14 is above 3.
        assert_eq!(sizes(100, Some(30), Some(0.4)), (76, 2, 1, 24));
        assert_eq!(sizes(100, Some(30), Some(0.7)), (44, 4, 2, 12));
        // The quotient is 70 but for rounding, the least overlap is as good as none, and the greatest leaves two rows out.
        assert_eq!(sizes(300, Some(49), Some(0.7)), (71, 4, 4, 16));
        for rows in 4..200 {
            let least = (rows / 2) as f64 / (rows - 1) as f64;
            assert_eq!(sizes(rows, None, Some(least)), sizes(rows, None, None));
        }
        assert_eq!(sizes(100, Some(30), Some(1.0 - f64::EPSILON)), (32, 16, 3, 4));
    }

    #[test]
    fn impossible_sizes_are_refused() {
        let draw = |train, overlap| SubSampled::draw(&[0; 10], train, overlap, 1, 1).unwrap_err().to_string();
        let size = "training sets of 9 rows: of 10 labelled rows they may take 1 to two less than all";
        assert_eq!(draw(Some(9), None), size);
        assert!(draw(Some(0), None).starts_with("training sets of 0 rows"));
        assert!(SubSampled::draw(&[0; 2], None, None, 1, 1).is_err());
        for bad in [0.5, 1.0, f64::NAN, -1.0] {
            assert!(draw(Some(6), Some(bad)).starts_with("an overlap of "), "{bad}");
        }
        assert!(matches!(SubSampled::draw(&[0; 10], None, None, 0, 1), Err(Error::NoRepeats)));
    }
}
