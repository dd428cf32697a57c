//! `reach`: whether and how execution gets to a place of the program.

use super::description::Described;
use super::news::ReachNews;
use super::target::{self, Targets};
use super::{MAX_K, ReachDocument, ReachNearest, ReachSearch, ReachSettings, ReachVerdict};
use crate::analysis::reach::method::determined::reach_determined;
use crate::analysis::reach::method::guide::{GuidedResult, Nearest};
use crate::analysis::reach::method::program::SummarizedProgram;
use crate::analysis::reach::method::starts::{Started, started};
use crate::analysis::reach::method::tree::PathTree;
use crate::analysis::reach::method::{Found, NODES, TargetVerdict, Why, execute, run, run_without_tree};
use crate::evidence::numbers;
use crate::load::{Loaded, load_assuming, refused};
use crate::logic::{Pool, SortedSet};
use crate::lts::assume::Assumption;
use crate::lts::{EdgeId, Lts};
use crate::run::assumption_tracking::{Needs, assumed_in, without};
use crate::run::listener::Listener;
use crate::run::recorder::{Used, traced};
use crate::sequences::Test;
use crate::view::{Reply, Request, capped, written_view};

/// Whether and how execution gets to a place of the program.
pub fn reach(request: &Request, settings: &ReachSettings, listener: &mut Listener) -> Reply<ReachDocument> {
    if settings.k > MAX_K {
        return refused("k", format!("K is a whole number from 0 to {MAX_K}"));
    }
    let loaded = match load_assuming(request, None) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    match target::find(&loaded, &request.source, settings) {
        Ok(targets) => reach_target(request, &loaded, targets, settings.k, listener),
        Err(message) => refused("target", message),
    }
}

/// Whether and how execution takes one of the chosen target's edges, in the graph of [`load_assuming`] without a choice of assumptions.
pub fn reach_target(request: &Request, loaded: &Loaded, targets: Targets, max_k: u32, listener: &mut Listener) -> Reply<ReachDocument> {
    let edges: SortedSet<EdgeId> = targets.chosen.edges.iter().map(|&edge| EdgeId::new(edge as usize)).collect();
    let lts: &Lts = &loaded.lts;
    let tree = PathTree::new(lts, &edges, NODES);
    let is_whole = tree.is_ok();
    let mut pool = Pool::new();
    let mut program = SummarizedProgram::new(lts, tree.unwrap_or_else(|_| PathTree { targets: edges.clone(), ..PathTree::default() }));
    let ((found, effects, mut needs, started), used) = traced(request, loaded, "looking for a way", listener, |meter, trace| {
        trace.needs();
        let (mut found, effects) = match is_whole.then(|| execute(&mut program, &mut pool, meter, trace)) {
            Some(Ok(effects)) => {
                trace.step(&|| ReachNews::condition(&targets.chosen, &program, &loaded.lines, &pool, &effects, max_k));
                (run(&program, &mut pool, &effects, max_k, meter, trace), effects)
            }
            Some(Err(why)) => (Found::open(Why::Reason(why.into())), Vec::new()),
            None => (run_without_tree(&program, &mut pool, meter, trace), Vec::new()),
        };
        let mut needs = trace.needs();
        if let TargetVerdict::Open(_) = found.verdict
            && let Some(determined) = reach_determined(lts, &edges, meter, trace)
        {
            (found.verdict, needs) = determined;
        }
        let started = started(loaded, &edges, &found.verdict, meter, trace);
        (found, effects, needs, started)
    });
    let targets_found = targets.chosen;
    let said = Described::of(&program, &loaded.lines, &mut pool, &effects, &found.decisions, max_k);
    let missing = without(needs.missing);
    let (mut found, mut after, mut state, mut why) = (found, Vec::new(), None, None);
    match started {
        Some(Started::Reached(Test { input, path, after: calls })) => {
            found.verdict = TargetVerdict::Reached { input, path, k: None, by: None };
            (after, needs) = (calls, Needs::default());
        }
        Some(Started::Unreachable(assumed)) => {
            (found.verdict, needs) = (TargetVerdict::Unreachable, Needs { all: assumed, ..Needs::default() })
        }
        Some(Started::Needs(needed)) => {
            why = Some(needed.why());
            state = Some(needed.state);
        }
        None => {}
    }
    let missing = if needs.missing.is_empty() { None } else { missing };
    let (verdict, open) = match (&found.verdict, missing) {
        _ if why.is_some() => (ReachVerdict::Unknown, why),
        (TargetVerdict::Reached { .. }, _) => (ReachVerdict::Reached, None),
        (TargetVerdict::Unreachable, Some(why)) => (ReachVerdict::Unknown, Some(why)),
        (TargetVerdict::Unreachable, None) => (ReachVerdict::Unreachable, None),
        (TargetVerdict::Open(why), _) => (ReachVerdict::Unknown, Some(why_open(*why, max_k, &used))),
    };
    let (input, path, k, found_by) = match &found.verdict {
        TargetVerdict::Reached { input, path, k, by } if state.is_none() => {
            (Some(written_view(lts, input)), path.clone(), *k, by.map(Into::into))
        }
        _ => (None, Vec::new(), None, None),
    };
    let assumes = match verdict {
        ReachVerdict::Reached if !after.is_empty() => assumed_in(loaded, false),
        ReachVerdict::Reached => needs.runs.ids(),
        ReachVerdict::Unreachable => needs.all.ids(),
        ReachVerdict::Unknown => Vec::new(),
    };
    let lines_of = |path: &[EdgeId]| path.iter().map(|&edge| loaded.lines.line(lts.graph[edge].span.start)).collect();
    let search = found.searched.map(|GuidedResult { nearest, prefixes, dropped, ended, .. }| {
        let nearest = nearest.filter(|_| verdict == ReachVerdict::Unknown).map(|Nearest { input, path, distance }| {
            let (lines, lines_total) = capped(lines_of(&path));
            ReachNearest { input: written_view(lts, &input), path: numbers(&path), lines, lines_total, distance }
        });
        ReachSearch { prefixes, dropped, ended, nearest }
    });
    let (path, (lines, lines_total)) = (numbers(&path), capped(lines_of(&path)));
    let mut header = used.header(request, loaded, verdict != ReachVerdict::Unknown);
    if needs.all.contains(Assumption::LeftByCalls) {
        header.assumptions.extend(loaded.told(Assumption::LeftByCalls));
    }
    let document = ReachDocument {
        header,
        target: targets_found,
        other_targets: targets.others.clone(),
        others: targets.others,
        verdict,
        assumes,
        open,
        condition: said.condition,
        written_out: said.written_out,
        written_out_cut: said.written_out_cut,
        condition_steps: found.steps[0],
        written_out_steps: found.steps[1],
        backbones: said.backbones,
        backbones_cut: said.backbones_cut,
        loop_summaries: said.loop_summaries,
        input,
        path,
        lines,
        lines_total,
        k,
        found_by,
        search,
        after,
        state,
    };
    Reply::Document { document }
}

/// Why the verdict is open, for people.
fn why_open(why: Why, k: u32, used: &Used) -> String {
    match why {
        Why::Reason(reason) => used.why_open(reason),
        Why::Beyond => {
            let rounds = if k == 1 { "round" } else { "rounds" };
            format!("no input gets there with at most {k} {rounds} of each loop, and more are possible; a greater K allows more")
        }
        Why::Missed => "the condition can hold, but no model of it that was tried leads there".to_owned(),
        Why::Unproven => "the condition cannot hold, but no invariant was found that shows it".to_owned(),
        Why::Paths => format!("more than {NODES} acyclic paths lead towards the target, too many to look at each"),
        Why::Cut => "a function calls itself without bound, so this graph does not have every execution".to_owned(),
    }
}
