//! The checker rejects what does not follow: every rule with a case that is accepted and mutations that are not.

use culdesac::logic::{Atom, AtomId, FormulaId, Int, Linear, Pool};
use culdesac::solver::certificate::{Axiom, Certificate, Line, LinearStep, Literal, Step};
use culdesac::solver::check::check;
use culdesac::solver::meter::Meter;
use culdesac::solver::{Answer, Context};

/// Refutes the formulas and gives the certificate, after the checker accepted it.
fn refuted(context: &mut Context, formulas: &[FormulaId]) -> (Vec<FormulaId>, Certificate) {
    for &formula in formulas {
        context.assert(formula);
    }
    match context.check(&mut Meter::new(100_000)) {
        Answer::Unsat(refutation) => {
            let core: Vec<FormulaId> = refutation.core.iter().map(|&position| context.assertions()[position]).collect();
            assert_eq!(check(&context.pool, &core, &refutation.certificate), Ok(()));
            (core, refutation.certificate)
        }
        other => panic!("expected a refutation, got {other:?}"),
    }
}

fn n(value: i64) -> Linear {
    Linear::constant(value)
}

/// All ways to change one detail of a certificate.
fn mutations(certificate: &Certificate) -> Vec<(String, Certificate)> {
    let mut all = Vec::new();
    for index in 0..certificate.lines.len() {
        let mut add = |what: &str, change: &mut dyn FnMut(&mut Line)| {
            let mut mutant = certificate.clone();
            change(&mut mutant.lines[index]);
            if mutant != *certificate {
                all.push((format!("line {index}: {what}"), mutant));
            }
        };
        add("no clause", &mut |line| line.clause.clear());
        add("flipped literal", &mut |line| {
            if let Some(literal) = line.clause.first_mut() {
                literal.positive = !literal.positive;
            }
        });
        add("lost literal", &mut |line| {
            line.clause.pop();
        });
        if let Step::Linear(steps) = &certificate.lines[index].step {
            for at in 0..steps.len() {
                let mut change = |what: &str, mutate: &mut dyn FnMut(&mut LinearStep)| {
                    add(what, &mut |line| {
                        if let Step::Linear(steps) = &mut line.step {
                            mutate(&mut steps[at]);
                        }
                    });
                };
                change("negative factor", &mut |step| {
                    if let LinearStep::Combine(parts) = step {
                        parts[0].1 = -&parts[0].1;
                    }
                });
                change("dropped part", &mut |step| {
                    if let LinearStep::Combine(parts) = step {
                        parts.pop();
                    }
                });
                change("forward reference", &mut |step| {
                    if let LinearStep::Combine(parts) = step {
                        parts[0].0 += 1000;
                    }
                });
                change("wrong divisor", &mut |step| {
                    if let LinearStep::Divide(_, divisor) = step {
                        *divisor = &*divisor + &Int::ONE;
                    }
                });
                change("divisor 0", &mut |step| {
                    if let LinearStep::Divide(_, divisor) = step {
                        *divisor = Int::ZERO;
                    }
                });
                change("denied literal", &mut |step| {
                    if let LinearStep::Literal(literal) = step {
                        literal.positive = !literal.positive;
                    }
                });
            }
        }
    }
    for index in 0..certificate.lines.len() {
        let mut mutant = certificate.clone();
        mutant.lines.remove(index);
        all.push((format!("line {index} removed"), mutant));
    }
    all
}

/// Certificates of unsatisfiable sets that need each rule; with every mutation either rejected or still a refutation.
/// The latter is decided without the checker: a mutant must never refute a satisfiable set.
#[test]
fn mutants_never_refute_what_is_satisfiable() {
    let mut tried = 0;
    let mut rejected = 0;
    for build in cases() {
        let mut context = Context::new();
        let formulas = build(&mut context.pool);
        let (core, certificate) = refuted(&mut context, &formulas);
        // Without one formula of the core the rest is often satisfiable: nothing may refute it then.
        let rests: Vec<Vec<FormulaId>> = (0..core.len())
            .map(|left_out| core.iter().enumerate().filter(|(index, _)| *index != left_out).map(|(_, f)| *f).collect())
            .filter(|rest: &Vec<FormulaId>| satisfiable(&context.pool, rest))
            .collect();
        for (what, mutant) in mutations(&certificate) {
            tried += 1;
            rejected += usize::from(check(&context.pool, &core, &mutant).is_err());
            for rest in &rests {
                assert!(check(&context.pool, rest, &mutant).is_err(), "{what} refutes a satisfiable set: {mutant:?}");
            }
        }
    }
    // Nearly every detail of a certificate matters.
    assert!(rejected * 10 > tried * 9, "only {rejected} of {tried} mutants were rejected");
}

fn satisfiable(pool: &Pool, formulas: &[FormulaId]) -> bool {
    let mut context = Context::new();
    context.pool = pool.clone();
    for &formula in formulas {
        context.assert(formula);
    }
    matches!(context.check(&mut Meter::new(100_000)), Answer::Sat(_))
}

type Case = fn(&mut Pool) -> Vec<FormulaId>;

fn cases() -> Vec<Case> {
    vec![
        // Farkas: x ≤ y, y ≤ z, z < x.
        |p| {
            let (x, y, z) = (p.integer("x"), p.integer("y"), p.integer("z"));
            vec![p.at_most(&x, &y), p.at_most(&y, &z), p.less(&z, &x)]
        },
        // Rounding: 2x - 2y = 1.
        |p| {
            let (x, y) = (p.integer("x"), p.integer("y"));
            let two = Int::from(2);
            vec![p.equal(&x.scale(&two).sub(&y.scale(&two)), &n(1))]
        },
        // Splits: 0 < 2x + y < 4 with y = 2z, 2x + y ≠ 2.
        |p| {
            let (x, y, z) = (p.integer("x"), p.integer("y"), p.integer("z"));
            let two = Int::from(2);
            let sum = x.scale(&two).add(&y);
            let not_two = p.equal(&sum, &n(2));
            vec![
                p.at_most(&n(0), &x),
                p.at_most(&x, &n(3)),
                p.less(&n(0), &sum),
                p.less(&sum, &n(4)),
                p.equal(&y, &z.scale(&two)),
                p.not(not_two),
            ]
        },
        // Connectives.
        |p| {
            let (a, b) = (p.boolean("a"), p.boolean("b"));
            let (na, nb) = (p.not(a), p.not(b));
            vec![p.or(&[a, b]), p.or(&[na, b]), p.or(&[a, nb]), p.or(&[na, nb])]
        },
        // Read over write, hit and miss.
        |p| {
            let (i, j, v) = (p.integer("i"), p.integer("j"), p.integer("v"));
            let array = p.array_symbol("a");
            let written = p.store(array, i.clone(), v.clone());
            let read = p.select(written, &j);
            let same = p.equal(&i, &j);
            let equal = p.equal(&read, &v);
            vec![same, p.not(equal)]
        },
        |p| {
            let (i, j, v) = (p.integer("i"), p.integer("j"), p.integer("v"));
            let array = p.array_symbol("a");
            let written = p.store(array, i.clone(), v);
            let (read, below) = (p.select(written, &j), p.select(array, &j));
            let (same, equal) = (p.equal(&i, &j), p.equal(&read, &below));
            vec![p.not(same), p.not(equal)]
        },
        // Congruence.
        |p| {
            let (i, j) = (p.integer("i"), p.integer("j"));
            let array = p.array_symbol("a");
            let (x, y) = (p.select(array, &i), p.select(array, &j));
            vec![p.at_most(&i, &j), p.at_most(&j, &i), p.less(&x, &y)]
        },
        // Truth values and division.
        |p| {
            let x = p.integer("x");
            let positive = p.less(&n(0), &x);
            let t = p.truth(positive);
            vec![p.at_most(&n(2), &t.add(&x)), p.at_most(&x, &n(0))]
        },
        |p| {
            let x = p.integer("x");
            let (q, r) = p.div_rem_trunc(&x, &n(-3)).expect("not zero");
            vec![p.at_most(&x, &n(-7)), p.at_most(&n(-8), &x), p.less(&q.add(&r), &n(0)), p.at_most(&n(3), &q)]
        },
    ]
}

/// Each axiom is believed only for atoms of its shape.
#[test]
fn axioms_are_tied_to_their_atoms() {
    let mut pool = Pool::new();
    let (x, y) = (pool.integer("x"), pool.integer("y"));
    let claim = pool.equal(&x, &y);
    let clause = vec![Literal { formula: claim, positive: true }];
    let atom = x.terms()[0].0;
    assert!(matches!(pool.atom(atom), Atom::Symbol(_)));
    let other = y.terms()[0].0;
    let axioms =
        [Axiom::ReadHit(atom), Axiom::ReadMiss(atom), Axiom::ReadCongruence(atom, other), Axiom::Truth(atom), Axiom::Division(atom)];
    for axiom in axioms.into_iter().chain([Axiom::ReadHit(AtomId(4_000_000))]) {
        let certificate = Certificate { lines: vec![Line { clause: clause.clone(), step: Step::Theory(axiom.clone()) }] };
        let different = pool.not(claim);
        assert!(check(&pool, &[different], &certificate).is_err(), "{axiom:?}");
    }
}

/// Nothing is refuted by an empty certificate but what contradicts itself.
#[test]
fn empty_certificates() {
    let mut pool = Pool::new();
    let p = pool.boolean("p");
    let not_p = pool.not(p);
    assert!(check(&pool, &[], &Certificate::default()).is_err());
    assert!(check(&pool, &[p], &Certificate::default()).is_err());
    assert!(check(&pool, &[p, not_p], &Certificate::default()).is_ok());
    assert!(check(&pool, &[Pool::FALSE], &Certificate::default()).is_ok());
    assert!(check(&pool, &[Pool::TRUE], &Certificate::default()).is_err());
}
