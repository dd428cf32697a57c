//! From a request to a checked and lowered program, and the header with which every document starts.
//!
//! # Example
//!
//! ```
//! use culdesac::load::load;
//! use culdesac::view::Request;
//!
//! let request = |source: &str| Request { program: "f.c".into(), source: source.into(), ..Request::default() };
//! let loaded = load(&request("int f(int x) { return x; } int main(void) { return f(1); }")).ok().expect("no error");
//! // `main` only calls, so `f` is the function to analyse.
//! assert_eq!((loaded.functions, &*loaded.lts.function), (vec!["f".to_owned(), "main".to_owned()], "f"));
//!
//! let diagnostics = load(&request("int f(int x) {\n  return y;\n}")).err().expect("an error");
//! assert_eq!((diagnostics[0].place.line, diagnostics[0].place.column), (2, 10));
//! ```

pub mod depth;
#[cfg(feature = "cli")]
pub mod functions;

use crate::lang::{self, ast::Program, refused::RefusedFunction};
use crate::logic::{Pool, SortedSet};
use crate::lts::assume::{self, Assumption, Assumptions};
use crate::lts::calls::Calls;
use crate::lts::entry::{Entry, entry_besides};
use crate::lts::lower::{self, Options};
#[cfg(feature = "files")]
use crate::lts::unfold::{GraphUnfolding, Unfolded, unfold};
use crate::lts::written::{WrittenEdge, source_text, text_of_part};
use crate::lts::{self, EdgeId, EdgePart, Lts};
use crate::source::files::SourceOptions;
use crate::source::{self, LineIndex};
use crate::symex;
use crate::view::{
    Assumed, Diagnostic, Header, Ints, LeftOutFunction, Reply, Request, SCHEMA, Severity, SolverStatistics, Statistics, TextPlace,
    diagnostic,
};

/// What integers of C are where neither request nor program says. Those of the block language have any size.
pub const INTS_OF_C: Ints = Ints::C32;

/// The greatest depth of inlining that a caller can ask for.
pub const MAX_INLINE_DEPTH: u32 = 1_000;

/// A program without errors, lowered.
#[derive(Clone)]
pub struct Loaded {
    /// The options of lowering.
    pub options: Options,
    pub lines: LineIndex,
    pub program: Program,
    /// The function to analyse, with its calls inlined, under the assumptions in force.
    pub lts: Lts,
    /// The function as lowering made it, and what the request allows to assume of the world.
    pub base: Lts,
    pub assumed: Assumptions,
    /// All functions of the program in source order.
    pub functions: Vec<String>,
    /// Why this function, where the request names none of several: words that follow "since".
    pub chosen_because: Option<String>,
    pub warnings: Vec<Diagnostic>,
    /// What is assumed of the inputs, as a condition in C.
    pub precondition: Option<String>,
    /// What the edges of the graph complete, where it is unfolded.
    #[cfg(feature = "files")]
    pub unfolded: Option<Box<Unfolded>>,
}

/// As [`load`], with a precondition: what to assume of the inputs, as a condition in C.
///
/// # Errors
/// As [`load`]; also what is wrong with the condition.
pub fn load_assuming(request: &Request, precondition: Option<&str>) -> Result<Loaded, Vec<Diagnostic>> {
    let mut loaded = load(request)?;
    if let Some(condition) = precondition {
        let assumed = lts::precondition::precondition(&request.source, Some(&loaded.lts.function), condition, &loaded.options);
        let wrong = |message| vec![about_the_question("precondition", message)];
        let assumed = assumed.map_err(wrong)?;
        if symex::passed(&assumed, &mut Pool::new()).is_none() {
            return Err(wrong(format!("the precondition `{condition}` has no exact formula over the inputs")));
        }
        loaded.base.precondition = Some(Box::new(assumed.clone()));
        // The condition is on the inputs of one call.
        loaded.base.calls = None;
        loaded.lts.calls = None;
        loaded.lts.precondition = Some(Box::new(assumed));
        loaded.precondition = Some(condition.to_owned());
    }
    Ok(loaded)
}

/// As [`load_assuming`], for an analysis whose answer stands or falls as a whole, so that nothing is left of it without an assumption
/// that it needs: what it would assume has to be allowed.
///
/// # Errors
/// As [`load_assuming`]; also an assumption that matters and that the request does without.
pub fn load_under(request: &Request, precondition: Option<&str>) -> Result<Loaded, Vec<Diagnostic>> {
    let loaded = load_assuming(request, precondition)?;
    let needed = exact(loaded.assumed).iter().find(|&one| !loaded.assumed.contains(one) && one.site(&loaded.base).is_some());
    match needed {
        Some(one) => {
            let message = format!(
                "only `cover`, `paths` and `draw` of unpruned paths can do without `{}` here: a graph or a family of paths has no part that holds without it",
                one.id()
            );
            Err(vec![about_the_question("assumption", message)])
        }
        None => Ok(loaded),
    }
}

/// Parses, checks and lowers the program of the request, and gives the graph of the function to analyse. What is not understood of the rest
/// of the program is left out.
///
/// # Errors
/// Everything that is wrong with the function, or with the program as a whole, at least one error; or that it does not have the function.
pub fn load(request: &Request) -> Result<Loaded, Vec<Diagnostic>> {
    let lines = LineIndex::new(&request.source);
    let convert = |list: &[source::Diagnostic]| list.iter().map(|d| diagnostic(&lines, d)).collect::<Vec<_>>();
    let assumed = match assumptions(request) {
        Ok(assumed) => assumed,
        Err(message) => return Err(vec![about_the_question("assumption", message)]),
    };
    let (program, told, options, chosen) = match chosen(request, lang::parse_understood(&request.source)) {
        Ok(found) => found,
        Err(errors) => return Err(convert(&errors)),
    };
    let mut diagnostics = convert(&told);
    match chosen {
        Ok(Chosen { lowered, inline_depth, because, failed }) => {
            let options = Options { inline_depth, ..options };
            diagnostics.extend(convert(&failed));
            diagnostics.extend(convert(&lowered.warnings));
            let functions = program.own().map(|function| function.name.text.clone()).collect();
            let mut base = lowered.lts;
            base.calls = Calls::around(&program, &base, &options);
            let lts = assume::under(&base, exact(assumed));
            let chosen_because = because;
            let with_views = program.function(&base.function).and_then(|(_, function)| lang::views::of_function(&program, function));
            let program = with_views.unwrap_or(program);
            Ok(Loaded {
                options,
                program,
                lts,
                base,
                assumed,
                functions,
                chosen_because,
                warnings: diagnostics,
                lines,
                precondition: None,
                #[cfg(feature = "files")]
                unfolded: None,
            })
        }
        Err(errors) => {
            diagnostics.extend(convert(&errors));
            Err(diagnostics)
        }
    }
}

/// The function to analyse where the request names none.
struct Chosen {
    lowered: lower::Lowered,
    /// How often functions are inlined within themselves.
    inline_depth: u32,
    because: Option<String>,
    /// Why others that come first are not it, as warnings.
    failed: Vec<source::Diagnostic>,
}

/// A program, the messages on it, how it is lowered, and the function to analyse, or why it is not understood.
type ChosenOfProgram = (Program, Vec<source::Diagnostic>, Options, Result<Chosen, Vec<source::Diagnostic>>);

/// Chooses the function to analyse, and lowers it. Regions that lowering does not support are approximated.
///
/// # Errors
/// Of the text.
fn chosen(request: &Request, parsed: lang::Parsed) -> Result<ChosenOfProgram, Vec<source::Diagnostic>> {
    let Some(program) = parsed.program else { return Err(parsed.diagnostics) };
    let options = options(request, &program);
    if let Some(refused) = program.refused.iter().find(|refused| Some(&refused.name) == request.function.as_ref()) {
        return Err(vec![refused.because.clone()]);
    }
    let chosen = match &request.function {
        Some(name) => lowered(&program, name, &options, request.inline_depth),
        None => choose(&program, request, &options),
    };
    let Err(errors) = &chosen else { return Ok((program, parsed.diagnostics, options, chosen)) };
    // The same function once more, with one more approximated region in each round.
    let name = request.function.clone().or_else(|| Some(entry_besides(&program, &SortedSet::new())?.function.name.text.clone()));
    let mut later = Vec::new();
    let most = (lang::MOST_LETTERS / (request.source.len() + 1)).clamp(4, MOST_APPROXIMATED);
    let mut last = errors.first().cloned();
    while let (Some(name), Some(error)) = (&name, last.take().filter(|error| is_approximated(error) && later.len() < most)) {
        later.push(error);
        let again = lang::parse_approximated(&request.source, &later);
        let Some(program) = again.program.filter(|program| program.function(name).is_some()) else { break };
        match lowered(&program, name, &options, request.inline_depth) {
            Ok(chosen) => return Ok((program, again.diagnostics, options, Ok(chosen))),
            Err(errors) => last = errors.into_iter().next(),
        }
    }
    Ok((program, parsed.diagnostics, options, chosen))
}

/// At most so many rounds approximate regions that lowering does not support.
const MOST_APPROXIMATED: usize = 200;

/// Whether an error concerns a region; other errors concern the function as a whole.
fn is_approximated(error: &source::Diagnostic) -> bool {
    error.code.starts_with("unsupported") && error.span != source::Span::default()
}

fn lowered(program: &Program, name: &str, options: &Options, requested: Option<u32>) -> Result<Chosen, Vec<source::Diagnostic>> {
    let (lowered, inline_depth) = depth::lower_to_depth(program, name, options, requested.map(|depth| depth.min(MAX_INLINE_DEPTH)))?;
    Ok(Chosen { lowered, inline_depth, because: None, failed: Vec::new() })
}

/// So many functions are tried where those before them are not understood, and so many bytes of text are lowered for that: lowering surveys the
/// whole program.
const MOST_TRIED: usize = 20;
const MOST_LOWERED: usize = 4 << 20;

/// The first function in the order of [`entry`](crate::lts::entry::entry) that is understood.
///
/// # Errors
/// Why the first one is not, where none is.
fn choose(program: &Program, request: &Request, options: &Options) -> Result<Chosen, Vec<source::Diagnostic>> {
    let mut besides: SortedSet<String> = SortedSet::new();
    let (mut first, mut failed) = (None, Vec::new());
    let most = (MOST_LOWERED / (request.source.len() + 1)).clamp(2, MOST_TRIED);
    while let Some(Entry { function, because }) = entry_besides(program, &besides).filter(|_| besides.len() < most) {
        let name = &function.name.text;
        match lowered(program, name, options, request.inline_depth) {
            Ok(chosen) => {
                // Of those before it some may be understood once parts of them are approximated.
                let understood = if besides.is_empty() { "understood" } else { "understood in full" };
                let left_out = besides.iter().chain(program.refused.iter().map(|refused| &refused.name)).next();
                let because = match (left_out, because) {
                    (None, because) => because,
                    (Some(_), None) => Some(format!("no other one is {understood}")),
                    (Some(other), Some(reason)) => Some(format!("{reason}, and `{other}` is not {understood}")),
                };
                return Ok(Chosen { because, failed, ..chosen });
            }
            Err(errors) => {
                first.get_or_insert_with(|| errors.clone());
                let told = |error: source::Diagnostic| {
                    let message = format!("`{name}` is not chosen: {}", error.message);
                    source::Diagnostic { severity: source::Severity::Warning, message, ..error }
                };
                failed.extend(errors.into_iter().map(told));
                besides.insert(name.clone());
            }
        }
    }
    let nothing = || vec![source::Diagnostic::error("no-function", source::Span::default(), "there is no function to look at")];
    Err(first.unwrap_or_else(nothing))
}

/// What runs are looked for under: those in which parameters do not meet, and are ordered only in one object, are runs like any other.
pub fn exact(assumed: Assumptions) -> Assumptions {
    let exact = assumed.real().without(Assumption::LeftByCalls);
    if assumed.contains(Assumption::AnyState) { exact } else { exact.with(Assumption::FirstCall) }
}

/// What the request allows to assume.
fn assumptions(request: &Request) -> Result<Assumptions, String> {
    let list = || Assumption::all().map(|one| format!("`{}` ({})", one.id(), one.text())).collect::<Vec<_>>().join(", ");
    let named = |id: &String| Assumption::named(id).ok_or_else(|| format!("there is no assumption `{id}`; there are {}", list()));
    let requested = request.assume.iter().map(named).collect::<Result<Assumptions, _>>()?;
    let excluded = request.no_assume.iter().map(named).collect::<Result<Assumptions, _>>()?;
    let both =
        |reason: &str, one: Assumption, other: Assumption| format!("`{}` and `{}` contradict each other: {reason}", one.id(), other.id());
    if let Some(one) = requested.iter().find(|&one| excluded.contains(one)) {
        return Err(format!("`{}` cannot be assumed and not assumed; there are {}", one.id(), list()));
    }
    if requested.contains(Assumption::FirstCall) && requested.contains(Assumption::AnyState) {
        let reason = "one says that statics have their first values, the other that they may have any";
        return Err(format!("{}; there are {}", both(reason, Assumption::FirstCall, Assumption::AnyState), list()));
    }
    let mut assumed: Assumptions =
        Assumption::all().filter(|&one| (one.is_usual() || requested.contains(one)) && !excluded.contains(one)).collect();
    // Query for by name, any state is believed: no calls need be known that leave it.
    if requested.contains(Assumption::AnyState) && !requested.contains(Assumption::LeftByCalls) {
        assumed = assumed.without(Assumption::LeftByCalls);
    }
    if requested.contains(Assumption::FirstCall) {
        assumed = assumed.without(Assumption::AnyState).without(Assumption::LeftByCalls);
    }
    Ok(assumed)
}

/// The options of lowering for a request: its own, else what the program says, else the usual ones.
fn options(request: &Request, program: &Program) -> Options {
    let usual = match program.unbounded {
        Some(true) => Ints::Unbounded,
        Some(false) => Ints::C32,
        None => INTS_OF_C,
    };
    let ints = match request.ints.unwrap_or(usual) {
        Ints::Unbounded => lower::IntegerModel::Unbounded,
        Ints::C32 => lower::IntegerModel::C32,
    };
    Options { ints, label_steps: request.label_steps, ..Options::default() }
}

impl Loaded {
    /// The same program with the unfolded graph of its function.
    #[cfg(feature = "files")]
    #[must_use]
    pub fn unfold(mut self, unfolding: GraphUnfolding) -> Loaded {
        let unfolded = unfold(&self.base, unfolding);
        self.base = unfolded.lts.clone();
        self.lts = assume::under(&self.base, exact(self.assumed));
        self.unfolded = Some(Box::new(unfolded));
        self
    }

    /// What is assumed, where it could matter. The state that calls leave matters only where the request asks for it.
    fn assumptions(&self) -> Vec<Assumed> {
        self.assumed.without(Assumption::LeftByCalls).iter().filter_map(|one| self.told(one)).collect()
    }

    /// The lines on which more than one statement or condition stands.
    fn crowded_lines(&self) -> Vec<u32> {
        let edges = self.lts.graph.edge_weights().filter(|edge| !edge.library && edge.span.start < edge.span.end);
        let positions: SortedSet<(u32, u32)> = edges.map(|edge| (self.lines.line(edge.span.start), edge.span.start)).collect();
        let mut lines: Vec<u32> = positions.iter().map(|start| start.0).collect();
        let all = lines.clone();
        lines.dedup();
        lines.retain(|line| all.iter().filter(|other| *other == line).count() > 1);
        lines
    }

    /// An edge as the text has it, for people.
    pub fn source_text(&self, edge: EdgeId) -> WrittenEdge {
        source_text(&self.lts, self.lines.text(), &self.lts.graph[edge])
    }

    /// A part of what an edge evaluates as the text has it, for people; without an edge of what stands before the first one.
    pub fn text_of_part(&self, edge: Option<EdgeId>, part: EdgePart) -> WrittenEdge {
        text_of_part(&self.lts, self.lines.text(), edge, part)
    }

    /// An assumption, for people; `None` where it makes no difference.
    pub fn told(&self, one: Assumption) -> Option<Assumed> {
        let line = self.lines.line(one.site(&self.base)?.start);
        Some(Assumed { id: one.id().to_owned(), text: one.text().to_owned(), line })
    }

    /// The functions of the program that are left out.
    pub fn refused(&self) -> Vec<LeftOutFunction> {
        let told = |refused: &RefusedFunction| LeftOutFunction {
            function: refused.name.clone(),
            line: self.lines.line(refused.because.span.start),
            message: refused.because.message.clone(),
        };
        self.program.refused.iter().map(told).collect()
    }

    /// The header with which the document of an analysis of this program starts; `complete` says whether every question was
    /// settled.
    pub fn header(&self, request: &Request, complete: bool, solver: SolverStatistics, steps: u64) -> Header {
        Header {
            schema: SCHEMA,
            program: request.program.clone(),
            function: self.lts.function.clone(),
            ints: match self.options.ints {
                lower::IntegerModel::Unbounded => Ints::Unbounded,
                lower::IntegerModel::C32 => Ints::C32,
            },
            chosen_because: self.chosen_because.clone(),
            inline_depth: self.lts.inline_depth,
            assumptions: self.assumptions(),
            crowded_lines: self.crowded_lines(),
            complete,
            #[cfg(feature = "cli")]
            early_end: Default::default(),
            // The caller has a clock, this library has not.
            statistics: Statistics { solver, wall_ms: 0.0, steps },
            diagnostics: self.warnings.clone(),
            refused: self.refused(),
            options: SourceOptions::of(self.lines.text()),
            headers: Some(self.lines.headers().to_vec()).filter(|headers| !headers.is_empty()),
        }
    }
}

/// A refusal that concerns the request, not a span of the program.
pub fn refused<T>(code: &str, message: String) -> Reply<T> {
    Reply::Refused { diagnostics: vec![about_the_question(code, message)] }
}

/// A warning that concerns the answer, not a span of the program.
pub fn warning(code: &str, message: String) -> Diagnostic {
    Diagnostic { severity: Severity::Warning, ..about_the_question(code, message) }
}

/// An error that concerns the request, not a span of the program.
pub fn about_the_question(code: &str, message: String) -> Diagnostic {
    let place = TextPlace { line: 1, column: 1, end_line: 1, end_column: 1, start: 0, end: 0 };
    Diagnostic { severity: Severity::Error, code: code.to_owned(), message, label: None, help: None, place, related: Vec::new() }
}
