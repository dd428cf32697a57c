//! What is said of addresses that lowering does not follow: what is not supported, and what to write instead.

use super::Lowerer;
use super::flow::shape_of;
use super::moving::Moves;
use crate::lang::ast::{Expr as Tree, ExprKind, Length, Name, Shape, Storage};
use crate::lang::intrinsic::Intrinsic;
use crate::source::{Diagnostic, Span};

impl<'a> Lowerer<'a> {
    pub(super) fn unknown_pointer(&mut self, e: &Tree) {
        let name = e.root().map(|name| name.text.clone());
        let message = |what: &str| format!("{what} is not followed");
        let (message, help) = if let Some(array) = self.chosen_argument(e) {
            let help = "name the argument by a constant: `argv[1]`; `argc` says how many there are";
            (format!("`{array}[…]` is not supported where its index is not a constant"), help)
        } else if let Some(member) = self.followed_member(e) {
            let help =
                "keep an array or an object in the structure itself, or the index of an element of an array that is declared beside it";
            (message(&format!("the pointer in the member `{member}`")), help)
        } else if let (Some(name), true, Some(member)) = (&name, self.is_allocated(e), self.flexible_member(e)) {
            let help = "let the member be a pointer, which gets memory of its own";
            (message(&format!("the memory that `{name}` is set to, with the array `{member}` of any length at its end,")), help)
        } else if let (Some(name), true) = (&name, self.is_allocated(e)) {
            let help = "let another pointer move: `int *p = malloc(n * sizeof(int)), *at = p;`, and take no address of it; unions are \
                        not followed there";
            (message(&format!("the memory that `{name}` is set to")), help)
        } else {
            return self.unknown_pointer_at(&name.map_or_else(|| "this".to_owned(), |name| format!("`{name}`")), e.span);
        };
        self.fail(Diagnostic::error("unsupported-pointer", e.span, message).label("general pointers are not supported").help(help));
    }

    pub(super) fn unknown_pointer_at(&mut self, what: &str, span: Span) {
        self.fail(
            Diagnostic::error("unsupported-pointer", span, format!("it is not known what {what} points to"))
                .label("general pointers are not supported")
                .help("have it point into arrays or objects of the program; arrays and addresses may be arguments"),
        );
    }

    /// The variable arguments of the function that is looked at.
    pub(super) fn unknown_arguments(&mut self, span: Span) {
        self.fail(
            Diagnostic::error("unsupported-variadic", span, "which variable arguments a caller passes is not known")
                .help("look at a function that calls this one"),
        );
    }

    /// The array of strings among the parameters whose element an address goes through, `argv` in `argv[i][0]`.
    fn chosen_argument(&self, e: &Tree) -> Option<String> {
        match &e.unconverted().kind {
            ExprKind::Index(base, index) => match &base.kind {
                ExprKind::Name(Name { text, decl: Some(decl), .. }) if !matches!(index.unconverted().kind, ExprKind::Int(_)) => {
                    let decl = self.program.decl(*decl);
                    let text_of = |shape: &Shape| matches!(shape, Shape::Pointer(inner) if matches!(&**inner, Shape::Pointer(inner) if matches!(**inner, Shape::Scalar(integer) if integer.size(self.abi()) == 1)));
                    (decl.storage == Storage::Parameter && text_of(&decl.shape)).then(|| text.clone())
                }
                _ => self.chosen_argument(base),
            },
            ExprKind::Deref(base) | ExprKind::AddressOf(base) | ExprKind::Member(base, ..) => self.chosen_argument(base),
            ExprKind::Binary(_, a, b) => self.chosen_argument(a).or_else(|| self.chosen_argument(b)),
            _ => None,
        }
    }

    /// The last member on the way that is a pointer.
    fn followed_member(&self, e: &Tree) -> Option<String> {
        match &e.unconverted().kind {
            ExprKind::Member(_, name, _) if matches!(shape_of(self.program, e), Some(Shape::Pointer(_))) => Some(name.text.clone()),
            ExprKind::Index(base, _) | ExprKind::Deref(base) | ExprKind::AddressOf(base) | ExprKind::Member(base, ..) => {
                self.followed_member(base)
            }
            ExprKind::Binary(_, a, b) => self.followed_member(a).or_else(|| self.followed_member(b)),
            _ => None,
        }
    }

    /// Whether the address goes through a pointer that is set to memory of `malloc` or its like.
    /// The array of no length at the end of the structure to which the pointer leads that an expression starts with (C11 6.7.2.1p18).
    fn flexible_member(&self, e: &Tree) -> Option<String> {
        let Shape::Pointer(inner) = &self.program.decl(e.root()?.decl?).shape else { return None };
        let Shape::Struct(id) = **inner else { return None };
        let last = self.program.structure(id).members.as_ref()?.last()?;
        matches!(&last.shape, Shape::Array { length, .. } if !matches!(length, Length::Fixed(_))).then(|| last.name.text.clone())
    }

    fn is_allocated(&self, e: &Tree) -> bool {
        let Some(decl) = e.root().and_then(|name| name.decl) else { return false };
        let memory =
            |e: &Tree| matches!(&e.unconverted().kind, ExprKind::Call(name, _) if self.intrinsic(name) == Some(Intrinsic::Address));
        self.frames.iter().any(|frame| Moves::of(&frame.function.body, decl).sources.into_iter().any(memory))
    }
}
