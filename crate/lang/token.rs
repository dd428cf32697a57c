//! Text to tokens.
//!
//! The scanner never fails: what is no token of C is reported here and becomes [`Kind::Unknown`], about which the parser
//! is silent. Line ends are kept as
//! [`Kind::Newline`] for the preprocessor, which takes them out.

use crate::source::{Diagnostic, Span};
use logos::{FilterResult, Logos};

/// A token: its kind, where it is shown, and where its letters stand. The two places differ for what comes out of a
/// macro: it is shown at the macro's use but spelt in its definition.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: Kind,
    pub span: Span,
    pub spelling: Span,
}

/// What a token is. Numbers are preprocessing numbers in C's sense; the parser reads their value.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\x0b\x0c\u{FEFF}]+")]
#[logos(skip r"\\\r?\n")]
pub enum Kind {
    #[token("\n")]
    Newline,
    #[token("//", line_comment)]
    #[token("/*", block_comment)]
    UnterminatedComment,
    #[regex(r"[A-Za-z_$][A-Za-z_$0-9]*")]
    Ident,
    #[regex(r"\.?[0-9]([eEpP][+-]|[0-9a-zA-Z_.])*")]
    Number,
    #[regex(r"'([^'\\\n]|\\[^\n])*'")]
    Char,
    #[regex(r#""([^"\\\n]|\\\r?\n|\\[^\n])*""#)]
    Str,
    #[token("'")]
    #[token("\"")]
    Quote,

    #[token("#")]
    Hash,
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token(";")]
    Semi,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("?")]
    Question,
    #[token("=")]
    Assign,
    #[token("+=")]
    PlusAssign,
    #[token("-=")]
    MinusAssign,
    #[token("*=")]
    StarAssign,
    #[token("/=")]
    SlashAssign,
    #[token("%=")]
    PercentAssign,
    /// `&=`, `|=`, `^=`, `<<=`, `>>=`.
    #[token("&=")]
    #[token("|=")]
    #[token("^=")]
    #[token("<<=")]
    #[token(">>=")]
    BitAssign,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("++")]
    PlusPlus,
    #[token("--")]
    MinusMinus,
    #[token("!")]
    Not,
    #[token("&&")]
    AndAnd,
    #[token("||")]
    OrOr,
    #[token("<")]
    Lt,
    #[token("<=")]
    Le,
    #[token(">")]
    Gt,
    #[token(">=")]
    Ge,
    #[token("==")]
    EqEq,
    #[token("!=")]
    Ne,
    #[token("&")]
    Amp,
    #[token("|")]
    Pipe,
    #[token("^")]
    Caret,
    #[token("~")]
    Tilde,
    #[token("<<")]
    #[token(">>")]
    Shift,
    #[token(".")]
    #[token("->")]
    Member,
    #[token("...")]
    Ellipsis,

    #[token("if")]
    If,
    #[token("else")]
    Else,
    #[token("while")]
    While,
    #[token("for")]
    For,
    #[token("do")]
    Do,
    #[token("break")]
    Break,
    #[token("continue")]
    Continue,
    #[token("return")]
    Return,
    #[token("goto")]
    Goto,
    #[token("switch")]
    Switch,
    #[token("case")]
    Case,
    #[token("default")]
    Default,
    #[token("sizeof")]
    Sizeof,
    #[token("typedef")]
    Typedef,
    #[token("extern")]
    Extern,
    #[token("static")]
    Static,
    /// Qualifiers that mean nothing here.
    #[token("const")]
    #[token("volatile")]
    #[token("register")]
    #[token("auto")]
    #[token("inline")]
    #[token("__inline")]
    #[token("__inline__")]
    #[token("restrict")]
    #[token("__extension__")]
    #[token("_Noreturn")]
    Qualifier,
    #[token("__attribute__")]
    #[token("__attribute")]
    Attribute,
    #[token("int")]
    Int,
    #[token("long")]
    Long,
    #[token("short")]
    Short,
    #[token("char")]
    CharType,
    #[token("signed")]
    Signed,
    #[token("void")]
    Void,
    #[token("unsigned")]
    Unsigned,
    #[token("float")]
    #[token("double")]
    Float,
    #[token("_Bool")]
    #[token("bool")]
    Bool,
    #[token("struct")]
    #[token("union")]
    Struct,
    #[token("enum")]
    Enum,

    Unknown,
    Eof,
}

impl Kind {
    /// Whether a declaration can start with it.
    pub fn starts_type(self) -> bool {
        use Kind::{
            Attribute, Bool, CharType, Enum, Extern, Float, Int, Long, Qualifier, Short, Signed, Static, Struct, Typedef, Unsigned, Void,
        };
        matches!(
            self,
            Int | Long
                | Short
                | CharType
                | Signed
                | Void
                | Unsigned
                | Float
                | Bool
                | Struct
                | Enum
                | Qualifier
                | Static
                | Extern
                | Typedef
                | Attribute
        )
    }

    /// Whether it is a word that only a statement can start with.
    pub fn starts_statement(self) -> bool {
        use Kind::{Break, Case, Continue, Default, Do, Else, For, Goto, If, Return, Switch, While};
        matches!(self, If | Else | While | For | Do | Break | Continue | Return | Goto | Switch | Case | Default)
    }
}

/// Words that a misspelt identifier may stand for, with their kind.
pub const KEYWORDS: [(&str, Kind); 13] = [
    ("if", Kind::If),
    ("else", Kind::Else),
    ("while", Kind::While),
    ("for", Kind::For),
    ("do", Kind::Do),
    ("break", Kind::Break),
    ("continue", Kind::Continue),
    ("return", Kind::Return),
    ("goto", Kind::Goto),
    ("int", Kind::Int),
    ("char", Kind::CharType),
    ("void", Kind::Void),
    ("const", Kind::Qualifier),
];

/// Up to the line's end; a backslash there continues the comment.
fn line_comment(lexer: &mut logos::Lexer<'_, Kind>) -> FilterResult<(), ()> {
    let rest = lexer.remainder();
    let mut end = 0;
    loop {
        match rest[end..].find('\n') {
            None => {
                end = rest.len();
                break;
            }
            Some(at) => {
                end += at;
                if !rest[..end].trim_end_matches('\r').ends_with('\\') {
                    break;
                }
                end += 1;
            }
        }
    }
    lexer.bump(end);
    FilterResult::Skip
}

fn block_comment(lexer: &mut logos::Lexer<'_, Kind>) -> FilterResult<(), ()> {
    match lexer.remainder().find("*/") {
        Some(at) => {
            lexer.bump(at + 2);
            FilterResult::Skip
        }
        None => {
            lexer.bump(lexer.remainder().len());
            FilterResult::Emit(())
        }
    }
}

/// All tokens of `source` in order (without an end marker); what cannot be read is reported and left out.
pub fn scan(source: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    // Neighbouring unreadable characters make one message.
    let mut unknown: Option<Span> = None;
    // After an opening quote without its partner the rest of the line is no code.
    let mut broken_line = false;
    for (result, range) in Kind::lexer(source).spanned() {
        let span = Span::new(range.start, range.end);
        let kind = result.unwrap_or(Kind::Unknown);
        if broken_line && kind != Kind::Newline {
            continue;
        }
        broken_line = false;
        if kind == Kind::Unknown {
            unknown = match unknown {
                Some(before) if before.end == span.start => Some(before.to(span)),
                before => {
                    report_unknown(source, before, diagnostics);
                    tokens.push(Token { kind, span, spelling: span });
                    Some(span)
                }
            };
            continue;
        }
        match kind {
            Kind::UnterminatedComment => diagnostics.push(
                Diagnostic::error("unterminated-comment", Span::new(range.start, range.start + 2), "this comment is never closed")
                    .label("opened here")
                    .help("close it with `*/`"),
            ),
            Kind::Quote => {
                broken_line = true;
                let single = span.text(source) == "'";
                let (what, quote) = if single { ("character constant", '\'') } else { ("string", '"') };
                diagnostics.push(
                    Diagnostic::error("unterminated-literal", span, format!("this {what} is never closed"))
                        .label("opened here")
                        .help(format!("close it with `{quote}` on the same line")),
                );
                tokens.push(Token { kind: Kind::Unknown, span, spelling: span });
            }
            _ => tokens.push(Token { kind, span, spelling: span }),
        }
    }
    report_unknown(source, unknown, diagnostics);
    tokens
}

fn report_unknown(source: &str, span: Option<Span>, diagnostics: &mut Vec<Diagnostic>) {
    let Some(span) = span else { return };
    let text: String = span.text(source).chars().take(8).flat_map(char::escape_debug).collect();
    diagnostics.push(Diagnostic::error("unknown-character", span, format!("`{text}` means nothing in C")).help("remove it"));
}
