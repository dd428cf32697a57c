//! The opaque atoms in use: those whose values say whether the candidate model does what the literals on the trail say.
//!
//! A connective on the trail that holds by a part that is on the trail itself says nothing more than that part: where one side
//! of a decision is taken, the elements that the other side reads do not matter. The same goes for an axiom one of whose literals
//! is on the trail.
//!
//! Where a divisor may be 0, evaluation has no outcome if a part that it meets before the deciding one divides by 0. Then all parts
//! matter.

use super::encode;
use super::literal::{Lit, Var};
use super::search::{ClauseId, Search};
use crate::logic::{Atom, AtomId, Formula, Linear, Pool};
use rustc_hash::FxHashMap;

/// What the current walk has seen; kept from one to the next for its memory.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The walk in which each variable, and each atom, was seen last.
    vars: Vec<u32>,
    atoms: Vec<u32>,
    walk: u32,
}

impl Seen {
    fn begin(&mut self, vars: usize) {
        if self.walk == u32::MAX {
            *self = Seen::default();
        }
        self.walk += 1;
        if self.vars.len() < vars {
            self.vars.resize(vars, 0);
        }
    }

    fn is_new_var(&mut self, var: Var) -> bool {
        std::mem::replace(&mut self.vars[var as usize], self.walk) != self.walk
    }

    fn is_new_atom(&mut self, atom: AtomId) -> bool {
        if self.atoms.len() <= atom.index() {
            self.atoms.resize(atom.index() + 1, 0);
        }
        std::mem::replace(&mut self.atoms[atom.index()], self.walk) != self.walk
    }
}

struct Walk<'a> {
    pool: &'a Pool,
    search: &'a Search,
    seen: &'a mut Seen,
    used: Vec<AtomId>,
    waiting: Vec<Var>,
}

/// The opaque atoms of the literals on the trail, of the axioms about these atoms, and of the terms inside them (whose values decide
/// which elements are meant). Then those of them that have no axioms yet; what these will mention is not among the first.
pub fn atoms_in_use(
    pool: &Pool,
    search: &Search,
    axioms: &FxHashMap<AtomId, Vec<ClauseId>>,
    seen: &mut Seen,
) -> (Vec<AtomId>, Vec<AtomId>) {
    seen.begin(search.vars.len());
    let mut walk = Walk { pool, search, seen, used: Vec::new(), waiting: Vec::new() };
    for &lit in &search.trail {
        walk.said(lit);
    }
    let (mut at, mut bare) = (0, Vec::new());
    while let Some(&atom) = walk.used.get(at) {
        at += 1;
        let Some(clauses) = axioms.get(&atom) else {
            bare.push(atom);
            continue;
        };
        for &clause in clauses {
            let lits = &search.clauses[clause as usize].lits;
            if !lits.iter().any(|&lit| search.value(lit) == Some(true)) {
                lits.iter().for_each(|lit| walk.look_into(lit.var()));
            }
        }
        walk.inner_terms(atom);
    }
    (walk.used, bare)
}

impl Walk<'_> {
    /// What a literal on the trail needs.
    fn said(&mut self, lit: Lit) {
        let var = &self.search.vars[lit.var() as usize];
        if !var.has_opaque {
            return;
        }
        let (parts, is_and) = match self.pool.formula(var.formula) {
            Formula::And(parts) => (parts, true),
            Formula::Or(parts) => (parts, false),
            _ => return self.add(&var.opaque),
        };
        if is_and == lit.is_positive() {
            // Its parts are on the trail, all but those of which nothing was said yet.
            return self.late(lit.var());
        }
        let decides = |&part: &_| {
            let part = encode::known(self.pool, self.search, part);
            part.is_some_and(|part| self.search.value(part) == Some(lit.is_positive()))
        };
        if self.pool.divides_by_terms() || !parts.iter().any(decides) {
            self.look_into(lit.var());
        }
    }

    /// All in a formula but what is on the trail itself.
    fn look_into(&mut self, var: Var) {
        let (pool, search) = (self.pool, self.search);
        self.waiting.push(var);
        while let Some(var) = self.waiting.pop() {
            let data = &search.vars[var as usize];
            if !data.has_opaque || !self.seen.is_new_var(var) {
                continue;
            }
            let (Formula::And(parts) | Formula::Or(parts)) = pool.formula(data.formula) else {
                self.add(&data.opaque);
                continue;
            };
            self.late(var);
            let parts = parts.iter().filter_map(|&part| encode::known(pool, search, part));
            self.waiting.extend(parts.filter(|&part| search.value(part).is_none()).map(Lit::var));
        }
    }

    fn late(&mut self, var: Var) {
        for &part in encode::late(self.search, var) {
            if let Formula::Le(term) = self.pool.formula(part) {
                self.term(term);
            }
        }
    }

    fn add(&mut self, atoms: &[AtomId]) {
        self.used.extend(atoms.iter().filter(|&&atom| self.seen.is_new_atom(atom)));
    }

    fn term(&mut self, term: &Linear) {
        for &(atom, _) in term.terms() {
            if encode::is_opaque(self.pool, atom) && self.seen.is_new_atom(atom) {
                self.used.push(atom);
            }
        }
    }

    fn inner_terms(&mut self, atom: AtomId) {
        match self.pool.atom(atom) {
            Atom::Select(_, index) => self.term(index),
            Atom::Product(l, r) | Atom::DivTrunc(l, r) | Atom::RemTrunc(l, r) => {
                self.term(l);
                self.term(r);
            }
            Atom::Symbol(_) | Atom::Truth(_) => {}
        }
    }
}
