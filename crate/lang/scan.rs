//! The formats of `scanf` (C11 7.21.6.2).

use super::library;
use crate::logic::rank::FloatFormat;
use std::ops::RangeInclusive;

/// A format, directive by directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    pub directives: Vec<Directive>,
}

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Directive {
    /// White space: skips any.
    Space,
    /// A character that has to come next.
    Literal(u8),
    Convert(ScanConversion),
}

/// A conversion in a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanConversion {
    /// Whether the value goes to an address; not so of `%*d`.
    pub kept: bool,
    /// The most characters; 0 where that is not said.
    pub width: u32,
    /// Whether an `l` says the size of the object.
    pub is_long: bool,
    /// The letter; a blank where the format ends before it.
    pub kind: u8,
    /// The characters of `%[…]`, where it is one.
    pub set: Option<ByteSet>,
}

/// A conversion of a format whose value goes to an address.
#[derive(Clone, Copy, Debug)]
pub struct KeptConversion<'a> {
    pub read: &'a ScanConversion,
    /// How many characters are read before it, at least.
    pub least: u32,
    /// Whether a directive can fail between the last such conversion and this one.
    pub may_fail_since: bool,
    /// Whether a directive after it can fail.
    pub may_fail_later: bool,
}

impl KeptConversion<'_> {
    /// Whether it is a `%n` that a call may not come to.
    pub fn is_uncertain_count(&self) -> bool {
        self.read.kind == b'n' && self.least > 0
    }
}

/// A set of bytes, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    /// All bytes.
    pub const ALL: ByteSet = ByteSet([u64::MAX; 4]);

    /// The bytes of these ranges.
    pub fn of(ranges: &[RangeInclusive<u8>]) -> ByteSet {
        let mut set = ByteSet::default();
        ranges.iter().cloned().flatten().for_each(|byte| set.insert(byte));
        set
    }

    /// White space in the locale "C".
    pub fn blanks() -> ByteSet {
        ByteSet::of(&[9..=13, 32..=32])
    }

    pub fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte / 64)] |= 1 << (byte % 64);
    }

    pub fn contains(self, byte: u8) -> bool {
        self.0[usize::from(byte / 64)] & 1 << (byte % 64) != 0
    }

    /// The bytes that are not in it.
    pub fn complement(self) -> ByteSet {
        ByteSet(self.0.map(|bits| !bits))
    }

    /// The bytes that are in both.
    pub fn and(self, other: ByteSet) -> ByteSet {
        ByteSet([0, 1, 2, 3].map(|at| self.0[at] & other.0[at]))
    }

    /// The bytes that are in one of both.
    pub fn or(self, other: ByteSet) -> ByteSet {
        ByteSet([0, 1, 2, 3].map(|at| self.0[at] | other.0[at]))
    }

    /// The bytes in order.
    pub fn bytes(self) -> impl Iterator<Item = u8> {
        (0..=u8::MAX).filter(move |&byte| self.contains(byte))
    }

    /// The longest ranges of bytes that are in it, in order.
    pub fn ranges(self) -> Vec<(u8, u8)> {
        let mut found: Vec<(u8, u8)> = Vec::new();
        for byte in self.bytes() {
            match found.last_mut() {
                Some((_, last)) if last.checked_add(1) == Some(byte) => *last = byte,
                _ => found.push((byte, byte)),
            }
        }
        found
    }
}

impl Directive {
    /// How many characters it reads at least, where it succeeds. Of a `%c` for which there are fewer than its width nothing is defined here.
    pub fn least(&self) -> u32 {
        match self {
            Directive::Space => 0,
            Directive::Literal(_) => 1,
            Directive::Convert(read) => match read.kind {
                b'n' => 0,
                b'c' => read.width.max(1),
                _ => 1,
            },
        }
    }

    /// Whether it can fail: it needs a character.
    pub fn can_fail(&self) -> bool {
        self.least() > 0
    }

    /// The conversion that it is, if it is one.
    pub fn read(self) -> Option<ScanConversion> {
        if let Directive::Convert(read) = self { Some(read) } else { None }
    }
}

impl ScanConversion {
    /// The function of the library that puts a word into its array.
    pub fn function(&self) -> &'static str {
        if self.kind == b'c' { library::SCAN_CHARACTERS } else { library::SCAN_STRING }
    }

    /// Whether it reads characters into an array: `%s`, `%[…]`, and `%c` with a width.
    pub fn is_word(&self) -> bool {
        matches!(self.kind, b's' | b'[') || self.kind == b'c' && self.width > 1
    }

    /// The format of the floating-point number that it reads, if it reads one.
    pub fn number_format(&self) -> Option<FloatFormat> {
        b"aefgAEFG".contains(&self.kind).then_some(if self.is_long { FloatFormat::Double } else { FloatFormat::Single })
    }

    /// Whether it skips white space first.
    pub fn skips(&self) -> bool {
        !matches!(self.kind, b'c' | b'[' | b'n')
    }

    /// The characters of which a word consists.
    pub fn letters(&self) -> ByteSet {
        match (self.set, self.kind) {
            (Some(set), _) => set,
            (None, b's') => ByteSet::blanks().complement(),
            _ => ByteSet::ALL,
        }
    }

    /// The most characters; `%c` without a width reads one.
    pub fn most(&self) -> Option<u32> {
        match (self.width, self.kind) {
            (0, b'c') => Some(1),
            (0, _) => None,
            (width, _) => Some(width),
        }
    }

    /// The least and the greatest integer that so many characters can give: all of them digits, or a sign first. `None` where the width is
    /// not bounded, or is so great that the type of the object bounds the number alone, and of what reads no integer.
    pub fn bounds(&self) -> Option<(i128, i128)> {
        let width @ 1..=18 = self.width else { return None };
        if !b"diuxXo".contains(&self.kind) {
            return None;
        }
        // The two characters of `0x` are among those of a number of any base.
        let greatest = |characters: u32| match self.base() {
            Some(base) => i128::from(base).pow(characters) - 1,
            None => i128::max(10i128.pow(characters), 16i128.pow(characters.saturating_sub(2))) - 1,
        };
        Some((-greatest(width - 1), greatest(width)))
    }

    /// The base of a number's digits; `None` where a prefix says it, as for `%i`.
    pub fn base(&self) -> Option<u32> {
        match self.kind {
            b'o' => Some(8),
            b'x' | b'X' => Some(16),
            b'i' => None,
            _ => Some(10),
        }
    }
}

impl Format {
    /// The directives of a format.
    pub fn read(format: &[u8]) -> Format {
        let mut directives = Vec::new();
        let mut rest = format.iter().copied().peekable();
        while let Some(c) = rest.next() {
            if ByteSet::blanks().contains(c) {
                if directives.last() != Some(&Directive::Space) {
                    directives.push(Directive::Space);
                }
                continue;
            }
            if c != b'%' {
                directives.push(Directive::Literal(c));
                continue;
            }
            if rest.next_if_eq(&b'%').is_some() {
                // It skips white space, as conversions do.
                directives.extend([Directive::Space, Directive::Literal(b'%')]);
                continue;
            }
            let kept = rest.next_if_eq(&b'*').is_none();
            let mut width = 0u32;
            while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
                width = width.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
            }
            // The type of the object says the size, too.
            let mut is_long = false;
            while let Some(size) = rest.next_if(|c| b"hlzjtqL".contains(c)) {
                is_long |= size == b'l';
            }
            let kind = rest.next().unwrap_or(b' ');
            let set = (kind == b'[').then(|| bracketed(&mut rest));
            directives.push(Directive::Convert(ScanConversion { kept, width, is_long, kind, set }));
        }
        Format { directives }
    }

    /// The conversions in order.
    pub fn reads(&self) -> impl Iterator<Item = &ScanConversion> {
        self.directives.iter().filter_map(|directive| if let Directive::Convert(read) = directive { Some(read) } else { None })
    }

    /// The conversions whose values go to addresses, in order.
    pub fn kept(&self) -> impl Iterator<Item = &ScanConversion> {
        self.reads().filter(|read| read.kept)
    }

    /// The greatest number that a call can give back: `%n` does not count (7.21.6.2p12).
    pub fn most(&self) -> u32 {
        self.kept().filter(|read| read.kind != b'n').count() as u32
    }

    /// Whether a call at the end of the text gives back `EOF`: the first directive that needs a character finds none.
    pub fn ends(&self) -> bool {
        self.directives.iter().any(Directive::can_fail)
    }

    /// The conversion with this number among those whose values go to addresses, and what is around it.
    pub fn around(&self, number: u32) -> Option<KeptConversion<'_>> {
        let is_kept = |directive: &Directive| matches!(directive, Directive::Convert(read) if read.kept);
        let kept = self.directives.iter().enumerate().filter(|(_, directive)| is_kept(directive));
        let (at, Directive::Convert(read)) = kept.clone().nth(number as usize)? else { return None };
        let last = kept.take(number as usize).last().map_or(0, |(at, _)| at + 1);
        let can_fail = |directives: &[Directive]| directives.iter().any(Directive::can_fail);
        Some(KeptConversion {
            read,
            least: self.directives[..at].iter().map(Directive::least).fold(0, u32::saturating_add),
            may_fail_since: can_fail(&self.directives[last..at]),
            may_fail_later: can_fail(&self.directives[at + 1..]),
        })
    }
}

/// The set of `%[…]` after its bracket.
fn bracketed(rest: &mut std::iter::Peekable<impl Iterator<Item = u8>>) -> ByteSet {
    let negated = rest.next_if_eq(&b'^').is_some();
    let mut listed: Vec<u8> = Vec::new();
    // A bracket in front is one of the characters.
    listed.extend(rest.next_if_eq(&b']'));
    listed.extend(std::iter::from_fn(|| rest.next_if(|&c| c != b']')));
    rest.next();
    let mut set = ByteSet::default();
    let mut at = 0;
    while let Some(&first) = listed.get(at) {
        match listed.get(at + 1..at + 3) {
            // What `-` means between two characters is the implementation's; all take it for a range.
            Some([b'-', last]) if first <= *last => {
                (first..=*last).for_each(|byte| set.insert(byte));
                at += 3;
            }
            _ => {
                set.insert(first);
                at += 1;
            }
        }
    }
    if negated { set.complement() } else { set }
}

/// The digits of a base.
pub fn digits_of(base: u32) -> ByteSet {
    match base {
        8 => ByteSet::of(&[b'0'..=b'7']),
        16 => ByteSet::of(&[b'0'..=b'9', b'a'..=b'f', b'A'..=b'F']),
        _ => ByteSet::of(&[b'0'..=b'9']),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_read() {
        let format = Format::read(b" %3d, %*s%%%[^a-c]%n%lx");
        let letters: Vec<u8> = format.reads().map(|read| read.kind).collect();
        assert_eq!(letters, *b"ds[nx");
        assert_eq!(format.directives[0], Directive::Space);
        assert_eq!(format.directives[2..4], [Directive::Literal(b','), Directive::Space]);
        assert_eq!((format.most(), format.kept().count()), (3, 4));
        let set = format.reads().nth(2).and_then(|read| read.set).expect("a set");
        assert_eq!(set.ranges(), [(0, 96), (100, 255)]);
    }

    #[test]
    fn brackets_may_be_in_their_set() {
        let set = |format: &[u8]| Format::read(format).reads().next().and_then(|read| read.set).expect("a set").ranges();
        assert_eq!(set(b"%[]x-]"), [(b'-', b'-'), (b']', b']'), (b'x', b'x')]);
        assert_eq!(set(b"%[^]]"), [(0, b']' - 1), (b']' + 1, 255)]);
    }
}
