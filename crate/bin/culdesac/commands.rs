//! Answers: each command asks the engine for one document and prints it.

use crate::args::{Cfg, Check, Command, Common, Cover, Draw, Explain, Format, Ints, Paths, Prune, Run, Solve};
use crate::progress::Listener;
use crate::source::{self, Source};
use crate::{Refusal, Status, cover_text, explain_text, print, text};
use culdesac::logic::{FormulaId, Pool};
use culdesac::smtlib::{self, Output, Verdict};
use culdesac::solver::Answer;
use culdesac::source::LineIndex;
use culdesac::view::evidence::Evidence;
use culdesac::view::{self, Document, Input, Reply, Request};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, io};

/// Runs a command and prints its result.
pub fn run(command: Command) -> Result<Status, Refusal> {
    match command {
        Command::Cfg(options) => cfg(options),
        Command::Paths(options) => paths(options),
        Command::Draw(options) => draw(options),
        Command::Prune(options) => prune(options),
        Command::Explain(options) => explain(options),
        Command::Cover(options) => cover(options),
        Command::Run(options) => run_once(options),
        Command::Generate(options) => {
            print(&culdesac::generate::diamonds(options.diamonds, options.seed))?;
            Ok(Status::Complete)
        }
        Command::Check(options) => check(options),
        Command::Solve(options) => solve(options),
    }
}

fn cfg(options: Cfg) -> Result<Status, Refusal> {
    let question = Question::new(&options.common)?;
    match options.format {
        Format::Dot if options.common.json => Err("`--json` prints a document: leave it out for `--format dot`".into()),
        Format::Dot => {
            question.listen(&options.common, |request, _| view::cfg(request))?;
            question.text(view::cfg_dot(&question.request))
        }
        format => {
            let reply = question.listen(&options.common, |request, _| view::cfg(request))?;
            question.document(reply, options.common.json || format == Format::Json, text::cfg)
        }
    }
}

fn paths(options: Paths) -> Result<Status, Refusal> {
    let question = Question::new(&options.common)?;
    let reply = question.listen(&options.common, |request, listener| view::paths(request, &options.lengths, options.feasible, listener))?;
    question.document(reply, options.common.json, |document| text::paths(document, options.feasible))
}

fn draw(options: Draw) -> Result<Status, Refusal> {
    let settings = options.settings.settings();
    let question = Question { precondition: settings.precondition.clone(), ..Question::new(&options.common)? };
    let (length, count, only) = (options.length, options.count, options.feasible_only);
    let reply = question.listen(&options.common, |request, listener| {
        view::draw_with(request, &settings, options.pruned, (length, count), only, listener)
    })?;
    let labels: Vec<String> = match view::cfg(&question.request) {
        Reply::Document { document } => document.edges.into_iter().map(|edge| edge.label).collect(),
        Reply::Refused { .. } => Vec::new(),
    };
    let label = |edge: u32| labels.get(edge as usize).cloned().unwrap_or_default();
    question.document(reply, options.common.json, |document| text::draw(document, label))
}

fn prune(options: Prune) -> Result<Status, Refusal> {
    let settings = options.settings.settings();
    let question = Question { precondition: settings.precondition.clone(), ..Question::new(&options.common)? };
    let reply = question
        .listen(&options.common, |request, listener| view::prune(request, &settings, &options.lengths, options.feasible, listener))?;
    question.document(reply, options.common.json, |document| text::prune(document, &settings, options.feasible))
}

fn explain(options: Explain) -> Result<Status, Refusal> {
    let question = Question::new(&options.common)?;
    let settings = options.settings();
    let started = question.started;
    let clock = move || started.elapsed();
    let reply = question.listen(&options.common, |request, listener| view::explain(request, &settings, &clock, listener))?;
    question.document(reply, options.common.json, explain_text::explain)
}

fn cover(options: Cover) -> Result<Status, Refusal> {
    let settings = view::CoverSettings {
        unwind: options.unwind,
        algorithm: options.algorithm.name().to_owned(),
        precondition: options.precondition.clone(),
        summaries: options.summaries,
    };
    let question = Question { precondition: options.precondition, ..Question::new(&options.common)? };
    let reply = question.listen(&options.common, |request, listener| view::cover(request, &settings, listener))?;
    question.document(reply, options.common.json, cover_text::cover)
}

fn run_once(options: Run) -> Result<Status, Refusal> {
    let question = Question::new(&options.common)?;
    let input = read_input(&options.input)?;
    let reply = question.listen(&options.common, |request, listener| view::run_claiming(request, &input, listener))?;
    question.document(reply, options.common.json, text::run)
}

/// Reads a test input, part by part, so that a message can name the part.
fn read_input(json: &str) -> Result<Input, Refusal> {
    let parts: serde_json::Map<String, serde_json::Value> = serde_json::from_str(json).map_err(|error| {
        format!("--input is not a JSON object from names to integers or arrays, e.g. {{\"n\": 3, \"nondet\": [1, 2]}}: {error}")
    })?;
    let mut input = Input::default();
    for (name, part) in parts {
        let wrong = format!("`{name}` in the input: {part} is not");
        if name == "nondet" {
            input.nondet = serde_json::from_value(part).map_err(|_| format!("{wrong} a list of integers"))?;
        } else {
            let value = serde_json::from_value(part)
                .map_err(|_| format!("{wrong} an integer or an array like {{\"0\": 3, \"default\": 0}} (large integers are strings)"))?;
            input.values.insert(name, value);
        }
    }
    Ok(input)
}

fn check(options: Check) -> Result<Status, Refusal> {
    let started = Instant::now();
    let file = source::read(&options.file)?;
    let evidence: Evidence = serde_json::from_str(&file.text).map_err(|error| format!("{}: not an evidence file: {error}", file.name))?;
    let source = Source { name: format!("{} (in {})", evidence.program, file.name), text: evidence.source.clone() };
    let request = Request {
        program: evidence.program.clone(),
        source: source.text.clone(),
        function: None,
        limit: None,
        seed: 0,
        ints: None,
        inline_depth: None,
    };
    Question { started, source, request, precondition: None }.document(view::check(&evidence), options.json, text::check)
}

/// Steps for each check where nothing is said.
const SOLVE_LIMIT: u64 = 5_000_000;

/// A script whose times are wanted is executed so often, as long as that does not take longer than this in all.
const WARM_EXECUTIONS: usize = 9;
const WARM_TIME: Duration = Duration::from_millis(30);

fn solve(options: Solve) -> Result<Status, Refusal> {
    let started = Instant::now();
    let script = source::read(&options.file)?;
    let execute = |on_output: &mut dyn FnMut(Output)| {
        smtlib::run(&script.text, options.limit.unwrap_or(SOLVE_LIMIT), &|| started.elapsed(), on_output)
    };
    let timed = options.times || options.json;
    let mut repeated = Vec::new();
    while match options.repeat {
        Some(times) => repeated.len() + 1 < times as usize,
        None => timed && repeated.len() + 1 < WARM_EXECUTIONS && started.elapsed() < WARM_TIME,
    } {
        // What is wrong with the script is said by the last execution.
        repeated.extend(execute(&mut |_| ()).ok());
        if repeated.is_empty() {
            break;
        }
    }
    let median = |at: usize, last: Duration| {
        let mut times: Vec<Duration> = repeated.iter().filter_map(|checks| Some(checks.get(at)?.time)).chain([last]).collect();
        times.sort_unstable();
        times[times.len() / 2]
    };
    let mut answers = String::new();
    let mut answered = 0;
    let mut on_output = |output: Output| {
        if !options.json {
            let time = match &output {
                Output::Check(check) if options.times => {
                    answered += 1;
                    format!("\t{:.1} us\t{} steps", median(answered - 1, check.time).as_nanos() as f64 / 1e3, check.steps)
                }
                _ => String::new(),
            };
            answers += &format!("{output}{time}\n");
        }
    };
    let mut checks = match execute(&mut on_output) {
        Ok(checks) => checks,
        Err(diagnostic) => {
            print(&answers)?;
            source::show(&script, &[view::diagnostic(&LineIndex::new(&script.text), &diagnostic)]);
            return Err(Refusal(None));
        }
    };
    for (at, check) in checks.iter_mut().enumerate() {
        check.time = median(at, check.time);
    }
    let document = view::solve_document(&script.name, &checks);
    for check in checks.iter().filter(|check| check.is_wrong()) {
        let expected = check.expected.map_or("", |verdict| verdict.as_str());
        let _ = writeln!(io::stderr(), "{}:{}: answered {}, but the script says {expected}", script.name, check.line, check.result);
    }
    for check in checks.iter().filter(|_| !options.json) {
        if let Some(reason) = &check.reason {
            let _ = writeln!(io::stderr(), "{}:{}: unknown: {reason}", script.name, check.line);
        }
    }
    let request = Request {
        program: script.name.clone(),
        source: String::new(),
        function: None,
        limit: None,
        seed: 0,
        ints: None,
        inline_depth: None,
    };
    let question = Question { started, source: script, request, precondition: None };
    question.document(Reply::Document { document }, options.json, |_| answers.clone())
}

/// A program with what is asked about it.
struct Question {
    started: Instant,
    source: Source,
    request: Request,
    /// What is assumed of the inputs.
    precondition: Option<String>,
}

impl Question {
    fn new(common: &Common) -> Result<Question, Refusal> {
        let started = Instant::now();
        let source = source::read(&common.file)?;
        let request = Request {
            program: source.name.clone(),
            source: source.text.clone(),
            function: common.function.clone(),
            limit: common.limit,
            seed: common.seed,
            ints: common.ints.map(|ints| match ints {
                Ints::Unbounded => view::Ints::Unbounded,
                Ints::C32 => view::Ints::C32,
            }),
            inline_depth: common.inline_depth,
        };
        Ok(Question { started, source, request, precondition: None })
    }

    /// Runs an analysis with everything that listens to it, and writes the evidence file if one was asked for.
    fn listen<T>(&self, common: &Common, run: impl FnOnce(&Request, &mut view::Listener) -> Reply<T>) -> Result<Reply<T>, Refusal>
    where
        T: Document,
    {
        let mut watcher = Listener::new(common.trace.as_deref())?;
        let mut claims = Vec::new();
        let mut dump = match &common.dump_queries {
            Some(folder) => Some(Dump::new(folder)?),
            None => None,
        };
        let mut on_query = |pool: &Pool, assertions: &[FormulaId], answer: &Answer| {
            if let Some(dump) = &mut dump {
                dump.write(pool, assertions, answer);
            }
        };
        let mut on_event = |event| watcher.event(&event);
        let mut listener = view::Listener::new(&mut on_event);
        listener.detailed = common.trace.is_some();
        listener.claims = common.evidence.is_some().then_some(&mut claims);
        listener.query = common.dump_queries.is_some().then_some(&mut on_query);
        let reply = run(&self.request, &mut listener);
        watcher.finish()?;
        if let Some(error) = dump.and_then(|dump| dump.failed) {
            return Err(format!("cannot write the queries: {error}").into());
        }
        if let (Some(path), Reply::Document { document }) = (&common.evidence, &reply) {
            let evidence = Evidence { precondition: self.precondition.clone(), ..Evidence::of(&self.request, document.header(), claims) };
            let written = serde_json::to_string(&evidence).map_err(io::Error::from).and_then(|text| fs::write(path, text));
            written.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        }
        Ok(reply)
    }

    /// Prints a document as JSON or through `text`, after its warnings.
    fn document<D: Document>(&self, reply: Reply<D>, json: bool, text: impl Fn(&D) -> String) -> Result<Status, Refusal> {
        let mut document = self.accepted(reply)?;
        source::show(&self.source, &document.header().diagnostics);
        document.header_mut().statistics.wall_ms = (self.started.elapsed().as_secs_f64() * 1e6).round() / 1e3;
        if json {
            let mut line = serde_json::to_string(&document).map_err(|error| format!("cannot write the document: {error}"))?;
            line.push('\n');
            print(&line)?;
        } else {
            print(&text(&document))?;
        }
        Ok(if document.header().complete { Status::Complete } else { Status::Open })
    }

    /// Prints a text as it is.
    fn text(&self, reply: Reply<String>) -> Result<Status, Refusal> {
        print(&self.accepted(reply)?)?;
        Ok(Status::Complete)
    }

    fn accepted<T>(&self, reply: Reply<T>) -> Result<T, Refusal> {
        match reply {
            Reply::Document { document } => Ok(document),
            Reply::Refused { diagnostics } => {
                source::show(&self.source, &diagnostics);
                Err(Refusal(None))
            }
        }
    }
}

/// Writes every query to a folder, numbered.
struct Dump<'a> {
    folder: &'a Path,
    written: usize,
    failed: Option<io::Error>,
}

impl<'a> Dump<'a> {
    fn new(folder: &'a Path) -> Result<Dump<'a>, Refusal> {
        fs::create_dir_all(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        Ok(Dump { folder, written: 0, failed: None })
    }

    fn write(&mut self, pool: &Pool, assertions: &[FormulaId], answer: &Answer) {
        let verdict = match answer {
            Answer::Sat(_) => Verdict::Sat,
            Answer::Unsat(_) => Verdict::Unsat,
            Answer::Unknown(_) => Verdict::Unknown,
        };
        self.written += 1;
        if self.failed.is_none() {
            let path = self.folder.join(format!("query-{:06}.smt2", self.written));
            self.failed = fs::write(path, smtlib::query(pool, assertions, verdict)).err();
        }
    }
}
