//! Suites for a target without an operating system, Unity and CMocka: they compile without a warning, pass, and take as a whole the sides
//! that their tests claim.
//!
//! Unity is read from the folder that `CULDESAC_UNITY` names; CMocka is what the system has.

use super::instrument::HEADER;
use super::oracle::{ALL, Checked, STRICT, accepts, compile, compiled, compilers, end_of, ran, scratch};
use super::subject::{Answered, is_thorough};
use crate::suites::{exported, exported_with};
use culdesac::export::{Exported, ExportedFile, TestsFormat};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The forms with their names for people.
const FORMS: &[(TestsFormat, &str)] =
    &[(TestsFormat::Freestanding, "freestanding"), (TestsFormat::Unity, "Unity"), (TestsFormat::Cmocka, "CMocka")];

/// The C file with `main` or its like: the last one of these.
pub fn suite_file(files: &[ExportedFile]) -> &str {
    files.iter().rfind(|file| file.name.ends_with(".c")).map_or("suite.c", |file| &file.name)
}

/// What is linked with a suite of this form, and where its header is; none where the system has it not.
pub fn library(format: TestsFormat, compiler: &'static str) -> Option<(Vec<String>, Option<PathBuf>)> {
    match format {
        TestsFormat::Unity => unity(compiler).map(|(object, folder)| (vec![object.to_string_lossy().into_owned()], Some(folder))),
        TestsFormat::Cmocka => has_cmocka().then(|| (vec!["-lcmocka".to_owned()], None)),
        _ => Some((Vec::new(), None)),
    }
}

/// Unity's object and folder.
fn unity(compiler: &'static str) -> Option<(PathBuf, PathBuf)> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let of_environment = || {
        let folder = std::env::var_os("CULDESAC_UNITY").map(PathBuf::from);
        if folder.is_none() {
            println!("skipped: CULDESAC_UNITY is not set, the folder of unity.c and its headers");
        }
        folder
    };
    let folder = FOLDER.get_or_init(of_environment).clone()?;
    static OBJECTS: Mutex<BTreeMap<&str, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut objects = OBJECTS.lock().unwrap_or_else(PoisonError::into_inner);
    let object = objects.entry(compiler).or_insert_with(|| {
        let (place, source) = (scratch().join(format!("unity-{compiler}")), folder.join("unity.c"));
        fs::create_dir_all(&place).expect("a folder");
        compile(&place, compiler, &["-w"], &["-c", "-o", "unity.o", &source.to_string_lossy()], &[]).expect("Unity compiles");
        place.join("unity.o")
    });
    Some((object.clone(), folder))
}

fn has_cmocka() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| {
        let folder = scratch().join("cmocka");
        fs::create_dir_all(&folder).expect("a folder");
        let text = "#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <cmocka.h>\nint main(void) { return 0; }\n";
        fs::write(folder.join("suite.c"), text).expect("a file");
        let has = compilers().next().is_some_and(|compiler| compiled(&folder, compiler, &[], &["suite.c", "-lcmocka"], &[]).is_ok());
        if !has {
            println!("skipped: there is no cmocka");
        }
        has
    })
}

/// A suite of a form in a folder, for a compiler.
pub struct Place<'p> {
    pub folder: &'p Path,
    pub compiler: &'static str,
    pub format: TestsFormat,
    /// Folders of the program's headers.
    pub headers: &'p [PathBuf],
}

impl Place<'_> {
    /// Writes, compiles and runs it; what is wrong in a sentence. Nothing where the form's library is missing.
    pub fn passes(&self, files: &[ExportedFile], flags: &[&str]) -> Result<(), String> {
        let Some((libraries, header)) = library(self.format, self.compiler) else { return Ok(()) };
        let _ = fs::remove_dir_all(self.folder.join("suite"));
        fs::create_dir_all(self.folder).expect("a folder");
        files.iter().for_each(|file| fs::write(self.folder.join(&file.name), &file.text).expect("a file"));
        let suite = suite_file(files);
        let headers: Vec<PathBuf> = self.headers.iter().cloned().chain(header).collect();
        let refuses = |errors: String| format!("{} does not compile it with {}:\n    {errors}", self.compiler, flags.join(" "));
        if self.format == TestsFormat::Freestanding {
            let object: Vec<&str> = flags.iter().copied().chain(["-ffreestanding", "-c", "-o", "freestanding.o"]).collect();
            compile(self.folder, self.compiler, &object, &[suite], &headers).map_err(refuses)?;
        }
        let sources: Vec<&str> = std::iter::once(suite).chain(libraries.iter().map(String::as_str)).collect();
        compiled(self.folder, self.compiler, flags, &sources, &headers).map_err(refuses)?;
        match ran(self.folder, None, ALL) {
            (Ok(0), _) => Ok(()),
            (Ok(status), printed) => Err(format!("{}: it ends with {status}{}", self.compiler, failure(&printed))),
            (Err(why), printed) => Err(format!("{}: {why}{}", self.compiler, failure(&printed))),
        }
    }
}

/// The first line that says of a test that it fails, or the last one.
fn failure(printed: &str) -> String {
    let line = printed.lines().find(|line| line.contains(":FAIL") || line.contains("[  ERROR") || line.contains("[  FAILED"));
    line.map_or_else(|| end_of(printed), |line| format!(": {line}"))
}

/// Checks the suites of all forms.
pub fn check(answered: &Answered) -> Checked {
    let mut found = Checked::default();
    for &(format, form) in FORMS {
        let exported = exported(&answered.request, &answered.document, format);
        let name = format!("{}: {form}", answered.subject.name);
        found.left_out.extend(exported.notes.iter().map(|note| format!("{name}: {note}")));
        let folder = scratch().join(format!("{form}-{}", answered.subject.name));
        let before = found.differences.len();
        for (at, compiler) in
            compilers().filter(|compiler| accepts(compiler, &answered.subject.source, &answered.subject.headers)).enumerate()
        {
            if library(format, compiler).is_none() {
                continue;
            }
            let _ = fs::remove_dir_all(&folder);
            let place = Place { folder: &folder, compiler, format, headers: &answered.subject.headers };
            let written = place.passes(&exported.files, STRICT);
            // One compiler alone reports sides, where not all are asked for.
            let reported =
                if written.is_ok() && (at == 0 || is_thorough()) { sides(answered, &place, &exported, &name, &mut found) } else { Ok(()) };
            found.differences.extend([written, reported].into_iter().filter_map(Result::err).map(|why| format!("{name}: {why}")));
        }
        if found.differences.len() == before {
            let _ = fs::remove_dir_all(&folder);
        }
    }
    found
}

/// The sides that the suite takes.
fn sides(answered: &Answered, place: &Place, exported: &Exported, name: &str, found: &mut Checked) -> Result<(), String> {
    let reporting = exported_with(&answered.request, &answered.document, place.format, &answered.reports.wraps);
    let file = place.folder.join("sides");
    fs::write(
        place.folder.join("sides.h"),
        format!("#define CULDESAC_SIDES_COUNT {}\n#define CULDESAC_SIDES \"sides\"\n{HEADER}", answered.reports.count),
    )
    .expect("a file");
    let _ = fs::remove_file(&file);
    place.passes(&reporting.files, &["-w", "-include", "sides.h"]).map_err(|why| format!("with reports {why}"))?;
    let taken = fs::read_to_string(&file).unwrap_or_default().lines().filter_map(|line| line.parse().ok()).collect();
    let claimed = answered.seen(exported.claims.iter().flat_map(|(_, sides)| sides));
    found.runs += 1;
    found.claims += claimed.len();
    found.differences.extend(answered.compared(&format!("{name}: the suite ({})", place.compiler), &taken, &claimed));
    Ok(())
}
