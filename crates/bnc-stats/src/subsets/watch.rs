//! Progress, and the wish to stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::{Error, Result};

/// Tells the caller how much is done, and remembers when the answer was to stop.
pub(super) struct Watch<'a> {
    tell: &'a (dyn Fn(u64, u64) -> bool + Sync),
    done: AtomicU64,
    total: u64,
    stopped: AtomicBool,
}

impl<'a> Watch<'a> {
    pub(super) fn new(tell: &'a (dyn Fn(u64, u64) -> bool + Sync), total: u64) -> Self {
        Self { tell, done: AtomicU64::new(0), total, stopped: AtomicBool::new(false) }
    }

    /// More is done.
    pub(super) fn advance(&self, more: usize) {
        let done = self.done.fetch_add(more as u64, Ordering::Relaxed) + more as u64;
        if !(self.tell)(done, self.total) {
            self.stopped.store(true, Ordering::Relaxed);
        }
    }

    /// Whether to stop.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// An error when the work was stopped.
    pub(super) fn finish(&self) -> Result<()> {
        if self.is_stopped() { Err(Error::Data(bnc_data::Error::Cancelled)) } else { Ok(()) }
    }
}
