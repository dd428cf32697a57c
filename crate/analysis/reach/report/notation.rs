//! Summaries and conditions in the notation of mathematics, with the paper's letters.

use super::{ReachRound, ReachSummary, ReachValue};
use crate::analysis::reach::method::effect::{Looped, StateValues, WayEffect};
use crate::analysis::reach::method::program::SummarizedProgram;
use crate::analysis::reach::method::summary::{Rule, Summary};
use crate::evidence::numbers;
use crate::logic::rank::FloatFormat;
use crate::logic::substitution::Substitution;
use crate::logic::text::FormulaWriter;
use crate::logic::{Atom, AtomId, FormulaId, Linear, Mentions, Pool};
use crate::lts::{EdgeId, VariableId};
use crate::source::LineIndex;
use crate::symex::State;
use std::cell::Cell;

/// Writes what an analysis knows of a program.
pub struct Notation<'n, 'a> {
    pub program: &'n SummarizedProgram<'a>,
    pub lines: &'n LineIndex,
    /// In place of `∀`: the rounds that are written out.
    pub written: Option<WrittenRounds>,
}

/// Rounds that are written out, from the first of each kind on.
#[derive(Debug)]
pub struct WrittenRounds {
    /// `K`.
    pub most: u32,
    /// How many rounds there is room for.
    pub left: Cell<u32>,
}

impl WrittenRounds {
    /// Gives whether there is room for one more, which is taken then.
    fn take(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }
}

impl Notation<'_, '_> {
    fn writer<'p>(&self, pool: &'p Pool) -> FormulaWriter<'p> {
        FormulaWriter::new(pool, &named, |_| false)
    }

    fn formula(&self, pool: &Pool, formula: FormulaId) -> String {
        in_mathematics(&self.writer(pool).formula(formula))
    }

    fn term(&self, pool: &Pool, term: &Linear) -> String {
        in_mathematics(&self.writer(pool).sum(term))
    }

    /// A conjunction; without the parts of which nothing is known.
    fn all(&self, pool: &Pool, parts: &[FormulaId]) -> String {
        let conditions: Vec<FormulaId> = parts.iter().copied().filter(|&part| part != Pool::TRUE).collect();
        let parts: Vec<String> = match conditions[..] {
            [only] => vec![self.formula(pool, only)],
            _ => self.writer(pool).conjuncts(&conditions).iter().map(|part| in_mathematics(part)).collect(),
        };
        if parts.is_empty() { "true".to_owned() } else { parts.join(" ∧ ") }
    }

    fn lines(&self, edges: &[EdgeId]) -> Vec<u32> {
        edges.iter().map(|&edge| self.lines.line(self.program.lts.graph[edge].span.start)).collect()
    }

    /// The edges and lines of a way.
    pub fn way(&self, edges: &[EdgeId]) -> (Vec<u32>, Vec<u32>) {
        let mut lines = self.lines(edges);
        lines.dedup();
        (numbers(edges), lines)
    }

    /// A loop summary, for people.
    pub fn summary(&self, pool: &mut Pool, summary: &Summary) -> ReachSummary {
        let location = self.program.tree.nodes[summary.node].location;
        let first = self.program.lts.outgoing(location)[0].0;
        let rounds = summary.rounds.iter().map(|round| {
            let mut edges: Vec<EdgeId> = self.program.tree.way(summary.node, round.end.node).into_iter().map(|(edge, _)| edge).collect();
            edges.push(round.end.edge);
            let (edges, lines) = self.way(&edges);
            let counter = self.term(pool, &Linear::atom(round.counter));
            ReachRound { counter, edges, lines, condition: self.condition(pool, &round.effect) }
        });
        let rounds = rounds.collect();
        let lts = self.program.lts;
        let changed = (0..lts.variables.len()).filter(|&index| summary.rules[index] != Rule::Unchanged);
        let values = changed.map(|index| {
            let value = summary.memory.variable(VariableId(index as u32));
            let is_known = summary.rules[index] != Rule::Unknown;
            let value = match summary.rules[index] {
                Rule::Set => {
                    let symbol = value.terms()[0].0;
                    let about = summary.definitions.iter().copied().find(|&part| Mentions::of(pool, &[part], &[]).atoms.contains(&symbol));
                    about.map_or_else(|| "★".to_owned(), |about| format!("{} where {}", self.term(pool, value), self.formula(pool, about)))
                }
                Rule::Unknown => "★".to_owned(),
                _ if let Some(value) = value.as_constant() => FloatFormat::value_text(value, lts.variables[index].range),
                _ => self.term(pool, value),
            };
            ReachValue { name: lts.variables[index].name.clone(), value, is_known }
        });
        let values = values.collect();
        let before = State::of_symbols(lts, pool, str::to_owned);
        let looping_condition = self.looping(pool, summary, &before);
        let uniform = summary.uniform.is_some();
        ReachSummary { line: self.lines.line(lts.graph[first].span.start), rounds, values, looping_condition, uniform }
    }

    /// An abstract path condition, without that values lie in the ranges of their types.
    pub fn condition(&self, pool: &mut Pool, effect: &WayEffect) -> String {
        let mut text = self.all(pool, &effect.decided);
        for Looped { node, before } in &effect.loops {
            let Some(summary) = self.program.summaries[*node].clone() else { continue };
            for part in self.looping(pool, &summary, before) {
                text = if text == "true" { part } else { format!("{text} ∧ {part}") };
            }
        }
        text
    }

    /// A condition with its counters bound.
    pub fn bound(&self, pool: &mut Pool, effect: &WayEffect) -> String {
        let counters: Vec<String> = (effect.loops.iter())
            .filter_map(|looped| self.program.summaries[looped.node].clone())
            .flat_map(|summary| summary.rounds.iter().map(|round| round.counter).collect::<Vec<_>>())
            .map(|counter| self.term(pool, &Linear::atom(counter)))
            .collect();
        let condition = self.condition(pool, effect);
        if counters.is_empty() { condition } else { format!("∃ {} ≥ 0 ({condition})", counters.join(", ")) }
    }

    /// The drawn values of which formulas speak: each round has its own.
    fn drawn(&self, pool: &Pool, formulas: &[FormulaId]) -> Vec<String> {
        let symbols = Mentions::of(pool, formulas, &[]).symbols;
        symbols.iter().map(|&symbol| pool.symbol_name(symbol)).filter(|name| name.starts_with("nondet#")).map(str::to_owned).collect()
    }

    /// The looping condition of a loop that is entered with these values: a part for each kind of rounds that says anything, or for each
    /// round of a kind.
    fn looping(&self, pool: &mut Pool, summary: &Summary, before: &State) -> Vec<String> {
        let counters: Vec<AtomId> = summary.rounds.iter().map(|round| round.counter).collect();
        // `τ` for `κ`, in what variables are before a round.
        let turned = |pool: &mut Pool, end: &str| -> Vec<Linear> {
            let turned = counters.iter().map(|&counter| {
                let name = match pool.atom(counter) {
                    Atom::Symbol(symbol) => pool.symbol_name(*symbol).replace('κ', "τ"),
                    _ => "@τ".to_owned(),
                };
                pool.integer(&format!("{name}{end}"))
            });
            turned.collect()
        };
        let mut parts = Vec::new();
        for kind in 0..counters.len() {
            let most = self.term(pool, &Linear::atom(counters[kind]));
            let Some(written) = &self.written else {
                let turned = turned(pool, "");
                if let Some((others, said)) = self.one_round(pool, summary, before, kind, &turned) {
                    let own = self.term(pool, &turned[kind]);
                    let said = match others.as_slice() {
                        [] => said,
                        _ => {
                            let (names, bounds): (Vec<String>, Vec<String>) = others.into_iter().unzip();
                            format!("∃ {} ({} ∧ {said})", names.join(", "), bounds.join(" ∧ "))
                        }
                    };
                    parts.push(format!("∀ {own} (0 ≤ {own} < {most} → {said})"));
                }
                continue;
            };
            for number in 0..written.most {
                let mut turned = turned(pool, &format!("⁽{}⁾", raised(number)));
                turned[kind] = Linear::constant(u64::from(number));
                let Some((others, said)) = self.one_round(pool, summary, before, kind, &turned) else { break };
                if !written.take() {
                    parts.push("…".to_owned());
                    break;
                }
                let bounds: String = others.into_iter().map(|(_, bound)| format!("{bound} ∧ ")).collect();
                parts.push(format!("({number} < {most} → {bounds}{said})"));
            }
        }
        parts
    }

    /// What a round of a kind takes with so many rounds of each kind before it: the names and bounds of the numbers of the other kinds,
    /// and the rest; `None` if that says nothing.
    fn one_round(
        &self,
        pool: &mut Pool,
        summary: &Summary,
        before: &State,
        kind: usize,
        turned: &[Linear],
    ) -> Option<(Vec<(String, String)>, String)> {
        let lts = self.program.lts;
        let counters = summary.rounds.iter().map(|round| round.counter);
        let mut entry = StateValues::of(lts, pool, before);
        let mut turn = Substitution::of(counters.clone().zip(turned.iter().cloned()));
        let mut state = before.clone();
        for index in 0..lts.variables.len() as u32 {
            let value = turn.term(pool, summary.memory.variable(VariableId(index))).unwrap_or_default();
            let value = entry.term(pool, &value);
            state.set_variable(VariableId(index), value);
        }
        let mut after = StateValues::of(lts, pool, &state);
        let round = &summary.rounds[kind];
        let decided: Vec<FormulaId> = round.effect.decided.iter().map(|&part| after.formula(pool, part)).collect();
        let mut inner = WayEffect { decided, loops: Vec::new(), ..round.effect.clone() };
        for looped in &round.effect.loops {
            let mut composed = state.clone();
            for index in 0..lts.variables.len() as u32 {
                let value = after.term(pool, looped.before.variable(VariableId(index)));
                composed.set_variable(VariableId(index), value);
            }
            inner.loops.push(Looped { node: looped.node, before: composed.into() });
        }
        let said = self.bound(pool, &inner);
        if said == "true" {
            return None;
        }
        let drawn = self.drawn(pool, &inner.decided);
        let said = if drawn.is_empty() { said } else { format!("∃ {} ({said})", drawn.join(", ")) };
        let others = counters.zip(turned).enumerate().filter(|(other, _)| *other != kind).map(|(_, (counter, turned))| {
            let (name, count) = (self.term(pool, turned), self.term(pool, &Linear::atom(counter)));
            let bound = format!("0 ≤ {name} ≤ {count}");
            (name, bound)
        });
        Some((others.collect(), said))
    }
}

/// A number in raised digits.
fn raised(number: u32) -> String {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    number.to_string().chars().filter_map(|digit| digits.get(digit.to_digit(10)? as usize)).collect()
}

/// Symbols of the analysis without what keeps them apart from the program's.
fn named(writer: &FormulaWriter, atom: crate::logic::AtomId) -> Option<String> {
    match writer.pool.atom(atom) {
        Atom::Symbol(symbol) => {
            let own = writer.pool.symbol_name(*symbol).strip_prefix('@')?;
            // Totals and counters have names that nothing else has.
            let is_counted = |name: &str| name.starts_with('Σ') || name.contains('|');
            Some(match own.split_once('@') {
                Some((name, parameter)) if !is_counted(name) => format!("{name}★{parameter}"),
                Some((name, _)) => name.to_owned(),
                None => own.to_owned(),
            })
        }
        _ => None,
    }
}

/// The same with the signs of mathematics.
fn in_mathematics(text: &str) -> String {
    let signs = [
        (" <= ", " ≤ "),
        (" == ", " = "),
        (" != ", " ≠ "),
        (" && ", " ∧ "),
        (" || ", " ∨ "),
        (" * ", " · "),
        ("!(", "¬("),
        ("!isnan", "¬isnan"),
    ];
    signs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}
