//! Types: the words in front of a declarator, structures and enumerations, and the declarators that build on them (C11 6.7).

use super::super::ast::sugar::ARGUMENT_LIST;
use super::super::ast::{Expr, ExprKind, MAX_NESTING, Name, Parameter, Qualifiers, StructId, Type};
use super::super::token::{Kind, Token};
use super::super::types::{Integer, LONG_DOUBLE, WIDE, of_header};
use super::Parser;
use crate::logic::SortedMap;
use crate::source::{Diagnostic, Span};

/// GNU's word for the type of the first value.
pub(super) const AUTO: &str = "__auto_type";

/// The words in front of a declarator.
pub(super) struct Specifiers {
    pub span: Span,
    /// `None` where no word is a type: old C's `int`.
    pub base: Option<Type>,
    pub is_static: bool,
    pub is_extern: bool,
    pub is_typedef: bool,
    pub qualifiers: Qualifiers,
}

/// What a declarator declares.
pub(super) struct Declared {
    /// `None` in a type's name or a parameter without one.
    pub name: Option<Token>,
    pub ty: Type,
    pub qualifiers: Qualifiers,
    /// Of a function.
    pub parameters: Option<Parameters>,
}

/// The parentheses after a function's name.
pub(super) struct Parameters {
    pub list: Vec<Parameter>,
    /// Names without types, as in the C of old: `f(a, b)`.
    pub names: Vec<Token>,
    /// `()`, which says nothing; not `(void)`.
    pub empty: bool,
    pub refused: bool,
    /// What the parameters' names hide in the body.
    pub scope: TypeScope,
}

/// What a tag stands for.
#[derive(Clone, Copy)]
pub(super) enum Tag {
    Struct(StructId),
    /// The type, where it is defined, and its number from 1.
    Enum(Integer, Span, u32),
}

/// Names that are types in a block: `None` where a variable hides one.
#[derive(Default)]
pub(super) struct TypeScope {
    typedefs: SortedMap<String, Option<NamedType>>,
    /// Where variables and functions are declared, by their names.
    others: SortedMap<String, Span>,
    pub tags: SortedMap<String, Tag>,
}

/// A type with a name.
#[derive(Clone)]
pub(super) struct NamedType {
    pub ty: Type,
    pub qualifiers: Qualifiers,
    /// Empty for types of the headers.
    pub span: Span,
}

/// The words of a type that were read so far.
#[derive(Default)]
struct TypeWords {
    longs: u8,
    short: bool,
    signed: bool,
    unsigned: bool,
    /// `int` or `char`.
    char: bool,
    int: bool,
    other: Option<Type>,
    /// Two words that do not belong together, or one too often.
    clash: bool,
}

impl TypeWords {
    fn any(&self) -> bool {
        self.longs > 0 || self.short || self.signed || self.unsigned || self.char || self.int || self.other.is_some()
    }

    /// Takes a word that is a type by itself or a part of one; false for all others.
    fn take(&mut self, kind: Kind, text: &str) -> bool {
        match kind {
            // Two are as many as there can be.
            Kind::Long => self.longs = self.longs.saturating_add(1),
            Kind::Short => self.clash |= std::mem::replace(&mut self.short, true),
            Kind::Signed => self.clash |= std::mem::replace(&mut self.signed, true),
            Kind::Unsigned => self.clash |= std::mem::replace(&mut self.unsigned, true),
            Kind::CharType => self.clash |= std::mem::replace(&mut self.char, true),
            Kind::Int => self.clash |= std::mem::replace(&mut self.int, true),
            Kind::Void => self.whole(Type::Void),
            Kind::Bool => self.whole(Type::Integer(Integer::Bool)),
            Kind::Float => self.whole(Type::Integer(if text == "float" { Integer::Float } else { Integer::Double })),
            Kind::Wide => self.whole(Type::Opaque(WIDE)),
            _ => return false,
        }
        true
    }

    fn whole(&mut self, ty: Type) {
        // `long double`, `unsigned __int128`
        self.clash |= self.any() && !matches!(ty, Type::Integer(Integer::Double) | Type::Opaque(WIDE));
        self.other = Some(ty);
    }

    /// Whether the words are not those of one type (6.7.2p2).
    fn clashes(&self) -> bool {
        let parts = self.short || self.signed || self.unsigned || self.char || self.int;
        let with_other = match self.other {
            Some(Type::Integer(Integer::Double)) => self.longs > 1 || parts,
            Some(Type::Opaque(WIDE)) => self.longs > 0 || self.short || self.char || self.int,
            Some(_) => self.longs > 0 || parts,
            None => false,
        };
        self.clash
            || with_other
            || self.signed && self.unsigned
            || self.char && (self.short || self.longs > 0 || self.int)
            || self.short && self.longs > 0
            || self.longs > 2
    }

    fn finish(self) -> Option<Type> {
        if let Some(ty) = self.other {
            return Some(if self.longs > 0 { Type::Opaque(LONG_DOUBLE) } else { ty });
        }
        let unsigned = self.unsigned;
        let integer = match (self.char, self.short, self.longs) {
            (true, ..) if unsigned => Integer::UnsignedChar,
            (true, ..) if self.signed => Integer::SignedChar,
            (true, ..) => Integer::Char,
            (_, true, _) if unsigned => Integer::UnsignedShort,
            (_, true, _) => Integer::Short,
            (.., 1) if unsigned => Integer::UnsignedLong,
            (.., 1) => Integer::Long,
            (.., 2..) if unsigned => Integer::UnsignedLongLong,
            (.., 2..) => Integer::LongLong,
            _ if unsigned => Integer::UnsignedInt,
            _ if self.int || self.signed => Integer::Int,
            _ => return None,
        };
        Some(Type::Integer(integer))
    }
}

impl<'s> Parser<'s, '_> {
    // Names that are types

    /// The type that a name stands for, if it is one.
    pub(super) fn typedef(&self, name: &str) -> Option<NamedType> {
        let own = |ty| NamedType { ty, qualifiers: Qualifiers::default(), span: Span::default() };
        match self.scopes.iter().rev().find_map(|scope| scope.typedefs.get(name)) {
            Some(named) => named.clone(),
            None if name == "FILE" => Some(own(Type::Opaque("FILE"))),
            None if ["__int128_t", "__uint128_t"].contains(&name) => Some(own(Type::Opaque(WIDE))),
            None if super::special::is_argument_list(name) => {
                let defined = self.tree.structs.iter().position(|structure| structure.name == ARGUMENT_LIST)?;
                Some(own(Type::Struct(StructId(u32::try_from(defined).ok()?))))
            }
            // What it holds is of no matter: functions with `setjmp` are refused.
            None if ["jmp_buf", "sigjmp_buf"].contains(&name) => {
                let length = Expr::new(ExprKind::Int(25.into()), Span::default());
                Some(own(Type::Array(Box::new(Type::Integer(Integer::Long)), Some(Box::new(length)))))
            }
            None => of_header(name, self.tree.abi).map(|integer| own(Type::Integer(integer))),
        }
    }

    /// Brings a variable's or a function's name into scope: it hides a type of that name from further out.
    pub(super) fn hide_type(&mut self, name: &Name) {
        let hides_type = self.typedef(&name.text).is_some();
        let Some(scope) = self.scopes.last_mut() else { return };
        let here = scope.typedefs.get(&name.text).and_then(|named| named.as_ref().map(|named| named.span));
        scope.others.insert(name.text.clone(), name.span);
        if hides_type {
            scope.typedefs.insert(name.text.clone(), None);
        }
        if let Some(first) = here {
            self.defined_twice(name, first);
        }
    }

    pub(super) fn define_type(&mut self, name: &Name, ty: Type, qualifiers: Qualifiers) {
        let Some(scope) = self.scopes.last_mut() else { return };
        let first = match scope.typedefs.get(&name.text) {
            // The same type may be named again (6.7p3).
            Some(Some(named)) => (!same_type(&named.ty, &ty)).then_some(named.span),
            _ => scope.others.get(&name.text).copied(),
        };
        scope.typedefs.insert(name.text.clone(), Some(NamedType { ty, qualifiers, span: name.span }));
        if let Some(first) = first {
            self.defined_twice(name, first);
        }
    }

    /// Says that a name or a tag is defined twice.
    pub(super) fn defined_twice(&mut self, name: &Name, first: Span) {
        self.refuse(Diagnostic::redefinition(name.span, &format!("`{}`", name.text), first));
    }

    /// Whether a type starts at the token that is so many ahead.
    pub(super) fn type_starts(&self, ahead: usize) -> bool {
        let token = self.peek(ahead);
        token.kind.starts_type() || token.kind == Kind::Ident && self.typedef(self.text(token)).is_some()
    }

    /// Whether a declaration starts at the current token.
    pub(super) fn declaration_starts(&self) -> bool {
        let next = self.peek(1).kind;
        self.kind().starts_type()
            || self.type_starts(0) && !matches!(next, Kind::Colon | Kind::LParen | Kind::Assign | Kind::Member | Kind::LBracket)
    }

    // Words

    /// Reads the words of a type.
    pub(super) fn specifiers(&mut self) -> Option<Specifiers> {
        let start = self.token().span;
        let mut words = TypeWords::default();
        let (mut is_static, mut is_extern, mut is_typedef, mut of_thread) = (false, false, false, false);
        let mut qualifiers = Qualifiers::default();
        loop {
            let token = self.token();
            match token.kind {
                Kind::Attribute => {
                    self.skip_attributes();
                    continue;
                }
                Kind::Static => is_static = true,
                Kind::Extern => is_extern = true,
                Kind::Typedef => is_typedef = true,
                Kind::Qualifier => {
                    if self.text(token) == "_Atomic" {
                        self.atomic(token.span);
                    }
                    qualifiers.qualify(self.text(token));
                    of_thread |= self.text(token).to_ascii_lowercase().contains("thread");
                }
                Kind::Struct => {
                    let ty = self.structure()?;
                    words.whole(ty);
                    continue;
                }
                Kind::Enum => {
                    let (ty, number) = self.enumeration()?;
                    words.whole(ty);
                    qualifiers = qualifiers.and(Qualifiers::of_enumeration(number));
                    continue;
                }
                Kind::Typeof => {
                    let (ty, own) = self.type_of_expression()?;
                    words.whole(ty);
                    qualifiers = qualifiers.and(own);
                    continue;
                }
                Kind::Wide => {
                    words.take(token.kind, "");
                    self.bump();
                    if self.kind() == Kind::LParen {
                        // `_BitInt(9)`
                        self.at += self.after_parens(0);
                    }
                    continue;
                }
                Kind::Ident if !words.any() => match self.typedef(self.text(token)) {
                    Some(named) => {
                        if self.text(token).starts_with("atomic_") && named.span == Span::default() {
                            self.atomic(token.span);
                        }
                        qualifiers = qualifiers.and(named.qualifiers);
                        words.whole(named.ty);
                    }
                    None => break,
                },
                kind => {
                    if !words.take(kind, self.text(token)) {
                        break;
                    }
                }
            }
            self.bump();
        }
        let span = start.to(self.previous());
        if words.clashes() {
            self.refuse(Diagnostic::error("bad-type", span, "these words do not make one type").help("keep one of them"));
        } else if u8::from(is_static) + u8::from(is_extern) + u8::from(is_typedef) > 1 {
            let message = "of `static`, `extern` and `typedef` only one can stand here";
            self.refuse(Diagnostic::error("bad-type", span, message).help("keep one of them"));
        } else if of_thread && !self.braces.is_empty() && !is_static && !is_extern {
            let message = "a variable of one thread needs `static` inside of a function";
            self.refuse(Diagnostic::error("bad-type", span, message).help("write `static` in front of it"));
        }
        let typed = words.any();
        if !typed
            && self.kind() == Kind::Ident
            && (self.peek(1).kind == Kind::Ident || self.peek(1).kind == Kind::Star && self.peek(2).kind == Kind::Ident)
        {
            self.unknown_type();
            return None;
        }
        Some(Specifiers { span: start.to(self.previous()), base: words.finish(), is_static, is_extern, is_typedef, qualifiers })
    }

    /// Says once that atomic objects are plain ones here, and takes the parentheses of `_Atomic(int)` away.
    fn atomic(&mut self, span: Span) {
        if self.diagnostics.iter().all(|said| said.code != "atomic-as-plain") {
            let message = "atomic objects are taken for plain ones: no other thread changes them";
            let help = "declare what another thread changes as `volatile`: then each read may give any value";
            self.refuse(Diagnostic::warning("atomic-as-plain", span, message).help(help));
        }
        if self.peek(1).kind == Kind::LParen && self.text(self.token()) == "_Atomic" {
            let close = self.at + self.after_parens(1) - 1;
            if self.tokens.get(close).is_some_and(|token| token.kind == Kind::RParen) {
                self.tokens.remove(close);
                self.tokens.remove(self.at + 1);
            }
        }
    }

    /// The type of these words, of which none is looked into; [`Type::Opaque`] where one is not known.
    pub(super) fn quiet_type(&self, from: usize, to: usize) -> (Type, Qualifiers) {
        let mut words = TypeWords::default();
        let mut stars = 0;
        let mut qualifiers = Qualifiers::default();
        let mut at = from;
        while at < to {
            let token = self.peek(at);
            at += 1;
            match token.kind {
                Kind::Attribute => at = self.after_parens(at),
                Kind::Typeof => {
                    words.whole(Type::Opaque("unknown"));
                    at = self.after_parens(at);
                }
                Kind::Wide => {
                    words.take(token.kind, "");
                    at = if self.peek(at).kind == Kind::LParen { self.after_parens(at) } else { at };
                }
                Kind::Star => (stars, qualifiers) = (stars + 1, qualifiers.pointer()),
                Kind::Qualifier => qualifiers.qualify(self.text(token)),
                Kind::Struct | Kind::Enum => {
                    let tag = self.tag(self.text(self.peek(at)));
                    words.whole(match tag {
                        Some(Tag::Struct(id)) => Type::Struct(id),
                        Some(Tag::Enum(integer, ..)) => Type::Integer(integer),
                        None => Type::Opaque("struct"),
                    });
                    at += 1;
                }
                Kind::Ident => {
                    let named = self.typedef(self.text(token));
                    qualifiers = qualifiers.and(named.as_ref().map_or_else(Qualifiers::default, |named| named.qualifiers));
                    words.whole(named.map_or(Type::Opaque("unknown"), |named| named.ty));
                }
                kind => {
                    words.take(kind, self.text(token));
                }
            }
        }
        let base = words.finish().unwrap_or(Type::Integer(Integer::Int));
        ((0..stars).fold(base, |ty, _| Type::Pointer(Box::new(ty))), qualifiers)
    }

    pub(super) fn tag(&self, name: &str) -> Option<Tag> {
        self.scopes.iter().rev().find_map(|scope| scope.tags.get(name).copied())
    }

    // Declarators

    /// Reads the name of a type, as in a cast.
    pub(super) fn type_name(&mut self) -> Option<Type> {
        self.named_value_type().map(|(ty, _)| ty)
    }

    /// The same, with its qualifiers.
    pub(super) fn named_value_type(&mut self) -> Option<(Type, Qualifiers)> {
        let span = self.token().span;
        let (ty, qualifiers) = self.named_type()?;
        self.usable(&ty, span.to(self.previous()), "a value").then_some((ty, qualifiers))
    }

    /// The same, of any type, with its qualifiers.
    pub(super) fn named_type(&mut self) -> Option<(Type, Qualifiers)> {
        let specifiers = self.specifiers()?;
        let Some(base) = specifiers.base else {
            self.unexpected("a type");
            return None;
        };
        let declared = self.declarator(base, specifiers.qualifiers)?;
        Some((declared.ty, declared.qualifiers))
    }

    /// Reads `typeof(…)`, or `__auto_type`, whose type the first value gives.
    fn type_of_expression(&mut self) -> Option<(Type, Qualifiers)> {
        let word = self.bump();
        if self.text(word) == AUTO {
            return Some((Type::Opaque(AUTO), Qualifiers::default()));
        }
        let open = self.token().span;
        if !self.expect(Kind::LParen, "`(`", "syntax") {
            return None;
        }
        let found =
            if self.type_starts(0) { self.named_type()? } else { (Type::Typeof(Box::new(self.expression())), Qualifiers::default()) };
        self.close(Kind::RParen, open);
        Some(found)
    }

    /// Reads a declarator: stars, a name (or none), brackets and parentheses.
    pub(super) fn declarator(&mut self, mut ty: Type, mut qualifiers: Qualifiers) -> Option<Declared> {
        if !self.enter() {
            self.leave();
            return None;
        }
        let mut depth = ty.depth();
        while self.at_any(&[Kind::Star, Kind::Qualifier, Kind::Attribute]) {
            match self.kind() {
                Kind::Attribute => self.skip_attributes(),
                Kind::Star if depth >= MAX_NESTING => {
                    self.nested_too_deep();
                    self.leave();
                    return None;
                }
                kind => {
                    let token = self.bump();
                    if kind == Kind::Star {
                        depth += 1;
                        ty = Type::Pointer(Box::new(ty));
                        qualifiers = qualifiers.pointer();
                    } else {
                        qualifiers.qualify(self.text(token));
                    }
                }
            }
        }
        let declared = if self.kind() == Kind::LParen && self.declarator_in_parens() {
            self.grouped(ty, qualifiers)
        } else {
            self.direct(ty, qualifiers)
        };
        self.leave();
        declared
    }

    /// Whether parentheses here group a declarator instead of holding parameters.
    fn declarator_in_parens(&self) -> bool {
        let next = self.peek(1);
        matches!(next.kind, Kind::Star | Kind::LParen | Kind::Attribute) || next.kind == Kind::Ident && !self.type_starts(1)
    }

    /// `(declarator)` with what stands after: the inside is built on the type of the outside.
    fn grouped(&mut self, ty: Type, qualifiers: Qualifiers) -> Option<Declared> {
        let inside = self.at + 1;
        self.at += self.after_parens(0);
        let (ty, _) = self.suffixes(ty)?;
        let end = self.at;
        self.at = inside;
        let declared = self.declarator(ty, qualifiers)?;
        if self.kind() != Kind::RParen {
            self.unexpected("`)`");
            return None;
        }
        self.at = end;
        Some(declared)
    }

    fn direct(&mut self, ty: Type, qualifiers: Qualifiers) -> Option<Declared> {
        let name = self.eat(Kind::Ident);
        let (ty, parameters) = self.suffixes(ty)?;
        Some(Declared { name, ty, qualifiers, parameters })
    }

    /// Brackets and parentheses after a name.
    fn suffixes(&mut self, ty: Type) -> Option<(Type, Option<Parameters>)> {
        if self.kind() == Kind::LParen {
            if ty.depth() >= MAX_NESTING {
                self.nested_too_deep();
                return None;
            }
            let parameters = self.parameters();
            return Some((Type::Function(Box::new(ty)), Some(parameters)));
        }
        let mut lengths: Vec<Option<Box<Expr>>> = Vec::new();
        let mut depth = ty.depth();
        while let Some(open) = self.eat(Kind::LBracket) {
            depth += 1;
            if depth > MAX_NESTING {
                self.nested_too_deep();
                return None;
            }
            while self.at_any(&[Kind::Static, Kind::Qualifier]) {
                self.bump();
            }
            let length = if self.kind() == Kind::RBracket { None } else { Some(Box::new(self.assignment_expression())) };
            self.close(Kind::RBracket, open.span);
            if self.panicking {
                return None;
            }
            if length.is_none() && !lengths.is_empty() {
                // The elements of an array have a size (6.7.6.2p1).
                let span = open.span.to(self.previous());
                self.refuse(
                    Diagnostic::error("array-length", span, "only the outermost length of an array can be left out")
                        .help("write the inner lengths, e.g. `[][3]`"),
                );
            }
            lengths.push(length);
        }
        let ty = lengths.into_iter().rev().fold(ty, |element, length| Type::Array(Box::new(element), length));
        Some((ty, None))
    }

    /// Says so if a variable cannot have the type.
    pub(super) fn usable(&mut self, ty: &Type, span: Span, what: &str) -> bool {
        let (code, message, help) = match ty {
            Type::Array(element, _) => return self.usable(element, span, what),
            Type::Function(_) => return true,
            Type::Pointer(_) => return true,
            Type::Opaque(LONG_DOUBLE) => ("unsupported-type", format!("the type `{LONG_DOUBLE}` is not supported"), "use `double`"),
            Type::Opaque(WIDE) => (
                "unsupported-type",
                "integers with more bits than `long long`, or a number of their own, are not supported".to_owned(),
                "keep halves of 64 bits in variables of their own",
            ),
            Type::Opaque(word) => {
                ("unsupported-type", format!("{what} cannot have the type `{word}`"), "only pointers to it can be passed around")
            }
            _ => return true,
        };
        self.refuse(Diagnostic::error(code, span, message).help(help));
        false
    }
}

/// Whether two types are the same, whatever the lengths of arrays.
fn same_type(a: &Type, b: &Type) -> bool {
    match a.innermost(b) {
        (Type::Void, Type::Void) => true,
        (Type::Integer(a), Type::Integer(b)) => a == b,
        (Type::Struct(a), Type::Struct(b)) => a == b,
        (Type::Opaque(a), Type::Opaque(b)) => a == b,
        _ => false,
    }
}
