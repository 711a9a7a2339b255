//! Coded rows, in memory or streamed.

use std::sync::Arc;

use crate::{Code, Error, Result, Schema};

/// Coded rows, column by column.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    schema: Arc<Schema>,
    class: Vec<Code>,
    features: Vec<Vec<Code>>,
    weights: Option<Vec<u32>>,
}

impl Dataset {
    /// Coded rows under a schema: `class` holds one code a row, `features` one column a feature.
    /// [`MISSING`](crate::MISSING) is allowed everywhere; a row whose class is missing is unlabelled.
    ///
    /// # Errors
    /// [`Error::Shape`] for columns of unequal length or in the wrong number, and for codes outside
    /// their domains.
    pub fn new(
        schema: Arc<Schema>,
        class: Vec<Code>,
        features: Vec<Vec<Code>>,
        weights: Option<Vec<u32>>,
    ) -> Result<Self> {
        let rows = class.len();
        if features.len() != schema.features().len() {
            return Err(Error::Shape(format!(
                "{} feature columns, the schema has {}",
                features.len(),
                schema.features().len()
            )));
        }
        if weights.as_ref().is_some_and(|weights| weights.len() != rows) {
            return Err(Error::Shape(format!("the weights do not match the {rows} rows")));
        }
        let columns = features.iter().zip(schema.features()).chain([(&class, schema.class())]);
        for (column, variable) in columns {
            if column.len() != rows {
                return Err(Error::Shape(format!(
                    "column '{}' has {} rows, expected {rows}",
                    variable.name(),
                    column.len()
                )));
            }
            // One more than the largest code, missing ones being none; without a branch, many are compared at once.
            let codes = column.iter().fold(0, |codes: Code, &code| codes.max(code.wrapping_add(1)));
            if usize::from(codes) > variable.cardinality() {
                return Err(Error::Shape(format!(
                    "column '{}' has a code outside its domain",
                    variable.name()
                )));
            }
        }
        Ok(Self { schema, class, features, weights })
    }

    /// The schema.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.class.len()
    }

    /// The class column.
    #[must_use]
    pub fn class(&self) -> &[Code] {
        &self.class
    }

    /// The feature columns.
    #[must_use]
    pub fn features(&self) -> &[Vec<Code>] {
        &self.features
    }

    /// The case weights; `None` means 1 each.
    #[must_use]
    pub fn weights(&self) -> Option<&[u32]> {
        self.weights.as_deref()
    }

    /// Writes the feature codes of a row into `out`.
    ///
    /// # Panics
    /// When the row does not exist or `out` has not one place a feature.
    pub fn row_into(&self, row: usize, out: &mut [Code]) {
        assert_eq!(out.len(), self.features.len(), "one place a feature");
        for (place, column) in out.iter_mut().zip(&self.features) {
            *place = column[row];
        }
    }

    /// The rows with the given indices, in that order.
    ///
    /// # Panics
    /// When an index is out of range.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        let pick = |column: &Vec<Code>| rows.iter().map(|&row| column[row]).collect();
        Self {
            schema: Arc::clone(&self.schema),
            class: pick(&self.class),
            features: self.features.iter().map(pick).collect(),
            weights: self.weights.as_ref().map(|weights| rows.iter().map(|&row| weights[row]).collect()),
        }
    }

    /// Chunks of one schema, one after the other. Weights are kept as soon as one chunk has them.
    ///
    /// # Errors
    /// [`Error::Shape`] when a chunk has another schema.
    pub fn concatenate(schema: &Arc<Schema>, chunks: Vec<Self>) -> Result<Self> {
        let mut whole = Self {
            schema: Arc::clone(schema),
            class: Vec::new(),
            features: vec![Vec::new(); schema.features().len()],
            weights: chunks.iter().any(|chunk| chunk.weights.is_some()).then(Vec::new),
        };
        for chunk in chunks {
            if chunk.schema != whole.schema {
                return Err(Error::Shape("chunks of different schemas".into()));
            }
            if let Some(weights) = &mut whole.weights {
                weights.extend(chunk.weights.unwrap_or_else(|| vec![1; chunk.class.len()]));
            }
            whole.class.extend(chunk.class);
            for (column, more) in whole.features.iter_mut().zip(chunk.features) {
                column.extend(more);
            }
        }
        Ok(whole)
    }
}

/// Coded rows that can be read again and again, chunk by chunk: a [`Dataset`], or a file that is streamed.
pub trait Source: Sync {
    /// The schema of every chunk.
    fn schema(&self) -> &Arc<Schema>;

    /// Shows all rows, in order, in chunks.
    ///
    /// # Errors
    /// Those of reading, and those of `visit`, which end the scan.
    fn scan(&self, visit: &mut dyn FnMut(&Dataset) -> Result<()>) -> Result<()>;
}

impl Source for Dataset {
    fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    fn scan(&self, visit: &mut dyn FnMut(&Dataset) -> Result<()>) -> Result<()> {
        visit(self)
    }
}
