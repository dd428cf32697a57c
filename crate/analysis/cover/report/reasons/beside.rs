//! Reasons where no sides of decisions are known to exclude a statement together, in this order:
//!
//! 1. its condition holds for no values of its variables, or it has, or every path to it passes, an operation that is undefined where the
//!    condition holds ([`super::definedness`]);
//! 2. every path to it passes a side that no execution takes ([`super::enclosing`]);
//! 3. the values that assignments or the only run give the variables of its condition ([`super::values`]);
//! 4. what the claim says of its location ([`super::claimed`]);
//! 5. the runs on all inputs;
//! 6. with 4 and 5, or alone, the assignments that the variables of its condition have their values from.

use super::claimed::ClaimedFacts;
use super::enclosing::Enclosing;
use super::values::{AssignedValues, ValuesHere, in_run};
use super::{CoverExclusion, CoverReason, SidesExclusion, distinct, is_empty};
use crate::analysis::cover::method::CoverOutcome;
use crate::analysis::cover::report::{CoverRuns, CoverValue, CoverValues};
use crate::evidence::{Claim, Statement};
use crate::lts::sides::without_copies;
use crate::lts::{EdgeId, Expr, Label, Lts};

/// A budget in edges passed, for values by assignments.
const EFFORT: usize = 2_000_000;

/// Bytes of the facts of a claim that a reader may be told: longer ones speak of parts of memory that have no name in the text.
const LONGEST: usize = 400;

/// So many sides a reader may be told where nothing better is known.
const MANY: usize = 24;

/// Looks for reasons beside sides of decisions.
pub struct BesideSides<'b> {
    /// Gives an edge with its position and text.
    name: &'b dyn Fn(&EdgeId) -> CoverReason,
    enclosing: &'b Enclosing<'b>,
    assigned: AssignedValues<'b>,
    claimed: ClaimedFacts<'b>,
    /// The values in the only run.
    in_run: Vec<(EdgeId, Vec<ValuesHere>)>,
    /// The edges that runs on all inputs exclude.
    by_every_run: Vec<u32>,
    is_determined: bool,
}

impl<'b> BesideSides<'b> {
    /// `claims` are those of the run.
    pub fn new(
        lts: &'b Lts,
        name: &'b dyn Fn(&EdgeId) -> CoverReason,
        enclosing: &'b Enclosing<'b>,
        outcome: &CoverOutcome,
        claims: &'b [Claim],
    ) -> BesideSides<'b> {
        let mut in_runs = Vec::new();
        if let (Some(_), [only, ..]) = (&outcome.determined, &outcome.tests[..]) {
            let is_first = |edge: &EdgeId| enclosing.is_infeasible(*edge) && enclosing.is_reached(lts.edge(*edge).1);
            let sides: Vec<EdgeId> = lts.graph.edge_indices().filter(is_first).collect();
            in_runs = sides.iter().copied().zip(in_run(lts, &only.input, &sides)).collect();
        }
        let every_run = claims.iter().filter_map(|claim| match &claim.statement {
            Statement::Enumerated { edges } => Some(edges),
            _ => None,
        });
        BesideSides {
            name,
            enclosing,
            assigned: AssignedValues::new(lts, enclosing, EFFORT),
            claimed: ClaimedFacts::new(lts, claims),
            in_run: in_runs,
            by_every_run: every_run.flatten().copied().collect(),
            is_determined: outcome.determined.is_some(),
        }
    }

    /// The reason why no execution takes an edge; empty where none is known.
    pub fn of(&mut self, edge: EdgeId) -> CoverExclusion {
        let nothing = CoverExclusion::default();
        // 1.
        if self.assigned.is_never(edge) {
            return match self.assigned.is_undefined_where(edge) {
                true => CoverExclusion { operations: vec![plain((self.name)(&edge))], ..nothing },
                false => CoverExclusion { itself: true, ..nothing },
            };
        }
        let undefined =
            if self.enclosing.is_reached(self.assigned.lts.edge(edge).1) { self.assigned.undefined_where(edge) } else { Vec::new() };
        if !undefined.is_empty() {
            return CoverExclusion { operations: distinct(undefined.iter().map(self.name).map(plain).collect()), ..nothing };
        }
        // 2.
        let first = distinct(self.enclosing.of(edge).iter().map(self.name).map(plain).collect());
        // A list of some of them would say something false.
        if (1..=MANY).contains(&first.len()) {
            return CoverExclusion { enclosing: first, ..nothing };
        }
        // 3.
        let runs = if self.is_determined { Some(CoverRuns::Only) } else { None };
        let values = match self.in_run.iter().position(|(side, _)| *side == edge) {
            Some(at) => self.in_run.swap_remove(at).1,
            None => self.assigned.against(edge),
        };
        if !values.is_empty() || runs.is_some() {
            return CoverExclusion { values: values.into_iter().map(|values| self.told(values)).collect(), runs, ..nothing };
        }
        // 4. and 5.
        let facts = self.claimed.against(edge);
        let mut facts: Vec<Vec<String>> = facts.iter().map(|case| case.iter().map(|fact| without_copies(fact)).collect()).collect();
        if facts.iter().flatten().map(String::len).sum::<usize>() > LONGEST {
            facts.clear();
        }
        if let Some(mut values) = values_of(&facts) {
            if let [(value, assigned)] = &mut values.values[..] {
                let set = self.assigned.set_by(edge).into_iter().find(|part| part.name == values.name);
                let edges = set.into_iter().flat_map(|part| part.values).flat_map(|(_, edges)| edges);
                // An assignment of another constant does not give it.
                let gives = |edge: &EdgeId| match &self.assigned.lts.graph[*edge].label {
                    Label::Assign(_, Expr::Int(constant)) => value.as_ref().is_none_or(|value| *value == constant.to_string()),
                    _ => true,
                };
                assigned.extend(edges.filter(gives));
            }
            return CoverExclusion { values: vec![self.told(values)], ..nothing };
        }
        let runs = (facts.is_empty() && self.by_every_run.contains(&(edge.index() as u32))).then_some(CoverRuns::EveryInput);
        // 6.
        let values = self.assigned.set_by(edge);
        CoverExclusion { values: values.into_iter().map(|values| self.told(values)).collect(), facts, runs, ..nothing }
    }

    /// The explanation of an infeasible edge: that by the sides `because`, or another one where this says little.
    pub fn or_better(
        &mut self,
        edge: EdgeId,
        because: &[EdgeId],
        SidesExclusion { exclusion: by_sides, is_proved }: SidesExclusion,
    ) -> CoverExclusion {
        let CoverExclusion { itself, all, either, .. } = &by_sides;
        let is_nothing = *itself || is_empty(&by_sides);
        let is_condition = |reason: &CoverReason| {
            let edge = EdgeId::new(reason.edge as usize);
            matches!(self.assigned.lts.graph[edge].label, Label::Assume { .. })
        };
        let is_some_of_many = !by_sides.some.is_empty();
        let has_no_condition = !all.iter().chain(either.iter().flatten()).any(is_condition);
        let is_list = all.is_empty() && has_no_condition;
        let is_enclosed = matches!(&all[..], [only] if self.enclosing.is_infeasible(EdgeId::new(only.edge as usize)));
        // The values in the only run say more than the cases of all paths.
        let is_of_run = self.is_determined && !either.is_empty();
        let is_weak = is_nothing || is_list || is_enclosed || is_of_run;
        if !(is_weak || has_no_condition || !is_proved && is_some_of_many) {
            return by_sides;
        }
        let found = self.of(edge);
        let has_values = !found.values.is_empty() && found.values.iter().flat_map(|part| &part.values).all(|one| one.value.is_some());
        match () {
            () if !found.operations.is_empty() => found,
            // An assignment in a loop does not bound the iterations of an execution, nor does a list of conditions of which some suffice.
            () if !is_proved && (has_no_condition || is_some_of_many) && (has_values || !found.facts.is_empty()) => found,
            () if !is_weak => by_sides,
            () if !found.enclosing.is_empty() || has_values || is_nothing && !is_empty(&found) => found,
            () if is_list && !found.facts.is_empty() => found,
            () if is_empty(&by_sides) => self.of_many(because),
            () => by_sides,
        }
    }

    /// The sides that exclude an edge together, where they are not too many for a reader.
    fn of_many(&self, because: &[EdgeId]) -> CoverExclusion {
        let some = distinct(because.iter().map(self.name).collect());
        CoverExclusion { some: if some.len() > MANY { Vec::new() } else { some }, ..CoverExclusion::default() }
    }

    fn told(&self, ValuesHere { name, values }: ValuesHere) -> CoverValues {
        let value = |(value, assigned): (Option<String>, Vec<EdgeId>)| CoverValue {
            value,
            assigned: distinct(assigned.iter().map(self.name).map(plain).collect()),
        };
        CoverValues { name: without_copies(&name), values: values.into_iter().map(value).collect() }
    }
}

/// A reason without marks of copies.
fn plain(reason: CoverReason) -> CoverReason {
    CoverReason { text: without_copies(&reason.text), ..reason }
}

/// The values of a variable that is equal to a constant in each of several cases.
fn values_of(facts: &[Vec<String>]) -> Option<ValuesHere> {
    let equals = |case: &Vec<String>| match &case[..] {
        [only] => only.split_once(" == ").map(|(name, value)| (name.to_owned(), value.to_owned())),
        _ => None,
    };
    let found: Vec<(String, String)> = facts.iter().map(equals).collect::<Option<_>>()?;
    let name = found.first()?.0.clone();
    let is_value = |(other, value): &(String, String)| *other == name && value.parse::<i128>().is_ok();
    found.iter().all(is_value).then(|| ValuesHere { name, values: found.into_iter().map(|(_, value)| (Some(value), Vec::new())).collect() })
}
