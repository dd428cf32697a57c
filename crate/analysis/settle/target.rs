//! A target of Reach that Reach leaves open: where another engine has a run or claims about its edges, these are the answer.

use super::{EngineSettings, SettledProgram, settled};
use crate::analysis::reach::report::reach;
use crate::analysis::reach::report::target;
use crate::analysis::reach::{ReachDocument, ReachSettings, ReachVerdict};
use crate::evidence::numbers;
use crate::ledger::facts::FactRun;
use crate::lts::EdgeId;
use crate::lts::assume::{Assumption, Assumptions};
use crate::run::assumption_tracking::assumed_after;
use crate::run::listener::Listener;
use crate::run::recorder::{default_limit, limit_reached};
use crate::view::{Reply, Request, capped, written_view};

/// One of so many steps is for Reach; the other engines may use what is left.
const REACH: u64 = 2;

/// The document of Reach with the verdict of all engines.
///
/// # Errors
/// As [`reach`].
pub fn settled_target(request: &Request, settings: &ReachSettings, listener: &mut Listener) -> Reply<ReachDocument> {
    let limit = request.limit.unwrap_or_else(|| default_limit(&request.source));
    let within = |limit: u64| Request { limit: Some(limit.max(1)), ..request.clone() };
    let mut document = match reach(&within(limit / REACH), settings, listener) {
        Reply::Document { document } if document.verdict == ReachVerdict::Unknown => document,
        reply => return reply,
    };
    let others = within(limit.saturating_sub(document.header.statistics.steps));
    if let Ok(settled) = settled(&others, &EngineSettings::default(), listener) {
        let header = settled.used.header(&others, &settled.sized.loaded, true);
        // That Reach had a share of the steps is no reason for people.
        document.open = document.open.map(|why| if why == limit_reached(limit / REACH) { limit_reached(limit) } else { why });
        take_over(&mut document, &settled, request, settings);
        document.header.diagnostics.extend(header.diagnostics.into_iter().filter(|one| one.code == "contradiction"));
        document.header.statistics = document.header.statistics.and(header.statistics);
    }
    Reply::Document { document }
}

/// Puts a run or claims of other engines into the document, where there are some.
fn take_over(document: &mut ReachDocument, settled: &SettledProgram, request: &Request, settings: &ReachSettings) {
    let loaded = &settled.sized.loaded;
    // With another depth of inlining, edges have other numbers.
    let Ok(targets) = target::find(loaded, &request.source, settings) else { return };
    if targets.chosen.edges != document.target.edges || targets.chosen.edges.is_empty() {
        return;
    }
    let edges: Vec<EdgeId> = targets.chosen.edges.iter().map(|&edge| EdgeId::new(edge as usize)).collect();
    let facts = &settled.facts;
    // Of a very long run the path has only the first edges in order.
    let is_connected = |path: &[EdgeId]| path.windows(2).all(|pair| loaded.lts.edge(pair[0]).2 == loaded.lts.edge(pair[1]).1);
    let first = |run: &FactRun| run.path.iter().position(|edge| edges.contains(edge)).filter(|at| is_connected(&run.path[..=*at]));
    let run = facts.runs.iter().filter_map(|run| Some((first(run)?, run))).min_by_key(|(at, _)| *at);
    if let Some((at, FactRun { input, path, after })) = run {
        let path = &path[..=at];
        let lines = path.iter().map(|&edge| loaded.lines.line(loaded.lts.graph[edge].span.start));
        document.verdict = ReachVerdict::Reached;
        document.input = Some(written_view(&loaded.lts, input));
        document.path = numbers(path);
        (document.lines, document.lines_total) = capped(lines.collect());
        document.after.clone_from(after);
        document.assumes = assumed_after(loaded, input, after);
    } else if loaded.lts.cut.is_none() && edges.iter().all(|edge| facts.excluded.contains_key(edge)) {
        let needed: Assumptions = edges.iter().flat_map(|edge| facts.excluded[edge].iter()).collect();
        if needed.contains(Assumption::LeftByCalls) {
            document.header.assumptions.extend(loaded.told(Assumption::LeftByCalls));
        }
        document.verdict = ReachVerdict::Unreachable;
        document.assumes = needed.ids();
    } else {
        return;
    }
    (document.open, document.state, document.k, document.found_by) = (None, None, None, None);
    if let Some(search) = &mut document.search {
        search.nearest = None;
    }
    document.header.complete = true;
}
