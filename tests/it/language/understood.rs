//! A function is answered though its neighbours are not understood, and nothing that these may do is lost.

use crate::differential::{random, related};
use crate::suites::{branches, request};
use culdesac::analysis::branches::{BranchesDocument, BranchesSettings, BranchesVerdict};
use culdesac::lang::{parse, parse_understood};
use culdesac::load::load;
use culdesac::view::Request;
use std::collections::BTreeMap;

/// Programs in the daily run.
const USUAL: u64 = 12;
/// What no text in C means to the front end, and what does nothing.
const UNKNOWN: &str = "setjmp(0);";

fn asked(source: &str, function: Option<&str>) -> Request {
    Request { function: function.map(str::to_owned), ..request("part.c", source, Some(300_000)) }
}

/// The names of the functions that the front end understands; then of each function left out its name and the line of its first error.
fn parts(source: &str) -> (Vec<String>, Vec<(String, u32)>) {
    let loaded = load(&asked(source, None)).unwrap_or_else(|errors| panic!("{source}\n{errors:?}"));
    let refused = loaded.refused().into_iter().map(|refused| (refused.function, refused.line)).collect();
    (loaded.functions, refused)
}

/// The verdict of each side, by line, column and side.
fn verdicts(document: &BranchesDocument) -> BTreeMap<(u32, u32, String), BranchesVerdict> {
    document.list.iter().map(|side| ((side.line, side.column, side.side.clone()), side.verdict)).collect()
}

#[test]
fn an_error_closes_its_function_and_what_uses_it() {
    let source = "long double scale(long double x) {\n  return x * 2.5f; }\nint twice(int x) { return x + x; }\nint third(int x) { return twice(scale(x)); }\nint f(int x) { return twice(x); }\nint g(u8 x) { return x; }\nint h(u8 x) { return x; }\nint table[N];\nint k(void) { return table[0]; }\n";
    let (understood, refused) = parts(source);
    assert_eq!(understood, ["twice", "third", "f", "k"]);
    let refused: Vec<(&str, u32)> = refused.iter().map(|(name, line)| (name.as_str(), *line)).collect();
    assert_eq!(refused, [("scale", 1), ("g", 6), ("h", 6)]);
    // One that is asked for has its own error.
    let errors = load(&asked(source, Some("g"))).err().expect("it is not understood");
    assert_eq!((errors.len(), errors[0].place.line, errors[0].code.as_str()), (1, 6, "unknown-type"));
    // The whole is refused as before.
    assert!(parse(source).program.is_none());
}

#[test]
fn brackets_that_do_not_match_close_one_function() {
    let source =
        "int f(int x) {\n  if (x) {\n    return 1;\n  return 0;\n}\nint g(int x) {\n  return x;\n}\nint h(int x) {\n  return (x;\n}\n";
    let (understood, refused) = parts(source);
    assert_eq!((understood, refused), (vec!["g".to_owned()], vec![("f".to_owned(), 1), ("h".to_owned(), 10)]));
}

#[test]
fn the_function_that_is_chosen_is_understood_and_says_why() {
    let source = "int f(int x) { if (x > 3) return 1; return 0; }\nint main(void) { if (setjmp(0)) return f(2); return 0; }\n";
    let loaded = load(&asked(source, None)).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!((loaded.lts.function.as_str(), loaded.chosen_because.as_deref()), ("f", Some("no other one is understood")));
    assert!(loaded.warnings.iter().any(|warning| warning.message.starts_with("`main` is left out: ")), "{:?}", loaded.warnings);
}

/// What a text as a whole lacks is told of it as a whole.
#[test]
fn what_is_of_the_whole_text_refuses_it() {
    for source in [
        "#error stop\nint f(int x) { return x; }",
        "#if 1\nint f(int x) { return x; }",
        "int f(int x) { return y; }",
        "int f(int x) { return g(x); } /* no end",
    ] {
        let (whole, part) = (parse(source), parse_understood(source));
        assert!(whole.program.is_none() && part.program.is_none(), "{source}");
        assert_eq!(format!("{:?}", whole.diagnostics), format!("{:?}", part.diagnostics), "{source}");
    }
}

/// Whatever a function that is left out does to statics before a call, no verdict overlooks it.
#[test]
fn what_a_function_left_out_may_do_counts() {
    let taken = |source: &str, condition: &str| {
        let document = branches(&asked(source, Some("f")), BranchesSettings::default()).unwrap_or_else(|| panic!("{source}"));
        let side = document.list.iter().find(|side| side.text == condition).unwrap_or_else(|| panic!("{condition} in {source}"));
        side.verdict
    };
    let f = "int f(void) { if (mode == 7) return 1; return 0; }";
    // Without it the static never changes.
    assert_eq!(taken(&format!("static int mode; {f}"), "mode == 7"), BranchesVerdict::Infeasible);
    for other in [
        "void g(void) { setjmp(0); mode = 7; }",
        "void set(int *p) { *p = 7; } void g(void) { setjmp(0); set(&mode); }",
        "static void set(int x) { mode = x; } void g(void) { setjmp(0); set(7); }",
        "#define MODE mode\nvoid g(void) { setjmp(0); MODE += 7; }",
        "static int *where = &mode; void g(void) { setjmp(0); *where = 7; }",
        "static struct { int *at; } where = { &mode }; void g(void) { setjmp(0); *where.at = 7; }",
        "static void set(int *p) { *p = 7; } static void (*how)(int *) = set; void g(void) { setjmp(0); how(&mode); }",
    ] {
        // One with a place that is approximated does at least that.
        for other in [other.to_owned(), other.replace(UNKNOWN, "__asm__(\"\");")] {
            assert_ne!(taken(&format!("static int mode; {other}\n{f}"), "mode == 7"), BranchesVerdict::Infeasible, "{other}");
        }
    }
    // What it cannot name it does not change.
    let elsewhere = format!("static int mode, other; void g(void) {{ setjmp(0); other = 7; }} {f}");
    assert_eq!(taken(&elsewhere, "mode == 7"), BranchesVerdict::Infeasible);
    // A first value that is not understood is any value.
    let first = format!("int mode; int mode = __builtin_unknown(7); {f}");
    assert_ne!(taken(&first, "mode == 7"), BranchesVerdict::Infeasible);
    // A function of the program's own is not the library's where its body is not understood.
    let own = "int abs(int x) { setjmp(0); return x; } int f(int x) { return abs(x) < 0; } int h(int x) { return x; }";
    assert_eq!(parts(own).1, [("abs".to_owned(), 1), ("f".to_owned(), 1)]);
    // Nor a type of its own that of a header.
    let own = "typedef word size_t; int f(void) { size_t x = 0; x--; return x > 65535; } int h(int x) { return x; }";
    assert_eq!(parts(own).1, [("f".to_owned(), 1)]);
    // What calls of `main` leave counts beside a function left out, as it does without.
    let main = format!("static int mode; {f} void g(void) {{ setjmp(0); }} int main(void) {{ mode = 7; return f(); }}");
    assert_ne!(taken(&main, "mode == 7"), BranchesVerdict::Infeasible);
}

/// With an instruction that does nothing in one of its functions a program does what it did: no verdict contradicts one of the program
/// without it.
#[test]
fn leaving_a_function_out_contradicts_no_verdict() {
    let (mut compared, mut decided) = (0, 0);
    for number in random::numbers(USUAL) {
        let whole = related::program(number);
        let Some(all) = branches(&asked(&whole.plain, Some("look")), BranchesSettings::default()) else { continue };
        for (name, _) in whole.functions.iter().filter(|(name, _)| name != "look") {
            let Some(at) = whole.plain.find(&format!(" {name}(")) else { continue };
            let Some(open) = whole.plain[at..].find('{') else { continue };
            let (before, after) = whole.plain.split_at(at + open + 1);
            let part = format!("{before}{UNKNOWN}{after}");
            let Some(document) = branches(&asked(&part, Some("look")), BranchesSettings::default()) else { continue };
            let other = verdicts(&document);
            for (side, verdict) in verdicts(&all) {
                use BranchesVerdict::{Covered, Infeasible};
                let there = other[&side];
                compared += 1;
                decided += usize::from(there != BranchesVerdict::Open);
                let contradicts = matches!((verdict, there), (Covered, Infeasible) | (Infeasible, Covered));
                assert!(!contradicts, "program {number} without {name}: {side:?} is {verdict:?}, and {there:?} in part\n{part}");
            }
        }
    }
    println!("{compared} sides compared, {decided} decided");
    assert!(compared > 50 && 2 * decided > compared, "{compared} compared, {decided} decided");
}

/// A jump that is not understood refuses its own function alone.
#[test]
fn jumps_that_are_not_understood_refuse_their_function() {
    let jumps = "#include <setjmp.h>
        jmp_buf j; struct S { jmp_buf env; int n; };
        int f(int x) { if (setjmp(j)) return 1; if (x) longjmp(j, 1); return 0; }
        int h(int x) { static void *t[] = { &&a, &&b }; goto *t[x & 1]; a: return 1; b: return 2; }
        int g(int x, struct S *s) { if (x > 3) return s->n; return sizeof(jmp_buf) == 200; }";
    let program = parse_understood(jumps).program.expect("one is understood");
    let refused: Vec<&str> = program.refused.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(refused, ["f", "h"]);
    assert!(program.function("g").is_some());
}
