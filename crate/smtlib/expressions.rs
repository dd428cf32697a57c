//! Text to s-expressions: the tokens of SMT-LIB 2 (version 2.7, section 3.1) and the lists that parentheses make of them.
//!
//! [`Expressions`] reads one command at a time. The expressions of a tree stand in one flat list in the order of the
//! text, each with the number of the first expression after it, so that neither reading nor dropping a deep list recurses.
//! Three kinds of word are no symbols, with and without bars around them: reserved words, names of commands, and `true` and `false`.
//! A token ends at white space, a parenthesis, a comment or the end of the text: `12x` and `"a"b` are no tokens.
//!
//! Decision: these lines instead of a library. smtlib-lowlevel and lexpr recurse, so that a deep term overflows the stack, and lexpr
//! reads Lisp, where `|a|` and `"a""b"` are written otherwise. yaspar does neither, but brings dashu, a generated parser and its run
//! time: 40 crates that nothing else here uses.

use crate::source::{Diagnostic, Span};
use logos::Logos;

/// A kind of expression. Its text is the text below its span.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\n\r\x0C]+", skip(r";[^\n]*", allow_greedy = true))]
pub enum ExpressionKind {
    #[token("(")]
    List,
    /// Stands in no tree: the end of a list.
    #[token(")")]
    Close,
    #[regex("0|[1-9][0-9]*")]
    Numeral,
    #[regex(r"(0|[1-9][0-9]*)\.[0-9]+")]
    Decimal,
    /// `#x` and hexadecimal digits.
    #[regex("#x[0-9a-fA-F]+")]
    Hexadecimal,
    /// `#b` and binary digits.
    #[regex("#b[01]+")]
    Binary,
    /// Between quotes, of which one in the string is written twice.
    #[regex(r#""(""|[ !#-~\t\n\r\x0C\u{80}-\u{10FFFF}])*""#)]
    String,
    /// A symbol, simple or between bars.
    #[regex(r"[a-zA-Z~!@$%^&*_+=<>.?/-][a-zA-Z0-9~!@$%^&*_+=<>.?/-]*")]
    #[regex(r"\|[ -\[\]-{}~\t\n\r\x0C\u{80}-\u{10FFFF}]*\|")]
    Symbol,
    /// A colon and a simple symbol.
    #[regex(r":[a-zA-Z~!@$%^&*_+=<>.?/-][a-zA-Z0-9~!@$%^&*_+=<>.?/-]*")]
    Keyword,
    Reserved,
    /// The name of a command.
    Command,
    True,
    False,
}

/// Words that are neither symbols nor names of commands.
const RESERVED: &[&str] =
    &["BINARY", "DECIMAL", "HEXADECIMAL", "NUMERAL", "STRING", "_", "!", "as", "let", "exists", "forall", "match", "par", "lambda"];

/// Names of commands.
const COMMANDS: &[&str] = &[
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-const",
    "declare-datatype",
    "declare-datatypes",
    "declare-fun",
    "declare-sort",
    "declare-sort-parameter",
    "define-const",
    "define-fun",
    "define-fun-rec",
    "define-funs-rec",
    "define-sort",
    "echo",
    "exit",
    "get-assertions",
    "get-assignment",
    "get-info",
    "get-model",
    "get-option",
    "get-proof",
    "get-unsat-assumptions",
    "get-unsat-core",
    "get-value",
    "pop",
    "push",
    "reset",
    "reset-assertions",
    "set-info",
    "set-logic",
    "set-option",
];

/// An expression by its position in [`Expressions::tree`].
pub type ExpressionId = usize;

#[derive(Clone, Copy, Debug)]
pub struct Expression {
    pub kind: ExpressionKind,
    pub span: Span,
    /// The first expression that stands after this one, and after all in it.
    pub next: ExpressionId,
}

/// The commands of a text, one tree at a time.
pub struct Expressions<'a> {
    text: &'a str,
    tokens: logos::Lexer<'a, ExpressionKind>,
    /// The tree that was read last: an expression, then the expressions in it.
    pub tree: Vec<Expression>,
}

impl<'a> Expressions<'a> {
    pub fn new(text: &'a str) -> Expressions<'a> {
        Expressions { text, tokens: ExpressionKind::lexer(text), tree: Vec::new() }
    }

    /// Reads the next command, a list that begins with its name, into [`Self::tree`]; `false` at the end of the text.
    ///
    /// # Errors
    /// A word that is no token, a parenthesis without its partner, no command, or a command inside a command.
    pub fn read(&mut self) -> Result<bool, Box<Diagnostic>> {
        self.tree.clear();
        let mut open: Vec<ExpressionId> = Vec::new();
        loop {
            let last = Span::new(self.tokens.span().end, self.tokens.span().end);
            let Some((kind, span)) = self.token()? else {
                return match open.first() {
                    None => Ok(false),
                    Some(&command) => Err(syntax(last, "the text ends inside a command")
                        .help("close the open parentheses")
                        .related(self.opening(command), "this command has no end")
                        .into()),
                };
            };
            let rule = match (self.tree.len(), kind) {
                (0, ExpressionKind::List) | (1, ExpressionKind::Command) => None,
                (0, _) => Some("a command stands between parentheses"),
                (1, _) => Some("the name of a command stands here"),
                (_, ExpressionKind::Command) => Some("no command stands inside another: close the parentheses before it"),
                _ => None,
            };
            if let Some(rule) = rule {
                let found = unexpected(self.text, span).help(rule);
                return Err(match open.first() {
                    Some(&command) => found.related(self.opening(command), "the command begins here"),
                    None => found,
                }
                .into());
            }
            if kind == ExpressionKind::Close {
                let list = open.pop().ok_or_else(|| unexpected(self.text, span))?;
                self.tree[list].next = self.tree.len();
                self.tree[list].span.end = span.end;
            } else {
                if kind == ExpressionKind::List {
                    open.push(self.tree.len());
                }
                self.tree.push(Expression { kind, span, next: self.tree.len() + 1 });
            }
            if open.is_empty() {
                return Ok(true);
            }
        }
    }

    /// The text of an expression.
    pub fn text(&self, id: ExpressionId) -> &'a str {
        self.tree[id].span.text(self.text)
    }

    /// The name that a symbol is written for: without its bars.
    pub fn symbol(&self, id: ExpressionId) -> &'a str {
        bare(self.text(id))
    }

    /// What a string says: without the quotes around it, and with those in it as they are.
    pub fn string(&self, id: ExpressionId) -> String {
        let text = self.text(id);
        text.get(1..text.len() - 1).unwrap_or("").replace("\"\"", "\"")
    }

    /// That this expression, or the parenthesis before it, stands where something else must.
    pub fn unexpected(&self, id: ExpressionId) -> Diagnostic {
        match self.tree[id].kind {
            ExpressionKind::List => unexpected(self.text, self.opening(id)),
            _ => unexpected(self.text, self.tree[id].span),
        }
    }

    /// That this list ends where something must follow.
    pub fn unexpected_end(&self, list: ExpressionId) -> Diagnostic {
        let end = self.tree[list].span.end as usize;
        unexpected(self.text, Span::new(end.saturating_sub(1), end))
    }

    fn opening(&self, list: ExpressionId) -> Span {
        let start = self.tree[list].span.start as usize;
        Span::new(start, start + 1)
    }

    fn token(&mut self) -> Result<Option<(ExpressionKind, Span)>, Box<Diagnostic>> {
        let Some(kind) = self.tokens.next() else { return Ok(None) };
        let range = self.tokens.span();
        let span = Span::new(range.start, range.end);
        let ends = self.tokens.remainder().chars().next().is_none_or(delimits);
        let text = self.tokens.slice();
        Ok(Some(match kind {
            Ok(kind @ (ExpressionKind::List | ExpressionKind::Close)) => (kind, span),
            Ok(ExpressionKind::Symbol) if ends => (word(bare(text)).unwrap_or(ExpressionKind::Symbol), span),
            // A keyword is a colon and a symbol.
            Ok(ExpressionKind::Keyword) if matches!(word(&text[1..]), Some(ExpressionKind::Reserved | ExpressionKind::Command)) => {
                return Err(self.no_token(range.start));
            }
            Ok(kind) if ends => (kind, span),
            _ => return Err(self.no_token(range.start)),
        }))
    }

    /// That no token begins here. The span reaches to where the next one can begin, for a string and for bars to the end of the text.
    fn no_token(&self, start: usize) -> Box<Diagnostic> {
        let rest = &self.text[start..];
        let until = |closing: char, help: &str| match rest[1..].find(closing) {
            Some(_) => (rest.find(delimits), None),
            None => (None, Some(help.to_owned())),
        };
        let (end, help) = match rest.chars().next() {
            Some('"') => until('"', "close the string with `\"`; a quote in a string is written twice"),
            Some('|') => until('|', "close the symbol with `|`"),
            _ => (rest.find(delimits), None),
        };
        let end = end.map_or(self.text.len(), |length| start + length);
        let excerpt: String = self.text[start..end].chars().take(20).collect();
        let found = syntax(Span::new(start, end), format!("`{excerpt}` is not a token of SMT-LIB"));
        Box::new(match help {
            Some(help) => found.help(help),
            None => found,
        })
    }
}

/// Whether a token ends before this character.
fn delimits(character: char) -> bool {
    character.is_ascii_whitespace() || "();".contains(character)
}

fn bare(symbol: &str) -> &str {
    symbol.strip_prefix('|').and_then(|inner| inner.strip_suffix('|')).unwrap_or(symbol)
}

/// The kind of a word that is no symbol.
fn word(text: &str) -> Option<ExpressionKind> {
    match text {
        "true" => Some(ExpressionKind::True),
        "false" => Some(ExpressionKind::False),
        _ if RESERVED.contains(&text) => Some(ExpressionKind::Reserved),
        _ if COMMANDS.contains(&text) => Some(ExpressionKind::Command),
        _ => None,
    }
}

pub fn syntax(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("smtlib-syntax", span, message)
}

fn unexpected(text: &str, span: Span) -> Diagnostic {
    syntax(span, format!("unexpected `{}`", span.text(text)))
}
