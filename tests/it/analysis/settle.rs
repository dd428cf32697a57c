//! One verdict from all engines: the documents of `cover`, `branches`, `report` and `reach` say the same of a branch, never less than a method
//! alone, and with evidence that the check accepts.

use crate::common::cases::cases;
use crate::differential::random;
use crate::suites::request;
use culdesac::analysis::branches::{Branches, BranchesDocument, BranchesOrder, BranchesSettings};
use culdesac::analysis::check::check;
use culdesac::analysis::cover::{Cover, CoverDocument, CoverSettings};
use culdesac::analysis::reach::{Reach, ReachDocument, ReachSettings, ReachVerdict};
use culdesac::analysis::report::{Report, ReportDocument, ReportSettings, ReportVerdict};
use culdesac::analysis::settle::{settled_branches, settled_cover, settled_target};
use culdesac::analysis::{Analysis, Claims, Listener, Question};
use culdesac::evidence::Evidence;
use culdesac::load::load_assuming;
use culdesac::lts::sides::{Side, sides};
use culdesac::view::{Document, Reply, Request};
use std::collections::{BTreeMap, BTreeSet};

/// The document, once the check has accepted all evidence; `None` of a refused program.
fn accepted<D: Document>(request: &Request, answer: impl FnOnce(&mut Listener) -> Reply<D>) -> Option<D> {
    let (mut claims, mut progress) = (Vec::new(), |_| true);
    let mut listener = Listener { claims: Some(&mut claims as &mut dyn Claims), ..Listener::new(&mut progress) };
    let Reply::Document { mut document } = answer(&mut listener) else { return None };
    let header = document.header_mut().expect("a header").clone();
    let fault = header.diagnostics.iter().find(|one| one.code == "contradiction" || one.code == "fault");
    assert!(fault.is_none(), "{fault:?}\n{}", request.source);
    let Reply::Document { document: checked } = check(&Evidence::of(request, &header, claims)) else { panic!("the evidence is not read") };
    assert!(
        checked.rejected.is_empty(),
        "{:?}\n{}",
        checked.rejected.iter().map(|claim| &claim.reason).collect::<Vec<_>>(),
        request.source
    );
    Some(document)
}

/// The answer of a method alone.
fn alone<A: Analysis>(request: &Request, settings: &A::Settings) -> Option<A::Document> {
    accepted(request, |listener| A::answer(&Question { request, settings, clock: &Default::default }, listener))
}

fn cover_settings() -> CoverSettings {
    CoverSettings { unwind: None, algorithm: "prefer".into(), precondition: None, summaries: false }
}

fn branches_settings() -> BranchesSettings {
    BranchesSettings { tests: Vec::new(), order: BranchesOrder::Fair, baselines: false }
}

/// The verdicts of a document of Cover on branches.
fn of_cover(document: &CoverDocument, sides: &[Side]) -> Vec<&'static str> {
    let lists = [&document.infeasible, &document.never_completes, &document.not_within, &document.open];
    let mut listed: BTreeMap<u32, bool> = lists.into_iter().flatten().map(|one| (one.edge, false)).collect();
    listed.extend(document.infeasible.iter().map(|one| (one.edge, true)));
    let reached = lists.into_iter().flatten().filter(|one| one.reached_by.is_some()).flat_map(|one| one.reached_edges.iter().copied());
    let taken: BTreeSet<u32> = reached.chain(document.errors.iter().flat_map(|error| error.edges.iter().copied())).collect();
    let of = |side: &Side| {
        let mut edges = side.edges.iter().map(|edge| edge.index() as u32);
        match () {
            () if edges.clone().any(|edge| !listed.contains_key(&edge) || taken.contains(&edge)) => "covered",
            () if edges.all(|edge| listed.get(&edge) == Some(&true)) => "infeasible",
            () => "open",
        }
    };
    sides.iter().map(of).collect()
}

fn of_branches(document: &BranchesDocument) -> Vec<&'static str> {
    let names = ["covered", "infeasible", "open"];
    document.list.iter().map(|side| names[side.verdict as usize]).collect()
}

fn of_report(document: &ReportDocument) -> Vec<&'static str> {
    let names = ["covered", "infeasible", "open"];
    document.list.iter().map(|branch| names[branch.verdict as usize]).collect()
}

/// What every command and each method alone says of the branches.
struct Verdicts {
    texts: Vec<String>,
    cover: Vec<&'static str>,
    branches: Vec<&'static str>,
    report: Vec<&'static str>,
    alone: [Vec<&'static str>; 2],
}

fn verdicts(request: &Request) -> Option<Verdicts> {
    let loaded = load_assuming(request, None).ok()?;
    let sides = sides(&loaded.lts);
    Some(Verdicts {
        texts: sides
            .iter()
            .map(|side| format!("{}: {}", loaded.lines.line(side.span.start), loaded.source_text(side.edges[0]).text))
            .collect(),
        cover: of_cover(&accepted(request, |listener| settled_cover(request, &cover_settings(), listener))?, &sides),
        branches: of_branches(&accepted(request, |listener| settled_branches(request, &branches_settings(), listener))?),
        report: of_report(&alone::<Report>(request, &ReportSettings {})?),
        alone: [
            of_cover(&alone::<Cover>(request, &cover_settings())?, &sides),
            of_branches(&alone::<Branches>(request, &branches_settings())?),
        ],
    })
}

/// What differs between the commands, and what a method alone decides otherwise.
fn differing(verdicts: &Verdicts) -> Vec<String> {
    let of = |at: usize| {
        let all = [verdicts.cover[at], verdicts.branches[at], verdicts.report[at]];
        let others = verdicts.alone.each_ref().map(|alone| alone[at]);
        let decided: BTreeSet<&str> = all.into_iter().chain(others).filter(|verdict| *verdict != "open").collect();
        let is_one = all.iter().all(|verdict| *verdict == all[0]) && decided.len() < 2;
        (!is_one).then(|| format!("{}: {all:?}, alone {others:?}", verdicts.texts[at]))
    };
    (0..verdicts.texts.len()).filter_map(of).collect()
}

/// Programs with a branch that one analysis leaves open and another covers or proves infeasible; the numbers of covered, infeasible and open branches.
const TOGETHER: &[(&str, [u32; 3])] = &[
    // A loop that is left after more rounds than are unwound, and one that no invariant of Cover's own bounds.
    ("int f(int n) {\n int i = 0;\n while (i < n) i++;\n if (i == 60) return 1;\n if (i < 0) return 2;\n return 0;\n}", [5, 1, 0]),
    (
        "int f(int n) {\n int i = 0, s = 0;\n while (i < n) { s += 2; i++; }\n if (s == 7) return 1;\n if (i > 40 && s == 82) return 2;\n return 0;\n}",
        [7, 1, 0],
    ),
    // Statics that calls before leave.
    (
        "static int m = 0;\nvoid set(int v) { if (v > 0 && v < 5) m = v; }\nint f(int x) {\n if (m == 3) return 1;\n if (m == 9) return 2;\n return x;\n}",
        [3, 1, 0],
    ),
    // Characters of several bytes before, a run that is longer than paths are kept, and no input.
    (
        "/* é ü 漢 */ int main(void) {\n int n = 0;\n for (int i = 0; i < 100; i++) {\n  if (i >= 100) return 1;\n  for (int k = 0; k < 1000; k++) if (k >= 1000) return 2;\n }\n if (n > 3) return 3;\n return 0;\n}",
        [7, 3, 0],
    ),
    // What only failing runs take.
    ("int f(int n) {\n int t[3] = {1, 2, 3};\n if (n > 5) { n = t[n]; if (n > 0) return 1; }\n return 0;\n}", [2, 2, 0]),
];

#[test]
fn commands_agree() {
    for (source, [covered, infeasible, open]) in TOGETHER {
        let verdicts = verdicts(&request("f.c", source, Some(1_000_000))).unwrap_or_else(|| panic!("refused:\n{source}"));
        let differs = differing(&verdicts);
        assert!(differs.is_empty(), "{}\n{source}", differs.join("\n"));
        let of = |verdict: &str| verdicts.report.iter().filter(|one| **one == verdict).count() as u32;
        assert_eq!([of("covered"), of("infeasible"), of("open")], [*covered, *infeasible, *open], "{:?}\n{source}", verdicts.texts);
    }
}

/// Random programs: what commands decide they decide alike, and no method alone contradicts them.
#[test]
fn commands_agree_on_random_programs() {
    for number in 0..u64::from(cases(4)) {
        let source = random::program(number);
        let Some(verdicts) = verdicts(&request("f.c", &source, Some(60_000))) else { continue };
        for at in 0..verdicts.texts.len() {
            let all = [verdicts.cover[at], verdicts.branches[at], verdicts.report[at], verdicts.alone[0][at], verdicts.alone[1][at]];
            let decided: BTreeSet<&str> = all.into_iter().filter(|verdict| *verdict != "open").collect();
            assert!(decided.len() < 2, "{}: {all:?}\n{source}", verdicts.texts[at]);
        }
    }
}

/// A target that Reach leaves open takes the verdict of another engine.
#[test]
fn open_targets_have_the_verdict_of_others() {
    let draws = (0..14).map(|at| format!(" if (nondet()) {{ s += {}; }}\n", 1 << at)).collect::<String>();
    let source = format!("extern int nondet(void);\nint f(void) {{\n int s = 0;\n{draws} if (s == 12345)\n  return 1;\n return 0;\n}}");
    let request = request("f.c", &source, Some(2_000_000));
    let of = |line: u32, only: bool| -> ReachDocument {
        let settings = ReachSettings { target: Some(line.to_string()), k: 8 };
        let document = match only {
            true => alone::<Reach>(&request, &settings),
            false => accepted(&request, |listener| settled_target(&request, &settings, listener)),
        };
        document.expect("it is read")
    };
    assert_eq!(of(19, true).verdict, ReachVerdict::Unknown, "nothing is left to take over");
    let reached = of(19, false);
    assert_eq!(reached.verdict, ReachVerdict::Reached);
    assert!(reached.header.complete && reached.open.is_none() && reached.input.is_some());
    assert_eq!(reached.lines.last(), Some(&18));
}

/// Where a program bounds the rounds of its loops above the usual bound, what all of them decide is decided.
#[test]
fn loops_are_unwound_as_often_as_runs_need() {
    let days = "static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};\n\
        static int leap(int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }\n\
        int f(int y, int m, int d) {\n\
        if (y < 1 || m < 1 || m > 12 || d < 1) return -1;\n\
        int last = days[m - 1];\n\
        if (m == 2 && leap(y)) last++;\n\
        if (d > last) return -1;\n\
        int n = d;\n\
        for (int i = 0; i < m - 1; i++) n += days[i];\n\
        if (m > 2 && leap(y)) n++;\n\
        if (n > 366) return -2;\n\
        if (n == 366 && !leap(y)) return -3;\n\
        return n;\n}\n";
    let request = Request { function: Some("f".to_owned()), ..request("f", days, Some(4_000_000)) };
    let report = alone::<Report>(&request, &ReportSettings {}).expect("a report");
    let dead = report.list.iter().filter(|branch| branch.verdict == ReportVerdict::Infeasible);
    let dead: Vec<&str> = dead.map(|branch| &branch.text[..]).collect();
    assert_eq!((report.branches.open, &dead[..]), (0, &["n > 366", "!leap(y)"][..]));
}

/// A condition that takes all steps leaves no other one open that never holds by itself.
#[test]
fn hard_conditions_leave_the_others_decided() {
    let source = "int f(unsigned char a, unsigned char b, signed char s) {\n\
        if ((unsigned char)~a == a) return 1;\n\
        if ((a & -a) == 3) return 2;\n\
        if ((signed char)-s == s && s != 0) return 3;\n\
        if ((unsigned char)(a + b) < a && a + b < 256) return 4;\n\
        if ((a << 4 | a >> 4) == 0x1FF0) return 5;\n\
        if (((a << 4) | (b >> 4)) == 0xFFF && a != 255) return 6;\n\
        if (a * a % 8 == 4 && a % 4 != 2) return 7;\n\
        if (s * s < 0) return 8;\n\
        if (s / 2 * 2 + s % 2 != s) return 9;\n\
        return 0;\n\
        }\n";
    let report = alone::<Report>(&request("f", source, Some(150_000)), &ReportSettings {}).expect("a report");
    let verdicts = of_report(&report);
    let verdict = |text: &str| report.list.iter().zip(&verdicts).find(|(branch, _)| branch.text == text).map(|(_, verdict)| *verdict);
    assert_eq!([verdict("s * s < 0"), verdict("s / 2 * 2 + s % 2 != s")], [Some("infeasible"); 2]);
}
