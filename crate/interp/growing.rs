//! Writing the text that a run reads: each read says which value is wished for, and the text gets the characters that give it.
//!
//! What a read has looked at and left there limits what can follow, by one character, since `scanf` puts one back at most: no digit after a
//! number; something else than a number where a number was to fail. Where no text gives the wish, the run ends, and says which values it
//! could have had ([`NoText`]). Whatever grows here counts only after a run has read it as a text.

use super::NoText;
use crate::logic::rank::FloatFormat;
use crate::logic::{Int, IntRange};
use crate::lts::read::digits_of;
use crate::lts::read::{ByteSet, Directive, Format, Read, ScanConversion};
use std::sync::Arc;

/// A text up to where reads have come.
#[derive(Clone, Debug)]
pub(super) struct Growing {
    text: Vec<u8>,
    /// What can come next, and whether the text can end here.
    next: ByteSet,
    can_end: bool,
    /// Whether what was looked at counts no more for the end-of-file indicator.
    cleared: bool,
    call: Option<ScanfCall>,
}

/// A call of `scanf`, as far as its values were asked for.
#[derive(Clone, Debug)]
struct ScanfCall {
    format: Arc<Format>,
    /// The next directive.
    at: usize,
    /// How many conversions gave an object a value, and how many of these count.
    number: u32,
    counted: u32,
    /// What it gives back, where that is said.
    status: Option<i64>,
    /// Whether the next conversion fails, where the program drops what the call gives back.
    fails: bool,
    /// The length of the text at its beginning.
    start: usize,
    /// The length of the word that is being read.
    word: Option<u32>,
    /// Where more blanks can stand, after what a `%n` has counted.
    blanks: Option<usize>,
}

/// The most blanks that are written for a `%n`.
const BLANKS: usize = 4096;

/// No text goes on like this.
struct Blocked;

impl Growing {
    pub fn new() -> Growing {
        Growing { text: Vec::new(), next: ByteSet::ALL, can_end: true, cleared: false, call: None }
    }

    /// The value of a read: the one that is wished for, or where the wishes are used up one that comes easily. `draw` is its number.
    pub fn read(&mut self, read: &Read, range: Option<IntRange>, wish: Option<Int>, draw: usize) -> Result<Int, NoText> {
        let wish = wish.map(|wish| range.map_or(wish.clone(), |range| range.wrap(&wish)));
        self.wished(read, wish.clone(), draw).map_err(|mut why| {
            // A value that is possible by itself is not so after the values before it.
            let is_wish = |(least, greatest): &(Int, Int)| wish.as_ref().is_some_and(|wish| least <= wish && wish <= greatest);
            if why.allowed.iter().any(is_wish) {
                why.allowed.clear();
            }
            why
        })
    }

    /// As [`Growing::read`], of a wish in the range; where there is no text, the values that are possible by themselves.
    fn wished(&mut self, read: &Read, wish: Option<Int>, draw: usize) -> Result<Int, NoText> {
        let no_text = |own: &Growing| NoText { draw, allowed: own.allowed(read) };
        match read {
            Read::EndOfFile => {
                self.finish().map_err(|Blocked| NoText { draw, allowed: Vec::new() })?;
                // Only where a read before has looked at what comes next something is said of that.
                let has_looked = self.next != ByteSet::ALL && !self.cleared;
                let (can_be, can_not_be) = (has_looked && self.can_end, !has_looked || self.next != ByteSet::default());
                let met = wish.map_or(can_be, |wish| !wish.is_zero());
                if !(if met { can_be } else { can_not_be }) {
                    let other = Int::from(i64::from(!met));
                    return Err(NoText { draw, allowed: vec![(other.clone(), other)] });
                }
                match (met, has_looked) {
                    (true, _) => self.next = ByteSet::default(),
                    (false, true) => self.can_end = false,
                    (false, false) => {}
                }
                Ok(Int::from(i64::from(met)))
            }
            Read::Clear => {
                self.finish().map_err(|Blocked| NoText { draw, allowed: Vec::new() })?;
                self.cleared = true;
                Ok(Int::ZERO)
            }
            Read::Character => {
                self.finish().map_err(|Blocked| NoText { draw, allowed: Vec::new() })?;
                let wish = wish.unwrap_or_else(|| {
                    if self.can_end {
                        Int::from(-1)
                    } else {
                        self.sample(self.next).map_or(Int::from(-1), |byte| Int::from(i64::from(byte)))
                    }
                });
                let done = match wish.to_i64().and_then(|wish| u8::try_from(wish).ok()) {
                    Some(byte) => self.byte(byte),
                    None => self.end(),
                };
                done.map_err(|Blocked| no_text(self))?;
                Ok(wish)
            }
            Read::Status(format) => {
                self.finish().map_err(|Blocked| NoText { draw, allowed: Vec::new() })?;
                let wish = wish.unwrap_or_else(|| if self.can_end && format.ends() { Int::from(-1) } else { Int::ZERO });
                let status = wish.to_i64().unwrap_or_default();
                let possible = |status: i64| self.can_give(format, status);
                if !possible(status) {
                    let most = i64::from(format.most());
                    let allowed = (-1..=most).filter(|&status| possible(status)).map(|status| (Int::from(status), Int::from(status)));
                    return Err(NoText { draw, allowed: allowed.collect() });
                }
                self.call = Some(self.begun(format, Some(status)));
                if status == -1 {
                    self.end().map_err(|Blocked| no_text(self))?;
                }
                Ok(wish)
            }
            Read::Call(format) => {
                self.finish().map_err(|Blocked| NoText { draw, allowed: Vec::new() })?;
                self.call = Some(self.begun(format, None));
                Ok(Int::ZERO)
            }
            Read::Value { format, number, begins } => {
                if *begins {
                    self.finish().map_err(|Blocked| NoText { draw, allowed: Vec::new() })?;
                    self.call = Some(self.begun(format, None));
                }
                let wish = match wish {
                    Some(wish) => wish,
                    None if format.kept().nth(*number as usize).is_some_and(|read| read.kind == b'n') => {
                        self.end_word();
                        let _ = self.advance(*number);
                        self.so_far().unwrap_or_default()
                    }
                    None => Int::ZERO,
                };
                self.value(*number, &wish).map_err(|Blocked| no_text(self))?;
                Ok(wish)
            }
            Read::HasCount { number } => {
                self.end_word();
                let comes = wish.map_or_else(|| self.clone().advance(*number).is_ok(), |wish| !wish.is_zero());
                let done = if comes { self.advance(*number).map(|_| ()) } else { self.fail_before(*number) };
                done.map_err(|Blocked| NoText { draw, allowed: vec![(Int::from(i64::from(!comes)), Int::from(i64::from(!comes)))] })?;
                Ok(Int::from(i64::from(comes)))
            }
            Read::Letter { number, .. } => {
                let wish = self.letter(*number, wish).map_err(|Blocked| no_text(self))?;
                Ok(wish)
            }
        }
    }

    /// The text, once nothing more is read.
    pub fn finished(mut self) -> Option<Vec<u8>> {
        self.finish().ok()?;
        if !self.can_end {
            let byte = self.sample(self.next)?;
            self.byte(byte).ok()?;
        }
        Some(self.text)
    }

    fn begun(&self, format: &Arc<Format>, status: Option<i64>) -> ScanfCall {
        ScanfCall {
            format: format.clone(),
            at: 0,
            number: 0,
            counted: 0,
            status,
            fails: false,
            start: self.text.len(),
            word: None,
            blanks: None,
        }
    }

    /// The values that a read could have had, as far as one character decides.
    fn allowed(&self, read: &Read) -> Vec<(Int, Int)> {
        let set = match (read, &self.call) {
            (Read::Character, _) => self.next,
            (Read::Letter { .. }, Some(call)) => match call.current() {
                Some(read) if read.skips() && call.word.is_none_or(|length| length == 0) => read.letters(),
                Some(read) => self.next.and(read.letters()),
                None => return Vec::new(),
            },
            (Read::Value { .. }, Some(call)) if call.current().is_some_and(|read| read.kind == b'n') => {
                let more = call.blanks.map_or(0, |_| BLANKS);
                return self.so_far().into_iter().map(|count| (count.clone(), &count + &Int::from(more))).collect();
            }
            (Read::Value { number, .. }, Some(call)) => return call.format.kept().nth(*number as usize).map(limits).unwrap_or_default(),
            _ => return Vec::new(),
        };
        let end =
            self.can_end && !matches!((read, &self.call), (Read::Letter { .. }, Some(call)) if call.word.is_none_or(|length| length == 0));
        let end = end.then(|| (Int::from(-1), Int::from(-1)));
        let int = |byte: u8| Int::from(i64::from(byte));
        end.into_iter().chain(set.ranges().into_iter().map(|(first, last)| (int(first), int(last)))).collect()
    }

    /// Whether a call can give back this number here, as far as that is plain.
    fn can_give(&self, format: &Format, status: i64) -> bool {
        let most = i64::from(format.most());
        let ended = self.next == ByteSet::default();
        match status {
            -1 => self.can_end && format.ends(),
            _ if ended && format.ends() => false,
            // The first conversion has to fail, and not for want of characters.
            0 if most > 0 => match format.directives.iter().find(|directive| **directive != Directive::Space) {
                Some(Directive::Convert(read)) => self.failing(read, false).0 != ByteSet::default(),
                _ => true,
            },
            // The first conversion has to succeed: white space or its first character comes next.
            _ => match format.directives.first() {
                Some(Directive::Convert(read)) if read.kind != b'n' => self.next.and(beginning(read)) != ByteSet::default(),
                _ => true,
            },
        }
    }

    /// What can come next where this conversion fails, and whether the end can.
    fn failing(&self, read: &ScanConversion, end: bool) -> (ByteSet, bool) {
        let mismatch = match read.kind {
            b's' | b'c' => ByteSet::default(),
            b'[' => read.letters().complement(),
            _ => beginning(read).complement(),
        };
        (self.next.and(mismatch), end && self.can_end)
    }

    fn byte(&mut self, byte: u8) -> Result<(), Blocked> {
        if !self.next.contains(byte) {
            return Err(Blocked);
        }
        self.text.push(byte);
        self.cleared = false;
        (self.next, self.can_end) = (ByteSet::ALL, true);
        Ok(())
    }

    fn end(&mut self) -> Result<(), Blocked> {
        (self.next, self.cleared) = (ByteSet::default(), false);
        if self.can_end { Ok(()) } else { Err(Blocked) }
    }

    /// A character of the set, one that is easy to read.
    fn sample(&self, set: ByteSet) -> Option<u8> {
        let readable = ByteSet::of(&[b'a'..=b'z']);
        let printable = ByteSet::of(&[b'!'..=b'~']);
        [set.and(ByteSet::of(&[b'x'..=b'x'])), set.and(readable), set.and(printable), set].into_iter().find_map(|set| set.bytes().next())
    }

    /// Makes room for a character that may stand after white space.
    fn skip_to(&mut self, first: u8) -> Result<(), Blocked> {
        if !self.next.contains(first) {
            let inside = self.call.as_ref().is_some_and(|call| call.start < self.text.len());
            self.byte(if inside { b' ' } else { b'\n' })?;
        }
        self.blanks_fit();
        Ok(())
    }

    /// A directive that skips white space.
    fn space(&mut self) {
        if self.next != ByteSet::ALL {
            // Where none can stand here, the directive finds none.
            let _ = self.byte(b' ');
        }
        self.blanks_fit();
        self.next = self.next.and(ByteSet::blanks().complement());
    }

    /// Notes that white space is skipped here.
    fn blanks_fit(&mut self) {
        if let Some(call) = &mut self.call
            && self.next.contains(b' ')
        {
            call.blanks = Some(self.text.len());
        }
    }

    /// Writes blanks, so that a `%n` counts so many characters; those before it stay.
    fn count_to(&mut self, wish: &Int) -> Result<(), Blocked> {
        let so_far = self.so_far().ok_or(Blocked)?;
        let missing = (wish - &so_far).to_i64().and_then(|missing| usize::try_from(missing).ok()).ok_or(Blocked)?;
        let call = self.call.as_mut().ok_or(Blocked)?;
        match call.blanks.take() {
            _ if missing == 0 => Ok(()),
            Some(at) if missing <= BLANKS => {
                self.text.splice(at..at, std::iter::repeat_n(b' ', missing));
                Ok(())
            }
            _ => Err(Blocked),
        }
    }

    /// Fails at a directive before the call's `%n` with this number.
    fn fail_before(&mut self, number: u32) -> Result<(), Blocked> {
        loop {
            let call = self.call.as_ref().ok_or(Blocked)?;
            let is_at_end = call.status == Some(-1);
            if !is_at_end && call.status != Some(i64::from(call.counted)) {
                return Err(Blocked);
            }
            let directive = call.format.directives.get(call.at).cloned().ok_or(Blocked)?;
            // At the end of the text a call gives back that it met it where nothing was counted.
            let can_end = call.counted > 0;
            let (next, end) = match &directive {
                _ if is_at_end => (self.next, self.can_end),
                Directive::Space => (ByteSet::default(), false),
                Directive::Literal(byte) => (self.next.and(ByteSet::of(&[*byte..=*byte]).complement()), can_end && self.can_end),
                Directive::Convert(read) if read.kept && call.number == number => return Err(Blocked),
                Directive::Convert(read) => self.failing(read, can_end),
            };
            if is_at_end || end || next != ByteSet::default() {
                (self.next, self.can_end, self.call) = (next, end, None);
                return Ok(());
            }
            self.pass(&directive)?;
        }
    }

    /// A conversion that gives this value, or one that comes easily.
    fn converted(&mut self, read: &ScanConversion, value: Option<&Int>) -> Result<(), Blocked> {
        match read.kind {
            b'n' => Ok(()),
            b'c' | b's' | b'[' if read.is_word() || value.is_none() => {
                let count = if read.kind == b'c' { read.width.max(1) } else { 1 };
                for _ in 0..count {
                    let letters = read.letters();
                    let byte = self.sample(if read.skips() { letters } else { self.next.and(letters) }).ok_or(Blocked)?;
                    if read.skips() {
                        self.skip_to(byte)?;
                    }
                    self.byte(byte)?;
                }
                self.bound_word(read, count);
                Ok(())
            }
            b'c' => self.byte(value.and_then(Int::to_i64).unwrap_or_default() as u8),
            _ => self.number(read, value.unwrap_or(&Int::ZERO)),
        }
    }

    fn number(&mut self, read: &ScanConversion, value: &Int) -> Result<(), Blocked> {
        let base = read.base().unwrap_or(10);
        let format = read.number_format();
        let digits = match (base, value.is_negative()) {
            _ if let Some(format) = format => numeral(format, value),
            (10, _) => value.to_string(),
            (_, true) => return Err(Blocked),
            (base, false) => in_base(value, base),
        };
        if value.is_negative() && read.kind == b'u' || read.width > 0 && digits.len() > read.width as usize {
            return Err(Blocked);
        }
        for (index, byte) in digits.bytes().enumerate() {
            if index == 0 {
                self.skip_to(byte)?;
            }
            self.byte(byte)?;
        }
        if read.width == 0 || digits.len() < read.width as usize {
            let prefix = ByteSet::of(&[b'x'..=b'x', b'X'..=b'X']);
            let more = digits_of(read.base().unwrap_or(16));
            self.next = match format {
                Some(_) => in_number(),
                None if base == 10 && read.base().is_some() => more,
                None => more.or(prefix),
            }
            .complement();
        }
        Ok(())
    }

    /// Bounds the next byte after a word of so many characters.
    fn bound_word(&mut self, read: &ScanConversion, count: u32) {
        if read.most().is_none_or(|most| count < most) {
            self.next = self.next.and(read.letters().complement());
        }
    }

    /// Comes to the call's conversion with this number; gives it.
    fn advance(&mut self, number: u32) -> Result<ScanConversion, Blocked> {
        loop {
            let directive = self.call.as_ref().and_then(|call| call.format.directives.get(call.at).cloned()).ok_or(Blocked)?;
            match directive {
                Directive::Convert(read) if read.kept && self.call.as_ref().is_some_and(|call| call.number == number) => return Ok(read),
                directive => self.pass(&directive)?,
            }
        }
    }

    /// Goes on to the next directive, past one that succeeds.
    fn pass(&mut self, directive: &Directive) -> Result<(), Blocked> {
        match directive {
            Directive::Space => self.space(),
            Directive::Literal(byte) => self.byte(*byte)?,
            Directive::Convert(read) => self.converted(read, None)?,
        }
        self.passed();
        Ok(())
    }

    fn passed(&mut self) {
        if let Some(call) = &mut self.call {
            if let Some(Directive::Convert(read)) = call.format.directives.get(call.at)
                && read.kept
            {
                call.number += 1;
                call.counted += u32::from(read.kind != b'n');
            }
            call.at += 1;
            call.word = None;
        }
    }

    fn value(&mut self, number: u32, wish: &Int) -> Result<(), Blocked> {
        self.end_word();
        if self.call.as_ref().is_some_and(|call| call.fails) {
            return Err(Blocked);
        }
        let read = self.advance(number)?;
        if read.kind == b'n' {
            self.count_to(wish)?;
        }
        self.converted(&read, Some(wish))?;
        self.passed();
        Ok(())
    }

    /// How many characters the call has read.
    fn so_far(&self) -> Option<Int> {
        Some(Int::from(self.text.len() - self.call.as_ref()?.start))
    }

    /// The next character of a word.
    fn letter(&mut self, number: u32, wish: Option<Int>) -> Result<Int, Blocked> {
        if self.call.as_ref().is_none_or(|call| call.fails || call.number > number) {
            return Ok(Int::from(-1));
        }
        if self.call.as_ref().is_some_and(|call| call.number < number) {
            self.end_word();
        }
        let read = self.advance(number)?;
        let Some(call) = &mut self.call else { return Err(Blocked) };
        let length = *call.word.get_or_insert(0);
        let needed = length == 0 || read.kind == b'c';
        let wish = match wish {
            Some(wish) => wish.to_i64().and_then(|wish| u8::try_from(wish).ok()),
            None if needed => self.sample(read.letters()),
            None => None,
        };
        match wish {
            Some(byte) if read.letters().contains(byte) => {
                if length == 0 && read.skips() {
                    self.skip_to(byte)?;
                }
                self.byte(byte)?;
                if let Some(call) = &mut self.call {
                    call.word = Some(length + 1);
                }
                if read.most() == Some(length + 1) {
                    self.passed();
                }
                Ok(Int::from(i64::from(byte)))
            }
            None if !needed => {
                self.end_word();
                Ok(Int::from(-1))
            }
            // A word without characters is one that was not there.
            None if length == 0 => {
                let (next, can_end) = self.failing(&read, true);
                match &mut self.call {
                    Some(call) if call.status.is_none() && (can_end || next != ByteSet::default()) => {
                        (call.fails, call.word) = (true, None);
                        Ok(Int::from(-1))
                    }
                    _ => Err(Blocked),
                }
            }
            _ => Err(Blocked),
        }
    }

    /// Ends the word that is being read, if one is.
    fn end_word(&mut self) {
        let word = self.call.as_ref().and_then(|call| call.word.filter(|&length| length > 0).zip(call.current().cloned()));
        if let Some((length, read)) = word {
            self.bound_word(&read, length);
            self.passed();
        }
    }

    /// What remains of a call once its values are no longer asked for.
    fn finish(&mut self) -> Result<(), Blocked> {
        self.end_word();
        while let Some(call) = &self.call {
            let Some(directive) = call.format.directives.get(call.at).cloned() else { break };
            let counted = i64::from(call.counted);
            match (&directive, call.status) {
                (_, Some(-1)) => break,
                (Directive::Convert(read), None) if call.fails => {
                    (self.next, self.can_end) = self.failing(read, true);
                    break;
                }
                (Directive::Convert(read), Some(status)) if read.kept && read.kind != b'n' && counted == status => {
                    (self.next, self.can_end) = self.failing(read, status > 0);
                    if self.next == ByteSet::default() && !self.can_end {
                        return Err(Blocked);
                    }
                    break;
                }
                // What cannot come here does not; then the call ends, with all of its values.
                (Directive::Literal(byte), _) if !self.next.contains(*byte) && counted == i64::from(call.format.most()) => break,
                _ => self.pass(&directive)?,
            }
        }
        self.call = None;
        Ok(())
    }
}

impl ScanfCall {
    /// The conversion that is next.
    fn current(&self) -> Option<&ScanConversion> {
        if let Some(Directive::Convert(read)) = self.format.directives.get(self.at) { Some(read) } else { None }
    }
}

/// What can stand first where a conversion succeeds.
fn beginning(read: &ScanConversion) -> ByteSet {
    match read.kind {
        b's' => ByteSet::ALL,
        b'c' | b'[' => read.letters(),
        _ if read.number_format().is_some() => ByteSet::blanks().or(in_number()).or(ByteSet::of(&[b'+'..=b'+', b'-'..=b'-'])),
        _ => ByteSet::blanks().or(digits_of(read.base().unwrap_or(16))).or(ByteSet::of(&[b'+'..=b'+', b'-'..=b'-'])),
    }
}

/// The values that the characters of a conversion can give, where no number but a decimal one is written with a sign.
fn limits(read: &ScanConversion) -> Vec<(Int, Int)> {
    let bounds = read.bounds().into_iter();
    bounds.map(|(least, greatest)| (Int::from(if matches!(read.kind, b'd' | b'i') { least } else { 0 }), Int::from(greatest))).collect()
}

/// The characters that a floating-point number can have inside, or begin with.
fn in_number() -> ByteSet {
    digits_of(10).or(b".eEpPxXiInN(".iter().fold(ByteSet::default(), |set, &byte| set.or(ByteSet::of(&[byte..=byte]))))
}

/// A floating-point number as `scanf` reads it.
fn numeral(format: FloatFormat, rank: &Int) -> String {
    let text = format.text(rank.to_i64().unwrap_or_default());
    match text.trim_end_matches('f') {
        "NAN" => "nan".to_owned(),
        "INFINITY" => "inf".to_owned(),
        "-INFINITY" => "-inf".to_owned(),
        text => text.to_owned(),
    }
}

/// The digits of a number that is not negative.
fn in_base(value: &Int, base: u32) -> String {
    let (mut digits, mut rest) = (Vec::new(), value.clone());
    while let Some((quotient, digit)) = rest.div_rem_floor(&Int::from(base as usize)) {
        digits.push(char::from_digit(digit.to_i64().unwrap_or_default() as u32, base).unwrap_or('0'));
        rest = quotient;
        if rest.is_zero() {
            break;
        }
    }
    digits.iter().rev().collect()
}
