//! Normal forms, successors, inclusion and lookahead on sets small enough to see.

use super::*;
use crate::lang;
use crate::logic::{Linear, text};
use crate::lts::lower::lower;
use crate::solver::meter::Meter;
use crate::solver::questions::NoLog;

fn lts(source: &str) -> Lts {
    let program = lang::parse(source).program.unwrap_or_default();
    lower(&program, None).map(|lowered| lowered.lts).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn with<T>(source: &str, check: impl FnOnce(&mut States, &mut Ask) -> T) -> T {
    let lts = lts(source);
    let mut meter = Meter::new(1_000_000);
    check(&mut States::new(&lts), &mut Ask { meter: &mut meter, log: &NoLog })
}

fn texts(states: &States, set: SetId) -> Vec<String> {
    let mut texts: Vec<String> = states.conjuncts(set).iter().map(|&formula| text::formula(&states.pool, formula)).collect();
    texts.sort();
    texts
}

/// Along the edges with these numbers; panics where a set is empty or not exact.
fn along(states: &mut States, ask: &mut Ask, edges: &[usize]) -> SetId {
    let (mut set, exact) = states.initial(ask).expect("enough steps");
    assert!(exact);
    for &edge in edges {
        match states.successor(set, EdgeId::new(edge), ask).expect("enough steps") {
            Successor::States { set: next, exact: true, open: None } => set = next,
            other => panic!("edge {edge}: {other:?}"),
        }
    }
    set
}

const LOOP: &str = "int f(int x, int n) { while (x < n) x++; return x; }";

#[test]
fn equal_sets_are_one_set() {
    with(LOOP, |states, ask| {
        let (x, n) = (states.pool.integer("x"), states.pool.integer("n"));
        let number = |value: i64| Linear::constant(value);
        let pool = &mut states.pool;
        let one = [pool.at_most(&x, &number(3)), pool.at_most(&number(3), &x), pool.equal(&x, &n)];
        let other = [pool.equal(&n, &number(3)), pool.equal(&x, &number(3))];
        // 2x ≤ 7 and x ≠ 3 is x ≤ 2; that n ≤ x + 4 follows from n ≤ x + 1 is seen too.
        let equal = pool.equal(&x, &number(3));
        let third = [
            pool.at_most(&x.add(&x), &number(7)),
            pool.not(equal),
            pool.at_most(&n, &x.add_constant(&Int::from(4))),
            pool.at_most(&n, &x.add_constant(&Int::ONE)),
        ];
        let mut intern = |formulas: &[FormulaId]| states.intern(states.lts.entry, formulas.to_vec(), None, ask).expect("enough steps");
        let (one, other, third) = (intern(&one), intern(&other), intern(&third));
        assert_eq!(one, other);
        assert_eq!(texts(states, one), ["n == 3", "x == 3"]);
        let texts = texts(states, third);
        assert!(texts.len() == 2 && texts.contains(&"x <= 2".to_owned()), "{texts:?}");
    });
}

#[test]
fn successors_inclusion_and_futures() {
    // 0: x < n, 1: x >= n, 2: x++.
    with(LOOP, |states, ask| {
        let start = along(states, ask, &[]);
        let inside = along(states, ask, &[0]);
        let again = along(states, ask, &[0, 2]);
        assert_eq!((texts(states, inside), texts(states, again)), (vec!["x < n".to_owned()], vec!["x <= n".to_owned()]));
        assert_eq!(along(states, ask, &[0, 2, 0, 2]), again, "x <= n again");
        assert!(states.included(again, start, ask).expect("enough steps") && !states.included(start, again, ask).expect("enough steps"));
        // What matters at the exit: nothing.
        let out = along(states, ask, &[1]);
        assert_eq!(texts(states, out), [""; 0]);
        let future = |states: &mut States, set, ask: &mut Ask| states.lookahead(set, 6, ask).expect("enough steps");
        assert_eq!(future(states, start, ask), future(states, again, ask));
        let (x, n) = (states.pool.integer("x"), states.pool.integer("n"));
        let done = states.pool.equal(&x, &n);
        let done = states.intern(states.lts.entry, vec![done], None, ask).expect("enough steps");
        assert_ne!(future(states, done, ask), future(states, again, ask));
        assert!(matches!(states.successor(done, EdgeId::new(0), ask), Ok(Successor::Empty(_))));
    });
}

#[test]
fn a_write_to_an_array_is_turned_round() {
    // 0: a[0] = a[1], 1: a[0] == x …
    with("int f(int *a, int x) { a[0] = a[1]; if (a[0] == x) return 1; if (a[1] == 2) return 2; return 0; }", |states, ask| {
        let written = along(states, ask, &[0]);
        // Which side comes first depends on which element was named first.
        assert_eq!(texts(states, written), ["a[1] == a[0]"]);
    });
}
