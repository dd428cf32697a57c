//! JSON lines: one for each item, each with what it belongs to, so that a later run can keep it.

use super::items::BatchItem;
use super::pool::ProcessPool;
use crate::files;
use clap::ArgMatches;
use culdesac::analysis::options::batch::BATCH_OPTIONS;
use culdesac::view::SCHEMA;
use serde_json::{Map, Value, json};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The line of an item without a document.
pub fn failed(item: &BatchItem, reason: &str, wall_ms: f64) -> Value {
    json!({
        "schema": SCHEMA,
        "program": item.file.display().to_string(),
        "function": item.function,
        "complete": false,
        "failed": reason,
        "statistics": { "wall_ms": wall_ms },
    })
}

/// What the answer of an item depends on: the item, its text, the options that can change an answer, and the version of the program.
pub fn identity(item: &BatchItem, text_hash: Option<&str>, matches: &ArgMatches) -> Value {
    json!({
        "file": item.file.display().to_string(),
        "function": item.function,
        "text": text_hash,
        "settings": settings(matches),
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// The options that can change an answer, as they were given or by default; a switch that is off is left out.
fn settings(matches: &ArgMatches) -> Map<String, Value> {
    let mut settings = Map::new();
    for id in matches.ids().map(|id| id.as_str()).filter(|id| !BATCH_OPTIONS.contains(id)) {
        // Groups of options have names, too, and no values.
        let Ok(Some(values)) = matches.try_get_raw(id) else { continue };
        let values: Vec<String> = values.map(|value| value.to_string_lossy().into_owned()).collect();
        if values != ["false"] && !id.starts_with(|letter: char| letter.is_uppercase()) {
            settings.insert(id.to_owned(), if let [value] = &values[..] { json!(value) } else { json!(values) });
        }
    }
    // A function that the command line names is a setting; that of an item is its own.
    if let Ok(Some(function)) = matches.try_get_one::<String>("function") {
        settings.insert("function".to_owned(), json!(function));
    }
    settings.sort_keys();
    settings
}

/// A file of lines that grows.
pub struct LineFile {
    path: PathBuf,
    file: File,
    /// The length of its whole lines in bytes.
    length: u64,
    /// For each item the line that is there.
    lines: Vec<Option<Value>>,
}

impl LineFile {
    /// Reads the lines that are there; lines of items of another text, version or other settings are removed, and so is a last line that is
    /// not whole.
    ///
    /// # Errors
    /// Why it cannot be read or written, or that it is no file of a batch.
    pub fn open(path: &Path, pool: &ProcessPool, items: &[BatchItem], matches: &ArgMatches) -> Result<LineFile, String> {
        if fs::metadata(path).is_ok_and(|data| !data.is_file()) {
            return Err(format!("{} is no ordinary file: lines cannot be resumed there", path.display()));
        }
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(format!("cannot read {}: {error}", path.display())),
        };
        let whole = &text[..text.rfind('\n').map_or(0, |at| at + 1)];
        let mut kept = Vec::new();
        for (number, line) in (1..).zip(whole.lines()) {
            let value: Option<Value> = serde_json::from_str(line).ok().filter(|value: &Value| value["belongs_to"].is_object());
            kept.push(value.ok_or_else(|| format!("{}:{number} is no line of a batch: name another file", path.display()))?);
        }
        let identities = identities(pool, items, matches);
        let is_stale = |line: &Value| {
            let of = &line["belongs_to"];
            let is_same = |other: &&Value| other["file"] == of["file"] && other["function"] == of["function"];
            identities.iter().find(is_same).is_some_and(|identity| identity != of || identity["text"].is_null())
        };
        let before = kept.len();
        kept.retain(|line| !is_stale(line));
        let (stale, is_cut) = (before - kept.len(), whole.len() < text.len());
        let cannot = |error| format!("cannot write {}: {error}", path.display());
        if stale > 0 || is_cut {
            let text: String = kept.iter().map(|line| format!("{line}\n")).collect();
            files::write(path, text.as_bytes()).map_err(cannot)?;
        }
        let lines: Vec<Option<Value>> =
            identities.iter().map(|identity| kept.iter().find(|line| line["belongs_to"] == *identity).cloned()).collect();
        told(path, &lines, stale, is_cut);
        let file = File::options().create(true).append(true).open(path).map_err(cannot)?;
        let length = file.metadata().map_err(cannot)?.len();
        Ok(LineFile { path: path.to_owned(), file, length, lines })
    }

    /// The line of an item that was there before this run.
    pub fn line(&self, item: usize) -> Option<&Value> {
        self.lines[item].as_ref()
    }

    /// Appends the line of an item: as a whole, or not at all.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn append(&mut self, line: &Value) -> Result<(), String> {
        let text = format!("{line}\n");
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        if let Err(error) = written {
            // What was written of the line is of no use; a later run removes it where this fails.
            let _ = self.file.set_len(self.length);
            return Err(format!("cannot write {}: {error}; the lines before are there", self.path.display()));
        }
        self.length += text.len() as u64;
        Ok(())
    }
}

/// What the answers of the items would belong to.
fn identities(pool: &ProcessPool, items: &[BatchItem], matches: &ArgMatches) -> Vec<Value> {
    let unread: Vec<BatchItem> = items.iter().filter(|item| item.text_hash.is_none()).cloned().collect();
    let mut lists = pool.list(&unread).into_iter();
    let hash = |item: &BatchItem, lists: &mut dyn Iterator<Item = _>| match &item.text_hash {
        Some(hash) => Some(hash.clone()),
        None => lists.next().flatten().and_then(|listed: super::item::ListedFunctions| listed.text_hash),
    };
    items.iter().map(|item| identity(item, hash(item, &mut lists).as_deref(), matches)).collect()
}

/// Says what of a file is kept.
fn told(path: &Path, lines: &[Option<Value>], stale: usize, is_cut: bool) {
    let (path, kept) = (path.display(), lines.iter().flatten().count());
    if kept > 0 {
        eprintln!("note: {path} has {kept} of {} items", lines.len());
    }
    if stale > 0 {
        eprintln!("note: {stale} lines of {path} are of another text, other settings or another version: they are made again");
    }
    if is_cut {
        eprintln!("note: the last line of {path} was not whole: it is made again");
    }
}
