//! Answers: each command asks the engine for one document and prints it.

use crate::args::{SOLVE, Solve};
use crate::progress::Watcher;
use crate::solve::solve;
use crate::source::{self, Source};
use crate::{Refusal, Status, print};
use clap::{ArgMatches, FromArgMatches};
use culdesac::analysis::common::command::{Command, Form, ProgramOptions, Visitor};
use culdesac::analysis::common::export::Exported;
use culdesac::analysis::{self, Asked, Listener};
use culdesac::evidence::Evidence;
use culdesac::logic::{FormulaId, Pool};
use culdesac::smtlib::{self, Verdict};
use culdesac::solver::Answer;
use culdesac::view::{Document, Reply};
use std::path::Path;
use std::time::Instant;
use std::{fs, io};

/// Runs the command that was given and prints its result.
pub fn run(matches: &ArgMatches) -> Result<Status, Refusal> {
    let (name, options) = matches.subcommand().expect("a command is required");
    if name == SOLVE {
        return solve(Solve::from_arg_matches(options).unwrap_or_else(|error| error.exit()));
    }
    analysis::with_command(name, Ask(options)).expect("a command of the table")
}

/// Asks an analysis what its options say.
struct Ask<'a>(&'a ArgMatches);

impl Visitor for Ask<'_> {
    type Output = Result<Status, Refusal>;

    fn command<A: Command>(self) -> Result<Status, Refusal> {
        let started = Instant::now();
        let options = A::Options::from_arg_matches(self.0).unwrap_or_else(|error| error.exit());
        let mut read = |file: &Path| source::read(file).map(|source| (source.name, source.text));
        let asked = A::asked(&options, &mut read)?;
        let form = A::form(&options)?;
        let (name, text) = asked.request.as_ref().map(|request| (request.program.clone(), request.source.clone())).unwrap_or_default();
        let asker = Asker { started, source: Source { name, text }, precondition: A::precondition(&asked.settings).map(str::to_owned) };
        let reply = match A::program(&options) {
            Some(program) => asker.listen::<A>(program, &asked)?,
            None => asked.answer::<A>(&|| started.elapsed(), &mut Listener::new(&mut |_| true)),
        };
        if let Reply::Document { document } = &reply
            && let Some((folder, exported)) = A::exported(document, &asked, &options)?
        {
            write(&folder, &exported)?;
        }
        asker.print(reply, form, |document| A::text(document, &asked, &options))
    }
}

/// Writes files into a folder, which need not be there.
fn write(folder: &Path, exported: &Exported) -> Result<(), Refusal> {
    fs::create_dir_all(folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    for file in &exported.files {
        let path = folder.join(&file.name);
        fs::write(&path, &file.text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    exported.notes.iter().for_each(|note| eprintln!("note: {note}"));
    Ok(())
}

/// Who asks: a text about which diagnostics speak, and since when.
pub struct Asker {
    pub started: Instant,
    pub source: Source,
    /// What is assumed of the inputs.
    pub precondition: Option<String>,
}

impl Asker {
    /// Runs an analysis with everything that listens to it, and writes the evidence file if one was asked for.
    fn listen<A: Command>(&self, options: &ProgramOptions, asked: &Asked<A::Settings>) -> Result<Reply<A::Document>, Refusal> {
        let mut watcher = Watcher::new(options.trace.as_deref())?;
        let mut claims = Vec::new();
        let mut dump = match &options.dump_queries {
            Some(folder) => Some(Dump::new(folder)?),
            None => None,
        };
        let mut on_query = |pool: &Pool, assertions: &[FormulaId], answer: &Answer| {
            if let Some(dump) = &mut dump {
                dump.write(pool, assertions, answer);
            }
        };
        let findings = watcher.findings();
        let mut on_event = |event| watcher.event(&event);
        let mut listener = Listener::new(&mut on_event);
        listener.findings = findings;
        listener.claims = options.evidence.is_some().then_some(&mut claims);
        listener.query = options.dump_queries.is_some().then_some(&mut on_query);
        let reply = asked.answer::<A>(&|| self.started.elapsed(), &mut listener);
        watcher.finish()?;
        if let Some(error) = dump.and_then(|dump| dump.failed) {
            return Err(format!("cannot write the queries: {error}").into());
        }
        if let (Some(path), Reply::Document { document }) = (&options.evidence, &reply)
            && let (Some(request), Some(header)) = (&asked.request, document.header())
        {
            let evidence = Evidence { precondition: self.precondition.clone(), ..Evidence::of(request, header, claims) };
            let written = serde_json::to_string(&evidence).map_err(io::Error::from).and_then(|text| fs::write(path, text));
            written.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        }
        Ok(reply)
    }

    /// Prints a document as JSON or through `text`, after its warnings.
    pub fn print<D: Document>(&self, reply: Reply<D>, form: Form, text: impl Fn(&D) -> String) -> Result<Status, Refusal> {
        let mut document = match reply {
            Reply::Document { document } => document,
            Reply::Refused { diagnostics } => {
                source::show(&self.source, &diagnostics);
                return Err(Refusal(None));
            }
        };
        let mut complete = true;
        if let Some(header) = document.header_mut() {
            if form != Form::Bare {
                source::show(&self.source, &header.diagnostics);
                if let Some(because) = &header.chosen_because {
                    eprintln!("note: `{}` is analysed, since {because}; `--function NAME` chooses another", header.function);
                }
                complete = header.complete;
            }
            header.statistics.wall_ms = (self.started.elapsed().as_secs_f64() * 1e6).round() / 1e3;
        }
        if form == Form::Json {
            let mut line = serde_json::to_string(&document).map_err(|error| format!("cannot write the document: {error}"))?;
            line.push('\n');
            print(&line)?;
        } else {
            print(&text(&document))?;
        }
        Ok(if complete { Status::Complete } else { Status::Open })
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
