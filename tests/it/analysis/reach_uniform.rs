//! Uniform loops of Reach: loops that fill, copy and shift arrays, with more rounds than can be unrolled. On programs of each kind, and
//! on programs made at random against all inputs of a box.

use super::reach::{reach, reach_within, rejected};
use crate::common::{cases, lower};
use culdesac::analysis::reach::{ReachFoundBy, ReachVerdict};
use culdesac::interp::{Input, Machine, Outcome};
use culdesac::logic::Int;
use proptest::prelude::*;

/// The line with the target.
fn line(source: &str) -> String {
    (source.lines().position(|line| line.contains("TARGET")).expect("a target") + 1).to_string()
}

/// Each needs more rounds of a uniform loop than the 25 that are written out, and is reached by the first model.
#[test]
fn many_rounds_alike_need_no_writing_out() {
    let programs = [
        // What is drawn stands in the array.
        "int f(int n) {\n int a[400];\n for (int i = 0; i < 400; i++) a[i] = nondet();\n if (n == 300 && a[n] == 7 && a[n + 1] == -7)\n  return 1; /* TARGET */\n return 0;\n}",
        // Zeros before, one value in every third element.
        "int f(int n) {\n int a[300] = {0};\n for (int i = 1; i < 300; i += 3) a[i] = i + 5;\n if (n > 200 && n < 300 && a[n] == n + 5 && a[n + 1] == 0)\n  return 1; /* TARGET */\n return 0;\n}",
        // Downwards, with gaps between what is drawn.
        "int f(int n) {\n int a[400] = {0};\n for (int i = 398; i >= 0; i -= 2) a[i] = nondet();\n if (n == 300 && a[n] == 7 && a[n + 1] == 0)\n  return 1; /* TARGET */\n return 0;\n}",
        // Downwards, from another array.
        "int f(int n, int b[]) {\n int a[200];\n for (int i = 199; i >= 0; i--) a[i] = b[199 - i];\n if (a[150] == 3 && a[49] == 4 && n == a[150])\n  return 1; /* TARGET */\n return 0;\n}",
        // An inner loop in few rounds of an outer one.
        "int f(int rows, int width, int a[]) {\n if (rows < 2 || width < 50) return 0;\n for (int r = 0; r < rows; r++)\n  for (int i = 0; i < width; i++)\n   a[r * width + i] = r;\n if (a[width + 7] == 1)\n  return 1; /* TARGET */\n return 0;\n}",
        // What the last round leaves.
        "int f(int n) {\n int last = 0, sum = 0;\n for (int i = 0; i < n; i++) { last = nondet(); sum += 2; }\n if (last == 99 && sum == 180)\n  return 1; /* TARGET */\n return 0;\n}",
    ];
    for source in programs {
        let (document, claims) = reach(source, &line(source));
        assert_eq!(
            (document.verdict, document.found_by),
            (ReachVerdict::Reached, Some(ReachFoundBy::Model)),
            "{source}\n{:?}",
            document.open
        );
        assert!(document.k.is_some_and(|k| k <= 2), "{:?}", document.k);
        assert_eq!(rejected(source, &document, claims), (0, 1), "{source}");
    }
}

/// The text of a program: how its loop counts, where it writes what, and what is asked of an element.
#[derive(Clone, Debug)]
struct Shape {
    start: &'static str,
    step: (&'static str, &'static str),
    index: &'static str,
    value: &'static str,
    asked: &'static str,
}

impl Shape {
    fn source(&self) -> String {
        let Shape { start, step: (condition, step), index, value, asked } = self;
        format!(
            "int f(int n, int p, int q, int b[4]) {{\n if (n < 0 || n > 5 || p < 0 || p > 2 || q < 0 || q > 11) return 0;\n int a[40] = {{3, 1, 4, 1, 5}};\n int last = -1;\n \
             for (int i = {start}; {condition}; {step}) {{ a[{index}] = {value}; last = i; }}\n if ({asked})\n  return 1; /* TARGET */\n return 0;\n}}"
        )
    }
}

fn shape() -> impl Strategy<Value = Shape> {
    let steps =
        prop_oneof![Just(("i < n", "i++")), Just(("i <= n", "i += 2")), Just(("i < 2 * n", "i += 3")), Just(("i < n && i < 4", "i++"))];
    let index = prop_oneof![Just("i"), Just("2 * i + 1"), Just("i + p"), Just("12 - i"), Just("30 - 3 * i"), Just("q")];
    let value = prop_oneof![
        Just("i"),
        Just("3 * i - p"),
        Just("q"),
        Just("b[i % 4]"),
        Just("b[p] + i"),
        Just("nondet()"),
        Just("nondet() / 2"),
        Just("a[0]")
    ];
    let asked = prop_oneof![
        Just("a[q] == 7"),
        Just("a[q] == q && a[q + 1] == q + 1"),
        Just("a[q] == last"),
        Just("last > 4 && a[p] != p"),
        Just("a[2] == 4 && a[3] == 5 && last == n - 1"),
        Just("a[q] < a[q + 2] && last == 2"),
    ];
    (prop_oneof![Just("0"), Just("1"), Just("p")], steps, index, value, asked).prop_map(|(start, step, index, value, asked)| Shape {
        start,
        step,
        index,
        value,
        asked,
    })
}

/// Whether an input of the box gets to the target; all that is drawn is one value.
fn is_reached_in_a_box(source: &str) -> Option<Input> {
    let lts = lower(source);
    let machine = Machine::new(&lts);
    for numbers in 0..6 * 3 * 12 * 5 {
        let [n, p, q, drawn] = [numbers % 6, numbers / 6 % 3, numbers / 18 % 12, numbers / 216].map(i64::from);
        let mut input = Input::default();
        for (name, value) in [("n", n), ("p", p), ("q", q)] {
            input.values.insert(name.to_owned(), Int::from(value));
        }
        let value = Int::from([0, 3, 7, 14, -2][drawn as usize]);
        input.nondet = vec![value.clone(); 12];
        input.arrays.insert("b".to_owned(), culdesac::interp::ArrayInput { default: value, ..Default::default() });
        let run = machine.run(&input, 10_000);
        if run.outcome == Outcome::Returned && run.value == Some(Int::ONE) {
            return Some(input);
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(12), ..ProptestConfig::default() })]

    /// What an input of the box reaches is reached, and what is unreachable no input of the box reaches.
    #[test]
    fn agrees_with_all_inputs_of_a_box(shape in shape()) {
        let source = shape.source();
        let found = is_reached_in_a_box(&source);
        // Where nothing is found, a verdict could only be wrong; it is not waited for.
        let limit = if found.is_some() { 1_000_000 } else { 50_000 };
        let (document, claims) = reach_within(&source, &line(&source), limit);
        if let Some(input) = found {
            prop_assert_eq!(document.verdict, ReachVerdict::Reached, "{:?} {:?}\n{}", input, document.open, source);
        }
        if document.verdict != ReachVerdict::Unknown {
            prop_assert_eq!(rejected(&source, &document, claims).0, 0, "{}", source);
        }
    }
}
