//! Questions that are told and dumped, against the same questions asked alone: of our solver, and of z3 where there is one.

use culdesac::analysis::cover::{Cover, CoverSettings};
use culdesac::analysis::{Listener, Query};
use culdesac::logic::{FormulaId, Pool};
use culdesac::smtlib::{Verdict, query};
use culdesac::solver::meter::Meter;
use culdesac::solver::{Answer, Context};
use culdesac::view::{Reply, Request};
use std::process::Command;

/// As long as a question may take here.
const LIMIT: u64 = 400_000;

const PROGRAMS: [(&str, &str); 3] = [
    (
        "check_fails",
        "#include <assert.h>\nint f(int x, int a[4]) { if (x > 3) { assert(x != 7); return a[x - 4]; } if (x > 5) return 1; return 10 / x; }",
    ),
    (
        "loop",
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i == 2) s += 5; if (s < 0) return 1; } if (s == 3) return 2; return s; }",
    ),
    (
        "bits",
        "int f(unsigned x, unsigned y) { if ((x & (x - 1)) == 0 && x > 8) { if (x % 3 == 0) return 1; if (x / 3 == y) return 2; } return 0; }",
    ),
];

/// Asks what `cover` asks of a program; each question goes to `told`.
fn asked(name: &str, source: &str, mut told: impl FnMut(&Pool, &[FormulaId], &Answer)) {
    let request = Request { program: name.to_owned(), source: source.to_owned(), ..Request::default() };
    let settings = CoverSettings { unwind: None, algorithm: "prefer".to_owned(), precondition: None, summaries: false };
    let mut progress = |_| true;
    let mut listener = Listener { query: Some(&mut told), ..Listener::new(&mut progress) };
    let asked = Query { request: Some(request), settings };
    assert!(matches!(asked.answer::<Cover>(&Default::default, &mut listener), Reply::Document { .. }));
}

/// A question that is told (and dumped) has all that was asserted with it: the same comes out of it alone.
#[test]
fn every_question_told_is_the_one_asked() {
    let mut told = 0;
    for (name, source) in PROGRAMS {
        asked(name, source, |pool, assertions, answer| {
            told += 1;
            match answer {
                Answer::Sat(model) => assert!(model.satisfies(pool, assertions.iter().copied()), "{name}"),
                Answer::Unsat(_) => {
                    let mut alone = Context::new();
                    alone.pool = pool.clone();
                    for &formula in assertions {
                        alone.assert(formula);
                    }
                    assert!(!matches!(alone.check(&mut Meter::new(LIMIT)), Answer::Sat(_)), "{name}");
                }
                Answer::Unknown(_) => {}
            }
        });
    }
    assert!(told > 10, "{told}");
}

/// A dumped file says what z3 says of it, as far as that comes to an end. Skipped where no z3 is installed.
#[test]
fn every_question_dumped_is_what_z3_reads() {
    if Command::new("z3").arg("--version").output().is_err() {
        eprintln!("skipped: no z3");
        return;
    }
    let folder = std::env::temp_dir().join(format!("culdesac-told-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the queries");
    let (mut agreed, mut open) = (0, 0);
    for (name, source) in PROGRAMS {
        let (mut scripts, mut ours) = (String::new(), Vec::new());
        asked(name, source, |pool, assertions, answer| {
            let verdict = match answer {
                Answer::Sat(_) => Verdict::Sat,
                Answer::Unsat(_) => Verdict::Unsat,
                Answer::Unknown(_) => Verdict::Unknown,
            };
            scripts += &query(pool, assertions, verdict);
            scripts += "(reset)\n";
            ours.push(verdict);
        });
        let path = folder.join(format!("{name}.smt2"));
        std::fs::write(&path, scripts).expect("the queries are written");
        let output = Command::new("z3").arg("-t:2000").arg(&path).output().expect("z3 runs");
        let said = String::from_utf8_lossy(&output.stdout);
        let theirs: Vec<&str> = said.lines().map(str::trim).collect();
        assert_eq!(theirs.len(), ours.len(), "{}: {said}", path.display());
        for (number, (ours, theirs)) in ours.into_iter().zip(theirs).enumerate() {
            match (ours, theirs) {
                (Verdict::Sat, "sat") | (Verdict::Unsat, "unsat") => agreed += 1,
                (Verdict::Unknown, "sat" | "unsat" | "unknown") | (_, "unknown") => open += 1,
                _ => panic!("question {number} of {}: {ours:?} here, {theirs} there", path.display()),
            }
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    println!("{agreed} alike, {open} open on either side");
    assert!(agreed > 10, "{agreed}");
}
