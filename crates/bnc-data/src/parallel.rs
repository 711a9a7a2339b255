//! Work on many threads whose results do not depend on them. No pool is built: whoever calls has chosen one.

use rayon::prelude::*;

/// Below so many cells no thread is woken.
const FEW_CELLS: usize = 1 << 16;

/// Maps items that are about `cells` cells together, on all threads where they are many.
pub(crate) fn map<T: Send, R: Send>(
    cells: usize,
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync + Send,
) -> Vec<R> {
    if cells < FEW_CELLS {
        items.into_iter().map(work).collect()
    } else {
        items.into_par_iter().map(work).collect()
    }
}
