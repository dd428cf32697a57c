//! `paths` and `draw`: complete paths counted and drawn (feasibility is the solver's part and stays open here).

use super::load::{load, refused};
use super::{DrawDocument, DrawnPath, Event, PathsDocument, PathsRow, Reply, Request, SolverStatistics};
use crate::count::{Counter, Graph, Random, Sampler};
use crate::lts::{EdgeId, Lts};
use crate::source::LineIndex;

/// The greatest length that can be asked for.
pub const MAX_LENGTH: u32 = 10_000;

/// The step limit where the request has none. A step of counting is [`WORDS_PER_STEP`] words: some microseconds.
const DEFAULT_LIMIT: u64 = 2_000_000;

/// How many machine words of counts are one step.
const WORDS_PER_STEP: u64 = 1024;

/// Every how many lengths progress is reported.
const REPORT_EVERY: u32 = 64;

const UNDECIDED: &str = "whether a path is feasible is not decided";

/// P(l) for each of these lengths, in the order asked. Rows that the limit or the listener's `false` cut off are left
/// out; `open` says why.
pub fn paths(request: &Request, lengths: &[u32], feasible: bool, on_event: &mut dyn FnMut(Event) -> bool) -> Reply<PathsDocument> {
    if let Some(refusal) = check_lengths(lengths) {
        return refusal;
    }
    let loaded = match load(request) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let limit = request.limit.unwrap_or(DEFAULT_LIMIT);
    let graph = Graph::of(&loaded.lts);
    let mut counter = Counter::new(&graph);
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&index| lengths[index]);
    let mut rows: Vec<Option<PathsRow>> = vec![None; lengths.len()];
    let mut words = 0;
    let mut stopped = None;
    'lengths: for index in order {
        let length = lengths[index];
        while counter.length() < length {
            if words / WORDS_PER_STEP >= limit {
                stopped = Some(format!("the limit of {limit} steps was reached at length {}", counter.length()));
                break 'lengths;
            }
            words += counter.advance();
            if counter.length().is_multiple_of(REPORT_EVERY) {
                let text = format!("counting paths of length {} of {length}", counter.length());
                if !on_event(Event::Progress { steps: words / WORDS_PER_STEP, limit, text }) {
                    stopped = Some(format!("stopped at length {}", counter.length()));
                    break 'lengths;
                }
            }
        }
        let row = PathsRow { length, total: counter.total().to_string(), feasible: None, feasible_at_least: None };
        rows[index] = Some(row.clone());
        if !on_event(Event::Row { row }) {
            stopped = Some(format!("stopped after length {length}"));
            break;
        }
    }
    if stopped.is_some() && rows.iter().all(Option::is_some) {
        stopped = None;
    }
    let open = stopped.or_else(|| feasible.then(|| UNDECIDED.to_owned()));
    let header = loaded.header(request, open.is_none(), SolverStatistics::default(), words / WORDS_PER_STEP);
    Reply::Document { document: PathsDocument { header, table: rows.into_iter().flatten().collect(), open } }
}

/// `count` complete paths of length at most `length`, drawn uniformly and independently (a path may come twice), from
/// the request's seed. Their feasibility is open.
pub fn draw(request: &Request, length: u32, count: u32, on_event: &mut dyn FnMut(Event) -> bool) -> Reply<DrawDocument> {
    if let Some(refusal) = check_lengths(&[length]) {
        return refusal;
    }
    let loaded = match load(request) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let graph = Graph::of(&loaded.lts);
    let sampler = match Sampler::new(&graph, length, Sampler::DEFAULT_LIMIT) {
        Ok(sampler) => sampler,
        Err(error) => return refused("too-large", error.to_string()),
    };
    let mut random = Random::new(request.seed);
    let mut paths = Vec::new();
    while (paths.len() as u32) < count {
        let Some(edges) = sampler.draw(&mut random) else { break };
        let path = drawn_path(&loaded.lts, &loaded.lines, &edges);
        paths.push(path.clone());
        if !on_event(Event::Path { index: paths.len() as u32 - 1, path }) {
            break;
        }
    }
    let header =
        loaded.header(request, paths.is_empty() && *sampler.population() == 0u8.into(), SolverStatistics::default(), paths.len() as u64);
    Reply::Document { document: DrawDocument { header, population: sampler.population().to_string(), paths } }
}

/// A path without a verdict yet.
pub fn drawn_path(lts: &Lts, lines: &LineIndex, edges: &[EdgeId]) -> DrawnPath {
    DrawnPath {
        edges: edges.iter().map(|edge| edge.index() as u32).collect(),
        lines: edges.iter().map(|&edge| lines.line(lts.graph[edge].span.start)).collect(),
        feasible: None,
        input: None,
        dies_at: None,
        core: Vec::new(),
        open: Some(UNDECIDED.to_owned()),
    }
}

fn check_lengths<T>(lengths: &[u32]) -> Option<Reply<T>> {
    let length = lengths.iter().find(|&&length| length > MAX_LENGTH)?;
    Some(refused("bad-length", format!("length {length} is not between 0 and {MAX_LENGTH}")))
}
