//! Assumptions: what is chosen about the world around a function, each with a name.
//!
//! Lowering makes the function as it runs in any world that it can tell apart, and notes where a choice could be made ([`Lts::variables`]'
//! `first` and `owners`, [`Edge::external`](super::Edge), [`OutsideNames::meetings`](super::OutsideNames)). [`under`] makes the function under a set of assumptions: an
//! assumption that is left out only adds executions, and locations and edges keep their numbers. So a claim that holds under some
//! assumptions holds under more, and which it needs is found by leaving one out.
//!
//! To add one: a variant, its line in `TABLE`, and what [`under`] does with it.
//!
//! # Example
//!
//! ```
//! use culdesac::lts::assume::{Assumption, Assumptions, under};
//!
//! let text = "int f(int *p, int *q) { *p = 1; *q = 2; if (*p == 2) return 1; return 0; }";
//! let lts = culdesac::lts::lower::lower(&culdesac::lang::parse(text).program.expect("no error"), None).expect("no error").lts;
//! // Whether p and q point to one object matters here, and is assumed by default.
//! assert!(Assumption::DistinctParameters.site(&lts).is_some());
//! assert!(Assumptions::usual().contains(Assumption::DistinctParameters));
//! // Without the assumption what `*p` holds is not known.
//! assert_ne!(under(&lts, Assumptions::default()).graph.edge_weights().map(|edge| edge.nondets()).sum::<u32>(), 0);
//! ```

use super::node_cells::BLOCK_STRIDE;
use super::{ArrayId, Expr, InputSource, Label, Lts, Owner, PrintPiece, Requirement, VariableId};
use crate::logic::SortedSet;
use crate::logic::{Int, IntRange};
use crate::source::Span;

/// A choice about the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumption {
    /// What two pointer parameters point to are two objects, and none of them is a global.
    DistinctParameters,
    /// Pointers of a caller whose order or distance the function computes point into one object.
    OneObject,
    /// Pointers of a caller to blocks ([`crate::memory`]) lead to their first elements: no index before them is one of the object.
    WholeObjects,
    /// No read and no output meets an error: what is written arrives, and after the end of a text there is nothing.
    WorkingStreams,
    /// No function of the program has run before: statics have their first values.
    FirstCall,
    /// Other calls may have left any value in statics: what a run starts with need not be what calls can leave.
    AnyState,
    /// Calls of the program's functions, one after another, have left what statics hold.
    LeftByCalls,
    /// Functions without a body change nothing.
    QuietExternals,
    /// Where C leaves the order of evaluations open, they go from left to right.
    LeftToRight,
}

/// Each assumption with its name, what it says, and whether it is made by default.
const TABLE: &[(Assumption, &str, &str, bool)] = &[
    (
        Assumption::DistinctParameters,
        "distinct-parameters",
        "pointer parameters point to objects of their own: not to one object, and to no global",
        true,
    ),
    (
        Assumption::OneObject,
        "one-object",
        "pointer parameters that are ordered or subtracted point into one object, where C defines what that gives",
        true,
    ),
    (
        Assumption::WholeObjects,
        "whole-objects",
        "pointers of a caller in members, elements and globals lead to the first element of what they lead to",
        true,
    ),
    (
        Assumption::WorkingStreams,
        "working-streams",
        "reads and output meet no error: what is printed arrives, and after the end of standard input nothing more is read",
        true,
    ),
    (Assumption::FirstCall, "first-call", "the function is called for the first time: statics have their first values", false),
    (Assumption::AnyState, "any-state", "calls before this one may have left the statics with the values that a run starts with", true),
    (
        Assumption::LeftByCalls,
        "left-by-calls",
        "statics hold what calls of this program's functions, one after another, have left in them since its start",
        true,
    ),
    (Assumption::QuietExternals, "quiet-externals", "functions without a body change nothing", false),
    (
        Assumption::LeftToRight,
        "left-to-right",
        "where C leaves the order open, operands and arguments are evaluated from left to right",
        false,
    ),
];

impl Assumption {
    /// All of them, in the order in which they are listed.
    pub fn all() -> impl Iterator<Item = Assumption> {
        TABLE.iter().map(|entry| entry.0)
    }

    fn entry(self) -> &'static (Assumption, &'static str, &'static str, bool) {
        TABLE.iter().find(|entry| entry.0 == self).expect("each assumption has its line")
    }

    /// Its name, as in `--assume`.
    pub fn id(self) -> &'static str {
        self.entry().1
    }

    /// What it says, for people.
    pub fn text(self) -> &'static str {
        self.entry().2
    }

    /// Whether it is made by default.
    pub fn is_usual(self) -> bool {
        self.entry().3
    }

    /// The assumption of this name.
    pub fn named(id: &str) -> Option<Assumption> {
        TABLE.iter().find(|entry| entry.1 == id).map(|entry| entry.0)
    }

    /// Where it could matter in a function as lowering made it: the first span of the text; `None` where it makes no difference.
    pub fn site(self, lts: &Lts) -> Option<Span> {
        match self {
            Assumption::DistinctParameters => {
                let (variables, arrays) = met(lts);
                let spans = variables.iter().map(|id| lts.variable(*id).span).chain(arrays.iter().map(|id| lts.array(*id).span));
                let meetings =
                    lts.variables.iter().filter(|variable| lts.outside.meetings.contains(&variable.name)).map(|variable| variable.span);
                spans.chain(meetings).min_by_key(|span| (span.start, span.end))
            }
            Assumption::OneObject | Assumption::WholeObjects | Assumption::WorkingStreams => {
                let is_marked = match self {
                    Assumption::OneObject => is_ordered,
                    Assumption::WholeObjects => is_from_first,
                    _ => is_of_stream,
                };
                let marked = |e: &&Expr| {
                    let mut found = false;
                    e.walk(&mut |part| found |= is_marked(part));
                    found
                };
                let edges = lts.graph.edge_indices().filter(|&edge| lts.operands(edge).any(|e| marked(&e)));
                edges.map(|edge| lts.edge(edge).0.span).min_by_key(|span| (span.start, span.end))
            }
            Assumption::FirstCall | Assumption::AnyState => {
                let variables = lts.variables.iter().filter(|variable| variable.first.is_some()).map(|variable| variable.span);
                let arrays = lts.arrays.iter().filter(|array| array.first.is_some()).map(|array| array.span);
                variables.chain(arrays).min_by_key(|span| (span.start, span.end))
            }
            Assumption::LeftByCalls => {
                let is_whole = lts.calls.as_ref().is_some_and(|calls| calls.is_whole);
                is_whole.then(|| Assumption::AnyState.site(lts)).flatten()
            }
            Assumption::LeftToRight => {
                let open =
                    lts.graph.edge_weights().filter(|edge| matches!(&edge.label, Label::Assume { condition, .. } if is_order(condition)));
                open.map(|edge| edge.span).min_by_key(|span| (span.start, span.end))
            }
            Assumption::QuietExternals => lts
                .graph
                .edge_weights()
                .filter(|edge| {
                    edge.external.is_some() || matches!(&edge.label, Label::Assume { condition, .. } if is_write_of_nodes(condition))
                })
                .map(|edge| edge.span)
                .min_by_key(|span| (span.start, span.end)),
        }
    }
}

/// Those whose worlds are among those of each other set: an execution rests on none of them.
const USUAL_WORLDS: [Assumption; 4] =
    [Assumption::DistinctParameters, Assumption::OneObject, Assumption::WholeObjects, Assumption::WorkingStreams];

/// A set of assumptions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Assumptions(u32);

impl Assumptions {
    /// The assumptions that are made by default.
    pub fn usual() -> Assumptions {
        Assumption::all().filter(|one| one.is_usual()).collect()
    }

    pub fn contains(self, one: Assumption) -> bool {
        self.0 >> one as u32 & 1 == 1
    }

    #[must_use]
    pub fn with(self, one: Assumption) -> Assumptions {
        Assumptions(self.0 | 1 << one as u32)
    }

    #[must_use]
    pub fn without(self, one: Assumption) -> Assumptions {
        Assumptions(self.0 & !(1 << one as u32))
    }

    /// These, in worlds whose executions are executions of any world: pointer parameters that do not meet and streams without errors are
    /// allowed in each, and what orders pointers is defined in one object only.
    #[must_use]
    pub fn real(self) -> Assumptions {
        USUAL_WORLDS.into_iter().fold(self, Assumptions::with)
    }

    /// Those of these on which an execution can rest.
    #[must_use]
    pub fn of_runs(self) -> Assumptions {
        USUAL_WORLDS.into_iter().fold(self, Assumptions::without)
    }

    /// These and those.
    #[must_use]
    pub fn and(self, other: Assumptions) -> Assumptions {
        Assumptions(self.0 | other.0)
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// In the order in which they are listed.
    pub fn iter(self) -> impl Iterator<Item = Assumption> {
        Assumption::all().filter(move |&one| self.contains(one))
    }

    /// Those of them that could matter in a function as lowering made it.
    #[must_use]
    pub fn that_matter(self, lts: &Lts) -> Assumptions {
        self.iter().filter(|one| one.site(lts).is_some()).collect()
    }

    /// The names, in the order in which they are listed.
    pub fn ids(self) -> Vec<String> {
        self.iter().map(|one| one.id().to_owned()).collect()
    }
}

impl FromIterator<Assumption> for Assumptions {
    fn from_iter<I: IntoIterator<Item = Assumption>>(all: I) -> Assumptions {
        all.into_iter().fold(Assumptions::default(), Assumptions::with)
    }
}

/// Whether two objects of a caller may be one: a pointer parameter may point to whatever has its type, and to anything by characters
/// (C11 6.5p7).
fn may_meet(a: &Owner, b: &Owner) -> bool {
    a.declaration != b.declaration && (a.is_pointed || b.is_pointed) && (a.size == b.size || a.size == 1 || b.size == 1)
}

fn meets(a: &[Owner], b: &[Owner]) -> bool {
    a.iter().any(|a| b.iter().any(|b| may_meet(a, b)))
}

/// The variables and arrays that a write to another object may change, if pointer parameters are not distinct.
fn met(lts: &Lts) -> (SortedSet<VariableId>, SortedSet<ArrayId>) {
    let mut written: Vec<&[Owner]> = Vec::new();
    for edge in lts.graph.edge_weights() {
        written.push(match &edge.label {
            Label::Assign(id, _) | Label::Havoc(id) => &lts.variable(*id).owners,
            Label::Store { array, .. } | Label::Fill(array, _) | Label::HavocArray(array) => &lts.array(*array).owners,
            Label::Skip | Label::Assume { .. } => &[],
        });
    }
    written.retain(|owners| !owners.is_empty());
    written.dedup();
    let is_met = |owners: &[Owner]| written.iter().any(|other| meets(owners, other));
    let variables = lts.variables.iter().zip(0..).filter(|(variable, _)| is_met(&variable.owners)).map(|(_, id)| VariableId(id));
    let arrays = lts.arrays.iter().zip(0..).filter(|(array, _)| is_met(&array.owners)).map(|(_, id)| ArrayId(id));
    (variables.collect(), arrays.collect())
}

/// The function under these assumptions alone, from the function as lowering made it; under [`Assumption::LeftByCalls`] with all calls
/// before it.
pub fn under(lts: &Lts, assumed: Assumptions) -> Lts {
    if assumed.contains(Assumption::LeftByCalls)
        && !assumed.contains(Assumption::FirstCall)
        && let Some(calls) = lts.calls.as_ref().filter(|calls| calls.is_whole)
        && let Some(chain) = calls.chain(lts, assumed, |callable| callable.changes)
    {
        return chain.lts;
    }
    let mut under = lts.clone();
    if assumed.contains(Assumption::FirstCall) {
        for variable in &mut under.variables {
            variable.initial = variable.initial.take().or(variable.first.take());
        }
        for array in &mut under.arrays {
            array.initial = array.initial.take().or(array.first.take());
        }
    }
    if assumed.contains(Assumption::QuietExternals) {
        for edge in under.graph.edge_weights_mut() {
            match &mut edge.label {
                label if edge.external.is_some() => *label = Label::Skip,
                Label::Assume { condition, .. } if is_write_of_nodes(condition) => *condition = Expr::Int(Int::ZERO),
                _ => {}
            }
        }
    }
    if assumed.contains(Assumption::LeftToRight) {
        for edge in under.graph.edge_weights_mut() {
            // Where the value is not 0, what stands further left comes first.
            if let Label::Assume { condition, holds } = &mut edge.label
                && let Expr::Nondet(_, InputSource::Order(first, other)) = condition
            {
                edge.order = Some(if *holds { first } else { other }.clone());
                *condition = Expr::Int(Int::ONE);
            }
        }
    }
    if Assumption::OneObject.site(lts).is_some() {
        // Of two objects, what a machine gives is anything.
        unguarded(&mut under, is_ordered, assumed.contains(Assumption::OneObject), IntRange::of_bits(64, true));
    }
    if Assumption::WorkingStreams.site(lts).is_some() {
        unguarded(&mut under, is_of_stream, assumed.contains(Assumption::WorkingStreams), IntRange::of_bits(32, true));
    }
    if !assumed.contains(Assumption::WholeObjects) {
        every_value(&mut under, &mut |e| {
            if is_from_first(e) {
                *e = Expr::nondet(Some(IntRange { least: -i128::from(BLOCK_STRIDE), greatest: i128::from(BLOCK_STRIDE) }));
            }
        });
    }
    if !assumed.contains(Assumption::DistinctParameters) {
        let (variables, arrays) = met(lts);
        if !variables.is_empty() || !arrays.is_empty() {
            unknown(&mut under, &variables, &arrays);
        }
        for variable in under.variables.iter_mut().filter(|variable| lts.outside.meetings.contains(&variable.name)) {
            variable.initial = None;
        }
    }
    under
}

/// Lets each marked expression have its value where an assumption holds, and else any truth value, or any of `range` where it is no comparison.
fn unguarded(lts: &mut Lts, is_marked: fn(&Expr) -> bool, holds: bool, range: IntRange) {
    every_value(lts, &mut |e| {
        if is_marked(e)
            && let Expr::Guarded(_, _, value) = e
        {
            let truth = matches!(**value, Expr::Compare(..)).then_some(IntRange { least: 0, greatest: 1 });
            *e = if holds { (**value).clone() } else { Expr::nondet(Some(truth.unwrap_or(range))) };
        }
    });
}

/// Whether it is the choice of an order of evaluation.
fn is_order(condition: &Expr) -> bool {
    matches!(condition, Expr::Nondet(_, InputSource::Order(..)))
}

/// Whether it is the choice of a function without a body to write nodes.
fn is_write_of_nodes(condition: &Expr) -> bool {
    matches!(condition, Expr::Nondet(_, InputSource::WrittenNodes(_)))
}

/// Whether it is the order, or the distance, of two pointers of a caller.
fn is_ordered(e: &Expr) -> bool {
    matches!(e, Expr::Guarded(Requirement::OneObject, ..))
}

/// Whether it is an index in a block of a caller, which may not lie before the first element.
fn is_from_first(e: &Expr) -> bool {
    matches!(e, Expr::Guarded(Requirement::First, ..))
}

/// Whether it is what a stream says that meets no error.
fn is_of_stream(e: &Expr) -> bool {
    matches!(e, Expr::Guarded(Requirement::Works, ..))
}

/// Lets every read of these give an arbitrary value.
fn unknown(lts: &mut Lts, variables: &SortedSet<VariableId>, arrays: &SortedSet<ArrayId>) {
    let ranges: Vec<Option<IntRange>> = lts.variables.iter().map(|variable| variable.range).collect();
    let element_ranges: Vec<Option<IntRange>> = lts.arrays.iter().map(|array| array.range).collect();
    every_value(lts, &mut |e| {
        let range = match e {
            Expr::Var(id) if variables.contains(id) => ranges[id.0 as usize],
            Expr::Read(id, _) if arrays.contains(id) => element_ranges[id.0 as usize],
            _ => return,
        };
        *e = Expr::nondet(range);
    });
}

/// Changes every expression that the function evaluates, those around first.
fn every_value(lts: &mut Lts, replace: &mut dyn FnMut(&mut Expr)) {
    for edge in lts.graph.edge_weights_mut() {
        match &mut edge.label {
            Label::Assume { condition: value, .. } | Label::Assign(_, value) => everywhere(value, replace),
            Label::Store { index, value, .. } => {
                everywhere(index, replace);
                everywhere(value, replace);
            }
            Label::Fill(_, values) => values.iter_mut().for_each(|value| everywhere(value, replace)),
            Label::Skip | Label::Havoc(_) | Label::HavocArray(_) => {}
        }
        let printed = edge.prints.iter_mut().flat_map(|print| &mut print.pieces).filter_map(PrintPiece::operand_mut);
        printed.chain(&mut edge.returns).for_each(|value| everywhere(value, replace));
    }
    let printed = lts.at_entry.prints.iter_mut().flat_map(|print| &mut print.pieces).filter_map(PrintPiece::operand_mut);
    printed.chain(&mut lts.at_entry.returns).for_each(|value| everywhere(value, replace));
}

fn everywhere(e: &mut Expr, replace: &mut dyn FnMut(&mut Expr)) {
    replace(e);
    e.children_mut(&mut |child| everywhere(child, replace));
}
