//! Text to tokens.
//!
//! The scanner never fails: it reports what is no token of C and makes it [`Kind::Unknown`], about which the parser is
//! silent. It keeps line ends as [`Kind::Newline`] for the preprocessor, which takes them out. It first joins the lines that
//! end with a backslash, as in C; a token that such a join has put together has its letters after the text.
//!
//! Identifiers are letters and digits of any script, `_` and `$`.

mod splice;

use crate::source::files::{FileMark, MARK};
use crate::source::{Diagnostic, Span, bytes};
use logos::{FilterResult, Logos};
use splice::Spliced;
pub use splice::only_splices;

/// A token: its kind, the span that messages show, and where its letters stand. The two differ for what comes out of a
/// macro: messages show the macro's use, the letters stand in its definition.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: Kind,
    pub span: Span,
    pub spelling: Span,
}

/// What a token is. Numbers are preprocessing numbers in C's sense; the parser reads their value.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\x0b\x0c\u{FEFF}]+")]
pub enum Kind {
    #[token("\n")]
    Newline,
    /// See [`crate::source::files`].
    #[token("\u{1c}", rest_of_line)]
    FileMark,
    #[token("//", line_comment)]
    #[token("/*", block_comment)]
    UnterminatedComment,
    // Letters outside ASCII are looked at one by one afterwards; U+FEFF is a blank.
    #[regex(r"[A-Za-z_$\u{80}-\u{FEFE}\u{FF00}-\u{10FFFF}][A-Za-z_$0-9\u{80}-\u{FEFE}\u{FF00}-\u{10FFFF}]*")]
    Ident,
    #[regex(r"\.?[0-9]([eEpP][+-]|[0-9a-zA-Z_.])*")]
    Number,
    #[regex(r"(u8|u|U|L)?'([^'\\\n]|\\[^\n])*'")]
    Char,
    #[regex(r#"(u8|u|U|L)?"([^"\\\n]|\\[^\n])*""#)]
    Str,
    #[token("'")]
    #[token("\"")]
    Quote,

    #[token("#")]
    #[token("%:")]
    Hash,
    /// Means something to the preprocessor only.
    #[token("##")]
    #[token("%:%:")]
    HashHash,
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("[")]
    #[token("<:")]
    LBracket,
    #[token("]")]
    #[token(":>")]
    RBracket,
    #[token("{")]
    #[token("<%")]
    LBrace,
    #[token("}")]
    #[token("%>")]
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

    // The words stand in [`WORDS`]: tried letter by letter by the scanner they weighed 2 KB of brotli in the page.
    If,
    Else,
    While,
    For,
    Do,
    Break,
    Continue,
    Return,
    Goto,
    Switch,
    Case,
    Default,
    Sizeof,
    Typedef,
    Extern,
    Static,
    /// Qualifiers; all but `const` and `volatile` mean nothing here.
    Qualifier,
    Attribute,
    Int,
    Long,
    Short,
    CharType,
    Signed,
    Void,
    Unsigned,
    Float,
    /// A type of integers that is not known here.
    Wide,
    Bool,
    Struct,
    Enum,
    Typeof,
    StaticAssert,

    Unknown,
    Eof,
}

impl Kind {
    /// Whether it is an assignment operator.
    pub fn assigns(self) -> bool {
        use Kind::{Assign, BitAssign, MinusAssign, PercentAssign, PlusAssign, SlashAssign, StarAssign};
        matches!(self, Assign | PlusAssign | MinusAssign | StarAssign | SlashAssign | PercentAssign | BitAssign)
    }

    /// Whether it is an opening bracket of any kind.
    pub fn opens(self) -> bool {
        matches!(self, Kind::LParen | Kind::LBracket | Kind::LBrace)
    }

    /// Whether it is a closing bracket of any kind.
    pub fn closes(self) -> bool {
        matches!(self, Kind::RParen | Kind::RBracket | Kind::RBrace)
    }

    /// Whether a declaration can start with it.
    pub fn starts_type(self) -> bool {
        use Kind::{
            Attribute, Bool, CharType, Enum, Extern, Float, Int, Long, Qualifier, Short, Signed, Static, Struct, Typedef, Typeof, Unsigned,
            Void, Wide,
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
                | Wide
                | Bool
                | Struct
                | Enum
                | Typeof
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

/// The words of the language in order, with their kinds.
pub const WORDS: [(&str, Kind); 67] = [
    ("_Alignas", Kind::Attribute),
    ("_Alignof", Kind::Sizeof),
    ("_Atomic", Kind::Qualifier),
    ("_BitInt", Kind::Wide),
    ("_Bool", Kind::Bool),
    ("_Noreturn", Kind::Qualifier),
    ("_Static_assert", Kind::StaticAssert),
    ("_Thread_local", Kind::Qualifier),
    ("__alignof", Kind::Sizeof),
    ("__alignof__", Kind::Sizeof),
    ("__attribute", Kind::Attribute),
    ("__attribute__", Kind::Attribute),
    ("__auto_type", Kind::Typeof),
    ("__const", Kind::Qualifier),
    ("__const__", Kind::Qualifier),
    ("__extension__", Kind::Qualifier),
    ("__inline", Kind::Qualifier),
    ("__inline__", Kind::Qualifier),
    ("__int128", Kind::Wide),
    ("__restrict", Kind::Qualifier),
    ("__restrict__", Kind::Qualifier),
    ("__signed", Kind::Signed),
    ("__signed__", Kind::Signed),
    ("__thread", Kind::Qualifier),
    ("__typeof", Kind::Typeof),
    ("__typeof__", Kind::Typeof),
    ("__volatile", Kind::Qualifier),
    ("__volatile__", Kind::Qualifier),
    ("alignas", Kind::Attribute),
    ("alignof", Kind::Sizeof),
    ("auto", Kind::Qualifier),
    ("break", Kind::Break),
    ("case", Kind::Case),
    ("char", Kind::CharType),
    ("const", Kind::Qualifier),
    ("continue", Kind::Continue),
    ("default", Kind::Default),
    ("do", Kind::Do),
    ("double", Kind::Float),
    ("else", Kind::Else),
    ("enum", Kind::Enum),
    ("extern", Kind::Extern),
    ("float", Kind::Float),
    ("for", Kind::For),
    ("goto", Kind::Goto),
    ("if", Kind::If),
    ("inline", Kind::Qualifier),
    ("int", Kind::Int),
    ("long", Kind::Long),
    ("register", Kind::Qualifier),
    ("restrict", Kind::Qualifier),
    ("return", Kind::Return),
    ("short", Kind::Short),
    ("signed", Kind::Signed),
    ("sizeof", Kind::Sizeof),
    ("static", Kind::Static),
    ("static_assert", Kind::StaticAssert),
    ("struct", Kind::Struct),
    ("switch", Kind::Switch),
    ("thread_local", Kind::Qualifier),
    ("typedef", Kind::Typedef),
    ("typeof", Kind::Typeof),
    ("union", Kind::Struct),
    ("unsigned", Kind::Unsigned),
    ("void", Kind::Void),
    ("volatile", Kind::Qualifier),
    ("while", Kind::While),
];

/// What kind of token a word is: a keyword, or an identifier.
fn word(text: &str) -> Kind {
    WORDS.binary_search_by_key(&text, |&(word, _)| word).map_or(Kind::Ident, |at| WORDS[at].1)
}

fn rest_of_line(lexer: &mut logos::Lexer<'_, Kind>) {
    let rest = lexer.remainder();
    lexer.bump(rest.find('\n').unwrap_or(rest.len()));
}

fn line_comment(lexer: &mut logos::Lexer<'_, Kind>) -> FilterResult<(), ()> {
    rest_of_line(lexer);
    FilterResult::Skip
}

fn block_comment(lexer: &mut logos::Lexer<'_, Kind>) -> FilterResult<(), ()> {
    // A comment ends with its file.
    let rest = lexer.remainder();
    let file = rest.find(MARK).map_or(rest, |end| &rest[..end]);
    match file.find("*/") {
        Some(at) => {
            lexer.bump(at + 2);
            FilterResult::Skip
        }
        None => {
            lexer.bump(file.len());
            FilterResult::Emit(())
        }
    }
}

/// The kind of the one token that `text` is; `None` if it is none or several.
pub fn single(text: &str) -> Option<Kind> {
    let mut lexer = Kind::lexer(text);
    let kind = lexer.next()?.ok()?;
    match kind {
        Kind::Ident => (identifier(text) == text.len()).then(|| word(text)),
        Kind::Newline | Kind::FileMark | Kind::UnterminatedComment | Kind::Quote => None,
        _ => (lexer.span() == (0..text.len())).then_some(kind),
    }
}

/// How many bytes at the start of `text` are an identifier.
fn identifier(text: &str) -> usize {
    let belongs = |(at, c): (usize, char)| match c {
        '_' | '$' => true,
        // The standard library's tables: those of identifiers (XID) weigh 10 KB more in the page.
        _ if at == 0 => c.is_alphabetic(),
        _ => c.is_alphanumeric(),
    };
    text.char_indices().find(|&c| !belongs(c)).map_or(text.len(), |(at, _)| at)
}

/// All tokens of `text` in order (without an end marker). The scanner reports what it cannot read and leaves it out. It
/// appends letters to `text` that stand nowhere in it as C reads them: spellings point there, spans do not.
pub fn scan(text: &mut String, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let Some(spliced) = Spliced::new(text) else { return read(text, diagnostics) };
    let first = diagnostics.len();
    let mut tokens = read(&spliced.text, diagnostics);
    for token in &mut tokens {
        (token.span, token.spelling) = spliced.locate(token.span, text);
    }
    for diagnostic in &mut diagnostics[first..] {
        diagnostic.span = spliced.original(diagnostic.span);
    }
    tokens
}

/// The same for a text without spliced lines.
pub fn read(source: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut reader = TokenReader { source, tokens: Vec::new(), unknown: None, diagnostics };
    // After an opening quote without its partner the rest of the line is no code.
    let mut broken_line = false;
    for (result, range) in Kind::lexer(source).spanned() {
        let mut kind = result.unwrap_or(Kind::Unknown);
        if kind == Kind::FileMark && !reader.is_mark(&range) {
            kind = Kind::Unknown;
        }
        if broken_line && kind != Kind::Newline {
            continue;
        }
        broken_line = kind == Kind::Quote;
        match kind {
            Kind::Ident => reader.word(range.start, range.end),
            _ => reader.token(kind, Span::new(range.start, range.end)),
        }
    }
    reader.report_unknown();
    reader.tokens
}

struct TokenReader<'s, 'd> {
    source: &'s str,
    tokens: Vec<Token>,
    /// Neighbouring unreadable characters make one message.
    unknown: Option<Span>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl TokenReader<'_, '_> {
    /// Whether a mark is one: it says something, and is a line of its own.
    fn is_mark(&self, range: &std::ops::Range<usize>) -> bool {
        FileMark::read(&self.source[range.clone()]).is_some() && (range.start == 0 || self.source[..range.start].ends_with('\n'))
    }

    /// Splits what may be an identifier at the characters that belong to none.
    fn word(&mut self, mut start: usize, end: usize) {
        let mut whole = true;
        while start < end {
            let length = identifier(&self.source[start..end]);
            let (kind, length) = match self.source[start..end].chars().next() {
                Some(c) if length == 0 => (Kind::Unknown, c.len_utf8()),
                _ if start + length == end && whole => (word(&self.source[start..end]), length),
                _ => (single(&self.source[start..start + length]).unwrap_or(Kind::Unknown), length),
            };
            self.token(kind, Span::new(start, start + length));
            start += length;
            whole = false;
        }
    }

    fn token(&mut self, kind: Kind, span: Span) {
        let token = Token { kind, span, spelling: span };
        match kind {
            Kind::Unknown => match self.unknown {
                Some(before) if before.end == span.start => self.unknown = Some(before.to(span)),
                _ => {
                    self.report_unknown();
                    self.tokens.push(token);
                    self.unknown = Some(span);
                }
            },
            Kind::UnterminatedComment => {
                let open = Span { end: span.start + 2, ..span };
                self.diagnostics.push(
                    Diagnostic::error("unterminated-comment", open, "this comment is never closed")
                        .label("opened here")
                        .help("close it with `*/`"),
                );
            }
            Kind::Quote => {
                let single = span.text(self.source) == "'";
                let (what, quote) = if single { ("character constant", '\'') } else { ("string", '"') };
                self.diagnostics.push(
                    Diagnostic::error("unterminated-literal", span, format!("this {what} is never closed"))
                        .label("opened here")
                        .help(format!("close it with `{quote}` on the same line")),
                );
                self.tokens.push(Token { kind: Kind::Unknown, ..token });
            }
            _ => self.tokens.push(token),
        }
    }

    fn report_unknown(&mut self) {
        let Some(span) = self.unknown.take() else { return };
        let text = span.text(self.source);
        let text: String = match text.chars().next().and_then(bytes::byte_of) {
            Some(byte) => format!("the byte 0x{byte:X}, which is no UTF-8,"),
            None => format!("`{}`", text.chars().take(8).flat_map(char::escape_debug).collect::<String>()),
        };
        self.diagnostics.push(Diagnostic::error("unknown-character", span, format!("{text} means nothing in C")).help("remove it"));
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, WORDS, single};

    #[test]
    fn words_are_found() {
        assert!(WORDS.is_sorted_by(|(one, _), (other, _)| one < other));
        assert!(WORDS.iter().all(|&(word, kind)| single(word) == Some(kind)));
        assert_eq!(single("integer"), Some(Kind::Ident));
        assert_eq!(single("int x"), None);
    }
}
