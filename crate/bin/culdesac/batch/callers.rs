//! The verdicts on static functions through their callers.
//!
//! A report on a static function says what its branches do for any arguments. In the program only its file calls the function: the calls begin
//! in entry functions, which other files or pointers call, and the report on each entry function has these calls inlined. A branch is *covered*
//! if the report of an entry covers it. It is *infeasible* if no entry can take it: if the report of each entry calls it infeasible, or has
//! a whole graph without it, and one of them has it. Else it is *open*. A report that is missing, or a graph that leaves something out,
//! supports no infeasible branch. The report on the function itself supports none either: statics are there as calls from outside leave them,
//! and the file calls the function in the middle of such calls.

use super::items::BatchItem;
use serde_json::{Value, json};

/// What the program does with the branches of a static function.
pub struct CalledFunction {
    file: String,
    function: String,
    /// Each branch of its report with the verdict of the program.
    branches: Vec<CalledBranch>,
}

struct CalledBranch {
    /// The branch in the report on the function.
    own: Value,
    verdict: &'static str,
    /// The entry whose test takes the branch.
    by: Option<String>,
    /// The assumptions that the verdict rests on.
    assumes: Vec<Value>,
}

/// The verdicts on the branches of static functions, from the reports of a batch; a file with a function that has no report has no such verdicts.
pub fn called_functions(items: &[BatchItem], lines: &[Value]) -> Vec<CalledFunction> {
    let mut found = Vec::new();
    for (at, item) in items.iter().enumerate().filter(|(_, item)| !item.is_entry) {
        let (Some(function), Some(list)) = (&item.function, lines.get(at).and_then(|line| line["list"].as_array())) else { continue };
        let of_file = items.iter().zip(lines).filter(|(other, _)| other.file == item.file);
        let entries: Vec<&Value> = of_file.filter(|(other, _)| other.is_entry).map(|(_, line)| line).collect();
        let branches = (0..list.len()).map(|branch| called(list, branch, &entries, item.has_all_entries)).collect();
        found.push(CalledFunction { file: item.file.display().to_string(), function: function.clone(), branches });
    }
    found
}

/// The verdict on a branch of a static function, by its number in the list of its report, from the reports of the entries.
fn called(list: &[Value], at: usize, entries: &[&Value], has_all_entries: bool) -> CalledBranch {
    let (branch, order) = (&list[at], rank(list, at));
    let in_entry = |line: &Value| -> Option<Value> {
        let list = line["list"].as_array()?;
        let mut alike = (0..list.len()).filter(|other| is_same(&list[*other], branch));
        alike.find(|other| rank(list, *other) == order).map(|other| list[other].clone())
    };
    let found: Vec<EntryBranch> = entries.iter().map(|line| EntryBranch { line, branch: in_entry(line) }).collect();
    let covering = found.iter().find(|entry| entry.has_verdict("covered"));
    let is_called = found.iter().any(|entry| entry.branch.is_some());
    let verdict = match () {
        () if covering.is_some() => "covered",
        () if has_all_entries && is_called && found.iter().all(EntryBranch::excludes) => "infeasible",
        () => "open",
    };
    let by = covering.and_then(|entry| entry.line["function"].as_str()).map(str::to_owned);
    let assumes = match covering {
        Some(entry) => entry.assumes(),
        None if verdict == "infeasible" => found.iter().flat_map(EntryBranch::assumes).collect(),
        None => Vec::new(),
    };
    CalledBranch { own: branch.clone(), verdict, by, assumes: distinct(assumes) }
}

/// A branch in the report of an entry, where it is there.
struct EntryBranch<'l> {
    line: &'l Value,
    branch: Option<Value>,
}

impl EntryBranch<'_> {
    fn has_verdict(&self, verdict: &str) -> bool {
        self.branch.as_ref().is_some_and(|branch| branch["verdict"] == verdict)
    }

    /// The assumptions of the verdict: a covered branch has those of its test.
    fn assumes(&self) -> Vec<Value> {
        let Some(branch) = &self.branch else { return Vec::new() };
        let test = branch["test"].as_u64().map(|test| &self.line["tests"][test as usize]["assumes"]);
        test.unwrap_or(&branch["assumes"]).as_array().cloned().unwrap_or_default()
    }

    /// Whether no execution of the entry takes the branch.
    fn excludes(&self) -> bool {
        if self.branch.is_some() { self.has_verdict("infeasible") } else { is_whole(self.line) }
    }
}

/// Each value once, in the order of the first ones.
fn distinct(values: Vec<Value>) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for value in values {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// Whether two branches stand at one position with one side and one text.
fn is_same(one: &Value, other: &Value) -> bool {
    ["place", "side", "text"].iter().all(|key| one[key] == other[key])
}

/// How many branches like this one come before it in its list: those of one macro share a position.
fn rank(list: &[Value], at: usize) -> usize {
    list[..at].iter().filter(|other| is_same(other, &list[at])).count()
}

/// Whether the graph of a report has every execution, so that a branch that it lacks is taken by none.
fn is_whole(line: &Value) -> bool {
    let is_empty = |key: &str| line[key].as_array().is_none_or(Vec::is_empty);
    line.get("failed").is_none() && line["inline_depth"].is_null() && is_empty("diagnostics") && is_empty("refused")
}

impl CalledFunction {
    /// File, function, how many branches, and how many of each verdict.
    pub fn cells(&self) -> [String; 6] {
        let count = |verdict: &str| self.branches.iter().filter(|branch| branch.verdict == verdict).count().to_string();
        let [covered, infeasible, open] = ["covered", "infeasible", "open"].map(count);
        [self.file.clone(), self.function.clone(), self.branches.len().to_string(), covered, infeasible, open]
    }

    /// As a part of the last line.
    pub fn line(&self) -> Value {
        let branch = |branch: &CalledBranch| {
            let own = &branch.own;
            json!({
                "line": own["line"], "column": own["column"], "place": own["place"], "text": own["text"], "side": own["side"],
                "verdict": branch.verdict, "by": branch.by, "assumes": branch.assumes, "own_verdict": own["verdict"],
            })
        };
        json!({
            "file": self.file,
            "function": self.function,
            "list": self.branches.iter().map(branch).collect::<Vec<Value>>(),
        })
    }
}
