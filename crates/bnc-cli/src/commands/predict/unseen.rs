//! Values that the model does not know.

use bnc_data::{Frame, Place, Schema, Unseen};
use serde::Serialize;

use crate::error::{Error, Result};
use crate::labels::labels;
use crate::terminal;
use crate::text::{counted, few};

/// So wide a list of labels may be before the rest is only counted.
const LISTED: usize = 200;

/// The unknown values of all chunks, by column.
#[derive(Default)]
pub(super) struct UnseenTally(Vec<Entry>);

#[derive(Serialize)]
struct Entry {
    column: String,
    cells: u64,
    first: String,
    #[serde(skip)]
    place: Place,
}

impl UnseenTally {
    pub(super) fn add(&mut self, unseen: &[Unseen], frame: &Frame) {
        for more in unseen {
            if let Some(entry) = self.0.iter_mut().find(|entry| entry.column == more.column) {
                entry.cells += more.cells;
            } else {
                self.0.push(Entry {
                    column: more.column.clone(),
                    cells: more.cells,
                    first: more.first.clone(),
                    place: frame.place(more.row),
                });
            }
        }
    }

    pub(super) fn entries(&self) -> &impl Serialize {
        &self.0
    }

    /// One warning about all of them.
    pub(super) fn warn(&self, class: &str) {
        let (of_class, of_features): (Vec<_>, Vec<_>) =
            self.0.iter().partition(|entry| entry.column == class);
        let describe = |entry: &&Entry| {
            let Entry { column, cells, first, place } = entry;
            format!("{} of '{column}' (first '{first}' in {place})", counted(*cells, "cell"))
        };
        let describe = |entries: &[&Entry]| entries.iter().map(describe).collect::<Vec<_>>().join(", ");
        let mut parts = Vec::new();
        if !of_features.is_empty() {
            parts.push(format!(
                "taken as missing, because the model does not know the value: {}",
                describe(&of_features)
            ));
        }
        if !of_class.is_empty() {
            parts.push(format!(
                "left out of the metrics, because the model does not know the class: {}",
                describe(&of_class)
            ));
        }
        if !parts.is_empty() {
            terminal::warning(parts.join("; "));
        }
    }
}

/// Refuses unknown values: the one in the earliest row is named.
pub(super) fn refuse(unseen: &[Unseen], frame: &Frame, before: u64, schema: &Schema) -> Result<()> {
    let Some(first) = unseen.iter().min_by_key(|unseen| unseen.row) else {
        return Ok(());
    };
    let variables = schema.features().iter().chain([schema.class()]);
    let known: Vec<String> =
        variables.filter(|variable| variable.name() == first.column).flat_map(labels).collect();
    Err(Error::failed(format!(
        "{}: value '{}' of row {} is not among those that the model knows: {}; without --strict it counts as missing",
        frame.place(first.row).in_column(&*first.column),
        first.first,
        before + first.row as u64 + 1,
        few(&known, LISTED)
    )))
}
