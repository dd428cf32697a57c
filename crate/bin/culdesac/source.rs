//! Reading programs and showing what is wrong with them.

use codespan_reporting::diagnostic::{Diagnostic as Report, Label, LabelStyle, Severity as Level};
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term::{self, Config, termcolor};
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
    let mut bytes = Vec::new();
    let result = if name == "-" {
        io::stdin().lock().take(most + 1).read_to_end(&mut bytes)
    } else {
        File::open(file).and_then(|file| file.take(most + 1).read_to_end(&mut bytes))
    };
    let input_name = if name == "-" { "standard input" } else { &name };
    result.map_err(|error| format!("cannot read {input_name}: {error}"))?;
    if bytes.len() as u64 > most {
        return Err(format!("{input_name} is larger than {} MB", most >> 20));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let error = error.utf8_error();
        format!("{input_name} is not UTF-8 text: the byte at offset {} does not fit", error.valid_up_to())
    })?;
    // Some editors start a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    Ok(SourceFile { name, text })
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
    let lines = Lines::new(&source.text);
    let file = SimpleFile::new(source.name.as_str(), source.text.as_str());
    for diagnostic in diagnostics {
        // Standard error may be closed; the exit status still tells.
        let rendered = if lines.too_long(diagnostic) {
            let TextPlace { line, column, .. } = diagnostic.place;
            let severity = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
            writeln!(buffer, "{}:{line}:{column}: {severity}: {}", source.name, diagnostic.message).is_ok()
        } else {
            term::emit_to_write_style(&mut buffer, &Config::default(), &file, &report(&lines, diagnostic)).is_ok()
        };
        debug_assert!(rendered, "a buffer takes any text");
    }
    let _ = writer.print(&buffer);
}

fn report(lines: &Lines, diagnostic: &Diagnostic) -> Report<()> {
    let level = match diagnostic.severity {
        Severity::Error => Level::Error,
        Severity::Warning => Level::Warning,
    };
    // An empty span at the start stands for the whole program (or for the question).
    let nowhere = diagnostic.place.end == 0;
    let primary =
        Label::new(LabelStyle::Primary, (), lines.range(&diagnostic.place)).with_message(diagnostic.label.as_deref().unwrap_or(""));
    let secondary = diagnostic.related.iter().map(|related| Label::secondary((), lines.range(&related.place)).with_message(&related.text));
    Report::new(level)
        .with_code(&diagnostic.code)
        .with_message(&diagnostic.message)
        .with_labels(if nowhere { Vec::new() } else { [primary].into_iter().chain(secondary).collect() })
        .with_notes(diagnostic.help.iter().map(|help| format!("help: {help}")).collect())
}

/// Back from lines and columns to bytes.
struct Lines<'a>(Vec<(usize, &'a str)>);

impl Lines<'_> {
    fn new(text: &str) -> Lines<'_> {
        let mut start = 0;
        let lines = text.split_inclusive('\n').map(|line| {
            let here = start;
            start += line.len();
            (here, line)
        });
        Lines(lines.collect())
    }

    fn range(&self, span: &TextPlace) -> Range<usize> {
        let start = self.offset(span.line, span.column);
        start..self.offset(span.end_line, span.end_column).max(start)
    }

    fn offset(&self, line: u32, column: u32) -> usize {
        match self.0.get(line as usize - 1) {
            Some((start, text)) => start + text.char_indices().nth(column as usize - 1).map_or(text.len(), |(at, _)| at),
            None => self.0.last().map_or(0, |(start, text)| start + text.len()),
        }
    }

    fn too_long(&self, diagnostic: &Diagnostic) -> bool {
        let spans = [&diagnostic.place].into_iter().chain(diagnostic.related.iter().map(|related| &related.place));
        spans
            .flat_map(|span| [span.line, span.end_line])
            .any(|line| self.0.get(line as usize - 1).is_some_and(|(_, text)| text.len() > MAX_LINE_LENGTH))
    }
}
