//! Several translation units as one program (C11 5.1.1.2, phase 8): names with internal linkage, types and constants of one unit are told
//! apart from those of the others; what several units declare alike, as the declarations of a header, is kept once.
//!
//! A name with internal linkage that other units have too gets its file after an `@`: `count@b.c`. No name in C has that character, so the
//! program that comes out means what the linked units mean. Types are alike where their declarations have the same tokens, after names of
//! their own unit are told apart: two units may call two structures alike.
//!
//! Invariant: members keep their names, and so do names with external linkage. A unit that declares a type of its own keeps it, even where
//! another unit has an equal one with other names: then the two are two types, and a call between the units that mixes them is refused.

mod unit;

use super::items::ExternalItem;
use super::token::Token;
use crate::logic::{SortedMap, SortedSet};
use crate::source::files::FileMark;
use crate::source::{Diagnostic, Span};
use unit::{ClashingNames, Unit};

/// So often names are told apart before all types of a unit are its own.
const ROUNDS: usize = 20;

/// Declarations of the units so far.
#[derive(Default)]
struct DeclaredTypes {
    /// Declarations of types alone, by their letters.
    items: SortedSet<String>,
    /// The letters of structures and enumerations, by their tags.
    tags: SortedMap<String, String>,
    /// Types and constants of enumerations.
    names: SortedSet<String>,
    /// Inline functions, by their letters.
    inline: SortedSet<String>,
}

/// The tokens of a program of several units, which start at these offsets after the first one, as those of one unit.
pub fn linked(letters: &mut String, mut tokens: Vec<Token>, starts: &[u32], diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let Some(end) = tokens.pop() else { return tokens };
    let mut units: Vec<Unit> = Vec::new();
    let mut rest = tokens.as_slice();
    for at in 0..=starts.len() {
        let length = starts.get(at).map_or(rest.len(), |&start| rest.partition_point(|token| token.span.start < start));
        let (own, others) = rest.split_at(length);
        rest = others;
        let mark = at.checked_sub(1).and_then(|before| letters.get(starts[before] as usize..)?.lines().next());
        let name = if let Some(FileMark::Unit(name)) = mark.and_then(FileMark::read) { name } else { "static" };
        units.push(Unit::new(letters, name.to_owned(), own.iter().copied().chain([end]).collect()));
    }
    // Where two files have one name their paths tell them apart.
    if units.iter().map(|unit| file_name(&unit.name)).collect::<SortedSet<_>>().len() == units.len() {
        units.iter_mut().for_each(|unit| unit.name = file_name(&unit.name).to_owned());
    }
    report_definitions(&units, diagnostics);
    let mut declared = DeclaredTypes::default();
    let mut out = Vec::new();
    for at in 0..units.len() {
        let mut clashing = clashing(&units, at);
        declared.complete(letters, &units[at], &mut clashing);
        out.extend(declared.told_apart(letters, &units[at], &clashing));
    }
    out.push(end);
    out
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Objects that two units define (C11 6.9p5); the checker looks at functions.
fn report_definitions(units: &[Unit], diagnostics: &mut Vec<Diagnostic>) {
    let mut first: SortedMap<&str, Span> = SortedMap::new();
    for unit in units {
        for (name, position) in &unit.objects {
            match first.get(name.as_str()) {
                Some(&other) => diagnostics.push(
                    Diagnostic::redefinition(*position, &format!("`{name}`"), other).help("declare it with `extern` in all files but one"),
                ),
                None => drop(first.insert(name, *position)),
            }
        }
    }
}

/// The names of a unit that others have, too, and that are its own.
fn clashing(units: &[Unit], at: usize) -> ClashingNames {
    let unit = &units[at];
    let mut found = ClashingNames::default();
    for (other_at, other) in units.iter().enumerate().filter(|(other, _)| *other != at) {
        let is_external =
            |name: &&String| other.external.contains(*name) && !other.internal.contains(*name) && !other.types.contains(*name);
        found.names.extend(unit.internal.iter().chain(&unit.types).filter(is_external).cloned());
        if other_at < at {
            let is_of_other = |name: &&String| other.internal.contains(*name) || other.types.contains(*name);
            found.names.extend(unit.internal.iter().filter(is_of_other).cloned());
            found.names.extend(unit.types.iter().filter(|name| other.internal.contains(*name)).cloned());
        }
    }
    found
}

impl DeclaredTypes {
    /// Whether an item declares nothing but what is known.
    fn has(&self, unit: &Unit, letters: &str, item: &ExternalItem, text: &str) -> bool {
        self.items.contains(text) && unit.is_type(letters, item) || self.inline.contains(text) && unit.is_inline(letters, item)
    }

    /// Adds the names of a unit to the clashing ones that stand for other types here than in the units before, until no declaration changes.
    fn complete(&self, letters: &str, unit: &Unit, clashing: &mut ClashingNames) {
        for round in 1..=ROUNDS {
            let before = (clashing.names.len(), clashing.tags.len());
            for item in &unit.items {
                let text = unit.letters(letters, &item.tokens, clashing);
                if self.has(unit, letters, item, &text) && round < ROUNDS {
                    continue;
                }
                let mut constants: SortedSet<String> = SortedSet::new();
                for (tag, tokens) in unit.definitions(letters, item) {
                    let own = unit.letters(letters, &tokens, clashing);
                    match self.tags.get(&tag) {
                        Some(other) if *other != own || round == ROUNDS => drop(clashing.tags.insert(tag)),
                        // Its constants are those of the equal enumeration.
                        Some(_) => constants.extend(unit.constants_in(letters, &tokens)),
                        None => {}
                    }
                }
                let of_item = unit.types_of(letters, item).into_iter();
                clashing.names.extend(of_item.filter(|name| self.names.contains(name) && !constants.contains(name)));
            }
            if (clashing.names.len(), clashing.tags.len()) == before {
                break;
            }
        }
    }

    /// The tokens of a unit, with clashing names told apart, and without what is known already.
    fn told_apart(&mut self, letters: &mut String, unit: &Unit, clashing: &ClashingNames) -> Vec<Token> {
        let mut kept = Vec::new();
        for item in &unit.items {
            let text = unit.letters(letters, &item.tokens, clashing);
            if self.has(unit, letters, item, &text) {
                continue;
            }
            let mut left_out = SortedSet::new();
            for (tag, tokens) in unit.definitions(letters, item) {
                let own = unit.letters(letters, &tokens, clashing);
                let tag = if clashing.tags.contains(&tag) { unit.own_name(&tag) } else { tag };
                if self.tags.get(&tag).is_some_and(|other| *other == own) {
                    // The structure is known: its tag is enough.
                    left_out.extend(tokens.start + 2..tokens.end);
                } else {
                    self.tags.insert(tag, own);
                }
            }
            let renamed = |name: String| if clashing.names.contains(&name) { unit.own_name(&name) } else { name };
            self.names.extend(unit.types_of(letters, item).into_iter().map(renamed));
            if unit.is_type(letters, item) {
                self.items.insert(text);
            } else if unit.is_inline(letters, item) {
                self.inline.insert(text);
            }
            for at in item.tokens.clone().filter(|at| !left_out.contains(at)) {
                let mut token = unit.tokens[at];
                if unit.is_told_apart(letters, at, clashing) {
                    let (start, name) = (letters.len(), unit.own_name(token.spelling.text(letters)));
                    letters.push_str(&name);
                    token.spelling = Span::new(start, letters.len());
                }
                kept.push(token);
            }
        }
        kept
    }
}
