//! Types, conversions, overflow and operators on bits: what symbolic execution says against what runs do, for all values of small types.

use crate::common::programs::{Action, Block, Condition, Connective, Operation, Shape};
use crate::common::typed::{inputs, typed};
use crate::common::{cases, is_not_refuted, lower, one_by_one};
use crate::fuzz::targets::assigned::{assignment, is_approximate};
use culdesac::interp::{Input, Machine, Outcome};
use culdesac::lang;
use culdesac::logic::Pool;
use culdesac::lts::lower::{IntegerModel, Options, lower_with};
use culdesac::lts::{BinaryOp, EdgeId, Expr, Label, Lts};
use culdesac::symex::{self, Along, State};
use proptest::prelude::*;
use std::collections::BTreeSet;

const LENGTH: usize = 16;

const SHAPE: Shape = Shape {
    constants: -5..17,
    variables: &["x", "y", "z"],
    expression: (2, 6),
    operations: &[
        (4, Operation::Sum),
        (1, Operation::Multiple),
        (2, Operation::Product),
        (1, Operation::Behind(&["/ 2", "% 3", "/ (-1)"])),
        (1, Operation::Less),
        (1, Operation::Element),
        (1, Operation::Quotient),
    ],
    comparisons: &["<", "<=", "==", "!="],
    conditions: &[(6, Condition::Comparison), (1, Condition::Expression), (1, Condition::Text("nondet() < y"))],
    connectives: &[Connective::And, Connective::Or, Connective::Not],
    statements: &[(4, Action::Assign), (2, Action::Count), (2, Action::Store), (1, Action::Assume), (1, Action::Text("y = nondet();"))],
    nesting: (2, 6),
    blocks: &[(2, Block::If), (2, Block::IfElse), (1, Block::While)],
    length: 2..5,
    declarations: "int z = 0;",
};

/// Without what has more values than can be tried.
const SCALARS: Shape = Shape {
    operations: &[(4, Operation::Sum), (1, Operation::Multiple), (1, Operation::Product), (1, Operation::Less), (1, Operation::Quotient)],
    conditions: &[(6, Condition::Comparison), (1, Condition::Expression)],
    statements: &[(4, Action::Assign), (2, Action::Count), (1, Action::Assume)],
    ..SHAPE
};

/// That along the run the conditions of its edges hold, and of no other edge that leaves its locations.
fn conditions_agree(lts: &Lts, machine: &Machine, input: &Input, source: &str) -> Result<(), TestCaseError> {
    let run = machine.run(input, LENGTH as u64);
    let mut pool = Pool::new();
    let known = assignment(&mut pool, input);
    let mut state = State::initial(lts, &mut pool);
    // What is left out along a path, and terms that are simplified by what was said.
    let mut paths = [Along::initial(lts, &mut pool), Along::simplifying(lts, &mut pool)];
    let mut at = lts.entry;
    for next in run.edges.iter().map(Some).chain([None]) {
        let cut_off = next.is_none() && !matches!(run.outcome, Outcome::Undefined(_) | Outcome::AssumeFailed);
        for (edge, _) in lts.outgoing(at) {
            let (condition, undo) = state.clone().apply(lts, &mut pool, edge);
            if !undo.is_exact() || is_approximate(&pool, condition) {
                return Ok(());
            }
            let facts = pool.and(undo.facts());
            prop_assert!(known.formula(&pool, facts) != Some(false), "{input:?} before {edge:?}\n{source}");
            let passes = known.satisfies(&pool, [condition]);
            prop_assert!(cut_off || passes == (next == Some(&edge)), "{input:?} at {edge:?}\n{source}");
            for (number, along) in paths.iter_mut().enumerate() {
                let passage = along.apply(lts, &mut pool, edge);
                let (facts, added) = (passage.facts(&mut pool), passage.added(&mut pool));
                prop_assert!(known.formula(&pool, facts) != Some(false), "{input:?} before {edge:?}\n{source}");
                prop_assert_eq!(known.satisfies(&pool, [added]), passes, "{:?} at {:?}\n{}", input, edge, source);
                if number == 0 {
                    prop_assert_eq!(passage.whole(&mut pool), condition);
                }
                along.undo(passage);
            }
        }
        let Some(&edge) = next else { break };
        state.apply(lts, &mut pool, edge);
        for along in &mut paths {
            along.apply(lts, &mut pool, edge);
        }
        at = lts.edge(edge).2;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(50)))]

    #[test]
    fn conditions_hold_where_runs_go(source in SHAPE.program(), seed in any::<u64>(), bits in any::<bool>()) {
        let lts = typed(lower(&source), seed, bits);
        let machine = Machine::new(&lts);
        let mut paths = BTreeSet::new();
        for input in inputs(&lts, seed) {
            conditions_agree(&lts, &machine, &input, &source)?;
            paths.insert(machine.run(&input, LENGTH as u64).edges);
        }
        for path in &paths {
            is_not_refuted(&lts, path, &source)?;
        }
    }

    /// All inputs are tried, so a path is feasible exactly if one of them takes it.
    #[test]
    fn paths_are_feasible_exactly_if_taken(source in SCALARS.program(), seed in any::<u64>(), bits in any::<bool>()) {
        let lts = typed(lower(&source), seed, bits);
        let machine = Machine::new(&lts);
        let mut taken = BTreeSet::new();
        for input in inputs(&lts, seed) {
            let run = machine.run(&input, LENGTH as u64);
            if run.outcome == Outcome::Returned {
                taken.insert(run.edges);
            }
        }
        let paths = one_by_one(&lts, LENGTH as u32, 1_000_000);
        let found: BTreeSet<Vec<EdgeId>> = paths.found.into_iter().collect();
        prop_assert!(found.is_subset(&taken), "{found:?}\n{taken:?}\n{source}");
        prop_assert!(paths.open || found == taken, "{found:?}\n{taken:?}\n{source}");
    }
}

/// Such a condition is none to rely on: a replay does not look at what is assumed.
#[test]
fn an_approximate_precondition_has_no_formula() {
    let with = |op| {
        let mut lts = lower("int f(int x, int y) { assume(x + y == 1); return 0; }");
        for edge in lts.graph.edge_weights_mut() {
            if let Label::Assume { condition: Expr::Compare(_, sum, _), .. } = &mut edge.label
                && let Expr::Binary(operator, ..) = &mut **sum
            {
                *operator = op;
            }
        }
        symex::passed(&lts, &mut Pool::new()).is_some()
    };
    assert!(with(BinaryOp::Sub));
    assert!(!with(BinaryOp::And));
}

/// The bounds of such a value are further apart than a machine's word counts.
#[test]
fn conversions_of_very_large_values_end() {
    let program = lang::parse("int f(long x) { unsigned char c = x * 255; if (c == 7) return 1; return 0; }").program.expect("a program");
    let lts = lower_with(&program, None, &Options { ints: IntegerModel::C32, ..Options::default() }).expect("a graph").lts;
    let paths = one_by_one(&lts, 5, 100_000);
    assert_eq!((paths.found.len(), paths.open), (2, false));
}
