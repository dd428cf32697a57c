//! Stubs: functions of C in place of those that the program calls and does not define.
//!
//! A stub gives what the test says, call by call, and writes what the test says: a list of values where it only gives some, else a case for
//! each call that does more.

use super::names::Names;
use super::types::{Types, constant, name_of};
use crate::lang::ast::{Expr, ExprKind, Program, Prototype, Shape, Stmt, Type};
use crate::lang::intrinsic::{self, ErrorKind, Intrinsic};
use crate::lang::library;
use crate::lang::storage::{Linkage, Storage};
use crate::lang::types::Integer;
use crate::logic::{Int, SortedMap, SortedSet};
use std::fmt::Write as _;

/// The functions that what runs a test calls itself, or what measures its coverage: a stub of one has another name.
const OF_SYSTEM: &[&str] = &[
    "malloc",
    "calloc",
    "realloc",
    "free",
    "open",
    "close",
    "read",
    "write",
    "fcntl",
    "lseek",
    "pipe",
    "dup",
    "dup2",
    "fork",
    "wait",
    "waitpid",
    "alarm",
    "signal",
    "kill",
    "getpid",
    "getenv",
    "mmap",
    "munmap",
    "time",
    "fopen",
    "fclose",
    "fread",
    "fwrite",
    "fflush",
    "exit",
    "_exit",
    "abort",
    "atexit",
    "memcpy",
    "memset",
    "memcmp",
    "memmove",
    "strlen",
    "unlink",
    "mkdir",
    "access",
    "send",
    "recv",
    "select",
    "poll",
    "ioctl",
    "stat",
    "fstat",
    "sleep",
    "usleep",
    "raise",
    "sigaction",
    "isatty",
];

/// A stub, as far as no test matters for it.
#[derive(Clone, Debug)]
pub struct Stub {
    /// As the program calls it.
    pub function: String,
    /// As it is called in the suite.
    pub name: String,
    /// What the names of its lists and counters begin with.
    pub stem: String,
    /// Whether the program's text calls it by another name while it is included.
    pub is_renamed: bool,
    pub kind: Kind,
}

/// What a stub does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It gives values of this type, or none, and may write.
    Gives(Option<Integer>),
    /// It gives a pointer: null.
    Pointer,
    /// It gives a structure: zeros.
    Structure,
    /// It gives memory.
    Memory,
    /// It ends the run where its argument is zero: an assumption that does not hold.
    Assumes,
    /// As above: an assertion.
    Asserts(ErrorKind),
    /// It ends the run.
    Fails,
}

/// All stubs of a program.
pub struct Stubs {
    pub all: Vec<Stub>,
    /// The functions of which some call gives a value that nothing reads.
    skipping: SortedMap<String, String>,
}

/// The names that the program calls and does not define.
pub fn called(program: &Program) -> SortedSet<String> {
    let mut found = SortedSet::new();
    let mut statements: Vec<&Stmt> = program.own().flat_map(|function| &function.body).collect();
    while let Some(statement) = statements.pop() {
        statement.children(&mut |child| statements.push(child));
        let mut expressions: Vec<&Expr> = Vec::new();
        statement.expressions(&mut |expression| expressions.push(expression));
        while let Some(expression) = expressions.pop() {
            expression.kind.children(&mut |child| expressions.push(child));
            if let ExprKind::Call(name, _) = &expression.kind {
                let is_defined = program.function(&name.text).is_some_and(|(_, function)| !function.library);
                let is_identifier = name.text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                if !is_defined && is_identifier {
                    found.insert(name.text.clone());
                }
            }
        }
    }
    // A pointer may lead to one that is declared alone.
    let is_defined = |name: &str| program.function(name).is_some_and(|(_, function)| !function.library);
    let pointed = |prototype: &&Prototype| program.addressed.contains(&prototype.name.text) && !is_defined(&prototype.name.text);
    found.extend(program.prototypes.iter().filter(pointed).map(|prototype| prototype.name.text.clone()));
    found
}

/// What the C library has and the engine takes for what it is there.
fn is_of_library(name: &str) -> bool {
    library::names().any(|known| known == name)
        || matches!(
            name,
            "fputs" | "fputc" | "putc" | "fflush" | "perror" | "free" | "fclose" | "fgets" | "gets" | "sscanf" | "snprintf" | "sprintf"
        )
}

impl Stubs {
    /// The stubs of a program; `draws` says of which functions some test takes values.
    pub fn of(program: &Program, names: &mut Names, draws: &dyn Fn(&str) -> bool, allocates: &dyn Fn(&str) -> bool) -> Stubs {
        let mut stubs = Stubs { all: Vec::new(), skipping: SortedMap::new() };
        for function in called(program) {
            let prototype = prototype(program, &function);
            let kind = match intrinsic::find(&function) {
                Some(Intrinsic::Nondet(integer)) => Kind::Gives(Some(returned(prototype).unwrap_or(integer))),
                Some(Intrinsic::Random) => Kind::Gives(Some(Integer::Int)),
                Some(Intrinsic::Assume) => Kind::Assumes,
                Some(Intrinsic::Assert(kind)) => Kind::Asserts(kind),
                Some(Intrinsic::Error(ErrorKind::ErrorCall)) => Kind::Fails,
                Some(Intrinsic::Address) if allocates(&function) => Kind::Memory,
                Some(_) => continue,
                None if is_of_library(&function) => continue,
                None => match prototype.map(|prototype| &prototype.returns) {
                    Some(Type::Void) => Kind::Gives(None),
                    Some(Type::Integer(integer)) => Kind::Gives(Some(*integer)),
                    Some(Type::Pointer(_)) => Kind::Pointer,
                    Some(Type::Struct(_)) => Kind::Structure,
                    _ => Kind::Gives(Some(Integer::Int)),
                },
            };
            // What the system's headers declare is there in their words.
            let is_renamed = OF_SYSTEM.contains(&function.as_str());
            let name = if is_renamed { names.free(&format!("stub_{function}")) } else { function.clone() };
            let stem = names.stem(&function);
            if draws(&function) && !matches!(kind, Kind::Gives(None)) {
                stubs.skipping.insert(function.clone(), format!("{stem}_skips"));
            }
            stubs.all.push(Stub { function, name, stem, is_renamed, kind });
        }
        stubs
    }

    /// The mark of calls of this function whose values nothing reads.
    pub fn skipping(&self, function: &str) -> Option<String> {
        self.skipping.get(function).cloned()
    }

    /// The stub of a function.
    pub fn find(&self, function: &str) -> Option<&Stub> {
        self.all.iter().find(|stub| stub.function == function)
    }
}

/// The declaration of a function.
pub fn prototype<'p>(program: &'p Program, function: &str) -> Option<&'p Prototype> {
    program.prototypes.iter().find(|prototype| prototype.name.text == function)
}

/// The integer type of what a function gives.
pub fn returned(prototype: Option<&Prototype>) -> Option<Integer> {
    match prototype.map(|prototype| &prototype.returns) {
        Some(Type::Integer(integer)) => Some(*integer),
        _ => None,
    }
}

/// The names of a stub's parameters.
pub fn parameters(program: &Program, stub: &Stub) -> Vec<String> {
    if stub.kind == Kind::Memory {
        let list: &[&str] = match stub.function.as_str() {
            "calloc" => &["count", "size"],
            "realloc" => &["old", "size"],
            _ => &["size"],
        };
        return list.iter().map(|&name| name.to_owned()).collect();
    }
    let list = prototype(program, &stub.function).and_then(|prototype| prototype.parameters.as_ref());
    let name = |(parameter, at): (&crate::lang::ast::Parameter, usize)| match parameter.name.text.as_str() {
        "" => format!("argument_{at}"),
        // A global of this name is written by it.
        name if program.decls.iter().any(|decl| decl.storage == Storage::Global && decl.name == name) => format!("{name}_"),
        name => name.to_owned(),
    };
    list.into_iter().flatten().zip(1..).map(name).collect()
}

/// The head of a stub's definition, e.g. `int receive(char *buffer, int size)`; none where a type has no name.
pub fn head(types: &Types, stub: &Stub) -> Option<String> {
    let name = &stub.name;
    match (&stub.kind, stub.function.as_str()) {
        (Kind::Memory, "calloc") => return Some(format!("void *{name}(unsigned long count, unsigned long size)")),
        (Kind::Memory, "realloc") => return Some(format!("void *{name}(void *old, unsigned long size)")),
        (Kind::Memory, _) => return Some(format!("void *{name}(unsigned long size)")),
        _ => {}
    }
    let Some(prototype) = prototype(types.program, &stub.function) else {
        return Some(match &stub.kind {
            Kind::Assumes | Kind::Asserts(_) => format!("void {name}(int holds)"),
            Kind::Fails => format!("void {name}(void)"),
            Kind::Gives(Some(integer)) => format!("{} {name}(void)", name_of(*integer)),
            _ => format!("int {name}(void)"),
        });
    };
    let names = parameters(types.program, stub);
    let list = prototype.parameters.as_ref().map_or(&[][..], Vec::as_slice);
    let parts = list.iter().zip(&names).map(|(parameter, name)| types.parameter(&parameter.ty, parameter.qualifiers, name.clone()));
    let mut parts = parts.collect::<Option<Vec<String>>>()?;
    if prototype.variadic {
        parts.push("...".to_owned());
    }
    let parts = if parts.is_empty() { "void".to_owned() } else { parts.join(", ") };
    types.parameter(&prototype.returns, crate::lang::ast::Qualifiers::default(), format!("{name}({parts})"))
}

/// Objects that the program declares and does not define, as definitions.
pub fn objects(types: &Types) -> String {
    let mut text = String::new();
    let is_missing = |decl: &&crate::lang::ast::Decl| decl.storage == Storage::Global && decl.linkage == Linkage::Elsewhere;
    for decl in types.program.decls.iter().filter(is_missing) {
        let name = &decl.name;
        let _ = match (&decl.shape, types.object(&decl.shape, decl.qualifiers, name.clone())) {
            (Shape::Array { element, length: crate::lang::ast::Length::Unknown }, _) => {
                match types.object(element, decl.qualifiers, format!("{name}[1 << 12]")) {
                    Some(definition) => writeln!(text, "{definition};"),
                    None => writeln!(text, "__typeof__({name}[0]) {name}[1 << 12];"),
                }
            }
            (Shape::Opaque, _) => Ok(()),
            (_, Some(definition)) => writeln!(text, "{definition};"),
            (_, None) => writeln!(text, "__typeof__({name}) {name};"),
        };
    }
    text
}

/// A call of a stub that does more than give the next value of a list.
#[derive(Clone, Debug)]
pub struct Case {
    pub test: usize,
    pub call: usize,
    pub statements: Vec<String>,
    pub value: Option<Int>,
    pub fails: bool,
}

/// What a stub's text needs of the suite.
pub struct Around<'a> {
    /// The name of the variable that has the number of the test that runs.
    pub running: &'a str,
    /// The names of what ends a run.
    pub end: &'a str,
    /// The name of what gives memory.
    pub allocate: &'a str,
    /// The mark of calls whose value nothing reads.
    pub skips: Option<String>,
}

/// The definition of a stub. Without cases it gives the values of a list.
pub fn definition(types: &Types, stub: &Stub, cases: &[Case], has_list: bool, around: &Around) -> Option<String> {
    let head = head(types, stub)?;
    let Around { running, end, allocate, skips } = around;
    let (name, stem) = (&stub.name, &stub.stem);
    let mut text = String::new();
    let mentions = |name: &str| cases.iter().flat_map(|case| &case.statements).any(|text| has_word(text, name));
    let unused: Vec<String> = parameters(types.program, stub)
        .iter()
        .filter(|name| !mentions(name) && stub.kind != Kind::Memory)
        .map(|name| format!("  (void){name};\n"))
        .collect();
    let skip = skips.as_ref().map(|mark| format!("  if ({mark}) {{ {mark} = 0; return 0; }}\n")).unwrap_or_default();
    match &stub.kind {
        Kind::Assumes => {
            let holds = parameters(types.program, stub).first().cloned().unwrap_or_else(|| "holds".to_owned());
            let _ = write!(text, "{head} {{\n  if (!{holds}) {end}(CULDESAC_ASSUMED);\n}}\n");
        }
        Kind::Asserts(kind) => {
            let holds = parameters(types.program, stub).first().cloned().unwrap_or_else(|| "holds".to_owned());
            let status = if *kind == ErrorKind::ErrorCall { "CULDESAC_ERROR" } else { "CULDESAC_ABORTED" };
            let _ = write!(text, "#ifndef {name}\n{head} {{\n  if (!{holds}) {end}({status});\n}}\n#endif\n");
        }
        Kind::Fails => {
            let _ = write!(text, "{head} {{\n{}  {end}(CULDESAC_ERROR);\n}}\n", unused.concat());
        }
        Kind::Gives(None) if cases.is_empty() => {
            let _ = write!(text, "{head} {{\n{}}}\n", unused.concat());
        }
        Kind::Gives(Some(integer)) if cases.is_empty() => {
            let values = if !has_list {
                "  return 0;\n".to_owned()
            } else {
                format!("  return {stem}_left > 0 ? ({stem}_left--, *{stem}_values++) : 0;\n")
            };
            if has_list {
                let _ = writeln!(text, "static const {} *{stem}_values;\nstatic int {stem}_left;", name_of(*integer));
            }
            let _ = write!(text, "{head} {{\n{}{skip}{values}}}\n", unused.concat());
        }
        Kind::Structure if cases.is_empty() => {
            let prototype = prototype(types.program, &stub.function)?;
            let nothing = types.parameter(&prototype.returns, crate::lang::ast::Qualifiers::default(), "nothing".to_owned())?;
            let _ = write!(text, "{head} {{\n{}  {nothing} = {{0}};\n  return nothing;\n}}\n", unused.concat());
        }
        kind => {
            let last = match (kind, stub.function.as_str()) {
                (Kind::Gives(None), _) => String::new(),
                (Kind::Memory, "calloc") => format!("  return {allocate}(count * size);\n"),
                (Kind::Memory, _) => format!("  return {allocate}(size);\n"),
                _ => "  return 0;\n".to_owned(),
            };
            let mut body = format!("{}{skip}  {stem}_calls++;\n", unused.concat());
            for case in cases {
                if let (true, Kind::Gives(Some(integer)), Some(value)) = (case.statements.is_empty(), kind, &case.value) {
                    let value = constant(*integer, value);
                    let _ = writeln!(body, "  if ({running} == {} && {stem}_calls == {}) return {value};", case.test, case.call);
                    continue;
                }
                let _ = writeln!(body, "  if ({running} == {} && {stem}_calls == {}) {{", case.test, case.call);
                case.statements.iter().for_each(|statement| {
                    let _ = writeln!(body, "    {statement}");
                });
                let value = case.value.clone().unwrap_or_default();
                let _ = match kind {
                    Kind::Gives(None) => writeln!(body, "    return;"),
                    Kind::Gives(Some(integer)) => writeln!(body, "    return {};", constant(*integer, &value)),
                    Kind::Memory if case.fails => writeln!(body, "    return 0;"),
                    Kind::Memory => writeln!(body, "    return memory;"),
                    _ => writeln!(body, "    return 0;"),
                };
                body += "  }\n";
            }
            let _ = write!(text, "static int {stem}_calls;\n{head} {{\n{body}{last}}}\n");
        }
    }
    Some(text)
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|part| part == word)
}
