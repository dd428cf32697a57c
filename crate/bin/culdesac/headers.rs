//! Reading a program with its headers: the text of each stands in place of its `#include`, as [`culdesac::source::files`] says.

use crate::source::{SourceFile, read_bytes};
use culdesac::lang::MAX_TEXT;
use culdesac::lang::preprocess::{OpenInclude, next_include};
use culdesac::source::bytes;
use culdesac::source::files::{FileLines, MARK, SourceOptions};
use culdesac::source::{LineIndex, Position};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// So deep headers may include each other, as with gcc.
const MAX_DEPTH: usize = 200;
/// So many `#include` lines are obeyed.
const MAX_INCLUDES: usize = 2_000;
/// So many bytes are preprocessed in all until every header is found.
const MAX_WORK: usize = 1 << 30;
/// So many headers of a chain are named.
const NAMED: usize = 4;

/// A header that was found.
struct FoundHeader {
    name: String,
    path: PathBuf,
    /// The number of the folder in which it was looked for; `None` for that of the file that includes it.
    folder: Option<usize>,
}

/// Reads the program with these options, and the headers that it includes.
///
/// # Errors
/// Why it or a header cannot be read, and where.
pub fn read_program(file: &Path, options: &SourceOptions) -> Result<SourceFile, String> {
    let name = file.display().to_string();
    let text = text_of(&name, &read_bytes(file, crate::source::MAX_BYTES)?)?;
    let mut whole = options.marks();
    let mut found: Vec<FoundHeader> = Vec::new();
    for forced in &options.forced {
        let path = PathBuf::from(forced);
        let bytes = read_bytes(&path, MAX_TEXT as u64).map_err(|error| format!("{error}, which `-include` names"))?;
        let header = text_of(forced, &bytes)?;
        let end = if header.is_empty() || header.ends_with('\n') { "" } else { "\n" };
        whole += &format!("{MARK}>0 {forced}\n{header}{end}{MARK}<\n");
        found.push(FoundHeader { name: forced.clone(), path, folder: None });
    }
    whole += &text;
    let (mut from, mut includes, mut work) = (0, 0, 0);
    // A larger program is refused as it is.
    while whole.len() <= MAX_TEXT && whole.contains("include") {
        work += whole.len();
        let Some(open) = next_include(&whole, from, !options.include.is_empty()) else { break };
        from = open.directive.start + 1;
        includes += 1;
        let at = || position_of(&name, &whole, open.directive.start);
        if includes > MAX_INCLUDES || work > MAX_WORK {
            return Err(format!("{}: the program includes too many headers: at most {MAX_INCLUDES} are read", at()));
        }
        let Some(header) = find(file, options, &found, &open).map_err(|error| format!("{}: {error}", at()))? else { continue };
        if open.chain.len() >= MAX_DEPTH {
            let chain = open.chain[MAX_DEPTH - NAMED..].join(" includes ");
            return Err(format!(
                "{}: the headers include each other {MAX_DEPTH} deep: … {chain} includes {}; begin them with `#pragma once`, or guard them with `#ifndef`",
                at(),
                header.name
            ));
        }
        let is_read = |once: &String| found.iter().any(|one| one.name == *once && is_same(&one.path, &header.path));
        let mut text = String::new();
        if !open.once.iter().any(is_read) {
            let left = (MAX_TEXT - whole.len()) as u64;
            let bytes = read_bytes(&header.path, left)
                .map_err(|error| format!("{}: {error}; a program with its headers may have {} MB", at(), MAX_TEXT >> 20))?;
            text = text_of(&header.name, &bytes)?;
        }
        // A line of the header does not go on after it.
        while !text.is_empty() && (!text.ends_with('\n') || text.trim_end().ends_with('\\') && !text.ends_with("\n\n")) {
            text.push('\n');
        }
        let before = if whole[..open.end].ends_with('\n') { "" } else { "\n" };
        whole.insert_str(open.end, &format!("{before}{MARK}>{} {}\n{text}{MARK}<\n", open.lines, header.name));
        found.push(header);
    }
    Ok(SourceFile { name, text: whole })
}

/// The text of a file; no text has the character that separates files.
fn text_of(name: &str, bytes: &[u8]) -> Result<String, String> {
    let text = bytes::decoded(bytes);
    // Some editors start a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    match text.find(MARK) {
        Some(at) => Err(format!("{}: the byte 0x1C means nothing in C", position_of(name, &text.replace(MARK, "\0"), at as u32))),
        None => Ok(text),
    }
}

/// File, line and column of a byte.
fn position_of(program: &str, whole: &str, at: u32) -> String {
    let Position { line, column } = LineIndex::new(whole).position(at);
    match FileLines::of(whole).header(line) {
        Some((header, line)) => format!("{}:{line}:{column}", header.name),
        None => format!("{program}:{line}:{column}"),
    }
}

/// The header that an `#include` means, if it is there: in the folder of the file around it, then in the folders of the options.
fn find(program: &Path, options: &SourceOptions, found: &[FoundHeader], open: &OpenInclude) -> Result<Option<FoundHeader>, String> {
    let around = open.chain.last().and_then(|name| found.iter().rev().find(|header| header.name == *name));
    let own = around.map_or(program, |header| &header.path).parent().unwrap_or(Path::new(""));
    let after = around.filter(|_| open.next).and_then(|header| header.folder).map_or(0, |folder| folder + 1);
    let beside = (open.quoted && !open.next).then(|| (own.to_owned(), None));
    let folders = options.include.iter().enumerate().skip(after).map(|(at, folder)| (PathBuf::from(folder), Some(at)));
    let mut wrong = None;
    for (directory, folder) in beside.into_iter().chain(folders) {
        let path = directory.join(&open.name);
        let name = path.to_string_lossy().into_owned();
        if open.name.is_empty() || name.contains('\n') {
            continue;
        }
        match fs::metadata(&path) {
            Ok(data) if data.is_file() => return Ok(Some(FoundHeader { name, path, folder })),
            Ok(data) if data.is_dir() => wrong = wrong.or_else(|| Some(format!("the header {name} is a directory"))),
            Ok(_) => return Err(format!("the header {name} is no ordinary file")),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(error) => return Err(format!("cannot read the header {name}: {error}")),
        }
    }
    wrong.map_or(Ok(None), Err)
}

fn is_same(one: &Path, other: &Path) -> bool {
    one == other || matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}
