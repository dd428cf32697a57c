//! The justifications of an earlier version against the program and the coverage of this one.

use super::conditions::WrittenSide;
use super::document::{JustifiedBranch, JustifyVerdict, MovedJustification, StaleJustification};
use super::file::Justification;
use super::measured::Measurement;
use super::search::JudgedProgram;
use super::structure::StructuralName;
use crate::logic::{SortedMap, SortedSet};
use crate::source::Position;

/// What became of them.
#[derive(Debug, Default)]
pub struct Compared {
    pub stale: Vec<StaleJustification>,
    pub moved: Vec<MovedJustification>,
    pub new: Option<Vec<u32>>,
}

impl Compared {
    /// Compares each justification with the branch of its name: `names` are those of all sides, `listed` the judged ones.
    pub fn of(
        earlier: Option<&[Justification]>,
        names: &SortedMap<WrittenSide, StructuralName>,
        listed: &[(WrittenSide, JustifiedBranch)],
        measurement: &Measurement,
        program: &JudgedProgram,
    ) -> Compared {
        let Some(earlier) = earlier else { return Compared::default() };
        let mut found = Compared::default();
        let sides: SortedMap<&StructuralName, WrittenSide> = names.iter().map(|(side, name)| (name, *side)).collect();
        let judged: SortedMap<WrittenSide, &JustifiedBranch> = listed.iter().map(|(side, branch)| (*side, branch)).collect();
        for one in earlier {
            let Some(side) = sides.get(&one.name).copied() else {
                found.stale.push(stale(
                    one,
                    Position { line: one.line, column: one.column },
                    "the program has this branch no longer".to_owned(),
                ));
                continue;
            };
            let here = program.lines.position(side.span.start);
            if measurement.is_certain(&side) {
                found.stale.push(stale(one, here, "tests take it, though it was justified".to_owned()));
                continue;
            }
            let branch = judged.get(&side).copied();
            match branch.map(|branch| (branch.verdict, branch)) {
                Some((JustifyVerdict::Justified, _)) if here.line != one.line => found.moved.push(MovedJustification {
                    from_line: one.line,
                    line: here.line,
                    column: here.column,
                    function: one.name.function.clone(),
                    text: one.name.text.clone(),
                }),
                Some((JustifyVerdict::Justified, _)) => {}
                Some((JustifyVerdict::Tested, branch)) => {
                    let test = branch.test.map_or_else(String::new, |test| format!(": test {} takes it", test + 1));
                    found.stale.push(stale(one, here, format!("it can run now{test}")));
                }
                Some((JustifyVerdict::Open, branch)) => {
                    let why = branch.open.as_deref().unwrap_or_default();
                    found.stale.push(stale(one, here, format!("it is no longer proved: {why}")));
                }
                None => found.stale.push(stale(one, here, "it is not judged".to_owned())),
            }
        }
        let before: SortedSet<&StructuralName> = earlier.iter().map(|one| &one.name).collect();
        let is_new = |(side, branch): &&(WrittenSide, JustifiedBranch)| {
            branch.verdict == JustifyVerdict::Justified && names.get(side).is_none_or(|name| !before.contains(name))
        };
        let new = listed.iter().zip(0..).filter(|(one, _)| is_new(one)).map(|(_, number)| number).collect();
        found.new = Some(new);
        found
    }
}

fn stale(one: &Justification, position: Position, reason: String) -> StaleJustification {
    StaleJustification {
        line: position.line,
        column: position.column,
        function: one.name.function.clone(),
        text: one.name.text.clone(),
        reason,
    }
}
