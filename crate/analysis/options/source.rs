//! `-D`, `-U` and `-I`: as C compilers have them.

use crate::source::files::{MARK, SourceOptions};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

/// Macros and folders of headers. Of a name the last `-D` or `-U` counts.
#[derive(Clone, Debug, Default)]
pub struct SourceArguments(pub SourceOptions);

impl Args for SourceArguments {
    fn augment_args(command: Command) -> Command {
        let argument = |name: &'static str, letter: char, value: &'static str, help: &'static str| {
            Arg::new(name).short(letter).value_name(value).action(ArgAction::Append).help(help)
        };
        command
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
        let last = |list: &[(usize, String)]| list.iter().filter(is_last).map(|(_, text)| text.clone()).collect();
        Ok(SourceArguments(SourceOptions {
            define: last(&defined),
            undefine: last(&undefined),
            include: given("include").into_iter().map(|(_, folder)| folder).collect(),
        }))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = SourceArguments::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The name in a definition.
fn macro_name(definition: &str) -> &str {
    let end = definition.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    &definition[..end.unwrap_or(definition.len())]
}

fn definition(text: &str) -> Result<String, String> {
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

fn name(text: &str) -> Result<String, String> {
    if definition(text).is_ok() && macro_name(text) == text { Ok(text.to_owned()) } else { Err("a macro's name is needed".to_owned()) }
}

fn folder(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains(['\n', MARK]) { Err("the name of a directory is needed".to_owned()) } else { Ok(text.to_owned()) }
}
