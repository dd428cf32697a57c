//! What runs print, byte by byte as a C compiler's `printf` does: one program with many conversions made at random.

use culdesac::interp::format;
use culdesac::logic::Int;
use culdesac::logic::rank::FloatFormat;
use culdesac::lts::{Conversion, ConversionKind};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::process::Command;

const COUNT: usize = 20_000;

fn any_conversion() -> impl Strategy<Value = Conversion> {
    let kind = prop::sample::select(vec![
        ConversionKind::Decimal,
        ConversionKind::Decimal,
        ConversionKind::Hexadecimal,
        ConversionKind::UpperHexadecimal,
        ConversionKind::Octal,
        ConversionKind::Character,
        ConversionKind::Fixed,
        ConversionKind::Exponent,
        ConversionKind::Shorter,
        ConversionKind::HexadecimalFraction,
    ]);
    let width = prop_oneof![2 => Just(0u32), 3 => 1u32..30];
    let precision = prop_oneof![2 => Just(None), 3 => (0u32..30).prop_map(Some)];
    let flags = any::<[bool; 6]>();
    (kind, flags, width, precision).prop_map(|(kind, [left, zero, plus, space, alternate, upper], width, precision)| match kind {
        // What C leaves undefined is not asked for: `#` before `d`, all flags but `-` and any precision before `c`.
        ConversionKind::Character => Conversion { kind, left, width, ..Conversion::default() },
        ConversionKind::Decimal => Conversion { kind, left, zero, plus, space, alternate: false, upper: false, width, precision },
        kind if kind.is_number() => Conversion { kind, left, zero, plus, space, alternate, upper, width, precision },
        _ => Conversion { kind, left, zero, alternate, width, precision, ..Conversion::default() },
    })
}

fn any_value() -> impl Strategy<Value = i64> {
    let near = (0u32..63, -1i64..=1, any::<bool>()).prop_map(|(bits, more, negative)| {
        let value = (1i64 << bits) + more;
        if negative { -value } else { value }
    });
    prop_oneof![2 => -9i64..300, 3 => near, 1 => any::<i64>()]
}

/// The number with these bits; of a zero and of what is not a number the sign is not known, so that it is another one.
fn number(bits: i64) -> f64 {
    let value = f64::from_bits(bits.cast_unsigned());
    if bits.unsigned_abs() > 1 << 52 && value.is_finite() { value } else { bits as f64 / 64.0 + 1e-9 }
}

/// The conversion as it stands in a format.
fn text(conversion: &Conversion) -> String {
    let Conversion { kind, left, zero, plus, space, alternate, upper, width, precision } = *conversion;
    let flags: String =
        [(left, '-'), (zero, '0'), (plus, '+'), (space, ' '), (alternate, '#')].iter().filter(|f| f.0).map(|f| f.1).collect();
    let width = if width > 0 { width.to_string() } else { String::new() };
    let precision = precision.map_or(String::new(), |precision| format!(".{precision}"));
    let letter = match kind {
        ConversionKind::Decimal => "lld",
        ConversionKind::Hexadecimal => "llx",
        ConversionKind::UpperHexadecimal => "llX",
        ConversionKind::Octal => "llo",
        ConversionKind::Character => "c",
        ConversionKind::Fixed => "f",
        ConversionKind::Exponent => "e",
        ConversionKind::Shorter => "g",
        ConversionKind::HexadecimalFraction => "a",
    };
    let letter = if upper { letter.to_uppercase() } else { letter.to_owned() };
    format!("%{flags}{width}{precision}{letter}")
}

#[test]
fn output_is_that_of_printf() {
    if Command::new("gcc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no gcc");
        return;
    }
    let mut runner = TestRunner::deterministic();
    let made = prop::collection::vec((any_conversion(), any_value()), COUNT).new_tree(&mut runner).expect("conversions").current();
    let mut program = String::from("#include <stdio.h>\n");
    let mut expected = Vec::new();
    for (chunk, calls) in made.chunks(500).enumerate() {
        program += &format!("static void part{chunk}(void) {{\n");
        for (conversion, value) in calls {
            let unsigned =
                matches!(conversion.kind, ConversionKind::Hexadecimal | ConversionKind::UpperHexadecimal | ConversionKind::Octal);
            let argument = match conversion.kind {
                ConversionKind::Character => format!("(int){value}LL"),
                kind if kind.is_number() => format!("{:?}", number(*value)),
                _ => format!("(long long){}ULL", value.cast_unsigned()),
            };
            program += &format!("  printf(\"{}\\n\", {argument});\n", text(conversion));
            let value = if conversion.kind.is_number() {
                Int::from(FloatFormat::Double.rank(number(*value)))
            } else if unsigned {
                Int::from(value.cast_unsigned())
            } else {
                Int::from(*value)
            };
            expected.extend(format(&value, conversion));
            expected.push(b'\n');
        }
        program += "}\n";
    }
    program += "int main(void) {\n";
    (0..made.len().div_ceil(500)).for_each(|chunk| program += &format!("  part{chunk}();\n"));
    program += "  return 0;\n}\n";

    let folder = std::env::temp_dir().join(format!("culdesac-printf-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (source, binary) = (folder.join("printf.c"), folder.join("printf"));
    std::fs::write(&source, program).expect("a file");
    let compiled = Command::new("gcc").args(["-w", "-O0", "-o"]).arg(&binary).arg(&source).status().expect("gcc");
    assert!(compiled.success());
    let printed = Command::new(&binary).output().expect("the program").stdout;
    std::fs::remove_dir_all(&folder).expect("to clean up");
    let (mut ours, mut theirs) = (expected.split(|&byte| byte == b'\n'), printed.split(|&byte| byte == b'\n'));
    if expected != printed {
        let mut line = 0;
        while let (Some(a), Some(b)) = (ours.next(), theirs.next()) {
            assert_eq!(String::from_utf8_lossy(a), String::from_utf8_lossy(b), "line {line}");
            line += 1;
        }
    }
    assert_eq!(expected.len(), printed.len());
}
