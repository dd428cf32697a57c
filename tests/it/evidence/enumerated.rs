//! Programs with few inputs: the runs on all of them, what the check makes of claims about them, and that there is no other execution.

use crate::common::asking::{about, ask, rejected};
use crate::common::cases;
use crate::common::programs::{Action, Block, Condition, Connective, Operation, Shape};
use culdesac::evidence::enumerated::{EveryRun, MAX_STEPS, enumerated_claim};
use culdesac::evidence::{Evidence, check::check_assuming};
use culdesac::interp::{Input, Machine};
use culdesac::load::{Loaded, load};
use culdesac::logic::Int;
use proptest::prelude::*;
use serde_json::{Value, json};

fn loaded(source: &str) -> Loaded {
    load(&about(source, None)).unwrap_or_else(|errors| panic!("{source}\n{errors:?}"))
}

/// The runs on all inputs, or why there may be other executions.
fn every(source: &str) -> Result<EveryRun, String> {
    let loaded = loaded(source);
    let every = EveryRun::of(&loaded.lts, &Machine::deep(&loaded.lts), MAX_STEPS, &mut |_| true);
    every.is_all().map(|()| every)
}

/// A mixture of bits that no prover sees through: 12345 and 5 are never its values, the remainder 13 is.
const MIXED: &str = "int f(_Bool a, unsigned char c) {\n  unsigned h = 7 + a;\n  for (int i = 0; i < 4; i++) h = h * 31u + ((c >> i) & 1) * 7u;\n  \
    if (h % 97 == 13) return 1;\n  if (h == 12345) return 2;\n  assert(h != 5);\n  return 0;\n}\n";

#[test]
fn few_inputs_are_small_parameters_statics_and_draws() {
    let few = [
        MIXED,
        "_Bool nondet_bool(void); int main(void) { int n = 0; for (int i = 0; i < 5; i++) if (nondet_bool()) n++; return n == 6; }",
        "static unsigned char seen; int f(_Bool add) { if (seen > 200 && add) return 1; seen += add; return 0; }",
        // What is not read on the way is no input.
        "int f(_Bool early, unsigned char late, int never) { if (early) return 1; if (late == 7) return 2; return 0; }",
        // Comparisons cut a range, and copies are compared as the value is.
        "int f(int x) { if (x == 3) return 1; return 0; }",
        "int nondet(void); int f(_Bool a) { if (a && nondet() == 3) return 1; return 0; }",
        "int f(long x, unsigned y) { long t[2] = {x, 0}; if (!y || t[0] > 9) return 1; int k = x < 0 ? 0 : (int)t[0]; return k * k == 50; }",
        "#include <stdio.h>\nint f(void) { int n = 0; if (scanf(\"%d\", &n) != 1 || n < 0 || n > 99) return 1; printf(\"%d\", n); return n % 7 == 9; }",
    ];
    for source in few {
        assert!(every(source).is_ok(), "{source}: {:?}", every(source).err());
    }
    let many = [
        "int f(int x) { if (x % 5 == 3) return 1; return 0; }",
        "int f(int x, int y) { if (x < y) return 1; return 0; }",
        "int f(unsigned short a, unsigned short b, unsigned short c) { return (a ^ b ^ c) == 1; }",
        "int f(char text[4]) { if (text[0] == 'a') return 1; return 0; }",
        "int f(const _Bool *flag) { if (*flag) return 1; return 0; }",
        "void other(unsigned char *); int f(unsigned char c) { other(&c); if (c == 1) return 1; return 0; }",
        "_Bool nondet_bool(void); int f(void) { int n = 0; while (nondet_bool()) n++; return n == 5; }",
    ];
    for source in many {
        assert!(every(source).is_err(), "{source}");
    }
}

#[test]
fn all_analyses_settle_few_inputs() {
    let branches = ask("branches", &about(MIXED, None), &json!({}), &mut |_| true).expect("a program");
    assert_eq!(branches.document["branches"], json!({ "total": 8, "covered": 6, "infeasible": 2, "open": 0 }));
    let settings = json!({ "unwind": null, "algorithm": "prefer", "precondition": null });
    let cover = ask("cover", &about(MIXED, None), &settings, &mut |_| true).expect("a program");
    let lines = |list: &Value| list.as_array().expect("a list").iter().map(|one| one["place"]["line"].clone()).collect::<Vec<_>>();
    assert!(lines(&cover.document["open"]).is_empty());
    assert!(lines(&cover.document["infeasible"]).contains(&json!(5)), "{:#}", cover.document["infeasible"]);
    let reach = ask("reach", &about(MIXED, None), &json!({ "target": null, "line": 5, "k": 3 }), &mut |_| true).expect("a program");
    for answered in [&branches, &cover, &reach] {
        assert_eq!(rejected(&answered.evidence), [""; 0]);
    }
}

#[test]
fn a_forged_claim_is_rejected() {
    let answered = ask("branches", &about(MIXED, None), &json!({}), &mut |_| true).expect("a program");
    let claim = answered.evidence.claims.iter().find(|claim| claim.statement.kind() == "enumerated").expect("the claim");
    let base = loaded(MIXED).base;
    let every = every(MIXED).expect("few inputs");
    for edge in base.graph.edge_indices() {
        assert_eq!(check_assuming(&base, &enumerated_claim(0, &[edge])).is_ok(), !every.takes(edge), "edge {}", edge.index());
    }
    let none = culdesac::lts::EdgeId::new(base.graph.edge_count());
    assert!(check_assuming(&base, &enumerated_claim(0, &[none])).is_err());
    // Another constant, another type.
    for (from, to) in [("h == 12345", "h > 12345"), ("unsigned char c", "unsigned c")] {
        let evidence = Evidence { source: MIXED.replace(from, to), claims: vec![claim.clone()], ..answered.evidence.clone() };
        assert_eq!(rejected(&evidence).len(), 1, "{}", evidence.source);
    }
}

const SHAPE: Shape = Shape {
    constants: -3..6,
    variables: &["x", "y", "z"],
    expression: (2, 5),
    operations: &[(4, Operation::Sum), (1, Operation::Multiple), (2, Operation::Behind(&["/ 2", "% 3", "& 5"])), (1, Operation::Quotient)],
    comparisons: &["<", "<=", "==", "!=", ">"],
    conditions: &[(8, Condition::Comparison), (1, Condition::Text("nondet_bool()"))],
    connectives: &[Connective::And, Connective::Or],
    statements: &[
        (4, Action::Assign),
        (1, Action::Text("z++;")),
        (1, Action::Text("w = nondet_bool();")),
        (1, Action::Text("z = w + 1;")),
        (1, Action::Text("y = s(x) + s(z);")),
        (1, Action::Assume),
        (1, Action::Assert),
        (1, Action::Text("return y;")),
    ],
    nesting: (3, 12),
    blocks: &[(1, Block::If), (2, Block::IfElse), (1, Block::While)],
    length: 2..7,
    declarations: "int z = x - y, w;",
};

/// A program whose `main` gives the function two small numbers: of bits, or any that it has compared before.
fn program() -> impl Strategy<Value = String> {
    (SHAPE.program(), any::<bool>()).prop_map(|(function, compares)| {
        let array = if function.contains("int a[],") { "d, " } else { "" };
        let main = if compares {
            "int p = nondet(), q = nondet(); if (p < 0 || p > 3) return 7; if (q >= 2) return 8; if (q == -3) q = 1; else if (!(q >= -1)) q = p;"
        } else {
            "_Bool a = nondet_bool(), b = nondet_bool(), c = nondet_bool(); int p = a + 2 * b, q = c - 1;"
        };
        format!(
            "_Bool nondet_bool(void); int nondet(void), g; int s(int v) {{ g += v; return g; }}\n{function}\n\
             int main(int argc, char **argv) {{ {main} int d[2] = {{1, 0}}; return f({array}p, q); }}"
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(60), ..ProptestConfig::default() })]

    /// Where the runs count, a run on any other draws takes nothing that they do not take; and no verdict is against them.
    #[test]
    fn no_input_makes_another_run(source in program(), seed in 0u64..1 << 40) {
        let request = culdesac::view::Request { function: Some("main".to_owned()), ..about(&source, Some(20_000)) };
        let loaded = load(&request).expect("a program");
        let machine = Machine::new(&loaded.lts);
        let every = EveryRun::of(&loaded.lts, &machine, 50_000, &mut |_| true);
        if every.is_all().is_err() {
            return Ok(());
        }
        for turn in 0..20u64 {
            let bits = seed.rotate_left(turn as u32) ^ turn;
            let any = |at: u32| Int::from((bits.rotate_right(3 * at) & 7) as i64 - 3);
            let drawn = (0..40).map(|at| if turn % 2 == 0 && at < 2 { any(at) } else { Int::from((bits >> at & 1) as i64) });
            let input = Input { nondet: drawn.collect(), ..Input::default() };
            let run = machine.run(&input, 2_000);
            prop_assert!(run.edges.iter().all(|&edge| every.takes(edge)), "{}", source);
        }
        let answered = ask("branches", &request, &json!({}), &mut |_| true).expect("a program");
        prop_assert_eq!(rejected(&answered.evidence), [""; 0], "{}", source);
        for side in answered.document["list"].as_array().expect("a list") {
            let edges = side["edges"].as_array().expect("edges");
            let is_taken = loaded.lts.graph.edge_indices().any(|edge| every.takes(edge) && edges.contains(&json!(edge.index())));
            prop_assert!(side["verdict"] != if is_taken { "infeasible" } else { "covered" }, "{} in {}", side, source);
        }
    }
}
