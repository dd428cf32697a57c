//! The checker rejects what does not follow: every rule with a case that is accepted and mutations that are not.

use culdesac::evidence;
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
        // Products: signs, squares, a factor that is fixed, multiplied out, the corners of a box.
        |p| {
            let (x, y) = (p.integer("x"), p.integer("y"));
            let product = p.product(&x, &y);
            vec![p.at_most(&n(1), &x), p.at_most(&y, &n(-1)), p.at_most(&n(0), &product)]
        },
        |p| {
            let x = p.integer("x");
            let square = p.product(&x, &x);
            vec![p.equal(&square, &n(2))]
        },
        |p| {
            let x = p.integer("x");
            let square = p.product(&x, &x);
            vec![p.less(&square, &x)]
        },
        |p| {
            let (x, y) = (p.integer("x"), p.integer("y"));
            let product = p.product(&x, &y);
            vec![p.equal(&x, &n(3)), p.equal(&product, &n(7))]
        },
        |p| {
            let (x, y) = (p.integer("x"), p.integer("y"));
            let (sum, xy, y2) = (p.product(&x.add(&y).add(&n(1)), &y), p.product(&x, &y), p.product(&y, &y));
            vec![p.less(&xy.add(&y2).add(&y), &sum)]
        },
        |p| {
            let (x, y) = (p.integer("x"), p.integer("y"));
            let product = p.product(&x, &y);
            let bounds = [p.at_most(&n(-2), &x), p.at_most(&x, &n(3)), p.at_most(&n(-4), &y), p.at_most(&y, &n(5))];
            let large = p.at_most(&n(16), &product);
            bounds.into_iter().chain([large]).collect()
        },
        // Quotient and remainder by a term.
        |p| {
            let (x, y) = (p.integer("x"), p.integer("y"));
            let (q, r) = p.div_rem_trunc(&x, &y).expect("not the constant 0");
            vec![p.at_most(&n(1), &y), p.at_most(&n(0), &x), p.at_most(&x, &n(5)), p.equal(&q, &n(2)), p.at_most(&n(2), &r)]
        },
        |p| {
            let (x, y) = (p.integer("x"), p.integer("y"));
            let (_, r) = p.div_rem_trunc(&x, &y).expect("not the constant 0");
            vec![p.at_most(&y, &n(-1)), p.at_most(&r, &y)]
        },
    ]
}

/// Each axiom about products holds with its own numbers only: no other number is believed for the same clause, and no other
/// axiom.
#[test]
fn parameters_of_lemmas_matter() {
    let mut seen = [0; 5];
    for build in cases() {
        let mut context = Context::new();
        let formulas = build(&mut context.pool);
        let (core, certificate) = refuted(&mut context, &formulas);
        for (index, line) in certificate.lines.iter().enumerate() {
            let Step::Theory(axiom) = &line.step else { continue };
            let others = match axiom.clone() {
                Axiom::Expansion(p) => vec![Axiom::Secant(p, Int::ZERO), Axiom::ProductValue(p, Int::ZERO), Axiom::QuotientByTerm(p)],
                Axiom::Secant(p, a) => vec![Axiom::Secant(p, &a + &Int::ONE), Axiom::Tangent(p, a.clone(), a), Axiom::Expansion(p)],
                Axiom::ProductValue(p, a) => {
                    vec![Axiom::ProductValue(p, &a + &Int::ONE), Axiom::ProductValue(p, -&(&a + &Int::ONE)), Axiom::Expansion(p)]
                }
                Axiom::Tangent(p, a, b) => vec![
                    Axiom::Tangent(p, &a + &Int::ONE, b.clone()),
                    Axiom::Tangent(p, a.clone(), &b - &Int::ONE),
                    Axiom::ProductValue(p, a),
                ],
                Axiom::QuotientByTerm(q) => vec![Axiom::Division(q), Axiom::Expansion(q), Axiom::QuotientByTerm(AtomId(q.0 + 1))],
                _ => continue,
            };
            let kind = match axiom {
                Axiom::Expansion(_) => 0,
                Axiom::Secant(..) => 1,
                Axiom::ProductValue(..) => 2,
                Axiom::Tangent(..) => 3,
                _ => 4,
            };
            seen[kind] += 1;
            for other in others {
                let mut mutant = certificate.clone();
                mutant.lines[index].step = Step::Theory(other.clone());
                assert!(check(&context.pool, &core, &mutant).is_err(), "{other:?} instead of {axiom:?}: {line:?}");
            }
            // A literal left out, or the other way round, makes another claim.
            for at in 0..line.clause.len() {
                let mut shorter = certificate.clone();
                shorter.lines[index].clause.remove(at);
                let same_literals = line.clause.iter().filter(|&&literal| literal == line.clause[at]).count() > 1;
                assert!(same_literals || check(&context.pool, &core, &shorter).is_err(), "{axiom:?} without literal {at}");
                let mut flipped = certificate.clone();
                flipped.lines[index].clause[at].positive ^= true;
                assert!(check(&context.pool, &core, &flipped).is_err(), "{axiom:?} with literal {at} denied");
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 0), "each axiom occurs: {seen:?}");
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
    let axioms = [
        Axiom::ReadHit(atom),
        Axiom::ReadMiss(atom),
        Axiom::ReadCongruence(atom, other),
        Axiom::Truth(atom),
        Axiom::Division(atom),
        Axiom::Expansion(atom),
        Axiom::Secant(atom, Int::ZERO),
        Axiom::ProductValue(atom, Int::ZERO),
        Axiom::Tangent(atom, Int::ZERO, Int::ONE),
        Axiom::QuotientByTerm(atom),
        Axiom::Tangent(AtomId(4_000_000), Int::ZERO, Int::ONE),
        Axiom::QuotientByTerm(AtomId(4_000_000)),
    ];
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

/// Terms thousands of levels deep are written down and read back as they were.
#[test]
fn deep_terms_are_written() {
    let mut pool = Pool::new();
    let (x, y) = (pool.integer("x"), pool.integer("y"));
    let (mut deep, mut read) = (pool.boolean("p"), x.clone());
    let array = pool.array_symbol("a");
    for level in 0..10_000 {
        let written = pool.store(array, read.clone(), x.clone());
        read = pool.select(written, &read.add(&y));
        let bound = pool.at_most(&n(level), &read);
        let either = pool.or(&[deep, bound]);
        let other = pool.at_most(&x, &n(level));
        deep = pool.and(&[either, other]);
    }
    let clause = vec![Literal { formula: deep, positive: true }];
    let certificate = Certificate { lines: vec![Line { clause, step: Step::Definition(deep) }] };
    let written = evidence::write(&pool, &certificate);
    assert_eq!(evidence::read(&mut pool, &written), Ok(certificate));
}
