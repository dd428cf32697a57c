//! Functions of C's library that programs call without defining them, as C text of our own: strings, memory, kinds of characters.
//!
//! The front end reads a function where the program calls it and does not define it; it is then a function like any other: inlined,
//! executed, explained. Messages show its tokens at the program's first call of it; labels show what it does at each call (`lts::lower`).
//!
//! What the standard leaves open stays open: `strcmp` and its like give any value of the right sign (7.24.4), the functions of `<ctype.h>`
//! any value but zero for true (7.4.1). Where the program uses nothing but the sign or the truth of a call, there is a function that draws
//! no value ([`of_value`]). Characters are those of ASCII, in the locale "C".
//!
//! The functions on memory exist for each type of element, since a byte is not a part of any other integer here: see [`of_memory`].

use super::bit_texts::{OF_BITS, of_bits};
use super::intrinsic::{self, Intrinsic};
use super::number_texts::{ATOF, ATOL, END, FLOAT_END, STRTOL, STRTOUL};
pub use super::standard::{declaration, instead_of, is_drawn, parameters};
use super::types::{Abi, Integer};
use super::{ast, math, parse, token, types};
use crate::logic::SortedSet;
use crate::source::Span;
use Integer::{Long, LongLong, UnsignedLong, UnsignedLongLong};

/// Functions with their text. `character(c)` is `c`, undefined where the functions of `<ctype.h>` do not take it; `sign(e);` returns something
/// with the sign of `e`; `letter()` is the next character of the word that `scanf` reads, -1 after the last;
/// no execution comes past `no_word()` in a call that said by what it gives back that there is a word.
const FUNCTIONS: &[(&str, &str)] = &[
    ("strlen", "size_t strlen(const char *s) { ptrdiff_t i = 0; while (s[i] != 0) i++; return i; }"),
    ("strnlen", "size_t strnlen(const char *s, size_t n) { size_t i = 0; while (i < n && s[i] != 0) i++; return i; }"),
    ("strcmp", STRCMP),
    (
        "strncmp",
        "int strncmp(const char *s, const char *t, size_t n) { size_t i = 0; while (i < n && s[i] != 0 && s[i] == t[i]) i++; \
         if (i == n) return 0; sign((unsigned char)s[i] - (unsigned char)t[i]); }",
    ),
    (
        "strcpy",
        "char *strcpy(char *to, const char *from) { ptrdiff_t i = 0; while (from[i] != 0) { to[i] = from[i]; i++; } to[i] = 0; return to; }",
    ),
    (
        "strncpy",
        "char *strncpy(char *to, const char *from, size_t n) { size_t i = 0; \
         while (i < n && from[i] != 0) { to[i] = from[i]; i++; } while (i < n) { to[i] = 0; i++; } return to; }",
    ),
    (
        "strcat",
        "char *strcat(char *to, const char *from) { ptrdiff_t n = 0, i = 0; while (to[n] != 0) n++; \
         while (from[i] != 0) { to[n + i] = from[i]; i++; } to[n + i] = 0; return to; }",
    ),
    (
        "strncat",
        "char *strncat(char *to, const char *from, size_t n) { ptrdiff_t k = 0; size_t i = 0; while (to[k] != 0) k++; \
         while (i < n && from[i] != 0) { to[k + i] = from[i]; i++; } to[k + i] = 0; return to; }",
    ),
    ("toupper", "int toupper(int c) { if (character(c) >= 'a' && c <= 'z') return c - 32; return c; }"),
    ("tolower", "int tolower(int c) { if (character(c) >= 'A' && c <= 'Z') return c + 32; return c; }"),
    (
        "atoi",
        "int atoi(const char *s) { ptrdiff_t i = 0; int n = 0; while (s[i] == ' ' || s[i] >= 9 && s[i] <= 13) i++; \
         if (s[i] == '-') { i++; while (s[i] >= '0' && s[i] <= '9') { n = n * 10 - (s[i] - '0'); i++; } return n; } \
         if (s[i] == '+') i++; while (s[i] >= '0' && s[i] <= '9') { n = n * 10 + (s[i] - '0'); i++; } return n; }",
    ),
    ("atol", ATOL),
    ("atoll", ATOL),
    ("atof", ATOF),
    ("strtod", ATOF),
    ("strtof", ATOF),
    ("strtod of place", FLOAT_END),
    ("strtof of place", FLOAT_END),
    ("strcoll", STRCMP),
    ("strcasecmp", STRCASECMP),
    ("strncasecmp", STRCASECMP),
    (
        "memchr",
        "int memchr(const char *s, int c, size_t n) { size_t i = 0; while (i < n) { if (s[i] == (char)c) return 1; i++; } return 0; }",
    ),
    (
        "memchr of place",
        "char *place(char *s, int c, size_t n) { size_t i = 0; while (i < n) { if (s[i] == (char)c) return s + i; i++; } return 0; }",
    ),
    (
        "strspn",
        "size_t strspn(const char *s, const char *set) { size_t i = 0, k = 0; while (s[i] != 0) { k = 0; \
         while (set[k] != 0 && set[k] != s[i]) k++; if (set[k] == 0) return i; i++; } return i; }",
    ),
    (
        "strcspn",
        "size_t strcspn(const char *s, const char *set) { size_t i = 0, k = 0; while (s[i] != 0) { k = 0; \
         while (set[k] != 0 && set[k] != s[i]) k++; if (set[k] != 0) return i; i++; } return i; }",
    ),
    ("strchr", "int strchr(const char *s, int c) { ptrdiff_t i = 0; while (s[i] != (char)c) { if (s[i] == 0) return 0; i++; } return 1; }"),
    (
        "strrchr",
        "int strrchr(const char *s, int c) { ptrdiff_t i = 0; while (s[i] != (char)c) { if (s[i] == 0) return 0; i++; } return 1; }",
    ),
    (
        "strstr",
        "int strstr(const char *s, const char *t) { ptrdiff_t i = 0, k = 0; while (1) { k = 0; while (t[k] != 0 && s[i + k] == t[k]) k++; \
         if (t[k] == 0) return 1; if (s[i] == 0) return 0; i++; } }",
    ),
    (
        "strpbrk",
        "int strpbrk(const char *s, const char *set) { ptrdiff_t i = 0, k = 0; while (s[i] != 0) { k = 0; \
         while (set[k] != 0 && set[k] != s[i]) k++; if (set[k] != 0) return 1; i++; } return 0; }",
    ),
    (
        "strchr of place",
        "char *place(char *s, int c) { ptrdiff_t i = 0; while (s[i] != (char)c) { if (s[i] == 0) return 0; i++; } return s + i; }",
    ),
    (
        "strrchr of place",
        "char *place(char *s, int c) { ptrdiff_t i = 0, last = -1; while (1) { if (s[i] == (char)c) last = i; if (s[i] == 0) break; i++; } \
         if (last < 0) return 0; return s + last; }",
    ),
    (
        "strstr of place",
        "char *place(char *s, const char *t) { ptrdiff_t i = 0, k = 0; while (1) { k = 0; while (t[k] != 0 && s[i + k] == t[k]) k++; \
         if (t[k] == 0) return s + i; if (s[i] == 0) return 0; i++; } }",
    ),
    (
        "strpbrk of place",
        "char *place(char *s, const char *set) { ptrdiff_t i = 0, k = 0; while (s[i] != 0) { k = 0; \
         while (set[k] != 0 && set[k] != s[i]) k++; if (set[k] != 0) return s + i; i++; } return 0; }",
    ),
    ("strtok", STRTOK),
    (
        "strtok_r",
        "char *strtok_r(char *s, const char *set, char **rest) { char *token = 0; ptrdiff_t k = 0; if (s != 0) *rest = s; \
         if (*rest == 0) return 0; while (**rest != 0) { k = 0; while (set[k] != 0 && set[k] != **rest) k++; if (set[k] == 0) break; ++*rest; } \
         if (**rest == 0) { *rest = 0; return 0; } token = *rest; \
         while (**rest != 0) { k = 0; while (set[k] != 0 && set[k] != **rest) k++; if (set[k] != 0) break; ++*rest; } \
         if (**rest == 0) { *rest = 0; return token; } **rest = 0; ++*rest; return token; }",
    ),
    (
        "strsep",
        "char *strsep(char **rest, const char *set) { char *token = *rest; ptrdiff_t k = 0; if (token == 0) return 0; \
         while (**rest != 0) { k = 0; while (set[k] != 0 && set[k] != **rest) k++; if (set[k] != 0) break; ++*rest; } \
         if (**rest == 0) { *rest = 0; return token; } **rest = 0; ++*rest; return token; }",
    ),
    (
        "fgets",
        "int fgets(char *s, int n) { int i = 0, c = 0; if (n <= 0) return 0; while (i < n - 1 && c != 10) { c = getchar(); \
         if (c == -1) { if (i == 0) return 0; s[i] = 0; return 1; } s[i] = c; i++; } s[i] = 0; return 1; }",
    ),
    (
        "gets",
        "int gets(char *s) { ptrdiff_t i = 0; int c = getchar(); if (c == -1) return 0; while (c != 10 && c != -1) { s[i] = c; i++; c = getchar(); } \
         s[i] = 0; return 1; }",
    ),
    (
        SCAN_STRING,
        "void word(char *s, ptrdiff_t n) { ptrdiff_t i = 0; int c = 0; while (n == 0 || i < n) { c = letter(); \
         if (c == -1) { if (i > 0) s[i] = 0; else no_word(); return; } s[i] = c; i++; } s[i] = 0; }",
    ),
    (
        SCAN_CHARACTERS,
        "void characters(char *s, ptrdiff_t n) { ptrdiff_t i = 0; int c = 0; while (i < n) { c = letter(); \
         if (c == -1) { no_word(); return; } s[i] = c; i++; } }",
    ),
    (
        "fgets of place",
        "char *place(char *s, int n) { int i = 0, c = 0; if (n <= 0) return 0; while (i < n - 1 && c != 10) { c = getchar(); \
         if (c == -1) { if (i == 0) return 0; s[i] = 0; return s; } s[i] = c; i++; } s[i] = 0; return s; }",
    ),
    (
        "gets of place",
        "char *place(char *s) { ptrdiff_t i = 0; int c = getchar(); if (c == -1) return 0; while (c != 10 && c != -1) { s[i] = c; i++; c = getchar(); } \
         s[i] = 0; return s; }",
    ),
    ("imaxabs", "intmax_t imaxabs(intmax_t x) { if (x < 0) return -x; return x; }"),
    ("difftime", "double difftime(time_t last, time_t first) { return (double)last - (double)first; }"),
    ("labs", "long labs(long x) { if (x < 0) return -x; return x; }"),
    ("llabs", "long long llabs(long long x) { if (x < 0) return -x; return x; }"),
    ("strtol", STRTOL),
    ("strtoll", STRTOL),
    ("strtoul", STRTOUL),
    ("strtoull", STRTOUL),
    ("strtol of place", END),
    ("strtoll of place", END),
    ("strtoul of place", END),
    ("strtoull of place", END),
    (ERRNO, "void touch(void) { int e = nondet_int(); if (e > 0) errno = e; }"),
    (PRINT_STRING, "void string(const char *s) { ptrdiff_t i = 0; while (s[i] != 0) { putchar(s[i]); i++; } }"),
    (
        PRINT_PADDED,
        "const char *padded(const char *s, int width, int most, int left) { ptrdiff_t i = 0, n = 0, k = width; \
         while ((most < 0 || n < most) && s[n] != 0) n++; if (k < 0) { k = -k; left = 1; } k = k - n; \
         if (!left) while (k > 0) { putchar(' '); k--; } while (i < n) { putchar(s[i]); i++; } while (k > 0) { putchar(' '); k--; } return s; }",
    ),
];

const STRCMP: &str = "int strcmp(const char *s, const char *t) { ptrdiff_t i = 0; while (s[i] != 0 && s[i] == t[i]) i++; \
    sign((unsigned char)s[i] - (unsigned char)t[i]); }";

/// As `strncasecmp` has it; `strcasecmp` has no bound.
const STRCASECMP: &str = "int strncasecmp(const char *s, const char *t, size_t n) { size_t i = 0; int a = 0, b = 0; while (i < n) { \
    a = (unsigned char)s[i]; b = (unsigned char)t[i]; if (a >= 'A' && a <= 'Z') a = a + 32; if (b >= 'A' && b <= 'Z') b = b + 32; \
    if (a == 0 || a != b) break; i++; } if (i == n) return 0; sign(a - b); }";

/// What characters the functions of `<ctype.h>` are true of.
const CLASSES: &[(&str, &str)] = &[
    ("isdigit", "character(c) >= '0' && c <= '9'"),
    ("isupper", "character(c) >= 'A' && c <= 'Z'"),
    ("islower", "character(c) >= 'a' && c <= 'z'"),
    ("isalpha", "character(c) >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'"),
    ("isalnum", "character(c) >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'"),
    ("isxdigit", "character(c) >= '0' && c <= '9' || c >= 'A' && c <= 'F' || c >= 'a' && c <= 'f'"),
    ("isspace", "character(c) == ' ' || c >= 9 && c <= 13"),
    ("isblank", "character(c) == ' ' || c == 9"),
    ("isprint", "character(c) >= 32 && c <= 126"),
    ("isgraph", "character(c) >= 33 && c <= 126"),
    ("iscntrl", "character(c) >= 0 && c <= 31 || c == 127"),
    ("ispunct", "character(c) >= 33 && c <= 47 || c >= 58 && c <= 64 || c >= 91 && c <= 96 || c >= 123 && c <= 126"),
];

/// The name of the function that gives every value that C allows, for one that gives one of them: calls go there where the program uses more
/// of the value than its truth, or its sign.
pub fn of_value(name: &str) -> String {
    format!("{name} of value")
}

/// Whether a function gives a value of which C says only the sign.
pub fn gives_sign(name: &str) -> bool {
    matches!(name, "strcmp" | "strncmp" | "strcoll" | "strcasecmp" | "strncasecmp") || name.starts_with("memcmp")
}

/// A text as it is for one value that C allows, and for every one, where it says `sign(e);`.
fn signed(text: &str) -> (String, Option<String>) {
    let Some((before, rest)) = text.split_once("sign(") else { return (text.to_owned(), None) };
    let (difference, after) = rest.split_once(");").unwrap_or((rest, ""));
    let any = format!(
        "int d = {difference}; if (d < 0) {{ d = nondet_int(); assume(d < 0); }} \
         else if (d > 0) {{ d = nondet_int(); assume(d > 0); }} return d;"
    );
    (format!("{before}return {difference};{after}"), Some(format!("{before}{any}{after}")))
}

/// The text of a predicate on a value of this type, for one value that C allows, and for every one.
fn of_class(ty: &str, condition: &str) -> (String, Option<String>) {
    let any = format!("int class({ty} c) {{ if ({condition}) {{ int d = nondet_int(); assume(d != 0); return d; }} return 0; }}");
    (format!("int class({ty} c) {{ return {condition}; }}"), Some(any))
}

/// What `printf` does with an array of characters for a `%s`, under a name that no program can use.
pub const PRINT_STRING: &str = "%s";

/// The same for a `%s` with a width or a precision: the string, the width, the precision or -1, and whether the blanks come after it.
pub const PRINT_PADDED: &str = "%*.*s";

/// What calls of the library may do to `errno`: leave it, or set it to a value above zero (7.5p3).
pub const ERRNO: &str = "errno after a call";

/// Whether C leaves open what a call of this function does to `errno`.
pub fn may_set_errno(name: &str) -> bool {
    match intrinsic::find(name) {
        Some(Intrinsic::Random | Intrinsic::Scan | Intrinsic::GetCharacter | Intrinsic::ArgumentValue | Intrinsic::Absolute) => true,
        Some(Intrinsic::Address | Intrinsic::Nothing | Intrinsic::OfStream | Intrinsic::SetObject | Intrinsic::CopyObject) => {
            !name.starts_with("__")
        }
        Some(intrinsic) => intrinsic.prints(),
        None => !name.starts_with("__") && (!name.starts_with("strto") || matches!(name, "strtod" | "strtof")),
    }
}

/// Each call goes on where the one before ended, until no word is left.
const STRTOK: &str = "char *strtok(char *s, const char *set) { static char *rest; char *token = 0; ptrdiff_t k = 0; if (s != 0) rest = s; \
     if (rest == 0) return 0; while (*rest != 0) { k = 0; while (set[k] != 0 && set[k] != *rest) k++; if (set[k] == 0) break; rest++; } \
     if (*rest == 0) { rest = 0; return 0; } token = rest; \
     while (*rest != 0) { k = 0; while (set[k] != 0 && set[k] != *rest) k++; if (set[k] != 0) break; rest++; } \
     if (*rest == 0) { rest = 0; return token; } *rest = 0; rest++; return token; }";

/// What `scanf` does for a `%s` or a `%[…]` with a width, or 0 where there is none: the characters of the word, none where there is none.
pub const SCAN_STRING: &str = "%s of scanf";

/// What `scanf` does for a `%c` with a width above 1: so many characters, and no zero after them.
pub const SCAN_CHARACTERS: &str = "%c of scanf";

/// Functions that give back an address or a null pointer: here only which of the two, so only the truth of their calls can be asked for.
pub fn gives_truth(name: &str) -> bool {
    matches!(name, "strchr" | "strrchr" | "strstr" | "strpbrk" | "memchr" | "fgets" | "gets")
}

/// The name of the function that gives the address, for one that gives only truth: calls whose address the program uses go there.
pub fn of_position(name: &str) -> String {
    format!("{name} of place")
}

/// Whether a function of the library gives back a position in an argument of its own or of an earlier call, or null; all others that give back an address give back
/// their first argument.
pub fn gives_place(name: &str) -> bool {
    name.ends_with(" of place") || matches!(name, "strtok" | "strtok_r" | "strsep")
}

/// The functions on memory, for elements of the type `T` with the name `N`.
const MEMORY: &[(&str, &str)] = &[
    ("memset", "T *N(T *to, int c, size_t n) { size_t i = 0; T x = B; while (i < n / sizeof(T)) { to[i] = x; i++; } return to; }"),
    ("memcpy", "T *N(T *to, const T *from, size_t n) { size_t i = 0; while (i < n / sizeof(T)) { to[i] = from[i]; i++; } return to; }"),
    (
        "memmove",
        // Of two arrays either order is right (`lts::lower::moving`).
        "T *N(T *to, const T *from, size_t n) { size_t i = 0, k = n / sizeof(T); \
         if (to <= from) while (i < k) { to[i] = from[i]; i++; } else while (k > 0) { k--; to[k] = from[k]; } return to; }",
    ),
    (
        // The bytes of an element from the lowest on: the little end comes first.
        "memcmp",
        "int N(const T *s, const T *t, size_t n) { size_t i = 0; unsigned long long x = 0, y = 0; while (i < n / sizeof(T) && s[i] == t[i]) i++; \
         if (i >= n / sizeof(T)) return 0; x = s[i]; y = t[i]; \
         while ((unsigned char)x == (unsigned char)y) { x = x >> 8; y = y >> 8; } sign((unsigned char)x - (unsigned char)y); }",
    ),
];

/// The functions that give memory.
pub const GIVING_MEMORY: [&str; 5] = ["malloc", "calloc", "realloc", "strdup", "strndup"];

/// Whether the function works on memory, whatever its elements.
pub fn is_of_memory(name: &str) -> bool {
    MEMORY.iter().any(|(other, _)| *other == name)
}

/// The function of this name for elements of this type.
pub fn of_memory(name: &str, element: Integer) -> String {
    format!("{name} of {}", element.name())
}

/// A function in C: the name that it is called by, what its text calls it, its text.
pub struct LibraryFunction {
    pub name: String,
    pub text: String,
}

/// A text of the library, shown at the call at `span`.
fn parsed(text: &str, abi: Abi, span: Span) -> parse::ParseTree {
    let mut tokens = token::read(text, &mut Vec::new());
    tokens.iter_mut().for_each(|token| (token.span, token.spelling) = (span, token.span));
    tokens.retain(|token| token.kind != token::Kind::Newline);
    let end = Span::new(text.len(), text.len());
    tokens.push(token::Token { kind: token::Kind::Eof, span, spelling: end });
    parse::parse(text, abi, tokens, &mut Vec::new(), &mut SortedSet::new())
}

/// A function of the library, shown at the call at `span`.
pub fn read(function: &LibraryFunction, abi: Abi, span: Span) -> Vec<ast::Function> {
    let LibraryFunction { name, text } = function;
    let mut functions = parsed(text, abi, span).functions;
    for function in &mut functions {
        function.name.text.clone_from(name);
        function.library = true;
    }
    functions
}

/// The declarations in a text, shown at a call.
pub fn declared(text: &str, abi: Abi, span: Span) -> Vec<ast::Prototype> {
    let mut found = parsed(text, abi, span).prototypes;
    found.iter_mut().for_each(|prototype| prototype.name.span = span);
    found
}

/// The function of C's library that a builtin of compilers calls, e.g. `abs` for `__builtin_abs`. What gives memory is not among them, since a
/// test cannot replace it.
pub fn of_builtin(name: &str) -> Option<&str> {
    let plain = name.strip_prefix("__builtin_").filter(|plain| !plain.starts_with("__"))?;
    let intrinsic = intrinsic::find(plain);
    let has_meaning = intrinsic.is_some_and(|intrinsic| {
        matches!(intrinsic, Intrinsic::Absolute | Intrinsic::Nothing | Intrinsic::OfStream | Intrinsic::Exit)
            || intrinsic.prints()
            || plain == "abort"
    });
    (has_meaning || names().any(|other| other == plain)).then_some(plain)
}

/// The functions that calls of `name` need on a target; none where it is not of the library.
pub fn texts(name: &str, abi: Abi) -> Vec<LibraryFunction> {
    let with_value = |name: String, (text, any): (String, Option<String>)| {
        let any = any.map(|text| LibraryFunction { name: of_value(&name), text });
        std::iter::once(LibraryFunction { name, text }).chain(any)
    };
    for (ty, classes) in [("int", CLASSES), ("double", math::CLASSES)] {
        if let Some((_, condition)) = classes.iter().find(|(other, _)| *other == name) {
            return with_value(name.to_owned(), of_class(ty, condition)).collect();
        }
    }
    if let Some((_, text)) = FUNCTIONS.iter().chain(math::FUNCTIONS).find(|(other, _)| *other == name) {
        let position = of_position(name);
        let position = FUNCTIONS.iter().find(|(other, _)| *other == position);
        let position = position.map(|(name, text)| LibraryFunction { name: (*name).to_owned(), text: (*text).to_owned() });
        let text = match name {
            "strtod" | "strtof" => *text,
            "strcasecmp" => &text.replace(", size_t n)", ")").replace("i < n", "1").replace("if (i == n) return 0;", ""),
            "atoll" => &text.replace("long ", "long long "),
            _ if name.starts_with("strto") => &of_number(name, text, abi),
            _ => *text,
        };
        return with_value(name.to_owned(), signed(text)).chain(position).collect();
    }
    if let Some(text) = of_bits(name, abi) {
        return vec![LibraryFunction { name: name.to_owned(), text }];
    }
    let Some((_, text)) = MEMORY.iter().find(|(other, _)| *other == name) else { return Vec::new() };
    let instance = |&element: &Integer| {
        // Each byte of the element is the one given.
        let bytes = (0..element.size(abi)).fold(0u64, |bytes, _| bytes << 8 | 1);
        let value = format!("(T)((unsigned char)c * {bytes}ull)");
        let text = text.replace("B;", &format!("{value};")).replace("N(", "memory(").replace("(T)", &format!("({})", element.name()));
        let text = text.replace("T ", &format!("{} ", element.name()));
        with_value(of_memory(name, element), signed(&text))
    };
    let copies = ["memcpy", "memmove"].contains(&name);
    let floats = [Integer::Float, Integer::Double];
    Integer::ALL.iter().chain(floats.iter().filter(|_| copies)).flat_map(instance).collect()
}

/// The text of `strtol` or its like in the types of a target.
fn of_number(name: &str, text: &str, abi: Abi) -> String {
    let ty = match (name.contains("ul"), name.ends_with("ll")) {
        (false, false) => Long,
        (false, true) => LongLong,
        (true, false) => UnsignedLong,
        (true, true) => UnsignedLongLong,
    };
    let most = ty.range(abi).greatest;
    let text = text.replace("tenth", &format!("{}ull", most / 10)).replace("most", &format!("{most}ull"));
    let text = if ty.signed(abi) { text.replace("ull", "ll") } else { text };
    if name.ends_with("ll") { text.replace("long ", "long long ") } else { text }
}

/// Stands for the choice that a sort or a search compares a pair of elements that the text of the library does not: no run takes it.
pub const OTHER_PAIR: &str = "another pair is compared";

/// Whether a function of this name has its text here.
pub fn is_defined(name: &str) -> bool {
    names().any(|other| other == name)
}

/// A function's name as it is shown.
pub fn written_name(name: &str) -> &str {
    if name == PRINT_STRING || name == PRINT_PADDED {
        "printf"
    } else if name == SCAN_STRING || name == SCAN_CHARACTERS {
        "scanf"
    } else {
        name.split(' ').next().unwrap_or(name)
    }
}

/// Whether a name means something where no declaration is in front of it: a function or stream of the library, a type of a header.
pub fn has_meaning(name: &str) -> bool {
    intrinsic::find(name).is_some()
        || super::standard::declaration(name).is_some()
        || name.starts_with("atomic_")
        || types::of_header(name, Abi::default()).is_some()
        || ["FILE", "stdin", "stdout", "stderr", "errno"].contains(&name)
        || is_defined(name)
}

/// Whether `<math.h>` declares a function, of those that are read here.
pub fn is_of_mathematics(name: &str) -> bool {
    math::FUNCTIONS.iter().any(|(function, _)| *function == name)
}

/// The names of the library's functions.
pub fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS
        .iter()
        .chain(math::FUNCTIONS)
        .chain(CLASSES)
        .chain(math::CLASSES)
        .chain(MEMORY)
        .map(|(name, _)| *name)
        .chain(OF_BITS.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each function is read without a message, and no program can define what is not of C.
    #[test]
    fn every_function_is_read() {
        for name in names() {
            for LibraryFunction { name, text } in texts(name, Abi::default()) {
                // No program can name this one.
                let text = text
                    .replace("range();", "errno = 34;")
                    .replace("no_bit();", "__builtin_unreachable();")
                    .replace("square_root(", "fabs(")
                    .replace("remainder_of(x, y)", "x")
                    .replace("invalid();", "errno = 22;");
                let parsed = super::super::parse(
                    &["down(", "up(", "truncated(", "rounded(", "unknown("]
                        .iter()
                        .fold(text.clone(), |text, name| text.replace(name, "fabs("))
                        .replace("character(c)", "c")
                        .replace("letter()", "getchar()")
                        .replace("no_word();", "__builtin_unreachable();"),
                );
                assert_eq!(parsed.diagnostics, [], "{name}: {text}");
            }
        }
    }
}
