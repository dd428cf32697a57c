//! Expressions with types in them or written like calls: `_Generic`, `offsetof`, `_Alignof`, statements inside an expression.

use super::super::ast::sugar::{ARGUMENT, ARGUMENT_LIST, Association, OFFSET, Subject, Sugar};
use super::super::ast::{Expr, ExprKind, Layout, Member, Name, Qualifiers, Shape, Struct, StructId, Type};
use super::super::token::{Kind, Token};
use super::super::types::Integer;
use super::Parser;
use crate::source::{Diagnostic, Span};

impl Parser<'_, '_> {
    /// Reads what only looks like a call; `None` where this is none.
    pub(super) fn special(&mut self, token: Token) -> Option<ExprKind> {
        if self.peek(1).kind != Kind::LParen {
            return None;
        }
        let types_follow = self.type_starts(2);
        let read = match self.text(token) {
            "_Generic" => Self::generic,
            "__builtin_types_compatible_p" if types_follow => Self::compatible,
            "va_arg" | "__builtin_va_arg" => Self::next_argument,
            "offsetof" | OFFSET if types_follow => Self::offset,
            _ => return None,
        };
        self.bump();
        let open = self.bump().span;
        let kind = read(self, token.span);
        self.close(Kind::RParen, open);
        Some(kind.unwrap_or(ExprKind::Error))
    }

    fn comma(&mut self) -> Option<()> {
        if self.eat(Kind::Comma).is_none() {
            self.unexpected("`,`");
            return None;
        }
        Some(())
    }

    /// `value, type: expression, default: expression)`
    fn generic(&mut self, _: Span) -> Option<ExprKind> {
        let subject = self.assignment_expression();
        let mut list = Vec::new();
        while self.eat(Kind::Comma).is_some() {
            let ty = if self.eat(Kind::Default).is_some() { None } else { Some(self.named_type()?) };
            if self.eat(Kind::Colon).is_none() {
                self.unexpected("`:`");
                return None;
            }
            list.push(Association { ty, value: self.assignment_expression() });
        }
        Some(ExprKind::Sugar(Box::new(Sugar::Selection(Subject::Value(subject), list))))
    }

    /// `type, type)`
    fn compatible(&mut self, span: Span) -> Option<ExprKind> {
        let (ty, qualifiers) = self.named_type()?;
        self.comma()?;
        let (other, own) = self.named_type()?;
        let number = |value: i64| Expr::new(ExprKind::Int(value.into()), span);
        // Those of the type itself are of no matter.
        let list =
            vec![Association { ty: Some((other, own.pointee().pointer())), value: number(1) }, Association { ty: None, value: number(0) }];
        Some(ExprKind::Sugar(Box::new(Sugar::Selection(Subject::Type(ty, qualifiers), list))))
    }

    /// `list, type)`
    fn next_argument(&mut self, _: Span) -> Option<ExprKind> {
        let list = self.assignment_expression();
        self.comma()?;
        let ty = self.type_name()?;
        Some(ExprKind::Sugar(Box::new(Sugar::NextArgument(list, ty))))
    }

    /// Defines the structures of variable arguments, where the text names the list of them.
    pub(super) fn define_arguments(&mut self) {
        let is_list = |token: &&Token| token.kind == Kind::Ident && is_argument_list(self.text(**token));
        let Some(span) = self.tokens.iter().find(is_list).map(|token| token.span) else { return };
        let mut constant = Qualifiers::default();
        constant.qualify("const");
        let member = |text: &str, ty, qualifiers| {
            let name = Name { text: text.to_owned(), span, decl: None };
            Member { name, ty, qualifiers, shape: Shape::Opaque, bits: None }
        };
        let number = |text, ty| member(text, Type::Integer(ty), Qualifiers::default());
        let text = member("text", Type::Pointer(Box::new(Type::Integer(Integer::Char))), constant.pointer());
        let argument = vec![number("kind", Integer::Int), number("whole", Integer::LongLong), number("real", Integer::Double), text];
        for (name, members) in [(ARGUMENT_LIST, vec![number("next", Integer::Int)]), (ARGUMENT, argument)] {
            let members = Some(members);
            self.tree.structs.push(Struct {
                name: name.to_owned(),
                span,
                members,
                layout: Layout::Unknown,
                gaps: Vec::new(),
                sets_padding: false,
                union: None,
            });
        }
    }

    /// `type, member)`: the member of an object at the null pointer, of which the checker takes the number.
    fn offset(&mut self, span: Span) -> Option<ExprKind> {
        let ty = self.type_name()?;
        self.comma()?;
        let Some(member) = self.eat(Kind::Ident) else {
            self.unexpected("a member's name");
            return None;
        };
        let member = self.postfix_of(null_member(ty, self.name(member)));
        Some(offset_of(member, span))
    }

    /// `(type)` after `_Alignof`: where a member of the type stands after a `char`.
    pub(super) fn alignment(&mut self, span: Span) -> Option<ExprKind> {
        let open = self.bump().span;
        let ty = self.type_name();
        self.close(Kind::RParen, open);
        let name = Name { text: "x".to_owned(), span, decl: None };
        let member = |ty| Member { name: name.clone(), ty, qualifiers: Qualifiers::default(), shape: Shape::Opaque, bits: None };
        let first = Member { name: Name { text: "c".to_owned(), ..name.clone() }, ..member(Type::Integer(Integer::Char)) };
        let members = Some(vec![first, member(ty?)]);
        let id = StructId(u32::try_from(self.tree.structs.len()).unwrap_or(u32::MAX));
        self.tree.structs.push(Struct {
            name: String::new(),
            span,
            members,
            layout: Layout::Natural,
            gaps: Vec::new(),
            sets_padding: false,
            union: None,
        });
        Some(offset_of(null_member(Type::Struct(id), name), span))
    }

    /// `({ … })`
    pub(super) fn statement_expression(&mut self) -> Expr {
        let open = self.bump().span;
        let outside = self.braces.is_empty();
        // Those belong to the declaration around.
        let waiting = std::mem::take(&mut self.pending.enumerators);
        let list = self.block_body();
        self.pending.enumerators = waiting;
        self.close(Kind::RParen, open);
        let span = open.to(self.previous());
        if outside {
            self.refuse(
                Diagnostic::error("unsupported-expression", span, "statements inside an expression stand only inside of functions")
                    .help("write the value itself"),
            );
            return Expr::new(ExprKind::Error, span);
        }
        self.node(ExprKind::Sugar(Box::new(Sugar::Statements(list))), span)
    }

    /// Refuses the type of an expression with names in it where only types are declared: what the names mean there is not known here.
    pub(super) fn type_is_declared(&mut self, ty: &Type, span: Span) -> bool {
        let mut inner = ty;
        while let Type::Array(next, _) | Type::Pointer(next) | Type::Function(next) = inner {
            inner = next;
        }
        let Type::Typeof(e) = inner else { return true };
        if !names(e) {
            return true;
        }
        self.refuse(
            Diagnostic::error("unsupported-typeof", span, "the type of a variable can only be that of other variables here")
                .help("write the type itself"),
        );
        false
    }
}

/// Whether a name is one of the list of variable arguments.
pub(super) fn is_argument_list(name: &str) -> bool {
    ["va_list", "__builtin_va_list", "__gnuc_va_list"].contains(&name)
}

/// The member of an object of the type at the null pointer.
fn null_member(ty: Type, member: Name) -> Expr {
    let span = member.span;
    let null = Expr::new(ExprKind::Int(0.into()), span);
    let pointer = Expr::new(ExprKind::Cast(Type::Pointer(Box::new(ty)), Box::new(null)), span);
    let object = Expr::new(ExprKind::Deref(Box::new(pointer)), span);
    Expr::new(ExprKind::Member(Box::new(object), member, 0), span)
}

fn offset_of(member: Expr, span: Span) -> ExprKind {
    ExprKind::Call(Name { text: OFFSET.to_owned(), span, decl: None }, vec![member])
}

/// Whether a name stands in an expression.
fn names(e: &Expr) -> bool {
    let mut found = matches!(e.kind, ExprKind::Name(_) | ExprKind::Call(..));
    e.kind.children(&mut |child| found = found || names(child));
    found
}
