//! What the file that a suite includes can name, and names for the rest: see [`linked`](super::linked).

use super::linked::{Alias, LinkedUnits, UNITS_HEADER, file_name, parts_of};
use super::names::{Names, plain};
use super::types::TypeNames;
use crate::lang::ast::{Program, Qualifiers, StructId};
use crate::lang::parse_understood;
use crate::lang::storage::{Linkage, Storage};
use crate::load::Loaded;
use crate::logic::{SortedMap, SortedSet};

/// Names that the suite has for itself.
const TAKEN: &[&str] = &["suite.c", "culdesac.h", UNITS_HEADER];

/// A program with its text.
#[derive(Clone, Copy)]
struct ProgramText<'p> {
    program: &'p Program,
    source: &'p str,
}

/// The units of a program, whose first file has this name; none of a program of one file.
pub fn linked_units(loaded: &Loaded, program_name: &str, names: &mut Names) -> Option<LinkedUnits> {
    let (program, source) = (&loaded.program, loaded.lines.text());
    let parts = parts_of(source);
    if parts.len() < 2 {
        return None;
    }
    let mut taken: SortedSet<String> = TAKEN.iter().map(|&name| name.to_owned()).collect();
    let mut found = Vec::new();
    for (name, text) in &parts {
        let file = if name.is_empty() { program_name } else { file_name(name) };
        let stem = file.strip_suffix(".c").unwrap_or(file).replace(['"', '\n'], "_");
        let numbered = (2..).map(|number| format!("{stem}-{number}.c"));
        let file = [format!("{stem}.c")].into_iter().chain(numbered).find(|file| !taken.contains(file))?;
        taken.insert(file.clone());
        found.push(((text.as_ptr() as usize - source.as_ptr() as usize) as u32, file));
    }
    let mut linked = LinkedUnits { units: found, included: 0, hidden: SortedSet::new(), aliases: SortedMap::new() };
    let (_, function) = program.function(&loaded.lts.function)?;
    linked.included = linked.unit_of(function.span.start);
    let text = parts[linked.included].1;
    let (own, whole) = (parse_understood(text).program, ProgramText { program, source });
    let own = own.as_ref().map(|own| ProgramText { program: own, source: text });
    linked.hidden = hidden(&linked, whole, own);
    linked.aliases = aliases(&linked, whole, own, names);
    Some(linked)
}

/// The structures that have no name in the included file.
fn hidden(linked: &LinkedUnits, whole: ProgramText, own: Option<ProgramText>) -> SortedSet<StructId> {
    let program = whole.program;
    let name_of = |ProgramText { program, source }: ProgramText, id: StructId| {
        let types = TypeNames { program, source, linked: None };
        types.structure(program.structure(id)).map(|name| plain(&name).to_owned())
    };
    let ids = |program: &Program| (0..program.structs.len() as u32).map(StructId);
    let mut named: SortedSet<String> = SortedSet::new();
    if let Some(own) = own {
        let is_complete = |id: &StructId| own.program.structure(*id).members.is_some();
        named.extend(ids(own.program).filter(is_complete).filter_map(|id| name_of(own, id)));
    }
    let is_included = |id: &StructId| linked.is_included(program.structure(*id).span.start);
    // A structure of the included file with the same name is another one.
    let others: SortedSet<String> = ids(program).filter(is_included).filter_map(|id| name_of(whole, id)).collect();
    let is_hidden = |id: &StructId| {
        let is_named = |name: String| named.contains(&name) && !others.contains(&name);
        !is_included(id) && (program.structure(*id).name.contains('@') || !name_of(whole, *id).is_some_and(is_named))
    };
    ids(program).filter(is_hidden).collect()
}

/// The names for what the included file cannot name.
fn aliases(linked: &LinkedUnits, whole: ProgramText, own: Option<ProgramText>, names: &mut Names) -> SortedMap<String, Alias> {
    let ProgramText { program, source } = whole;
    // `extern` in a block names an object in that block alone.
    let is_in_block =
        |program: &Program, at: u32| program.functions.iter().any(|function| function.span.start <= at && at < function.span.end);
    let mut declared: SortedSet<&str> = SortedSet::new();
    if let Some(own) = own {
        let own = own.program;
        let objects = own
            .decls
            .iter()
            .filter(|decl| decl.storage == Storage::Global && decl.linkage != Linkage::Internal && !is_in_block(own, decl.span.start));
        declared.extend(objects.map(|decl| &*decl.name));
        declared.extend(own.functions.iter().filter(|function| !function.is_static).map(|function| &*function.name.text));
        declared.extend(own.prototypes.iter().map(|prototype| &*prototype.name.text));
    }
    let is_object_in_block = |at: u32| is_in_block(program, at) && !program.functions.iter().any(|function| function.span.start == at);
    let is_named = |name: &str, at: u32| linked.is_included(at) && !is_object_in_block(at) || declared.contains(name);
    let types = TypeNames { program, source, linked: Some(linked) };
    let mut found = SortedMap::new();
    let mut add = |name: &str, at: u32, declaration: &dyn Fn(String) -> Option<String>| {
        if !is_named(name, at) {
            let unit = linked.unit_of(at);
            let stem: String =
                linked.units[unit].1.trim_end_matches(".c").chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            let alias = names.free(&format!("{}_in_{stem}", plain(name)));
            let declaration = declaration(format!("(*const {alias}_at)"));
            found.insert(name.to_owned(), Alias { name: alias, unit, declaration });
        }
    };
    for decl in program.decls.iter().filter(|decl| decl.storage == Storage::Global && decl.linkage != Linkage::Elsewhere) {
        let at = decl.span.start;
        // Where its first declaration stands in a block, nothing after the file's last line can name it.
        let pointer_to = |pointer| types.object(&decl.shape, decl.qualifiers, pointer).filter(|_| !is_object_in_block(at));
        add(&decl.name, at, &pointer_to);
    }
    for function in program.own() {
        add(&function.name.text, function.span.start, &|pointer| {
            let list = function.parameters.iter().map(|one| types.parameter(&one.ty, one.qualifiers, String::new()));
            let mut list = list.collect::<Option<Vec<String>>>()?;
            list.extend(function.variadic.then(|| "...".to_owned()));
            let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
            types.parameter(&function.returns, Qualifiers::default(), format!("{pointer}({list})"))
        });
    }
    found
}
