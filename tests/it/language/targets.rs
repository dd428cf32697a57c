//! Each target: sizes, types of constants and operators, limits and values against clang, which knows all of them; and verdicts that differ.

use crate::common::asking::{about, ask};
use crate::common::cases;
use culdesac::source::abi::{Abi, CharSign, DataModel};
use culdesac::source::files::SourceOptions;
use culdesac::view::Request;
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::{Command, Stdio};

/// The targets, and how clang calls them.
const TARGETS: [(DataModel, &str); 4] = [
    (DataModel::Lp64, "x86_64-linux-gnu"),
    (DataModel::Ilp32, "i386-linux-gnu"),
    (DataModel::Llp64, "x86_64-w64-windows-gnu"),
    (DataModel::Int16, "msp430-none-elf"),
];

/// Types by their names: each has its number in [`type_number`].
const TYPES: [&str; 11] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

fn all() -> impl Iterator<Item = (Abi, &'static str)> {
    let signs = [CharSign::Signed, CharSign::Unsigned];
    TARGETS.into_iter().flat_map(move |(model, name)| signs.map(|char| (Abi { model, char }, name)))
}

fn for_target(abi: Abi, source: &str) -> Request {
    let options = SourceOptions { target: Some(abi), ..SourceOptions::default() };
    about(&(options.marks() + source), Some(100_000))
}

/// What clang says to a text for the target; `None` without clang.
fn refused_by_clang(abi: Abi, target: &str, text: &str) -> Option<String> {
    let sign = if abi.char == CharSign::Signed { "-fsigned-char" } else { "-funsigned-char" };
    let mut clang = Command::new("clang")
        .args(["-fsyntax-only", "-w", "-ffreestanding", "-std=gnu11", "-ferror-limit=0", sign])
        .args([&format!("--target={target}"), "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    clang.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("clang reads");
    Some(String::from_utf8_lossy(&clang.wait_with_output().expect("clang ends").stderr).into_owned())
}

/// What the function gives back in a run; nothing where the run is undefined.
fn value(abi: Abi, text: &str, input: &Value) -> Option<String> {
    let answered = ask("run", &for_target(abi, text), &json!({ "input": input }), &mut |_| true);
    let document = answered.unwrap_or_else(|| panic!("{abi:?} refuses\n{text}")).document;
    match &document["value"] {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// An expression that numbers the type of another.
fn type_number(e: &str) -> String {
    let types: Vec<String> = TYPES.iter().zip(1..).map(|(ty, number)| format!("{ty}: {number}")).collect();
    format!("_Generic({e}, {})", types.join(", "))
}

const HEADERS: &str = "#include <limits.h>\n#include <stdint.h>\n#include <stddef.h>\n";

/// What has a size or a type that a target decides.
fn constants() -> Vec<String> {
    let mut found = Vec::new();
    let words = |text: &'static str| text.split_whitespace().map(str::to_owned);
    let types = TYPES.iter().map(|ty| (*ty).to_owned());
    let pointers = ["char *", "void *", "long **", "float", "double", "int[7]", "_Bool"].map(str::to_owned);
    let headers = words(
        "size_t ptrdiff_t wchar_t int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t intptr_t uintptr_t intmax_t uintmax_t \
         int_least16_t uint_least32_t int_least64_t __SIZE_TYPE__ __INT64_TYPE__ __UINT32_TYPE__",
    );
    found.extend(types.chain(pointers).chain(headers.clone()).map(|ty| format!("sizeof({ty})")));
    found.extend(headers.clone().map(|ty| type_number(&format!("({ty})0"))));
    found.extend(TYPES.iter().map(|ty| type_number(&format!("+({ty})0"))));
    found.extend(TYPES.iter().map(|ty| format!("({ty})-1 < 0")));
    for a in TYPES {
        for b in TYPES {
            found.push(type_number(&format!("({a})0 + ({b})0")));
            found.push(format!("({a})-1 < ({b})1"));
            found.push(format!("({b})({a})-2"));
        }
        found.push(type_number(&format!("({a})1 << ({a})1")));
        found.push(format!("({a})200 + ({a})100"));
    }
    let literals = words(
        "1 32767 32768 65535 65536 2147483647 2147483648 4294967295 4294967296 9223372036854775807 0x7fff 0x8000 0xffff 0x10000 \
         0x7fffffff 0x80000000 0xffffffff 0x100000000 0xffffffffffffffff 017777 0100000 0200000 1u 65535u 65536u 4294967296u 1l 2147483648l \
         0xffffffffl 1ul 4294967296ul 1ll 0xffffffffffffffffll 1ull 'a' L'a' sizeof(int) 1.5",
    );
    found.extend(literals.clone().filter(|literal| literal != "1.5").flat_map(|literal| [type_number(&literal), literal]));
    found.extend(words(r"'\xff' '\377' '\x7f' (char)200 (char)-1 0x8000>-1 -1>1u -1L>1u -1>1L 65535U+1 ~0u"));
    let limits = words(
        "SCHAR UCHAR CHAR SHRT INT UINT LONG ULONG LLONG ULLONG INT8 UINT8 INT16 UINT16 INT32 UINT32 INT64 UINT64 INTMAX UINTMAX SIZE \
         INTPTR UINTPTR PTRDIFF WCHAR",
    );
    for name in limits {
        let is_unsigned = name.starts_with('U') || name == "SIZE";
        let macros = [Some(format!("{name}_MAX")), (!is_unsigned).then(|| format!("{name}_MIN"))];
        // Clang 14 has these macros of narrow unsigned types as unsigned numbers, against 7.20.2p2.
        let is_typed = !matches!(name.as_str(), "UINT8" | "UINT16" | "WCHAR");
        found.extend(macros.into_iter().flatten().flat_map(|name| [is_typed.then(|| type_number(&name)), Some(name)]).flatten());
    }
    found.extend(["INT64_C(1)", "INT32_C(1)", "UINT64_C(1)"].iter().map(|e| type_number(e)));
    let structures = [
        "struct { char a; short b; }",
        "struct { char a; int b; char c; }",
        "struct { char a; long b; char c; }",
        "struct { char a; long long b; char c; }",
        "struct { char a; double b; }",
        "struct { short a; char *b; struct { char c; long long d; } e[2]; }",
    ];
    found.extend(structures.iter().map(|ty| format!("sizeof({ty})")));
    found
}

/// With bits: of what Microsoft makes of them nothing is said.
const BITS: [&str; 3] = [
    "struct { int a : 3; int b : 7; char c; }",
    "struct { unsigned char a : 5; unsigned char b : 5; }",
    "struct { int a : 9; int : 0; int b : 9; }",
];

/// Constant expressions have the values that clang says they have.
#[test]
fn constants_are_those_of_clang() {
    for (abi, target) in all() {
        let bits = BITS.iter().filter(|_| abi.model != DataModel::Llp64).map(|ty| format!("sizeof({ty})"));
        let list: Vec<String> = constants().into_iter().chain(bits).collect();
        let wide = |e: &String| format!("(unsigned long long)({e})");
        // One function gives all: each call another one.
        let cases: String = list.iter().zip(0..).map(|(e, at)| format!("  if (at == {at}) return {};\n", wide(e))).collect();
        let text = format!("{HEADERS}unsigned long long f(int at) {{\n{cases}  return 0;\n}}\n");
        let request = for_target(abi, &text);
        let loaded = culdesac::load::load(&request).unwrap_or_else(|errors| panic!("{abi:?}: {errors:?}"));
        let machine = culdesac::interp::Machine::new(&loaded.lts);
        let mut assertions = HEADERS.to_owned();
        for (e, at) in list.iter().zip(0i64..) {
            let values = [("at".to_owned(), at.into())].into();
            let run = machine.run(&culdesac::interp::Input { values, ..Default::default() }, 10_000);
            let value = run.value.unwrap_or_else(|| panic!("{abi:?}: {e} has no value"));
            assertions += &format!("_Static_assert({} == {value}ull, \"\");\n", wide(e));
        }
        if let Some(errors) = refused_by_clang(abi, target, &assertions) {
            assert_eq!(errors, "", "{abi:?}");
        }
    }
}

/// Random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed ^ (mixed >> 27)) >> 32) as usize % bound
    }
}

/// An expression over variables, and the same over their values.
fn expression(random: &mut Random, depth: u32, variables: &[(String, String)]) -> (String, String) {
    if depth == 0 || random.below(5) == 0 {
        return variables[random.below(variables.len())].clone();
    }
    let mut operand = || expression(random, depth - 1, variables);
    let (a, b) = (operand(), operand());
    match random.below(14) {
        0 => {
            let ty = TYPES[random.below(TYPES.len())];
            (format!("(({ty})({}))", a.0), format!("(({ty})({}))", a.1))
        }
        1 => (format!("(~{})", a.0), format!("(~{})", a.1)),
        2 => (format!("(-{})", a.0), format!("(-{})", a.1)),
        at => {
            let op = ["+", "-", "*", "/", "%", "&", "|", "^", "<", "==", ">>"][at - 3];
            (format!("({} {op} {})", a.0, b.0), format!("({} {op} {})", a.1, b.1))
        }
    }
}

/// Runs of random expressions over parameters of all types give what clang computes of their values.
#[test]
fn runs_convert_as_clang_does() {
    const INTERESTING: [&str; 12] =
        ["0", "1", "2", "127", "128", "255", "32767", "32768", "65535", "2147483647", "4294967295", "9223372036854775807"];
    let mut random = Random(36);
    for (abi, target) in all() {
        let (mut assertions, mut defined) = (String::new(), 0);
        for _ in 0..cases(12) * 3 {
            let mut chosen = |_: i32| (TYPES[random.below(TYPES.len())], INTERESTING[random.below(12)], random.below(5) < 2);
            let parameters: Vec<_> = (0..3).map(&mut chosen).collect();
            let given = |(ty, value, negative): &(&str, &str, bool)| format!("(({ty}){}{value}ll)", if *negative { "-" } else { "" });
            let variables: Vec<(String, String)> = parameters.iter().zip(0..).map(|(one, at)| (format!("v{at}"), given(one))).collect();
            let (text, constant) = expression(&mut random, 3, &variables);
            let declared: Vec<String> = parameters.iter().zip(0..).map(|((ty, ..), at)| format!("{ty} v{at}")).collect();
            let source = format!("unsigned long long f({}) {{ return (unsigned long long){text}; }}", declared.join(", "));
            let mut input = serde_json::Map::new();
            for (one, at) in parameters.iter().zip(0..) {
                let cast = format!("{} f(void) {{ return {}; }}", one.0, given(one));
                input.insert(format!("v{at}"), json!(value(abi, &cast, &json!({})).expect("a value")));
            }
            if let Some(value) = value(abi, &source, &Value::Object(input)) {
                defined += 1;
                assertions += &format!("_Static_assert((unsigned long long){constant} == {value}ull, \"\");\n");
            }
        }
        assert!(defined > 0, "{abi:?}");
        if let Some(errors) = refused_by_clang(abi, target, &assertions) {
            assert_eq!(errors, "", "{abi:?}\n{assertions}");
        }
    }
}

/// Functions with one condition, and the targets on which it can hold.
const VERDICTS: &[(&str, &str)] = &[
    ("int f(int x) { if (x + 1L > 2147483647) return 1; return 0; }", "lp64"),
    ("int f(int x) { if (x > 40000) return 1; return 0; }", "lp64 ilp32 llp64"),
    ("int f(long x) { if (x > 2147483647L) return 1; return 0; }", "lp64"),
    ("int f(unsigned u, long l) { if (l == -1 && l > u) return 1; return 0; }", "ilp32 llp64"),
    ("int f(unsigned short a) { if (a - 1 > 60000u && a == 0) return 1; return 0; }", "lp64 ilp32 llp64 int16"),
    ("int f(unsigned short a) { if (a < 5 && a - 6 > 0) return 1; return 0; }", "int16"),
    ("#include <stddef.h>\nint f(size_t n) { if (n > 70000) return 1; return 0; }", "lp64 ilp32 llp64"),
    ("#include <stddef.h>\nint f(size_t n) { if (n > 4294967295u) return 1; return 0; }", "lp64 llp64"),
    ("#include <stdint.h>\nint f(int32_t n) { if (n > 70000) return 1; return 0; }", "lp64 ilp32 llp64 int16"),
    ("int f(int n) { if (sizeof(long) == 4) return 1; return n; }", "ilp32 llp64 int16"),
    ("int f(int n) { if (n > 0 && sizeof(n) - 4 - 1 > 0 && sizeof(int *) == 8) return 1; return n; }", "lp64 llp64"),
    ("unsigned long __VERIFIER_nondet_size_t(void);\nint f(void) { if (nondet_size_t() > 70000) return 1; return 0; }", "lp64 ilp32 llp64"),
    ("#include <stdlib.h>\nint f(void) { if (rand() > 32767) return 1; return 0; }", "lp64 ilp32"),
    (
        "#include <stdlib.h>\nint f(const char *s) { char t[4] = \"-7\"; if (strtoul(t, NULL, 10) > 4294967295) return 1; return s[0]; }",
        "lp64",
    ),
    (
        "struct s { int a : 16; }; int f(struct s *p, unsigned u) { if (p->a == -1 && u == 1 && p->a > u) return 1; return 0; }",
        "lp64 ilp32 llp64 int16",
    ),
    ("int f(int a) { int x[2][2]; x[1][1] = 7; int *p = &x[0][0]; if (sizeof(x) == 8 && *p >= 0 && a > 3) return 1; return 0; }", "int16"),
];

fn can_hold(abi: Abi, source: &str) -> (bool, bool) {
    let answered = ask("branches", &for_target(abi, source), &json!({}), &mut |_| true).unwrap_or_else(|| panic!("{abi:?}: {source}"));
    let list = answered.document["list"].as_array().expect("sides").clone();
    let first = list.iter().find(|side| side["place"].is_object() || side["line"].is_number()).expect("a side");
    let sides: Vec<&Value> = list.iter().filter(|side| side["line"] == first["line"] && side["side"] == json!("true")).collect();
    let all = |verdict: &str| sides.iter().all(|side| side["verdict"] == json!(verdict));
    let any = |verdict: &str| sides.iter().any(|side| side["verdict"] == json!(verdict));
    // Of several conditions the last one decides.
    (all("covered"), any("infeasible"))
}

/// A condition that can hold on one target and not on another has another verdict there, and the evidence is accepted.
#[test]
fn verdicts_are_those_of_the_target() {
    for (source, targets) in VERDICTS {
        for (model, _) in TARGETS {
            let abi = Abi { model, ..Abi::default() };
            let expected = targets.split(' ').any(|target| target == model.name());
            assert_eq!(can_hold(abi, source), (expected, !expected), "{abi:?}: {source}");
        }
    }
    let source = "int f(char c) { if (c > 127) return 1; return 0; }";
    for (model, _) in TARGETS {
        assert_eq!(can_hold(Abi { model, char: CharSign::Signed }, source), (false, true));
        assert_eq!(can_hold(Abi { model, char: CharSign::Unsigned }, source), (true, false));
    }
}

/// The characters of strings and of the input have the values of a `char`.
#[test]
fn characters_are_those_of_the_target() {
    let programs = [
        "int f(void) { const char *s = \"\\xff\"; return s[0]; }",
        "int f(void) { char s[] = \"a\\377\"; return s[1]; }",
        "const char s[3] = \"\\xff\"; int f(void) { return s[0]; }",
        "#include <string.h>\nint f(void) { char s[2]; memset(s, 255, 2); return s[1]; }",
        "int f(void) { return '\\xff'; }",
        "#if '\\xff' < 0\nint f(void) { return -1; }\n#else\nint f(void) { return 255; }\n#endif\n",
    ];
    for program in programs {
        for (model, _) in TARGETS {
            for (char, expected) in [(CharSign::Signed, "-1"), (CharSign::Unsigned, "255")] {
                assert_eq!(value(Abi { model, char }, program, &json!({})).as_deref(), Some(expected), "{model:?}: {program}");
            }
        }
    }
}

/// Evidence holds the target: the claims of one target are none of another.
#[test]
fn evidence_is_of_one_target() {
    let abi = Abi { model: DataModel::Ilp32, char: CharSign::Signed };
    let source = "int f(int x) { if (x + 1L > 2147483647) return 1; return 0; }";
    let answered = ask("branches", &for_target(abi, source), &json!({}), &mut |_| true).expect("a document");
    assert_eq!(answered.document["options"]["target"], json!({ "abi": "ilp32", "char": "signed" }));
    let mut evidence = answered.evidence;
    let rejected = |evidence: &culdesac::evidence::Evidence| match culdesac::analysis::check::check(evidence) {
        culdesac::view::Reply::Document { document } => document.rejected.len(),
        culdesac::view::Reply::Refused { .. } => panic!("refused"),
    };
    assert_eq!(rejected(&evidence), 0);
    evidence.source = source.to_owned();
    assert!(rejected(&evidence) > 0, "the options are of another target");
    evidence.options = None;
    assert!(rejected(&evidence) > 0, "the claims are of another target");
}
