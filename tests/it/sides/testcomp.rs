//! Suites of Test-Comp: the program with its sides reported is compiled with nondet functions that give the numbers of a test in order, and
//! runs each test.
//!
//! Beside the sides a run has to ask for exactly the numbers that the test has, each of the type that holds it. Only a run that does not
//! return (an error call, an abort, an assertion or assumption that fails) may leave some over: what it would have asked for is not reached.

use super::instrument::HEADER;
use super::oracle::{Checked, ONE, RETURNS, accepts, compiled, compilers, end_of, ran, scratch};
use super::subject::{Answered, is_thorough};
use crate::suites::exported_with;
use culdesac::export::{ExportedFile, TestsFormat};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Nondet functions with the types of what they give.
const TYPES: &[(&str, &str)] = &[
    ("bool", "_Bool"),
    ("char", "char"),
    ("uchar", "unsigned char"),
    ("unsigned_char", "unsigned char"),
    ("u8", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("u16", "unsigned short"),
    ("int", "int"),
    ("uint", "unsigned"),
    ("unsigned", "unsigned"),
    ("u32", "unsigned"),
    ("U32", "unsigned"),
    ("long", "long"),
    ("ulong", "unsigned long"),
    ("size_t", "unsigned long"),
    ("longlong", "long long"),
    ("ulonglong", "unsigned long long"),
];

/// What a program is linked with. `values` has the numbers; in `asked` stands a point for each number that is asked for, `!` after one that
/// the type does not hold, and `+` where there is none.
const NONDET: &str = "extern int culdesac_nondet_open(const char *, int, ...) __asm__(\"__open\");
extern long culdesac_nondet_read(int, void *, unsigned long) __asm__(\"__read\");
extern long culdesac_nondet_write(int, const void *, unsigned long) __asm__(\"__write\");
extern int culdesac_nondet_close(int) __asm__(\"__close\");
extern __attribute__((noreturn)) void culdesac_nondet_exit(int) __asm__(\"_exit\");
static unsigned long long magnitude;
static int negative;
static void note(const char *sign) {
  int file = culdesac_nondet_open(\"asked\", 02101, 0644);
  culdesac_nondet_write(file, sign, 1);
  culdesac_nondet_close(file);
}
static void next(void) {
  static char text[1 << 22];
  static long length = -1, at;
  if (length < 0) {
    int file = culdesac_nondet_open(\"values\", 0);
    long size;
    length = 0;
    while ((size = culdesac_nondet_read(file, text + length, sizeof text - 1 - (unsigned long)length)) > 0) length += size;
    culdesac_nondet_close(file);
  }
  magnitude = 0;
  negative = 0;
  if (at >= length) {
    note(\"+\");
    return;
  }
  note(\".\");
  if (text[at] == '-') negative = 1, at++;
  for (; text[at] != '\\n' && text[at]; at++) magnitude = 10 * magnitude + (unsigned long long)(text[at] - '0');
  at++;
}
#define GIVES(name, type) \\
  __attribute__((weak)) type __VERIFIER_nondet_##name(void) { \\
    type value; \\
    next(); \\
    value = (type)(negative ? 0 - magnitude : magnitude); \\
    if ((value < 0) != negative || (negative ? 0 - (unsigned long long)value : (unsigned long long)value) != magnitude) note(\"!\"); \\
    return value; \\
  }
__attribute__((weak)) void __VERIFIER_assume(int holds) { if (!holds) culdesac_nondet_exit(77); }
__attribute__((weak)) void __VERIFIER_error(void) { culdesac_nondet_exit(1); }
__attribute__((weak)) void reach_error(void) { culdesac_nondet_exit(1); }
";

/// `nondet.c` for the files of a suite: what they name beyond the list gives a `long long`.
pub fn nondet(files: &[ExportedFile]) -> String {
    let mut text = NONDET.to_owned();
    TYPES.iter().for_each(|(name, ty)| _ = writeln!(text, "GIVES({name}, {ty})"));
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let code = files.iter().filter(|file| file.name.ends_with(['c', 'h']));
    let words = code.flat_map(|file| file.text.split(|c| !is_word(c))).filter_map(|word| word.strip_prefix("__VERIFIER_nondet_"));
    let others: BTreeSet<&str> = words.filter(|name| !name.is_empty() && TYPES.iter().all(|(known, _)| known != name)).collect();
    others.iter().for_each(|name| _ = writeln!(text, "GIVES({name}, long long)"));
    text
}

/// The texts between two marks.
fn between<'t>(text: &'t str, before: &str, after: &str) -> Vec<&'t str> {
    text.split(before).skip(1).filter_map(|rest| rest.split(after).next()).collect()
}

/// The file that a suite is for.
pub fn program_file(files: &[ExportedFile]) -> String {
    let metadata = files.iter().find(|file| file.name == "metadata.xml").expect("metadata.xml");
    let name = between(&metadata.text, "<programfile>", "</programfile>")[0];
    name.replace("&lt;", "<").replace("&quot;", "\"").replace("&amp;", "&")
}

/// The numbers of each test, by its number from 0.
fn values(files: &[ExportedFile]) -> HashMap<usize, Vec<String>> {
    let number = |file: &ExportedFile| file.name.strip_prefix("test-")?.strip_suffix(".xml")?.parse::<usize>().ok();
    let inputs =
        |text: &str| between(text, "<input ", "</input>").iter().filter_map(|input| Some(input.split_once("\">")?.1.to_owned())).collect();
    files.iter().filter_map(|file| Some((number(file)? - 1, inputs(&file.text)))).collect()
}

/// Checks the suite of Test-Comp.
pub fn check(answered: &Answered) -> Checked {
    let (name, mut found) = (&answered.subject.name, Checked::default());
    let exported = exported_with(&answered.request, &answered.document, TestsFormat::Testcomp, &answered.reports.wraps);
    found.left_out.extend(exported.notes.iter().map(|note| format!("{name}: Test-Comp: {note}")));
    let (program, values) = (program_file(&exported.files), values(&exported.files));
    let (claimed, written): (BTreeSet<usize>, BTreeSet<usize>) =
        (exported.claims.iter().map(|claim| claim.0).collect(), values.keys().copied().collect());
    if claimed != written {
        found.differences.push(format!("{name}: Test-Comp: claims of {claimed:?}, files of {written:?}"));
        return found;
    }
    for compiler in compilers()
        .filter(|compiler| accepts(compiler, &answered.subject.source, &answered.subject.headers))
        .take(if is_thorough() { 2 } else { 1 })
    {
        let folder = scratch().join(format!("testcomp-{name}-{compiler}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
        exported.files.iter().for_each(|file| write(&file.name, &file.text));
        write("nondet.c", &nondet(&exported.files));
        write("sides.h", &format!("#define CULDESAC_SIDES_COUNT {}\n#define CULDESAC_SIDES \"sides\"\n{HEADER}", answered.reports.count));
        let before = found.differences.len();
        let sources = ["-include", "sides.h", &program, "nondet.c"];
        match compiled(&folder, compiler, &["-w"], &sources, &answered.subject.headers) {
            Ok(()) => exported
                .claims
                .iter()
                .for_each(|(test, sides)| run(answered, (&folder, compiler), (*test, sides, &values[test]), &mut found)),
            Err(errors) => found.differences.push(format!("{name}: Test-Comp: {compiler} does not compile it:\n    {errors}")),
        }
        if found.differences.len() == before {
            let _ = fs::remove_dir_all(&folder);
        }
    }
    found
}

/// Runs a test.
fn run(answered: &Answered, (folder, compiler): (&Path, &str), (test, sides, values): (usize, &[usize], &[String]), found: &mut Checked) {
    for file in ["asked", "sides"] {
        let _ = fs::remove_file(folder.join(file));
    }
    fs::write(folder.join("values"), values.iter().map(|value| format!("{value}\n")).collect::<String>()).expect("a file");
    let (status, printed) = ran(folder, None, ONE);
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
    let (asked, taken) = (read("asked"), read("sides").lines().filter_map(|line| line.parse().ok()).collect());
    let count = |sign: char| asked.matches(sign).count();
    let at = format!("{}: Test-Comp: test {} ({compiler})", answered.subject.name, test + 1);
    let returns = answered.document.tests[test].ends == RETURNS;
    match status {
        Err(why) if returns || why.starts_with("no end") => found.differences.push(format!("{at}: {why}{}", end_of(&printed))),
        _ => {}
    }
    let left = values.len() - count('.').min(values.len());
    if left > 0 && returns {
        found.differences.push(format!("{at} returns and leaves {left} of {} numbers over", values.len()));
    } else if left > 0 {
        found.left_out.push(format!("{at} {}: it leaves {left} of {} numbers over", answered.document.tests[test].ends, values.len()));
    }
    if count('+') > 0 {
        found.differences.push(format!("{at} asks for {} numbers more than the {} that there are", count('+'), values.len()));
    }
    if let Some(place) = asked.find('!') {
        let number = asked[..place].matches('.').count();
        found.differences.push(format!("{at}: number {number} is {}, which its type does not hold", values[number - 1]));
    }
    let claimed = answered.seen(sides);
    found.runs += 1;
    found.claims += claimed.len();
    found.differences.extend(answered.compared(&at, &taken, &claimed));
}
