//! Assertions as a script of their own, for comparing with other solvers.
//!
//! The writer walks terms without recursion and writes children first. A part that occurs more than once, or that has
//! grown long, becomes a `define-fun` without parameters, so that the text is as large as the shared terms are and
//! never deeply nested. For C's division, which rounds towards zero, it uses SMT-LIB's, which rounds so that the
//! remainder is not negative: for `n ≥ 0` both agree, else they do for `-n`.

use super::Verdict;
use super::names::{integer, reserved, symbol};
use crate::logic::{ArrayTerm, ArrayTermId, Atom, AtomId, Formula, FormulaId, Int, Linear, Pool, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// How long a part may be before it gets a name.
const MAX_PART: usize = 2000;
/// How long a part that occurs more than once may be.
const MAX_SHARED: usize = 24;

/// The assertions as a standalone SMT-LIB 2 script with one `check-sat`, whose status is `status`.
///
/// Symbols keep their names, between bars where SMT-LIB asks for them; a name that cannot be written or is taken gets
/// a suffix.
pub fn query(pool: &Pool, assertions: &[FormulaId], status: Verdict) -> String {
    let mut writer = Writer::new(pool);
    let order = writer.order(assertions);
    let logic = writer.logic(&order);
    let mut body = String::new();
    for &part in &order {
        let text = writer.text(part);
        let shared = writer.uses.get(&part).is_some_and(|&uses| uses > 1);
        let text = if text.len() > MAX_PART || (shared && text.len() > MAX_SHARED) {
            let name = writer.free_name("part");
            let _ = writeln!(body, "(define-fun {name} () {} {text})", part.sort());
            name
        } else {
            text
        };
        writer.texts.insert(part, text);
    }
    for &assertion in assertions {
        let _ = writeln!(body, "(assert {})", writer.part(Part::Formula(assertion)));
    }
    let mut text = format!("(set-logic {logic})\n(set-info :status {status})\n");
    if order.iter().any(|part| matches!(part, Part::Atom(atom) if matches!(pool.atom(*atom), Atom::BitAnd(..)))) {
        text.push_str(&bit_and());
    }
    for (name, sort) in &writer.declarations {
        let _ = writeln!(text, "(declare-fun {name} () {sort})");
    }
    text.push_str(&body);
    text.push_str("(check-sat)\n");
    text
}

/// The name of the function that gives the bits common to two natural numbers.
const BIT_AND: &str = "bits!and";

/// Operands of operators on bits are natural numbers with no more bits than this.
const WIDTH: u32 = 66;

/// Defines that function, since the logics of integers have none.
fn bit_and() -> String {
    let bit = |name: &str, size: &Int| format!("(= (mod (div {name} {size}) 2) 1)");
    let mut text = format!("(define-fun {BIT_AND} ((x Int) (y Int)) Int (+");
    for position in 0..WIDTH {
        let size = Int::ONE.shift_left(position);
        let _ = write!(text, " (ite (and {} {}) {size} 0)", bit("x", &size), bit("y", &size));
    }
    text + "))\n"
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Formula(FormulaId),
    Atom(AtomId),
    Array(ArrayTermId),
}

impl Part {
    fn sort(self) -> &'static str {
        match self {
            Part::Formula(_) => "Bool",
            Part::Atom(_) => "Int",
            Part::Array(_) => "(Array Int Int)",
        }
    }
}

struct Writer<'a> {
    pool: &'a Pool,
    /// How often each part stands in others.
    uses: FxHashMap<Part, u32>,
    texts: FxHashMap<Part, String>,
    names: FxHashMap<(SymbolId, &'static str), String>,
    taken: FxHashSet<String>,
    declarations: Vec<(String, &'static str)>,
}

impl<'a> Writer<'a> {
    fn new(pool: &'a Pool) -> Writer<'a> {
        let (uses, texts, names) = Default::default();
        let taken = reserved().chain([BIT_AND]).map(str::to_owned).collect();
        Writer { pool, uses, texts, names, taken, declarations: Vec::new() }
    }

    /// All parts of the assertions, each after what it is made of.
    fn order(&mut self, assertions: &[FormulaId]) -> Vec<Part> {
        let mut order = Vec::new();
        let mut seen: FxHashSet<Part> = FxHashSet::default();
        let mut open: Vec<(Part, bool)> = assertions.iter().rev().map(|&formula| (Part::Formula(formula), false)).collect();
        while let Some((part, done)) = open.pop() {
            if done {
                order.push(part);
            } else if seen.insert(part) {
                open.push((part, true));
                let mut parts = Vec::new();
                self.parts(part, &mut parts);
                for &inner in &parts {
                    *self.uses.entry(inner).or_default() += 1;
                }
                open.extend(parts.into_iter().rev().map(|part| (part, false)));
            }
        }
        order
    }

    /// What the part is made of, as often as its text names it.
    fn parts(&self, part: Part, parts: &mut Vec<Part>) {
        let mut linear = |term: &Linear| parts.extend(term.terms().iter().map(|&(atom, _)| Part::Atom(atom)));
        match part {
            Part::Formula(formula) => match self.pool.formula(formula) {
                Formula::Le(term) | Formula::Eq(term) => linear(term),
                Formula::Not(inner) => parts.push(Part::Formula(*inner)),
                Formula::And(inner) | Formula::Or(inner) => parts.extend(inner.iter().map(|&part| Part::Formula(part))),
                Formula::True | Formula::False | Formula::Bool(_) => {}
            },
            Part::Atom(atom) => match self.pool.atom(atom) {
                Atom::Symbol(_) => {}
                Atom::Select(array, index) => {
                    linear(index);
                    parts.push(Part::Array(*array));
                }
                Atom::Product(left, right) | Atom::BitAnd(left, right) => {
                    linear(left);
                    linear(right);
                }
                Atom::DivTrunc(n, d) | Atom::RemTrunc(n, d) => {
                    for _ in 0..3 {
                        linear(n);
                    }
                    linear(d);
                    linear(d);
                }
                Atom::Truth(formula) => parts.push(Part::Formula(*formula)),
            },
            Part::Array(array) => {
                if let ArrayTerm::Store(inner, at, value) = self.pool.array(array) {
                    linear(at);
                    linear(value);
                    parts.push(Part::Array(*inner));
                }
            }
        }
    }

    fn logic(&self, order: &[Part]) -> &'static str {
        let not_linear = |part: &Part| match part {
            Part::Atom(atom) => match self.pool.atom(*atom) {
                Atom::Product(..) => true,
                Atom::DivTrunc(_, d) | Atom::RemTrunc(_, d) => d.as_constant().is_none(),
                _ => false,
            },
            _ => false,
        };
        match (order.iter().any(|part| matches!(part, Part::Array(_))), order.iter().any(not_linear)) {
            (false, false) => "QF_LIA",
            (true, false) => "QF_ALIA",
            (false, true) => "QF_NIA",
            (true, true) => "QF_ANIA",
        }
    }

    /// The symbol's name, declared at its first use.
    fn name(&mut self, id: SymbolId, sort: &'static str) -> String {
        if let Some(name) = self.names.get(&(id, sort)) {
            return name.clone();
        }
        let name = self.free_name(self.pool.symbol_name(id));
        self.names.insert((id, sort), name.clone());
        self.declarations.push((name.clone(), sort));
        name
    }

    /// A name like this one that can be written and is not taken.
    fn free_name(&mut self, wish: &str) -> String {
        let written = |c: char| (' '..='~').contains(&c) && c != '|' && c != '\\';
        let base: String = wish.chars().map(|c| if written(c) { c } else { '_' }).collect();
        let (mut text, mut suffix) = (base.clone(), 0);
        // Names that begin with @ or a dot are the solvers' own.
        while self.taken.contains(&text) || text.starts_with(['@', '.']) {
            suffix += 1;
            text = format!("{}!{suffix}", base.trim_start_matches(['@', '.']));
        }
        self.taken.insert(text.clone());
        symbol(&text)
    }

    fn part(&self, part: Part) -> &str {
        self.texts.get(&part).map_or("", String::as_str)
    }

    fn text(&mut self, part: Part) -> String {
        let pool = self.pool;
        match part {
            Part::Formula(formula) => match pool.formula(formula) {
                Formula::True => "true".into(),
                Formula::False => "false".into(),
                Formula::Le(term) => self.relation("<=", term),
                Formula::Eq(term) => self.relation("=", term),
                Formula::Bool(symbol) => self.name(*symbol, "Bool"),
                Formula::Not(inner) => format!("(not {})", self.part(Part::Formula(*inner))),
                Formula::And(parts) => self.connective("and", parts),
                Formula::Or(parts) => self.connective("or", parts),
            },
            Part::Atom(atom) => match pool.atom(atom) {
                Atom::Symbol(symbol) => self.name(*symbol, "Int"),
                Atom::Select(array, index) => format!("(select {} {})", self.part(Part::Array(*array)), self.linear(index)),
                Atom::Product(left, right) => format!("(* {} {})", self.linear(left), self.linear(right)),
                Atom::BitAnd(left, right) => format!("({BIT_AND} {} {})", self.linear(left), self.linear(right)),
                Atom::DivTrunc(n, d) => self.truncating("div", n, d),
                Atom::RemTrunc(n, d) => self.truncating("mod", n, d),
                Atom::Truth(formula) => format!("(ite {} 1 0)", self.part(Part::Formula(*formula))),
            },
            Part::Array(array) => match pool.array(array) {
                ArrayTerm::Symbol(symbol) => self.name(*symbol, "(Array Int Int)"),
                ArrayTerm::Constant(value) => format!("((as const (Array Int Int)) {})", integer(value)),
                ArrayTerm::Store(inner, at, value) => {
                    format!("(store {} {} {})", self.part(Part::Array(*inner)), self.linear(at), self.linear(value))
                }
            },
        }
    }

    fn connective(&self, name: &str, parts: &[FormulaId]) -> String {
        let mut text = format!("({name}");
        for &part in parts {
            text.push(' ');
            text.push_str(self.part(Part::Formula(part)));
        }
        text.push(')');
        text
    }

    /// `term ⋈ 0` with the constant on the right.
    fn relation(&self, relation: &str, term: &Linear) -> String {
        let left = Linear::new(term.terms().to_vec(), Int::ZERO);
        format!("({relation} {} {})", self.linear(&left), integer(&-term.offset()))
    }

    fn linear(&self, term: &Linear) -> String {
        let mut parts: Vec<String> = Vec::with_capacity(term.terms().len() + 1);
        for (atom, coefficient) in term.terms() {
            let atom = self.part(Part::Atom(*atom));
            parts.push(match coefficient {
                one if one.is_one() => atom.to_owned(),
                minus if *minus == Int::MINUS_ONE => format!("(- {atom})"),
                other => format!("(* {} {atom})", integer(other)),
            });
        }
        if parts.is_empty() || !term.offset().is_zero() {
            parts.push(integer(term.offset()));
        }
        if parts.len() == 1 { parts.swap_remove(0) } else { format!("(+ {})", parts.join(" ")) }
    }

    fn truncating(&self, operator: &str, n: &Linear, d: &Linear) -> String {
        let (n, d) = (self.linear(n), self.linear(d));
        format!("(ite (>= {n} 0) ({operator} {n} {d}) (- ({operator} (- {n}) {d})))")
    }
}
