//! The docs pages keep up with the program: what they list is all there is, and what they quote comes out.

mod language;
mod quotes;
use quotes::{blocks, come_out_as_quoted, culdesac, folder, json};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

const PAGE: &str = "web/docs/solver.md";
const PRUNE: &str = "web/docs/prune.md";
const COVER: &str = "web/docs/cover.md";

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).replace("\r\n", "\n")
}

/// The variants of an enum in a source file, as they are serialised with `rename_all = "snake_case"`.
fn variants(source: &str, name: &str) -> BTreeSet<String> {
    let start = source.find(&format!("pub enum {name} {{\n")).unwrap_or_else(|| panic!("there is no enum {name}"));
    assert!(source[..start].ends_with("#[serde(rename_all = \"snake_case\")]\n"), "{name} is serialised otherwise");
    let body = source[start..].lines().skip(1).take_while(|line| *line != "}");
    let variants: BTreeSet<String> = body
        // Variants are indented once; documentation and attributes do not begin with a capital.
        .filter_map(|line| line.strip_prefix("    ").filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase())))
        .map(|line| snake_case(line.split(|c: char| !c.is_alphanumeric()).next().expect("a word")))
        .collect();
    assert!(variants.len() > 1, "the variants of {name} were not found");
    variants
}

fn snake_case(name: &str) -> String {
    let mut text = String::new();
    for (at, c) in name.char_indices() {
        if c.is_ascii_uppercase() && at > 0 {
            text.push('_');
        }
        text.push(c.to_ascii_lowercase());
    }
    text
}

/// What stands in backquotes in the first column of the table below a heading.
fn listed(page: &str, heading: &str) -> BTreeSet<String> {
    let section = page.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("{PAGE} has no section `{heading}`")).1;
    let rows = section.lines().take_while(|line| !line.starts_with('#')).filter(|line| line.starts_with('|')).skip(2);
    let first = rows.map(|row| row.split('|').nth(1).unwrap_or_default());
    first.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[test]
fn the_evidence_format_is_listed_in_full() {
    let page = read(PAGE);
    let source = read("crate/evidence/claim.rs") + &read("crate/evidence/proof.rs");
    for (name, heading) in [
        ("ProofTerm", "### Terms"),
        ("ProofRule", "### Lines"),
        ("Derivation", "### Derivation steps of a linear line"),
        ("Statement", "### Claims"),
    ] {
        // Claims have a reader and a writer by hand, in the same case.
        let source =
            source.replace("#[derive(Clone, Debug)]\npub enum Statement", "#[serde(rename_all = \"snake_case\")]\npub enum Statement");
        let (there, listed) = (variants(&source, name), listed(&page, heading));
        let missing: Vec<_> = there.difference(&listed).collect();
        let gone: Vec<_> = listed.difference(&there).collect();
        assert!(missing.is_empty(), "{PAGE}, `{heading}`: the table lacks {missing:?} of {name} in crate/evidence/claim.rs");
        assert!(gone.is_empty(), "{PAGE}, `{heading}`: the table has {gone:?}, which {name} in crate/evidence/claim.rs has not");
    }
}

#[test]
fn every_layer_of_the_solver_is_named() {
    let page = read(PAGE);
    // The frame: limits and what is checked have sections of their own.
    let frame = ["crate/solver/certificate.rs", "crate/solver/meter.rs"];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crate/solver");
    let mut files: Vec<String> = fs::read_dir(folder)
        .expect("the solver")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".rs"))
        .map(|name| format!("crate/solver/{name}"))
        .filter(|path| !frame.contains(&path.as_str()))
        .collect();
    files.sort();
    let missing: Vec<_> = files.iter().filter(|path| !page.contains(&format!("`{path}`"))).collect();
    assert!(missing.is_empty(), "{PAGE}, \"Inside the solver\", does not name {missing:?}");
}

/// A number as texts have it: 200,000.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[test]
fn limits_are_those_of_the_program() {
    let page = read(PAGE);
    for limit in [
        culdesac::solver::QUERY_LIMIT,
        culdesac::analysis::DEFAULT_LIMIT,
        culdesac::analysis::LONG_LIMIT,
        culdesac::solver::optimise::WITNESS_STEPS,
    ]
    .map(grouped)
    {
        assert!(page.contains(&limit), "{PAGE} does not say that a limit is {limit}");
    }
}

#[test]
fn examples_of_the_solver_come_out_as_quoted() {
    come_out_as_quoted(PAGE, "docs-solver", (4, 2));
}

#[test]
fn examples_of_prune_come_out_as_quoted() {
    come_out_as_quoted(PRUNE, "docs-prune", (7, 0));
}

#[test]
fn examples_of_cover_come_out_as_quoted() {
    come_out_as_quoted(COVER, "docs-cover", (8, 0));
}

#[test]
fn the_example_of_the_readme_comes_out_as_quoted() {
    come_out_as_quoted("README.md", "docs-readme", (1, 0));
}

const TESTS: &str = "web/docs/tests.md";

#[test]
fn the_suite_of_tests_comes_out_as_quoted() {
    come_out_as_quoted(TESTS, "docs-tests", (2, 11));
}

/// The table of forms has each form that the command offers, and so has the one of the page on Branches.
#[test]
fn every_form_of_tests_is_listed() {
    let help = culdesac(&["branches", "--help"], &folder("docs-tests-forms"));
    let values =
        help.split_once("In which form the tests are written").and_then(|(_, rest)| rest.split_once("[default")).expect("the forms").0;
    let offered: BTreeSet<String> =
        values.lines().filter_map(|line| Some(line.trim().strip_prefix("- ")?.split_once(':')?.0.to_owned())).collect();
    assert!(offered.len() > 2, "the forms were not found");
    assert_eq!(listed(&read(TESTS), "## The other forms"), offered, "{TESTS}");
    assert_eq!(listed(&read("web/docs/branches.md"), "## Tests for other tools"), offered, "web/docs/branches.md");
}

const RUN: &str = "web/docs/run.md";

#[test]
fn examples_of_justify_come_out_as_quoted() {
    come_out_as_quoted("web/docs/justify.md", "docs-justify", (3, 1));
}

#[test]
fn examples_of_run_come_out_as_quoted() {
    come_out_as_quoted(RUN, "docs-run", (5, 0));
}

#[test]
fn examples_of_memory_come_out_as_quoted() {
    let name = "docs-memory";
    come_out_as_quoted("web/docs/memory.md", name, (7, 1));
    // What the page says of the program after its run.
    let told = culdesac(&["branches", "count.c"], &Path::new(env!("CARGO_TARGET_TMPDIR")).join(name));
    let infeasible = told.split_once("infeasible: no execution takes:\n").expect("an infeasible branch").1;
    assert_eq!(infeasible.lines().next().map(str::trim), Some("line 11:22: head == 0"), "{told}");
}

#[test]
fn examples_of_verdicts_come_out_as_quoted() {
    come_out_as_quoted("web/docs/verdicts.md", "docs-verdicts", (2, 0));
}

/// The keys of a document, but for those that all commands have.
fn own_keys(document: &Value) -> BTreeSet<String> {
    let common = [
        "schema",
        "program",
        "function",
        "chosen_because",
        "ints",
        "inline_depth",
        "assumptions",
        "crowded_lines",
        "complete",
        "statistics",
        "diagnostics",
    ];
    document.as_object().expect("an object").keys().filter(|key| !common.contains(&key.as_str())).cloned().collect()
}

/// The outcomes, the keys of the document and the limits of it are those of the program.
#[test]
fn the_document_of_run_is_listed() {
    let page = read(RUN);
    let types = read("crate/analysis/run/document.rs");
    assert_eq!(listed(&page, "## How a run ends"), variants(&types, "RunOutcome").into_iter().collect(), "{RUN}");
    let document = json(&["run", "gcd.c", "--input", r#"{"a":4,"b":6}"#], &folder("docs-run-keys"));
    let mut keys = own_keys(&document);
    // These are there where the program has nodes.
    let list = folder("docs-run-list").join("list.c");
    let text = "struct node { int value; struct node *next; };\nstruct node *second(struct node *p) { if (p) p = p->next; return p; }\n";
    std::fs::write(&list, text).expect("a file");
    let of_nodes = json(&["run", list.to_str().expect("a path"), "--input", r#"{"p":1}"#], &folder("docs-run-keys"));
    keys.extend(own_keys(&of_nodes));
    assert_eq!(listed(&page, "## The document"), keys, "{RUN}: first column");
    for number in
        [culdesac::analysis::run::MAX_RECORDED_STEPS as u64, culdesac::interp::MAX_OUTPUT as u64, culdesac::analysis::run::RUN_LIMIT]
            .map(grouped)
    {
        assert!(page.contains(&number), "{RUN} does not say {number}");
    }
}

/// Every option and algorithm is there, and the numbers of the table come out.
#[test]
fn the_settings_of_cover_are_listed_and_give_what_the_page_says() {
    let page = read(COVER);
    let folder = folder("docs-cover-table");
    let help = culdesac(&["cover", "--help"], &folder);
    let offered: BTreeSet<String> =
        help.lines().filter_map(|line| Some(line.trim().strip_prefix("- ")?.split_once(':')?.0.to_owned())).collect();
    let others: BTreeSet<String> = OF_ALL.iter().chain(&OF_CRITERIA).map(ToString::to_string).collect();
    let algorithms: BTreeSet<String> = offered.difference(&others).cloned().collect();
    let settings = rows(&page, "## The settings");
    let (options, rest) = settings.split_at(4);
    assert!(options.iter().all(|row| help.contains(&row[1])), "{COVER}: {options:?}");
    // After the four options: the algorithms, then, after the head and the rule of its table, what they give.
    let described: BTreeSet<String> = rest[2..2 + algorithms.len()].iter().map(|row| row[0].clone()).collect();
    assert_eq!(described, algorithms, "{COVER}");
    let measured = &rest[4 + algorithms.len()..];
    assert_eq!(measured.iter().map(|row| row[0].clone()).collect::<BTreeSet<_>>(), algorithms, "{COVER}");
    for row in measured {
        let document = json(&["cover", "diamonds.blocks", "--algorithm", &row[0]], &folder);
        let found = [document["tests"].as_array().expect("tests").len().to_string(), document["queries"].to_string()];
        assert_eq!(found, row[1..], "{COVER}: {}", row[0]);
    }
}

/// What options of all commands can be: integers, and models of the target.
const OF_ALL: [&str; 6] = ["unbounded", "c32", "lp64", "ilp32", "llp64", "int16"];

/// What options of criteria can be.
const OF_CRITERIA: [&str; 7] = ["statement", "branch", "condition", "mcdc", "path", "masking", "unique-cause"];

/// The criteria and the kinds of pairs that the page names are those of the command line.
#[test]
fn the_criteria_are_listed() {
    let help = culdesac(&["report", "--help"], &folder("docs-criteria"));
    let listed = listed(&read(REPORT), "## Criteria");
    let names = BTreeSet::from(["statement", "branch", "condition", "mcdc", "path"].map(str::to_owned));
    assert!(names.is_subset(&listed), "{REPORT}: {listed:?}");
    assert!(OF_CRITERIA.iter().all(|name| help.contains(&format!("- {name}"))), "{help}");
}

/// The cells of the table in a section, without backquotes.
fn rows(page: &str, heading: &str) -> Vec<Vec<String>> {
    let section = page.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("there is no section `{heading}`")).1;
    let rows = section.lines().take_while(|line| !line.starts_with('#')).filter(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect()).collect()
}

/// The numbers in one column of a document's table, as texts have them.
fn column(document: &Value, name: &str) -> Vec<String> {
    let rows = document["table"].as_array().expect("a table");
    rows.iter().map(|row| grouped_digits(row[name].as_str().expect("digits"))).collect()
}

fn grouped_digits(digits: &str) -> String {
    let parts: Vec<_> = digits.as_bytes().rchunks(3).rev().map(|part| String::from_utf8_lossy(part)).collect();
    parts.join(",")
}

#[test]
fn the_settings_of_prune_are_listed_and_give_what_the_page_says() {
    let page = read(PRUNE);
    let folder = folder("docs-prune-table");
    let help = culdesac(&["prune", "--help"], &folder);
    let offered: BTreeSet<String> =
        help.lines().filter_map(|line| Some(line.trim().strip_prefix("- ")?.split_once(':')?.0.to_owned())).collect();
    let abstractions = offered.difference(&BTreeSet::from(OF_ALL.map(str::to_owned))).cloned().collect();
    let options: BTreeSet<String> = listed(&page, "## The settings");
    assert_eq!(options, abstractions, "{PRUNE}, the abstractions");
    for option in ["--abstraction", "--restarts", "--lookahead", "--max-red-length", "--exact-up-to", "--invariants", "--precondition"] {
        assert!(help.contains(option) && page.contains(&format!("`{option}`")), "{PRUNE}: {option}");
    }
    assert!(page.contains(&grouped(culdesac::analysis::prune::DEFAULT_LIMIT)), "{PRUNE}: the limit");
    let table = rows(&page, "## How good is it?");
    assert!(table.len() >= 16, "{PRUNE}: the table was not found");
    for row in table {
        let program = format!("{}.c", row[0]);
        let mut arguments = vec!["prune", &program, "--abstraction", &row[1], "--restarts", &row[2], "--lookahead", &row[3]];
        if !row[4].is_empty() {
            arguments.extend(["--max-red-length", &row[4]]);
        }
        assert_eq!(column(&json(&arguments, &folder), "pruned"), row[5..], "{PRUNE}: {row:?}");
    }
}

#[test]
fn the_default_settings_are_as_good_as_the_page_says() {
    let page = read(PRUNE);
    let folder = folder("docs-prune-default");
    let table = rows(&page, "### Between all paths and the feasible ones");
    assert_eq!(table.len(), 9, "{PRUNE}: the table was not found");
    let number = |text: &str| text.replace(',', "").parse::<u128>().ok();
    for part in table.chunks(3) {
        let document = json(&["prune", &format!("{}.c", part[0][0]), "--lengths", "30,50,100", "--feasible"], &folder);
        for (name, at) in [("original", 2), ("pruned", 4), ("feasible", 5)] {
            let said: Vec<_> = part.iter().map(|row| row[at].clone()).collect();
            assert_eq!(column(&document, name), said, "{PRUNE}: {} {name}", part[0][0]);
        }
        for row in part {
            let best = number(&row[3]).or_else(|| {
                let (value, unit) = row[3].split_once(' ')?;
                Some((value.parse::<f64>().ok()? * if unit == "million" { 1e6 } else { 1e9 }) as u128)
            });
            let (best, ours, feasible) = (best.expect("a number"), number(&row[4]).expect("digits"), number(&row[5]).expect("digits"));
            assert!(if row[0] == "merge" { ours == feasible } else { ours < best }, "{PRUNE}: {row:?}");
        }
    }
}

#[test]
fn contents_of_arrays_change_what_the_page_says() {
    let page = read(PRUNE);
    let folder = folder("docs-prune-arrays");
    let table = rows(&page, "## What real array contents change");
    assert_eq!(table.len(), 6, "{PRUNE}: the table was not found");
    for row in table {
        let comparison = match row[0].as_str() {
            "merge_arrays" => "a[ia] < b[ib]",
            "bubble_arrays" => "a[i - 1] > a[i]",
            _ => "s2[j] == s1[i + j]",
        };
        let file = format!("{}.c", row[0]);
        let source = fs::read_to_string(folder.join(&file)).expect("an example");
        assert_eq!(source.matches(comparison).count(), 1, "{file}");
        fs::write(folder.join("free.c"), source.replace(comparison, "nondet()")).expect("the target folder is writable");
        for (program, said) in [("free.c", &row[2]), (file.as_str(), &row[3])] {
            let document = json(&["paths", program, "--lengths", &row[1], "--feasible"], &folder);
            assert_eq!(column(&document, "feasible"), std::slice::from_ref(said), "{PRUNE}: {row:?}");
        }
    }
}

const EXPLAIN: &str = "web/docs/explain.md";

#[test]
fn examples_of_explain_come_out_as_quoted() {
    come_out_as_quoted(EXPLAIN, "docs-explain", (8, 0));
}

#[test]
fn the_settings_of_explain_are_listed() {
    let page = read(EXPLAIN);
    let help = culdesac(&["explain", "--help"], &folder("docs-explain-settings"));
    let offered: BTreeSet<String> =
        help.lines().filter_map(|line| Some(line.trim().strip_prefix("- ")?.split_once(':')?.0.replace('-', "_"))).collect();
    let mut said = listed(&page, "## The settings");
    said.extend(listed(&page, "## The check, and what it cannot see"));
    // Names of options, of things in the program, and the command line's spelling stand there too.
    let missing: Vec<_> = offered.iter().filter(|name| !OF_ALL.contains(&name.as_str()) && !said.contains(*name)).collect();
    assert!(missing.is_empty(), "{EXPLAIN} lacks {missing:?}");
    for option in ["--max-instructions", "--order", "--check", "--extend", "--rounds", "--path", "--pruned"] {
        assert!(help.contains(option) && page.contains(option), "{EXPLAIN}: {option}");
    }
    assert!(page.contains(&grouped(culdesac::analysis::explain::DEFAULT_LIMIT)), "{EXPLAIN}: the limit");
}

/// The number with two digits after the point, as texts have it.
fn two_digits(number: &Value) -> String {
    let text = format!("{:.2}", number.as_f64().expect("a number"));
    let (whole, rest) = text.split_once('.').expect("a point");
    format!("{}.{rest}", grouped_digits(whole))
}

#[test]
fn families_have_as_many_paths_as_the_page_says() {
    let page = read(EXPLAIN);
    let folder = folder("docs-explain-table");
    let table = rows(&page, "## How much comes out");
    assert!(table.len() >= 13, "{EXPLAIN}: the table was not found");
    for row in table {
        let document = json(&["explain", &format!("{}.c", row[0]), "--order", &row[1]], &folder);
        let counts = &document[if row[1] == "all" { "united" } else { "generalized" }];
        let found = [
            grouped(document["infeasible_prefixes"].as_u64().expect("a number")),
            two_digits(&counts["average"]),
            grouped_digits(counts["maximum"].as_str().expect("digits")),
        ];
        assert_eq!(found, row[2..5], "{EXPLAIN}: {row:?}");
    }
}

#[test]
fn what_the_families_leave_and_spare_is_what_the_page_says() {
    let page = read(EXPLAIN);
    let folder = folder("docs-explain-rest");
    let (rest, learned) = (rows(&page, "### What the families leave"), rows(&page, "## Exploring with what was learned"));
    assert_eq!((rest.len(), learned.len()), (18, 6), "{EXPLAIN}: the tables were not found");
    for (part, row) in rest.chunks(3).zip(&learned) {
        let file = format!("{}.c", row[0]);
        let document = json(&["explain", &file], &folder);
        let lengths: Vec<Vec<String>> = (document["union"]["lengths"].as_array().expect("lengths").iter())
            .map(|length| {
                let digits = |key: &str| grouped_digits(length[key].as_str().expect("digits"));
                vec![row[0].clone(), length["length"].to_string(), digits("total"), digits("rest")]
            })
            .collect();
        assert_eq!(lengths, part, "{EXPLAIN}");
        let tally = |which: &str, key: &str| grouped(document[which][key].as_u64().expect("a number"));
        let found = [tally("without", "prefixes"), tally("with", "prefixes"), tally("without", "queries"), tally("with", "queries")];
        assert_eq!(found, row[1..], "{EXPLAIN}: {row:?}");
        // Up to the explored length the rest is what can run.
        let feasible = column(&json(&["paths", &file, "--lengths", "24,49", "--feasible"], &folder), "feasible");
        assert_eq!(feasible, [part[0][3].clone(), part[1][3].clone()], "{EXPLAIN}: {}", row[0]);
    }
}

#[test]
fn examples_of_branches_come_out_as_quoted() {
    come_out_as_quoted("web/docs/branches.md", "docs-branches", (1, 0));
}

const REACH: &str = "web/docs/reach.md";

#[test]
fn examples_of_reach_come_out_as_quoted() {
    come_out_as_quoted(REACH, "docs-reach", (3, 0));
}

/// What the text says of the running example's model and run, and its table, come out.
#[test]
fn the_running_example_of_reach_has_the_numbers_of_the_page() {
    let page = read(REACH);
    let folder = folder("docs-reach-numbers");
    let (_, program, _) = blocks(&page).into_iter().find(|(info, _, _)| info == "c count.c").expect("the running example");
    fs::write(folder.join("count.c"), program).expect("the target folder is writable");
    let document = json(&["reach", "count.c", "--target", "8"], &folder);
    let path: Vec<u64> = edges(&document["path"]);
    // The ways through the loop begin alike, and at each place of the path at most one goes on.
    let rounds = document["loop_summaries"][0]["rounds"].as_array().expect("rounds");
    let times: Vec<usize> = rounds
        .iter()
        .map(|round| {
            let round = edges(&round["edges"]);
            path.windows(round.len()).filter(|part| **part == round[..]).count()
        })
        .collect();
    let [first, second] = times[..] else { panic!("{times:?}") };
    let n = document["input"]["n"].as_u64().expect("a number");
    let elements = document["input"]["A"].as_object().expect("an array");
    let ones: BTreeSet<u64> = elements.iter().filter(|(_, value)| **value == 1).filter_map(|(at, _)| at.parse().ok()).collect();
    for said in [
        format!("κ1 = {first} and κ2 = {second}"),
        format!("`n` is {n}, as {n} ≤ {first} + {second} + 3"),
        format!("ones in the places {} to {}", ones.first().expect("ones"), ones.last().expect("ones")),
        format!("after {} steps", path.len()),
    ] {
        assert!(page.contains(&said), "{REACH} does not say: {said}");
    }
    assert_eq!(ones.len(), first, "{REACH}: the places are in a row");
    let table = rows(&page, "### From the condition to an input");
    assert!(table.len() >= 4, "{REACH}: the table was not found");
    for row in table {
        let arguments = ["reach", "count.c", "--target", "8", "--json", "--k", &row[0]];
        // It ends with 1 where the verdict is open.
        let output =
            Command::new(env!("CARGO_BIN_EXE_culdesac")).args(arguments).current_dir(&folder).output().expect("the program starts");
        let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let verdict = document["verdict"].as_str().expect("a verdict").replace("unknown", "open");
        let found_by = document["found_by"].as_str().unwrap_or_default().to_owned();
        let queries = document["statistics"]["solver"]["queries"].to_string();
        assert_eq!([verdict, found_by, queries], row[1..], "{REACH}: K = {}", row[0]);
    }
}

fn edges(list: &Value) -> Vec<u64> {
    list.as_array().expect("edges").iter().map(|edge| edge.as_u64().expect("a number")).collect()
}

/// The options, the keys of the document and the bounds are those of the program.
#[test]
fn the_document_of_reach_is_listed() {
    let page = read(REACH);
    let folder = folder("docs-reach-keys");
    let help = culdesac(&["reach", "--help"], &folder);
    for option in listed(&page, "## The settings").iter().filter(|option| option.starts_with("--")) {
        assert!(help.contains(option.as_str()), "{REACH}: {option}");
    }
    let document = json(&["reach", "ones.c", "--target", "14"], &folder);
    assert_eq!(listed(&page, "## The document"), own_keys(&document), "{REACH}: first column");
    for said in [
        format!("from 0 to {}, usually {}", grouped(culdesac::analysis::reach::MAX_K.into()), culdesac::analysis::reach::DEFAULT_K),
        format!("K is {} unless", culdesac::analysis::reach::DEFAULT_K),
    ] {
        assert!(page.contains(&said), "{REACH} does not say: {said}");
    }
}

const REPORT: &str = "web/docs/report.md";

#[test]
fn the_example_of_report_comes_out_as_quoted() {
    come_out_as_quoted(REPORT, "docs-report", (1, 0));
}

/// The kinds of findings and the keys of the document are those of the program.
#[test]
fn the_document_of_report_is_listed() {
    let page = read(REPORT);
    let kinds: Vec<Vec<String>> = rows(&page, "## Findings");
    let kinds: BTreeSet<String> = kinds.into_iter().map(|cells| cells[1].clone()).collect();
    assert_eq!(kinds, variants(&read("crate/analysis/report/document.rs"), "ReportFindingKind"), "{REPORT}");
    let document = json(&["report", "gcd.c", "--criterion", "condition"], &folder("docs-report-keys"));
    assert_eq!(listed(&page, "## The document"), own_keys(&document), "{REPORT}: first column");
}

const BATCHES: &str = "web/docs/batches.md";

#[test]
fn examples_of_batches_come_out_as_quoted() {
    come_out_as_quoted(BATCHES, "docs-batches", (3, 0));
}

/// Options, keys and properties are those of the program, and so are the files that are named.
#[test]
fn what_a_batch_has_is_listed() {
    let page = read(BATCHES);
    let folder = folder("docs-batches-keys");
    let help = culdesac(&["report", "--help"], &folder);
    for option in rows(&page, "## Options") {
        assert!(help.contains(&option[0]), "{BATCHES}: {option:?}");
    }
    let of = |document: &Value| own_keys(document).into_iter().collect::<BTreeSet<_>>();
    let property = fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/benchexec/tasks/turnstile.yml")).expect("a task");
    let task = json(&["report", property.to_str().expect("UTF-8")], &folder);
    let plain = json(&["report", "gcd.c"], &folder);
    let mut added: BTreeSet<String> = of(&task).difference(&of(&plain)).cloned().collect();
    added.insert("failed".to_owned());
    assert_eq!(
        listed(&page, "## What a line has").into_iter().filter(|key| added.contains(key)).collect::<BTreeSet<_>>(),
        added,
        "{BATCHES}"
    );
    assert_eq!(rows(&page, "## What a line has").len(), added.len(), "{BATCHES}");
}
