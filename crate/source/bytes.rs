//! Texts of any bytes. A byte that is no part of a character of UTF-8 is a character of its own, so that nothing is lost: a comment may
//! have it, and a string literal keeps its value.

use std::borrow::Cow;

/// The character of the byte 0. Those of the bytes from 0x80 on, all private, stand for bytes.
const FIRST: u32 = 0x10_FF00;

/// The byte that a character stands for, if it is no part of a character.
pub fn byte_of(c: char) -> Option<u8> {
    (c as u32).checked_sub(FIRST).filter(|byte| *byte >= 0x80).and_then(|byte| u8::try_from(byte).ok())
}

fn of_byte(byte: u8) -> Option<char> {
    char::from_u32(FIRST + u32::from(byte))
}

/// Bytes as a text.
pub fn decoded(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        // Characters that stand for bytes are bytes themselves in a file.
        for c in chunk.valid().chars() {
            match byte_of(c) {
                Some(_) => text.extend(c.encode_utf8(&mut [0; 4]).bytes().filter_map(of_byte)),
                None => text.push(c),
            }
        }
        text.extend(chunk.invalid().iter().copied().filter_map(of_byte));
    }
    text
}

/// The bytes of a text.
pub fn encoded(text: &str) -> Cow<'_, [u8]> {
    if !text.contains(|c| byte_of(c).is_some()) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match byte_of(c) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    Cow::Owned(bytes)
}

#[cfg(test)]
mod tests {
    use super::{decoded, encoded};

    #[test]
    fn nothing_is_lost() {
        for bytes in [&b"caf\xe9 \xff\x80"[..], "é𝛼".as_bytes(), "\u{10ffe9}x".as_bytes(), b"\xc3", b""] {
            assert_eq!(*encoded(&decoded(bytes)), *bytes);
        }
        assert_eq!((decoded("é".as_bytes()).as_str(), decoded(b"\xe9").chars().count()), ("é", 1));
    }
}
