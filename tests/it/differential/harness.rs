//! The other side: the program's own text, compiled by gcc with its decisions counted, inputs given, and undefined behaviour trapped.
//!
//! The text stays as it is but for what is inserted by span: a count around each atomic decision, and the first value of locals without
//! initialiser that are inputs. Everything else stands after it (a case for each function: globals are set, the function is called) or is
//! linked to it: functions without body give the next value of the list, those with a meaning of their own replace the program's.

use super::declared::{declarator_end, element_size, place};
use super::structures;
use super::subject::{CaseLabel, Function, Subject};
use culdesac::interp::Input;
use culdesac::lang::ast::{Decl, Shape, Storage, Type};
use culdesac::lang::intrinsic::{self, DrawnType, Intrinsic};
use culdesac::lang::library;
use culdesac::lang::types::Integer;
use culdesac::logic::{Int, IntRange};
use culdesac::lts::{Label, Origin};
use culdesac::source::Span;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

const DECLARATIONS: &str = "int __culdesac_branch(int, int);
long long __culdesac_scalar(int), __culdesac_local(int, int, long long);
void *__culdesac_local_array(int, int, void *, unsigned long, unsigned long), *__culdesac_local_member(int, int, void *, unsigned long);
void __culdesac_set(void *, unsigned long, int), __culdesac_fill(void *, unsigned long, unsigned long, int);
static void *__culdesac_structure;
void *__culdesac_parameter(int, unsigned long), *__culdesac_structures(void), __culdesac_end(int, long long);
char *__culdesac_decimal(int);
void __culdesac_arguments(char **), __culdesac_fill_part(void *, unsigned long, unsigned long, int, unsigned long);
#line 1 \"program.c\"
";

/// Trapping needs no library, so a child starts at once. A value that a `_Bool` cannot have is none of our matters: an
/// uninitialised one is read to keep it.
const FLAGS: &[&str] = &[
    "-O0",
    "-w",
    "-fno-builtin",
    "-fcommon",
    "-fno-stack-protector",
    "-fsanitize=undefined",
    "-fno-sanitize=bool,enum",
    "-fsanitize-undefined-trap-on-error",
    "-ftrivial-auto-var-init=zero",
    "-fstack-reuse=none",
];
/// Tried in this order: left shifts are C11's where that is possible.
const STANDARDS: &[&str] = &["-std=gnu11", "-std=gnu89"];
/// What the compiler itself calls, and the streams.
const LIBRARY: &[&str] = &[
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "memcpy",
    "memset",
    "memmove",
    "memcmp",
    "_GLOBAL_OFFSET_TABLE_",
    "stdin",
    "stdout",
    "stderr",
];

const EXTERNAL_DECLARATIONS: &str = "#include <stdarg.h>
long long __culdesac_next(void);
void __culdesac_end(int, long long), *__culdesac_memory(unsigned long), *__culdesac_more(char *, unsigned long);
int __culdesac_argument(const char *), __culdesac_number(const char *), __culdesac_read(const char *);
";
/// A compiled program.
pub struct Binary {
    pub folder: PathBuf,
}

/// What one run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// `R` returned, `V` returned nothing, `X` exit, `A` a failed assumption, `E` error, `U` undefined, `L` stopped after as
    /// many decisions as wanted, `T` out of time, `S` another signal.
    pub outcome: char,
    pub value: i64,
    /// Values of nondet functions.
    pub drawn: u64,
    /// How often each decision's sides were taken: first the side that holds.
    pub decisions: Vec<[u64; 2]>,
    pub printed: Vec<u8>,
}

impl Binary {
    /// Compiles and links the subject.
    ///
    /// # Errors
    /// What gcc says.
    pub fn build(subject: &Subject, stubs: Option<&Path>) -> Result<Binary, String> {
        let stem = subject.path.file_stem().unwrap_or_default().to_string_lossy();
        let folder = scratch().join(&*stem);
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).map_err(|error| error.to_string());
        write("program.c", &text(subject))?;
        let mut compiled = Err(String::new());
        for standard in STANDARDS {
            let mut gcc = Command::new(compiler());
            gcc.current_dir(&folder).args(flags()).arg(standard).args(["-c", "program.c", "-o", "program.o"]);
            if let Some(stubs) = stubs {
                gcc.arg("-I").arg(stubs).arg("-I").arg(stubs.join(&*stem));
            }
            compiled = said(&mut gcc);
            if compiled.is_ok() {
                break;
            }
        }
        compiled?;
        let symbols = said(Command::new("nm").current_dir(&folder).args(["-P", "program.o"]))?;
        let (externals, changes) = externals(subject, &symbols);
        if !changes.is_empty() {
            said(Command::new("objcopy").current_dir(&folder).args(changes).arg("program.o"))?;
        }
        write("externals.c", &externals)?;
        let mut link = Command::new("gcc");
        link.current_dir(&folder).args(["-w", "-O0", "-fno-builtin", "program.o", "externals.c"]).arg(runtime()?).args(["-o", "program"]);
        said(&mut link)?;
        Ok(Binary { folder })
    }

    /// Runs the function with this number on each of the inputs, for as many decisions as stand beside it where there is a number.
    ///
    /// # Errors
    /// That the program did not run to its end, which is the harness's fault.
    pub fn run(&self, subject: &Subject, function: usize, inputs: &[(Input, Option<u64>)]) -> Result<Vec<Ran>, String> {
        let mut text = String::new();
        for (input, limit) in inputs {
            let _ = write!(text, "{function} {} ", limit.unwrap_or(0));
            given(&subject.functions[function], input, &mut text);
        }
        let file = self.folder.join("inputs");
        fs::write(&file, text).map_err(|error| error.to_string())?;
        let stdin = File::open(&file).map_err(|error| error.to_string())?;
        let program = Command::new(self.folder.join("program")).stdin(stdin).stderr(Stdio::null()).output();
        let output = program.map_err(|error| error.to_string())?;
        let lines = String::from_utf8_lossy(&output.stdout);
        let ran: Option<Vec<Ran>> = lines.lines().map(|line| ran(line, subject.decisions.len())).collect();
        match ran {
            Some(ran) if output.status.success() && ran.len() == inputs.len() => Ok(ran),
            _ => Err(format!("the harness ended with {} after {} of {} inputs", output.status, lines.lines().count(), inputs.len())),
        }
    }
}

/// The compiler: gcc, or another one with its options, as `CULDESAC_DIFFERENTIAL_CC` says.
fn compiler() -> String {
    std::env::var("CULDESAC_DIFFERENTIAL_CC").unwrap_or_else(|_| "gcc".to_owned())
}

/// Whether the compiler watches all that is evaluated. gcc does not where it computes in a narrower type than C says, since of the value
/// only a part is kept, and where it knows what a comparison gives.
pub fn sees_everything() -> bool {
    compiler().contains("clang")
}

fn flags() -> impl Iterator<Item = &'static &'static str> {
    let clang = compiler().contains("clang");
    FLAGS.iter().filter(move |flag| !clang || !(flag.starts_with("-fstack-reuse") || flag.starts_with("-ftrivial")))
}

/// Where programs are compiled.
fn scratch() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("differential")
}

/// What a command prints.
fn said(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{}: {error}", command.get_program().to_string_lossy()))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).lines().take(12).collect::<Vec<_>>().join("\n"))
    }
}

/// The part that is the same for all programs, compiled once.
fn runtime() -> Result<&'static Path, String> {
    static RUNTIME: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let build = || {
        // Of this process alone: another one may be writing its own.
        let object = scratch().join(format!("runtime-{}.o", std::process::id()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/differential/runtime.c");
        fs::create_dir_all(scratch()).map_err(|error| error.to_string())?;
        said(Command::new("gcc").args(["-O1", "-Wall", "-c"]).arg(source).arg("-o").arg(&object))?;
        Ok(object)
    };
    RUNTIME.get_or_init(build).as_ref().map(PathBuf::as_path).map_err(Clone::clone)
}

/// The text that is compiled.
fn text(subject: &Subject) -> String {
    let mut inserted = Vec::new();
    for (span, k) in subject.wrapped() {
        // At one place what ends comes first, then the longest that starts.
        inserted.push((span.start, 1, u32::MAX - span.end, "({ __auto_type __culdesac_c = (0, (".to_owned()));
        // A variable, since gcc makes `a != b` of the truth of `a - b`, which cannot overflow; and after a comma, where a member of some bits
        // is a value.
        // The value stays what it is, for `x ?: y`.
        inserted.push((span.end, 0, 0, format!(")); __culdesac_branch({k}, !!__culdesac_c); __culdesac_c; }})")));
    }
    for switch in &subject.switches {
        let chain: Vec<String> = switch.labels.iter().map(compared).collect();
        let chain = if chain.is_empty() { "0".to_owned() } else { chain.join(" || ") };
        inserted.push((switch.value.start, 1, u32::MAX - switch.value.end - 1, "({ __auto_type __culdesac_v = (".to_owned()));
        inserted.push((switch.value.end, 0, 2, format!("); {chain}; __culdesac_v; }})")));
    }
    let mut cases = String::new();
    for (number, function) in subject.functions.iter().enumerate() {
        locals(subject, number, function, &mut inserted);
        case(subject, number, function, &mut cases);
    }
    inserted.sort();
    let mut text = DECLARATIONS.to_owned();
    let mut from = 0;
    for (at, _, _, what) in inserted {
        text.push_str(Span { start: from, end: at }.text(&subject.source));
        text.push_str(&what);
        from = at;
    }
    text.push_str(Span { start: from, end: subject.source.len() as u32 }.text(&subject.source));
    let count = subject.decisions.len();
    let _ = write!(text, "\n#line 1 \"cases.c\"\nint __culdesac_decisions = {count};\n");
    for (number, function) in subject.functions.iter().enumerate() {
        structures::fillers(subject, number, function, &mut text);
    }
    let _ = write!(text, "void __culdesac_case(int function) {{\n  switch (function) {{\n{cases}  }}\n}}\n");
    text
}

/// The comparison of a `switch`'s value with one of its labels.
fn compared(label: &CaseLabel) -> String {
    let constant = |value: &Int| format!("{value}{}", if value.to_i64().is_none() { "ULL" } else { "" });
    let count = |condition: String| match label.decision {
        Some(k) => format!("__culdesac_branch({k}, {condition})"),
        None => condition,
    };
    if label.first == label.last {
        count(format!("__culdesac_v == {}", constant(&label.first)))
    } else {
        let above = count(format!("__culdesac_v >= {}", constant(&label.first)));
        format!("({above} && {})", count(format!("__culdesac_v <= {}", constant(&label.last))))
    }
}

/// Gives the function's uninitialised locals their first values, after their declarators. For arrays and members of structures that is the
/// initialiser of one more variable: of a pointer, which any declaration may go on with.
fn locals(subject: &Subject, number: usize, function: &Function, inserted: &mut Vec<(u32, u8, u32, String)>) {
    let (lts, source) = (&function.lts, &subject.source);
    let mut fills: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for (slot, &id) in function.inputs.variables.iter().enumerate() {
        let variable = lts.variable(id);
        let (place, end) = (place(source, variable.span, &variable.name), declarator_end(source, variable.span));
        if variable.name.contains('[') || is_initialised(source, variable.span) {
            // A string of the command line; or set at once.
        } else if variable.origin == Origin::Local && place.contains('.') {
            fills.entry(end).or_default().push(format!("__culdesac_local_member({number}, {slot}, &{place}, sizeof {place})"));
        } else if variable.origin == Origin::Local {
            inserted.push((end, 0, 1, format!(" = __culdesac_local({number}, {slot}, {place})")));
        }
    }
    for (slot, &id) in function.inputs.arrays.iter().enumerate() {
        let array = lts.array(id);
        if array.origin == Origin::Local && !array.name.contains('[') && !is_initialised(source, array.span) {
            let place = place(source, array.span, &array.name);
            let fill = format!("__culdesac_local_array({number}, {slot}, {place}, sizeof {place}, {})", element_size(array.range));
            fills.entry(declarator_end(source, array.span)).or_default().push(fill);
        }
    }
    for (end, fills) in fills {
        let text = format!(" __attribute__((uninitialized)), *__culdesac_{number}_{end} = ({})", fills.join(", "));
        inserted.push((end, 0, 1, text));
    }
}

/// Whether a first value stands after the declarator, or it is the variable of a compound literal.
fn is_initialised(source: &str, span: Span) -> bool {
    span.text(source).starts_with('(')
        || source.get(declarator_end(source, span) as usize..).is_some_and(|rest| rest.trim_start().starts_with('='))
}

/// Sets the inputs of one function and calls it.
fn case(subject: &Subject, number: usize, function: &Function, cases: &mut String) {
    let lts = &function.lts;
    let _ = writeln!(cases, "  case {number}: {{");
    for (slot, &id) in function.inputs.variables.iter().enumerate() {
        let variable = lts.variable(id);
        if variable.origin == Origin::Global {
            let place = place(&subject.source, variable.span, &variable.name);
            let _ = writeln!(cases, "    __culdesac_set((void *)&{place}, sizeof {place}, {slot});");
        }
    }
    for (slot, &id) in function.inputs.arrays.iter().enumerate() {
        let array = lts.array(id);
        // The blocks of a caller are none of the program's arrays.
        if array.origin == Origin::Global && subject.program.decls.iter().any(|decl| decl.span == array.span) {
            let place = place(&subject.source, array.span, &array.name);
            let size = element_size(array.range);
            let structures = |decl: &Decl| {
                decl.span == array.span && matches!(&decl.shape, Shape::Array { element, .. } if matches!(**element, Shape::Struct(_)))
            };
            if let (Some((base, member)), true) = (place.split_once('.'), subject.program.decls.iter().any(structures)) {
                let _ = writeln!(
                    cases,
                    "    for (unsigned long i = 0; i < sizeof {base} / sizeof {base}[0]; i++)
      __culdesac_fill_part((void *)&{base}[i].{member}, sizeof {base}[i].{member}, {size}, {slot}, i * (sizeof {base}[i].{member} / {size}));"
                );
                continue;
            }
            let _ = writeln!(cases, "    __culdesac_fill((void *){place}, sizeof {place}, {}, {slot});", element_size(array.range));
        }
    }
    let Some((_, tree)) = subject.program.function(&lts.function) else { return };
    let arguments: Vec<String> = (tree.parameters.iter())
        .map(|parameter| match structures::members(subject, function, parameter) {
            members if members.is_empty() => argument(function, &parameter.name.text, cases),
            _ => structures::argument(subject, (number, function), parameter, cases),
        })
        .collect();
    let call = format!("{}({})", lts.function, arguments.join(", "));
    let _ = if matches!(tree.result, Shape::Scalar(_)) {
        writeln!(cases, "    __culdesac_end('R', {call});\n  }}")
    } else {
        writeln!(cases, "    {call};\n    __culdesac_end('V', 0);\n  }}")
    };
}

/// What is passed for a parameter. Strings of the command line have names like `argv[1]`, whether their characters or their number is an
/// input.
fn argument(function: &Function, name: &str, cases: &mut String) -> String {
    let lts = &function.lts;
    let scalar =
        function.inputs.variables.iter().position(|&id| lts.variable(id).origin == Origin::Parameter && lts.variable(id).name == name);
    let array = function.inputs.arrays.iter().position(|&id| lts.array(id).origin == Origin::Parameter && lts.array(id).name == name);
    if let Some(slot) = scalar {
        return format!("__culdesac_scalar({slot})");
    }
    let string = |of: &str| of.strip_prefix(name)?.strip_prefix('[')?.split(']').next()?.parse::<u32>().ok();
    let numbers = function.inputs.variables.iter().enumerate().filter_map(|(slot, &id)| Some((slot, string(&lts.variable(id).name)?)));
    let texts = function.inputs.arrays.iter().enumerate().filter_map(|(slot, &id)| Some((slot, string(&lts.array(id).name)?)));
    let mut strings = String::new();
    for (slot, number) in numbers {
        let _ = write!(strings, " [{number}] = __culdesac_decimal({slot}),");
    }
    for (slot, number) in texts {
        let _ = write!(strings, " [{number}] = __culdesac_parameter({slot}, 1),");
    }
    if !strings.is_empty() {
        let _ = writeln!(cases, "    char *strings[100] = {{{strings} }};\n    __culdesac_arguments(strings);");
        return "strings".to_owned();
    }
    let null = function.inputs.variables.iter().position(|&id| lts.variable(id).name == format!("{name}.null"));
    match array {
        Some(slot) => {
            let given = format!("__culdesac_parameter({slot}, {})", element_size(lts.array(function.inputs.arrays[slot]).range));
            null.map_or(given.clone(), |null| format!("__culdesac_scalar({null}) ? 0 : {given}"))
        }
        None => "0".to_owned(),
    }
}

/// The C text of what the program declares and does not define, and of what it defines and means something else here; and what changes in
/// the program's symbols: the former get names that no library has, the latter give way.
fn externals(subject: &Subject, symbols: &str) -> (String, Vec<String>) {
    let mut text = EXTERNAL_DECLARATIONS.to_owned();
    let mut changes = Vec::new();
    for line in symbols.lines() {
        let mut words = line.split_whitespace();
        let (Some(name), Some(kind)) = (words.next(), words.next()) else { continue };
        if name.starts_with("__culdesac_") || !matches!(kind, "U" | "T") || LIBRARY.contains(&name) {
            continue;
        }
        // The C library has these, too.
        if kind == "U" && matches!(name, "__isoc99_sscanf" | "fputs" | "fputc" | "putc" | "fgets" | "getc" | "fgetc") {
            continue;
        }
        if kind == "U" && name != "atoi" && library::names().any(|known| known == name) {
            continue;
        }
        let (symbol, name) = (name, name.strip_prefix("__isoc99_").unwrap_or(name));
        let defined = kind == "T";
        // What has a body is what the body says.
        let gives = subject.program.function(name).and_then(|(_, function)| function.gives_anything(subject.program.abi));
        let meaning = if defined { gives.map(|ty| Intrinsic::Nondet(DrawnType::Of(ty))) } else { intrinsic::find(name) };
        let body = match meaning {
            Some(Intrinsic::Nondet(ty)) => format!("long long {name}(void) {{ return {}; }}", next(Some(ty.of(subject.program.abi)))),
            Some(Intrinsic::Random) => format!("long long {name}(void) {{ return __culdesac_next() & 0x7fffffff; }}"),
            Some(Intrinsic::Assume) => format!("void {name}(int holds) {{ if (!holds) __culdesac_end('A', 0); }}"),
            Some(Intrinsic::Assert(_)) => format!("void {name}(int holds) {{ if (!holds) __culdesac_end('E', 0); }}"),
            Some(Intrinsic::Error(_)) => format!("void {name}(void) {{ __culdesac_end('E', 0); }}"),
            Some(Intrinsic::Exit) => format!("void {name}(int status) {{ __culdesac_end('X', status); }}"),
            Some(Intrinsic::Absolute) => {
                format!("int {name}(int x) {{ if (x == -2147483647 - 1) __builtin_trap(); return x < 0 ? -x : x; }}")
            }
            Some(Intrinsic::Nothing | Intrinsic::OfStream) => format!("int {name}() {{ return 0; }}"),
            Some(Intrinsic::ArgumentValue) => {
                format!(
                    "int {name}(const char *text) {{ return __culdesac_argument(text) ? __culdesac_number(text) : {}; }}",
                    "__culdesac_read(text)"
                )
            }
            Some(Intrinsic::Address) => {
                let memory = match name {
                    "calloc" => "__culdesac_memory(a * b)",
                    "realloc" => "__culdesac_more((char *)a, b)",
                    _ => "__culdesac_memory(a)",
                };
                let next = |drawn| if drawn { "__culdesac_next()" } else { "0" };
                let (null, contents) = draws_of_memory(subject);
                let contents = next(contents && name != "calloc");
                format!(
                    "void *{name}(unsigned long a, unsigned long b) {{ int fails = {} & 1; {contents}; return fails ? 0 : {memory}; }}",
                    next(null)
                )
            }
            Some(
                Intrinsic::Print
                | Intrinsic::Choice { .. }
                | Intrinsic::AllocationFails
                | Intrinsic::PrintTo
                | Intrinsic::PrintOpen
                | Intrinsic::PrintLine
                | Intrinsic::PrintCharacter
                | Intrinsic::First
                | Intrinsic::SetObject
                | Intrinsic::CopyObject
                | Intrinsic::Padding
                | Intrinsic::Bytes
                | Intrinsic::Character
                | Intrinsic::Number(_)
                | Intrinsic::Unreachable(_)
                | Intrinsic::Overflows
                | Intrinsic::Wraps
                // Functions that read are left out.
                | Intrinsic::GetCharacter
                | Intrinsic::EndOfFile
                | Intrinsic::ReadError
                | Intrinsic::ClearIndicators
                | Intrinsic::Letter
                | Intrinsic::NoWord
                | Intrinsic::Scan,
            ) => continue,
            None if defined => continue,
            None if subject.program.decls.iter().any(|decl| decl.storage == Storage::Global && decl.name == name) => {
                format!("char {name}[1 << 16] __attribute__((aligned(16)));")
            }
            None => {
                match subject.program.prototypes.iter().find(|prototype| prototype.name.text == name).map(|prototype| &prototype.returns) {
                    Some(Type::Void) => format!("void {name}(void) {{}}"),
                    Some(Type::Integer(integer)) => format!("long long {name}(void) {{ return {}; }}", next(Some(*integer))),
                    _ => format!("long long {name}(void) {{ return {}; }}", next(None)),
                }
            }
        };
        changes.push(if defined {
            format!("--weaken-symbol={name}")
        } else {
            let _ = writeln!(text, "#define {name} __culdesac_for_{name}");
            format!("--redefine-sym={symbol}=__culdesac_for_{name}")
        });
        let _ = writeln!(text, "{body}");
    }
    (text, changes)
}

/// Whether calls that ask for memory draw that there is none, and what it holds at first.
fn draws_of_memory(subject: &Subject) -> (bool, bool) {
    let (mut null, mut contents) = (false, false);
    for function in &subject.functions {
        for edge in function.lts.graph.edge_weights() {
            match edge.label {
                Label::Havoc(variable) => null |= function.lts.variable(variable).name.contains(".null"),
                Label::HavocArray(array) => contents |= function.lts.array(array).origin == Origin::Inlined,
                _ => {}
            }
        }
    }
    (null, contents)
}

/// The next value for a function that returns this type. Callers look at as many bytes as it has; of C's `_Bool` only one bit is a value.
fn next(integer: Option<Integer>) -> &'static str {
    if integer == Some(Integer::Bool) { "__culdesac_next() & 1" } else { "__culdesac_next()" }
}

/// An input in the form that the runtime reads.
fn given(function: &Function, input: &Input, text: &mut String) {
    let lts = &function.lts;
    // Unsigned values beyond the greatest signed one are the same bits.
    let bits = |value: &Int| IntRange::of_bits(64, true).wrap(value);
    let _ = write!(text, "{}", function.inputs.variables.len());
    for &id in &function.inputs.variables {
        let value = input.values.get(&lts.variable(id).name).cloned().unwrap_or_default();
        let _ = write!(text, " {}", bits(&value));
    }
    let _ = write!(text, " {}", function.inputs.arrays.len());
    for &id in &function.inputs.arrays {
        let contents = input.arrays.get(&lts.array(id).name).cloned().unwrap_or_default();
        let _ = write!(text, " {} {}", contents.elements.len(), bits(&contents.default));
        for (index, value) in &contents.elements {
            let _ = write!(text, " {index} {}", bits(value));
        }
    }
    let _ = write!(text, " {}", input.nondet.len());
    for value in &input.nondet {
        let _ = write!(text, " {}", bits(value));
    }
    text.push('\n');
}

/// Reads a line of the runtime's.
fn ran(line: &str, decisions: usize) -> Option<Ran> {
    let (counts, printed) = line.split_once(" ; ")?;
    let mut words = counts.split(' ');
    let outcome = words.next()?.chars().next()?;
    let (value, drawn) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let mut ran = Ran { outcome, value, drawn, decisions: vec![[0; 2]; decisions], printed: Vec::new() };
    for word in words {
        let (k, sides) = word.split_once(':')?;
        let (holds, fails) = sides.split_once('/')?;
        *ran.decisions.get_mut(k.parse::<usize>().ok()?)? = [holds.parse().ok()?, fails.parse().ok()?];
    }
    for pair in printed.as_bytes().chunks(2) {
        ran.printed.push(u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?);
    }
    Some(ran)
}
