//! Maps and sets as sorted lists.
//!
//! They do what `BTreeMap` and `BTreeSet` do, in the same order, with a tenth of the WebAssembly for each type of key and value. Putting an
//! entry between others moves those after it: that is quick for the thousands of entries that a formula or a model may have.

use std::borrow::Borrow;
use std::iter;
use std::ops::Index;
use std::slice;
use std::vec;

/// A map in the order of its keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortedMap<K, V>(Vec<(K, V)>);

/// A set in the order of its members.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortedSet<T>(SortedMap<T, ()>);

/// Entries by ascending key.
pub type SortedIter<'a, K, V> = iter::Map<slice::Iter<'a, (K, V)>, fn(&'a (K, V)) -> (&'a K, &'a V)>;
type SortedMember<'a, T> = fn(&'a (T, ())) -> &'a T;

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        SortedMap(Vec::new())
    }
}

impl<K, V> SortedMap<K, V> {
    /// No entries.
    pub fn new() -> Self {
        Self::default()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The entries by ascending key.
    pub fn iter(&self) -> SortedIter<'_, K, V> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + Clone {
        self.0.iter().map(|(key, _)| key)
    }

    pub fn into_keys(self) -> impl Iterator<Item = K> {
        self.0.into_iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + Clone {
        self.0.iter().map(|(_, value)| value)
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.0.into_iter().map(|(_, value)| value)
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        // Most maps are filled in order.
        match self.0.last() {
            Some((last, _)) if last.borrow() < key => Err(self.0.len()),
            _ => self.0.binary_search_by(|(at, _)| at.borrow().cmp(key)),
        }
    }

    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        Some(&self.0[self.find(key).ok()?].1)
    }

    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Puts an entry; what its key had before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        Some(self.0.remove(self.find(key).ok()?).1)
    }

    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let at = self.find(key).ok()?;
        Some(&mut self.0[at].1)
    }

    /// The entry of a key, there or not.
    pub fn entry(&mut self, key: K) -> SortedEntry<'_, K, V> {
        let slot = self.find(&key);
        SortedEntry { map: self, key, slot }
    }

    /// The entries from the first whose key is not below this one.
    pub fn starting_at(&self, key: &K) -> SortedIter<'_, K, V> {
        let (Ok(at) | Err(at)) = self.find(key);
        self.0[at..].iter().map(|(key, value)| (key, value))
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.0.retain_mut(|(key, value)| keep(key, value));
    }
}

/// The entry of a key.
pub struct SortedEntry<'a, K, V> {
    map: &'a mut SortedMap<K, V>,
    key: K,
    /// Where it is, or where it would be.
    slot: Result<usize, usize>,
}

impl<'a, K: Ord, V> SortedEntry<'a, K, V> {
    /// What the key has; where it has nothing, what `make` makes from now on.
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'a mut V {
        let (Ok(at) | Err(at)) = self.slot;
        if self.slot.is_err() {
            self.map.0.insert(at, (self.key, make()));
        }
        &mut self.map.0[at].1
    }

    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for SortedMap<K, V> {
    type Output = V;
    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("the key has an entry")
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = SortedMap::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = vec::IntoIter<(K, V)>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = SortedIter<'a, K, V>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        SortedSet(SortedMap::new())
    }
}

impl<T> SortedSet<T> {
    /// No members.
    pub fn new() -> Self {
        Self::default()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The members, ascending.
    pub fn iter(&self) -> iter::Map<slice::Iter<'_, (T, ())>, SortedMember<'_, T>> {
        self.0.0.iter().map(|(member, ())| member)
    }
}

impl<T: Ord> SortedSet<T> {
    /// Whether it was not a member before.
    pub fn insert(&mut self, member: T) -> bool {
        self.0.insert(member, ()).is_none()
    }

    pub fn contains<Q: Ord + ?Sized>(&self, member: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.contains_key(member)
    }

    /// Whether it was a member.
    pub fn remove<Q: Ord + ?Sized>(&mut self, member: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.remove(member).is_some()
    }

    pub fn is_subset(&self, other: &SortedSet<T>) -> bool {
        self.iter().all(|member| other.contains(member))
    }

    /// The members that the other does not have, ascending.
    pub fn difference<'a>(&'a self, other: &'a SortedSet<T>) -> impl Iterator<Item = &'a T> {
        self.iter().filter(|member| !other.contains(*member))
    }

    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        self.0.retain(|member, ()| keep(member));
    }

    pub fn is_disjoint(&self, other: &SortedSet<T>) -> bool {
        !self.iter().any(|member| other.contains(member))
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, members: I) {
        for member in members {
            self.insert(member);
        }
    }
}

impl<'a, T: Ord + Copy + 'a> Extend<&'a T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = &'a T>>(&mut self, members: I) {
        self.extend(members.into_iter().copied());
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Self {
        let mut set = SortedSet::new();
        set.extend(members);
        set
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for SortedSet<T> {
    fn from(members: [T; N]) -> Self {
        members.into_iter().collect()
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = iter::Map<vec::IntoIter<(T, ())>, fn((T, ())) -> T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.0.into_iter().map(|(member, ())| member)
    }
}

impl<'a, T> IntoIterator for &'a SortedSet<T> {
    type Item = &'a T;
    type IntoIter = iter::Map<slice::Iter<'a, (T, ())>, SortedMember<'a, T>>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(64)))]
        #[test]
        fn a_map_does_what_the_standard_librarys_does(steps in proptest::collection::vec((0u8..4, -6i8..6, 0u8..9), 0..40)) {
            let (mut map, mut expected) = (SortedMap::new(), BTreeMap::new());
            for (what, key, value) in steps {
                match what {
                    0 => prop_assert_eq!(map.insert(key, value), expected.insert(key, value)),
                    1 => prop_assert_eq!(map.remove(&key), expected.remove(&key)),
                    2 => prop_assert_eq!(map.get(&key), expected.get(&key)),
                    _ => prop_assert_eq!(&mut *map.entry(key).or_insert(value), expected.entry(key).or_insert(value)),
                }
            }
            prop_assert!(map.iter().eq(expected.iter()));
            prop_assert_eq!(map.len(), expected.len());
        }

        #[test]
        fn a_set_does_what_the_standard_librarys_does(left in proptest::collection::vec(-6i8..6, 0..9), right in proptest::collection::vec(-6i8..6, 0..9)) {
            let (mine, others): (SortedSet<i8>, SortedSet<i8>) = (left.iter().copied().collect(), right.iter().copied().collect());
            let (expected, expected_others): (BTreeSet<i8>, BTreeSet<i8>) = (left.into_iter().collect(), right.into_iter().collect());
            prop_assert!(mine.iter().eq(expected.iter()));
            prop_assert_eq!(mine.is_subset(&others), expected.is_subset(&expected_others));
            prop_assert_eq!(mine.is_disjoint(&others), expected.is_disjoint(&expected_others));
        }
    }
}
