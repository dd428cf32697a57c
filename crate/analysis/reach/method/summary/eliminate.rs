//! Looping conditions without quantifiers, by elimination.
//!
//! Source: ST12, lines 11 to 17 of Algorithm 2 and Section 4, where quantifiers are left to the solver or weakened to `φ̂^K`. Of each kind
//! `i` of rounds the looping condition says
//!
//! ```text
//! ψᵢ = ∀ τᵢ (0 ≤ τᵢ < κᵢ → ρᵢ)    with    ρᵢ = ∃ τⱼ (0 ≤ τⱼ ≤ κⱼ for j ≠ i, and ∃ κ' γᵢ)
//! ```
//!
//! Here the rounds of kind `j` before the last one of kind `i` ([`super::EarlierRounds`]) are the bound of `τⱼ`, since no round of kind `i` comes
//! later; these are at most `κⱼ`.
//!
//! 1. `γᵢ` is what a round of the kind says after `τ` rounds of each kind. Symbols that belong to this moment alone (what no term
//!    expresses, counters of inner loops, drawn values) are `κ'`. The ranges of types stay out: they hold at each moment, and with them all
//!    bounds double.
//! 2. The projection ([`crate::solver::projection`]) eliminates `κ'`, then all `τⱼ`: `ρᵢ` without quantifiers.
//! 3. `∀` is `¬∃¬`: the projection of `0 ≤ τᵢ < κᵢ ∧ ¬ρᵢ` onto `κ` and the values before the first round, negated.
//!
//! Each part of the result is a fact of the summary. A round keeps it: `ψᵢ` for one round more asks for one more instance, and that is what
//! the round itself satisfies. So it serves as an invariant as it is.
//!
//! DIVERGENCE: where the first projection is not exact, it says less than `ρᵢ`; where the second is not, an under-approximation takes
//! its place, and its negation says less than `ψᵢ`. Both ways what is left is necessary.
//!
//! Termination, complexity: the projection ends, each kind pays for it from a budget of its own, and what exceeds that is left out.

use super::{KINDS, Summary};
use crate::analysis::reach::method::effect::StateValues;
use crate::analysis::reach::method::program::SummarizedProgram;
use crate::logic::substitution::Substitution;
use crate::logic::{Atom, AtomId, Formula, FormulaId, Linear, Mentions, Pool, SortedSet, SymbolId};
use crate::lts::{ArrayId, VariableId};
use crate::solver::meter::Meter;
use crate::solver::projection::{Precision, Projection, ProjectionGoal, project};

/// Steps of the projections of one kind of rounds.
const STEPS: u64 = 20_000;
/// Larger results are left out: what they say costs more than it helps.
const SIZE: usize = 120;

/// The looping condition of a kind of rounds, with its quantifiers.
#[derive(Clone, Debug)]
pub struct Quantified {
    /// `τᵢ`, and its bound `κᵢ`.
    pub turn: AtomId,
    pub most: Linear,
    /// `τⱼ` with its bound, for the other kinds.
    pub others: Vec<(AtomId, Linear)>,
    /// `γᵢ`.
    pub round: Vec<FormulaId>,
    /// `κ'`.
    pub own: Vec<SymbolId>,
}

impl Quantified {
    /// Step 1 for a kind of rounds; `None` where a divisor becomes 0.
    pub fn of(program: &SummarizedProgram, pool: &mut Pool, summary: &Summary, kind: usize) -> Option<Quantified> {
        let lts = program.lts;
        let counters: Vec<AtomId> = summary.rounds.iter().map(|round| round.counter).collect();
        let turns: Vec<Linear> = (0..counters.len()).map(|other| pool.integer(&format!("@τ{other}∀{}", summary.node))).collect();
        // What belongs to the moment after all rounds is something else before this one.
        let left = summary.left.iter().map(|left| left.symbol).chain(summary.before.iter().map(|before| before.symbol));
        let left: Vec<AtomId> = left.chain(summary.totals.iter().map(|total| total.symbol)).collect();
        let renamed: Vec<(AtomId, Linear)> = left.into_iter().map(|symbol| (symbol, renamed(pool, symbol))).collect();
        let others: SortedSet<SymbolId> = renamed.iter().filter_map(|(_, other)| symbol(pool, other.terms()[0].0)).collect();
        let mut then = Substitution::of(counters.iter().copied().zip(turns.iter().cloned())).and_atoms(renamed);
        let mut state = summary.memory.clone();
        for id in (0..lts.variables.len() as u32).map(VariableId) {
            let value = then.term(pool, summary.memory.variable(id))?;
            state.set_variable(id, value);
        }
        let mut values = StateValues::of(lts, pool, &state);
        let mut round: Vec<FormulaId> = Vec::new();
        let effect = &summary.rounds[kind].effect;
        let said = effect.decided.iter().chain(&effect.defined).chain(&effect.facts);
        round.extend(said.map(|&part| values.formula(pool, part)));
        let mut definitions = Vec::new();
        for &definition in &summary.definitions {
            definitions.push(then.formula(pool, definition)?);
        }
        add_needed(pool, &mut round, definitions, &others);
        round.retain(|&part| part != Pool::TRUE);
        // Kept are the values before the first round, all counters, and `τ`.
        let variables = lts.variables.iter().map(|variable| &variable.name);
        let arrays = lts.arrays.iter().map(|array| &array.name).enumerate();
        let arrays: Vec<_> = arrays.map(|(index, name)| (name, summary.memory.array(ArrayId(index as u32)))).collect();
        let arrays = arrays.into_iter().filter_map(|(name, array)| (array == pool.array_symbol(name)).then_some(name));
        let names: Vec<&String> = variables.chain(arrays).collect();
        let mut kept: SortedSet<SymbolId> = names.into_iter().map(|name| pool.symbol(name)).collect();
        kept.extend(counters.iter().copied().chain(turns.iter().map(|turn| turn.terms()[0].0)).filter_map(|atom| symbol(pool, atom)));
        let bound = |other: usize| {
            let before = summary.before.iter().find(|before| (before.last, before.counted) == (kind, other));
            before.map_or(counters[other], |before| before.symbol)
        };
        let own = Mentions::of(pool, &round, &[]).symbols.into_iter().filter(|symbol| !kept.contains(symbol)).collect();
        let others = (0..counters.len()).filter(|&other| other != kind);
        let others = others.map(|other| (turns[other].terms()[0].0, Linear::atom(bound(other)))).collect();
        Some(Quantified { turn: turns[kind].terms()[0].0, most: Linear::atom(counters[kind]), others, round, own })
    }

    /// Steps 2 and 3; `None` where that takes too many steps or says nothing.
    pub fn eliminated(&self, pool: &mut Pool, meter: &mut Meter) -> Option<Projection> {
        let zero = Linear::default();
        // One after the other: what is left of the symbols of the round alone has fewer cases.
        let once = project(pool, &self.round, &self.own, ProjectionGoal::Exact, meter).ok()?;
        let (mut inner, mut bound) = (vec![once.formula], Vec::new());
        for (turn, most) in &self.others {
            let turned = Linear::atom(*turn);
            inner.extend([pool.at_most(&zero, &turned), pool.at_most(&turned, most)]);
            bound.extend(symbol(pool, *turn));
        }
        let some = project(pool, &inner, &bound, ProjectionGoal::Exact, meter).ok()?;
        if some.formula == Pool::TRUE {
            return None;
        }
        let turned = Linear::atom(self.turn);
        let outer = [pool.at_most(&zero, &turned), pool.less(&turned, &self.most), pool.not(some.formula)];
        let turn: Vec<SymbolId> = symbol(pool, self.turn).into_iter().collect();
        let mut none = project(pool, &outer, &turn, ProjectionGoal::Exact, meter).ok()?;
        if none.precision != Precision::Exact {
            none = project(pool, &outer, &turn, ProjectionGoal::Under, meter).ok()?;
        }
        let is_exact = once.precision == Precision::Exact && some.precision == Precision::Exact && none.precision == Precision::Exact;
        let precision = if is_exact { Precision::Exact } else { Precision::Over };
        Some(Projection { formula: pool.not(none.formula), precision })
    }
}

/// The looping conditions of a summary without quantifiers, in parts; without what cannot be had so.
pub(super) fn looping(program: &SummarizedProgram, pool: &mut Pool, summary: &Summary, meter: &mut Meter) -> Vec<FormulaId> {
    let mut found = Vec::new();
    for kind in 0..summary.rounds.len().min(KINDS) {
        let eliminated = meter
            .within(STEPS, |meter| Quantified::of(program, pool, summary, kind).and_then(|quantified| quantified.eliminated(pool, meter)));
        let Some(Projection { formula, .. }) = eliminated else { continue };
        match pool.formula(formula) {
            Formula::And(parts) => found.extend(parts.iter().copied()),
            _ => found.push(formula),
        }
    }
    found.retain(|&part| part != Pool::TRUE && pool.size(part, SIZE) < SIZE);
    found
}

fn symbol(pool: &Pool, atom: AtomId) -> Option<SymbolId> {
    match *pool.atom(atom) {
        Atom::Symbol(symbol) => Some(symbol),
        _ => None,
    }
}

/// Adds the definitions of those of these symbols of which the formulas speak, and of which these definitions speak, and so on.
fn add_needed(pool: &Pool, formulas: &mut Vec<FormulaId>, definitions: Vec<FormulaId>, symbols: &SortedSet<SymbolId>) {
    let of = |formulas: &[FormulaId]| -> SortedSet<SymbolId> {
        Mentions::of(pool, formulas, &[]).symbols.into_iter().filter(|symbol| symbols.contains(symbol)).collect()
    };
    let mut needed = of(formulas);
    let mut left: Vec<(FormulaId, SortedSet<SymbolId>)> = definitions.into_iter().map(|one| (one, of(&[one]))).collect();
    loop {
        let before = formulas.len();
        left.retain(|(definition, about)| {
            let is_needed = about.is_empty() || !about.is_disjoint(&needed);
            if is_needed {
                formulas.push(*definition);
                needed.extend(about.iter().copied());
            }
            !is_needed
        });
        if formulas.len() == before {
            break;
        }
    }
}

/// The symbol for the same at another moment.
fn renamed(pool: &mut Pool, atom: AtomId) -> Linear {
    let name = symbol(pool, atom).map(|symbol| format!("{}∀", pool.symbol_name(symbol))).unwrap_or_default();
    pool.integer(&name)
}
