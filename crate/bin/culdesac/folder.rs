//! Writing files into a folder: all of them or none.
//!
//! 1. The files are compared with what is there: equal ones stay as they are, others end the run, unless they may be replaced.
//! 2. Each file is written in full under a temporary name in the folder and brought to the disk, so that a full disk shows here.
//! 3. The files take their names. What they replace is kept under a temporary name until the last one has its own.
//!
//! After a failure all steps are undone in reverse: new files and folders are removed, replaced files return.

use culdesac::export::ExportedFile;
use culdesac::source::bytes::encoded;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// So many names of a long list are told.
const FEW: usize = 3;

/// Called before each step that changes the disk, with the path; a test lets steps fail.
type DiskListener<'b> = &'b dyn Fn(&Path) -> io::Result<()>;

/// Writes these files into a folder, which need not be there. Gives whether anything had to be written.
///
/// # Errors
/// What could not be written, why, and what helps, for people. The folder is then as it was.
pub fn write(folder: &Path, files: &[ExportedFile], overwrite: bool) -> Result<bool, String> {
    write_with(&|_| Ok(()), folder, files, overwrite)
}

fn write_with(before: DiskListener, folder: &Path, files: &[ExportedFile], overwrite: bool) -> Result<bool, String> {
    let (mut missing, mut others) = (Vec::new(), Vec::new());
    for file in files {
        let path = folder.join(&file.name);
        // A link that leads nowhere counts as a file that is there.
        match fs::symlink_metadata(&path) {
            Err(error) if is_nothing(&error) => missing.push(file),
            Err(error) => return Err(failed("read", &path, &error)),
            Ok(_) if has(&path, &encoded(&file.text)) => {}
            Ok(_) => others.push(file),
        }
    }
    if !others.is_empty() && !overwrite {
        let (names, contents) = (listed(&others, FEW), if others.len() == 1 { "with another content" } else { "with other contents" });
        let folder = folder.display();
        return Err(format!(
            "nothing is written: {folder} has {names} already, {contents}; give another directory, or `--overwrite` to replace what is there"
        ));
    }
    let mut undo = DiskUndo { steps: Vec::new() };
    match all(before, folder, &missing, &others, &mut undo) {
        Ok(()) => {
            undo.keep();
            Ok(!missing.is_empty() || !others.is_empty())
        }
        Err(failure) => Err(failure + &undo.back()),
    }
}

/// Whether this is a file with these bytes.
fn has(path: &Path, bytes: &[u8]) -> bool {
    let is_like = fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() == bytes.len() as u64);
    is_like && fs::read(path).is_ok_and(|there| there == bytes)
}

/// Writes the files that are missing and replaces the others.
fn all(
    before: DiskListener,
    folder: &Path,
    missing: &[&ExportedFile],
    others: &[&ExportedFile],
    undo: &mut DiskUndo,
) -> Result<(), String> {
    make(before, folder, undo).map_err(|(path, error)| failed("create", &path, &error))?;
    let mut ready = Vec::new();
    for (number, file) in missing.iter().chain(others).enumerate() {
        let (path, part) = (folder.join(&file.name), temporary(folder, number, "part"));
        put(before, &part, &encoded(&file.text), undo).map_err(|error| failed("write", &path, &error))?;
        ready.push((path, part));
    }
    for (number, (path, part)) in ready.iter().enumerate() {
        let named = if number < missing.len() {
            name(before, part, path, undo)
        } else {
            replace(before, part, path, &temporary(folder, number, "old"), undo)
        };
        named.map_err(|error| failed("write", path, &error))?;
    }
    // The names are brought to the disk, too, where a folder can be opened.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Makes a folder with what it stands in.
fn make(before: DiskListener, folder: &Path, undo: &mut DiskUndo) -> Result<(), (PathBuf, io::Error)> {
    if folder.as_os_str().is_empty() || folder.is_dir() {
        return Ok(());
    }
    if let Some(parent) = folder.parent() {
        make(before, parent, undo)?;
    }
    match before(folder).and_then(|()| fs::create_dir(folder)) {
        Ok(()) => undo.steps.push(DiskStep::Folder(folder.to_owned())),
        // Another program may have made it meanwhile.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => {}
        Err(error) => return Err((folder.to_owned(), error)),
    }
    Ok(())
}

/// A name beside a folder's files that no other run uses.
fn temporary(folder: &Path, number: usize, kind: &str) -> PathBuf {
    folder.join(OsString::from(format!(".culdesac-{}-{number}.{kind}", std::process::id())))
}

/// Writes a new file to the disk.
fn put(before: DiskListener, path: &Path, content: &[u8], undo: &mut DiskUndo) -> io::Result<()> {
    before(path)?;
    let mut file = File::create_new(path)?;
    undo.steps.push(DiskStep::File(path.to_owned()));
    // In two parts, so that a failure can come between them.
    let (first, second) = content.split_at(content.len() / 2);
    file.write_all(first)?;
    before(path)?;
    file.write_all(second)?;
    file.sync_all()
}

/// Gives a file its name, which no other has.
fn name(before: DiskListener, part: &Path, path: &Path, undo: &mut DiskUndo) -> io::Result<()> {
    before(path)?;
    // Unlike a rename, a hard link replaces no file that another program has made meanwhile; some file systems have no links.
    match fs::hard_link(part, path) {
        Ok(()) => {
            let _ = fs::remove_file(part);
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists || fs::symlink_metadata(path).is_ok() => {
            return Err(ErrorKind::AlreadyExists.into());
        }
        Err(_) => fs::rename(part, path)?,
    }
    undo.steps.push(DiskStep::File(path.to_owned()));
    Ok(())
}

/// Gives a file the name of another, which is kept under a temporary one.
fn replace(before: DiskListener, part: &Path, path: &Path, old: &Path, undo: &mut DiskUndo) -> io::Result<()> {
    before(path)?;
    if fs::symlink_metadata(path)?.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    fs::rename(path, old)?;
    undo.steps.push(DiskStep::Replaced { path: path.to_owned(), old: old.to_owned() });
    before(path)?;
    fs::rename(part, path)
}

/// What a run did to the disk.
enum DiskStep {
    Folder(PathBuf),
    File(PathBuf),
    Replaced { path: PathBuf, old: PathBuf },
}

/// How a run is undone.
struct DiskUndo {
    steps: Vec<DiskStep>,
}

impl DiskUndo {
    /// The run stands: what was replaced goes.
    fn keep(self) {
        for step in &self.steps {
            if let DiskStep::Replaced { old, .. } = step {
                let _ = fs::remove_file(old);
            }
        }
    }

    /// Undoes all, and says what is left.
    fn back(self) -> String {
        let mut left = Vec::new();
        for step in self.steps.iter().rev() {
            let (path, undone) = match step {
                DiskStep::Folder(path) => (path, fs::remove_dir(path)),
                DiskStep::File(path) => (path, fs::remove_file(path)),
                DiskStep::Replaced { path, old } => (old, fs::rename(old, path)),
            };
            if undone.is_err_and(|error| !is_nothing(&error)) {
                left.push(path.display().to_string());
            }
        }
        if left.is_empty() {
            String::new()
        } else {
            format!("; {} cannot be undone: {}", if left.len() == 1 { "this" } else { "these" }, left.join(", "))
        }
    }
}

/// Whether an error says that there is nothing of this name.
fn is_nothing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// A failure with its path, the system's reason, and what helps.
fn failed(what: &str, path: &Path, error: &io::Error) -> String {
    let helps = match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => "give a directory that you may write to",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => "make room, or give a directory on another disk",
        ErrorKind::AlreadyExists if what == "write" => "another program has made it meanwhile; give another directory",
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => "a file stands where a directory would have to be; give another directory",
        ErrorKind::IsADirectory => "a directory stands where the file would have to be; give another directory",
        ErrorKind::InvalidFilename => "give a directory with a shorter name",
        _ => "give another directory",
    };
    format!("nothing is written: cannot {what} {}: {error}; {helps}", path.display())
}

/// The names of files: all where there are at most so many, else the first [`FEW`].
pub fn listed<F: std::borrow::Borrow<ExportedFile>>(files: &[F], most: usize) -> String {
    let listed = if files.len() > most { FEW } else { files.len() };
    let names: Vec<&str> = files[..listed].iter().map(|file| file.borrow().name.as_str()).collect();
    match files.len() - listed {
        0 if listed == 0 => "no file".to_owned(),
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

#[cfg(test)]
mod tests;
