//! Writing files: each is there as a whole or not at all, whenever the program ends.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file: under another name beside it, which then takes its place. What is no ordinary file, such as a pipe, is written as it is.
///
/// # Errors
/// Why it cannot be written; the file is then as it was.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    // The target of a symbolic link takes the content.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&path).is_ok_and(|data| !data.is_file()) {
        return File::options().write(true).open(&path)?.write_all(content);
    }
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut beside = std::ffi::OsString::from(".");
    beside.push(name);
    beside.push(format!(".{}.part", std::process::id()));
    let beside = path.with_file_name(beside);
    let written = whole(&beside, content).and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        // What is left of it is of no use; why it failed is what matters.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(content)?;
    file.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_there_as_a_whole_or_as_it_was() {
        let folder = std::env::temp_dir().join(format!("culdesac-files-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("writable");
        let path = folder.join("one.txt");
        write(&path, b"first").expect("written");
        write(&path, b"second").expect("written");
        assert_eq!(fs::read(&path).expect("there"), b"second");
        // A folder is no file, and nothing is left beside it.
        let inner = folder.join("inner");
        fs::create_dir(&inner).expect("writable");
        assert!(write(&inner, b"x").is_err() && inner.is_dir());
        assert!(write(&folder.join("nowhere").join("x"), b"x").is_err());
        assert_eq!(fs::read_dir(&folder).expect("there").count(), 2);
        fs::remove_dir_all(&folder).expect("removed");
    }
}
