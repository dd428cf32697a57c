//! Standard input: a run reads a text, or writes one whose reads give the values that are wished for.

use super::growing::Growing;
use super::{NoText, Undefined};
use crate::logic::decimal::nearest;
use crate::logic::rank::FloatFormat;
use crate::logic::{Int, IntRange};
use crate::lts::Requirement;
use crate::lts::read::digits_of;
use crate::lts::read::{ByteSet, Directive, Format, Read, ScanConversion};

/// What a run reads.
#[derive(Clone, Debug)]
pub(super) enum InputText<'a> {
    /// The text of the input.
    Given(Given<'a>),
    /// A text that the run writes itself.
    Growing(Box<Growing>),
}

/// Why a read gives no value.
pub(super) enum Unread {
    /// The conversion failed: its object keeps its value.
    Kept,
    Undefined(Undefined),
    NoText(NoText),
}

/// A text that is read.
#[derive(Clone, Debug)]
pub(super) struct Given<'a> {
    text: &'a [u8],
    at: usize,
    /// Whether a read has looked past the last character.
    met_end: bool,
    /// The end-of-file indicator; `None` where libraries differ, after a conversion that took its width and all that there is.
    indicator: Option<bool>,
    /// What the conversions of the last call of `scanf` gave, by their numbers.
    results: Vec<Option<Got>>,
    /// How many characters of its words were read, by their numbers.
    letters: Vec<usize>,
}

#[derive(Clone, Debug)]
enum Got {
    /// A number, of a floating-point number its rank, and whether its type is an unsigned one.
    Number(Int, bool),
    Character(u8),
    Word(Vec<u8>),
    /// Something of which implementations make different things.
    Unclear,
}

/// How a directive fails.
enum DirectiveFailure {
    /// No character is left.
    End,
    Mismatch,
}

impl<'a> Given<'a> {
    pub fn new(text: &'a [u8]) -> Given<'a> {
        Given { text, at: 0, met_end: false, indicator: Some(false), results: Vec::new(), letters: Vec::new() }
    }

    /// How many characters are read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Whether nothing was looked for, not even whether the text ends.
    pub fn is_unread(&self) -> bool {
        self.at == 0 && !self.met_end
    }

    /// Whether a read has looked past the last character.
    pub fn met_end(&self) -> bool {
        self.met_end
    }

    /// The value of a read, which is one of the range.
    pub fn read(&mut self, read: &Read, range: Option<IntRange>) -> Result<Int, Unread> {
        let unclear = || Unread::Undefined(Undefined::Unmet(Requirement::Text));
        match read {
            Read::EndOfFile => self.indicator.map(|met| Int::from(i64::from(met))).ok_or_else(unclear),
            Read::Clear => {
                self.indicator = Some(false);
                Ok(Int::ZERO)
            }
            Read::Character => Ok(self.next().map_or(Int::from(-1), |byte| Int::from(i64::from(byte)))),
            Read::Status(format) => self.scan(format).map(Int::from).ok_or_else(unclear),
            Read::Call(format) => self.scan(format).map(|_| Int::ZERO).ok_or_else(unclear),
            Read::Value { format, number, begins } => {
                if *begins {
                    self.scan(format).ok_or_else(unclear)?;
                }
                match self.results.get(*number as usize) {
                    Some(Some(Got::Number(value, unsigned))) => match range {
                        Some(range) if *unsigned && value.is_negative() && -value.clone() <= range.greatest() => Ok(range.wrap(value)),
                        Some(range) if !range.contains(value) => Err(unclear()),
                        _ => Ok(value.clone()),
                    },
                    Some(Some(Got::Character(byte))) => {
                        let value = Int::from(i64::from(*byte));
                        Ok(range.map_or(value.clone(), |range| range.wrap(&value)))
                    }
                    Some(Some(Got::Unclear)) => Err(unclear()),
                    _ => Err(Unread::Kept),
                }
            }
            Read::HasCount { number } => Ok(Int::from(i64::from(matches!(self.results.get(*number as usize), Some(Some(_)))))),
            Read::Letter { number, .. } => {
                let number = *number as usize;
                let at = self.letters.get(number).copied().unwrap_or_default();
                match self.results.get(number) {
                    Some(Some(Got::Word(word))) if at < word.len() => {
                        self.letters[number] += 1;
                        Ok(Int::from(i64::from(word[at])))
                    }
                    Some(Some(Got::Unclear)) => Err(unclear()),
                    _ => Ok(Int::from(-1)),
                }
            }
        }
    }

    /// A read looks past the last character.
    fn look_past(&mut self) {
        (self.met_end, self.indicator) = (true, Some(true));
    }

    fn peek(&mut self) -> Option<u8> {
        if self.at >= self.text.len() {
            self.look_past();
        }
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek();
        self.at += usize::from(byte.is_some());
        byte
    }

    /// Takes the characters of a set, at most so many.
    fn take(&mut self, set: ByteSet, limit: Option<u32>) -> &'a [u8] {
        let rest = &self.text[self.at..];
        let most = limit.map_or(rest.len(), |most| rest.len().min(most as usize));
        let length = rest[..most].iter().position(|&byte| !set.contains(byte)).unwrap_or(most);
        // A number or a word ends only where the character after it is seen.
        match limit {
            _ if length < rest.len() => {}
            Some(most) if most as usize <= length => self.indicator = self.indicator.filter(|&met| met),
            _ => self.look_past(),
        }
        self.at += length;
        &rest[..length]
    }

    /// A call of `scanf` (C11 7.21.6.2): the number that it gives back; `None` where it is unclear what a conversion without an object takes
    /// from the text.
    fn scan(&mut self, format: &Format) -> Option<i64> {
        self.results = vec![None; format.kept().count()];
        self.letters = vec![0; self.results.len()];
        let (start, mut number, mut counted) = (self.at, 0, 0);
        for directive in &format.directives {
            let failure = match directive {
                Directive::Space => {
                    self.take(ByteSet::blanks(), None);
                    None
                }
                Directive::Literal(byte) => match self.peek() {
                    None => Some(DirectiveFailure::End),
                    Some(next) if next == *byte => {
                        self.at += 1;
                        None
                    }
                    Some(_) => Some(DirectiveFailure::Mismatch),
                },
                Directive::Convert(read) => match self.convert(read, self.at - start) {
                    Ok(Got::Unclear) if !read.kept => return None,
                    Ok(got) => {
                        if read.kept {
                            self.results[number] = Some(got);
                            number += 1;
                            counted += i64::from(read.kind != b'n');
                        }
                        None
                    }
                    Err(failure) => Some(failure),
                },
            };
            match failure {
                // Implementations agree that this is so even where a conversion without an object has succeeded.
                Some(DirectiveFailure::End) if counted == 0 => return Some(-1),
                Some(_) => return Some(counted),
                None => {}
            }
        }
        Some(counted)
    }

    fn convert(&mut self, read: &ScanConversion, so_far: usize) -> Result<Got, DirectiveFailure> {
        if read.kind == b'n' {
            return Ok(Got::Number(Int::from(so_far), false));
        }
        if read.skips() {
            self.take(ByteSet::blanks(), None);
        }
        if self.peek().is_none() {
            return Err(DirectiveFailure::End);
        }
        match read.kind {
            b'c' if !read.is_word() => self.next().map(Got::Character).ok_or(DirectiveFailure::End),
            b'c' | b's' | b'[' => {
                let word = self.take(read.letters(), read.most());
                match word.len() {
                    0 => Err(DirectiveFailure::Mismatch),
                    // Too few characters: only some implementations call that a failure.
                    length if read.kind == b'c' && length < read.width as usize => Ok(Got::Unclear),
                    _ => Ok(Got::Word(word.to_vec())),
                }
            }
            _ => match read.number_format() {
                Some(format) => self.real(read, format),
                None => self.number(read),
            },
        }
    }

    /// A floating-point number as `strtod` reads it: its rank. Of hexadecimal numbers, and of what begins like a number and goes on
    /// otherwise, implementations make different things.
    fn real(&mut self, read: &ScanConversion, format: FloatFormat) -> Result<Got, DirectiveFailure> {
        let rest = &self.text[self.at..];
        let item = &rest[..read.most().map_or(rest.len(), |most| rest.len().min(most as usize))];
        let unsigned = item.strip_prefix(b"-").or_else(|| item.strip_prefix(b"+")).unwrap_or(item);
        let sign = item.len() - unsigned.len();
        let spells = |word: &str| unsigned.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()));
        let then = |length: usize, bytes: &[u8]| unsigned.get(length).is_some_and(|byte| bytes.contains(byte));
        let digits = |from: usize| unsigned[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let whole = digits(0);
        let has_point = then(whole, b".");
        let fraction = if has_point { digits(whole + 1) } else { 0 };
        let mantissa = whole + usize::from(has_point) + fraction;
        let (value, length) = match () {
            () if spells("infinity") => (f64::INFINITY, 8),
            () if spells("inf") && !then(3, b"iI") => (f64::INFINITY, 3),
            () if spells("nan") && !then(3, b"(") => (f64::NAN, 3),
            () if then(0, b"iInN") || whole == 1 && spells("0") && then(1, b"xX") => return Ok(Got::Unclear),
            () if whole + fraction == 0 => {
                self.at += sign + mantissa;
                self.after_real(read.most().is_some_and(|most| sign + mantissa >= most as usize));
                return Err(DirectiveFailure::Mismatch);
            }
            () => {
                let mut length = mantissa;
                if then(length, b"eE") {
                    length += 1 + usize::from(then(length + 1, b"+-"));
                    match digits(length) {
                        0 => return Ok(Got::Unclear),
                        exponent => length += exponent,
                    }
                }
                let numeral = std::str::from_utf8(&unsigned[..length]).ok().and_then(|text| nearest(text, format));
                (numeral.unwrap_or(f64::NAN), length)
            }
        };
        let rank = format.rank(if item.starts_with(b"-") { -value } else { value });
        self.at += sign + length;
        self.after_real(value.is_nan() || value.is_infinite() || read.most().is_some_and(|most| sign + length >= most as usize));
        Ok(Got::Number(Int::from(rank), false))
    }

    /// A floating-point number was read, or its beginning. How far widths and names of special numbers let a library look is its own.
    fn after_real(&mut self, is_unclear: bool) {
        if self.at == self.text.len() {
            self.look_past();
            self.indicator = self.indicator.filter(|_| !is_unclear);
        }
    }

    /// An integer with an optional sign.
    fn number(&mut self, read: &ScanConversion) -> Result<Got, DirectiveFailure> {
        let end = self.at + read.most().map_or(self.text.len() + 1, |most| most as usize);
        let left = |own: &Given| (end - own.at) as u32;
        let one = |own: &mut Given<'a>, bytes: &[u8]| {
            let set = bytes.iter().fold(ByteSet::default(), |set, &byte| set.or(ByteSet::of(&[byte..=byte])));
            own.take(set, Some(left(own).min(1))).first().copied()
        };
        let negative = one(self, b"+-") == Some(b'-');
        let mut base = read.base();
        let mut digits: Vec<u8> = Vec::new();
        if base.is_none_or(|base| base == 16)
            && let Some(zero) = one(self, b"0")
        {
            digits.push(zero);
            if one(self, b"xX").is_some() {
                digits.clear();
                base = Some(16);
                if self.peek().is_none_or(|byte| left(self) == 0 || !byte.is_ascii_hexdigit()) {
                    return Ok(Got::Unclear);
                }
            }
            base = base.or(Some(8));
        }
        let base = base.unwrap_or(10);
        digits.extend(self.take(digits_of(base), Some(left(self))));
        if digits.is_empty() {
            return Err(DirectiveFailure::Mismatch);
        }
        let step = |value: Int, digit: &u8| {
            &(&value * &Int::from(base as usize)) + &Int::from((*digit as char).to_digit(base).unwrap_or(0) as usize)
        };
        let value = digits.iter().fold(Int::ZERO, step);
        Ok(Got::Number(if negative { -value } else { value }, !matches!(read.kind, b'd' | b'i')))
    }
}
