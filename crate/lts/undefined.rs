//! The graph with undefined edges: for each way in which what an edge evaluates may be undefined, an edge of its own.
//!
//! A defined execution is one of both graphs. An execution that comes to an edge of the function whose evaluation is undefined takes here
//! an undefined edge, to a location without edges. So a proof that no execution takes these edges is a proof that nothing is undefined there.
//!
//! Each edge gets checks before it, in the order of evaluation, as decisions: one side goes on, the other one is undefined. A check whose
//! outcome follows from the types of what it reads is left out. A check draws values of its own where its operand draws some, so there
//! are more executions here than in the function: a proof holds for these, too.
//!
//! Invariants: the locations of the function keep their numbers, and those of the checks follow. What only an assumption makes undefined
//! ([`Requirement::OneObject`]), and what no execution of a program fails, has no check.

use super::thresholds::convertible;
use super::value_range::ValueRanges;
use super::{
    ArrayId, BinaryOp, CompareOp, Edge, EdgeId, EdgePart, Expr, InputSource, Label, Location, LocationId, Lts, Print, Read, Requirement,
};
use crate::logic::rank::{FloatFormat, FloatOp};
use crate::logic::{Int, IntRange, SortedMap, SortedSet};
use crate::source::Span;
use petgraph::graph::DiGraph;

/// A way in which an evaluation is undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UndefinedKind {
    Division,
    Overflow,
    /// Of a number with a fraction to an integer type.
    Conversion,
    Shift,
    /// An index outside of the array, whose length the function has.
    Index(ArrayId),
    Unmet(Requirement),
}

/// A hazard at which something may be undefined: an edge of the function, and the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hazard {
    /// The edge of the function, of a decision the first one; `None` is what it evaluates before its first edge.
    pub edge: Option<EdgeId>,
    pub part: EdgePart,
    pub kind: UndefinedKind,
    /// The undefined edges: an execution fails here exactly if it takes one of them.
    pub edges: Vec<EdgeId>,
}

impl UndefinedKind {
    /// What happens, for people.
    pub fn text(self, lts: &Lts) -> String {
        match self {
            UndefinedKind::Division => "division by zero".to_owned(),
            UndefinedKind::Overflow => "signed overflow".to_owned(),
            UndefinedKind::Conversion => "a conversion of a number beyond the integer type".to_owned(),
            UndefinedKind::Shift => "a shift of a negative value, by a negative count, or by the width of the type or more".to_owned(),
            UndefinedKind::Index(array) => format!("an index outside of `{}`", lts.array(array).name),
            UndefinedKind::Unmet(requirement) => requirement.to_string(),
        }
    }

    /// The same as a clause, e.g. after *whether*.
    pub fn clause(self, lts: &Lts) -> String {
        match self {
            UndefinedKind::Division => "it divides by zero".to_owned(),
            UndefinedKind::Overflow => "a signed number overflows".to_owned(),
            UndefinedKind::Conversion => "a number is converted to an integer type that cannot hold it".to_owned(),
            UndefinedKind::Shift => {
                "a negative value is shifted, or one by a negative count, or by the width of the type or more".to_owned()
            }
            UndefinedKind::Index(array) => format!("an index is outside of `{}`", lts.array(array).name),
            UndefinedKind::Unmet(requirement) => requirement.clause(),
        }
    }
}

impl Hazard {
    /// The span of its expression or statement in the program; `lts` is the function's own graph.
    pub fn span(&self, lts: &Lts) -> Span {
        lts.span_of(self.edge, self.part)
    }
}

/// The graph with undefined edges.
#[derive(Clone, Debug)]
pub struct WithUndefined {
    pub lts: Lts,
    /// In the order of the function's edges.
    pub hazards: Vec<Hazard>,
    /// The edges whose evaluation may be undefined in ways that have no check.
    pub unchecked: Vec<(EdgeId, Unchecked)>,
}

/// What has no check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unchecked {
    /// An index in an array of a caller of unknown length.
    Length,
    /// An expression that is approximated.
    Approximated,
    /// A number in a text that its object cannot hold.
    Number,
}

/// A condition that holds where an evaluation is defined.
struct DefinedCheck {
    kind: UndefinedKind,
    condition: Expr,
}

/// The graph with undefined edges of a function.
pub fn with_undefined(lts: &Lts) -> WithUndefined {
    let mut graph = DiGraph::default();
    for location in lts.graph.node_weights() {
        graph.add_node(location.clone());
    }
    let mut building =
        Building { of: lts, ranges: ValueRanges::new(lts), graph, undefined: None, hazards: SortedMap::new(), unchecked: Vec::new() };
    let entry = building.before_entry();
    for location in lts.graph.node_indices() {
        building.location(location);
    }
    let Building { graph, hazards, unchecked, .. } = building;
    let hazards = hazards.into_iter().map(|((edge, part, kind), edges)| Hazard { edge, part, kind, edges });
    let is_moved = entry != lts.entry;
    let mut changed = Lts { graph, entry, ..lts.clone() };
    if is_moved {
        (changed.at_entry.prints, changed.at_entry.returns) = (Vec::new(), None);
    }
    WithUndefined { lts: changed, hazards: hazards.collect(), unchecked }
}

struct Building<'l> {
    of: &'l Lts,
    ranges: ValueRanges<'l>,
    graph: DiGraph<Location, Edge, u32>,
    /// Where undefined edges lead.
    undefined: Option<LocationId>,
    hazards: SortedMap<(Option<EdgeId>, EdgePart, UndefinedKind), Vec<EdgeId>>,
    unchecked: Vec<(EdgeId, Unchecked)>,
}

/// Where checks stand in the function.
#[derive(Clone, Copy)]
struct CheckedAt {
    edge: Option<EdgeId>,
    part: EdgePart,
    span: Span,
    library: bool,
}

impl Building<'_> {
    /// What the function evaluates before its first edge; gives the entry.
    fn before_entry(&mut self) -> LocationId {
        let lts = self.of;
        let checks =
            Evaluated { ranges: &self.ranges, at: lts.entry }.after_label(lts, &lts.at_entry.prints, lts.at_entry.returns.as_ref());
        if checks.is_empty() {
            return lts.entry;
        }
        let entry = self.graph.add_node(lts.graph[lts.entry].clone());
        let mut at = entry;
        for (part, check) in checks {
            at = self.check(at, CheckedAt { edge: None, part, span: lts.span_of(None, part), library: false }, check);
        }
        let edge = Edge {
            prints: lts.at_entry.prints.clone(),
            returns: lts.at_entry.returns.clone(),
            returned_at: lts.at_entry.returned_at,
            ..Edge::plain(Label::Skip, lts.graph[lts.entry].span)
        };
        self.graph.add_edge(at, lts.entry, edge);
        entry
    }

    fn location(&mut self, location: LocationId) {
        let lts = self.of;
        let edges = lts.outgoing(location);
        let Some(&(first, _)) = edges.first() else { return };
        // Both sides of a decision evaluate the same condition, once.
        let Edge { span, library, .. } = lts.graph[first];
        let mut at = location;
        // No object has as many elements as would make a counter of the library overflow.
        let is_exempt = |check: &DefinedCheck| library && check.kind == UndefinedKind::Overflow && counts(&lts.graph[first].label);
        let checks = (Evaluated { ranges: &self.ranges, at }).of_label(lts, &lts.graph[first].label);
        for check in checks.into_iter().filter(|check| !is_exempt(check)) {
            at = self.check(at, CheckedAt { edge: Some(first), part: EdgePart::Label, span, library }, check);
        }
        for (edge, to) in edges {
            self.edge(edge, at, to);
        }
    }

    /// An edge of the function, and what it prints and returns after its label.
    fn edge(&mut self, edge: EdgeId, from: LocationId, to: LocationId) {
        let lts = self.of;
        let own = &lts.graph[edge];
        let mut unchecked: SortedSet<Unchecked> =
            stores_to_unknown_length(lts, &own.label).then_some(Unchecked::Length).into_iter().collect();
        // What stands for a call that goes deeper is no expression of the program.
        if lts.graph[edge].deeper.is_none() {
            lts.operands(edge).for_each(|e| without_check(lts, e, &mut unchecked));
        }
        self.unchecked.extend(unchecked.iter().map(|&kind| (edge, kind)));
        let checks = Evaluated { ranges: &self.ranges, at: to }.after_label(lts, &own.prints, own.returns.as_ref());
        if checks.is_empty() {
            self.graph.add_edge(from, to, own.clone());
            return;
        }
        let mut at = self.graph.add_node(lts.graph[to].clone());
        self.graph.add_edge(from, at, Edge { prints: Vec::new(), returns: None, ..own.clone() });
        for (part, check) in checks {
            let span = lts.span_of(Some(edge), part);
            at = self.check(at, CheckedAt { edge: Some(edge), part, span, library: own.library }, check);
        }
        let rest = Edge {
            prints: own.prints.clone(),
            returns: own.returns.clone(),
            returned_at: own.returned_at,
            failure: own.failure,
            library: own.library,
            ..Edge::plain(Label::Skip, own.span)
        };
        self.graph.add_edge(at, to, rest);
    }

    /// A decision whose first side goes on; gives where it leads.
    fn check(&mut self, at: LocationId, CheckedAt { edge, part, span, library }: CheckedAt, check: DefinedCheck) -> LocationId {
        let undefined = *self.undefined.get_or_insert_with(|| self.graph.add_node(Location::default()));
        let next = self.graph.add_node(self.graph[at].clone());
        let side = |holds| Edge { library, ..Edge::plain(Label::Assume { condition: check.condition.clone(), holds }, span) };
        self.graph.add_edge(at, next, side(true));
        let failing = self.graph.add_edge(at, undefined, side(false));
        self.hazards.entry((edge, part, check.kind)).or_default().push(failing);
        next
    }
}

/// Where an expression is evaluated, with what is known of values there.
struct Evaluated<'r, 'l> {
    ranges: &'r ValueRanges<'l>,
    at: LocationId,
}

impl Evaluated<'_, '_> {
    /// The checks of what is evaluated in this order.
    fn checks<'e>(&self, lts: &Lts, operands: impl IntoIterator<Item = &'e Expr>) -> Vec<DefinedCheck> {
        let mut found = Vec::new();
        operands.into_iter().for_each(|e| self.of_value(lts, e, &mut found));
        found
    }

    /// The checks of what is evaluated after a label: by calls that print, and for the value that the function returns.
    fn after_label(&self, lts: &Lts, prints: &[Print], returns: Option<&Expr>) -> Vec<(EdgePart, DefinedCheck)> {
        let printed = (0..).zip(prints).map(|(number, print)| (EdgePart::Print(number), self.checks(lts, print.operands())));
        let all = printed.chain([(EdgePart::Return, self.checks(lts, returns))]);
        all.flat_map(|(part, checks)| checks.into_iter().map(move |check| (part, check))).collect()
    }

    /// The checks of a label. The index of a store is evaluated with the value.
    fn of_label(&self, lts: &Lts, label: &Label) -> Vec<DefinedCheck> {
        let mut found = self.checks(lts, label.operands());
        if let Label::Store { array, index, .. } = label {
            found.extend(self.of_index(lts, *array, index));
        }
        found
    }

    fn of_value(&self, lts: &Lts, e: &Expr, found: &mut Vec<DefinedCheck>) {
        if let Expr::Guarded(requirement, condition, value) = e {
            self.of_value(lts, condition, found);
            if requirement.is_of_program() && !self.ranges.is_never_zero(self.at, condition) {
                found.push(DefinedCheck { kind: UndefinedKind::Unmet(*requirement), condition: (**condition).clone() });
            }
            return self.of_value(lts, value, found);
        }
        e.children(&mut |child| self.of_value(lts, child, found));
        match e {
            Expr::Read(array, index) => found.extend(self.of_index(lts, *array, index)),
            Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) if !self.ranges.is_never_zero(self.at, divisor) => {
                let condition = compare(CompareOp::Ne, (**divisor).clone(), Expr::Int(Int::ZERO));
                found.push(DefinedCheck { kind: UndefinedKind::Division, condition });
            }
            Expr::Binary(BinaryOp::ShiftLeft(width) | BinaryOp::ShiftRight(width), _, count) => {
                let range = IntRange { least: 0, greatest: i128::from(*width) - 1 };
                found.extend(self.of_range(UndefinedKind::Shift, count, &range));
            }
            Expr::Checked(range, operation) => {
                let quotient = match &**operation {
                    Expr::Binary(BinaryOp::Rem, left, right) => Some(Expr::Binary(BinaryOp::Div, left.clone(), right.clone())),
                    _ => None,
                };
                if let Expr::Binary(BinaryOp::ShiftLeft(_), left, _) = &**operation
                    && self.ranges.of(self.at, left).is_none_or(|own| own.least < 0)
                {
                    let condition = compare(CompareOp::Ge, (**left).clone(), Expr::Int(Int::ZERO));
                    found.push(DefinedCheck { kind: UndefinedKind::Shift, condition });
                }
                found.extend(self.of_range(UndefinedKind::Overflow, quotient.as_ref().unwrap_or(operation), range));
            }
            Expr::Within(requirement, range, value) if requirement.is_of_program() => {
                found.extend(self.of_range(UndefinedKind::Unmet(*requirement), value, range));
            }
            Expr::Nondet(_, InputSource::Computed(computation)) => {
                if let (FloatOp::ToInteger(range), [number]) = (computation.op, &computation.operands[..]) {
                    found.extend(self.of_conversion(computation.format, number, &range));
                }
            }
            _ => {}
        }
    }

    /// That a number without its fraction is a value of the type.
    fn of_conversion(&self, format: FloatFormat, number: &Expr, range: &IntRange) -> Vec<DefinedCheck> {
        let kind = UndefinedKind::Conversion;
        if number.draws_from(&|source| !source.is_computed()) {
            // A second evaluation would be of another number.
            return vec![DefinedCheck { kind, condition: Expr::nondet(Some(IntRange { least: 0, greatest: 1 })) }];
        }
        self.of_range(kind, number, &convertible(format, range))
    }

    fn of_index(&self, lts: &Lts, array: ArrayId, index: &Expr) -> Vec<DefinedCheck> {
        let Some(length) = &lts.array(array).length else { return Vec::new() };
        let kind = UndefinedKind::Index(array);
        let greatest = length.to_i64().map(|length| i128::from(length) - 1);
        if greatest.is_some_and(|greatest| self.ranges.is_within(self.at, index, &IntRange { least: 0, greatest })) {
            return Vec::new();
        }
        let natural = compare(CompareOp::Ge, index.clone(), Expr::Int(Int::ZERO));
        let below = compare(CompareOp::Lt, index.clone(), Expr::Int(length.clone()));
        [natural, below].map(|condition| DefinedCheck { kind, condition }).into()
    }

    /// That a value lies in a range, end by end, as far as that is not known.
    fn of_range(&self, kind: UndefinedKind, value: &Expr, range: &IntRange) -> Vec<DefinedCheck> {
        let own = self.ranges.of(self.at, value);
        let mut found = Vec::new();
        if own.is_none_or(|own| own.least < range.least) {
            found.push(DefinedCheck { kind, condition: compare(CompareOp::Ge, value.clone(), Expr::Int(range.least())) });
        }
        if own.is_none_or(|own| own.greatest > range.greatest) {
            found.push(DefinedCheck { kind, condition: compare(CompareOp::Le, value.clone(), Expr::Int(range.greatest())) });
        }
        found
    }
}

/// Whether a label adds 1 to a variable.
fn counts(label: &Label) -> bool {
    let Label::Assign(counter, Expr::Checked(_, sum)) = label else { return false };
    matches!(&**sum, Expr::Binary(BinaryOp::Add, left, right) if **left == Expr::Var(*counter) && **right == Expr::Int(Int::ONE))
}

fn compare(op: CompareOp, left: Expr, right: Expr) -> Expr {
    Expr::Compare(op, Box::new(left), Box::new(right))
}

fn has_unknown_length(lts: &Lts, array: ArrayId) -> bool {
    let array = lts.array(array);
    array.length.is_none() && array.member_of_nodes.is_none() && super::node_cells::of_nodes(array).is_none() && !array.is_of_strings()
}

/// Adds how what it evaluates may be undefined in ways that no check here has.
fn without_check(lts: &Lts, e: &Expr, found: &mut SortedSet<Unchecked>) {
    e.walk(&mut |part| {
        found.extend(match part {
            Expr::Read(array, _) if has_unknown_length(lts, *array) => Some(Unchecked::Length),
            Expr::Guarded(Requirement::Callers, ..) => Some(Unchecked::Length),
            Expr::Nondet(_, InputSource::Approximated) => Some(Unchecked::Approximated),
            Expr::Nondet(_, InputSource::Stdin(read))
                if !matches!(read, Read::Character | Read::EndOfFile | Read::Clear | Read::HasCount { .. }) =>
            {
                Some(Unchecked::Number)
            }
            _ => None,
        });
    });
}

fn stores_to_unknown_length(lts: &Lts, label: &Label) -> bool {
    matches!(label, Label::Store { array, .. } if has_unknown_length(lts, *array))
}
