//! The report as SARIF 2.1.0, the format in which code hosts and editors read what analyses find.
//!
//! A result is a finding: an error with its run as a code flow, what is infeasible with the conditions that exclude it as related
//! locations, and what is open as a result of the kind `open`. A fingerprint is of the text and not of line numbers, so that a finding is
//! the same one after an edit elsewhere.

use super::sentences::told;
use super::{ReportDocument, ReportFinding, ReportFindingKind};
use crate::analysis::cover::CoverReason;
use crate::analysis::text::bracketed;
use crate::logic::SortedMap;
use crate::view::Header;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A kind of findings as a rule: its name, level, kind of results, and description.
struct SarifRule {
    of: ReportFindingKind,
    id: &'static str,
    level: &'static str,
    kind: &'static str,
    says: &'static str,
}

const RULES: [SarifRule; 5] = [
    SarifRule {
        of: ReportFindingKind::Error,
        id: "run-fails",
        level: "error",
        kind: "fail",
        says: "A run fails here: the input is given.",
    },
    SarifRule {
        of: ReportFindingKind::Always,
        id: "condition-always-holds",
        level: "warning",
        kind: "fail",
        says: "The condition holds whenever it is evaluated: its other branch is infeasible.",
    },
    SarifRule {
        of: ReportFindingKind::NeverRuns,
        id: "never-runs",
        level: "warning",
        kind: "fail",
        says: "No execution takes the statement.",
    },
    SarifRule {
        of: ReportFindingKind::NeverCompletes,
        id: "never-completes",
        level: "note",
        kind: "fail",
        says: "Each execution with the statement fails or goes on for ever.",
    },
    SarifRule {
        of: ReportFindingKind::Open,
        id: "open",
        level: "none",
        kind: "open",
        says: "Neither a test nor a proof is found for the branch.",
    },
];

/// The log of one run.
pub fn sarif(document: &ReportDocument) -> String {
    let rule = |rule: &SarifRule| {
        json!({
            "id": rule.id,
            "shortDescription": { "text": rule.says },
            "defaultConfiguration": { "level": rule.level },
        })
    };
    let mut counts = SortedMap::new();
    let results: Vec<Value> = document.findings.iter().map(|finding| result(&document.header, finding, &mut counts)).collect();
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "culdesac",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": RULES.iter().map(rule).collect::<Vec<Value>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{ "executionSuccessful": true }],
            "artifacts": [{ "location": { "uri": uri(&document.header.program) }, "roles": ["analysisTarget"] }],
            "properties": { "function": document.header.function, "answer": document.sentence },
            "results": results,
        }],
    });
    let mut text = serde_json::to_string_pretty(&log).expect("a log is written to memory");
    text.push('\n');
    text
}

fn result(header: &Header, finding: &ReportFinding, counts: &mut SortedMap<String, u32>) -> Value {
    let at = RULES.iter().position(|rule| rule.of == finding.kind).expect("each kind has a rule");
    let rule = &RULES[at];
    let text = bracketed(&finding.text, finding.expansion.as_ref());
    let mut message = format!("`{text}`: {}", told(header, finding).join("; "));
    if !finding.assumes.is_empty() {
        message += &format!("; assuming {}", finding.assumes.join(", "));
    }
    let mut result = json!({
        "ruleId": rule.id,
        "ruleIndex": at,
        "kind": rule.kind,
        "level": rule.level,
        "message": { "text": format!("{message}.") },
        "locations": [location(header, finding.line, Some(finding.column), None)],
        "partialFingerprints": { "finding/v1": fingerprint(header, rule, &text, counts) },
    });
    let because = finding.because.as_ref();
    let reasons: Vec<&CoverReason> = because
        .into_iter()
        .flat_map(|because| because.all.iter().chain(because.either.iter().flatten()).chain(&because.some).chain(&because.operations))
        .collect();
    if !reasons.is_empty() {
        // Of several groups each may have the same condition, and a list of locations has none twice.
        let mut related: Vec<Value> = Vec::new();
        for reason in reasons {
            let one = location(header, reason.line, Some(reason.column), Some(&reason.text));
            if !related.contains(&one) {
                related.push(one);
            }
        }
        result["relatedLocations"] = Value::Array(related);
    }
    if !finding.lines.is_empty() {
        let steps = finding.lines.iter().map(|&line| json!({ "location": location(header, line, None, None) }));
        let steps: Vec<Value> = steps.collect();
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

/// A position of the program, or of a file that it includes.
fn location(header: &Header, line: u32, column: Option<u32>, text: Option<&str>) -> Value {
    let file = header.headers.iter().flatten().find_map(|file| Some((file.name.as_str(), file.own_line(line)?)));
    let (name, line) = file.unwrap_or((&header.program, line));
    let mut region = json!({ "startLine": line.max(1) });
    if let Some(column) = column {
        region["startColumn"] = json!(column.max(1));
    }
    let mut location = json!({ "physicalLocation": { "artifactLocation": { "uri": uri(name) }, "region": region } });
    if let Some(text) = text {
        location["message"] = json!({ "text": text });
    }
    location
}

/// A path as a reference of RFC 3986: letters that it does not allow are escaped.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// What names a finding in every version of the program that has its text: of several equal ones their order counts.
fn fingerprint(header: &Header, rule: &SarifRule, text: &str, counts: &mut SortedMap<String, u32>) -> String {
    let name = format!("{}\n{}\n{text}", header.function, rule.id);
    let count = counts.entry(name.clone()).or_default();
    *count += 1;
    let hash = Sha256::digest(format!("{name}\n{count}"));
    hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
