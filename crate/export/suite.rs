//! A suite as C: `suite.c` with a function for each test, the program beside it, and `culdesac.h`, which runs the tests.

use super::framework::{Framework, Own};
use super::hooks::{Hooks, hooks};
use super::linked::{LinkedUnits, UNITS_HEADER};
use super::linked_names::linked_units;
use super::names::{Names, plain};
use super::prepare::Prepared;
use super::script::StubCall;
use super::step::TestStep;
use super::stubs::{Around, StubCase, StubKind, Stubs, called, definition, head, is_time_of_library, objects, prototype};
use super::test::{ScalarKey, TestCase, TestLine, TestWriter};
use super::types::{TypeNames, name_of};
use super::{Exported, ExportedFile};
use crate::lang::ast::{DeclId, Program, Qualifiers, Storage};
use crate::lang::library;
use crate::load::Loaded;
use crate::logic::{Arrange, SortedMap, SortedSet};
use crate::lts::Origin;
use crate::lts::sides::{Side, sides};
use crate::source::files::{CLOSED, flattened, is_closed, named};
use crate::source::{Wrap, wrapped};
use std::fmt::Write as _;

/// What the head of every file in C says. `runner.h` and `freestanding.h` say the same.
pub const YOURS: &str = "This file is yours: no licence of culdesac applies to it.";

/// The tests that can be written, by their numbers from 1, and why others cannot.
pub struct WrittenTests {
    /// For each test that can be written its number from 0 and the sides that it takes.
    pub claims: Vec<(usize, Vec<usize>)>,
    pub cases: Vec<TestCase>,
    pub left_out: Vec<(usize, String)>,
    pub stubs: Stubs,
    pub hooks: Hooks,
    pub names: Names,
    pub linked: Option<LinkedUnits>,
}

/// Writes the tests of a program.
pub fn written(framework: Framework, loaded: &Loaded, program_name: &str, prepared: &[(usize, Result<Prepared, String>)]) -> WrittenTests {
    let (program, source) = (&loaded.program, loaded.lines.text());
    let mut names = Names::of(source);
    let linked = linked_units(loaded, program_name, &mut names);
    let good: Vec<(usize, &Prepared)> = prepared.iter().filter_map(|(number, prepared)| Some((*number, prepared.as_ref().ok()?))).collect();
    let steps = || good.iter().flat_map(|(_, prepared)| &prepared.steps);
    let (mut drawn, mut with_cases, mut allocating) = (SortedSet::new(), SortedSet::new(), SortedSet::new());
    for step in steps() {
        for (function, calls) in step.script.calls.iter() {
            if calls.iter().any(|call| call.value.is_some()) {
                drawn.insert(function.clone());
            }
            let gives_address = library::declaration(function).is_some_and(|text| text.contains(&format!("*{function}(")));
            let is_given = |call: &StubCall| gives_address && call.value.as_ref().is_some_and(|value| !value.is_zero());
            if calls.iter().any(|call| call.fails || is_given(call) || call.writes.iter().any(|write| !write.elements.is_empty())) {
                with_cases.insert(function.clone());
            }
            if calls.iter().any(|call| call.fails || call.writes.iter().any(|write| write.is_memory)) {
                allocating.insert(function.clone());
            }
        }
    }
    let stubs = Stubs::of((program, source), &mut names, &|name| drawn.contains(name), &|name| allocating.contains(name));
    let shared_state = (framework == Framework::Freestanding).then(|| changed(program, steps()));
    // Objects of functions that some test gives first values.
    let mut begins: SortedMap<u32, i64> = SortedMap::new();
    let of_all = good.iter().flat_map(|(_, prepared)| prepared.steps.iter().map(|step| (prepared.steps.len() == 1, step)));
    let all_leaves = of_all.flat_map(|(is_alone, step)| step.leaves.iter().map(move |leaf| (is_alone, leaf)));
    for (is_alone, leaf) in all_leaves.filter(|(_, leaf)| leaf.origin != Origin::Parameter && !leaf.cells.is_empty()) {
        let decl = program.decl(leaf.part.decl);
        let key = |index: i64| (leaf.part.decl, leaf.part.path.clone(), index);
        let is_other = |(index, before, _): &(i64, _, _)| *before != super::step::initial(program, decl, &leaf.part.path, *index);
        let is_shared = |(index, ..): &(i64, _, _)| shared_state.as_ref().is_some_and(|shared| shared.contains(&key(*index)));
        let is_given = leaf.is_input && leaf.is_read;
        let is_begun = match decl.storage {
            Storage::Local => is_given,
            Storage::Static => is_given && is_alone && leaf.cells.iter().any(is_other) || leaf.cells.iter().any(is_shared),
            _ => false,
        };
        if is_begun {
            let greatest = begins.entry(leaf.part.decl.0).or_insert(0);
            *greatest = leaf.cells.iter().fold(*greatest, |greatest, (index, ..)| greatest.max(*index));
        }
    }
    let types = TypeNames { program, source, linked: linked.as_ref() };
    let is_begun = |decl: DeclId| begins.get(&decl.0).and_then(|greatest| types.first_shape(&program.decl(decl).shape, *greatest));
    let hooks = hooks((program, source), &loaded.lts, (&stubs, &mut names), &is_begun);
    let result = names.free("result");
    let shared = shared(program, source);
    let writer = TestWriter {
        types: TypeNames { program, source, linked: linked.as_ref() },
        stubs: &stubs,
        hooks: &hooks,
        shared: &shared,
        shared_state: shared_state.as_ref(),
        with_cases: &with_cases,
        result: &result,
    };
    let all = sides(&loaded.lts);
    let (mut claims, mut cases, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    for (number, prepared) in prepared {
        let written = prepared.as_ref().map_err(String::clone).and_then(|prepared| {
            let mut words = covers(loaded, &all, &prepared.takes);
            if !prepared.takes_before.is_empty() {
                words += &format!(", and by the calls before {}", covers(loaded, &all, &prepared.takes_before));
            }
            if !prepared.assumes.is_empty() {
                words += &format!("; assumes {}", prepared.assumes.join(", "));
            }
            writer.test(*number, &prepared.steps, words, prepared.input.clone())
        });
        match written {
            Ok(case) => {
                let sides = prepared.iter().flat_map(|prepared| prepared.takes.iter().chain(&prepared.takes_before)).copied();
                claims.push((number - 1, sides.collect()));
                cases.push(case);
            }
            Err(why) => left_out.push((*number, why)),
        }
    }
    WrittenTests { claims, cases, left_out, stubs, hooks, names, linked }
}

/// The scalars of globals and statics that some test changes, or sets to another value than the program does.
fn changed<'s>(program: &Program, steps: impl Iterator<Item = &'s TestStep>) -> SortedSet<ScalarKey> {
    let mut found = SortedSet::new();
    for leaf in steps.flat_map(|step| &step.leaves).filter(|leaf| leaf.origin == Origin::Global) {
        let decl = program.decl(leaf.part.decl);
        for (index, before, after) in &leaf.cells {
            if before != after || *before != super::step::initial(program, decl, &leaf.part.path, *index) {
                found.insert((leaf.part.decl, leaf.part.path.clone(), *index));
            }
        }
    }
    found
}

/// The names at file scope.
pub fn shared(program: &Program, source: &str) -> SortedSet<String> {
    let mut found: SortedSet<String> = program.functions.iter().map(|function| function.name.text.clone()).collect();
    found.extend(program.prototypes.iter().map(|prototype| prototype.name.text.clone()));
    found.extend(program.decls.iter().filter(|decl| decl.storage == Storage::Global).map(|decl| decl.name.clone()));
    found.extend(macros(source));
    found
}

/// The names of the macros that a text defines.
fn macros(source: &str) -> Vec<String> {
    let defined = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
        let name: String = rest.trim_start().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        (!name.is_empty()).then_some(name)
    };
    let mut found: Vec<String> = source.lines().filter_map(defined).collect();
    found.arrange();
    found.dedup();
    found
}

/// The headers whose functions are in a library of their own.
const OF_MATHEMATICS: [&str; 4] = ["math.h", "tgmath.h", "complex.h", "fenv.h"];

/// What a compiler has to be told of libraries that a program needs, after its files.
fn libraries(program: &Program, source: &str) -> &'static str {
    let included = |line: &str| {
        let name = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start().strip_prefix('<')?;
        Some(OF_MATHEMATICS.contains(&name.split('>').next()?.trim()))
    };
    let calls_one = || called(program).iter().any(|name| library::is_of_mathematics(name));
    if source.lines().any(|line| included(line) == Some(true)) || calls_one() { " -lm" } else { "" }
}

/// What a run covers, in words: `line 3 true, line 7 false`.
pub fn covers(loaded: &Loaded, all: &[Side], takes: &[usize]) -> String {
    let position_of = |side: &Side| loaded.lines.position(side.span.start);
    let mut lines: SortedMap<u32, SortedSet<u32>> = SortedMap::new();
    for side in all {
        lines.entry(position_of(side).line).or_default().insert(side.span.start);
    }
    let mut parts: Vec<((u32, u32), String, Vec<&str>)> = Vec::new();
    for &at in takes {
        let (side, position) = (&all[at], position_of(&all[at]));
        let is_alone = lines.get(&position.line).is_some_and(|starts| starts.len() == 1);
        let line = named(loaded.lines.headers(), position.line);
        let name = if is_alone { format!("line {line}") } else { format!("line {line}:{}", position.column) };
        let value = if side.holds { "true" } else { "false" };
        match parts.last_mut().filter(|(key, ..)| *key == (side.span.start, side.span.end)) {
            Some((_, _, values)) => values.push(value),
            None => parts.push(((side.span.start, side.span.end), name, vec![value])),
        }
    }
    let parts: Vec<String> = parts.into_iter().map(|(_, name, values)| format!("{name} {}", values.join(" and "))).collect();
    if parts.is_empty() { "no branch".to_owned() } else { parts.join(", ") }
}

/// The program's text with the marks of the suite, and with others around parts of it.
pub fn program(loaded: &Loaded, hooks: &Hooks, extra: &[Wrap]) -> String {
    let wraps: Vec<Wrap> = extra.iter().chain(&hooks.wraps).cloned().collect();
    wrapped(loaded.lines.text(), &wraps)
}

/// The files of a suite in C.
pub fn files(framework: Framework, program_name: &str, loaded: &Loaded, written: &mut WrittenTests, extra: &[Wrap]) -> Exported {
    let source = loaded.lines.text();
    let suite = if program_name == "suite.c" && written.linked.is_none() { "test_suite.c" } else { "suite.c" };
    let runner = if program_name == "culdesac.h" { "culdesac_runner.h" } else { "culdesac.h" };
    let included = written.linked.as_ref().map_or(program_name, LinkedUnits::included).to_owned();
    let mut text = text(framework, &included, (suite, runner), loaded, written);
    let marked = program(loaded, &written.hooks, extra);
    let (marked, others) = match &written.linked {
        Some(linked) => linked.texts(&marked, &text),
        None => (flattened(&marked, program_name), Vec::new()),
    };
    if let Some(linked) = &written.linked {
        text = text.replacen(ALIASES, &linked.declarations(&text), 1);
    }
    // A program may have the suite's own words.
    let own = |text: String| match source.contains("culdesac_") || source.contains("CULDESAC_") {
        true => text.replace("culdesac_", "culdesac_suite_").replace("CULDESAC_", "CULDESAC_SUITE_"),
        false => text,
    };
    let file = |name: &str, text: String| ExportedFile { name: name.to_owned(), text };
    let mut files = vec![file(&included, marked), file(runner, own(framework.runner())), file(suite, own(text))];
    files.extend(others.into_iter().map(|(name, text)| file(&name, text)));
    if written.linked.is_some() {
        let types = TypeNames { program: &loaded.program, source, linked: written.linked.as_ref() };
        let reserved: Vec<&str> = reserved(framework, &written.names);
        files.push(file(UNITS_HEADER, own(units_header(&types, &reserved, &written.stubs, &written.hooks))));
    }
    let notes = written.left_out.iter().map(|(number, why)| format!("test {number} is left out: {why}")).collect();
    Exported { files, notes, claims: written.claims.clone(), ..Exported::default() }
}

/// Functions of POSIX in headers of the standard library, which these declare in GNU's dialect alone.
const POSIX: [&str; 14] = [
    "strdup",
    "strndup",
    "strtok_r",
    "strcasecmp",
    "strncasecmp",
    "strnlen",
    "stpcpy",
    "strsep",
    "getline",
    "fileno",
    "popen",
    "random",
    "srandom",
    "usleep",
];

/// The dialect of C in which the headers declare what the program calls.
fn dialect(source: &str) -> &'static str {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if source.split(|c| !is_of_word(c)).any(|word| POSIX.contains(&word)) { "gnu11" } else { "c11" }
}

fn text(framework: Framework, program_name: &str, (suite, runner): (&str, &str), loaded: &Loaded, written: &mut WrittenTests) -> String {
    let program = &loaded.program;
    let source = loaded.lines.text();
    let WrittenTests { cases, left_out, stubs, hooks, names, linked, .. } = written;
    let types = TypeNames { program, source, linked: linked.as_ref() };
    let reserved = reserved(framework, names);
    let own = Own::new(names);
    let others = linked.as_ref().map(LinkedUnits::others).unwrap_or_default();
    let compiled = [&[suite], &others[..]].concat().join(" ");
    let mut out = format!(
        "/* Tests of `{}` in {program_name}.\n{}",
        plain(&loaded.lts.function),
        framework.usage(&compiled, dialect(source), libraries(program, source))
    );
    if linked.is_some() {
        let (verb, others) = (if others.len() == 1 { "is" } else { "are" }, others.join(", "));
        let _ = writeln!(out, " * {suite} includes {program_name}; {others} {verb} compiled beside it, after {UNITS_HEADER}.");
    }
    if let Some(told) = program.abi.told() {
        let _ = writeln!(out, " * For the target {told}; {program_name} says so.");
    }
    if is_closed(source) {
        let _ = writeln!(out, " * Of the program is assumed, {CLOSED}.");
    }
    if !hooks.wraps.is_empty() {
        let _ = writeln!(
            out,
            " * {program_name} is the program with marks where a test sets what no caller can set; its lines keep their numbers."
        );
    }
    let mut reasons: Vec<(&str, Vec<usize>)> = Vec::new();
    for (number, why) in left_out.iter() {
        match reasons.iter_mut().find(|(other, _)| other == why) {
            Some((_, numbers)) => numbers.push(*number),
            None => reasons.push((why, vec![*number])),
        }
    }
    for (why, numbers) in &reasons {
        let list = numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let (noun, verb) = if numbers.len() == 1 { ("Test", "is") } else { ("Tests", "are") };
        let _ = writeln!(out, " * {noun} {list} {verb} left out: {why}.");
    }
    let _ = writeln!(out, " *\n * {YOURS}\n */");
    // Between quotes of an include nothing is escaped.
    let _ = writeln!(out, "#define CULDESAC_PROGRAM \"{program_name}\"");
    if program.has_main() {
        out += "#define CULDESAC_RENAMES_MAIN\n";
    }
    for name in &reserved {
        let _ = writeln!(out, "#define {name} program_{name}");
    }
    out += &before(&types, stubs, hooks, false);
    // Memory of stubs and of nodes is never given back.
    let makes_nodes = |line: &TestLine| matches!(line, TestLine::Statement(text) if text.contains("culdesac_allocate("));
    let has_own_memory =
        || stubs.all.iter().any(|stub| stub.kind == StubKind::Memory) || cases.iter().flat_map(|case| &case.lines).any(makes_nodes);
    let keeps_memory = framework == Framework::Freestanding && has_own_memory();
    let free = names.free("stub_free");
    if keeps_memory {
        let _ = writeln!(out, "#define free {free}");
    }
    let _ = write!(out, "#include \"{runner}\"\n\n");
    for name in &reserved {
        let _ = writeln!(out, "#undef {name}");
    }
    out += &framework.macros(&own, &macros(source));
    if keeps_memory {
        let _ = writeln!(out, "void {free}(void *memory) {{\n  (void)memory;\n}}\n");
    }
    if linked.is_some() {
        out += ALIASES;
    }
    let objects = objects(&types);
    if !objects.is_empty() {
        let _ = writeln!(out, "/* Objects that {program_name} declares and does not define. */\n{objects}");
    }
    let defined = stub_text(&types, (stubs, hooks), cases, &own.running);
    out += &defined;
    out += &hook_text(&types, hooks);
    let all_prints = loaded.lts.graph.edge_weights().flat_map(|edge| &edge.prints).chain(&loaded.lts.at_entry.prints);
    let prints = all_prints.into_iter().any(|print| !print.pieces.is_empty());
    for case in cases.iter() {
        let options = framework.options(&own, case, prints);
        let _ = write!(out, "/* covers {} */\n{}({}{options}) {{\n", wrap_comment(&case.covers), own.test, case.number);
        if framework == Framework::Freestanding {
            // Lists and counters of other tests.
            stubs.all.iter().for_each(|stub| {
                if defined.contains(&format!("static int {}_calls;", stub.stem)) {
                    let _ = writeln!(out, "  {}_calls = 0;", stub.stem);
                }
                if defined.contains(&format!("static int {}_left;", stub.stem)) {
                    let _ = writeln!(out, "  {}_left = 0;", stub.stem);
                }
            });
        }
        for line in &case.lines {
            let _ = writeln!(out, "  {}", framework.line(&own, line));
        }
        out += "}\n\n";
    }
    out += &framework.end(&own, cases);
    out
}

/// The header that stands in front of the files beside the suite: what the marks in them name.
fn units_header(types: &TypeNames, reserved: &[&str], stubs: &Stubs, hooks: &Hooks) -> String {
    let mut out = format!("/* Declarations in front of the files that are compiled beside the suite.\n   {YOURS} */\n");
    for name in reserved.iter().chain(types.program.has_main().then_some(&"main")) {
        let _ = writeln!(out, "#define {name} program_{name}");
    }
    out + &before(types, stubs, hooks, true)
}

/// A comment's words in lines of a readable length.
fn wrap_comment(text: &str) -> String {
    let (mut out, mut width) = (String::new(), 10);
    for (at, part) in text.split(", ").enumerate() {
        if at > 0 {
            out.push(',');
            if width + part.len() > 100 {
                out.push_str("\n   ");
                width = 3;
            } else {
                out.push(' ');
            }
        }
        out.push_str(part);
        width += part.len() + 2;
    }
    out
}

/// The names of a framework that the program has, too.
fn reserved(framework: Framework, names: &Names) -> Vec<&'static str> {
    framework.reserved().iter().copied().filter(|name| names.has(name)).collect()
}

/// Where the declarations of what the tests name in other files go.
const ALIASES: &str = "/* @ */\n";

/// The declarations of stubs and marks in front of the program; `beside` in front of a file beside the suite.
pub fn before(types: &TypeNames, stubs: &Stubs, hooks: &Hooks, beside: bool) -> String {
    let mut out = String::new();
    let linkage = if types.linked.is_some() { "extern " } else { "static " };
    for stub in &stubs.all {
        if stub.is_renamed {
            let _ = writeln!(out, "#define {} {}", stub.function, stub.name);
        }
        // Declared in front of the program, a stub has its place in the suite for those that count lines.
        let declared = prototype(types.program, &stub.function);
        let is_plain = declared.is_none_or(super::stubs::is_plain) && (!beside || stub.is_renamed || declared.is_none());
        // The headers that declare types of the library's functions come with the program.
        let has_types = library::declaration(&stub.function).is_none_or(|text| !text.contains("_t "));
        let is_declared =
            !stub.is_renamed || declared.is_some() || stub.kind == StubKind::Memory || is_time_of_library(types.program, &stub.function);
        if is_plain
            && has_types
            && is_declared
            && stub.function != "rand"
            && let Some(head) = head(types, stub)
        {
            let _ = writeln!(out, "{head};");
        }
        if let Some(mark) = stubs.skipping(&stub.function).filter(|mark| hooks.skips.contains(mark)) {
            let _ = writeln!(out, "{linkage}int {mark};");
        }
    }
    for (stem, ty) in hooks.giving.iter().filter_map(|(name, stem)| Some((stem, giving_type(types.program, name)?))) {
        let _ = writeln!(out, "{linkage}{ty} {stem}_next(void);");
    }
    for (stem, _) in hooks.volatile.values() {
        let _ = writeln!(out, "{linkage}volatile void *{stem}_next(volatile void *object);");
    }
    for beginning in hooks.beginnings.values() {
        let _ = writeln!(out, "{linkage}{};", beginning.head());
    }
    out
}

/// The type of what a function gives that only declares a variable and returns it.
pub fn giving_type(program: &Program, name: &str) -> Option<&'static str> {
    program.function(name).and_then(|(_, function)| function.gives_anything(program.abi)).map(name_of)
}

fn stub_text(types: &TypeNames, (stubs, hooks): (&Stubs, &Hooks), cases: &[TestCase], running: &str) -> String {
    let mut out = String::new();
    for stub in &stubs.all {
        let mut own: Vec<StubCase> = cases.iter().flat_map(|case| case.cases.get(&stub.function).into_iter().flatten()).cloned().collect();
        own.arrange_by_key(|case| (case.test, case.call));
        let list = format!("{}_values =", stub.stem);
        let has_list =
            cases.iter().flat_map(|case| &case.lines).any(|line| matches!(line, TestLine::Statement(text) if text.starts_with(&list)));
        let skips = stubs.skipping(&stub.function).filter(|mark| hooks.skips.contains(mark));
        let around = Around { running, end: "culdesac_end", skips };
        if let Some(text) = definition(types, stub, &own, has_list, &around) {
            out += &text;
        }
    }
    if out.is_empty() { out } else { format!("/* Stubs: what they give and write is what the tests say, call by call. */\n{out}\n") }
}

fn hook_text(types: &TypeNames, hooks: &Hooks) -> String {
    let mut out = String::new();
    // Other files call them, too.
    let linkage = if types.linked.is_some() { "" } else { "static " };
    for mark in hooks.skips.iter().filter(|_| types.linked.is_some()) {
        let _ = writeln!(out, "int {mark};");
    }
    for (stem, ty) in hooks.giving.iter().filter_map(|(name, stem)| Some((stem, giving_type(types.program, name)?))) {
        let _ = write!(
            out,
            "static const {ty} *{stem}_values;\nstatic int {stem}_left;\n{linkage}{ty} {stem}_next(void) {{\n  return {stem}_left > 0 ? ({stem}_left--, *{stem}_values++) : 0;\n}}\n"
        );
    }
    for (text, (stem, ty)) in hooks.volatile.iter() {
        let ty = name_of(*ty);
        let _ = write!(
            out,
            "/* What reads of the volatile `{text}` give. */\nstatic const {ty} *{stem}_values;\nstatic int {stem}_left;\n{linkage}volatile void *{stem}_next(volatile void *object) {{\n  static {ty} value;\n  (void)object;\n  value = {stem}_left > 0 ? ({stem}_left--, *{stem}_values++) : 0;\n  return &value;\n}}\n"
        );
    }
    for beginning in hooks.beginnings.values() {
        let decl = types.program.decl(beginning.decl);
        let name = &beginning.name;
        // A pointer to an array or a structure that is copied whole.
        let Some(pointer) =
            types.object(&beginning.shape, Qualifiers::default(), pointer_to(&beginning.shape, &format!("{name}_at_start")))
        else {
            continue;
        };
        let (head, whole) = (beginning.head(), format!("sizeof *{name}_at_start"));
        let size = if beginning.is_computed { format!("size < {whole} ? size : {whole}") } else { whole };
        let _ = write!(
            out,
            "/* What `{}` begins with. */\nstatic const {pointer};\n{linkage}{head} {{\n  if ({name}_at_start) culdesac_copy(object, {name}_at_start, {size});\n  {name}_at_start = 0;\n}}\n",
            decl.name
        );
    }
    if out.is_empty() { out } else { format!("{out}\n") }
}

fn pointer_to(shape: &crate::lang::ast::Shape, name: &str) -> String {
    if matches!(shape, crate::lang::ast::Shape::Array { .. }) { format!("(*{name})") } else { format!("*{name}") }
}
