//! What rows to classify have in common, computed once.

use hashbrown::HashMap;

/// Lists of numbers by sets of values. It is bounded: when what was put in lately reaches the budget, all that was not asked
/// for since the last such time is forgotten.
#[derive(Debug)]
pub(crate) struct Cache<T> {
    lately: HashMap<Vec<u32>, Vec<T>>,
    before: HashMap<Vec<u32>, Vec<T>>,
    /// The numbers in `lately`.
    size: usize,
    budget: usize,
}

impl<T> Cache<T> {
    /// A cache of at most twice so many numbers, or of one list that is longer.
    pub(crate) fn new(budget: usize) -> Self {
        Self { lately: HashMap::new(), before: HashMap::new(), size: 0, budget }
    }

    /// The list of a key: the one at hand, or what `make` makes.
    pub(crate) fn of(&mut self, key: &[u32], make: impl FnOnce() -> Vec<T>) -> &[T] {
        if !self.lately.contains_key(key) {
            let list = self.before.remove(key).unwrap_or_else(make);
            if self.size + list.len() > self.budget {
                self.before = std::mem::take(&mut self.lately);
                self.size = 0;
            }
            self.size += list.len();
            self.lately.insert(key.to_vec(), list);
        }
        self.lately.get(key).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_lately_is_kept_within_the_budget() {
        let mut cache = Cache::new(10);
        let mut made = Vec::new();
        for number in [1, 2, 1, 3, 1, 4, 1, 5, 1, 2, 1] {
            let list = cache.of(&[number, 7], || {
                made.push(number);
                vec![number; 4]
            });
            assert_eq!(list, [number; 4]);
            assert!(cache.lately.len() <= 2 && cache.before.len() <= 2);
        }
        assert_eq!(
            made,
            [1, 2, 3, 4, 5, 2],
            "the first is asked for again and again, the second was forgotten"
        );
    }

    #[test]
    fn a_list_beyond_the_budget_is_given_all_the_same() {
        let mut cache = Cache::new(3);
        for number in 0..5 {
            assert_eq!(cache.of(&[number], || vec![number; 9]), [number; 9]);
            assert!(cache.lately.len() == 1 && cache.before.len() <= 1);
        }
        assert_eq!(cache.of(&[], || vec![8]), [8]);
    }
}
