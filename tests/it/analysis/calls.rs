//! Sequences of calls: tests that begin with other calls, and what no call leaves.

use crate::common::cases;
use culdesac::analysis::branches::{Branches, BranchesSettings, BranchesVerdict};
use culdesac::analysis::cover::{Cover, CoverDocument, CoverSettings};
use culdesac::analysis::draw::{Draw, DrawSettings};
use culdesac::analysis::reach::{Reach, ReachDocument, ReachSettings, ReachVerdict};
use culdesac::analysis::{Analysis, Listener, Query, check::check};
use culdesac::evidence::{Claim, Evidence, Statement};
use culdesac::interp::{Input, Outcome, run};
use culdesac::lang;
use culdesac::lts::lower::{IntegerModel, Options, lower_with};
use culdesac::source::LineIndex;
use culdesac::view::{Call, Document, InputValue, Number, Reply, Request};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;

fn request(source: &str, function: &str) -> Request {
    Request { program: "p".to_owned(), source: source.to_owned(), function: Some(function.to_owned()), ..Request::default() }
}

fn cover(request: &Request) -> (CoverDocument, Evidence) {
    let settings = CoverSettings { unwind: None, algorithm: "prefer".to_owned(), precondition: None, summaries: false };
    let (mut claims, mut progress) = (Vec::new(), |_| true);
    let mut listener = Listener { claims: Some(&mut claims), ..Listener::new(&mut progress) };
    let asked = Query { request: Some(request.clone()), settings };
    let document = match asked.answer::<Cover>(&Default::default, &mut listener) {
        Reply::Document { document } => document,
        Reply::Refused { diagnostics } => panic!("{}: {diagnostics:?}", request.source),
    };
    let evidence = Evidence::of(request, &document.header, claims);
    assert_eq!(rejected(&evidence), Vec::<String>::new(), "{}", request.source);
    (document, evidence)
}

fn rejected(evidence: &Evidence) -> Vec<String> {
    match check(evidence) {
        Reply::Document { document } => document.rejected.into_iter().map(|rejected| rejected.reason).collect(),
        Reply::Refused { diagnostics } => panic!("{diagnostics:?}"),
    }
}

fn infeasible(source: &str, function: &str) -> Vec<(String, Vec<String>)> {
    let (document, _) = cover(&request(source, function));
    document.infeasible.into_iter().map(|statement| (statement.text, statement.assumes)).collect()
}

/// What each test calls, e.g. `set(2) f(1)`: of calls with one argument its value.
fn sequences(document: &CoverDocument) -> Vec<String> {
    let value = |input: &culdesac::view::Input| match input.values.values().next() {
        Some(InputValue::Scalar(Number::Small(value))) => value.to_string(),
        _ => String::new(),
    };
    let call = |call: &Call| format!("{}({})", call.function, value(&call.input));
    document.tests.iter().map(|test| test.after.iter().map(call).collect::<Vec<_>>().join(" ")).collect()
}

fn left_by_calls(text: &str) -> (String, Vec<String>) {
    (text.to_owned(), vec!["left-by-calls".to_owned()])
}

const MODE: &str = "static int mode; void set(int m) { if (m >= 0 && m < 3) mode = m; }\n\
    int f(int x) { if (mode == 2) return x; if (mode == 5) return 1; return 0; }";

#[test]
fn the_three_answers_are_told_apart() {
    let (document, evidence) = cover(&request(MODE, "f"));
    // Reached in the first call; reached after another call; reached by no call.
    assert_eq!(sequences(&document), ["", "set(2)"]);
    assert!(document.tests.iter().all(|test| test.assumes.is_empty()));
    assert_eq!(infeasible(MODE, "f"), [left_by_calls("mode == 5")]);
    assert!(document.header.assumptions.iter().any(|one| one.id == "left-by-calls"));
    // Without the assumption a start is given that may be unreachable.
    let without = Request { no_assume: vec!["left-by-calls".to_owned()], ..request(MODE, "f") };
    let (document, _) = cover(&without);
    assert_eq!(document.infeasible.len(), 0);
    assert_eq!(document.tests.iter().filter(|test| test.assumes == ["any-state"]).count(), 1);
    // The check follows the calls, and believes no other ones.
    let forged = |change: &dyn Fn(&mut Claim)| {
        let mut evidence = evidence.clone();
        evidence.claims.iter_mut().for_each(change);
        rejected(&evidence)
    };
    let calls = |change: fn(&mut Vec<Call>)| {
        forged(&move |claim| {
            if let Statement::Reached { after, .. } = &mut claim.statement
                && !after.is_empty()
            {
                change(after);
            }
        })
    };
    assert_eq!(calls(|after| after.truncate(0)), ["`mode` does not start with its first value, and the claim does not assume `any-state`"]);
    assert_eq!(
        calls(|after| drop(after[0].input.values.insert("m".to_owned(), InputValue::Scalar(Number::Small(1))))),
        ["the calls before it leave another value in `mode`"]
    );
    assert_eq!(
        calls(|after| drop(after[0].input.values.insert("mode".to_owned(), InputValue::Scalar(Number::Small(2))))),
        ["call 1, of `set`: `mode` is what the calls before it left"]
    );
    assert_eq!(
        calls(|after| after[0].function = "get".to_owned()),
        ["call 1, of `get`: it is no function that leaves anything for this one"]
    );
    let bare = forged(&|claim| {
        if claim.assumes.as_slice() == ["left-by-calls"] {
            *claim = claim.clone().under(Vec::new());
        }
    });
    assert_eq!(bare.len(), 1, "{bare:?}");
    let borrowed = forged(&|claim| {
        if !matches!(claim.statement, Statement::Excluded { .. }) {
            *claim = claim.clone().under(vec!["left-by-calls".to_owned()]);
        }
    });
    let refused = "only what a graph excludes can rest on `left-by-calls`";
    assert!(borrowed.len() >= 2 && borrowed.iter().all(|reason| reason == refused), "{borrowed:?}");
}

#[test]
fn a_state_machine_is_driven() {
    let source = "enum st { IDLE, RUN, DONE, LOST };\nint step(int ev) {\n  static enum st s = IDLE;\n  switch (s) {\n    case IDLE: if (ev == 1) s = RUN; break;\n    case RUN: if (ev == 2) s = DONE; break;\n    case DONE: return 1;\n    case LOST: return 2;\n  }\n  return 0;\n}\n";
    let (document, _) = cover(&request(source, "step"));
    assert!(sequences(&document).contains(&"step(1) step(2)".to_owned()), "{:?}", sequences(&document));
    assert!(document.tests.iter().all(|test| test.assumes.is_empty()));
    assert_eq!(infeasible(source, "step"), [left_by_calls("!(s == DONE)"), left_by_calls("s == LOST"), left_by_calls("!(s == LOST)")]);
}

/// A receiver of messages: a start byte, a length, data, and a checksum that rotates, which no search by conditions looks through at once.
const RECEIVER: &str = "enum { IDLE, LENGTH, DATA, SUM };
static int state; static unsigned char left, total, sum;
static unsigned char rotated(unsigned char s, unsigned char b) {
    s ^= b; for (int i = 0; i < 3; i++) s = (s & 1) ? (unsigned char)((s >> 1) | 0x80) : (unsigned char)(s >> 1); return s; }
int receive(unsigned char b) {
    switch (state) {
    case IDLE: if (b == 0xA5) { state = LENGTH; sum = 0; } break;
    case LENGTH: if (b == 0 || b > 5) { state = IDLE; return -1; } left = b; total = b; state = DATA; break;
    case DATA: sum = rotated(sum, b); left--; if (left == 0) state = SUM; break;
    case SUM: state = IDLE; if (b != sum) return -2; if (total == 3) return 3; return 1;
    default: return -9;
    }
    return 0;
}";

#[test]
fn protocols_are_driven_byte_by_byte() {
    let (document, _) = cover(&request(RECEIVER, "receive"));
    let open: Vec<&str> = document.open.iter().map(|statement| &*statement.text).collect();
    assert_eq!(open, Vec::<&str>::new());
    let longest = document.tests.iter().map(|test| test.after.len()).max();
    assert_eq!(longest, Some(5), "a start, a length and three bytes come before the checksum: {:?}", sequences(&document));
    let never: Vec<&str> = document.infeasible.iter().map(|statement| &*statement.text).collect();
    assert!(never.iter().any(|statement| statement.contains("state == SUM")), "{never:?}");
}

/// A lamp goes on after ten warm calls and off after ten cold ones: it is on for the third time after 50 calls.
#[test]
fn filters_are_driven_by_calls_that_are_alike() {
    let source = "static int warm, on, times;\nvoid feel(int degrees) { if (degrees > 30) { if (++warm == 10 && !on) { on = 1; times++; } } \
        else if (warm > 0 && --warm == 0) on = 0; }\nint worn(void) { if (times >= 3) return 2; return on; }";
    let (document, _) = cover(&request(source, "worn"));
    assert_eq!(document.covered, document.statements, "{:?}", sequences(&document));
    assert!(document.tests.iter().all(|test| test.assumes.is_empty()));
    let longest = document.tests.iter().map(|test| test.after.len()).max();
    assert_eq!(longest, Some(50), "{:?}", sequences(&document));
}

#[test]
fn failures_come_after_calls_too() {
    let source = "#include <assert.h>\nstatic int n; void push(int v) { assert(n < 3); if (v > 0) n++; }";
    let (document, _) = cover(&request(source, "push"));
    assert_eq!(document.errors.len(), 1);
    assert_eq!((document.errors[0].after.len(), document.errors[0].assumes.len()), (3, 0));
}

#[test]
fn arrays_and_counters_are_left_by_calls() {
    let source = "static int cache[5]; static int n;\nint push(int v) { if (n >= 5) return -1; cache[n] = v; n++; return n; }\n\
        int pop(void) { if (n == 0) return -1; n--; if (cache[n] > 100) return 1; if (n == 3) return 2; return 0; }";
    for function in ["push", "pop"] {
        let (document, _) = cover(&request(source, function));
        assert_eq!(document.covered, document.statements);
        assert!(document.tests.iter().all(|test| test.assumes.is_empty()), "{function}");
    }
}

/// A loop of a function that is called before runs as often as it does, though that is more than loops of the function do.
#[test]
fn loops_of_calls_before_have_their_rounds() {
    let source = "static char name[20]; static int n;\nint set(const char *from) { if (n) return -1; for (int i = 0; i < 19; i++) name[i] = from[i]; n = 1; return 0; }\nint f(int x) { if (n == 1) return x + name[0] == 7; return 0; }";
    let (document, _) = cover(&request(source, "f"));
    assert_eq!(document.covered, document.statements);
    assert!(document.tests.iter().any(|test| test.after.len() == 1) && document.tests.iter().all(|test| test.assumes.is_empty()));
}

/// Where a start of the function may be in the middle of something, what calls leave says nothing.
#[test]
fn what_is_no_sequence_of_calls_is_not_assumed() {
    let of = |rest: &str| infeasible(&format!("static int mode; int f(int x) {{ if (mode == 1) return 1; return 0; }} {rest}"), "f");
    let excluded = left_by_calls("mode == 1");
    assert_eq!(of("void off(void) { mode = 0; }"), std::slice::from_ref(&excluded));
    // A function of the program calls it in between, itself or through others.
    assert_eq!(of("int g(int x) { mode = 1; int r = f(x); mode = 0; return r; }"), []);
    assert_eq!(of("static int h(int x) { return f(x); } int g(int x) { mode = 1; int r = h(x); mode = 0; return r; }"), []);
    assert_eq!(of("int main(void) { mode = 1; int r = f(3); mode = 0; return r; }"), []);
    // Other code does while it waits.
    assert_eq!(of("void wait(void); void g(void) { mode = 1; wait(); mode = 0; }"), []);
    // Its address is known to others.
    assert_eq!(of("int *share(void) { mode = 0; return &mode; }"), []);
    // What only calls one after another is no middle.
    assert_eq!(of("void off(void) { mode = 0; } int main(void) { off(); int r = f(3); off(); return r; }"), [excluded]);
    // A function that only others call is called by these alone.
    let inner = "static void set(int m) { mode = m; } void g(int x) { set(1); set(0); }";
    assert_eq!(of(inner), [left_by_calls("mode == 1")]);
    assert_eq!(of(&format!("{inner} int main(void) {{ set(1); return f(2); }}")), []);
    // No test begins with a call that no caller can make.
    let (document, _) = cover(&request(
        "static int mode; static void set(int m) { mode = m; } int main(void) { set(1); return 0; } int f(void) { if (mode == 1) return 1; return 0; }",
        "f",
    ));
    assert!(document.tests.iter().all(|test| test.after.is_empty()));
}

fn answer<A: Analysis>(request: &Request, settings: A::Settings) -> A::Document {
    let (mut claims, mut progress) = (Vec::new(), |_| true);
    let mut listener = Listener { claims: Some(&mut claims), ..Listener::new(&mut progress) };
    match (Query { request: Some(request.clone()), settings }).answer::<A>(&Default::default, &mut listener) {
        Reply::Document { document } => {
            let evidence = Evidence::of(request, document.header().expect("of a program"), claims);
            assert_eq!(rejected(&evidence), Vec::<String>::new(), "{}", request.source);
            document
        }
        Reply::Refused { diagnostics } => panic!("{}: {diagnostics:?}", request.source),
    }
}

/// What `branches` says of the side with this text: the verdict, what it assumes, and the state that it would need.
fn side(request: &Request, text: &str) -> (BranchesVerdict, Vec<String>, Option<culdesac::view::Input>, Vec<Call>) {
    let document = answer::<Branches>(request, BranchesSettings::default());
    let side = document.list.iter().find(|side| side.text == text).unwrap_or_else(|| panic!("{text} in {:?}", document.list));
    let after = side.test.map_or_else(Vec::new, |test| document.tests[test as usize].after.clone());
    (side.verdict, side.assumes.clone(), side.state.clone(), after)
}

fn reach(request: &Request, target: &str) -> ReachDocument {
    answer::<Reach>(request, ReachSettings { target: Some(target.to_owned()), k: 25 })
}

/// Before, `branches` and `reach` took a run from any state for an answer where `cover` had a proof.
#[test]
fn all_commands_give_one_answer() {
    let usual = request(MODE, "f");
    let (verdict, assumes, ..) = side(&usual, "mode == 5");
    assert_eq!((verdict, assumes.join(" ")), (BranchesVerdict::Infeasible, "left-by-calls".to_owned()));
    let (verdict, assumes, _, after) = side(&usual, "mode == 2");
    assert_eq!((verdict, assumes.len(), after.len()), (BranchesVerdict::Covered, 0, 1));
    let [two, five] = ["2:38", "2:63"].map(|target| reach(&usual, target));
    assert_eq!((two.verdict, two.after.len(), two.assumes.len()), (ReachVerdict::Reached, 1, 0));
    assert_eq!((&*two.target.text, &*five.target.text), ("return x", "return 1"));
    assert_eq!((five.verdict, five.assumes.join(" ")), (ReachVerdict::Unreachable, "left-by-calls".to_owned()));
    let settings = DrawSettings { length: 9, count: 20, feasible_only: false, pruned: None, precondition: None };
    let drawn = answer::<Draw>(&usual, settings);
    assert!(drawn.paths.iter().all(|path| path.feasible.is_some() && !path.assumes.contains(&"any-state".to_owned())));
    assert!(
        drawn.paths.iter().any(|path| path.assumes.join(" ") == "left-by-calls") && drawn.paths.iter().any(|path| !path.after.is_empty())
    );
    // Query for by name, any state is believed.
    let any = Request { assume: vec!["any-state".to_owned()], ..usual.clone() };
    assert_eq!(side(&any, "mode == 5").1.join(" "), "any-state");
    assert_eq!((reach(&any, "2:63").verdict, infeasible_of(&any)), (ReachVerdict::Reached, 0));
    let first = Request { assume: vec!["first-call".to_owned()], ..usual };
    assert_eq!(side(&first, "mode == 2").1.join(" "), "first-call");
    assert_eq!((reach(&first, "2:38").verdict, infeasible_of(&first)), (ReachVerdict::Unreachable, 2));
}

fn infeasible_of(request: &Request) -> usize {
    cover(request).0.infeasible.len()
}

#[test]
fn a_state_that_no_calls_are_known_to_leave_decides_nothing() {
    let source = "static int mode; void wait(void); void g(void) { mode = 1; wait(); mode = 0; }\nint f(int x) { if (mode == 77 && x > 2)\nreturn 1;\nreturn 0; }";
    let usual = request(source, "f");
    let is_needed = |why: &str| assert!(why.contains("`mode = 77`"), "{why}");
    let (verdict, _, state, _) = side(&usual, "mode == 77");
    let mode = |state: &Option<culdesac::view::Input>| state.as_ref().and_then(|state| state.values.get("mode").cloned());
    let expected = Some(InputValue::Scalar(Number::Small(77)));
    assert_eq!((verdict, mode(&state)), (BranchesVerdict::Open, expected.clone()));
    let (document, _) = cover(&usual);
    let open = document.open.iter().find(|one| one.text == "mode == 77").expect("it is open");
    assert_eq!(mode(&open.state), expected);
    is_needed(&open.evidence);
    assert!(!document.header.complete && document.tests.iter().all(|test| test.assumes.is_empty()));
    let reached = reach(&usual, "3");
    assert_eq!((reached.verdict, mode(&reached.state), reached.input), (ReachVerdict::Unknown, expected, None));
    is_needed(&reached.open.expect("a reason"));
}

/// Relations between several statics, which hold between calls and not always within one.
#[test]
fn relations_between_statics_are_invariants_of_calls() {
    for (function, source, text) in [
        (
            "put",
            "static int q[8]; static unsigned head, tail; int put(int v) { if (head - tail == 8) return -1; if (head - tail > 8) return -2; q[head++ % 8] = v; return 0; } int get(void) { if (head == tail) return -1; tail++; return 0; }",
            "head - tail > 8",
        ),
        (
            "put",
            "static unsigned char head = 250, tail = 250; int put(void) { if ((unsigned char)(head - tail) == 4) return -1; if ((unsigned char)(head - tail) > 4) return -2; head++; return 0; } int get(void) { if (head == tail) return -1; tail++; return 0; }",
            "(unsigned char)(head - tail) > 4",
        ),
        (
            "idle",
            "static int owner, depth; int lock(int me) { if (me <= 0) return -1; if (owner == 0) { owner = me; depth = 1; } else if (owner == me && depth < 9) depth++; return 0; } int unlock(int me) { if (owner != me || me <= 0) return -1; depth--; if (depth == 0) owner = 0; return 0; } int idle(void) { if (owner == 0 && depth != 0) return 1; return 0; }",
            "depth != 0",
        ),
        (
            "idle",
            "static int owner, depth; int lock(int me) { if (me <= 0) return -1; if (owner == 0) { owner = me; depth = 1; } else if (owner == me && depth < 9) depth++; return 0; } int unlock(int me) { if (owner != me || me <= 0) return -1; depth--; if (depth == 0) owner = 0; return 0; } int idle(void) { if (owner != 0) if (depth == 0) return 1; return 0; }",
            "depth == 0",
        ),
        (
            "both",
            "static int red, green; void go(int x) { if (x > 3) { red = 0; green = 1; } } void stop(int x) { if (x < 3) { green = 0; red = 1; } } int both(void) { if (red) if (green) return 1; return 0; }",
            "green",
        ),
        (
            "ok",
            "static unsigned locks, unlocks, held; void lock(void) { if (held < 5) { locks++; held++; } } void unlock(void) { if (held > 0) { unlocks++; held--; } } int ok(void) { if (locks != unlocks + held) return 1; return 0; }",
            "locks != unlocks + held",
        ),
        (
            "pop",
            "static unsigned char first, count; void push(void) { if (count < 4) count++; } int pop(void) { if (count == 0) return -1; if (count > 4 || first > 3) return -2; first = (first + 1) & 3; count--; return 0; }",
            "first > 3",
        ),
    ] {
        let (document, _) = cover(&request(source, function));
        let excluded = document.infeasible.iter().find(|one| one.text == text);
        assert_eq!(
            excluded.map(|one| one.assumes.join(" ")),
            Some("left-by-calls".to_owned()),
            "{source}: {:?} {:?}",
            document.infeasible,
            document.open
        );
        let (verdict, assumes, ..) = side(&request(source, function), text);
        assert_eq!((verdict, assumes.join(" ")), (BranchesVerdict::Infeasible, "left-by-calls".to_owned()), "{source}");
    }
    // With a fault in one of the functions the relation does not hold, and a sequence of calls shows it.
    let source = "static int red, green; void go(int x) { if (x > 3) green = 1; } void stop(int x) { if (x < 3) { green = 0; red = 1; } } int both(void) { if (red) if (green) return 1; return 0; }";
    let (verdict, _, _, after) = side(&request(source, "both"), "green");
    assert_eq!((verdict, after.len()), (BranchesVerdict::Covered, 2));
}

/// What may run between any two steps of other functions, or write through a pointer, ends what calls leave.
#[test]
fn handlers_and_pointers_end_what_calls_leave() {
    let of = |rest: &str| infeasible(&format!("static int mode; {rest} int f(int x) {{ if (mode == 1) return 1; return 0; }}"), "f");
    let excluded = [left_by_calls("mode == 1")];
    assert_eq!(of("void on(void) { mode = 1; mode = 0; }"), excluded);
    for handler in [
        "__attribute__((interrupt)) void on(void) { mode = 1; mode = 0; }",
        "void on(void) __attribute__((signal)); void on(void) { mode = 1; mode = 0; }",
        "void TIMER0_vect(void) { mode = 1; mode = 0; }",
        "void UART1_IRQHandler(void) { mode = 1; mode = 0; }",
        "void SysTick_Handler(void) { mode = 1; mode = 0; }",
        "void tick_isr(void) { mode = 1; mode = 0; }",
        "void sig_handler(int s) { mode = 1; mode = 0; }",
        "static void on(void) { mode = 1; mode = 0; } void (*hook)(void) = on;",
        "void sethandler(void (*h)(int)); static void on(int s) { mode = 1; mode = 0; } void off(void) { sethandler(on); }",
        "int *shared = &mode; void off(void) { mode = 0; }",
        "static int *p = &mode; void set(int x) { *p = x; }",
    ] {
        assert_eq!(of(handler), [], "{handler}");
    }
    // What a handler does not write, and does not lead to the function, it does not change.
    assert_eq!(of("static int ticks; void tick_isr(void) { ticks++; } void off(void) { mode = 0; }"), excluded);
    // Names that only contain such a word are no such names.
    assert_eq!(of("void disrupt(void) { mode = 1; mode = 0; } void vector_push(void) { mode = 0; }"), excluded);
}

/// Contents that a function without a body may write on one way only meet those of the other way: of these what is read counts.
#[test]
fn contents_without_a_common_beginning_meet() {
    let source = "void tick(void); int f(int *p, int x) {\n p[1] = 3;\n if (x > 3)\n tick();\n if (*p == 1) {\n if (p[1] != 3 && x < 2)\n return 5;\n return 1; }\n return 0; }";
    let excluded = infeasible(source, "f");
    assert_eq!(excluded.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>(), ["x < 2"]);
    let (document, evidence) = cover(&request(source, "f"));
    assert_eq!(document.covered + 1, document.statements);
    // The same text with another bound is not what the certificate shows.
    let other = Evidence { source: source.replace("x < 2", "x < 9"), ..evidence };
    assert!(!rejected(&other).is_empty());
    // An element at a place that only a run knows.
    let walk = "void tick(void); int f(int *p, int n, int k) { for (int i = 0; i < 3; i++) { if (n > i) tick(); if (k == 2) p[i] = 7; } if (k == 2 && n < 0 && p[1] != 7) return 9; if (p[k] == 5) return 2; return 0; }";
    assert_eq!(infeasible(walk, "f").into_iter().map(|(text, _)| text).collect::<Vec<_>>(), ["p[1] != 7"]);
}

/// A condition (variable, comparison, constant) and what is done where it holds, with its constant.
type Change = (u8, u8, i8, u8, i8);

/// A program whose functions change two statics at random; each statement stands on its own line.
#[derive(Clone, Debug)]
struct Program {
    bodies: Vec<Vec<Change>>,
    shape: u8,
}

const VARIABLES: [&str; 3] = ["a", "b", "x"];

impl Program {
    fn source(&self) -> String {
        let mut out = String::from("static int a;\nstatic int b = 2;\n");
        for (number, body) in self.bodies.iter().enumerate() {
            let name = ["g", "h", "f"][number];
            let qualifier = if number == 1 && self.shape & 1 == 1 { "static " } else { "" };
            let _ = writeln!(out, "{qualifier}int {name}(int x) {{\nint r = 0;");
            for &(left, op, constant, effect, by) in body {
                let (left, op) = (VARIABLES[usize::from(left % 3)], ["==", "<", ">", "!="][usize::from(op % 4)]);
                let effect = match effect % 8 {
                    0 => format!("a = {by};"),
                    1 => format!("b = {by};"),
                    2 => "if (a < 6)\na = a + 1;".to_owned(),
                    3 => "a = b;".to_owned(),
                    4 => "if (x > 0 && x < 4)\nb = x;".to_owned(),
                    5 if number == 1 => "g(x);".to_owned(),
                    6 if number == 2 && self.shape & 2 == 2 => "h(x);".to_owned(),
                    _ => format!("r = {by};"),
                };
                let _ = writeln!(out, "if ({left} {op} {constant}) {{\n{effect}\n}}");
            }
            out.push_str("return r;\n}\n");
        }
        if self.shape & 4 == 4 {
            out.push_str("int k(int x) {\ng(x);\nreturn f(x);\n}\n");
        }
        if self.shape & 8 == 8 {
            out.push_str("int m(int x) {\na = 4;\nf(x);\na = 0;\nreturn 0;\n}\n");
        }
        out
    }

    /// What may be called from outside.
    fn callable(&self) -> Vec<&'static str> {
        let named = [(true, "f"), (true, "g"), (self.shape & 1 == 0, "h"), (self.shape & 4 == 4, "k"), (self.shape & 8 == 8, "m")];
        named.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect()
    }
}

/// The lines of the program that run when these calls are made one after another; `None` where that is undefined.
fn driven(source: &str, calls: &[(String, i64)]) -> Option<BTreeSet<u32>> {
    let body: String = calls.iter().map(|(name, x)| format!("{name}({x}); ")).collect();
    let text = format!("{source}int main(void) {{ {body} return 0; }}\n");
    let program = lang::parse(&text).program.expect("no error");
    let options = Options { ints: IntegerModel::C32, ..Options::default() };
    let lts = lower_with(&program, Some("main"), &options).expect("no error").lts;
    let run = run(&lts, &Input::default(), 100_000);
    let lines = LineIndex::new(&text);
    (run.outcome == Outcome::Returned).then(|| run.edges.iter().map(|&edge| lines.line(lts.graph[edge].span.start)).collect())
}

fn program() -> impl Strategy<Value = Program> {
    let statement = (any::<u8>(), any::<u8>(), -1..6i8, any::<u8>(), -1..6i8);
    (prop::collection::vec(prop::collection::vec(statement, 1..4), 3), 0..16u8).prop_map(|(bodies, shape)| Program { bodies, shape })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(6)))]

    /// Whatever is called, no line runs that is said to be infeasible, and each sequence of a test runs the lines that it says.
    #[test]
    fn no_sequence_contradicts(program in program(), seeds in prop::collection::vec(prop::collection::vec((any::<prop::sample::Index>(), -2..7i64), 1..9), 25)) {
        let source = program.source();
        let (document, _) = cover(&request(&source, "f"));
        let plain = |line: u32| source.lines().nth(line as usize - 1).is_some_and(|text| !text.starts_with("if"));
        let dead: Vec<u32> = document.infeasible.iter().map(|one| one.line).filter(|&line| plain(line)).collect();
        // A line that is inlined more than once is dead only if each copy is.
        let alive: BTreeSet<u32> = document.tests.iter().flat_map(|test| test.lines.iter().copied()).collect();
        let of_f = |line: u32| source.lines().take(line as usize - 1).filter(|text| text.starts_with("int f(")).count() == 1
            && source.lines().take(line as usize - 1).filter(|text| text.starts_with("int k(") || text.starts_with("int m(")).count() == 0;
        for calls in &seeds {
            let calls: Vec<(String, i64)> = calls.iter().map(|(name, x)| ((*name.get(&program.callable())).to_owned(), *x)).collect();
            if let Some(lines) = driven(&source, &calls) {
                for line in &dead {
                    prop_assert!(!of_f(*line) || alive.contains(line) || !lines.contains(line), "{source}\nline {line} is run by {calls:?}");
                }
            }
        }
        for test in document.tests.iter().filter(|test| !test.after.is_empty() || test.assumes.is_empty()) {
            let x = |input: &culdesac::view::Input| match input.values.get("x") {
                Some(InputValue::Scalar(Number::Small(x))) => *x,
                _ => 0,
            };
            let mut calls: Vec<(String, i64)> = test.after.iter().map(|call| (call.function.clone(), x(&call.input))).collect();
            calls.push(("f".to_owned(), x(&test.input)));
            let lines = driven(&source, &calls);
            let lines = lines.unwrap_or_else(|| panic!("{source}\n{calls:?} does not return"));
            prop_assert!(test.lines.iter().all(|line| lines.contains(line)), "{source}\n{calls:?} runs {lines:?}, not {:?}", test.lines);
        }
    }
}
