//! DBG10's tables as recomputed, what `explain` says of single paths, its evidence, and what is forged of it.

use culdesac::analysis::Listener;
use culdesac::analysis::check::check;
use culdesac::analysis::explain::report::reasons::groups;
use culdesac::analysis::explain::{ExplainDocument, ExplainRoundSettings, ExplainSettings, explain};
use culdesac::analysis::paths::paths;
use culdesac::evidence::{Claim, Evidence, Statement};
use culdesac::view::{Ints, Reply, Request, SCHEMA};
use expect_test::expect;
use std::fs;
use std::path::Path;
use std::time::Duration;

fn source(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/{name}.c"))).expect("an example")
}

fn settings() -> ExplainSettings {
    ExplainSettings {
        max_instructions: 50,
        order: "first".to_owned(),
        check: "integer".to_owned(),
        extend: "detours".to_owned(),
        path: None,
        compare: 0,
        rounds: None,
    }
}

fn request(source: &str) -> Request {
    Request {
        program: "p.c".to_owned(),
        source: source.to_owned(),
        function: None,
        limit: None,
        seed: 1,
        ints: Some(Ints::Unbounded),
        inline_depth: None,
        ..Request::default()
    }
}

fn reply(source: &str, settings: &ExplainSettings, claims: Option<&mut Vec<Claim>>) -> Reply<ExplainDocument> {
    let mut events = |_| true;
    let mut listener = Listener::new(&mut events);
    listener.claims = claims.map(|claims| claims as &mut dyn culdesac::analysis::Claims);
    explain(&request(source), settings, &|| Duration::ZERO, &mut listener)
}

fn document(source: &str, settings: &ExplainSettings) -> ExplainDocument {
    match reply(source, settings, None) {
        Reply::Document { document } => document,
        Reply::Refused { diagnostics } => panic!("refused: {diagnostics:?}"),
    }
}

fn refusal(source: &str, settings: &ExplainSettings) -> String {
    match reply(source, settings, None) {
        Reply::Document { .. } => panic!("not refused"),
        Reply::Refused { diagnostics } => diagnostics[0].message.clone(),
    }
}

/// Prefixes, average in hundredths, maximum.
fn numbers(document: &ExplainDocument) -> (u32, i64, u64) {
    assert!(document.header.complete, "{:?}", document.open);
    let generalized = &document.generalized;
    (document.infeasible_prefixes, (generalized.average * 100.0).round() as i64, generalized.maximum.parse().expect("a number"))
}

#[test]
fn the_papers_tables_come_out_as_recomputed() {
    let rows = [
        ("f2", "first"),
        ("f2", "last"),
        ("erfill", "first"),
        ("erfill", "last"),
        ("merge5", "first"),
        ("merge5", "last"),
        ("f1", "first"),
        ("f1", "last"),
        ("selection", "first"),
        ("gcd", "first"),
        ("gcd", "last"),
        ("tritype", "first"),
    ];
    let mut table = String::from("program   order  prefixes  average  maximum\n");
    for (name, order) in rows {
        let document = document(&source(name), &ExplainSettings { order: order.to_owned(), ..settings() });
        let (prefixes, average, maximum) = numbers(&document);
        table += &format!("{name:9} {order:6} {prefixes:8} {:5}.{:02} {maximum:8}\n", average / 100, average % 100);
        assert_eq!(document.families.len(), document.infeasible_prefixes as usize);
    }
    expect![[r#"
        program   order  prefixes  average  maximum
        f2        first        58    29.03       30
        f2        last         58    15.52       30
        erfill    first       211   241.12    19448
        erfill    last        211   241.12    19448
        merge5    first       504    37.28      300
        merge5    last        504    37.28      300
        f1        first       440  3327.26     9342
        f1        last        440  3710.25     9342
        selection first       460  8702.99    45579
        gcd       first         4     2.00        2
        gcd       last          4     2.00        2
        tritype   first        21     1.57        4
    "#]]
    .assert_eq(&table);
}

/// Definition 3 reaches at least as far as Fig. 6, and all explanations together at least as far as one.
#[test]
fn more_is_more() {
    for name in ["f2", "erfill", "merge5", "gcd", "tritype"] {
        let detours = document(&source(name), &settings());
        let any_way = document(&source(name), &ExplainSettings { extend: "any_way".to_owned(), ..settings() });
        let all = document(&source(name), &ExplainSettings { order: "all".to_owned(), ..settings() });
        assert_eq!(detours.infeasible_prefixes, any_way.infeasible_prefixes);
        assert!(any_way.generalized.average >= detours.generalized.average, "{name}");
        assert!(all.united.average >= detours.united.average, "{name}");
        for (small, large) in detours.families.iter().zip(&any_way.families) {
            let count = |text: &str| text.parse::<u64>().expect("a number");
            assert!(count(&small.paths) <= count(&large.paths), "{name}: {:?}", small.prefix);
        }
    }
}

/// Table II: with all explanations of a prefix together, at least the paper's average and maximum. `selection` is another program in
/// one detail that the paper does not print, and within a thousandth; the paper's `tritype` is not known.
#[test]
fn all_explanations_together_reach_the_papers_families() {
    let cases = [
        ("erfill", 241.0, 19_448),
        ("f1", 3_710.0, 9_342),
        ("f2", 16.0, 30),
        ("gcd", 2.0, 2),
        ("merge5", 36.0, 266),
        ("selection", 8_710.0 * 0.999, 45_579),
    ];
    for (name, average, maximum) in cases {
        let document = document(&source(name), &ExplainSettings { order: "all".to_owned(), ..settings() });
        assert!(document.united.average >= average, "{name}: {}", document.united.average);
        assert!(document.united.maximum.parse::<u64>().expect("a number") >= maximum, "{name}: {}", document.united.maximum);
    }
}

/// What the families leave of the complete paths is at least what can run; for these programs it is just that.
#[test]
fn the_rest_is_what_can_run() {
    for name in ["f2", "erfill", "merge5"] {
        let union = document(&source(name), &settings()).union.expect("small");
        let lengths: Vec<u32> = union.lengths.iter().map(|row| row.length).filter(|&length| length < 50).collect();
        let Reply::Document { document } = paths(&request(&source(name)), &lengths, true, &mut Listener::new(&mut |_| true)) else {
            panic!("refused")
        };
        for (row, counted) in union.lengths.iter().zip(&document.table) {
            assert_eq!((&row.total, Some(&row.rest)), (&counted.total, counted.feasible.as_ref()), "{name} {}", row.length);
        }
    }
}

#[test]
fn exploring_with_what_was_learned_asks_less_and_finds_nothing_new() {
    for name in ["f2", "f1", "merge5", "selection"] {
        let document = document(&source(name), &settings());
        let with = document.with.expect("explored");
        assert!(with.prefixes < document.without.prefixes && with.refutations <= document.without.refutations, "{name}");
        assert!(document.skipped > 0, "{name}");
    }
}

/// The path of Fig. 1.
const FIG_1: [u32; 13] = [0, 1, 3, 5, 7, 9, 11, 12, 9, 11, 12, 10, 13];

#[test]
fn the_papers_example_is_explained_as_in_the_paper() {
    let asked = |path: &[u32], order: &str| {
        let settings = ExplainSettings { path: Some(path.to_vec()), order: order.to_owned(), ..settings() };
        document(&source("f2"), &settings).path.expect("a path was asked for")
    };
    let path = asked(&FIG_1, "first");
    assert_eq!((path.verdict.as_str(), path.dies_at), ("infeasible", Some(12)));
    let reason = &path.reasons[0];
    let steps: Vec<(&str, &str)> = reason.explanation.iter().map(|step| (step.text.as_str(), step.condition.as_str())).collect();
    assert_eq!(steps, [("i < a", "3 <= x"), ("x < 2", "x <= 1")]);
    assert_eq!(reason.regex.as_deref(), Some("11 12t 13 (16t 17 | 16f 19) 20t 21 (20t 21)* 20f 22t"));
    assert!(reason.confirmed);
    // Without x < 2 it could run; without 2 < x there is still 3 < x.
    assert_eq!(path.corrections.iter().map(|one| one.indices.clone()).collect::<Vec<_>>(), [[12]]);
    // From the last constraint on it is the other one of the two explanations.
    let last = asked(&FIG_1, "last");
    assert_eq!(last.reasons[0].explanation[0].condition, "4 <= x");
    let all = asked(&FIG_1, "all");
    assert!(all.all_reasons && all.reasons.len() == 2);
    // The example's other path goes through the same statements and can run.
    let feasible = asked(&[0, 2, 4, 5, 7, 9, 11, 12, 10, 13], "first");
    assert!(feasible.verdict == "feasible" && feasible.input.is_some() && feasible.reasons.is_empty());
}

/// A weaker check sees less, and what it says is confirmed all the same.
#[test]
fn checks_of_three_strengths() {
    let ask = |check: &str, source: &str, path: &[u32]| {
        document(source, &ExplainSettings { path: Some(path.to_vec()), check: check.to_owned(), ..settings() }).path.expect("a path")
    };
    // Only order, no bounds: nothing for intervals. x = 2y = 2z + 1: nothing for fractions.
    let order = "void f(int x, int y) { if (x < y) if (y < x) x = 0; }";
    let parity = "void f(int x, int y, int z) { if (x == 2 * y) if (x == 2 * z + 1) x = 0; }";
    for (source, seen) in [(order, [false, true, true]), (parity, [false, false, true])] {
        for (check, seen) in ["interval", "rational", "integer"].into_iter().zip(seen) {
            let path = ask(check, source, &[0, 2]);
            assert_eq!((path.verdict.as_str(), !path.reasons.is_empty()), ("infeasible", seen), "{check}: {source}");
            assert!(path.reasons.iter().all(|reason| reason.confirmed && reason.explanation.len() == 2));
        }
    }
}

#[test]
fn impossible_questions_are_refused_with_the_reason() {
    let with = |change: fn(&mut ExplainSettings)| {
        let mut settings = settings();
        change(&mut settings);
        refusal(&source("f2"), &settings)
    };
    assert_eq!(with(|s| s.path = Some(vec![0, 1, 4])), "edge 4 does not follow edge 1: after that comes 3");
    assert_eq!(with(|s| s.path = Some(vec![1])), "a path starts at the entry, with edge 0; edge 1 leaves location 1");
    assert_eq!(with(|s| s.path = Some(vec![0, 99])), "there is no edge 99: `f2` has the edges 0 to 15");
    assert!(with(|s| s.order = "best".to_owned()).contains("no order `best`"));
    assert!(with(|s| s.max_instructions = 0).contains("from 1 to"));
}

#[test]
fn drawing_and_explaining_ends_with_what_can_run() {
    for pruned in [false, true] {
        for (name, length) in [("f2", 40), ("merge", 30)] {
            let rounds = ExplainRoundSettings { length, pruned };
            let document = document(&source(name), &ExplainSettings { rounds: Some(rounds), ..settings() });
            let rounds = document.rounds.expect("rounds were asked for");
            assert!(rounds.settled && document.header.complete && rounds.left == rounds.feasible, "{name}");
            let Reply::Document { document } = paths(&request(&source(name)), &[length], true, &mut Listener::new(&mut |_| true)) else {
                panic!("refused")
            };
            assert_eq!(Some(&rounds.left), document.table[0].feasible.as_ref(), "{name} {pruned}");
            let left: Vec<u64> = rounds.rounds.iter().map(|round| round.left.parse().expect("a number")).collect();
            assert!(left.is_sorted_by(|before, after| after <= before), "{name}: {left:?}");
        }
    }
}

#[test]
fn reasons_partition_the_families_whatever_their_order() {
    for (name, order, count) in [("f2", "first", 2), ("f2", "last", 3), ("gcd", "first", 2), ("merge5", "first", 7), ("f1", "all", 0)] {
        let mut document = document(&source(name), &ExplainSettings { order: order.to_owned(), ..settings() });
        assert!(count == 0 || document.reasons.len() == count, "{name}: {} reasons", document.reasons.len());
        let mut members: Vec<u32> = document.reasons.iter().flat_map(|reason| reason.families.clone()).collect();
        members.sort_unstable();
        assert_eq!(members, (0..document.families.len() as u32).collect::<Vec<_>>(), "{name}");
        if order != "all" {
            assert_eq!(document.reasons.iter().map(|reason| reason.prefixes).sum::<u32>(), document.infeasible_prefixes, "{name}");
        }
        let edges_of = |reason: &culdesac::analysis::explain::ExplainGroup| (reason.edges.clone(), reason.prefixes, reason.prefix.clone());
        let reasons: Vec<_> = document.reasons.iter().map(edges_of).collect();
        assert!(reasons.is_sorted_by(|one, other| one.1 >= other.1), "{name}");
        for reason in &document.reasons {
            for &family in &reason.families {
                let explanation = &document.families[family as usize].explanation;
                assert!(explanation.iter().all(|step| reason.edges.contains(&step.edge)), "{name}");
                assert!(reason.edges.iter().all(|&edge| explanation.iter().any(|step| step.edge == edge)), "{name}");
            }
        }
        // Prefixes in another order have the same reasons.
        document.families.reverse();
        assert_eq!(groups(&document.families).iter().map(edges_of).collect::<Vec<_>>(), reasons, "{name}");
    }
}

/// Each reason's prefix, judged alone: the checker accepts that the same edges contradict each other.
#[test]
fn each_reason_contradicts_by_itself() {
    for name in ["f2", "gcd", "merge5", "tritype"] {
        let text = source(name);
        for reason in document(&text, &settings()).reasons {
            let alone = ExplainSettings { path: Some(reason.prefix.clone()), ..settings() };
            let path = document(&text, &alone).path.expect("a path");
            let mut edges: Vec<u32> = path.reasons[0].explanation.iter().map(|step| step.edge).collect();
            edges.sort_unstable();
            edges.dedup();
            assert_eq!(edges, reason.edges, "{name}");
            assert!(path.reasons[0].confirmed, "{name}");
            let Reply::Document { document: checked } = check(&evidence(&text, &alone)) else { panic!("refused") };
            assert!(checked.rejected.is_empty() && checked.checked > 0, "{name}");
        }
    }
}

#[test]
fn a_decision_that_is_false_by_itself_names_what_makes_it_so() {
    let text = "int f(int x) {\n  int i = 0;\n  int n = 2;\n  int z = x;\n  while (i < n)\n    i = i + 1;\n  return z;\n}\n";
    let document = document(text, &ExplainSettings { max_instructions: 12, ..settings() });
    assert!(document.infeasible_prefixes > 1);
    for family in &document.families {
        let [step] = &family.explanation[..] else { panic!("one condition") };
        assert_eq!(step.condition, "false");
        let value = |name: &str| {
            let last = step.causes.iter().rev().find(|cause| cause.name == name).expect("a cause");
            last.value.as_ref().expect("a number").parse::<i64>().expect("a number")
        };
        // As the decision has it, what they come to refutes it.
        let goes_on = value("i") < value("n");
        assert_eq!(step.text, if goes_on { "!(i < n)" } else { "i < n" });
        assert!(step.causes.iter().all(|cause| matches!((cause.line, &cause.text[..]), (2, "i = 0") | (3, "n = 2") | (6, "i = i + 1"))));
        assert!(step.causes.is_sorted_by_key(|cause| cause.index));
        assert!(step.causes.iter().all(|cause| family.prefix[cause.index as usize] == cause.edge));
    }
    // Where inputs matter there are none.
    let f2 = self::document(&source("f2"), &settings());
    assert!(f2.families.iter().flat_map(|family| &family.explanation).all(|step| step.causes.is_empty()));
}

#[test]
fn a_limit_is_not_a_verdict() {
    let limited = Request { limit: Some(500), ..request(&source("merge5")) };
    let Reply::Document { document } = explain(&limited, &settings(), &|| Duration::ZERO, &mut Listener::new(&mut |_| true)) else {
        panic!("refused")
    };
    assert!(!document.header.complete && document.open.is_some() && document.infeasible_prefixes < 504);
}

fn evidence(source: &str, settings: &ExplainSettings) -> Evidence {
    let mut claims = Vec::new();
    let Reply::Document { document } = reply(source, settings, Some(&mut claims)) else { panic!("refused") };
    let function = document.header.function;
    Evidence {
        schema: SCHEMA,
        program: "p.c".to_owned(),
        source: source.to_owned(),
        function,
        ints: "unbounded".to_owned(),
        inline_depth: None,
        options: None,
        precondition: None,
        unfolding: None,
        label_steps: false,
        claims,
    }
}

/// The reasons for which claims are rejected.
fn rejected(evidence: &Evidence) -> Vec<String> {
    let text = serde_json::to_string(evidence).expect("plain data");
    let evidence: Evidence = serde_json::from_str(&text).expect("the same");
    match check(&evidence) {
        Reply::Document { document } => document.rejected.into_iter().map(|one| one.reason).collect(),
        Reply::Refused { diagnostics } => panic!("refused: {diagnostics:?}"),
    }
}

#[test]
fn all_evidence_is_accepted() {
    for name in ["f2", "erfill", "merge5", "f1", "selection", "gcd", "tritype", "advisory", "bubble_arrays", "substring"] {
        for extend in ["detours", "any_way"] {
            let evidence = evidence(&source(name), &ExplainSettings { extend: extend.to_owned(), max_instructions: 40, ..settings() });
            assert!(!evidence.claims.is_empty(), "{name}");
            assert_eq!(rejected(&evidence), Vec::<String>::new(), "{name} {extend}");
        }
    }
}

#[test]
fn forged_families_are_rejected() {
    let whole = evidence(&source("f2"), &ExplainSettings { path: Some(FIG_1.to_vec()), ..settings() });
    assert!(rejected(&whole).is_empty());
    let forged = |change: &dyn Fn(&mut culdesac::evidence::FamilyGraph)| {
        let mut evidence = whole.clone();
        for claim in &mut evidence.claims {
            if let Statement::Family { family, .. } = &mut claim.statement {
                change(family);
            }
        }
        rejected(&evidence)
    };
    let one = |reasons: Vec<String>| {
        assert_eq!(reasons.len(), 1, "{reasons:?}");
        reasons[0].clone()
    };
    // The family also takes the way on which a is -x: 12f 15 instead of 12t 13.
    let detour = one(forged(&|family| {
        let at = |family: &culdesac::evidence::FamilyGraph, edge: u32| {
            *family.transitions.iter().find(|transition| transition.1 == edge).expect("there")
        };
        let (decision, assignment) = (at(family, 1), at(family, 3));
        family.locations.push(3);
        let state = family.locations.len() as u32 - 1;
        family.known.push(family.known[decision.2 as usize].clone());
        family.transitions.push((decision.0, 2, state, None));
        family.transitions.push((state, 4, assignment.2, None));
    }));
    assert!(detour.contains("something else"), "{detour}");
    // Words end before the explanation is whole; nothing else is true at the entry than at the entry.
    assert!(one(forged(&|family| family.accepting.push(0))).contains("not all of the explanation"));
    assert!(one(forged(&|family| family.known[0].holds = family.explanation.clone())).contains("at the entry"));
    // A constraint that no edge of the way has.
    let invented = one(forged(&|family| {
        let everything = family.explanation.clone();
        family.known.iter_mut().skip(1).for_each(|known| known.holds.clone_from(&everything));
    }));
    assert!(invented.contains("comes from nowhere"), "{invented}");
    // Only half of the explanation, which can hold; no certificate; the automaton of another place.
    assert!(!forged(&|family| family.explanation.truncate(1)).is_empty());
    assert!(!forged(&|family| family.certificate.lines.clear()).is_empty());
    assert!(one(forged(&|family| family.locations[0] += 1)).contains("entry"));
    assert!(one(forged(&|family| family.transitions[0].1 += 1)).contains("does not lead"));
    // A name that is no input.
    assert!(
        !forged(&|family| family.terms.iter_mut().for_each(|term| {
            if let culdesac::evidence::ProofTerm::Symbol(name) = term {
                *name = format!("?{name}");
            }
        }))
        .is_empty()
    );
}

/// Each value of `nondet()` is its own, however often an edge is passed.
#[test]
fn one_name_is_not_two_values() {
    let source = "void f() { int x = 0, y = 0; while (nondet()) { y = x; x = nondet(); } if (x > y) if (x < y) x = 0; }";
    let whole = evidence(source, &ExplainSettings { max_instructions: 12, ..settings() });
    assert!(whole.claims.iter().any(|claim| matches!(claim.statement, Statement::Family { .. })));
    assert_eq!(rejected(&whole), Vec::<String>::new());
    // All values get the same name: then the second round would say that x and y are equal.
    let mut evidence = whole.clone();
    let mut changed = 0;
    for claim in &mut evidence.claims {
        if let Statement::Family { family, .. } = &mut claim.statement {
            for transition in family.transitions.iter_mut().filter(|transition| transition.3.is_some_and(|number| number > 0)) {
                transition.3 = Some(0);
                changed += 1;
            }
        }
    }
    assert!(changed > 0 && !rejected(&evidence).is_empty());
}
