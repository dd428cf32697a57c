//! The formats of `scanf` (C11 7.21.6.2).

/// A conversion in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// Whether the value goes to an address; not so of `%*d`.
    pub kept: bool,
    /// The most characters; 0 where that is not said.
    pub width: u32,
    /// The letter; a blank where the format ends before it.
    pub kind: u8,
}

/// The conversions of a format, in order.
pub fn reads(format: &[u8]) -> Vec<Read> {
    let mut list = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(c) = rest.next() {
        if c != b'%' || rest.next_if_eq(&b'%').is_some() {
            continue;
        }
        let kept = rest.next_if_eq(&b'*').is_none();
        let mut width = 0u32;
        while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
            width = width.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
        }
        while rest.next_if(|c| b"hlzjtqL".contains(c)).is_some() {}
        list.push(Read { kept, width, kind: rest.next().unwrap_or(b' ') });
    }
    list
}
