//! Integer constants that fit no type of C are refused at their place, wherever they stand (C11 6.4.4p2); gcc refuses the same.

use culdesac::analysis::cfg::cfg;
use culdesac::view::{Diagnostic, Ints, Reply, Request};
use std::process::Command;

fn messages(source: &str, ints: Ints) -> Vec<Diagnostic> {
    let request = Request { program: "p".into(), source: source.into(), ints: Some(ints), ..Request::default() };
    match cfg(&request) {
        Reply::Refused { diagnostics } => diagnostics,
        Reply::Document { .. } => Vec::new(),
    }
}

/// Constants, and whether they fit.
const CONSTANTS: &[(&str, bool)] = &[
    ("9223372036854775807", true),
    ("9223372036854775808", false),
    ("9223372036854775808u", true),
    ("18446744073709551615", false),
    ("18446744073709551615u", true),
    ("18446744073709551615ull", true),
    ("18446744073709551616u", false),
    ("18446744073709551617", false),
    ("9223372036854775808L", false),
    ("0xFFFFFFFFFFFFFFFF", true),
    ("0xFFFFFFFFFFFFFFFFL", true),
    ("0x10000000000000000", false),
    ("0x1FFFFFFFFFFFFFFFFUL", false),
    ("01777777777777777777777", true),
    ("02000000000000000000000", false),
    ("100000000000000000000000000000000000000000", false),
];

#[test]
fn constants_that_fit_no_type_are_refused() {
    for &(constant, fits) in CONSTANTS {
        let source = format!("int f(unsigned long x) {{\n  if (x > {constant}) return 1;\n  return 0;\n}}\n");
        let found = messages(&source, Ints::C32);
        assert_eq!(found.is_empty(), fits, "{constant}: {found:?}");
        if let [one] = &found[..] {
            assert_eq!((one.code.as_str(), one.place.line, one.place.column), ("constant-too-large", 2, 11), "{constant}");
            assert!(one.help.is_some(), "{constant}");
        }
        assert!(messages(&source, Ints::Unbounded).is_empty(), "{constant} is an integer");
    }
    let lacks = messages("int f(int x) { return x < 9223372036854775808; }", Ints::C32);
    assert!(lacks[0].help.as_ref().is_some_and(|help| help.contains("suffix `u`")), "{lacks:?}");
}

#[test]
fn it_does_not_matter_where_they_stand() {
    const LARGE: &str = "18446744073709551617";
    for source in [
        "int f(int x) { enum { A = LARGE }; return x; }",
        "int f(int x) { switch (x) { case LARGE: return 1; } return 0; }",
        "int f(int x) { int a[LARGE]; return x; }",
        "int f(int x) { return x + (1 ? 2 : LARGE); }",
        "int g(void) { return LARGE > 3; } int f(int x) { return x; }",
        "long long g = LARGE; int f(int x) { return x; }",
        "#define N LARGE\nint f(int x) { return x > N; }",
        "#if LARGE > 3\n#endif\nint f(int x) { return x; }",
        "int f(int x) { return sizeof(LARGE); }",
    ] {
        let source = source.replace("LARGE", LARGE);
        let found = messages(&source, Ints::C32);
        assert!(!found.is_empty(), "{source}");
        assert!(found.iter().all(|one| one.place.start < one.place.end), "{source}: {found:?}");
    }
    let block = "proc f(x) {\n  a: assume x > 18446744073709551617; goto b;\n  b: return;\n}\n";
    if messages(block, Ints::Unbounded).is_empty() {
        assert_eq!(messages(block, Ints::C32)[0].code, "constant-too-large");
    }
}

#[test]
fn gcc_refuses_the_same() {
    for &(constant, fits) in CONSTANTS {
        let path = std::env::temp_dir().join(format!("culdesac-constant-{}.c", std::process::id()));
        std::fs::write(&path, format!("int f(unsigned long x) {{ return x > {constant}; }}\n")).expect("a file");
        let output = Command::new("gcc").args(["-std=c11", "-pedantic-errors", "-fsyntax-only"]).arg(&path).output();
        let _ = std::fs::remove_file(&path);
        match output {
            Ok(output) => assert_eq!(output.status.success(), fits, "{constant}: {}", String::from_utf8_lossy(&output.stderr)),
            Err(_) => return println!("skipped: there is no gcc"),
        }
    }
}
