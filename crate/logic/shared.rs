//! Lists whose copies share what they have in common.

use std::ops::Index;
use std::rc::Rc;

/// So many entries are copied when one of them changes.
const CHUNK: usize = 16;

/// A list of fixed length. A copy costs a sixteenth of its length, and so does its memory until it changes.
#[derive(Clone, Debug)]
pub struct Shared<T>(Vec<Rc<[T]>>);

impl<T: Clone> Shared<T> {
    /// Replaces the entry at a position; gives the one before.
    ///
    /// # Panics
    /// Where the list has no such position.
    pub fn replace(&mut self, at: usize, entry: T) -> T {
        std::mem::replace(&mut Rc::make_mut(&mut self.0[at / CHUNK])[at % CHUNK], entry)
    }

    /// The entries in their order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().flat_map(|chunk| chunk.iter())
    }
}

impl<T> Index<usize> for Shared<T> {
    type Output = T;

    fn index(&self, at: usize) -> &T {
        &self.0[at / CHUNK][at % CHUNK]
    }
}

impl<T> FromIterator<T> for Shared<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Shared<T> {
        let mut entries = entries.into_iter().peekable();
        let mut chunks = Vec::new();
        while entries.peek().is_some() {
            chunks.push(entries.by_ref().take(CHUNK).collect());
        }
        Shared(chunks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(64)))]
        /// Copies that change are what copies of a plain list are.
        #[test]
        fn copies_change_apart(length in 1..100usize, changes in proptest::collection::vec((any::<usize>(), any::<bool>()), 0..40)) {
            let mut plain = vec![(0..length).collect::<Vec<_>>()];
            let mut shared: Vec<Shared<usize>> = vec![(0..length).collect()];
            for (number, (at, copies)) in changes.into_iter().enumerate() {
                let (list, at) = (at % plain.len(), at % length);
                if copies {
                    plain.push(plain[list].clone());
                    shared.push(shared[list].clone());
                }
                let was = std::mem::replace(&mut plain[list][at], 1_000 + number);
                prop_assert_eq!(shared[list].replace(at, 1_000 + number), was);
            }
            for (plain, shared) in plain.iter().zip(&shared) {
                prop_assert_eq!(plain, &shared.iter().copied().collect::<Vec<_>>());
                prop_assert_eq!(plain[length - 1], shared[length - 1]);
            }
        }
    }
}
