//! `-D`, `-U` and `-I`: as C compilers have them; the target; and further files.

use crate::source::abi::{Abi, CharSign, DataModel};
use crate::source::files::{MARK, SourceOptions};
use clap::builder::PossibleValue;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum, value_parser};
use std::path::PathBuf;

/// The option that names a compilation database.
pub const COMPILE_COMMANDS: &str = "compile-commands";
/// The files after the first one.
const OTHERS: &str = "others";

/// Macros, folders of headers, the target and further files. Of a name the last `-D` or `-U` counts.
#[derive(Clone, Debug, Default)]
pub struct SourceArguments {
    pub options: SourceOptions,
    /// The files after the first one.
    pub others: Vec<PathBuf>,
    /// Whether all files are one program.
    pub is_linked: bool,
}

impl Args for SourceArguments {
    fn augment_args(command: Command) -> Command {
        let argument = |name: &'static str, letter: char, value: &'static str, help: &'static str| {
            Arg::new(name).short(letter).value_name(value).action(ArgAction::Append).help(help)
        };
        command
            .arg(
                Arg::new(OTHERS)
                    .value_name("FILE")
                    .num_args(0..)
                    .value_parser(value_parser!(PathBuf))
                    .help("More files; each is a program of its own, or with --link all are one program"),
            )
            .arg(
                Arg::new("link")
                    .long("link")
                    .action(ArgAction::SetTrue)
                    .help("Read all files as one program: names with internal linkage are those of their file"),
            )
            .arg(
                argument("define", 'D', "NAME[=VALUE]", "Define a macro before the first line; without a value it is 1")
                    .value_parser(definition),
            )
            .arg(
                argument("undefine", 'U', "NAME", "Define no macro of this name; of several -D and -U for a name the last counts")
                    .value_parser(name),
            )
            .arg(
                argument("include", 'I', "DIR", "Look for headers in this directory, too; it may be given several times")
                    .value_parser(folder),
            )
            .arg(
                Arg::new("closed")
                    .long("closed")
                    .action(ArgAction::SetTrue)
                    .help("Assume that nothing outside of the files writes their objects or calls their functions"),
            )
            .arg(
                Arg::new("abi")
                    .long("abi")
                    .value_name("MODEL")
                    .value_parser(value_parser!(DataModel))
                    .help("The target: how many bits `int`, `long` and pointers have [default: lp64]"),
            )
            .arg(
                Arg::new("char")
                    .long("char")
                    .value_name("SIGN")
                    .value_parser(value_parser!(CharSign))
                    .help("Whether plain `char` has negative values [default: signed]"),
            )
            .arg(
                Arg::new(COMPILE_COMMANDS)
                    .long(COMPILE_COMMANDS)
                    .value_name("FILE")
                    .value_parser(value_parser!(PathBuf))
                    .help("Take the options of the program in this `compile_commands.json`, or in that of this directory, too"),
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        SourceArguments::augment_args(command)
    }
}

impl FromArgMatches for SourceArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SourceArguments, clap::Error> {
        let given = |id: &str| -> Vec<(usize, String)> {
            let values = matches.get_many::<String>(id).into_iter().flatten().cloned();
            matches.indices_of(id).into_iter().flatten().zip(values).collect()
        };
        let (defined, undefined) = (given("define"), given("undefine"));
        let is_last = |(at, text): &&(usize, String)| {
            let all = defined.iter().chain(&undefined);
            all.filter(|(_, other)| macro_name(other) == macro_name(text)).all(|(other, _)| other <= at)
        };
        let target =
            Abi { model: matches.get_one("abi").copied().unwrap_or_default(), char: matches.get_one("char").copied().unwrap_or_default() };
        let last = |list: &[(usize, String)]| list.iter().filter(is_last).map(|(_, text)| text.clone()).collect();
        let options = SourceOptions {
            define: last(&defined),
            undefine: last(&undefined),
            include: given("include").into_iter().map(|(_, folder)| folder).collect(),
            forced: Vec::new(),
            target: Some(target).filter(|target| *target != Abi::default()),
            closed: matches.get_flag("closed"),
        };
        let others = matches.get_many::<PathBuf>(OTHERS).into_iter().flatten().cloned().collect();
        Ok(SourceArguments { options, others, is_linked: matches.get_flag("link") })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = SourceArguments::from_arg_matches(matches)?;
        Ok(())
    }
}

impl ValueEnum for DataModel {
    fn value_variants<'a>() -> &'a [DataModel] {
        &DataModel::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(match self {
            DataModel::Lp64 => "`int` 32, `long` and pointers 64: Unix on 64-bit machines",
            DataModel::Ilp32 => "All three 32: 32-bit machines",
            DataModel::Llp64 => "`int` and `long` 32, pointers 64: Windows on 64-bit machines",
            DataModel::Int16 => "`int` and pointers 16, `long` 32: 16-bit machines",
        }))
    }
}

impl ValueEnum for CharSign {
    fn value_variants<'a>() -> &'a [CharSign] {
        &[CharSign::Signed, CharSign::Unsigned]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(if *self == CharSign::Signed { "signed" } else { "unsigned" }))
    }
}

/// The name in a definition.
fn macro_name(definition: &str) -> &str {
    let end = definition.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    &definition[..end.unwrap_or(definition.len())]
}

/// A definition as `-D` takes it.
///
/// # Errors
/// What to write.
pub fn definition(text: &str) -> Result<String, String> {
    let name = macro_name(text);
    let rest = &text[name.len()..];
    let is_name = !name.is_empty() && !name.starts_with(|c: char| c.is_numeric()) && name != "defined";
    // `F(x)=x+1` is a macro with parameters.
    let has_value = rest.is_empty() || rest.starts_with('=') || rest.starts_with('(') && rest.contains(')');
    match is_name && has_value && !text.contains(['\n', MARK]) {
        true => Ok(text.to_owned()),
        false => Err("write NAME, NAME=VALUE or 'NAME(PARAMETERS)=VALUE'".to_owned()),
    }
}

/// A macro's name as `-U` takes it.
///
/// # Errors
/// What is needed.
pub fn name(text: &str) -> Result<String, String> {
    if definition(text).is_ok() && macro_name(text) == text { Ok(text.to_owned()) } else { Err("a macro's name is needed".to_owned()) }
}

/// A directory as `-I` takes it.
///
/// # Errors
/// What is needed.
pub fn folder(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains(['\n', MARK]) { Err("the name of a directory is needed".to_owned()) } else { Ok(text.to_owned()) }
}
