//! A test as statements of C: the objects, the calls, and what has to hold afterwards.

use super::hooks::Hooks;
use super::step::{Ends, TestStep, ends_of};
use super::stubs::{StubCase, Stubs};
use super::types::{TypeNames, constant, name_of};
use crate::lang::ast::{DeclId, Shape};
use crate::lang::types::Integer;
use crate::logic::{Int, SortedMap, SortedSet};
use crate::lts::Origin;

/// A line of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestLine {
    Statement(String),
    /// Something that has to hold: what is compared, its type (none of a pointer), and its value.
    Equal(String, Option<Integer>, String),
    /// Two blocks of memory that have to be the same, with their size in bytes.
    Same(String, String, String),
}

impl TestLine {
    /// Whether what has to hold is said of an object with this name.
    fn names(&self, object: &str) -> bool {
        match self {
            TestLine::Statement(_) => false,
            TestLine::Equal(what, ..) | TestLine::Same(what, ..) => super::names::has_word(what, object),
        }
    }

    /// The line after some blanks, if it is a statement.
    fn indented(self, blanks: &str) -> TestLine {
        match self {
            TestLine::Statement(text) => TestLine::Statement(format!("{blanks}{text}")),
            other => other,
        }
    }
}

/// A test in C.
#[derive(Clone, Debug)]
pub struct TestCase {
    pub number: usize,
    /// What it covers, in words.
    pub covers: String,
    pub input: Option<Vec<u8>>,
    /// What it has to print; none where that is not known.
    pub output: Option<Vec<u8>>,
    pub ends: Ends,
    pub lines: Vec<TestLine>,
    /// For each stub that does more than to give values its calls.
    pub cases: SortedMap<String, Vec<StubCase>>,
}

/// What tests are written with.
pub struct TestWriter<'w> {
    pub types: TypeNames<'w>,
    pub stubs: &'w Stubs,
    pub hooks: &'w Hooks,
    /// Names at file scope, which no object of a test may hide.
    pub shared: &'w SortedSet<String>,
    /// The functions whose stubs have a case for each call that does something.
    pub with_cases: &'w SortedSet<String>,
    /// The name for what a call gives back.
    pub result: &'w str,
    /// Where all tests run in one process: the scalars that some test changes. Each test gives them their values.
    pub shared_state: Option<&'w SortedSet<ScalarKey>>,
}

/// A scalar of a declared object: the declaration, the members on the way, and the index among the scalars with these.
pub type ScalarKey = (DeclId, Vec<usize>, i64);

/// The values that scalars of objects have.
pub type ObjectValues = SortedMap<ScalarKey, Int>;

/// What stubs and marks give in a test.
#[derive(Default)]
pub struct StubLists {
    /// For each stub that does more than to give values its calls.
    pub cases: SortedMap<String, Vec<StubCase>>,
    /// For each list, by its name and its type, the values.
    pub values: SortedMap<(String, &'static str), Vec<String>>,
    /// How often each function was called.
    pub counts: SortedMap<String, usize>,
}

/// A call as lines of a test.
#[derive(Default)]
struct CallText {
    /// What globals and objects of functions begin with.
    starts: Vec<TestLine>,
    /// The call with the objects of its arguments.
    call: Vec<TestLine>,
    /// What has to hold afterwards.
    expected: Vec<TestLine>,
}

impl TestWriter<'_> {
    /// Writes a test, of which the last step is the call that is tested.
    ///
    /// # Errors
    /// Why it cannot be written, in a sentence.
    pub fn test(&self, number: usize, steps: &[TestStep], covers: String, input: Option<Vec<u8>>) -> Result<TestCase, String> {
        let (mut lines, mut lists, mut values) = (Vec::new(), StubLists::default(), ObjectValues::new());
        let (mut output, mut is_determinate, mut ends) = (Vec::new(), true, Ends::Returns);
        for (at, step) in steps.iter().enumerate() {
            let is_last = at + 1 == steps.len();
            ends = ends_of(step);
            if !is_last && ends != Ends::Returns {
                return Err("a call before it ends the program".to_owned());
            }
            output.extend(&step.replay.output);
            is_determinate &= !step.replay.has_unknown_output;
            let text = self.call(step, (is_last, steps.len() > 1), ends, &mut values)?;
            // Several calls may have objects of one name.
            let is_block = !is_last && text.call.len() > 1;
            lines.extend(text.starts);
            lines.extend(is_block.then(|| TestLine::Statement("{".to_owned())));
            let indent = if is_block { "  " } else { "" };
            lines.extend(text.call.into_iter().map(|line| line.indented(indent)));
            lines.extend(is_block.then(|| TestLine::Statement("}".to_owned())));
            lines.extend(text.expected);
            self.drawn(number, step, &mut lists)?;
        }
        let set = lists.values.iter().flat_map(|((stem, ty), values)| {
            let list = format!("{stem}_values = (const {ty}[]){{{}}};", values.join(", "));
            [list, format!("{stem}_left = {};", values.len())].map(TestLine::Statement)
        });
        let lines: Vec<TestLine> = set.chain(lines).collect();
        if self.shared_state.is_some() {
            if steps.len() > 1 {
                return Err("it begins with calls since the program's start, which needs a process of its own".to_owned());
            }
            if ends != Ends::Returns {
                return Err("it does not return, which needs a process of its own".to_owned());
            }
            if input.is_some() {
                return Err("it reads standard input".to_owned());
            }
        }
        let covers = if is_determinate { covers } else { covers + "; its output is not compared, as not all of it is known" };
        Ok(TestCase { number, covers, input, output: is_determinate.then_some(output), ends, lines, cases: lists.cases })
    }

    /// A call, which may be the last one, and may be one of several.
    fn call(
        &self,
        step: &TestStep,
        (is_last, is_sequence): (bool, bool),
        ends: Ends,
        values: &mut ObjectValues,
    ) -> Result<CallText, String> {
        let (program, lts) = (self.types.program, &step.loaded.lts);
        let (_, function) = program.function(&lts.function).ok_or("the function is not there")?;
        let mut text = CallText { starts: self.nodes(step, is_sequence)?, ..CallText::default() };
        text.starts.extend(self.globals(step, is_sequence, values)?);
        self.starts(step, is_sequence, &mut text.starts)?;
        let arguments = self.arguments(step, function, &mut text.call, &mut text.expected)?;
        let name = self.types.name(&lts.function).ok_or_else(|| format!("`{}` is of another file", lts.function))?;
        let name = if name == "main" { "program_main" } else { name };
        let call = format!("{name}({})", arguments.join(", "));
        let result = self.result;
        let returned = match &step.replay.value {
            Some(value) if is_last && ends == Ends::Returns => self.returned_node(step, &function.result, value).map(|node| (node, value)),
            _ => None,
        };
        let mut roots = Vec::new();
        text.call.push(TestLine::Statement(match (&function.result, &step.replay.value) {
            (Shape::Scalar(integer), Some(value)) if is_last && ends == Ends::Returns => {
                text.expected.insert(0, TestLine::Equal(result.to_owned(), Some(*integer), constant(*integer, program.abi, value)));
                format!("{} {result} = {call};", name_of(*integer))
            }
            (Shape::Void, _) => format!("{call};"),
            _ if let Some(((declared, lines, values), value)) = returned => {
                text.expected.splice(0..0, lines);
                roots.push((result.to_owned(), values, value.clone()));
                format!("{declared} = {call};")
            }
            _ => format!("(void){call};"),
        }));
        self.changed_globals(step, is_sequence, &mut text.expected)?;
        self.changed_nodes(step, roots, &mut text.expected);
        let is_unused = text.expected.iter().all(|line| !line.names(result));
        if let Some(TestLine::Statement(last)) = text.call.last_mut()
            && let (Shape::Pointer(_), true) = (&function.result, is_unused)
        {
            *last = format!("(void){call};");
        }
        if !is_last || ends != Ends::Returns {
            text.expected.clear();
        }
        for leaf in step.leaves.iter().filter(|leaf| leaf.origin == Origin::Global) {
            for (index, _, after) in &leaf.cells {
                values.insert((leaf.part.decl, leaf.part.path.clone(), *index), after.clone());
            }
        }
        Ok(text)
    }
}
