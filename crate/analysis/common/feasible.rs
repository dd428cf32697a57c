//! How many complete paths there are up to some lengths, and how many of them are feasible.
//!
//! Source: AGVW16 (R. Aissat, M.-C. Gaudel, F. Voisin, B. Wolff, *Pruning Infeasible Paths via Graph Transformations and
//! Symbolic Execution*, 2016), Section V and Tables I–III.
//!
//! | paper | here |
//! |---|---|
//! | `P` for a length `l` | [`Row::total`]: complete paths of length at most `l` |
//! | `FP` | [`Row::feasible`] |
//!
//! [`table`]:
//! 1. count `P(l)` exactly for every length of the request, by dynamic programming;
//! 2. group the lengths so that a group costs little more than its longest alone;
//! 3. merge the states of equal prefixes and count in the merged graph ([`merged`]); where that graph is not exact, walk for each
//!    group depth first over all complete paths, asking the solver only where the assignment known so far does not satisfy the
//!    next condition; cut at every refuted prefix;
//! 4. count a complete path only after the replay of an input takes it; of very many merged ones one for all, and show that these
//!    go on alike ([`Basis`]).
//!
//! Termination: the lengths bound the work; in practice the step limit does. A row that the limit or an open path cuts short is
//! "at least", never a count.

mod document;
pub mod merged;

pub use document::{FeasibleBy, PathsRow, RowEvent};

use super::resting::Needs;
use super::trace::{Event, Trace};
use crate::count::{Counter, Graph, MAX_LENGTH, totals};
use crate::interp::{Input, Machine, ReplayMismatch};
use crate::load::refused;
use crate::logic::{Arrange, SortedMap};
use crate::lts::structure::distances;
use crate::lts::{EdgeId, Lts};
use crate::search::{Step, Visitor, Walk, complete_paths};
use crate::solver::meter::Meter;
use crate::solver::{Answer, Context, Reason};
use crate::states::{Ask, States};
use crate::view::Reply;
use merged::{Merged, Obstacle};
use num_bigint::BigUint;

/// How many paths are feasible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feasible {
    /// Exactly so many; [`Basis`] says what that rests on.
    Exactly(BigUint),
    /// At least so many have a replayed input; the rest is open for this reason.
    AtLeast(BigUint, Reason),
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Row {
    pub length: u32,
    /// Complete paths of length at most `length`.
    pub total: BigUint,
    /// The feasible ones among them, where the request asks for these.
    pub feasible: Option<Feasible>,
    /// What the count of the feasible ones rests on.
    pub needs: Needs,
}

impl Row {
    /// How many are feasible, or at least how many ([`Feasible::written`]), and what that rests on. Where the request does without an
    /// assumption that the count needs, the paths of the count are some of the feasible ones.
    pub fn known(&self) -> (Option<String>, Option<String>, Vec<String>) {
        let (feasible, at_least) = Feasible::written(self.feasible.as_ref());
        match feasible {
            Some(count) if count == self.total.to_string() => (Some(count), None, self.needs.runs.ids()),
            Some(count) if self.needs.missing.is_empty() => (Some(count), None, self.needs.all.ids()),
            Some(count) => (None, Some(count), self.needs.runs.ids()),
            None => (None, at_least, self.needs.runs.ids()),
        }
    }

    fn tell(&self, trace: &Trace) -> bool {
        trace.result(&|| RowEvent::Row { row: self.into() })
    }
}

/// Refuses a length above [`MAX_LENGTH`], if one is.
pub fn check_lengths<T>(lengths: &[u32]) -> Option<Reply<T>> {
    let length = lengths.iter().find(|&&length| length > MAX_LENGTH)?;
    Some(refused("bad-length", format!("length {length} is not between 0 and {MAX_LENGTH}")))
}

/// How many machine words of counts are one step, which then takes about as long as one of the solver.
const WORDS_PER_STEP: u64 = 64;

/// What the number of feasible paths rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Each path has a replayed input, every other one a refuted prefix.
    Each,
    /// An induction over the merged graph: that no feasible path is missing and that each path is feasible, every step with a
    /// certificate. For each class of prefixes with the same states the interpreter has replayed one path.
    Induction,
    /// For each class the interpreter has replayed one path, and the solver has refuted its ways out that are cut. That all
    /// prefixes of a class go on alike rests on the exactness of projections, which is trusted.
    Projection,
}

/// What [`table`] counted.
#[derive(Clone, Debug)]
pub struct Table {
    /// In the order of the lengths asked for; without the rows whose total the run did not reach within the limit.
    pub rows: Vec<Row>,
    /// Why a row is missing or open, if one is.
    pub cut: Option<Reason>,
    /// Why the run enumerated the feasible paths one by one, if it did.
    pub enumerated: Option<Obstacle>,
    /// What the feasible counts rest on, where there are any.
    pub basis: Option<Basis>,
}

/// P(l) for each of these lengths (in edges), and FP(l) if `feasible`.
pub fn table(lts: &Lts, lengths: &[u32], feasible: bool, meter: &mut Meter, trace: &Trace) -> Table {
    // 1.
    let mut cut = None;
    let mut found: SortedMap<u32, Row> = SortedMap::new();
    let graph = Graph::of(lts);
    let mut counter = Counter::new(&graph);
    let mut words = 0;
    'lengths: for group in groups(lengths) {
        for length in group {
            while counter.length() < length {
                words += counter.advance();
                if let Err(why) = meter.spend(words / WORDS_PER_STEP) {
                    cut = Some(why.into());
                    break 'lengths;
                }
                words %= WORDS_PER_STEP;
            }
            let row = Row { length, total: counter.total(), feasible: None, needs: Needs::default() };
            let on = row.tell(trace);
            found.insert(length, row);
            if !on {
                cut = Some(Reason::Cancelled);
                break 'lengths;
            }
        }
    }
    let (mut enumerated, mut basis) = (None, None);
    if feasible && cut.is_none() {
        let machine = Machine::new(lts);
        let distance = distances(lts, lts.exit);
        let _ = trace.needs();
        let merged = lengths.iter().max().map(|&longest| merge(lts, &machine, &distance, longest, true, meter, trace));
        match merged {
            // 3.
            Some(Ok((merged, mut states))) => {
                let by = rests_on(&merged, &mut states, &distance, meter, trace);
                if by == Basis::Projection {
                    trace.emit(Event::Unshown);
                }
                basis = Some(by);
                let (graph, needs) = (merged.graph(), trace.needs());
                for (&length, count) in lengths.iter().zip(totals(&graph, lengths)) {
                    if let Some(row) = found.get_mut(&length) {
                        (row.feasible, row.needs) = (Some(Feasible::Exactly(count)), needs);
                        row.tell(trace);
                    }
                }
            }
            Some(Err(obstacle)) => {
                (enumerated, basis) = (Some(obstacle), Some(Basis::Each));
                cut = enumerate(lts, &machine, &distance, lengths, &mut found, meter, trace);
            }
            None => {}
        }
    }
    Table { rows: lengths.iter().filter_map(|length| found.get(length).cloned()).collect(), cut, enumerated, basis }
}

/// The merged graph (3.) of the feasible prefixes up to a length, confirmed, with the states that it consists of. Uses at most
/// half of the steps that are left. If there are not too many paths, and `each` asks for it, each path gets evidence of its own.
pub fn merge<'a>(
    lts: &'a Lts,
    machine: &Machine,
    distance: &[Option<u32>],
    length: u32,
    each: bool,
    meter: &mut Meter,
    trace: &Trace,
) -> Result<(Merged, States<'a>), Obstacle> {
    let outer = meter.narrow(meter.limit().saturating_sub(meter.used()) / 2);
    let mut asked = |context: &Context, answer: &Answer| {
        trace.emit(Event::Query { context, answer });
    };
    let mut ask = Ask { meter, asked: &mut asked };
    let mut states = States::new(lts);
    let mut build = |states: &mut States| {
        let merged = Merged::new(states, distance, length, &mut ask)?;
        let each = each && merged.is_small(lts, distance);
        if !each && !merged.is_exact() {
            return Ok(None);
        }
        match merged.confirm(lts, machine, distance, each, trace, &mut ask)? {
            Some(_) if !merged.is_exact() => Ok(None),
            Some(reason) => Err(Obstacle::Doubt(reason)),
            None => Ok(Some(merged)),
        }
    };
    if each {
        states.leave_out_far_ranges();
    }
    let mut merged = build(&mut states);
    let again = states.has_left_out() && !matches!(merged, Ok(Some(_)) | Err(Obstacle::Exhausted(_)));
    states.keep_far_ranges();
    if again {
        merged = build(&mut states);
    }
    let merged = merged.and_then(|merged| merged.ok_or(Obstacle::Doubt(Reason::Rejected)));
    meter.widen(outer);
    merged.map(|merged| (merged, states))
}

/// What the counts in a merged graph rest on: shows by induction that it is exact, where not each path has evidence. Uses at most
/// half of the steps that are left.
fn rests_on(merged: &Merged, states: &mut States, distance: &[Option<u32>], meter: &mut Meter, trace: &Trace) -> Basis {
    if merged.is_small(states.lts, distance) {
        return Basis::Each;
    }
    let outer = meter.narrow(meter.limit().saturating_sub(meter.used()) / 2);
    let mut asked = |context: &Context, answer: &Answer| {
        trace.emit(Event::Query { context, answer });
    };
    let shown = merged.induction(states, trace, &mut Ask { meter, asked: &mut asked });
    meter.widen(outer);
    if shown == Ok(true) { Basis::Induction } else { Basis::Projection }
}

/// 3. and 4. by enumeration; gives why a row stays open, if one does.
fn enumerate(
    lts: &Lts,
    machine: &Machine,
    distance: &[Option<u32>],
    lengths: &[u32],
    found: &mut SortedMap<u32, Row>,
    meter: &mut Meter,
    trace: &Trace,
) -> Option<Reason> {
    let mut cut = None;
    // 2.
    for group in groups(lengths) {
        let longest = group[group.len() - 1];
        let _ = trace.needs();
        let mut tally = Tally { machine, trace, by_length: Vec::new(), open: None };
        let ended = complete_paths(lts, distance, longest, meter, &mut tally);
        let stopped = ended.err().map(Reason::from);
        let needs = trace.needs();
        for length in group {
            let Some(row) = found.get_mut(&length) else { continue };
            // An open path no longer than the row's length leaves the row open.
            let open = stopped.or_else(|| tally.open.filter(|(shortest, _)| *shortest <= length).map(|(_, reason)| reason));
            let count: BigUint = tally.by_length.iter().take(length as usize + 1).sum();
            row.feasible = Some(match open {
                Some(reason) if count < row.total => Feasible::AtLeast(count, reason),
                _ => Feasible::Exactly(count),
            });
            row.needs = needs;
            cut = cut.or(open.filter(|_| matches!(row.feasible, Some(Feasible::AtLeast(..)))));
            row.tell(trace);
        }
    }
    cut
}

/// 2. Ascending lengths, cut where the next is more than an eighth longer than the first of its group.
fn groups(lengths: &[u32]) -> Vec<Vec<u32>> {
    let mut sorted = lengths.to_vec();
    sorted.arrange();
    sorted.dedup();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for length in sorted {
        match groups.last_mut() {
            Some(group) if length - group[0] <= group[0] / 8 => group.push(length),
            _ => groups.push(vec![length]),
        }
    }
    groups
}

/// Counts complete feasible paths by their length.
struct Tally<'a, 't> {
    machine: &'a Machine<'a>,
    trace: &'a Trace<'t>,
    by_length: Vec<BigUint>,
    /// The shortest complete path that stayed open.
    open: Option<(u32, Reason)>,
}

impl Visitor for Tally<'_, '_> {
    fn stepped(&mut self, walk: &mut Walk, edge: EdgeId, step: &Step) -> bool {
        if let Step::Infeasible(refutation) = step {
            let mut path = walk.path();
            path.push(edge);
            self.trace.emit(Event::Refuted { path: &path, pool: walk.pool(), refutation });
        }
        true
    }

    /// 4.
    fn complete(&mut self, walk: &mut Walk) {
        let (length, path) = (walk.len(), walk.path());
        match believed(walk.witness(self.machine)) {
            Ok(input) => {
                self.by_length.resize(self.by_length.len().max(length + 1), BigUint::ZERO);
                self.by_length[length] += 1u32;
                self.trace.emit(Event::Reached { path: &path, input: &input, after: &[] });
            }
            Err(reason) => {
                if self.open.is_none_or(|(shortest, _)| (length as u32) < shortest) {
                    self.open = Some((length as u32, reason));
                }
                self.trace.emit(Event::Open { path: &path, reason });
            }
        }
    }

    fn asked(&mut self, context: &Context, answer: &Answer) {
        self.trace.emit(Event::Query { context, answer });
    }
}

/// A replayed input for the walk's path, or why there is none.
pub fn believed(witness: Result<Result<Input, Reason>, ReplayMismatch>) -> Result<Input, Reason> {
    match witness {
        Ok(found) => found,
        Err(mismatch) => {
            debug_assert!(false, "symbolic execution and interpreter disagree: {mismatch}");
            Err(Reason::Rejected)
        }
    }
}
