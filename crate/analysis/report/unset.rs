//! Tests that read an object before anything has set it.

use super::{ReportFinding, ReportFindingKind};
use crate::analysis::settle::SettledProgram;
use crate::interp::{Input, Machine, NeededValue, UnsetObjects};
use crate::ledger::facts::FactRun;
use crate::logic::SortedSet;
use crate::lts::sides::without_copies;
use crate::lts::unjudged::{elements_never_set, never_set};
use crate::run::assumption_tracking::assumed_by;
use crate::sequences::matter;
use crate::view::{capped, written_view};

/// Edges of the longest run.
const LONGEST_RUN: u64 = 400_000;
/// Edges of the longest run on a text that breaks off.
const LONGEST_BROKEN: u64 = 20_000;
/// So many texts that break off are tried, of each text these after so many characters.
const BROKEN: usize = 400;
const LONGEST_TEXT: usize = 40;

/// A read of an object that nothing has set.
pub struct UnsetReadFinding {
    pub finding: ReportFinding,
    /// What [`unjudged`](crate::lts::unjudged) says of the object.
    pub judges: String,
}

/// Of each object the first read in a run of the report whose value nothing has set: it is an error in C, whatever the model's input says.
pub fn unset_reads(settled: &SettledProgram) -> Vec<UnsetReadFinding> {
    let loaded = &settled.sized.loaded;
    let unset = UnsetObjects::of(&loaded.lts);
    if unset.is_empty() {
        return Vec::new();
    }
    let machine = Machine::deep(&loaded.lts);
    let mut told: SortedSet<String> = SortedSet::new();
    let mut findings = Vec::new();
    // Where nothing can be read, an object keeps what it has. With statics, this run may begin in a state that no call leaves.
    let no_text = FactRun { input: Input { stdin: Some(Vec::new()), ..Input::default() }, path: Vec::new(), after: Vec::new() };
    let broken = broken_texts(&machine, settled.runs());
    let earlier = settled.runs().iter().chain((machine.reads_stdin() && !matter(loaded)).then_some(&no_text));
    for (run, longest) in earlier.map(|run| (run, LONGEST_RUN)).chain(broken.iter().map(|run| (run, LONGEST_BROKEN))) {
        let Some((failing, needed)) = machine.unset_read(&run.input, &unset, longest) else { continue };
        let (name, judges, what) = match needed {
            NeededValue::Variable(id) => {
                let name = &loaded.lts.variable(id).name;
                (without_copies(name), never_set(name), String::new())
            }
            NeededValue::Element(id) => {
                let name = &loaded.lts.array(id).name;
                (without_copies(name), elements_never_set(name), "an element of ".to_owned())
            }
            NeededValue::Draw(_) | NeededValue::Half(..) | NeededValue::One(_) | NeededValue::Other => continue,
        };
        if !told.insert(name.clone()) {
            continue;
        }
        // The run up to here needs no value of these objects.
        let mut input = run.input.clone();
        unset.names(&loaded.lts).for_each(|name| {
            input.values.remove(name);
            input.arrays.remove(name);
        });
        let at = loaded.text_of_part(failing.stopped_before, failing.stopped_in);
        let position = loaded.lines.position(loaded.lts.span_of(failing.stopped_before, failing.stopped_in).start);
        let evidence = format!("{what}`{name}` is read before anything has set it");
        let finding = ReportFinding {
            lines: capped(failing.edges.iter().map(|edge| loaded.lines.line(loaded.lts.graph[*edge].span.start)).collect()).0,
            after: run.after.clone(),
            assumes: if run.after.is_empty() { assumed_by(loaded, &run.input) } else { Vec::new() },
            input: Some(written_view(&loaded.lts, &input)),
            ..ReportFinding::new(ReportFindingKind::Error, position.line, position.column, at.text, evidence)
        };
        findings.push(UnsetReadFinding { finding, judges });
    }
    findings
}

/// Runs whose texts break off before the end of those of known runs, or go on with a letter there: where the result of a call that reads is not
/// looked at, its objects keep what they have.
fn broken_texts(machine: &Machine, earlier: &[FactRun]) -> Vec<FactRun> {
    if !machine.reads_stdin() {
        return Vec::new();
    }
    let mut texts: SortedSet<Vec<u8>> = SortedSet::new();
    let mut found = Vec::new();
    for run in earlier.iter().filter(|run| run.after.is_empty()) {
        let told = machine.told(&run.input);
        let Some(text) = told.stdin.clone() else { continue };
        for end in 1..text.len().min(LONGEST_TEXT) {
            for broken in [text[..end].to_vec(), [&text[..end], b"x"].concat()] {
                if found.len() < BROKEN && texts.insert(broken.clone()) {
                    found.push(FactRun { input: Input { stdin: Some(broken), ..told.clone() }, path: Vec::new(), after: Vec::new() });
                }
            }
        }
    }
    found
}
