//! Tokens to the syntax tree: recursive descent for declarations and statements, precedence climbing for expressions.
//!
//! Recovery: a syntax error puts the parser into a *panic* in which it stays silent until it has passed the next `;`
//! or brace, so one slip gives one message. A construct outside the subset is reported once and left out as a whole;
//! the names it mentions are *poisoned*, so that later uses give no second message. Nesting is counted in every
//! recursive function; nothing recurses beyond [`super::ast::MAX_NESTING`].

mod block;
mod declaration;
mod expansion;
mod expression;
mod interrupt;
mod literal;
mod parameter;
mod special;
mod statement;
mod structure;
mod types;

use super::annotations;
use super::ast::{DeclId, Enumerator, Function, Layout, MAX_NESTING, Name, Program, Prototype, Qualifiers, Struct};
use super::remarks::Oversized;
use super::token::{Kind, Token, WORDS};
use super::types::Abi;
use crate::logic::{SortedMap, SortedSet};
use crate::source::{Diagnostic, Span};

/// What the parser found.
pub struct ParseTree {
    pub functions: Vec<Function>,
    pub prototypes: Vec<Prototype>,
    pub globals: Vec<super::ast::Declarator>,
    /// The constants of enumerations outside of functions.
    pub enumerators: Vec<Enumerator>,
    /// How many enumerations there are.
    pub enumerations: u32,
    pub structs: Vec<Struct>,
    /// See [`Program::interrupts`].
    pub interrupts: Vec<String>,
    /// What the program says of its integers; see [`Program::unbounded`].
    pub unbounded: Option<bool>,
    /// The target.
    pub abi: Abi,
    /// Integer constants that fit no type.
    pub oversized: Vec<Oversized>,
    /// The braces do not match: the parser may have misread what follows the mismatch, so no later stage should speak of it.
    pub unbalanced: bool,
    /// The functions that give pointers to volatile objects back.
    pub volatile_results: SortedMap<String, Qualifiers>,
}

impl ParseTree {
    /// The tree as a program; the checker fills in the declarations.
    pub fn into_program(self) -> Program {
        Program {
            functions: self.functions.into(),
            prototypes: self.prototypes,
            decls: Vec::new(),
            structs: self.structs,
            strings: Vec::new(),
            enumerations: vec![Vec::new(); self.enumerations as usize],
            addressed: Vec::new(),
            interrupts: self.interrupts,
            pointed: Vec::new(),
            unbounded: self.unbounded,
            abi: self.abi,
            oversized: self.oversized,
            refused: Vec::new(),
            headers: Vec::new(),
            nodes: crate::lang::ast::NodeNumbers::default(),
        }
    }
}

/// Parses a preprocessed token stream that ends with [`Kind::Eof`], for a target.
pub fn parse<'s>(
    source: &'s str,
    abi: Abi,
    tokens: Vec<Token>,
    diagnostics: &mut Vec<Diagnostic>,
    poisoned: &mut SortedSet<&'s str>,
) -> ParseTree {
    let mut parser = Parser::new(source, abi, tokens, diagnostics, poisoned);
    if parser.in_block_language() {
        parser.tree.unbounded = Some(true);
        parser.procedures();
    } else {
        parser.translation_unit();
        parser.tree.interrupts = parser.interrupts();
    }
    parser.tree
}

/// Whether a preprocessed token stream is in the block language.
pub fn is_block_language(source: &str, tokens: &[Token]) -> bool {
    let first = tokens.iter().take(2).copied().collect();
    Parser::new(source, Abi::default(), first, &mut Vec::new(), &mut SortedSet::new()).in_block_language()
}

/// Tokens that are looked at ahead for a closing parenthesis: enough for any header, and time stays linear.
const MAX_LOOKAHEAD: usize = 200;

/// A placeholder until the checker gives every declaration its number.
const NO_DECL: DeclId = DeclId(u32::MAX);

/// What was read and belongs to the declaration around it.
#[derive(Default)]
struct Pending {
    /// Constants of enumerations, and static assertions.
    enumerators: Vec<Enumerator>,
    /// The `...` of the parameters that were read last.
    variadic: Option<Span>,
    /// What attributes say of the layout.
    layout: Layout,
}

struct Parser<'s, 'd> {
    source: &'s str,
    tokens: Vec<Token>,
    at: usize,
    diagnostics: &'d mut Vec<Diagnostic>,
    poisoned: &'d mut SortedSet<&'s str>,
    panicking: bool,
    nesting: u32,
    /// The open braces, outermost first.
    braces: Vec<Span>,
    /// The first block whose closing brace stands left of the line that opened it: the likely culprit if a brace is
    /// missing at the end.
    suspicious: Option<Span>,
    /// A function begins inside another: leave all open blocks.
    abandoned: bool,
    /// Whether nesting beyond the bound was reported.
    too_deep: bool,
    line_starts: Vec<u32>,
    /// Names that are types, outermost first.
    scopes: Vec<types::TypeScope>,
    pending: Pending,
    tree: ParseTree,
}

impl<'s, 'd> Parser<'s, 'd> {
    fn new(
        source: &'s str,
        abi: Abi,
        tokens: Vec<Token>,
        diagnostics: &'d mut Vec<Diagnostic>,
        poisoned: &'d mut SortedSet<&'s str>,
    ) -> Parser<'s, 'd> {
        Parser {
            source,
            tokens,
            at: 0,
            diagnostics,
            poisoned,
            panicking: false,
            nesting: 0,
            braces: Vec::new(),
            suspicious: None,
            abandoned: false,
            too_deep: false,
            line_starts: std::iter::once(0).chain(source.bytes().zip(1..).filter(|&(b, _)| b == b'\n').map(|(_, i)| i)).collect(),
            scopes: vec![types::TypeScope::default()],
            pending: Pending::default(),
            tree: ParseTree {
                functions: Vec::new(),
                prototypes: Vec::new(),
                globals: Vec::new(),
                enumerators: Vec::new(),
                enumerations: 0,
                structs: Vec::new(),
                interrupts: Vec::new(),
                unbounded: None,
                abi,
                oversized: Vec::new(),
                unbalanced: false,
                volatile_results: SortedMap::new(),
            },
        }
    }

    // Looking and moving

    fn token(&self) -> Token {
        self.peek(0)
    }

    fn peek(&self, ahead: usize) -> Token {
        let end = Token { kind: Kind::Eof, span: Span::default(), spelling: Span::default() };
        *self.tokens.get(self.at + ahead).or(self.tokens.last()).unwrap_or(&end)
    }

    fn kind(&self) -> Kind {
        self.token().kind
    }

    fn text(&self, token: Token) -> &'s str {
        self.source.get(token.spelling.start as usize..token.spelling.end as usize).unwrap_or("")
    }

    /// The token before the current one; at the start an empty span there.
    fn previous(&self) -> Span {
        match self.at.checked_sub(1).and_then(|i| self.tokens.get(i)) {
            Some(token) => token.span,
            None => Span::default(),
        }
    }

    /// Steps over the current token. Passing a `;` or a brace ends a panic.
    fn bump(&mut self) -> Token {
        let token = self.token();
        if matches!(token.kind, Kind::Semi | Kind::LBrace | Kind::RBrace) {
            self.panicking = false;
        }
        if token.kind != Kind::Eof {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: Kind) -> Option<Token> {
        (self.kind() == kind).then(|| self.bump())
    }

    fn at_any(&self, kinds: &[Kind]) -> bool {
        kinds.contains(&self.kind())
    }

    fn name(&self, token: Token) -> Name {
        Name { text: self.text(token).to_string(), span: token.span, decl: None }
    }

    /// The current token as it is called in messages.
    fn found(&self) -> String {
        match self.kind() {
            Kind::Eof => "the end of the text".into(),
            _ => format!("`{}`", shorten(self.text(self.token()))),
        }
    }

    // Messages

    /// Reports a construct outside the subset; the caller skips it.
    fn refuse(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports a syntax error, unless the parser is still in a panic.
    fn syntax_error(&mut self, diagnostic: Diagnostic) {
        // An unreadable character was reported by the scanner.
        if !self.panicking && self.kind() != Kind::Unknown {
            self.diagnostics.push(diagnostic);
        }
        self.panicking = true;
    }

    /// `expected …, found …` at the current token.
    fn unexpected(&mut self, expected: &str) {
        let span = self.token().span;
        let message = format!("expected {expected}, found {}", self.found());
        self.syntax_error(Diagnostic::error("syntax", span, message).label(format!("expected {expected}")));
    }

    /// Steps over `kind` or says that it is missing, just after the token before.
    fn expect(&mut self, kind: Kind, what: &str, code: &'static str) -> bool {
        if self.eat(kind).is_some() {
            return true;
        }
        let end = self.previous().end;
        let message = format!("expected {what}, found {}", self.found());
        self.syntax_error(Diagnostic::error(code, Span { start: end, end }, message).label(format!("{what} is missing here")));
        false
    }

    /// Steps over a closing parenthesis or bracket; `open` is shown where it is missing.
    fn close(&mut self, kind: Kind, open: Span) {
        if self.eat(kind).is_some() {
            return;
        }
        let what = if kind == Kind::RParen { "`)`" } else { "`]`" };
        let end = self.previous().end;
        let message = format!("expected {what}, found {}", self.found());
        self.syntax_error(
            Diagnostic::error("unclosed", Span { start: end, end }, message)
                .label(format!("{what} is missing here"))
                .related(open, "opened here"),
        );
    }

    // Recovery

    /// Counts one level of nesting; says so where it is too deep and gives back false. [`Parser::leave`] ends it.
    fn enter(&mut self) -> bool {
        self.nesting += 1;
        if self.nesting <= MAX_NESTING {
            return true;
        }
        self.nested_too_deep();
        false
    }

    /// Refuses what stands here because of its nesting.
    fn nested_too_deep(&mut self) {
        let span = self.token().span;
        if std::mem::replace(&mut self.too_deep, true) {
            // Once for a text is enough.
            self.panicking = true;
            return;
        }
        self.syntax_error(
            Diagnostic::error("nesting-too-deep", span, format!("this is nested more than {MAX_NESTING} levels deep"))
                .help("split it into functions or several statements"),
        );
    }

    fn leave(&mut self) {
        self.nesting = self.nesting.saturating_sub(1);
    }

    /// Skips to the end of a broken statement: past a `;`, or in front of a brace or of a word that starts a statement.
    fn recover(&mut self) {
        let mut depth = 0u32;
        loop {
            let kind = self.kind();
            match kind {
                Kind::Eof | Kind::LBrace | Kind::RBrace => break,
                Kind::Semi if depth == 0 => {
                    self.bump();
                    break;
                }
                Kind::LParen => depth += 1,
                Kind::RParen => depth = depth.saturating_sub(1),
                _ if kind.starts_statement() => break,
                _ => {}
            }
            // A `;` inside parentheses is a `for`'s; passing it must not end the panic.
            self.at += 1;
        }
        self.panicking = false;
    }

    /// Steps over the balanced brackets that start here (of any kind), poisoning the names inside; false if they never end.
    fn skip_balanced(&mut self) -> bool {
        let mut depth = 0u32;
        loop {
            let token = self.token();
            match token.kind {
                Kind::Eof => return false,
                Kind::LParen | Kind::LBracket | Kind::LBrace => depth += 1,
                Kind::RParen | Kind::RBracket | Kind::RBrace => depth = depth.saturating_sub(1),
                Kind::Ident => {
                    self.poisoned.insert(self.text(token));
                }
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return true;
            }
        }
    }

    /// Skips a declaration outside the subset: past its `;`, or past the body if it is a function.
    fn skip_declaration(&mut self) {
        let mut before = Kind::Eof;
        // `f(a) int a; { … }`: the parameters' types stand between the parentheses and the body.
        let mut old_style = false;
        loop {
            let token = self.token();
            old_style |= before == Kind::RParen && token.kind != Kind::Attribute && (token.kind.starts_type() || token.kind == Kind::Ident);
            match token.kind {
                Kind::Eof | Kind::RBrace => break,
                Kind::Semi if old_style => self.at += 1,
                Kind::Semi => {
                    self.bump();
                    break;
                }
                Kind::LBrace => {
                    let open = token.span;
                    if !self.skip_balanced() {
                        self.missing_brace(open);
                        break;
                    }
                    if before == Kind::RParen || old_style {
                        break;
                    }
                }
                Kind::LParen | Kind::LBracket => {
                    self.skip_balanced();
                }
                Kind::Ident => {
                    self.poisoned.insert(self.text(token));
                    self.at += 1;
                }
                _ => self.at += 1,
            }
            before = self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(Kind::Eof, |t| t.kind);
        }
        self.panicking = false;
    }

    /// Steps over `__attribute__((…))`.
    fn skip_attributes(&mut self) {
        while let Some(word) = self.eat(Kind::Attribute) {
            if self.text(word).ends_with("lignas") {
                self.pending.layout = Layout::Unknown;
            }
            if self.kind() == Kind::LParen {
                let mut depth = 0u32;
                while self.kind() != Kind::Eof {
                    let token = self.bump();
                    match token.kind {
                        Kind::Ident => {
                            let layout = annotations::layout(self.text(token));
                            self.pending.layout = self.pending.layout.max(layout);
                        }
                        Kind::LParen => depth += 1,
                        Kind::RParen => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        break;
                    }
                }
            }
        }
    }

    /// The position of the token after the balanced parentheses that open `ahead` of here.
    fn after_parens(&self, ahead: usize) -> usize {
        let mut depth = 0u32;
        let mut i = ahead;
        loop {
            match self.peek(i).kind {
                Kind::Eof => return i,
                Kind::LParen => depth += 1,
                Kind::RParen => depth = depth.saturating_sub(1),
                _ => {}
            }
            i += 1;
            if depth == 0 || i > ahead + MAX_LOOKAHEAD {
                return i;
            }
        }
    }

    fn missing_brace(&mut self, open: Span) {
        self.tree.unbalanced = true;
        // An open comment or string has swallowed the brace.
        if self.diagnostics.iter().any(|d| d.code == "unterminated-comment" || d.code == "unterminated-literal") {
            return;
        }
        let end = self.previous().end;
        let mut diagnostic = Diagnostic::error("missing-brace", Span { start: end, end }, "a closing brace `}` is missing")
            .label("the text ends inside a block")
            .related(open, "this brace is never closed");
        if let Some(span) = self.suspicious.filter(|&s| s != open) {
            diagnostic = diagnostic.related(span, "by its indentation this may be the one that lacks its partner");
        }
        self.syntax_error(diagnostic);
    }

    /// Where the line of `span` starts.
    fn line_start(&self, span: Span) -> u32 {
        let line = self.line_starts.partition_point(|&start| start <= span.start);
        line.checked_sub(1).and_then(|i| self.line_starts.get(i)).copied().unwrap_or(0)
    }

    /// The columns by which the line of `span` is indented.
    fn indentation(&self, span: Span) -> usize {
        let line = self.source.get(self.line_start(span) as usize..).unwrap_or("");
        line.bytes().take_while(|b| matches!(b, b' ' | b'\t')).count()
    }

    /// Whether only blanks stand before `span` on its line.
    fn first_on_line(&self, span: Span) -> bool {
        self.line_start(span) as usize + self.indentation(span) == span.start as usize
    }

    /// Takes a misspelt keyword for the word it resembles (and says so), where the current identifier cannot start
    /// anything else.
    fn correct_keyword(&mut self, allowed: &[Kind]) -> bool {
        let token = self.token();
        let text = self.text(token);
        let candidates = WORDS.iter().filter(|(_, kind)| allowed.contains(kind)).map(|&(word, _)| word);
        let Some(word) = super::suggest::closest(text, candidates) else { return false };
        let Some(&(_, kind)) = WORDS.iter().find(|(w, _)| *w == word) else { return false };
        self.syntax_error(
            Diagnostic::error("misspelt-keyword", token.span, format!("`{}` is not a keyword", shorten(text)))
                .help(format!("did you mean `{word}`?")),
        );
        self.panicking = false;
        if let Some(token) = self.tokens.get_mut(self.at) {
            token.kind = kind;
        }
        true
    }
}

/// Long spellings cut for messages.
fn shorten(text: &str) -> String {
    if text.chars().count() <= 40 { text.to_string() } else { text.chars().take(37).chain("...".chars()).collect() }
}
