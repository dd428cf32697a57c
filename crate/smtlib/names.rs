//! Symbols and numbers as SMT-LIB writes them.

use crate::logic::Int;

/// Names of the theories that scripts may use: no script declares or defines them.
pub const OF_THEORIES: &[&str] = &[
    "true",
    "false",
    "not",
    "=>",
    "and",
    "or",
    "xor",
    "=",
    "distinct",
    "ite",
    "-",
    "+",
    "*",
    "div",
    "mod",
    "abs",
    "<=",
    "<",
    ">=",
    ">",
    "select",
    "store",
    "const",
    "divisible",
    "Int",
    "Bool",
    "Array",
];

/// Other words that are no symbols, or that a theory or a command owns.
const OTHER: &[&str] = &[
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "_",
    "!",
    "as",
    "let",
    "exists",
    "forall",
    "match",
    "par",
    "lambda",
    "/",
    "rem",
    "to_real",
    "to_int",
    "is_int",
    "Real",
    "String",
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

/// The words that no symbol of ours is written as.
pub fn reserved() -> impl Iterator<Item = &'static str> {
    OF_THEORIES.iter().chain(OTHER).copied()
}

/// The symbol, between bars where it is not a simple one. The text contains no bar and no backslash.
pub fn symbol(text: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    if !text.is_empty() && text.chars().all(simple) && !text.starts_with(|c: char| c.is_ascii_digit()) {
        text.to_owned()
    } else {
        format!("|{text}|")
    }
}

/// The number; a negative one is written `(- n)`.
pub fn integer(value: &Int) -> String {
    if value.is_negative() { format!("(- {})", value.abs()) } else { value.to_string() }
}
