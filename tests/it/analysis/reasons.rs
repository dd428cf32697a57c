//! Reasons of infeasible branches: each has one, and the values and facts in it hold in every run.

use crate::common::cases::cases;
use crate::differential::random;
use crate::suites::request;
use culdesac::analysis::Listener;
use culdesac::analysis::cover::report::exclusion_text::excluded;
use culdesac::analysis::cover::{CoverDocument, CoverSettings, CoverStatement, CoverValue, cover};
use culdesac::analysis::report::{ReportBranch, ReportDocument, ReportFindingKind, ReportVerdict, report};
use culdesac::interp::{Machine, RunState, Watch};
use culdesac::load::load_assuming;
use culdesac::logic::Int;
use culdesac::lts::sides::without_copies;
use culdesac::lts::{EdgeId, Lts, VariableId};
use culdesac::run::random_inputs::RandomInputs;
use culdesac::view::{Reply, Request};
use std::ops::ControlFlow;

fn reported(request: &Request) -> Option<ReportDocument> {
    match report(request, &mut Listener::new(&mut |_| true)) {
        Reply::Document { document } => Some(document),
        Reply::Refused { .. } => None,
    }
}

/// What excludes each infeasible branch, after its line.
fn reasons(document: &ReportDocument) -> Vec<String> {
    let dead = document.list.iter().filter(|branch| branch.verdict == ReportVerdict::Infeasible);
    let told = |branch: &ReportBranch| {
        let because = branch.because.as_ref().and_then(|because| excluded(&document.header, because, true));
        format!("{}: {}", branch.line, because.unwrap_or_default())
    };
    dead.map(told).collect()
}

/// The reasons of a function.
fn of(source: &str) -> Vec<String> {
    reasons(&reported(&request("f.c", source, Some(3_000_000))).unwrap_or_else(|| panic!("refused:\n{source}")))
}

/// Values by assignments, and what stands behind a side that no execution takes.
#[test]
fn assignments_give_the_values() {
    let machine = "int f(int n) {\n  int mode = 1;\n  while (n-- > 0) {\n    if (mode == 1) mode = 2;\n    else if (mode == 3) {\n      \
                   if (n == 7) n = 0;\n    } else mode = 1;\n  }\n  return mode;\n}\n";
    let behind = "mode == 3 (line 5), which no execution takes";
    let values = "the values here: mode is 1 by mode = 1 (line 2) or mode = 1 (line 7) or 2 by mode = 2 (line 4:20)";
    assert_eq!(of(machine), [format!("5: {values}"), format!("6: {behind}"), format!("6: {behind}")]);
    let found = reported(&request("f.c", machine, Some(3_000_000))).expect("a report").findings;
    let never_runs: Vec<_> = found.iter().filter(|finding| finding.kind == ReportFindingKind::NeverRuns).collect();
    assert!(never_runs.len() == 1 && never_runs[0].because.is_some(), "{never_runs:?}");
}

/// A check that comes after the operation it should guard: the operation excludes it, not the check itself.
#[test]
fn operations_exclude_what_they_are_undefined_for() {
    let late = [
        ("int f(int x, int n) {\n  int y = x << n;\n  if (n >= 32) return -1;\n  return y;\n}\n", "3: y = x << n (line 2)"),
        ("int f(int a, int b) {\n  int q = a / b;\n  if (b == 0) return -1;\n  return q;\n}\n", "3: q = a / b (line 2)"),
        ("int f(int i) {\n  static int t[8];\n  t[i] = 3;\n  if (i >= 8) return -1;\n  return t[0];\n}\n", "4: t[i] = 3 (line 3)"),
    ];
    for (source, reason) in late {
        assert_eq!(of(source), [format!("{reason}, an operation that is undefined where the condition holds")]);
        let found = reported(&request("f.c", source, Some(3_000_000))).expect("a report").findings;
        let always = found.iter().find(|finding| finding.kind == ReportFindingKind::Always).expect("a condition");
        assert!(always.hint.is_some() && always.innocuous.is_none(), "{always:?}");
    }
    // Both ways pass one; of one way alone it would be no reason.
    let both = "int f(int a, int b, int c) {\n  int q;\n  if (c) q = a / b;\n  else q = a % b;\n  if (b == 0) return -1;\n  return q;\n}\n";
    assert_eq!(of(both), ["5: q = a / b (line 3:10) or q = a % b (line 4), operations that are undefined where the condition holds"]);
    let one = "int f(int a, int b, int c) {\n  int q = 0;\n  if (c) q = a / b;\n  if (b == 0) return -1;\n  return q;\n}\n";
    assert_eq!(of(one), Vec::<String>::new());
    // What is read there has another value at the check.
    let changed = "int f(int a, int b) {\n  int q = a / b;\n  b = a & 1;\n  if (b == 0) return -1;\n  return q;\n}\n";
    assert_eq!(of(changed), Vec::<String>::new());
}

/// Assignments to variables, to elements and in calls, in the words of the text.
#[test]
fn assignments_are_told_as_the_text_has_them() {
    let connected = "int f(int a) {\n  int x = a;\n  int y = a + 1;\n  if (x == 1) {\n    if (y == 7) return 1;\n  }\n  return 0;\n}\n";
    assert_eq!(of(connected), ["5: x == 1 (line 4) and x = a (line 2) and y = a + 1 (line 3)"]);
    let unconnected = "int f(int n) {\n  int x = n + 1;\n  if (x > 5) {\n    if (x < 3) return 1;\n  }\n  return 0;\n}\n";
    assert_eq!(of(unconnected), ["4: x > 5 (line 3)"]);
    let element =
        "int f(int i, int j) {\n  int t[4] = {0};\n  t[i & 3] = 5;\n  t[j & 3] = 7;\n  if (t[j & 3] != 7) return 1;\n  return 0;\n}\n";
    assert_eq!(of(element), ["5: t[j & 3] = 7 (line 4)"]);
    let call = "struct p { int x, y; };\nstatic struct p made(int a) {\n  struct p r;\n  r.x = a;\n  r.y = 3;\n  return r;\n}\nint f(int a) {\n  struct p t;\n  \
                t = a ? made(a) : made(1);\n  if (t.y == 4) return 1;\n  return 0;\n}\n";
    assert_eq!(of(call), ["11: r.y = 3 (line 5) and return r (line 6) and t = a ? made(a) : made(1) (line 10:3)"]);
}

/// Conditions and assignments that exclude a branch together, and no others.
#[test]
fn reasons_suffice_and_have_nothing_needless() {
    let middle = "int f(const int *a, int n) {\n  int lo = 0, hi = n;\n  while (lo < hi) {\n    int mid = lo + (hi - lo) / 2;\n    \
                  if (mid < lo) return -1;\n    if (a[mid] < 5) lo = mid + 1;\n    else hi = mid;\n  }\n  return lo;\n}\n";
    assert_eq!(of(middle), ["5: lo < hi (line 3) and mid = lo + (hi - lo) / 2 (line 4)"]);
    let needless = "int f(int a, int b) {\n  int d = a % 8;\n  if (b > 3 && a > 100) {\n    if (d > 7) return 1;\n  }\n  return 0;\n}\n";
    assert_eq!(of(needless), ["4: d = a % 8 (line 2)"]);
    let clamp = "static int clamp(int v) {\n  if (v > 100) return 100;\n  return v;\n}\nint f(int x) {\n  int c = clamp(x);\n  if (c > 100) return 1;\n  return 0;\n}\n";
    assert_eq!(
        of(clamp),
        ["7: c = clamp(x) (line 6:7), and either !(v > 100) (line 2:7) and return v (line 3), or return 100 (line 2:16)"]
    );
}

/// What bounds a counter in each round of a loop, however many came before.
#[test]
fn reasons_hold_in_each_round() {
    let counted = "int f(const char *in, char c) {\n  int run = 0;\n  while (*in == c && run < 9) {\n    run++;\n    in++;\n  }\n  \
                   if (run > 9) return -4;\n  return run;\n}\n";
    assert_eq!(of(counted), ["7: either run = 0 (line 2), or run < 9 (line 3:22) and run = run + 1 (line 4)"]);
    let chained = "int f(int score) {\n  if (score > 100) score = 100;\n  if (0 <= score <= 100) return 1;\n  return 0;\n}\n";
    assert_eq!(of(chained), ["3: itself: it never holds"]);
}

/// Floating-point operations that keep the order of numbers: thresholds decide, and the operation is among the reasons.
#[test]
fn thresholds_decide_floating_point_conditions() {
    let average = "int f(int a, int b) {\n  if (a < 0 || a > 100 || b < 0 || b > 100) return -1;\n  double avg = (a + b) / 2;\n  \
                   if (avg >= 80) return 1;\n  if (avg < 0) return 2;\n  return 0;\n}\n";
    assert_eq!(of(average), ["5: !(a < 0) (line 2:7) and !(b < 0) (line 2:27) and avg = (a + b) / 2 (line 3)"]);
    let chain = "int f(double c) {\n  double k = c * 9 / 5 + 32;\n  if (k > 212) {\n    if (c < 99) return 1;\n    return 2;\n  }\n  \
                 if (c > 101) return 3;\n  return 0;\n}\n";
    let k = "k = c * 9 / 5 + 32 (line 2)";
    assert_eq!(of(chain), [format!("4: k > 212 (line 3) and {k}"), format!("7: !(k > 212) (line 3) and {k}")]);
    let cents = "int f(float p) {\n  if (!(p >= 0 && p < 1000)) return -1;\n  int cents = (int)(p * 100 + 0.5f);\n  if (cents > 100001) return 1;\n  \
                 if (cents > 99999) return 2;\n  return 0;\n}\n";
    assert_eq!(of(cents), ["4: p < 1000 (line 2:19) and cents = (int)(p * 100.0f + 0.5f) (line 3)"]);
    let turned = "int f(float x) {\n  float y = 10 - x * -2;\n  if (x > 1 && y < 12) return 1;\n  if (x < 1 && !(y < 12.5f)) return 2;\n  return 0;\n}\n";
    let y = "y = 10 - x * -2 (line 2)";
    assert_eq!(of(turned), [format!("3: x > 1 (line 3:7) and {y}"), format!("4: x < 1 (line 4:7) and {y}")]);
}

/// Of arithmetic with two variables the sign and the order against the operands are known.
#[test]
fn signs_and_orders_decide_floating_point_conditions() {
    let account = "struct acc { double balance; };\nint f(struct acc *a, double x) {\n  if (x <= 0) return -1;\n  if (x > a->balance) return -2;\n  \
                   a->balance -= x;\n  if (a->balance < 0) return -3;\n  return 0;\n}\n";
    assert_eq!(of(account), ["6: !(x > a->balance) (line 4) and a->balance -= x (line 5)"]);
    let ratio = "double f(float a, float b) {\n  if (a < 0 || b <= 0 || a > b) return -1;\n  float r = a / b;\n  if (r > 1) return -2;\n  \
                 if (r < 0) return -3;\n  return r;\n}\n";
    let division = "r = a / b (line 3)";
    assert_eq!(
        of(ratio),
        [
            format!("4: !(b <= 0) (line 2:16) and !(a > b) (line 2:26) and {division}"),
            format!("5: !(a < 0) (line 2:7) and !(b <= 0) (line 2:16) and {division}")
        ]
    );
    let bill = "#include <math.h>\ndouble f(double price, double n) {\n  if (!(price >= 0) || !(n >= 1)) return -1;\n  double all = price * n;\n  \
                if (all < price) return -2;\n  if (all + price < all) return -3;\n  if (price * 0.9 > price) return -4;\n  \
                if (n <= 1e300 && sqrt(n) > n) return -5;\n  return all;\n}\n";
    let lines: Vec<String> = of(bill).iter().map(|reason| reason.split(':').next().unwrap_or_default().to_owned()).collect();
    assert_eq!(lines, ["5", "6", "7", "8"]);
}

/// What a call of the library excludes is told by the call.
#[test]
fn calls_of_the_library_are_told_as_calls() {
    let text = "#include <string.h>\nint f(const char *s) {\n  char own[8];\n  strncpy(own, s, sizeof own - 1);\n  own[7] = 0;\n  \
                if (strlen(own) > 7) return 1;\n  return 0;\n}\n";
    let told = of(text);
    assert!(told.len() == 1 && told[0].contains("own[7] = 0 (line 5)") && !told[0].contains("strlen."), "{told:?}");
}

/// A condition without a choice, and the only run of a program.
#[test]
fn a_run_gives_the_values() {
    assert_eq!(of("int f(int a) {\n  while (1) {\n    if (a-- < 0) return 1;\n  }\n}\n"), ["2: itself: it never holds"]);
    let counts = "int main(void) {\n  int n = 0;\n  for (int i = 0; i < 7000; i++) n += 2;\n  if (n != 14000) return 1;\n  return 0;\n}\n";
    assert_eq!(of(counts), ["4: the values here in every run: n is 14000"]);
    // A run that is too long to be followed shows no values: some would be missing.
    let long = "int main(void) {\n  int n = 0;\n  for (int i = 0; i < 400000; i++) {\n    n = i;\n    if (n == 400000) return 1;\n  }\n  return 0;\n}\n";
    assert_eq!(of(long), ["5: the run, which no input changes"]);
}

/// What a claim says, where no other reason is known.
#[test]
fn claims_give_facts() {
    let level = "static int level;\nint f(int up) {\n  if (level > 5) return -1;\n  if (up && level < 3) level++;\n  return level;\n}\n";
    assert_eq!(of(level), ["3: what always holds here: level <= 3"]);
}

/// Where rounds of a loop count, what the claim says is the reason: an assignment alone would say nothing of how often it runs.
#[test]
fn rounds_are_counted_by_facts() {
    let search = "int f(int x) {\n  int tries = 0, lo = 0, hi = 60;\n  if (x < 0 || x > 60) return -1;\n  while (lo < hi) {\n    int mid = (lo + hi) / 2;\n    \
                  if (mid == x) break;\n    if (mid < x) lo = mid + 1; else hi = mid;\n    tries++;\n    if (tries > 9) return -2;\n  }\n  return tries;\n}\n";
    assert_eq!(of(search), ["9: the values here in every run: tries is 1, 2, 3, 4 or 5"]);
    let digits =
        "int f(unsigned n) {\n  int count = 0;\n  while (n > 0) { n /= 10; count++; }\n  if (count > 10) return -1;\n  return count;\n}\n";
    let set = "count is set by count = 0 (line 2) or count = count + 1 (line 3:28)";
    assert_eq!(of(digits), [format!("4: what always holds here: count <= 10; {set}")]);
}

/// A condition of another statement, which each path passes all the same, excludes nothing: a path on which the call before it fails stops there.
#[test]
fn conditions_of_other_statements_are_no_reasons() {
    let line = "#include <stdio.h>\nint main(void) {\n  char line[6];\n  if (!fgets(line, sizeof line, stdin)) return 1;\n  int n = 0, o = 0;\n  \
                while (line[n] && line[n] != '\\n') { n++; o += 2; }\n  if (o % 2) return 2;\n  if (n > 5) return 3;\n  return 0;\n}\n";
    assert_eq!(
        of(line),
        [
            "7: the values here: o is 0, 2, 4, 6, 8 or 10; o is set by o = 0 (line 5:14) or o += 2 (line 6:45)",
            "8: the values here: n is 0, 1, 2, 3, 4 or 5; n is set by n = 0 (line 5:7) or n = n + 1 (line 6:40)"
        ]
    );
    let once = "#include <stdio.h>\nstatic int once(void) {\n  static int done = 0;\n  if (done) return 0;\n  done = 1;\n  return 1;\n}\n\
                int main(void) {\n  int c = getchar();\n  if (!once()) return 1;\n  if (c == 'x' && once()) return 2;\n  return 0;\n}\n";
    let result = "the values here: the result of once is";
    assert_eq!(of(once), [format!("10: {result} 1 by return 1 (line 6)"), format!("11: {result} 0 by return 0 (line 4:13)")]);
}

/// What is said of one location does not contradict what is said of another, and shifts of the text are no divisions.
#[test]
fn facts_of_one_location_agree() {
    let register = "#include <stdio.h>\nstatic unsigned char reg = 0x01;\nint main(void) {\n  int c, n = 0;\n  while ((c = getchar()) != EOF) {\n    \
                    if (c == '1') { n++; reg |= 4; }\n    if (c == '2') reg &= ~4;\n    if (c > 255) reg |= 128;\n  }\n  if (reg >> 1 & 1u) puts(\"error\");\n  \
                    if (reg >> 7 & 1u) puts(\"overrun\");\n  if (!(reg & 1u)) puts(\"not ready\");\n  return 0;\n}\n";
    let told = reasons(&reported(&request("f.c", register, Some(10_000_000))).expect("a report")).join("\n");
    assert!(told.contains("reg is 1 or 5; ") && told.contains("reg >> 7 is 0"), "{told}");
    assert!(!["129", "133", "/"].iter().any(|text| told.contains(text)), "{told}");
}

/// Paths that differ in a needed condition are cases of their own.
#[test]
fn each_case_of_a_bound_is_told() {
    let sum = "int f(int n) {\n  int s = 0, j = 0;\n  if (n > 20) n = 20;\n  while (j < n) { s += j; j++; }\n  if (j > 100) return -1;\n  return s;\n}\n";
    let cases = "either !(n > 20) (line 3:7) and j < n (line 4:10) and j = j + 1 (line 4:27), or j = 0 (line 2:14), or j < n (line 4:10) and n = 20 \
                 (line 3:15) and j = j + 1 (line 4:27)";
    assert_eq!(of(sum), [format!("5: {cases}")]);
}

/// Looks whether a part of a condition has other values than those of its reason, where the branch is decided.
struct Values<'a> {
    lts: &'a Lts,
    /// The edge of the branch, and the variables that one part may be with the values that it is said to have.
    told: Vec<(EdgeId, Vec<VariableId>, Vec<&'a str>)>,
    wrong: Vec<String>,
}

impl Watch for Values<'_> {
    fn taken(&mut self, edge: EdgeId, after: &RunState<'_>) -> ControlFlow<()> {
        let to = self.lts.edge(edge).2;
        for (side, variables, values) in self.told.iter().filter(|(side, ..)| self.lts.edge(*side).1 == to) {
            let is_told = |id: &VariableId| {
                let value = after.variable(*id);
                values.iter().any(|told| match told.split_once(" to ") {
                    Some((least, greatest)) => {
                        Int::parse(least).is_some_and(|least| *value >= least) && Int::parse(greatest).is_some_and(|most| *value <= most)
                    }
                    None => value.to_string() == *told,
                })
            };
            if !variables.iter().any(is_told) {
                self.wrong.push(format!("before edge {}: none of {values:?}", side.index()));
            }
        }
        ControlFlow::Continue(())
    }
}

/// The parts of a statement's condition with values, as [`Values::told`].
fn values_of<'a>(lts: &Lts, statement: &'a CoverStatement) -> Vec<(EdgeId, Vec<VariableId>, Vec<&'a str>)> {
    let variables = |name: &str| {
        let all = (0..).map(VariableId).zip(&lts.variables);
        all.filter(|(_, variable)| without_copies(&variable.name) == name).map(|(id, _)| id).collect::<Vec<_>>()
    };
    let parts = statement.excluded_by.values.iter().filter_map(|part| {
        let values: Option<Vec<&str>> = part.values.iter().map(|CoverValue { value, .. }| value.as_deref()).collect();
        Some((EdgeId::new(statement.edge as usize), variables(&part.name), values?))
    });
    parts.filter(|(_, variables, _)| !variables.is_empty()).collect()
}

/// What is wrong with the values in the reasons of a document.
fn wrong_values(request: &Request, document: &CoverDocument) -> Vec<String> {
    let loaded = load_assuming(request, None).expect("it was read");
    let told: Vec<_> =
        document.infeasible.iter().filter(|one| one.assumes.is_empty()).flat_map(|one| values_of(&loaded.lts, one)).collect();
    let mut watch = Values { lts: &loaded.lts, told, wrong: Vec::new() };
    let machine = Machine::new(&loaded.lts);
    let mut inputs = RandomInputs::new(&loaded.lts, 7);
    for _ in 0..if watch.told.is_empty() { 0 } else { 30 } {
        machine.watch(&inputs.draw(), 5_000, &mut watch);
    }
    watch.wrong
}

/// Where few steps are left, the call that gives a pointer is the reason.
#[test]
fn a_call_of_the_library_is_a_reason_where_nothing_else_is() {
    let source = "#include <string.h>\nint f(int v) {\n  char a[8] = \"a.b\"; char *b = strchr(a, '.');\n  a[2] = v > 3 ? '.' : 'c';\n  \
                  if (b != NULL && b - a < 2) *b = 0;\n  return a[1];\n}\n";
    let document = reported(&request("f.c", source, Some(1_000))).expect("it is read");
    let reason = "5: the values here: b is set by strchr(a, '.') (line 3:32)";
    assert_eq!(reasons(&document), [reason, reason]);
}

/// Each infeasible branch of random programs has a reason, and runs have the values in it.
#[test]
fn every_infeasible_branch_has_a_reason() {
    let settings = CoverSettings { unwind: None, algorithm: "prefer".to_owned(), precondition: None, summaries: false };
    let (mut wrong, mut total) = (Vec::new(), 0);
    for number in 0..u64::from(cases(4)) {
        let source = random::program(number);
        let request = request("f.c", &source, Some(100_000));
        let Some(document) = reported(&request) else { continue };
        let found = reasons(&document);
        total += found.len();
        wrong.extend(found.iter().filter(|one| one.ends_with(": ")).map(|one| format!("{number}: no reason in line {one}\n{source}")));
        let Reply::Document { document } = cover(&request, &settings, &mut Listener::new(&mut |_| true)) else { continue };
        wrong.extend(wrong_values(&request, &document).into_iter().map(|one| format!("{number}: {one}")));
    }
    assert!(wrong.is_empty() && total > 0, "{total} branches:\n{}", wrong.join("\n"));
}
