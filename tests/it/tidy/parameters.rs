//! Parameters have names of their own: a tuple as a parameter's type hides what its parts are at the call. Functions take small named
//! structures instead.

use super::rust_text::{code, without_tests};
use super::{files, is_test_file, name, read};

/// Parameters of functions of `crate/` whose type is a tuple. The number may fall, never rise.
const MOST_TUPLES: usize = 50;

/// The text between the bracket that begins a text and its partner, split at its commas.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 1, Vec::new());
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            // The arrow of a function's type is no bracket.
            '>' if before == '-' => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 || (depth == 1 && c == ',') {
            found.push(text[start..at].trim());
            start = at + 1;
        }
        if depth == 0 {
            break;
        }
        before = c;
    }
    found
}

/// The type of a parameter: what follows its first single colon outside brackets.
fn type_of(parameter: &str) -> Option<&str> {
    let bytes = parameter.as_bytes();
    let mut depth = 0;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b':' if depth == 0 && bytes.get(at + 1) != Some(&b':') && (at == 0 || bytes[at - 1] != b':') => {
                return Some(parameter[at + 1..].trim());
            }
            _ => {}
        }
    }
    None
}

fn is_tuple(parameter: &str) -> bool {
    let Some(mut kind) = type_of(parameter) else { return false };
    while let Some(rest) = kind.strip_prefix('&') {
        let rest = rest.trim_start();
        // A lifetime goes up to the next space.
        let rest = if rest.starts_with('\'') { rest.split_once(' ').map_or("", |(_, rest)| rest) } else { rest };
        kind = rest.strip_prefix("mut ").unwrap_or(rest).trim_start();
    }
    kind.starts_with('(') && kind != "()"
}

/// The tuple parameters of the functions that a blanked code defines.
fn tuples(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let is_word = code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let rest = &code[at + 3..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if is_word || end == 0 {
            continue;
        }
        let mut rest = &rest[end..];
        if rest.starts_with('<') {
            let generics: usize = parts(rest).iter().map(|part| part.as_ptr() as usize + part.len()).max().unwrap_or(0);
            let from = generics - rest.as_ptr() as usize;
            rest = rest[from..].trim_start().trim_start_matches(',').trim_start().strip_prefix('>').unwrap_or("");
        }
        if rest.starts_with('(') {
            found.extend(parts(rest).into_iter().filter(|parameter| is_tuple(parameter)));
        }
    }
    found
}

#[test]
fn parameters_are_no_tuples() {
    let library = files("crate", &["rs"]).into_iter().map(|path| (name(&path), read(&path)));
    let found: Vec<String> = library
        .filter(|(file, _)| !is_test_file(file))
        .flat_map(|(file, source)| {
            let code = without_tests(&code(&source));
            tuples(&code).into_iter().map(|parameter| format!("{file}: {parameter}")).collect::<Vec<_>>()
        })
        .collect();
    assert!(found.len() <= MOST_TUPLES, "{} tuple parameters, of at most {MOST_TUPLES}:\n{}", found.len(), found.join("\n"));
}

#[test]
fn tuple_parameters_are_seen() {
    assert_eq!(tuples("fn f(a: u8, (b, c): (u8, &mut Meter<'_>)) -> (u8, u8) {}"), ["(b, c): (u8, &mut Meter<'_>)"]);
    assert_eq!(tuples("fn f<'a, F: Fn(u8) -> (u8, u8)>(a: &'a mut (u8, u8), b: F, c: ()) {}"), ["a: &'a mut (u8, u8)"]);
    assert!(tuples("fn f(a: Vec<(u8, u8)>, b: &dyn Fn((u8, u8)) -> u8, c: crate::A) { g(|(d, e): (u8, u8)| d) }").is_empty());
}
