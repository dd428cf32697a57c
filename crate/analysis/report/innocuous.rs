//! Infeasible branches that a reviewer need not worry about, told apart by the text of the decision: labels, never verdicts.
//!
//! A label needs a decision that executions get to, so its other side is not infeasible as well, and a text in which nothing looks like a
//! [mistake](super::mistakes). A doubtful branch has none:
//!
//! | kind | the infeasible side |
//! |---|---|
//! | exhausted switch | of the last `case`, that it is not that case either: the way to `default:` |
//! | unreachable marker | leads to `assert(0)`, `__builtin_unreachable()` or the like and to nothing before |
//! | assertion | is where the assertion fails |
//! | constant condition | of an `if` whose condition has numbers alone |
//! | loop idiom | of a loop whose condition has numbers alone, as in `do … while (0)` |
//! | defensive check | of a range or null check that leads to `return;`, `return` of a negative number, `goto` or a call that ends the program, and to nothing before; of a null check to `return 0;` as well |
//! | included text, generated text | of a header, or below `#line` for a grammar |

use super::mistakes::Mistakes;
use super::{ReportBranch, ReportFinding, ReportFindingKind, ReportInnocuous, ReportVerdict};
use crate::analysis::cover::CoverExclusion;
use crate::lang::ast::{BinaryOp, Expr, ExprKind, Program, Stmt, StmtKind, UnaryOp};
use crate::ledger::{LedgerBranch, LedgerVerdict};
use crate::load::Loaded;
use crate::source::Span;
use std::collections::BTreeMap;

/// Functions that never return, and by which a program says that no execution comes there.
const MARKERS: [&str; 2] = ["__builtin_unreachable", "unreachable"];
/// Functions that end the program.
const ENDS: [&str; 5] = ["abort", "exit", "_Exit", "quick_exit", "__builtin_trap"];
/// Files from which generators make C.
const GRAMMARS: [&str; 6] = ["y", "l", "yy", "ll", "re", "rl"];

/// Labels the infeasible branches of the list and the findings about them; the list is in the order of the ledger.
pub fn label(loaded: &Loaded, branches: &[LedgerBranch<CoverExclusion>], list: &mut [ReportBranch], findings: &mut [ReportFinding]) {
    let labels = InnocuousSides::of(&loaded.program);
    let mistakes = Mistakes::of(&loaded.program);
    let mut bodies: Vec<InnocuousBody> = Vec::new();
    for at in 0..list.len() {
        let name = &branches[at].name;
        let decision = (name.span, name.number);
        let is_other = |(index, other): &(usize, &LedgerBranch<CoverExclusion>)| {
            (other.name.span, other.name.number, other.name.holds) == (decision.0, decision.1, !name.holds)
                && list[*index].verdict != ReportVerdict::Infeasible
        };
        let Some((other, _)) = branches.iter().enumerate().find(is_other) else { continue };
        // A check that comes after the operation it should guard is a mistake.
        let is_late =
            matches!(&branches[at].verdict, LedgerVerdict::Infeasible { because: Some(because), .. } if !because.operations.is_empty());
        if list[at].verdict != ReportVerdict::Infeasible || is_late || mistakes.at(name.span).is_some() {
            continue;
        }
        let side = labels.sides.get(&(name.span.start, name.span.end, name.holds));
        let body = side.and_then(|side| side.body);
        // Of text that a run gets to and fails in nothing is innocuous.
        let lines = body.map(|body| loaded.lines.line(body.start)..=loaded.lines.line(body.end));
        let fails = |finding: &ReportFinding| {
            finding.kind == ReportFindingKind::Error && lines.as_ref().is_some_and(|lines| lines.contains(&finding.line))
        };
        if findings.iter().any(fails) {
            continue;
        }
        let is_computed = is_computed(name.span.text(loaded.lines.text()));
        // The loop of a macro and the conditions in it stand at one place.
        let is_of_loop = !names_object(name.expansion.as_deref().unwrap_or(&name.text));
        let kind = side.map(|side| side.kind).filter(|kind| match kind {
            ReportInnocuous::ConstantCondition => !is_computed,
            ReportInnocuous::LoopIdiom => is_of_loop,
            _ => true,
        });
        let Some(kind) = kind.or_else(|| of_file(loaded, name.span)) else { continue };
        list[at].innocuous = Some(kind);
        bodies.extend(body.map(|span| InnocuousBody { span, kind }));
        let (line, column, text) = (list[other].line, list[other].column, &list[other].text);
        let is_of = |finding: &&mut ReportFinding| {
            finding.kind == ReportFindingKind::Always && (finding.line, finding.column, &finding.text) == (line, column, text)
        };
        findings.iter_mut().filter(is_of).for_each(|finding| finding.innocuous = Some(kind));
    }
    for finding in findings.iter_mut().filter(|finding| finding.kind == ReportFindingKind::NeverRuns) {
        let is_inside = |body: &&InnocuousBody| {
            let [start, end] = [body.span.start, body.span.end].map(|offset| loaded.lines.position(offset));
            (start.line, start.column) <= (finding.line, finding.column) && (finding.line, finding.column) < (end.line, end.column)
        };
        finding.innocuous = bodies.iter().filter(is_inside).min_by_key(|body| body.span.end - body.span.start).map(|body| body.kind);
    }
}

/// Text that only an innocuous side leads to.
struct InnocuousBody {
    span: Span,
    kind: ReportInnocuous,
}

/// A side with its label.
struct InnocuousSide {
    kind: ReportInnocuous,
    /// What the side alone leads to.
    body: Option<Span>,
}

/// Sides that are innocuous if no execution takes them: by the span of the decision and by whether its condition holds.
#[derive(Default)]
struct InnocuousSides {
    sides: BTreeMap<(u32, u32, bool), InnocuousSide>,
}

impl InnocuousSides {
    fn of(program: &Program) -> InnocuousSides {
        let mut labels = InnocuousSides::default();
        for function in program.functions.iter().filter(|function| !function.library) {
            function.body.iter().for_each(|stmt| labels.statement(stmt));
        }
        labels
    }

    fn add(&mut self, side: ConditionSide, kind: ReportInnocuous, body: Option<Span>) {
        self.sides.entry((side.span.start, side.span.end, side.holds)).or_insert(InnocuousSide { kind, body });
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::If { arms, .. } => arms.iter().for_each(|(condition, body)| self.arm(condition, body)),
            StmtKind::While { condition, .. } | StmtKind::DoWhile { condition, .. } | StmtKind::For { condition: Some(condition), .. }
                if is_constant(condition) =>
            {
                for holds in [true, false] {
                    self.add(ConditionSide { span: operand(condition).span, holds }, ReportInnocuous::LoopIdiom, None);
                }
            }
            StmtKind::Switch { body, .. } => self.switch(body),
            StmtKind::Expr(e) => {
                if let ExprKind::Call(name, arguments) = &e.unconverted().kind
                    && ["assert", "__VERIFIER_assert"].contains(&name.text.as_str())
                    && let [condition] = &arguments[..]
                {
                    for side in leading(condition, false) {
                        self.add(side, ReportInnocuous::Assertion, None);
                    }
                }
            }
            _ => {}
        }
        stmt.children(&mut |child| self.statement(child));
    }

    /// An `if` with what it decides on.
    fn arm(&mut self, condition: &Expr, body: &Stmt) {
        let first = first(body);
        let kind = match first.map(|first| &first.kind) {
            _ if is_constant(condition) => ReportInnocuous::ConstantCondition,
            Some(StmtKind::Expr(e)) if is_marker(e) => ReportInnocuous::UnreachableMarker,
            Some(StmtKind::Return(value)) if value.as_ref().is_none_or(is_failure) => ReportInnocuous::DefensiveCheck,
            Some(StmtKind::Goto(_)) => ReportInnocuous::DefensiveCheck,
            Some(StmtKind::Expr(e)) if calls(e, &ENDS) => ReportInnocuous::DefensiveCheck,
            _ => return,
        };
        let sides = leading(condition, true);
        if kind == ReportInnocuous::ConstantCondition {
            let span = operand(condition).span;
            for holds in [true, false] {
                let body = sides.iter().any(|side| side.holds == holds).then_some(body.span);
                self.add(ConditionSide { span, holds }, kind, body);
            }
            return;
        }
        let is_alone = sides.len() == 1;
        let is_zero_returned = matches!(first.map(|first| &first.kind), Some(StmtKind::Return(Some(value))) if is_zero(value));
        for side in sides {
            if kind != ReportInnocuous::DefensiveCheck || is_check(condition, side.span, is_zero_returned) {
                self.add(side, kind, is_alone.then_some(body.span));
            }
        }
    }

    /// A `switch`: that the value is not that of the last case either leads to `default:` or past the statement.
    fn switch(&mut self, body: &Stmt) {
        let mut labels = Vec::new();
        switch_labels(body, &mut labels);
        let Some(last) = labels.iter().rfind(|label| matches!(label.kind, StmtKind::Case { .. })) else { return };
        let is_range = |label: &&Stmt| matches!(label.kind, StmtKind::Case { last: Some(_), .. });
        if labels.iter().any(is_range) {
            return;
        }
        let default = labels.iter().position(|label| matches!(label.kind, StmtKind::Default(_)));
        let default = default.map(|at| {
            let end = labels.get(at + 1).map_or(body.span.end, |next| next.span.start);
            Span { start: labels[at].span.start, end }
        });
        self.add(ConditionSide { span: last.span, holds: false }, ReportInnocuous::ExhaustedSwitch, default);
    }
}

/// A side of an atomic condition.
#[derive(Clone, Copy)]
struct ConditionSide {
    span: Span,
    holds: bool,
}

/// Whether a condition, as the program has it, has more than numbers.
fn names_object(condition: &str) -> bool {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    condition.split(|c| !is_of_word(c)).any(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// The atomic condition of an expression without the negations around it: decisions have its span.
fn operand(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Not, inner) | ExprKind::Convert(inner) => operand(inner),
        _ => e,
    }
}

/// The sides that by themselves make a condition `holds`; none where only several conditions together do.
fn leading(e: &Expr, holds: bool) -> Vec<ConditionSide> {
    match (&e.kind, holds) {
        (ExprKind::Unary(UnaryOp::Not, inner), _) => leading(inner, !holds),
        (ExprKind::Convert(inner), _) => leading(inner, holds),
        (ExprKind::Or(a, b), true) | (ExprKind::And(a, b), false) => [leading(a, holds), leading(b, holds)].concat(),
        (ExprKind::Or(..) | ExprKind::And(..) | ExprKind::Conditional(..) | ExprKind::Comma(..), _) => Vec::new(),
        _ => vec![ConditionSide { span: e.span, holds }],
    }
}

/// Whether the atomic condition at this span checks a range, or compares an object with 0 or -1, without an effect or a call; `zero`: the
/// latter alone, and with 0.
fn is_check(condition: &Expr, span: Span, zero: bool) -> bool {
    let e = operand(condition);
    if e.span != span {
        let mut found = false;
        e.kind.children(&mut |child| found |= is_check(child, span, zero));
        return found;
    }
    let is_value = |e: &Expr| is_pure(e) && !matches!(operand(e).kind, ExprKind::Binary(op, ..) if op.compares());
    let is_object = |e: &Expr| {
        matches!(operand(e).kind, ExprKind::Name(_) | ExprKind::Member(..) | ExprKind::Deref(_) | ExprKind::Index(..)) && is_pure(e)
    };
    let is_nothing = |e: &Expr| is_zero(e) || (!zero && is_failure(e));
    match &e.kind {
        ExprKind::Binary(BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge, a, b) => !zero && is_value(a) && is_value(b),
        ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) => (is_object(a) && is_nothing(b)) || (is_object(b) && is_nothing(a)),
        _ => is_object(e),
    }
}

/// Whether a number tells that a function failed: a negative one, or 0, which some functions return for it.
fn is_failure(e: &Expr) -> bool {
    match &e.unconverted().kind {
        ExprKind::Unary(UnaryOp::Neg, inner) => matches!(inner.unconverted().kind, ExprKind::Int(_)),
        _ => is_zero(e),
    }
}

/// Whether an expression is 0 or a null pointer.
fn is_zero(e: &Expr) -> bool {
    match &e.unconverted().kind {
        ExprKind::Int(value) => value.to_string() == "0",
        ExprKind::Cast(_, inner) => is_zero(inner),
        _ => false,
    }
}

/// Whether an expression only reads.
fn is_pure(e: &Expr) -> bool {
    let is_effect =
        matches!(e.kind, ExprKind::Assign { .. } | ExprKind::Step { .. } | ExprKind::Call(..) | ExprKind::CallAt(..) | ExprKind::Sugar(_));
    let mut pure = !is_effect;
    e.kind.children(&mut |child| pure &= is_pure(child));
    pure
}

/// Whether a condition without a name compares or combines numbers, as `-1 < 1u` does: a switch of the build is one number, or has a name.
fn is_computed(text: &str) -> bool {
    let is_in_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let has_name = text.split(|c| !is_in_word(c)).any(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    !has_name && text.split(|c| !is_in_word(c)).filter(|word| !word.is_empty()).count() > 1
}

/// Whether an expression has numbers alone.
fn is_constant(e: &Expr) -> bool {
    let is_part = matches!(
        e.kind,
        ExprKind::Int(_) | ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Convert(_)
    );
    let mut constant = is_part;
    e.kind.children(&mut |child| constant &= is_constant(child));
    constant
}

/// The first statement that a body executes.
fn first(body: &Stmt) -> Option<&Stmt> {
    match &body.kind {
        StmtKind::Block(list) => list.first().and_then(first),
        _ => Some(body),
    }
}

fn calls(e: &Expr, names: &[&str]) -> bool {
    matches!(&e.unconverted().kind, ExprKind::Call(name, _) if names.contains(&name.text.as_str()))
}

/// Whether a call says that no execution comes here.
fn is_marker(e: &Expr) -> bool {
    match &e.unconverted().kind {
        ExprKind::Call(name, arguments) if name.text == "assert" => arguments.first().is_some_and(is_zero),
        _ => calls(e, &MARKERS),
    }
}

/// The labels of a `switch` in the order of the text, without those of one inside.
fn switch_labels<'s>(stmt: &'s Stmt, labels: &mut Vec<&'s Stmt>) {
    if matches!(stmt.kind, StmtKind::Case { .. } | StmtKind::Default(_)) {
        labels.push(stmt);
    }
    if !matches!(stmt.kind, StmtKind::Switch { .. }) {
        stmt.children(&mut |child| switch_labels(child, labels));
    }
}

/// Whether the text is a header's, or a generator's: the last `#line` before it names a grammar.
fn of_file(loaded: &Loaded, span: Span) -> Option<ReportInnocuous> {
    let line = loaded.lines.line(span.start);
    let header = loaded.lines.headers().iter().find(|file| file.own_line(line).is_some());
    if header.is_some_and(|file| file.included_at > 0) {
        return Some(ReportInnocuous::IncludedText);
    }
    let file = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
        let name = rest.trim_start_matches(|letter: char| letter.is_ascii_digit()).trim_start().strip_prefix('"')?;
        rest.starts_with(|letter: char| letter.is_ascii_digit()).then_some(name.split('"').next()?.to_owned())
    };
    let name = loaded.lines.text().get(..span.start as usize)?.lines().rev().find_map(file)?;
    let extension = name.rsplit('.').next()?;
    GRAMMARS.contains(&extension).then_some(ReportInnocuous::GeneratedText)
}
