//! Standard input: texts that are read, and texts that are written for what reads shall give.

use crate::interp::growing::Growing;
use crate::interp::stdin::{Given, Unread};
use crate::lang::scan::Format;
use crate::logic::{Int, IntRange};
use crate::lts::Read;
use proptest::prelude::*;
use std::sync::Arc;

const INT: IntRange = IntRange { least: -(1 << 31), greatest: (1 << 31) - 1 };
const CHARACTER: IntRange = IntRange { least: -1, greatest: 255 };

/// A call of `scanf` on a text: what it gives back, its numbers and words, and what it leaves.
fn scanned(format: &str, text: &[u8]) -> (i64, Vec<String>, String) {
    let format = Arc::new(Format::read(format.as_bytes()));
    let mut given = Given::new(text);
    let status = given.read(&Read::Status(format.clone()), None).ok().and_then(|status| status.to_i64()).expect("a number");
    let mut values = Vec::new();
    for (number, read) in (0..).zip(format.kept()) {
        if !read.is_word() {
            values.push(match given.read(&Read::Value { format: format.clone(), number, begins: false }, Some(INT)) {
                Ok(value) => value.to_string(),
                Err(Unread::Kept) => "kept".to_owned(),
                Err(_) => "undefined".to_owned(),
            });
            continue;
        }
        let mut word = String::new();
        while let Ok(letter) = given.read(&Read::Letter { format: format.clone(), number }, Some(CHARACTER))
            && let Some(letter) = letter.to_i64().and_then(|letter| u8::try_from(letter).ok())
        {
            word.push(char::from(letter));
        }
        values.push(word);
    }
    let mut rest = String::new();
    while let Ok(c) = given.read(&Read::Character, Some(CHARACTER))
        && let Some(c) = c.to_i64().and_then(|c| u8::try_from(c).ok())
    {
        rest.push(char::from(c));
    }
    (status, values, rest)
}

#[test]
fn texts_are_read_as_the_standard_says() {
    let cases: &[(&str, &str, i64, &[&str], &str)] = &[
        ("%d", "12abc", 1, &["12"], "abc"),
        ("%d", " \n-7", 1, &["-7"], ""),
        ("%d", "+5 ", 1, &["5"], " "),
        // The sign is gone, and one character was put back.
        ("%d", "-x", 0, &["kept"], "x"),
        ("%d", "-", 0, &["kept"], ""),
        ("%d", "x", 0, &["kept"], "x"),
        ("%d", "  ", -1, &["kept"], ""),
        ("%d", "2147483648", 1, &["undefined"], ""),
        ("%3d%d", "12345", 2, &["123", "45"], ""),
        ("%d%c", "7\n", 2, &["7", "10"], ""),
        ("%d %c", "7 \n x", 2, &["7", "120"], ""),
        ("%d,%d", "1, 2", 2, &["1", "2"], ""),
        ("%d,%d", "1 ,2", 1, &["1", "kept"], " ,2"),
        ("%*d %d", "1 2", 1, &["2"], ""),
        ("%d%n", " 42x", 1, &["42", "3"], "x"),
        ("%s", "  ab c", 1, &["ab"], " c"),
        ("%2s", "abc", 1, &["ab"], "c"),
        ("%[a-c]", "abd", 1, &["ab"], "d"),
        ("%[^\n]", "a b\n", 1, &["a b"], "\n"),
        ("%[a]", "b", 0, &[""], "b"),
        ("%x", "ff ", 1, &["255"], " "),
        ("%i", "010", 1, &["8"], ""),
        ("%i", "0x1F", 1, &["31"], ""),
        ("%i", "0xg", 1, &["undefined"], "g"),
        ("%d%%", "50 %", 1, &["50"], ""),
        ("%d\n", "1 \n 2", 1, &["1"], "2"),
        ("a%d", "b1", 0, &["kept"], "b1"),
        ("%d%d", "1", 1, &["1", "kept"], ""),
    ];
    for &(format, text, status, values, rest) in cases {
        let expected = (status, values.iter().map(|&value| value.to_owned()).collect(), rest.to_owned());
        assert_eq!(scanned(format, text.as_bytes()), expected, "{format:?} of {text:?}");
    }
}

/// Reads with what they shall give: of a character, or of a call by its format and the number that it gives back.
#[derive(Clone, Debug)]
enum Wish {
    Character(i64),
    Call(usize, i64, Vec<i64>),
}

const FORMATS: [&str; 10] = ["%d", "%d %d", "%d,%d", "%c", "%2d", "%s", "%3s%d", "%[a-c]", "x%d", "%u"];

fn wishes() -> impl Strategy<Value = Vec<Wish>> {
    let character = prop_oneof![Just(-1i64), prop::sample::select(b"0a \nx-5b".to_vec()).prop_map(i64::from)];
    let number = prop_oneof![-3i64..120, prop::sample::select(b"abx5 \n".to_vec()).prop_map(i64::from)];
    let call = (0..FORMATS.len(), -1i64..3, prop::collection::vec(number, 8))
        .prop_map(|(format, status, values)| Wish::Call(format, status, values));
    prop::collection::vec(prop_oneof![character.prop_map(Wish::Character), call], 1..5)
}

/// The reads of the wishes, with the values.
fn reads(wishes: &[Wish]) -> Vec<(Read, IntRange, Int)> {
    let mut found = Vec::new();
    for wish in wishes {
        let Wish::Call(format, status, values) = wish else {
            let Wish::Character(c) = wish else { continue };
            found.push((Read::Character, CHARACTER, Int::from(*c)));
            continue;
        };
        let format = Arc::new(Format::read(FORMATS[*format].as_bytes()));
        let status = (*status).min(i64::from(format.most()));
        found.push((Read::Status(format.clone()), INT, Int::from(status)));
        let mut values = values.iter().copied();
        for (number, read) in (0..).zip(format.kept()).take(status.max(0) as usize) {
            if !read.is_word() {
                let value = values.next().unwrap_or(0);
                let value = if read.kind == b'u' { value.abs() } else { value };
                let range = if read.kind == b'c' { IntRange { least: -128, greatest: 127 } } else { INT };
                found.push((Read::Value { format: format.clone(), number, begins: false }, range, Int::from(value)));
                continue;
            }
            let most = read.most().unwrap_or(2);
            let letters: Vec<i64> = values.by_ref().take(2.min(most as usize)).collect();
            let letter = |value: i64| (Read::Letter { format: format.clone(), number }, CHARACTER, Int::from(value));
            found.extend(letters.iter().map(|&value| letter(value.max(0))));
            if (letters.len() as u32) < most {
                found.push(letter(-1));
            }
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases::cases(500)))]

    /// A text that is written is read so.
    #[test]
    fn what_is_written_is_read(wishes in wishes()) {
        let reads = reads(&wishes);
        let mut growing = Growing::new();
        let mut done = 0;
        for (at, (read, range, wish)) in reads.iter().enumerate() {
            match growing.read(read, Some(*range), Some(wish.clone()), at) {
                Ok(value) => prop_assert_eq!(&value, wish),
                Err(why) => {
                    prop_assert_eq!(why.draw, at);
                    // A value that could be another is none of those that could be.
                    prop_assert!(why.allowed.iter().all(|(least, greatest)| wish < least || wish > greatest), "{why:?} {wish}");
                    break;
                }
            }
            done += 1;
        }
        if done < reads.len() {
            return Ok(());
        }
        let Some(text) = growing.finished() else { return Ok(()) };
        let mut given = Given::new(&text);
        for (read, range, wish) in &reads {
            let value = given.read(read, Some(*range)).ok();
            prop_assert_eq!(value.as_ref(), Some(wish), "{:?} of {:?}", read, String::from_utf8_lossy(&text));
        }
    }
}
