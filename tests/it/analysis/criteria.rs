//! Criteria against naive enumeration: every input is evaluated by hand, and verdicts follow from the definitions.

use crate::common::cases::cases;
use crate::suites::request;
use culdesac::analysis::Listener;
use culdesac::analysis::check::check;
use culdesac::analysis::criteria::{Criterion, CriterionChoice, CriterionDocument, PairKind};
use culdesac::analysis::report::{ReportDocument, report_on_criterion};
use culdesac::evidence::{Evidence, Statement};
use culdesac::interp::Machine;
use culdesac::load::load;
use culdesac::lts::unfold::{Completed, GraphUnfolding};
use culdesac::view::{Reply, fitting};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

const STEPS: u64 = 4_000_000;

/// A condition of a random decision: a variable, an operator and a constant.
#[derive(Clone, Debug)]
struct Comparison {
    variable: usize,
    operator: &'static str,
    constant: i64,
}

/// A random decision.
#[derive(Clone, Debug)]
enum Decision {
    Comparison(Comparison),
    Not(Box<Decision>),
    And(Box<Decision>, Box<Decision>),
    Or(Box<Decision>, Box<Decision>),
}

const VARIABLES: [&str; 3] = ["a", "b", "c"];

impl Decision {
    fn text(&self) -> String {
        match self {
            Decision::Comparison(Comparison { variable, operator, constant }) => format!("{} {operator} {constant}", VARIABLES[*variable]),
            Decision::Not(operand) => format!("!({})", operand.text()),
            Decision::And(one, other) => format!("({} && {})", one.text(), other.text()),
            Decision::Or(one, other) => format!("({} || {})", one.text(), other.text()),
        }
    }

    fn count(&self) -> usize {
        match self {
            Decision::Comparison(_) => 1,
            Decision::Not(operand) => operand.count(),
            Decision::And(one, other) | Decision::Or(one, other) => one.count() + other.count(),
        }
    }

    /// The outcome, by short-circuit evaluation: `value` gives that of the condition with this number.
    fn outcome(&self, first: usize, value: &mut dyn FnMut(usize, &Comparison) -> bool) -> bool {
        match self {
            Decision::Comparison(comparison) => value(first, comparison),
            Decision::Not(operand) => !operand.outcome(first, value),
            Decision::And(one, other) => one.outcome(first, value) && other.outcome(first + one.count(), value),
            Decision::Or(one, other) => one.outcome(first, value) || other.outcome(first + one.count(), value),
        }
    }

    /// The conditions that are evaluated, as letters, with the outcome.
    fn evaluation(&self, value: &mut dyn FnMut(usize, &Comparison) -> bool) -> (String, bool) {
        let mut letters = vec!['-'; self.count()];
        let outcome = self.outcome(0, &mut |number, comparison| {
            let value = value(number, comparison);
            letters[number] = if value { 'T' } else { 'F' };
            value
        });
        (letters.into_iter().collect(), outcome)
    }

    /// The evaluations on all inputs from 0 to 3.
    fn feasible(&self) -> BTreeSet<String> {
        let inputs = (0..64).map(|number| [number & 3, number >> 2 & 3, number >> 4 & 3]);
        inputs.map(|input| self.evaluation(&mut |_, comparison| comparison.holds(&input)).0).collect()
    }

    /// Whether each condition has an independence pair, by the definition on complete assignments.
    fn independent(&self, kind: PairKind) -> Vec<bool> {
        let (count, feasible) = (self.count(), self.feasible());
        let evaluated: Vec<(String, bool)> =
            (0..1usize << count).map(|assignment| self.evaluation(&mut |number, _| assignment >> number & 1 == 1)).collect();
        let has_pair = |number: usize| {
            let is_candidate = |assignment: &usize| {
                feasible.contains(&evaluated[*assignment].0) && evaluated[*assignment].1 != evaluated[assignment ^ 1 << number].1
            };
            let with = |bit: usize| (0..1usize << count).filter(move |assignment| assignment >> number & 1 == bit).filter(is_candidate);
            let is_pair = |one: usize, other: usize| {
                evaluated[one].1 != evaluated[other].1 && (kind == PairKind::Masking || one ^ other == 1 << number)
            };
            with(1).any(|one| with(0).any(|other| is_pair(one, other)))
        };
        (0..count).map(has_pair).collect()
    }
}

impl Comparison {
    fn holds(&self, input: &[i64; 3]) -> bool {
        let value = input[self.variable];
        match self.operator {
            "<" => value < self.constant,
            ">" => value > self.constant,
            "==" => value == self.constant,
            _ => value != self.constant,
        }
    }
}

fn decision() -> impl Strategy<Value = Decision> {
    let operator = prop_oneof![Just("<"), Just(">"), Just("=="), Just("!=")];
    let comparison = (0..3usize, operator, 0..4i64);
    let leaf = comparison.prop_map(|(variable, operator, constant)| Decision::Comparison(Comparison { variable, operator, constant }));
    let tree = leaf.prop_recursive(3, 5, 2, |inner| {
        prop_oneof![
            1 => inner.clone().prop_map(|one| Decision::Not(Box::new(one))),
            3 => (inner.clone(), inner.clone()).prop_map(|(one, other)| Decision::And(Box::new(one), Box::new(other))),
            3 => (inner.clone(), inner).prop_map(|(one, other)| Decision::Or(Box::new(one), Box::new(other))),
        ]
    });
    tree.prop_filter("2 to 5 conditions", |decision| (2..=5).contains(&decision.count()))
}

/// The program that takes the decision in one of several ways.
fn program(decision: &Decision, way: usize) -> String {
    let text = decision.text();
    let body = match way {
        0 => format!("if ({text}) return 1; return 0;"),
        1 => format!("return {text};"),
        2 => format!("int n = 0; while (n < 2 && n >= 0) {{ n++; if ({text}) return n; }} return 0;"),
        _ => "return test(a, b, c) + 2 * test(a, b, c);".to_owned(),
    };
    let callee = format!("static int test(unsigned a, unsigned b, unsigned c) {{ return ({text}) ? 1 : 2; }} ");
    let callee = if way == 3 { callee } else { String::new() };
    format!("{callee}int f(unsigned a, unsigned b, unsigned c) {{ a &= 3; b &= 3; c &= 3; {body} }}")
}

fn reported(source: &str, choice: CriterionChoice) -> (ReportDocument, Evidence) {
    let request = culdesac::view::Request { function: Some("f".into()), ..request("f.c", source, Some(STEPS)) };
    let (mut claims, mut progress) = (Vec::new(), |_| true);
    let mut listener = Listener { claims: Some(&mut claims), ..Listener::new(&mut progress) };
    let Reply::Document { document } = report_on_criterion(&request, choice, &mut listener) else { panic!("refused: {source}") };
    let unfolding = choice.unfolding().map(|unfolding| unfolding.id().to_owned());
    let evidence = Evidence { unfolding, ..Evidence::of(&request, &document.header, claims) };
    (document, evidence)
}

fn criterion(source: &str, criterion: Criterion) -> CriterionDocument {
    let choice = CriterionChoice { criterion, pairs: PairKind::Masking };
    reported(source, choice).0.criterion.expect("a criterion")
}

fn rejected(evidence: &Evidence) -> Vec<String> {
    let Reply::Document { document } = check(evidence) else { panic!("refused") };
    document.rejected.into_iter().map(|claim| format!("{}: {}", claim.id, claim.reason)).collect()
}

/// The evaluations that a test's run completes in the unfolded graph; it is the run of the function's own graph.
fn evaluations(source: &str, document: &ReportDocument, test: u32) -> BTreeSet<String> {
    let request = culdesac::view::Request { function: Some("f".into()), ..request("f.c", source, None) };
    let own = load(&request).unwrap_or_else(|_| panic!("refused"));
    let loaded = load(&request).unwrap_or_else(|_| panic!("refused")).unfold(GraphUnfolding::Decisions);
    let input = fitting(&loaded.lts, &document.tests[test as usize].input).expect("an input");
    let run = Machine::new(&loaded.lts).run(&input, 1000);
    let letter = |value: &Option<bool>| value.map_or('-', |value| if value { 'T' } else { 'F' });
    let unfolded = loaded.unfolded.expect("unfolded");
    let origins: Vec<_> = run.edges.iter().map(|edge| unfolded.origins[edge.index()]).collect();
    assert_eq!(origins, Machine::new(&own.lts).run(&input, 1000).edges, "{source}");
    let taken = unfolded.completed.into_iter().filter(|(_, edges)| run.edges.iter().any(|edge| edges.contains(edge)));
    taken
        .filter_map(|(completed, _)| match completed {
            Completed::Vector(_, vector) => Some(vector.values.iter().map(letter).collect()),
            Completed::Path(_) => None,
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(40), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn independence_pairs_are_those_of_all_inputs(decision in decision(), way in 0..4usize) {
        let source = program(&decision, way);
        let (feasible, count) = (decision.feasible(), decision.count());
        for pairs in [PairKind::Masking, PairKind::UniqueCause] {
            let (document, evidence) = reported(&source, CriterionChoice { criterion: Criterion::Mcdc, pairs });
            let criterion = document.criterion.as_ref().expect("a criterion");
            // What the program decides besides has two conditions at most.
            let letters = |text: &str| text.replace(['(', ')'], "");
            let text = letters(&decision.text());
            let is_own = |decision: &str| letters(decision) == text;
            let vectors: Vec<_> = criterion.vectors.iter().filter(|vector| is_own(&vector.decision)).collect();
            for vector in &vectors {
                let expected = if feasible.contains(&vector.values) { "covered" } else { "infeasible" };
                prop_assert_eq!(vector.verdict, expected, "{} of {}", vector.values, source);
                if let Some(test) = vector.test {
                    prop_assert!(evaluations(&source, &document, test).contains(&vector.values), "{} of {}", vector.values, source);
                }
            }
            let goals: Vec<_> = criterion.list.iter().filter(|goal| goal.decision.as_deref().is_some_and(is_own)).collect();
            prop_assert_eq!(goals.len(), count, "{}", source);
            for (goal, is_independent) in goals.iter().zip(decision.independent(pairs)) {
                let expected = if is_independent { "covered" } else { "infeasible" };
                prop_assert_eq!(goal.verdict, expected, "{:?}: {} of {}", pairs, goal.text, source);
            }
            prop_assert_eq!(rejected(&evidence), Vec::<String>::new(), "{}", source);
        }
    }

    #[test]
    fn outcomes_and_paths_are_those_of_all_inputs(decision in decision()) {
        let source = program(&decision, 0);
        let feasible = decision.feasible();
        let outcomes: BTreeSet<bool> = (0..64i64)
            .map(|number| [number & 3, number >> 2 & 3, number >> 4 & 3])
            .map(|input| decision.evaluation(&mut |_, comparison| comparison.holds(&input)).1)
            .collect();
        let branches = criterion(&source, Criterion::Branch);
        prop_assert_eq!((branches.covered as usize, branches.open), (outcomes.len(), 0), "{}", source);
        // Of a program without a loop, the prime paths are those from the entry to the exit.
        let paths = criterion(&source, Criterion::Path);
        prop_assert_eq!((paths.covered as usize, paths.open), (feasible.len(), 0), "{}", source);
    }
}

const COUPLED: &str = "int f(int a, int b, int c) { if ((a > 3 && b) || (a <= 3 && c)) return 1; return 0; }";

#[test]
fn coupled_conditions_have_masking_pairs_alone() {
    let of = |pairs| {
        let (document, _) = reported(COUPLED, CriterionChoice { criterion: Criterion::Mcdc, pairs });
        let criterion = document.criterion.expect("a criterion");
        (criterion.sentence, criterion.list.into_iter().filter_map(|goal| Some((goal.text, goal.why?))).collect::<Vec<_>>())
    };
    assert_eq!(of(PairKind::Masking), ("All 4 conditions have an independence pair (masking MC/DC).".to_owned(), Vec::new()));
    let why = "every independence pair needs TFTT or F-F-, which no execution evaluates";
    let sentence = "3 of 4 conditions have an independence pair, 1 can have none (unique-cause MC/DC).";
    assert_eq!(of(PairKind::UniqueCause), (sentence.to_owned(), vec![("a <= 3".to_owned(), why.to_owned())]));
}

/// The independence pairs that clang's MC/DC finds in the runs of all tests of a report: for each decision with several conditions, by line
/// and column, whether each condition has one. `None` without that compiler.
fn pairs_of_clang(source: &str, document: &ReportDocument) -> Option<BTreeMap<(u64, u64), Vec<bool>>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("criteria-clang");
    fs::create_dir_all(&folder).expect("the target folder is writable");
    let run = |program: &str, arguments: &[&str]| {
        let command = Command::new(program).args(arguments).current_dir(&folder).env("LLVM_PROFILE_FILE", "runs.raw").output();
        command.ok().filter(|output| output.status.success()).map(|output| output.stdout)
    };
    let value = |test: u32, name: &str| {
        let input = serde_json::to_value(&document.tests[test as usize].input).expect("plain data");
        input[name].as_i64().unwrap_or(0)
    };
    let call = |test: u32| format!("f({}, {}, {});", value(test, "a"), value(test, "b"), value(test, "c"));
    let calls: Vec<String> = (0..document.tests.len() as u32).map(call).collect();
    fs::write(folder.join("runs.c"), format!("{source}\nint main(void) {{ {} return 0; }}\n", calls.join(" "))).expect("writable");
    run("clang-19", &["-w", "-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc", "runs.c", "-o", "runs"])?;
    run("./runs", &[]).expect("the tests run");
    run("llvm-profdata-19", &["merge", "runs.raw", "-o", "runs.profile"])?;
    let exported = run("llvm-cov-19", &["export", "./runs", "-instr-profile=runs.profile"])?;
    let exported: serde_json::Value = serde_json::from_slice(&exported).expect("JSON");
    let records = exported["data"][0]["files"][0]["mcdc_records"].as_array().cloned().unwrap_or_default();
    let pairs = |record: &serde_json::Value| {
        let covered = record.as_array()?.last()?.as_array()?.iter().map(|one| one.as_bool() == Some(true)).collect();
        Some(((record[0].as_u64()?, record[1].as_u64()?), covered))
    };
    Some(records.iter().filter_map(pairs).collect())
}

/// Unique-cause pairs are those of clang, where there is one: in the same runs it finds pairs for the same conditions.
#[test]
fn unique_cause_pairs_are_those_of_clang() {
    let programs = [
        COUPLED,
        "int f(int a, int b, int c) { int r = 0; if (a > 0 && a > 10 && c < 3) r = 1; if ((a == 1 || a == 2) && (a == 2 || a == 3)) r += b; return r; }",
        "int f(int a, int b, int c) { int s = 0; while (a > 0 && s < 10) { if (b == 3 || (a > 5 && b != 3)) s += 2; a--; } return s > 4 && c > s; }",
    ];
    for source in programs {
        let (document, _) = reported(source, CriterionChoice { criterion: Criterion::Mcdc, pairs: PairKind::UniqueCause });
        let Some(found) = pairs_of_clang(source, &document) else { return };
        let criterion = document.criterion.as_ref().expect("a criterion");
        let mut own: BTreeMap<(u64, u64), Vec<bool>> = BTreeMap::new();
        for vector in &criterion.vectors {
            let conditions = criterion.list.iter().filter(|goal| goal.decision.as_ref() == Some(&vector.decision));
            own.insert((vector.line.into(), vector.column.into()), conditions.map(|goal| goal.verdict == "covered").collect());
        }
        assert_eq!(own, found, "{source}");
    }
}

/// The check makes the unfolded graph by itself: a file that claims something of another one is not believed.
#[test]
fn claims_about_another_graph_are_rejected() {
    let (_, evidence) = reported(COUPLED, CriterionChoice { criterion: Criterion::Mcdc, pairs: PairKind::Masking });
    assert_eq!(rejected(&evidence), Vec::<String>::new());
    let excluded = |claim: &&culdesac::evidence::Claim| !claim.is_run();
    assert!(evidence.claims.iter().filter(excluded).count() > 0);
    assert!(!rejected(&Evidence { unfolding: None, ..evidence.clone() }).is_empty());
    assert!(!rejected(&Evidence { unfolding: Some("prime-paths".to_owned()), ..evidence.clone() }).is_empty());
    let unknown = rejected(&Evidence { unfolding: Some("loops".to_owned()), ..evidence.clone() });
    assert!(unknown.iter().all(|reason| reason.contains("unfolding `loops`")) && !unknown.is_empty(), "{unknown:?}");
    // An edge that some execution takes, beside those that none does.
    let runs = evidence.claims.iter().filter_map(|claim| match &claim.statement {
        Statement::Reached { path, .. } => Some(path.clone()),
        _ => None,
    });
    let taken: BTreeSet<u32> = runs.flatten().collect();
    for edge in taken {
        let mut overstated = evidence.clone();
        let mut changed = 0;
        for claim in &mut overstated.claims {
            let edges = match &mut claim.statement {
                Statement::Excluded { edges, .. }
                | Statement::NotCovered { edges, .. }
                | Statement::DeadEnds { edges }
                | Statement::Enumerated { edges }
                | Statement::DefinedEnumerated { edges }
                | Statement::Determined { edges, .. } => edges,
                _ => continue,
            };
            edges.push(edge);
            changed += 1;
        }
        let of_runs = |claim: &culdesac::evidence::Claim| claim.is_run();
        overstated.claims.retain(|claim| !of_runs(claim));
        assert_eq!(rejected(&overstated).len(), changed, "edge {edge}");
    }
}

/// A graph without one of the unfolded graph's evaluations is none that has all feasible paths.
#[test]
fn a_graph_that_drops_an_evaluation_is_rejected() {
    let source = "int f(int n, int b) { int s = 0; for (int i = 0; i < n; i++) s = 1 - s; if ((s > 1 && b) || (s == 1 && n > 3)) return 1; return 0; }";
    let (_, evidence) = reported(source, CriterionChoice { criterion: Criterion::Mcdc, pairs: PairKind::Masking });
    assert_eq!(rejected(&evidence), Vec::<String>::new());
    let mut dropped = 0;
    for (number, claim) in evidence.claims.iter().enumerate() {
        let Statement::Excluded { graph, .. } = &claim.statement else { continue };
        let written = serde_json::to_value(graph).expect("plain data");
        let count = written["edges"].as_array().map_or(0, Vec::len);
        for edge in 0..count {
            let mut graph = written.clone();
            graph["edges"].as_array_mut().expect("a list").remove(edge);
            let Ok(graph) = serde_json::from_value(graph) else { continue };
            let mut mutant = Evidence { claims: vec![evidence.claims[number].clone()], ..evidence.clone() };
            if let Statement::Excluded { graph: own, .. } = &mut mutant.claims[0].statement {
                *own = graph;
            }
            assert!(!rejected(&mutant).is_empty(), "edge {edge} of claim {number}");
            dropped += 1;
        }
    }
    assert!(dropped > 0, "no graph is claimed");
}

#[test]
fn decisions_that_cannot_be_told_apart_are_open() {
    let open = |source: &str| {
        let criterion = criterion(source, Criterion::Mcdc);
        criterion.list.into_iter().filter(|goal| goal.verdict == "open").filter_map(|goal| goal.why).collect::<BTreeSet<String>>()
    };
    let nested = "int f(int n) { if (n > 0 && (n == 1 || f(n - 1) > 2)) return 3; return n; }";
    assert!(open(nested).contains("a call in it evaluates it once more"), "{:?}", open(nested));
    let many = (0..7).map(|bit| format!("(x == {bit} || y == {bit})")).collect::<Vec<_>>().join(" && ");
    let many = format!("int f(int x, int y) {{ if ({many}) return 1; return 0; }}");
    assert_eq!(open(&many).into_iter().collect::<Vec<_>>(), ["it can be evaluated in more than 64 ways"]);
}

#[test]
fn statements_and_outcomes_are_of_the_text() {
    let source = "int f(int x, int y) {\n  if (x > 3 && y > x)\n    x = 1;\n  switch (y) {\n  case 1: x = 2; break;\n  case 1 + 1: x = 3; break;\n  }\n  if (x * x < 0) x = 5;\n  return x;\n}";
    let list = |name: Criterion| {
        let criterion = criterion(source, name);
        criterion.list.into_iter().map(|goal| format!("{}: {} {}", goal.line, goal.text, goal.verdict)).collect::<Vec<_>>()
    };
    let statements = [
        "2: x > 3 && y > x covered",
        "3: x = 1 covered",
        "5: x = 2 covered",
        "6: x = 3 covered",
        "8: x * x < 0 covered",
        "8: x = 5 infeasible",
        "9: return x covered",
    ];
    assert_eq!(list(Criterion::Statement), statements);
    let outcomes = list(Criterion::Branch);
    assert!(outcomes.contains(&"2: !(x > 3 && y > x) covered".to_owned()), "{outcomes:?}");
    assert!(outcomes.contains(&"5: y == 1 covered".to_owned()) || outcomes.contains(&"4: y == 1 covered".to_owned()), "{outcomes:?}");
    assert_eq!(outcomes.len(), 8, "{outcomes:?}");
    assert_eq!(criterion(source, Criterion::Condition).total, 10);
}
