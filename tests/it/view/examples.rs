//! Golden tests: what the header of each example expects comes out, and all its evidence is accepted.

use culdesac::analysis::check::{check, check_listened};
use culdesac::analysis::draw::{DrawSettings, draw};
use culdesac::analysis::paths::paths;
use culdesac::analysis::prune::PruneGraphSettings;
use culdesac::analysis::prune::{PruneSettings, PruneStep, PruningEvent, prune};
use culdesac::analysis::{Finding, Listener};
use culdesac::evidence::Evidence;
use culdesac::view::{Event, Header, Reply, Request, SCHEMA};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The program's name, text, and the `expect:` lines of its header.
fn examples() -> Vec<(String, String, BTreeMap<String, String>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut files: Vec<_> = fs::read_dir(folder).expect("examples").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .map(|path| {
            let text = fs::read_to_string(&path).expect("readable");
            let expected = text.lines().filter_map(|line| line.split_once("expect: ")?.1.split_once(" = "));
            let expected = expected.map(|(what, value)| (what.trim().to_owned(), value.trim().to_owned())).collect();
            (path.file_stem().expect("a name").to_string_lossy().into_owned(), text, expected)
        })
        .collect()
}

/// The evidence file of these claims about an example.
fn evidence(name: &str, source: String, header: &Header, claims: Vec<culdesac::evidence::Claim>) -> Evidence {
    let (program, function) = (name.to_owned(), header.function.clone());
    let ints = serde_json::to_value(header.ints).expect("plain data").as_str().expect("a name").to_owned();
    Evidence {
        schema: SCHEMA,
        program,
        source,
        function,
        ints,
        inline_depth: None,
        options: None,
        precondition: None,
        unfolding: None,
        label_steps: false,
        claims,
    }
}

fn request(name: &str, source: &str) -> Request {
    Request {
        program: name.to_owned(),
        source: source.to_owned(),
        function: None,
        limit: None,
        seed: 1,
        ints: None,
        inline_depth: None,
        ..Request::default()
    }
}

fn document<T>(reply: Reply<T>) -> T {
    match reply {
        Reply::Document { document } => document,
        Reply::Refused { diagnostics } => panic!("refused: {diagnostics:?}"),
    }
}

/// The lengths for which the header expects `what(length)`.
fn lengths(expected: &BTreeMap<String, String>, what: &str) -> Vec<u32> {
    expected.keys().filter_map(|key| key.strip_prefix(what)?.strip_prefix('(')?.strip_suffix(')')?.parse().ok()).collect()
}

#[test]
fn path_counts_are_those_of_the_headers() {
    let mut compared = 0;
    for (name, source, expected) in examples() {
        for (what, feasible) in [("P", false), ("FP", true)] {
            let lengths = lengths(&expected, what);
            let table = document(paths(&request(&name, &source), &lengths, feasible, &mut Listener::new(&mut |_| true)));
            assert!(table.header.complete, "{name}: {:?}", table.open);
            for row in table.table {
                let got = if feasible { row.feasible.expect("complete") } else { row.total };
                assert_eq!(got, expected[&format!("{what}({})", row.length)], "{name}: {what}({})", row.length);
                compared += 1;
            }
        }
    }
    assert!(compared >= 15, "only {compared} numbers were compared");
}

/// Every claim made while counting and drawing is accepted by the checker, from the program's text on; and the claims
/// are as many as the numbers say.
#[test]
fn evidence_of_counting_and_drawing_is_accepted() {
    for (name, source, _) in examples() {
        let mut claims = Vec::new();
        let mut events = |_| true;
        let mut listener = Listener::new(&mut events);
        listener.claims = Some(&mut claims);
        let table = document(paths(&request(&name, &source), &[25], true, &mut listener));
        let drawn = document(draw(&request(&name, &source), &drawing(40, 20, false), &mut listener));
        let feasible: usize = table.table[0].feasible.as_deref().expect("complete").parse().expect("a number");
        let reached = claims.iter().filter(|claim| claim.is_run()).count();
        let drawn_feasible = drawn.paths.iter().filter(|path| path.feasible == Some(true)).count();
        // Where none is that short, counting went on to the shortest one, with claims of its own.
        match table.shortest {
            None => assert_eq!(reached, feasible + drawn_feasible, "{name}"),
            Some(_) => assert!(feasible == 0 && reached > drawn_feasible, "{name}"),
        }
        assert!(claims.len() >= reached, "{name}");
        let evidence = evidence(&name, source, &table.header, claims);
        // A stopped check has the claims that were checked until then, and it is not called complete.
        let first = document(check_listened(&evidence, &mut Listener::new(&mut |_| false)));
        assert_eq!((first.checked, first.header.complete), (1, evidence.claims.len() == 1), "{name}");
        // Through the file's form, as `check` reads it.
        let text = serde_json::to_string(&evidence).expect("plain data");
        let mut evidence: Evidence = serde_json::from_str(&text).expect("the same");
        let checked = document(check(&evidence));
        assert_eq!((checked.checked as usize, checked.rejected.len()), (evidence.claims.len(), 0), "{name}: {:?}", checked.rejected);
        assert!(checked.header.complete, "{name}");
        assert_eq!(checked.kinds.iter().map(|kind| kind.accepted).sum::<u32>(), checked.checked, "{name}");
        // Of another program the same claims are not believed.
        let marked = evidence.source.replace('<', ">").replace("!=", "\u{1}");
        evidence.source = marked.replace("==", "!=").replace('\u{1}', "==");
        assert!(!document(check(&evidence)).rejected.is_empty(), "{name}");
    }
}

#[test]
fn drawing_is_deterministic_and_every_path_has_its_fate() {
    for (name, source, _) in examples() {
        let drawn = |seed| {
            let request = Request { seed, ..request(&name, &source) };
            document(draw(&request, &drawing(30, 30, false), &mut Listener::new(&mut |_| true)))
        };
        let (first, second, other) = (drawn(7), drawn(7), drawn(8));
        let edges =
            |document: &culdesac::analysis::draw::DrawDocument| document.paths.iter().map(|path| path.edges.clone()).collect::<Vec<_>>();
        assert_eq!(edges(&first), edges(&second), "{name}");
        assert_ne!(edges(&first), edges(&other), "{name}");
        assert_eq!(first.paths.len(), 30);
        for path in &first.paths {
            match path.feasible {
                Some(true) => assert!(path.input.is_some() && path.dies_at.is_none(), "{name}"),
                Some(false) => assert!(path.core.contains(&path.dies_at.expect("an index")), "{name}: {path:?}"),
                None => panic!("{name}: open: {:?}", path.open),
            }
        }
        let table = document(paths(&request(&name, &source), &[30], true, &mut Listener::new(&mut |_| true)));
        if table.table[0].feasible.as_deref() == Some("0") {
            // Nothing so short can run: there is nothing to look for.
            assert!(first.paths.iter().all(|path| path.feasible == Some(false)), "{name}");
            continue;
        }
        let only = document(draw(&request(&name, &source), &drawing(30, 10, true), &mut Listener::new(&mut |_| true)));
        // Of some programs no complete path is as short as that.
        let expected = if only.population == "0" { 0 } else { 10 };
        assert!(only.paths.len() == expected && only.paths.iter().all(|path| path.feasible == Some(true)), "{name}");
        assert!(expected == 10 || first.paths.iter().all(|path| path.feasible == Some(false)), "{name}");
    }
}

fn drawing(length: u32, count: u32, feasible_only: bool) -> DrawSettings {
    DrawSettings { length, count, feasible_only, pruned: None, precondition: None }
}

fn learning(lookahead: Option<u32>, lengths: Vec<u32>) -> PruneSettings {
    let graph = PruneGraphSettings {
        abstraction: "learn".to_owned(),
        restarts: true,
        lookahead,
        max_red_length: None,
        invariants: true,
        exact_up_to: None,
        precondition: None,
    };
    PruneSettings { graph, lengths, feasible: false }
}

/// With the default settings.
#[test]
fn pruned_counts_are_those_of_the_headers() {
    let mut compared = 0;
    for (name, source, expected) in examples() {
        let lengths = lengths(&expected, "P'");
        if lengths.is_empty() {
            continue;
        }
        let document = document(prune(&request(&name, &source), &learning(None, lengths), &mut Listener::new(&mut |_| true)));
        assert!(document.header.complete, "{name}: {:?}", document.open);
        for row in document.table {
            assert_eq!(row.pruned, expected[&format!("P'({})", row.length)], "{name}: {}", row.length);
            compared += 1;
        }
    }
    assert!(compared >= 9, "only {compared} numbers were compared");
}

/// The events alone rebuild the red part as the document counts it; and the evidence of the graph is accepted.
#[test]
fn the_trace_of_pruning_rebuilds_the_graph_and_its_evidence_is_accepted() {
    let methods = ["drop", "havoc", "learn"];
    for ((name, source, _), abstraction) in examples().into_iter().flat_map(|example| methods.map(|method| (example.clone(), method))) {
        let mut settings = learning(Some(3), vec![30]);
        settings.graph.abstraction = abstraction.to_owned();
        settings.graph.max_red_length = Some(25);
        let (mut living, mut marked, mut subsumed) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
        let mut restarts = 0;
        let mut on_event = |event: Event| {
            let Some(PruningEvent::Pruning { step }) = event.news() else { return true };
            match step.clone() {
                PruneStep::Added { vertex, parent, .. } => {
                    assert!(parent.is_none_or(|parent| living.contains(&parent)) && living.insert(vertex), "{name}");
                }
                PruneStep::Unsatisfiable { vertex } => assert!(marked.insert(vertex)),
                PruneStep::Unmarked { vertex } => assert!(marked.remove(&vertex)),
                PruneStep::Subsumed { vertex, by } => assert!(living.contains(&by) && subsumed.insert(vertex, by).is_none()),
                PruneStep::Destroyed { vertex, vertices } => {
                    for gone in &vertices {
                        assert!(living.remove(gone), "{name}");
                        marked.remove(gone);
                    }
                    subsumed.retain(|part, whole| living.contains(part) && living.contains(whole) && *whole != vertex);
                }
                PruneStep::Restarted { vertex } => {
                    assert!(living.contains(&vertex));
                    restarts += 1;
                }
                _ => {}
            }
            true
        };
        let mut claims = Vec::new();
        let mut listener = Listener::new(&mut on_event);
        listener.findings = &[Finding::Step];
        listener.claims = Some(&mut claims);
        let request = Request { limit: Some(400_000), ..request(&name, &source) };
        let document = document(prune(&request, &settings, &mut listener));
        let red = &document.red;
        let counted = [red.vertices, red.marked, red.subsumptions, red.restarts].map(|number| number as usize);
        assert_eq!(counted, [living.len(), marked.len(), subsumed.len(), restarts], "{name} {abstraction}");
        assert_eq!(document.graph.places.len(), document.pruned.locations as usize);
        let evidence = evidence(&name, source, &document.header, claims);
        let checked = self::document(check(&evidence));
        assert!(checked.checked == 1 && checked.rejected.is_empty(), "{name} {abstraction}: {:?}", checked.rejected);
    }
}
