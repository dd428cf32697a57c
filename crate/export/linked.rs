//! Suites of programs of several files: the suite includes the file of the tested function, and the other files are compiled beside it.
//!
//! | of another file | in the suite |
//! |---|---|
//! | an external name that the included file declares | that name |
//! | any other object or function | a macro for what a pointer leads to, which the last lines of its file define: `count_in_b` |
//! | a structure that the included file has, too | its name there |
//! | any other structure | none: a test that needs one is left out |

use super::names::plain;
use crate::lang::ast::{Program, Struct, StructId};
use crate::logic::{SortedMap, SortedSet};
use crate::source::files::{FileMark, flattened, units};
use std::fmt::Write as _;

/// What stands in front of each file that is compiled beside the suite.
pub const UNITS_HEADER: &str = "culdesac-units.h";

/// The translation units of a program, as the suite of one function has them.
pub struct LinkedUnits {
    /// Where each one starts in the text, and the name of its file.
    pub units: Vec<(u32, String)>,
    /// The unit that the suite includes.
    pub included: usize,
    /// The structures that the included file cannot name.
    pub hidden: SortedSet<StructId>,
    pub aliases: SortedMap<String, Alias>,
}

/// How the suite calls an object or a function that the included file cannot name.
pub struct Alias {
    pub name: String,
    pub unit: usize,
    /// The declaration of the pointer; none where the type has no name in the included file.
    pub declaration: Option<String>,
}

/// A file without its folder.
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The translation units of a text. Where each file has its mark, nothing stands in front of the first one.
pub fn parts_of(text: &str) -> Vec<(&str, &str)> {
    let is_empty = |text: &str| text.lines().all(|line| line.trim().is_empty() || FileMark::read(line).is_some());
    units(text).into_iter().filter(|(name, text)| !name.is_empty() || !is_empty(text)).collect()
}

impl LinkedUnits {
    pub fn unit_of(&self, at: u32) -> usize {
        self.units.partition_point(|(start, _)| *start <= at).max(1) - 1
    }

    pub fn is_included(&self, at: u32) -> bool {
        self.unit_of(at) == self.included
    }

    /// Whether the included file has no name for a structure.
    pub fn hides(&self, program: &Program, structure: &Struct) -> bool {
        let is_it = |id: &StructId| std::ptr::eq(program.structure(*id), structure);
        self.hidden.iter().any(is_it)
    }

    /// The name in the suite of an object or a function; none where its type has no name there.
    pub fn name<'n>(&'n self, name: &'n str) -> Option<&'n str> {
        match self.aliases.get(name) {
            Some(alias) => alias.declaration.as_ref().map(|_| &*alias.name),
            None => Some(plain(name)),
        }
    }

    /// The file that the suite includes.
    pub fn included(&self) -> &str {
        &self.units[self.included].1
    }

    /// The files that are compiled beside the suite.
    pub fn others(&self) -> Vec<&str> {
        self.units.iter().enumerate().filter(|(at, _)| *at != self.included).map(|(_, (_, file))| &**file).collect()
    }

    /// The declarations of what the text of a suite names in other files.
    pub fn declarations(&self, suite: &str) -> String {
        let mut out = String::new();
        for alias in self.aliases.values().filter(|alias| has_word(suite, &alias.name)) {
            if let Some(declaration) = &alias.declaration {
                let _ = writeln!(out, "extern {declaration};\n#define {0} (*{0}_at)", alias.name);
            }
        }
        if out.is_empty() { out } else { format!("/* Objects and functions of other files. */\n{out}\n") }
    }

    /// The text of the included file, and the other files with theirs.
    pub fn texts(&self, program: &str, suite: &str) -> (String, Vec<(String, String)>) {
        let (mut included, mut others) = (String::new(), Vec::new());
        for (at, ((_, file), (_, text))) in self.units.iter().zip(parts_of(program)).enumerate() {
            let text = flattened(text, file);
            if at == self.included {
                included = text;
                continue;
            }
            let mut text = format!("#include \"{UNITS_HEADER}\"\n#line 1 \"{file}\"\n{text}");
            for (name, alias) in self.aliases.iter().filter(|(_, alias)| alias.unit == at && has_word(suite, &alias.name)) {
                let name = plain(name);
                let _ = writeln!(text, "__typeof__({name}) *const {}_at = &{name};", alias.name);
            }
            others.push((file.clone(), text));
        }
        (included, others)
    }
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|part| part == word)
}
