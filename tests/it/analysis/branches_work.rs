//! What Branches tells of its work adds up to the model, after each step and at the end: on the paper's example and on random programs. The
//! docs' walk through the paper's Fig. 5 comes out.

use super::branches::SHAPE;
use crate::common::{cases, lower, lower_typed};
use culdesac::analysis::branches::method::bidirectional::Bidirectional;
use culdesac::analysis::branches::method::bidirectional::observer::{ModelChange, RunOrigin, SearchObserver};
use culdesac::analysis::branches::method::order::Fair;
use culdesac::analysis::branches::method::runs::EdgeKnowledge;
use culdesac::analysis::branches::method::type_ranges::TypeRanges;
use culdesac::analysis::branches::method::{BranchGoals, search};
use culdesac::analysis::branches::report::pretty_print::text;
use culdesac::analysis::branches::report::step_log::StepLog;
use culdesac::analysis::branches::{
    Branches, BranchesDid, BranchesGap, BranchesGone, BranchesNews, BranchesOrder, BranchesOrigin, BranchesSettings, BranchesStep,
    BranchesWanted,
};
use culdesac::analysis::cfg::cfg;
use culdesac::analysis::{Finding, Listener, Query, Silent, Trace};
use culdesac::interp::{Input, Machine};
use culdesac::ledger::facts::EdgeFacts;
use culdesac::logic::{Assignment, Int, Pool};
use culdesac::lts::Lts;
use culdesac::lts::sides::sides;
use culdesac::run::trace::{Event, Sink};
use culdesac::solver::meter::Meter;
use culdesac::view::{Reply, Request};
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
        let wanted = model.target_states.iter().enumerate().filter(|(_, state)| !state.is_removed);
        let gaps = model.gaps.iter().enumerate().filter(|(gap, _)| model.is_frontier(*gap));
        let edges = analysis.edges.iter().enumerate();
        Replayed {
            reached: model.reached.iter().map(|state| number(state.location.index())).collect(),
            taken: edges.filter(|(_, known)| matches!(known, EdgeKnowledge::Taken(_))).map(|(edge, _)| number(edge)).collect(),
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

/// The steps at the frontier alone, compared with the model after each.
fn step_by_step(lts: &Lts, inputs: &[Input]) -> Vec<BranchesStep> {
    let mut heard = Heard::default();
    let steps = heard.0.clone();
    let (machine, mut order, trace) = (Machine::new(lts), Fair::default(), Trace::new(&mut heard));
    let log = StepLog::new(&trace);
    let mut analysis = Bidirectional::new(lts, &machine, &mut order, &trace, &log);
    let mut meter = Meter::new(100_000);
    for input in inputs {
        if analysis.run(input, RunOrigin::Given, &mut meter).is_err() {
            break;
        }
        assert_eq!(Replayed::of(&steps.borrow()), Replayed::model(&analysis));
    }
    while let Ok(Some(_)) = analysis.step(&mut meter) {
        assert_eq!(Replayed::of(&steps.borrow()), Replayed::model(&analysis));
        parts_say_all(lts, &analysis);
        let said = steps.borrow().last().expect("a step").iteration;
        assert_eq!(u64::from(said), analysis.iterations);
        if analysis.iterations > 120 {
            break;
        }
    }
    steps.take()
}

/// Values within the types make the parts that are written of a condition true exactly where it is.
fn parts_say_all(lts: &Lts, analysis: &Bidirectional) {
    let Some(wanted) = analysis.model.target_states.last() else { return };
    let pool = &mut analysis.pool().clone();
    let Some(parts) = analysis.types.essential(pool, wanted.condition) else { return };
    let number = analysis.model.target_states.len() as i64;
    for round in 0..40_i64 {
        let mut values = Assignment::default();
        for (at, variable) in (0..).zip(&lts.variables) {
            let symbol = pool.symbol(&variable.name);
            // Small numbers, and where there is a type its ends.
            let (turn, small) = (round + at * 3 + number, Int::from((round * 7 + at * 5 + number) % 9 - 4));
            let value = match &variable.range {
                Some(range) if turn % 5 == 0 => range.least(),
                Some(range) if turn % 5 == 1 => range.greatest(),
                Some(range) => range.wrap(&small),
                None => small,
            };
            values.integers.insert(symbol, value);
        }
        let whole = values.formula(pool, wanted.condition);
        let written: Option<Vec<bool>> = parts.iter().map(|&part| values.formula(pool, part)).collect();
        if let (Some(whole), Some(written)) = (whole, written) {
            assert_eq!(whole, written.iter().all(|&holds| holds), "{}", text(&analysis.types, pool, wanted.condition));
        }
    }
}

#[test]
fn conditions_are_written_without_what_types_say() {
    let (range, mut pool) = (culdesac::logic::IntRange::of_bits(32, true), Pool::new());
    let mut lts = lower("int f(int x, int y) { return x + y; }");
    for variable in &mut lts.variables {
        variable.range = Some(range);
    }
    let types = TypeRanges::of(&lts, &mut pool);
    let (x, y) = (pool.integer("x"), pool.integer("y"));
    let number = |value: i64| culdesac::logic::Linear::constant(Int::from(value));
    let (least, most) = (number(-(1 << 31)), number((1 << 31) - 1));
    let typed = [pool.at_most(&least, &x), pool.at_most(&x, &most), pool.at_most(&number(-5_000_000_000), &y)];
    let typed = pool.and(&typed);
    assert_eq!(text(&types, &pool, typed), "true");
    let (below, above) = (pool.less(&x, &number(0)), pool.at_most(&number(0), &x));
    let (weaker, no_overflow, compared) = (pool.at_most(&x, &number(7)), pool.at_most(&x, &number((1 << 31) - 2)), pool.less(&x, &y));
    let all = pool.and(&[typed, weaker, below]);
    assert_eq!(text(&types, &pool, all), "x <= -1");
    let not_above = pool.not(above);
    let twice = pool.and(&[below, not_above]);
    assert_eq!(text(&types, &pool, twice), "x <= -1");
    let all = pool.and(&[no_overflow, compared, above, typed]);
    let written = text(&types, &pool, all);
    assert_eq!(written.split(" && ").collect::<BTreeSet<_>>(), BTreeSet::from(["x < y", "0 <= x"]), "{written}");
}

/// Compares the steps with the model wherever something is told of it.
struct Compared<'t, 'r> {
    log: StepLog<'t, 'r>,
    steps: Rc<RefCell<Vec<BranchesStep>>>,
}

impl SearchObserver for Compared<'_, '_> {
    fn changed(&self, analysis: &Bidirectional, change: &ModelChange) {
        self.log.changed(analysis, change);
    }

    fn settled(&self, analysis: &Bidirectional) {
        // Nothing is told of the entry alone.
        if !analysis.tests.is_empty() {
            assert_eq!(Replayed::of(&self.steps.borrow()), Replayed::model(analysis));
        }
    }
}

/// All of an analysis, compared with the model wherever something is told of it; and its last steps.
fn whole(lts: &Lts) -> Vec<BranchesStep> {
    let mut heard = Heard::default();
    let steps = heard.0.clone();
    let trace = Trace::new(&mut heard);
    let compared = Compared { log: StepLog::new(&trace), steps: steps.clone() };
    let goals = BranchGoals { sides: &sides(lts), start: &[], facts: &EdgeFacts::default() };
    search(lts, goals, &mut Fair::default(), &mut Meter::new(3_000_000), &trace, &compared);
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

/// Without an observer no event is made, and the analysis is the same.
#[test]
fn nobody_is_told_who_does_not_listen() {
    let lts = valves();
    let (machine, mut order, mut silent) = (Machine::new(&lts), Fair::default(), Silent);
    let trace = Trace::new(&mut silent);
    let log = StepLog::new(&trace);
    let mut analysis = Bidirectional::new(&lts, &machine, &mut order, &trace, &log);
    let mut meter = Meter::new(100_000);
    analysis.run(&Input::default(), RunOrigin::Given, &mut meter).expect("enough steps");
    assert!(!analysis.tests.is_empty());
    assert_eq!(log.steps(), 0);
}

/// The page's walk through the paper's Fig. 5: each row of its tables is what the step of that number did, and what the model is then.
#[test]
fn the_walk_through_figure_five_comes_out() {
    let read = |path: &str| std::fs::read_to_string(path).expect("a file of the project").replace("\r\n", "\n");
    let page = read("web/docs/branches.md");
    let section = page.split("\n## Fig. 5, step by step\n").nth(1).expect("the section").split("\n## ").next().expect("its text");
    let given = section.split("```text\n").nth(1).and_then(|rest| rest.split("\n```").next()).expect("the test to begin with");
    let request = Request { program: "check_valves.c".into(), source: read("examples/check_valves.c"), ..Request::default() };
    let Reply::Document { document: graph } = cfg(&request) else { panic!("refused") };
    let label = |edge: &u32| graph.edges[*edge as usize].label.clone();
    let mut steps = Vec::new();
    let mut hear = |event: culdesac::view::Event| {
        if let Some(BranchesNews::BranchesStep { step }) = event.news::<BranchesNews>() {
            steps.push(step.clone());
        }
        true
    };
    let settings = BranchesSettings {
        tests: serde_json::from_str(given).expect("inputs"),
        order: BranchesOrder::Discovery,
        ..BranchesSettings::default()
    };
    let mut listener = Listener { findings: &[Finding::Step], ..Listener::new(&mut hear) };
    let Reply::Document { .. } = (Query { request: Some(request), settings }).answer::<Branches>(&Default::default, &mut listener) else {
        panic!("refused")
    };
    let rows = section.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| step"));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect()).collect();
    assert!(rows.len() > 12, "the tables were not found");
    for row in rows {
        let number: usize = row[0].parse().expect("a step");
        let (step, now) = (&steps[number - 1], Replayed::of(&steps[..number]));
        let targets = || step.wanted.iter().map(|state| label(&state.target)).collect();
        let (did, edges): (&str, Vec<String>) = match &step.did {
            BranchesDid::Run { origin: BranchesOrigin::Diverted { edge, .. }, .. } => ("Forward", vec![label(edge)]),
            BranchesDid::Run { .. } => ("Run", vec![]),
            BranchesDid::Coarsened => ("Coarsening", vec![]),
            BranchesDid::Targets => ("Wanted", targets()),
            BranchesDid::Backward { edge, .. } => ("Backward", vec![label(edge)]),
            BranchesDid::Gone { edge, .. } => ("Gone", vec![label(edge)]),
            BranchesDid::Proved { edge, .. } => ("No frontier", vec![label(edge)]),
            BranchesDid::Excluded { edges } => ("Infeasible", edges.iter().map(label).collect()),
            BranchesDid::Asked { .. } => ("Asked", vec![]),
        };
        let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        assert!(row[1].starts_with(did), "step {number} is {did}: {:?}", step.did);
        assert_eq!(quoted(row[1]), edges, "step {number}");
        assert_eq!(row[2], format!("{}, {}, {}", now.reached.len(), now.wanted.len(), now.frontier.len()), "step {number}");
        let conditions = match &step.did {
            BranchesDid::Gone { before, why, .. } => {
                assert!(matches!(why, BranchesGone::Contradiction { .. }), "step {number}");
                vec![before.clone()]
            }
            _ => step.wanted.iter().map(|state| state.condition.clone()).filter(|text| text != "true").collect(),
        };
        assert_eq!(quoted(row[3]), conditions, "step {number}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(12), ..ProptestConfig::default() })]

    #[test]
    fn the_steps_add_up_to_the_model(source in SHAPE.program(), seed in proptest::option::of(0..100u64)) {
        let lts = lower_typed(&source, seed, false);
        step_by_step(&lts, &[Input::default()]);
        whole(&lts);
    }
}
