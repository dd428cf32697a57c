//! Decimal numerals to floating-point numbers, rounded once to the nearest (ties to even). The standard library's parser brings a table of
//! ten kilobytes that the page would load before its first graph; an integer division gives the same.

use super::rank::FloatFormat;
use num_bigint::BigUint;

/// Digits that are read; of the rest it matters only whether it is zero. A number midway between two has at most 768.
const MOST_DIGITS: usize = 800;

/// The rank that a text denotes, and its format: a decimal number with a fraction or an exponent, `INFINITY` or `NAN`, with `f` at the end for
/// [`FloatFormat::Single`]. `None` for all other texts, integers included.
pub fn parse(text: &str) -> Option<(FloatFormat, i64)> {
    let (unsigned, is_negative) = text.strip_prefix('-').map_or((text, false), |rest| (rest, true));
    let (format, digits) = match unsigned.strip_suffix(['f', 'F']) {
        Some(digits) => (FloatFormat::Single, digits),
        None => (FloatFormat::Double, unsigned),
    };
    let value = match digits {
        "INFINITY" => f64::INFINITY,
        "NAN" => f64::NAN,
        digits => {
            let is_float = digits.bytes().next().is_some_and(|first| first.is_ascii_digit() || first == b'.')
                && (digits.contains(['.', 'e', 'E']) || format == FloatFormat::Single);
            // Read in its own format, so that it is rounded once.
            is_float.then(|| nearest(digits, format)).flatten()?
        }
    };
    Some((format, format.rank(if is_negative { -value } else { value })))
}

/// The number of a format that is nearest to a numeral, `12`, `1.5`, `.5`, `1.e3` or `2.5e-7`; `None` for all other texts.
pub fn nearest(text: &str, format: FloatFormat) -> Option<f64> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).map_or((text, "0"), |(mantissa, exponent)| (mantissa, exponent));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if whole.len() + fraction.len() == 0 || unsigned.is_empty() || ![whole, fraction, unsigned].into_iter().all(is_number) {
        return None;
    }
    // What is beyond any format is as far away as this.
    let exponent = unsigned.parse::<i64>().unwrap_or(i64::MAX).min(1 << 40);
    let exponent = if text.contains("e-") || text.contains("E-") { -exponent } else { exponent };
    let digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).skip_while(|digit| *digit == b'0').collect();
    let kept = digits.len().min(MOST_DIGITS);
    let is_more = digits[kept..].iter().any(|digit| *digit != b'0');
    let exponent = exponent - fraction.len() as i64 + (digits.len() - kept) as i64;
    let magnitude = kept as i64 + exponent;
    let Some(number) = BigUint::parse_bytes(&digits[..kept], 10).filter(|_| magnitude > -400) else { return Some(0.0) };
    if magnitude > 400 {
        return Some(f64::INFINITY);
    }
    let power = BigUint::from(10u8).pow(exponent.unsigned_abs() as u32);
    let (above, below) = if exponent < 0 { (number, power) } else { (number * power, BigUint::from(1u8)) };
    Some(rounded(above, below, is_more, format))
}

/// The nearest number to a positive quotient, which is slightly more where `is_more`.
fn rounded(above: BigUint, below: BigUint, is_more: bool, format: FloatFormat) -> f64 {
    // The bits of a significand, and the exponent of the least number.
    let (bits, least) = if format == FloatFormat::Single { (24, -149) } else { (53, -1074) };
    // The quotient by 2^-shift has at least two bits more than a significand, or all that count.
    let shift = (bits + 3 - (above.bits() as i64 - below.bits() as i64)).min(2 - least);
    let (above, below) = if shift < 0 { (above, below << -shift) } else { (above << shift, below) };
    let quotient = &above / &below;
    let is_more = is_more || &quotient * &below != above;
    let Ok(quotient) = u64::try_from(quotient) else { return f64::INFINITY };
    let dropped = (i64::from(u64::BITS - quotient.leading_zeros()) - bits).max(shift + least).max(0);
    let (half, rest) = ((1u64 << dropped) >> 1, quotient & ((1u64 << dropped) - 1));
    let significand = quotient >> dropped;
    let is_up = rest > half || rest == half && half > 0 && (is_more || significand % 2 == 1);
    // Each factor is a number of the format `double`, and so is each product.
    let exponent = (dropped - shift) as i32;
    let value = (significand + u64::from(is_up)) as f64 * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
    if format == FloatFormat::Single && value > f64::from(f32::MAX) { f64::INFINITY } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::cases;
    use proptest::prelude::*;

    fn agrees(text: &str) -> Result<(), TestCaseError> {
        let double = text.parse::<f64>().ok();
        prop_assert_eq!(nearest(text, FloatFormat::Double).map(f64::to_bits), double.map(f64::to_bits), "{}", text);
        let single = text.parse::<f32>().ok().map(|value| f64::from(value).to_bits());
        prop_assert_eq!(nearest(text, FloatFormat::Single).map(f64::to_bits), single, "{}", text);
        Ok(())
    }

    #[test]
    fn usual_numerals_are_read_as_the_standard_library_does() {
        let long = format!("0.{}1e-300", "0".repeat(900));
        let midway = format!("{}.{}1", 1u64 << 53 | 1, "0".repeat(2_000));
        let usual = "0 0.0 1 .5 1. 1.5e3 2.5e-7 9007199254740993 16777217 1e400 1e-400 4.9e-324 2.4703282292062327e-324 2.4703282292062328e-324 \
                     1.7976931348623157e308 1.7976931348623159e308 3.4028235e38 3.4028236e38 3.40282357e38 1.4e-45 7e-46 7.1e-46 0.1 0.3 \
                     2.2250738585072011e-308 1.17549429e-38 1e99999999999999999999 1e-99999999999999999999 e5 1e 1e+ . +1 1.5.2 0e9999999999";
        for text in usual.split(' ').chain([&*long, &*midway]).filter(|text| *text != "+1") {
            agrees(text).unwrap_or_else(|error| panic!("{error}"));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(cases(256)))]

        #[test]
        fn any_numeral_is_read_as_the_standard_library_does(digits in "[0-9]{0,25}", fraction in "[0-9]{0,30}", exponent in -360i32..340) {
            agrees(&format!("{digits}.{fraction}e{exponent}"))?;
        }

        /// Numbers themselves, and the middles between them and their neighbours.
        #[test]
        fn numbers_and_middles_are_read_as_the_standard_library_does(bits in 0u64..0x7ff0_0000_0000_0000, digits in 1usize..60) {
            let (value, single) = (f64::from_bits(bits), f32::from_bits((bits >> 32) as u32));
            agrees(&format!("{value:e}"))?;
            agrees(&format!("{value:.digits$e}"))?;
            if single.is_finite() {
                let middle = (f64::from(single) + f64::from(f32::from_bits(single.to_bits() + 1))) / 2.0;
                agrees(&format!("{:e}", middle.abs()))?;
                agrees(&format!("{:.40e}", middle.abs()))?;
            }
        }
    }
}
