//! The pool: every atom, array term and formula exists once (hash-consing), so that equality is equality of numbers.
//!
//! Integer terms are [`Linear`] combinations of *atoms*. An atom is a symbol, or something linear arithmetic cannot look
//! into: an array element, a product, a quotient, the truth value of a formula. The pool simplifies a term where that is
//! exact for every value: it folds constants and reads over writes at provably equal or provably different indices. It
//! rounds and tightens nothing, so that certificates have to say when the solver does.

use super::rank::FloatFormat;
use super::{Int, IntRange, Linear, SortedMap, SortedSet, ascending};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::hash::Hash;

macro_rules! id {
    ($(#[$doc:meta])* $Name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $Name(pub u32);
        impl $Name {
            /// The number, from 0.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
id!(
    /// A name: of an integer, of an array, or of a truth value.
    SymbolId
);
id!(
    /// An integer-valued atom of linear terms.
    AtomId
);
id!(
    /// An array-valued term.
    ArrayTermId
);
id!(
    /// A formula.
    FormulaId
);

/// What an atom stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// An arbitrary integer.
    Symbol(SymbolId),
    /// An element of an array.
    Select(ArrayTermId, Linear),
    /// A product of two terms, both not constant.
    Product(Linear, Linear),
    /// Quotient rounded towards zero; the divisor is not the constant 0. Its value for a divisor that is 0 is arbitrary.
    DivTrunc(Linear, Linear),
    /// Remainder of the above.
    RemTrunc(Linear, Linear),
    /// The bits in which both terms have a one, as two's complement without end; not both are constant.
    BitAnd(Linear, Linear),
    /// 1 where the formula holds, else 0.
    Truth(FormulaId),
}

/// An array of integers, total: every integer is an index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ArrayTerm {
    /// Arbitrary contents.
    Symbol(SymbolId),
    /// The same value everywhere.
    Constant(Int),
    /// The array with one element replaced: array, index, value.
    Store(ArrayTermId, Linear, Linear),
}

/// A formula. `Not` never stands on a constant or on another `Not`; `And` and `Or` have at least two parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    True,
    False,
    /// `term ≤ 0`, the term not constant.
    Le(Linear),
    /// `term = 0`, the term not constant, its first coefficient positive.
    Eq(Linear),
    /// A propositional symbol.
    Bool(SymbolId),
    Not(FormulaId),
    And(Box<[FormulaId]>),
    Or(Box<[FormulaId]>),
}

#[derive(Clone, Debug)]
struct Interner<T> {
    items: Vec<T>,
    ids: FxHashMap<T, u32>,
}

impl<T: Clone + Eq + Hash> Interner<T> {
    fn new() -> Self {
        Interner { items: Vec::new(), ids: FxHashMap::default() }
    }

    fn intern(&mut self, item: T) -> u32 {
        if let Some(&id) = self.ids.get(&item) {
            return id;
        }
        let id = u32::try_from(self.items.len()).expect("fewer than 2^32 terms");
        self.items.push(item.clone());
        self.ids.insert(item, id);
        id
    }
}

/// All terms of one reasoning task.
#[derive(Clone, Debug)]
pub struct Pool {
    symbols: Interner<String>,
    atoms: Interner<Atom>,
    arrays: Interner<ArrayTerm>,
    formulas: Interner<Formula>,
    divides_by_terms: bool,
    /// The atoms that are ranks of floating-point numbers, for texts.
    numbers: SortedMap<AtomId, FloatFormat>,
    /// What was done with terms and not paid for yet.
    work: Cell<u64>,
    /// So many terms are paid for.
    paid: Cell<usize>,
}

/// So many looks at parts of terms are a step of a meter.
const LOOKS_PER_STEP: u64 = 256;

impl Default for Pool {
    fn default() -> Pool {
        Pool::new()
    }
}

impl Pool {
    /// The formula that always holds.
    pub const TRUE: FormulaId = FormulaId(0);
    /// The formula that never holds.
    pub const FALSE: FormulaId = FormulaId(1);

    /// A pool with nothing in it but `TRUE` and `FALSE`.
    pub fn new() -> Pool {
        let mut pool = Pool {
            symbols: Interner::new(),
            atoms: Interner::new(),
            arrays: Interner::new(),
            formulas: Interner::new(),
            divides_by_terms: false,
            numbers: SortedMap::new(),
            work: Cell::new(0),
            paid: Cell::new(0),
        };
        pool.formulas.intern(Formula::True);
        pool.formulas.intern(Formula::False);
        pool
    }

    /// So many looks at parts of its terms were taken, by code that has no meter at hand.
    pub fn looked(&self, times: u64) {
        self.work.set(self.work.get().saturating_add(times));
    }

    /// The steps that [`Pool::looked`] and new terms come to; what is not a whole step is kept. The next question to the solver pays for
    /// them.
    pub fn unpaid_steps(&self) -> u64 {
        let terms = self.atoms.items.len() + self.arrays.items.len() + self.formulas.items.len();
        let work = self.work.get() + terms.saturating_sub(self.paid.replace(terms)) as u64;
        self.work.set(work % LOOKS_PER_STEP);
        work / LOOKS_PER_STEP
    }

    /// The symbol of that name; a new one at its first use.
    pub fn symbol(&mut self, name: &str) -> SymbolId {
        if let Some(&id) = self.symbols.ids.get(name) {
            return SymbolId(id);
        }
        SymbolId(self.symbols.intern(name.to_owned()))
    }

    /// The name of a symbol.
    pub fn symbol_name(&self, symbol: SymbolId) -> &str {
        &self.symbols.items[symbol.index()]
    }

    /// What an atom stands for.
    pub fn atom(&self, atom: AtomId) -> &Atom {
        &self.atoms.items[atom.index()]
    }

    /// Notes that a term has the values of a type: texts show the ranks of floating-point numbers as numbers.
    pub fn has_type(&mut self, term: &Linear, range: &IntRange) {
        let Some(format) = FloatFormat::of_range(range) else { return };
        if let [(atom, factor)] = term.terms()
            && factor.is_one()
            && term.offset().is_zero()
        {
            self.numbers.insert(*atom, format);
        }
    }

    /// The format of the floating-point numbers whose ranks an atom has as values.
    pub fn number_format(&self, atom: AtomId) -> Option<FloatFormat> {
        self.numbers.get(&atom).copied()
    }

    /// How many atoms there are: their numbers are below this.
    pub fn atom_count(&self) -> usize {
        self.atoms.items.len()
    }

    /// What an array term is.
    pub fn array(&self, array: ArrayTermId) -> &ArrayTerm {
        &self.arrays.items[array.index()]
    }

    /// What a formula is.
    pub fn formula(&self, formula: FormulaId) -> &Formula {
        &self.formulas.items[formula.index()]
    }

    /// Whether some quotient or remainder has a divisor that is no constant, so that evaluation may give `None`.
    pub fn divides_by_terms(&self) -> bool {
        self.divides_by_terms
    }

    fn make(&mut self, atom: Atom) -> Linear {
        self.divides_by_terms |= matches!(&atom, Atom::DivTrunc(_, d) | Atom::RemTrunc(_, d) if d.as_constant().is_none());
        Linear::atom(AtomId(self.atoms.intern(atom)))
    }

    // Integer terms.

    /// How many different formulas a formula is made of, counted no further than `most`.
    pub fn size(&self, formula: FormulaId, most: usize) -> usize {
        let (mut seen, mut waiting) = (SortedSet::new(), vec![formula]);
        while let Some(formula) = waiting.pop().filter(|_| seen.len() < most) {
            if seen.insert(formula) {
                match self.formula(formula) {
                    Formula::And(parts) | Formula::Or(parts) => waiting.extend(parts.iter()),
                    Formula::Not(inner) => waiting.push(*inner),
                    _ => {}
                }
            }
        }
        seen.len()
    }

    /// The integer symbol of that name.
    pub fn integer(&mut self, name: &str) -> Linear {
        let symbol = self.symbol(name);
        self.make(Atom::Symbol(symbol))
    }

    /// `left · right`: linear where one side is a constant, else an atom.
    pub fn product(&mut self, left: &Linear, right: &Linear) -> Linear {
        match (left.as_constant(), right.as_constant()) {
            (Some(factor), _) => right.scale(factor),
            (_, Some(factor)) => left.scale(factor),
            // Commutative: one order only.
            _ if left.terms() <= right.terms() => self.make(Atom::Product(left.clone(), right.clone())),
            _ => self.make(Atom::Product(right.clone(), left.clone())),
        }
    }

    /// Quotient and remainder rounded towards zero, as C's; `None` where the divisor is the constant 0.
    pub fn div_rem_trunc(&mut self, dividend: &Linear, divisor: &Linear) -> Option<(Linear, Linear)> {
        if let Some(d) = divisor.as_constant() {
            if d.is_zero() {
                return None;
            }
            if let Some(n) = dividend.as_constant() {
                return n.div_rem_trunc(d).map(|(q, r)| (Linear::constant(q), Linear::constant(r)));
            }
            if d.abs().is_one() {
                return Some((dividend.scale(d), Linear::default()));
            }
        }
        let quotient = self.make(Atom::DivTrunc(dividend.clone(), divisor.clone()));
        let remainder = self.make(Atom::RemTrunc(dividend.clone(), divisor.clone()));
        Some((quotient, remainder))
    }

    /// The bits in which both terms have a one, as two's complement without end: an atom, unless that is a constant or one of them.
    pub fn bit_and(&mut self, left: &Linear, right: &Linear) -> Linear {
        match (left.as_constant(), right.as_constant()) {
            (Some(l), Some(r)) => Linear::constant(l.bit_and(r)),
            (Some(zero), _) | (_, Some(zero)) if zero.is_zero() => Linear::default(),
            _ if left == right || self.has_bits_of(left, right) => left.clone(),
            _ if self.has_bits_of(right, left) => right.clone(),
            // Commutative: one order only.
            _ if (left.terms(), left.offset()) <= (right.terms(), right.offset()) => self.make(Atom::BitAnd(left.clone(), right.clone())),
            _ => self.make(Atom::BitAnd(right.clone(), left.clone())),
        }
    }

    /// Whether a term is the common bits of another one and something: then the other one has all of them.
    fn has_bits_of(&self, common: &Linear, other: &Linear) -> bool {
        let [(atom, factor)] = common.terms() else { return false };
        let is_whole = factor.is_one() && common.offset().is_zero();
        is_whole && matches!(self.atom(*atom), Atom::BitAnd(l, r) if l == other || r == other)
    }

    /// 1 where the formula holds, else 0.
    pub fn truth(&mut self, formula: FormulaId) -> Linear {
        match formula {
            Pool::TRUE => Linear::constant(1),
            Pool::FALSE => Linear::constant(0),
            _ => self.make(Atom::Truth(formula)),
        }
    }

    // Arrays.

    /// The array symbol of that name: arbitrary contents.
    pub fn array_symbol(&mut self, name: &str) -> ArrayTermId {
        let symbol = self.symbol(name);
        ArrayTermId(self.arrays.intern(ArrayTerm::Symbol(symbol)))
    }

    /// The array with this value everywhere.
    pub fn constant_array(&mut self, value: Int) -> ArrayTermId {
        ArrayTermId(self.arrays.intern(ArrayTerm::Constant(value)))
    }

    /// The array with the element at `index` replaced.
    pub fn store(&mut self, array: ArrayTermId, index: Linear, value: Linear) -> ArrayTermId {
        ArrayTermId(self.arrays.intern(ArrayTerm::Store(array, index, value)))
    }

    /// The element at `index`, read over the writes whose index is provably the same or provably different.
    pub fn select(&mut self, mut array: ArrayTermId, index: &Linear) -> Linear {
        loop {
            match self.array(array) {
                ArrayTerm::Constant(value) => return Linear::constant(value.clone()),
                ArrayTerm::Store(inner, at, value) => match at.sub(index).as_constant() {
                    Some(difference) if difference.is_zero() => return value.clone(),
                    Some(_) => array = *inner,
                    None => break,
                },
                ArrayTerm::Symbol(_) => break,
            }
        }
        self.make(Atom::Select(array, index.clone()))
    }

    // Formulas.

    fn formula_id(&mut self, formula: Formula) -> FormulaId {
        FormulaId(self.formulas.intern(formula))
    }

    /// `term ≤ 0`.
    pub fn le(&mut self, term: Linear) -> FormulaId {
        match term.as_constant() {
            Some(value) if value.is_positive() => Pool::FALSE,
            Some(_) => Pool::TRUE,
            None => self.formula_id(Formula::Le(term)),
        }
    }

    /// `left ≤ right`.
    pub fn at_most(&mut self, left: &Linear, right: &Linear) -> FormulaId {
        self.le(left.sub(right))
    }

    /// `left < right`.
    pub fn less(&mut self, left: &Linear, right: &Linear) -> FormulaId {
        self.le(left.sub(right).add_constant(&Int::ONE))
    }

    /// `left = right`.
    pub fn equal(&mut self, left: &Linear, right: &Linear) -> FormulaId {
        let mut term = left.sub(right);
        match term.terms().first() {
            None if term.offset().is_zero() => Pool::TRUE,
            None => Pool::FALSE,
            Some((_, coefficient)) => {
                if coefficient.is_negative() {
                    term = term.neg();
                }
                self.formula_id(Formula::Eq(term))
            }
        }
    }

    /// The propositional symbol of that name.
    pub fn boolean(&mut self, name: &str) -> FormulaId {
        let symbol = self.symbol(name);
        self.formula_id(Formula::Bool(symbol))
    }

    /// The negation, without one on another.
    pub fn not(&mut self, formula: FormulaId) -> FormulaId {
        match self.formula(formula) {
            Formula::True => Pool::FALSE,
            Formula::False => Pool::TRUE,
            Formula::Not(inner) => *inner,
            _ => self.formula_id(Formula::Not(formula)),
        }
    }

    /// All of the parts hold; `TRUE` without any.
    pub fn and(&mut self, parts: &[FormulaId]) -> FormulaId {
        self.connective(parts, Pool::TRUE, Pool::FALSE)
    }

    /// Some part holds; `FALSE` without any.
    pub fn or(&mut self, parts: &[FormulaId]) -> FormulaId {
        self.connective(parts, Pool::FALSE, Pool::TRUE)
    }

    /// A conjunction (neutral `TRUE`, absorbing `FALSE`) or a disjunction (the other way round).
    fn connective(&mut self, parts: &[FormulaId], neutral: FormulaId, absorbing: FormulaId) -> FormulaId {
        let kept: Vec<FormulaId> = ascending(parts.iter().copied().filter(|&part| part != neutral).collect());
        let opposite = |pool: &Pool, part: FormulaId| match pool.formula(part) {
            Formula::Not(inner) => kept.binary_search(inner).is_ok(),
            _ => false,
        };
        if kept.contains(&absorbing) || kept.iter().any(|&part| opposite(self, part)) {
            return absorbing;
        }
        match kept[..] {
            [] => neutral,
            [only] => only,
            _ if neutral == Pool::TRUE => self.formula_id(Formula::And(kept.into())),
            _ => self.formula_id(Formula::Or(kept.into())),
        }
    }
}
