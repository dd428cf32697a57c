//! Certificates: why a set of formulas cannot hold together, in steps that a small checker can follow.
//!
//! A certificate is a list of *clauses*, each with its justification, after which unit propagation from the refuted
//! formulas alone reaches a contradiction. A clause is a set of literals (formulas or negations) of which at least one
//! holds under every assignment. The meaning of each step is exact:
//!
//! | step | the clause holds because |
//! |---|---|
//! | [`Step::Definition`] | of what `And`, `Or`, `Eq`, `True` mean, for the one formula named |
//! | [`Step::Theory`] | it is an instance of an [`Axiom`] about arrays, division, truth values or products |
//! | [`Step::Linear`] | the negations of its literals, as inequalities, add up to `k ≤ 0` with `k > 0` |
//! | [`Step::Derived`] | denying all its literals leads by unit propagation over the earlier clauses named to a contradiction |
//!
//! An inequality derivation ([`LinearStep`]) starts from the clause's negated literals and may add lines with
//! non-negative factors and divide a line by a common divisor of its coefficients, rounding the constant up (Gomory,
//! Chvátal): over the integers `d·t + c ≤ 0` gives `t + ⌈c/d⌉ ≤ 0`. Splits `x ≤ k ∨ x ≥ k+1` need no rule: the two sides are
//! the two literals of one formula.

use crate::logic::{AtomId, FormulaId, Int};

/// A formula (never a `Not`) or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    pub formula: FormulaId,
    pub positive: bool,
}

impl std::ops::Not for Literal {
    type Output = Literal;
    fn not(self) -> Literal {
        Literal { positive: !self.positive, ..self }
    }
}

/// A clause with its justification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub clause: Vec<Literal>,
    pub step: Step,
}

/// Why a clause holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// By the meaning of the formula's connective.
    Definition(FormulaId),
    /// As an instance of an axiom.
    Theory(Axiom),
    /// By linear arithmetic over the integers: the last line is a positive constant `≤ 0`.
    Linear(Vec<LinearStep>),
    /// By unit propagation over these lines, all before it; in a good order one pass over them is enough.
    Derived(Vec<u32>),
}

/// Axioms about atoms that linear arithmetic cannot look into.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Axiom {
    /// `i ≠ j ∨ select(store(a, i, v), j) = v`, for the atom that is this select.
    ReadHit(AtomId),
    /// `i = j ∨ select(store(a, i, v), j) = select(a, j)`.
    ReadMiss(AtomId),
    /// `i ≠ j ∨ select(a, i) = select(a, j)`, for the two select atoms.
    ReadCongruence(AtomId, AtomId),
    /// `φ ∨ t ≤ 0` and `¬φ ∨ t ≥ 1` and `t ≥ 0` and `t ≤ 1`, for `t` the truth value of `φ`.
    Truth(AtomId),
    /// One of the clauses that define quotient and remainder by a constant `d ≠ 0` rounded towards zero, for the quotient's atom:
    /// `n = d·q + r`; `r ≤ |d|-1`; `-r ≤ |d|-1`; `n ≥ 0 ∨ r ≤ 0`; `n ≤ 0 ∨ r ≥ 0`.
    Division(AtomId),
    /// `p = Σ c_i·d_j·(a_i·b_j) + l₀·Σ d_j·b_j + r₀·Σ c_i·a_i + l₀·r₀`, for the product `p` of `l = Σ c_i·a_i + l₀` and
    /// `r = Σ d_j·b_j + r₀`; each `a_i·b_j` is the atom of that product, and those whose factors cancel are left out.
    Expansion(AtomId),
    /// `p ≥ (2a+1)·x - a(a+1)` for the product `p` of `x` and `x`, since `(x - a)(x - a - 1) ≥ 0` over the integers.
    Secant(AtomId, Int),
    /// `l ≠ a ∨ p = a·r` or `r ≠ a ∨ p = a·l`, for the product `p` of `l` and `r`.
    ProductValue(AtomId, Int),
    /// For the product `p` of `l` and `r`, with `t = b·l + a·r - a·b`, one of `l ≥ a ∧ r ≥ b ⇒ p ≥ t`, `l ≤ a ∧ r ≤ b ⇒ p ≥ t`,
    /// `l ≥ a ∧ r ≤ b ⇒ p ≤ t`, `l ≤ a ∧ r ≥ b ⇒ p ≤ t`: what `(l - a)(r - b)` being on one side of 0 says.
    Tangent(AtomId, Int, Int),
    /// One of the clauses that define quotient `q` and remainder `r` by a term `d`, for the quotient's atom, with `p` the
    /// product of `d` and `q`, and twice with `s` = 1 or -1: `d ≠ 0 ⇒ n = p + r`; `s·d ≥ 1 ⇒ r ≤ s·d - 1`; `s·d ≥ 1 ⇒ -r ≤ s·d - 1`;
    /// `d ≠ 0 ∧ s·n ≤ 0 ⇒ s·r ≤ 0`; `d ≠ 0 ∧ s·n ≤ 0 ⇒ q ≤ -s·n`; `d ≠ 0 ∧ s·n ≤ 0 ⇒ -q ≤ -s·n`.
    QuotientByTerm(AtomId),
    /// For `a`, the bits common to `l` and `r`: `l ≥ 0 ∧ r ≥ 0` implies `a ≥ 0`, `a ≤ l`, and `a ≤ r`. A constant has no guard here and below.
    AndBound(AtomId),
    /// `0 ≤ l ≤ 2^w - 1 ∧ 0 ≤ r ≤ 2^w - 1 ⇒ a ≥ l + r - 2^w + 1`, for this `w`: what has a one in either has at most `w` bits.
    AndWidth(AtomId, u32),
    /// `l ≥ 0 ∧ r ≥ 0 ⇒ a = 2^k·(l div 2^k & r div 2^k) + (l mod 2^k & r mod 2^k)`, for this `k`.
    AndSplit(AtomId, u32),
}

/// A line of an inequality derivation: each stands for `term ≤ 0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinearStep {
    /// The inequality of a literal whose negation stands in the clause: of `Le(t)` it is `t ≤ 0`, of its negation
    /// `1 - t ≤ 0`.
    ///
    /// Of `Eq(t)`, not negated, it is `t ≤ 0`.
    Literal(Literal),
    /// The other half of an equality: of `Eq(t)`, not negated, whose negation stands in the clause, `-t ≤ 0`.
    Opposite(Literal),
    /// The sum of earlier lines, each multiplied by a factor that is not negative.
    Combine(Vec<(u32, Int)>),
    /// An earlier line divided by a positive common divisor of its coefficients, the constant rounded up.
    Divide(u32, Int),
}

/// A refutation of the formulas it is checked against.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    pub lines: Vec<Line>,
}
