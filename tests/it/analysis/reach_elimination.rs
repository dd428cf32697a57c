//! Looping conditions without quantifiers: against those with quantifiers, evaluated one value after the other, and on programs that need
//! them.

use super::reach::{goal, reach, rejected};
use super::reach_oracle::{program, summed};
use crate::common::{cases, lower_typed};
use culdesac::analysis::reach::method::summary::eliminate::Quantified;
use culdesac::analysis::reach::{ReachSatisfiable, ReachVerdict};
use culdesac::logic::{Assignment, Atom, AtomId, FormulaId, Int, Pool};
use culdesac::lts::EdgeId;
use culdesac::solver::meter::Meter;
use culdesac::solver::projection::Precision;
use proptest::prelude::*;

/// No round of these loops contradicts the target by itself, and neither does the last one.
const ELIMINATED: [(&str, &str, &str); 8] = [
    ("a bound that is an input", "int f(int n, int m) { int i = 0, j = 100; while (i < n && i != m) { i++; j -= 2; } if (m >= 0 && j < 100 - 2 * m)
        return 1; return 0; }", "j == 100 - 2 * m"),
    ("a bound far away", "int f(int n) { int i = 0, s = 0; while (i < n && i != 5000) { i++; s += 3; } if (s > 15000)
        return 1; return 0; }", "s == 12"),
    ("a remainder stops it", "int f(int n) { int i = 0; while (i < n && i % 7 != 3) i++; if (i > 3)
        return 1; return 0; }", "i == 3"),
    ("the first round is of one kind", "int f(int n) { int first = 0, rest = 0; for (int i = 0; i < n; i++) if (i == 0) first++; else rest++; if (rest > 0 && first == 0)
        return 1; return 0; }", "rest > 0 && first == 1"),
    ("a kind waits for the other", "int f(int n, int t) { int low = 0, high = 0; for (int i = 0; i < n; i++) if (i < t) low++; else high++; if (t > 0 && high > 0 && low < t)
        return 1; return 0; }", "t > 3 && high > 0 && low == t"),
    ("a window of rounds", "int f(int n, int a, int b) { int in = 0, out = 0; for (int i = 0; i < n; i++) if (a <= i && i < b) in++; else out++; if (a >= 0 && b >= a && in > b - a)
        return 1; return 0; }", "a >= 2 && in == b - a && in > 1"),
    ("every third", "int f(int n) { int t = 0, o = 0; for (int i = 0; i < n; i++) if (i % 3 == 0) t++; else o++; if (t > 1 && o < 2)
        return 1; return 0; }", "t > 1 && o == 2"),
    ("two bounds meet", "int f(int a, int b, int n) { int x = a, y = b; while (x != y && n > 0) { x++; y--; n--; } if (a <= b && (b - a) % 2 == 0 && x > y)
        return 1; return 0; }", "a < b && x == y"),
];

#[test]
fn conditions_of_all_rounds_refute() {
    for (name, source, _) in ELIMINATED {
        let (document, claims) = reach(source, &goal(source));
        assert_eq!(document.verdict, ReachVerdict::Unreachable, "{name}: {:?}", document.open);
        assert!(document.backbones.iter().all(|backbone| backbone.verdict == ReachSatisfiable::Unsatisfiable), "{name}");
        assert_eq!(document.written_out_steps, 0, "{name}: no round was written out");
        assert_eq!(rejected(source, &document, claims), (0, 1), "{name}");
    }
}

#[test]
fn nearly_the_same_is_reached() {
    for (name, source, other) in ELIMINATED {
        let (start, end) = (source.rfind("if (").expect("a condition") + 4, source.rfind(")\n").expect("its end"));
        let changed = format!("{}{other}{}", &source[..start], &source[end..]);
        let (document, claims) = reach(&changed, &goal(&changed));
        assert_eq!(document.verdict, ReachVerdict::Reached, "{name}: {:?}", document.open);
        assert_eq!(rejected(&changed, &document, claims), (0, 1), "{name}");
    }
}

/// What the quantifiers range over, one value after the other.
struct OneByOne<'q> {
    quantified: &'q Quantified,
    values: Assignment,
}

impl OneByOne<'_> {
    fn set(&mut self, pool: &Pool, atom: AtomId, value: i64) {
        if let Atom::Symbol(symbol) = *pool.atom(atom) {
            self.values.integers.insert(symbol, Int::from(value));
        }
    }

    fn holds(&self, pool: &Pool, formula: FormulaId) -> bool {
        self.values.formula(pool, formula) == Some(true)
    }

    /// Whether some `τⱼ` from this one on, and some small values of what belongs to the round alone, satisfy its condition.
    fn some(&mut self, pool: &Pool, other: usize, own: usize) -> bool {
        if let Some((turn, most)) = self.quantified.others.get(other) {
            let most = self.values.linear(pool, most).and_then(|most| most.to_i64()).unwrap_or(0);
            return (0..=most).any(|count| {
                self.set(pool, *turn, count);
                self.some(pool, other + 1, own)
            });
        }
        if let Some(&symbol) = self.quantified.own.get(own) {
            return (-1..3).any(|value| {
                self.values.integers.insert(symbol, Int::from(value));
                self.values.booleans.insert(symbol, value > 0);
                self.some(pool, other, own + 1)
            });
        }
        self.quantified.round.iter().all(|&part| self.holds(pool, part))
    }

    fn all(&mut self, pool: &Pool) -> bool {
        let most = self.values.linear(pool, &self.quantified.most).and_then(|most| most.to_i64()).unwrap_or(0);
        (0..most).all(|count| {
            self.set(pool, self.quantified.turn, count);
            self.some(pool, 0, 0)
        })
    }
}

/// Where a condition holds with quantifiers it holds without; and the other way round, where the elimination says that it is exact.
fn agrees(source: &str, pick: usize, types: Option<u64>, samples: &[(Vec<i64>, Vec<i64>)]) -> Result<(), TestCaseError> {
    let lts = lower_typed(source, types, false);
    prop_assume!(lts.graph.edge_count() > 0);
    let Some(mut summed) = summed(&lts, EdgeId::new(pick % lts.graph.edge_count())) else { return Ok(()) };
    let (program, pool) = (&summed.program, &mut summed.pool);
    for summary in program.summaries.iter().flatten() {
        for kind in 0..summary.rounds.len() {
            let Some(quantified) = Quantified::of(program, pool, summary, kind).filter(|quantified| quantified.own.len() < 4) else {
                continue;
            };
            let Some(without) = quantified.eliminated(pool, &mut Meter::new(20_000)) else { continue };
            for (entry, counts) in samples {
                let mut one_by_one = OneByOne { quantified: &quantified, values: Assignment::default() };
                for (variable, &value) in lts.variables.iter().zip(entry.iter().cycle()) {
                    let symbol = pool.symbol(&variable.name);
                    one_by_one.values.integers.insert(symbol, Int::from(value));
                }
                for (round, &count) in summary.rounds.iter().zip(counts.iter().cycle()) {
                    one_by_one.set(pool, round.counter, count);
                }
                for (before, &count) in summary.before.iter().zip(counts.iter().rev().cycle()) {
                    one_by_one.set(pool, before.symbol, count);
                }
                let (with, holds) = (one_by_one.all(pool), one_by_one.holds(pool, without.formula));
                let text = culdesac::logic::text::formula(pool, without.formula);
                prop_assert!(holds || !with, "{} at {:?} {:?}\n{:?}\n{}", text, entry, counts, quantified, source);
                let is_exact = without.precision == Precision::Exact && quantified.own.is_empty();
                prop_assert!(with || !holds || !is_exact, "{} is too weak at {:?} {:?}\n{:?}\n{}", text, entry, counts, quantified, source);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(20)))]

    #[test]
    fn agrees_with_quantifiers(
        source in program(),
        pick in 0usize..1000,
        types in prop::option::of(0u64..1000),
        samples in prop::collection::vec((prop::collection::vec(-4i64..9, 7), prop::collection::vec(0i64..4, 5)), 12),
    ) {
        agrees(&source, pick, types, &samples)?;
    }
}
