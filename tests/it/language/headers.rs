//! The constants of the headers, each beside gcc's.

use culdesac::lang::preprocess::header;
use culdesac::source::abi::Abi;
use std::process::Command;

const HEADERS: [&str; 13] = [
    "limits.h",
    "stdint.h",
    "inttypes.h",
    "errno.h",
    "signal.h",
    "float.h",
    "stdbool.h",
    "stddef.h",
    "iso646.h",
    "stdatomic.h",
    "time.h",
    "stdlib.h",
    "stdio.h",
];

/// Names of C11 that no header here defines: of `long double`, streams, generic functions, and what is read without a definition.
const WITHOUT: [&str; 9] = ["LDBL_EPSILON", "LDBL_MAX", "LDBL_MIN", "LDBL_TRUE_MIN", "stdin", "stdout", "stderr", "bool", "errno"];

/// The names and values that a text of definitions has, but for macros with parameters.
fn definitions(text: &str) -> Vec<(&str, &str)> {
    text.lines().filter_map(|line| line.strip_prefix("#define ")?.split_once(' ')).filter(|(name, _)| !name.contains('(')).collect()
}

/// Whether a macro is a format of `<inttypes.h>`.
fn is_printed(name: &str) -> bool {
    name.starts_with("PRI") || name.starts_with("SCN")
}

fn gcc(folder: &std::path::Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("gcc").current_dir(folder).args(arguments).output().ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

#[test]
fn constants_are_those_of_gcc() {
    let folder = std::env::temp_dir().join(format!("culdesac-headers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let includes: String = HEADERS.iter().map(|header| format!("#include <{header}>\n")).collect();
    std::fs::write(folder.join("names.c"), &includes).expect("a file");
    if Command::new("gcc").arg("--version").output().is_err() {
        println!("skipped: there is no gcc");
        return;
    }
    let texts: Vec<_> = HEADERS.iter().map(|header| header::find(header, Abi::default()).expect("a header").1).collect();
    let target = header::target(Abi::default());
    let ours: Vec<(&str, &str)> = texts
        .iter()
        .flat_map(|text| definitions(text))
        .chain(definitions(&target).into_iter().filter(|(name, _)| !name.ends_with("_TYPE__")))
        .collect();
    // Names that C has: none of the implementation's own, no width, which later versions of C add.
    let theirs = gcc(&folder, &["-std=c11", "-dM", "-E", "names.c"]).expect("gcc's macros");
    let is_of_c = |name: &str| {
        let is_limit = name.ends_with("_MIN") || name.ends_with("_MAX") || name == "CHAR_BIT";
        let is_format = is_printed(name) && name.ends_with(|c: char| c.is_ascii_digit() || "XR".contains(c));
        // Those of errors and signals besides are Linux's own.
        let is_own = name.starts_with(['E', 'S'])
            && !["EDOM", "EILSEQ", "ERANGE", "EOF", "EXIT_SUCCESS", "EXIT_FAILURE"].contains(&name)
            && !["SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SEEK_SET", "SEEK_CUR", "SEEK_END"].contains(&name);
        !name.starts_with('_') && (is_limit || is_format || !is_own && !is_printed(name)) && !WITHOUT.contains(&name)
    };
    let mut compared = 0;
    for (name, _) in definitions(&theirs).into_iter().filter(|(name, _)| is_of_c(name)) {
        compared += 1;
        assert!(ours.iter().any(|(own, _)| *own == name), "{name} is missing");
    }
    assert!(compared > 180, "{compared}");
    let mut program = format!("#define _GNU_SOURCE\n{includes}#include <stdio.h>\n#include <string.h>\nint main(void) {{\n");
    // Operators and orders of memory are no constants of the preprocessor; of a lock its first value is one.
    let ours = ours.into_iter().filter(|(name, value)| {
        !value.contains(['&', '|', '^', '~', '!'])
            && !name.starts_with("memory_order")
            && *name != "ATOMIC_FLAG_INIT"
            && *name != "MB_CUR_MAX"
    });
    for (name, value) in ours {
        program += &match value.starts_with('"') {
            true => format!("  if (strcmp({name}, {value})) puts(\"{name}\");\n"),
            false if name.starts_with("FLT_") || name.starts_with("DBL_") => format!("  if ({name} != {value}) puts(\"{name}\");\n"),
            false => format!("  if ((unsigned long)({name}) != (unsigned long)({value})) puts(\"{name}\");\n"),
        };
    }
    program += "  return 0;\n}\n";
    std::fs::write(folder.join("values.c"), program).expect("a file");
    gcc(&folder, &["-w", "-o", "values", "values.c"]);
    let wrong = Command::new(folder.join("values")).output().expect("the program").stdout;
    std::fs::remove_dir_all(&folder).expect("to clean up");
    assert_eq!(String::from_utf8_lossy(&wrong), "");
}
