//! `justify`: the gaps of given coverage, each with a new test, a proof, or the reason why it is open.

use crate::commands::with_database;
use crate::progress::{Stopped, Watched, Watcher};
use crate::source::{self, SourceFile};
use crate::{CommandRefusal, ExitStatus, files, headers, print, watchdog};
use clap::{ArgMatches, Args};
use culdesac::analysis::Listener;
use culdesac::analysis::criteria::Criterion;
use culdesac::analysis::criteria::options::CriterionOptions;
use culdesac::analysis::options::ProgramOptions;
use culdesac::analysis::text::counted;
use culdesac::evidence::Evidence;
use culdesac::justify::coverage;
use culdesac::justify::coverage::lcov::LcovVersion;
use culdesac::justify::document::JustifyDocument;
use culdesac::justify::documents::{GivenCoverage, html_page, justification_file, markdown_pages};
use culdesac::justify::file::{Justification, JustificationFile};
use culdesac::justify::text::text;
use culdesac::justify::{Justified, JustifyQuestion, JustifyRefusal, justify};
use culdesac::source::bytes::decoded;
use culdesac::source::files::{SourceOptions, linked, units};
use culdesac::view::{EarlyEnd, Reply, Request};
use flate2::read::GzDecoder;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The command that combines a program with coverage.
pub const JUSTIFY: &str = "justify";

/// Close the gaps of coverage: for each branch that your tests do not take a test, or a proof that none can
///
/// FILEs are programs and the coverage of your tests: LCOV, or the JSON of gcov or llvm-cov.
#[derive(Args)]
pub struct JustifyOptions {
    #[command(flatten)]
    program: ProgramOptions,
    #[command(flatten)]
    criterion: CriterionOptions,
    /// Compare with the justifications of an earlier version, proved again: exit status 3 if one no longer holds
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Write the justified branches to this file, by text and structure, with their evidence: for `--against` and `check`
    #[arg(long, value_name = "FILE")]
    justifications: Option<PathBuf>,
    /// Write the coverage to this file as LCOV 2.5, with `U` at each branch that no execution takes
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the coverage to this file as LCOV for older readers, without the branches that no execution takes
    #[arg(long, value_name = "FILE")]
    legacy_out: Option<PathBuf>,
    /// Write a page in Markdown to this file
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Write a page that needs nothing else to this file: the program with its margin, reasons, and fields for two signatures
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Coverage files may have so many bytes.
const MAX_COVERAGE: u64 = 256 << 20;

/// What the FILEs are.
struct GivenFiles {
    programs: Vec<PathBuf>,
    coverage: GivenCoverage,
}

pub fn run(options: &JustifyOptions, matches: &ArgMatches) -> Result<ExitStatus, CommandRefusal> {
    let started = Instant::now();
    if options.program.evidence.is_some() || options.program.trace.is_some() || options.program.dump_queries.is_some() {
        return Err("justify keeps its evidence in the file that --justifications names; --evidence, --trace and --dump-queries are for other commands".into());
    }
    options.criterion.checked()?;
    if options.criterion.choice().is_some_and(|choice| choice.criterion == Criterion::Path) {
        return Err("coverage counts no paths; `culdesac report FILE --criterion path` has a test or a proof for each prime path".into());
    }
    let given = given_files(options)?;
    let earlier = options.against.as_deref().map(earlier).transpose()?;
    watchdog::start(options.program.resources, started);
    let mut status = ExitStatus::Complete;
    let mut answers: Vec<(Request, Justified)> = Vec::new();
    for request in requests(options, &given.programs, matches)? {
        let before = match &earlier {
            None => None,
            Some((name, file)) => match file.program(&request.program) {
                Some(program) => Some(program),
                None => return Err(format!("{name} has no justifications of {}", request.program).into()),
            },
        };
        let question = JustifyQuestion {
            request: &request,
            coverage: &given.coverage.coverage,
            earlier: before.map(|program| &program.branches[..]),
            criterion: options.criterion.choice(),
        };
        let mut watcher = Watcher::new(None, options.program.resources.timeout.map(|time| started + time));
        let mut on_event = |event| watcher.event(&event);
        let answer = justify(&question, &mut Listener::new(&mut on_event));
        let Watched { stopped, .. } = watcher.finish();
        let mut justified = match answer {
            Ok(justified) => justified,
            Err(JustifyRefusal::Coverage(message)) => return Err(message.into()),
            Err(JustifyRefusal::Program(diagnostics)) => {
                source::show(&SourceFile { name: request.program.clone(), text: request.source.clone() }, &diagnostics);
                return Err(CommandRefusal(None));
            }
        };
        let header = &mut justified.document.header;
        header.early_end = EarlyEnd { timeout: stopped == Some(Stopped::Time), memory: stopped == Some(Stopped::Memory) };
        header.statistics.wall_ms = (started.elapsed().as_secs_f64() * 1e6).round() / 1e3;
        source::show(&SourceFile { name: request.program.clone(), text: request.source.clone() }, &header.diagnostics);
        status = status.max(exit_status(&justified.document));
        answers.push((request, justified));
    }
    watchdog::finish();
    let several = answers.len() > 1;
    for (request, Justified { document, .. }) in &answers {
        print(&match options.program.json {
            true => serde_json::to_string(document).map_err(|error| format!("cannot write the document: {error}"))? + "\n",
            false if several => format!("{}:\n{}\n", request.program, text(document)),
            false => text(document),
        })?;
    }
    let failed = written_files(options, &given, &answers);
    failed.iter().for_each(|failure| eprintln!("error: {failure}"));
    Ok(if failed.is_empty() { status } else { status.max(ExitStatus::Open) })
}

fn exit_status(document: &JustifyDocument) -> ExitStatus {
    match () {
        () if !document.stale.is_empty() => ExitStatus::Stale,
        () if !document.header.complete => ExitStatus::Open,
        () => ExitStatus::Complete,
    }
}

/// Tells programs from coverage, and reads the coverage.
fn given_files(options: &JustifyOptions) -> Result<GivenFiles, String> {
    let (mut programs, mut coverage) = (Vec::new(), GivenCoverage::default());
    let ProgramOptions { file, source, .. } = &options.program;
    for file in [file].into_iter().chain(&source.others) {
        let bytes = source::read_bytes(file, MAX_COVERAGE)?;
        let text = unpacked(&bytes).map_err(|error| format!("{}: {error}", file.display()))?;
        if !coverage::is_coverage(&text) {
            programs.push(file.clone());
            continue;
        }
        coverage.add(text).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    if coverage.is_empty() {
        return Err(
            "none of the files is coverage: give a tracefile of LCOV, or the JSON of gcov or llvm-cov, after the programs".to_owned()
        );
    }
    if programs.is_empty() {
        return Err("all of the files are coverage: give the programs before it".to_owned());
    }
    Ok(GivenFiles { programs, coverage })
}

/// A text, which gcov compresses.
fn unpacked(bytes: &[u8]) -> Result<String, String> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(decoded(bytes));
    }
    let mut text = Vec::new();
    GzDecoder::new(bytes).take(MAX_COVERAGE).read_to_end(&mut text).map_err(|error| format!("cannot be unpacked: {error}"))?;
    Ok(decoded(&text))
}

/// The earlier justifications and the name of their file.
fn earlier(path: &Path) -> Result<(String, JustificationFile), String> {
    let name = path.display().to_string();
    let text = source::read_up_to(path, MAX_COVERAGE)?.text;
    let file = JustificationFile::read(&text).map_err(|error| format!("{name}: {error}"))?;
    Ok((name, file))
}

/// A request for each program.
fn requests(options: &JustifyOptions, programs: &[PathBuf], matches: &ArgMatches) -> Result<Vec<Request>, String> {
    let mut requests: Vec<Request> = Vec::new();
    for file in programs {
        let read = headers::read_program(file, &with_database(file, &options.program.source.options, matches)?)?;
        match requests.first_mut().filter(|_| options.program.source.is_linked) {
            Some(first) => first.source = linked(std::mem::take(&mut first.source), &read.name, &read.text)?,
            None => requests.push(options.program.request(read.name, read.text)),
        }
    }
    Ok(requests)
}

/// Writes the files beside the answer; gives what could not be written.
fn written_files(options: &JustifyOptions, given: &GivenFiles, answers: &[(Request, Justified)]) -> Vec<String> {
    type Content<'c> = &'c dyn Fn() -> Result<String, String>;
    let all: [(&Option<PathBuf>, Content); 5] = [
        (&options.out, &|| Ok(given.coverage.justified(answers, LcovVersion::Two))),
        (&options.legacy_out, &|| Ok(given.coverage.justified(answers, LcovVersion::One))),
        (&options.markdown, &|| Ok(markdown_pages(answers))),
        (&options.html, &|| Ok(html_page(answers))),
        (&options.justifications, &|| justification_file(answers)),
    ];
    let mut failed = Vec::new();
    for (path, content) in all {
        let Some(path) = path else { continue };
        let written = content().and_then(|text| files::write(path, text.as_bytes()).map_err(|error| error.to_string()));
        failed.extend(written.err().map(|error| format!("{} is not written: {error}", path.display())));
    }
    failed
}

/// The file of justifications that `check` is given, if it is given one.
pub fn kept_in(matches: &ArgMatches) -> Option<JustificationFile> {
    let file = matches.get_one::<PathBuf>("file")?;
    let is_file = std::fs::metadata(file).is_ok_and(|data| data.is_file());
    let text = is_file.then(|| source::read_up_to(file, MAX_COVERAGE).ok()).flatten()?.text;
    JustificationFile::read(&text).ok()
}

/// Checks the evidence of each function in a file of justifications, and compares the texts with the programs on the disk.
pub fn check(file: &JustificationFile, matches: &ArgMatches) -> Result<ExitStatus, CommandRefusal> {
    let json = matches.get_flag("json");
    let mut status = ExitStatus::Complete;
    for program in &file.programs {
        for evidence in &program.evidence {
            let Reply::Document { document } = culdesac::analysis::check::check(evidence) else {
                return Err(format!("{}: the program in the file has errors", program.program).into());
            };
            if document.checked == 0 || !document.rejected.is_empty() {
                status = ExitStatus::Open;
            }
            print(&match json {
                true => serde_json::to_string(&document).map_err(|error| format!("cannot write the document: {error}"))? + "\n",
                false => {
                    let rejected = document.rejected.iter().map(|one| format!("  {}: {}\n", one.id, one.reason)).collect::<String>();
                    let (checked, all) = (counted(document.checked, "claim", "claims"), document.rejected.len());
                    format!("{}, {}: {checked} checked, {all} rejected\n{rejected}", program.program, evidence.function)
                }
            })?;
        }
        // A branch is justified by claims that are there.
        let names =
            |evidence: &Evidence| evidence.claims.iter().map(|claim| format!("{}:{}", evidence.function, claim.id)).collect::<Vec<_>>();
        let all: Vec<String> = program.evidence.iter().flat_map(names).collect();
        let without = |one: &&Justification| one.evidence.is_empty() || one.evidence.iter().any(|claim| !all.contains(claim));
        for one in program.branches.iter().filter(without) {
            eprintln!("error: {}, line {}: `{}` has a claim that the file does not hold", program.program, one.line, one.name.text);
            status = ExitStatus::Open;
        }
    }
    let paths: Vec<&PathBuf> = matches.get_many::<PathBuf>("program").into_iter().flatten().collect();
    // Of a linked program the files stand in their order.
    let is_linked = paths.len() > 1 && file.programs.len() == 1;
    for paths in if is_linked { vec![&paths[..]] } else { paths.chunks(1).collect() } {
        let name = paths[0].display().to_string();
        let Some(program) = file.program(&name) else { return Err(format!("the file has no justifications of {name}").into()) };
        let units = program.evidence.first().map(|evidence| units(&evidence.source)).unwrap_or_default();
        let mut text: Option<String> = None;
        for (at, path) in paths.iter().enumerate() {
            let own = units.get(at).and_then(|(_, unit)| SourceOptions::of(unit)).unwrap_or_default();
            let read = headers::read_program(path, &own)?;
            text = Some(match text {
                None => read.text,
                Some(before) => linked(before, &read.name, &read.text)?,
            });
        }
        if text.is_some_and(|text| culdesac::justify::hash(&text) != program.sha256) {
            eprintln!("error: {name} is another text than the one in the file");
            status = ExitStatus::Open;
        }
    }
    Ok(status)
}
