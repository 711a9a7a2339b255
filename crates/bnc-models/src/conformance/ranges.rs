//! Ranges of rows against the rows one by one.

use std::ops::Range;
use std::sync::Arc;

use bnc_data::{Code, Dataset, MISSING, Schema};

use super::{probes, schema};
use crate::Classifier;

/// One posterior a row, as bits, or why a row is refused.
type Found = Result<Vec<Vec<u64>>, String>;

fn one_by_one(model: &dyn Classifier, data: &Dataset, rows: Range<usize>) -> Found {
    let (mut row, mut out) = (vec![0; data.features().len()], vec![f64::NAN; model.schema().classes()]);
    rows.map(|index| {
        data.row_into(index, &mut row);
        model.posterior_into(&row, &mut out).map_err(|error| error.to_string())?;
        Ok(bits(&out))
    })
    .collect()
}

fn bits(posterior: &[f64]) -> Vec<u64> {
    posterior.iter().map(|p| p.to_bits()).collect()
}

fn check_same(found: Found, expected: Found, name: &str) {
    match (found, expected) {
        (Ok(found), Ok(expected)) => {
            assert_eq!(found.len(), expected.len(), "{name}: one posterior a row");
            for (row, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert_eq!(found, expected, "{name}: row {row} among others and alone");
            }
        }
        (found, expected) => assert_eq!(found, expected, "{name}: errors of rows among others and alone"),
    }
}

/// Ranges of rows, and all rows at once, against the rows one by one.
///
/// # Panics
/// When a bit or an error differs.
pub fn check_batches(model: &dyn Classifier, data: &Dataset, name: &str) {
    let (rows, classes) = (data.rows(), model.schema().classes());
    let half = rows / 2;
    for range in [0..rows, rows / 3..rows, half..half, half..rows.min(half + 1), rows.min(1)..rows * 4 / 5] {
        let mut out = vec![f64::NAN; range.len() * classes];
        let found = match model.posteriors_into(data, range.clone(), &mut out) {
            Ok(()) => Ok(out.chunks_exact(classes).map(bits).collect()),
            Err(error) => Err(error.to_string()),
        };
        check_same(found, one_by_one(model, data, range.clone()), &format!("{name}: rows {range:?}"));
    }
    let found = match model.posteriors(data) {
        Ok(all) => Ok(all.rows().into_iter().map(|row| row.iter().map(|p| p.to_bits()).collect()).collect()),
        Err(error) => Err(error.to_string()),
    };
    check_same(found, one_by_one(model, data, 0..rows), &format!("{name}: all rows"));
}

/// Ranges of the data's rows and of the probes, then of rows that do not fit the schema.
pub(super) fn check_ranges(model: &dyn Classifier, data: &Dataset, name: &str) {
    check_batches(model, data, name);
    let probes = probes(data);
    let features = data.features().len();
    let columns: Vec<Vec<Code>> =
        (0..features).map(|feature| probes.iter().map(|row| row[feature]).collect()).collect();
    let of = |schema: &Arc<Schema>, columns| {
        let class = vec![MISSING; probes.len()];
        Dataset::new(Arc::clone(schema), class, columns, None).expect("a data set")
    };
    check_batches(model, &of(data.schema(), columns.clone()), name);
    let dims = |more: usize| (0..features).map(move |feature| data.schema().cardinality(feature) + more);
    if features > 0 {
        // The later row is wrong in the earlier column.
        let mut wrong = columns.clone();
        wrong[0][probes.len() - 1] = data.schema().cardinality(0) as Code;
        wrong[features - 1][probes.len() / 2] = data.schema().cardinality(features - 1) as Code;
        let larger = schema(&dims(1).collect::<Vec<_>>(), data.schema().classes());
        check_batches(model, &of(&larger, wrong), name);
    }
    for width in [features + 1, features.saturating_sub(1), 0].into_iter().filter(|&width| width != features)
    {
        let wrong: Vec<Vec<Code>> =
            columns.iter().cloned().chain([vec![0; probes.len()]]).take(width).collect();
        let dims: Vec<usize> = dims(0).chain([2]).take(width).collect();
        check_batches(model, &of(&schema(&dims, data.schema().classes()), wrong), name);
    }
}
