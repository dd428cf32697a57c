//! Loop summaries of variables whose sums wrap around.

use super::reach::{goal, reach, rejected};
use culdesac::analysis::reach::{ReachDocument, ReachVerdict};

fn value(document: &ReachDocument, name: &str) -> String {
    let values = &document.loop_summaries[0].values;
    values.iter().find(|value| value.name == name).map(|value| value.value.clone()).unwrap_or_default()
}

/// Each with a program that differs in the condition, and is reached.
const WRAPPED: [(&str, &str, &str); 5] = [
    ("what one loses the other gets", "unsigned input(void); int f(void) { unsigned all = input(), left = all, moved = 0; while (left > 0) { left--; moved++; } if (moved != all)
        return 1; return 0; }", "moved == all && all > 3"),
    ("a small counter beside a large one", "int f(int n) { unsigned char c = 0; int i = 0; while (i < n) { c++; i++; } if (i < 256 && c != i)
        return 1; return 0; }", "i > 8 && c == 4"),
    ("down in tens", "int f(int n) { unsigned x = 5; while (n-- > 0) x -= 10; if (x == 6)
        return 1; return 0; }", "x == 4294967291u"),
    ("one up, one down", "int f(int n) { unsigned char up = 200, down = 100; for (int i = 0; i < n; i++) { up += 3; down -= 3; } if ((unsigned char)(up + down) != 44)
        return 1; return 0; }", "up == 1 && down == 43"),
    ("two of the same", "int nondet(void); int f(unsigned s) { unsigned a = s, b = 0; while (nondet()) { a += 1; b++; } if (a != s + b)
        return 1; return 0; }", "s > 4294967290u && a == 1"),
];

#[test]
fn sums_that_wrap_around_are_decided() {
    for (name, source, other) in WRAPPED {
        let (document, claims) = reach(source, &goal(source));
        assert_eq!(document.verdict, ReachVerdict::Unreachable, "{name}: {:?}", document.open);
        assert!(document.loop_summaries.iter().flat_map(|summary| &summary.values).all(|value| value.is_known), "{name}");
        assert_eq!(rejected(source, &document, claims), (0, 1), "{name}");
        let (start, end) = (source.rfind("if (").expect("a condition") + 4, source.rfind(")\n").expect("its end"));
        let changed = format!("{}{other}{}", &source[..start], &source[end..]);
        let (document, claims) = reach(&changed, &goal(&changed));
        assert_eq!(document.verdict, ReachVerdict::Reached, "{name}: {:?}", document.open);
        assert_eq!(rejected(&changed, &document, claims), (0, 1), "{name}");
    }
}

/// Where the round's own condition excludes that the sum wraps around, it is the plain sum.
#[test]
fn sums_that_cannot_wrap_around_are_plain() {
    let source = "int f(unsigned n) { unsigned i = 0, c = n; while (i < n) { i++; c--; } if (c > 7)
        return 1; return 0; }";
    let (document, _) = reach(source, &goal(source));
    assert_eq!(value(&document, "i"), "i + κ1");
    let unguarded = source.replace("while (i < n)", "while (i != n)");
    let (document, _) = reach(&unguarded, &goal(&unguarded));
    assert_eq!(value(&document, "i"), "(i + κ1) % 4294967296");
}
