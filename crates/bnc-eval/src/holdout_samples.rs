//! Training sets drawn from a small pool, one large test set.

use bnc_data::{Code, MISSING};

use crate::random::{generator, shuffle};
use crate::resampling::labelled_rows;
use crate::{Error, Resampling, Result};

/// The scheme by which Kohavi and Wolpert (*Bias plus variance decomposition for zero-one loss functions*, ICML 1996)
/// estimate bias and variance, as WEKA's `BVDecompose` has it: the labelled rows are shuffled, the first of them are the
/// pool, all others are tested each time; every training set is a half of the pool, drawn anew without replacement.
///
/// Each repeat is one training set, and a repeat has one part.
///
/// # Examples
/// ```
/// use bnc_eval::{HoldoutSamples, Resampling};
/// let classes = [0, 1].repeat(150);
/// let samples = HoldoutSamples::draw(&classes, HoldoutSamples::POOL, HoldoutSamples::TRAINING_SETS, 1)?;
/// assert_eq!((samples.repeats(), samples.parts()), (50, 1));
/// assert_eq!(samples.train_rows(49, 0).len(), 50);
/// assert_eq!(samples.test_rows(49, 0).len(), 200);
/// # Ok::<(), bnc_eval::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldoutSamples {
    labelled: Vec<bool>,
    training_sets: Vec<Vec<usize>>,
    test: Vec<usize>,
}

impl HoldoutSamples {
    /// The size of the pool that WEKA's program takes unless told otherwise.
    pub const POOL: usize = 100;
    /// The number of training sets that WEKA's program takes unless told otherwise.
    pub const TRAINING_SETS: usize = 50;

    /// Draws the pool and the training sets. `classes` holds one code a row, [`MISSING`] where unlabelled.
    ///
    /// # Errors
    /// [`Error::BadPool`] for a pool of fewer than 2 rows or of more than half the labelled rows, [`Error::NoRepeats`].
    pub fn draw(classes: &[Code], pool: usize, training_sets: usize, seed: u64) -> Result<Self> {
        let mut rows = labelled_rows(classes);
        if pool < 2 || pool > rows.len() / 2 {
            return Err(Error::BadPool { pool, rows: rows.len() });
        }
        if training_sets == 0 {
            return Err(Error::NoRepeats);
        }
        shuffle(&mut rows, &mut generator(seed, 0));
        let mut test = rows.split_off(pool);
        test.sort_unstable();
        let draw = |index: usize| {
            let mut set = rows.clone();
            shuffle(&mut set, &mut generator(seed, index as u64 + 1));
            set.truncate(pool / 2);
            set.sort_unstable();
            set
        };
        let labelled = classes.iter().map(|&class| class != MISSING).collect();
        Ok(Self { labelled, training_sets: (0..training_sets).map(draw).collect(), test })
    }
}

impl Resampling for HoldoutSamples {
    fn rows(&self) -> usize {
        self.labelled.len()
    }

    fn is_labelled(&self, row: usize) -> bool {
        self.labelled[row]
    }

    fn repeats(&self) -> usize {
        self.training_sets.len()
    }

    fn parts(&self) -> usize {
        1
    }

    fn train_rows(&self, repeat: usize, _: usize) -> Vec<usize> {
        self.training_sets[repeat].clone()
    }

    fn test_rows(&self, _: usize, _: usize) -> Vec<usize> {
        self.test.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_pools_are_refused() {
        let classes = [[0; 9].as_slice(), &[MISSING; 5]].concat();
        let draw = |pool, sets| HoldoutSamples::draw(&classes, pool, sets, 1);
        assert!(matches!(draw(1, 1), Err(Error::BadPool { pool: 1, rows: 9 })));
        assert!(matches!(draw(5, 1), Err(Error::BadPool { pool: 5, rows: 9 })));
        assert!(matches!(draw(4, 0), Err(Error::NoRepeats)));
        assert_eq!(draw(4, 1).unwrap().test_rows(0, 0).len(), 5);
        let message = HoldoutSamples::draw(&classes, HoldoutSamples::POOL, 1, 1).unwrap_err().to_string();
        assert_eq!(
            message,
            "a pool of 100 rows: there are 9 labelled rows, and the pool may be 2 to half of them; ask for a smaller \
             pool or take cross-validation"
        );
    }

    #[test]
    fn every_row_of_the_pool_is_as_likely_in_a_training_set() {
        let samples = HoldoutSamples::draw(&[0; 40], 10, 4000, 3).unwrap();
        let mut drawn = [0_u32; 40];
        for repeat in 0..4000 {
            samples.train_rows(repeat, 0).into_iter().for_each(|row| drawn[row] += 1);
        }
        assert_eq!(drawn.iter().filter(|&&times| times > 0).count(), 10);
        // Five standard deviations of a binomial count around its mean of 2000.
        assert!(drawn.iter().all(|&times| times == 0 || times.abs_diff(2000) < 158), "{drawn:?}");
    }
}
