//! A program's text with a report at each side of each decision, at the places where our graph has them.
//!
//! A report is a call of `culdesac_side(holds, fails, value)`: the numbers of two sides in the order of
//! [`culdesac::lts::sides::sides`], or -1, and the value that decides. Around a condition stands one, around the value of a
//! `switch` one for each label that the graph tests until one fits, around the callee of a call by a pointer one for each function that the
//! graph compares it with. [`HEADER`] has the function; it goes with `-include` in front of everything, so that lines keep their numbers.

use culdesac::lang::ast::{BinaryOp, Expr, ExprKind, Stmt, StmtKind};
use culdesac::lang::intrinsic::ONE_OF_FUNCTIONS;
use culdesac::load::Loaded;
use culdesac::logic::Int;
use culdesac::lts::sides::sides;
use culdesac::lts::{self, Label};
use culdesac::source::{Span, Wrap};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What an instrumented program calls. The file to which sides are appended is `CULDESAC_SIDES`; a side is written when a process takes it
/// first, so that no way of ending loses any. The names with underscores are those of the C library that no program defines.
pub const HEADER: &str = "extern int culdesac_side_open(const char *, int, ...) __asm__(\"__open\");
extern long culdesac_side_write(int, const void *, unsigned long) __asm__(\"__write\");
extern int culdesac_side_close(int) __asm__(\"__close\");
static __attribute__((unused)) int culdesac_side(int holds, int fails, int value) {
  static unsigned char taken[CULDESAC_SIDES_COUNT + 1];
  int side = value ? holds : fails, rest = side, at = 15, file;
  char text[16];
  if (side < 0 || taken[side]) return value;
  taken[side] = 1;
  text[at] = '\\n';
  do text[--at] = (char)('0' + rest % 10); while (rest /= 10);
  /* O_WRONLY | O_CREAT | O_APPEND */
  file = culdesac_side_open(CULDESAC_SIDES, 02101, 0644);
  culdesac_side_write(file, text + at, (unsigned long)(16 - at));
  culdesac_side_close(file);
  return value;
}
";

/// How to report a program's sides.
#[derive(Debug, Default)]
pub struct Instrumented {
    pub wraps: Vec<Wrap>,
    /// How many sides there are.
    pub count: usize,
    /// The sides that no wrap reports, and why.
    pub unseen: BTreeMap<u32, &'static str>,
}

/// A decision with its two sides.
struct Decision {
    number: u32,
    span: Span,
    sides: [Option<u32>; 2],
    /// The value with which the condition compares, where it tests for equality.
    constant: Option<Int>,
}

impl Decision {
    /// A report of this decision by a value.
    fn report(&self, value: &str) -> String {
        let [holds, fails] = self.sides.map(|side| side.map_or(-1, i64::from));
        format!("culdesac_side({holds}, {fails}, {value})")
    }
}

/// A `switch` of the text: where its value stands, and its labels with their values.
struct Switch {
    value: Span,
    labels: Vec<(u32, [Int; 2])>,
}

/// A call by a pointer, of which the checker makes a choice: each comparison stands where the callee does, and of the calls and their
/// arguments there is a copy for each function.
struct PointerCall {
    callee: Span,
    whole: Span,
    /// The functions that the callee is compared with, in order; where it is none of these one more is called.
    functions: Vec<(Int, String)>,
}

impl PointerCall {
    /// What tells which function is called.
    fn name(&self) -> String {
        format!("culdesac_which_{}", self.callee.start)
    }

    /// For each function one of the reports of copies.
    fn chosen(&self, reports: &[String]) -> String {
        let tests = reports.iter().enumerate().map(|(at, report)| format!("({} == {at} && {report})", self.name()));
        tests.collect::<Vec<_>>().join(" || ")
    }

    /// Sets what tells which function is called.
    fn choice(&self, source: &str) -> String {
        let name = self.name();
        let tests = self
            .functions
            .iter()
            .enumerate()
            .map(|(at, (_, function))| format!("(const void *)({}) == (const void *){function} ? {at} : ", self.callee.text(source)));
        format!("int {name} = {}{};", tests.collect::<String>(), self.functions.len())
    }
}

/// What the tree knows of places in the text.
#[derive(Default)]
struct Places {
    switches: Vec<Switch>,
    /// Calls by pointers, by the places of their callees.
    calls: BTreeMap<Span, PointerCall>,
}

/// The reports of a program's sides.
pub fn instrument(loaded: &Loaded) -> Instrumented {
    let (lts, source) = (&loaded.lts, loaded.lines.text());
    let mut decisions: BTreeMap<u32, Decision> = BTreeMap::new();
    let mut found = Instrumented::default();
    for (at, side) in sides(lts).into_iter().enumerate() {
        let edge = &lts.graph[side.edges[0]];
        let number = edge.decision.expect("sides are those of decisions of the text");
        let new = || Decision { number, span: side.span, sides: [None; 2], constant: compared(&edge.label) };
        decisions.entry(number).or_insert_with(new).sides[usize::from(!side.holds)] = Some(at as u32);
        found.count += 1;
    }
    let places = Places::of(loaded);
    let mut left: Vec<&Decision> = decisions.values().collect();
    for switch in &places.switches {
        let labels = |decision: &Decision| {
            let written = &lts.written[decision.number as usize];
            written.span == switch.value && switch.labels.iter().any(|label| label.0 == decision.span.start)
        };
        let (own, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|decision| labels(decision));
        left = others;
        if !own.is_empty() {
            found.switch(switch, &own);
        }
    }
    let is_part = |decision: &Decision| {
        let expansion = lts.written[decision.number as usize].expansion.as_ref();
        expansion.is_some_and(|expansion| expansion.is_part)
    };
    let mut at: BTreeMap<Span, Vec<&Decision>> = BTreeMap::new();
    left.into_iter().for_each(|decision| at.entry(decision.span).or_default().push(decision));
    for (span, mut own) in at {
        // Copies for the functions that a call by a pointer may call: the last has the lowest number.
        own.sort_by_key(|decision| std::cmp::Reverse(decision.number));
        let holds = |call: &&PointerCall| call.whole.start <= span.start && span.end <= call.whole.end;
        let copied = places.calls.values().filter(holds).find(|call| call.functions.len() + 1 == own.len());
        let value = format!("culdesac_{}", span.start);
        let reports: Vec<String> = own.iter().map(|decision| decision.report(&format!("!!{value}"))).collect();
        let (before, report) = match (places.calls.get(&span), copied) {
            (Some(call), _) => {
                found.callee(call, &own);
                continue;
            }
            _ if own.iter().any(|decision| is_part(decision)) => {
                found.miss(&own, "part of a macro");
                continue;
            }
            _ if !is_expression(span.text(source)) => {
                found.miss(&own, "no expression of the text");
                continue;
            }
            (None, None) if own.len() == 1 => (String::new(), reports[0].clone()),
            // What is called may change the callee, but its arguments may not.
            (None, Some(call)) => (call.choice(source), call.chosen(&reports)),
            _ => {
                found.miss(&own, "several decisions at one place");
                continue;
            }
        };
        // A variable, since gcc makes `a != b` of the truth of `a - b`, which cannot overflow; after a comma, where a member of some bits is a
        // value.
        let before = format!("({{ {before} __auto_type {value} = (0, (");
        found.wraps.push(Wrap { span, before, after: format!(")); {report}; !!{value}; }})") });
    }
    found.without_overlaps(&decisions);
    found
}

impl Instrumented {
    fn miss(&mut self, decisions: &[&Decision], why: &'static str) {
        self.unseen.extend(decisions.iter().flat_map(|decision| decision.sides).flatten().map(|side| (side, why)));
    }

    /// Each label is tested in order until one fits.
    fn switch(&mut self, switch: &Switch, decisions: &[&Decision]) {
        let starts: BTreeSet<u32> = switch.labels.iter().map(|label| label.0).collect();
        if starts.len() < switch.labels.len() || starts.contains(&switch.value.start) {
            return self.miss(decisions, "part of a macro");
        }
        let name = format!("culdesac_{}", switch.value.start);
        let mut tests = Vec::new();
        for (start, [first, last]) in &switch.labels {
            let own: Vec<_> = decisions.iter().filter(|decision| decision.span.start == *start).collect();
            let test = |decision: Option<&&&Decision>, comparison: String| match decision {
                Some(decision) => decision.report(&comparison),
                None => comparison,
            };
            if first == last {
                tests.push(test(own.first(), format!("{name} == {}", literal(first))));
            } else {
                // The upper bound has the lower number; the lower bound is tested first.
                let (below, above) = (format!("{name} <= {}", literal(last)), format!("{name} >= {}", literal(first)));
                tests.push(format!("({} && {})", test(own.get(1), above), test(own.first(), below)));
            }
        }
        let before = format!("({{ __auto_type {name} = (0, (");
        self.wraps.push(Wrap { span: switch.value, before, after: format!(")); {}; {name}; }})", tests.join(" || ")) });
    }

    /// The callee is compared with each function but the last.
    fn callee(&mut self, call: &PointerCall, decisions: &[&Decision]) {
        let name = format!("culdesac_{}", call.callee.start);
        let mut tests = Vec::new();
        for (number, function) in &call.functions {
            let own: Vec<_> = decisions.iter().filter(|decision| decision.constant.as_ref() == Some(number)).collect();
            let [own] = own[..] else { return self.miss(decisions, "a call by a pointer") };
            tests.push(own.report(&format!("(const void *){name} == (const void *){function}")));
        }
        let before = format!("({{ __auto_type {name} = (0, (");
        self.wraps.push(Wrap { span: call.callee, before, after: format!(")); {}; {name}; }})", tests.join(" || ")) });
    }

    /// Wraps that neither nest nor stand apart are dropped: what a macro makes of its text is not what is there.
    fn without_overlaps(&mut self, decisions: &BTreeMap<u32, Decision>) {
        self.wraps.sort_by_key(|wrap| (wrap.span.start, std::cmp::Reverse(wrap.span.end)));
        let mut open: Vec<Span> = Vec::new();
        let mut wrong = BTreeSet::new();
        for wrap in &self.wraps {
            open.retain(|outer| outer.end > wrap.span.start);
            if let Some(outer) = open.iter().find(|outer| outer.end < wrap.span.end || **outer == wrap.span) {
                wrong.extend([*outer, wrap.span]);
            }
            open.push(wrap.span);
        }
        if !wrong.is_empty() {
            self.wraps.retain(|wrap| !wrong.contains(&wrap.span));
            let dropped: Vec<&Decision> = decisions.values().filter(|decision| wrong.contains(&decision.span)).collect();
            self.miss(&dropped, "decisions that overlap");
        }
    }
}

/// The constant of a comparison for equality.
fn compared(label: &Label) -> Option<Int> {
    match label {
        Label::Assume { condition: lts::Expr::Compare(lts::CompareOp::Eq, _, constant), .. } => match &**constant {
            lts::Expr::Int(value) => Some(value.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// A constant of C with a type that has the value.
fn literal(value: &Int) -> String {
    match value.to_i64() {
        Some(i64::MIN) => "(-9223372036854775807LL - 1)".to_owned(),
        Some(value) => format!("{value}LL"),
        None => format!("{value}ULL"),
    }
}

/// Whether a text may be an expression: neither empty nor a part of a statement, and its parentheses match.
fn is_expression(text: &str) -> bool {
    let mut depth = 0i32;
    let mut quote = None;
    let mut escaped = false;
    for c in text.chars() {
        match quote {
            Some(open) => {
                quote = if c == open && !escaped { None } else { quote };
                escaped = c == '\\' && !escaped;
            }
            None => match c {
                '"' | '\'' => quote = Some(c),
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                '{' | '}' | ';' | '#' => return false,
                _ => {}
            },
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0 && !text.trim().is_empty()
}

impl Places {
    fn of(loaded: &Loaded) -> Places {
        let mut places = Places::default();
        let mut open: Vec<&Stmt> = loaded.program.own().flat_map(|function| &function.body).collect();
        while let Some(stmt) = open.pop() {
            stmt.children(&mut |child| open.push(child));
            stmt.expressions(&mut |e| places.calls(e, &loaded.program.addressed));
            if let StmtKind::Switch { value, body } = &stmt.kind {
                let mut labels = Vec::new();
                labels_of(body, loaded.options.ints == culdesac::lts::lower::IntegerModel::Unbounded, &mut labels);
                places.switches.push(Switch { value: value.span, labels });
            }
        }
        places
    }

    /// The calls by pointers in an expression. The last comparison is the one that says so of its callee; others may be of macros.
    fn calls(&mut self, e: &Expr, functions: &[String]) {
        let mut compared = Vec::new();
        let (mut at, mut callee, mut is_call) = (e, None, false);
        while let ExprKind::Conditional(condition, _, otherwise) = &at.kind
            && let ExprKind::Binary(BinaryOp::Eq, value, number) = &condition.kind
            && let ExprKind::Int(number) = &number.kind
            && value.span == condition.span
            && callee.is_none_or(|span| span == condition.span)
            && let Some(function) = number.to_i64().and_then(|number| functions.get(usize::try_from(number).ok()?.checked_sub(1)?))
        {
            callee = Some(condition.span);
            compared.push((number.clone(), function.clone()));
            at = otherwise;
            is_call = matches!(&value.kind, ExprKind::Call(name, _) if name.text == ONE_OF_FUNCTIONS);
        }
        if let (Some(callee), true) = (callee, is_call) {
            self.calls.entry(callee).or_insert(PointerCall { callee, whole: e.span, functions: compared });
        }
        e.kind.children(&mut |child| self.calls(child, functions));
    }
}

/// The labels of a `switch` in the order of the text, without those of others inside.
fn labels_of(stmt: &Stmt, unbounded: bool, labels: &mut Vec<(u32, [Int; 2])>) {
    if let StmtKind::Case { range: Some((first, last)), .. } = &stmt.kind {
        let value = |constant: &culdesac::lang::ast::Constant| if unbounded { constant.unbounded.clone() } else { constant.typed.clone() };
        labels.push((stmt.span.start, [value(first), value(last)]));
    }
    if !matches!(stmt.kind, StmtKind::Switch { .. }) {
        stmt.children(&mut |child| labels_of(child, unbounded, labels));
    }
}

/// The sides that are not seen, in words: how many for each reason.
pub fn unseen(name: &str, found: &Instrumented) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    found.unseen.values().for_each(|why| *counts.entry(why).or_default() += 1);
    let mut text = String::new();
    for (why, count) in &counts {
        let _ = write!(text, "{}{count} ({why})", if text.is_empty() { "" } else { ", " });
    }
    (!text.is_empty()).then(|| format!("{name}: of {} sides not seen: {text}", found.count))
}
