//! Each step of writing a folder fails once; what is there already; links.

use super::*;
use std::cell::Cell;
use std::collections::BTreeMap;

/// What is below a folder: files with their bytes, folders without.
fn state(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("readable") {
        let path = entry.expect("an entry").path();
        let bytes = fs::read(&path).ok();
        if bytes.is_none() {
            found.extend(state(&path));
        }
        found.insert(path, bytes);
    }
    found
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("culdesac-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("writable");
    folder
}

fn files(texts: &[(&str, &str)]) -> Vec<ExportedFile> {
    texts.iter().map(|(name, text)| ExportedFile { name: (*name).to_owned(), text: (*text).to_owned() }).collect()
}

/// Each step fails once: what was there before is there after, and nothing else. Gives how many steps there are.
fn fail_everywhere(root: &Path, folder: &Path, files: &[ExportedFile]) -> usize {
    let before = state(root);
    for failing in 0.. {
        let step = Cell::new(0);
        let fail = |_: &Path| {
            step.set(step.get() + 1);
            if step.get() > failing { Err(ErrorKind::StorageFull.into()) } else { Ok(()) }
        };
        match write_with(&fail, folder, files, true) {
            Ok(is_new) => {
                assert!(is_new);
                return failing;
            }
            Err(message) => {
                assert!(message.starts_with("nothing is written: cannot ") && message.contains("make room"), "{message}");
                assert!(message.contains(&root.display().to_string()) && !message.contains("undone"), "{message}");
                assert_eq!(state(root), before, "step {failing}");
            }
        }
    }
    unreachable!("a number of steps has an end")
}

#[test]
fn a_failure_at_any_step_leaves_a_folder_as_it_was() {
    let root = scratch("folder");
    // Two folders, and three steps for each file.
    let both = files(&[("a.c", "first"), ("b.c", "second")]);
    let folder = root.join("deep/er");
    assert_eq!(fail_everywhere(&root, &folder, &both), 8);
    assert_eq!(state(&folder).values().flatten().collect::<Vec<_>>(), [b"first".as_slice(), b"second"]);
    // One is new, one is as it was, two are replaced.
    fs::write(folder.join("other.txt"), "of another program").expect("writable");
    let more = files(&[("a.c", "changed"), ("b.c", "second"), ("c.c", ""), ("other.txt", "ours")]);
    assert_eq!(fail_everywhere(&root, &folder, &more), 11);
    let texts = [("a.c", "changed"), ("b.c", "second"), ("c.c", ""), ("other.txt", "ours")];
    assert_eq!(state(&folder), texts.map(|(name, text)| (folder.join(name), Some(text.as_bytes().to_vec()))).into());
    assert_eq!(write(&folder, &more, false), Ok(false));
    fs::remove_dir_all(&root).expect("removed");
}

#[test]
fn what_is_there_already_is_named() {
    let folder = scratch("there");
    let of = |text: &str| files(&["a", "b", "c", "d", "e"].map(|name| (name, text)));
    assert_eq!(write(&folder, &of("one"), false), Ok(true));
    let before = state(&folder);
    let message = write(&folder, &of("two"), false).expect_err("files are there");
    assert!(message.contains(" has a, b, c and 2 more already, with other contents; ") && message.contains("`--overwrite`"), "{message}");
    assert_eq!(state(&folder), before);
    // A directory of the name is not replaced.
    fs::create_dir(folder.join("f")).expect("writable");
    let message = write(&folder, &files(&[("f", "text"), ("g", "text")]), true).expect_err("a directory");
    assert!(message.contains("a directory stands where the file would have to be") && !folder.join("g").exists(), "{message}");
    fs::remove_dir_all(&folder).expect("removed");
}

/// A link is replaced, not what it leads to; one that leads nowhere is something that is there.
#[cfg(unix)]
#[test]
fn links_are_kept_or_replaced() {
    let folder = scratch("links");
    fs::write(folder.join("aim"), "kept").expect("writable");
    std::os::unix::fs::symlink("aim", folder.join("a")).expect("a link");
    std::os::unix::fs::symlink("nowhere", folder.join("b")).expect("a link");
    let both = files(&[("a", "text"), ("b", "text")]);
    assert!(write(&folder, &both, false).is_err_and(|message| message.contains(" has a, b already")));
    assert_eq!(write(&folder, &both, true), Ok(true));
    assert_eq!(fs::read(folder.join("aim")).expect("there"), b"kept");
    assert!(["a", "b"].iter().all(|name| fs::symlink_metadata(folder.join(name)).is_ok_and(|data| data.is_file())));
    assert_eq!(state(&folder).len(), 3);
    fs::remove_dir_all(&folder).expect("removed");
}
