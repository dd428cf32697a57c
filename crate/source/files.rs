//! A text of several files: a program with the headers that it includes, each in place of its `#include`; and further translation units of
//! the program (C11 5.1.1.1), one after another.
//!
//! Lines that start with [`MARK`], a character that no program has, say what comes from where:
//!
//! | mark | meaning |
//! |---|---|
//! | `-DNAME=VALUE`, `-UNAME` | a macro of the command line, in front of the program |
//! | `-IFOLDER` | a folder in which the headers were looked for, in front of the program |
//! | `-FFILE` | a header that is read before the first line, in front of the program |
//! | `-TTARGET` | the target ([`Abi::name`]), in front of the program or after its last line |
//! | `-C` | nothing outside of the text writes its objects or calls its functions, in front of the program |
//! | `>N FILE` | a header starts; its `#include` is the `N` lines before |
//! | `<` | it ends |
//! | `=FILE` | a further translation unit starts, with marks in front of it as in front of the program |
//!
//! The lines of the program keep their numbers; those of the headers and of further units are numbered after them. The mark of a further unit
//! is a line of the file before it, so that a text without headers has the numbers that an editor shows.

use super::abi::Abi;
use serde::{Deserialize, Serialize};

/// The first character of a line that is a mark: the separator of files in ASCII.
pub const MARK: char = '\u{1c}';

/// What a mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileMark<'t> {
    Define(&'t str),
    Undefine(&'t str),
    Folder(&'t str),
    Forced(&'t str),
    Target(Abi),
    Closed,
    /// How many lines the directive has, and the header's file.
    Open(usize, &'t str),
    Close,
    /// A further translation unit, and its file.
    Unit(&'t str),
}

impl<'t> FileMark<'t> {
    /// The mark of a line, if it has one.
    pub fn read(line: &'t str) -> Option<FileMark<'t>> {
        let rest = line.strip_prefix(MARK)?;
        let rest = rest.strip_suffix('\n').unwrap_or(rest);
        let with = |prefix: &str| rest.strip_prefix(prefix);
        with("-D")
            .map(FileMark::Define)
            .or_else(|| with("-U").map(FileMark::Undefine))
            .or_else(|| with("-I").map(FileMark::Folder))
            .or_else(|| with("-F").map(FileMark::Forced))
            .or_else(|| with("-T").and_then(Abi::read).map(FileMark::Target))
            .or_else(|| (rest == "-C").then_some(FileMark::Closed))
            .or_else(|| {
                with(">").and_then(|rest| rest.split_once(' ')).and_then(|(lines, name)| Some(FileMark::Open(lines.parse().ok()?, name)))
            })
            .or_else(|| (rest == "<").then_some(FileMark::Close))
            .or_else(|| with("=").map(FileMark::Unit))
    }
}

/// A header in a text, once for each time that it is included; or a further translation unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "files", derive(serde::Deserialize))]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HeaderLines {
    pub name: String,
    /// The number of its first line in the whole text.
    pub first: u32,
    pub lines: u32,
    /// The number of the line that includes it; 0 of a translation unit.
    pub included_at: u32,
}

impl HeaderLines {
    /// The line's number in the header itself, if the line is one of its.
    pub fn own_line(&self, line: u32) -> Option<u32> {
        (self.first..self.first + self.lines).contains(&line).then(|| line - self.first + 1)
    }
}

/// A line for people: a line of a header has the header's name before its number there.
pub fn named(headers: &[HeaderLines], line: u32) -> String {
    let of = |header: &HeaderLines| Some(format!("{}:{}", header.name, header.own_line(line)?));
    headers.iter().find_map(of).unwrap_or_else(|| line.to_string())
}

/// The numbers of a text's lines.
#[derive(Clone, Debug, Default)]
pub struct FileLines {
    /// For each line of the text its number; empty where these are the usual ones.
    numbers: Vec<u32>,
    pub headers: Vec<HeaderLines>,
}

impl FileLines {
    /// Numbers the lines of a text.
    pub fn of(text: &str) -> FileLines {
        if !text.contains(MARK) {
            return FileLines::default();
        }
        // The file of each line, and the number of lines of each file; the program itself is file 0.
        let mut files = vec![(String::new(), 0, 0)];
        let (mut open, mut owners, mut included) = (vec![0], Vec::new(), vec![false]);
        for line in text.split('\n') {
            let mark = FileMark::read(line);
            if mark == Some(FileMark::Close) && open.len() > 1 {
                open.pop();
            }
            let file = open.last().copied().unwrap_or(0);
            if matches!(mark, None | Some(FileMark::Unit(_))) {
                files[file].1 += 1;
            }
            owners.push((file, files[file].1.max(1)));
            if let Some(FileMark::Open(_, name) | FileMark::Unit(name)) = mark {
                if matches!(mark, Some(FileMark::Unit(_))) {
                    open.clear();
                }
                open.push(files.len());
                files.push((name.to_owned(), 0, owners.len() - 1));
                included.push(matches!(mark, Some(FileMark::Open(..))));
            }
        }
        let mut before = vec![0];
        for (_, lines, _) in &files {
            before.push(before.last().copied().unwrap_or(0) + lines);
        }
        let numbers: Vec<u32> = owners.into_iter().map(|(file, line)| before[file] + line).collect();
        let header = |(at, (name, lines, opened)): (usize, (String, u32, usize))| HeaderLines {
            name,
            first: before[at] + 1,
            lines,
            included_at: if included[at] { numbers[opened] } else { 0 },
        };
        let headers = files.into_iter().enumerate().skip(1).map(header).collect();
        FileLines { numbers, headers }
    }

    /// The number of a line of the text, which are counted from 1.
    pub fn number(&self, line: u32) -> u32 {
        self.numbers.get(line as usize - 1).copied().unwrap_or(line)
    }

    /// The header that a line belongs to, and the line's number there; `None` for a line of the program itself.
    pub fn header(&self, line: u32) -> Option<(&HeaderLines, u32)> {
        self.headers.iter().find_map(|header| Some((header, header.own_line(line)?)))
    }
}

/// The options of the command line that a text says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SourceOptions {
    /// Macros that are defined before the first line: `NAME=VALUE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub define: Vec<String>,
    /// Macros that are not defined.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undefine: Vec<String>,
    /// Folders of headers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<String>,
    /// Headers that are read before the first line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forced: Vec<String>,
    /// The target, where it is not the default one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub target: Option<Abi>,
    /// Whether the program is assumed to be closed: see [`CLOSED`].
    #[serde(default, skip_serializing_if = "is_open")]
    pub closed: bool,
}

/// What is assumed of a closed program, in words.
pub const CLOSED: &str = "closed: nothing outside of this program's files writes its objects or calls its functions";

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_open(closed: &bool) -> bool {
    !closed
}

/// Whether a text is assumed to be a whole program.
pub fn is_closed(text: &str) -> bool {
    in_front(text).any(|mark| mark == FileMark::Closed)
}

/// The marks in front of a text.
fn in_front(text: &str) -> impl Iterator<Item = FileMark<'_>> {
    text.lines().map_while(FileMark::read).take_while(|mark| !matches!(mark, FileMark::Unit(_)))
}

/// The target of a text. A mark after the last line changes the place of no other line, as one in front would.
pub fn target(text: &str) -> Abi {
    let target = |mark| if let FileMark::Target(abi) = mark { Some(abi) } else { None };
    let after = text.lines().next_back().and_then(FileMark::read);
    in_front(text).chain(after).filter_map(target).last().unwrap_or_default()
}

/// Adds a further translation unit to the text of a program.
///
/// # Errors
/// That the two are for different targets.
pub fn linked(mut text: String, name: &str, unit: &str) -> Result<String, String> {
    let (first, other) = (target(&text), target(unit));
    if first != other {
        return Err(format!(
            "{name} is for the target {}, the files before it for {}; name one target with --abi and --char",
            other.name(),
            first.name()
        ));
    }
    // The last line, also one that goes on after its end, ends with its file.
    while !text.ends_with('\n') || text.trim_end().ends_with('\\') && !text.ends_with("\n\n") {
        text.push('\n');
    }
    Ok(text + &format!("{MARK}={name}\n{unit}"))
}

/// The translation units of a text: the names of all but the first, and their texts with the marks in front.
pub fn units(text: &str) -> Vec<(&str, &str)> {
    let mut starts = vec![("", 0, 0)];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        if let Some(FileMark::Unit(name)) = FileMark::read(line) {
            starts.push((name, at - line.len(), at));
        }
    }
    let ends = starts.iter().skip(1).map(|unit| unit.1).chain([text.len()]);
    starts.iter().zip(ends).map(|(&(name, _, start), end)| (name, &text[start..end])).collect()
}

impl SourceOptions {
    /// The options that stand in front of a text, if there are some.
    pub fn of(text: &str) -> Option<SourceOptions> {
        let mut options = SourceOptions { target: Some(target(text)).filter(|abi| *abi != Abi::default()), ..SourceOptions::default() };
        for mark in in_front(text) {
            match mark {
                FileMark::Define(text) => options.define.push(text.to_owned()),
                FileMark::Undefine(name) => options.undefine.push(name.to_owned()),
                FileMark::Folder(folder) => options.include.push(folder.to_owned()),
                FileMark::Forced(file) => options.forced.push(file.to_owned()),
                FileMark::Closed => options.closed = true,
                FileMark::Target(_) | FileMark::Open(..) | FileMark::Close | FileMark::Unit(_) => {}
            }
        }
        (options != SourceOptions::default()).then_some(options)
    }

    /// The marks that say them, a line each.
    pub fn marks(&self) -> String {
        let lines = |letter: char, list: &[String]| -> String { list.iter().map(|one| format!("{MARK}-{letter}{one}\n")).collect() };
        let (target, closed): (Vec<String>, _) = (self.target.map(Abi::name).into_iter().collect(), [String::new()]);
        lines('D', &self.define)
            + &lines('U', &self.undefine)
            + &lines('I', &self.include)
            + &lines('F', &self.forced)
            + &lines('T', &target)
            + &lines('C', if self.closed { &closed } else { &[] })
    }
}

/// The text as one file of C: every mark becomes directives with the same meaning.
pub fn flattened(text: &str, program: &str) -> String {
    if !text.contains(MARK) {
        return text.to_owned();
    }
    let quoted = |name: &str| name.replace('\\', "\\\\").replace('"', "\\\"");
    let mut out = String::new();
    // The files that are open, with the number of the next line in each; and where the lines of the text start.
    let mut open: Vec<(&str, u32)> = vec![(program, 1)];
    let (mut starts, mut in_front) = (Vec::new(), true);
    for line in text.split_inclusive('\n') {
        let mark = FileMark::read(line);
        match mark {
            Some(FileMark::Define(definition)) => {
                let (name, value) = definition.split_once('=').unwrap_or((definition, "1"));
                out += &format!("#define {name} {value}\n");
            }
            Some(FileMark::Undefine(name)) => out += &format!("#undef {name}\n"),
            Some(FileMark::Folder(_) | FileMark::Forced(_) | FileMark::Closed) => {}
            Some(FileMark::Target(abi)) => out += &abi.assertion(text.contains("sizeof") || text.contains("offsetof")),
            Some(FileMark::Open(lines, name)) => {
                let directive = starts.len().checked_sub(lines).and_then(|at| starts.get(at)).copied().unwrap_or(out.len());
                out.insert_str(directive, "#if 0\n");
                out += &format!("#endif\n#line 1 \"{}\"\n", quoted(name));
                open.push((name, 1));
            }
            Some(FileMark::Unit(name)) => {
                out += &format!("#line 1 \"{}\"\n", quoted(name));
                open = vec![(name, 1)];
            }
            Some(FileMark::Close) => {
                if open.len() > 1 {
                    open.pop();
                }
                let (name, next) = open[open.len() - 1];
                out += &format!("#line {next} \"{}\"\n", quoted(name));
            }
            None => {
                if std::mem::take(&mut in_front) && !out.is_empty() {
                    out += &format!("#line 1 \"{}\"\n", quoted(program));
                }
                starts.push(out.len());
                if let Some((_, next)) = open.last_mut() {
                    *next += 1;
                }
                out += line;
            }
        }
    }
    out
}

/// The files of a text with their names, the program itself first: each as it was read, and then the header that is each time another file.
pub fn parts(text: &str, program: &str) -> Vec<(String, String)> {
    let mut files = vec![(program.to_owned(), String::new())];
    let mut open = vec![0];
    for line in text.split_inclusive('\n') {
        match FileMark::read(line) {
            Some(FileMark::Open(_, name)) => {
                open.push(files.len());
                files.push((name.to_owned(), String::new()));
            }
            Some(FileMark::Unit(name)) => {
                open = vec![files.len()];
                files.push((name.to_owned(), String::new()));
            }
            Some(FileMark::Close) if open.len() > 1 => drop(open.pop()),
            Some(_) => {}
            None => files[open[open.len() - 1]].1 += line,
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::{Abi, FileLines, SourceOptions, flattened, linked, named, parts, units};

    const TEXT: &str = "\u{1c}-DN=3\n\u{1c}-Iinc\nint a;\n#include \"x.h\"\n\u{1c}>1 inc/x.h\nint x;\n#include \"y.h\"\n\u{1c}>1 inc/y.h\nint y;\n\u{1c}<\nint z;\n\u{1c}<\nint b;\n";

    #[test]
    fn lines_of_the_program_keep_their_numbers() {
        let lines = FileLines::of(TEXT);
        let numbers: Vec<u32> = (1..=13).map(|line| lines.number(line)).collect();
        // The program has lines 1 to 3 and the empty one after its last newline, x.h 5 to 7, and y.h 8.
        assert_eq!(numbers, [1, 1, 1, 2, 2, 5, 6, 6, 8, 6, 7, 2, 3]);
        let headers: Vec<_> = lines.headers.iter().map(|h| (h.name.as_str(), h.first, h.lines, h.included_at)).collect();
        assert_eq!(headers, [("inc/x.h", 5, 3, 2), ("inc/y.h", 8, 1, 6)]);
        assert_eq!(lines.header(7).map(|(header, line)| (header.name.as_str(), line)), Some(("inc/x.h", 3)));
        assert!(lines.header(3).is_none());
        assert_eq!((named(&lines.headers, 8), named(&lines.headers, 3)), ("inc/y.h:1".to_owned(), "3".to_owned()));
    }

    #[test]
    fn options_stand_in_front() {
        let options = SourceOptions::of(TEXT).expect("options");
        assert_eq!((&*options.define, &*options.include), (&["N=3".to_owned()][..], &["inc".to_owned()][..]));
        assert!(TEXT.starts_with(&options.marks()));
        assert_eq!(SourceOptions::of("int a;\n"), None);
    }

    #[test]
    fn a_target_may_stand_after_the_last_line() {
        let text = "int a;\n\u{1c}-Tilp32\n";
        assert_eq!(SourceOptions::of(text).and_then(|options| options.target).map(Abi::name).as_deref(), Some("ilp32"));
        assert_eq!(SourceOptions::of("int a;\n\u{1c}-Tilp32\nint b;\n"), None);
    }

    #[test]
    fn files_are_taken_apart_and_put_together() {
        let texts: Vec<String> = parts(TEXT, "p.c").into_iter().map(|(name, text)| format!("{name}: {text}")).collect();
        assert_eq!(texts, ["p.c: int a;\n#include \"x.h\"\nint b;\n", "inc/x.h: int x;\n#include \"y.h\"\nint z;\n", "inc/y.h: int y;\n"]);
        assert_eq!(
            flattened(TEXT, "p.c"),
            "#define N 3\n#line 1 \"p.c\"\nint a;\n#if 0\n#include \"x.h\"\n#endif\n#line 1 \"inc/x.h\"\nint x;\n#if 0\n#include \"y.h\"\n#endif\n#line 1 \"inc/y.h\"\nint y;\n#line 3 \"inc/x.h\"\nint z;\n#line 3 \"p.c\"\nint b;\n"
        );
        assert_eq!(flattened("int a;\n", "p.c"), "int a;\n");
    }

    #[test]
    fn units_stand_one_after_another() {
        let unit = "\u{1c}-DN=4\nint u;\n#include \"v.h\"\n\u{1c}>1 v.h\nint v;\n\u{1c}<\nint w;\n";
        let text = linked(TEXT.to_owned(), "q.c", unit).expect("one target");
        let lines = FileLines::of(&text);
        let files: Vec<_> = lines.headers.iter().map(|h| (h.name.as_str(), h.first, h.lines, h.included_at)).collect();
        // The program has lines 1 to 3, and the line of the mark.
        assert_eq!(files, [("inc/x.h", 5, 3, 2), ("inc/y.h", 8, 1, 6), ("q.c", 9, 4, 0), ("v.h", 13, 1, 10)]);
        assert_eq!(named(&lines.headers, 10), "q.c:2");
        assert_eq!(units(&text), [("", TEXT), ("q.c", unit)]);
        let files: Vec<String> = parts(&text, "p.c").into_iter().map(|(name, _)| name).collect();
        assert_eq!(files, ["p.c", "inc/x.h", "inc/y.h", "q.c", "v.h"]);
        assert_eq!(SourceOptions::of(&text).expect("options").define, ["N=3"]);
        let plain = linked("int a;\nint b;\n".to_owned(), "q.c", "int c;\n").expect("one target");
        let numbers: Vec<u32> = (1..=5).map(|line| FileLines::of(&plain).number(line)).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5], "as an editor counts them");
        assert!(linked("\u{1c}-Tilp32\nint a;".to_owned(), "q.c", unit).is_err());
    }
}
