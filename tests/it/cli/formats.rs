//! The forms of a report for other programs: SARIF and comma-separated values.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An error, an infeasible branch and its explanation, a statement that never runs, names that a reference has to escape.
const PROGRAM: &str = "int f(int a, int n) {
  int t[4] = {1, 2, 3, 4}, s = 0;
  if (n < 0) return -1;
  if (n > 3 && n < 3)
    s = 7;
  s += t[n];
  return s / a;
}
";

/// An infeasible branch whose explanation has a condition in two of its alternatives.
const TWICE: &str = "int price(int age, int member) {
  int price = 10;
  if (age < 6 || member)
    price = 0;
  if (price > 0 && age < 3)
    return -1;
  return price;
}
";

/// A folder of its own.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("formats").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the target folder is writable");
    path
}

fn reported(file: &Path, format: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_culdesac"));
    let output = command.arg("report").arg(file).args(["--format", format]).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("a text")
}

/// A log has what SARIF 2.1.0 requires, a result for each finding of the document, and fingerprints that survive moved lines.
#[test]
fn findings_are_results_of_sarif() {
    let folder = scratch("report formats");
    let file = folder.join("two words.c");
    std::fs::write(&file, PROGRAM).expect("a file");
    let log: Value = serde_json::from_str(&reported(&file, "sarif")).expect("JSON");
    let document: Value = serde_json::from_str(&reported(&file, "json")).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "culdesac");
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let results = run["results"].as_array().expect("results");
    let findings = document["findings"].as_array().expect("findings");
    assert_eq!(results.len(), findings.len());
    assert!(results.len() >= 4);
    for (result, finding) in results.iter().zip(findings) {
        assert_eq!(rules[result["ruleIndex"].as_u64().expect("a number") as usize]["id"], result["ruleId"]);
        assert!(result["message"]["text"].as_str().is_some_and(|text| text.contains(finding["text"].as_str().expect("a text"))));
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["artifactLocation"]["uri"].as_str().is_some_and(|uri| uri.ends_with("two%20words.c")));
        assert_eq!(place["region"]["startLine"], finding["line"]);
        assert_eq!(place["region"]["startColumn"], finding["column"]);
        let is_error = finding["kind"] == "error";
        assert_eq!(result["level"] == "error", is_error);
        assert_eq!(result["codeFlows"].is_array(), is_error, "{finding}");
    }
    let always = results.iter().find(|result| result["ruleId"] == "condition-always-holds").expect("one");
    assert_eq!(always["relatedLocations"][0]["message"]["text"], "n > 3");
    // A condition that two alternatives of an explanation have is one location.
    let twice = folder.join("twice.c");
    std::fs::write(&twice, TWICE).expect("a file");
    let of_twice: Value = serde_json::from_str(&reported(&twice, "sarif")).expect("JSON");
    let explained =
        of_twice["runs"][0]["results"].as_array().expect("results").iter().filter_map(|result| result["relatedLocations"].as_array());
    let explained: Vec<&Vec<Value>> = explained.collect();
    assert!(!explained.is_empty());
    for locations in explained {
        let distinct: std::collections::BTreeSet<String> = locations.iter().map(ToString::to_string).collect();
        assert_eq!(distinct.len(), locations.len(), "{locations:?}");
    }
    // An edit above changes lines and no fingerprint.
    std::fs::write(&file, format!("\n\n{PROGRAM}")).expect("a file");
    let moved: Value = serde_json::from_str(&reported(&file, "sarif")).expect("JSON");
    let prints = |log: &Value| -> Vec<Value> {
        log["runs"][0]["results"].as_array().expect("results").iter().map(|result| result["partialFingerprints"].clone()).collect()
    };
    assert_eq!(prints(&log), prints(&moved));
    let distinct: std::collections::BTreeSet<String> = prints(&log).iter().map(ToString::to_string).collect();
    assert_eq!(distinct.len(), results.len());
}

/// A row for each branch under one heading, quoted as RFC 4180 says.
#[test]
fn branches_are_rows() {
    let folder = scratch("report rows");
    let file = folder.join("a,b.c");
    std::fs::write(&file, PROGRAM).expect("a file");
    let document: Value = serde_json::from_str(&reported(&file, "json")).expect("JSON");
    let text = reported(&file, "csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heading: Vec<String> = reader.headers().expect("a heading").iter().map(str::to_owned).collect();
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let list = document["list"].as_array().expect("branches");
    assert_eq!(rows.len(), list.len());
    for (row, branch) in rows.iter().zip(list) {
        let of = |name: &str| row.get(heading.iter().position(|other| other == name).expect("a column")).expect("a cell");
        assert!(of("program").ends_with("a,b.c"));
        assert_eq!(of("line"), branch["line"].to_string());
        assert_eq!(of("verdict"), branch["verdict"]);
        assert_eq!(of("branch"), branch["text"]);
        assert_eq!(of("test").is_empty(), branch["test"].is_null());
        assert_eq!(of("reason").is_empty(), branch["verdict"] == "covered");
    }
}

/// LCOV counts the branches of the report: an infeasible one is unreachable, or in the older form one that was never taken.
#[test]
fn branches_are_records_of_lcov() {
    let folder = scratch("report coverage");
    let file = folder.join("two words.c");
    std::fs::write(folder.join("twice.h"), "int twice(int x) {\n  if (x > 1000)\n    return 0;\n  return x + x;\n}\n").expect("a file");
    std::fs::write(
        &file,
        format!("#include \"twice.h\"\n{PROGRAM}int g(int a) {{\n  if (a > 3 && a < 3) a = 0;\n  return twice(a);\n}}\n"),
    )
    .expect("a file");
    for version in ["lcov", "lcov-legacy"] {
        let document: Value = serde_json::from_str(&reported(&file, "json")).expect("JSON");
        let text = reported(&file, version);
        let list = document["list"].as_array().expect("branches");
        let count = |verdict: &str| list.iter().filter(|branch| branch["verdict"] == verdict).count();
        let records: Vec<&str> = text.lines().filter(|line| line.starts_with("BRDA:")).collect();
        assert_eq!(records.len(), list.len(), "{text}");
        let unreachable = records.iter().filter(|record| record.contains(",U")).count();
        let sum = |key: &str| text.lines().filter_map(|line| line.strip_prefix(key)?.parse::<usize>().ok()).sum::<usize>();
        let left = if version == "lcov" { count("infeasible") } else { 0 };
        assert!(count("infeasible") > 0);
        assert_eq!((unreachable, sum("BRF:"), sum("BRH:")), (left, list.len() - left, count("covered")));
        // The files have the names of the command, and each line of a branch or of the function has a count.
        assert!(text.contains(&format!("SF:{}\n", file.display())) && text.contains("twice.h\n"), "{text}");
        for record in text.split_terminator("end_of_record\n") {
            let lines: Vec<&str> = record.lines().filter_map(|line| line.strip_prefix("DA:")?.split(',').next()).collect();
            let named = record.lines().filter_map(|line| line.strip_prefix("BRDA:").or(line.strip_prefix("FN:"))?.split(',').next());
            named.for_each(|line| assert!(lines.contains(&line), "{line}: {record}"));
        }
    }
}

/// A line that decides is executed as often as it decides, whatever its sides lead to.
#[test]
fn lines_of_decisions_count_both_sides() {
    let file = scratch("lines of decisions").join("f.c");
    std::fs::write(&file, "int f(int x)\n{\n    if (x == 7) return 3;\n    return 0;\n}\n").expect("a file");
    let text = reported(&file, "lcov");
    assert!(text.contains("BRDA:3,0,0,1\nBRDA:3,0,1,1\n") && text.contains("DA:3,2\n"), "{text}");
}
