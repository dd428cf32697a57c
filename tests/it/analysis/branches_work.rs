//! What Branches tells of its work adds up to the model, after each step and at the end: on the paper's example and on random programs.

use super::branches::SHAPE;
use crate::common::{cases, lower, lower_typed};
use culdesac::analysis::branches::bidirectional::{Bidirectional, Known};
use culdesac::analysis::branches::order::Fair;
use culdesac::analysis::branches::{BranchesDid, BranchesGap, BranchesNews, BranchesOrigin, BranchesStep, BranchesWanted, run};
use culdesac::analysis::common::sides::sides;
use culdesac::analysis::common::trace::{Event, Sink};
use culdesac::analysis::{Silent, Trace};
use culdesac::interp::{Input, Machine};
use culdesac::lts::Lts;
use culdesac::solver::meter::Meter;
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Hears the steps.
#[derive(Clone, Default)]
struct Heard(Rc<RefCell<Vec<BranchesStep>>>);

impl Sink for Heard {
    fn event(&mut self, event: Event<'_>) -> bool {
        if let Event::News { detail: true, news } = event
            && let Some(BranchesNews::BranchesStep { step }) = (*news()).as_any().downcast_ref()
        {
            self.0.borrow_mut().push(step.clone());
        }
        true
    }
}

/// What the steps add up to, as the page does it.
#[derive(Debug, Default, PartialEq)]
struct Replayed {
    reached: BTreeSet<u32>,
    taken: BTreeSet<u32>,
    /// Location, target, and whether it says too little.
    wanted: BTreeMap<u32, (u32, u32, bool)>,
    /// Edge and wanted state.
    frontier: BTreeMap<u32, (u32, u32)>,
}

impl Replayed {
    fn of(steps: &[BranchesStep]) -> Replayed {
        let mut now = Replayed::default();
        for step in steps {
            now.reached.extend(&step.reached);
            now.taken.extend(&step.taken);
            for BranchesWanted { state, location, target, .. } in &step.wanted {
                assert_eq!(now.wanted.insert(*state, (*location, *target, false)), None);
            }
            for state in &step.touched {
                now.wanted.get_mut(state).expect("it is wanted").2 = true;
            }
            for state in &step.removed {
                now.wanted.remove(state).expect("it was wanted");
            }
            for gap in &step.left {
                now.frontier.remove(gap).expect("it was a frontier edge");
            }
            for BranchesGap { gap, edge, to } in &step.joined {
                assert_eq!(now.frontier.insert(*gap, (*edge, *to)), None);
            }
            for (edge, to) in now.frontier.values() {
                assert!(now.wanted.contains_key(to), "edge {edge} leads to what is not wanted");
            }
        }
        now
    }

    fn model(analysis: &Bidirectional) -> Replayed {
        let model = &analysis.model;
        let number = |at: usize| at as u32;
        let wanted = model.wanted.iter().enumerate().filter(|(_, state)| !state.is_removed);
        let gaps = model.gaps.iter().enumerate().filter(|(gap, _)| model.is_frontier(*gap));
        let edges = analysis.edges.iter().enumerate();
        Replayed {
            reached: model.reached.iter().map(|state| number(state.location.index())).collect(),
            taken: edges.filter(|(_, known)| matches!(known, Known::Taken(_))).map(|(edge, _)| number(edge)).collect(),
            wanted: wanted
                .map(|(at, state)| (number(at), (number(state.location.index()), number(state.target.index()), state.is_touched)))
                .collect(),
            frontier: gaps.map(|(at, gap)| (number(at), (number(gap.edge.index()), number(gap.to)))).collect(),
        }
    }
}

fn valves() -> Lts {
    let source = std::fs::read_to_string("examples/check_valves.c").expect("an example");
    lower(&source)
}

/// The steps at the frontier alone, compared with the model behind each.
fn step_by_step(lts: &Lts, inputs: &[Input]) -> Vec<BranchesStep> {
    let mut heard = Heard::default();
    let steps = heard.0.clone();
    let (machine, mut order, trace) = (Machine::new(lts), Fair::default(), Trace::new(&mut heard));
    let mut analysis = Bidirectional::new(lts, &machine, &mut order, &trace);
    let mut meter = Meter::new(100_000);
    for input in inputs {
        if analysis.run(input, BranchesOrigin::Given, &mut meter).is_err() {
            break;
        }
        assert_eq!(Replayed::of(&steps.borrow()), Replayed::model(&analysis));
    }
    while let Ok(Some(_)) = analysis.step(&mut meter) {
        assert_eq!(Replayed::of(&steps.borrow()), Replayed::model(&analysis));
        let said = steps.borrow().last().expect("a step").iteration;
        assert_eq!(u64::from(said), analysis.iterations);
        if analysis.iterations > 120 {
            break;
        }
    }
    steps.take()
}

/// All of an analysis, compared with the model wherever something is told of it; and its last steps.
fn whole(lts: &Lts) -> Vec<BranchesStep> {
    let mut heard = Heard::default();
    let steps = heard.0.clone();
    let trace = Trace::new(&mut heard);
    let mut tell = |analysis: &Bidirectional| {
        // Nothing is told of the entry alone.
        if !analysis.tests.is_empty() {
            assert_eq!(Replayed::of(&steps.borrow()), Replayed::model(analysis));
        }
    };
    run(lts, (&sides(lts), &[]), &mut Fair::default(), &mut Meter::new(3_000_000), &trace, &mut tell);
    steps.take()
}

#[test]
fn the_steps_on_the_valves_add_up_to_the_model() {
    let lts = valves();
    assert!(step_by_step(&lts, &[Input::default()]).len() > 120);
    let steps = whole(&lts);
    let count = |such: fn(&BranchesDid) -> bool| steps.iter().filter(|step| such(&step.did)).count();
    assert!(count(|did| matches!(did, BranchesDid::Run { origin: BranchesOrigin::Diverted { .. }, .. })) > 4);
    assert!(count(|did| matches!(did, BranchesDid::Backward { .. })) > 4);
    assert!(count(|did| matches!(did, BranchesDid::Gone { .. })) > 4);
    assert!(count(|did| matches!(did, BranchesDid::Coarsened)) > 1);
    assert!(steps.iter().flat_map(|step| &step.wanted).any(|state| state.condition == "before <= 0 && valves <= 0 && 3 <= broken"));
    // All is decided: nothing is wanted, and there is no frontier.
    let end = Replayed::of(&steps);
    assert!(end.wanted.is_empty() && end.frontier.is_empty());
}

/// Who does not listen is told nothing, and the analysis is the same.
#[test]
fn nobody_is_told_who_does_not_listen() {
    let lts = valves();
    let (machine, mut order, mut silent) = (Machine::new(&lts), Fair::default(), Silent);
    let trace = Trace::new(&mut silent);
    let mut analysis = Bidirectional::new(&lts, &machine, &mut order, &trace);
    let mut meter = Meter::new(100_000);
    analysis.run(&Input::default(), BranchesOrigin::Given, &mut meter).expect("enough steps");
    analysis.tell(|| unreachable!("nobody listens"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(30), ..ProptestConfig::default() })]

    #[test]
    fn the_steps_add_up_to_the_model(source in SHAPE.program(), seed in proptest::option::of(0..100u64)) {
        let lts = lower_typed(&source, seed, false);
        step_by_step(&lts, &[Input::default()]);
        whole(&lts);
    }
}
