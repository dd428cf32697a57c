//! Runs of the programs of texts, by themselves and against symbolic execution.

use super::assigned::{assignment, is_approximate};
use super::texts::graphs;
use culdesac::interp::{ArrayInput, Input, Machine, Outcome, check_input};
use culdesac::logic::{Int, IntRange, Pool};
use culdesac::lts::Lts;
use culdesac::symex::State;

/// Steps of a run that is judged by itself.
const STEPS: u64 = 10_000;
/// Edges of a run that symbolic execution goes along.
const LENGTH: u64 = 40;
/// Inputs tried for each graph.
const INPUTS: u64 = 3;

/// Choices that depend on the bytes alone.
struct Chance(u64);

impl Chance {
    fn of(data: &[u8]) -> Chance {
        Chance(data.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)))
    }

    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }

    /// A value of the range: small, any, or one of its ends.
    fn value(&mut self, range: Option<IntRange>) -> Int {
        let all = IntRange { least: -(1 << 70), greatest: 1 << 70 };
        let range = range.unwrap_or(all);
        let value = match self.below(8) {
            0 => range.least + i128::from(self.below(2)),
            1 => range.greatest - i128::from(self.below(2)),
            2 => i128::from(self.below(1 << 31)) << self.below(36),
            _ => i128::from(self.below(12)) - 3,
        };
        Int::from(value.clamp(range.least, range.greatest))
    }

    fn input(&mut self, lts: &Lts) -> Input {
        let mut input = Input::default();
        for variable in lts.variables.iter().filter(|variable| variable.initial.is_none()) {
            input.values.insert(variable.name.clone(), self.value(variable.start_range()));
        }
        for array in lts.arrays.iter().filter(|array| array.initial.is_none()) {
            let fits = |at: &i64| array.length.is_none() || *at >= 0 && Some(&Int::from(*at)) < array.length.as_ref();
            let elements = (-1..6i64).filter(fits).map(|at| (Int::from(at), self.value(array.start_range()))).collect();
            input.arrays.insert(array.name.clone(), ArrayInput { elements, default: Int::ZERO });
        }
        // Values that every type has, since only a run tells their types.
        input.nondet = (0..2 * LENGTH).map(|_| Int::from(self.below(2) as i64)).collect();
        input
    }
}

/// Runs each function: twice the same, and no variable leaves its range.
pub fn interp(data: &[u8]) {
    let mut chance = Chance::of(data);
    for lts in graphs(data) {
        let machine = Machine::new(&lts);
        for _ in 0..INPUTS {
            let input = chance.input(&lts);
            assert!(check_input(&lts, &input).is_ok(), "{:?}", check_input(&lts, &input));
            let run = machine.run(&input, STEPS);
            assert!(run == machine.run(&input, STEPS), "two runs on {input:?}");
            for (variable, value) in lts.variables.iter().zip(&run.variables) {
                assert!(variable.range.is_none_or(|range| range.contains(value)), "{} is {value} after {input:?}", variable.name);
            }
            let mut at = lts.entry;
            for &edge in &run.edges {
                assert!(lts.edge(edge).1 == at, "the edges of a run are a path");
                at = lts.edge(edge).2;
            }
            assert!(at == run.location);
        }
    }
}

/// That along each run the conditions of its edges hold, and of no other edge that leaves its locations.
pub fn symex(data: &[u8]) {
    let mut chance = Chance::of(data);
    for lts in graphs(data) {
        let machine = Machine::new(&lts);
        for _ in 0..INPUTS {
            let input = chance.input(&lts);
            conditions_agree(&lts, &machine, &input);
        }
    }
}

fn conditions_agree(lts: &Lts, machine: &Machine, input: &Input) {
    let run = machine.run(input, LENGTH);
    // A number too large is a limit of runs; symbolic execution has another.
    if run.outcome == Outcome::TooLarge || run.nondet_used > input.nondet.len() {
        return;
    }
    let mut pool = Pool::new();
    let known = assignment(&mut pool, input);
    let mut state = State::initial(lts, &mut pool);
    let mut at = lts.entry;
    for next in run.edges.iter().map(Some).chain([None]) {
        let cut_off = next.is_none() && !matches!(run.outcome, Outcome::Undefined(_) | Outcome::AssumeFailed);
        for (edge, _) in lts.outgoing(at) {
            let (condition, undo) = state.clone().apply(lts, &mut pool, edge);
            if !undo.is_exact() || is_approximate(&pool, condition) {
                return;
            }
            let facts = pool.and(undo.facts());
            assert!(known.formula(&pool, facts) != Some(false), "{input:?} before {edge:?}");
            let passes = known.satisfies(&pool, [condition]);
            assert!(cut_off || passes == (next == Some(&edge)), "{input:?} at {edge:?}: {:?}", run.outcome);
        }
        let Some(&edge) = next else { break };
        state.apply(lts, &mut pool, edge);
        at = lts.edge(edge).2;
    }
}
