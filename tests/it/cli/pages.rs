//! `report --format html`: each line and each verdict is on the page, and no text of a program becomes markup.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An error, an infeasible branch, a body that no execution takes, an open order of letters, and texts that look like markup.
const PROGRAM: &str = "#include \"twice.h\"
int f(int a, int n) { /* </code></td></table><script>alert(1)</script> <img src=x onerror=alert(2)> \u{202e} &lt; */
  int t[4] = {1, 2, 3, 4}, s = 0;
  char *text = \"<script src='http://host.invalid/x.js'></script>\";
  if (n < 0) return -1;
  if (n > 3 && n < 3) {
    s = 7;
    if (a == 2)
      s = text[0] == '<';
  }
  s += t[n];
  return twice(s) / a;
}
";
const HEADER: &str = "int twice(int x) {
  if (x > 1000)
    return 0;
  return x + x;
}
";

/// A folder of its own.
fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the target folder is writable");
    path
}

fn reported(folder: &Path, file: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_culdesac"));
    let output = command.current_dir(folder).args(["report", file]).args(arguments).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("a text")
}

/// An element of a page: its name, its attributes as they stand, and where it is.
struct Tag<'p> {
    name: &'p str,
    attributes: &'p str,
    end: usize,
}

/// All tags of a page, in order; `<` and `>` that are not of a tag are escaped, since a reader of HTML goes by these alone.
fn tags(page: &str) -> Vec<Tag<'_>> {
    let mut tags = Vec::new();
    let mut rest = 0;
    while let Some(open) = page[rest..].find('<') {
        let start = rest + open + 1;
        let mut quoted = false;
        let is_end = |letter: char| {
            quoted ^= letter == '"';
            letter == '>' && !quoted
        };
        let end = start + page[start..].find(is_end).expect("a tag ends");
        let (name, attributes) = page[start..end].split_once(' ').unwrap_or((&page[start..end], ""));
        tags.push(Tag { name, attributes, end: end + 1 });
        rest = end + 1;
        if name == "style" {
            rest = start + page[start..].find("</style>").expect("the style ends");
        }
    }
    tags
}

fn text_of(escaped: &str) -> String {
    escaped.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[test]
fn hostile_text_stays_text() {
    let folder = scratch("hostile");
    let file = "<b onclick=\"x\">&amp;.c";
    std::fs::write(folder.join(file), PROGRAM).expect("a file");
    std::fs::write(folder.join("twice.h"), HEADER).expect("a file");
    let page = reported(&folder, file, &["--format", "html"]);
    let allowed = [
        "!DOCTYPE", "a", "body", "code", "dd", "details", "div", "dl", "dt", "h1", "h2", "head", "header", "html", "li", "main", "meta",
        "nav", "p", "section", "span", "strong", "style", "summary", "table", "tbody", "td", "th", "thead", "title", "tr", "ul",
    ];
    let mut depth: BTreeMap<&str, i64> = BTreeMap::new();
    for tag in tags(&page) {
        let name = tag.name.trim_start_matches('/');
        assert!(allowed.contains(&name), "<{name}>");
        // Each link leads into the page; nothing is loaded, and nothing runs.
        for attribute in ["src=", "onclick=", "onerror=", "style=", "http"] {
            assert!(!tag.attributes.contains(attribute), "<{name} {}>", tag.attributes);
        }
        if let Some((_, href)) = tag.attributes.split_once("href=\"") {
            let target = href.split('"').next().expect("a text").strip_prefix('#').expect("a fragment");
            assert!(page.contains(&format!("id=\"{target}\"")), "{target}");
        }
        if !["!DOCTYPE", "meta"].contains(&name) {
            *depth.entry(name).or_default() += if tag.name.starts_with('/') { -1 } else { 1 };
        }
    }
    assert!(depth.values().all(|&depth| depth == 0), "{depth:?}");
    let style = page.split_once("<style>").and_then(|(_, rest)| rest.split_once("</style>")).expect("a style").0;
    for word in ["url(", "@import", "http", "</"] {
        assert!(!style.contains(word), "{word}");
    }
    // Letters that turn the order of the others are replaced, and the name of the file is text.
    assert!(!page.contains('\u{202e}') && page.contains('\u{fffd}'));
    assert!(page.contains("&lt;b onclick=&quot;x&quot;&gt;&amp;amp;.c"));
}

/// Each line of the program is on the page once, with the signs that its branches and errors have; a dead body is marked.
#[test]
fn lines_and_signs_are_those_of_the_report() {
    let folder = scratch("lines");
    std::fs::write(folder.join("f.c"), PROGRAM).expect("a file");
    std::fs::write(folder.join("twice.h"), HEADER).expect("a file");
    let page = reported(&folder, "f.c", &["--format", "html"]);
    let document: Value = serde_json::from_str(&reported(&folder, "f.c", &["--json"])).expect("JSON");
    let header = &document["headers"][0];
    let first = header["first"].as_u64().expect("a number") as usize;
    let mut rows: BTreeMap<usize, &str> = BTreeMap::new();
    for tag in tags(&page).iter().filter(|tag| tag.name == "tr") {
        let Some(number) = tag.attributes.split("id=\"L").nth(1).and_then(|rest| rest.split('"').next()) else { continue };
        let row = &page[tag.end..];
        assert!(rows.insert(number.parse().expect("a number"), &row[..row.find("</tr>").expect("it ends")]).is_none());
        let is_dead = tag.attributes.contains("class=\"dead\"");
        // Line 17 is the third one of the header: it is never called with so large a number.
        assert_eq!(is_dead, [7, 8, 9, 17].contains(&number.parse().expect("a number")), "line {number}");
    }
    let lines: Vec<(usize, &str)> = (1..).zip(PROGRAM.lines()).chain((first..).zip(HEADER.lines())).collect();
    assert_eq!(rows.len(), lines.len());
    let list = document["list"].as_array().expect("branches");
    let findings = document["findings"].as_array().expect("findings");
    for (number, text) in lines {
        let row = rows[&number];
        let code = row.split_once("<code>").and_then(|(_, rest)| rest.split_once("</code>")).expect("a text").0;
        assert_eq!(text_of(code), text.replace('\u{202e}', "\u{fffd}"));
        let of = |verdict: &str| list.iter().any(|branch| branch["line"] == number && branch["verdict"] == verdict);
        let fails = findings.iter().any(|finding| finding["line"] == number && finding["kind"] == "error");
        let is_covered = of("covered") && !of("infeasible") && !of("open") && !fails;
        let margin = row.split_once("</td>").expect("the signs").0;
        for (sign, expected) in [('✕', of("infeasible")), ('?', of("open")), ('!', fails), ('✓', is_covered)] {
            assert_eq!(margin.contains(&format!(">{sign}<")), expected, "{sign} of line {number}: {margin}");
        }
        // Both sides of each decision are there, each with its own sign.
        let notes = row.split_once("<ul>").map_or("", |(_, notes)| notes);
        for branch in list.iter().filter(|branch| branch["line"] == number) {
            let text = branch["text"].as_str().expect("a text").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let word = if branch["verdict"] == "covered" { "covered" } else { "can never run" };
            assert!(notes.contains(&format!("<code>{text}</code> {word}")), "{text} of line {number}: {notes}");
        }
    }
    let sentence = document["sentence"].as_str().expect("a text");
    assert!(page.contains(&format!("<p class=\"sentence\">{sentence}</p>")));
}

/// Each place at which C may leave an execution undefined is on the page with its verdict, and what is not judged.
#[test]
fn undefined_behaviour_is_on_the_page() {
    let folder = scratch("undefined");
    let text = "int f(int a, unsigned b, int *p) {\n  int x;\n  if (b > 3)\n    return 7 / (b - 2);\n  if (a < 3)\n    return a / (b - 2);\n  if (a > 9)\n    x = 2;\n  if (a > 10)\n    return x + p[a];\n  return 0;\n}\n";
    std::fs::write(folder.join("f.c"), text).expect("a file");
    let page = reported(&folder, "f.c", &["--format", "html"]);
    let section = page.split_once("id=\"undefined-behaviour\"").and_then(|(_, rest)| rest.split_once("</section>")).expect("a section").0;
    for said in [
        "<p>Of 3 places, 2 fail, 1 proved safe. Assuming: p is not null, which the function does not ask.</p>",
        "<td>division by zero</td><td>proved safe</td>",
        "<td>division by zero</td><td>fails</td>",
        "<td>signed overflow</td><td>fails</td>",
        "<td>whether x is set before it is read</td><td>not judged</td>",
        "<td>whether each index is inside its array, whose length is not known</td><td>not judged</td>",
    ] {
        assert!(section.contains(said), "{said}: {section}");
    }
}

/// What is open of undefined behaviour is a clause, and names what may happen there; what the program itself says fails counts beside it.
#[test]
fn sentences_on_failures_are_read() {
    let folder = scratch("sentences");
    let text = |source: &str, arguments: &[&str]| {
        std::fs::write(folder.join("f.c"), source).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_culdesac"));
        let output = command.current_dir(&folder).args(["report", "f.c"]).args(arguments).output().expect("the program starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let read = text(
        "#include <stdio.h>\n#include <string.h>\nint f(const char *s, int a, int b) {\n  int h = 0, t[3] = {0};\n  if (sscanf(s, \"%d\", &h) != 1) return 1;\n  if (a / b > t[a & 7]) return 2;\n  return h << a > (int)strlen(s) + __builtin_ctz(b);\n}\n",
        &["--limit", "300"],
    );
    let open: Vec<&str> = read.lines().filter(|line| line.ends_with(" is open")).collect();
    assert!(open.len() > 4 && open.iter().all(|line| line.contains(": whether a") || line.contains(": whether it ")), "{read}");
    assert!(read.contains("whether a builtin looks for a bit in zero") && !read.contains("__builtin_unreachable"), "{read}");
    assert!(read.contains("whether a number is read that its object cannot hold"), "{read}");
    let failing = text(
        "#include <assert.h>\nint main(void) {\n  int n = nondet();\n  assert(n != 7);\n  n++;\n  return n > 3 ? 0 : 1;\n}\nint f(int x) { return x > 1 ? 2 : 3; }\n",
        &[],
    );
    assert!(failing.contains("2 places can fail, 1 of them by a failed assertion"), "{failing}");
    assert!(failing.contains("undefined behaviour: of 1 place, 1 fails"), "{failing}");
}

/// A page says what a run like it needs, names its proofs, and that it is not complete.
#[test]
fn settings_and_limits_are_on_the_page() {
    let folder = scratch("settings");
    std::fs::write(folder.join("f.c"), "int f(int x) {\n  if (x > 3)\n    return 1;\n  return 0;\n}\n").expect("a file");
    let page = reported(&folder, "f.c", &["--format", "html", "--evidence", "proofs.json", "--seed", "7"]);
    // The hash is that of `sha256sum f.c`.
    for text in
        ["<dt>Seed</dt><dd>7</dd>", "culdesac check proofs.json", "e5415fc97ccd9a9a8e30e28438d16d71091c4c5f347bf9c5afb8bbf498c762a7"]
    {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert_eq!(page, reported(&folder, "f.c", &["--format", "html", "--evidence", "proofs.json", "--seed", "7"]));
    let hard = "int f(int x, int y, int z) {\n  if (x * x * x + y * y * y + z * z * z == 114)\n    return 1;\n  return 0;\n}\n";
    std::fs::write(folder.join("hard.c"), hard).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_culdesac"));
    let arguments = ["report", "hard.c", "--ints", "unbounded", "--limit", "2000", "--format", "html"];
    let output = command.current_dir(&folder).args(arguments).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Not complete: 1 branch is open."));
}
