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
//! 3. merge the states of equal prefixes and count in the merged graph ([`merged`]), once for all lengths or, where that takes many
//!    steps, for each in turn; where the steps end before, the length that merging reached is counted. Where that graph is not
//!    exact, walk for each group depth first over all complete paths, asking the solver only where the assignment known so far does not
//!    satisfy the next condition; cut at every refuted prefix;
//! 4. count a complete path only after the replay of an input takes it; of very many merged ones one for all, and show that these
//!    go on alike ([`Basis`]).
//!
//! Termination: the lengths bound the work; in practice the step limit does. A row that the limit or an open path cuts short is
//! "at least", never a count.

pub mod instances;
pub mod merged;
mod merging;
pub mod report;

pub use merging::merge;

use crate::count::{Counter, Graph, MAX_LENGTH, totals};
use crate::interp::{Input, Machine, ReplayMismatch};
use crate::load::refused;
use crate::logic::{Arrange, SortedMap};
use crate::lts::structure::distances;
use crate::lts::{EdgeId, Lts};
use crate::run::assumption_tracking::Needs;
use crate::run::trace::{Event, Trace};
use crate::search::{PathPrefix, PathVisitor, SearchStep, complete_paths};
use crate::solver::Reason;
use crate::solver::meter::Meter;
use crate::solver::questions::QueryLog;
use crate::view::Reply;
use merged::{Merged, Obstacle};
use merging::{Merging, Unmerged, left};
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
    /// How many are feasible, where that is known.
    fn counted(&self) -> Option<&BigUint> {
        if let Some(Feasible::Exactly(count)) = &self.feasible { Some(count) } else { None }
    }

    /// How many are feasible, or at least how many ([`Feasible::written`]), and what that rests on. Where the request does without an
    /// assumption that the count needs, the paths of the count are some of the feasible ones.
    pub fn counts(&self) -> (Option<String>, Option<String>, Vec<String>) {
        let (feasible, at_least) = Feasible::written(self.feasible.as_ref());
        match feasible {
            Some(count) if count == self.total.to_string() => (Some(count), None, self.needs.runs.ids()),
            Some(count) if self.needs.missing.is_empty() => (Some(count), None, self.needs.all.ids()),
            Some(count) => (None, Some(count), self.needs.runs.ids()),
            None => (None, at_least, self.needs.runs.ids()),
        }
    }
}

/// Refuses a length above [`MAX_LENGTH`], if one is.
pub fn check_lengths<T>(lengths: &[u32]) -> Option<Reply<T>> {
    let length = lengths.iter().find(|&&length| length > MAX_LENGTH)?;
    Some(refused("bad-length", format!("length {length} is not between 0 and {MAX_LENGTH}")))
}

/// How many machine words of counts are one step, which then takes about as long as one of the solver.
const WORDS_PER_STEP: u64 = 64;

/// What the number of feasible paths rests on, in the order of how much is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// The greatest length that merging reached, where that is less than was asked for: it has a row.
    pub reached: Option<u32>,
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
    let mut told = CountedSoFar { rows: found, ..CountedSoFar::default() };
    if feasible && cut.is_none() {
        let machine = Machine::new(lts);
        let distance = distances(lts, lts.exit);
        let _ = trace.needs();
        cut = count(lts, &machine, &distance, lengths, &mut told, meter, trace);
    }
    let CountedSoFar { rows: found, basis, enumerated, reached } = told;
    let mut rows: Vec<Row> = lengths.iter().filter_map(|length| found.get(length).cloned()).collect();
    if let Some(row) = reached.filter(|reached| !lengths.contains(reached)).and_then(|reached| found.get(&reached).cloned()) {
        let at = rows.iter().position(|other| other.length > row.length).unwrap_or(rows.len());
        rows.insert(at, row);
    }
    Table { rows, cut, enumerated, reached, basis }
}

/// What is known so far.
#[derive(Default)]
struct CountedSoFar {
    rows: SortedMap<u32, Row>,
    basis: Option<Basis>,
    enumerated: Option<Obstacle>,
    reached: Option<u32>,
}

/// Steps for one graph for all lengths at once; where they do not suffice, lengths are counted in turn.
const AT_ONCE: u64 = 1_000_000;

/// 3. and 4.; gives why a row stays open, if one does.
fn count(
    lts: &Lts,
    machine: &Machine,
    distance: &[Option<u32>],
    lengths: &[u32],
    told: &mut CountedSoFar,
    meter: &mut Meter,
    trace: &Trace,
) -> Option<Reason> {
    let mut waiting = lengths.to_vec();
    waiting.arrange();
    waiting.dedup();
    let longest = *waiting.last()?;
    let mut merging = Merging::new(lts, machine, distance);
    // Half of the steps are for evidence and for enumeration.
    let half = meter.used() + left(meter) / 2;
    let for_merging = |meter: &Meter| half.saturating_sub(meter.used());
    let (mut done, mut obstacle) = (0, None);
    match merging.up_to(longest, true, AT_ONCE.min(for_merging(meter)), meter, trace) {
        Ok(merged) => {
            tell(&mut merging, &merged, (&waiting, longest), told, meter, trace);
            return None;
        }
        Err(Unmerged { reached: Some(reached), .. }) if reached.is_large || for_merging(meter) > 0 => {}
        Err(unmerged) => obstacle = Some(unmerged.obstacle),
    }
    for &length in waiting.iter().take_while(|_| obstacle.is_none()).collect::<Vec<_>>() {
        match merging.as_far_as(length, done, for_merging(meter).max(left(meter) / 4), meter, trace) {
            Ok(merged) => {
                tell(&mut merging, &merged, (&[merged.length], longest), told, meter, trace);
                done = merged.length;
                if done < length {
                    break;
                }
            }
            Err(unmerged) => obstacle = Some(unmerged.obstacle),
        }
    }
    waiting.retain(|&length| length > done);
    if waiting.is_empty() {
        return None;
    }
    let counted = told.rows.get(&done).and_then(Row::counted).cloned().unwrap_or_default();
    // Of few paths enumeration finds more.
    if counted <= merged::EACH_UP_TO.into() {
        told.enumerated = obstacle;
        told.basis = told.basis.or(Some(Basis::Each));
        return enumerate(lts, machine, distance, &waiting, &mut told.rows, meter, trace);
    }
    told.reached = Some(done);
    let reason = meter.spend(0).err().map_or(Reason::Steps, Reason::from);
    for length in waiting {
        let Some(row) = told.rows.get_mut(&length) else { continue };
        row.feasible = Some(Feasible::AtLeast(counted.clone(), reason));
        row.tell(trace);
    }
    Some(reason)
}

/// Counts in the merged graph for these lengths; no caller asks for more than the longest.
fn tell(
    merging: &mut Merging,
    merged: &Merged,
    (lengths, longest): (&[u32], u32),
    told: &mut CountedSoFar,
    meter: &mut Meter,
    trace: &Trace,
) {
    // No other step needs the budget that is left after the last length.
    let share = if lengths.last() == Some(&longest) { 1 } else { 2 };
    let by = merging.rests_on(merged, share, meter, trace);
    if by == Basis::Projection {
        trace.emit(Event::Unproved);
    }
    told.basis = told.basis.max(Some(by));
    let (graph, needs) = (merged.graph(), trace.needs());
    for (&length, count) in lengths.iter().zip(totals(&graph, lengths)) {
        // A length that merging reached and the caller did not ask for has a row, too.
        let total = || totals(&Graph::of(merging.lts()), &[length]).pop().unwrap_or_default();
        let row = told.rows.entry(length).or_insert_with(|| Row { length, total: total(), feasible: None, needs });
        let feasible = match needs.doubt {
            Some(reason) => Feasible::AtLeast(BigUint::ZERO, reason),
            None => Feasible::Exactly(count),
        };
        (row.feasible, row.needs) = (Some(feasible), needs);
        row.tell(trace);
    }
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
        let mut tally = PathTally { machine, trace, by_length: Vec::new(), open: None };
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
struct PathTally<'a, 't> {
    machine: &'a Machine<'a>,
    trace: &'a Trace<'t>,
    by_length: Vec<BigUint>,
    /// The shortest complete path that stayed open.
    open: Option<(u32, Reason)>,
}

impl PathTally<'_, '_> {
    /// A path of this length, or what goes on after it, stays open.
    fn opened(&mut self, length: usize, reason: Reason) {
        if self.open.is_none_or(|(shortest, _)| (length as u32) < shortest) {
            self.open = Some((length as u32, reason));
        }
    }
}

impl PathVisitor for PathTally<'_, '_> {
    fn stepped(&mut self, walk: &mut PathPrefix, edge: EdgeId, step: &SearchStep) -> bool {
        if let SearchStep::Infeasible(refutation) = step {
            let mut path = walk.path();
            path.push(edge);
            if let Err(reason) = self.trace.claim(Event::Refuted { path: &path, pool: walk.pool(), refutation }) {
                self.opened(path.len(), reason);
            }
        }
        true
    }

    /// 4.
    fn complete(&mut self, walk: &mut PathPrefix) {
        let (length, path) = (walk.len(), walk.path());
        match believed(walk.witness(self.machine)) {
            Ok(input) => match self.trace.claim(Event::Reached { path: &path, input: &input, after: &[] }) {
                Ok(()) => {
                    self.by_length.resize(self.by_length.len().max(length + 1), BigUint::ZERO);
                    self.by_length[length] += 1u32;
                }
                Err(reason) => self.opened(length, reason),
            },
            Err(reason) => {
                self.opened(length, reason);
                self.trace.emit(Event::Open { path: &path, reason });
            }
        }
    }

    fn log(&self) -> &dyn QueryLog {
        self.trace
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
