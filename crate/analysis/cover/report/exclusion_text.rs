//! The explanation of an exclusion in words.

use super::reasons::is_by_sides;
use super::{CoverExclusion, CoverReason, CoverRuns, CoverValue, CoverValues};
use crate::analysis::text::{at, bracketed};
use crate::view::Header;

/// A piece of an explanation: words, a condition or assignment of the program, or other text of the program.
pub enum ExclusionPiece<'e> {
    Words(&'static str),
    Reason(&'e CoverReason),
    Code(&'e str),
}

use ExclusionPiece::{Code, Reason, Words};

/// An explanation in words; `None` where a statement is excluded by itself within a bound only.
pub fn excluded(header: &Header, exclusion: &CoverExclusion, is_infeasible: bool) -> Option<String> {
    let name = |reason: &CoverReason| format!("{} ({})", reason_text(reason), reason_position(header, reason));
    let text = |piece: &ExclusionPiece| match piece {
        Words(words) => (*words).to_owned(),
        Reason(reason) => name(reason),
        Code(code) => (*code).to_owned(),
    };
    Some(exclusion_pieces(exclusion, is_infeasible)?.iter().map(text).collect())
}

/// A condition or an assignment as the program has it.
pub fn reason_text(reason: &CoverReason) -> String {
    bracketed(&reason.text, reason.expansion.as_ref())
}

/// The position of a condition or an assignment in words.
pub fn reason_position(header: &Header, reason: &CoverReason) -> String {
    let elsewhere = if reason.in_another_call { ", in another call" } else { "" };
    format!("line {}{elsewhere}", at(header, reason.line, reason.column))
}

/// An explanation in pieces, in the order of its sentence; `None` where a statement is excluded by itself within a bound only.
pub fn exclusion_pieces(exclusion: &CoverExclusion, is_infeasible: bool) -> Option<Vec<ExclusionPiece<'_>>> {
    let beside = pieces_beside(exclusion);
    if beside.is_empty() {
        return pieces_of_sides(exclusion, is_infeasible);
    }
    let mut pieces = Vec::new();
    if is_by_sides(exclusion) {
        pieces.extend(pieces_of_sides(exclusion, is_infeasible)?);
        pieces.push(Words("; in another call by "));
    }
    pieces.extend(beside);
    Some(pieces)
}

/// What sides of decisions and assignments exclude.
fn pieces_of_sides(exclusion: &CoverExclusion, is_infeasible: bool) -> Option<Vec<ExclusionPiece<'_>>> {
    let CoverExclusion { itself, all, either, some, .. } = exclusion;
    if *itself {
        return is_infeasible.then(|| vec![Words("itself: it never holds")]);
    }
    let mut pieces = joined(all, " and ");
    let is_first = pieces.is_empty();
    if either.is_empty() && some.is_empty() {
        return Some(if is_first { vec![Words("what is decided and assigned before it")] } else { pieces });
    }
    if !is_first {
        pieces.push(Words(", and "));
    }
    match (&either[..], &some[..]) {
        ([], [one]) => pieces.push(Reason(one)),
        ([], some) => {
            pieces.push(Words("some of these on each path: "));
            pieces.extend(joined(some, ", "));
        }
        (ways, _) => {
            for (way, number) in ways.iter().zip(0..) {
                pieces.push(Words(if number == 0 { "either " } else { ", or " }));
                pieces.extend(joined(way, " and "));
            }
        }
    }
    Some(pieces)
}

/// What is known beside sides of decisions.
fn pieces_beside(CoverExclusion { operations, enclosing, values, facts, runs, .. }: &CoverExclusion) -> Vec<ExclusionPiece<'_>> {
    let mut parts: Vec<Vec<ExclusionPiece>> = Vec::new();
    if !operations.is_empty() {
        let mut pieces = joined(operations, " or ");
        pieces.push(Words(if operations.len() == 1 {
            ", an operation that is undefined where the condition holds"
        } else {
            ", operations that are undefined where the condition holds"
        }));
        parts.push(pieces);
    }
    if !enclosing.is_empty() {
        let mut pieces = joined(enclosing, " or ");
        pieces.push(Words(if enclosing.len() == 1 { ", which no execution takes" } else { ", and no execution takes any of these" }));
        parts.push(pieces);
    }
    if !facts.is_empty() {
        let mut pieces = vec![Words("what always holds here: ")];
        for (case, number) in facts.iter().zip(0..) {
            pieces.extend((number > 0).then_some(Words(", or ")));
            for (fact, number) in case.iter().zip(0..) {
                pieces.extend((number > 0).then_some(Words(" and ")));
                pieces.push(Code(fact));
            }
        }
        parts.push(pieces);
    }
    let has_values = values.iter().flat_map(|part| &part.values).any(|one| one.value.is_some());
    match runs {
        Some(CoverRuns::Only) if values.is_empty() => parts.push(vec![Words("the run, which no input changes")]),
        Some(CoverRuns::EveryInput) if !has_values => parts.push(vec![Words("the runs on all inputs: none takes it")]),
        _ => {}
    }
    let mut told: Vec<ExclusionPiece> = Vec::new();
    // What sets the variables of a fact belongs to the fact.
    let is_of_facts = !facts.is_empty() && values.iter().flat_map(|part| &part.values).all(|one| one.value.is_none());
    let is_set_after_values = |values: &[CoverValue]| has_values && values.iter().all(|one| one.value.is_none());
    for CoverValues { name, values } in values {
        told.push(Words(match (told.is_empty(), runs) {
            (true, _) if is_of_facts => "; ",
            (true, Some(_)) if has_values => "the values here in every run: ",
            (true, _) => "the values here: ",
            (false, _) if is_set_after_values(values) => "; ",
            (false, _) => " and ",
        }));
        told.push(Code(name));
        told.extend(alternatives(values));
    }
    match parts.last_mut() {
        Some(last) if is_of_facts => last.extend(told),
        _ if told.is_empty() => {}
        _ => parts.push(told),
    }
    let mut pieces = Vec::new();
    for (part, number) in parts.into_iter().zip(0..) {
        // An enclosing side is the whole explanation of a call.
        let between = if number == 1 && !enclosing.is_empty() { "; in another call by " } else { "; by " };
        pieces.extend((number > 0).then_some(Words(between)));
        pieces.extend(part);
    }
    pieces
}

/// So many values are listed with the assignments that give them; more are listed alone.
const WITH_ASSIGNMENTS: usize = 4;

/// Values with the assignments that give them.
fn alternatives(values: &[CoverValue]) -> Vec<ExclusionPiece<'_>> {
    let mut pieces = Vec::new();
    let is_last = |number: usize| number + 1 == values.len();
    for (CoverValue { value, assigned }, number) in values.iter().zip(0..) {
        pieces.push(Words(match (number, value) {
            (0, Some(_)) => " is ",
            (0, None) => " is set by ",
            (_, None) => ", or set by ",
            _ if is_last(number) => " or ",
            _ => ", ",
        }));
        pieces.extend(value.as_deref().map(Code));
        if !assigned.is_empty() && values.len() <= WITH_ASSIGNMENTS {
            pieces.extend(value.is_some().then_some(Words(" by ")));
            pieces.extend(joined(assigned, " or "));
        }
    }
    pieces
}

/// Conditions and assignments with words between them.
fn joined<'e>(reasons: &'e [CoverReason], between: &'static str) -> Vec<ExclusionPiece<'e>> {
    let mut pieces = Vec::new();
    for reason in reasons {
        pieces.extend((!pieces.is_empty()).then_some(Words(between)));
        pieces.push(Reason(reason));
    }
    pieces
}
