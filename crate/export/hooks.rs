//! Where a test takes hold of the program itself: marked positions in its text, for objects that no caller can set.
//!
//! | place | mark |
//! |---|---|
//! | a read of a volatile object | the object's next value in the test |
//! | a local without initialiser, a static of a function | its first value in the test, after its declaration |
//! | a function that only declares a variable and returns it | the next value of the test, in that variable |
//! | a call whose result nothing reads, of a function without a body | that the call takes no value of the test |
//! | the end of `main` without `return` | `return 0;`, which C means there only under that name |
//!
//! Marks change no line's number.

use super::names::{Names, plain};
use super::placed::names_placed;
use super::stubs::Stubs;
use crate::lang::ast::{DeclId, Expr as Tree, ExprKind, Init, Program, Shape, Stmt, StmtKind, Storage, Type};
use crate::lang::flow::shape_of;
use crate::lang::types::Integer;
use crate::logic::{SortedMap, SortedSet};
use crate::lts::Lts;
use crate::lts::lower::{is_volatile, qualifiers, spelled};
use crate::source::{Span, Wrap};

/// A local or a static of a function that begins with a value of the test.
#[derive(Clone, Debug)]
pub struct Beginning {
    /// How its object is called in the suite.
    pub name: String,
    pub decl: DeclId,
    /// The shape of that object: its own, but for an array whose length is computed.
    pub shape: Shape,
    /// Whether the length of its object is computed, so that the mark has to tell it.
    pub is_computed: bool,
}

impl Beginning {
    /// The head of the function that gives the object its value.
    pub fn head(&self) -> String {
        let size = if self.is_computed { ", unsigned long size" } else { "" };
        format!("void {}_begins(void *object{size})", self.name)
    }
}

/// All marks of a program.
#[derive(Default)]
pub struct Hooks {
    pub wraps: Vec<Wrap>,
    /// Reads of volatile objects by their text: the name in the suite, and the type.
    pub volatile: SortedMap<String, (String, Integer)>,
    pub beginnings: SortedMap<u32, Beginning>,
    /// Functions that only give values, with the name of the list of these in the suite.
    pub giving: SortedMap<String, String>,
    /// The marks that stand in front of calls whose values nothing reads.
    pub skips: SortedSet<String>,
}

struct MarkFinder<'f> {
    program: &'f Program,
    names: &'f mut Names,
    hooks: Hooks,
    /// Of declarations that begin with a value of the test the shape of that value.
    begins: &'f dyn Fn(DeclId) -> Option<Shape>,
    /// The functions whose dropped calls are marked, with the name of the mark.
    dropped: &'f dyn Fn(&str, Span) -> Option<String>,
    source: &'f str,
    /// The statements and expressions around, without conversions, and the current one.
    around: Vec<Span>,
}

/// The marks of a program. `begins` selects the declarations whose objects get their first values from a test, and says in which shape.
pub fn hooks(
    (program, source): (&Program, &str),
    lts: &Lts,
    (stubs, names): (&Stubs, &mut Names),
    begins: &dyn Fn(DeclId) -> Option<Shape>,
) -> Hooks {
    let is_seen = |span: Span| lts.graph.edge_weights().any(|edge| edge.external.is_some() && edge.span == span);
    let dropped = |name: &str, span: Span| stubs.skipping(name).filter(|_| !is_seen(span));
    let mut finder = MarkFinder { program, names, hooks: Hooks::default(), begins, dropped: &dropped, source, around: Vec::new() };
    for function in program.own() {
        if function.gives_anything(program.abi).is_some() {
            finder.giving(&function.name.text, &function.body);
            continue;
        }
        for stmt in &function.body {
            finder.statement(stmt, true);
        }
        let returns = function.body.last().is_some_and(|last| matches!(last.kind, StmtKind::Return(_)));
        if function.name.text == "main" && function.returns_value() && !returns {
            finder.insert(function.end.start, " return 0; ".to_owned());
        }
    }
    finder.hooks
}

impl MarkFinder<'_> {
    fn insert(&mut self, at: u32, text: String) {
        self.hooks.wraps.push(Wrap::insertion(at, text));
    }

    /// Whether the text below the span is this expression and no use of a macro that stands for it.
    fn is_plain(&self, e: &Tree) -> bool {
        let text = without_casts(e.span.text(self.source));
        let spelled = spelled(e);
        let bare =
            |text: &str| text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '(' | ')')).collect::<String>().replace("*&", "");
        is_spelled_as(&bare(&text), &bare(&spelled))
    }

    /// Whether the text below the span is a use of a macro that stands for this expression and nothing else.
    fn is_whole_macro(&self, e: &Tree) -> bool {
        let text = e.span.text(self.source);
        let name: usize = text.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').count();
        let is_use = name > 0 && (name == text.len() || text[name..].trim_start().starts_with('(') && text.ends_with(')'));
        is_use && self.around.iter().filter(|span| **span == e.span).count() <= 1
    }

    fn giving(&mut self, name: &str, body: &[Stmt]) {
        let Some(Stmt { kind: StmtKind::Declare(_, list), span }) = body.first() else { return };
        if let Some(variable) = list.first().filter(|_| span.text(self.source).ends_with(';')) {
            let stem = self.names.stem(name);
            self.insert(span.end, format!(" {} = {stem}_next();", plain(&variable.name.text)));
            self.hooks.giving.insert(name.to_owned(), stem);
        }
    }

    fn statement(&mut self, stmt: &Stmt, in_block: bool) {
        self.around.push(stmt.span);
        self.within_statement(stmt, in_block);
        self.around.pop();
    }

    fn within_statement(&mut self, stmt: &Stmt, in_block: bool) {
        match &stmt.kind {
            StmtKind::Declare(_, list) => {
                let is_whole = in_block && stmt.span.text(self.source).ends_with(';');
                for declarator in list {
                    let decl = self.program.decl(declarator.decl);
                    let is_open = declarator.init.is_none() || decl.storage == Storage::Static;
                    if let Some(shape) = (self.begins)(declarator.decl).filter(|_| is_whole && is_open) {
                        let name = self.names.stem(&decl.name);
                        let is_computed = shape != decl.shape;
                        let size = if is_computed { format!(", sizeof {}", plain(&decl.name)) } else { String::new() };
                        self.insert(stmt.span.end, format!(" {name}_begins((void *)&{}{size});", plain(&decl.name)));
                        self.hooks.beginnings.insert(declarator.decl.0, Beginning { name, decl: declarator.decl, shape, is_computed });
                    }
                    // The first value of a static is a constant.
                    if let Some(init) = declarator.init.as_ref().filter(|_| !decl.storage.lasts()) {
                        self.init(init);
                    }
                }
            }
            StmtKind::Expr(e) => self.dropped(e),
            StmtKind::For { init, condition, step, .. } => {
                if let Some(init) = init {
                    self.statement(init, false);
                }
                condition.iter().for_each(|e| self.value(e));
                step.iter().for_each(|e| self.dropped(e));
            }
            _ => {
                let mut found = Vec::new();
                stmt.expressions(&mut |e| found.push(e));
                found.into_iter().for_each(|e| self.value(e));
            }
        }
        let is_block = matches!(stmt.kind, StmtKind::Block(_));
        let mut children = Vec::new();
        stmt.children(&mut |child| children.push(child));
        // The declaration in the head of `for` was looked at.
        let skip = usize::from(matches!(&stmt.kind, StmtKind::For { init: Some(_), .. }));
        children.into_iter().skip(skip).for_each(|child| self.statement(child, is_block));
    }

    fn init(&mut self, init: &Init) {
        let mut found = Vec::new();
        init.expressions(&mut |e| found.push(e));
        found.into_iter().for_each(|e| self.value(e));
    }

    /// An expression whose value nothing reads.
    fn dropped(&mut self, e: &Tree) {
        match &e.kind {
            ExprKind::Call(name, arguments) => {
                if let Some(mark) = (self.dropped)(&name.text, e.span) {
                    self.hooks.wraps.push(Wrap { span: e.span, before: format!("({mark} = 1, "), after: ")".to_owned() });
                    self.hooks.skips.insert(mark);
                }
                arguments.iter().for_each(|argument| self.value(argument));
            }
            ExprKind::Cast(Type::Void, inner) | ExprKind::Convert(inner) => self.dropped(inner),
            ExprKind::Comma(first, second) => {
                self.dropped(first);
                self.dropped(second);
            }
            _ => self.value(e),
        }
    }

    /// An expression whose value is read.
    fn value(&mut self, e: &Tree) {
        let is_conversion = matches!(e.kind, ExprKind::Convert(_));
        if !is_conversion {
            self.around.push(e.span);
        }
        self.within_value(e);
        if !is_conversion {
            self.around.pop();
        }
    }

    fn within_value(&mut self, e: &Tree) {
        match &e.kind {
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Deref(_) => {
                self.read(e);
                self.way(e);
            }
            ExprKind::Assign { target, op, value, .. } => {
                if op.is_some() {
                    self.read(target);
                }
                self.way(target);
                self.value(value);
            }
            ExprKind::Step { target, .. } => {
                self.read(target);
                self.way(target);
            }
            ExprKind::AddressOf(inner) => self.way(inner),
            ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) => {}
            ExprKind::Comma(first, second) => {
                self.dropped(first);
                self.value(second);
            }
            kind => {
                let mut found = Vec::new();
                kind.children(&mut |child| found.push(child));
                found.into_iter().for_each(|child| self.value(child));
            }
        }
    }

    /// What is read to evaluate an lvalue.
    fn way(&mut self, lvalue: &Tree) {
        match &lvalue.kind {
            ExprKind::Index(base, index) => {
                self.way(base);
                self.value(index);
            }
            ExprKind::Member(base, ..) => self.way(base),
            ExprKind::Deref(base) => match &base.kind {
                ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Deref(_) => self.way(base),
                _ => self.value(base),
            },
            ExprKind::Name(_) => {}
            _ => self.value(lvalue),
        }
    }

    /// A read of an lvalue: marked where the lvalue is volatile.
    fn read(&mut self, e: &Tree) {
        let is_structure = matches!(shape_of(self.program, e), Some(Shape::Struct(_)));
        if is_structure || !is_volatile(self.program, e) || self.is_bits(e) || !self.is_plain(e) && !self.is_whole_macro(e) {
            return;
        }
        let text = spelled(e);
        // No test reads there.
        if names_placed(&text) {
            return;
        }
        let name = match self.hooks.volatile.get(&text) {
            Some((name, _)) => name.clone(),
            None => {
                let words: Vec<&str> =
                    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
                // A name does not begin with a digit.
                let at = if words.first().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit())) { "at_" } else { "" };
                let name = self.names.stem(&format!("{at}{}", words.join("_")));
                self.hooks.volatile.insert(text, (name.clone(), e.ty));
                name
            }
        };
        let before = format!("(*(__typeof__({}) *){name}_next((volatile void *)&(", e.span.text(self.source));
        self.hooks.wraps.push(Wrap { span: e.span, before, after: ")))".to_owned() });
    }

    /// Whether the lvalue is a bit-field, which has no address.
    fn is_bits(&self, e: &Tree) -> bool {
        let ExprKind::Member(base, _, at) = &e.kind else { return false };
        let Some((_, Shape::Struct(id))) = qualifiers(self.program, base) else { return true };
        let members = self.program.structure(*id).members.as_ref();
        members.and_then(|members| members.get(*at)).is_none_or(|member| member.bits.is_some())
    }
}

/// Whether a text is this one, where `[…]` stands for any index.
fn is_spelled_as(text: &str, spelled: &str) -> bool {
    let mut pieces = spelled.split("[…]");
    let Some(mut rest) = pieces.next().and_then(|first| text.strip_prefix(first)) else { return false };
    for piece in pieces {
        let mut depth = 0;
        let end = rest.find(|c| {
            depth += i32::from(c == '[') - i32::from(c == ']');
            depth == 0
        });
        match end.and_then(|end| rest[end + 1..].strip_prefix(piece)).filter(|_| rest.starts_with('[')) {
            Some(more) => rest = more,
            None => return false,
        }
    }
    rest.is_empty()
}

/// The text of an expression without casts to pointers.
fn without_casts(text: &str) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some(open) = rest.find('(') {
        let inner = &rest[open + 1..];
        let close = inner.find(['(', ')']).filter(|&at| inner[at..].starts_with(')'));
        match close.filter(|&at| inner[..at].trim_end().ends_with('*')) {
            Some(at) => {
                out.push_str(&rest[..open]);
                rest = &inner[at + 1..];
            }
            None => {
                out.push_str(&rest[..=open]);
                rest = inner;
            }
        }
    }
    out + rest
}
