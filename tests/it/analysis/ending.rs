//! Every analysis ends close to its limit and hears of a cancellation soon, whatever the program: counted in steps and events.

use crate::common::asking::{about, ask};
use culdesac::count::Random;
use culdesac::view::Event;
use num_bigint::BigUint;
use serde_json::{Value, json};

/// Programs of nested loops, counters that wrap around, operators on bits and jumps into loops, made from a seed.
struct Maker {
    random: Random,
    labels: usize,
    statements: u32,
}

const VARIABLES: [&str; 7] = ["a", "b", "c", "n", "i", "k", "v"];
const TYPES: [&str; 6] = ["unsigned char", "unsigned", "int", "short", "long", "unsigned long"];

impl Maker {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(&BigUint::from(bound)).iter_u32_digits().next().unwrap_or(0) as usize
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    fn variable(&mut self) -> &'static str {
        self.one(&VARIABLES)
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth > 2 {
            return self.variable().to_owned();
        }
        match self.below(10) {
            0..=2 => self.variable().to_owned(),
            3 => self.one(&["0", "1", "2", "3", "7", "255", "1000", "65536"]).to_owned(),
            4 => format!("t[{} & 3]", self.expression(depth + 1)),
            5 => format!("(unsigned char)({})", self.expression(depth + 1)),
            6 => format!("({} {})", self.expression(depth + 1), self.one(&["% 7", "/ 3", "% 2", "/ 10"])),
            7 => format!("((unsigned)({}) {})", self.expression(depth + 1), self.one(&["<< 1", ">> 3", ">> 8"])),
            _ => format!("({} {} {})", self.expression(depth + 1), self.one(&["+", "-", "*", "^", "&", "|"]), self.expression(depth + 1)),
        }
    }

    fn condition(&mut self) -> String {
        let compared = format!("{} {} {}", self.expression(1), self.one(&["<", "<=", "==", "!=", ">"]), self.expression(1));
        match self.below(6) {
            0 => self.variable().to_owned(),
            1 => format!("{compared} && {}", self.variable()),
            _ => compared,
        }
    }

    fn block(&mut self, depth: u32, within: bool) -> String {
        (0..=self.below(3)).map(|_| self.statement(depth, within)).collect::<Vec<_>>().join(" ")
    }

    fn statement(&mut self, depth: u32, within: bool) -> String {
        self.statements += 1;
        let kinds = if self.statements > 24 || depth > 3 { 2 } else { 10 };
        match self.below(kinds) {
            0 => format!("{} = {};", self.variable(), self.expression(0)),
            1 => format!("{} {} {};", self.variable(), self.one(&["+=", "-=", "^=", "*="]), self.expression(1)),
            2 => format!("if ({}) {{ {} }}", self.condition(), self.block(depth + 1, within)),
            3 => format!("if ({}) {{ {} }} else {{ {} }}", self.condition(), self.block(depth + 1, within), self.block(depth + 1, within)),
            4 => format!("while ({}) {{ {} }}", self.condition(), self.block(depth + 1, true)),
            5 => format!("do {{ {} }} while ({});", self.block(depth + 1, true), self.one(&["k++ < n", "a++ != b", "i-- > 0"])),
            6 => format!("for (i = 0; i < {}; i++) {{ {} }}", self.one(&["n", "3", "100", "a"]), self.block(depth + 1, true)),
            7 if within => format!("if ({}) {};", self.condition(), self.one(&["break", "continue"])),
            8 if self.labels > 0 => {
                let label = self.below(self.labels);
                format!("if ({}) goto l{label};", self.condition())
            }
            _ => {
                self.labels += 1;
                format!("l{}: {} ^= 1;", self.labels - 1, self.variable())
            }
        }
    }
}

fn program(seed: u64) -> String {
    let mut maker = Maker { random: Random::new(seed), labels: 0, statements: 0 };
    let given = 1 + maker.below(4);
    let declared: Vec<String> = VARIABLES.iter().map(|name| format!("{} {name}", maker.one(&TYPES))).collect();
    let locals: Vec<String> = declared[given..].iter().map(|one| format!("{one} = {};", maker.below(3))).collect();
    let body = format!("{} {}", maker.block(0, false), maker.block(0, false));
    format!("int f({}) {{ {} int t[] = {{1, 2, 3, {}}}; {body} return a; }}", declared[..given].join(", "), locals.join(" "), VARIABLES[0])
}

/// The program of which one command once had no end, and others of its kind.
const KNOWN: &[&str] = &[
    "int f(unsigned char n, unsigned a, int i) { char t[] = {1, 2, 3, n}; int x; while (i != 3) { x = t[n & 3]; if (a == 0) break; } \
     int v = 2, k = 0; do { while (1) { a ^= 1; if (v) break; } } while (k++ < n); return 0; }",
    "int f(unsigned a, unsigned b) { unsigned k = 0; do { do { a ^= b; b ^= a; } while (a & 1); } while (k++ != b); return a; }",
    "int f(unsigned short a) { for (;;) { a = a * a + 1; a ^= a >> 3; if (a == 7) break; } return a; }",
];

fn questions() -> Vec<(&'static str, Value)> {
    let pruned = json!({ "abstraction": "learn", "restarts": true, "lookahead": 3, "max_red_length": null, "invariants": true, "exact_up_to": null, "precondition": null });
    vec![
        ("paths", json!({ "lengths": [20, 60], "feasible": true })),
        ("draw", json!({ "length": 30, "count": 5, "feasible_only": true, "pruned": null })),
        ("prune", json!({ "graph": pruned, "lengths": [20], "feasible": true })),
        (
            "explain",
            json!({ "max_instructions": 30, "order": "all", "check": "integer", "extend": "detours", "path": null, "compare": 0, "rounds": null }),
        ),
        ("cover", json!({ "unwind": null, "algorithm": "prefer", "precondition": null })),
        ("branches", json!({})),
        ("reach", json!({ "target": "1", "k": 5 })),
    ]
}

/// Steps that may be taken beyond the limit: those of the last operation, which is paid for as a whole.
const BEYOND: u64 = 60_000;

/// So many steps lie between two polls at most: a signal is then heard.
const POLLED: u64 = 60_000;

fn ends(source: &str, limit: u64) {
    for (name, settings) in questions() {
        let (mut last, mut widest, mut events) = (0, 0, 0u64);
        let answered = ask(name, &about(source, Some(limit)), &settings, &mut |event| {
            events += 1;
            if let Event::Progress { steps, .. } = event {
                widest = widest.max(steps.saturating_sub(last));
                last = *steps;
            }
            true
        });
        let Some(answered) = answered else { continue };
        let steps = answered.document["statistics"]["steps"].as_u64().expect("steps");
        assert!(steps <= limit + BEYOND, "{name} takes {steps} steps of {limit}:\n{source}");
        assert!(steps.saturating_sub(last).max(widest) <= POLLED, "{name} does not ask whether to go on for {widest} steps:\n{source}");
        assert!(events <= 20_000 + 20 * limit, "{name} tells of {events} events within {limit} steps:\n{source}");
    }
}

/// A listener that ends the run is heard at once: what follows takes few steps.
fn cancels(source: &str) {
    for (name, settings) in questions() {
        let mut after: u64 = 0;
        let answered = ask(name, &about(source, Some(2_000_000)), &settings, &mut |_| {
            after += 1;
            false
        });
        let Some(answered) = answered else { continue };
        let steps = answered.document["statistics"]["steps"].as_u64().expect("steps");
        assert!(steps <= BEYOND, "{name} goes on for {steps} steps after it was told to end:\n{source}");
        assert!(after <= 20_000, "{name} goes on for {after} events after it was told to end:\n{source}");
    }
}

#[test]
fn known_programs_end() {
    for source in KNOWN {
        for limit in [1, 100, 2000] {
            ends(source, limit);
        }
        cancels(source);
    }
}

#[test]
fn random_programs_end() {
    for seed in 0..u64::from(crate::common::cases(10)) {
        let source = program(seed);
        ends(&source, [1, 100, 2000][seed as usize % 3]);
        if seed % 4 == 0 {
            cancels(&source);
        }
    }
}
