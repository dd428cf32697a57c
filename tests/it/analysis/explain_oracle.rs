//! What `explain` promises (DBG10, Section III-C), on the examples and on programs made at random: every path that a family
//! accepts is infeasible, shown path by path by a solver that knows nothing of families, and never taken by an execution; every
//! explanation is minimal for its check; and the checker of families believes nothing else, whatever is added to them.

use crate::common::programs::{Action, Block, Condition, Operation, Shape};
use crate::common::{cases, lower, lower_typed};
use culdesac::analysis::explain::method::consistency::{Strength, check_of};
use culdesac::analysis::explain::method::family::{Extension, ProgramFacts};
use culdesac::analysis::explain::method::run::{ExplainOutcome, run};
use culdesac::analysis::explain::method::{ExplainPlan, Order, prepare};
use culdesac::analysis::{Event, Sink, Trace};
use culdesac::automaton::Automaton;
use culdesac::count::Random;
use culdesac::evidence::family::{Certified, check_family};
use culdesac::evidence::{Statement, read_family};
use culdesac::interp::{ArrayInput, Input, Machine, Outcome as Ended};
use culdesac::logic::{FormulaId, Int, Pool};
use culdesac::lts::{self, EdgeId, Lts};
use culdesac::search::{PathPrefix, SearchStep};
use culdesac::solver::meter::Meter;
use culdesac::solver::questions::NoLog;
use culdesac::states::Ask;
use culdesac::symex::nearest;
use num_bigint::BigUint;
use proptest::prelude::*;
use std::time::Duration;

/// Keeps the families in the form of the evidence file, and what was left open.
struct Keep {
    families: Vec<culdesac::evidence::FamilyGraph>,
    open: Vec<String>,
}

impl Sink for Keep {
    fn event(&mut self, event: Event<'_>) -> bool {
        match event {
            Event::Proved { claim, .. } => {
                let Statement::Family { family, .. } = claim(1).statement else { panic!("a claim of another kind") };
                self.families.push(family);
            }
            Event::Open { path, reason } => self.open.push(format!("{path:?} was not confirmed: {reason}")),
            _ => {}
        }
        true
    }
}

/// With enough steps, so that everything is confirmed.
fn explained(lts: &Lts, settings: &ExplainPlan) -> (ExplainOutcome, Vec<culdesac::evidence::FamilyGraph>) {
    let (outcome, keep) = explained_within(lts, settings, 3_000_000);
    assert!(keep.open.is_empty(), "{:?}", keep.open);
    (outcome, keep.families)
}

fn explained_within(lts: &Lts, settings: &ExplainPlan, limit: u64) -> (ExplainOutcome, Keep) {
    let (resources, effects) = prepare(lts);
    let program = ProgramFacts::new(lts, &effects, &resources);
    let mut keep = Keep { families: Vec::new(), open: Vec::new() };
    let outcome = {
        let trace = Trace::new(&mut keep);
        run(&program, &resources, settings, 0, &|| Duration::ZERO, &mut Meter::new(limit), &trace)
    };
    (outcome, keep)
}

/// Whether no input takes the path, by walking along it alone; `None` if that is open.
fn is_infeasible(lts: &Lts, path: &[EdgeId]) -> Option<bool> {
    let mut walk = PathPrefix::new(lts);
    for &edge in path {
        match walk.step(edge, &mut Meter::new(500_000), &NoLog) {
            SearchStep::Feasible => {}
            SearchStep::Infeasible(_) => return Some(true),
            SearchStep::Open(_) => return None,
        }
    }
    Some(false)
}

fn edges(word: &[u32]) -> Vec<EdgeId> {
    word.iter().map(|&edge| EdgeId::new(edge as usize)).collect()
}

/// The words of an automaton up to a length: all of them up to a number, then one in so many.
fn sample(automaton: &Automaton, length: usize, all: usize) -> Vec<Vec<u32>> {
    let mut random = Random::new(7);
    let few = BigUint::from(40u32);
    let words = automaton.words(length).enumerate();
    words.filter(|(number, _)| *number < all || random.below(&few) == BigUint::from(0u32)).map(|(_, word)| word).take(all + 500).collect()
}

/// A family that accepts a path that is not infeasible, if there is one.
fn wrong_family(lts: &Lts, automata: &[&Automaton], length: usize, all: usize) -> Option<String> {
    for automaton in automata {
        for word in sample(automaton, length, all) {
            let path = edges(&word);
            if !lts.is_path_prefix(&path) {
                return Some(format!("{word:?} is no path"));
            }
            if is_infeasible(lts, &path) == Some(false) {
                return Some(format!("{word:?} can run"));
            }
        }
    }
    None
}

/// The edges that executions of the machine on small inputs take.
fn executions(lts: &Lts, length: u64) -> Vec<Vec<u32>> {
    let machine = Machine::new(lts);
    let inputs = lts::inputs::inputs(lts);
    let names: Vec<String> = inputs.variables.iter().map(|&id| lts.variable(id).name.clone()).collect();
    let mut found = Vec::new();
    for number in 0..4u32.pow(names.len().min(3) as u32) * 2 {
        let mut input = Input::default();
        for (at, name) in names.iter().enumerate() {
            let value = Int::from(i64::from(number / 4u32.pow(at as u32) % 4) - 1);
            input.values.insert(name.clone(), nearest(value, lts.variable(inputs.variables[at]).range));
        }
        for &id in &inputs.arrays {
            let elements = (0..3)
                .map(|index| (Int::from(index), nearest(Int::from((i64::from(number) * 7 + index * 5) % 4 - 1), lts.array(id).range)))
                .collect();
            input.arrays.insert(lts.array(id).name.clone(), ArrayInput { elements, default: Int::ZERO });
        }
        input.nondet = (0..length).map(|k| Int::from((u64::from(number) >> (k % 5)) as i64 & 1)).collect();
        let finished = machine.run(&input, length);
        if !matches!(finished.outcome, Ended::AssumeFailed) {
            found.push(finished.edges.iter().map(|edge| edge.index() as u32).collect());
        }
    }
    found
}

/// An explanation that is not minimal for its check, if there is one.
fn not_minimal(outcome: &ExplainOutcome, strength: Strength) -> Option<String> {
    let mut pool: Pool = outcome.pool.clone();
    for explanation in outcome.findings.iter().flat_map(|finding| &finding.explained.explanations) {
        let mut refuted = |formulas: &[FormulaId]| {
            let mut meter = Meter::new(5_000_000);
            let mut ask = Ask { meter: &mut meter, log: &NoLog };
            check_of(strength).decide(&mut pool, formulas, &mut ask).expect("enough steps").is_inconsistent()
        };
        if !refuted(&explanation.constraints) {
            return Some(format!("{:?} is no explanation", explanation.positions));
        }
        for out in 0..explanation.constraints.len() {
            let mut rest = explanation.constraints.clone();
            rest.remove(out);
            if refuted(&rest) {
                return Some(format!("{:?}: {out} is not needed", explanation.positions));
            }
        }
    }
    None
}

const STRENGTHS: [Strength; 3] = [Strength::Interval, Strength::Rational, Strength::Integer];

/// What is wrong for these settings, if anything.
fn wrong(lts: &Lts, settings: &ExplainPlan, all: usize) -> Option<String> {
    let (outcome, _) = explained(lts, settings);
    let automata: Vec<&Automaton> = outcome.findings.iter().flat_map(|finding| &finding.automata).collect();
    let length = settings.max_instructions as usize + 3;
    let taken = executions(lts, length as u64);
    for automaton in &automata {
        for path in &taken {
            if (0..=path.len()).any(|end| automaton.accepts(&path[..end])) {
                return Some(format!("{settings:?}: {path:?} was executed"));
            }
        }
    }
    wrong_family(lts, &automata, length, all)
        .or_else(|| not_minimal(&outcome, settings.strength))
        .map(|reason| format!("{settings:?}: {reason}"))
}

fn all_settings(max_instructions: u32) -> Vec<ExplainPlan> {
    let mut found = Vec::new();
    for strength in STRENGTHS {
        for order in [Order::First, Order::Last, Order::All] {
            for extension in [Extension::Detours, Extension::AnyWay] {
                found.push(ExplainPlan { max_instructions, order, strength, extension, max_explanations: 4, ..ExplainPlan::default() });
            }
        }
    }
    found
}

#[test]
fn families_of_the_examples_accept_only_infeasible_paths() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for name in ["f2", "erfill", "f1", "merge5", "selection", "gcd", "tritype", "bubble_arrays", "advisory"] {
        let lts = lower(&std::fs::read_to_string(folder.join(format!("{name}.c"))).expect("an example"));
        for extension in [Extension::Detours, Extension::AnyWay] {
            let settings = ExplainPlan { max_instructions: 28, extension, ..ExplainPlan::default() };
            let (outcome, _) = explained(&lts, &settings);
            let mut distinct: Vec<&Automaton> = Vec::new();
            for automaton in outcome.findings.iter().flat_map(|finding| &finding.automata) {
                if !distinct.contains(&automaton) {
                    distinct.push(automaton);
                }
            }
            assert_eq!(wrong_family(&lts, &distinct[..distinct.len().min(25)], 40, 120), None, "{name}");
            assert_eq!(not_minimal(&outcome, Strength::Integer), None, "{name}");
        }
    }
}

/// The automaton of a family in the file's form.
fn automaton(family: &Certified) -> Automaton {
    let mut automaton =
        Automaton { initial: 0, accepting: vec![false; family.locations.len()], transitions: vec![Vec::new(); family.locations.len()] };
    family.accepting.iter().for_each(|&state| automaton.accepting[state as usize] = true);
    family.transitions.iter().for_each(|&(from, edge, to, _)| automaton.transitions[from as usize].push((edge, to)));
    automaton.transitions.iter_mut().for_each(|ways| {
        ways.sort_unstable();
        ways.dedup();
    });
    automaton
}

/// Adds each possible transition to a family by itself: what the checker still believes must be right. Gives how many
/// it believed, or what it believed wrongly.
fn believed(lts: &Lts, family: &culdesac::evidence::FamilyGraph, length: usize) -> Result<usize, String> {
    let mut pool = Pool::new();
    let family = read_family(lts, &mut pool, family)?;
    check_family(lts, &mut pool, &family)?;
    let mut count = 0;
    for edge in lts.graph.edge_indices() {
        let (_, from, to) = lts.edge(edge);
        for source in (0..family.locations.len()).filter(|&state| family.locations[state] == from) {
            for target in (0..family.locations.len()).filter(|&state| family.locations[state] == to) {
                for name in [None, Some(0)] {
                    let mut forged = family.clone();
                    forged.transitions.push((source as u32, edge.index() as u32, target as u32, name));
                    if check_family(lts, &mut pool, &forged).is_ok() {
                        count += 1;
                        let minimal = automaton(&forged).minimized().expect("small");
                        if let Some(wrong) = wrong_family(lts, &[&minimal], length, 60) {
                            return Err(format!("with {source} -{}-> {target}: {wrong}", edge.index()));
                        }
                    }
                }
            }
        }
    }
    Ok(count)
}

/// As `prune` has them, where what fails lies in loops, but with more arrays and unknown values, which are what explanations trace;
/// and without products of variables.
const SHAPE: Shape = Shape {
    constants: -2..4,
    variables: &["x", "y", "z", "w"],
    expression: (1, 3),
    operations: &[(6, Operation::Sum), (1, Operation::Behind(&["/ 2", "% 3", "/ z"])), (3, Operation::Element)],
    comparisons: &["<", "<=", "==", "!="],
    conditions: &[(6, Condition::Comparison), (1, Condition::Text("nondet()")), (1, Condition::Text("nondet() < x"))],
    connectives: &[],
    statements: &[
        (3, Action::Assign),
        (3, Action::Count),
        (3, Action::Store),
        (1, Action::Assume),
        (2, Action::Text("w = nondet();")),
        (1, Action::Text("w = w + nondet();")),
    ],
    nesting: (3, 10),
    blocks: &[(2, Block::If), (2, Block::IfElse), (3, Block::While)],
    length: 2..5,
    declarations: "int z = 0; int w;",
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(16)))]

    #[test]
    fn families_accept_only_infeasible_paths_and_explanations_are_minimal(source in SHAPE.program(), chosen in 0usize..18, seed in any::<Option<u64>>()) {
        let lts = lower_typed(&source, seed, false);
        for settings in [ExplainPlan { max_instructions: 12, ..ExplainPlan::default() }, all_settings(12)[chosen]] {
            let wrong = wrong(&lts, &settings, 200);
            prop_assert!(wrong.is_none(), "{}\n{source}", wrong.unwrap_or_default());
        }
    }

    /// Wherever the steps end.
    #[test]
    fn only_families_that_were_claimed_are_listed(source in SHAPE.program(), chosen in 0usize..18, limit in 0u64..40_000, seed in any::<Option<u64>>()) {
        let lts = lower_typed(&source, seed, false);
        let settings = all_settings(12)[chosen];
        let (outcome, keep) = explained_within(&lts, &settings, limit);
        let mut pool = Pool::new();
        let read = |family| automaton(&read_family(&lts, &mut pool, family).expect("a family")).minimized().expect("small");
        let claimed: Vec<Automaton> = keep.families.iter().map(read).collect();
        for finding in &outcome.findings {
            prop_assert!(!finding.explained.explanations.is_empty());
            prop_assert_eq!(finding.explained.explanations.len(), finding.automata.len());
            for listed in &finding.automata {
                prop_assert!(claimed.contains(listed), "{settings:?} {limit}\n{source}");
            }
        }
    }

    #[test]
    fn the_checker_believes_no_wrong_family(source in SHAPE.program(), seed in any::<Option<u64>>()) {
        let lts = lower_typed(&source, seed, false);
        let (_, families) = explained(&lts, &ExplainPlan { max_instructions: 10, ..ExplainPlan::default() });
        for family in families.iter().take(6) {
            let believed = believed(&lts, family, 12);
            prop_assert!(believed.is_ok(), "{}\n{source}", believed.err().unwrap_or_default());
        }
    }
}

/// A word as a path through small automata, naively.
fn language(automaton: &Automaton, length: usize) -> std::collections::BTreeSet<Vec<u32>> {
    let mut found = std::collections::BTreeSet::new();
    let mut open = vec![Vec::new()];
    while let Some(word) = open.pop() {
        if automaton.accepts(&word) {
            found.insert(word.clone());
        }
        if word.len() < length {
            open.extend((0..3).map(|letter| [&word[..], &[letter]].concat()));
        }
    }
    found
}

fn small_automaton() -> impl Strategy<Value = Automaton> {
    let states = 5usize;
    (prop::collection::vec(prop::bool::weighted(0.3), states), prop::collection::vec((0u32..5, 0u32..3, 0u32..5), 1..12)).prop_map(
        move |(accepting, arcs)| {
            let mut transitions = vec![Vec::new(); states];
            arcs.into_iter().for_each(|(from, letter, to)| transitions[from as usize].push((letter, to)));
            transitions.iter_mut().for_each(|ways: &mut Vec<_>| {
                ways.sort_unstable();
                ways.dedup();
            });
            Automaton { initial: 0, accepting, transitions }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(16) * 4))]

    /// Against the languages written out.
    #[test]
    fn operations_on_automata_are_those_on_languages(a in small_automaton(), b in small_automaton()) {
        const LENGTH: usize = 5;
        let (x, y) = (language(&a, LENGTH), language(&b, LENGTH));
        let (p, q) = (a.minimized().expect("small"), b.minimized().expect("small"));
        prop_assert!(p.is_deterministic() && language(&p, LENGTH) == x);
        prop_assert!(p.states() <= a.determinized().expect("small").states());
        prop_assert_eq!(p.minimized().expect("small"), p.clone());
        prop_assert_eq!(language(&p.intersection(&q).expect("small"), LENGTH), x.intersection(&y).cloned().collect());
        prop_assert_eq!(language(&p.union(&q).expect("small"), LENGTH), x.union(&y).cloned().collect());
        let difference = p.difference(&q).expect("small");
        prop_assert_eq!(language(&difference, LENGTH), x.difference(&y).cloned().collect());
        prop_assert_eq!(p.is_included_in(&q).expect("small"), difference.is_empty());
        prop_assert!(p.is_included_in(&p.union(&q).expect("small")).expect("small"));
        prop_assert_eq!(p.total(LENGTH).expect("deterministic"), BigUint::from(x.len()));
        prop_assert_eq!(p.words(LENGTH).collect::<std::collections::BTreeSet<_>>(), x.clone());
        // Of equal languages there is one minimal automaton.
        prop_assert_eq!(p.union(&p).expect("small").minimized().expect("small"), p.clone());
        // The expression says the same, by an independent reader.
        if let Some(regex) = culdesac::automaton::regex::regex(&p) {
            for word in language(&Automaton { initial: 0, accepting: vec![true], transitions: vec![vec![(0, 0), (1, 0), (2, 0)]] }, 4) {
                prop_assert_eq!(matches(&regex, &word), x.contains(&word), "{:?} {:?}", regex, word);
            }
        } else {
            prop_assert!(p.is_empty());
        }
    }
}

/// Whether an expression accepts a word, by all the ways to split it.
fn matches(regex: &culdesac::automaton::regex::Regex, word: &[u32]) -> bool {
    use culdesac::automaton::regex::Regex;
    match regex {
        Regex::Letter(letter) => word == [*letter],
        Regex::Sequence(parts) => match parts.split_first() {
            None => word.is_empty(),
            Some((first, rest)) => {
                let rest = Regex::Sequence(rest.to_vec());
                (0..=word.len()).any(|at| matches(first, &word[..at]) && matches(&rest, &word[at..]))
            }
        },
        Regex::Choice(parts) => parts.iter().any(|part| matches(part, word)),
        Regex::Star(inner) => word.is_empty() || (1..=word.len()).any(|at| matches(inner, &word[..at]) && matches(regex, &word[at..])),
    }
}
