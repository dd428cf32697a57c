//! The explanation of an excluded statement for readers: conditions and assignments, each path to the statement by itself.
//!
//! 1. The sides of decisions that the method found exclude a statement together; no execution passes all of them. On each path through
//!    the graph to the statement, the conditions of the sides on this path contradict each other, given the assignments that define their
//!    variables.
//! 2. So paths are grouped by the sides and the assignments on them; a group is a *way*.
//! 3. On each way the conditions and assignments that are not needed are left out ([`needed`](mod@needed)).
//! 4. Conditions common to all ways are listed once; conditions and assignments that differ are listed for each way, where the ways are few
//!    ([`exclusion`]).

pub mod beside;
mod claimed;
mod definedness;
mod elements;
pub mod enclosing;
mod flowing;
pub mod names;
mod needed;
mod run_values;
mod values;

use super::document::{CoverExclusion, CoverReason, CoverStatement, CoverValue, CoverValues};
use crate::analysis::cover::method::reason_paths::{ExcludedStatement, ReasonPaths, relevant, ways};
use crate::logic::{SortedMap, SortedSet};
use crate::lts::sides::without_copies;
use crate::lts::{EdgeId, Expr, Lts, ModelObject};
use crate::source::Span;
use needed::{NeededReasons, needed};

/// The greatest number of ways that an explanation lists one by one.
const TOLD: usize = 4;
/// The greatest number of conditions and assignments in a list that is not grouped by ways.
const SOME: usize = 8;

/// How often paths are grouped again by sides that are needed on some of them.
const REGROUPED: usize = 4;

/// The greatest number of assignments beside conditions that stand on every way.
const BESIDE: usize = 4;

/// Common to all explanations of a run.
pub struct Explaining<'e> {
    /// Gives an edge with its position and text.
    pub name: &'e dyn Fn(&EdgeId) -> CoverReason,
    /// Where the parameters are declared to which no assignment of an argument is listed.
    pub parameters: SortedSet<Span>,
    /// The budget in edges passed: an explanation must not take longer than its verdict.
    pub effort: usize,
}

/// An explanation by sides of decisions and assignments.
pub struct SidesExclusion {
    pub exclusion: CoverExclusion,
    /// Whether the sides and assignments are shown to exclude the statement by themselves, however many rounds loops have ([`needed`](mod@needed)).
    pub is_proved: bool,
}

/// The explanation of a statement that the conditions of the sides `because` exclude; it has no assignments where executions may pass the
/// statement's edge and none completes. Equal conditions at one position of the text,
/// in several inlined calls, count as one.
pub fn exclusion(lts: &Lts, statement: ExcludedStatement, because: &[EdgeId], explaining: &mut Explaining) -> SidesExclusion {
    let SidesExclusion { mut exclusion, mut is_proved } = grouped(lts, statement, because, explaining);
    if is_empty(&exclusion) && !explaining.parameters.is_empty() {
        // Where nothing else explains it, an argument does.
        let parameters = std::mem::take(&mut explaining.parameters);
        SidesExclusion { exclusion, is_proved } = grouped(lts, statement, because, explaining);
        explaining.parameters = parameters;
    }
    let itself = is_empty(&exclusion) && because.iter().all(|&side| side == statement.edge);
    SidesExclusion { exclusion: CoverExclusion { itself, ..exclusion }, is_proved }
}

impl CoverStatement {
    /// Whether the reason of its exclusion is known, however long its lists are.
    pub fn is_explained(&self) -> bool {
        !self.because.is_empty() || !is_empty(&self.excluded_by)
    }
}

/// Whether an explanation names nothing.
pub fn is_empty(exclusion: &CoverExclusion) -> bool {
    let CoverExclusion { operations, enclosing, values, facts, runs, .. } = exclusion;
    !is_by_sides(exclusion) && operations.is_empty() && enclosing.is_empty() && values.is_empty() && facts.is_empty() && runs.is_none()
}

/// Whether an explanation names sides of decisions or assignments that exclude a statement.
pub fn is_by_sides(CoverExclusion { itself, all, either, some, .. }: &CoverExclusion) -> bool {
    *itself || !(all.is_empty() && either.is_empty() && some.is_empty())
}

/// The explanation of a statement with several copies from those of all its copies: each path to one of them is excluded as paths to this copy
/// are. The reasons have no marks of copies then.
pub fn of_copies(copies: &[&CoverExclusion]) -> CoverExclusion {
    if let [only] = copies {
        return (*only).clone();
    }
    let copies: Vec<CoverExclusion> = copies.iter().map(|copy| unmarked(copy)).collect();
    let (by_sides, others): (Vec<&CoverExclusion>, Vec<&CoverExclusion>) = copies.iter().partition(|copy| is_by_sides(copy));
    let mut exclusion = if by_sides.is_empty() { CoverExclusion::default() } else { of_sides(&by_sides) };
    for other in others {
        exclusion.operations.extend(other.operations.iter().cloned());
        exclusion.enclosing.extend(other.enclosing.iter().cloned());
        other.values.iter().for_each(|values| add_values(&mut exclusion.values, values));
        exclusion.facts.extend(other.facts.iter().filter(|case| !exclusion.facts.contains(case)).cloned().collect::<Vec<_>>());
        exclusion.runs = exclusion.runs.or(other.runs);
    }
    CoverExclusion { operations: distinct(exclusion.operations), enclosing: distinct(exclusion.enclosing), ..exclusion }
}

/// The explanation of a copy without marks of copies.
fn unmarked(copy: &CoverExclusion) -> CoverExclusion {
    let unmarked = |reasons: &[CoverReason]| {
        reasons.iter().map(|reason| CoverReason { text: without_copies(&reason.text), ..reason.clone() }).collect::<Vec<_>>()
    };
    let value = |value: &CoverValue| CoverValue { value: value.value.clone(), assigned: unmarked(&value.assigned) };
    CoverExclusion {
        itself: copy.itself,
        all: unmarked(&copy.all),
        either: copy.either.iter().map(|one| unmarked(one)).collect(),
        some: unmarked(&copy.some),
        operations: unmarked(&copy.operations),
        enclosing: unmarked(&copy.enclosing),
        values: (copy.values.iter())
            .map(|part| CoverValues { name: without_copies(&part.name), values: part.values.iter().map(value).collect() })
            .collect(),
        facts: copy.facts.iter().map(|case| case.iter().map(|fact| without_copies(fact)).collect()).collect(),
        runs: copy.runs,
    }
}

/// Adds the values of a part of a condition in another copy.
fn add_values(found: &mut Vec<CoverValues>, more: &CoverValues) {
    let Some(part) = found.iter_mut().find(|part| part.name == more.name) else { return found.push(more.clone()) };
    for value in &more.values {
        match part.values.iter_mut().find(|one| one.value == value.value) {
            Some(one) => one.assigned = distinct([&one.assigned[..], &value.assigned].concat()),
            None => part.values.push(value.clone()),
        }
    }
}

/// As [`of_copies`], of copies that sides exclude.
fn of_sides(copies: &[&CoverExclusion]) -> CoverExclusion {
    if let [only] = copies {
        return (*only).clone();
    }
    let itself = copies.iter().all(|copy| copy.itself);
    let is_grouped = copies.iter().all(|copy| copy.some.is_empty());
    let whole = |all: &[CoverReason], more: &[CoverReason]| distinct([all, more].concat());
    let mut alternatives: Vec<Vec<CoverReason>> = Vec::new();
    for copy in copies {
        match (&copy.either[..], is_grouped) {
            ([], true) => alternatives.push(copy.all.clone()),
            (either, true) => alternatives.extend(either.iter().map(|one| whole(&copy.all, one))),
            (either, false) => alternatives.push(whole(&copy.all, &[&copy.some[..], &either.concat()].concat())),
        }
    }
    let is_common = |one: &&CoverReason| alternatives.iter().all(|other| other.iter().any(|reason| alike(one, reason)));
    // Reasons that are not grouped by ways say only that some of them suffice.
    let common_reasons = if is_grouped { alternatives[0].iter().filter(is_common).cloned().collect() } else { Vec::new() };
    let rests = alternatives.iter().map(|alternative| without(alternative, &common_reasons));
    let mut either: Vec<Vec<CoverReason>> = Vec::new();
    for rest in rests {
        let is_told = |told: &Vec<CoverReason>| told.len() == rest.len() && without(told, &rest).is_empty();
        if !either.iter().any(is_told) {
            either.push(rest);
        }
    }
    let exclusion = match () {
        () if is_grouped && (either.len() == 1 || either.iter().any(Vec::is_empty)) => common(common_reasons),
        () if is_grouped && either.len() <= TOLD => CoverExclusion { either, ..common(common_reasons) },
        () => ungrouped(common_reasons, distinct(either.concat())),
    };
    CoverExclusion { itself, ..exclusion }
}

/// The reasons that no other list has.
fn without(reasons: &[CoverReason], others: &[CoverReason]) -> Vec<CoverReason> {
    reasons.iter().filter(|one| !others.iter().any(|other| alike(one, other))).cloned().collect()
}

/// Steps 1 to 4.
fn grouped(lts: &Lts, statement: ExcludedStatement, because: &[EdgeId], explaining: &mut Explaining) -> SidesExclusion {
    let ExcludedStatement { edge, completes } = statement;
    let name = explaining.name;
    let own = name(&edge);
    let named = |edges: &[EdgeId]| {
        // The code of a call is told as the call, once.
        let mut calls: Vec<(u32, String)> = Vec::new();
        let mut is_first = |side: &EdgeId, reason: &CoverReason| {
            let call = (reason.line, reason.text.clone());
            let is_new = !lts.graph[*side].library || !calls.contains(&call);
            calls.push(call);
            is_new
        };
        let others = edges.iter().filter(|&&side| side != edge).map(|side| (side, name(side)));
        let others = others.filter(|(side, reason)| is_first(side, reason)).map(|(_, reason)| reason);
        distinct(others.map(|reason| CoverReason { in_another_call: alike(&reason, &own), ..reason }).collect())
    };
    let sides = named(because);
    // Within a bound the number of rounds decides, not an assignment.
    let assigned = |way: &ReasonPaths| if completes { Vec::new() } else { named(&way.assigned) };
    // 1. to 3.
    let mut because = because.to_vec();
    let (found, needed, is_on_all_paths) = (0..)
        .find_map(|round| {
            let found = ways(lts, statement, &because, &explaining.parameters, &mut explaining.effort);
            let needed = if completes { None } else { needed(lts, edge, &found, &mut explaining.effort) };
            // Paths of a way may differ in other sides: where one of these is needed, the paths without it are a way of their own.
            let sides: SortedSet<EdgeId> = needed.iter().flatten().flat_map(|way| way.sides.iter().copied()).collect();
            let more: Vec<EdgeId> = sides.into_iter().filter(|side| !because.contains(side)).collect();
            because.extend(&more);
            (more.is_empty() || round == REGROUPED).then_some((found, needed, more.is_empty()))
        })
        .expect("a last round");
    let ways: Vec<[Vec<CoverReason>; 2]> = match &needed {
        Some(needed) => {
            let told = needed.iter().filter(|way| !way.is_without_condition);
            told.map(|way| [named(&way.sides), named(&way.assigned)]).collect()
        }
        None => found.iter().map(|way| [named(&way.sides), assigned(way)]).collect(),
    };
    // A way that is left out may give the condition other values; and what the first values of statics exclude, no condition or assignment tells.
    let flowing = relevant(lts, &[edge]);
    let gives = |edge: &EdgeId| lts.graph[*edge].label.assigned().is_some_and(|object| flowing.contains(&object));
    let is_part = |way: &NeededReasons| way.needs_first_values || way.is_without_condition && way.assigned.iter().any(gives);
    let is_proved = is_on_all_paths && needed.as_ref().is_some_and(|needed| !needed.iter().any(is_part));
    let of = |exclusion: CoverExclusion| SidesExclusion { exclusion, is_proved };
    let part = |exclusion: CoverExclusion| SidesExclusion { exclusion, is_proved: false };
    if ways.is_empty() {
        return part(if sides.len() == 1 { common(sides) } else { ungrouped(Vec::new(), sides) });
    }
    // 4.
    let is_on_all = |at: usize, one: &CoverReason| ways.iter().all(|way| way[at].iter().any(|other| alike(one, other)));
    let on_all = |at: usize| ways[0][at].iter().filter(|one| is_on_all(at, one)).cloned().collect::<Vec<CoverReason>>();
    let (mut all, assigned) = (on_all(0), on_all(1));
    let differs = |one: &&CoverReason| !all.iter().chain(&assigned).any(|common| alike(one, common));
    let rests = ways.iter().map(|way| way.iter().flatten().filter(differs).cloned().collect::<Vec<_>>());
    let mut either: Vec<Vec<CoverReason>> = Vec::new();
    for rest in rests {
        let is_told = |told: &Vec<CoverReason>| told.len() == rest.len() && told.iter().zip(&rest).all(|(one, other)| alike(one, other));
        if !either.iter().any(is_told) {
            either.push(rest);
        }
    }
    let is_beside = needed.is_some() || assigned.len() <= BESIDE && !share_variables(lts, &because, edge);
    if let [_] = &either[..] {
        if all.is_empty() || is_beside {
            all.extend(assigned);
        }
        return of(common(all));
    }
    all.extend(if is_beside { assigned } else { Vec::new() });
    if either.len() > TOLD || either.iter().any(Vec::is_empty) {
        let others = distinct(either.into_iter().flatten().collect());
        // Beside a common condition, assignments without a grouping explain nothing more.
        let says_more = all.is_empty() || others.iter().any(|one| sides.iter().any(|side| alike(one, side)));
        return part(if says_more { ungrouped(all, others) } else { common(all) });
    }
    of(CoverExclusion { either, ..common(all) })
}

/// Whether each variable and array in the conditions of these sides and of the edge stands in several of them: then they contradict each other as they are
/// written, whatever the variables were assigned.
fn share_variables(lts: &Lts, because: &[EdgeId], edge: EdgeId) -> bool {
    let mut counts: SortedMap<ModelObject, usize> = SortedMap::new();
    let edges: SortedSet<EdgeId> = because.iter().copied().chain([edge]).collect();
    for &side in &edges {
        let read: SortedSet<ModelObject> = lts.graph[side].label.operands().into_iter().flat_map(Expr::objects).collect();
        read.iter().for_each(|&object| *counts.entry(object).or_default() += 1);
    }
    counts.values().all(|&count| count > 1)
}

/// An explanation whose conditions stand on every way.
fn common(all: Vec<CoverReason>) -> CoverExclusion {
    CoverExclusion { all, ..CoverExclusion::default() }
}

/// An explanation by common conditions and by a list that is not grouped by ways; a list that is too long is left out.
fn ungrouped(all: Vec<CoverReason>, some: Vec<CoverReason>) -> CoverExclusion {
    let some = if some.len() > SOME { Vec::new() } else { some };
    CoverExclusion { some, ..common(all) }
}

/// Whether two reasons have the same text at the same position.
fn alike(one: &CoverReason, other: &CoverReason) -> bool {
    (one.line, one.column, &one.text) == (other.line, other.column, &other.text)
}

fn distinct(reasons: Vec<CoverReason>) -> Vec<CoverReason> {
    let mut found: Vec<CoverReason> = Vec::new();
    for reason in reasons {
        if !found.iter().any(|other| alike(&reason, other)) {
            found.push(reason);
        }
    }
    found
}
