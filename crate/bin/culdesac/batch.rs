//! Batches: many programs, or many functions, each answered by a process of its own.
//!
//! The process of the batch lists the [items], asks a [pool] of processes about them, and puts their answers together in the order of the
//! items: as [lines] that a later run can resume, or in one of the forms of [`output`], with a [summary] of all, and what static functions do
//! through their [callers]. A process that ends without
//! an answer is one item without an answer. [`item`] is the side of the processes that answer; [`task`] reads the task definitions of
//! competitions.

mod callers;
mod item;
mod items;
mod lines;
mod output;
mod pool;
mod summary;
mod task;

pub use item::{ItemAnswer, follow_parent, list_functions, text_hash};

use crate::progress::is_interrupted;
use crate::{CommandRefusal, ExitStatus};
use callers::called_functions;
use clap::ArgMatches;
use culdesac::analysis::options::{BatchForm, BatchQuery, ProgramOptions};
use items::{BatchItem, items, programs};
use lines::{LineFile, identity};
use output::BatchOutput;
use pool::{ProcessEnd, ProcessPool};
use serde_json::Value;
use std::path::Path;

/// Whether a command line asks about more than one item, or about a file that is no program by itself.
pub fn is_batch(program: &ProgramOptions, query: &BatchQuery) -> bool {
    let options = query.options;
    let is_several = !program.source.is_linked && !program.source.others.is_empty();
    let is_task = task::is_task(&program.file);
    is_several || is_task || options.each_function || options.shard.is_some() || options.resume.is_some()
}

/// Answers all items.
///
/// # Errors
/// Why the batch as a whole is refused, or that some items are.
pub fn run(matches: &ArgMatches, program: &ProgramOptions, query: &BatchQuery) -> Result<ExitStatus, CommandRefusal> {
    check(program, query)?;
    let pool = ProcessPool::new(query.options.jobs);
    let items = items(&pool, query, programs(matches, program));
    let items: Vec<BatchItem> =
        (0..).zip(items).filter(|(at, _)| query.options.shard.is_none_or(|shard| shard.has(*at))).map(|(_, item)| item).collect();
    let mut file = match &query.options.resume {
        Some(path) => Some(LineFile::open(path, &pool, &items, matches)?),
        None => None,
    };
    let mut output = BatchOutput::new(query.form, items.len(), file.is_some());
    let open: Vec<usize> = (0..items.len()).filter(|at| file.as_ref().is_none_or(|file| file.line(*at).is_none())).collect();
    let queue: Vec<&BatchItem> = open.iter().map(|at| &items[*at]).collect();
    let (mut next, mut reports) = (0, Vec::new());
    pool.each(&queue, |at, end| {
        let number = open[at];
        // What an earlier run has answered stands where it belongs.
        for number in next..number {
            let line = file.as_ref().and_then(|file| file.line(number)).cloned().unwrap_or_default();
            reports.push(line.clone());
            output.add(line, None)?;
        }
        next = number + 1;
        let item = &items[number];
        let is_partial = end.is_interrupted;
        let (line, rendered) = answered(item, end, &pool, matches);
        if let Some(file) = file.as_mut().filter(|_| !is_partial) {
            file.append(&line)?;
        }
        reports.push(line.clone());
        output.add(line, rendered)
    })?;
    for number in next..items.len() {
        if let Some(line) = file.as_ref().and_then(|file| file.line(number)) {
            reports.push(line.clone());
            output.add(line.clone(), None)?;
        }
    }
    if is_interrupted() && output.len() < items.len() {
        eprintln!(
            "note: {} of {} items were answered before the interruption; --resume FILE answers the others",
            output.len(),
            items.len()
        );
    }
    let is_whole = query.options.shard.is_none() && reports.len() == items.len();
    output.finish(&if is_whole { called_functions(&items, &reports) } else { Vec::new() })
}

/// The line of an item, and its answer in the form of the batch.
fn answered(item: &BatchItem, end: ProcessEnd, pool: &ProcessPool, matches: &ArgMatches) -> (Value, Option<String>) {
    let wall_ms = end.wall_ms;
    let failed = end.failed();
    let ItemAnswer { document, rendered, text_hash, refused } = end.answer.unwrap_or_default();
    // A process that ended without an answer said nothing of the text.
    let listed = || pool.list(std::slice::from_ref(item)).into_iter().flatten().find_map(|listed| listed.text_hash);
    let text_hash = text_hash.or_else(|| item.text_hash.clone()).or_else(listed);
    let mut line = document.unwrap_or_else(|| lines::failed(item, &refused.unwrap_or(failed), wall_ms));
    line["belongs_to"] = identity(item, text_hash.as_deref(), matches);
    if let Some(task) = &item.task {
        line["task"] = task.line(&line);
    }
    (line, rendered)
}

/// What a batch does not take.
fn check(program: &ProgramOptions, query: &BatchQuery) -> Result<(), String> {
    let ProgramOptions { source, evidence, trace, dump_queries, function, .. } = program;
    let files = || std::iter::once(&program.file).chain(&source.others);
    if evidence.is_some() || trace.is_some() || dump_queries.is_some() {
        return Err("--evidence, --trace and --dump-queries are for one program: give one file, or --link".into());
    }
    if files().any(|file| file == Path::new("-")) {
        return Err("standard input is one program: name files for --each-function, --shard, --resume and several programs".into());
    }
    if query.options.each_function && function.is_some() {
        return Err("--function names one function: leave it out for --each-function".into());
    }
    if query.options.resume.is_some() && !matches!(query.form, BatchForm::Text | BatchForm::Lines) {
        return Err("--resume keeps JSON lines: leave --format out, or give --json".into());
    }
    if source.is_linked && files().any(|file| task::is_task(file)) {
        return Err("a task definition names its program: leave --link out".into());
    }
    if query.form == BatchForm::Single {
        return Err("this format has one program in it: give one file, without --each-function".into());
    }
    Ok(())
}
