//! The functions of a program, which are found by their names.

use super::Function;
use crate::logic::Arrange;
use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

/// Functions in their order, and an index of their names, which a text of tens of thousands of functions needs.
#[derive(Clone, Debug, Default)]
pub struct Functions {
    list: Vec<Function>,
    /// The positions in the order of the names, from the first search on until a change.
    by_name: OnceLock<Vec<u32>>,
}

impl Functions {
    /// The first function of this name, and its position.
    pub fn named(&self, name: &str) -> Option<(usize, &Function)> {
        let name_at = |at: &u32| self.list[*at as usize].name.text.as_str();
        let by_name = self.by_name.get_or_init(|| {
            let mut all: Vec<u32> = (0u32..).zip(&self.list).map(|(at, _)| at).collect();
            all.arrange_by_key(name_at);
            all
        });
        let at = *by_name.get(by_name.partition_point(|at| name_at(at) < name))?;
        (name_at(&at) == name).then(|| (at as usize, &self.list[at as usize]))
    }
}

impl From<Vec<Function>> for Functions {
    fn from(list: Vec<Function>) -> Functions {
        Functions { list, by_name: OnceLock::new() }
    }
}

impl Deref for Functions {
    type Target = Vec<Function>;

    fn deref(&self) -> &Vec<Function> {
        &self.list
    }
}

impl DerefMut for Functions {
    fn deref_mut(&mut self) -> &mut Vec<Function> {
        self.by_name = OnceLock::new();
        &mut self.list
    }
}

impl<'a> IntoIterator for &'a Functions {
    type Item = &'a Function;
    type IntoIter = std::slice::Iter<'a, Function>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}
