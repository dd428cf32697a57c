//! Tests as files for other tools: a suite in C, a suite of Test-Comp, JSON, and their coverage as LCOV.
//!
//! Steps of [`export`]:
//! 1. Each test is run once more, in C's integers, and recorded ([`replay`](self)): what a file says of it is what this run does.
//! 2. What the form cannot hold is left out with its reason, and counts nowhere.
//! 3. The form writes the rest; the coverage is that of what it holds.

mod command_line;
mod data;
mod draws;
mod framework;
mod freed;
mod hooks;
pub mod lcov;
mod leaves;
mod linked;
mod linked_names;
mod names;
mod node_objects;
mod nodes;
mod object_part;
mod objects;
mod open_draws;
mod placed;
mod prepare;
mod replay;
mod script;
mod slots;
mod state;
mod step;
mod stubs;
mod suite;
mod test;
mod testcomp;
mod types;
mod value;
#[cfg(feature = "files")]
mod witness;
mod writes;

#[cfg(feature = "files")]
pub use witness::{ERROR_FUNCTIONS, violation_witness};

use crate::interp::{Input, Machine};
use crate::load::load;
use crate::logic::SortedSet;
use crate::lts::EdgeId;
use crate::lts::sides::sides;
use crate::source::Wrap;
use crate::source::files::units;
use crate::view::{self, Call, Request, fitting};
use framework::Framework;
use lcov::{Coverage, CoverageFiles};
use prepare::{Prepared, exact, keys, prepare};
use serde::{Deserialize, Serialize};

/// Elements of an array in a test, at most.
const LARGEST: i64 = 100_000;

/// In which form tests are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum TestsFormat {
    /// Inputs, as `--tests` reads them
    #[default]
    Json,
    /// A C program that runs them, each in a process of its own
    C,
    /// A C program that runs them one after another and needs no operating system
    Freestanding,
    /// Tests for Unity
    Unity,
    /// Tests for CMocka
    Cmocka,
    /// A suite of Test-Comp
    Testcomp,
    /// A table: for each test its input, how it ends, and what it covers
    Csv,
    /// Their coverage alone
    Lcov,
}

/// A test to export.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExportTest {
    pub input: view::Input,
    /// The calls since the program's start that come before it.
    #[serde(default)]
    pub after: Vec<Call>,
    /// The names of the assumptions on which it rests.
    #[serde(default)]
    pub assumes: Vec<String>,
}

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExportedFile {
    /// Without a folder.
    pub name: String,
    pub text: String,
}

/// What is exported, and what it cannot hold.
#[derive(Clone, Debug, Default)]
pub struct Exported {
    pub files: Vec<ExportedFile>,
    /// Which tests are left out, in sentences: `test 3 is left out: …`.
    pub notes: Vec<String>,
    /// How many tests the files hold, of how many, and how many sides of decisions these take, of how many.
    pub tests: (usize, usize),
    pub sides: (usize, usize),
    /// For each test that the files hold its number from 0 and the sides that it takes, by their positions among the function's.
    pub claims: Vec<(usize, Vec<usize>)>,
}

/// A question: the tests of the request's function, and the numbers of edges that no execution takes.
pub struct Suite<'s> {
    pub request: &'s Request,
    pub tests: &'s [ExportTest],
    pub infeasible: &'s [u32],
}

/// Exports these tests of the request's program, and their coverage.
///
/// # Errors
/// The program has errors, or an input does not fit it.
pub fn export(suite: &Suite, format: TestsFormat) -> Result<Exported, String> {
    export_with(suite, format, &[])
}

/// As [`export`], with text around parts of the program: the parts and the text that stand around them.
///
/// # Errors
/// As [`export`].
pub fn export_with(suite: &Suite, format: TestsFormat, extra: &[Wrap]) -> Result<Exported, String> {
    let request = suite.request;
    if units(&request.source).len() > 1 && format == TestsFormat::Testcomp {
        return Err("a suite of Test-Comp has one file, and the program has several: --tests-format c writes a suite for them".to_owned());
    }
    let loaded = load(request).map_err(|_| "the program has errors".to_owned())?;
    let (mut inputs, machine) = (Vec::new(), Machine::deep(&loaded.lts));
    for (test, number) in suite.tests.iter().zip(1..) {
        let input = fitting(&loaded.lts, &test.input).map_err(|error| format!("test {number}: {error}"))?;
        inputs.push(machine.told(&input));
    }
    let all = sides(&loaded.lts);
    let run = |input: &Input| machine.run(input, replay::ENDLESS).edges;
    let taken =
        |edges: &[EdgeId]| -> Vec<usize> { (0..all.len()).filter(|&at| all[at].edges.iter().any(|edge| edges.contains(edge))).collect() };
    let mut exported = match format {
        TestsFormat::Json | TestsFormat::Csv | TestsFormat::Lcov => {
            let claims = inputs.iter().enumerate().map(|(at, input)| (at, taken(&run(input)))).collect();
            let files = match format {
                TestsFormat::Json => vec![data::json(&loaded, &inputs)],
                TestsFormat::Csv => vec![data::csv(&loaded, suite.tests, &inputs)],
                _ => Vec::new(),
            };
            Exported { files, claims, ..Exported::default() }
        }
        TestsFormat::C | TestsFormat::Freestanding | TestsFormat::Unity | TestsFormat::Cmocka | TestsFormat::Testcomp => {
            let exact = exact(request);
            let own = load(&exact).map_err(|_| "in C's integers the program is refused".to_owned())?;
            let prepare = |test: &ExportTest| prepare(request, (&loaded, &exact), test);
            // In Test-Comp and without processes a test is one call: the input has what calls before it leave.
            let alone = |test: &ExportTest| prepare(&ExportTest { after: Vec::new(), ..test.clone() });
            let mut exported = match Framework::of(format) {
                Some(framework) => {
                    let is_alone = framework == Framework::Freestanding;
                    let one = |test: &ExportTest| if is_alone { alone(test) } else { prepare(test) };
                    let prepared: Vec<(usize, Result<Prepared, String>)> = (1..).zip(suite.tests.iter().map(one)).collect();
                    let mut written = suite::written(framework, &own, program_name(request), &prepared);
                    suite::files(framework, program_name(request), &own, &mut written, extra)
                }
                None => {
                    let prepared: Vec<(usize, Result<Prepared, String>)> = (1..).zip(suite.tests.iter().map(alone)).collect();
                    testcomp::suite(program_name(request), &own, &prepared, extra)
                }
            };
            // The same sides by their positions in the request's integers.
            let (theirs, ours) = (keys(&sides(&own.lts)), keys(&all));
            let here = |at: &usize| ours.iter().position(|key| *key == theirs[*at]);
            exported.claims.iter_mut().for_each(|(_, sides)| *sides = sides.iter().filter_map(here).collect());
            exported
        }
    };
    let infeasible: SortedSet<EdgeId> = suite.infeasible.iter().map(|&edge| EdgeId::new(edge as usize)).collect();
    let runs: Vec<Vec<EdgeId>> = exported.claims.iter().map(|&(at, _)| run(&inputs[at])).collect();
    let covered: SortedSet<usize> = exported.claims.iter().flat_map(|(_, sides)| sides).copied().collect();
    exported.tests = (exported.claims.len(), suite.tests.len());
    exported.sides = (covered.len(), all.len());
    let coverage = Coverage {
        program: program_name(request),
        files: CoverageFiles::OfSuite,
        loaded: &loaded,
        runs: &runs,
        claims: &exported.claims,
        infeasible: &infeasible,
    };
    exported.files.extend(lcov::files(&coverage));
    Ok(exported)
}

/// The coverage of tests as one text of LCOV: translation units and headers have the names of the request.
///
/// # Errors
/// As [`export`]; or a name that no record can hold.
#[cfg(feature = "files")]
pub fn coverage(suite: &Suite, version: u32) -> Result<String, String> {
    let request = suite.request;
    let loaded = load(request).map_err(|_| "the program has errors".to_owned())?;
    let names = loaded.lines.headers().iter().map(|file| file.name.as_str()).chain([request.program.as_str()]);
    if let Some(name) = names.into_iter().find(|name| name.contains(['\n', '\r'])) {
        return Err(format!("LCOV has a name on one line, and the file {name:?} has a line end in it: rename the file"));
    }
    let (all, machine) = (sides(&loaded.lts), Machine::deep(&loaded.lts));
    let (mut runs, mut claims) = (Vec::new(), Vec::new());
    for (test, number) in suite.tests.iter().zip(0..) {
        let input = fitting(&loaded.lts, &test.input).map_err(|error| format!("test {}: {error}", number + 1))?;
        let edges = machine.run(&machine.told(&input), replay::ENDLESS).edges;
        let taken = (0..all.len()).filter(|&at| all[at].edges.iter().any(|edge| edges.contains(edge)));
        claims.push((number, taken.collect()));
        runs.push(edges);
    }
    let infeasible: SortedSet<EdgeId> = suite.infeasible.iter().map(|&edge| EdgeId::new(edge as usize)).collect();
    let program = if request.program == "-" { program_name(request) } else { &request.program };
    let files = CoverageFiles::AsGiven;
    Ok(lcov::text(&Coverage { program, files, loaded: &loaded, runs: &runs, claims: &claims, infeasible: &infeasible }, version))
}

/// The program's file without its folder.
fn program_name(request: &Request) -> &str {
    let name = request.program.rsplit(['/', '\\']).next().unwrap_or_default();
    if name.is_empty() || name == "-" || name.contains(['"', '\n']) { "program.c" } else { name }
}
