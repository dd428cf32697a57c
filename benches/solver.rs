//! Deciding queries, every model evaluated and every certificate checked: each figure is the time for a whole kind of
//! query, without reading the text.
//!
//! The kinds below are made here from fixed seeds. With `CULDESAC_QUERIES` naming a folder of SMT-LIB files, each kind of
//! file (the name up to the first underscore) is measured too. To compare with z3: `scripts/versus-z3.mjs`.

use criterion::{Criterion, criterion_group, criterion_main};
use culdesac::smtlib::{Verdict, run};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The reproducible draws that the queries are made of.
struct Random(culdesac::count::Random);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.below(&BigUint::from(bound)).iter_u64_digits().next().unwrap_or(0)
    }
}

const LIMIT: u64 = 5_000_000;

/// Time in the solver for all checks of the scripts.
fn solve(scripts: &[String]) -> Duration {
    let start = Instant::now();
    let checks = scripts.iter().flat_map(|text| run(text, LIMIT, &|| start.elapsed(), &mut |_| {}).expect("a valid script"));
    checks.inspect(|check| assert_ne!(check.result, Verdict::Unknown, "line {}", check.line)).map(|check| check.time).sum()
}

/// A sum of up to `most` of `symbols` symbols with coefficients up to `size`.
fn sum(random: &mut Random, symbols: u64, most: u64, size: i64) -> String {
    let mut text = String::from("(+ 0");
    for _ in 0..1 + random.below(most) {
        let coefficient = 1 + random.below(size as u64) as i64;
        let (open, close) = if random.below(2) == 0 { ("", "") } else { ("(- ", ")") };
        let _ = write!(text, " (* {open}{coefficient}{close} x{})", random.below(symbols));
    }
    text + ")"
}

fn declare(symbols: u64, bound: i64) -> String {
    (0..symbols).map(|x| format!("(declare-fun x{x} () Int)(assert (and (<= (- {bound}) x{x}) (<= x{x} {bound})))")).collect()
}

/// Conjunctions of inequalities.
fn linear(random: &mut Random) -> String {
    let mut text = declare(12, 100);
    for _ in 0..30 {
        let _ = write!(text, "(assert (<= {} {}))", sum(random, 12, 4, 5), 40 + random.below(200));
    }
    text + "(check-sat)"
}

/// Two equations with large coefficients over a box.
fn dense(random: &mut Random) -> String {
    let mut text = declare(6, 50);
    for _ in 0..2 {
        let _ = write!(text, "(assert (= {} {}))", sum(random, 6, 6, 1000), random.below(10_000));
    }
    text + "(check-sat)"
}

/// Disjunctions of inequalities and equalities.
fn boolean(random: &mut Random) -> String {
    let mut text = declare(6, 50);
    for _ in 0..16 {
        let relation = |random: &mut Random| ["<=", ">", "=", "distinct"][random.below(4) as usize];
        let part = |random: &mut Random| format!("({} {} {})", relation(random), sum(random, 6, 3, 4), random.below(60));
        let parts: String = (0..2 + random.below(2)).map(|_| part(random)).collect();
        let _ = write!(text, "(assert (or {parts}))");
    }
    text + "(check-sat)"
}

/// Writes to one array at symbolic indices, then a read.
fn array(random: &mut Random) -> String {
    let mut text = declare(6, 8) + "(declare-fun a0 () (Array Int Int))";
    for k in 1..6 {
        let (at, value) = (random.below(6), random.below(6));
        let _ = write!(text, "(define-fun a{k} () (Array Int Int) (store a{} x{at} x{value}))", k - 1);
    }
    text + &format!("(assert (> (select a5 x{}) (select a0 x{})))(check-sat)", random.below(6), random.below(6))
}

/// One path of a loop that halves a number, a branch condition at a time.
fn prefix(random: &mut Random) -> String {
    let mut text = String::from("(declare-fun x0 () Int)(assert (and (<= 1 x0) (<= x0 1000)))");
    for k in 1..12 {
        let odd = random.below(2);
        let _ = write!(
            text,
            "(declare-fun x{k} () Int)(declare-fun r{k} () Int)(assert (= x{} (+ (* 2 x{k}) r{k})))(assert (and (<= 0 r{k}) (<= r{k} 1)))\
             (push 1)(assert (= r{k} {odd}))(check-sat)(pop 1)(push 1)(assert (= r{k} {}))(check-sat)(assert (> x{k} 900))(check-sat)(pop 1)",
            k - 1,
            1 - odd
        );
    }
    text
}

/// A walk over a binary search in an array, one scope for each step down: as one script, and each of its questions as one of its own.
fn search(random: &mut Random) -> (String, Vec<String>) {
    let head = "(declare-fun a () (Array Int Int))(declare-fun n () Int)(declare-fun key () Int)(assert (and (<= 1 n) (<= n 100)))";
    let (mut whole, mut alone, mut path) = (head.to_owned(), Vec::new(), Vec::<String>::new());
    let mut ends = vec![("0".to_owned(), "(- n 1)".to_owned())];
    for _ in 0..120 {
        if path.len() > 10 || (!path.is_empty() && random.below(5) < 2) {
            path.pop();
            ends.pop();
            whole += "(pop 1)";
            continue;
        }
        let (low, high) = ends.last().cloned().unwrap_or_default();
        let middle = format!("(+ {low} (div (- {high} {low}) 2))");
        let up = random.below(2) == 0;
        let relation = if up { "<" } else { ">" };
        path.push(format!("(assert (and (<= {low} {high}) ({relation} (select a {middle}) key)))"));
        ends.push(if up { (format!("(+ {middle} 1)"), high) } else { (low, format!("(- {middle} 1)")) });
        let _ = write!(whole, "(push 1){}(check-sat)", path[path.len() - 1]);
        alone.push(format!("{head}{}(check-sat)", path.concat()));
    }
    (whole, alone)
}

fn benches(criterion: &mut Criterion) {
    let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, make) in
        [("linear", linear as fn(&mut Random) -> String), ("dense", dense), ("boolean", boolean), ("array", array), ("prefix", prefix)]
    {
        let mut random = Random(culdesac::count::Random::new(1));
        kinds.insert(format!("made: {name}"), (0..20).map(|_| make(&mut random)).collect());
    }
    let mut random = Random(culdesac::count::Random::new(1));
    let walks: Vec<(String, Vec<String>)> = (0..5).map(|_| search(&mut random)).collect();
    kinds.insert("walk: in one context".to_owned(), walks.iter().map(|walk| walk.0.clone()).collect());
    kinds.insert("walk: each question alone".to_owned(), walks.into_iter().flat_map(|walk| walk.1).collect());
    if let Some(folder) = std::env::var_os("CULDESAC_QUERIES") {
        let mut files: Vec<_> = std::fs::read_dir(folder).expect("the folder").flatten().map(|entry| entry.path()).collect();
        files.sort();
        for path in files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "smt2")) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let kind = format!("file: {}", name.split('_').next().unwrap_or_default());
            kinds.entry(kind).or_default().push(std::fs::read_to_string(path).expect("the file"));
        }
    }
    for (kind, scripts) in kinds {
        criterion.bench_function(&kind, |bench| bench.iter_custom(|times| (0..times).map(|_| solve(&scripts)).sum()));
    }
}

criterion_group! {
    name = all;
    config = Criterion::default().sample_size(10);
    targets = benches
}
criterion_main!(all);
