//! What parallel tasks share: progress, cancelling, the journal and the first failure.

use std::sync::{Mutex, PoisonError};

use bnc_data::{Error as DataError, Progress};

use crate::{Error, Finished, Journal, Result};

/// Watches over tasks that run at the same time: progress, cancelling, the journal, and the first failure.
pub(crate) struct Monitor<'a, 'j> {
    progress: &'a dyn Progress,
    total: u64,
    log: Mutex<Log<'a, 'j>>,
    /// The lowest task that failed so far.
    failure: Mutex<Option<(usize, Error)>>,
}

struct Log<'a, 'j> {
    done: u64,
    journal: &'a mut Journal<'j>,
}

impl<'a, 'j> Monitor<'a, 'j> {
    pub(crate) fn new(
        progress: &'a dyn Progress,
        journal: &'a mut Journal<'j>,
        done: u64,
        total: u64,
    ) -> Self {
        progress.advance(done, Some(total));
        Self { progress, total, log: Mutex::new(Log { done, journal }), failure: Mutex::new(None) }
    }

    /// Does a task unless an earlier one failed, and keeps its error if it is the earliest. Later tasks are given up, but
    /// earlier ones still run, so that the error reported is the same on any number of threads.
    pub(crate) fn guard<T>(&self, task: usize, work: impl FnOnce() -> Result<T>) -> Option<T> {
        let failure = || self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        let is_late =
            |failure: &Option<(usize, Error)>| failure.as_ref().is_some_and(|(first, _)| *first <= task);
        if is_late(&failure()) {
            return None;
        }
        let outcome = if self.progress.is_cancelled() { Err(DataError::Cancelled.into()) } else { work() };
        outcome
            .map_err(|error| if self.progress.is_cancelled() { DataError::Cancelled.into() } else { error })
            .map_err(|error| {
                let mut failure = failure();
                if !is_late(&failure) {
                    *failure = Some((task, error));
                }
            })
            .ok()
    }

    /// What a learner is watched by: it may be cancelled, but parts, not their learners' steps, are counted.
    pub(crate) fn watch(&self) -> impl Progress {
        Unreported(self.progress)
    }

    /// Notes a finished part.
    pub(crate) fn finish(&self, finished: &Finished) -> Result<()> {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        (log.journal)(finished)?;
        log.done += 1;
        self.progress.advance(log.done, Some(self.total));
        Ok(())
    }

    pub(crate) fn into_result(self) -> Result<()> {
        match self.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }
}

/// Hands on that work is to end, and nothing of how far it is.
struct Unreported<'a>(&'a dyn Progress);

impl Progress for Unreported<'_> {
    fn advance(&self, _done: u64, _total: Option<u64>) {}

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

#[cfg(test)]
mod tests {
    use bnc_data::Silent;

    use super::*;

    #[test]
    fn the_earliest_failure_wins_and_later_tasks_are_given_up() {
        let mut journal = |_: &Finished| Ok(());
        let monitor = Monitor::new(&Silent, &mut journal, 0, 9);
        let fail = |task| monitor.guard(task, || Err::<(), _>(Error::Shape(format!("task {task}"))));
        assert_eq!(monitor.guard(8, || Ok(8)), Some(8));
        fail(5);
        fail(3);
        fail(4);
        assert_eq!(monitor.guard(6, || Ok(6)), None);
        assert_eq!(monitor.guard(2, || Ok(2)), Some(2));
        assert_eq!(monitor.into_result().unwrap_err().to_string(), "task 3");
    }
}
