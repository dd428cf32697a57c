//! The packages that the project is built from: their licences, their sources, and that no package is there in two versions without a
//! reason. The lists of what is allowed stand here; a change of `Cargo.lock` or `package-lock.json` that needs more fails.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Licences, by SPDX's names, of which a package must offer at least one; where several apply at once, all.
const ALLOWED: &[&str] = &["MIT", "Apache-2.0", "Zlib", "ISC", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "Unicode-3.0", "Unlicense"];

/// Npm packages under other licences: tools of the tests, nothing of which is shipped.
const TOOLS: &[(&str, &str)] = &[("axe-core", "MPL-2.0")];

/// Crates of which two versions are built, with the reason.
const TWICE: &[(&[&str], &str)] = &[
    (
        &["sha2", "digest", "block-buffer", "crypto-common", "cpufeatures"],
        "wasm_split_macros hashes names with the older one while compiling",
    ),
    (&["hashbrown", "foldhash"], "petgraph uses the older one inside, indexmap the newer one"),
    (&["windows-sys"], "memory-stats uses the older one, and other packages the newer one, on Windows alone"),
    (&["syn"], "macros of two generations; nothing of them is linked"),
];

/// Whether one of the licences that an expression of SPDX offers is allowed.
fn allowed(expression: &str) -> bool {
    let choice = |part: &str| {
        let part = part.trim_matches(['(', ')']).replace('/', " OR ");
        part.split(" OR ").any(|name| ALLOWED.contains(&name.trim()))
    };
    expression.split(" AND ").all(choice)
}

#[test]
fn expressions_of_licences() {
    for expression in ["MIT", "GPL-2.0-only OR MIT", "Unlicense/MIT", "Apache-2.0 / MIT", "(MIT OR Apache-2.0) AND Unicode-3.0"] {
        assert!(allowed(expression), "{expression}");
    }
    for expression in ["", "GPL-3.0-only", "MIT AND GPL-3.0-only", "(MIT OR Apache-2.0) AND MPL-2.0", "Apache-2.0 WITH LLVM-exception"] {
        assert!(!allowed(expression), "{expression}");
    }
}

/// Of the packages that this machine builds; cargo has them all, since it has just built this test.
#[test]
fn licences_of_crates() {
    let version = Command::new("rustc").arg("-vV").output().expect("rustc");
    let version = String::from_utf8(version.stdout).expect("a text");
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("the name of this machine");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 50);
    let refused: Vec<String> = packages
        .iter()
        .filter(|package| !allowed(package["license"].as_str().unwrap_or("")))
        .map(|package| format!("{}: {}", package["name"], package["license"]))
        .collect();
    assert!(refused.is_empty(), "{refused:?}");
}

/// The packages of a `Cargo.lock`: what each says of itself, by key.
fn locked(text: &str) -> Vec<BTreeMap<&str, &str>> {
    text.split("[[package]]")
        .skip(1)
        .map(|package| {
            package.lines().filter_map(|line| line.split_once(" = ")).map(|(key, value)| (key, value.trim_matches('"'))).collect()
        })
        .collect()
}

#[test]
fn sources_and_versions_of_crates() {
    let text = include_str!("../../Cargo.lock");
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut sources = BTreeSet::new();
    for package in locked(text) {
        let name = package["name"];
        versions.entry(name).or_default().insert(package["version"]);
        match package.get("source") {
            Some(source) => {
                assert!(source.starts_with("registry+") && package.contains_key("checksum"), "{name} comes from {source}");
                sources.insert(*source);
            }
            None => assert!(name.starts_with("culdesac"), "{name} comes from a folder"),
        }
    }
    assert_eq!(sources.len(), 1, "all crates come from one registry: {sources:?}");
    let twice: BTreeSet<&str> = versions.iter().filter(|(_, versions)| versions.len() > 1).map(|(name, _)| *name).collect();
    let known: BTreeSet<&str> = TWICE.iter().flat_map(|(names, _)| names.iter().copied()).collect();
    assert_eq!(twice, known, "crates in two versions; those in TWICE alone have a reason");
}

#[test]
fn npm_packages() {
    let lock: Value = serde_json::from_str(include_str!("../../package-lock.json")).expect("JSON");
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (path, package) in lock["packages"].as_object().expect("packages").iter().filter(|(path, _)| !path.is_empty()) {
        let name = path.rsplit("node_modules/").next().unwrap_or(path);
        let licence = package["license"].as_str().unwrap_or("");
        let is_tool = TOOLS.contains(&(name, licence)) && package["dev"] == true;
        assert!(allowed(licence) || is_tool, "{name} has the licence {licence:?}");
        // An archive of the registry: a folder is a link, a repository has no checksum.
        assert!(package["integrity"].as_str().is_some_and(|hash| hash.starts_with("sha512-")) && package["link"].is_null(), "{name}");
        versions.entry(name).or_default().insert(package["version"].as_str().unwrap_or(""));
    }
    let twice: Vec<_> = versions.iter().filter(|(_, versions)| versions.len() > 1).collect();
    assert!(versions.len() > 20 && twice.is_empty(), "{twice:?}");
}
