//! Texts made of the words of a program: the strings in its text that it compares with, as the names of commands.
//!
//! A text that has to spell a word at some place is one of very many: neither a random draw nor a change of one character comes near it. Fuzzers
//! have dictionaries for that.
//!
//! Source: the dictionaries of fuzzers, M. Zalewski, *afl-fuzz: making up grammar with a dictionary in hand*, 2015.

use crate::count::Random;
use crate::interp::{ArrayInput, Input};
use crate::logic::{Int, IntRange, SortedSet, gathered};
use crate::lts::inputs::inputs;
use crate::lts::{Array, Lts};
use num_bigint::BigUint;

/// Words have at most so many characters, and so many words are taken.
const LONGEST: usize = 16;
const MOST: usize = 24;
/// Each pair of so many of the program's strings makes texts.
const PAIRED: usize = 8;
/// Lines of a text in which one word stands on each.
const REPEATED: usize = 6;

/// The words of a function: strings of its text without blanks, in order.
pub fn words(lts: &Lts) -> Vec<Vec<u8>> {
    let mut found = SortedSet::new();
    for contents in lts.arrays.iter().filter_map(contents) {
        let characters = contents.iter().map(|value| value.to_i64().and_then(|value| u8::try_from(value).ok()).unwrap_or(0));
        let characters: Vec<u8> = characters.collect();
        let is_word = |word: &&[u8]| (1..=LONGEST).contains(&word.len()) && word.iter().all(u8::is_ascii_graphic);
        found.extend(characters.split(|&byte| byte == 0 || byte == 128).filter(is_word).map(<[u8]>::to_vec));
    }
    found.into_iter().take(MOST).collect()
}

fn contents(array: &Array) -> Option<&Vec<Int>> {
    array.first.as_ref().or(array.initial.as_ref())
}

/// Texts that have the words: each by itself, with numbers after it, on several lines; all words on lines of their own; pairs.
pub fn word_texts(words: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let line = |parts: &[&[u8]]| [&parts.join(&b' ')[..], b"\n"].concat();
    let mut texts = Vec::new();
    for word in words {
        texts.extend([line(&[word]), line(&[word, b"1"]), line(&[word, b"2", b"0"]), line(&[word]).repeat(REPEATED)]);
        texts.push(line(&[word, b"3"]).repeat(REPEATED));
    }
    if words.len() > 1 {
        texts.push(words.iter().flat_map(|word| line(&[word])).collect());
        texts.push(words.iter().flat_map(|word| line(&[word, b"1"])).collect());
    }
    for first in words.iter().take(PAIRED) {
        for second in words.iter().take(PAIRED).filter(|second| *second != first) {
            texts.extend([line(&[first, second]), [line(&[first, b"1"]), line(&[second, b"1"])].concat()]);
        }
    }
    texts
}

/// Inputs with texts of words: on standard input where the function reads it, else in its arrays of characters, without the last line's end.
pub fn word_inputs(lts: &Lts) -> Vec<Input> {
    let words = words(lts);
    if words.is_empty() {
        return Vec::new();
    }
    if lts.reads_stdin() {
        let texts = word_texts(&words).into_iter();
        return texts.map(|text| Input { stdin: Some(text), ..Input::default() }).collect();
    }
    let arrays = inputs(lts).arrays.into_iter().map(|id| lts.array(id)).filter(|array| array.first.is_none() && is_of_characters(array));
    let names: Vec<&str> = arrays.map(|array| &*array.name).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let with = |text: Vec<u8>| {
        let text = text.strip_suffix(b"\n").unwrap_or(&text);
        let contents = string(text);
        Input { arrays: names.iter().map(|name| ((*name).to_owned(), contents.clone())).collect(), ..Input::default() }
    };
    word_texts(&words).into_iter().map(with).collect()
}

/// Whether its elements are values of a type of 8 bits.
pub fn is_of_characters(array: &Array) -> bool {
    array.start_range().is_some_and(|range| range == IntRange::of_bits(8, true) || range == IntRange::of_bits(8, false))
}

/// An array that begins with this text and a 0.
pub fn string(text: &[u8]) -> ArrayInput {
    let bytes = text.iter().chain(&[0]);
    let elements = bytes.enumerate().map(|(index, &byte)| (Int::from(index), Int::from(i64::from(byte)))).collect::<Vec<_>>();
    ArrayInput { elements: gathered(elements), ..ArrayInput::default() }
}

/// A random text of lines with words and numbers.
pub fn random_text(words: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut below = |bound: usize| -> usize { random.below(&BigUint::from(bound)).try_into().unwrap_or(0) };
    let mut text = Vec::new();
    for _ in 0..below(REPEATED) {
        for token in 0..=below(3) {
            if token > 0 {
                text.push(b' ');
            }
            match below(5) {
                0 => text.extend(below(200).to_string().bytes()),
                1 => text.push(b"-+.,;:=xyz09"[below(12)]),
                _ => text.extend(&words[below(words.len())]),
            }
        }
        text.push(b'\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp::Machine;
    use crate::lts::lower::{IntegerModel, Options, lower_with};
    use crate::lts::text::label;
    use crate::run::computed_inputs::tried_inputs;
    use crate::solver::meter::Meter;

    const C32: Options = Options { ints: IntegerModel::C32, inline_depth: 8, label_steps: false };

    /// Runs on texts with the words of a program take all its branches: on standard input and in a parameter.
    #[test]
    fn words_are_spelled() {
        let library =
            "typedef struct FILE FILE; extern FILE *stdin; char *fgets(char *, int, FILE *); int strcmp(const char *, const char *);";
        let command = "for (int i = 0; s[i]; i++) if (s[i] == 10) s[i] = 0; if (strcmp(s, \"begin\") == 0) n++; else if (strcmp(s, \"finish\") == 0) n--;";
        for text in [
            "int strcmp(const char *, const char *); int f(const char *s) { if (strcmp(s, \"begin\") == 0) return 1; return strcmp(s, \"finish\") == 0; }".to_owned(),
            format!("{library} int f(void) {{ char s[20]; int n = 0; while (fgets(s, 20, stdin)) {{ {command} }} if (n > 4) return 1; return n < 0; }}"),
        ] {
            let program = crate::lang::parse(&text).program.expect("no error");
            let lts = lower_with(&program, Some("f"), &C32).expect("no error").lts;
            let found = tried_inputs(&lts, &Machine::new(&lts), &[], |_| true, &mut Meter::new(100_000));
            let is_untaken = |edge: &crate::lts::EdgeId| !lts.graph[*edge].library && !found.iter().any(|(_, run)| run.edges.contains(edge));
            let untaken = lts.graph.edge_indices().filter(is_untaken).map(|edge| label(&lts, &lts.graph[edge]));
            assert_eq!(untaken.collect::<Vec<_>>(), [""; 0], "{text}");
        }
    }

    #[test]
    fn words_are_strings_without_blanks() {
        let text = "int strcmp(const char *, const char *); int f(const char *s) { return !strcmp(s, \"go\") + !strcmp(s, \"two words\") + !strcmp(s, \"+\"); }";
        let program = crate::lang::parse(text).program.expect("no error");
        let found = words(&lower_with(&program, Some("f"), &C32).expect("no error").lts);
        assert_eq!(found, [&b"+"[..], b"go"]);
        let texts = word_texts(&found);
        assert!(texts.contains(&b"go\n".to_vec()) && texts.contains(&b"+ 1\ngo 1\n".to_vec()));
    }
}
