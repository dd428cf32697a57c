// Answers a corpus of C programs whose error is known to be reachable or not, compares, and prints the table of
// web/docs/measurements.md.
//
//   node scripts/corpus.mjs CORPUS OUT [--timeout 30] [--jobs 1]
//
// CORPUS has `manifest.tsv` (columns `file` and `error_reachable`: true, false or n/a) and headers in `stubs/`. OUT gets a task
// definition for each program, and the answers as JSON lines with settings, seed and version: a second call goes on where the
// first one was stopped. The program is target/release/culdesac, or what CULDESAC names.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

const options = { timeout: { type: "string", default: "30" }, jobs: { type: "string", default: "1" } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const [corpus, out] = positionals.map((folder) => path.resolve(folder));
if (!corpus || !out) {
  console.error("usage: node scripts/corpus.mjs CORPUS OUT [--timeout SECONDS] [--jobs N]");
  process.exit(2);
}
const engine = process.env.CULDESAC ?? path.join(import.meta.dirname, "../target/release/culdesac");

/** What is the error of a program, as the name of a property file: calls of the error function, a label, failed assertions. */
function errorOf(text) {
  const code = text.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, "");
  if (/\b(__VERIFIER_(error|assert)|reach_error|sassert|BUGST_REPORT_TARGET_LOCATION_REACHED)\s*\(/.test(code)) return "call";
  if (/\bERROR\s*:/.test(code)) return "label";
  return /\bassert\s*\(/.test(code) ? "assertion" : null;
}

const PROPERTIES = { call: "call(reach_error())", label: "label(ERROR)", assertion: "call(__assert_fail())" };
mkdirSync(out, { recursive: true });
for (const [name, formula] of Object.entries(PROPERTIES))
  writeFileSync(path.join(out, `${name}.prp`), `CHECK( init(main()), LTL(G ! ${formula}) )\n`);

const [head, ...rows] = readFileSync(path.join(corpus, "manifest.tsv"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => line.split("\t"));
const column = (row, name) => row[head.indexOf(name)];
const tasks = [];
for (const row of rows.filter((row) => ["true", "false"].includes(column(row, "error_reachable")))) {
  const file = column(row, "file");
  const error = errorOf(readFileSync(path.join(corpus, file), "utf8"));
  if (!error) continue;
  const expected = column(row, "error_reachable") === "true" ? "false" : "true";
  const definition = [
    "format_version: '2.0'",
    `input_files: ${JSON.stringify(path.relative(out, path.join(corpus, file)))}`,
    "properties:",
    `  - property_file: ${error}.prp`,
    `    expected_verdict: ${expected}`,
  ];
  const task = `${path.basename(file, ".c")}.yml`;
  writeFileSync(path.join(out, task), `${definition.join("\n")}\n`);
  tasks.push(task);
}

const stubs = path.relative(out, path.join(corpus, "stubs"));
const limits = ["--timeout", values.timeout, "--jobs", values.jobs, "--resume", "answers.jsonl"];
const run = spawnSync(engine, ["report", ...tasks, "-I", stubs, ...limits], { cwd: out, stdio: ["ignore", "ignore", "inherit"] });
if (run.error) throw run.error;

const lines = readFileSync(path.join(out, "answers.jsonl"), "utf8").trimEnd().split("\n").map(JSON.parse);
const byTask = new Map(lines.map((line) => [line.belongs_to.file, line]));
const number = (line, key) => line.branches?.[key] ?? "";
const totals = { decided: 0, quick: 0, wrong: 0 };
console.log("| program | expected | verdict | branches | covered | infeasible | open | seconds |");
console.log("|---|---|---|---:|---:|---:|---:|---:|");
for (const task of tasks) {
  const line = byTask.get(task);
  if (!line) continue;
  const seconds = line.statistics.wall_ms / 1000;
  const { expected = null, correct = null } = line.task ?? {};
  totals.decided += Number(correct === true);
  totals.quick += Number(correct === true && seconds <= 5);
  totals.wrong += Number(correct === false);
  const verdict = line.failed ? "not answered" : line.property.verdict.replace("(unreach-call)", "");
  const cells = [
    `\`${path.basename(task, ".yml")}\``,
    String(expected).toUpperCase(),
    verdict,
    ...["total", "covered", "infeasible", "open"].map((key) => number(line, key)),
  ];
  console.log(`| ${cells.join(" | ")} | ${seconds.toFixed(1)} |`);
}
console.log(
  `\n${tasks.length} programs: ${totals.decided} decided as expected, ${totals.quick} of them within 5 s; ${totals.wrong} otherwise`,
);
process.exit(totals.wrong ? 1 : 0);
