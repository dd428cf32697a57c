//! Structures and enumerations (C11 6.7.2).

use super::super::ast::sugar::OFFSET;
use super::super::ast::{BitGap, BitWidth, Enumerator, Expr, Layout, Member, Name, Shape, Struct, StructId, Type, UnionMembers};
use super::super::token::{Kind, Token};
use super::super::types::Integer;
use super::Parser;
use super::types::Tag;
use crate::logic::{IntRange, SortedMap, SortedSet};
use crate::source::{Diagnostic, Span};

/// What stands between the braces of a structure.
#[derive(Default)]
struct MemberList {
    members: Vec<Member>,
    gaps: Vec<BitGap>,
}

impl Parser<'_, '_> {
    /// Reads `struct tag { … }`, `struct tag` or `struct { … }`.
    pub(super) fn structure(&mut self) -> Option<Type> {
        let word = self.bump();
        let outer = std::mem::take(&mut self.pending.layout);
        self.skip_attributes();
        let tag = self.eat(Kind::Ident);
        let is_union = self.text(word) == "union";
        let name = tag.map_or("", |tag| self.text(tag));
        let defined = self.kind() == Kind::LBrace;
        if tag.is_none() && !defined {
            self.unexpected("a structure's name or `{`");
            return None;
        }
        let innermost = self.scopes.last().and_then(|scope| scope.tags.get(name).copied());
        let declared = if defined { innermost } else { self.tag(name) };
        let id = match declared {
            Some(Tag::Struct(id)) if tag.is_some() => id,
            declared => {
                if let (Some(tag), Some(Tag::Enum(_, first, _))) = (tag, declared) {
                    self.refuse(Diagnostic::redefinition(tag.span, &format!("`{name}`, the name of an enumeration,"), first));
                }
                let id = StructId(u32::try_from(self.tree.structs.len()).unwrap_or(u32::MAX));
                self.tree.structs.push(Struct {
                    name: name.to_owned(),
                    span: tag.map_or(word.span, |tag| tag.span),
                    members: None,
                    layout: Layout::Natural,
                    gaps: Vec::new(),
                    sets_padding: false,
                    union: None,
                });
                if let (Some(_), Some(scope)) = (tag, self.scopes.last_mut()) {
                    scope.tags.insert(name.to_owned(), Tag::Struct(id));
                }
                id
            }
        };
        if defined {
            let span = self.tree.structs[id.0 as usize].span;
            if self.tree.structs[id.0 as usize].members.is_some() {
                self.refuse(Diagnostic::redefinition(tag.map_or(word.span, |tag| tag.span), &format!("`struct {name}`"), span));
            }
            let MemberList { members, gaps } = self.members();
            let (mut first, mut repeated): (SortedMap<&str, Span>, Vec<Diagnostic>) = (SortedMap::new(), Vec::new());
            for Name { text, span, .. } in self.member_names(&members) {
                match first.get(text.as_str()) {
                    Some(&first) => repeated.push(Diagnostic::redefinition(*span, &format!("the member `{text}`"), first)),
                    None => {
                        first.insert(text, *span);
                    }
                }
            }
            self.diagnostics.append(&mut repeated);
            self.skip_attributes();
            let layout = self.pending.layout;
            let union = is_union.then(|| self.union_members(&members));
            if let Some(bits) = is_union.then(|| members.iter().find(|member| member.bits.is_some())).flatten() {
                self.refuse(
                    Diagnostic::error("unsupported-union", bits.name.span, "a union of bits is not supported")
                        .help("put them into a structure in the union"),
                );
            }
            let structure = &mut self.tree.structs[id.0 as usize];
            (structure.members, structure.layout, structure.gaps, structure.union) = (Some(members), layout, gaps, union);
        }
        self.skip_attributes();
        self.pending.layout = outer;
        Some(Type::Struct(id))
    }

    /// The members of a union, with whether the text names each after a dot or an arrow.
    fn union_members(&self, members: &[Member]) -> UnionMembers {
        let is_offset = |token: &Token| ["offsetof", OFFSET].contains(&self.text(*token));
        let has_offsets = self.tokens.iter().any(is_offset);
        let names = |kind| kind == Kind::Member || has_offsets && kind == Kind::Comma;
        let named: SortedSet<&str> = self.tokens.windows(2).filter(|pair| names(pair[0].kind)).map(|pair| self.text(pair[1])).collect();
        let is_named =
            |member: &Member| self.member_names(std::slice::from_ref(member)).iter().any(|name| named.contains(name.text.as_str()));
        UnionMembers { declared: members.to_vec(), is_named: members.iter().map(is_named).collect(), ..UnionMembers::default() }
    }

    /// The names of members, and of those in structures without a name.
    fn member_names<'m>(&'m self, members: &'m [Member]) -> Vec<&'m Name> {
        let mut found = Vec::new();
        for member in members {
            match member.ty {
                Type::Struct(id) if member.name.text.is_empty() => {
                    found.extend(self.tree.structs[id.0 as usize].members.iter().flat_map(|inner| self.member_names(inner)));
                }
                _ => found.push(&member.name),
            }
        }
        found
    }

    fn members(&mut self) -> MemberList {
        let open = self.bump().span;
        let layout = self.pending.layout;
        let mut list = MemberList::default();
        if !self.enter() {
            self.leave();
            self.recover();
            return list;
        }
        while !self.at_any(&[Kind::RBrace, Kind::Eof]) {
            let before = self.at;
            self.member_line(&mut list);
            if self.at == before {
                self.at += 1;
            }
        }
        self.leave();
        if self.eat(Kind::RBrace).is_none() {
            self.missing_brace(open);
        }
        if self.pending.layout != layout {
            // Of single members it says more than is known here.
            self.pending.layout = Layout::Unknown;
        }
        list
    }

    /// `int a, b[3];` in a structure.
    fn member_line(&mut self, list: &mut MemberList) {
        if self.eat(Kind::Semi).is_some() {
            return;
        }
        if self.kind() == Kind::StaticAssert {
            return self.static_assertion();
        }
        let start = self.at;
        let Some(specifiers) = self.specifiers() else { return };
        let Some(base) = specifiers.base else {
            self.unexpected("a member's type");
            return self.recover();
        };
        if self.kind() == Kind::Semi {
            self.bump();
            // A name of a type alone declares nothing.
            let defined = self.tokens[start..self.at].iter().any(|token| token.kind == Kind::LBrace);
            match base {
                // Its members are those of the structure around (6.7.2.1p13).
                Type::Struct(id) if defined && self.tree.structs[id.0 as usize].name.is_empty() => {
                    let name = Name { text: String::new(), span: specifiers.span, decl: None };
                    list.members.push(Member { name, ty: base, qualifiers: specifiers.qualifiers, shape: Shape::Opaque, bits: None });
                }
                Type::Opaque(_) => {
                    self.usable(&base, specifiers.span, "a member");
                }
                _ => {}
            }
            return;
        }
        loop {
            let Some(declared) = self.declarator(base.clone(), specifiers.qualifiers) else { return self.recover() };
            let mut bits = None;
            if self.eat(Kind::Colon).is_some() {
                let width = Box::new(self.conditional_expression());
                if declared.name.is_none() {
                    list.gaps.push(BitGap { before: list.members.len(), ty: declared.ty.clone(), width: width.clone(), bits: None });
                }
                bits = Some(BitWidth { width, values: IntRange::of_bits(1, false), bytes: 1 });
            }
            self.skip_attributes();
            if let Some(name) = declared.name
                && self.usable(&declared.ty, specifiers.span, "a member")
                && self.type_is_declared(&declared.ty, specifiers.span)
            {
                list.members.push(Member {
                    name: self.name(name),
                    ty: declared.ty,
                    qualifiers: declared.qualifiers,
                    shape: Shape::Opaque,
                    bits,
                });
            }
            if self.eat(Kind::Comma).is_none() {
                break;
            }
        }
        self.end_of_statement("missing-semicolon");
    }

    /// Reads `enum tag { A, B = 3 }` or `enum tag`; its constants wait for the declaration that they stand in. Gives the type and the number
    /// of the enumeration, from 1.
    pub(super) fn enumeration(&mut self) -> Option<(Type, u32)> {
        self.bump();
        self.skip_attributes();
        let tag = self.eat(Kind::Ident);
        let Some(open) = self.eat(Kind::LBrace) else {
            if tag.is_none() {
                self.unexpected("an enumeration's name or `{`");
                return None;
            }
            let declared = tag.and_then(|tag| self.tag(self.text(tag)));
            let (integer, number) =
                if let Some(Tag::Enum(integer, _, number)) = declared { (integer, number) } else { (Integer::UnsignedInt, 0) };
            return Some((Type::Integer(integer), number));
        };
        self.tree.enumerations += 1;
        let number = self.tree.enumerations;
        let mut first = true;
        let mut negative = false;
        while let Some(token) = self.eat(Kind::Ident) {
            let name = self.name(token);
            self.hide_type(&name);
            let value = self.eat(Kind::Assign).map(|_| self.conditional_expression());
            negative |= value.as_ref().is_some_and(mentions_minus);
            self.pending.enumerators.push(Enumerator { name, value, first, enumeration: number - 1, is_assertion: false });
            first = false;
            if self.eat(Kind::Comma).is_none() {
                break;
            }
        }
        if self.eat(Kind::RBrace).is_none() {
            self.unexpected("`}` or a constant's name");
            while !self.at_any(&[Kind::RBrace, Kind::Semi, Kind::LBrace, Kind::Eof]) {
                self.at += 1;
            }
            // Not by the way of all braces: that would end the panic.
            if self.kind() == Kind::RBrace {
                self.at += 1;
            } else {
                self.panicking = false;
                self.missing_brace(open.span);
            }
        }
        // As gcc: the type has no sign unless a constant needs one.
        let integer = if negative { Integer::Int } else { Integer::UnsignedInt };
        if let Some(tag) = tag.map(|tag| self.name(tag)) {
            let first = match self.scopes.last().and_then(|scope| scope.tags.get(&tag.text)) {
                Some(Tag::Enum(_, first, _)) => Some(*first),
                Some(Tag::Struct(id)) => Some(self.tree.structs[id.0 as usize].span),
                None => None,
            };
            if let Some(scope) = self.scopes.last_mut() {
                scope.tags.insert(tag.text.clone(), Tag::Enum(integer, tag.span, number));
            }
            if let Some(first) = first {
                self.defined_twice(&tag, first);
            }
        }
        Some((Type::Integer(integer), number))
    }
}

/// Whether a constant may be negative, judging by its form.
fn mentions_minus(e: &Expr) -> bool {
    use super::super::ast::{BinaryOp, ExprKind, UnaryOp};
    let mut found = matches!(e.kind, ExprKind::Unary(UnaryOp::Neg | UnaryOp::Complement, _) | ExprKind::Binary(BinaryOp::Sub, ..));
    e.kind.children(&mut |child| found = found || mentions_minus(child));
    found
}
