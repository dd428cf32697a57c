//! A run that fails as a witness of SV-COMP: a `violation_sequence` of the format 2.0 (Ayaziová et al., *Software Verification Witnesses 2.0*,
//! SPIN 2024).
//!
//! 1. The input is run once more, up to the error call.
//! 2. Values of parameters and globals are assumed before the first statement of the function; each value that a call of
//!    `__VERIFIER_nondet_X()` or its like returns is constrained at the closing parenthesis of that call; the target is the error call.
//! 3. A value whose call is not the only candidate in the text has no waypoint: the witness then describes more runs, this one among them.
//!
//! The text is JSON, which is YAML as well (YAML 1.2, section 1.3). It has no date, so that equal runs give equal witnesses.

use super::replay;
use crate::interp::Machine;
use crate::load::{Loaded, load};
use crate::lts::text::drawn_by;
use crate::lts::{EdgeId, Failure, FailureKind};
use crate::source::Span;
use crate::source::abi::DataModel;
use crate::source::files::{MARK, target};
use crate::view::{Input, InputValue, Number, Request, fitting, input_view};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The witness of a run from the start of the request's function, if it ends in an error call.
///
/// # Errors
/// The format cannot say it; or the program is refused. `Ok(None)`: the run ends otherwise.
pub fn violation_witness(request: &Request, input: &Input) -> Result<Option<String>, String> {
    let loaded = load(request).map_err(|_| "the program has errors".to_owned())?;
    let data_model = data_model(request)?;
    let machine = Machine::deep(&loaded.lts);
    let input = machine.told(&fitting(&loaded.lts, input)?);
    let path = machine.run(&input, replay::ENDLESS).edges;
    let error = path.last().and_then(|&edge| loaded.lts.graph[edge].failure);
    let Some(error) = error else { return Ok(None) };
    let run = ViolatingRun { loaded: &loaded, program: &request.program, path: &path, input: input_view(&loaded.lts, &input) };
    let mut waypoints = run.assumptions();
    waypoints.extend(run.returned_values());
    let target = target_call(&loaded, error);
    waypoints.push(run.waypoint("target", target.offset, None));
    let content: Vec<Value> = waypoints.into_iter().map(|waypoint| json!({ "segment": [{ "waypoint": waypoint }] })).collect();
    let specification = format!("CHECK( init({}()), LTL(G ! call({}())) )", loaded.lts.function, target.name);
    let metadata = json!({
        "format_version": "2.0",
        "uuid": uuid(&json!([request.source, specification, content]).to_string()),
        "creation_time": "1970-01-01T00:00:00Z",
        "producer": { "name": "culdesac", "version": env!("CARGO_PKG_VERSION") },
        "task": {
            "input_files": [request.program],
            "input_file_hashes": { request.program.clone(): hexadecimal(&Sha256::digest(&request.source)) },
            "specification": specification,
            "data_model": data_model,
            "language": "C",
        },
    });
    let witness = json!([{ "entry_type": "violation_sequence", "metadata": metadata, "content": content }]);
    Ok(Some(serde_json::to_string_pretty(&witness).expect("a witness is written to memory") + "\n"))
}

/// The data model of the program, if the format has it, and the program is a file as it stands on the disk.
fn data_model(request: &Request) -> Result<&'static str, String> {
    let model = match target(&request.source).model {
        DataModel::Lp64 => "LP64",
        DataModel::Ilp32 => "ILP32",
        DataModel::Llp64 | DataModel::Int16 => {
            return Err("a witness is for the data models LP64 and ILP32: choose --abi lp64 or --abi ilp32".to_owned());
        }
    };
    // The target alone is no part of the text.
    let others = request.source.split(MARK).skip(1).any(|mark| !mark.starts_with("-T"));
    match others {
        true => {
            Err("a witness is about one file as it is on the disk: preprocess the program (`cc -E -P`) and report on the result".to_owned())
        }
        false => Ok(model),
    }
}

/// A call that must not happen: the function, and where the call stands.
struct TargetCall {
    name: String,
    offset: u32,
}

/// The functions that programs of SV-COMP call in an error. A program may define one, so that its run ends in the call after.
pub const ERROR_FUNCTIONS: [&str; 2] = ["reach_error", "__VERIFIER_error"];

/// The call that ends the run: of the convention's error function where that is the one before it, or the only one that leads to it.
fn target_call(loaded: &Loaded, Failure { kind, span }: Failure) -> TargetCall {
    let (text, functions) = (loaded.lines.text(), &loaded.program.functions);
    let calls = |name: &'static str| {
        let is_call = move |at: &usize| {
            let is_inside = functions.iter().any(|function| {
                let body = function.body.first().map_or(function.end.start, |first| first.span.start)..function.end.start;
                body.contains(&(*at as u32))
            });
            let is_whole = !text[..*at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
            is_inside && is_whole && text[at + name.len()..].trim_start().starts_with('(')
        };
        text.match_indices(name).map(|(at, _)| at).filter(is_call)
    };
    for name in ERROR_FUNCTIONS {
        let is_of =
            functions.iter().any(|function| function.name.text == name && (function.span.start..function.span.end).contains(&span.start));
        let all: Vec<usize> = calls(name).collect();
        let before = all.iter().rev().find(|&&at| at < span.start as usize);
        let is_before = |&&at: &&usize| {
            let between: String = text[at + name.len()..span.start as usize].chars().filter(|letter| !letter.is_whitespace()).collect();
            between == "();"
        };
        let target = if is_of { all.first().filter(|_| all.len() == 1) } else { before.filter(is_before) };
        if let Some(&at) = target {
            return TargetCall { name: name.to_owned(), offset: at as u32 };
        }
    }
    let call = span.text(text).trim_start();
    let end = call.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(call.len());
    let name = match (&call[..end], kind) {
        // The macro of the standard library calls this function.
        ("assert", _) | ("", FailureKind::Assertion) => "__assert_fail",
        ("", FailureKind::ErrorCall) => "reach_error",
        ("", FailureKind::Abort) => "abort",
        (name, _) => name,
    };
    TargetCall { name: name.to_owned(), offset: span.start }
}

/// A run that ends in an error call.
struct ViolatingRun<'r> {
    loaded: &'r Loaded,
    program: &'r str,
    path: &'r [EdgeId],
    input: Input,
}

impl ViolatingRun<'_> {
    fn waypoint(&self, kind: &str, offset: u32, constraint: Option<Value>) -> Value {
        let position = self.loaded.lines.position(offset);
        let functions = &self.loaded.program.functions;
        let function = functions.iter().find(|function| !function.library && (function.span.start..function.span.end).contains(&offset));
        let mut waypoint = json!({
            "type": kind,
            "action": "follow",
            "location": { "file_name": self.program, "line": position.line, "column": position.column },
        });
        if let Some(function) = function {
            waypoint["location"]["function"] = json!(function.name.text);
        }
        if let Some(constraint) = constraint {
            waypoint["constraint"] = constraint;
        }
        waypoint
    }

    /// What is assumed of parameters and globals before the first statement.
    fn assumptions(&self) -> Vec<Value> {
        let Some((_, function)) = self.loaded.program.function(&self.loaded.lts.function) else { return Vec::new() };
        let Some(first) = function.body.first() else { return Vec::new() };
        let is_name = |name: &str| name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        let values = self.input.values.iter().filter(|(name, _)| is_name(name));
        let equal = |(name, value): (&String, &InputValue)| match value {
            InputValue::Scalar(value) => vec![format!("{name} == {}", number(value))],
            InputValue::Array(elements) => {
                let listed = elements.iter().filter(|(index, _)| *index != "default");
                listed.map(|(index, value)| format!("{name}[{index}] == {}", number(value))).collect()
            }
        };
        let all: Vec<String> = values.flat_map(equal).collect();
        if all.is_empty() {
            return Vec::new();
        }
        let constraint = json!({ "value": all.join(" && "), "format": "c_expression" });
        vec![self.waypoint("assumption", first.span.start, Some(constraint))]
    }

    /// The values that calls return from outside, in the order of the run.
    fn returned_values(&self) -> Vec<Value> {
        let lts = &self.loaded.lts;
        let mut values = self.input.nondet.iter();
        let mut waypoints = Vec::new();
        for &edge in self.path {
            let drawn = drawn_by(lts, &lts.graph[edge]).len();
            let calls = nondet_calls(self.loaded.lines.text(), lts.graph[edge].span);
            let values = values.by_ref().take(drawn).collect::<Vec<_>>();
            // Where the text has other calls besides, as in another part of the statement, their order is not the text's.
            if calls.len() != drawn {
                continue;
            }
            for (value, end) in values.into_iter().zip(calls) {
                if let InputValue::Scalar(value) = value {
                    let constraint = json!({ "value": format!("\\result == {}", number(value)), "format": "ext_c_expression" });
                    waypoints.push(self.waypoint("function_return", end, Some(constraint)));
                }
            }
        }
        waypoints
    }
}

/// Where calls without arguments of `nondet()` and its like end in a part of the text: the offsets of their closing parentheses.
fn nondet_calls(text: &str, span: Span) -> Vec<u32> {
    let part = span.text(text);
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut calls = Vec::new();
    for (at, _) in part.match_indices("nondet") {
        let name = part[at..].find(|letter: char| !is_letter(letter)).map_or(part.len(), |end| at + end);
        let rest = part[name..].trim_start();
        let Some(arguments) = rest.strip_prefix('(').map(str::trim_start).filter(|rest| rest.starts_with(')')) else { continue };
        calls.push(span.start + (part.len() - arguments.len()) as u32);
    }
    calls
}

/// A number as a constant of C: the least number of a type is no constant by itself.
fn number(number: &Number) -> String {
    let digits = match number {
        Number::Small(value) => value.to_string(),
        Number::Large(digits) => digits.clone(),
    };
    match digits.as_str() {
        "-2147483648" => "(-2147483647 - 1)".to_owned(),
        "-9223372036854775808" => "(-9223372036854775807LL - 1)".to_owned(),
        text => match text.parse::<i64>() {
            Ok(value) if i32::try_from(value).is_ok() => digits,
            Ok(_) => format!("{digits}LL"),
            Err(_) => format!("{digits}ULL"),
        },
    }
}

/// A name for the witness that its contents determine: a UUID of version 8 (RFC 9562).
fn uuid(contents: &str) -> String {
    let mut bytes: Vec<u8> = Sha256::digest(contents).iter().take(16).copied().collect();
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = hexadecimal(&bytes);
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
