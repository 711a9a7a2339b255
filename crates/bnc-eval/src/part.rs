//! The coded rows of one part of an evaluation.

use std::sync::Arc;

use bnc_data::{Dataset, Encoded, Encoder, Frame, MISSING, Preparation, Unseen};
use bnc_models::bnc_stats::{CachedCounter, Complement, Counter};

use crate::Result;

/// What a learner learns from and is tested on.
pub(crate) struct PartData<'a> {
    /// The training rows; tables that several learners ask for are counted once.
    pub(crate) train: Box<dyn Counter + Send + 'a>,
    /// Labelled rows only.
    pub(crate) test: Arc<Dataset>,
    /// The labelled rows of `train`.
    pub(crate) train_rows: usize,
    /// The feature cells of `test` whose value no labelled row of `train` has.
    pub(crate) unseen_cells: u64,
}

impl PartData<'_> {
    /// Parts that are coded already.
    pub(crate) fn new(train: Dataset, test: &Dataset) -> Self {
        let test = test.select(&labelled(test));
        let train_rows = labelled(&train).len();
        let unseen_cells = unseen_cells(&occurrences(&train), &test);
        let train = Box::new(CachedCounter::new(train, train_rows));
        Self { train, test: Arc::new(test), train_rows, unseen_cells }
    }

    /// Codes both parts by what an encoder learns from the first alone; also says what it could not code.
    pub(crate) fn encode(
        train: &Frame,
        test: &Frame,
        preparation: Preparation,
    ) -> Result<(Self, Vec<Unseen>)> {
        let encoder = Encoder::fit(train, preparation)?;
        let train = encoder.encode(train)?.data;
        let Encoded { data, unseen } = encoder.encode(test)?;
        let mut part = Self::new(train, &data);
        let class = encoder.schema().class().name();
        let unknown = unseen.iter().filter(|unseen| unseen.column != class).map(|unseen| unseen.cells);
        part.unseen_cells += unknown.sum::<u64>();
        Ok((part, unseen))
    }
}

/// The coded rows of a whole evaluation, for parts whose coding does not depend on their training rows.
pub(crate) struct Whole {
    counter: CachedCounter<Dataset>,
    labelled: Vec<usize>,
    occurrences: Vec<Vec<u64>>,
}

impl Whole {
    pub(crate) fn new(data: Dataset) -> Self {
        let (labelled, occurrences) = (labelled(&data), occurrences(&data));
        Self { counter: CachedCounter::new(data, labelled.len()), labelled, occurrences }
    }

    /// A part of the rows. Where it trains on all labelled rows but those tested, and there are enough of them for that to be less work,
    /// its counts are those of the whole without those of the test rows.
    pub(crate) fn part(&self, train: Vec<usize>, test: &[usize]) -> PartData<'_> {
        let data = self.counter.counter();
        let tested = data.select(test);
        if 2 * test.len() > train.len() || !is_partition(&self.labelled, &train, test) {
            return PartData::new(data.select(&train), &tested);
        }
        let mut seen = self.occurrences.clone();
        for (whole, part) in seen.iter_mut().flatten().zip(occurrences(&tested).iter().flatten()) {
            *whole -= part;
        }
        let (train_rows, unseen_cells) = (train.len(), unseen_cells(&seen, &tested));
        let test = Arc::new(tested);
        let complement = Complement::new(&self.counter, Arc::clone(&test), train);
        PartData {
            train: Box::new(CachedCounter::new(complement, train_rows)),
            test,
            train_rows,
            unseen_cells,
        }
    }
}

/// Whether each row is among either `some` or `others`, and nothing else is; all ascending.
fn is_partition(rows: &[usize], some: &[usize], others: &[usize]) -> bool {
    let (mut some, mut others) = (some.iter().peekable(), others.iter().peekable());
    rows.iter().all(|row| some.next_if_eq(&row).or_else(|| others.next_if_eq(&row)).is_some())
        && some.next().is_none()
        && others.next().is_none()
}

fn labelled(data: &Dataset) -> Vec<usize> {
    (0..data.rows()).filter(|&row| data.class()[row] != MISSING).collect()
}

/// In how many labelled rows each feature has each of its values, whatever their case weights.
fn occurrences(data: &Dataset) -> Vec<Vec<u64>> {
    let features = data.schema().features().iter().zip(data.features());
    let of_feature = features.map(|(variable, column)| {
        let mut counts = vec![0; variable.cardinality()];
        for (&code, &class) in column.iter().zip(data.class()) {
            if code != MISSING && class != MISSING {
                counts[usize::from(code)] += 1;
            }
        }
        counts
    });
    of_feature.collect()
}

/// The known feature cells of `test` whose value does not occur in training.
fn unseen_cells(occurrences: &[Vec<u64>], test: &Dataset) -> u64 {
    let features = occurrences.iter().zip(test.features());
    let cells = features.map(|(occurrences, column)| {
        let is_new = |&&code: &&u16| code != MISSING && occurrences[usize::from(code)] == 0;
        column.iter().filter(is_new).count() as u64
    });
    cells.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_divides_all_rows_is_a_partition() {
        let rows = [1, 2, 4, 7];
        assert!(is_partition(&rows, &[1, 7], &[2, 4]));
        assert!(is_partition(&rows, &rows, &[]));
        assert!(is_partition(&[], &[], &[]));
        for (some, others) in [
            (&[1, 7][..], &[2][..]),
            (&[1, 7], &[2, 4, 7]),
            (&[1, 1, 7], &[2, 4]),
            (&[1, 7], &[2, 3, 4]),
            (&[7, 1], &[2, 4]),
            (&[1, 7, 8], &[2, 4]),
        ] {
            assert!(!is_partition(&rows, some, others), "{some:?} {others:?}");
        }
    }
}
