//! What is to be reached: from a line, a label or a function's name to edges.
//!
//! A statement is reached where an execution takes its first step: one of the edges that begin at its place in the text, in any of the
//! copies that inlining makes. Of several on a line a statement counts more than a condition, and the last of them; but a jump there to what
//! a test is about counts more: an error call or an assertion, then the first `return`. What a `for` does between its rounds counts as a condition, and a line of
//! conditions alone is its first one: whether it is gotten to.

use super::{ReachSettings, ReachTarget};
use crate::lang::ast::{Function, Program, Stmt, StmtKind};
use crate::load::Loaded;
use crate::logic::{Arrange, SortedMap, SortedSet};
use crate::lts::{EdgeId, Label, text};
use crate::source::Span;
use crate::source::files::HeaderLines;
use crate::view::place;

/// The statements that are wanted, and those beside them.
#[derive(Clone, Debug)]
pub struct Targets {
    pub chosen: ReachTarget,
    pub others: Vec<ReachTarget>,
}

/// What begins at a place of the text.
#[derive(Clone, Debug, Default)]
struct Here {
    end: u32,
    edges: SortedSet<EdgeId>,
    is_failure: bool,
    is_return: bool,
    /// Whether nothing but conditions begins there.
    is_condition: bool,
}

/// Everything that can be reached, by where it begins.
fn positions(loaded: &Loaded) -> SortedMap<u32, Here> {
    let lts = &loaded.lts;
    let mut found: SortedMap<u32, Here> = SortedMap::new();
    let mut add = |span: Span, edge: EdgeId, failure: bool, returned: bool, is_condition: bool| {
        if span.start < span.end {
            let here = found.entry(span.start).or_insert_with(|| Here { is_condition: true, ..Here::default() });
            here.is_condition &= is_condition;
            here.end = here.end.max(span.end);
            here.edges.insert(edge);
            here.is_failure |= failure;
            here.is_return |= returned;
        }
    };
    for id in lts.graph.edge_indices() {
        let edge = &lts.graph[id];
        add(edge.span, id, false, false, matches!(edge.label, Label::Assume { .. }));
        add(edge.returned_at, id, false, true, false);
        if let Some(failure) = edge.failure {
            add(failure.span, id, true, false, false);
        }
        for print in &edge.prints {
            add(print.span, id, false, false, false);
        }
    }
    found
}

/// Finds the target.
///
/// # Errors
/// Why there is none, for people, with what could be meant.
pub fn find(loaded: &Loaded, source: &str, settings: &ReachSettings) -> Result<Targets, String> {
    let positions = positions(loaded);
    let line = |start: u32| loaded.lines.line(start);
    let Some(requested) = settings.target.as_deref().map(str::trim).filter(|requested| !requested.is_empty()) else {
        let failures: Vec<(u32, Here)> =
            positions.iter().filter(|(_, here)| here.is_failure).map(|(&at, here)| (at, here.clone())).collect();
        return match failures.first() {
            Some(first) => {
                let others = failures[1..].iter().map(|(start, here)| target(loaded, source, *start, here)).collect();
                Ok(Targets { chosen: target(loaded, source, first.0, &first.1), others })
            }
            None => {
                Err(format!("there is no error call and no assertion in `{}`, so say what to reach: --target LINE", loaded.lts.function))
            }
        };
    };
    let in_header = in_header(loaded.lines.headers(), requested);
    let requested = in_header.as_deref().unwrap_or(requested);
    let numbers: Vec<Option<u32>> = requested.split(':').map(|part| part.trim().parse().ok()).collect();
    let (at_line, at_column) = match numbers[..] {
        [Some(line)] => (line, None),
        [Some(line), Some(column)] => (line, Some(column)),
        _ => (line(named(loaded, source, &positions, requested)?), None),
    };
    let by_name = numbers.iter().any(Option::is_none);
    let mut here: Vec<(u32, Here)> =
        positions.iter().filter(|(start, _)| line(**start) == at_line).map(|(&at, here)| (at, here.clone())).collect();
    if here.is_empty() {
        return Err(nothing_there(loaded, source, &positions, at_line));
    }
    let chosen = match at_column {
        Some(column) => {
            let column_of = |start: u32| place(&loaded.lines, Span { start, end: start }).column;
            let position = here.iter().rposition(|(start, _)| column_of(*start) <= column);
            position.unwrap_or(0)
        }
        None if by_name => {
            let start = named(loaded, source, &positions, requested)?;
            here.iter().position(|(at, _)| *at == start).unwrap_or(0)
        }
        None => {
            let failure = here.iter().position(|(_, here)| here.is_failure);
            let between = between_rounds(&loaded.program);
            let is_statement = |(start, here): &(u32, Here)| !here.is_condition && !between.contains(start);
            let statement = || here.iter().rposition(is_statement);
            failure.or(here.iter().position(|(_, here)| here.is_return)).or_else(statement).unwrap_or(0)
        }
    };
    let target_here = here.remove(chosen);
    Ok(Targets {
        chosen: target(loaded, source, target_here.0, &target_here.1),
        others: here.iter().map(|(start, here)| target(loaded, source, *start, here)).collect(),
    })
}

/// A line of a header, `x.h:5`, by its number in the whole program, with the column that may follow.
fn in_header(headers: &[HeaderLines], requested: &str) -> Option<String> {
    let (name, rest) = requested.split_once(':')?;
    let (line, column) = rest.find(':').map_or((rest, ""), |at| rest.split_at(at));
    let line: u32 = line.trim().parse().ok()?;
    let is_named = |header: &&HeaderLines| header.name.strip_suffix(name).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'));
    let header = headers.iter().filter(is_named).find(|header| (1..=header.lines).contains(&line))?;
    Some(format!("{}{column}", header.first + line - 1))
}

/// Where what has this name begins: the statement after a label, or a call.
fn named(loaded: &Loaded, source: &str, positions: &SortedMap<u32, Here>, requested: &str) -> Result<u32, String> {
    let name = requested.trim_end_matches([':', '(', ')', ';']);
    if let Some(span) = labelled(&loaded.program, name) {
        let inside = positions.iter().find(|(start, _)| (span.start..span.end).contains(start));
        return inside.map(|(&start, _)| start).ok_or_else(|| format!("no way in the control flow leads to the label `{name}`"));
    }
    let is_call = |start: u32| {
        let rest = source.get(start as usize..).and_then(|rest| rest.strip_prefix(name));
        rest.is_some_and(|rest| rest.trim_start().starts_with('('))
    };
    let mut calls = positions.keys().copied().filter(|&start| is_call(start));
    calls.next().ok_or_else(|| {
        format!("`{name}` is neither a line nor a label, and `{}` does not call a function of this name", loaded.lts.function)
    })
}

/// Where what loops do between their rounds begins: the third part of a `for`.
fn between_rounds(program: &Program) -> SortedSet<u32> {
    fn inside(statement: &Stmt, found: &mut SortedSet<u32>) {
        if let StmtKind::For { step: Some(step), .. } = &statement.kind {
            found.insert(step.span.start);
        }
        statement.children(&mut |child| inside(child, found));
    }
    let mut found = SortedSet::new();
    program.own().flat_map(|function| &function.body).for_each(|statement| inside(statement, &mut found));
    found
}

fn labelled(program: &Program, name: &str) -> Option<Span> {
    labels(program, name).first().map(|(_, statement)| statement.span)
}

/// Why a line is no target.
fn nothing_there(loaded: &Loaded, source: &str, positions: &SortedMap<u32, Here>, requested: u32) -> String {
    let last = source.lines().count().max(1);
    if requested == 0 || requested as usize > last {
        return format!("there is no line {requested}: the program has {last} {}", if last == 1 { "line" } else { "lines" });
    }
    let lines_of = |function: &Function| loaded.lines.line(function.span.start)..=loaded.lines.line(function.span.end);
    let inside = loaded.program.own().find(|function| lines_of(function).contains(&requested));
    let lines: SortedSet<u32> = positions.keys().map(|&start| loaded.lines.line(start)).collect();
    let near = || {
        let mut near: Vec<u32> = lines.iter().copied().collect();
        near.arrange_by_key(|line| (line.abs_diff(requested), *line));
        near.truncate(3);
        near.arrange();
        near.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    };
    match inside {
        None => format!("line {requested} is in no function; lines with statements near it: {}", near()),
        Some(function) if function.name.text != loaded.lts.function && !lines.iter().any(|line| lines_of(function).contains(line)) => {
            format!(
                "line {requested} is in `{}`, which `{}` does not call: analyse it with --function {}",
                function.name.text, loaded.lts.function, function.name.text
            )
        }
        Some(_) => format!(
            "no step of an execution begins on line {requested}: it has no statement, or no way in the control flow leads there; near it are lines {}",
            near()
        ),
    }
}

/// These edges as the target, with the text at a span.
pub fn of_edges(loaded: &Loaded, source: &str, span: Span, edges: SortedSet<EdgeId>) -> Targets {
    let here = Here { end: span.end, edges, ..Here::default() };
    Targets { chosen: target(loaded, source, span.start, &here), others: Vec::new() }
}

/// The labels of this name, each with the statement that it stands before.
pub fn labels<'p>(program: &'p Program, name: &str) -> Vec<(Span, &'p Stmt)> {
    fn inside<'p>(statement: &'p Stmt, name: &str, found: &mut Vec<(Span, &'p Stmt)>) {
        if let StmtKind::Labelled(label, body) = &statement.kind
            && label.text == name
        {
            found.push((label.span, body));
        }
        statement.children(&mut |child| inside(child, name, found));
    }
    let mut found = Vec::new();
    program.own().flat_map(|function| &function.body).for_each(|statement| inside(statement, name, &mut found));
    found
}

fn target(loaded: &Loaded, source: &str, start: u32, here: &Here) -> ReachTarget {
    let span = Span { start, end: here.end };
    let place = place(&loaded.lines, span);
    let written = source.get(span.start as usize..span.end as usize).unwrap_or_default();
    let written = written.lines().next().unwrap_or_default().trim();
    let first = here.edges.iter().next().map(|&edge| &loaded.lts.graph[edge]);
    let text = match first {
        _ if !written.is_empty() && here.is_return && !written.starts_with("return") => format!("return {written}"),
        _ if !written.is_empty() => written.to_owned(),
        Some(edge) if !matches!(edge.label, Label::Skip) => text::label(&loaded.lts, edge),
        _ => String::new(),
    };
    let edges = here.edges.iter().map(|edge| edge.index() as u32).collect();
    ReachTarget { name: format!("{}:{}", place.line, place.column), line: place.line, column: place.column, text, place, edges }
}
