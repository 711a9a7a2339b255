//! The data sets of an experiment: where they are, and the rows and columns of them that are used.

use std::path::{Path, PathBuf};

use bnc_data::{Column, Discretization, Frame, MISSING, Progress, ReadOptions, Values};

use super::protocol::{Numbers, Protocol, Set};
use crate::data::{Data, load};
use crate::error::{Error, Result};

/// A data set that is there.
pub(super) struct Found {
    pub(super) set: &'static Set,
    pub(super) path: PathBuf,
}

/// The sets of a protocol in a folder, or in its parts `uci36` and `extra`; and those that are not there.
pub(super) fn find(
    protocol: &'static Protocol,
    folder: &Path,
    only: &[String],
) -> Result<(Vec<Found>, Vec<&'static Set>)> {
    if let Some(unknown) = only.iter().find(|name| !protocol.sets.iter().any(|set| set.name == **name)) {
        let names: Vec<&str> = protocol.sets.iter().map(|set| set.name).collect();
        let names = names.join(", ");
        return Err(Error::Usage(format!(
            "--only {unknown}: not a set of {}; it has: {names}",
            protocol.name
        )));
    }
    let wanted =
        protocol.sets.iter().filter(|set| only.is_empty() || only.iter().any(|name| name == set.name));
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for set in wanted {
        let path = ["", "uci36", "extra"].map(|part| folder.join(part).join(format!("{}.arff", set.name)));
        match path.into_iter().find(|path| path.is_file()) {
            Some(path) => found.push(Found { set, path }),
            None => missing.push(set),
        }
    }
    if found.is_empty() {
        return Err(Error::failed(format!(
            "{}: none of the data sets of {} is there, as NAME.arff, uci36/NAME.arff or extra/NAME.arff; \
             cargo xtask fetch uci36 extra brings them to data-cache (docs/datasets.md)",
            folder.display(),
            protocol.name
        )));
    }
    Ok((found, missing))
}

impl Found {
    /// Reads the rows and columns that the protocol uses.
    pub(super) fn read(&self, protocol: &Protocol, progress: &dyn Progress) -> Result<Frame> {
        let options =
            ReadOptions { infer_numbers: self.set.numbers != Numbers::Labels, ..ReadOptions::default() };
        let (mut frame, _) = load(&Data::File(self.path.clone()), &options, progress)?;
        // A prepared file may lack the columns already.
        let is_kept = |column: &Column| !self.set.drop.contains(&column.name.as_str());
        frame.class = frame.class.map(|class| frame.columns[..class].iter().filter(|it| is_kept(it)).count());
        frame.columns.retain(is_kept);
        Ok(if protocol.complete_rows { complete(&frame) } else { frame })
    }
}

/// Whether the numbers of a set, which the protocol would cut in its own way, are intervals already.
pub(super) fn is_cut_already(protocol: &Protocol, set: &Set, frame: &Frame) -> bool {
    let has_numbers = frame.columns.iter().any(|column| matches!(column.values, Values::Numeric(_)));
    protocol.preparation.discretize.0 != Some(Discretization::Mdl)
        && set.numbers == Numbers::Cut
        && !has_numbers
}

/// The rows without a missing cell. A label that none of them has is no label any more, as in a file of these rows.
fn complete(frame: &Frame) -> Frame {
    let is_complete = |&row: &usize| frame.columns.iter().all(|column| !column.values.is_missing(row));
    let rows: Vec<usize> = (0..frame.rows()).filter(is_complete).collect();
    let mut frame = frame.select(&rows);
    for column in &mut frame.columns {
        if let Values::Nominal { labels, codes } = &mut column.values {
            let mut kept = Vec::new();
            let new: Vec<u16> = (0..labels.len())
                .map(|code| {
                    let used = codes.iter().any(|&it| usize::from(it) == code);
                    if used {
                        kept.push(labels[code].clone());
                        (kept.len() - 1) as u16
                    } else {
                        MISSING
                    }
                })
                .collect();
            for code in codes {
                *code = new[usize::from(*code)];
            }
            *labels = kept.into();
        }
    }
    frame
}
