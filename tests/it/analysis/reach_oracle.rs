//! Reach against brute force, on programs made at random. Theorem 1: an input that gets to the target satisfies `φ̂`. A verdict never
//! contradicts a run. And each summary: what it says of the values after so many rounds of each kind is what a run has there.

use crate::common::programs::{Action, Block, Condition, Connective, Operation, Shape};
use crate::common::{cases, inputs_of, lower_typed, run_of};
use culdesac::analysis::reach::method::effect::WayEffect;
use culdesac::analysis::reach::method::program::SummarizedProgram;
use culdesac::analysis::reach::method::satisfiability::{BackboneQuery, Decision};
use culdesac::analysis::reach::method::tree::PathTree;
use culdesac::analysis::reach::method::{TargetVerdict, Why, execute, proof, run};
use culdesac::analysis::{Silent, Trace};
use culdesac::evidence::graph::Pruned;
use culdesac::interp::{Input, Machine};
use culdesac::logic::{ArrayTerm, ArrayValue, Assignment, Int, Linear, Pool, SortedSet, gathered};
use culdesac::lts::inputs;
use culdesac::lts::{EdgeId, Label, Lts};
use culdesac::solver::meter::Meter;
use culdesac::symex::{State, nondet_name};
use proptest::prelude::*;

/// Programs that count in loops.
const SHAPE: Shape = Shape {
    constants: -3..4,
    variables: &["x", "y", "z", "k"],
    expression: (1, 3),
    operations: &[(4, Operation::Sum), (1, Operation::Multiple), (1, Operation::Behind(&["/ 2", "% 3"])), (1, Operation::Element)],
    comparisons: &["<", "<=", "==", "!=", ">"],
    conditions: &[(6, Condition::Comparison), (1, Condition::Text("nondet()"))],
    connectives: &[Connective::And],
    statements: &[
        (2, Action::Assign),
        (1, Action::Store),
        (4, Action::Text("k++;")),
        (3, Action::Text("z = z + 2;")),
        (2, Action::Text("x--;")),
        (1, Action::Text("y = y + x;")),
        (1, Action::Text("z = nondet();")),
        (1, Action::Text("z = a[k];")),
        (1, Action::Text("if (k > 4) break;")),
        (1, Action::Assert),
        (1, Action::Text("return y;")),
    ],
    nesting: (3, 10),
    blocks: &[(1, Block::If), (1, Block::IfElse), (3, Block::While)],
    length: 1..5,
    declarations: "int z = 0; int k = 0;",
};

/// A `break` stands in a loop only.
pub fn program() -> BoxedStrategy<String> {
    let in_a_loop = |text: String| {
        let open = text.replacen("int z = 0; int k = 0;", "int z = 0; int k = 0; do {", 1);
        open.replacen(" return z; }", "} while (0); return z; }", 1)
    };
    SHAPE.program().prop_map(in_a_loop).boxed()
}

/// A program with its summaries towards a target, and the effects of all paths.
pub struct Summed<'a> {
    pub program: SummarizedProgram<'a>,
    pub pool: Pool,
    pub effects: Vec<WayEffect>,
}

/// `None` where there are too many paths or the limit is reached.
pub fn summed<'a>(lts: &'a Lts, target: EdgeId) -> Option<Summed<'a>> {
    let tree = PathTree::new(lts, &SortedSet::from([target]), 300).ok()?;
    let (mut program, mut pool) = (SummarizedProgram::new(lts, tree), Pool::new());
    let effects = execute(&mut program, &mut pool, &mut Meter::new(300_000), &Trace::new(&mut Silent)).ok()?;
    Some(Summed { program, pool, effects })
}

/// Whether `φ̂` can hold for this input; an open answer counts.
fn can_hold(summed: &mut Summed, input: &Input) -> bool {
    let Summed { program, pool, effects } = summed;
    let inputs = inputs::inputs(program.lts);
    let mut said = Vec::new();
    for (name, value) in &input.values {
        let name = pool.integer(name);
        said.push(pool.equal(&name, &Linear::constant(value.clone())));
    }
    for (name, contents) in &input.arrays {
        let array = pool.array_symbol(name);
        for index in -2..6i64 {
            let element = pool.select(array, &Linear::constant(index));
            let value = contents.elements.get(&Int::from(index)).unwrap_or(&contents.default).clone();
            said.push(pool.equal(&element, &Linear::constant(value)));
        }
    }
    program.tree.goals.clone().into_iter().any(|goal| {
        let mut effect = program.whole(pool, effects, goal);
        effect.decided.extend(&said);
        let question = BackboneQuery { program, inputs: &inputs, goal, most: 10 };
        let (mut silent, mut meter) = (Silent, Meter::new(200_000));
        let trace = Trace::new(&mut silent);
        !question.is_refuted(pool, &effect, &mut meter, &trace)
            && !matches!(question.models(pool, &effect, &mut meter, &trace, &mut |_, _| true), Decision::Unsatisfiable)
    })
}

/// What variables, arrays and ghosts are.
struct Values {
    model: Assignment,
    graph: Pruned,
}

impl Values {
    fn set(&mut self, pool: &mut Pool, lts: &Lts, variables: &[Int]) {
        for (variable, value) in lts.variables.iter().zip(variables) {
            self.model.integers.insert(pool.symbol(&variable.name), value.clone());
        }
    }
}

/// Follows a run through the graph of places and compares all formulas on the way with what is there.
fn formulas_hold(summed: &mut Summed, machine: &Machine, input: &Input, source: &str) -> Result<(), TestCaseError> {
    let lts = summed.program.lts;
    let graph = proof::candidates(&summed.program, &mut summed.pool, &summed.effects);
    let pool = &mut summed.pool;
    let path = machine.run(input, 40).edges;
    let mut values = Values { model: Assignment::default(), graph };
    for (name, contents) in &input.arrays {
        let value = ArrayValue {
            elements: gathered(contents.elements.iter().map(|(i, v)| (i.clone(), v.clone()))),
            default: contents.default.clone(),
        };
        values.model.arrays.insert(pool.symbol(name), value);
    }
    values.set(pool, lts, &machine.run(input, 0).variables);
    for ghost in values.graph.ghosts.clone() {
        let first = values.model.linear(pool, &ghost.initial).unwrap_or_default();
        values.model.integers.insert(pool.symbol(&ghost.name), first);
    }
    let (mut place, mut drawn) = (0, 0);
    for steps in 0..=path.len() {
        for &formula in &values.graph.invariants[place] {
            let holds = values.model.formula(pool, formula);
            let text = culdesac::logic::text::formula(pool, formula);
            prop_assert_ne!(holds, Some(false), "after {} steps at place {}: {}\n{:?}\n{}", steps, place, text, input, source);
        }
        let Some(&edge) = path.get(steps) else { break };
        let next = values.graph.edges.iter().position(|&(from, taken, _)| (from as usize, taken) == (place, edge));
        // A cut: the run gets to the target, or the edge cannot be taken and the run shows the opposite.
        let Some(position) = next else {
            let is_goal = summed.program.tree.goals.iter().any(|goal| goal.edge == edge);
            prop_assert!(is_goal, "the run takes edge {} from place {place}\n{input:?}\n{source}", edge.index());
            return Ok(());
        };
        let draws = lts.graph[edge].nondets();
        for k in 0..draws {
            let value = input.nondet.get(drawn + k as usize).cloned().unwrap_or_default();
            values.model.integers.insert(pool.symbol(&nondet_name(k)), value);
        }
        drawn += draws as usize;
        let updates: Vec<(String, Linear)> = (values.graph.updates.iter())
            .filter(|update| update.edge == position)
            .map(|update| (values.graph.ghosts[update.ghost].name.clone(), update.value.clone()))
            .collect();
        let given: Vec<(String, Option<Int>)> =
            updates.into_iter().map(|(name, value)| (name, values.model.linear(pool, &value))).collect();
        let mut state = State::of_symbols(lts, pool, str::to_owned);
        state.apply(lts, pool, edge);
        if let Label::Store { array, .. } = lts.graph[edge].label
            && let ArrayTerm::Store(_, index, value) = pool.array(state.array(array)).clone()
            && let (Some(index), Some(value)) = (values.model.linear(pool, &index), values.model.linear(pool, &value))
        {
            let name = pool.symbol(&lts.array(array).name);
            values.model.arrays.entry(name).or_default().elements.insert(index, value);
        }
        let after = machine.run(input, steps as u64 + 1).variables;
        values.set(pool, lts, &after);
        for (name, value) in given {
            values.model.integers.insert(pool.symbol(&name), value.unwrap_or_default());
        }
        place = values.graph.edges[position].2 as usize;
    }
    Ok(())
}

/// Small types, where sums wrap around.
#[test]
fn sums_that_wrap_around() -> Result<(), TestCaseError> {
    let source = "int f(int a[], int x, int y) { int z = 0; int k = 0; do {  while ((x < 0 && 0 < 0)) { x = (0 + 0); if (0 < 0) { a[(0 + 0)] = (0 + 0); k++; } else { k++; } }
while (((2 + 0) != 0 && z <= 0)) { z = a[k]; if (((0 / 2) < 0 && 0 < 0)) { x = (0 + 0); } else { while (0 < (x % 3)) { x = (0 + 0); } y = y + x; } }} while (0); return z; }";
    agrees(source, 144, Some(195))
}

/// What the analysis says of one edge of a program, against what inputs do.
fn agrees(source: &str, pick: usize, types: Option<u64>) -> Result<(), TestCaseError> {
    let lts = lower_typed(source, types, true);
    let machine = Machine::new(&lts);
    prop_assume!(lts.graph.edge_count() > 0);
    let target = EdgeId::new(pick % lts.graph.edge_count());
    let Some(mut summed) = summed(&lts, target) else { return Ok(()) };
    let reaching: Vec<Input> =
        inputs_of(&lts, -3..=3, 6).into_iter().filter(|input| run_of(&machine, input, 60).0.contains(&target)).collect();
    let found = run(&summed.program, &mut summed.pool, &summed.effects, 10, &mut Meter::new(1_000_000), &Trace::new(&mut Silent));
    match &found.verdict {
        TargetVerdict::Reached { input, path, .. } => {
            prop_assert_eq!(&machine.run(input, path.len() as u64).edges, path, "{}", source);
            prop_assert_eq!(path.last(), Some(&target), "{}", source);
        }
        TargetVerdict::Unreachable => prop_assert!(reaching.is_empty(), "{:?} gets there\n{}", reaching[0], source),
        TargetVerdict::Open(why) => prop_assert!(*why != Why::Unproven || reaching.is_empty(), "{:?} gets there\n{}", reaching[0], source),
    }
    // Theorem 1.
    for input in reaching.iter().step_by(reaching.len() / 3 + 1) {
        prop_assert!(can_hold(&mut summed, input), "{:?}\n{}", input, source);
    }
    for input in inputs_of(&lts, -2..=3, 6).iter().step_by(29) {
        formulas_hold(&mut summed, &machine, input, source)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(16)))]

    #[test]
    fn agrees_with_brute_force(source in program(), pick in 0usize..1000, types in prop::option::of(0u64..1000)) {
        agrees(&source, pick, types)?;
    }
}
