//! How far the work is, and whether it is to go on.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::{Error, Result};

pub(super) struct Progress<'a> {
    watch: &'a (dyn Fn(u64, u64) -> bool + Sync),
    done: AtomicU64,
    total: u64,
    stopped: AtomicBool,
}

impl<'a> Progress<'a> {
    pub(super) fn new(watch: &'a (dyn Fn(u64, u64) -> bool + Sync), total: u64) -> Self {
        Self { watch, done: AtomicU64::new(0), total, stopped: AtomicBool::new(false) }
    }

    /// Starts a piece of work of `units`; whether it is still wanted.
    pub(super) fn advance(&self, units: u64) -> Result<()> {
        self.check()?;
        let done = self.done.fetch_add(units, Ordering::Relaxed) + units;
        if !(self.watch)(done.min(self.total), self.total) {
            self.stopped.store(true, Ordering::Relaxed);
        }
        self.check()
    }

    fn check(&self) -> Result<()> {
        if self.stopped.load(Ordering::Relaxed) { Err(Error::Cancelled) } else { Ok(()) }
    }
}
