//! What `printf` writes (C11 7.21.6.1). Of a zero among floating-point numbers, and of what is not a number, the sign is not known and left out.

use super::Watch;
use super::eval::RunState;
use crate::logic::Int;
use crate::logic::rank::FloatFormat;
use crate::lts::{Conversion, ConversionKind, EdgeId, Strings};
use std::ops::ControlFlow;

/// How many bytes of output are kept.
pub const MAX_OUTPUT: usize = 1 << 20;

/// The output of a run, up to [`MAX_OUTPUT`] bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    pub bytes: Vec<u8>,
    /// Whether there was more.
    pub cut: bool,
}

impl Output {
    /// Appends the bytes, as far as there is room.
    pub fn push(&mut self, printed: &[u8]) {
        let room = MAX_OUTPUT - self.bytes.len();
        self.cut |= printed.len() > room;
        self.bytes.extend_from_slice(&printed[..printed.len().min(room)]);
    }
}

/// To watch nothing else of a run.
impl Watch for Output {
    fn taken(&mut self, _: EdgeId, _: &RunState<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    fn wants_output(&self) -> bool {
        !self.cut
    }
    fn printed(&mut self, bytes: &[u8]) {
        self.push(bytes);
    }
}

/// The string at an address, or its rest where the address is inside of it; `None` where no string is known there.
pub fn string_at(address: &Int, conversion: &Conversion, strings: &Strings) -> Option<Vec<u8>> {
    let inside = |(start, bytes): &(Int, Vec<u8>)| {
        let offset = usize::try_from((address - start).to_i64()?).ok()?;
        bytes.get(offset..).map(<[u8]>::to_vec)
    };
    let mut text = strings.iter().find_map(inside)?;
    let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    text.truncate(conversion.precision.map_or(end, |most| end.min(most as usize)));
    let blanks = vec![b' '; (conversion.width as usize).saturating_sub(text.len())];
    Some(if conversion.left { [text, blanks].concat() } else { [blanks, text].concat() })
}

/// Whether the rank of a floating-point number leaves its sign open: that of a zero, and of what is not a number. IEEE 754 gives the latter no
/// meaning, and machines make it of operations with either sign (6.3).
pub fn has_open_sign(rank: &Int) -> bool {
    rank.is_zero() || rank.to_i64().is_some_and(|rank| FloatFormat::Double.value(rank).is_nan())
}

/// Digits after the point that a `double` has at most.
const MAX_DIGITS: usize = 1100;

/// A floating-point number that is not negative, as `%f`, `%e` or `%g` writes it.
fn decimal(value: f64, kind: ConversionKind, precision: usize, keeps_zeros: bool) -> String {
    let exponential = |digits: usize| {
        let text = format!("{value:.digits$e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        (mantissa.to_owned(), exponent.parse::<i32>().unwrap_or_default())
    };
    // A `double` has no digits but zeros after so many.
    let (precision, zeros) = (precision.min(MAX_DIGITS), "0".repeat(precision.saturating_sub(MAX_DIGITS)));
    // The flag `#` keeps a point that no digit follows.
    let point = if keeps_zeros && precision == 0 { "." } else { "" };
    let with_exponent = |mantissa: &str, exponent: i32| {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
    };
    match kind {
        ConversionKind::Exponent => {
            let (mantissa, exponent) = exponential(precision);
            with_exponent(&(mantissa + point + &zeros), exponent)
        }
        ConversionKind::Shorter => {
            let digits = precision.max(1);
            let (mantissa, exponent) = exponential(digits - 1);
            let short = |text: String| match text.contains('.') {
                true if keeps_zeros => text + &zeros,
                true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
                false if keeps_zeros => text + "." + &zeros,
                _ => text,
            };
            match usize::try_from(i64::from(exponent) + 4) {
                Ok(above) if above < digits + 4 => short(format!("{value:.*}", digits + 3 - above)),
                _ => with_exponent(&short(mantissa), exponent),
            }
        }
        _ => format!("{value:.precision$}{point}{zeros}"),
    }
}

/// Bits of the fraction of a `double`, and the digits that they make.
const FRACTION_BITS: usize = 52;
const FRACTION_DIGITS: usize = FRACTION_BITS / 4;

/// A floating-point number that is not negative, as `%a` writes it; without a precision with as many digits as it has.
fn hexadecimal(value: f64, precision: Option<usize>, keeps_point: bool) -> String {
    let fraction = value.to_bits() & ((1 << FRACTION_BITS) - 1);
    let biased = i32::try_from(value.to_bits() >> FRACTION_BITS).unwrap_or_default();
    let (lead, exponent) = match biased {
        0 if fraction == 0 => (0, 0),
        0 => (0, -1022),
        _ => (1, biased - 1023),
    };
    let digits = precision.unwrap_or(FRACTION_DIGITS).min(FRACTION_DIGITS);
    let cut = 4 * (FRACTION_DIGITS - digits);
    let whole: u64 = (lead << FRACTION_BITS) | fraction;
    let (kept, rest) = (whole >> cut, whole & ((1 << cut) - 1));
    // To the nearest, and of two to the even one.
    let is_up = cut > 0 && (rest > 1 << (cut - 1) || rest == 1 << (cut - 1) && kept % 2 == 1);
    let kept = kept + u64::from(is_up);
    let mut written = if digits > 0 { format!("{:0digits$x}", kept & ((1 << (4 * digits)) - 1)) } else { String::new() };
    match precision {
        Some(precision) => written += &"0".repeat(precision - digits),
        None => written.truncate(written.trim_end_matches('0').len()),
    }
    let point = if !written.is_empty() || keeps_point { "." } else { "" };
    format!("0x{:x}{point}{written}p{exponent:+}", kept >> (4 * digits))
}

/// The bytes for one value. A negative value of a kind without sign gets one all the same.
pub fn format(value: &Int, conversion: &Conversion) -> Vec<u8> {
    let Conversion { kind, left, zero, plus, space, alternate, upper, width, precision } = *conversion;
    let is_float = kind.is_number();
    let signed = kind == ConversionKind::Decimal || is_float;
    let sign = match () {
        () if kind == ConversionKind::Character => "",
        () if value.is_negative() => "-",
        () if signed && plus => "+",
        () if signed && space => " ",
        () => "",
    };
    let magnitude = value.abs();
    let mut digits = match kind {
        // As an `unsigned char`.
        ConversionKind::Character => {
            vec![value.bit_and(&Int::from(255)).to_i64().and_then(|byte| u8::try_from(byte).ok()).unwrap_or_default()]
        }
        ConversionKind::Decimal => magnitude.to_string().into_bytes(),
        ConversionKind::Hexadecimal => in_bits(&magnitude, 4, b"0123456789abcdef"),
        ConversionKind::UpperHexadecimal => in_bits(&magnitude, 4, b"0123456789ABCDEF"),
        ConversionKind::Octal => in_bits(&magnitude, 3, b"01234567"),
        _ => {
            let value = FloatFormat::Double.value(magnitude.to_i64().unwrap_or(i64::MAX));
            let precision = precision.map(|precision| precision as usize);
            let text = match kind {
                _ if value.is_nan() => "nan".to_owned(),
                _ if value.is_infinite() => "inf".to_owned(),
                ConversionKind::HexadecimalFraction => hexadecimal(value, precision, alternate),
                _ => decimal(value, kind, precision.unwrap_or(6), alternate),
            };
            if upper { text.to_uppercase() } else { text }.into_bytes()
        }
    };
    let mut prefix = sign.to_owned();
    if kind == ConversionKind::HexadecimalFraction && digits.first() == Some(&b'0') {
        // Zeros that fill the width stand after it.
        prefix.extend(digits.drain(..2).map(char::from));
    }
    if kind != ConversionKind::Character && !is_float {
        let least = precision.unwrap_or(1) as usize;
        if least == 0 && value.is_zero() {
            digits.clear();
        }
        let missing = least.saturating_sub(digits.len());
        digits.splice(0..0, std::iter::repeat_n(b'0', missing));
        match kind {
            ConversionKind::Octal if alternate && digits.first() != Some(&b'0') => digits.insert(0, b'0'),
            ConversionKind::Hexadecimal if alternate && !value.is_zero() => prefix += "0x",
            ConversionKind::UpperHexadecimal if alternate && !value.is_zero() => prefix += "0X",
            _ => {}
        }
    }
    let padding = (width as usize).saturating_sub(prefix.len() + digits.len());
    let pad = |byte: u8| std::iter::repeat_n(byte, padding);
    let with_zeros = zero
        && if is_float { digits.first().is_some_and(u8::is_ascii_digit) } else { precision.is_none() && kind != ConversionKind::Character };
    match () {
        () if left => prefix.into_bytes().into_iter().chain(digits).chain(pad(b' ')).collect(),
        () if with_zeros => prefix.into_bytes().into_iter().chain(pad(b'0')).chain(digits).collect(),
        () => pad(b' ').chain(prefix.into_bytes()).chain(digits).collect(),
    }
}

/// A number that is not negative, with one digit for so many bits.
fn in_bits(value: &Int, bits: u32, digits: &[u8]) -> Vec<u8> {
    let mask = Int::from(digits.len() - 1);
    let count = u32::try_from(value.bits()).unwrap_or(u32::MAX).div_ceil(bits).max(1);
    let digit = |position: u32| value.shift_right(position * bits).bit_and(&mask).to_i64().and_then(|digit| usize::try_from(digit).ok());
    (0..count).rev().map(|position| digit(position).map_or(b'?', |digit| digits[digit])).collect()
}
