//! `cover`: tests for every statement that can be executed within a bound, and why the others cannot.

use super::evidence::{self, Claim, Proof, PrunedGraph};
use super::load::{Loaded, load_assuming, refused};
use super::paths::traced;
use super::recorder::Listener;
use super::{Header, Input, Place as TextPlace, Reply, Request, diagnostic, input_view, place};
use crate::analysis::cover::invariant::Invariant;
use crate::analysis::cover::unwind::Obstacle;
use crate::analysis::cover::{self, Algorithm, Cover, Refuted, Settings, Verdict};
use crate::analysis::prune::unfolded::{Place, Pruned};
use crate::interp::Undefined;
use crate::logic::Pool;
use crate::lts::structure::distances;
use crate::lts::{EdgeId, Lts, text};
use crate::source::{self, Span};
use serde::{Deserialize, Serialize};

/// The greatest bound that can be asked for.
pub const MAX_UNWIND: u32 = 1_000;

/// How `cover` works.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverSettings {
    /// How often each loop's back edge may be taken in a row.
    pub unwind: u32,
    /// `sc`, `pc`, `fm`, `vstte` or `prefer`.
    pub algorithm: String,
    /// What is assumed of the inputs, as a condition in C.
    pub precondition: Option<String>,
}

/// `cover`. Statements are edges: assignments and sides of decisions. Each is in one of the lists, or covered by a test.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverDocument {
    #[serde(flatten)]
    #[cfg_attr(test, ts(flatten))]
    pub header: Header,
    pub unwind: u32,
    pub algorithm: String,
    /// Complete executions, in the order in which they were found.
    pub tests: Vec<CoverTest>,
    /// No execution takes these.
    pub infeasible: Vec<CoverStatement>,
    /// Some execution takes these, but none that does completes: it fails or never ends.
    pub never_completes: Vec<CoverStatement>,
    /// No execution within the bound takes these and completes; with a larger bound there may be one.
    pub not_within: Vec<CoverStatement>,
    /// Nothing is known of these.
    pub open: Vec<CoverStatement>,
    /// Runs that divide by zero or leave an array: at most one for each place, and perhaps not all.
    pub errors: Vec<CoverError>,
    /// How many statements there are, and how many of them tests cover.
    pub statements: u32,
    pub covered: u32,
    /// The questions that the algorithm asked; those behind the verdicts are in `statistics` only.
    pub queries: u32,
    /// Whether some loop was cut short by the bound.
    pub bounded: bool,
    /// Why something is open, if so.
    pub reason: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverTest {
    pub input: Input,
    /// The maximal straight runs of edges that it passes, in order, numbered in source order.
    pub blocks: Vec<u32>,
    /// The line of each edge, in order.
    pub lines: Vec<u32>,
    pub edges: Vec<u32>,
}

/// A run that ends without a defined meaning.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverError {
    pub line: u32,
    pub column: u32,
    pub text: String,
    /// What happens there.
    pub error: String,
    pub input: Input,
    /// The line of each edge up to there.
    pub lines: Vec<u32>,
}

/// A statement that no test covers.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverStatement {
    pub line: u32,
    pub column: u32,
    pub text: String,
    pub edge: u32,
    pub place: TextPlace,
    /// What makes it believable, in a sentence; empty for what is open.
    pub evidence: String,
    /// The conditions of which each is needed to exclude it, where they were looked for.
    pub because: Vec<CoverReason>,
    /// An input that takes it, though the run does not complete.
    pub reached_by: Option<Input>,
}

/// A side of a decision, as a condition.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CoverReason {
    pub line: u32,
    pub text: String,
    pub edge: u32,
}

/// Covers the function.
pub fn cover(request: &Request, settings: &CoverSettings, listener: &mut Listener) -> Reply<CoverDocument> {
    if settings.unwind > MAX_UNWIND {
        return refused("bad-setting", format!("{} unwindings: at most {MAX_UNWIND} can be asked for", settings.unwind));
    }
    let Some(algorithm) = algorithm(&settings.algorithm) else {
        return refused("bad-setting", format!("there is no algorithm `{}`, only sc, pc, fm, vstte and prefer", settings.algorithm));
    };
    let loaded = match load_assuming(request, settings.precondition.as_deref()) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Reply::Refused { diagnostics },
    };
    let chosen = Settings { unwind: settings.unwind, algorithm, small: true, verdicts: true };
    let (outcome, used) = traced(request, &loaded, "covering", listener, |meter, trace| cover::run(&loaded.lts, &chosen, meter, trace));
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(obstacle) => return Reply::Refused { diagnostics: vec![diagnostic(&loaded.lines, &refusal(&loaded, obstacle))] },
    };
    let open = outcome.verdicts.iter().find_map(|verdict| if let Verdict::Open(reason) = verdict { Some(*reason) } else { None });
    let reason = open.or(outcome.cut);
    let header = loaded.header(request, reason.is_none(), used.statistics, used.steps);
    let mut document = CoverDocument {
        header,
        unwind: settings.unwind,
        algorithm: settings.algorithm.clone(),
        tests: Vec::new(),
        infeasible: Vec::new(),
        never_completes: Vec::new(),
        not_within: Vec::new(),
        open: Vec::new(),
        errors: Vec::new(),
        statements: loaded.lts.graph.edge_count() as u32,
        covered: 0,
        queries: outcome.queries,
        bounded: outcome.bounded,
        reason: reason.map(|reason| used.why_open(reason)),
    };
    fill(&mut document, &loaded, &outcome);
    Reply::Document { document }
}

fn fill(document: &mut CoverDocument, loaded: &Loaded, outcome: &Cover) {
    let lts = &loaded.lts;
    let blocks = blocks(lts);
    let line = |edge: &EdgeId| loaded.lines.line(lts.graph[*edge].span.start);
    let reason = |edge: &EdgeId| CoverReason { line: line(edge), text: text::label(lts, &lts.graph[*edge]), edge: edge.index() as u32 };
    document.tests = (outcome.tests.iter().take(outcome.complete))
        .map(|test| CoverTest {
            input: input_view(&test.input),
            blocks: test.path.iter().filter_map(|edge| blocks[edge.index()]).collect(),
            lines: test.path.iter().map(line).collect(),
            edges: test.path.iter().map(|edge| edge.index() as u32).collect(),
        })
        .collect();
    document.errors = (outcome.failures.iter())
        .map(|failure| {
            let place = place(&loaded.lines, lts.graph[failure.edge].span);
            CoverError {
                line: place.line,
                column: place.column,
                text: text::label(lts, &lts.graph[failure.edge]),
                error: match &failure.reason {
                    Undefined::DivisionByZero => "division by zero".to_owned(),
                    Undefined::OutOfBounds { array, index, length } => {
                        format!("`{}` has {length} elements, so there is none at index {index}", lts.array(*array).name)
                    }
                },
                input: input_view(&failure.input),
                lines: failure.path.iter().map(line).collect(),
            }
        })
        .collect();
    for (edge, verdict) in lts.graph.edge_indices().zip(&outcome.verdicts) {
        let bound = document.unwind;
        let (list, evidence, test) = match *verdict {
            Verdict::Covered(_) => {
                document.covered += 1;
                continue;
            }
            Verdict::Infeasible => (&mut document.infeasible, "no execution takes it: a certificate over all executions".to_owned(), None),
            Verdict::NeverCompletes(test) => {
                (&mut document.never_completes, "an input takes it; no execution that does completes".to_owned(), Some(test))
            }
            Verdict::NotWithin(test) => {
                let sentence = format!("bounded: no execution with at most {bound} unwindings takes it and completes");
                (&mut document.not_within, sentence, test)
            }
            Verdict::Open(_) => (&mut document.open, String::new(), None),
        };
        let place = place(&loaded.lines, lts.graph[edge].span);
        list.push(CoverStatement {
            line: place.line,
            column: place.column,
            text: text::label(lts, &lts.graph[edge]),
            edge: edge.index() as u32,
            place,
            evidence,
            because: outcome.because[edge.index()].iter().map(reason).collect(),
            reached_by: test.map(|test| input_view(&outcome.tests[test].input)),
        });
    }
}

/// For each edge with which a maximal straight run of the graph starts, the run's number.
fn blocks(lts: &Lts) -> Vec<Option<u32>> {
    use petgraph::Direction::{Incoming, Outgoing};
    let degree = |location, direction| lts.graph.edges_directed(location, direction).count();
    let mut next = 0;
    (lts.graph.edge_indices())
        .map(|edge| {
            let from = lts.edge(edge).1;
            let starts = from == lts.entry || degree(from, Incoming) != 1 || degree(from, Outgoing) != 1;
            next += u32::from(starts);
            starts.then(|| next - 1)
        })
        .collect()
}

fn algorithm(name: &str) -> Option<Algorithm> {
    Some(match name {
        "sc" => Algorithm::Sc,
        "pc" => Algorithm::Pc,
        "fm" => Algorithm::Fm,
        "vstte" => Algorithm::Vstte,
        "prefer" => Algorithm::Prefer,
        _ => return None,
    })
}

fn refusal(loaded: &Loaded, obstacle: Obstacle) -> source::Diagnostic {
    let (code, span, help) = match obstacle {
        Obstacle::Irreducible(location) => {
            ("irreducible", loaded.lts.graph[location].span, "let every jump into the loop go to the same place")
        }
        Obstacle::TooLarge => ("too-large", Span::default(), "unwind less often, or look at a smaller function"),
        Obstacle::Arrays(array) => ("unsupported-array", loaded.lts.array(array).span, "initialise it on every way, or on none"),
    };
    source::Diagnostic::error(code, span, obstacle.to_string()).help(help)
}

/// The claim about edges that are not covered.
pub(super) fn claim(refuted: &Refuted, pool: &Pool, number: usize) -> Claim {
    Claim::NotCovered {
        id: format!("cover-{}", number + 1),
        unwind: refuted.unwind,
        taken: refuted.taken,
        edges: refuted.edges.iter().map(|edge| edge.index() as u32).collect(),
        certificate: evidence::write(pool, &refuted.refutation.certificate),
    }
}

/// The claim about edges that an invariant excludes. Its graph has a place for each location, place 0 for the entry.
pub(super) fn excluded_claim(lts: &Lts, (edges, taken): (&[EdgeId], bool), invariant: &Invariant, number: usize) -> Claim {
    // The entry comes first, as location 0 does; the place of a location is its number.
    let places = lts.graph.node_indices().map(Place::Black).collect();
    let ends = |edge: EdgeId| (lts.edge(edge).1.index() as u32, lts.edge(edge).2.index() as u32);
    let pruned = Pruned {
        places,
        edges: invariant.kept.iter().map(|&edge| (ends(edge).0, edge, ends(edge).1)).collect(),
        finals: vec![lts.exit],
        invariants: invariant.formulas.clone(),
        cut: invariant.cut.iter().map(|&edge| (ends(edge).0, edge)).collect(),
    };
    Claim::Excluded {
        id: format!("cover-{}", number + 1),
        taken,
        edges: edges.iter().map(|edge| edge.index() as u32).collect(),
        graph: evidence::write_graph(&invariant.pool, &pruned),
        certificates: invariant.certificates.iter().map(|certificate| evidence::write(&invariant.pool, certificate)).collect(),
    }
}

/// That the function's graph has no way from behind these edges to the exit.
///
/// # Errors
/// From behind which one there is a way.
pub(super) fn dead_ends(lts: &Lts, edges: &[u32]) -> Result<(), String> {
    let distance = distances(lts, lts.exit);
    for &edge in edges {
        let ends = lts.graph.edge_endpoints(EdgeId::new(edge as usize)).ok_or("an edge that the function does not have")?;
        if distance[ends.1.index()].is_some() {
            return Err(format!("there is a way from behind edge {edge} to the exit"));
        }
    }
    Ok(())
}

/// That no path from place 0 of the graph, which has been found right, takes one of these edges, or (without `taken`) gets from behind
/// one to a final place.
///
/// # Errors
/// Which one is taken.
pub(super) fn not_in_graph(lts: &Lts, taken: bool, edges: &[u32], graph: &PrunedGraph) -> Result<(), String> {
    let exit = lts.exit.index() as u32;
    // Where one can get from these places.
    let spread = |mut waiting: Vec<u32>| {
        let mut reached = vec![false; graph.places.len()];
        while let Some(place) = waiting.pop() {
            if !std::mem::replace(&mut reached[place as usize], true) {
                waiting.extend(graph.edges.iter().filter(|(from, ..)| *from == place).map(|(.., to)| *to));
            }
        }
        reached
    };
    let reached = spread(vec![0]);
    for &(from, edge, to) in graph.edges.iter().filter(|(from, edge, _)| reached[*from as usize] && edges.contains(edge)) {
        let completes = || spread(vec![to]).iter().zip(&graph.places).any(|(reached, location)| *reached && *location == exit);
        if taken || completes() {
            return Err(format!("a path of the graph takes edge {edge} from place {from}"));
        }
    }
    match edges.iter().find(|&&edge| edge as usize >= lts.graph.edge_count()) {
        Some(edge) => Err(format!("there is no edge {edge}")),
        None => Ok(()),
    }
}

/// Checks such a claim.
///
/// # Errors
/// Why it is not believed.
pub(super) fn not_covered(lts: &Lts, (unwind, taken): (u32, bool), edges: &[u32], certificate: &Proof) -> Result<(), String> {
    if unwind > MAX_UNWIND {
        return Err(format!("{unwind} unwindings are more than {MAX_UNWIND}"));
    }
    let edges: Vec<EdgeId> = edges.iter().map(|&edge| EdgeId::new(edge as usize)).collect();
    cover::check_refutation(lts, (unwind, taken), &edges, |pool| evidence::read(pool, certificate))
}
