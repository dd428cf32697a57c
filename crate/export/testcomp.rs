//! A suite in the format of Test-Comp 1.1: `metadata.xml`, and an XML file for each test with the values of its nondet calls in order.
//!
//! Where a program takes its inputs otherwise than by `__VERIFIER_nondet_*` in `main`, `tested.c` stands beside it: its `main` gives the
//! function's parameters, globals and first values what nondet calls give, one scalar after another, and so do its stubs when they are
//! called. The scalars are those of which some test has a value.
//!
//! The time of creation is always the same, so that the same suite is the same text.

use super::hooks::{Hooks, hooks};
use super::names::Names;
use super::prepare::Prepared;
use super::script::Moment;
use super::slots::{Slots, nondet};
use super::step::TestStep;
use super::stubs::{Around, Stub, StubKind, Stubs, definition, head, prototype};
use super::suite::{YOURS, before, shared};
use super::types::TypeNames;
use super::writes::{StubAssignment, assignments};
use super::{Exported, ExportedFile};
use crate::lang::ast::DeclId;
use crate::lang::storage::Storage;
use crate::lang::types::Abi;
use crate::load::Loaded;
use crate::logic::{Arrange, Int, SortedMap, SortedSet};
use crate::lts::Origin;
use crate::source::bytes::encoded;
use crate::source::files::flattened;
use crate::source::{Wrap, wrapped};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

/// Why a suite of Test-Comp has no test that does not end.
const ENDLESS: &str = "it does not end";

/// The tests that can be written, of which each is one call, and why others cannot.
type Tests<'t> = (Vec<(usize, &'t Prepared)>, Vec<(usize, String)>);

fn step(prepared: &Prepared) -> &TestStep {
    prepared.steps.last().expect("a test has a call")
}

/// The files of a suite.
pub fn suite(program_name: &str, loaded: &Loaded, prepared: &[(usize, Result<Prepared, String>)], extra: &[Wrap]) -> Exported {
    let (program, source) = (&loaded.program, loaded.lines.text());
    let types = TypeNames { program, source, linked: None };
    let mut names = Names::of(source);
    let (mut good, mut left_out): Tests = (Vec::new(), Vec::new());
    for (number, prepared) in prepared {
        match prepared {
            Ok(prepared) if prepared.input.is_some() => {
                left_out.push((*number, "it is a text on standard input, for which Test-Comp has no form".to_owned()));
            }
            Ok(prepared) if super::step::ends_of(step(prepared)) == super::step::Ends::Never => {
                left_out.push((*number, ENDLESS.to_owned()))
            }
            Ok(prepared) => good.push((*number, prepared)),
            Err(why) => left_out.push((*number, why.clone())),
        }
    }
    let is_drawn = |name: &str| good.iter().any(|(_, one)| drawn(step(one), name));
    let allocates = |name: &str| {
        let calls = |one: &Prepared| {
            step(one).script.calls.get(name).into_iter().flatten().any(|call| call.fails || call.writes.iter().any(|write| write.is_memory))
        };
        good.iter().any(|(_, one)| calls(one))
    };
    let stubs = Stubs::of((program, source), &mut names, &is_drawn, &allocates);
    let mut begun: SortedMap<u32, i64> = SortedMap::new();
    let given = good.iter().flat_map(|(_, one)| &step(one).leaves).filter(|leaf| {
        leaf.origin != Origin::Parameter
            && (leaf.is_input && leaf.is_read)
            && matches!(program.decl(leaf.part.decl).storage, Storage::Local | Storage::Static)
    });
    for leaf in given.filter(|leaf| !leaf.cells.is_empty()) {
        let greatest = begun.entry(leaf.part.decl.0).or_insert(0);
        *greatest = leaf.cells.iter().fold(*greatest, |greatest, (index, ..)| greatest.max(*index));
    }
    let is_begun = |decl: DeclId| begun.get(&decl.0).and_then(|greatest| types.first_shape(&program.decl(decl).shape, *greatest));
    let hooks = hooks((program, source), &loaded.lts, (&stubs, &mut names), &is_begun);
    let hidden = shared(program, source);
    // Slots are those of all tests that have some; what does not fit is left out.
    let mut slots = Slots::new(&types, loaded, &hooks, &hidden);
    good.retain(|(number, one)| match slots.add(step(one)) {
        Ok(()) => true,
        Err(why) => {
            left_out.push((*number, why));
            false
        }
    });
    // The values of a call are integers here.
    let draws_numbers = loaded.lts.draws_numbers();
    good.retain(|(number, _)| {
        if draws_numbers {
            left_out.push((*number, "its calls give numbers with fractions, for which there is no form here".to_owned()));
        }
        !draws_numbers
    });
    let mut writes: SortedMap<String, Vec<StubAssignment>> = SortedMap::new();
    good.retain(|(number, one)| match targets(&types, &stubs, step(one), &mut writes) {
        Ok(()) => true,
        Err(why) => {
            left_out.push((*number, why));
            false
        }
    });
    left_out.arrange();
    let is_plain = loaded.lts.function == "main"
        && slots.is_empty()
        && hooks.wraps.is_empty()
        && stubs.all.iter().all(|stub| stub.function.starts_with("__VERIFIER_nondet_"));
    let file = |name: &str, text: String| ExportedFile { name: name.to_owned(), text };
    let mut files = vec![file(program_name, flattened(&wrapped(source, extra), program_name))];
    let mut tested = program_name.to_owned();
    if !is_plain {
        tested = if program_name == "tested.c" { "tested_.c" } else { "tested.c" }.to_owned();
        let marks: Vec<Wrap> = extra.iter().chain(&hooks.wraps).cloned().collect();
        let (rename, mut undo) =
            if program.has_main() { ("#define main program_main\n", "\n#undef main".to_owned()) } else { ("", String::new()) };
        // An executor of tests may stand in one file with the program, and calls the system's functions.
        for stub in stubs.all.iter().filter(|stub| stub.is_renamed) {
            let _ = write!(undo, "\n#undef {}", stub.function);
        }
        let text = format!(
            "/* {program_name} for Test-Comp: `main` stands in culdesac-main.h, and takes all inputs from __VERIFIER_nondet calls.\n   {YOURS} */\n#include \"culdesac.h\"\n{rename}{}{undo}\n#include \"culdesac-main.h\"\n",
            flattened(&wrapped(source, &marks), program_name)
        );
        files = vec![
            file(&tested, text),
            file(
                "culdesac.h",
                format!("/* Declarations in front of the program.\n   {YOURS} */\n{}", before(&types, &stubs, &hooks, false)),
            ),
            file("culdesac-main.h", after(&types, (&stubs, &hooks), (&slots, &writes), &good)),
        ];
    }
    for (number, one) in &good {
        let mut text = format!(
            "{XML}<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n<testcase>\n"
        );
        let first = slots.values(step(one)).into_iter();
        for (name, value) in first.chain(later(&types, &stubs, &hooks, step(one), &writes)) {
            let _ = writeln!(text, "  <input variable=\"{}\">{value}</input>", escaped(&name));
        }
        text += "</testcase>\n";
        files.push(file(&format!("test-{number}.xml"), text));
    }
    let of_program = files.iter().find(|file| file.name == tested).map_or("", |file| &file.text);
    let metadata = metadata(&tested, of_program, loaded.program.abi);
    files.push(file("metadata.xml", metadata));
    let claims = good.iter().map(|(number, one)| (number - 1, one.takes.clone())).collect();
    let notes = left_out.iter().map(|(number, why)| format!("test {number} is left out: {why}")).collect();
    Exported { files, notes, claims, ..Exported::default() }
}

fn metadata(tested: &str, text: &str, abi: Abi) -> String {
    let bits = 8 * abi.sizes()[2];
    let digest: String = Sha256::digest(encoded(text)).iter().map(|byte| format!("{byte:02x}")).collect();
    format!(
        "{XML}<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">
<test-metadata>
  <sourcecodelang>C</sourcecodelang>
  <producer>culdesac</producer>
  <specification>COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )</specification>
  <programfile>{}</programfile>
  <programhash>{digest}</programhash>
  <entryfunction>main</entryfunction>
  <architecture>{bits}bit</architecture>
  <creationtime>1970-01-01T00:00:00Z</creationtime>
</test-metadata>
",
        escaped(tested)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// Whether a call of the function gives a value that something reads.
fn drawn(step: &TestStep, function: &str) -> bool {
    step.script.calls.get(function).is_some_and(|calls| calls.iter().any(|call| call.value.is_some()))
}

/// Notes what calls of stubs assign in a test.
fn targets(types: &TypeNames, stubs: &Stubs, step: &TestStep, writes: &mut SortedMap<String, Vec<StubAssignment>>) -> Result<(), String> {
    for (function, calls) in step.script.calls.iter() {
        let Some(stub) = stubs.find(function) else { continue };
        for assignment in calls.iter().map(|call| assigned(types, step, stub, call)).collect::<Result<Vec<_>, _>>()?.concat() {
            let assignments = writes.entry(function.clone()).or_default();
            if !assignments.iter().any(|other| other.target == assignment.target) {
                assignments.push(assignment);
            }
        }
        let gives_pointer = matches!(stub.kind, StubKind::Pointer | StubKind::Structure);
        if gives_pointer && calls.iter().any(|call| call.value.as_ref().is_some_and(|value| !value.is_zero())) {
            return Err(format!("`{function}` gives a pointer to an object of another part of the program"));
        }
    }
    Ok(())
}

/// What a call assigns.
fn assigned(types: &TypeNames, step: &TestStep, stub: &Stub, call: &super::script::StubCall) -> Result<Vec<StubAssignment>, String> {
    let parameters = super::stubs::parameters(types.program, stub);
    let writes = call.writes.iter().filter(|write| !write.elements.is_empty());
    Ok(writes.map(|write| assignments(types, step, (stub, &parameters), write)).collect::<Result<Vec<_>, _>>()?.concat())
}

/// The values that stubs and marks draw after the slots, in the order of the run.
fn later(
    types: &TypeNames,
    stubs: &Stubs,
    hooks: &Hooks,
    step: &TestStep,
    writes: &SortedMap<String, Vec<StubAssignment>>,
) -> Vec<(String, Int)> {
    let mut events: Vec<(Moment, Vec<(String, Int)>)> = Vec::new();
    for (function, calls) in step.script.calls.iter() {
        let is_giving = hooks.giving.contains_key(function);
        for call in calls {
            let mut values = Vec::new();
            let value = call.value.clone().unwrap_or_default();
            match stubs.find(function) {
                None if is_giving => values.push((function.clone(), value)),
                None => {}
                Some(stub) => {
                    let own = assigned(types, step, stub, call).unwrap_or_default();
                    if stub.kind == StubKind::Memory {
                        values.push((format!("{function} fails"), Int::from(call.fails)));
                    }
                    if !call.fails {
                        for target in writes.get(function).into_iter().flatten() {
                            let found = own.iter().find(|assignment| assignment.target == target.target);
                            values.push((format!("{function} sets {}", target.target), Int::from(found.is_some())));
                            values.extend(found.map(|assignment| (target.target.clone(), assignment.number.clone())));
                        }
                    }
                    if matches!(stub.kind, StubKind::Gives(Some(_))) {
                        values.push((function.clone(), value));
                    }
                }
            }
            events.push((call.at, values));
        }
    }
    for (text, drawn) in step.script.volatile.iter() {
        events.extend(drawn.iter().map(|(at, value)| (*at, vec![(text.clone(), value.clone())])));
    }
    events.arrange_by_key(|(at, _)| *at);
    events.into_iter().flat_map(|(_, values)| values).collect()
}

/// `culdesac-main.h`.
fn after(
    types: &TypeNames,
    (stubs, hooks): (&Stubs, &Hooks),
    (slots, writes): (&Slots, &SortedMap<String, Vec<StubAssignment>>),
    good: &[(usize, &Prepared)],
) -> String {
    let mut out =
        format!("/* Stubs and `main`: each value is that of one nondet call, in the order in which they are called.\n   {YOURS} */\n");
    out += &"extern __attribute__((noreturn)) void culdesac_exit(int) __asm__(\"exit\");\nextern void *culdesac_calloc(SIZE, SIZE) __asm__(\"calloc\");\nextern void *culdesac_realloc(void *, SIZE) __asm__(\"realloc\");\nenum { CULDESAC_ERROR = 1, CULDESAC_ABORTED = 134, CULDESAC_ASSUMED = 77 };\nstatic inline __attribute__((noreturn)) void culdesac_end(int status) { culdesac_exit(status); }\nstatic inline void *culdesac_allocate(SIZE size) { return culdesac_calloc(size ? size : 1, 1); }\nstatic inline void *culdesac_reallocate(void *old, SIZE size) { return culdesac_realloc(old, size ? size : 1); }\n"
        .replace("SIZE", super::types::name_of(types.program.abi.address()));
    let mut used: SortedSet<&'static str> = slots.types();
    for stub in stubs.all.iter() {
        if let StubKind::Gives(Some(ty)) = &stub.kind {
            used.insert(nondet(*ty));
        }
        used.extend(writes.get(&stub.function).into_iter().flatten().map(|assignment| nondet(assignment.ty)));
    }
    used.insert(nondet(crate::lang::types::Integer::Bool));
    used.extend(hooks.volatile.values().map(|(_, ty)| nondet(*ty)));
    used.extend(hooks.giving.keys().filter_map(|name| types.program.function(name)?.1.gives_anything(types.program.abi)).map(nondet));
    for name in used.iter().filter(|name| prototype(types.program, name).is_none() && stubs.find(name).is_none()) {
        let _ = writeln!(out, "extern {} {name}(void);", super::slots::type_of(name));
    }
    out += &super::stubs::objects(types);
    for stub in stubs.all.iter().filter(|stub| !stub.function.starts_with("__VERIFIER_nondet_") || !super::slots::is_nondet(&stub.function))
    {
        let is_called = good.iter().any(|(_, one)| step(one).script.calls.contains_key(&stub.function));
        let skips = stubs.skipping(&stub.function).filter(|mark| hooks.skips.contains(mark));
        out += &stub_text(types, stub, writes.get(&stub.function), (is_called, skips)).unwrap_or_default();
    }
    for (name, stem) in hooks.giving.iter() {
        if let Some(ty) = types.program.function(name).and_then(|(_, function)| function.gives_anything(types.program.abi)) {
            let _ = writeln!(out, "static {} {stem}_next(void) {{ return {}(); }}", super::types::name_of(ty), nondet(ty));
        }
    }
    for (stem, ty) in hooks.volatile.values() {
        let _ = writeln!(
            out,
            "static volatile void *{stem}_next(volatile void *object) {{\n  static {} value;\n  (void)object;\n  value = {}();\n  return &value;\n}}",
            super::types::name_of(*ty),
            nondet(*ty)
        );
    }
    out + &slots.text()
}

/// A stub that draws what it gives and writes.
fn stub_text(
    types: &TypeNames,
    stub: &Stub,
    writes: Option<&Vec<StubAssignment>>,
    (is_called, skips): (bool, Option<String>),
) -> Option<String> {
    let around = Around { running: "", end: "culdesac_end", skips: skips.clone() };
    let draws = is_called && matches!(stub.kind, StubKind::Gives(_) | StubKind::Memory);
    if !draws || stub.kind == StubKind::Gives(None) && writes.is_none() {
        return definition(types, stub, &[], false, &around);
    }
    let head = head(types, stub)?;
    let mut body = String::new();
    for name in super::stubs::parameters(types.program, stub) {
        let _ = writeln!(body, "  (void){name};");
    }
    if let Some(mark) = skips {
        let _ = writeln!(body, "  if ({mark}) {{ {mark} = 0; return 0; }}");
    }
    if stub.kind == StubKind::Memory {
        let memory = super::stubs::memory(stub);
        let _ = writeln!(body, "  if (__VERIFIER_nondet_bool()) return 0;\n  void *memory = {memory};");
    }
    for StubAssignment { target, ty, .. } in writes.into_iter().flatten() {
        let _ = writeln!(body, "  if (__VERIFIER_nondet_bool()) {target} = {}();", nondet(*ty));
    }
    match &stub.kind {
        StubKind::Gives(Some(ty)) => {
            let _ = writeln!(body, "  return {}();", nondet(*ty));
        }
        StubKind::Memory => body += "  return memory;\n",
        _ => {}
    }
    Some(format!("{head} {{\n{body}}}\n"))
}
