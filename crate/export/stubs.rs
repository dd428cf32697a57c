//! Stubs: functions of C in place of those that the program calls and does not define.
//!
//! A stub gives what the test says, call by call, and writes what the test says: a list of values where it only gives some, else a case for
//! each call that does more.

use super::names::Names;
use super::types::{TypeNames, constant, name_of};
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
    pub kind: StubKind,
}

/// What a stub does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StubKind {
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
                let name = if name.text == intrinsic::TIME { "time" } else { &name.text };
                let is_defined = program.function(name).is_some_and(|(_, function)| !function.library);
                let is_identifier = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                if !is_defined && is_identifier {
                    found.insert(name.to_owned());
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
    library::names().any(|other| other == name)
        || matches!(name, "fputs" | "fputc" | "putc" | "fflush" | "perror" | "free" | "fgets" | "gets" | "sscanf" | "snprintf" | "sprintf")
}

impl Stubs {
    /// The stubs of a program; `draws` says of which functions some test takes values.
    pub fn of(
        (program, source): (&Program, &str),
        names: &mut Names,
        draws: &dyn Fn(&str) -> bool,
        allocates: &dyn Fn(&str) -> bool,
    ) -> Stubs {
        let mut stubs = Stubs { all: Vec::new(), skipping: SortedMap::new() };
        for function in called(program) {
            let prototype = prototype(program, &function);
            let kind = match intrinsic::find(&function) {
                Some(Intrinsic::Nondet(ty)) => StubKind::Gives(Some(returned(prototype).unwrap_or(ty.of(program.abi)))),
                Some(Intrinsic::Random) => StubKind::Gives(Some(Integer::Int)),
                Some(Intrinsic::Assume) => StubKind::Assumes,
                // The system's header has a macro of its own.
                Some(Intrinsic::Assert(ErrorKind::Assertion)) if source.contains("assert.h") => continue,
                Some(Intrinsic::Assert(kind)) => StubKind::Asserts(kind),
                Some(Intrinsic::Error(ErrorKind::ErrorCall)) => StubKind::Fails,
                Some(Intrinsic::Address) if allocates(&function) => StubKind::Memory,
                Some(_) => continue,
                None if is_of_library(&function) => continue,
                None if is_time_of_library(program, &function) => StubKind::Gives(Some(Integer::Long)),
                None => match prototype.map(|prototype| &prototype.returns) {
                    Some(Type::Void) => StubKind::Gives(None),
                    Some(Type::Integer(integer)) => StubKind::Gives(Some(*integer)),
                    Some(Type::Pointer(_)) => StubKind::Pointer,
                    Some(Type::Struct(_)) => StubKind::Structure,
                    _ => StubKind::Gives(Some(Integer::Int)),
                },
            };
            // What the system's headers declare is there in their words.
            let is_renamed = OF_SYSTEM.contains(&function.as_str());
            let name = if is_renamed { names.free(&format!("stub_{function}")) } else { function.clone() };
            let stem = names.stem(&function);
            if draws(&function) && !matches!(kind, StubKind::Gives(None)) {
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

/// Whether a function is the library's `time`, which the program does not declare itself.
pub fn is_time_of_library(program: &Program, function: &str) -> bool {
    function == "time" && prototype(program, function).is_none()
}

/// The integer type of what a function gives.
pub fn returned(prototype: Option<&Prototype>) -> Option<Integer> {
    match prototype.map(|prototype| &prototype.returns) {
        Some(Type::Integer(integer)) => Some(*integer),
        _ => None,
    }
}

/// Whether a declaration needs no type of the program.
pub fn is_plain(prototype: &Prototype) -> bool {
    fn of(ty: &Type) -> bool {
        match ty {
            Type::Void | Type::Integer(_) => true,
            Type::Array(inner, _) | Type::Pointer(inner) | Type::Function(inner) => of(inner),
            Type::Struct(_) | Type::Typeof(_) => false,
            Type::Opaque(name) => *name != "FILE",
        }
    }
    of(&prototype.returns) && prototype.parameters.iter().flatten().all(|parameter| of(&parameter.ty))
}

/// The names of a stub's parameters.
pub fn parameters(program: &Program, stub: &Stub) -> Vec<String> {
    if stub.kind == StubKind::Memory {
        let list: &[&str] = match stub.function.as_str() {
            "calloc" => &["count", "size"],
            "realloc" => &["old", "size"],
            _ => &["size"],
        };
        return list.iter().map(|&name| name.to_owned()).collect();
    }
    if is_time_of_library(program, &stub.function) {
        return vec!["place".to_owned()];
    }
    if let Some(list) = library::parameters(&stub.function) {
        return list.into_iter().map(str::to_owned).collect();
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
pub fn head(types: &TypeNames, stub: &Stub) -> Option<String> {
    let (name, size) = (&stub.name, name_of(types.program.abi.address()));
    match (&stub.kind, stub.function.as_str()) {
        (StubKind::Memory, "calloc") => return Some(format!("void *{name}({size} count, {size} size)")),
        (StubKind::Memory, "realloc") => return Some(format!("void *{name}(void *old, {size} size)")),
        (StubKind::Memory, _) => return Some(format!("void *{name}({size} size)")),
        _ => {}
    }
    // The types are those of `<time.h>`, which may not be included yet.
    if is_time_of_library(types.program, &stub.function) {
        return Some(format!("long {name}(long *place)"));
    }
    if let Some(declaration) = library::declaration(&stub.function) {
        return Some(declaration.trim_end_matches(';').replacen(&format!("{}(", stub.function), &format!("{name}("), 1));
    }
    let Some(prototype) = prototype(types.program, &stub.function) else {
        return Some(match &stub.kind {
            StubKind::Assumes | StubKind::Asserts(_) => format!("void {name}(int holds)"),
            StubKind::Fails => format!("void {name}(void)"),
            StubKind::Gives(Some(integer)) => format!("{} {name}(void)", name_of(*integer)),
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
pub fn objects(types: &TypeNames) -> String {
    let mut text = String::new();
    let is_missing = |decl: &&crate::lang::ast::Decl| {
        decl.storage == Storage::Global && decl.linkage == Linkage::Elsewhere && !super::placed::is_placed(decl)
    };
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
pub struct StubCase {
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
    /// The mark of calls whose value nothing reads.
    pub skips: Option<String>,
}

/// The call that gives the memory of a stub for `malloc` or its like.
pub fn memory(stub: &Stub) -> &'static str {
    match stub.function.as_str() {
        "calloc" => "culdesac_allocate(count * size)",
        "realloc" => "culdesac_reallocate(old, size)",
        _ => "culdesac_allocate(size)",
    }
}

/// The definition of a stub. Without cases it gives the values of a list.
pub fn definition(types: &TypeNames, stub: &Stub, cases: &[StubCase], has_list: bool, around: &Around) -> Option<String> {
    let text = body(types, stub, (cases, has_list), around)?;
    let declared = prototype(types.program, &stub.function).filter(|prototype| !prototype.variadic && !stub.is_renamed);
    // What the program declares is placed there by what measures coverage: it must have no branches of its own.
    let branches = ["  if (", " ? "].iter().any(|sign| text.contains(sign)) && matches!(stub.kind, StubKind::Gives(_));
    let (Some(_), true) = (declared, branches) else { return Some(text) };
    let head = head(types, stub)?;
    let inner = format!("{}_in_test", stub.stem);
    let own = head.replacen(&format!("{}(", stub.name), &format!("{inner}("), 1);
    let returns = if stub.kind == StubKind::Gives(None) { "" } else { "return " };
    let arguments = parameters(types.program, stub).join(", ");
    Some(format!("{}{head} {{\n  {returns}{inner}({arguments});\n}}\n", text.replacen(&head, &format!("static {own}"), 1)))
}

fn body(types: &TypeNames, stub: &Stub, (cases, has_list): (&[StubCase], bool), around: &Around) -> Option<String> {
    let head = head(types, stub)?;
    let Around { running, end, skips } = around;
    let (name, stem) = (&stub.name, &stub.stem);
    let mut text = String::new();
    let mentions = |name: &str| cases.iter().flat_map(|case| &case.statements).any(|text| has_word(text, name));
    let unused: Vec<String> = parameters(types.program, stub)
        .iter()
        .filter(|name| !mentions(name) && stub.kind != StubKind::Memory)
        .map(|name| format!("  (void){name};\n"))
        .collect();
    let skip = skips.as_ref().map(|mark| format!("  if ({mark}) {{ {mark} = 0; return 0; }}\n")).unwrap_or_default();
    match &stub.kind {
        StubKind::Assumes => {
            let holds = parameters(types.program, stub).first().cloned().unwrap_or_else(|| "holds".to_owned());
            let _ = write!(text, "{head} {{\n  if (!{holds}) {end}(CULDESAC_ASSUMED);\n}}\n");
        }
        StubKind::Asserts(kind) => {
            let holds = parameters(types.program, stub).first().cloned().unwrap_or_else(|| "holds".to_owned());
            let status = if *kind == ErrorKind::ErrorCall { "CULDESAC_ERROR" } else { "CULDESAC_ABORTED" };
            let _ = write!(text, "#ifndef {name}\n{head} {{\n  if (!{holds}) {end}({status});\n}}\n#endif\n");
        }
        StubKind::Fails => {
            let _ = write!(text, "{head} {{\n{}  {end}(CULDESAC_ERROR);\n}}\n", unused.concat());
        }
        StubKind::Gives(None) if cases.is_empty() => {
            let _ = write!(text, "{head} {{\n{}}}\n", unused.concat());
        }
        StubKind::Gives(Some(integer)) if cases.is_empty() => {
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
        StubKind::Structure if cases.is_empty() => {
            let prototype = prototype(types.program, &stub.function)?;
            let nothing = types.parameter(&prototype.returns, crate::lang::ast::Qualifiers::default(), "nothing".to_owned())?;
            let _ = write!(text, "{head} {{\n{}  {nothing} = {{0}};\n  return nothing;\n}}\n", unused.concat());
        }
        kind => {
            let last = match (kind, stub.function.as_str()) {
                (StubKind::Gives(None), _) => String::new(),
                (StubKind::Memory, _) => format!("  return {};\n", memory(stub)),
                _ => "  return 0;\n".to_owned(),
            };
            let mut body = format!("{}{skip}  {stem}_calls++;\n", unused.concat());
            for case in cases {
                if let (true, StubKind::Gives(Some(integer)), Some(value)) = (case.statements.is_empty(), kind, &case.value) {
                    let value = constant(*integer, types.program.abi, value);
                    let _ = writeln!(body, "  if ({running} == {} && {stem}_calls == {}) return {value};", case.test, case.call);
                    continue;
                }
                let _ = writeln!(body, "  if ({running} == {} && {stem}_calls == {}) {{", case.test, case.call);
                case.statements.iter().for_each(|statement| {
                    let _ = writeln!(body, "    {statement}");
                });
                let value = case.value.clone().unwrap_or_default();
                let _ = match kind {
                    StubKind::Gives(None) => writeln!(body, "    return;"),
                    StubKind::Gives(Some(integer)) => writeln!(body, "    return {};", constant(*integer, types.program.abi, &value)),
                    StubKind::Memory if case.fails => writeln!(body, "    return 0;"),
                    StubKind::Memory => writeln!(body, "    return memory;"),
                    StubKind::Pointer if !value.is_zero() => writeln!(body, "    return (void *)\"\";"),
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
