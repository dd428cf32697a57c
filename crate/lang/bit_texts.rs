//! Builtins of compilers on the bits of an integer, as C text of our own for the type of each, and the names of functions that have a text
//! for each call.

use super::types::{Abi, Integer};
use Integer::{UnsignedInt, UnsignedLong, UnsignedLongLong, UnsignedShort};

/// Functions on the bits of an integer of the type `T`, with their text: `ones`, `zeros below` and `zeros above` the ones of `x` are sums of as
/// many bits and comparisons, which solvers take more easily than sums in parallel.
const BITS: &[(&str, &str)] = &[
    ("__builtin_popcount", "int bits(T x) { return ones; }"),
    ("__builtin_parity", "int bits(T x) { return (ones) % 2; }"),
    ("__builtin_ctz", "int bits(T x) { if (x == 0) no_bit(); return zeros below; }"),
    ("__builtin_clz", "int bits(T x) { if (x == 0) no_bit(); return zeros above; }"),
    ("ffs", "int bits(T x) { if (x == 0) return 0; return 1 + zeros below; }"),
    ("__builtin_bswap", "T bits(T x) { return swap; }"),
];

/// The names of these functions, and of others that are made for a call.
pub const OF_BITS: &[&str] = &[
    "sprintf",
    "snprintf",
    "qsort",
    "bsearch",
    "sscanf",
    "div",
    "ldiv",
    "lldiv",
    "imaxdiv",
    "__builtin_popcount",
    "__builtin_popcountl",
    "__builtin_popcountll",
    "__builtin_parity",
    "__builtin_parityl",
    "__builtin_parityll",
    "__builtin_ctz",
    "__builtin_ctzl",
    "__builtin_ctzll",
    "__builtin_clz",
    "__builtin_clzl",
    "__builtin_clzll",
    "ffs",
    "ffsl",
    "ffsll",
    "__builtin_bswap16",
    "__builtin_bswap32",
    "__builtin_bswap64",
];

/// The text of a function on bits.
pub fn of_bits(name: &str, abi: Abi) -> Option<String> {
    let name = OF_BITS.iter().find(|other| **other == name)?;
    let ty = match name.trim_start_matches(|c: char| c == '_' || c.is_ascii_lowercase()) {
        "16" => UnsignedShort,
        "32" => abi.exact(32)[1],
        "64" => abi.exact(64)[1],
        _ if name.ends_with("ll") => UnsignedLongLong,
        _ if name.ends_with('l') => UnsignedLong,
        _ => UnsignedInt,
    };
    let (suffix, width) = (if matches!(ty, UnsignedShort | UnsignedInt) { "u" } else { "ull" }, ty.bits(abi));
    let ty = ty.name();
    let (_, text) = BITS.iter().find(|(start, _)| name.starts_with(start))?;
    let sum = |from: u32, term: &dyn Fn(u32) -> String| (from..width).map(term).collect::<Vec<_>>().join(" + ");
    let bytes = width / 8;
    let swap: Vec<String> = (0..bytes).map(|at| format!("((T)(x >> {} & 255) << {})", 8 * at, 8 * (bytes - 1 - at))).collect();
    let text = text
        .replace("ones", &sum(0, &|bit| format!("(int)(x >> {bit} & 1)")))
        .replace("zeros below", &sum(1, &|bit| format!("((x & {}{suffix}) == 0)", (1u64 << bit) - 1)))
        .replace("zeros above", &sum(1, &|bit| format!("(x < {}{suffix})", 1u64 << bit)))
        .replace("swap", &swap.join(" | "));
    Some(text.replace("T ", &format!("{ty} ")).replace("(T)", &format!("({ty})")))
}
