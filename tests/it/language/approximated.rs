//! Parts of functions that are not understood are approximated: no verdict overlooks what they may do, and no test goes through them.

use crate::common::cases::cases;
use crate::differential::draw::Random;
use crate::differential::{random, related};
use crate::suites::{branches, request};
use culdesac::analysis::branches::{BranchesDocument, BranchesSettings, BranchesVerdict};
use culdesac::analysis::cover::{Cover, CoverSettings, CoverStatement};
use culdesac::analysis::{Listener, Query};
use culdesac::load::load;
use culdesac::view::{Reply, Request};
use std::collections::BTreeMap;

/// Programs of each kind in the daily run.
const USUAL: u32 = 6;

fn asked(source: &str, function: Option<&str>) -> Request {
    Request { function: function.map(str::to_owned), ..request("part.c", source, Some(300_000)) }
}

fn document(source: &str, function: Option<&str>) -> BranchesDocument {
    branches(&asked(source, function), BranchesSettings::default()).unwrap_or_else(|| panic!("refused:\n{source}"))
}

/// The verdict of the side that holds of a condition, and of the other.
fn sides(source: &str, condition: &str) -> Vec<BranchesVerdict> {
    let document = document(source, Some("f"));
    let of = |text: &str| document.list.iter().find(|side| side.text == text).map(|side| side.verdict);
    let negated = [format!("!({condition})"), format!("!{condition}")];
    let sides: Vec<BranchesVerdict> = [of(condition), negated.iter().find_map(|text| of(text))].into_iter().flatten().collect();
    assert_eq!(sides.len(), 2, "{condition} in {:?}", document.list.iter().map(|side| &side.text).collect::<Vec<_>>());
    sides
}

/// The places that a program has, by line with their reasons.
fn places(source: &str) -> Vec<String> {
    let loaded = load(&asked(source, Some("f"))).unwrap_or_else(|errors| panic!("{source}\n{errors:?}"));
    loaded.warnings.iter().filter(|warning| warning.message.starts_with("approximated: ")).map(|warning| warning.message.clone()).collect()
}

#[test]
fn a_place_is_named_with_its_line_and_reason() {
    let source = "int f(int x) {\n  __asm__ volatile(\"nop\" : \"+r\"(x));\n  if (x > 3 && mbtowc(x)) return 1;\n  return 0;\n}\n";
    assert_eq!(
        places(source),
        ["approximated: line 2: asm", "approximated: line 3: the library's `mbtowc`, of `<stdlib.h>`, is not supported"]
    );
}

/// A value in a list is a place by itself; where a declaration is one, a later use of its name says so.
#[test]
fn a_place_in_a_list_and_a_declaration() {
    let source =
        "int f(int x) {\n  int a[3] = {x, mbtowc(x), [2] = 7};\n  if (a[1] == 4) return 1;\n  if (a[2] == 8) return 2;\n  return 0;\n}\n";
    assert_eq!(places(source), ["approximated: line 2: the library's `mbtowc`, of `<stdlib.h>`, is not supported"]);
    use BranchesVerdict::{Infeasible, Open};
    assert_eq!(sides(source, "a[1] == 4"), [Open, Open]);
    assert_eq!(sides(source, "a[2] == 8")[0], Infeasible);
    let source = "int f(int x) {\n  long double z = x;\n  if (z == x) return 1;\n  if (x > 3) return 2;\n  return 0;\n}\n";
    let places = places(source);
    assert_eq!(places.len(), 2, "{places:?}");
    assert!(places[1].starts_with("approximated: line 3: `z` is not understood: "), "{places:?}");
    assert_eq!(sides(source, "x > 3"), [Open, Open]);
}

/// What `%s` prints decides nothing: a text that is not followed refuses no function.
#[test]
fn a_printed_text_may_be_unknown() {
    use BranchesVerdict::{Covered, Infeasible, Open};
    let source = "#include <stdio.h>\nstruct T { const char *url; struct T *next; };\nint f(struct T *t, int x) {\n  if (x == 9) return 3;\n  \
        printf(\"%s\\n\", t->next->url);\n  if (x > 8 && x < 10) return 1;\n  return 0;\n}\n";
    assert_eq!(places(source), ["approximated: line 5: `%s` cannot print this here"]);
    assert_eq!(sides(source, "x == 9"), [Covered, Covered]);
    assert_eq!(sides(source, "x > 8")[0], Open);
    assert_eq!(sides(source, "x < 10")[0], Infeasible);
}

/// A function of the library is called in a place and beside it.
#[test]
fn a_place_may_call_the_library() {
    let source = "#include <string.h>\nvoid use(char **); int f(int n, char **p) {\n  int k = 0; use(p);\n  for (int i = 1; i < n; i++) {\n    if (strcmp(p[i], \"-v\") == 0) k++;\n    \
        else if (strcmp(p[i], \"-n\") == 0) k += 2;\n  }\n  if (k == 1 && strlen(\"ab\") == 3) return 1;\n  return k;\n}\n";
    let why = "`p[…]` is not supported where its index is not a constant";
    assert_eq!(places(source), [5, 6].map(|line| format!("approximated: line {line}: {why}")));
    assert_eq!(sides(source, "strlen(\"ab\") == 3")[0], BranchesVerdict::Infeasible);
}

/// What stands before and beside a place is decided as ever; what it may change is open, and what it cannot change infeasible.
#[test]
fn a_place_changes_what_it_can_reach() {
    use BranchesVerdict::{Covered, Infeasible, Open};
    let with = |place: &str, condition: &str| {
        format!("int f(int x, int *p) {{ int y = 3; int z = 4; int *q = &z; {place} if ({condition}) return 1; return *q; }}")
    };
    for (place, condition, expected) in [
        ("__asm__(\"\");", "y == 4", [Infeasible, Open]),
        ("__asm__(\"\" : \"=r\"(y));", "y == 4", [Open, Open]),
        ("mbtowc(y);", "y == 4", [Infeasible, Open]),
        ("x = mbtowc(&y);", "y == 4", [Open, Open]),
        ("mbtowc(q);", "z == 5", [Open, Open]),
        ("mbtowc(p);", "y == 4", [Infeasible, Open]),
        ("y = mbtowc(1);", "y == 4", [Open, Open]),
        ("x = 2.5 * y;", "y == 4", [Infeasible, Covered]),
        ("q = mbtowc(0);", "y == 4", [Infeasible, Open]),
        ("if (x > 100 && mbtowc(1)) return 2;", "x == 7", [Covered, Covered]),
        ("if (x > 100 && mbtowc(1)) return 2;", "y == 7", [Infeasible, Covered]),
    ] {
        assert_eq!(sides(&with(place, condition), condition), expected, "{place} {condition}");
    }
}

/// A function whose address stays inside the program is not called back; a pointer passed by value leads to what it points to alone.
#[test]
fn what_has_escaped_is_known_by_pointers() {
    let inside = "void h(void); static int y; static int set(int v) { y = v; return v; } static int call(int (*s)(int)) { return s(1); } \
        static int f(int x) { call(set); h(); if (y != 1) return 1; return 0; }";
    assert_eq!(sides(inside, "y != 1")[0], BranchesVerdict::Infeasible);
    let passed = "void h(int *p); int f(int x) { int y = 1; int z = 2; int *p = &z; h(p); if (y != 1) return 1; return z; }";
    assert_eq!(sides(passed, "y != 1")[0], BranchesVerdict::Infeasible);
}

/// Decisions within a place are listed, and open; decisions of computed conditions have tests.
#[test]
fn decisions_within_a_place_count() {
    let listed = |source: &str| document(source, Some("f")).list.iter().map(|side| side.verdict).collect::<Vec<_>>();
    for (body, decisions, expected) in [
        ("x = mbtowc(x) || x > 3;", 1, BranchesVerdict::Open),
        ("mbtowc(x ? 1 : 2);", 1, BranchesVerdict::Open),
        ("if (x * 1.5 > 3 || x * 2.5 < 2) return 1;", 2, BranchesVerdict::Covered),
        ("while (mbtowc(x) && x) x--;", 2, BranchesVerdict::Open),
    ] {
        let listed = listed(&format!("int f(int x) {{ {body} return 0; }}"));
        assert!(listed.len() >= 2 * decisions, "{body}: {listed:?}");
        assert!(listed.contains(&expected), "{body}: {listed:?}");
    }
}

/// The text has an expression of any precedence in the place.
#[test]
fn negations_of_approximated_conditions_are_bracketed() {
    let listed = document("int f(int x) { if (mbtowc(x) > 3) return 1; return 0; }", Some("f")).list;
    assert_eq!(listed.iter().map(|side| side.text.as_str()).collect::<Vec<_>>(), ["mbtowc(x) > 3", "!(mbtowc(x) > 3)"]);
}

/// *Cover* refutes what no execution takes, though the executions that take other statements pass a place.
#[test]
fn cover_refutes_beside_open_statements() {
    let source = "int f(int x) { if (x > 5 && x < 2) return 1; mbtowc(x); if (x > 5 && x < 3) return 2; if (x) return 3; return 4; }";
    let settings = CoverSettings { unwind: None, algorithm: "prefer".to_owned(), precondition: None, summaries: false };
    let asked = Query { request: Some(asked(source, Some("f"))), settings };
    let Reply::Document { document } = asked.answer::<Cover>(&Default::default, &mut Listener::new(&mut |_| true)) else {
        panic!("refused")
    };
    let texts = |list: &[CoverStatement]| list.iter().map(|statement| statement.text.clone()).collect::<Vec<_>>();
    assert_eq!(texts(&document.infeasible), ["x < 2", "x < 3"]);
    assert!(texts(&document.open).contains(&"x".to_owned()), "{:?}", texts(&document.open));
}

/// A name whose declaration is not understood never means another object.
#[test]
fn a_hidden_name_is_not_taken_for_another() {
    let refused = |source: &str| load(&asked(source, Some("f"))).is_err();
    assert!(refused("int y; int f(int x) { long double y = 1; if (y > 2) return 1; return 0; }"));
    assert!(refused("int f(int x) { if (x) { long double x = 1; if (x > 2) return 1; } return 0; }"));
    assert!(refused("enum { A = 1 }; int f(int x) { union { int d : 1; enum { A = 2 } e; } y; if (A == 1) return 1; return 0; }"));
    assert!(!refused("int f(int x) { long double y = 1; if (y > 2) return 1; return 0; }"));
}

/// Control comes back to some places more than once: their functions are refused.
#[test]
fn what_goes_on_twice_is_not_approximated() {
    let refused = |source: &str| load(&asked(source, Some("f"))).is_err();
    assert!(refused("int f(int x) { int y = x; if (setjmp(0)) return y; mbtowc(x); return 0; }"));
    assert!(refused("int f(int x) { goto *mbtowc(x); a: return 1; }"));
    assert!(refused("int f(int x) { return mbtowc(({ return x; 1; })); }"));
    // What a missing header may define is no expression.
    assert!(refused("#include \"missing.h\"\nint f(int x) { UNKNOWN(x); return x; }"));
}

/// What a header of the system declares is approximated where it is used.
#[test]
fn functions_of_system_headers_are_approximated() {
    use BranchesVerdict::{Covered, Infeasible, Open};
    let source = "#include <unistd.h>\n#include <fcntl.h>\nint f(int x) { int n = 1, m = 1; if (x < 3 && x > 5) return 9; if (x > 7) return 8;\n\
        int d = open(\"a\", O_RDONLY); if (d < 0) return 1; if (m != 1) return 2; if (read(d, &n, 4) > 2) return 3; close(d); return 0; }";
    assert_eq!(sides(source, "x > 5"), [Infeasible, Covered]);
    assert_eq!(sides(source, "d < 0"), [Open, Open]);
    assert_eq!(sides(source, "m != 1"), [Infeasible, Open]);
    assert_eq!(sides(source, "read(d, &n, 4) > 2"), [Open, Open]);
}

/// Programs of which some conditions and statements stand in parentheses of `opaque`, which means nothing, and then the identity.
#[test]
fn no_approximation_contradicts_the_program() {
    let (mut compared, mut decided) = (0, 0);
    for number in 0..u64::from(cases(USUAL)) {
        let programs = [(random::program(number), None), (related::program(number).plain, Some("look"))];
        for (program, function) in programs {
            let mut random = Random::new(&program, number);
            let opaque = hidden(&program, &mut random);
            // As a macro, and in place.
            let [whole, part] = match number % 2 {
                0 => ["__VA_ARGS__", "mbtowc(__VA_ARGS__)"].map(|text| format!("#define opaque(...) {text}\n{opaque}")),
                _ => ["      (", "mbtowc ("].map(|text| opaque.replace("opaque(", text)),
            };
            let Some(all) = branches(&asked(&whole, function), BranchesSettings::default()) else { continue };
            let Some(document) = branches(&asked(&part, function.or(Some(&all.header.function))), BranchesSettings::default()) else {
                continue;
            };
            let known: BTreeMap<_, _> = all.list.iter().map(|side| ((side.line, side.column, side.side.clone()), side.verdict)).collect();
            for side in &document.list {
                use BranchesVerdict::{Covered, Infeasible, Open};
                let Some(&verdict) = known.get(&(side.line, side.column, side.side.clone())) else { continue };
                compared += 1;
                decided += usize::from(side.verdict != Open);
                let contradicts = matches!((verdict, side.verdict), (Covered, Infeasible) | (Infeasible, Covered));
                assert!(
                    !contradicts,
                    "program {number}: line {} {}: {verdict:?}, and {:?} in part\n{opaque}",
                    side.line, side.text, side.verdict
                );
            }
        }
    }
    println!("{compared} sides compared, {decided} decided");
    assert!(compared > 100 && 5 * decided > compared, "{compared} compared, {decided} decided");
}

/// The program with some of its conditions and assignments within `opaque(…)`.
fn hidden(program: &str, random: &mut Random) -> String {
    let mut text = String::new();
    for line in program.lines() {
        let hide = random.below(6) == 0;
        let condition = ["if (", "while ("].iter().find_map(|word| Some((line.find(word)? + word.len(), *word)));
        match condition {
            Some((start, _)) if hide => match closing(line, start) {
                Some(end) => text.push_str(&format!("{}opaque({}){}", &line[..start], &line[start..end], &line[end..])),
                None => text.push_str(line),
            },
            None if hide && is_assignment(line) => {
                let (before, after) = line.split_once(" = ").expect("an assignment");
                text.push_str(&format!("{before} = opaque({});", after.trim_end().trim_end_matches(';')));
            }
            _ => text.push_str(line),
        }
        text.push('\n');
    }
    text
}

/// A line that only assigns.
fn is_assignment(line: &str) -> bool {
    let plain = line.trim();
    let starts = plain.chars().next().is_some_and(|letter| letter.is_ascii_lowercase());
    starts
        && plain.ends_with(';')
        && plain.matches(';').count() == 1
        && plain.contains(" = ")
        && !plain.contains(['{', '?', '"'])
        && !plain.split(' ').next().is_some_and(|word| {
            word.chars().all(|letter| letter.is_ascii_lowercase())
                && plain.split(" = ").next().is_some_and(|left| left.trim().contains(' '))
        })
}

/// Where the parenthesis closes that was opened before.
fn closing(line: &str, start: usize) -> Option<usize> {
    let mut depth = 1;
    for (at, letter) in line[start..].char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(start + at);
        }
    }
    None
}
