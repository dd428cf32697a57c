//! The items of a batch: programs in the order of the command line, functions in the order of the text.

use super::item::{ListedFunction, ListedFunctions};
use super::pool::ProcessPool;
use super::task::{BatchTask, TaskProgram, is_task, read_task};
use clap::ArgMatches;
use culdesac::analysis::options::{BatchQuery, ProgramOptions};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A program, or a function of it.
#[derive(Clone, Debug)]
pub struct BatchItem {
    /// The file as the command line names it.
    pub file: PathBuf,
    pub function: Option<String>,
    /// Whether the function is called from outside of its file, or by a pointer.
    pub is_entry: bool,
    /// Whether all functions that can be called from outside are items.
    pub has_all_entries: bool,
    /// What the process that answers gets before the arguments of the command line.
    pub arguments: Vec<OsString>,
    /// The hash of the text, where it has been read.
    pub text_hash: Option<String>,
    /// Why it cannot even be asked.
    pub failed: Option<String>,
    /// The task definition that names the program, and what it expects.
    pub task: Option<BatchTask>,
}

/// An option and its value as one argument: a value that begins with a dash is no option.
pub fn option(name: &str, value: impl AsRef<std::ffi::OsStr>) -> OsString {
    let mut argument = OsString::from(format!("--{name}="));
    argument.push(value);
    argument
}

/// The programs of a command line, each as an item.
pub fn programs(matches: &ArgMatches, program: &ProgramOptions) -> Vec<BatchItem> {
    let item = |file: &Path, arguments, failed, task| BatchItem {
        file: file.to_owned(),
        function: None,
        is_entry: true,
        has_all_entries: false,
        arguments,
        text_hash: None,
        failed,
        task,
    };
    if program.source.is_linked {
        return vec![item(&program.file, Vec::new(), None, None)];
    }
    let each = std::iter::once(&program.file).chain(&program.source.others).map(|file| {
        if !is_task(file) {
            return item(file, vec![option("item", file)], None, None);
        }
        match read_task(file, matches) {
            Ok(TaskProgram { file: source, mut arguments, task }) => {
                arguments.push(option("item", source));
                item(file, arguments, None, Some(task))
            }
            Err(message) => item(file, Vec::new(), Some(message), None),
        }
    });
    each.collect()
}

/// The items: the programs, or with `--each-function` their functions.
pub fn items(pool: &ProcessPool, query: &BatchQuery, programs: Vec<BatchItem>) -> Vec<BatchItem> {
    if !query.options.each_function {
        return programs;
    }
    let lists = pool.list(&programs);
    let of_program = |(program, listed): (BatchItem, Option<ListedFunctions>)| {
        let Some(ListedFunctions { functions, has_all_entries, text_hash, .. }) = listed.filter(|listed| !listed.functions.is_empty())
        else {
            return vec![program];
        };
        let of_function = |ListedFunction { name, is_entry }| {
            let mut arguments = program.arguments.clone();
            arguments.push(option("function", &name));
            BatchItem { function: Some(name), is_entry, has_all_entries, arguments, text_hash: text_hash.clone(), ..program.clone() }
        };
        functions.into_iter().map(of_function).collect()
    };
    programs.into_iter().zip(lists).flat_map(of_program).collect()
}
