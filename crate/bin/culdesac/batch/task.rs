//! Task definitions of SV-COMP and Test-Comp (format 2.0): a program, its target, and properties with what is expected of each.

use super::items::option;
use clap::ArgMatches;
use culdesac::analysis::report::property;
use serde::Deserialize;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Whether a file is a task definition.
pub fn is_task(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// A task definition as it stands in its file.
#[derive(Deserialize)]
struct TaskDefinition {
    input_files: InputFiles,
    #[serde(default)]
    properties: Vec<TaskProperty>,
    #[serde(default)]
    options: TaskOptions,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum InputFiles {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

#[derive(Deserialize)]
struct TaskProperty {
    property_file: PathBuf,
    expected_verdict: Option<bool>,
}

#[derive(Default, Deserialize)]
struct TaskOptions {
    data_model: Option<String>,
}

/// What the answer to a task is compared with.
#[derive(Clone, Debug)]
pub struct BatchTask {
    property_file: PathBuf,
    expected: Option<bool>,
}

impl BatchTask {
    /// The task beside the verdict of a line: what is expected, and whether the answer is that; nothing is said of what is open.
    pub fn line(&self, line: &Value) -> Value {
        let verdict = match line["property"]["verdict"].as_str() {
            Some("TRUE") => Some(true),
            Some(verdict) if verdict.starts_with("FALSE") => Some(false),
            _ => None,
        };
        let correct = self.expected.zip(verdict).map(|(expected, verdict)| expected == verdict);
        json!({ "property_file": self.property_file.display().to_string(), "expected": self.expected, "correct": correct })
    }
}

/// A task as a program.
pub struct TaskProgram {
    pub file: PathBuf,
    /// The options that the definition stands for.
    pub arguments: Vec<OsString>,
    pub task: BatchTask,
}

/// Reads a task definition. Options of the command line have precedence over it.
///
/// # Errors
/// Why it cannot be read, or what in it is not supported.
pub fn read_task(file: &Path, matches: &ArgMatches) -> Result<TaskProgram, String> {
    let name = file.display();
    let text = fs::read_to_string(file).map_err(|error| format!("cannot read {name}: {error}"))?;
    let task: TaskDefinition = serde_saphyr::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let input = match task.input_files {
        InputFiles::One(input) => input,
        InputFiles::Several(mut inputs) if inputs.len() == 1 => inputs.remove(0),
        InputFiles::Several(inputs) => return Err(format!("{name} has {} input files: a task has one", inputs.len())),
    };
    let mut arguments = Vec::new();
    let chosen = matches.get_raw("property").and_then(|mut values| values.next()).map(PathBuf::from);
    let property = match &chosen {
        Some(path) => task.properties.iter().find(|one| one.property_file.file_name() == path.file_name()),
        None => task.properties.iter().find(|one| is_answered(&folder.join(&one.property_file))),
    };
    let (property_file, expected) = match (property, chosen) {
        (Some(property), None) => {
            let path = folder.join(&property.property_file);
            arguments.push(option("property", &path));
            (path, property.expected_verdict)
        }
        (property, Some(path)) => (path, property.and_then(|property| property.expected_verdict)),
        (None, None) => {
            return Err(format!("{name} has no property that a report answers: unreach-call, coverage-branches or coverage-error-call"));
        }
    };
    let is_given = matches.value_source("abi").is_some();
    if let Some(model) = task.options.data_model.filter(|_| !is_given) {
        arguments.push(option("abi", model.to_lowercase()));
    }
    Ok(TaskProgram { file: folder.join(input), arguments, task: BatchTask { property_file, expected } })
}

/// Whether a report answers the property of a file.
fn is_answered(file: &Path) -> bool {
    fs::read_to_string(file).is_ok_and(|text| property(&text).is_ok())
}
