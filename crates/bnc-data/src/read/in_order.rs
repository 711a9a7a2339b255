//! Work on many threads with results in order. No pool is built: whoever calls has chosen one.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Mutex, PoisonError};

use crate::Result;

/// How many items a thread may be ahead.
const AHEAD: usize = 3;

/// Works on the items that `next` gives and hands the results to `take`, in the order of the items.
///
/// `next` and `take` run on this thread, `work` on all threads, this one included. So items are made while others
/// are worked on, and no more than a few of them exist at a time. The first item is finished before the second one is
/// made: there may be but one, and more is known after it. What went wrong is told in the order of the items, too.
pub(crate) fn in_order<S, T: Send, R: Send>(
    state: &mut S,
    next: impl Fn(&mut S) -> Result<Option<T>>,
    work: impl Fn(T) -> R + Sync,
    take: impl Fn(&mut S, R) -> Result<()>,
) -> Result<()> {
    let Some(first) = next(state)? else { return Ok(()) };
    take(state, work(first))?;
    let Some(second) = next(state)? else { return Ok(()) };

    let threads = rayon::current_num_threads();
    let limit = if threads > 1 { AHEAD * threads } else { 1 };
    let waiting: Mutex<VecDeque<(T, Sender<R>)>> = Mutex::default();
    let queue = || waiting.lock().unwrap_or_else(PoisonError::into_inner);
    let work_on_one = || {
        let item = queue().pop_front();
        item.map(|(item, done)| done.send(work(item)))
    };
    rayon::in_place_scope(|scope| {
        let mut due: VecDeque<Receiver<R>> = VecDeque::new();
        let mut upcoming = Ok(Some(second));
        loop {
            if due.len() < limit
                && let Ok(Some(item)) = upcoming
            {
                let (done, result) = channel();
                queue().push_back((item, done));
                due.push_back(result);
                if threads > 1 {
                    scope.spawn(|_| {
                        work_on_one();
                    });
                }
                upcoming = next(state);
            }
            let Some(oldest) = due.front() else {
                return upcoming.map(|_| ());
            };
            let may_go_on = due.len() < limit && matches!(upcoming, Ok(Some(_)));
            let result = match oldest.try_recv() {
                Err(TryRecvError::Empty) if may_go_on || work_on_one().is_some() => continue,
                // Another thread is at it.
                Err(TryRecvError::Empty) => oldest.recv().ok(),
                result => result.ok(),
            };
            // Without a result that thread has panicked, which the scope passes on.
            let Some(result) = result else { return Ok(()) };
            due.pop_front();
            if let Err(error) = take(state, result) {
                queue().clear();
                return Err(error);
            }
        }
    })
}
