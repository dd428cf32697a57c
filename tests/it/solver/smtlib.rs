//! SMT-LIB 2: every construct accepted, every refusal with its place, scripts against known answers, and written
//! queries read back.

use crate::common::cases;
use culdesac::logic::{FormulaId, Int, Linear, Pool};
use culdesac::smtlib::{CheckResult, SolverOutput, Verdict, query, run};
use culdesac::solver::meter::Meter;
use culdesac::solver::{Answer, Context};
use culdesac::source::LineIndex;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const LIMIT: u64 = 300_000;

fn execute(text: &str) -> Result<(Vec<CheckResult>, String), String> {
    let start = Instant::now();
    let mut printed = String::new();
    let checks = run(text, LIMIT, &|| start.elapsed(), &mut |output: SolverOutput| {
        printed.push_str(&output.to_string());
        printed.push('\n');
    });
    let lines = LineIndex::new(text);
    checks.map(|checks| (checks, printed)).map_err(|error| {
        let at = lines.position(error.span.start);
        format!("{}:{}: {}", at.line, at.column, error.message)
    })
}

/// The answers of a script, joined by blanks.
fn answers(text: &str) -> String {
    match execute(text) {
        Ok((checks, _)) => checks.iter().map(|check| check.result.as_str()).collect::<Vec<_>>().join(" "),
        Err(error) => error,
    }
}

/// Declarations, these assertions and a check.
fn asserting(assertions: &str) -> String {
    let declared = "(declare-const x Int)(declare-fun y () Int)(declare-const p Bool)(declare-const q Bool)\
                    (declare-const a (Array Int Int))(declare-const b (Array Int Int))\n";
    answers(&format!("(set-logic QF_ALIA){declared}{assertions}(check-sat)"))
}

#[track_caller]
fn check(assertions: &str, expected: &str) {
    assert_eq!(asserting(assertions), expected, "{assertions}");
}

/// That the formula holds under every assignment, and that some assignment exists.
#[track_caller]
fn valid(formula: &str) {
    check(&format!("(assert (not {formula}))"), "unsat");
    check(&format!("(assert {formula})"), "sat");
}

#[test]
fn propositional_connectives() {
    valid("(=> p q p)");
    valid("(= (xor p q) (distinct p q))");
    valid("(= (ite p q (not q)) (= p q))");
    valid("(or (and p q) (not p) (not q))");
    valid("(= (=> p q) (or (not p) q))");
    valid("(not (= p (not p) q))");
    check("(assert (distinct p q (= p q)))", "unsat");
    check("(assert (xor p q (xor p q)))", "unsat");
    check("(assert (and true p))(assert (or false (not p)))", "unsat");
}

#[test]
fn integer_terms() {
    valid("(= (+ x y 1) (- (+ y x) (- 1)))");
    valid("(= (* 2 (- x y)) (- (* x 2) y y))");
    valid("(=> (< 0 x y) (<= 1 x (- y 1)))");
    valid("(=> (>= x y) (not (> y x)))");
    valid("(= (ite p x y) (ite (not p) y x))");
    valid("(= (abs x) (ite (< x 0) (- x) x))");
    valid("(>= (abs x) 0)");
    valid("(= (- 5) (- 2 7))");
    check("(assert (distinct (* x y 2) (* y (- (- x) x) (- 1))))", "unsat");
    check("(assert (distinct (* x y) (* y x)))", "unsat");
    check("(assert (= (* x x) 17))", "unsat");
    check("(assert (= (* x x) 289))(assert (< x 0))", "sat");
    // An infinite descent that no lemma settles: never a wrong answer.
    check("(assert (= (* x x) (* 2 y y)))(assert (> x 0))", "unknown");
    check("(assert (distinct x y (+ x 1)))(assert (<= 0 x y 1))(assert (< x y))", "unsat");
    check("(assert (= (ite p 3 5) 4))", "unsat");
    check("(assert (= (+ (ite p 3 5) (ite p 10 x)) 13))(assert (not p))(assert (> x 8))", "unsat");
    valid("(< 99999999999999999999999999 100000000000000000000000000)");
}

#[test]
fn division_is_euclidean() {
    for (n, d, q, r) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1), (-6, 3, -2, 0), (5, -1, -5, 0)] {
        let number = |value: i64| if value < 0 { format!("(- {})", -value) } else { value.to_string() };
        let (n, d, q, r) = (number(n), number(d), number(q), number(r));
        valid(&format!("(and (= (div {n} {d}) {q}) (= (mod {n} {d}) {r}))"));
        // The same when the dividend is not known to be constant.
        valid(&format!("(=> (= x {n}) (and (= (div x {d}) {q}) (= (mod x {d}) {r})))"));
    }
    valid("(= x (+ (* 3 (div x 3)) (mod x 3)))");
    valid("(<= 0 (mod x (- 3)) 2)");
    valid("(= ((_ divisible 3) x) (= (mod x 3) 0))");
    valid("(= (div x 2 3) (div (div x 2) 3))");
    check("(assert ((_ divisible 2) x))(assert ((_ divisible 3) x))(assert (< 0 x 6))", "unsat");
}

#[test]
fn division_by_terms() {
    // What the divisor 0 gives is arbitrary, but a function of the dividend.
    check("(assert (= (div x 0) 1))", "sat");
    check("(assert (= (div x 0) 1))(assert (= (div y 0) 2))", "sat");
    check("(assert (= (div x 0) 1))(assert (= (div y 0) 2))(assert (= x y))", "unsat");
    check("(assert (= y 0))(assert (distinct (mod x y) (mod x 0)))", "unsat");
    check("(assert (= (mod x y) 1))", "sat");
    check("(assert (= (mod x y) 1))(assert p)(assert (not p))", "unsat");
    check("(assert (< y 0))(assert (< (mod x y) 0))", "unsat");
    check("(assert (> y 0))(assert (>= (mod x y) y))", "unsat");
    check("(assert (distinct y 0))(assert (distinct x (+ (* y (div x y)) (mod x y))))", "unsat");
    for (n, d, q, r) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1), (-6, 3, -2, 0), (5, -1, -5, 0)] {
        let number = |value: i64| if value < 0 { format!("(- {})", -value) } else { value.to_string() };
        let (n, d, q, r) = (number(n), number(d), number(q), number(r));
        valid(&format!("(=> (and (= x {n}) (= y {d})) (and (= (div x y) {q}) (= (mod x y) {r})))"));
    }
}

#[test]
fn arrays() {
    valid("(= (select (store a x 5) x) 5)");
    valid("(=> (distinct x y) (= (select (store a x 5) y) (select a y)))");
    valid("(= (select ((as const (Array Int Int)) 7) x) 7)");
    valid("(= (select (ite p a b) x) (ite p (select a x) (select b x)))");
    check("(assert (= a b))(assert (distinct (select a x) (select b x)))", "unsat");
    check("(assert (= a (store b x 1)))(assert (= (select a x) 2))", "unsat");
    check("(assert (= a (store b x 1)))(assert (= (select a y) 2))", "sat");
    check("(assert (= a (store b x 1)))(assert (= b (store a x 2)))", "sat");
    check("(assert (= a (store b x 1)))(assert (= b (store a y 2)))(assert (= x y))(assert (= (select a 0) 5))", "sat");
    check("(assert (distinct a b))(assert (= (store a x 0) (store b x 0)))(assert (= (select a x) (select b x)))", "unsat");
    check("(assert (= a ((as const (Array Int Int)) 3)))(assert (= b (store a 1 4)))(assert (= (select b x) 4))", "sat");
    check("(assert (= a ((as const (Array Int Int)) y)))", "unknown");
    // What one array is equal to becomes equal too, although neither is the symbol that gets contents first.
    check("(declare-const c (Array Int Int))(assert (= c a))(assert (= c b))(assert (= (select a x) 5))(assert (= (select b y) 6))", "sat");
    check("(assert (= (select (ite (= 9 x) b a) y) x))(assert (= a b))(assert (= (select b 3) 7))", "sat");
    check("(assert (= (store a x 1) (store b y 2)))(assert (= (select a 7) 4))(assert (distinct x y))(assert (= (select b 8) 3))", "sat");
}

#[test]
fn bindings_and_definitions() {
    check("(assert (let ((z (+ x 1)) (w y)) (let ((z (+ z w))) (= z (+ x y 2)))))", "unsat");
    // Bindings of one `let` are parallel.
    check("(assert (let ((x y) (y x)) (and (= x 1) (= y 2))))(assert (= y 1))(assert (= x 2))", "sat");
    check("(define-fun f ((u Int) (v Bool)) Int (ite v (+ u x) u))(assert (distinct (f 3 true) (+ x 3)))", "unsat");
    check("(define-fun f ((x Int)) Int (+ x y))(assert (let ((y 100)) (= (f 1) y)))(assert (= y 5))", "unsat");
    check("(define-fun g ((m (Array Int Int)) (i Int)) Int (select m i))(assert (distinct (g (store a 1 2) 1) 2))", "unsat");
    check("(define-const c Int 7)(define-fun d () Int (* c 2))(assert (= d 14 (* 2 c)))", "sat");
    check("(assert (! (> x 0) :named positive))(assert (not positive))", "unsat");
    check("(assert (= |x| |a b|))(declare-const |a b| Int)", "2:16: `a b` is not declared");
    check("(declare-const |a b| Int)(assert (< |x| |a b| (+ x 1)))", "unsat");
}

#[test]
fn scopes() {
    let script = "(declare-const x Int)(assert (> x 0))(push)(check-sat)";
    assert!(answers(script).contains("unexpected"), "push wants a number");
    let script = "(declare-const x Int)(assert (> x 0))(check-sat)(push 2)(assert (< x 0))(check-sat)(pop 1)(check-sat)(pop 1)(check-sat)";
    assert_eq!(answers(script), "sat unsat sat sat");
    // A name, a definition and a fresh symbol live as long as their scope.
    let script = "(declare-const x Int)(push 1)(declare-const y Int)(define-fun z () Int (mod x 5))(assert (= (mod x 5) y 7))(check-sat)\
                  (pop 1)(push 1)(declare-const y Bool)(define-fun z () Int (mod x 5))(assert (= y (= z 4)))(check-sat)\
                  (assert (= (mod x 5) 7))(check-sat)(pop 1)(assert (= (mod x 5) 4))(check-sat)";
    assert_eq!(answers(script), "unsat sat unsat sat");
    let script = "(declare-const p Bool)(declare-const q Bool)(assert (or p q))(check-sat-assuming ((not p) (not q)))(check-sat)\
                  (check-sat-assuming ((not p)))(reset-assertions)(declare-const p Int)(assert (= p 3))(check-sat)(reset)(check-sat)";
    assert_eq!(answers(script), "unsat sat sat sat sat");
    let script = "(set-option :global-declarations true)(push 1)(declare-const x Int)(define-fun y () Int (mod x 2))(pop 1)\
                  (assert (= y 2))(check-sat)(reset-assertions)(assert (= y 1))(check-sat)";
    assert_eq!(answers(script), "unsat sat");
    assert_eq!(answers("(check-sat)(exit)(check-sat)"), "sat");
}

#[test]
fn statuses_and_outputs() {
    let (checks, printed) = execute(
        "(set-info :source |any|)(set-info :status sat)(set-option :produce-models true)(declare-const |x y| Int)(declare-const p Bool)\n\
         (declare-const a (Array Int Int))(echo \"say \"\"it\"\"\")(assert (= |x y| (- 3)))(assert p)\n\
         (assert (= a (store (store ((as const (Array Int Int)) 1) 2 (- 4)) 3 1)))(check-sat)\n\
         (get-model)(set-info :status unsat)(check-sat-assuming ((not p)))(get-model)(get-info :name)(set-info :status unknown)(check-sat)",
    )
    .expect("the script is right");
    assert_eq!(
        printed,
        "\"say \"\"it\"\"\"\nsat\n(\n  (define-fun |x y| () Int (- 3))\n  (define-fun p () Bool true)\n  \
         (define-fun a () (Array Int Int) (store ((as const (Array Int Int)) 1) 2 (- 4)))\n)\n\
         unsat\n(error \"line 4: there is no model\")\nunsupported\nsat\n"
    );
    let expected: Vec<_> = checks.iter().map(|check| check.expected).collect();
    assert_eq!(expected, [Some(Verdict::Sat), Some(Verdict::Unsat), None]);
    assert!(checks.iter().all(|check| !check.is_wrong()));
    assert!(checks[1].checked && checks[0].line == 3);
    let document = culdesac::smtlib::solve_document("s", &checks);
    let json = serde_json::to_value(&document).expect("plain data");
    assert_eq!(json["checks"][1]["result"], "unsat");
    assert_eq!(json["checks"][2]["expected"], serde_json::Value::Null);
    assert_eq!(json["complete"], true);
}

#[test]
fn refusals_have_places() {
    for (text, error) in [
        ("(declare-const x Real)", "1:18: the sort Real is not supported"),
        ("(declare-fun f (Int) Int)", "1:1: uninterpreted functions with arguments are not supported"),
        ("(declare-const x (Array Int Bool))", "1:18: arrays other than (Array Int Int) are not supported"),
        ("(assert\n  (> y 0))", "2:6: `y` is not declared"),
        ("(assert\n  (f 0))", "2:3: `f` is neither declared nor supported"),
        ("; é\n(declare-const |é| Int)(assert |é|)", "2:32: Bool expected, Int found"),
        ("(assert (forall ((x Int)) (> x 0)))", "1:9: quantifiers are not supported"),
        ("(assert (= 1 true))", "1:14: Int expected, Bool found"),
        ("(assert (= 1.5 1.5))", "1:12: real numbers are not supported"),
        ("(assert (= #b1 #b1))", "1:12: bit vectors are not supported"),
        ("(assert (and (= 1 1) (= 1)))", "1:22: at least 2 arguments expected, 1 found"),
        ("(assert (ite 1 true false))", "1:14: Bool expected, Int found"),
        ("(assert (ite true true))", "1:9: 3 arguments expected, 2 found"),
        ("(declare-const x Int)(declare-const x Int)", "1:22: `x` is declared already"),
        ("(declare-const and Int)", "1:1: `and` belongs to the theory"),
        ("(assert (= -5 0))", "1:12: `-5` is not declared"),
        ("(define-fun f ((x Int)) Bool (+ x 1))", "1:30: Bool expected, Int found"),
        ("(define-fun f ((x Int)) Int (f x))", "1:29: `f` is neither declared nor supported"),
        ("(define-fun-rec f ((x Int)) Int (f x))", "1:1: recursive functions are not supported"),
        ("(define-fun f ((x Int)) Int x)(assert (= (f true) 0))", "1:42: `f` takes a Int where a Bool stands"),
        ("(define-fun f ((x Int)) Int x)(assert (= (f 1 2) 0))", "1:42: `f` takes 1 arguments, not 2"),
        ("(assert (let ((x 1) (x 2)) (= x 1)))", "1:9: this `let` binds a name twice"),
        ("(pop 1)", "1:1: more scopes are closed than open"),
        ("(assert true", "1:13: the text ends inside a command"),
        ("(assert true))", "1:14: unexpected `)`"),
        ("(assert [x])", "1:9: `[x]` is not a token of SMT-LIB"),
        ("(assert \"ééééééééééééééééé", "1:9: `\"ééééééééééééééééé` is not a token of SMT-LIB"),
        ("(maximize x)", "1:2: unexpected `maximize`"),
        ("(set-info :status perhaps)", "1:1: the status is sat, unsat or unknown, not `perhaps`"),
    ] {
        assert_eq!(answers(text), error, "{text}");
    }
    // What is wrong later hides no answer before: the whole text is refused.
    assert_eq!(answers("(check-sat)\n(assert x)"), "2:9: `x` is not declared");
}

/// Deep terms need memory, not the stack of the machine: a small stack is enough.
#[test]
fn deep_terms() {
    let depth = 10_000;
    let nest = |open: &str, middle: &str, close: &str| format!("{}{middle}{}", open.repeat(depth), close.repeat(depth));
    let mut lets = String::from("(assert ");
    for index in 0..depth {
        lets += &format!("(let ((v{} (+ {} 1))) ", index + 1, if index == 0 { "x".into() } else { format!("v{index}") });
    }
    lets += &format!("(= v{depth} x){})", ")".repeat(depth));
    let mut shared = String::from("(assert ");
    for index in 0..200 {
        let last = if index == 0 { "p".into() } else { format!("v{index}") };
        shared += &format!("(let ((v{} (xor {last} (and {last} q)))) ", index + 1);
    }
    shared += &format!("(and v200 (not v200)){})", ")".repeat(200));
    let scripts = [
        (lets, "unsat"),
        (shared, "unsat"),
        (format!("(assert {})(assert (= x 0))", nest("(not (and p (or q ", "(> x 0)", ")))")), "sat"),
        (format!("(assert (= {} x))", nest("(+ 1 ", "x", ")")), "unsat"),
        (format!("(assert (= {} 1))", nest("(- ", "x", ")")), "sat"),
        (format!("(assert (let ((y 3)) {}))", nest("(! ", "(= x y)", " :name)").replace(":name", ":other")), "sat"),
    ];
    let check = move || {
        for (script, expected) in scripts {
            assert_eq!(asserting(&script), expected, "{}", &script[..80]);
        }
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(check).expect("a thread").join().expect("no overflow");
}

/// Everything in the folder that the environment names; by kind, what is decided. Skipped without the variable.
#[test]
fn a_folder_of_queries() {
    let Some(folder) = std::env::var_os("CULDESAC_QUERIES") else { return };
    let limit = std::env::var("CULDESAC_LIMIT").ok().and_then(|limit| limit.parse().ok()).unwrap_or(LIMIT);
    let mut files: Vec<_> = std::fs::read_dir(&folder).expect("the folder").flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "smt2"));
    files.sort();
    let mut kinds: BTreeMap<String, [u64; 6]> = BTreeMap::new();
    let mut wrong = Vec::new();
    for path in &files {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).expect("the file");
        let start = Instant::now();
        let checks = run(&text, limit, &|| start.elapsed(), &mut |_| {}).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let row = kinds.entry(name.split('_').next().unwrap_or_default().to_owned()).or_default();
        row[5] += (start.elapsed() - checks.iter().map(|check| check.time).sum::<Duration>()).as_micros() as u64;
        for check in &checks {
            let us = check.time.as_micros() as u64;
            row[0] += 1;
            row[1] += u64::from(check.result != Verdict::Unknown);
            row[2] += u64::from(check.expected.is_some());
            row[3] += us;
            row[4] = row[4].max(us);
            if check.is_wrong() {
                wrong.push(format!("{name}, line {}: {check:?}", check.line));
            }
            if check.result == Verdict::Unknown || us > 200_000 {
                let reason = check.reason.as_deref().unwrap_or("");
                println!("{name}:{}: {} {} µs, {} steps {reason}", check.line, check.result, us, check.steps);
            }
        }
    }
    println!("{:10} {:>6} {:>7} {:>6} {:>9} {:>9} {:>9}", "kind", "checks", "decided", "known", "total ms", "worst ms", "other ms");
    for (kind, [checks, decided, known, total, worst, other]) in kinds {
        let ms = |us: u64| us as f64 / 1000.0;
        println!("{kind:10} {checks:6} {decided:7} {known:6} {:9.2} {:9.2} {:9.2}", ms(total), ms(worst), ms(other));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn written_queries_say_the_same() {
    let mut context = Context::new();
    let pool = &mut context.pool;
    let (x, y) = (pool.integer("nondet#0"), pool.integer("select"));
    let (quotient, remainder) = pool.div_rem_trunc(&x, &Linear::constant(-3)).expect("not zero");
    let flag = pool.boolean("nondet#0");
    let (array, truth) = (pool.array_symbol("a|b"), pool.truth(flag));
    let array = pool.store(array, x.clone(), truth);
    let element = pool.select(array, &y);
    let sum = quotient.add(&remainder).add(&element);
    let parts = [pool.equal(&sum, &Linear::constant(2)), pool.less(&x, &Linear::constant(0)), flag];
    let text = query(&context.pool, &parts, Verdict::Sat);
    assert_eq!(
        text,
        "(set-logic QF_ALIA)\n(set-info :status sat)\n(declare-fun |nondet#0| () Int)\n(declare-fun select!1 () Int)\n\
         (declare-fun |nondet#0!1| () Bool)\n(declare-fun a_b () (Array Int Int))\n"
            .to_owned()
            + &text[text.find("(assert").expect("an assertion")..],
    );
    assert_eq!(answers(&text), "sat");
}

/// A recipe for a formula: numbers that choose what to build.
fn build(pool: &mut Pool, choices: &mut impl Iterator<Item = u8>, depth: u32) -> FormulaId {
    let mut next = || choices.next().unwrap_or(0);
    if depth == 0 {
        let kind = next();
        let (left, right) = (build_term(pool, choices, 2), build_term(pool, choices, 2));
        return match kind % 4 {
            0 => pool.at_most(&left, &right),
            1 => pool.less(&left, &right),
            2 => pool.equal(&left, &right),
            _ => pool.boolean(["p", "x", "p q"][usize::from(kind / 4 % 3)]),
        };
    }
    let kind = next();
    let parts: Vec<FormulaId> = (0..2 + kind % 2).map(|_| build(pool, choices, depth - 1)).collect();
    match kind % 5 {
        0 | 1 => pool.and(&parts),
        2 | 3 => pool.or(&parts),
        _ => pool.not(parts[0]),
    }
}

fn build_term(pool: &mut Pool, choices: &mut impl Iterator<Item = u8>, depth: u32) -> Linear {
    let kind = choices.next().unwrap_or(0);
    let number = i64::from(choices.next().unwrap_or(0)) % 7 - 3;
    if depth == 0 || kind % 9 < 2 {
        return if kind & 1 == 0 { Linear::constant(number) } else { pool.integer(["x", "nondet#0", "z"][usize::from(kind / 9 % 3)]) };
    }
    let left = build_term(pool, choices, depth - 1);
    match kind % 9 {
        2 | 3 => left.add(&build_term(pool, choices, depth - 1)),
        4 => left.scale(&Int::from(number)),
        5 | 6 => match pool.div_rem_trunc(&left, &Linear::constant(number)) {
            Some((quotient, remainder)) => {
                if kind % 9 == 5 {
                    quotient
                } else {
                    remainder
                }
            }
            None => left,
        },
        7 => {
            let formula = build(pool, choices, 0);
            pool.truth(formula).add(&left)
        }
        _ => {
            let (at, value) = (build_term(pool, choices, depth - 1), build_term(pool, choices, depth - 1));
            let array = pool.array_symbol("a");
            let array = pool.store(array, at, value);
            pool.select(array, &left)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(100), failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn random_queries_read_back(choices in prop::collection::vec(any::<u8>(), 40..300)) {
        let mut context = Context::new();
        let mut choices = choices.into_iter();
        for _ in 0..5 {
            let formula = build(&mut context.pool, &mut choices, 2);
            context.assert(formula);
        }
        let answer = match context.check(&mut Meter::new(LIMIT)) {
            Answer::Sat(_) => Verdict::Sat,
            Answer::Unsat(_) => Verdict::Unsat,
            Answer::Unknown(_) => Verdict::Unknown,
        };
        let text = query(&context.pool, context.assertions(), answer);
        if let Ok(folder) = std::env::var("CULDESAC_WRITTEN") {
            let name = format!("{folder}/{:x}.smt2", text.bytes().fold(7u64, |h, b| h.wrapping_mul(31).wrapping_add(b.into())));
            std::fs::write(name, &text).expect("the folder exists");
        }
        let (checks, _) = execute(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        // Either side may give up; they must not contradict each other.
        prop_assert!(!checks[0].is_wrong(), "{checks:?}\n{text}");
    }
}
