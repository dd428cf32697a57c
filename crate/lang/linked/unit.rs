//! One translation unit: its declarations, and the linkage of its names (C11 6.2.2).

use crate::lang::items::{self, ExternalItem};
use crate::lang::token::{Kind, Token};
use crate::logic::SortedSet;
use crate::source::Span;
use std::ops::Range;

/// A translation unit.
pub struct Unit {
    /// Its file.
    pub name: String,
    /// End with [`Kind::Eof`].
    pub tokens: Vec<Token>,
    pub items: Vec<ExternalItem>,
    /// Whether a token is the name of a member that is declared.
    members: Vec<bool>,
    /// Functions and objects with internal linkage.
    pub internal: SortedSet<String>,
    /// Functions and objects with external linkage, and what is called.
    pub external: SortedSet<String>,
    /// Types and constants of enumerations.
    pub types: SortedSet<String>,
    /// The objects with external linkage that the unit defines, and where.
    pub objects: Vec<(String, Span)>,
}

/// Names of a unit that other units have, too, and that are its own.
#[derive(Default)]
pub struct ClashingNames {
    pub names: SortedSet<String>,
    pub tags: SortedSet<String>,
}

impl Unit {
    /// The unit of these tokens, which end with [`Kind::Eof`].
    pub fn new(letters: &str, name: String, tokens: Vec<Token>) -> Unit {
        let mut unit = Unit {
            name,
            members: members(&tokens),
            items: items::items(letters, &tokens),
            tokens,
            internal: SortedSet::new(),
            external: SortedSet::new(),
            types: SortedSet::new(),
            objects: Vec::new(),
        };
        for item in unit.items.clone() {
            unit.take(letters, &item);
        }
        unit.objects.retain(|(object, _)| !unit.internal.contains(object));
        unit
    }

    fn kinds(&self, item: &ExternalItem) -> impl Iterator<Item = Kind> {
        self.tokens[item.tokens.clone()].iter().map(|token| token.kind)
    }

    /// Takes down the names of an item.
    fn take(&mut self, letters: &str, item: &ExternalItem) {
        let starts = |kind: Kind| self.kinds(item).take_while(|kind| !kind.opens()).any(|other| other == kind);
        let (is_type, is_static, is_extern) = (starts(Kind::Typedef), starts(Kind::Static), starts(Kind::Extern));
        let name = |at: usize| self.tokens[at].spelling.text(letters).to_owned();
        let mut external: Vec<String> = Vec::new();
        for at in item.tokens.clone() {
            let next = self.tokens.get(at + 1).map(|token| token.kind);
            match self.tokens[at].kind {
                Kind::Ident if next == Some(Kind::LParen) && !self.members[at] => external.push(name(at)),
                // A declaration in a block.
                Kind::Extern if item.function.is_some() => {
                    let end = (at..item.tokens.end).find(|&end| self.tokens[end].kind == Kind::Semi);
                    let inner = ExternalItem { tokens: at..end.map_or(item.tokens.end, |end| end + 1), function: None, ..item.clone() };
                    external.extend(self.declared(letters, &inner).into_iter().map(name));
                }
                _ => {}
            }
        }
        let declared = self.declared(letters, item);
        let names: Vec<String> = declared.iter().map(|&at| name(at)).collect();
        if is_type {
            self.types.extend(names);
        } else if is_static {
            self.internal.extend(names);
        } else {
            external.extend(names);
            let is_object = |at: &&usize| self.tokens.get(**at + 1).is_some_and(|next| next.kind != Kind::LParen);
            if item.function.is_none() && !is_extern {
                let objects: Vec<(String, Span)> = declared.iter().filter(is_object).map(|&at| (name(at), self.tokens[at].span)).collect();
                self.objects.extend(objects);
            }
        }
        self.external.extend(external);
        let constants: Vec<String> = self.bodies(item).iter().flat_map(|body| self.constants_in(letters, body)).collect();
        self.types.extend(constants);
    }

    /// The tokens that are the names which an item declares.
    fn declared(&self, letters: &str, item: &ExternalItem) -> Vec<usize> {
        let names: SortedSet<&str> = items::declared(letters, &self.tokens, item).into_iter().collect();
        let mut depth = 0u32;
        let mut seen: SortedSet<&str> = SortedSet::new();
        let mut found = Vec::new();
        for at in item.tokens.clone() {
            let token = self.tokens[at];
            let name = token.spelling.text(letters);
            if token.kind == Kind::Ident && depth <= 1 && !self.members[at] && names.contains(name) && seen.insert(name) {
                found.push(at);
            }
            depth = (depth + u32::from(token.kind.opens())).saturating_sub(u32::from(token.kind.closes()));
        }
        found
    }

    /// The constants of an enumeration, by its tokens; of a structure there are none.
    pub fn constants_in(&self, letters: &str, body: &Range<usize>) -> Vec<String> {
        let begins = |at: &usize| self.tokens[*at].kind == Kind::Ident && matches!(self.tokens[at - 1].kind, Kind::LBrace | Kind::Comma);
        let all = body.clone().filter(|_| self.tokens[body.start].kind == Kind::Enum);
        all.filter(begins).map(|at| self.tokens[at].spelling.text(letters).to_owned()).collect()
    }

    /// The types and constants that an item introduces.
    pub fn types_of(&self, letters: &str, item: &ExternalItem) -> Vec<String> {
        let is_type = item.function.is_none() && self.kinds(item).any(|kind| kind == Kind::Typedef);
        let declared = if is_type { self.declared(letters, item) } else { Vec::new() };
        let names = declared.into_iter().map(|at| self.tokens[at].spelling.text(letters).to_owned());
        names.chain(self.bodies(item).iter().flat_map(|body| self.constants_in(letters, body))).collect()
    }

    /// Whether an item declares types and nothing else.
    pub fn is_type(&self, letters: &str, item: &ExternalItem) -> bool {
        let has = |kind: Kind| self.kinds(item).any(|other| other == kind);
        let is_body = || has(Kind::LBrace) && (has(Kind::Struct) || has(Kind::Enum)) && self.declared(letters, item).is_empty();
        item.function.is_none() && (has(Kind::Typedef) || is_body())
    }

    /// Whether an item is a function that may be defined in several units (C11 6.7.4p7).
    pub fn is_inline(&self, letters: &str, item: &ExternalItem) -> bool {
        let header = || item.tokens.clone().take_while(|&at| self.tokens[at].kind != Kind::LBrace);
        let is_word = |at: usize| self.tokens[at].spelling.text(letters).trim_matches('_') == "inline";
        item.function.is_some() && header().any(is_word) && !header().any(|at| self.tokens[at].kind == Kind::Static)
    }

    /// The structures and enumerations with bodies in an item: the tokens from the word that begins each to its closing brace.
    fn bodies(&self, item: &ExternalItem) -> Vec<Range<usize>> {
        let opening = item.tokens.clone().filter(|&at| self.tokens[at].kind == Kind::LBrace);
        let body = |open: usize| {
            let start = opens_type(&self.tokens[..open])?;
            Some(start..(items::closing(&self.tokens, open, item.tokens.end) + 1).min(item.tokens.end))
        };
        opening.filter_map(body).collect()
    }

    /// The structures and enumerations with tags that an item defines at file scope: their tags and tokens.
    pub fn definitions(&self, letters: &str, item: &ExternalItem) -> Vec<(String, Range<usize>)> {
        let is_block = |at: &usize| self.tokens[*at].kind == Kind::LBrace && opens_type(&self.tokens[..*at]).is_none();
        let end = item.function.and_then(|_| item.tokens.clone().find(is_block)).unwrap_or(item.tokens.end);
        let tagged = |range: Range<usize>| {
            let tag = self.tokens[range.start + 1];
            (tag.kind == Kind::Ident && range.start < end).then(|| (tag.spelling.text(letters).to_owned(), range))
        };
        self.bodies(item).into_iter().filter_map(tagged).collect()
    }

    /// Whether a token is one of the clashing names or, after a word like `struct`, one of the tags.
    pub fn is_told_apart(&self, letters: &str, at: usize, clashing: &ClashingNames) -> bool {
        let token = self.tokens[at];
        if token.kind != Kind::Ident || self.members[at] {
            return false;
        }
        let name = token.spelling.text(letters);
        match at.checked_sub(1).map(|before| self.tokens[before].kind) {
            Some(Kind::Struct | Kind::Enum) => clashing.tags.contains(name),
            Some(Kind::Member) => false,
            _ => clashing.names.contains(name),
        }
    }

    /// A clashing name as it is told apart.
    pub fn own_name(&self, name: &str) -> String {
        format!("{name}@{}", self.name)
    }

    /// The letters of tokens, with clashing names told apart.
    pub fn letters(&self, letters: &str, range: &Range<usize>, clashing: &ClashingNames) -> String {
        let mut text = String::new();
        for at in range.clone() {
            let name = self.tokens[at].spelling.text(letters);
            if self.is_told_apart(letters, at, clashing) {
                text.push_str(&self.own_name(name));
            } else {
                text.push_str(name);
            }
            text.push(' ');
        }
        text
    }
}

/// Where the structure or enumeration begins whose body a brace after these tokens opens.
fn opens_type(before: &[Token]) -> Option<usize> {
    let last = before.last()?;
    let start = if last.kind == Kind::Ident { before.len().checked_sub(2)? } else { before.len() - 1 };
    matches!(before[start].kind, Kind::Struct | Kind::Enum).then_some(start)
}

/// For each token whether it is the name of a member that is declared.
fn members(tokens: &[Token]) -> Vec<bool> {
    // For each open bracket whether it is that of a structure's body.
    let mut open: Vec<bool> = Vec::new();
    let mut found = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map_or(Kind::Semi, |before| tokens[before].kind);
        let after = tokens.get(at + 1).map_or(Kind::Eof, |token| token.kind);
        let is_direct = open.last() == Some(&true) && before != Kind::Colon;
        let is_within = open.contains(&true);
        let ends = matches!(after, Kind::Semi | Kind::Comma | Kind::LBracket | Kind::Colon | Kind::Attribute);
        found.push(token.kind == Kind::Ident && (is_direct && ends || is_within && before == Kind::Star && after == Kind::RParen));
        if token.kind.opens() {
            let body = opens_type(&tokens[..at]).filter(|_| token.kind == Kind::LBrace);
            open.push(body.is_some_and(|start| tokens[start].kind == Kind::Struct));
        } else if token.kind.closes() {
            open.pop();
        }
    }
    found
}
