//! `#define`: what a macro stands for.

use super::{Macro, Meaning, PendingToken, Preprocessor};
use crate::lang::token::{Kind, Token};
use crate::source::{Diagnostic, Span};
use std::rc::Rc;

/// The definition of a macro.
#[derive(Debug)]
pub struct Definition {
    /// `None` for a macro without parentheses.
    pub parameters: Option<Vec<String>>,
    /// The last parameter takes all arguments that are left.
    pub variadic: bool,
    pub body: Vec<Piece>,
}

/// One token of a macro's body.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub item: PendingToken,
    pub role: Role,
    /// `##` stands before it.
    pub pasted: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Plain,
    Parameter(usize),
    /// `#` and a parameter.
    String(usize),
}

/// Why a definition is none: where, what, and what to do.
type DefinitionError = (Span, String, &'static str);

const USAGE: &str = "write `#define NAME value` or `#define NAME(a, b) value`";

impl Preprocessor<'_> {
    /// Takes the tokens after `#define`. `defined_at` is the span of the directive; `None` for a header.
    pub(super) fn define(&mut self, tokens: &[Token], defined_at: Option<Span>) {
        let refused = match tokens.split_first() {
            None => Some((defined_at.unwrap_or_default(), "`#define` needs a name".to_string(), USAGE)),
            Some((&name, _)) if !self.is_name(name) || self.letters(name) == "defined" => {
                Some((name.span, format!("`{}` cannot be the name of a macro", self.letters(name)), USAGE))
            }
            Some((&name, body)) => match self.definition(name, body) {
                Ok(definition) => {
                    self.bind(name, definition, defined_at);
                    None
                }
                Err(refusal) => {
                    self.poisoned.push(name.spelling);
                    self.macros.names.remove(name.spelling.text(self.text));
                    Some(refusal)
                }
            },
        };
        if let Some((span, message, help)) = refused {
            let span = self.in_source(span);
            self.diagnostics.push(Diagnostic::error("bad-directive", span, message).help(help));
        }
    }

    fn bind(&mut self, name: Token, definition: Definition, defined_at: Option<Span>) {
        let letters: Box<str> = self.letters(name).into();
        if let Some(old) = self.defined(&letters).map(|i| &self.macros.all[i])
            && let (Some(first), Some(_), Meaning::Tokens(before)) = (old.defined_at, defined_at, &old.meaning)
            && !self.same(before, &definition)
        {
            self.diagnostics.push(
                Diagnostic::warning("macro-redefined", name.span, format!("the macro `{letters}` is defined again, differently"))
                    .label("from here on this definition counts")
                    .help(format!("write `#undef {letters}` before it if that is meant"))
                    .related(first, "the definition so far"),
            );
        }
        self.macros.names.insert(letters, self.macros.all.len());
        let defined_at = defined_at.map(|_| name.span);
        self.macros.all.push(Macro { meaning: Meaning::Tokens(Rc::new(definition)), defined_at, open: false });
    }

    /// Whether two definitions agree in C's sense: letters, parameters, and where blanks are.
    fn same(&self, a: &Definition, b: &Definition) -> bool {
        let same = |(i, (p, q)): (usize, (&Piece, &Piece))| {
            p.role == q.role
                && p.pasted == q.pasted
                && (i == 0 || p.item.spaced == q.item.spaced)
                && self.letters(p.item.token) == self.letters(q.item.token)
        };
        a.parameters == b.parameters
            && a.variadic == b.variadic
            && a.body.len() == b.body.len()
            && a.body.iter().zip(&b.body).enumerate().all(same)
    }

    fn definition(&self, name: Token, tokens: &[Token]) -> Result<Definition, DefinitionError> {
        let mut definition = Definition { parameters: None, variadic: false, body: Vec::new() };
        let mut body = tokens;
        if let Some(open) = tokens.first().filter(|t| t.kind == Kind::LParen && self.touch(name, **t)) {
            let Some(close) = tokens.iter().position(|t| t.kind == Kind::RParen) else {
                return Err((name.span.to(open.span), format!("the parameters of `{}` have no closing `)`", self.letters(name)), USAGE));
            };
            definition.variadic = self.parameters(&tokens[1..close], definition.parameters.insert(Vec::new()))?;
            body = &tokens[close + 1..];
        }
        definition.body = self.body(body, definition.parameters.as_deref())?;
        Ok(definition)
    }

    /// Reads the parameters; gives back whether the last takes all that is left.
    fn parameters(&self, tokens: &[Token], into: &mut Vec<String>) -> Result<bool, DefinitionError> {
        let mut rest = tokens;
        let wrong = |token: &Token| (token.span, format!("expected a parameter, found `{}`", self.letters(*token)), USAGE);
        while let [first, after @ ..] = rest {
            let (name, last, after) = match after {
                _ if first.kind == Kind::Ellipsis => ("__VA_ARGS__", true, after),
                _ if !self.is_name(*first) => return Err(wrong(first)),
                [dots, after @ ..] if dots.kind == Kind::Ellipsis => (self.letters(*first), true, after),
                _ => (self.letters(*first), false, after),
            };
            // Looking through all of them would be quadratic; no real macro has that many.
            if into.len() >= 127 {
                return Err((first.span, "a macro may have 127 parameters".into(), "put several values into one"));
            }
            if into.iter().any(|p| p == name) {
                return Err((first.span, format!("the parameter `{name}` is there twice"), "give it another name"));
            }
            into.push(name.to_string());
            rest = match after {
                [] => return Ok(last),
                [comma, after @ ..] if comma.kind == Kind::Comma && !last => match after {
                    [] => return Err(wrong(comma)),
                    _ => after,
                },
                [other, ..] => {
                    let help = if last { "`...` is the last parameter" } else { USAGE };
                    return Err((other.span, format!("expected `,` or `)`, found `{}`", self.letters(*other)), help));
                }
            };
        }
        Ok(false)
    }

    fn body(&self, tokens: &[Token], parameters: Option<&[String]>) -> Result<Vec<Piece>, DefinitionError> {
        let parameter = |item: &PendingToken| parameters?.iter().position(|p| p == self.letters(item.token));
        let mut body: Vec<Piece> = Vec::new();
        let mut pasted = false;
        let items = self.items(tokens);
        let mut items = items.into_iter();
        while let Some(item) = items.next() {
            let role = match item.token.kind {
                Kind::HashHash if body.is_empty() || items.len() == 0 => {
                    return Err((item.token.span, "`##` needs a token on both sides".into(), "remove it"));
                }
                Kind::HashHash => {
                    pasted = true;
                    continue;
                }
                Kind::Hash if parameters.is_some() => {
                    let Some(i) = items.next().as_ref().and_then(parameter) else {
                        return Err((item.token.span, "`#` needs a parameter of the macro behind it".into(), "remove it"));
                    };
                    Role::String(i)
                }
                _ => parameter(&item).map_or(Role::Plain, Role::Parameter),
            };
            body.push(Piece { item, role, pasted: std::mem::take(&mut pasted) });
        }
        Ok(body)
    }
}
