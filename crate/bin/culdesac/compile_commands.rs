//! The options of one file in `compile_commands.json`, as CMake, Meson and Bear write it.
//!
//! Taken are `-D`, `-U`, `-I`, `-iquote`, `-isystem`, `-include`, `-m32`, `-m64` and the sign of `char`; all others are left out.

use crate::source;
use culdesac::analysis::options::source::{definition, folder, name};
use culdesac::source::abi::{Abi, CharSign, DataModel};
use culdesac::source::files::SourceOptions;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The file's usual name.
const NAME: &str = "compile_commands.json";
/// Larger ones are not read.
const MAX_BYTES: u64 = 256 << 20;
/// So many files are named.
const NAMED: usize = 6;

/// How one file is compiled.
#[derive(Deserialize)]
struct CompileCommand {
    directory: Option<String>,
    file: Option<String>,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// What options say.
#[derive(Default)]
struct TakenOptions {
    options: SourceOptions,
    /// Folders of the system's headers come after all others.
    system: Vec<String>,
    target: Abi,
}

/// The options of a program in a database, or in the one of a folder.
///
/// # Errors
/// Why the database cannot be read, and where; that it has no entry for the program.
pub fn options_of(program: &Path, database: &Path) -> Result<SourceOptions, String> {
    let database = if database.is_dir() { database.join(NAME) } else { database.to_owned() };
    let displayed = database.display();
    let bytes = source::read_bytes(&database, MAX_BYTES)?;
    let entries: Vec<CompileCommand> = serde_json::from_slice(&bytes).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        format!(
            "{displayed}:{line}:{column}: {what}; a compilation database is a JSON array of objects with `directory`, `file` and `arguments` or `command`"
        )
    })?;
    let around = database.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let requested = canonical(program);
    let mut names = Vec::new();
    for (entry, number) in entries.iter().zip(1..) {
        let lacks =
            |what: &str| format!("{displayed}: entry {number} has no `{what}`; write the database anew with the program's build system");
        let directory = around.join(entry.directory.as_deref().ok_or_else(|| lacks("directory"))?);
        let file = entry.file.as_deref().ok_or_else(|| lacks("file"))?;
        if canonical(&directory.join(file)) != requested {
            names.push(file);
            continue;
        }
        let at = format!("{displayed}: entry {number} ({file})");
        let arguments = match (&entry.arguments, &entry.command) {
            (Some(arguments), _) => arguments.clone(),
            (None, Some(command)) => words(command).ok_or_else(|| format!("{at}: a quote in `command` is never closed"))?,
            (None, None) => return Err(lacks("arguments")),
        };
        return taken(&arguments, &directory).map_err(|error| format!("{at}: {error}"));
    }
    let more = if names.len() > NAMED { ", …" } else { "" };
    let of = match &names[..] {
        [] => "it is empty".to_owned(),
        _ => format!("it has {}{more}", names[..names.len().min(NAMED)].join(", ")),
    };
    Err(format!("{displayed} has no entry for {}: {of}; name another file, or give its options with -I and -D instead", program.display()))
}

fn canonical(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The options of the command line after those of a database: of a macro the last counts.
pub fn then(mut first: SourceOptions, last: &SourceOptions) -> SourceOptions {
    let macro_name = |text: &str| text.split(['=', '(']).next().unwrap_or_default().to_owned();
    let names: Vec<String> = last.define.iter().chain(&last.undefine).map(|text| macro_name(text)).collect();
    let is_kept = |text: &String| !names.contains(&macro_name(text));
    first.define.retain(is_kept);
    first.undefine.retain(is_kept);
    first.define.extend(last.define.iter().cloned());
    first.undefine.extend(last.undefine.iter().cloned());
    first.include.splice(0..0, last.include.iter().cloned());
    first.closed |= last.closed;
    first
}

/// What the arguments of a compiler say; the first is the compiler.
fn taken(arguments: &[String], directory: &Path) -> Result<SourceOptions, String> {
    let mut found = TakenOptions::default();
    let mut rest = arguments.iter().skip(1);
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "-m32" => found.target.model = DataModel::Ilp32,
            "-m64" => found.target.model = DataModel::Lp64,
            "-funsigned-char" | "-fno-signed-char" => found.target.char = CharSign::Unsigned,
            "-fsigned-char" | "-fno-unsigned-char" => found.target.char = CharSign::Signed,
            _ => {
                let options = ["-D", "-U", "-isystem", "-iquote", "-include", "-I"];
                let Some(option) = options.into_iter().find(|option| argument.starts_with(option)) else { continue };
                let value = match &argument[option.len()..] {
                    "" => rest.next().ok_or_else(|| format!("`{option}` is the last argument; it needs a value"))?.as_str(),
                    // `-include-pch` and others.
                    value if option.len() > 2 && value.starts_with('-') => continue,
                    value => value,
                };
                found.take(option, value, directory).map_err(|error| format!("`{option} {value}`: {error}"))?;
            }
        }
    }
    let TakenOptions { mut options, system, target } = found;
    options.include.extend(system);
    options.target = Some(target).filter(|target| *target != Abi::default());
    Ok(options)
}

impl TakenOptions {
    /// Takes an option with its value.
    fn take(&mut self, option: &str, value: &str, directory: &Path) -> Result<(), String> {
        let path = || folder(&within(directory, value));
        let mut last = SourceOptions::default();
        match option {
            "-D" => last.define.push(definition(value)?),
            "-U" => last.undefine.push(name(value)?),
            "-isystem" => self.system.push(path()?),
            "-include" => self.options.forced.push(path()?),
            _ => self.options.include.push(path()?),
        }
        self.options = then(std::mem::take(&mut self.options), &last);
        Ok(())
    }
}

/// A path that is relative to a folder, as seen from here.
fn within(directory: &Path, value: &str) -> String {
    let path = directory.join(value);
    let here = std::env::current_dir().unwrap_or_default();
    let path = path.strip_prefix(&here).unwrap_or(&path);
    let path = path.strip_prefix(".").unwrap_or(path);
    if path.as_os_str().is_empty() { ".".to_owned() } else { path.to_string_lossy().into_owned() }
}

/// The words of a command as a shell has them; `None` where a quote is not closed.
fn words(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word): (Vec<String>, Option<String>) = (Vec::new(), None);
    let mut quote = None;
    let mut rest = command.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            // Within double quotes only these are escaped.
            ('\\', None) => word.get_or_insert_default().extend(rest.next()),
            ('\\', Some('"')) => word.get_or_insert_default().push(rest.next_if(|c| "\"\\$`".contains(*c)).unwrap_or('\\')),
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_the_words_of_a_shell() {
        let of = |text| words(text).expect("closed quotes");
        assert_eq!(of(r#"cc -DA=\"x\ y\" '-DB="z"'  "-DC=a b" ''"#), ["cc", "-DA=\"x y\"", "-DB=\"z\"", "-DC=a b", ""]);
        assert_eq!(of(r#"cc "a\nb\"c""#), ["cc", "a\\nb\"c"]);
        assert_eq!((words("cc 'a"), words("cc \"a")), (None, None));
    }

    #[test]
    fn the_last_of_several_options_counts() {
        let arguments =
            ["cc", "-DN=1", "-D", "M", "-UN", "-Iinc", "-isystem", "/s", "-I", "/t", "-m32", "-O2", "-o", "x.o", "-funsigned-char"];
        let options = taken(&arguments.map(str::to_owned), Path::new("/d")).expect("options");
        assert_eq!((&*options.define, &*options.undefine), (&["M".to_owned()][..], &["N".to_owned()][..]));
        assert_eq!(options.include, ["/d/inc", "/t", "/s"]);
        assert_eq!(options.target.map(Abi::name), Some("ilp32 unsigned-char".to_owned()));
        let given = SourceOptions { define: vec!["N=2".to_owned()], include: vec!["here".to_owned()], ..SourceOptions::default() };
        let both = then(options, &given);
        assert_eq!((&*both.define, both.undefine.len(), &*both.include[0]), (&["M".to_owned(), "N=2".to_owned()][..], 0, "here"));
        assert!(taken(&["cc".to_owned(), "-D".to_owned()], Path::new("/d")).is_err());
    }
}
