//! `culdesac reach`: options, and the answer for people.

use super::{MAX_K, ReachDocument, ReachSatisfiable, ReachSettings, ReachVerdict};
use crate::analysis::options::{Command, ProgramOptions, ReadFile, whole};
use crate::analysis::reach::Reach;
use crate::analysis::reach::method::DEFAULT_K;
use crate::analysis::settle::settled_target;
use crate::analysis::text::{Without, assuming, assumptions, calls_text, counted, input_text, line, number, runs, runs_of};
use crate::analysis::{Analysis, Listener, Query, Question};
use crate::view::Reply;
use clap::Args;
use std::fmt::Write;

/// What it takes to get to a line: a necessary condition from loop summaries, and an input or a proof that there is none
#[derive(Args)]
pub struct ReachOptions {
    #[command(flatten)]
    program: ProgramOptions,
    /// What to reach: LINE, LINE:COLUMN, a label, or a function that is called [default: the first error call or failing assertion]
    #[arg(long, value_name = "LINE|LABEL")]
    target: Option<String>,
    /// Rounds of each kind that the condition without quantifiers has for each loop
    #[arg(long, value_name = "K", default_value_t = DEFAULT_K, value_parser = k, allow_hyphen_values = true)]
    k: u32,
}

fn k(text: &str) -> Result<u32, String> {
    whole(text, 0, MAX_K).ok_or_else(|| format!("K is a whole number from 0 to {MAX_K}"))
}

impl Command for Reach {
    type Options = ReachOptions;

    fn program(options: &ReachOptions) -> Option<&ProgramOptions> {
        Some(&options.program)
    }

    fn query(options: &ReachOptions, read: ReadFile) -> Result<Query<ReachSettings>, String> {
        options.program.query(read, ReachSettings { target: options.target.clone(), k: options.k })
    }

    fn settled(question: &Question<ReachSettings>, options: &ReachOptions, listener: &mut Listener) -> Reply<ReachDocument> {
        match options.program.only {
            true => Reach::answer(question, listener),
            false => settled_target(question.request, question.settings, listener),
        }
    }

    fn text(document: &ReachDocument, query: &Query<ReachSettings>, _: &ReachOptions) -> String {
        text(document, query.settings.k)
    }
}

fn text(document: &ReachDocument, k: u32) -> String {
    let ReachDocument { target, verdict, .. } = document;
    let mut out = format!(
        "{}: target: line {}, column {}: {}: ",
        document.header.function,
        line(&document.header, target.line),
        target.column,
        target.text
    );
    out += match verdict {
        ReachVerdict::Reached => "reached",
        ReachVerdict::Unreachable => "unreachable in every execution",
        ReachVerdict::Unknown => "open",
    };
    out.push('\n');
    if let Some(input) = &document.input {
        let _ = writeln!(out, "  input: {}", input_text(input));
        if !document.after.is_empty() {
            let _ = writeln!(out, "  after: {}", calls_text(&document.after));
        }
        let _ = writeln!(out, "  lines: {}", runs_of(&document.header, &document.lines, document.lines_total));
    }
    out += &assuming("  ", &document.assumes);
    if let Some(open) = &document.open {
        let _ = writeln!(out, "  open: {open}");
    }
    if let Some(search) = &document.search {
        let (tried, dropped) = (counted(search.prefixes, "prefix", "prefixes"), number(&search.dropped.to_string()));
        let ended = if search.ended { ", none left" } else { "" };
        let _ = writeln!(out, "  guided search: {tried} tried, {dropped} dropped{ended}");
        if let Some(nearest) = &search.nearest {
            let steps = counted(nearest.distance as usize, "step", "steps");
            let _ = writeln!(out, "  nearest run: {steps} short of it, with {}", input_text(&nearest.input));
            let _ = writeln!(out, "    lines: {}", runs_of(&document.header, &nearest.lines, nearest.lines_total));
        }
    }
    for other in &document.others {
        let _ = writeln!(out, "  also on this line: --target {} `{}`", other.name, other.text);
    }
    for summary in &document.loop_summaries {
        let _ = writeln!(out, "\nloop at line {}", line(&document.header, summary.line));
        for round in &summary.rounds {
            let _ = writeln!(
                out,
                "  {} counts rounds along lines {}: {}",
                round.counter,
                runs(&document.header, &round.lines),
                round.condition
            );
        }
        for value in &summary.values {
            let _ = writeln!(out, "  {} = {}", value.name, value.value);
        }
        for condition in &summary.looping_condition {
            let _ = writeln!(out, "  {condition}");
        }
        if summary.uniform {
            let _ = writeln!(out, "  a uniform loop: no round needs to be written out");
        }
    }
    let count = counted(document.backbones.len(), "backbone", "backbones");
    let _ = writeln!(out, "\n{}{count}", if document.backbones_cut { "the first " } else { "" });
    for backbone in &document.backbones {
        let verdict = match backbone.verdict {
            ReachSatisfiable::Satisfiable => "can hold",
            ReachSatisfiable::Unsatisfiable => "cannot hold",
            ReachSatisfiable::Open => "open",
            ReachSatisfiable::Unasked => "not asked",
        };
        let _ = writeln!(out, "  lines {} ({verdict}): {}", runs(&document.header, &backbone.lines), backbone.condition);
    }
    let _ = writeln!(out, "\nnecessary condition:\n  {}", document.condition);
    let steps = [document.condition_steps, document.written_out_steps].map(|steps| counted(steps as usize, "step", "steps"));
    let _ = writeln!(out, "  decided in {} as it is, and in {} written out round by round", steps[0], steps[1]);
    if !document.written_out_cut && document.written_out != document.condition {
        let _ = writeln!(out, "with the first {} written out:\n  {}", counted(k as usize, "round", "rounds"), document.written_out);
    }
    out += &assumptions(&document.header, [&document.assumes].into_iter(), Without::Possible);
    out
}
