//! S-expressions to [`SmtScript`]: commands, sorts and terms. What the solver has no theory for is refused with its place.
//!
//! A term is read with a list of steps instead of recursion: the reader puts the steps of a term's parts before the step that makes the
//! term of them. The parts of a term so come before it in [`SmtScript::nodes`].

use super::Verdict;
use super::expressions::{Expression, ExpressionId, ExpressionKind, Expressions};
use super::syntax::{Action, Head, NameIndex, Node, NodeId, ScriptCommand, SmtScript, Sort, Term};
use crate::logic::Int;
use crate::source::{Diagnostic, Span};
use rustc_hash::FxHashMap;

type ScriptResult<T> = Result<T, Box<Diagnostic>>;

/// Reads a whole script.
///
/// # Errors
/// The first command that is not SMT-LIB 2 or lies outside what is supported.
pub fn read(text: &str) -> ScriptResult<SmtScript> {
    let mut reader = Reader { expressions: Expressions::new(text), script: SmtScript::default(), names: FxHashMap::default() };
    while reader.expressions.read()? {
        let action = reader.command()?;
        reader.script.commands.push(ScriptCommand { action, span: reader.expressions.tree[0].span });
    }
    Ok(reader.script)
}

const SUPPORTED: &str = "supported are quantifier-free formulas over Int, Bool and (Array Int Int)";
const QUANTIFIERS: &str = "quantifiers are not supported";
const DATATYPES: &str = "datatypes are not supported";
/// The largest number of scopes that one command opens or closes.
const MAX_LEVELS: u32 = 1_000_000;

fn refuse<T>(span: Span, message: impl Into<String>) -> ScriptResult<T> {
    Err(Diagnostic::error("smtlib-unsupported", span, message).help(SUPPORTED).into())
}

struct Reader<'a> {
    expressions: Expressions<'a>,
    script: SmtScript,
    names: FxHashMap<String, NameIndex>,
}

/// The expressions in a list that are not read yet.
struct Items {
    list: ExpressionId,
    next: ExpressionId,
}

/// `f`, `(_ f i …)` or `(as f s)`; no index where it is not a numeral.
struct Identifier {
    name: NameIndex,
    indices: Vec<Option<Int>>,
    sort: Option<Sort>,
}

/// An attribute, as far as it matters.
enum Attribute {
    Named(NameIndex),
    Status(NameIndex),
    GlobalDeclarations(bool),
    Other,
}

enum TermStep {
    Read(ExpressionId),
    Apply(ExpressionId, Head, usize),
    Let(ExpressionId, Vec<NameIndex>),
    Name(ExpressionId, Vec<NameIndex>),
    /// A term that nothing asks for was read.
    Forget,
}

/// Commands.
impl Reader<'_> {
    fn command(&mut self) -> ScriptResult<Action> {
        let span = self.expression(0).span;
        let mut items = self.items(0)?;
        let name = self.item(&mut items, "the name of a command")?;
        let action = match self.expressions.symbol(name) {
            "assert" => Action::Assert(self.next_term(&mut items)?),
            "check-sat" => Action::CheckSat,
            "check-sat-assuming" => Action::CheckSatAssuming(self.terms(&mut items)?.into()),
            "declare-const" => Action::Declare(self.next_name(&mut items)?, self.next_sort(&mut items)?),
            "declare-fun" => {
                let (name, mut inputs) = (self.next_name(&mut items)?, self.list(&mut items)?);
                let inputs = self.rest(&mut inputs, Self::next_sort)?;
                let sort = self.next_sort(&mut items)?;
                if !inputs.is_empty() {
                    return refuse(span, "uninterpreted functions with arguments are not supported");
                }
                Action::Declare(name, sort)
            }
            "define-const" => Action::Define {
                name: self.next_name(&mut items)?,
                parameters: Box::default(),
                sort: self.next_sort(&mut items)?,
                body: self.next_term(&mut items)?,
            },
            "define-fun" => {
                let (name, mut parameters) = (self.next_name(&mut items)?, self.list(&mut items)?);
                let parameters = self.rest(&mut parameters, |reader, parameters| {
                    let mut parameter = reader.list(parameters)?;
                    let of_sort = (reader.next_name(&mut parameter)?, reader.next_sort(&mut parameter)?);
                    reader.end(&parameter).map(|()| of_sort)
                })?;
                let (sort, body) = (self.next_sort(&mut items)?, self.next_term(&mut items)?);
                Action::Define { name, parameters: parameters.into(), sort, body }
            }
            "echo" => {
                let text = self.expect(&mut items, ExpressionKind::String, "a string")?;
                let text = self.expressions.string(text);
                Action::Echo(self.name(&text))
            }
            "exit" => Action::Exit,
            "get-model" => Action::GetModel,
            "get-info" | "get-option" => {
                let keyword = self.expect(&mut items, ExpressionKind::Keyword, "a keyword")?;
                if matches!(self.expressions.text(keyword), ":named" | ":pattern") {
                    return Err(self.expressions.unexpected(keyword).into());
                }
                Action::Unsupported
            }
            "get-value" => {
                let mut terms = self.list(&mut items)?;
                self.some(&mut terms, Self::next_term)?;
                Action::Unsupported
            }
            "get-assertions" | "get-assignment" | "get-proof" | "get-unsat-assumptions" | "get-unsat-core" => Action::Unsupported,
            "pop" => Action::Pop(self.levels(&mut items, span)?),
            "push" => Action::Push(self.levels(&mut items, span)?),
            "reset" => Action::Reset,
            "reset-assertions" => Action::ResetAssertions,
            "set-info" => match self.information(&mut items)? {
                Attribute::Status(status) => match self.script.name(status) {
                    "sat" => Action::Status(Some(Verdict::Sat)),
                    "unsat" => Action::Status(Some(Verdict::Unsat)),
                    "unknown" => Action::Status(None),
                    other => return refuse(span, format!("the status is sat, unsat or unknown, not `{other}`")),
                },
                _ => Action::Nothing,
            },
            "set-logic" => {
                self.next_name(&mut items)?;
                Action::Nothing
            }
            "set-option" => match self.information(&mut items)? {
                Attribute::GlobalDeclarations(on) => Action::GlobalDeclarations(on),
                _ => Action::Nothing,
            },
            "declare-datatype" | "declare-datatypes" => return refuse(span, DATATYPES),
            "declare-sort" | "declare-sort-parameter" => return refuse(span, "declared sorts are not supported"),
            "define-sort" => return refuse(span, "defined sorts are not supported"),
            _ => return refuse(span, "recursive functions are not supported"),
        };
        self.end(&items)?;
        Ok(action)
    }

    fn levels(&mut self, items: &mut Items, span: Span) -> ScriptResult<u32> {
        let levels = self.expect(items, ExpressionKind::Numeral, "the number of scopes")?;
        match self.expressions.text(levels).parse() {
            Ok(levels) if levels <= MAX_LEVELS => Ok(levels),
            _ => refuse(span, "too many levels"),
        }
    }

    /// The attribute of a command.
    fn information(&mut self, items: &mut Items) -> ScriptResult<Attribute> {
        let mut patterns = Vec::new();
        let attribute = self.attribute(items, &mut patterns)?;
        patterns.into_iter().try_for_each(|term| self.term(term).map(drop))?;
        Ok(attribute)
    }

    /// A keyword and its value. The terms of a pattern, which say nothing that matters but must be terms, are added to the list.
    fn attribute(&mut self, items: &mut Items, patterns: &mut Vec<ExpressionId>) -> ScriptResult<Attribute> {
        let keyword = self.expect(items, ExpressionKind::Keyword, "a keyword such as `:status`")?;
        let keyword = self.expressions.text(keyword);
        if keyword == ":named" {
            return self.next_name(items).map(Attribute::Named);
        }
        if keyword == ":pattern" {
            let mut terms = self.list(items)?;
            patterns.extend(self.rest(&mut terms, |reader, terms| reader.item(terms, "a term"))?);
            return Ok(Attribute::Other);
        }
        let Some(value) = self.peek(items).filter(|&value| self.expression(value).kind != ExpressionKind::Keyword) else {
            return Ok(Attribute::Other);
        };
        items.next = self.expression(value).next;
        match self.expression(value).kind {
            ExpressionKind::Symbol => {
                let symbol = self.symbol(value)?;
                Ok(if keyword == ":status" { Attribute::Status(symbol) } else { Attribute::Other })
            }
            ExpressionKind::True | ExpressionKind::False if keyword == ":global-declarations" => {
                Ok(Attribute::GlobalDeclarations(self.expression(value).kind == ExpressionKind::True))
            }
            ExpressionKind::List | ExpressionKind::Reserved => {
                Err(self.expressions.unexpected(value).help("a constant or a symbol stands here").into())
            }
            _ => Ok(Attribute::Other),
        }
    }
}

/// Sorts and terms.
impl Reader<'_> {
    fn next_sort(&mut self, items: &mut Items) -> ScriptResult<Sort> {
        let sort = self.item(items, "a sort")?;
        self.sort(sort, 0)
    }

    /// `depth` is how many sorts this one stands in.
    fn sort(&mut self, sort: ExpressionId, depth: u32) -> ScriptResult<Sort> {
        let span = self.expression(sort).span;
        // No sort this deep is supported, so that recursion need not go deeper.
        if depth > 2 {
            return refuse(span, "arrays other than (Array Int Int) are not supported");
        }
        let mut arguments = Vec::new();
        let identifier = if self.expression(sort).kind == ExpressionKind::List && !self.begins_with(sort, "_") {
            let mut items = self.items(sort)?;
            let head = self.item(&mut items, "the name of a sort")?;
            let identifier = self.identifier(head)?;
            arguments = self.some(&mut items, |reader, items| {
                let argument = reader.item(items, "a sort")?;
                reader.sort(argument, depth + 1)
            })?;
            identifier
        } else {
            self.identifier(sort)?
        };
        match (self.script.name(identifier.name), &identifier.indices[..], &arguments[..]) {
            ("Int", [], []) => Ok(Sort::Int),
            ("Bool", [], []) => Ok(Sort::Bool),
            ("Array", [], [Sort::Int, Sort::Int]) => Ok(Sort::Array),
            ("Array", ..) => refuse(span, "arrays other than (Array Int Int) are not supported"),
            (other, ..) => refuse(span, format!("the sort {other} is not supported")),
        }
    }

    /// `f` or `(_ f i …)`.
    fn identifier(&mut self, identifier: ExpressionId) -> ScriptResult<Identifier> {
        let mut indices = Vec::new();
        if self.expression(identifier).kind != ExpressionKind::List {
            return Ok(Identifier { name: self.symbol(identifier)?, indices, sort: None });
        }
        let mut items = self.items(identifier)?;
        let underscore = self.item(&mut items, "a symbol")?;
        if !self.begins_with(identifier, "_") {
            return Err(self.expressions.unexpected(underscore).into());
        }
        let name = self.next_name(&mut items)?;
        loop {
            let index = self.item(&mut items, "an index")?;
            indices.push(match self.expression(index).kind {
                ExpressionKind::Numeral => Some(Int::parse(self.expressions.text(index)).unwrap_or_default()),
                ExpressionKind::Hexadecimal => None,
                _ => self.symbol(index).map(|_| None)?,
            });
            if self.peek(&items).is_none() {
                return Ok(Identifier { name, indices, sort: None });
            }
        }
    }

    /// `f`, `(_ f i …)` or `(as f s)`.
    fn qualified(&mut self, identifier: ExpressionId) -> ScriptResult<Identifier> {
        if !self.begins_with(identifier, "as") {
            return self.identifier(identifier);
        }
        let mut items = self.items(identifier)?;
        items.next += 1;
        let inner = self.item(&mut items, "an identifier")?;
        let inner = self.identifier(inner)?;
        let sort = self.next_sort(&mut items)?;
        self.end(&items)?;
        Ok(Identifier { sort: Some(sort), ..inner })
    }

    fn next_term(&mut self, items: &mut Items) -> ScriptResult<NodeId> {
        let term = self.item(items, "a term")?;
        self.term(term)
    }

    /// The terms of the list that comes next.
    fn terms(&mut self, items: &mut Items) -> ScriptResult<Vec<NodeId>> {
        let mut terms = self.list(items)?;
        self.rest(&mut terms, Self::next_term)
    }

    fn term(&mut self, term: ExpressionId) -> ScriptResult<NodeId> {
        let (mut steps, mut terms) = (vec![TermStep::Read(term)], Vec::new());
        while let Some(step) = steps.pop() {
            let made = match step {
                TermStep::Read(at) if self.expression(at).kind == ExpressionKind::List => {
                    self.begin(at, &mut steps)?;
                    continue;
                }
                TermStep::Read(at) => self.leaf(at)?,
                TermStep::Forget => {
                    terms.pop();
                    continue;
                }
                TermStep::Apply(at, head, count) => {
                    let arguments = terms.split_off(terms.len() - count);
                    self.node(at, Term::Apply(head, arguments.into()))
                }
                TermStep::Let(at, names) => {
                    let body = terms.pop().unwrap_or(NodeId(0));
                    let bound = terms.split_off(terms.len() - names.len());
                    self.node(at, Term::Let(names.into_iter().zip(bound).collect(), body))
                }
                TermStep::Name(at, names) => {
                    let named = terms.pop().unwrap_or(NodeId(0));
                    names.into_iter().fold(named, |named, name| self.node(at, Term::Named(named, name)))
                }
            };
            terms.push(made);
        }
        Ok(terms.pop().unwrap_or(NodeId(0)))
    }

    fn leaf(&mut self, at: ExpressionId) -> ScriptResult<NodeId> {
        let Expression { kind, span, .. } = self.expression(at);
        let term = match kind {
            ExpressionKind::Numeral => Term::Numeral(Int::parse(self.expressions.text(at)).unwrap_or_default()),
            ExpressionKind::True | ExpressionKind::False => Term::Truth(kind == ExpressionKind::True),
            ExpressionKind::Symbol => Term::Name(self.symbol(at)?),
            ExpressionKind::Decimal => return refuse(span, "real numbers are not supported"),
            ExpressionKind::Hexadecimal | ExpressionKind::Binary => return refuse(span, "bit vectors are not supported"),
            ExpressionKind::String => return refuse(span, "strings are not supported"),
            _ => return Err(self.expressions.unexpected(at).help("a term stands here").into()),
        };
        Ok(self.node(at, term))
    }

    /// The steps of a term that is a list. The first is put last.
    fn begin(&mut self, at: ExpressionId, steps: &mut Vec<TermStep>) -> ScriptResult<()> {
        let span = self.expression(at).span;
        let mut items = self.items(at)?;
        let head = self.item(&mut items, "a term")?;
        let word = if self.expression(head).kind == ExpressionKind::Reserved { self.expressions.symbol(head) } else { "" };
        let mut parts = Vec::new();
        match word {
            "let" => {
                let mut bindings = self.list(&mut items)?;
                let names = self.some(&mut bindings, |reader, bindings| {
                    let mut binding = reader.list(bindings)?;
                    let name = reader.next_name(&mut binding)?;
                    parts.push(reader.item(&mut binding, "a term")?);
                    reader.end(&binding).map(|()| name)
                })?;
                parts.push(self.item(&mut items, "a term")?);
                self.end(&items)?;
                steps.push(TermStep::Let(at, names));
            }
            "!" => {
                let term = self.item(&mut items, "a term")?;
                let attributes = self.some(&mut items, |reader, items| reader.attribute(items, &mut parts))?;
                let names = attributes.into_iter().filter_map(|attribute| match attribute {
                    Attribute::Named(name) => Some(name),
                    _ => None,
                });
                steps.push(TermStep::Name(at, names.collect()));
                for pattern in parts.drain(..).rev() {
                    steps.extend([TermStep::Forget, TermStep::Read(pattern)]);
                }
                parts.push(term);
            }
            "forall" | "exists" => return refuse(span, QUANTIFIERS),
            "lambda" => return refuse(span, "lambda terms are not supported"),
            "match" => return refuse(span, DATATYPES),
            "_" | "as" => {
                let identifier = self.qualified(at)?;
                return refuse(span, format!("`{}` with indices or a sort is not supported", self.script.name(identifier.name)));
            }
            _ => {
                let identifier = self.qualified(head)?;
                let applied = match (self.script.name(identifier.name), &identifier.indices[..], identifier.sort) {
                    ("const", [], Some(Sort::Array)) => Head::ConstantArray,
                    ("divisible", [Some(divisor)], None) if divisor.is_positive() => Head::Divisible(divisor.clone()),
                    (_, [], None) => Head::Name(identifier.name),
                    (other, ..) => return refuse(span, format!("`{other}` with these indices or this sort is not supported")),
                };
                parts = self.some(&mut items, |reader, items| reader.item(items, "a term"))?;
                steps.push(TermStep::Apply(at, applied, parts.len()));
            }
        }
        steps.extend(parts.into_iter().rev().map(TermStep::Read));
        Ok(())
    }
}

/// Items, names and nodes.
impl Reader<'_> {
    fn expression(&self, id: ExpressionId) -> Expression {
        self.expressions.tree[id]
    }

    fn items(&self, list: ExpressionId) -> ScriptResult<Items> {
        match self.expression(list).kind {
            ExpressionKind::List => Ok(Items { list, next: list + 1 }),
            _ => Err(self.expressions.unexpected(list).help("a list between parentheses stands here").into()),
        }
    }

    fn begins_with(&self, list: ExpressionId, word: &str) -> bool {
        let Some(first) = self.items(list).ok().and_then(|items| self.peek(&items)) else { return false };
        self.expression(first).kind == ExpressionKind::Reserved && self.expressions.symbol(first) == word
    }

    fn peek(&self, items: &Items) -> Option<ExpressionId> {
        (items.next < self.expression(items.list).next).then_some(items.next)
    }

    /// The next expression of a list.
    fn item(&self, items: &mut Items, expected: &str) -> ScriptResult<ExpressionId> {
        let Some(item) = self.peek(items) else {
            return Err(self.expressions.unexpected_end(items.list).help(format!("{expected} is missing before it")).into());
        };
        items.next = self.expression(item).next;
        Ok(item)
    }

    fn expect(&self, items: &mut Items, kind: ExpressionKind, expected: &str) -> ScriptResult<ExpressionId> {
        let item = self.item(items, expected)?;
        if self.expression(item).kind != kind {
            return Err(self.expressions.unexpected(item).help(format!("{expected} stands here")).into());
        }
        Ok(item)
    }

    fn list(&self, items: &mut Items) -> ScriptResult<Items> {
        let list = self.item(items, "a list between parentheses")?;
        self.items(list)
    }

    /// What `read` makes of the expressions of a list that are left.
    fn rest<T>(&mut self, items: &mut Items, mut read: impl FnMut(&mut Self, &mut Items) -> ScriptResult<T>) -> ScriptResult<Vec<T>> {
        let mut all = Vec::new();
        while self.peek(items).is_some() {
            all.push(read(self, items)?);
        }
        Ok(all)
    }

    /// The same where at least one must stand.
    fn some<T>(&mut self, items: &mut Items, mut read: impl FnMut(&mut Self, &mut Items) -> ScriptResult<T>) -> ScriptResult<Vec<T>> {
        let first = read(self, items)?;
        let mut all = vec![first];
        all.extend(self.rest(items, read)?);
        Ok(all)
    }

    /// That a list has no more expressions.
    fn end(&self, items: &Items) -> ScriptResult<()> {
        match self.peek(items) {
            Some(item) => Err(self.expressions.unexpected(item).help("`)` stands here").into()),
            None => Ok(()),
        }
    }

    fn next_name(&mut self, items: &mut Items) -> ScriptResult<NameIndex> {
        let symbol = self.item(items, "a symbol")?;
        self.symbol(symbol)
    }

    fn symbol(&mut self, symbol: ExpressionId) -> ScriptResult<NameIndex> {
        if self.expression(symbol).kind != ExpressionKind::Symbol {
            return Err(self.expressions.unexpected(symbol).help("a symbol stands here").into());
        }
        Ok(self.name(self.expressions.symbol(symbol)))
    }

    fn name(&mut self, text: &str) -> NameIndex {
        if let Some(&name) = self.names.get(text) {
            return name;
        }
        let name = NameIndex(self.script.names.len() as u32);
        self.script.names.push(text.to_owned());
        self.names.insert(text.to_owned(), name);
        name
    }

    fn node(&mut self, at: ExpressionId, term: Term) -> NodeId {
        let id = NodeId(self.script.nodes.len() as u32);
        self.script.nodes.push(Node { term, span: self.expression(at).span });
        id
    }
}
