//! Reasons where no sides of decisions are known to exclude a statement together, in this order:
//!
//! 1. its condition holds for no values of its variables, or it has, or every path to it passes, an operation that is undefined where the
//!    condition holds ([`super::definedness`]);
//! 2. every path to it passes a side that no execution takes ([`super::enclosing`]);
//! 3. the values that assignments or the only run give the variables of its condition ([`super::values`], [`super::run_values`]);
//! 4. what the claim says of its location ([`super::claimed`]), where it is the same in all executions;
//! 5. the values in the runs on all inputs, or that none of these takes it;
//! 6. the cases of 4;
//! 7. with 4 to 6, or alone, the assignments that the variables of its condition have their values from.

use super::claimed::ClaimedFacts;
use super::enclosing::Enclosing;
use super::flowing::flowing;
use super::names::ReasonNames;
use super::run_values::{in_every_run, in_run};
use super::values::{AssignedValues, ValuesHere};
use super::{CoverExclusion, CoverReason, SidesExclusion, distinct, is_empty};
use crate::analysis::cover::method::CoverOutcome;
use crate::analysis::cover::method::reason_paths::is_arbitrary;
use crate::analysis::cover::report::{CoverRuns, CoverValue, CoverValues};
use crate::evidence::{Claim, Statement};
use crate::logic::Arrange;
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
    /// The values in the only run, or in the runs on all inputs.
    in_runs: Vec<(EdgeId, Vec<ValuesHere>)>,
    /// The edges that runs on all inputs exclude.
    by_every_run: Vec<u32>,
    is_determined: bool,
}

impl<'b> BesideSides<'b> {
    /// `claims` are those of the run.
    pub fn new(
        lts: &'b Lts,
        names: &'b ReasonNames<'b>,
        enclosing: &'b Enclosing<'b>,
        outcome: &CoverOutcome,
        claims: &'b [Claim],
    ) -> BesideSides<'b> {
        let every_run = claims.iter().filter_map(|claim| match &claim.statement {
            Statement::Enumerated { edges } => Some(edges),
            _ => None,
        });
        let by_every_run: Vec<u32> = every_run.flatten().copied().collect();
        let is_first = |edge: &EdgeId| enclosing.is_infeasible(*edge) && enclosing.is_reached(lts.edge(*edge).1);
        let first = || lts.graph.edge_indices().filter(is_first);
        let in_runs = match (&outcome.determined, &outcome.tests[..]) {
            (Some(_), [only, ..]) => {
                let sides: Vec<EdgeId> = first().collect();
                let values = in_run(lts, names, &only.input, &sides);
                sides.into_iter().zip(values).collect()
            }
            _ if !by_every_run.is_empty() => {
                let sides: Vec<EdgeId> = first().filter(|edge| by_every_run.contains(&(edge.index() as u32))).collect();
                let values = in_every_run(lts, names, &sides);
                sides.into_iter().zip(values).collect()
            }
            _ => Vec::new(),
        };
        BesideSides {
            name: names.name,
            enclosing,
            assigned: AssignedValues::new(lts, names, enclosing, EFFORT),
            claimed: ClaimedFacts::new(lts, names, claims),
            in_runs,
            by_every_run,
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
        let is_decision = |edge: &EdgeId| matches!(self.assigned.lts.graph[*edge].label, Label::Assume { .. });
        if !undefined.is_empty() {
            let operations = distinct(undefined.iter().map(self.name).map(plain).collect());
            // The values say more than that a decision before reads an element which is not there.
            let better = if undefined.iter().all(is_decision) { self.of_values(edge) } else { CoverExclusion::default() };
            let says_more = has_values(&better) || !better.facts.is_empty();
            return if says_more { better } else { CoverExclusion { operations, ..nothing } };
        }
        // 2.
        let first = distinct(self.enclosing.of(edge).iter().map(self.name).map(plain).collect());
        // A list of some of them would say something false.
        if (1..=MANY).contains(&first.len()) {
            return CoverExclusion { enclosing: first, ..nothing };
        }
        self.of_values(edge)
    }

    /// 3. to 7.
    fn of_values(&mut self, edge: EdgeId) -> CoverExclusion {
        let nothing = CoverExclusion::default();
        // 3.
        let of_runs = self.in_runs.iter().position(|(side, _)| *side == edge).map(|at| self.in_runs.swap_remove(at).1);
        let of_runs = of_runs.filter(|values| !values.is_empty());
        if self.is_determined {
            let values = of_runs.unwrap_or_else(|| self.assigned.against(edge));
            return self.told_values(values, Some(CoverRuns::Only));
        }
        let values = self.assigned.against(edge);
        if !values.is_empty() {
            return self.told_values(values, None);
        }
        // 4.
        let enclosing = self.enclosing;
        let mut facts = self.claimed.against(edge, &|edge| enclosing.is_infeasible(edge));
        if facts.iter().flatten().map(String::len).sum::<usize>() > LONGEST {
            facts.clear();
        }
        // 5. Many cases say less than the values.
        if let Some(values) = of_runs.filter(|_| facts.len() != 1) {
            return self.told_values(values, Some(CoverRuns::EveryInput));
        }
        // 6.
        let set = self.assigned.set_by(edge);
        if let Some(mut values) = values_of(&facts) {
            let own = set.iter().find(|part| part.name == values.name);
            if let ([(value, assigned)], Some(part)) = (&mut values.values[..], own) {
                // An assignment of another constant does not give it.
                let gives = |edge: &&EdgeId| match &self.assigned.lts.graph[**edge].label {
                    Label::Assign(_, Expr::Int(constant)) => value.as_ref().is_none_or(|value| *value == constant.to_string()),
                    _ => true,
                };
                let giving: Vec<EdgeId> = part.values.iter().flat_map(|(_, edges)| edges).filter(gives).copied().collect();
                let is_constant = |edge: &EdgeId| matches!(&self.assigned.lts.graph[*edge].label, Label::Assign(_, Expr::Int(_)));
                // Which of several computations gives it, a graph does not say.
                if giving.len() < 2 || giving.iter().all(is_constant) {
                    assigned.extend(giving);
                    return CoverExclusion { values: vec![self.told(values)], ..nothing };
                }
            }
            // Which assignment gives which value, a graph does not say.
            values.values = few_or_range(values.values);
            return CoverExclusion { values: [values].into_iter().chain(set).map(|part| self.told(part)).collect(), ..nothing };
        }
        let runs = (facts.is_empty() && self.by_every_run.contains(&(edge.index() as u32))).then_some(CoverRuns::EveryInput);
        // 7. Alone, what an input gives says nothing, and a call of the library says less than an assignment.
        let lts = self.assigned.lts;
        let is_enough = !facts.is_empty() || runs.is_some();
        let says_something = |edge: &EdgeId| is_enough || !is_arbitrary(&lts.graph[*edge].label);
        let of = |is_told: &dyn Fn(&EdgeId) -> bool| {
            let is_part = |part: &&ValuesHere| part.values.iter().flat_map(|(_, edges)| edges).any(is_told);
            set.iter().filter(is_part).cloned().map(|values| self.told(values)).collect::<Vec<_>>()
        };
        let own = of(&|edge| is_enough || says_something(edge) && !lts.graph[*edge].library);
        let values = if own.is_empty() { of(&says_something) } else { own };
        CoverExclusion { values, facts, runs, ..nothing }
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
        let has_no_condition = !all.iter().chain(either.iter().flatten()).any(is_condition);
        let is_list = all.is_empty() && has_no_condition;
        let is_enclosed = matches!(&all[..], [only] if self.enclosing.is_infeasible(EdgeId::new(only.edge as usize)));
        // The values in the only run say more than the cases of all paths.
        let is_of_run = self.is_determined && !either.is_empty();
        // What is not proved says less than that all runs were seen.
        let is_of_every_run = !is_proved && self.by_every_run.contains(&(edge.index() as u32));
        let is_weak = is_nothing || is_list || is_enclosed || is_of_run || is_of_every_run;
        let told = all.iter().chain(either.iter().flatten()).map(|reason| EdgeId::new(reason.edge as usize));
        // That a decision before reads an element which is not there says less than the values.
        let lts = self.assigned.lts;
        let has_sides = |other: EdgeId| lts.outgoing(lts.edge(other).1).len() > 1 && matches!(lts.graph[other].label, Label::Assume { .. });
        let is_by_reads = !is_nothing && told.clone().all(has_sides) && told.clone().all(|other| self.assigned.contradicts(other, edge));
        if is_proved && !is_weak && !has_no_condition && !is_by_reads {
            return by_sides;
        }
        let found = self.of(edge);
        let has_values = has_values(&found);
        match () {
            () if !found.operations.is_empty() || is_of_every_run && found.runs.is_some() => found,
            // Sides within a bound do not exclude it by themselves, nor does an assignment in a loop bound the rounds of an execution.
            () if (!is_proved || is_by_reads) && (has_values || !found.facts.is_empty()) => found,
            () if !is_proved && !is_nothing => match self.flowing(edge, by_sides) {
                exclusion if is_empty(&exclusion) || !found.enclosing.is_empty() => found,
                exclusion => exclusion,
            },
            () if !is_weak => by_sides,
            () if !found.enclosing.is_empty() || has_values || is_nothing && !is_empty(&found) => found,
            () if is_list && !found.facts.is_empty() => found,
            () if is_empty(&by_sides) => self.of_many(because),
            () => by_sides,
        }
    }

    /// An explanation by sides without the conditions and assignments whose variables do not flow into the condition of the edge: within a bound
    /// a path may need these to come to the condition, but they exclude no value of its variables.
    fn flowing(&self, edge: EdgeId, by_sides: CoverExclusion) -> CoverExclusion {
        let lts = self.assigned.lts;
        let flowing = if matches!(lts.graph[edge].label, Label::Assume { .. }) { flowing(lts, edge) } else { None };
        let Some(flowing) = flowing else { return by_sides };
        let flows = |reason: &CoverReason| {
            let label = &lts.graph[EdgeId::new(reason.edge as usize)].label;
            let read = label.operands().into_iter().flat_map(Expr::objects);
            read.chain(label.assigned()).any(|object| flowing.contains(&object))
        };
        let kept = |reasons: Vec<CoverReason>| reasons.into_iter().filter(flows).collect::<Vec<_>>();
        let mut either: Vec<Vec<CoverReason>> = by_sides.either.into_iter().map(kept).collect();
        if either.iter().any(Vec::is_empty) {
            either.clear();
        }
        CoverExclusion { all: kept(by_sides.all), either, some: kept(by_sides.some), ..CoverExclusion::default() }
    }

    /// The sides that exclude an edge together, where they are not too many for a reader.
    fn of_many(&self, because: &[EdgeId]) -> CoverExclusion {
        let some = distinct(because.iter().map(self.name).collect());
        CoverExclusion { some: if some.len() > MANY { Vec::new() } else { some }, ..CoverExclusion::default() }
    }

    fn told_values(&self, values: Vec<ValuesHere>, runs: Option<CoverRuns>) -> CoverExclusion {
        let values = values.into_iter().map(|values| self.told(values)).collect();
        CoverExclusion { values, runs, ..CoverExclusion::default() }
    }

    fn told(&self, ValuesHere { name, values }: ValuesHere) -> CoverValues {
        let value = |(value, assigned): (Option<String>, Vec<EdgeId>)| CoverValue {
            value,
            assigned: distinct(assigned.iter().map(self.name).map(plain).collect()),
        };
        CoverValues { name, values: values.into_iter().map(value).collect() }
    }
}

/// A reason without marks of copies.
fn plain(reason: CoverReason) -> CoverReason {
    CoverReason { text: without_copies(&reason.text), ..reason }
}

/// Whether an explanation has values: that of a call of the library, given by this call, is none.
fn has_values(found: &CoverExclusion) -> bool {
    let is_value =
        |part: &CoverValues, one: &CoverValue| one.value.is_some() && !one.assigned.iter().any(|reason| reason.text == part.name);
    found.values.iter().any(|part| part.values.iter().any(|one| is_value(part, one)))
}

/// So many values are a list; more that follow each other are a range.
const LISTED: usize = 8;

/// Values that follow each other as a range, where they are many.
fn few_or_range(values: Vec<(Option<String>, Vec<EdgeId>)>) -> Vec<(Option<String>, Vec<EdgeId>)> {
    let numbers: Option<Vec<i128>> = values.iter().map(|(value, _)| value.as_deref()?.parse().ok()).collect();
    let Some(numbers) = numbers.filter(|numbers| numbers.len() > LISTED) else { return values };
    match &numbers[..] {
        [least, .., greatest] if numbers.windows(2).all(|pair| pair[1] == pair[0] + 1) => {
            vec![(Some(format!("{least} to {greatest}")), Vec::new())]
        }
        _ => values,
    }
}

/// A name or a shift without the parentheses around it.
fn bare(name: &str) -> &str {
    let inner = name.strip_prefix('(').and_then(|name| name.strip_suffix(')'));
    inner.filter(|inner| !inner.contains(['(', ')'])).unwrap_or(name)
}

/// The values of a variable that is equal to a constant in each of several cases.
fn values_of(facts: &[Vec<String>]) -> Option<ValuesHere> {
    let equals = |case: &Vec<String>| match &case[..] {
        [only] => only.split_once(" == ").map(|(name, value)| (bare(name).to_owned(), value.to_owned())),
        _ => None,
    };
    let mut found: Vec<(String, String)> = facts.iter().map(equals).collect::<Option<_>>()?;
    found.arrange_by_key(|(_, value)| value.parse::<i128>().ok());
    let name = found.first()?.0.clone();
    let is_value = |(other, value): &(String, String)| *other == name && value.parse::<i128>().is_ok();
    found.iter().all(is_value).then(|| ValuesHere { name, values: found.into_iter().map(|(_, value)| (Some(value), Vec::new())).collect() })
}
