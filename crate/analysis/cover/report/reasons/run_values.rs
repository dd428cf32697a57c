//! The values that the parts of a condition have where it is decided, by runs: the one run of a program without inputs, or the runs on all
//! inputs of a program with few.

use super::names::ReasonNames;
use super::values::{ValuesHere, told_value, value_text};
use crate::evidence::determined::RunListener;
use crate::evidence::enumerated::{EveryRun, MAX_STEPS};
use crate::interp::{Input, Machine, Outcome, RunState, Watch};
use crate::logic::Int;
use crate::lts::{BinaryOp, EdgeId, Expr, Label, LocationId, Lts, VariableId, text};
use std::ops::ControlFlow;

/// So many values are listed; of more the number is told.
const VALUES: usize = 24;
/// So many values that follow each other are listed; more are a range.
const LISTED: usize = 8;
/// So many ranges of values are kept apart; of more the least and the greatest value are known.
const RANGES: usize = 1_000;
/// How many edges a run may be followed along.
const LONGEST_RUN: u64 = 1_000_000;

/// The variables and elements of arrays that a condition reads; of two that it compares with each other their difference comes last.
fn parts(condition: &Expr) -> Vec<Expr> {
    let mut found: Vec<Expr> = Vec::new();
    outermost(condition, &mut found);
    found.extend(compared(condition).map(|(left, right)| Expr::Binary(BinaryOp::Sub, Box::new(left.clone()), Box::new(right.clone()))));
    found
}

/// Adds the variables and elements that an expression reads, without those of the indices.
fn outermost(e: &Expr, found: &mut Vec<Expr>) {
    match e {
        _ if is_plain(e) && found.contains(e) => {}
        _ if is_plain(e) => found.push(e.clone()),
        _ => e.children(&mut |child| outermost(child, found)),
    }
}

fn is_plain(part: &Expr) -> bool {
    matches!(part, Expr::Var(_) | Expr::Read(..))
}

/// The variables or elements that a condition compares with each other.
fn compared(condition: &Expr) -> Option<(&Expr, &Expr)> {
    match condition {
        Expr::Compare(_, left, right) if is_plain(left) && is_plain(right) && left != right => Some((left, right)),
        _ => None,
    }
}

/// The values that a part of a condition had.
#[derive(Default)]
struct SeenValues {
    /// Ranges, in their order, with other values between them.
    ranges: Vec<(Int, Int)>,
    /// Whether there were more ranges; then one range holds all of them.
    is_hull: bool,
    /// Whether some value is not known.
    is_unknown: bool,
}

impl SeenValues {
    fn add(&mut self, least: Int, greatest: Int) {
        // The ranges that this one meets or touches become one with it.
        let from = self.ranges.partition_point(|(_, last)| last + &Int::ONE < least);
        let to = self.ranges.partition_point(|(first, _)| first <= &(&greatest + &Int::ONE));
        let met = &self.ranges[from..to.max(from)];
        if let [(first, last)] = met
            && *first <= least
            && greatest <= *last
        {
            return;
        }
        let least = met.first().map_or(&least, |(first, _)| first.min(&least)).clone();
        let greatest = met.last().map_or(&greatest, |(_, last)| last.max(&greatest)).clone();
        self.ranges.splice(from..to.max(from), [(least, greatest)]);
        if self.is_hull || self.ranges.len() > RANGES {
            let (least, greatest) = (self.ranges[0].0.clone(), self.ranges[self.ranges.len() - 1].1.clone());
            (self.ranges, self.is_hull) = (vec![(least, greatest)], true);
        }
    }

    /// Whether some values of each are neither all less nor all greater than those of the other.
    fn meets(&self, other: &SeenValues) -> bool {
        let ends = |seen: &SeenValues| Some((seen.ranges.first()?.0.clone(), seen.ranges.last()?.1.clone()));
        ends(self).zip(ends(other)).is_some_and(|(one, other)| one.0 <= other.1 && other.0 <= one.1)
    }

    fn add_all(&mut self, SeenValues { ranges, is_hull, is_unknown }: SeenValues) {
        self.is_hull |= is_hull;
        self.is_unknown |= is_unknown;
        ranges.into_iter().for_each(|(least, greatest)| self.add(least, greatest));
    }

    /// As values of this part of a condition; none where some are not known, and of addresses.
    fn texts(&self, lts: &Lts, part: &Expr) -> Vec<String> {
        let is_address = |id: VariableId| self.ranges.iter().any(|(least, _)| told_value(lts, id, least).is_none());
        if self.is_unknown || self.ranges.is_empty() || matches!(part, Expr::Var(id) if is_address(*id)) {
            return Vec::new();
        }
        let text = |value: &Int| value_text(lts, part, value);
        let range = |(least, greatest): &(Int, Int)| format!("{} to {}", text(least), text(greatest));
        let count = |(least, greatest): &(Int, Int)| &(greatest - least) + &Int::ONE;
        if self.ranges.len() > VALUES {
            let number = self.ranges.iter().map(count).fold(Int::ZERO, |sum, count| &sum + &count);
            let hull = (self.ranges[0].0.clone(), self.ranges[self.ranges.len() - 1].1.clone());
            return vec![format!("one of {number} values from {}", range(&hull))];
        }
        let listed = |one: &(Int, Int)| match count(one).to_i64() {
            Some(number) if number <= LISTED as i64 => (0..number).map(|at| text(&(&one.0 + &Int::from(at)))).collect(),
            _ => vec![range(one)],
        };
        self.ranges.iter().flat_map(listed).collect()
    }
}

/// What runs have at the decisions of some sides.
struct Decisions<'a> {
    lts: &'a Lts,
    /// For each location where a side is decided the parts of its condition, with the values that they had in runs that ended, and in the one
    /// that goes on; else none.
    parts: Vec<Vec<DecisionPart>>,
    /// The locations with parts where the run that goes on has been.
    passed: Vec<LocationId>,
    /// Whether a run may have no value where one is defined.
    is_alone: bool,
}

struct DecisionPart {
    part: Expr,
    values: SeenValues,
    now: SeenValues,
}

impl<'a> Decisions<'a> {
    fn of(lts: &'a Lts, sides: &[EdgeId], is_alone: bool) -> Decisions<'a> {
        let mut decisions = Decisions { lts, parts: lts.graph.node_indices().map(|_| Vec::new()).collect(), passed: Vec::new(), is_alone };
        for (at, condition) in sides.iter().filter_map(|&side| condition(lts, side)) {
            // The state at the entry is no listener's.
            let values = || SeenValues { is_unknown: is_alone && at == lts.entry, ..SeenValues::default() };
            let part = |part| DecisionPart { part, values: values(), now: SeenValues::default() };
            decisions.parts[at.index()] = parts(condition).into_iter().map(part).collect();
        }
        decisions
    }

    fn note(&mut self, at: LocationId, state: &RunState<'_>) {
        let parts = &mut self.parts[at.index()];
        if parts.iter().all(|part| part.now.ranges.is_empty()) && !parts.is_empty() {
            self.passed.push(at);
        }
        for DecisionPart { part, now, .. } in parts {
            match state.range_of(part) {
                Some((least, greatest)) => now.add(least, greatest),
                None => now.is_unknown |= self.is_alone,
            }
        }
    }

    /// The run that goes on is one of these that count.
    fn keep(&mut self) {
        for at in std::mem::take(&mut self.passed) {
            for DecisionPart { values, now, .. } in &mut self.parts[at.index()] {
                values.add_all(std::mem::take(now));
            }
        }
    }

    /// The run that goes on does not count.
    fn forget(&mut self) {
        for at in std::mem::take(&mut self.passed) {
            self.parts[at.index()].iter_mut().for_each(|part| part.now = SeenValues::default());
        }
    }

    /// The values, for each side.
    fn told(&self, names: &ReasonNames, sides: &[EdgeId]) -> Vec<Vec<ValuesHere>> {
        let lts = self.lts;
        let name = |part: &Expr| match part {
            Expr::Var(id) => names.of(*id),
            other => Some(text::expr(lts, other)),
        };
        let told = |DecisionPart { part, values, .. }: &DecisionPart| {
            let name = match part {
                Expr::Binary(BinaryOp::Sub, left, right) => format!("{} - {}", name(left)?, name(right)?),
                _ => name(part)?,
            };
            let values: Vec<_> = values.texts(lts, part).into_iter().map(|value| (Some(value), Vec::new())).collect();
            Some(ValuesHere { name, values }).filter(|part| !part.values.is_empty())
        };
        let told_of = |&side: &EdgeId| {
            let Some((at, _)) = condition(lts, side) else { return Vec::new() };
            let parts = &self.parts[at.index()];
            let Some((one, other, difference)) = compared_parts(parts) else {
                return parts.iter().filter_map(told).collect();
            };
            // Where the values of two parts lie among each other, in whichever copies, their difference says what is compared.
            let copies = sides.iter().filter(|copy| lts.graph[**copy].span == lts.graph[side].span);
            let of_copies = copies.filter_map(|&copy| compared_parts(&self.parts[condition(lts, copy)?.0.index()]));
            let values: Vec<(&SeenValues, &SeenValues)> = of_copies.map(|(one, other, _)| (&one.values, &other.values)).collect();
            let do_meet = values.iter().any(|(one, _)| values.iter().any(|(_, other)| one.meets(other)));
            match told(difference).filter(|_| do_meet) {
                Some(told) => vec![told],
                None => [one, other].into_iter().filter_map(told).collect(),
            }
        };
        sides.iter().map(told_of).collect()
    }
}

/// Of the parts of a condition that compares two of them with each other these two, and their difference.
fn compared_parts(parts: &[DecisionPart]) -> Option<(&DecisionPart, &DecisionPart, &DecisionPart)> {
    let difference = parts.last()?;
    let Expr::Binary(BinaryOp::Sub, left, right) = &difference.part else { return None };
    let part = |side: &Expr| parts.iter().find(|part| part.part == *side);
    Some((part(left)?, part(right)?, difference))
}

impl Watch for Decisions<'_> {
    fn taken(&mut self, edge: EdgeId, after: &RunState<'_>) -> ControlFlow<()> {
        self.note(self.lts.edge(edge).2, after);
        ControlFlow::Continue(())
    }
}

impl RunListener for Decisions<'_> {
    fn pays(&mut self, _: u64) -> bool {
        true
    }

    fn takes(&mut self, edge: EdgeId, after: &RunState<'_>) {
        self.note(self.lts.edge(edge).2, after);
    }

    fn ends(&mut self, is_execution: bool) {
        if is_execution { self.keep() } else { self.forget() }
    }
}

/// Where a side is decided, and its condition.
fn condition(lts: &Lts, side: EdgeId) -> Option<(LocationId, &Expr)> {
    match &lts.graph[side].label {
        Label::Assume { condition, .. } => Some((lts.edge(side).1, condition)),
        _ => None,
    }
}

/// The values in the conditions of these sides in the run with this input, for each side.
pub fn in_run(lts: &Lts, names: &ReasonNames, input: &Input, sides: &[EdgeId]) -> Vec<Vec<ValuesHere>> {
    let mut decisions = Decisions::of(lts, sides, false);
    let machine = Machine::deep(lts);
    decisions.note(lts.entry, &machine.initial(input));
    // Of a longer run some values are missing.
    if machine.watch(input, LONGEST_RUN, &mut decisions).outcome == Outcome::Steps {
        decisions.forget();
    }
    decisions.keep();
    decisions.told(names, sides)
}

/// The values in the conditions of these sides in the runs on all inputs, for each side; none where these are many.
pub fn in_every_run(lts: &Lts, names: &ReasonNames, sides: &[EdgeId]) -> Vec<Vec<ValuesHere>> {
    let mut decisions = Decisions::of(lts, sides, true);
    let every = EveryRun::of(lts, &Machine::deep(lts), MAX_STEPS, &mut decisions);
    match every.is_all() {
        Ok(()) => decisions.told(names, sides),
        Err(_) => sides.iter().map(|_| Vec::new()).collect(),
    }
}
