//! The coded rows of one part of an evaluation.

use bnc_data::{Dataset, Encoded, Encoder, Frame, MISSING, Preparation, Unseen};

use crate::Result;

/// What a learner learns from and is tested on.
#[derive(Clone)]
pub(crate) struct PartData {
    pub(crate) train: Dataset,
    /// Labelled rows only.
    pub(crate) test: Dataset,
    /// The labelled rows of `train`.
    pub(crate) train_rows: usize,
    /// The feature cells of `test` whose value no labelled row of `train` has.
    pub(crate) unseen_cells: u64,
}

impl PartData {
    /// Parts that are coded already.
    pub(crate) fn new(train: Dataset, test: &Dataset) -> Self {
        let test = test.select(&labelled(test));
        let train_rows = labelled(&train).len();
        let unseen_cells = unseen_cells(&train, &test);
        Self { train, test, train_rows, unseen_cells }
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

fn labelled(data: &Dataset) -> Vec<usize> {
    (0..data.rows()).filter(|&row| data.class()[row] != MISSING).collect()
}

/// The known feature cells of `test` whose code no labelled row of `train` has.
fn unseen_cells(train: &Dataset, test: &Dataset) -> u64 {
    let mut cells = 0;
    for (feature, variable) in train.schema().features().iter().enumerate() {
        let mut seen = vec![false; variable.cardinality()];
        for (&code, &class) in train.features()[feature].iter().zip(train.class()) {
            if code != MISSING && class != MISSING {
                seen[usize::from(code)] = true;
            }
        }
        let is_new = |&&code: &&u16| code != MISSING && !seen[usize::from(code)];
        cells += test.features()[feature].iter().filter(is_new).count() as u64;
    }
    cells
}
