//! A suite as a C program: `suite.c` includes the program's text and runs one test, or all of them, each in a process of its own.
//!
//! It includes no header, since what it declares stands in one file with the program: what it needs of the C library it names by asm labels.

use super::externals::{externals, giving_anything};
use super::inputs::{Taking, declarator_end, identifier};
use super::{Exported, ExportedFile, Suite};
use crate::interp::Input;
use crate::lang::types::Integer;
use crate::source::Span;
use crate::view::quoted;
use std::fmt::Write as _;

/// What stands in front of the program.
const BEFORE: &str = "#define CULDESAC_TEXT(name) #name
#define CULDESAC_PREFIX(name) CULDESAC_TEXT(name)
#define CULDESAC_NAMED(name) __asm__(CULDESAC_PREFIX(__USER_LABEL_PREFIX__) name)
#define CULDESAC_SIDE (1 << 16) /* bytes of an array before and behind its first element */
static long long culdesac_next(void);
/* A local without initialiser begins with its value in the test, and keeps what it has when its declaration is passed again. */
static long long culdesac_locals[];
static char culdesac_seen[];
#define culdesac_local(k, before) (culdesac_seen[k]++ ? (before) : culdesac_locals[k])
";

/// What takes values and ends a run.
const TAKING: &str = "enum { CULDESAC_ASSUMED = 77, CULDESAC_FAILED = 1 };
extern void culdesac_exit(int) CULDESAC_NAMED(\"exit\");
/* Ends the program as it would itself, so that its output and its coverage are written. */
static void culdesac_end(int status) { culdesac_exit(status); }

/* An object of some bytes gets a value. */
static void culdesac_put(void *to, unsigned long size, long long value) {
  if (size == 1) { signed char v = (signed char)value; __builtin_memcpy(to, &v, 1); }
  else if (size == 2) { short v = (short)value; __builtin_memcpy(to, &v, 2); }
  else if (size == 4) { int v = (int)value; __builtin_memcpy(to, &v, 4); }
  else __builtin_memcpy(to, &value, size < 8 ? size : 8);
}

/* Elements from `first` to `last`: a default, how many differ, and index and value of each. */
static void culdesac_elements(char *zero, long first, long last, long size, long part, long stride) {
  long long rest = culdesac_next(), differ = culdesac_next();
  for (long i = first; i <= last; i++) culdesac_put(zero + i / part * stride + i % part * size, (unsigned long)size, rest);
  while (differ-- > 0) {
    long long index = culdesac_next(), value = culdesac_next();
    if (index >= first && index <= last) culdesac_put(zero + index / part * stride + index % part * size, (unsigned long)size, value);
  }
}

/* An array of the program, or a member of `count` structures that are `stride` bytes apart. */
static void culdesac_fill(void *to, unsigned long count, unsigned long stride, unsigned long bytes, long size) {
  culdesac_elements(to, 0, (long)(count * bytes) / size - 1, size, (long)bytes / size, (long)stride);
}

/* An array of a caller, whose length nobody knows: much of it on both sides. */
static void culdesac_around(char *memory, long size) {
  long side = CULDESAC_SIDE / size;
  culdesac_elements(memory + CULDESAC_SIDE, -side, side - 1, size, side, 0);
}

extern void *culdesac_allocate_bytes(unsigned long, unsigned long) CULDESAC_NAMED(\"calloc\");
static void *culdesac_allocate(unsigned long size) { return culdesac_allocate_bytes(size ? size : 1, 1); }

/* What a pointer at file scope is set to: one of the program's functions or strings, or another one. */
static long long culdesac_outside() { return culdesac_next(); }
static void *culdesac_function(void *const *own, long long count, long long number) {
  return 0 <= number && number <= count ? own[number] : (void *)culdesac_outside;
}
static void *culdesac_address(const char *const *texts, long long count, long long number) {
  static long long known[64];
  static char memory[64][256] __attribute__((aligned(16)));
  long long row = number >> 32;
  if (number == 0) return 0;
  if (number == row << 32 && 1 <= row && row <= count) return (void *)texts[row - 1];
  for (int i = 0; i < 64; i++) {
    if (!known[i]) known[i] = number;
    if (known[i] == number) return memory[i];
  }
  return memory[0];
}

/* A string of the command line: the digits of a number, or characters. */
static char *culdesac_number(char *text) {
  long long value = culdesac_next();
  unsigned long long rest = value < 0 ? -(unsigned long long)value : (unsigned long long)value;
  char *c = text + 31;
  for (*c = 0; c == text + 31 || rest; rest /= 10) *--c = (char)('0' + rest % 10);
  if (value < 0) *--c = '-';
  return c;
}
static char *culdesac_string(char *memory) {
  culdesac_around(memory, 1);
  return memory + CULDESAC_SIDE;
}
";

const RUNNING: &str = "extern int culdesac_fork(void) CULDESAC_NAMED(\"fork\"), culdesac_wait(int, int *, int) CULDESAC_NAMED(\"waitpid\");
extern unsigned culdesac_alarm(unsigned) CULDESAC_NAMED(\"alarm\");
extern void (*culdesac_signal(int, void (*)(int)))(int) CULDESAC_NAMED(\"signal\");
extern long culdesac_write(int, const void *, unsigned long) CULDESAC_NAMED(\"write\");
static void culdesac_stopped(int number) {
  culdesac_signal(number, 0);
  culdesac_end(128 + number);
}
static void culdesac_say(const char *text) { culdesac_write(1, text, __builtin_strlen(text)); }
static void culdesac_count(int n) {
  if (n > 9) culdesac_count(n / 10);
  char digit = (char)('0' + n % 10);
  culdesac_write(1, &digit, 1);
}

static int culdesac_run(int number) {
  /* SIGABRT, SIGFPE, SIGSEGV, SIGALRM, SIGILL and SIGTRAP still write the coverage. */
  int signals[] = {6, 8, 11, 14, 4, 5};
  for (int i = 0; i < 6; i++) culdesac_signal(signals[i], culdesac_stopped);
  culdesac_alarm(10);
  culdesac_values = culdesac_tests[number];
  culdesac_left = culdesac_counts[number];
  culdesac_stdin(number);
  culdesac_call();
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1) {
    int number = 0;
    for (const char *c = argv[1]; *c >= '0' && *c <= '9' && number < 100000; c++) number = number * 10 + *c - '0';
    if (number < 1 || number > CULDESAC_TESTS) { culdesac_say(\"give the number of a test, from 1\\n\"); return 2; }
    return culdesac_run(number - 1);
  }
  for (int number = 0; number < CULDESAC_TESTS; number++) {
    int status = 0, child = culdesac_fork();
    if (child == 0) return culdesac_run(number);
    culdesac_wait(child, &status, 0);
    culdesac_say(\"test \"); culdesac_count(number + 1); culdesac_say(\": exit \"); culdesac_count(status >> 8 & 255); culdesac_say(\"\\n\");
  }
  return 0;
}
";

/// Where the program does not read standard input.
const NO_TEXT: &str = "static void culdesac_stdin(int number) {}\n";

/// Bytes of a text on standard input: all fit into a pipe.
const MOST_TEXT: usize = 60_000;

/// The texts on standard input, with their lengths: each comes out of a pipe, so that the C library itself reads it.
fn reading_texts(texts: &[String]) -> String {
    format!(
        "static const struct {{ const char *text; long length; }} culdesac_texts[] = {{ {} }};
extern int culdesac_pipe(int *) CULDESAC_NAMED(\"pipe\"), culdesac_dup2(int, int) CULDESAC_NAMED(\"dup2\"), culdesac_close(int) CULDESAC_NAMED(\"close\");
extern long culdesac_send(int, const void *, unsigned long) CULDESAC_NAMED(\"write\");
static void culdesac_stdin(int number) {{
  int ends[2];
  if (culdesac_pipe(ends)) return;
  culdesac_send(ends[1], culdesac_texts[number].text, (unsigned long)culdesac_texts[number].length);
  culdesac_close(ends[1]);
  culdesac_dup2(ends[0], 0);
  culdesac_close(ends[0]);
}}
",
        texts.join(",\n  ")
    )
}

/// The values of a test.
///
/// # Errors
/// Why the harness cannot give it.
pub fn values(suite: &Suite, taking: &Taking, input: &Input) -> Result<Vec<(String, Vec<i64>)>, String> {
    match &input.stdin {
        Some(text) if text.len() > MOST_TEXT => Err(format!("its text on standard input has {} bytes", text.len())),
        _ => taking.values(suite, input),
    }
}

/// `suite.c` and the program.
pub fn suite(suite: &Suite) -> Exported {
    let taking = Taking::new(suite);
    let mut exported = Exported { files: vec![program(suite, &taking)], notes: Vec::new() };
    let (mut tests, mut names, mut counts, mut texts) = (String::new(), Vec::new(), Vec::new(), Vec::new());
    let reads = suite.loaded.lts.reads_stdin();
    for (number, input) in suite.tests.iter().enumerate() {
        let values = match values(suite, &taking, input) {
            Ok(values) => values,
            Err(why) => {
                exported.notes.push(format!("test {} is left out: {why}", number + 1));
                continue;
            }
        };
        let written: Vec<String> = values.iter().map(|(name, values)| format!("  {} /* {name} */", literals(values))).collect();
        let count: usize = values.iter().map(|(_, values)| values.len()).sum();
        let _ =
            writeln!(tests, "/* test {} */\nstatic const long long culdesac_{number}[] = {{\n{}\n  0 }};", number + 1, written.join("\n"));
        if reads {
            let text: String = input.stdin.iter().flatten().copied().map(char::from).collect();
            texts.push(format!("{{ {}, {} }}", quoted(&text), text.chars().count()));
        }
        names.push(format!("culdesac_{number}"));
        counts.push(count.to_string());
    }
    // An array of C has an element.
    let count = names.len();
    if count == 0 && reads {
        texts.push("{ \"\", 0 }".to_owned());
    }
    if count == 0 {
        names.push("0".to_owned());
        counts.push("0".to_owned());
    }
    let left_out: String = exported.notes.iter().map(|note| format!(" * {note}\n")).collect();
    let text = format!(
        "/* Tests of `{}` in {}.
 *   cc {} -o suite suite.c && ./suite
 * runs them all, `./suite 3` the third of them; with --coverage, gcov tells what they take.
 * Exit codes: 0 the function returns or the program ends, {FAILED}, 128 + n signal n.
{left_out} */
{BEFORE}{}
{TAKING}
static const long long *culdesac_values;
static long culdesac_left;
/* The next value of the test; 0 where it has no more. */
static long long culdesac_next(void) {{ return culdesac_left > 0 ? culdesac_left--, *culdesac_values++ : 0; }}

{}
{}
/* Takes the inputs and calls the function. */
static void culdesac_call(void) {{
{}}}

{tests}
#define CULDESAC_TESTS {}
static const long long *const culdesac_tests[] = {{ {} }};
static const long culdesac_counts[] = {{ {} }};
{}
{RUNNING}",
        suite.loaded.lts.function,
        suite.program(),
        FLAGS,
        included(suite),
        externals(suite, false),
        locals(&taking),
        taking.call,
        count,
        names.join(", "),
        counts.join(", "),
        if reads { reading_texts(&texts) } else { NO_TEXT.to_owned() },
    );
    exported.files.push(ExportedFile { name: "suite.c".to_owned(), text });
    exported
}

const FAILED: &str = "1 an error call or a failed assertion, 77 an assumption that does not hold";
const FLAGS: &str = "-w -fno-builtin";

/// The harness of a Test-Comp suite: the values come from `__VERIFIER_nondet_longlong`. The program's text stands in the file itself, and all
/// else in two others, since whoever measures coverage looks at one file.
pub fn reading(suite: &Suite, taking: &Taking) -> [ExportedFile; 3] {
    let program = program(suite, taking).text;
    let renamed = if has_main(suite) { ("#define main culdesac_main\n", "#undef main\n") } else { ("", "") };
    let harness = format!(
        "/* {} for Test-Comp: each value is one of __VERIFIER_nondet_longlong(), in the order in which it is taken. */
extern long long __VERIFIER_nondet_longlong(void);
#include \"culdesac.h\"
{}{program}
{}#include \"culdesac-main.h\"
",
        suite.program(),
        renamed.0,
        renamed.1
    );
    let after = format!(
        "{TAKING}
static long long culdesac_next(void) {{ return __VERIFIER_nondet_longlong(); }}

{}
{}
int main(void) {{
{}  return 0;
}}
",
        externals(suite, true),
        locals(taking),
        taking.call
    );
    let file = |name: &str, text: String| ExportedFile { name: name.to_owned(), text };
    [file("tested.c", harness), file("culdesac.h", BEFORE.to_owned()), file("culdesac-main.h", after)]
}

fn has_main(suite: &Suite) -> bool {
    suite.loaded.program.own().any(|function| function.name.text == "main")
}

/// Where the first values of locals stand.
fn locals(taking: &Taking) -> String {
    let count = taking.locals.len() + 1;
    format!("static long long culdesac_locals[{count}];\nstatic char culdesac_seen[{count}];\n")
}

/// The program as the harness includes it.
fn included(suite: &Suite) -> String {
    let include = format!("#include \"{}\"\n", suite.program());
    match has_main(suite) {
        true => format!("#define main culdesac_main\n{include}#undef main\n"),
        false => include,
    }
}

/// The program's text; functions that give any value ask for the next one instead, and locals without initialiser for their first one.
pub fn program(suite: &Suite, taking: &Taking) -> ExportedFile {
    let source = &suite.request.source;
    let (mut text, mut from) = (String::new(), 0);
    for (start, end, instead) in changes(suite, taking) {
        text += Span { start: from, end: start }.text(source);
        text += &instead;
        from = end;
    }
    text += Span { start: from, end: source.len() as u32 }.text(source);
    ExportedFile { name: suite.program().to_owned(), text }
}

/// What stands in the program's text instead of what stands there: from, to, text.
fn changes(suite: &Suite, taking: &Taking) -> Vec<(u32, u32, String)> {
    let source = &suite.request.source;
    let mut found = Vec::new();
    for (start, end, integer) in giving_anything(suite) {
        // As many lines as before, so that places in the text stay what they are.
        let lines = "\n".repeat(Span { start, end }.text(source).matches('\n').count());
        let bit = if integer == Integer::Bool { " & 1" } else { "" };
        found.push((start, end, format!("{{ return culdesac_next(){bit};{lines} }}")));
    }
    for (k, &id) in taking.locals.iter().enumerate() {
        let variable = suite.loaded.lts.variable(id);
        let end = declarator_end(source, variable.span);
        found.push((end, end, format!(" = culdesac_local({k}, {})", identifier(source, variable.span))));
    }
    found.sort();
    found
}

/// Values as C writes them, with a comma behind each.
fn literals(values: &[i64]) -> String {
    let literal = |&value: &i64| match value {
        i64::MIN => "-9223372036854775807LL - 1,".to_owned(),
        _ => format!("{value}LL,"),
    };
    values.iter().map(literal).collect::<Vec<_>>().join(" ")
}
