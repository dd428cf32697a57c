//! Sorting by one small routine.

use std::collections::BinaryHeap;

/// The items in ascending order, each once.
///
/// A heap sort: `sort` and `sort_unstable`, made for large slices, take 3 to 5 KB of WebAssembly for each type of element,
/// which came to a tenth of the engine; the lists sorted here are short, and mostly sorted already.
pub fn ascending<T: Ord>(items: Vec<T>) -> Vec<T> {
    if items.is_sorted_by(|left, right| left < right) {
        return items;
    }
    let mut sorted = BinaryHeap::from(items).into_sorted_vec();
    sorted.dedup();
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_a_set_has_them(items in proptest::collection::vec(-9i64..9, 0..40)) {
            let expected: Vec<i64> = items.iter().copied().collect::<std::collections::BTreeSet<_>>().into_iter().collect();
            prop_assert_eq!(ascending(items), expected);
        }
    }
}
