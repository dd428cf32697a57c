//! Programs that read standard input: what is said of them against runs of what gcc compiles, on texts.
//!
//! `CULDESAC_DIFFERENTIAL_PROGRAMS` and `CULDESAC_DIFFERENTIAL_FIRST` say which programs at random, as in `tests/it/language/gcc.rs`.

use crate::differential::random;
use crate::differential::stdin::check;
use culdesac::analysis::branches::{Branches, BranchesDocument, BranchesOrder, BranchesSettings, BranchesVerdict};
use culdesac::analysis::{Listener, Query};
use culdesac::evidence::path::check_reached;
use culdesac::interp::Machine;
use culdesac::load::load;
use culdesac::view::{Input, Reply, Request};

/// Programs, unless the environment says otherwise.
const USUAL: u64 = 24;
/// Texts of each.
const TEXTS: usize = 60;

#[test]
fn texts_are_read_as_the_c_library_does() {
    if std::process::Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc");
        return;
    }
    let numbers: Vec<u64> = random::numbers(USUAL).collect();
    let report = check(&numbers, TEXTS);
    for (what, count) in &report.counts {
        println!("{count:>8}  {what}");
    }
    let first: Vec<&str> = report.contradictions.iter().take(5).map(String::as_str).collect();
    assert!(first.is_empty(), "{} contradictions\n\n{}", report.contradictions.len(), first.join("\n\n"));
    // The programs have something to decide.
    assert!(report.counts["infeasible"] > 0 && report.counts["covered"] > report.counts["open"], "{:?}", report.counts);
}

fn request(source: &str) -> Request {
    let source = format!("#include <stdio.h>\n{source}");
    Request { program: "f.c".to_owned(), source, limit: Some(300_000), ..Request::default() }
}

fn branches(source: &str) -> BranchesDocument {
    branches_of(&request(source))
}

fn branches_of(request: &Request) -> BranchesDocument {
    let source = &request.source;
    let settings = BranchesSettings { tests: Vec::new(), order: BranchesOrder::default(), baselines: false };
    let asked = Query { request: Some(request.clone()), settings };
    match asked.answer::<Branches>(&Default::default, &mut Listener::new(&mut |_| true)) {
        Reply::Document { document } => document,
        Reply::Refused { diagnostics } => panic!("{source}: {diagnostics:?}"),
    }
}

/// Programs whose `return 1` no text reaches, and whose `return 2` some text does.
#[test]
fn what_no_text_gives_is_infeasible() {
    let programs = [
        // A conversion that fails leaves its object.
        "int main(void) { int x = 5; if (scanf(\"%d\", &x) != 1) { if (x != 5) return 1; return 2; } return 0; }",
        "int main(void) { int a = 1, b = 2; if (scanf(\"%d%d\", &a, &b) < 2) { if (b != 2) return 1; if (a == 9) return 2; } return 0; }",
        "int main(void) { char w[4] = \"k\"; if (scanf(\"%2[a-c]\", w) != 1) { if (w[0] != 'k') return 1; return 2; } return 0; }",
        "int main(void) { char w[4]; if (scanf(\"%3[a-c]\", w) == 1) { if (w[0] == 'd') return 1; if (w[0] == 'c') return 2; } return 0; }",
        // A number has no more digits than its width, one fewer after a sign; an object that keeps its value has any.
        "int main(void) { int y, m; if (scanf(\"%4d-%2d\", &y, &m) != 2) return 0; if (y > 9999 || y < -999 || m > 99 || m < -9) return 1;
            return y == -999 && m == -9 ? 2 : 0; }",
        "int main(void) { int x = 5; scanf(\"%1d\", &x); if (x > 9 || x < 0) return 1; return x == 9 ? 2 : 0; }",
        "int main(void) { int x = 100; scanf(\"%2d\", &x); if (x > 100) return 1; return x == 100 ? 2 : 0; }",
        "int main(void) { unsigned x, y; if (scanf(\"%2x%1o\", &x, &y) != 2) return 0; if (y > 7 || x > 255 && x < 4294967281u) return 1;
            return x == 255 && y == 7 ? 2 : 0; }",
        "int main(void) { int x; if (scanf(\"%4i\", &x) != 1) return 0; if (x > 9999 || x < -999) return 1; return x == 9999 ? 2 : 0; }",
        // A call may end before its `%n`, which counts what was read in front of it.
        "int main(void) { int n = -1; scanf(\"%*d%n\", &n); if (n == 0 || n < -1) return 1; return n == -1 ? 2 : 0; }",
        "int main(void) { int n = -1; scanf(\"%*d%n\", &n); if (n == 0) return 1; return n == 3 ? 2 : 0; }",
        "int main(void) { int n = -1, k = scanf(\"%*d%n\", &n); if (k == EOF && n != -1) return 1; return k == 0 && n == -1 ? 2 : 0; }",
        "int main(void) { int x, n = 0, k = scanf(\"%d%n\", &x, &n); if (k == 1 && n < 1) return 1; return k == 1 && n == 4 && x == 7 ? 2 : 0; }",
        "int main(void) { int x, n = -1, k = scanf(\"%d,%n\", &x, &n); if (k == 0 && n >= 0) return 1; return k == 1 && n < 0 ? 2 : 0; }",
        "int main(void) { char w[3]; int n = -1, m = -1, k = scanf(\"%3c,%n%*d%n\", w, &n, &m); if (n == -1 && m != -1 || k == 0) return 1;
            return n == 4 && m == 9 ? 2 : 0; }",
        // The end is final, for all kinds of reads.
        "int main(void) { if (getchar() == EOF) { if (getchar() != EOF) return 1; return 2; } return 0; }",
        "int main(void) { int x; if (scanf(\"%d\", &x) == EOF) { if (getchar() != EOF) return 1; return 2; } return 0; }",
        "int main(void) { int x; if (getchar() == -1) { if (scanf(\"%d\", &x) != -1) return 1; return 2; } return 0; }",
        "int main(void) { char b[4]; if (!fgets(b, 4, stdin)) { if (fgets(b, 4, stdin)) return 1; return 2; } return 0; }",
        "int main(void) { int c; while ((c = getchar()) != EOF) if (c == 'x') return 2; if (getchar() == 'x') return 1; return 0; }",
        // The end-of-file indicator is set by a read that looks past the end, and by nothing else.
        "int main(void) { if (feof(stdin)) return 1; int c = getchar(); if (c == 'x' && feof(stdin)) return 1; return c == 'x' ? 2 : 0; }",
        "int main(void) { if (getchar() == EOF) { if (!feof(stdin)) return 1; return 2; } return 0; }",
        "int main(void) { int x, n = 0; while (!feof(stdin)) { if (scanf(\"%d\", &x) != 1) break; n++; }
            if (feof(stdin) && getchar() != EOF) return 1; if (n == 3) return 2; return 0; }",
        "int main(void) { char b[4]; if (!fgets(b, 4, stdin) && !feof(stdin)) return 1; if (feof(stdin) && b[0] == 'a') return 2; return 0; }",
        "int main(void) { while (getchar() != EOF) ; clearerr(stdin); if (feof(stdin)) return 1; return 2; }",
        "int main(void) { int x; if (scanf(\"%d\", &x) == EOF && !feof(stdin)) return 1; if (feof(stdin) && x == 7) return 2; return 0; }",
        // `scanf` gives back so many at most.
        "int main(void) { int x; int r = scanf(\"%d\", &x); if (r < -1 || r > 1) return 1; if (r == 0) return 2; return 0; }",
    ];
    for source in programs {
        let document = branches(source);
        let machine_source = request(source);
        let loaded = load(&machine_source).unwrap_or_else(|_| panic!("{source}"));
        let infeasible = document.list.iter().filter(|side| side.verdict == BranchesVerdict::Infeasible).count();
        assert!(infeasible > 0, "{source}: {:?}", document.list);
        let returned: Vec<i64> = (document.tests.iter())
            .map(|test| {
                let input = culdesac::view::fitting(&loaded.lts, &test.input).expect("it fits");
                assert!(input.stdin.is_some() && input.nondet.is_empty(), "{source}: {input:?}");
                Machine::new(&loaded.lts).run(&input, 10_000).value.and_then(|value| value.to_i64()).expect("a value")
            })
            .collect();
        assert!(returned.contains(&2) && !returned.contains(&1), "{source}: {returned:?}");
    }
}

/// What only an error of a stream could make run is infeasible under an assumption that says so, and open without it.
#[test]
fn errors_of_streams_are_assumed_away() {
    for (checked, rest) in [
        ("int c = getchar(); if (c == EOF && !feof(stdin)) return 1;", 3),
        ("int c = getchar(); if (c == EOF && ferror(stdin)) return 1;", 3),
        ("if (getchar() == EOF && getchar() != EOF) return 1;", 3),
        ("int x; if (scanf(\"%d\", &x) == EOF && scanf(\"%d\", &x) == 1) return 1;", 3),
        ("int c = getchar(); if (printf(\"%c %s\\n\", c, \"x\") < 0) return 1;", 1),
        ("int n = printf(\"ab\"); if (n != 2) return 1;", 1),
        ("if (EOF == puts(\"x\")) return 1;", 1),
        ("if (fprintf(stderr, \"%d\", 3) < 0) return 1;", 1),
        ("if (putchar('x') == EOF || fflush(stdout)) return 1;", 2),
        ("if (fclose(stdout) != 0) return 1;", 1),
        ("if (getchar() == EOF && fclose(stdin) == EOF) return 1;", 3),
    ] {
        let source = format!("int main(void) {{ {checked} return 0; }}");
        let (covered, infeasible): (Vec<_>, Vec<_>) =
            branches(&source).list.into_iter().partition(|side| side.verdict == BranchesVerdict::Covered);
        assert_eq!(covered.len(), rest, "{source}: {covered:?} {infeasible:?}");
        assert!(infeasible.iter().all(|side| side.verdict == BranchesVerdict::Infeasible), "{source}: {infeasible:?}");
        assert!(infeasible.iter().all(|side| side.assumes == ["working-streams"]), "{source}: {infeasible:?}");
        let without = branches_of(&Request { no_assume: vec!["working-streams".to_owned()], ..request(&source) });
        assert!(without.list.iter().all(|side| side.verdict != BranchesVerdict::Infeasible), "{source}: {:?}", without.list);
    }
    // What the sign does not tell is known of a fixed text alone.
    let document = branches("int main(void) { int n = printf(\"ab\"); if (n == 2) return 2; return 0; }");
    assert_eq!(document.list.iter().filter(|side| side.assumes == ["working-streams"]).count(), 1);
}

/// What one text gives is no test of another: a wish that no text gives is refused, in stored evidence too.
#[test]
fn inputs_without_a_text_are_wishes() {
    let source = "int main(void) { int x = 5; if (scanf(\"%d\", &x) == 1 && getchar() == '7') return 1; return 0; }";
    let request = request(source);
    let loaded = load(&request).unwrap_or_else(|_| panic!("{source}"));
    let machine = Machine::new(&loaded.lts);
    let replay = |json: &str| {
        let input: Input = serde_json::from_str(json).expect("an input");
        let read = culdesac::view::fitting(&loaded.lts, &input).expect("it fits");
        let edges: Vec<u32> = machine.run(&read, 100).edges.iter().map(|edge| edge.index() as u32).collect();
        check_reached(&loaded.lts, &machine, &edges, &input).map(|()| edges.len())
    };
    // The number that `scanf` gives back, the value, the character.
    assert!(replay(r#"{"nondet": [1, 43, 97]}"#).is_ok());
    assert!(replay(r#"{"stdin": "43a"}"#).is_ok());
    // The run ends before a digit after the number; what it took before, some text takes.
    let short = replay(r#"{"nondet": [1, 43, 55]}"#).expect("a prefix");
    assert!(short < replay(r#"{"nondet": [1, 43, 97]}"#).expect("a run"));
    let run = machine.run(&culdesac::interp::Input { stdin: Some(b"43 7".to_vec()), ..Default::default() }, 100);
    assert_eq!(run.value.and_then(|value| value.to_i64()), Some(0));
}
