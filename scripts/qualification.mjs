// The sheet for the qualification of the command line as a tool: versions, what a verdict rests on, what was tested how with which result, and
// known limits. Everything in it stands in the repository or in the output of its tests.
//
//   cargo test --locked --workspace > LOG 2>&1; node scripts/qualification.mjs LOG > SHEET
//
// `./dev qualification` does both. A test of which the log has no result is counted as not run; without a log that is every test.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(fileURLToPath(import.meta.url), "..", "..");
const PROGRAM = "culdesac";

/** Where the tests of a test program stand, by what cargo says before it runs them. */
const PROGRAMS = [
  { says: /Running unittests crate\/lib\.rs/, folder: "crate", title: "The library, from inside" },
  { says: /Running unittests crate\/bin\/culdesac\/main\.rs/, folder: "crate/bin/culdesac", title: "The command line, from inside" },
  { says: /Running tests\/it\/main\.rs/, folder: "tests/it", title: "From outside: the library, the command line and the docs" },
  { says: /Doc-tests culdesac/, folder: null, title: "Examples in the docs of the library" },
];

/** The results in the output of `cargo test`: for each program's folder the tests by name, `ok`, `FAILED` or `ignored`. */
export function results(log) {
  const found = new Map(PROGRAMS.map((program) => [program, new Map()]));
  let of = null;
  for (const line of log.split("\n")) {
    const next = PROGRAMS.find(({ says }) => says.test(line));
    if (next || /^\s*(Running|Doc-tests) /.test(line)) of = next ?? null;
    const [, name, result] = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)/.exec(line) ?? [];
    if (of && name) found.get(of).set(name, result);
  }
  return found;
}

/** The first sentences that the file of a module begins with, or nothing. */
function subject(folder, modules) {
  for (let depth = modules.length; depth > 0; depth--) {
    const path = join(ROOT, folder, ...modules.slice(0, depth));
    const file = [`${path}.rs`, join(path, "mod.rs")].find((one) => existsSync(one));
    const lines = file ? readFileSync(file, "utf8").split("\n") : [];
    const end = lines.findIndex((line) => !line.startsWith("//! "));
    const text = lines
      .slice(0, end)
      .map((line) => line.slice(4))
      .join(" ");
    if (text) return { file: file.slice(ROOT.length + 1), text: text.replace(/\[([^\]]+)\](\([^)]*\))?/g, "$1").replaceAll("|", "\\|") };
  }
  return null;
}

/** The tests of a program by the file that they are in. */
function byFile(folder, tests) {
  const files = new Map();
  for (const [name, result] of tests) {
    const modules = name.split("::").slice(0, -1);
    const { file, text } = subject(folder, modules) ?? { file: folder, text: "" };
    const row = files.get(file) ?? { file, text, ok: 0, FAILED: 0, ignored: 0 };
    row[result]++;
    files.set(file, row);
  }
  return [...files.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** The rows of the first table after a heading of a text of docs in Rust. */
function trusted() {
  const text = readFileSync(join(ROOT, "crate/evidence.rs"), "utf8").replace(/^\/\/! ?/gm, "");
  const section = text.slice(text.indexOf("# What is trusted"), text.indexOf("# The file"));
  const plain = section.replace(/\[(`[^`]+`)\](\([^)]*\))?/g, "$1").replace(/`(mod@)?crate::/g, "`");
  const lines = plain.split("\n");
  const first = lines.findIndex((line) => line.startsWith("|"));
  const table = lines.slice(
    first,
    lines.findIndex((line, at) => at > first && !line.startsWith("|")),
  );
  const rest = lines.find((line) => line.startsWith("Not trusted:"));
  if (table.length < 5 || !rest) throw new Error("crate/evidence.rs has no table of what is trusted");
  return [...table, "", rest].join("\n");
}

/** The limits that the pages of the docs tell, a section for each page. */
function limits() {
  const folder = join(ROOT, "web/docs");
  const sections = [];
  for (const name of readdirSync(folder)
    .filter((one) => one.endsWith(".md"))
    .sort()) {
    const text = readFileSync(join(folder, name), "utf8");
    const [, found] = /^## Limits[^\n]*\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text) ?? [];
    if (!found) continue;
    const title = text.slice(2, text.indexOf("\n")).split(":")[0];
    sections.push(`### ${title}\n\n${found.trim().replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")}`);
  }
  return sections.join("\n\n");
}

/** The packages that the command line is built of for this platform, with version and licence. */
function packages(host) {
  const told = run("cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", host);
  const { packages: all, resolve } = JSON.parse(told);
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const first = all.find(({ name }) => name === PROGRAM).id;
  const [seen, waiting] = [new Set([first]), [first]];
  while (waiting.length > 0)
    for (const { pkg, dep_kinds } of nodes.get(waiting.pop()).deps) {
      const isLinked = dep_kinds.some(({ kind, target }) => kind === null && !/wasm32/.test(target ?? ""));
      if (isLinked && !seen.has(pkg)) {
        seen.add(pkg);
        waiting.push(pkg);
      }
    }
  const used = all.filter(({ id }) => seen.has(id) && id !== first);
  return used
    .map(({ name, version, license }) => `| ${name} | ${version} | ${license ?? ""} |`)
    .sort()
    .join("\n");
}

const run = (program, ...args) => execFileSync(program, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 28 }).trim();

/** The commit of the text, where git knows one, and whether files differ from it. */
function commit() {
  try {
    return run("git", "rev-parse", "HEAD") + (run("git", "status", "--porcelain") === "" ? "" : ", with changes");
  } catch {
    return "not known";
  }
}

/** The sheet, as Markdown. */
export function sheet(log) {
  const version = /^version = "(.+)"/m.exec(readFileSync(join(ROOT, "Cargo.toml"), "utf8"))?.[1] ?? "";
  const compiler = run("rustc", "--version", "--verbose");
  const host = /^host: (.+)$/m.exec(compiler)?.[1];
  const found = results(log);
  const sum = { ok: 0, FAILED: 0, ignored: 0 };
  const tested = [];
  for (const [{ folder, title }, tests] of found) {
    for (const result of tests.values()) sum[result]++;
    const rows =
      folder === null
        ? []
        : byFile(folder, tests).map((row) => `| ${row.file} | ${row.text} | ${row.ok} | ${row.FAILED} | ${row.ignored} |`);
    const table = ["| tests in | of what, and how | passed | failed | left out |", "|---|---|--:|--:|--:|", ...rows].join("\n");
    const said = tests.size === 0 ? "The log has no result of these tests." : folder === null ? `${tests.size} examples were run.` : table;
    tested.push(`### ${title}\n\n${said}`);
  }
  return `# Qualification sheet of ${PROGRAM} ${version}

${PROGRAM} says of the branches of a C function which ones no execution takes, and gives an input for each of the others. A branch is *infeasible* only
with a claim that the check accepts, *covered* only with a replayed input, and else *open*: a limit is no verdict. Each verdict names the
assumptions that it rests on.

## Versions

| what | version |
|---|---|
| ${PROGRAM} | ${version} |
| commit | ${commit()} |
| compiler | ${compiler.split("\n")[0]} |
| built for | ${host} |

Packages in the command line:

| package | version | licence |
|---|---|---|
${packages(host)}

## What a verdict rests on

${trusted()}

\`${PROGRAM} check FILE\` repeats the check of an evidence file with these modules alone.

## What was tested, and how

${sum.ok} tests passed, ${sum.FAILED} failed, ${sum.ignored} were left out.

${tested.join("\n\n")}

## Known limits

${limits()}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(sheet(process.argv[2] ? readFileSync(process.argv[2], "utf8") : ""));
}
