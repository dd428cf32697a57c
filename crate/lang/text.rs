//! A text after the preprocessor, and the stages that follow: of all its tokens, or of some of them.

use super::left_out::{self, LeftOutNames};
use super::preprocess::declarations;
use super::types::{Abi, Integer};
use super::{
    annotations, ast, check, intrinsic, items, library, linked, outside, parse, preprocess, printed, scan, side_effects, standard, token,
    views,
};
use crate::logic::SortedSet;
use crate::source::files::{is_closed, target};
use crate::source::{Diagnostic, Severity, Span};
use std::collections::BTreeMap;

/// A text after the preprocessor.
pub struct PreprocessedText {
    /// The text, and after it letters that stand nowhere in it: those of a pasted token, of a header's macro.
    pub letters: String,
    /// End with [`token::Kind::Eof`].
    pub tokens: Vec<token::Token>,
    /// Names that a refused directive would have introduced.
    pub poisoned: Vec<Span>,
    /// The text between line markers of headers.
    pub system_headers: Vec<Span>,
    /// See [`ast::Program::unbounded`].
    unbounded: Option<bool>,
    /// See [`ast::Program::headers`].
    headers: Vec<Span>,
    /// See [`preprocess::Preprocessed::is_incomplete`].
    pub is_incomplete: bool,
    pub is_block_language: bool,
    /// The target of the text.
    abi: Abi,
    /// What the scanner and the preprocessor say.
    pub diagnostics: Vec<Diagnostic>,
}

impl PreprocessedText {
    /// The letters of [`intrinsic::APPROXIMATED`], which follow the text.
    pub fn approximated(&self) -> Span {
        let end = self.letters.len() - 1;
        Span::new(end - intrinsic::APPROXIMATED.len(), end)
    }

    /// The number 0 at this place; its letter is the last one.
    pub fn zero(&self, span: Span) -> token::Token {
        let end = self.letters.len();
        token::Token { kind: token::Kind::Number, span, spelling: Span::new(end - 1, end) }
    }

    pub fn read(source: &str) -> PreprocessedText {
        let mut diagnostics = Vec::new();
        let mut letters = source.to_string();
        let tokens = token::scan(&mut letters, &mut diagnostics);
        let preprocess::Preprocessed { mut tokens, units, poisoned, unbounded, headers, system_headers, is_incomplete } =
            preprocess::preprocess(&mut letters, source.len(), &tokens, &mut diagnostics);
        let is_block_language = parse::is_block_language(&letters, &tokens);
        if !is_block_language {
            tokens = annotations::strip(&letters, tokens, &mut diagnostics);
            if !system_headers.is_empty() {
                tokens = without_library(&letters, tokens, &system_headers);
            }
            if !units.is_empty() {
                tokens = linked::linked(&mut letters, tokens, &units, &mut diagnostics);
            }
        }
        letters.push_str(intrinsic::APPROXIMATED);
        letters.push('0');
        let abi = target(source);
        PreprocessedText {
            letters,
            tokens,
            poisoned,
            system_headers,
            unbounded,
            headers,
            is_incomplete,
            is_block_language,
            abi,
            diagnostics,
        }
    }

    /// Whether the place is in a header that another preprocessor put into the text.
    pub fn is_in_header(&self, span: Span) -> bool {
        is_within(&self.system_headers, span)
    }

    /// Parses and checks these of its tokens, beside functions that are left out and have these names in them. Gives the program, if it has
    /// no error, and what is to say. With `approximated` some of the tokens stand for parts that are not understood.
    pub fn check(
        &self,
        tokens: Vec<token::Token>,
        left_out: &LeftOutNames<'_>,
        approximated: bool,
    ) -> (Option<ast::Program>, Vec<Diagnostic>) {
        // The stages look at the messages before theirs.
        let mut diagnostics = self.diagnostics.clone();
        let mut poisoned: SortedSet<&str> = self.poisoned.iter().map(|name| name.text(&self.letters)).collect();
        let mut tree = parse::parse(&self.letters, self.abi, tokens, &mut diagnostics, &mut poisoned);
        // The integers of the block language have no bounds.
        tree.unbounded = self.unbounded.or(tree.unbounded);
        let mut program = None;
        if !tree.unbalanced {
            let empty = tree.functions.is_empty();
            let is_of_header =
                |name: &ast::Name| declarations::is_defined_there(&name.text) && name.span.text(&self.letters).starts_with('#');
            tree.functions.iter_mut().filter(|function| is_of_header(&function.name)).for_each(|function| function.library = true);
            side_effects::handle_signals(&mut tree, &mut diagnostics);
            add_library(&mut tree, &poisoned);
            left_out::add(&mut tree, left_out);
            if approximated {
                let name = ast::Name { text: intrinsic::APPROXIMATED.to_owned(), span: Span::default(), decl: None };
                let returns = ast::Type::Integer(Integer::LongLong);
                tree.prototypes.push(ast::Prototype { name, returns, parameters: None, variadic: false });
            }
            let mut checked = check::check(tree, &mut diagnostics, &poisoned);
            checked.nodes.static_pointers = super::static_pointers::static_pointers(&checked);
            checked.headers = self.headers.iter().chain(&self.system_headers).copied().collect();
            if is_closed(&self.letters) {
                close(&mut checked);
            }
            program = Some(checked);
            if empty && !has_error(&diagnostics) {
                diagnostics.push(
                    Diagnostic::error("no-function", Span::default(), "there is no function to look at")
                        .help("define one, e.g. `int main() { … }`"),
                );
            }
        }
        let diagnostics = diagnostics.split_off(self.diagnostics.len());
        if has_error(&diagnostics) || has_error(&self.diagnostics) && left_out.is_empty() && !approximated {
            return (None, diagnostics);
        }
        program.iter_mut().for_each(views::infer);
        program.iter_mut().for_each(outside::follow);
        (program, diagnostics)
    }
}

/// Whether the place is in one of these, which stand in order.
fn is_within(all: &[Span], span: Span) -> bool {
    let at = all.partition_point(|one| one.start <= span.start);
    at.checked_sub(1).is_some_and(|at| span.start < all[at].end)
}

/// The tokens without the bodies that headers have for functions of the library: what these mean is known here.
fn without_library(letters: &str, tokens: Vec<token::Token>, headers: &[Span]) -> Vec<token::Token> {
    let is_kept = |item: &items::ExternalItem| {
        let name = item.function.map(|at| tokens[at].spelling.text(letters));
        !name.is_some_and(|name| is_within(headers, item.span) && library::has_meaning(name))
    };
    let items = items::items(letters, &tokens);
    items.iter().filter(|item| is_kept(item)).flat_map(|item| &tokens[item.tokens.clone()]).chain(tokens.last()).copied().collect()
}

/// Adds the functions of the library that the program calls and does not define.
fn add_library(tree: &mut parse::ParseTree, poisoned: &SortedSet<&str>) {
    let defined: SortedSet<&str> = tree.functions.iter().map(|function| function.name.text.as_str()).collect();
    let mut called_functions: BTreeMap<&'static str, Span> = BTreeMap::new();
    let mut open: Vec<&ast::Stmt> = tree.functions.iter().flat_map(|function| &function.body).collect();
    while let Some(stmt) = open.pop() {
        stmt.expressions(&mut |e| {
            called(e, &mut |name, span| {
                if !defined.contains(name) && !poisoned.contains(name) {
                    called_functions.entry(name).and_modify(|first| *first = (*first).min(span)).or_insert(span);
                }
            })
        });
        stmt.children(&mut |child| open.push(child));
    }
    let mut declarations: BTreeMap<&'static str, Span> = BTreeMap::new();
    let mut open: Vec<&ast::Stmt> = tree.functions.iter().flat_map(|function| &function.body).collect();
    let is_declared = |name: &str| defined.contains(name) || tree.prototypes.iter().any(|prototype| prototype.name.text == name);
    while let Some(stmt) = open.pop() {
        stmt.expressions(&mut |e| {
            each_call(e, &mut |name| {
                if let Some(text) =
                    standard::declaration(&name.text).filter(|_| !is_declared(&name.text) && !poisoned.contains(name.text.as_str()))
                {
                    declarations.entry(text).and_modify(|first| *first = (*first).min(name.span)).or_insert(name.span);
                }
            })
        });
        stmt.children(&mut |child| open.push(child));
    }
    for (text, span) in declarations {
        tree.prototypes.extend(library::declared(text, tree.abi, span));
    }
    let errno = called_functions.get(library::ERRNO).copied();
    for (name, span) in called_functions {
        for mut function in library::texts(name, tree.abi) {
            function.text = function.text.replace("range();", if errno.is_some() { "errno = 34;" } else { "" });
            function.text = function.text.replace("invalid();", if errno.is_some() { "if (nondet_bool()) errno = 22;" } else { "" });
            tree.functions.extend(library::read(&function, tree.abi, span));
        }
    }
    if let Some(span) = errno.filter(|_| tree.globals.iter().all(|global| global.name.text != "errno")) {
        tree.globals.push(ast::Declarator {
            name: ast::Name { text: "errno".to_owned(), span, decl: None },
            ty: ast::Type::Integer(Integer::Int),
            qualifiers: ast::Qualifiers::default(),
            init: None,
            is_static: false,
            is_extern: false,
            span,
            decl: ast::DeclId(u32::MAX),
        });
    }
}

/// Visits the names of the functions that an expression calls.
fn each_call(e: &ast::Expr, visit: &mut dyn FnMut(&ast::Name)) {
    if let ast::ExprKind::Call(name, _) = &e.kind {
        visit(name);
    }
    e.kind.children(&mut |child| each_call(child, visit));
}

/// The functions of the library that an expression calls.
fn called(e: &ast::Expr, visit: &mut dyn FnMut(&'static str, Span)) {
    if matches!(&e.kind, ast::ExprKind::Name(name) if name.text == "errno") {
        visit(library::ERRNO, e.span);
    }
    if let ast::ExprKind::Call(name, arguments) = &e.kind {
        let prints = name.text == "fputs"
            || intrinsic::find(library::of_builtin(&name.text).unwrap_or(&name.text)).is_some_and(|intrinsic| intrinsic.prints());
        // An argument that is a string may be one that is not known yet.
        let strings = prints && arguments.iter().any(|argument| !matches!(argument.kind, ast::ExprKind::Str(_)));
        if matches!(name.text.as_str(), "scanf" | "fscanf") {
            let formats = arguments.iter().filter_map(|argument| match &argument.kind {
                ast::ExprKind::Str(format) => Some(scan::Format::read(format)),
                _ => None,
            });
            for read in formats.flat_map(|format| format.directives).filter_map(scan::Directive::read).filter(scan::ScanConversion::is_word)
            {
                visit(read.function(), e.span);
            }
        }
        let is_padded = |argument: &ast::Expr| match &argument.kind {
            ast::ExprKind::Str(format) => printed::conversions(format).into_iter().any(printed::FormatConversion::is_padded_string),
            _ => false,
        };
        if strings && arguments.iter().any(is_padded) {
            visit(library::PRINT_PADDED, e.span);
        }
        let name = if strings { library::PRINT_STRING } else { library::of_builtin(&name.text).unwrap_or(&name.text) };
        if let Some(builtin) = library::names().find(|builtin| *builtin == name) {
            visit(builtin, e.span);
        }
    }
    e.kind.children(&mut |child| called(child, visit));
}

/// Makes all names those of the program alone, as if all its definitions were `static`, but for the functions that executions begin with: `main`,
/// and each function of a program without one.
fn close(program: &mut ast::Program) {
    for decl in program.decls.iter_mut().filter(|decl| decl.linkage == ast::Linkage::External) {
        decl.linkage = ast::Linkage::Internal;
    }
    if program.function("main").is_some() {
        program.functions.iter_mut().for_each(|function| function.is_static |= function.name.text != "main");
    }
}

/// Whether one of these is an error.
pub fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}
