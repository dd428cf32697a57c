//! What `cover` says of a program, line by line; and its tests that need nothing but values.

use super::outside::Replay;
use super::program::{Parameter, Unit};
use culdesac::analysis::Listener;
use culdesac::analysis::cover::{CoverDocument, CoverSettings, CoverStatement, CoverTest, cover};
use culdesac::load::load;
use culdesac::view::{Input, InputValue, Number, Reply, Request};
use std::collections::BTreeMap;

/// Assumptions with their bits, as in `runtime.h`. Those without a bit hold in every world.
pub const ASSUMPTIONS: [(&str, u32); 9] = [
    ("distinct-parameters", 1),
    ("first-call", 2),
    ("quiet-externals", 4),
    ("left-to-right", 8),
    ("any-state", 0),
    ("left-by-calls", 0),
    ("one-object", 0),
    ("whole-objects", 0),
    ("working-streams", 0),
];

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
    /// Tests that begin with other calls.
    pub after: usize,
    pub statements: usize,
}

/// How far two pointers of a test may lead apart.
const SIDE: i64 = 20;

/// What is assumed, and what is not.
type Question = (&'static [&'static str], &'static [&'static str]);

/// The usual question, and others in turn.
const QUESTIONS: [Question; 5] = [
    (&[], &[]),
    (&[], &["one-object"]),
    (&["first-call", "quiet-externals", "left-to-right"], &[]),
    (&[], &["distinct-parameters"]),
    (&["quiet-externals"], &["any-state"]),
];

/// Asks of a unit what is usual, and one of the other questions.
pub fn ask(unit: &Unit) -> Said {
    let mut said = Said { claims: Vec::new(), replays: Vec::new(), refused: None, open: 0, after: 0, statements: 0 };
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
                    said.after = document.tests.iter().filter(|test| !test.after.is_empty()).count();
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
    let Ok(loaded) = load(request) else { panic!("it was covered") };
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

/// What a harness does to run a test, if that needs no more than to set what it starts with, and perhaps calls before it.
fn replay(unit: &Unit, test: &CoverTest) -> Option<Replay> {
    if !(test.assumes.is_empty() && test.draws.is_empty()) {
        return None;
    }
    let mut statements = Vec::new();
    for (call, at) in test.after.iter().zip(0..) {
        let parameters = if call.function == unit.function { unit.named_parameters() } else { unit.parameters_of(&call.function)? };
        statements.extend(called(unit, &call.function, &parameters, &call.input, at)?);
    }
    let at = test.after.len();
    statements.extend(called(unit, &unit.function, &unit.named_parameters(), &test.input, at)?);
    let lines = test.lines.iter().copied().filter(|line| unit.reporting.contains(line)).collect();
    let before: Vec<&str> = test.after.iter().map(|call| call.function.as_str()).collect();
    Some(Replay { statements, lines, is_sequence: at > 0, input: format!("{:?} after {before:?}", test.input.values) })
}

/// The statements that call a function with an input, the call itself as the last one.
fn called(unit: &Unit, function: &str, parameters: &[(String, Parameter)], input: &Input, call: usize) -> Option<Vec<String>> {
    let n = unit.number;
    if !input.nondet.is_empty() {
        return None;
    }
    let (mut statements, mut arguments) = (Vec::new(), Vec::new());
    let mut left = input.values.clone();
    for ((name, parameter), at) in parameters.iter().zip(0..) {
        let object = format!("t{call}_{at}");
        match parameter {
            Parameter::Integer => arguments.push(format!("(int){}", literal(&scalar(left.remove(name))?))),
            Parameter::Pointer(ty) => {
                statements.push(format!("static {ty} {object}[16];"));
                let elements = elements(left.remove(name))?;
                statements.extend(elements.iter().map(|(index, value)| format!("{object}[{index}] = ({ty}){};", literal(value))));
                arguments.push(object);
            }
            Parameter::First => {
                statements.push(format!("static int {object}[64];"));
                let all = InputValue::clone(left.get(name).unwrap_or(&InputValue::Array(BTreeMap::new())));
                left.remove(name);
                let InputValue::Array(all) = all else { return None };
                // Others lead up to twenty elements to either side.
                for index in -SIDE..SIDE {
                    if let Some(value) = all.get(&index.to_string()).or_else(|| all.get("default")) {
                        statements.push(format!("{object}[{}] = (int){};", index + SIDE, literal(value)));
                    }
                }
                arguments.push(format!("{object} + {SIDE}"));
            }
            Parameter::Second { .. } => {
                let first = &parameters.get(at as usize - 1)?.0;
                let way = match scalar(left.remove(&format!("{name} - {first}")))? {
                    Number::Small(way) if (-SIDE..SIDE).contains(&way) => way,
                    _ => return None,
                };
                arguments.push(format!("t{call}_{} + {}", at - 1, SIDE + way));
            }
            Parameter::Structure => {
                statements.push(format!("static struct S_{n} {object};"));
                for member in ["a", "b"] {
                    let value = scalar(left.remove(&format!("{name}.{member}")))?;
                    statements.push(format!("{object}.{member} = (int){};", literal(&value)));
                }
                arguments.push(format!("&{object}"));
            }
        }
    }
    for (name, value) in left {
        // By name others know these.
        let known = |name: &str| unit.writable.iter().any(|place| place == name);
        match value {
            // An address that both know, null or not.
            InputValue::Scalar(Number::Small(value @ (0 | 1))) if name == format!("u_{n}") => {
                statements.push(format!("{name} = {};", if value == 0 { "0".to_owned() } else { format!("own_{n}") }));
            }
            InputValue::Scalar(Number::Small(value @ 0..=2)) if name == format!("x_{n}") => {
                statements.push(format!("{name} = {};", ["0".to_owned(), format!("twice_{n}"), format!("half_{n}")][value as usize]));
            }
            // Others may have it lead to no text; to which of theirs is not known here.
            InputValue::Scalar(value) if name == format!("w_{n}") => {
                statements.push(format!("{name} = {};", if value == Number::Small(0) { "0" } else { return None }));
            }
            InputValue::Scalar(value) if known(&name) => statements.push(format!("{name} = {};", literal(&value))),
            InputValue::Array(_) if known(&format!("{name}[0]")) => {
                let elements = elements(Some(value))?.into_iter().take(3);
                statements.extend(elements.map(|(index, value)| format!("{name}[{index}] = {};", literal(&value))));
            }
            // The calls before leave it.
            _ if call > 0 => {}
            _ => return None,
        }
    }
    let name = if function == "main" { format!("main_{n}") } else { function.to_owned() };
    statements.push(format!("{name}({});", arguments.join(", ")));
    Some(statements)
}

fn literal(value: &Number) -> String {
    match value {
        Number::Small(value) => format!("({value}LL)"),
        Number::Large(text) => format!("({text}ULL)"),
    }
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
