//! The checker: accepts a certificate only if it refutes the given formulas.
//!
//! It knows the language of formulas and the format of certificates, nothing of how the solver finds them. It scales, adds
//! and divides linear terms with code of its own, and shares only the number type and the normal form of terms
//! ([`Linear::new`] collects like terms). Each `reject` below is a case in which it does not believe a certificate.

use super::certificate::{Axiom, Certificate, Line, LinearStep, Literal, Step};
use crate::logic::{ArrayTerm, Atom, AtomId, Formula, FormulaId, Int, Linear, Pool};
use rustc_hash::{FxHashMap, FxHashSet};

/// Why the checker rejects a certificate, in a sentence.
pub type Rejection = String;

/// Accepts the certificate iff it shows that `formulas` cannot hold together.
///
/// # Errors
/// The first reason not to believe it.
pub fn check(pool: &Pool, formulas: &[FormulaId], certificate: &Certificate) -> Result<(), Rejection> {
    let lines = &certificate.lines;
    for (index, line) in lines.iter().enumerate() {
        let verdict = match &line.step {
            Step::Definition(formula) => definition(pool, *formula, &line.clause),
            Step::Theory(axiom) => theory(pool, axiom, &line.clause),
            Step::Linear(steps) => linear(pool, steps, &line.clause),
            Step::Derived(named) => derived(&lines[..index], named, &line.clause),
        };
        verdict.map_err(|reason| format!("line {index}: {reason}"))?;
    }
    refute(lines, formulas.iter().map(|&formula| literal(pool, formula))).map_err(|reason| format!("conclusion: {reason}"))
}

/// The formula as a literal.
fn literal(pool: &Pool, formula: FormulaId) -> Literal {
    match pool.formula(formula) {
        Formula::Not(inner) => Literal { formula: *inner, positive: false },
        _ => Literal { formula, positive: true },
    }
}

fn reject<T>(reason: impl Into<String>) -> Result<T, Rejection> {
    Err(reason.into())
}

/// `TRUE` holds and `FALSE` does not, whatever is assumed.
const CONSTANTS: [Literal; 2] = [Literal { formula: Pool::TRUE, positive: true }, Literal { formula: Pool::FALSE, positive: false }];

/// What a clause says where these literals hold: nothing (it holds, or two of its literals are open), a unit, or a
/// contradiction.
enum ClauseStatus {
    Nothing,
    Unit(Literal),
    Contradiction,
}

fn said(clause: &[Literal], holds: &FxHashSet<Literal>) -> ClauseStatus {
    let mut open = clause.iter().filter(|&&other| !holds.contains(&!other));
    match (open.next(), open.next()) {
        (None, _) => ClauseStatus::Contradiction,
        (Some(unit), None) if !holds.contains(unit) => ClauseStatus::Unit(*unit),
        _ => ClauseStatus::Nothing,
    }
}

/// Whether denying the clause's literals leads, by unit propagation over the named lines, to a contradiction.
fn derived(before: &[Line], named: &[u32], clause: &[Literal]) -> Result<(), Rejection> {
    let mut holds: FxHashSet<Literal> = clause.iter().map(|&literal| !literal).chain(CONSTANTS).collect();
    if clause.iter().any(|literal| holds.contains(literal)) {
        return Ok(());
    }
    loop {
        let earlier = holds.len();
        for &line in named {
            let Some(line) = before.get(line as usize) else { return reject("a line that is not there yet") };
            match said(&line.clause, &holds) {
                ClauseStatus::Contradiction => return Ok(()),
                ClauseStatus::Unit(unit) => drop(holds.insert(unit)),
                ClauseStatus::Nothing => {}
            }
        }
        if holds.len() == earlier {
            return reject("unit propagation over the lines named reaches no contradiction");
        }
    }
}

/// Whether assuming these literals leads, by unit propagation over all lines, to a contradiction.
fn refute(lines: &[Line], assumed: impl Iterator<Item = Literal>) -> Result<(), Rejection> {
    let mut containing: FxHashMap<Literal, Vec<&Line>> = FxHashMap::default();
    let mut waiting: Vec<Literal> = assumed.chain(CONSTANTS).collect();
    for line in lines {
        line.clause.iter().for_each(|&literal| containing.entry(literal).or_default().push(line));
        match line.clause[..] {
            [] => return Ok(()),
            [unit] => waiting.push(unit),
            _ => {}
        }
    }
    let mut holds: FxHashSet<Literal> = FxHashSet::default();
    while let Some(literal) = waiting.pop() {
        if holds.contains(&!literal) {
            return Ok(());
        }
        if !holds.insert(literal) {
            continue;
        }
        for line in containing.get(&!literal).into_iter().flatten() {
            match said(&line.clause, &holds) {
                ClauseStatus::Contradiction => return Ok(()),
                ClauseStatus::Unit(unit) => waiting.push(unit),
                ClauseStatus::Nothing => {}
            }
        }
    }
    reject("unit propagation reaches no contradiction")
}

/// Whether the clause is one of those that define the formula's connective.
fn definition(pool: &Pool, formula: FormulaId, clause: &[Literal]) -> Result<(), Rejection> {
    let this = |positive| Literal { formula, positive };
    let given: FxHashSet<Literal> = clause.iter().copied().collect();
    let same = |expected: &[Literal]| given == expected.iter().copied().collect::<FxHashSet<_>>();
    let parts_of = |parts: &[FormulaId]| parts.iter().map(|&part| literal(pool, part)).collect::<Vec<_>>();
    let accepted = match pool.formula(formula) {
        Formula::True => same(&[this(true)]),
        Formula::False => same(&[this(false)]),
        // f ⇒ each part; all parts ⇒ f.
        Formula::And(parts) => {
            let parts = parts_of(parts);
            let mut all: Vec<Literal> = parts.iter().map(|&part| !part).collect();
            all.push(this(true));
            parts.iter().any(|&part| same(&[this(false), part])) || same(&all)
        }
        // each part ⇒ f; f ⇒ some part.
        Formula::Or(parts) => {
            let mut any = parts_of(parts);
            let each = any.iter().any(|&part| same(&[this(true), !part]));
            any.push(this(false));
            each || same(&any)
        }
        // t = 0 ⇔ t ≤ 0 ∧ -t ≤ 0.
        Formula::Eq(term) => {
            let side = |l: &Literal, t: &Linear| matches!(pool.formula(l.formula), Formula::Le(u) if u == t);
            let find = |t: &Linear, positive| clause.iter().any(|l| l.positive == positive && side(l, t));
            let (le, ge) = (term.clone(), negated(term));
            match given.len() {
                2 => given.contains(&this(false)) && (find(&le, true) || find(&ge, true)),
                3 => given.contains(&this(true)) && find(&le, false) && find(&ge, false),
                _ => false,
            }
        }
        Formula::Le(_) | Formula::Bool(_) | Formula::Not(_) => false,
    };
    if accepted { Ok(()) } else { reject("not a defining clause of its formula") }
}

/// Whether the clause is the instance of the axiom that the atoms give.
fn theory(pool: &Pool, axiom: &Axiom, clause: &[Literal]) -> Result<(), Rejection> {
    let atom = |id: AtomId| if id.index() < pool.atom_count() { Ok(pool.atom(id)) } else { reject("no such atom") };
    let value = |id: AtomId| linear_of(&[(id, Int::ONE)], Int::ZERO);
    let accepted = match *axiom {
        Axiom::ReadHit(id) => match atom(id)? {
            Atom::Select(array, j) => match pool.array(*array) {
                ArrayTerm::Store(_, i, v) => {
                    is_clause(clause, &[&|l| equates(pool, l, false, i, j), &|l| equates(pool, l, true, &value(id), v)])
                }
                _ => false,
            },
            _ => false,
        },
        Axiom::ReadMiss(id) => match atom(id)? {
            Atom::Select(array, j) => match pool.array(*array) {
                ArrayTerm::Store(inner, i, _) => {
                    is_clause(clause, &[&|l| equates(pool, l, true, i, j), &|l| reads_same(pool, l, id, *inner, j)])
                }
                _ => false,
            },
            _ => false,
        },
        Axiom::ReadCongruence(a, b) => match (atom(a)?, atom(b)?) {
            (Atom::Select(x, i), Atom::Select(y, j)) => {
                x == y && is_clause(clause, &[&|l| equates(pool, l, false, i, j), &|l| equates(pool, l, true, &value(a), &value(b))])
            }
            _ => false,
        },
        Axiom::Truth(id) => match atom(id)? {
            Atom::Truth(formula) => {
                let (holds, t) = (literal(pool, *formula), id);
                is_clause(clause, &[&|l| l == holds, &|l| bounds(pool, l, t, 1, 0)])
                    || is_clause(clause, &[&|l| l == !holds, &|l| bounds(pool, l, t, -1, 1)])
                    || is_clause(clause, &[&|l| bounds(pool, l, t, -1, 0)])
                    || is_clause(clause, &[&|l| bounds(pool, l, t, 1, -1)])
            }
            _ => false,
        },
        Axiom::Division(id) => match atom(id)? {
            Atom::DivTrunc(n, d) => match d.as_constant() {
                Some(d) if !d.is_zero() => division(pool, clause, id, n, d),
                _ => false,
            },
            _ => false,
        },
        Axiom::Expansion(id) | Axiom::Secant(id, _) | Axiom::ProductValue(id, _) | Axiom::Tangent(id, ..) => match atom(id)? {
            Atom::Product(l, r) => product(pool, axiom, clause, id, l, r),
            _ => false,
        },
        Axiom::QuotientByTerm(id) => match atom(id)? {
            Atom::DivTrunc(n, d) => quotient_by_term(pool, clause, id, n, d),
            _ => false,
        },
        Axiom::AndBound(id) | Axiom::AndWidth(id, _) | Axiom::AndSplit(id, _) => match atom(id)? {
            Atom::BitAnd(l, r) => bit_and(pool, axiom, clause, id, l, r),
            _ => false,
        },
    };
    if accepted { Ok(()) } else { reject("not an instance of its axiom") }
}

/// The clauses of [`Axiom::Division`]. The remainder is whichever atom of the pool stands for `n % d`.
fn division(pool: &Pool, clause: &[Literal], quotient: AtomId, n: &Linear, d: &Int) -> bool {
    let is_remainder = |id: AtomId| matches!(pool.atom(id), Atom::RemTrunc(m, e) if m == n && e.as_constant() == Some(d));
    let Some(r) = clause.iter().flat_map(|l| atoms_of(pool, l.formula)).find(|&id| is_remainder(id)) else { return false };
    let limit = &d.abs() - &Int::ONE;
    let recomposed = sum(&[(n, Int::MINUS_ONE), (&linear_of(&[(quotient, d.clone()), (r, Int::ONE)], Int::ZERO), Int::ONE)]);
    let zero = linear_of(&[], Int::ZERO);
    let dividend =
        |l: Literal, sign: i64| matches!(pool.formula(l.formula), Formula::Le(t) if l.positive && *t == sum(&[(n, Int::from(sign))]));
    is_clause(clause, &[&|l| equates(pool, l, true, &recomposed, &zero)])
        || is_clause(clause, &[&|l| at_most(pool, l, &linear_of(&[(r, Int::ONE)], -&limit))])
        || is_clause(clause, &[&|l| at_most(pool, l, &linear_of(&[(r, Int::MINUS_ONE)], -&limit))])
        || is_clause(clause, &[&|l| dividend(l, -1), &|l| bounds(pool, l, r, 1, 0)])
        || is_clause(clause, &[&|l| dividend(l, 1), &|l| bounds(pool, l, r, -1, 0)])
}

/// The clauses about `id`, the product of `l` and `r`.
fn product(pool: &Pool, axiom: &Axiom, clause: &[Literal], id: AtomId, l: &Linear, r: &Linear) -> bool {
    let p = linear_of(&[(id, Int::ONE)], Int::ZERO);
    let constant = |value: &Int| linear_of(&[], value.clone());
    match axiom {
        Axiom::Expansion(_) => is_clause(clause, &[&|l_p| expands(pool, l_p, &p, l, r)]),
        Axiom::Secant(_, a) => {
            let next = a + &Int::ONE;
            let line = sum(&[(l, a + &next), (&constant(&(a * &next)), Int::MINUS_ONE)]);
            l == r && is_clause(clause, &[&|l| at_most(pool, l, &sum(&[(&line, Int::ONE), (&p, Int::MINUS_ONE)]))])
        }
        Axiom::ProductValue(_, a) => [(l, r), (r, l)].into_iter().any(|(x, y)| {
            let multiple = sum(&[(y, a.clone())]);
            is_clause(clause, &[&|l| equates(pool, l, false, x, &constant(a)), &|l| equates(pool, l, true, &p, &multiple)])
        }),
        Axiom::Tangent(_, a, b) => {
            let plane = sum(&[(l, b.clone()), (r, a.clone()), (&constant(&(a * b)), Int::MINUS_ONE)]);
            // `sign · (x - a) ≥ 0` is denied by one literal of the clause.
            let denies_side = |literal: Literal, x: &Linear, a: &Int, sign: i64| {
                let side = sum(&[(&constant(a), Int::from(sign)), (x, Int::from(-sign))]);
                !literal.positive && at_most(pool, !literal, &side)
            };
            [(1, 1), (-1, -1), (1, -1), (-1, 1)].into_iter().any(|(s, t)| {
                let difference = sum(&[(&plane, Int::from(s * t)), (&p, Int::from(-s * t))]);
                is_clause(clause, &[&|k| denies_side(k, l, a, s), &|k| denies_side(k, r, b, t), &|k| at_most(pool, k, &difference)])
            })
        }
        _ => false,
    }
}

/// Whether the literal says that `p` is `l·r` multiplied out; the products are whichever atoms in it stand for them.
fn expands(pool: &Pool, literal: Literal, p: &Linear, l: &Linear, r: &Linear) -> bool {
    let pair = |a: AtomId, b: AtomId| (a.min(b), a.max(b));
    let mut products: Vec<((AtomId, AtomId), AtomId)> = Vec::new();
    for id in atoms_of(pool, literal.formula) {
        if let Atom::Product(x, y) = pool.atom(id)
            && let ([(a, one)], [(b, other)]) = (x.terms(), y.terms())
            && one.is_one()
            && other.is_one()
            && x.offset().is_zero()
            && y.offset().is_zero()
        {
            products.push((pair(*a, *b), id));
        }
    }
    let mut coefficients: Vec<((AtomId, AtomId), Int)> = Vec::new();
    for (a, c) in l.terms() {
        for (b, d) in r.terms() {
            match coefficients.iter_mut().find(|entry| entry.0 == pair(*a, *b)) {
                Some((_, sum)) => *sum += &(c * d),
                None => coefficients.push((pair(*a, *b), c * d)),
            }
        }
    }
    let product_of = |factors| products.iter().find(|(pair, _)| *pair == factors).map(|(_, id)| *id);
    let remaining = coefficients.into_iter().filter(|(_, coefficient)| !coefficient.is_zero());
    let squares: Option<Vec<(AtomId, Int)>> = remaining.map(|(factors, c)| Some((product_of(factors)?, c))).collect();
    let Some(squares) = squares else { return false };
    let whole = sum(&[
        (&linear_of(&squares, l.offset() * r.offset()), Int::ONE),
        (&linear_of(l.terms(), Int::ZERO), r.offset().clone()),
        (&linear_of(r.terms(), Int::ZERO), l.offset().clone()),
    ]);
    equates(pool, literal, true, p, &whole)
}

/// The clauses of [`Axiom::QuotientByTerm`]. Remainder and product are whichever atoms in the clause stand for them.
fn quotient_by_term(pool: &Pool, clause: &[Literal], quotient: AtomId, n: &Linear, d: &Linear) -> bool {
    let (q, zero) = (linear_of(&[(quotient, Int::ONE)], Int::ZERO), linear_of(&[], Int::ZERO));
    let mentioned = || clause.iter().flat_map(|l| atoms_of(pool, l.formula));
    let is_product = |id: &AtomId| matches!(pool.atom(*id), Atom::Product(x, y) if (x, y) == (d, &q) || (x, y) == (&q, d));
    let is_remainder = |id: &AtomId| matches!(pool.atom(*id), Atom::RemTrunc(m, e) if m == n && e == d);
    let one = linear_of(&[], Int::ONE);
    let by_zero = |l| equates(pool, l, true, d, &zero);
    let denied = |l: Literal, t: &Linear| !l.positive && at_most(pool, !l, t);
    // s·n ≤ 0 ⇒ f·t + g·n ≤ 0
    let signed = |s: i64, t: &Linear, f: i64, g: i64| {
        let (below, limit) = (sum(&[(n, Int::from(s))]), sum(&[(t, Int::from(f)), (n, Int::from(g))]));
        is_clause(clause, &[&by_zero, &|l| denied(l, &below), &|l| at_most(pool, l, &limit)])
    };
    if [1, -1].into_iter().any(|s| signed(s, &q, 1, s) || signed(s, &q, -1, s)) {
        return true;
    }
    let Some(r) = mentioned().find(is_remainder).map(|id| linear_of(&[(id, Int::ONE)], Int::ZERO)) else { return false };
    let whole = mentioned().find(is_product).is_some_and(|id| {
        let sum = sum(&[(&linear_of(&[(id, Int::ONE)], Int::ZERO), Int::ONE), (&r, Int::ONE)]);
        is_clause(clause, &[&by_zero, &|l| equates(pool, l, true, n, &sum)])
    });
    let bounded = |s: i64, side: i64| {
        let size = sum(&[(&one, Int::ONE), (d, Int::from(-s))]);
        let limit = sum(&[(&r, Int::from(side)), (&size, Int::ONE)]);
        is_clause(clause, &[&|l| denied(l, &size), &|l| at_most(pool, l, &limit)])
    };
    whole || [1, -1].into_iter().any(|s| bounded(s, 1) || bounded(s, -1) || signed(s, &r, s, 0))
}

/// No machine has integers with more bits.
const MAX_BITS: u32 = 1 << 12;

/// The clauses about `id`, the bits common to `l` and `r`.
fn bit_and(pool: &Pool, axiom: &Axiom, clause: &[Literal], id: AtomId, l: &Linear, r: &Linear) -> bool {
    let this = linear_of(&[(id, Int::ONE)], Int::ZERO);
    let constant = |value: Int| linear_of(&[], value);
    // Each side is `t ≤ 0`; that of a constant has to be so, and has no literal.
    let implied = |sides: &[Linear], conclusion: &dyn Fn(Literal) -> bool| {
        let (constants, open): (Vec<&Linear>, Vec<&Linear>) = sides.iter().partition(|side| side.as_constant().is_some());
        let guards: Vec<_> = open.into_iter().map(|side| move |l: Literal| !l.positive && at_most(pool, !l, side)).collect();
        let patterns: Vec<&dyn Fn(Literal) -> bool> =
            guards.iter().map(|guard| guard as &dyn Fn(Literal) -> bool).chain([conclusion]).collect();
        constants.iter().all(|side| side.as_constant().is_some_and(|value| !value.is_positive())) && is_clause(clause, &patterns)
    };
    let natural = [negated(l), negated(r)];
    match *axiom {
        Axiom::AndBound(_) => {
            let below = |t: &Linear| sum(&[(&this, Int::ONE), (t, Int::MINUS_ONE)]);
            [negated(&this), below(l), below(r)].iter().any(|limit| implied(&natural, &|literal| at_most(pool, literal, limit)))
        }
        Axiom::AndWidth(_, width) if width <= MAX_BITS => {
            let most = &Int::ONE.shift_left(width) - &Int::ONE;
            let small = |t: &Linear| sum(&[(t, Int::ONE), (&constant(most.clone()), Int::MINUS_ONE)]);
            let [a, b] = natural;
            let limit = sum(&[(l, Int::ONE), (r, Int::ONE), (&this, Int::MINUS_ONE), (&constant(most.clone()), Int::MINUS_ONE)]);
            implied(&[a, b, small(l), small(r)], &|literal| at_most(pool, literal, &limit))
        }
        Axiom::AndSplit(_, bits) if bits <= MAX_BITS => {
            let size = Int::ONE.shift_left(bits);
            let says_so = |literal: Literal| {
                let atoms = atoms_of(pool, literal.formula);
                let [high, low] = [false, true].map(|low| part(pool, &atoms, l, r, &size, low));
                let (Some(high), Some(low)) = (high, low) else { return false };
                equates(pool, literal, true, &this, &sum(&[(&high, size.clone()), (&low, Int::ONE)]))
            };
            implied(&natural, &says_so)
        }
        _ => false,
    }
}

/// The bits common to the quotients by `size` of `l` and `r`, or to their remainders, as far as these atoms stand for them.
fn part(pool: &Pool, atoms: &[AtomId], l: &Linear, r: &Linear, size: &Int, low: bool) -> Option<Linear> {
    let of_constant = |t: &Linear| {
        let (quotient, remainder) = t.as_constant()?.div_rem_trunc(size)?;
        Some(if low { remainder } else { quotient })
    };
    if let (Some(a), Some(b)) = (of_constant(l), of_constant(r)) {
        return Some(linear_of(&[], a.bit_and(&b)));
    }
    if [l, r].into_iter().any(|t| of_constant(t).is_some_and(|value| value.is_zero())) {
        return Some(linear_of(&[], Int::ZERO));
    }
    let stands_for = |t: &Linear, whole: &Linear| match (of_constant(whole), t.terms()) {
        (Some(value), _) => t.as_constant() == Some(&value),
        (None, [(id, one)]) if one.is_one() && t.offset().is_zero() => match pool.atom(*id) {
            Atom::DivTrunc(n, d) => !low && n == whole && d.as_constant() == Some(size),
            Atom::RemTrunc(n, d) => low && n == whole && d.as_constant() == Some(size),
            _ => false,
        },
        _ => false,
    };
    let is_it = |id: &AtomId| match pool.atom(*id) {
        Atom::BitAnd(x, y) => stands_for(x, l) && stands_for(y, r) || stands_for(x, r) && stands_for(y, l),
        _ => false,
    };
    atoms.iter().copied().find(is_it).map(|id| linear_of(&[(id, Int::ONE)], Int::ZERO))
}

/// The atoms of an atomic formula.
fn atoms_of(pool: &Pool, formula: FormulaId) -> Vec<AtomId> {
    match pool.formula(formula) {
        Formula::Le(term) | Formula::Eq(term) => term.terms().iter().map(|term| term.0).collect(),
        _ => Vec::new(),
    }
}

/// Whether the clause's literals match the patterns one to one, in some order (or one literal all of them).
fn is_clause(clause: &[Literal], patterns: &[&dyn Fn(Literal) -> bool]) -> bool {
    clause.iter().all(|&l| patterns.iter().any(|pattern| pattern(l))) && patterns.iter().all(|pattern| clause.iter().any(|&l| pattern(l)))
}

/// Whether the literal says `left = right` (or, not positive, `left ≠ right`).
fn equates(pool: &Pool, l: Literal, positive: bool, left: &Linear, right: &Linear) -> bool {
    let difference = sum(&[(left, Int::ONE), (right, Int::MINUS_ONE)]);
    l.positive == positive
        && match pool.formula(l.formula) {
            Formula::Eq(term) => *term == difference || negated(term) == difference,
            Formula::True => difference.as_constant().is_some_and(Int::is_zero),
            Formula::False => difference.as_constant().is_some_and(|value| !value.is_zero()),
            _ => false,
        }
}

/// Whether the literal says `select atom = inner[index]`, the latter an atom or what reading over writes at provably
/// equal or different indices gives.
fn reads_same(pool: &Pool, l: Literal, select: AtomId, mut inner: crate::logic::ArrayTermId, index: &Linear) -> bool {
    let this = linear_of(&[(select, Int::ONE)], Int::ZERO);
    loop {
        match pool.array(inner) {
            ArrayTerm::Constant(value) => return equates(pool, l, true, &this, &linear_of(&[], value.clone())),
            ArrayTerm::Store(next, at, value) => {
                let difference = sum(&[(at, Int::ONE), (index, Int::MINUS_ONE)]);
                match difference.as_constant() {
                    Some(zero) if zero.is_zero() => return equates(pool, l, true, &this, value),
                    Some(_) => inner = *next,
                    None => break,
                }
            }
            ArrayTerm::Symbol(_) => break,
        }
    }
    let reads = |id: AtomId| matches!(pool.atom(id), Atom::Select(array, at) if *array == inner && at == index);
    atoms_of(pool, l.formula).into_iter().any(|id| reads(id) && equates(pool, l, true, &this, &linear_of(&[(id, Int::ONE)], Int::ZERO)))
}

/// Whether the literal says `coefficient · atom + constant ≤ 0`.
fn bounds(pool: &Pool, l: Literal, atom: AtomId, coefficient: i64, constant: i64) -> bool {
    at_most(pool, l, &linear_of(&[(atom, Int::from(coefficient))], Int::from(constant)))
}

/// Whether the literal says `term ≤ 0`.
fn at_most(pool: &Pool, l: Literal, term: &Linear) -> bool {
    l.positive
        && match pool.formula(l.formula) {
            Formula::Le(t) => t == term,
            Formula::True => term.as_constant().is_some_and(|value| !value.is_positive()),
            Formula::False => term.as_constant().is_some_and(Int::is_positive),
            _ => false,
        }
}

/// Whether the derivation turns the clause's negated literals into a contradiction.
fn linear(pool: &Pool, steps: &[LinearStep], clause: &[Literal]) -> Result<(), Rejection> {
    let mut lines: Vec<Linear> = Vec::with_capacity(steps.len());
    for step in steps {
        let line = match step {
            LinearStep::Literal(l) | LinearStep::Opposite(l) if !clause.contains(&!*l) => {
                return reject("an inequality is not among the clause's negations");
            }
            LinearStep::Opposite(l) => match pool.formula(l.formula) {
                Formula::Eq(term) if l.positive => negated(term),
                _ => return reject("not an equality"),
            },
            LinearStep::Literal(l) => match pool.formula(l.formula) {
                Formula::Le(term) | Formula::Eq(term) if l.positive => term.clone(),
                Formula::Le(term) => sum(&[(term, Int::MINUS_ONE), (&linear_of(&[], Int::ONE), Int::ONE)]),
                _ => return reject("not an inequality"),
            },
            LinearStep::Combine(parts) => {
                let mut terms = Vec::with_capacity(parts.len());
                for (line, factor) in parts {
                    match lines.get(*line as usize) {
                        _ if factor.is_negative() => return reject("a negative factor"),
                        Some(term) => terms.push((term, factor.clone())),
                        None => return reject("a line that is not there yet"),
                    }
                }
                sum(&terms)
            }
            LinearStep::Divide(line, divisor) => match lines.get(*line as usize) {
                _ if !divisor.is_positive() => return reject("a divisor that is not positive"),
                Some(term) if term.terms().iter().all(|(_, c)| c.is_multiple_of(divisor)) => divided(term, divisor),
                Some(_) => return reject("the divisor does not divide every coefficient"),
                None => return reject("a line that is not there yet"),
            },
        };
        lines.push(line);
    }
    match lines.last().and_then(Linear::as_constant) {
        Some(constant) if constant.is_positive() => Ok(()),
        _ => reject("the last line is not a contradiction"),
    }
}

// Arithmetic on terms, on purpose not the solver's.

fn linear_of(terms: &[(AtomId, Int)], constant: Int) -> Linear {
    Linear::new(terms.to_vec(), constant)
}

fn sum(parts: &[(&Linear, Int)]) -> Linear {
    let mut constant = Int::ZERO;
    let mut summands: Vec<(AtomId, Int)> = Vec::new();
    for (term, factor) in parts {
        constant += &(term.offset() * factor);
        summands.extend(term.terms().iter().map(|(atom, coefficient)| (*atom, coefficient * factor)));
    }
    Linear::new(summands, constant)
}

fn negated(term: &Linear) -> Linear {
    sum(&[(term, Int::MINUS_ONE)])
}

/// `d·t + c ≤ 0` over the integers gives `t + ⌈c/d⌉ ≤ 0`.
fn divided(term: &Linear, divisor: &Int) -> Linear {
    let floor = |value: &Int| value.div_floor(divisor).unwrap_or_default();
    Linear::new(term.terms().iter().map(|(atom, c)| (*atom, floor(c))).collect(), -floor(&-term.offset()))
}
