//! Orders of evaluation that C leaves open, where they make a difference ([`super::regions`]).
//!
//! What conflicts is evaluated in front of its expression, into temporaries, and a decision on an arbitrary value says which comes first:
//! from a set of evaluations that are done, one way leads on for each that may come next. Ways that differ only in the order of what does
//! not conflict are one. Where one object is changed and used without an order between, the execution is undefined.

use super::Lowerer;
use super::graph::{NOWHERE, Node};
use super::regions::{Kind, Region, Same, Unsequenced};
use super::spelling::spelled;
use super::target::Target;
use crate::lang::ast::{Expr as Tree, ExprKind, Name, Storage};
use crate::logic::SortedMap;
use crate::logic::{Arrange, Int, IntRange};
use crate::lts::{BinaryOp, CompareOp, Expr, InputSource, Label, Requirement, VariableId};
use crate::source::{Diagnostic, Span};
use std::rc::Rc;

/// How many evaluations may come in any order. Of four there are 24 orders.
const MAX_FREE: usize = 5;
/// How many may be evaluated in front of an expression, most of them in one order.
const MAX_ACTIVE: usize = 60;

/// What is known of the evaluations of one expression.
struct Plan<'r, 'a> {
    region: &'r Region<'a>,
    /// The atoms in some conflict.
    active: Vec<usize>,
    /// The nodes from where the atoms of these sets are done.
    known: SortedMap<u64, Node>,
    next: Node,
}

impl<'a> Lowerer<'a> {
    fn region(&self, e: &Tree) -> Option<Rc<Region<'a>>> {
        if self.regions.is_empty() { None } else { self.regions.get(&std::ptr::from_ref(e)).cloned() }
    }

    /// Opens an expression whose evaluations may come in different orders; [`Lowerer::ordered`] must then come in front of its value, once
    /// [`Lowerer::close`] ended it. False for all others, and inside of an open one.
    pub(super) fn opens(&mut self, e: &'a Tree) -> bool {
        let Some(region) = self.region(e) else { return false };
        let frame = self.frame().id;
        if !self.open.insert((frame, std::ptr::from_ref(e))) {
            return false;
        }
        for atom in region.active().into_iter().map(|at| &region.atoms[at]) {
            let key = (frame, std::ptr::from_ref(atom.tree));
            if !self.evaluated.contains_key(&key) {
                let t = self.temporary(atom.tree.span, atom.tree.ty);
                self.evaluated.insert(key, t);
            }
        }
        true
    }

    pub(super) fn close(&mut self, e: &'a Tree) {
        let frame = self.frame().id;
        self.open.remove(&(frame, std::ptr::from_ref(e)));
    }

    /// The temporary with the value of an expression that is evaluated before.
    pub(super) fn evaluated(&mut self, e: &Tree) -> Option<Target> {
        if self.evaluated.is_empty() {
            return None;
        }
        let frame = self.frame().id;
        self.evaluated.get(&(frame, std::ptr::from_ref(e))).cloned()
    }

    /// The evaluations of the expression that conflict, in every order, in front of `next`.
    pub(super) fn ordered(&mut self, e: &'a Tree, next: Node) -> Node {
        let Some(region) = self.region(e) else { return next };
        let active = region.active();
        self.note_undefined(&region);
        let free = active.iter().filter(|&&at| region.conflicts.iter().any(|&(a, b)| a == at || b == at)).count();
        let too_many = free > MAX_FREE || active.len() > MAX_ACTIVE;
        if too_many || self.is_unclear(&region) {
            self.fail(
                Diagnostic::error("unsupported-order", e.span, "C leaves the order of evaluation open here, and it makes a difference")
                    .label(if too_many { "there are too many orders" } else { "these orders are not followed" })
                    .help("evaluate what changes something in a statement of its own"),
            );
            return NOWHERE;
        }
        let mut plan = Plan { region: &region, active, known: SortedMap::new(), next };
        let start = self.from(&mut plan, 0);
        let always = region.unsequenced.iter().filter(|unsequenced| unsequenced.parts[0].is_none());
        let start = always.rev().fold(start, |next, unsequenced| self.must_be_ordered(unsequenced, e.span, next));
        let start = self.mark_part(&region, start);
        self.forget_parts(&region, start)
    }

    /// Where the expression is a part of one with sequence points: the edges that only executions pass which have not evaluated what must not
    /// be evaluated beside it, and the note that it is evaluated.
    fn mark_part(&mut self, region: &Region<'a>, next: Node) -> Node {
        let root = region.root;
        let is_noted = region.from_around.iter().any(|unsequenced| unsequenced.parts[1].is_some());
        let next = if is_noted { self.set_part(root, Int::ONE, next) } else { next };
        // The part itself may be the place.
        let key = (self.frame().id, std::ptr::from_ref(root));
        let opened = self.open.insert(key);
        let start = region.from_around.iter().rev().fold(next, |next, unsequenced| self.must_be_ordered(unsequenced, root.span, next));
        if opened {
            self.open.remove(&key);
        }
        start
    }

    /// In front of an expression: none of the parts is evaluated that may not be evaluated beside each other.
    fn forget_parts(&mut self, region: &Region<'a>, next: Node) -> Node {
        let pairs = region.unsequenced.iter().filter_map(|unsequenced| Some([unsequenced.parts[0]?, unsequenced.parts[1]?]));
        let mut parts: Vec<&'a Tree> = Vec::new();
        for part in pairs.flatten() {
            if !parts.iter().any(|known| std::ptr::eq(*known, part)) {
                parts.push(part);
            }
        }
        parts.into_iter().rev().fold(next, |next, part| self.set_part(part, Int::ZERO, next))
    }

    /// Sets whether a part is evaluated.
    fn set_part(&mut self, part: &Tree, value: Int, next: Node) -> Node {
        let evaluated = self.part_variable(part);
        self.graph.operation(Label::Assign(evaluated, Expr::Int(value)), part.span, next)
    }

    /// The variable that says whether a part is evaluated.
    fn part_variable(&mut self, part: &Tree) -> VariableId {
        let key = (self.frame().id, std::ptr::from_ref(part));
        if let Some(&known) = self.evaluated_parts.get(&key) {
            return known;
        }
        let range = Some(IntRange { least: 0, greatest: 1 });
        let variable = self.typed_variable("evaluated".into(), crate::lts::Origin::Inlined, part.span, None, range);
        self.own_variable(variable, None);
        self.evaluated_parts.insert(key, variable);
        variable
    }

    /// The node from where the atoms of a set are done.
    fn from(&mut self, plan: &mut Plan<'_, 'a>, done: u64) -> Node {
        if let Some(&node) = plan.known.get(&done) {
            return node;
        }
        let candidates = plan.candidates(done);
        let mut node = None;
        for (i, &candidate) in candidates.iter().enumerate().rev() {
            let atom = &plan.region.atoms[plan.active[candidate]];
            let next = self.from(plan, done | 1 << candidate);
            let start = self.evaluate(atom.tree, next);
            node = Some(match node {
                None => start,
                Some(others) => {
                    let texts = plan.texts(&candidates[i..], done == 0);
                    let choice = Expr::Nondet(Some(IntRange { least: 0, greatest: 1 }), texts);
                    self.graph.decision(choice, plan.region.root.span, start, others)
                }
            });
        }
        let node = node.unwrap_or(plan.next);
        plan.known.insert(done, node);
        node
    }

    /// Evaluates an atom into its temporary.
    fn evaluate(&mut self, e: &'a Tree, next: Node) -> Node {
        let key = (self.frame().id, std::ptr::from_ref(e));
        let Some(t) = self.evaluated.remove(&key) else { return next };
        let node = self.assign(&t, None, e, e.span, next);
        self.evaluated.insert(key, t);
        node
    }

    /// Whether some order is none of whole evaluations of scalars.
    fn is_unclear(&self, region: &Region<'a>) -> bool {
        region.too_fine || region.active().iter().any(|&at| !self.is_scalar(region.atoms[at].tree))
    }

    fn is_scalar(&self, e: &Tree) -> bool {
        e.ty != self.abi().address() && super::flow::shape_of(self.program, e).is_none_or(|shape| shape.integer(self.abi()).is_some())
    }

    /// The edge that only executions pass in which the place is another one than where it changes.
    fn must_be_ordered(&mut self, unsequenced: &Unsequenced<'a>, span: Span, next: Node) -> Node {
        let mut effects = super::expression::Effects::default();
        let differ = match &unsequenced.same {
            Same::Perhaps => return next,
            Same::Always => Expr::Int(Int::ZERO),
            Same::IfEqual(pairs) => {
                let differs = |(a, b): (Expr, Expr)| Expr::Compare(CompareOp::Ne, Box::new(a), Box::new(b));
                let values: Vec<_> =
                    pairs.iter().map(|(a, b)| differs((self.value(a, &mut effects), self.value(b, &mut effects)))).collect();
                let either = |a, b| Expr::Binary(BinaryOp::Or, Box::new(a), Box::new(b));
                values.into_iter().reduce(either).unwrap_or(Expr::Int(Int::ZERO))
            }
        };
        let [place, _] = unsequenced.places;
        let differ = match unsequenced.parts[1] {
            None => differ,
            Some(other) => {
                let evaluated = Expr::Var(self.part_variable(other));
                let alone = Expr::Compare(CompareOp::Eq, Box::new(evaluated), Box::new(Expr::Int(Int::ZERO)));
                if let Same::Always = unsequenced.same { alone } else { Expr::Binary(BinaryOp::Or, Box::new(alone), Box::new(differ)) }
            }
        };
        let value = self.value(place, &mut effects);
        let range = self.range(place.ty);
        let unsequenced = self.typed_variable("unsequenced".into(), crate::lts::Origin::Inlined, span, None, range);
        self.own_variable(unsequenced, None);
        let value = Expr::Guarded(Requirement::Sequenced, Box::new(differ), Box::new(value));
        let set = self.graph.operation(Label::Assign(unsequenced, value), span, next);
        let set = self.graph.of_library(set);
        let after = self.run_steps(effects.after, set);
        self.run_steps(effects.before, after)
    }

    /// Whether an lvalue lies in a node.
    fn is_in_nodes(&self, lvalue: &Tree) -> bool {
        match &lvalue.kind {
            ExprKind::Index(base, _) | ExprKind::Member(base, ..) => self.is_in_nodes(base),
            ExprKind::Name(Name { decl: Some(decl), .. }) => self.program.decl(*decl).storage == Storage::Memory,
            _ => false,
        }
    }

    /// Notes what is undefined.
    fn note_undefined(&mut self, region: &Region<'a>) {
        for Unsequenced { names: [text, _], places, parts, same } in &region.unsequenced {
            // Pointers in nodes are elements of one array: that two of them may be one says little.
            if matches!(same, Same::Perhaps) && self.is_in_nodes(places[0]) {
                continue;
            }
            let message = match (same, parts[0]) {
                (Same::Always, None) => format!("`{text}` is changed and used without an order between: undefined (C11 6.5p2)"),
                _ => format!("`{text}` may be changed and used without an order between: that is undefined (C11 6.5p2)"),
            };
            let warning = Diagnostic::warning("unsequenced", region.root.span, message).help("split it into statements of their own");
            if !self.noticed.contains(&warning) {
                self.noticed.push(warning);
            }
        }
    }
}

impl Plan<'_, '_> {
    fn conflict(&self, i: usize, j: usize) -> bool {
        let (a, b) = (self.active[i].min(self.active[j]), self.active[i].max(self.active[j]));
        self.region.conflicts.contains(&(a, b))
    }

    fn is_before(&self, i: usize, j: usize) -> bool {
        self.region.before.contains(&(self.active[i], self.active[j]))
    }

    fn is_inside(&self, i: usize, j: usize) -> bool {
        self.region.is_inside(self.active[i], self.active[j])
    }

    /// Which of the active atoms may come next, where these are done. Of those that conflict neither with each other nor through others,
    /// only the first ones, since the order between does not matter.
    fn candidates(&self, done: u64) -> Vec<usize> {
        let mut left: Vec<usize> = (0..self.active.len()).filter(|i| done & 1 << i == 0).collect();
        // A compound assignment that has begun is one evaluation to what is outside.
        let begun = left.iter().copied().find(|&i| {
            (0..i).any(|old| {
                let atom = &self.region.atoms[self.active[old]];
                done & 1 << old != 0 && atom.kind == Kind::Old && self.region.assignment_of(atom.tree) == Some(self.active[i])
            })
        });
        if let Some(whole) = begun {
            left.retain(|&i| i == whole || self.is_inside(i, whole));
        }
        let mut group: Vec<usize> = left.iter().take(1).copied().collect();
        let mut at = 0;
        while let Some(&i) = group.get(at) {
            let tied = |j: usize| {
                self.conflict(i, j) || self.is_before(i, j) || self.is_before(j, i) || self.is_inside(i, j) || self.is_inside(j, i)
            };
            let more: Vec<usize> = left.iter().copied().filter(|&j| j != i && !group.contains(&j) && tied(j)).collect();
            group.extend(more);
            at += 1;
        }
        let mut ready: Vec<usize> = group.iter().copied().filter(|&i| !group.iter().any(|&j| j != i && self.is_inside(j, i))).collect();
        ready.arrange();
        // What may end the execution waits, unless all wait for each other.
        let waits = |&i: &usize| group.iter().any(|&j| self.is_before(j, i));
        if !ready.iter().all(waits) {
            ready.retain(|i| !waits(i));
        }
        match ready.iter().find(|&&i| !group.iter().any(|&j| j != i && self.conflict(i, j))) {
            Some(&free) => vec![free],
            None => ready,
        }
    }

    /// What the decision between the first of some atoms and the others says.
    fn texts(&self, candidates: &[usize], at_first: bool) -> InputSource {
        let text = |i: usize| {
            let own = spelled(self.region.atoms[self.active[i]].tree);
            let same: Vec<usize> = (0..self.active.len()).filter(|&j| spelled(self.region.atoms[self.active[j]].tree) == own).collect();
            match (same.as_slice(), same.iter().position(|&j| j == i)) {
                ([_], _) | (_, None) => own,
                ([_, _], Some(0)) => format!("left {own}"),
                ([_, _], Some(_)) => format!("right {own}"),
                (_, Some(at)) => format!("{own} number {}", at + 1),
            }
        };
        let when = if at_first { "first" } else { "next" };
        let first = format!("{} {when}", text(candidates[0]));
        let other = match candidates {
            [_, other] => format!("{} {when}", text(*other)),
            _ => format!("{} later", text(candidates[0])),
        };
        InputSource::Order(first.into(), other.into())
    }
}
