//! Sorting by one small routine.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The items in ascending order, each once.
///
/// A heap sort: `sort` and `sort_unstable`, made for large slices, take 3 to 5 KB of WebAssembly for each type of element,
/// a tenth of the engine in all; the lists sorted here are short, and mostly in order already.
pub fn ascending<T: Ord>(items: Vec<T>) -> Vec<T> {
    if items.is_sorted_by(|left, right| left < right) {
        return items;
    }
    let mut sorted = BinaryHeap::from(items).into_sorted_vec();
    sorted.dedup();
    sorted
}

/// A map or set of the items, put in one by one: `collect` sorts them first, by a routine of its own for each type of element.
pub fn gathered<T, C: Default + Extend<T>>(items: impl IntoIterator<Item = T>) -> C {
    let mut gathered = C::default();
    gathered.extend(items);
    gathered
}

/// Sorting as `sort` does, for lists that need not be sorted with the greatest speed: of the standard library's routine there is
/// one copy for all types of elements, which orders their numbers.
pub trait Arrange<T> {
    /// Ascending; equal elements keep their order.
    fn arrange(&mut self)
    where
        T: Ord;

    /// By a key, ascending; elements with equal keys keep their order.
    fn arrange_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K);
}

impl<T> Arrange<T> for [T] {
    fn arrange(&mut self)
    where
        T: Ord,
    {
        permute(self, order(self.len(), &|a, b| self[a as usize].cmp(&self[b as usize])));
    }

    fn arrange_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        permute(self, order(self.len(), &|a, b| key(&self[a as usize]).cmp(&key(&self[b as usize]))));
    }
}

/// The numbers below `length` in the order of what they stand for.
fn order(length: usize, compare: &dyn Fn(u32, u32) -> Ordering) -> Vec<u32> {
    if (1..length as u32).all(|at| compare(at - 1, at) != Ordering::Greater) {
        return Vec::new();
    }
    let mut numbers: Vec<u32> = (0..length as u32).collect();
    numbers.sort_by(|&a, &b| compare(a, b));
    numbers
}

/// Puts at each place the element whose number stands there; without numbers nothing changes.
fn permute<T>(items: &mut [T], mut order: Vec<u32>) {
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let next = std::mem::replace(&mut order[at], at as u32) as usize;
            if next == start || next == at {
                break;
            }
            items.swap(at, next);
            at = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(64)))]
        #[test]
        fn as_a_set_has_them(items in proptest::collection::vec(-9i64..9, 0..40)) {
            let expected: Vec<i64> = items.iter().copied().collect::<std::collections::BTreeSet<_>>().into_iter().collect();
            prop_assert_eq!(ascending(items), expected);
        }

        #[test]
        fn arranged_as_by_the_standard_library(items in proptest::collection::vec((-9i64..9, 0u8..4), 0..40)) {
            let (mut whole, mut by_key) = (items.clone(), items.clone());
            whole.arrange();
            by_key.arrange_by_key(|item| item.0);
            let (mut expected, mut expected_by_key) = (items.clone(), items);
            expected.sort();
            expected_by_key.sort_by_key(|item| item.0);
            prop_assert_eq!((whole, by_key), (expected, expected_by_key));
        }
    }
}
