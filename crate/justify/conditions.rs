//! The conditions of a function as compilers count them: in which order, and which sides of ours each branch of theirs stands for.
//!
//! The walk over the syntax tree visits conditions in the order of gcc's blocks: the body of a loop before its condition, since gcc puts the
//! condition last. Of the two branches of a condition gcc counts the one first that leads to the earlier block: to the next condition of the
//! decision, else to what is nested in the statement, else to what follows. gcc counts a condition on the line of the operator before it, and
//! the first one of a decision on the line of the statement.

use crate::lang::ast::{Expr, ExprKind, Function, Stmt, StmtKind, UnaryOp};
use crate::lang::intrinsic::{self, Intrinsic};
use crate::logic::SortedMap;
use crate::source::Span;

/// A side of a condition of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WrittenSide {
    pub span: Span,
    /// Of several conditions with this span, as in a macro, which one: from 0.
    pub number: u32,
    pub holds: bool,
}

impl WrittenSide {
    fn other(self) -> WrittenSide {
        WrittenSide { holds: !self.holds, ..self }
    }
}

/// A condition, or several that gcc makes one: then the branches of gcc's stand for several sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenCondition {
    /// Where it starts, with the negations in front of it, as clang has its place.
    pub start: u32,
    /// Where gcc counts it.
    pub counted_at: u32,
    /// The sides on which it holds at that start, and those on which it does not.
    pub held: Vec<WrittenSide>,
    pub failed: Vec<WrittenSide>,
    /// Whether gcc counts `held` first.
    pub held_first: bool,
    /// The first nested statement and whether the condition holds there: it cannot lead there where that statement is never executed.
    pub leads_to: Option<(u32, bool)>,
    /// Whether it has operands that can vary: compilers count no others.
    pub varies: bool,
    /// Whether gcc makes no branch of it, as both lead to the same.
    pub is_void: bool,
    /// Whether it is that of an assertion.
    pub asserted: bool,
    /// Whether no rule is known for the order of gcc's records.
    pub is_unordered: bool,
}

/// Labels of a `switch` with one target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelGroup {
    /// The spans of the statements that the labels begin.
    pub labels: Vec<Span>,
    pub has_default: bool,
}

/// A `switch`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenSwitch {
    /// Where the statement starts.
    pub start: u32,
    /// Its targets, in the order of the text.
    pub groups: Vec<LabelGroup>,
    /// Where `default` stands, if it does.
    pub default: Option<u32>,
}

/// What a function decides by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrittenDecision {
    Condition(WrittenCondition),
    Switch(WrittenSwitch),
}

/// The decisions of a function, in gcc's order; `text` is that of the program.
pub fn decisions(function: &Function, text: &str) -> Vec<WrittenDecision> {
    let mut walk = ConditionWalk { text, found: Vec::new(), numbers: SortedMap::new(), switches: Vec::new(), is_unordered: false };
    function.body.iter().for_each(|stmt| walk.statement(stmt));
    walk.found
}

/// Where a condition leads, in the order of gcc's blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum BlockTarget {
    /// The body of a loop: gcc puts it before the condition.
    Body,
    /// The next condition of the decision, by its position.
    Next(u32),
    Nested,
    Alternative,
    After,
    /// Where a jump goes that ends the round or the loop.
    Jump,
}

/// Where the two outcomes of a condition lead.
#[derive(Clone, Copy, Debug)]
struct BlockTargets {
    held: BlockTarget,
    failed: BlockTarget,
    asserted: bool,
    /// The first statement that is nested in the statement of the decision.
    nested_at: Option<u32>,
    /// Where gcc counts the first condition; `None` where that is the condition's own position.
    counted_at: Option<u32>,
}

/// The sides with which a condition ends, by its outcome.
#[derive(Default)]
struct Exits {
    held: Vec<WrittenSide>,
    failed: Vec<WrittenSide>,
}

struct ConditionWalk<'t> {
    text: &'t str,
    found: Vec<WrittenDecision>,
    numbers: SortedMap<Span, u32>,
    /// The `switch` statements around, by their places in `found`.
    switches: Vec<usize>,
    /// Of the decision that is visited.
    is_unordered: bool,
}

const NESTED: BlockTargets =
    BlockTargets { held: BlockTarget::Nested, failed: BlockTarget::Alternative, asserted: false, nested_at: None, counted_at: None };

impl ConditionWalk<'_> {
    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::If { arms, otherwise } => {
                for (at, (condition, then)) in arms.iter().enumerate() {
                    let last = if otherwise.is_some() { BlockTarget::Alternative } else { BlockTarget::After };
                    let failed = if at + 1 < arms.len() { BlockTarget::Alternative } else { last };
                    let held = match () {
                        () if is_empty(then) => BlockTarget::After,
                        // gcc leads the conditions of a composed decision to where the jump goes.
                        () if is_jump(then) && leads_to_jump(condition, false, otherwise.is_some()) => BlockTarget::Jump,
                        () => BlockTarget::Nested,
                    };
                    let is_failure = otherwise.as_ref().is_some_and(|otherwise| fails(otherwise));
                    let targets = BlockTargets {
                        held,
                        failed,
                        asserted: at + 1 == arms.len() && is_failure,
                        nested_at: self.nested_line(condition, then),
                        ..NESTED
                    };
                    self.decision(condition, targets);
                    self.statement(then);
                }
                otherwise.iter().for_each(|stmt| self.statement(stmt));
            }
            StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition } => {
                self.statement(body);
                self.decision(condition, BlockTargets { held: BlockTarget::Body, failed: BlockTarget::After, ..NESTED });
            }
            StmtKind::For { init, condition, step, body } => {
                init.iter().for_each(|init| self.statement(init));
                self.statement(body);
                step.iter().for_each(|step| self.value(step));
                condition.iter().for_each(|condition| {
                    self.decision(condition, BlockTargets { held: BlockTarget::Body, failed: BlockTarget::After, ..NESTED });
                });
            }
            StmtKind::Switch { value, body } => {
                self.value(value);
                self.switches.push(self.found.len());
                self.found.push(WrittenDecision::Switch(WrittenSwitch { start: stmt.span.start, ..WrittenSwitch::default() }));
                self.statement(body);
                self.switches.pop();
            }
            StmtKind::Case { .. } | StmtKind::Default(_) => {
                let body = self.labels(stmt);
                self.statement(body);
            }
            _ => {
                stmt.expressions(&mut |e| self.value(e));
                stmt.children(&mut |child| self.statement(child));
            }
        }
    }

    /// Enters the labels with which a statement begins, and gives what they label.
    fn labels<'s>(&mut self, mut stmt: &'s Stmt) -> &'s Stmt {
        let mut group = LabelGroup::default();
        let mut default = None;
        loop {
            stmt = match &stmt.kind {
                StmtKind::Case { body, .. } => {
                    group.labels.push(stmt.span);
                    body
                }
                StmtKind::Default(body) => {
                    group.has_default = true;
                    default = Some(stmt.span.start);
                    body
                }
                _ => break,
            };
        }
        if let Some(WrittenDecision::Switch(switch)) = self.switches.last().map(|&at| &mut self.found[at]) {
            switch.groups.push(group);
            switch.default = switch.default.or(default);
        }
        stmt
    }

    /// Visits a whole decision. gcc moves the blocks of one that leads to where a jump goes, and of one with several lines and a negated composed
    /// part.
    fn decision(&mut self, e: &Expr, targets: BlockTargets) {
        let text = self.text.get(e.span.start as usize..e.span.end as usize).unwrap_or_default();
        self.is_unordered = targets.held == BlockTarget::Jump || text.contains('\n') && has_negated_parts(e);
        self.condition(e, targets);
        self.is_unordered = false;
    }

    /// Visits a condition: its parts that are conditions in the order of their evaluation.
    fn condition(&mut self, e: &Expr, targets: BlockTargets) -> Exits {
        match &e.unconverted().kind {
            ExprKind::Unary(UnaryOp::Not, inner) if is_composed(inner) => {
                let Exits { held, failed } = self.condition(inner, BlockTargets { held: targets.failed, failed: targets.held, ..targets });
                Exits { held: failed, failed: held }
            }
            ExprKind::And(a, b) => {
                let first = self.condition(a, BlockTargets { held: BlockTarget::Next(b.span.start), ..first(e, targets) });
                let second = self.condition(b, BlockTargets { counted_at: Some(self.operator(a, b, "&&")), ..targets });
                Exits { held: second.held, failed: [first.failed, second.failed].concat() }
            }
            ExprKind::Or(a, b) => {
                let first = self.condition(a, BlockTargets { failed: BlockTarget::Next(b.span.start), ..first(e, targets) });
                let second = self.condition(b, BlockTargets { counted_at: Some(self.operator(a, b, "||")), ..targets });
                Exits { held: [first.held, second.held].concat(), failed: second.failed }
            }
            // gcc makes a value of it, and then one condition of the value.
            ExprKind::Conditional(condition, a, b) => {
                self.condition(condition, NESTED);
                let count = self.found.len();
                let (first, second) = (self.condition(a, NESTED), self.condition(b, NESTED));
                self.found.truncate(count);
                let exits = Exits { held: [first.held, second.held].concat(), failed: [first.failed, second.failed].concat() };
                self.enter(e.span.start, &exits, targets, varies(e));
                exits
            }
            _ => {
                let (span, negated) = atom(e);
                e.unconverted().kind.children(&mut |child| self.value(child));
                let number = self.numbers.entry(span).or_default();
                let side = WrittenSide { span, number: *number, holds: !negated };
                *number += 1;
                let exits = Exits { held: vec![side], failed: vec![side.other()] };
                self.enter(e.span.start, &exits, targets, varies(e));
                exits
            }
        }
    }

    /// Where the outermost operator of a decision stands, below negations.
    fn outermost(&self, e: &Expr) -> Option<u32> {
        match &e.unconverted().kind {
            ExprKind::And(a, b) => Some(self.operator(a, b, "&&")),
            ExprKind::Or(a, b) => Some(self.operator(a, b, "||")),
            ExprKind::Unary(UnaryOp::Not, inner) => self.outermost(inner),
            _ => None,
        }
    }

    /// Where the first nested statement starts, if it has a line of its own: a line that conditions share with it says nothing of it.
    fn nested_line(&self, condition: &Expr, then: &Stmt) -> Option<u32> {
        let start = first_statement(then)?;
        let between = self.text.get(condition.span.end as usize..start as usize)?;
        between.contains('\n').then_some(start)
    }

    /// Where the operator between two operands stands; operands of a macro have its position.
    fn operator(&self, a: &Expr, b: &Expr, operator: &str) -> u32 {
        let between = self.text.get(a.span.end as usize..b.span.start as usize).unwrap_or_default();
        between.find(operator).map_or(b.span.start, |at| a.span.end + at as u32)
    }

    fn enter(&mut self, start: u32, Exits { held, failed }: &Exits, targets: BlockTargets, varies: bool) {
        self.found.push(WrittenDecision::Condition(WrittenCondition {
            start,
            counted_at: targets.counted_at.unwrap_or(start),
            held: held.clone(),
            failed: failed.clone(),
            held_first: targets.held < targets.failed,
            leads_to: targets.nested_at.and_then(|at| match (targets.held, targets.failed) {
                (BlockTarget::Nested, _) => Some((at, true)),
                (_, BlockTarget::Nested) => Some((at, false)),
                _ => None,
            }),
            varies,
            is_void: targets.held == BlockTarget::After && targets.failed == BlockTarget::After,
            asserted: targets.asserted,
            is_unordered: self.is_unordered,
        }));
    }

    /// Visits an expression that is evaluated for its value: its decisions are `&&`, `||` and `?:`.
    fn value(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::And(..) | ExprKind::Or(..) => {
                self.decision(e, BlockTargets { counted_at: self.outermost(e), ..NESTED });
            }
            ExprKind::Unary(UnaryOp::Not, inner) if is_composed(inner) => {
                self.decision(e, BlockTargets { counted_at: self.outermost(inner), ..NESTED });
            }
            ExprKind::Conditional(condition, a, b) => {
                self.decision(condition, BlockTargets { asserted: calls_failure(b), ..NESTED });
                self.value(a);
                self.value(b);
            }
            ExprKind::Call(name, arguments) if matches!(intrinsic::find(&name.text), Some(Intrinsic::Assert(_))) => {
                for argument in arguments {
                    self.condition(
                        argument,
                        BlockTargets { held: BlockTarget::After, failed: BlockTarget::Alternative, asserted: true, ..NESTED },
                    );
                }
            }
            ExprKind::SizeofExpr(_) => {}
            kind => kind.children(&mut |child| self.value(child)),
        }
    }
}

/// The targets of the first operand of a decision.
fn first(e: &Expr, targets: BlockTargets) -> BlockTargets {
    BlockTargets { counted_at: targets.counted_at.or(Some(e.span.start)), ..targets }
}

/// Whether a condition consists of conditions.
fn is_composed(e: &Expr) -> bool {
    match &e.unconverted().kind {
        ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Conditional(..) => true,
        ExprKind::Unary(UnaryOp::Not, inner) => is_composed(inner),
        _ => false,
    }
}

/// Whether a composed part of a decision is negated.
fn has_negated_parts(e: &Expr) -> bool {
    match &e.unconverted().kind {
        ExprKind::Unary(UnaryOp::Not, inner) => is_composed(inner) || has_negated_parts(inner),
        ExprKind::And(a, b) | ExprKind::Or(a, b) => has_negated_parts(a) || has_negated_parts(b),
        _ => false,
    }
}

/// The condition below negations, and whether it fails where the whole holds.
fn atom(e: &Expr) -> (Span, bool) {
    match &e.unconverted().kind {
        ExprKind::Unary(UnaryOp::Not, inner) => {
            let (span, negated) = atom(inner);
            (span, !negated)
        }
        _ => (e.span, false),
    }
}

/// Whether an expression has a variable or a call in it.
fn varies(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Name(_) | ExprKind::Call(..) | ExprKind::CallAt(..) => true,
        ExprKind::SizeofExpr(_) => false,
        kind => {
            let mut found = false;
            kind.children(&mut |child| found |= varies(child));
            found
        }
    }
}

/// Where the first statement within a statement starts.
fn first_statement(stmt: &Stmt) -> Option<u32> {
    match &stmt.kind {
        StmtKind::Block(list) => list.iter().find_map(first_statement),
        // gcc counts no jump on its line.
        StmtKind::Empty | StmtKind::Declare(..) | StmtKind::Labelled(..) | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) => None,
        _ => Some(stmt.span.start),
    }
}

/// Whether gcc leads the last condition of a decision to where the jump below it goes: not where the decision is a conjunction without an
/// alternative, which gcc makes nested statements.
fn leads_to_jump(e: &Expr, negated: bool, has_alternative: bool) -> bool {
    match &e.unconverted().kind {
        ExprKind::Unary(UnaryOp::Not, inner) => leads_to_jump(inner, !negated, has_alternative),
        ExprKind::And(_, last) if !negated && !has_alternative => leads_to_jump(last, negated, has_alternative),
        ExprKind::Or(_, last) if negated && !has_alternative => leads_to_jump(last, negated, has_alternative),
        ExprKind::And(..) | ExprKind::Or(..) => true,
        _ => false,
    }
}

/// Whether a statement is a jump and nothing else.
fn is_jump(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Block(list) => matches!(&list[..], [only] if is_jump(only)),
        kind => matches!(kind, StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_)),
    }
}

/// Whether a statement does nothing.
fn is_empty(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Empty => true,
        StmtKind::Block(list) => list.iter().all(is_empty),
        _ => false,
    }
}

/// Whether a statement reports a failed assertion and nothing else.
fn fails(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Expr(e) => calls_failure(e),
        StmtKind::Block(list) => matches!(&list[..], [only] if fails(only)),
        _ => false,
    }
}

fn calls_failure(e: &Expr) -> bool {
    matches!(&e.unconverted().kind, ExprKind::Call(name, _) if name.text == intrinsic::ASSERT_FAIL)
}
