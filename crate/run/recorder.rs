//! A run with its limit; turns its trace into what the listener wants: progress and results, statistics, claims, queries.

use crate::evidence::check::needing;
use crate::evidence::path::{infeasible_claim, reached_claim};
use crate::evidence::{Claim, Statement, numbers};
use crate::load::{Loaded, exact, warning};
use crate::lts::assume::Assumptions;
use crate::lts::{EdgeId, Lts};
use crate::run::assumption_tracking::{Needs, Resting};
use crate::run::door::Door;
use crate::run::listener::{Finding, Listener};
use crate::run::trace::{self, Sink, Trace};
use crate::solver::meter::Meter;
use crate::solver::{Answer, QUERY_LIMIT, Reason};
use crate::source;
use crate::view::{Diagnostic, Event, Header, Request, SolverStatistics, diagnostic, written_view};

/// Steps that a run may take when the request gives no limit, for programs of up to 100 lines: some seconds.
pub const DEFAULT_LIMIT: u64 = 10_000_000;
/// The same for long programs, of 500 lines and more.
pub const LONG_LIMIT: u64 = 50_000_000;
/// Between them a run may take so many for each line.
const STEPS_PER_LINE: u64 = 100_000;

/// Steps that a run on this text may take when the request gives no limit.
pub fn default_limit(source: &str) -> u64 {
    (source.lines().count() as u64).saturating_mul(STEPS_PER_LINE).clamp(DEFAULT_LIMIT, LONG_LIMIT)
}

impl SolverStatistics {
    /// Counts an answer.
    pub fn count(&mut self, answer: &Answer) {
        self.queries += 1;
        match answer {
            Answer::Sat(_) => self.sat += 1,
            Answer::Unsat(_) => self.unsat += 1,
            Answer::Unknown(_) => self.unknown += 1,
        }
    }
}

/// How many numbers the claims may have that a run keeps for reasons.
const MOST_KEPT: u64 = 4_000_000;

/// What a run used.
pub struct Used {
    pub statistics: SolverStatistics,
    pub steps: u64,
    pub limit: u64,
    /// Whether the run ended before its limit, since more steps had settled nothing more.
    pub gave_up: bool,
    /// Faults of this program that the run came upon, and claims that the check rejected.
    pub faults: Vec<Diagnostic>,
    /// The accepted claims that exclude edges by a graph or by runs on all inputs: they have the reasons.
    pub excluding: Vec<Claim>,
}

impl Used {
    /// The header of the run's document; `complete` says whether every question was settled.
    pub fn header(&self, request: &Request, loaded: &Loaded, complete: bool) -> Header {
        let mut header = loaded.header(request, complete, self.statistics, self.steps);
        header.diagnostics.extend(self.faults.iter().cloned());
        header
    }

    /// Why something stayed open, for people.
    pub fn why_open(&self, reason: Reason) -> String {
        match reason {
            Reason::Steps if self.steps > self.limit => limit_reached(self.limit),
            Reason::Steps if self.gave_up => format!("no engine settled it within {} steps", self.steps),
            Reason::Steps => format!("a question took more than {QUERY_LIMIT} steps"),
            _ => reason.to_string(),
        }
    }
}

/// Why a question is open where the run took all its steps, for people.
pub fn limit_reached(limit: u64) -> String {
    format!("the limit of {limit} step{} was reached", if limit == 1 { "" } else { "s" })
}

/// Runs an analysis with the request's limit and records its trace for the listener; `doing` says in a few words what it does.
/// Gives the result and what the run used.
pub fn traced<T>(
    request: &Request,
    loaded: &Loaded,
    doing: &'static str,
    listener: &mut Listener,
    run: impl FnOnce(&mut Meter, &Trace) -> T,
) -> (T, Used) {
    let limit = request.limit.unwrap_or_else(|| default_limit(&request.source));
    let mut recorder = Recorder {
        listener,
        loaded,
        lts: &loaded.lts,
        assumed: exact(loaded.assumed),
        matter: exact(loaded.assumed).that_matter(&loaded.base),
        resting: None,
        door: Door::new(request, loaded),
        doubt: None,
        limit,
        doing,
        statistics: SolverStatistics::default(),
        faults: Vec::new(),
        excluding: Vec::new(),
        kept: 0,
    };
    let trace = Trace::new(&mut recorder);
    // From here on the listener knows the limit.
    trace.emit(trace::Event::Progress { steps: 0 });
    let mut poll = |steps| trace.emit(trace::Event::Progress { steps });
    let mut meter = Meter::with_poll(limit, &mut poll);
    let result = run(&mut meter, &trace);
    let steps = meter.used();
    let mut faults = recorder.faults;
    faults.extend(recorder.door.fault().map(|fault| warning("fault", fault)));
    (result, Used { statistics: recorder.statistics, steps, limit, gave_up: false, faults, excluding: recorder.excluding })
}

/// The trace sink from which the documents are made.
struct Recorder<'r, 'a> {
    listener: &'r mut Listener<'a>,
    loaded: &'r Loaded,
    lts: &'r Lts,
    /// Under which the run goes on.
    assumed: Assumptions,
    /// Those of them that could matter to this function.
    matter: Assumptions,
    /// The assumptions that the verdict at hand rests on, if the caller asks for them.
    resting: Option<Resting>,
    /// What no claim gets past that the check would reject.
    door: Door<'r>,
    /// Why the check does not believe the last claim, if so.
    doubt: Option<Reason>,
    limit: u64,
    doing: &'static str,
    statistics: SolverStatistics,
    faults: Vec<Diagnostic>,
    excluding: Vec<Claim>,
    /// How many numbers these have.
    kept: u64,
}

impl Sink for Recorder<'_, '_> {
    fn event(&mut self, event: trace::Event<'_>) -> bool {
        match event {
            trace::Event::Progress { steps } => {
                (self.listener.event)(Event::Progress { steps, limit: self.limit, text: self.doing.to_owned() })
            }
            trace::Event::Query { context, answer } => {
                self.statistics.count(answer);
                if let Some(query) = &mut self.listener.query {
                    query(&context.pool, context.assertions(), answer);
                }
                let answer = match answer {
                    Answer::Sat(_) => "sat",
                    Answer::Unsat(_) => "unsat",
                    Answer::Unknown(_) => "unknown",
                };
                let assertions = context.assertions().len() as u32;
                self.tell(Finding::Query, || Event::Query { assertions, answer: answer.to_owned() })
            }
            trace::Event::Reached { path, input, after } => {
                let lts = self.lts;
                self.claim(&|number| reached_claim(number, lts, path, input, after));
                self.tell(Finding::Reached, || Event::Reached { path: numbers(path), input: written_view(lts, input) })
            }
            trace::Event::Refuted { path, pool, refutation } => {
                self.statistics.checked += 1;
                self.claim(&|number| infeasible_claim(number, path, &refutation.core, pool, &refutation.certificate));
                let core = || refutation.core.iter().map(|&index| index as u32).collect();
                self.tell(Finding::Refuted, || Event::Refuted { path: numbers(path), core: core() })
            }
            trace::Event::Open { path, reason } => {
                self.tell(Finding::Open, || Event::Open { path: numbers(path), reason: reason.to_string() })
            }
            trace::Event::Proved { certificates, claim } => {
                self.statistics.checked += certificates as u64;
                self.claim(claim);
                true
            }
            trace::Event::Contradicted { edges } => {
                for &edge in edges {
                    let fault = contradicted(self.loaded, edge);
                    if !self.faults.iter().any(|other| other.message == fault.message) {
                        self.faults.push(fault);
                    }
                }
                true
            }
            trace::Event::Unproved => {
                if let Some(resting) = &mut self.resting {
                    resting.add_all(self.matter);
                }
                true
            }
            trace::Event::Assuming(assumed) => {
                (self.assumed, self.matter) = (assumed, assumed.that_matter(&self.loaded.base));
                true
            }
            trace::Event::News { detail: true, news } => self.tell(Finding::Step, || Event::News(news())),
            trace::Event::News { detail: false, news } => (self.listener.event)(Event::News(news())),
        }
    }

    fn needs(&mut self) -> Needs {
        self.resting.get_or_insert_default().take(self.loaded.assumed)
    }

    fn doubt(&mut self) -> Option<Reason> {
        self.doubt.take()
    }
}

impl Recorder<'_, '_> {
    fn claim(&mut self, claim: &dyn Fn(usize) -> Claim) {
        match self.door.pass(claim(1), self.matter) {
            Ok(accepted) => {
                self.doubt = None;
                self.keep(accepted);
            }
            Err(reason) => {
                self.doubt = Some(reason);
                if let Some(resting) = &mut self.resting {
                    resting.doubt(reason);
                }
                return;
            }
        }
        if let Some(resting) = &mut self.resting {
            resting.add(&self.loaded.base, self.matter, claim);
        }
        if let Some(claims) = &mut self.listener.claims {
            let number = claims.len() + 1;
            claims.push(needing(&self.loaded.base, claim(number), self.assumed));
        }
    }

    /// Keeps a claim that says more of the edges that it excludes than that.
    fn keep(&mut self, claim: Claim) {
        let says_more = matches!(claim.statement, Statement::Excluded { taken: true, .. } | Statement::Enumerated { .. });
        let kept = self.kept + claim.statement.size();
        if says_more && kept <= MOST_KEPT {
            self.kept = kept;
            self.excluding.push(claim);
        }
    }

    fn tell(&mut self, finding: Finding, event: impl FnOnce() -> Event) -> bool {
        !self.listener.findings.contains(&finding) || (self.listener.event)(event())
    }
}

/// The report of an edge that a replayed test takes and of which a proof says that nothing does. The test is right.
fn contradicted(loaded: &Loaded, edge: EdgeId) -> Diagnostic {
    let lts = &loaded.lts;
    let text = loaded.source_text(edge).text;
    let message = format!("this is a fault of culdesac: a replayed test takes `{text}`, and a proof says that no execution does");
    let fault = source::Diagnostic::warning("contradiction", lts.graph[edge].span, message);
    diagnostic(&loaded.lines, &fault.help("the test counts and the proof was dropped; please report the program"))
}
