//! Nothing is written that the check would reject, and verdicts rest on nothing else: every command that makes claims, on programs of
//! kinds at which claims once failed.

use crate::common::asking::{about, ask};
use culdesac::analysis::check::check;
use culdesac::evidence::judge::by_certificate;
use culdesac::evidence::path::{PathConditions, check_infeasible};
use culdesac::evidence::{Proof, Statement};
use culdesac::load::load;
use culdesac::view::Reply;
use serde_json::{Value, json};

/// Questions to all commands that make claims.
fn questions() -> Vec<(&'static str, Value)> {
    let pruned = json!({ "abstraction": "learn", "restarts": true, "lookahead": 3, "max_red_length": null, "invariants": true, "exact_up_to": null, "precondition": null });
    vec![
        ("paths", json!({ "lengths": [12, 20], "feasible": true })),
        ("draw", json!({ "length": 20, "count": 6, "feasible_only": false, "pruned": null })),
        ("prune", json!({ "graph": pruned, "lengths": [12], "feasible": true })),
        (
            "explain",
            json!({ "max_instructions": 16, "order": "first", "check": "integer", "extend": "detours", "path": null, "compare": 0, "rounds": null }),
        ),
        ("cover", json!({ "unwind": null, "algorithm": "prefer", "precondition": null })),
        ("branches", json!({})),
    ]
}

/// The claims of an answer that the check rejects, and how many there are.
fn rejected(evidence: &culdesac::evidence::Evidence) -> (Vec<(String, String)>, u32) {
    // Also what a file makes of them is checked.
    let text = serde_json::to_string(evidence).expect("plain data");
    let read = serde_json::from_str(&text).expect("evidence");
    let Reply::Document { document } = check(&read) else { panic!("refused") };
    (document.rejected.into_iter().map(|one| (one.id, one.reason)).collect(), document.checked)
}

/// Recursion of many kinds: none, one or all of the deeper calls can be excluded, at once or one by one.
fn recursive(depth: u32, deep: u32, calls: usize) -> String {
    let sum = ["g(n)", "g(n) + h(m)"][calls - 1];
    format!(
        "int g(int n) {{ if (n <= 0) return 0; return 1 + g(n - 1); }}\n\
         int h(int n) {{ if (n <= 0) return 0; if (n > 90) return 1; return h(n - 2); }}\n\
         int f(int n, int m, int k) {{\n  if (n > {depth}) return 9;\n  if (m > {deep}) return 8;\n  int r = {sum} + k % 2;\n  \
         if (r > {depth} + 1) return 1;\n  if (n > 50) return 2;\n  if (r < 0) return 3;\n  return 0;\n}}\n"
    )
}

#[test]
fn no_claim_about_recursion_is_rejected() {
    let mut infeasible = 0;
    for (depth, deep, calls) in [(2, 3, 1), (3, 3, 2), (30, 3, 2), (3, 60, 2)] {
        let source = recursive(depth, deep, calls);
        let mut request = about(&source, Some(400_000));
        request.function = Some("f".to_owned());
        request.inline_depth = Some(5);
        for (name, settings) in questions().into_iter().filter(|(name, _)| ["branches", "cover"].contains(name)) {
            let answered = ask(name, &request, &settings, &mut |_| true).expect("a program");
            assert_eq!(rejected(&answered.evidence).0, [], "{name} of\n{source}");
            let faults = answered.document["diagnostics"].as_array().expect("a list").iter().filter(|one| one["code"] == "fault").count();
            assert_eq!(faults, 0, "{name}: {}", answered.document["diagnostics"]);
            if name == "branches" {
                let list = answered.document["list"].as_array().expect("a list");
                let verdict =
                    |line: u64| list.iter().find(|side| side["line"] == line && side["side"] == "true").map(|side| side["verdict"].clone());
                // `n > 50` after `n > depth` cannot be, however deep calls go; but only what excludes these shows that.
                infeasible += usize::from(verdict(8) == Some("infeasible".into()));
                if depth > 5 || (calls == 2 && deep > 10) {
                    assert_eq!(verdict(7), Some("open".into()), "deeper calls may return more\n{source}");
                }
            }
        }
    }
    assert!(infeasible >= 2, "where no execution calls deeper, that is shown and claimed: {infeasible}");
}

/// A verdict is there only with a claim: of what is infeasible the evidence excludes every edge.
#[test]
fn what_is_infeasible_is_claimed() {
    let sources = [
        recursive(2, 3, 2),
        "int f(unsigned char n, unsigned a) { int k = 0; while (k < n) { k++; a ^= 1; if (k > 300) return 1; } if (a * 2 == 7) return 2; return 0; }".to_owned(),
        "static int s; void set(int x) { s = x & 7; } int f(int y) { if (s > 9) return 1; if (y > 3 && y < 2) return 2; return 0; }".to_owned(),
    ];
    for source in &sources {
        let mut request = about(source, Some(400_000));
        request.function = Some("f".to_owned());
        let answered = ask("branches", &request, &json!({}), &mut |_| true).expect("a program");
        let (wrong, checked) = rejected(&answered.evidence);
        assert!(wrong.is_empty() && checked > 0, "{wrong:?} of\n{source}");
        let claimed: Vec<u32> = (answered.evidence.claims.iter())
            .filter(|claim| ["excluded", "not_covered"].contains(&claim.statement.kind()))
            .flat_map(|claim| claim.statement.edges().to_vec())
            .collect();
        for side in answered.document["list"].as_array().expect("a list").iter().filter(|side| side["verdict"] == "infeasible") {
            let edges = side["edges"].as_array().expect("edges").iter().filter_map(Value::as_u64);
            assert!(edges.clone().all(|edge| claimed.contains(&(edge as u32))), "{side} of\n{source}");
        }
    }
}

/// Every command, on a program with a bit of all: what it writes is accepted, and `check` says of which lines.
#[test]
fn every_claim_of_every_command_is_accepted() {
    let source = "int f(int x, int y) {\n  int i = 0;\n  while (i < 3) {\n    if (x > y) x--; else y = y - 2;\n    i++;\n  }\n  if (i != 3) return 1;\n  return x;\n}\n";
    for (name, settings) in questions() {
        let answered = ask(name, &about(source, Some(600_000)), &settings, &mut |_| true).expect("a program");
        let (wrong, checked) = rejected(&answered.evidence);
        assert!(wrong.is_empty() && checked > 0, "{name}: {checked} claims, {wrong:?}");
        let Reply::Document { document } = check(&answered.evidence) else { panic!("refused") };
        assert!(document.claims.iter().all(|claim| claim.accepted && (1..=9).contains(&claim.line) && claim.column > 0), "{name}");
        assert!(document.claims.len() >= checked as usize, "{name}");
        assert!(document.header.complete, "{name}");
    }
    let answered = ask("branches", &about(source, None), &json!({}), &mut |_| true).expect("a program");
    let Reply::Document { document } = check(&answered.evidence) else { panic!("refused") };
    let infeasible: Vec<(u32, &str)> =
        document.claims.iter().filter(|claim| claim.kind != "reached").map(|claim| (claim.line, claim.text.as_str())).collect();
    assert!(infeasible.iter().any(|(line, text)| *line == 7 && text.contains("i != 3")), "{infeasible:?}");
}

/// A graph that gets to a call which lowering did not inline excludes nothing.
#[test]
fn a_graph_that_goes_no_deeper_is_rejected() {
    let source = recursive(3, 3, 1);
    let mut request = about(&source, None);
    (request.function, request.inline_depth) = (Some("f".to_owned()), Some(5));
    let answered = ask("branches", &request, &json!({}), &mut |_| true).expect("a program");
    let excluded = answered.evidence.claims.iter().any(|claim| claim.statement.kind() == "excluded");
    assert!(excluded && rejected(&answered.evidence).0.is_empty());
    // Followed only once, `g` calls itself where the graph of the claim does not go on.
    let loose = source.replace("n > 3) return 9", "n > 30) return 9");
    let mut forged = answered.evidence.clone();
    forged.source = loose;
    assert!(!rejected(&forged).0.is_empty());
}

/// A path condition that shares a prefix with the one before gives the same verdict as one derived anew; of forged claims too.
#[test]
fn shared_path_conditions_change_no_verdict() {
    let source = "int f(unsigned char x, int y) {\n  int s = 0;\n  if (x > 5) s = s + x;\n  if (x < 3) s = s - y;\n  if (s > x + 9) s = 1;\n  while (y > 0 && y < 3) { y++; if (x == 4) s++; }\n  return s;\n}\n";
    let request = about(source, None);
    let settings = json!({ "lengths": [14], "feasible": true });
    let answered = ask("paths", &request, &settings, &mut |_| true).expect("a program");
    // One by one, as the search has them.
    let explained = json!({ "max_instructions": 16, "order": "first", "check": "integer", "extend": "detours", "path": null, "compare": 0, "rounds": null });
    let more = ask("explain", &request, &explained, &mut |_| true).expect("a program");
    let loaded = load(&request).expect("a program");
    let claims = answered.evidence.claims.iter().chain(&more.evidence.claims);
    let paths: Vec<(&Vec<u32>, Vec<u32>, &Proof)> = claims
        .filter_map(|claim| match &claim.statement {
            Statement::Infeasible { path, core, certificate, .. } => Some((path, core.clone(), certificate)),
            _ => None,
        })
        .collect();
    assert!(paths.len() > 5, "{}", paths.len());
    let mut conditions = PathConditions::new(&loaded.lts);
    let (mut believed, mut refused) = (0, 0);
    for step in [1, 2, 3, 5] {
        for at in 0..paths.len() {
            let (path, core, certificate) = &paths[at * step % paths.len()];
            let other = &paths[(at + step) % paths.len()];
            // The claim; with another one's certificate; without a part of the core; and beyond the path.
            let beyond: Vec<u32> = core.iter().map(|index| index + 40).collect();
            for (core, certificate) in [(core, *certificate), (core, other.2), (&core[1..].to_vec(), *certificate), (&beyond, *certificate)]
            {
                let alone = check_infeasible(&loaded.lts, path, core, certificate, &mut by_certificate);
                let behind = conditions.check(&loaded.lts, (path, core), certificate, &mut by_certificate);
                assert_eq!(behind, alone, "{path:?} {core:?}");
                *if alone.is_ok() { &mut believed } else { &mut refused } += 1;
            }
        }
    }
    assert!(believed >= 4 * paths.len() && refused > 2 * paths.len(), "{believed} {refused}");
}
