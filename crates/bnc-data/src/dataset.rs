//! Coded rows, in memory or streamed.

use std::sync::Arc;

use crate::{Code, Error, Result, Schema, Variable};

/// Coded rows, column by column.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    schema: Arc<Schema>,
    class: Vec<Code>,
    features: Vec<Vec<Code>>,
    weights: Option<Vec<u32>>,
    /// Whether the class, and each feature, has missing codes.
    class_missing: bool,
    missing: Vec<bool>,
}

/// One more than the largest code, missing ones being none, and whether there are missing ones. Without a branch, many
/// codes are compared at once.
fn extent(column: &[Code]) -> (Code, bool) {
    let (codes, least) = column.iter().fold((0, Code::MAX), |(codes, least): (Code, Code), &code| {
        let number = code.wrapping_add(1);
        (codes.max(number), least.min(number))
    });
    (codes, least == 0)
}

fn has_missing(column: &[Code]) -> bool {
    extent(column).1
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
        let check = |column: &[Code], variable: &Variable| {
            if column.len() != rows {
                return Err(Error::Shape(format!(
                    "column '{}' has {} rows, expected {rows}",
                    variable.name(),
                    column.len()
                )));
            }
            let (codes, missing) = extent(column);
            if usize::from(codes) > variable.cardinality() {
                return Err(Error::Shape(format!(
                    "column '{}' has a code outside its domain",
                    variable.name()
                )));
            }
            Ok(missing)
        };
        let columns = features.iter().zip(schema.features());
        let missing = columns.map(|(column, variable)| check(column, variable)).collect::<Result<_>>()?;
        let class_missing = check(&class, schema.class())?;
        Ok(Self { schema, class, features, weights, class_missing, missing })
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

    /// Whether rows without a class are among them.
    #[must_use]
    pub fn class_has_missing(&self) -> bool {
        self.class_missing
    }

    /// Whether each feature has missing codes.
    #[must_use]
    pub fn features_have_missing(&self) -> &[bool] {
        &self.missing
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
        let pick = |column: &Vec<Code>| -> Vec<Code> { rows.iter().map(|&row| column[row]).collect() };
        let class = pick(&self.class);
        let features: Vec<Vec<Code>> = self.features.iter().map(pick).collect();
        Self {
            schema: Arc::clone(&self.schema),
            class_missing: self.class_missing && has_missing(&class),
            missing: features
                .iter()
                .zip(&self.missing)
                .map(|(column, &any)| any && has_missing(column))
                .collect(),
            class,
            features,
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
            class_missing: false,
            missing: vec![false; schema.features().len()],
        };
        for chunk in chunks {
            if chunk.schema != whole.schema {
                return Err(Error::Shape("chunks of different schemas".into()));
            }
            if let Some(weights) = &mut whole.weights {
                weights.extend(chunk.weights.unwrap_or_else(|| vec![1; chunk.class.len()]));
            }
            whole.class.extend(chunk.class);
            whole.class_missing |= chunk.class_missing;
            whole.missing.iter_mut().zip(chunk.missing).for_each(|(any, more)| *any |= more);
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

    /// All rows, where they are in memory: a scan of them costs no reading.
    fn in_memory(&self) -> Option<&Dataset> {
        None
    }
}

impl Source for Dataset {
    fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    fn in_memory(&self) -> Option<&Dataset> {
        Some(self)
    }

    fn scan(&self, visit: &mut dyn FnMut(&Dataset) -> Result<()>) -> Result<()> {
        visit(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Domain, MISSING};

    #[test]
    fn missing_codes_are_known_of_every_part() {
        let labels = || Domain::Labels(vec!["a".into(), "b".into()]);
        let variable = |name: &str| Variable::new(name, labels()).unwrap();
        let schema = Arc::new(Schema::new(variable("y"), vec![variable("x"), variable("z")]).unwrap());
        let columns = vec![vec![0, MISSING, 1], vec![1, 1, 0]];
        let data = Dataset::new(Arc::clone(&schema), vec![MISSING, 1, 0], columns, None).unwrap();
        let known = |data: &Dataset| (data.class_has_missing(), data.features_have_missing().to_vec());
        assert_eq!(known(&data), (true, vec![true, false]));
        let (first, rest) = (data.select(&[0]), data.select(&[1, 2]));
        assert_eq!(known(&first), (true, vec![false, false]));
        assert_eq!(known(&rest), (false, vec![true, false]));
        assert_eq!(Dataset::concatenate(&schema, vec![first, rest]).unwrap(), data);
    }
}
