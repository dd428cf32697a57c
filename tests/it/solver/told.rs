//! Questions that are told and dumped, against the same questions asked alone.

use culdesac::analysis::cover::{Cover, CoverSettings};
use culdesac::analysis::{Asked, Listener};
use culdesac::logic::{FormulaId, Pool};
use culdesac::solver::meter::Meter;
use culdesac::solver::{Answer, Context};
use culdesac::view::{Reply, Request};

/// As long as a question may take here.
const LIMIT: u64 = 400_000;

/// A question that is told (and dumped) has all that was asserted with it: the same comes out of it alone.
#[test]
fn every_question_told_is_the_one_asked() {
    let mut told = 0;
    for (name, source) in [
        (
            "check_fails",
            "#include <assert.h>\nint f(int x, int a[4]) { if (x > 3) { assert(x != 7); return a[x - 4]; } if (x > 5) return 1; return 10 / x; }",
        ),
        (
            "loop",
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i == 2) s += 5; if (s < 0) return 1; } if (s == 3) return 2; return s; }",
        ),
    ] {
        let request = Request { program: name.to_owned(), source: source.to_owned(), ..Request::default() };
        let settings = CoverSettings { unwind: None, algorithm: "prefer".to_owned(), precondition: None, summaries: false };
        let mut query = |pool: &Pool, assertions: &[FormulaId], answer: &Answer| {
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
        };
        let mut progress = |_| true;
        let mut listener = Listener { query: Some(&mut query), ..Listener::new(&mut progress) };
        let asked = Asked { request: Some(request), settings };
        assert!(matches!(asked.answer::<Cover>(&Default::default, &mut listener), Reply::Document { .. }));
    }
    assert!(told > 10, "{told}");
}
