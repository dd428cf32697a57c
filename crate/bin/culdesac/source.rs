//! Reading programs and showing what is wrong with them.

use codespan_reporting::diagnostic::{Diagnostic as Report, Label, LabelStyle, Severity as Level};
use codespan_reporting::files::SimpleFiles;
use codespan_reporting::term::{self, Config, termcolor};
use culdesac::source::bytes::byte_of;
use culdesac::source::files::{FileLines, HeaderLines, parts};
use culdesac::view::{Diagnostic, Severity, TextPlace};
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::ops::Range;
use std::path::Path;
use termcolor::{BufferWriter, ColorChoice};

/// Larger files are refused before anything reads them: no small C program is this large.
pub const MAX_BYTES: u64 = 16 << 20;

/// Lines longer than this are not shown below a message.
const MAX_LINE_LENGTH: usize = 400;

/// A text and what people call it.
pub struct SourceFile {
    pub name: String,
    pub text: String,
}

/// Reads `file`, or standard input for `-`.
///
/// # Errors
/// Why it cannot be read.
pub fn read(file: &Path) -> Result<SourceFile, String> {
    read_up_to(file, MAX_BYTES)
}

/// As [`read`], with a limit of the file's size.
///
/// # Errors
/// As [`read`].
pub fn read_up_to(file: &Path, most: u64) -> Result<SourceFile, String> {
    let name = file.display().to_string();
    let text = String::from_utf8(read_bytes(file, most)?).map_err(|error| {
        let error = error.utf8_error();
        format!("{} is not UTF-8 text: the byte at offset {} does not fit", input_name(&name), error.valid_up_to())
    })?;
    // Some editors start a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    Ok(SourceFile { name, text })
}

/// The bytes of `file`, or of standard input for `-`; a larger file is not read to its end.
///
/// # Errors
/// Why it cannot be read.
pub fn read_bytes(file: &Path, most: u64) -> Result<Vec<u8>, String> {
    let name = file.display().to_string();
    let input_name = input_name(&name);
    let mut bytes = Vec::new();
    let result = if name == "-" {
        io::stdin().lock().take(most + 1).read_to_end(&mut bytes)
    } else {
        File::open(file).and_then(|file| file.take(most + 1).read_to_end(&mut bytes))
    };
    result.map_err(|error| format!("cannot read {input_name}: {error}"))?;
    if bytes.len() as u64 <= most {
        return Ok(bytes);
    }
    Err(if most >= 1 << 20 { format!("{input_name} is larger than {} MB", most >> 20) } else { format!("{input_name} is too large") })
}

fn input_name(name: &str) -> &str {
    if name == "-" { "standard input" } else { name }
}

/// Prints diagnostics to standard error, each with its line and a caret, in colour on a terminal unless `NO_COLOR` is
/// set.
pub fn show(source: &SourceFile, diagnostics: &[Diagnostic]) {
    if diagnostics.is_empty() {
        return;
    }
    let colour = if io::stderr().is_terminal() { ColorChoice::Auto } else { ColorChoice::Never };
    let writer = BufferWriter::stderr(colour);
    let mut buffer = writer.buffer();
    let lines = Lines::new(source);
    for diagnostic in diagnostics {
        // Standard error may be closed; the exit status still tells.
        let rendered = if lines.too_long(diagnostic) {
            let severity = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
            writeln!(buffer, "{}{severity}: {}", lines.position(diagnostic), diagnostic.message).is_ok()
        } else {
            term::emit_to_write_style(&mut buffer, &Config::default(), &lines.files, &report(&lines, diagnostic)).is_ok()
        };
        debug_assert!(rendered, "a buffer takes any text");
    }
    let _ = writer.print(&buffer);
}

/// The first error in a line: file, line, column and message.
pub fn first_error(source: &SourceFile, diagnostics: &[Diagnostic]) -> String {
    let errors = diagnostics.iter().filter(|one| one.severity == Severity::Error);
    let Some(first) = errors.chain(diagnostics).next() else { return "the program is refused".to_owned() };
    Lines::new(source).position(first) + &first.message
}

fn report(lines: &Lines, diagnostic: &Diagnostic) -> Report<usize> {
    let level = match diagnostic.severity {
        Severity::Error => Level::Error,
        Severity::Warning => Level::Warning,
    };
    // An empty span at the start stands for the whole program (or for the question).
    let span = &diagnostic.place;
    let nowhere = span.end == 0;
    let label = |style, span, text: &str| {
        let (file, range) = lines.range(span);
        Label::new(style, file, range).with_message(text)
    };
    let primary = label(LabelStyle::Primary, span, diagnostic.label.as_deref().unwrap_or(""));
    let secondary = diagnostic.related.iter().map(|related| label(LabelStyle::Secondary, &related.place, &related.text));
    let included = lines.including(span.line);
    Report::new(level)
        .with_code(&diagnostic.code)
        .with_message(&diagnostic.message)
        .with_labels(if nowhere { Vec::new() } else { [primary].into_iter().chain(secondary).collect() })
        .with_notes(included.into_iter().chain(diagnostic.help.iter().map(|help| format!("help: {help}"))).collect())
}

/// Back from lines and columns to bytes of files.
struct Lines {
    /// The program's file and the headers, each time that one is included.
    files: SimpleFiles<String, String>,
    names: Vec<String>,
    /// For each file where its lines start, with their texts.
    lines: Vec<Vec<(usize, String)>>,
    numbers: FileLines,
}

impl Lines {
    fn new(source: &SourceFile) -> Lines {
        let numbers = FileLines::of(&source.text);
        let mut lines = Lines { files: SimpleFiles::new(), names: Vec::new(), lines: Vec::new(), numbers };
        for (name, text) in parts(&source.text, &source.name) {
            // A byte that is no part of a character has no glyph.
            let text: String = text.chars().map(|c| if byte_of(c).is_some() { char::REPLACEMENT_CHARACTER } else { c }).collect();
            let mut start = 0;
            let starts = text.split_inclusive('\n').map(|line| {
                let here = start;
                start += line.len();
                (here, line.to_owned())
            });
            lines.lines.push(starts.collect());
            lines.files.add(name.clone(), text);
            lines.names.push(name);
        }
        lines
    }

    /// The number of the file with this line, and the line's number there.
    fn file(&self, line: u32) -> (usize, u32) {
        let of = |header: &HeaderLines| header.own_line(line);
        let found = self.numbers.headers.iter().enumerate().find_map(|(at, header)| Some((at + 1, of(header)?)));
        found.unwrap_or((0, line))
    }

    /// File, line and column of a diagnostic, with colons after them; nothing where it stands for the whole program.
    fn position(&self, diagnostic: &Diagnostic) -> String {
        let span = &diagnostic.place;
        let (file, line) = self.file(span.line);
        if span.end == 0 { String::new() } else { format!("{}:{line}:{}: ", self.names[file], span.column) }
    }

    /// By which lines the header of this line is included.
    fn including(&self, mut line: u32) -> Vec<String> {
        let mut told = Vec::new();
        while let Some((header, _)) = self.numbers.header(line).filter(|(header, _)| header.included_at > 0) {
            line = header.included_at;
            let (file, own) = self.file(line);
            told.push(format!("included from {}:{own}", self.names[file]));
        }
        told
    }

    fn range(&self, span: &TextPlace) -> (usize, Range<usize>) {
        let (file, line) = self.file(span.line);
        let start = self.offset(file, line, span.column);
        let end = match self.file(span.end_line) {
            (other, line) if other == file => self.offset(file, line, span.end_column),
            _ => start,
        };
        (file, start..end.max(start))
    }

    fn offset(&self, file: usize, line: u32, column: u32) -> usize {
        match self.lines[file].get(line as usize - 1) {
            Some((start, text)) => start + text.char_indices().nth(column as usize - 1).map_or(text.len(), |(at, _)| at),
            None => self.lines[file].last().map_or(0, |(start, text)| start + text.len()),
        }
    }

    fn too_long(&self, diagnostic: &Diagnostic) -> bool {
        let spans = [&diagnostic.place].into_iter().chain(diagnostic.related.iter().map(|related| &related.place));
        spans
            .flat_map(|span| [span.line, span.end_line])
            .map(|line| self.file(line))
            .any(|(file, line)| self.lines[file].get(line as usize - 1).is_some_and(|(_, text)| text.len() > MAX_LINE_LENGTH))
    }
}
