//! The command line of a test of `main`.

use super::step::TestStep;
use super::test::{TestLine, TestWriter};
use crate::logic::{Int, SortedMap};

impl TestWriter<'_> {
    /// The strings of a command line: for each number that the run knows of its text.
    pub fn strings(&self, step: &TestStep, name: &str) -> Option<SortedMap<usize, Vec<u8>>> {
        let lts = &step.loaded.lts;
        let number = |of: &str| of.strip_prefix(name)?.strip_prefix('[')?.split(']').next()?.parse::<usize>().ok();
        let mut found: SortedMap<usize, Vec<u8>> = SortedMap::new();
        let mut any = false;
        for (variable, value) in lts.variables.iter().zip(&step.replay.before.scalars) {
            if let Some(number) = number(&variable.name) {
                found.insert(number, value.to_string().into_bytes());
                any = true;
            }
        }
        for (at, array) in lts.arrays.iter().enumerate() {
            if let Some(number) = number(&array.name) {
                let contents = &step.replay.before.arrays[at];
                let byte = |index: i64| super::replay::element(contents, &Int::from(index)).to_i64().unwrap_or(0) as u8;
                let last = step.replay.touched[at].as_ref().and_then(|(_, last)| last.to_i64()).unwrap_or(0).min(4_000);
                found.insert(number, ended((0..=last).map(byte).collect()));
                any = true;
            }
        }
        any.then_some(found)
    }

    pub fn command_line(
        &self,
        name: &str,
        strings: SortedMap<usize, Vec<u8>>,
        step: &TestStep,
        lines: &mut Vec<TestLine>,
    ) -> Result<String, String> {
        let program = self.types.program;
        let function = program.function(&step.loaded.lts.function).map(|(_, function)| function);
        let count = function.and_then(|function| {
            let count = function.parameters.first()?.decl;
            let leaf = step.leaves.iter().find(|leaf| leaf.part.decl == count)?;
            leaf.cells.first().and_then(|(_, before, _)| before.to_i64())
        });
        let least = strings.keys().next_back().map_or(0, |last| last + 1);
        let count = usize::try_from(count.unwrap_or(least as i64)).unwrap_or(0);
        if count > 4_000 {
            return Err(format!("its command line has {count} strings"));
        }
        // Strings beyond their number are not there; the model has texts for them all the same.
        let text = |number: usize| match strings.get(&number) {
            Some(text) => super::types::string(text),
            None if number == 0 => "\"program\"".to_owned(),
            None => "\"\"".to_owned(),
        };
        let mut parts: Vec<String> = (0..count.max(least)).map(text).collect();
        parts.push("0".to_owned());
        lines.push(TestLine::Statement(format!("char *{name}[] = {{{}}};", parts.join(", "))));
        Ok(name.to_owned())
    }
}

/// A string without the zeros at its end.
fn ended(mut bytes: Vec<u8>) -> Vec<u8> {
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    bytes
}
