//! What `cover` says of a program, line by line; and its tests that need nothing but values.

use super::outside::Replay;
use super::program::{Parameter, Unit};
use culdesac::analysis::Listener;
use culdesac::analysis::cover::{CoverDocument, CoverSettings, CoverStatement, CoverTest, cover};
use culdesac::load::load;
use culdesac::view::{InputValue, Number, Reply, Request};
use std::collections::BTreeMap;

/// Assumptions with their bits, as in `runtime.h`. Those without a bit hold in every world.
pub const ASSUMPTIONS: [(&str, u32); 5] =
    [("distinct-parameters", 1), ("first-call", 2), ("quiet-externals", 4), ("left-to-right", 8), ("any-state", 0)];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// No execution comes to the line.
    Infeasible,
    /// None that does completes.
    NeverCompletes,
    /// None that does completes within so many returns to the header of each loop.
    NotWithin(u32),
}

/// What is said of a line.
#[derive(Clone, Debug)]
pub struct Claim {
    pub line: u32,
    pub kind: Kind,
    /// In worlds that have all of these.
    pub world: u32,
    pub assumes: Vec<String>,
    /// What was asked for.
    pub question: String,
}

/// What is said of a unit, or why it was refused.
pub struct Said {
    pub claims: Vec<Claim>,
    pub replays: Vec<Replay>,
    pub refused: Option<String>,
    /// Of the first question.
    pub open: usize,
    pub statements: usize,
}

/// What is assumed, and what is not.
type Question = (&'static [&'static str], &'static [&'static str]);

/// The usual question, and others in turn.
const QUESTIONS: [Question; 4] = [
    (&[], &[]),
    (&["first-call", "quiet-externals", "left-to-right"], &[]),
    (&[], &["distinct-parameters"]),
    (&["quiet-externals"], &["any-state"]),
];

/// Asks of a unit what is usual, and one of the other questions.
pub fn ask(unit: &Unit) -> Said {
    let mut said = Said { claims: Vec::new(), replays: Vec::new(), refused: None, open: 0, statements: 0 };
    let other = 1 + unit.number as usize % (QUESTIONS.len() - 1);
    for number in [0, other] {
        let (assume, no_assume) = QUESTIONS[number];
        let own = |list: &[&str]| list.iter().map(ToString::to_string).collect();
        let request = Request {
            program: "worlds.c".to_owned(),
            source: unit.plain(),
            function: Some(unit.function.clone()),
            assume: own(assume),
            no_assume: own(no_assume),
            ..Request::default()
        };
        let settings = CoverSettings { unwind: None, algorithm: "prefer".to_owned(), precondition: None, summaries: false };
        match cover(&request, &settings, &mut Listener::new(&mut |_| true)) {
            Reply::Document { document } => {
                let question = format!("assume {assume:?}, not {no_assume:?}");
                said.claims.extend(claims(unit, &request, &document, &question));
                if number == 0 {
                    said.open = document.open.len();
                    said.statements = document.statements as usize;
                    said.replays = document.tests.iter().filter_map(|test| replay(unit, test)).take(15).collect();
                }
            }
            Reply::Refused { diagnostics } => {
                said.refused =
                    diagnostics.iter().find(|one| one.code != "function-without-body").map(|one| format!("{}: {}", one.code, one.message));
                break;
            }
        }
    }
    said
}

/// A line has what is said of all its edges.
fn claims(unit: &Unit, request: &Request, document: &CoverDocument, question: &str) -> Vec<Claim> {
    let mut said: BTreeMap<u32, (Kind, &CoverStatement)> = BTreeMap::new();
    for (list, kind) in [
        (&document.infeasible, Kind::Infeasible),
        (&document.never_completes, Kind::NeverCompletes),
        (&document.not_within, Kind::NotWithin(document.unwind)),
    ] {
        said.extend(list.iter().map(|statement| (statement.edge, (kind, statement))));
    }
    let loaded = load(request).ok().expect("it was covered");
    let mut lines: BTreeMap<u32, Option<Claim>> = BTreeMap::new();
    for (edge, number) in loaded.lts.graph.edge_weights().zip(0..) {
        let line = loaded.lines.line(edge.span.start);
        if !unit.reporting.contains(&line) {
            continue;
        }
        let of_edge = said.get(&number).map(|(kind, statement)| Claim {
            line,
            kind: *kind,
            world: statement.assumes.iter().fold(0, |world, id| world | bit(id)),
            assumes: statement.assumes.clone(),
            question: question.to_owned(),
        });
        let entry = lines.entry(line).or_insert_with(|| of_edge.clone());
        *entry = match (entry.take(), of_edge) {
            (Some(mut claim), Some(other)) => {
                claim.kind = claim.kind.max(other.kind);
                claim.world |= other.world;
                claim.assumes.extend(other.assumes);
                Some(claim)
            }
            _ => None,
        };
    }
    lines.into_values().flatten().collect()
}

fn bit(id: &str) -> u32 {
    ASSUMPTIONS.iter().find(|known| known.0 == id).unwrap_or_else(|| panic!("the worlds of runs do not tell apart `{id}`")).1
}

/// What a harness does to run a test, if that needs no more than to set what it starts with.
fn replay(unit: &Unit, test: &CoverTest) -> Option<Replay> {
    let n = unit.number;
    if !(test.assumes.is_empty() && test.draws.is_empty() && test.input.nondet.is_empty()) {
        return None;
    }
    let mut statements = Vec::new();
    let mut arguments = Vec::new();
    let mut left = test.input.values.clone();
    let number = |value: &Number| match value {
        Number::Small(value) => format!("{value}LL"),
        Number::Large(text) => format!("{text}ULL"),
    };
    for (at, parameter) in unit.parameters.iter().enumerate() {
        let name = format!("p{at}");
        match parameter {
            Parameter::Integer => {
                let value = scalar(left.remove(&name))?;
                arguments.push(format!("(int){}", number(&value)));
            }
            Parameter::Pointer(ty) => {
                statements.push(format!("static {ty} t{at}[16];"));
                for (index, value) in elements(left.remove(&name))? {
                    statements.push(format!("t{at}[{index}] = ({ty}){};", number(&value)));
                }
                arguments.push(format!("t{at}"));
            }
            Parameter::Structure => {
                statements.push(format!("static struct S_{n} t{at};"));
                for member in ["a", "b"] {
                    if let Some(value) = left.remove(&format!("{name}.{member}")) {
                        statements.push(format!("t{at}.{member} = (int){};", number(&scalar(Some(value))?)));
                    }
                }
                arguments.push(format!("&t{at}"));
            }
        }
    }
    for (name, value) in left {
        // By name others know these.
        let known = |name: &str| unit.writable.iter().any(|place| place == name);
        match value {
            InputValue::Scalar(value) if known(&name) => statements.push(format!("{name} = {};", number(&value))),
            InputValue::Array(_) if known(&format!("{name}[0]")) => {
                for (index, value) in elements(Some(value))?.into_iter().filter(|(index, _)| *index < 3) {
                    statements.push(format!("{name}[{index}] = {};", number(&value)));
                }
            }
            _ => return None,
        }
    }
    let function = if unit.function == "main" { format!("main_{n}") } else { unit.function.clone() };
    statements.push(format!("{function}({});", arguments.join(", ")));
    let lines = test.lines.iter().copied().filter(|line| unit.reporting.contains(line)).collect();
    Some(Replay { statements, lines, input: format!("{:?}", test.input.values) })
}

fn scalar(value: Option<InputValue>) -> Option<Number> {
    match value {
        Some(InputValue::Scalar(value)) => Some(value),
        Some(InputValue::Array(_)) => None,
        None => Some(Number::Small(0)),
    }
}

/// The first sixteen elements.
fn elements(value: Option<InputValue>) -> Option<Vec<(u32, Number)>> {
    match value {
        Some(InputValue::Array(all)) => {
            let element = |index: u32| all.get(&index.to_string()).or_else(|| all.get("default")).cloned();
            Some((0..16).filter_map(|index| element(index).map(|value| (index, value))).collect())
        }
        Some(InputValue::Scalar(_)) => None,
        None => Some(Vec::new()),
    }
}
