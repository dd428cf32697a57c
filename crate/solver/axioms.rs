//! The axioms of arrays, products and quotients that a solver has instantiated.

use super::literal::{Lit, Var};
use super::products::Products;
use super::search::ClauseId;
use crate::logic::AtomId;
use rustc_hash::FxHashMap;

/// The axioms instantiated so far. They hold under every assignment, so nothing takes them back.
#[derive(Clone, Debug, Default)]
pub struct Axioms {
    pub(super) of_atom: FxHashMap<AtomId, Vec<ClauseId>>,
    /// For each read the others of which a congruence axiom is there, with its literals.
    pub(super) congruent: FxHashMap<AtomId, Vec<(AtomId, [Lit; 2])>>,
    pub(super) products: Products,
    pub(super) seen: Seen,
}

impl Axioms {
    /// Whether it is better to begin anew than to go on with all that is there.
    pub fn is_crowded(&self) -> bool {
        self.products.is_crowded()
    }

    /// A new check begins.
    pub fn begin(&mut self) {
        self.products.begin();
    }
}

/// What the current walk has seen; kept from one to the next for its memory.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The walk in which each variable, and each atom, was seen last.
    vars: Vec<u32>,
    atoms: Vec<u32>,
    walk: u32,
}

impl Seen {
    pub(super) fn begin(&mut self, vars: usize) {
        if self.walk == u32::MAX {
            *self = Seen::default();
        }
        self.walk += 1;
        if self.vars.len() < vars {
            self.vars.resize(vars, 0);
        }
    }

    pub(super) fn is_new_var(&mut self, var: Var) -> bool {
        std::mem::replace(&mut self.vars[var as usize], self.walk) != self.walk
    }

    pub(super) fn has_var(&self, var: Var) -> bool {
        self.vars[var as usize] == self.walk
    }

    pub(super) fn has_atom(&self, atom: AtomId) -> bool {
        self.atoms.get(atom.index()) == Some(&self.walk)
    }

    pub(super) fn is_new_atom(&mut self, atom: AtomId) -> bool {
        if self.atoms.len() <= atom.index() {
            self.atoms.resize(atom.index() + 1, 0);
        }
        std::mem::replace(&mut self.atoms[atom.index()], self.walk) != self.walk
    }
}
