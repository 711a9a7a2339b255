//! Progress and cancelling, handed in from outside: libraries never print.

/// Told how far a long piece of work has come, and asked whether to go on.
pub trait Progress: Sync {
    /// `done` units of work are finished; `total` is their number where it is known.
    fn advance(&self, done: u64, total: Option<u64>);

    /// Whether the work should stop with [`Error::Cancelled`](crate::Error::Cancelled) at the next safe point.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// No progress is shown and nothing is cancelled.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn advance(&self, _done: u64, _total: Option<u64>) {}
}
