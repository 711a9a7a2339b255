//! The one question that every learner asks of the data.

use std::borrow::Cow;
use std::sync::Arc;

use bnc_data::{Dataset, MISSING, Schema, Source};

use crate::kernel::Accumulator;
use crate::{Result, Table, Vars};

/// Answers with contingency tables; who answers may hold rows in memory, stream them, or hold counts only.
///
/// A table leaves out the rows whose class is missing and the rows in which one of its own features is missing
/// (available-case counting), and counts each row by its case weight.
pub trait Counter: Sync {
    /// The schema of the rows.
    fn schema(&self) -> &Arc<Schema>;

    /// The tables asked for, in the order asked; one pass over the rows answers the whole batch.
    ///
    /// # Errors
    /// [`Error::Unanswered`](crate::Error::Unanswered) names the tables that stored counts lack;
    /// [`Error::NoSuchFeature`](crate::Error::NoSuchFeature),
    /// [`Error::TooManyConfigurations`](crate::Error::TooManyConfigurations), and those of reading.
    fn count(&self, asked: &[Vars]) -> Result<Vec<Table>>;

    /// The labelled rows themselves, for learners that need them.
    ///
    /// # Errors
    /// [`Error::NoRows`](crate::Error::NoRows) from stored counts, and those of reading.
    fn rows(&self) -> Result<Cow<'_, Dataset>>;

    /// All rows, the unlabelled ones among them, where they are in memory: counting again costs no reading.
    fn in_memory(&self) -> Option<&Dataset> {
        None
    }
}

impl<S: Source + ?Sized> Counter for S {
    fn schema(&self) -> &Arc<Schema> {
        Source::schema(self)
    }

    fn count(&self, asked: &[Vars]) -> Result<Vec<Table>> {
        let mut accumulator = Accumulator::new(Source::schema(self), asked)?;
        self.scan(&mut |chunk| {
            accumulator.add(chunk);
            Ok(())
        })?;
        Ok(accumulator.finish())
    }

    fn in_memory(&self) -> Option<&Dataset> {
        Source::in_memory(self)
    }

    fn rows(&self) -> Result<Cow<'_, Dataset>> {
        if let Some(data) = Source::in_memory(self).filter(|data| !data.class_has_missing()) {
            return Ok(Cow::Borrowed(data));
        }
        let mut chunks: Vec<Dataset> = Vec::new();
        self.scan(&mut |chunk| {
            let labelled: Vec<usize> =
                (0..chunk.rows()).filter(|&row| chunk.class()[row] != MISSING).collect();
            chunks.push(chunk.select(&labelled));
            Ok(())
        })?;
        Ok(Cow::Owned(Dataset::concatenate(Source::schema(self), chunks)?))
    }
}
