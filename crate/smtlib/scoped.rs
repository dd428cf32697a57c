//! What is known as long as the scope stands in which it became known.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Values by key, each with the depth of the scope that it belongs to.
#[derive(Debug)]
pub struct Scoped<K, V>(FxHashMap<K, (V, usize)>);

impl<K, V> Default for Scoped<K, V> {
    fn default() -> Scoped<K, V> {
        Scoped(FxHashMap::default())
    }
}

impl<K: Eq + Hash, V> Scoped<K, V> {
    pub fn get(&self, key: &K) -> Option<&V> {
        self.0.get(key).map(|entry| &entry.0)
    }

    pub fn insert(&mut self, key: K, value: V, depth: usize) {
        self.0.insert(key, (value, depth));
    }

    /// Only so many scopes are open now.
    pub fn truncate(&mut self, depth: usize) {
        self.0.retain(|_, entry| entry.1 <= depth);
    }
}
