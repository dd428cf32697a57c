//! Options of a batch: many programs, or many functions, each answered by a process of its own.

use super::whole;
use clap::Args;
use std::path::PathBuf;
use std::str::FromStr;

/// What a batch does, and which item of it a process answers.
#[derive(Args)]
pub struct BatchOptions {
    /// Report on each function of a program
    #[arg(long)]
    pub each_function: bool,
    /// So many processes at once; 0: one for each processor
    #[arg(long, value_name = "N", value_parser = jobs, default_value = "1", allow_hyphen_values = true)]
    pub jobs: u32,
    /// Only the items of this part of N: of items numbered from 0, part I has those with the remainder I - 1
    #[arg(long, value_name = "I/N", allow_hyphen_values = true)]
    pub shard: Option<Shard>,
    /// Answer only what is not yet in this file of JSON lines, and append it there
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// The program of the item that this process answers, instead of all files
    #[arg(long, value_name = "FILE", hide = true)]
    pub item: Option<PathBuf>,
    /// List the functions of the item instead of answering
    #[arg(long, hide = true)]
    pub list_functions: bool,
    /// This process answers an item of a batch
    #[arg(long, hide = true)]
    pub is_item: bool,
}

/// The names of these options, and of all that change no answer: an answer belongs to the others.
pub const BATCH_OPTIONS: [&str; 12] =
    ["each_function", "jobs", "shard", "resume", "item", "list_functions", "is_item", "file", "others", "json", "format", "function"];

/// A batch as its command sees it.
pub struct BatchQuery<'o> {
    pub options: &'o BatchOptions,
    /// How the answers become one output.
    pub form: BatchForm,
}

/// How the answers for several items become one output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchForm {
    /// A JSON document on each line.
    Lines,
    /// Each below a heading, and a table of all at the end.
    Text,
    /// A table of all, then each one.
    Markdown,
    /// Comma-separated values under one heading.
    Rows,
    /// One SARIF log with a run for each item.
    Log,
    /// One after the other, as they are.
    Parts,
    /// The form has one item only.
    Single,
}

/// A part of a batch, as `2/5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `parts`.
    pub part: u32,
    pub parts: u32,
}

impl Shard {
    /// Whether an item, numbered from 0, belongs to the part.
    pub fn has(self, item: usize) -> bool {
        item % self.parts as usize == self.part as usize - 1
    }
}

/// The most parts of a batch.
const MAX_PARTS: u32 = 1_000_000;

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let shard = || {
            let (part, parts) = text.split_once('/')?;
            let parts = whole(parts, 1, MAX_PARTS)?;
            Some(Shard { part: whole(part, 1, parts)?, parts })
        };
        shard().ok_or_else(|| format!("a part is I/N, as 2/5: N from 1 to {MAX_PARTS}, I from 1 to N"))
    }
}

/// The most processes at once.
const MAX_JOBS: u32 = 1_024;

/// A number of processes.
fn jobs(text: &str) -> Result<u32, String> {
    whole(text, 0, MAX_JOBS).ok_or_else(|| format!("a number of processes is a whole number from 0 to {MAX_JOBS}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_batch_are_a_partition() {
        for parts in 1..6 {
            for item in 0..20 {
                let having = (1..=parts).filter(|part| Shard { part: *part, parts }.has(item)).count();
                assert_eq!(having, 1, "{item} of {parts}");
            }
        }
        assert_eq!("2/5".parse(), Ok(Shard { part: 2, parts: 5 }));
        for wrong in ["", "1", "0/3", "4/3", "1/0", "-1/3", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err_and(|message| message.contains("I from 1 to N")), "{wrong}");
        }
    }
}
