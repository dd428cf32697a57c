//! Usual mistakes in conditions: what a condition that always or never holds was perhaps meant to be.
//!
//! A hint is about the text alone and proves nothing: it stands beside a verdict that has its own proof.

mod numbers;

use crate::lang::ast::{BinaryOp, Expr, ExprKind, Name, Program, Shape, Stmt, StmtKind, UnaryOp};
use crate::lang::types::Integer;
use crate::logic::{Int, SortedMap, SortedSet};
use crate::source::Span;
use numbers::BoundedRange;

/// Hints by the places of conditions in the text.
#[derive(Default)]
pub struct Mistakes {
    hints: SortedMap<(u32, u32), String>,
    /// Where statements begin that follow a jump which no condition decides on, since a `;` ends the statement of the condition.
    after_jumps: SortedSet<u32>,
}

/// The search for usual mistakes in a program.
struct MistakeSearch<'p> {
    program: &'p Program,
    /// The variables and members, by their names, that are floating-point numbers and get the quotient of two integers.
    quotients: SortedSet<&'p str>,
    found: Mistakes,
}

const ASSIGNS: &str = "`=` assigns: `==` compares";
const UNSIGNED: &str = "an unsigned number is never below 0";
const BITS: &str = "`&` combines bits: `&&` combines conditions";
const CHAR: &str = "a `char` cannot hold `EOF` beside all characters: `getchar` and the like give an `int`";
const ALWAYS: &str = "a number differs from one of two numbers at least: perhaps `&&` is meant";
const NEVER: &str = "a number equals one of two numbers at most: perhaps `||` is meant";
const WITHIN: &str = "no number is above the greater and below the lesser of two numbers: perhaps `||` is meant";
const OUTSIDE: &str = "each number is above the lesser or below the greater of two numbers: perhaps `&&` is meant";
const CHAINED: &str = "the first comparison gives 0 or 1, which the second one compares: `a <= b && b <= c` compares three numbers";
const EMPTY: &str = "the `;` after the condition is the whole body";
const EMPTY_BEFORE: &str = "the `;` after the condition before it is the whole body, so that the jump always runs";
const TIGHTER: &str = "a comparison binds tighter than `&`, `|` and `^`: parentheses around the bits compare them";
const NOT_FIRST: &str = "`!` binds tighter than a comparison: `!=` is the opposite of `==`";
const TRUTH: &str = "what is compared is 0 or 1";
const ALONE: &str = "a number alone is true unless it is 0: each comparison needs its own left side, as in `x == 1 || x == 2`";
const SETS: &str = "`|` sets bits, so the result is not 0: `&` tests them";
const ADDRESSES: &str = "`==` and `!=` compare the addresses of strings: `strcmp(a, b) == 0` compares their characters";
const INCLUDED: &str = "a condition before it holds for all these numbers: the narrower one comes first";

impl Mistakes {
    /// Those of a program's own functions.
    pub fn of(program: &Program) -> Mistakes {
        let mut search = MistakeSearch { program, quotients: SortedSet::new(), found: Mistakes::default() };
        let own = || program.functions.iter().filter(|function| !function.library);
        own().flat_map(|function| &function.body).for_each(|stmt| numbers::quotients(stmt, &mut search.quotients));
        for function in own() {
            search.sequence(&function.body);
            function.body.iter().for_each(|stmt| search.statement(stmt));
        }
        search.found
    }

    /// The hint for a condition.
    pub fn at(&self, span: Span) -> Option<&str> {
        self.hints.get(&(span.start, span.end)).map(String::as_str)
    }

    /// The hint for a statement that no path leads to.
    pub fn before(&self, start: u32) -> Option<&'static str> {
        self.after_jumps.contains(&start).then_some(EMPTY_BEFORE)
    }
}

impl<'p> MistakeSearch<'p> {
    /// Statements one after another: what follows a jump after a condition without a body.
    fn sequence(&mut self, list: &[Stmt]) {
        let is_empty = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Empty);
        for three in list.windows(3) {
            let is_bare = match &three[0].kind {
                StmtKind::If { arms, otherwise: None } => arms.len() == 1 && is_empty(&arms[0].1),
                StmtKind::While { body, .. } | StmtKind::For { body, .. } => is_empty(body),
                _ => false,
            };
            let jumps = matches!(three[1].kind, StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_));
            if is_bare && jumps {
                self.found.after_jumps.insert(three[2].span.start);
            }
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::If { arms, .. } => {
                self.order(arms);
                for (condition, body) in arms {
                    self.condition(condition);
                    self.body(condition, body);
                }
            }
            StmtKind::While { condition, body } => {
                self.condition(condition);
                self.body(condition, body);
            }
            StmtKind::For { condition: Some(condition), body, step: None, .. } => {
                self.condition(condition);
                self.body(condition, body);
            }
            StmtKind::For { condition: Some(condition), .. } | StmtKind::DoWhile { condition, .. } => self.condition(condition),
            StmtKind::Block(list) => self.sequence(list),
            _ => {}
        }
        stmt.expressions(&mut |e| self.expression(e));
        stmt.children(&mut |child| self.statement(child));
    }

    fn tell(&mut self, e: &Expr, hint: impl Into<String>) {
        self.found.hints.entry((e.span.start, e.span.end)).or_insert_with(|| hint.into());
    }

    /// Conditions of `else if` that a condition before them includes.
    fn order(&mut self, arms: &[(Expr, Stmt)]) {
        let ranges: Vec<Option<(&str, BoundedRange)>> = arms.iter().map(|(condition, _)| numbers::bounded(condition)).collect();
        for (at, (condition, _)) in arms.iter().enumerate() {
            let Some((name, bounds)) = &ranges[at] else { continue };
            let includes =
                |other: &Option<(&str, BoundedRange)>| other.as_ref().is_some_and(|(other, wider)| other == name && wider.include(bounds));
            if ranges[..at].iter().any(includes) {
                self.tell(condition.unconverted(), INCLUDED);
            }
        }
    }

    /// A statement without effect as the body that a condition decides on.
    fn body(&mut self, condition: &Expr, body: &Stmt) {
        if matches!(body.kind, StmtKind::Empty) {
            self.tell(condition, EMPTY);
        }
    }

    /// The condition of a statement, and the parts that `&&`, `||` and `!` make of it.
    fn condition(&mut self, e: &Expr) {
        match &e.unconverted().kind {
            ExprKind::And(a, b) | ExprKind::Or(a, b) => [a, b].into_iter().for_each(|part| self.condition(part)),
            ExprKind::Unary(_, inner) => self.condition(inner),
            // Parentheses of its own say that an assignment is meant.
            ExprKind::Assign { op: None, .. } if !e.unconverted().parenthesised => self.tell(e.unconverted(), ASSIGNS),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, a, b) if is_bare_comparison(a) || is_bare_comparison(b) => {
                self.tell(e.unconverted(), TIGHTER);
            }
            ExprKind::Binary(BinaryOp::And, a, b) if is_comparison(a) || is_comparison(b) => self.tell(e.unconverted(), BITS),
            ExprKind::Binary(BinaryOp::Or, a, b) if [a, b].into_iter().any(|side| is_number_but_0(side)) => {
                self.tell(e.unconverted(), SETS)
            }
            _ => {}
        }
    }

    fn expression(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Or(a, b) => {
                self.pair(a, b, BinaryOp::Ne, ALWAYS);
                for side in [a, b].into_iter().filter(|side| is_number_but_0(side)) {
                    self.tell(side.unconverted(), ALONE);
                }
                self.bounds(a, b, |least, greatest| least < greatest, OUTSIDE);
            }
            ExprKind::And(a, b) => {
                self.pair(a, b, BinaryOp::Eq, NEVER);
                self.bounds(a, b, |least, greatest| least >= greatest, WITHIN);
            }
            ExprKind::Binary(op, a, b) => {
                let is_below = match op {
                    BinaryOp::Lt | BinaryOp::Ge => self.is_unsigned(a) && number(b) == Some(Int::ZERO),
                    BinaryOp::Gt | BinaryOp::Le => self.is_unsigned(b) && number(a) == Some(Int::ZERO),
                    _ => false,
                };
                let orders = |op: &BinaryOp| matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge);
                let is_order = |e: &Expr| matches!(&e.kind, ExprKind::Binary(op, ..) if orders(op)) && !e.parenthesised;
                let is_equality = matches!(op, BinaryOp::Eq | BinaryOp::Ne);
                let is_end = |value: &Expr, end: &Expr| is_char(value) && number(end) == Some(Int::from(-1));
                if is_equality && (is_text(a) || is_text(b) || self.is_array_of_text(a) && self.is_array_of_text(b)) {
                    self.tell(e, ADDRESSES);
                } else if is_below {
                    self.tell(e, UNSIGNED);
                } else if orders(op) && is_order(a.unconverted()) {
                    self.tell(e, CHAINED);
                } else if is_equality && (is_end(a, b) || is_end(b, a)) {
                    self.tell(e, CHAR);
                } else if (is_equality || orders(op)) && is_bare_not(a) {
                    self.tell(e, NOT_FIRST);
                } else if is_equality && (is_truth(a) && number(b).is_some() || is_truth(b) && number(a).is_some()) {
                    self.tell(e, TRUTH);
                } else if is_equality || orders(op) {
                    self.numbers(e, *op, a, b);
                }
            }
            _ => {}
        }
        e.kind.children(&mut |child| self.expression(child));
    }

    /// Comparisons of one value with two numbers, `x != 1 || x != 2`: the hint is for the second one.
    fn pair(&mut self, a: &Expr, b: &Expr, op: BinaryOp, hint: &'static str) {
        let (Some((value, first)), Some((other, second))) = (compared(last(a), &[op]), compared(b, &[op])) else { return };
        if value == other && first != second {
            self.tell(b.unconverted(), hint);
        }
    }

    /// A lower and an upper bound of one value, `x > 5 && x < 3`.
    fn bounds(&mut self, a: &Expr, b: &Expr, is_mistake: fn(&Int, &Int) -> bool, hint: &'static str) {
        use BinaryOp::{Ge, Gt, Le, Lt};
        let of = |lower: &Expr, upper: &Expr| {
            let ((value, least), (other, greatest)) = (compared(lower, &[Gt, Ge])?, compared(upper, &[Lt, Le])?);
            Some(value == other && is_mistake(&least, &greatest))
        };
        if of(last(a), b).or_else(|| of(b, last(a))) == Some(true) {
            self.tell(b.unconverted(), hint);
        }
    }

    fn is_array_of_text(&self, e: &Expr) -> bool {
        let ExprKind::Name(Name { decl: Some(decl), .. }) = &e.kind else { return false };
        let is_character = |ty| matches!(ty, Integer::Char | Integer::SignedChar | Integer::UnsignedChar);
        matches!(&self.program.decl(*decl).shape, Shape::Array { element, .. } if matches!(**element, Shape::Scalar(ty) if is_character(ty)))
    }

    fn is_unsigned(&self, e: &Expr) -> bool {
        !e.ty.signed(self.program.abi)
    }
}

/// The condition that is evaluated last.
fn last(e: &Expr) -> &Expr {
    match &e.unconverted().kind {
        ExprKind::And(_, b) | ExprKind::Or(_, b) => last(b),
        _ => e,
    }
}

/// The name of the variable and the number that an expression compares with one of these operators.
fn compared<'e>(e: &'e Expr, ops: &[BinaryOp]) -> Option<(&'e str, Int)> {
    let ExprKind::Binary(op, a, b) = &e.unconverted().kind else { return None };
    let ExprKind::Name(name) = &without_silent_conversions(a).kind else { return None };
    if ops.contains(op) { Some((&name.text, number(b)?)) } else { None }
}

/// The expression without the conversions around it that the text does not have: a cast gives another number.
fn without_silent_conversions(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Convert(inner) if inner.span == e.span => without_silent_conversions(inner),
        _ => e,
    }
}

/// Whether it is a string of the program's text.
fn is_text(e: &Expr) -> bool {
    matches!(e.unconverted().kind, ExprKind::Str(_))
}

/// Whether it is a comparison without parentheses around it.
fn is_bare_comparison(e: &Expr) -> bool {
    is_comparison(e) && !e.unconverted().parenthesised
}

fn is_bare_not(e: &Expr) -> bool {
    matches!(e.unconverted().kind, ExprKind::Unary(UnaryOp::Not, _)) && !e.unconverted().parenthesised
}

fn is_number_but_0(e: &Expr) -> bool {
    number(e).is_some_and(|number| !number.is_zero())
}

/// Whether its value is 0 or 1.
fn is_truth(e: &Expr) -> bool {
    is_comparison(e) || matches!(e.unconverted().kind, ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Unary(UnaryOp::Not, _))
}

fn is_comparison(e: &Expr) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(e.unconverted().kind, ExprKind::Binary(Lt | Le | Gt | Ge | Eq | Ne, ..))
}

/// The number that a literal is, with its sign.
fn number(e: &Expr) -> Option<Int> {
    match &e.unconverted().kind {
        ExprKind::Int(value) => Some(value.clone()),
        ExprKind::Unary(UnaryOp::Neg, inner) => Some(-number(inner)?),
        _ => None,
    }
}

/// Whether the value is that of an object of type `char`.
fn is_char(e: &Expr) -> bool {
    let inner = e.unconverted();
    matches!(inner.ty, Integer::Char | Integer::UnsignedChar) && !matches!(inner.kind, ExprKind::Int(_))
}
