//! `paths` and `draw`: complete paths counted, and drawn with their fate.

use super::load::{Loaded, load, load_assuming, refused};
use super::prune::chosen;
use super::recorder::{Listener, Recorder};
use super::{DrawDocument, DrawnPath, FeasibleBy, PathsDocument, PathsRow, PruneSettings, Reply, Request, SolverStatistics, input_view};
use crate::analysis::paths::merged::Obstacle;
use crate::analysis::paths::{Basis, Drawn, Fate, Question, Row, draw as draw_paths, table};
use crate::analysis::prune;
use crate::analysis::{DEFAULT_LIMIT, Event, Feasible, Trace};
use crate::lts::{EdgeId, Lts};
use crate::solver::meter::Meter;
use crate::solver::{QUERY_LIMIT, Reason};
use crate::source::LineIndex;
use crate::states::States;

/// The greatest length that can be asked for.
pub const MAX_LENGTH: u32 = 10_000;

/// P(l), and FP(l) if asked for, for each of these lengths, in the order asked. Rows that the limit or the listener's
/// `false` cut off are left out or "at least"; `open` says why.
pub fn paths(request: &Request, lengths: &[u32], feasible: bool, listener: &mut Listener) -> Reply<PathsDocument> {
    if let Some(refusal) = check_lengths(lengths) {
        return refusal;
    }
    let loaded = match load(request) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let (table, run) =
        traced(request, &loaded, "counting paths", listener, |meter, trace| table(&loaded.lts, lengths, feasible, meter, trace));
    let document = PathsDocument {
        header: loaded.header(request, table.cut.is_none(), run.statistics, run.steps),
        table: table.rows.iter().map(row_view).collect(),
        open: table.cut.map(|reason| run.why_open(reason)),
        enumerated: table.enumerated.map(|obstacle| why_enumerated(&loaded, obstacle)),
        feasible_by: table.basis.map(feasible_by),
    };
    Reply::Document { document }
}

/// What feasible counts rest on.
pub(super) fn feasible_by(basis: Basis) -> FeasibleBy {
    match basis {
        Basis::Each => FeasibleBy::Paths,
        Basis::Induction => FeasibleBy::Induction,
        Basis::Projection => FeasibleBy::Projection,
    }
}

/// Why there is no merged graph of the feasible paths, for people.
fn why_enumerated(loaded: &Loaded, obstacle: Obstacle) -> String {
    let line = |edge: EdgeId| loaded.lts.graph.edge_weight(edge).map_or(1, |edge| loaded.lines.line(edge.span.start));
    match obstacle {
        Obstacle::Inexact(edge) => format!("the states after line {} have no exact description here", line(edge)),
        Obstacle::Open(edge, reason) => format!("it is open whether line {} is passed: {reason}", line(edge)),
        Obstacle::Doubt(reason) => reason.to_string(),
        Obstacle::Exhausted(why) => Reason::from(why).to_string(),
    }
}

/// `count` complete paths of length at most `length`, drawn uniformly and independently (a path may come twice) from
/// the request's seed, each with its fate.
pub fn draw(request: &Request, length: u32, count: u32, feasible_only: bool, listener: &mut Listener) -> Reply<DrawDocument> {
    if let Some(refusal) = check_lengths(&[length]) {
        return refusal;
    }
    drawn(request, Question { length, count, seed: request.seed, feasible_only }, None, None, listener)
}

/// As [`draw`], but under the precondition of these settings, and with `pruned` from the pruned graph.
pub fn draw_with(
    request: &Request,
    settings: &PruneSettings,
    pruned: bool,
    (length, count): (u32, u32),
    feasible_only: bool,
    listener: &mut Listener,
) -> Reply<DrawDocument> {
    if let Some(refusal) = check_lengths(&[length]) {
        return refusal;
    }
    let question = Question { length, count, seed: request.seed, feasible_only };
    let chosen = match chosen(settings) {
        Ok(chosen) => chosen,
        Err(message) => return refused("bad-setting", message),
    };
    drawn(request, question, settings.precondition.as_deref(), pruned.then_some(chosen), listener)
}

fn drawn(
    request: &Request,
    question: Question,
    precondition: Option<&str>,
    chosen: Option<prune::Settings>,
    listener: &mut Listener,
) -> Reply<DrawDocument> {
    let loaded = match load_assuming(request, precondition) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let lts = &loaded.lts;
    let (drawing, run) = traced(request, &loaded, "drawing paths", listener, |meter, trace| {
        let pruned = chosen.map(|chosen| prune::run(lts, States::new(lts), &chosen, meter, trace).pruned.graph());
        draw_paths(lts, &question, pruned, meter, trace)
    });
    let drawing = match drawing {
        Ok(drawing) => drawing,
        Err(error) => return refused("too-large", error.to_string()),
    };
    let open_path = drawing.drawn.iter().any(|drawn| matches!(drawn.fate, Fate::Open(_)));
    let document = DrawDocument {
        header: loaded.header(request, drawing.cut.is_none() && !open_path, run.statistics, run.steps),
        population: drawing.population.to_string(),
        paths: drawing.drawn.iter().map(|drawn| drawn_view(&loaded.lts, &loaded.lines, drawn)).collect(),
        open: drawing.cut.map(|reason| run.why_open(reason)),
    };
    Reply::Document { document }
}

/// What a run used.
pub(super) struct Used {
    pub statistics: SolverStatistics,
    pub steps: u64,
    limit: u64,
    /// Refinements of a red–black graph.
    pub restarts: u32,
}

impl Used {
    /// Why something stayed open, for people.
    pub fn why_open(&self, reason: Reason) -> String {
        match reason {
            Reason::Steps if self.steps > self.limit => {
                format!("the limit of {} step{} was reached", self.limit, if self.limit == 1 { "" } else { "s" })
            }
            Reason::Steps => format!("a question took more than {QUERY_LIMIT} steps"),
            _ => reason.to_string(),
        }
    }
}

/// Runs an analysis with the request's limit, its trace recorded for the listener.
pub(super) fn traced<T>(
    request: &Request,
    loaded: &Loaded,
    doing: &'static str,
    listener: &mut Listener,
    run: impl FnOnce(&mut Meter, &Trace) -> T,
) -> (T, Used) {
    let limit = request.limit.unwrap_or(DEFAULT_LIMIT);
    let mut recorder =
        Recorder { listener, lts: &loaded.lts, lines: &loaded.lines, limit, doing, statistics: SolverStatistics::default(), restarts: 0 };
    let trace = Trace::new(&mut recorder);
    let mut poll = |steps| trace.emit(Event::Progress { steps });
    let mut meter = Meter::with_poll(limit, &mut poll);
    let result = run(&mut meter, &trace);
    let steps = meter.used();
    (result, Used { statistics: recorder.statistics, steps, limit, restarts: recorder.restarts })
}

/// A row for the documents.
pub(super) fn row_view(row: &Row) -> PathsRow {
    let (exactly, at_least) = match &row.feasible {
        None => (None, None),
        Some(Feasible::Exactly(count)) => (Some(count.to_string()), None),
        Some(Feasible::AtLeast(count, _)) => (None, Some(count.to_string())),
    };
    PathsRow { length: row.length, total: row.total.to_string(), feasible: exactly, feasible_at_least: at_least }
}

/// A drawn path for the documents.
pub(super) fn drawn_view(lts: &Lts, lines: &LineIndex, drawn: &Drawn) -> DrawnPath {
    let mut view = DrawnPath {
        edges: drawn.path.iter().map(|edge| edge.index() as u32).collect(),
        lines: drawn.path.iter().map(|&edge| lines.line(lts.graph[edge].span.start)).collect(),
        feasible: None,
        input: None,
        dies_at: None,
        core: Vec::new(),
        open: None,
    };
    match &drawn.fate {
        Fate::Feasible(input) => {
            view.feasible = Some(true);
            view.input = Some(input_view(lts, input));
        }
        Fate::Infeasible { dies_at, core } => {
            view.feasible = Some(false);
            view.dies_at = Some(*dies_at as u32);
            view.core = core.iter().map(|&index| index as u32).collect();
        }
        Fate::Open(reason) => view.open = Some(reason.to_string()),
    }
    view
}

pub(super) fn check_lengths<T>(lengths: &[u32]) -> Option<Reply<T>> {
    let length = lengths.iter().find(|&&length| length > MAX_LENGTH)?;
    Some(refused("bad-length", format!("length {length} is not between 0 and {MAX_LENGTH}")))
}
