//! Branches of state machines that take many rounds, against all their states.

use culdesac::analysis::branches::{BranchesSettings, BranchesVerdict};
use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::suites::{branches, request};

/// In this state this key leads to another state.
type Rule = ([u32; 3], u32, [u32; 3]);

/// Rules at random: of three variables with the values 0 to 2, and four keys.
fn rules(seed: u64, count: usize) -> Vec<Rule> {
    let mut state = seed;
    let mut next = |below: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % below
    };
    (0..count).map(|_| ([next(3), next(3), next(3)], 1 + next(4), [next(3), next(3), next(3)])).collect()
}

/// A program that reads keys and follows the first rule that applies; another key ends it.
fn program(rules: &[Rule]) -> String {
    let mut text = "int nondet(void);\nint f(void) {\n  int a = 0, b = 0, c = 0;\n  while (1) {\n    int key = nondet();\n    if (key < 1 || key > 4) return 0;\n".to_owned();
    for (at, ([a, b, c], key, [x, y, z])) in rules.iter().enumerate() {
        let other = if at == 0 { "    if" } else { "else if" };
        let _ = write!(text, "{other} (a == {a} && b == {b} && c == {c} && key == {key}) {{ a = {x}; b = {y}; c = {z}; }}\n    ");
    }
    text + "}\n}\n"
}

/// The rules that some sequence of keys follows.
fn followed(rules: &[Rule]) -> BTreeSet<usize> {
    let (mut seen, mut waiting, mut found) = (BTreeSet::from([[0; 3]]), vec![[0; 3]], BTreeSet::new());
    while let Some(state) = waiting.pop() {
        for key in 1..=4 {
            if let Some(at) = rules.iter().position(|rule| rule.0 == state && rule.1 == key) {
                found.insert(at);
                if seen.insert(rules[at].2) {
                    waiting.push(rules[at].2);
                }
            }
        }
    }
    found
}

/// Each rule is one line, whose last decision is taken where the rule is followed.
#[test]
fn every_rule_that_can_be_followed_is() {
    let mut longest = 0;
    for seed in 1..=6 {
        let rules = rules(seed, 60);
        let source = program(&rules);
        let document = branches(&request("f.c", &source, Some(400_000)), BranchesSettings::default()).expect("a program");
        let first = source.lines().position(|line| line.contains("(a ==")).expect("a rule") + 1;
        let covered: BTreeSet<usize> = (0..rules.len())
            .filter(|at| {
                let last =
                    document.list.iter().filter(|side| side.line as usize == first + at && side.text == format!("key == {}", rules[*at].1));
                last.into_iter().any(|side| side.verdict == BranchesVerdict::Covered)
            })
            .collect();
        assert_eq!(covered, followed(&rules), "{source}");
        longest = longest.max(document.tests.iter().map(|test| test.input.nondet.len()).max().unwrap_or(0));
    }
    assert!(longest > 4, "some are behind several rounds: {longest}");
}
