//! What is in use: the literals on the trail that matter, and the opaque atoms whose values say whether the candidate model does what
//! these say.
//!
//! Most of what stands on the trail may be left from other questions: axioms hold under every assignment, so those of terms that only
//! earlier assertions mention stay true, with all that they imply. A search for whole values of such terms, or for elements that
//! they read, does work that no query asks for. (L. de Moura and N. Bjørner, *Relevancy Propagation*, 2007, for the same reason.)
//! So in use are
//!
//! 1. the assertions and the decisions;
//! 2. of a connective in use, the parts that make it hold: all, or one, where one is enough; where none does so yet, everything in it;
//! 3. the opaque atoms of what is in use, and those inside their terms; of their axioms and lemmas, the same as of a connective.
//!
//! Where a divisor may be 0, evaluation has no outcome if a part that it meets before the deciding one divides by 0. Then all parts
//! matter.

use super::axioms::Axioms;
use super::axioms::Seen;
use super::encode;
use super::literal::{Lit, Var};
use super::search::{Bounds, Search};
use super::simplex::ColumnId;
use crate::logic::{Atom, AtomId, Formula, Linear, Pool, ascending};

/// What is in use.
pub struct InUse {
    /// On the trail, in its order.
    pub lits: Vec<Lit>,
    /// Opaque ones.
    pub atoms: Vec<AtomId>,
    /// Those of them that have no axioms yet; what these will mention is not among the atoms.
    pub bare: Vec<AtomId>,
    /// How many literals of clauses and parts of formulas it took to find them.
    pub looks: u64,
}

impl InUse {
    /// The columns that literals in use bound, ascending.
    pub fn columns(&self, search: &Search) -> Vec<ColumnId> {
        let column = |lit: &Lit| match search.vars[lit.var() as usize].bounds.as_ref()? {
            Bounds::Equality { .. } if !lit.is_positive() => None,
            Bounds::Equality { column, .. } | Bounds::Inequality { column, .. } => Some(*column),
        };
        let mut columns = ascending(self.lits.iter().filter_map(column).collect());
        columns.dedup();
        columns
    }
}

struct UseWalk<'a> {
    pool: &'a Pool,
    search: &'a Search,
    seen: &'a mut Seen,
    atoms: Vec<AtomId>,
    /// Variables in use that have a value, and how many of them have been looked at.
    valued: Vec<Var>,
    looked_at: usize,
    waiting: Vec<Var>,
    /// As [`InUse::looks`].
    looks: u64,
}

/// Finds what is in use.
pub fn in_use(pool: &Pool, search: &Search, axioms: &mut Axioms) -> InUse {
    let mut seen = std::mem::take(&mut axioms.seen);
    seen.begin(search.vars.len());
    let mut walk =
        UseWalk { pool, search, seen: &mut seen, atoms: Vec::new(), valued: Vec::new(), looked_at: 0, waiting: Vec::new(), looks: 0 };
    // 1.
    search.assumptions.iter().for_each(|lit| walk.uses(lit.var()));
    search.decisions().for_each(|lit| walk.uses(lit.var()));
    let (mut at, mut bare) = (0, Vec::new());
    loop {
        // 2.
        walk.look_at_values();
        let Some(&atom) = walk.atoms.get(at) else { break };
        at += 1;
        // 3.
        let Some(clauses) = axioms.of_atom.get(&atom) else {
            bare.push(atom);
            continue;
        };
        clauses.iter().for_each(|&clause| walk.clause(&search.clauses[clause as usize].lits));
        axioms.products.literals(atom).for_each(|lit| walk.uses(lit.var()));
        for &(other, lits) in axioms.congruent.get(&atom).into_iter().flatten() {
            if walk.seen.has_atom(other) {
                walk.clause(&lits);
            }
        }
        walk.inner_terms(atom);
    }
    let (atoms, looks) = (walk.atoms, walk.looks);
    let lits = search.trail.iter().copied().filter(|lit| seen.has_var(lit.var())).collect();
    axioms.seen = seen;
    InUse { lits, atoms, bare, looks }
}

impl UseWalk<'_> {
    /// A variable is in use, if it has a value.
    fn uses(&mut self, var: Var) {
        if self.search.value(Lit::new(var, true)).is_some() && self.seen.is_new_var(var) {
            self.valued.push(var);
        }
    }

    /// What the values of variables in use need.
    fn look_at_values(&mut self) {
        while let Some(&var) = self.valued.get(self.looked_at) {
            self.looked_at += 1;
            let data = &self.search.vars[var as usize];
            let value = self.search.value(Lit::new(var, true)) == Some(true);
            let (parts, is_and) = match self.pool.formula(data.formula) {
                Formula::And(parts) => (parts, true),
                Formula::Or(parts) => (parts, false),
                _ => {
                    self.add(&data.opaque);
                    // An equality that is denied holds by one of its inequalities.
                    match self.search.split_equalities.get(&var) {
                        Some(sides) if value => sides.iter().for_each(|side| self.uses(side.var())),
                        Some(sides) => drop(self.one_of(sides.iter().map(|&side| !side))),
                        None => {}
                    }
                    continue;
                }
            };
            let (pool, search) = (self.pool, self.search);
            let mut literals = parts.iter().filter_map(|&part| encode::encoded_literal(pool, search, part));
            if is_and == value {
                literals.for_each(|part| self.uses(part.var()));
                self.late(var);
            } else if pool.divides_by_terms() || !self.one_of(literals.by_ref().map(|part| if value { part } else { !part })) {
                self.inside(var);
            }
        }
    }

    /// One literal that holds is in use, one that is so anyway if there is; gives whether one holds.
    fn one_of(&mut self, lits: impl Iterator<Item = Lit>) -> bool {
        let mut first = None;
        for lit in lits.filter(|&lit| self.search.value(lit) == Some(true)) {
            if self.seen.has_var(lit.var()) {
                return true;
            }
            first = first.or(Some(lit));
        }
        first.map(|lit| self.uses(lit.var())).is_some()
    }

    /// What a clause about an atom in use needs.
    fn clause(&mut self, lits: &[Lit]) {
        self.looks += lits.len() as u64;
        if !self.one_of(lits.iter().copied()) {
            lits.iter().for_each(|lit| self.look_into(lit.var()));
        }
    }

    /// All in a formula: down to what has a value itself, since evaluation goes no further.
    fn look_into(&mut self, var: Var) {
        if self.search.value(Lit::new(var, true)).is_some() {
            self.uses(var);
        } else if self.seen.is_new_var(var) {
            self.inside(var);
        }
    }

    fn inside(&mut self, var: Var) {
        let (pool, search) = (self.pool, self.search);
        self.waiting.push(var);
        while let Some(var) = self.waiting.pop() {
            let data = &search.vars[var as usize];
            let (Formula::And(parts) | Formula::Or(parts)) = pool.formula(data.formula) else {
                self.add(&data.opaque);
                continue;
            };
            self.late(var);
            self.looks += parts.len() as u64;
            for part in parts.iter().filter_map(|&part| encode::encoded_literal(pool, search, part)) {
                if search.value(part).is_some() {
                    self.uses(part.var());
                } else if self.seen.is_new_var(part.var()) {
                    self.waiting.push(part.var());
                }
            }
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
        self.atoms.extend(atoms.iter().filter(|&&atom| self.seen.is_new_atom(atom)));
    }

    fn term(&mut self, term: &Linear) {
        for &(atom, _) in term.terms() {
            if encode::is_opaque(self.pool, atom) && self.seen.is_new_atom(atom) {
                self.atoms.push(atom);
            }
        }
    }

    fn inner_terms(&mut self, atom: AtomId) {
        match self.pool.atom(atom) {
            Atom::Select(_, index) => self.term(index),
            Atom::Product(l, r) | Atom::DivTrunc(l, r) | Atom::RemTrunc(l, r) | Atom::BitAnd(l, r) => {
                self.term(l);
                self.term(r);
            }
            Atom::Symbol(_) | Atom::Truth(_) => {}
        }
    }
}
