//! Answers: each command asks the engine for one document and prints it.

use crate::args::{SOLVE, Solve};
use crate::batch::{self, ItemAnswer};
use crate::compile_commands;
use crate::files;
use crate::folder;
use crate::headers;
use crate::justify::{self, JUSTIFY, JustifyOptions};
use crate::progress::{self, Stopped, Watched, Watcher};
use crate::solve::solve;
use crate::source::{self, SourceFile};
use crate::{CommandRefusal, ExitStatus, print, watchdog};
use clap::{ArgMatches, FromArgMatches};
use culdesac::analysis::check::Check;
use culdesac::analysis::options::source::COMPILE_COMMANDS;
use culdesac::analysis::options::{BatchOptions, Beside, Command, CommandVisitor, Form, ProgramOptions};
use culdesac::analysis::text::{counted, number};
use culdesac::analysis::{self, Analysis, Claims, Listener, Query};
use culdesac::evidence::{Claim, Evidence, MAX_EVIDENCE};
use culdesac::export::Exported;
use culdesac::load::warning;
use culdesac::logic::{FormulaId, Pool};
use culdesac::smtlib::{self, Verdict};
use culdesac::solver::Answer;
use culdesac::source::abi::Abi;
use culdesac::source::files::{CLOSED, SourceOptions};
use culdesac::view::{Document, EarlyEnd, Reply};
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{fs, io};

/// Runs the command that was given and prints its result.
pub fn run(matches: &ArgMatches) -> Result<ExitStatus, CommandRefusal> {
    let (name, options) = matches.subcommand().expect("a command is required");
    if name == SOLVE {
        return solve(Solve::from_arg_matches(options).unwrap_or_else(|error| error.exit()));
    }
    progress::take_signals()?;
    if name == Check::NAME
        && let Some(file) = justify::kept_in(options)
    {
        return justify::check(&file, options);
    }
    if name == JUSTIFY {
        return justify::run(&JustifyOptions::from_arg_matches(options).unwrap_or_else(|error| error.exit()), options);
    }
    analysis::with_command(name, AnalysisRun(options)).expect("a command of the table")
}

/// Asks an analysis what its options say.
struct AnalysisRun<'a>(&'a ArgMatches);

impl CommandVisitor for AnalysisRun<'_> {
    type Output = Result<ExitStatus, CommandRefusal>;

    /// Answers for the program, or for each of several.
    fn command<A: Command>(self) -> Result<ExitStatus, CommandRefusal> {
        let options = A::Options::from_arg_matches(self.0).unwrap_or_else(|error| error.exit());
        if let (Some(query), Some(program)) = (A::batch(&options), A::program(&options)) {
            if query.options.is_item {
                return self.item::<A>(&options, program, query.options);
            }
            if batch::is_batch(program, &query) {
                return batch::run(self.0, program, &query);
            }
        }
        let Some(ProgramOptions { source, evidence, trace, dump_queries, .. }) =
            A::program(&options).filter(|program| is_one_of_several(program))
        else {
            return self.answer::<A>(&options, None);
        };
        if evidence.is_some() || trace.is_some() || dump_queries.is_some() {
            return Err("--evidence, --trace and --dump-queries are for one program: give one file, or --link".into());
        }
        let mut status = self.of_several::<A>(&options, None);
        for file in &source.others {
            status = status.max(self.of_several::<A>(&options, Some(file)));
        }
        match status {
            0 => Ok(ExitStatus::Complete),
            1 => Ok(ExitStatus::Open),
            _ => Err(CommandRefusal(None)),
        }
    }
}

/// Whether more than one program is asked about.
fn is_one_of_several(program: &ProgramOptions) -> bool {
    !program.source.is_linked && !program.source.others.is_empty()
}

impl AnalysisRun<'_> {
    /// Answers for one of several programs, by its file where that is not the first one; gives the exit status.
    fn of_several<A: Command>(&self, options: &A::Options, file: Option<&Path>) -> u8 {
        match self.answer::<A>(options, file) {
            Ok(ExitStatus::Complete) => 0,
            Ok(ExitStatus::Open | ExitStatus::Stale) => 1,
            Err(CommandRefusal(message)) => {
                message.iter().for_each(|message| eprintln!("error: {message}"));
                2
            }
        }
    }

    /// Answers the item of a batch, for the process that asks about all of them.
    fn item<A: Command>(&self, options: &A::Options, program: &ProgramOptions, batch: &BatchOptions) -> Result<ExitStatus, CommandRefusal> {
        batch::follow_parent();
        let file = batch.item.as_deref();
        if batch.list_functions {
            let mut read = |path: &Path, options: Option<&SourceOptions>| self.read(path, options, file, source::MAX_BYTES);
            return batch::list_functions(program, &mut read);
        }
        match self.answer::<A>(options, file) {
            Err(CommandRefusal(Some(message))) => ItemAnswer::refused(message).print(),
            other => other,
        }
    }

    /// Reads a file; of a program, `other` stands for it.
    fn read(&self, file: &Path, options: Option<&SourceOptions>, other: Option<&Path>, most: u64) -> Result<(String, String), String> {
        let source = match options {
            None => source::read_up_to(file, most),
            Some(options) => {
                let file = other.unwrap_or(file);
                headers::read_program(file, &with_database(file, options, self.0)?)
            }
        };
        source.map(|source| (source.name, source.text))
    }

    fn answer<A: Command>(&self, options: &A::Options, other: Option<&Path>) -> Result<ExitStatus, CommandRefusal> {
        let started = Instant::now();
        let most = if A::OF_PROGRAM { source::MAX_BYTES } else { MAX_EVIDENCE };
        let mut read = |file: &Path, options: Option<&SourceOptions>| self.read(file, options, other, most);
        let query = A::query(options, &mut read)?;
        let form = A::form(options)?;
        let (name, text) = query.request.as_ref().map(|request| (request.program.clone(), request.source.clone())).unwrap_or_default();
        let asker = Asker { started, source: SourceFile { name, text }, precondition: A::precondition(&query.settings).map(str::to_owned) };
        let (mut reply, mut problems) = match A::program(options) {
            Some(program) => asker.listen::<A>((options, program), &query)?,
            None => {
                let mut on_event = |_| !progress::is_interrupted();
                let mut listener = Listener::new(&mut on_event);
                (query.answer_by::<A>(&|| started.elapsed(), |question| A::settled(question, options, &mut listener)), Vec::new())
            }
        };
        if let Reply::Document { document } = &mut reply {
            match A::exported(document, &query, options) {
                Ok(beside) => problems.extend(beside.and_then(|beside| write(&beside).err())),
                Err(error) => problems.push(format!("nothing is written: {error}")),
            }
            if let Some(header) = document.header_mut() {
                header.diagnostics.extend(problems.iter().map(|problem| warning("not-written", problem.clone())));
            } else {
                problems.iter().for_each(|problem| eprintln!("error: {problem}"));
            }
        }
        let text = |document: &A::Document| A::printed(document, &query, options);
        if A::batch(options).is_some_and(|batch| batch.options.is_item) {
            return asker.item(reply, form, text)?.print();
        }
        let heading = A::program(options).filter(|program| is_one_of_several(program)).map(|_| format!("{}:\n", asker.source.name));
        let heading = heading.unwrap_or_default();
        let status = asker.print(reply, form, |document| Ok(heading.clone() + &text(document)?))?;
        Ok(if problems.is_empty() { status } else { ExitStatus::Open })
    }
}

/// The preprocessor options, headers and target of a program: the command line's, and the entry of the compilation database.
pub fn with_database(file: &Path, options: &SourceOptions, matches: &ArgMatches) -> Result<SourceOptions, String> {
    let Ok(Some(database)) = matches.try_get_one::<PathBuf>(COMPILE_COMMANDS) else { return Ok(options.clone()) };
    let found = compile_commands::options_of(file, database)?;
    let own = found.target.unwrap_or_default();
    let target =
        Abi { model: matches.get_one("abi").copied().unwrap_or(own.model), char: matches.get_one("char").copied().unwrap_or(own.char) };
    Ok(SourceOptions { target: Some(target).filter(|target| *target != Abi::default()), ..compile_commands::then(found, options) })
}

/// So many names of files are told at most.
const NAMED: usize = 6;

/// Writes files into a folder, and says so with what they do not hold.
///
/// # Errors
/// What could not be written, for people.
fn write(Beside { folder, overwrite, exported }: &Beside) -> Result<(), String> {
    let is_new = folder::write(folder, &exported.files, *overwrite)?;
    let (names, folder) = (folder::listed(&exported.files, NAMED), folder.display());
    let done =
        if is_new || exported.files.is_empty() { format!("wrote {names} to {folder}") } else { format!("{folder} has {names} already") };
    eprintln!("{done}{}", summary(exported));
    exported.notes.iter().for_each(|note| eprintln!("note: {note}"));
    Ok(())
}

/// The sentence on an export: how many tests its files hold, and how many branch sides these tests take.
fn summary(exported: &Exported) -> String {
    let ((kept, tests), (taken, sides)) = (exported.tests, exported.sides);
    if tests == 0 {
        return String::new();
    }
    let take = if kept == 1 { "takes" } else { "take" };
    let (tests, sides) = (counted(tests, "test", "tests"), counted(sides, "branch side", "branch sides"));
    format!(": {} of {tests}, which {take} {} of {sides}", number(&kept.to_string()), number(&taken.to_string()))
}

/// Takes the claims of a run, as many as an evidence file may have.
#[derive(Default)]
struct ClaimBuffer {
    claims: Vec<Claim>,
    /// Of the claims' text.
    bytes: u64,
    left_out: usize,
}

impl Claims for ClaimBuffer {
    fn len(&self) -> usize {
        self.claims.len() + self.left_out
    }

    fn push(&mut self, claim: Claim) {
        let bytes = serde_json::to_string(&claim).map_or(0, |text| text.len() as u64 + 1);
        if self.left_out > 0 || self.bytes + bytes > MAX_EVIDENCE - HEAD {
            self.left_out += 1;
        } else {
            self.bytes += bytes;
            self.claims.push(claim);
        }
    }

    fn kept(&self) -> &[Claim] {
        &self.claims
    }
}

/// So much of an evidence file is left to what is not a claim: the program's text, mostly, written as a JSON string.
const HEAD: u64 = source::MAX_BYTES;

/// The origin of a request: the text that diagnostics refer to, and the time of its start.
pub struct Asker {
    pub started: Instant,
    pub source: SourceFile,
    /// What is assumed of the inputs.
    pub precondition: Option<String>,
}

impl Asker {
    /// Runs an analysis with everything that listens to it, and writes the evidence file if one was asked for. Gives the answer, and what
    /// could not be written beside it.
    fn listen<A: Command>(
        &self,
        (own, options): (&A::Options, &ProgramOptions),
        query: &Query<A::Settings>,
    ) -> Result<(Reply<A::Document>, Vec<String>), CommandRefusal> {
        let limits = options.resources;
        watchdog::start(limits, self.started);
        let mut watcher = Watcher::new(options.trace.as_deref(), limits.timeout.map(|time| self.started + time));
        let mut kept = ClaimBuffer::default();
        let mut dump = options.dump_queries.as_deref().map(Dump::new);
        let mut on_query = |pool: &Pool, assertions: &[FormulaId], answer: &Answer| {
            if let Some(dump) = &mut dump {
                dump.write(pool, assertions, answer);
            }
        };
        let findings = watcher.findings();
        let mut on_event = |event| watcher.event(&event);
        let mut listener = Listener::new(&mut on_event);
        listener.findings = findings;
        listener.claims = options.evidence.is_some().then_some(&mut kept);
        listener.query = options.dump_queries.is_some().then_some(&mut on_query);
        let mut reply = query.answer_by::<A>(&|| self.started.elapsed(), |question| A::settled(question, own, &mut listener));
        let Watched { stopped, failed } = watcher.finish();
        watchdog::finish();
        let mut problems: Vec<String> = failed.map(|error| format!("the trace is not written as a whole: {error}")).into_iter().collect();
        problems.extend(dump.and_then(|dump| dump.failed).map(|error| format!("the queries are not all written: {error}")));
        let Reply::Document { document } = &mut reply else { return Ok((reply, problems)) };
        let Some(header) = document.header_mut() else { return Ok((reply, problems)) };
        if let Some(stopped) = stopped {
            header.complete = false;
            header.early_end = EarlyEnd { timeout: stopped == Stopped::Time, memory: stopped == Stopped::Memory };
        }
        if let (Some(path), Some(request)) = (&options.evidence, &query.request) {
            if kept.left_out > 0 {
                let (count, size) = (kept.left_out, MAX_EVIDENCE >> 20);
                let claims = if count == 1 { "claim is" } else { "claims are" };
                problems.push(format!("{count} {claims} not written: the evidence would be larger than {size} MB"));
            }
            let unfolding = A::unfolding(own).map(|unfolding| unfolding.id().to_owned());
            let precondition = self.precondition.clone();
            let evidence = Evidence { precondition, unfolding, ..Evidence::of(request, header, kept.claims) };
            let written = serde_json::to_string(&evidence).map_err(io::Error::from).and_then(|text| files::write(path, text.as_bytes()));
            problems.extend(written.err().map(|error| format!("the evidence is not written: {}: {error}", path.display())));
        }
        Ok((reply, problems))
    }

    /// Prints a document as JSON or through `text`, after its warnings.
    ///
    /// # Errors
    /// The program is refused, or the form cannot hold the answer.
    pub fn print<D: Document>(
        &self,
        reply: Reply<D>,
        form: Form,
        text: impl Fn(&D) -> Result<String, String>,
    ) -> Result<ExitStatus, CommandRefusal> {
        let mut document = self.document(reply)?;
        let status = self.finished(&mut document, form);
        if form == Form::Json {
            let mut line = serde_json::to_string(&document).map_err(|error| format!("cannot write the document: {error}"))?;
            line.push('\n');
            print(&line)?;
        } else {
            print(&in_text(&document, form, &text(&document)?))?;
        }
        Ok(status)
    }

    /// The answer of an item of a batch.
    fn item<D: Document>(
        &self,
        reply: Reply<D>,
        form: Form,
        text: impl Fn(&D) -> Result<String, String>,
    ) -> Result<ItemAnswer, CommandRefusal> {
        let text_hash = Some(batch::text_hash(&self.source.text));
        let mut document = match reply {
            Reply::Document { document } => document,
            Reply::Refused { diagnostics } => {
                source::show(&self.source, &diagnostics);
                let refused = ItemAnswer::refused(source::first_error(&self.source, &diagnostics));
                return Ok(ItemAnswer { text_hash, ..refused });
            }
        };
        self.finished(&mut document, form);
        let rendered = match form {
            Form::Json => None,
            Form::Text | Form::Bare => Some(in_text(&document, form, &text(&document)?)),
        };
        let document = serde_json::to_value(&document).map_err(|error| format!("cannot write the document: {error}"))?;
        Ok(ItemAnswer { document: Some(document), rendered, text_hash, refused: None })
    }

    /// The document of a reply.
    ///
    /// # Errors
    /// That there is none: the diagnostics are printed.
    fn document<D>(&self, reply: Reply<D>) -> Result<D, CommandRefusal> {
        match reply {
            Reply::Document { document } => Ok(document),
            Reply::Refused { diagnostics } => {
                source::show(&self.source, &diagnostics);
                Err(CommandRefusal(None))
            }
        }
    }

    /// Completes the header with the time, and prints what it warns of; whether the document is complete.
    fn finished<D: Document>(&self, document: &mut D, form: Form) -> ExitStatus {
        let Some(header) = document.header_mut() else { return ExitStatus::Complete };
        header.statistics.wall_ms = (self.started.elapsed().as_secs_f64() * 1e6).round() / 1e3;
        if form != Form::Bare {
            source::show(&self.source, &header.diagnostics);
            if let Some(because) = &header.chosen_because {
                eprintln!("note: `{}` is analysed, since {because}; `--function NAME` chooses another", header.function);
            }
        }
        if header.complete { ExitStatus::Complete } else { ExitStatus::Open }
    }
}

/// A document as a text for people, with the options that decide what it means and what ended the run early.
fn in_text<D: Document>(document: &D, form: Form, text: &str) -> String {
    let Some(header) = document.header().filter(|_| form == Form::Text) else { return text.to_owned() };
    let options = header.options.as_ref();
    let target = options.and_then(|options| options.target?.told()).map(|told| format!("target {told}\n"));
    let closed = options.filter(|options| options.closed).map(|_| format!("{CLOSED}\n"));
    let end = match header.early_end {
        EarlyEnd { timeout: true, .. } => "\nThe run ended early: its time was over (--timeout).\n",
        EarlyEnd { memory: true, .. } => "\nThe run ended early: its memory was used up (--memory).\n",
        EarlyEnd { .. } => "",
    };
    target.unwrap_or_default() + &closed.unwrap_or_default() + text + end
}

/// Writes every query to a folder, numbered.
struct Dump<'a> {
    folder: &'a Path,
    written: usize,
    failed: Option<io::Error>,
}

impl<'a> Dump<'a> {
    fn new(folder: &'a Path) -> Dump<'a> {
        Dump { folder, written: 0, failed: fs::create_dir_all(folder).err() }
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
            self.failed = files::write(&path, smtlib::query(pool, assertions, verdict).as_bytes()).err();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_that_no_file_can_have_are_counted() {
        let claim = |size: usize| -> Claim {
            let claim = serde_json::json!({ "claim": "dead_ends", "id": "x".repeat(size), "edges": [0] });
            serde_json::from_value(claim).expect("a claim")
        };
        let mut kept = ClaimBuffer::default();
        kept.push(claim(10));
        kept.push(claim((MAX_EVIDENCE - HEAD) as usize));
        // What comes after one that is left out is left out too, so that a file's claims are the first ones.
        kept.push(claim(10));
        assert_eq!((kept.claims.len(), kept.left_out, kept.len()), (1, 2, 3));
    }
}
