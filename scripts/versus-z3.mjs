// Times the solver and z3 side by side on a folder of SMT-LIB queries and prints ratios by kind (the file name up to the
// first underscore), both warm, in process, without reading the text; certificates are made and checked.
//
//   node scripts/versus-z3.mjs FOLDER Z3_TIMES [REPEAT]
//
// Z3_TIMES is a program called as `Z3_TIMES simple|inc REPEAT FILES…` that prints a line for every check: file, number,
// expected status, answer, microseconds. Files named prefix_* are scripts with push and pop: both sides answer them
// incrementally, and z3's fresh solver per check is given beside it.

import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";

const [folder, z3, repeat = "7"] = process.argv.slice(2);
if (!folder || !z3) {
  console.error("usage: node scripts/versus-z3.mjs FOLDER Z3_TIMES [REPEAT]");
  process.exit(2);
}
const engine = process.env.CULDESAC ?? path.join(import.meta.dirname, "../target/release/culdesac");
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".smt2"))
  .sort()
  .map((name) => path.join(folder, name));
const call = (program, options) =>
  execFileSync(program, options, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });

/** file → answers [{ result, us }] of z3. */
function z3Answers(mode) {
  const answers = new Map();
  for (const line of call(z3, [mode, repeat, ...files])
    .trim()
    .split("\n")) {
    const [file, , , result, us] = line.split("\t");
    if (!answers.has(file)) answers.set(file, []);
    answers.get(file).push({ result, us: Number(us) });
  }
  return answers;
}

/** Our answers; exit status 1 says that a check stayed unknown. */
function ourAnswers(file) {
  try {
    return JSON.parse(call(engine, ["solve", "--json", "--repeat", repeat, file])).checks;
  } catch (error) {
    if (error.status !== 1) throw error;
    return JSON.parse(error.stdout).checks;
  }
}

const modes = [
  ["simple", z3Answers("simple")],
  ["inc", z3Answers("inc")],
];
const rows = new Map();
let [wrong, unknown] = [0, 0];
/** For each of our unsat answers the share of the time that the checker took. */
const checking = [];
for (const file of files) {
  const name = path.basename(file);
  const ours = ourAnswers(file);
  checking.push(...ours.filter(({ result }) => result === "unsat").map((check) => check.verifying_us / Math.max(check.us, 0.1)));
  for (const [mode, theirs] of modes) {
    const answers = theirs.get(name);
    if (!answers) continue;
    const kind = `${name.split("_")[0]} ${mode}`;
    const row = rows.get(kind) ?? { ratios: [], ours: [], theirs: [], slowest: ["", 0] };
    rows.set(kind, row);
    ours.forEach((check, at) => {
      const other = answers[at];
      if (check.result === "unknown") unknown += 1;
      else if (other.result !== "unknown" && other.result !== check.result) wrong += 1;
      const us = Math.max(check.us, 0.1);
      row.ratios.push(other.us / us);
      row.ours.push(us);
      row.theirs.push(other.us);
      if (us > row.slowest[1]) row.slowest = [`${name}#${at}`, us];
    });
  }
}

const sorted = (values) => [...values].sort((a, b) => a - b);
const quantile = (values, q) => sorted(values)[Math.min(values.length - 1, Math.floor(q * values.length))];
const mean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
function print(kind, { ratios, ours, theirs, slowest }) {
  const cells = [
    mean(ratios),
    quantile(ratios, 0.05),
    quantile(ratios, 0.5),
    quantile(ours, 0.5),
    quantile(ours, 0.95),
    quantile(theirs, 0.5),
    quantile(theirs, 0.95),
  ];
  console.log(
    [kind.padEnd(15), String(ratios.length).padStart(5), ...cells.map((cell) => cell.toFixed(1).padStart(9))].join(" "),
    slowest[0],
  );
}
console.log("kind            n    ratio gm        p5    median   ours µs   ours p95    z3 µs    z3 p95  slowest of ours");
const all = { ratios: [], ours: [], theirs: [], slowest: ["", 0] };
for (const [kind, row] of rows) {
  print(kind, row);
  if (kind.startsWith("prefix")) continue;
  all.ratios.push(...row.ratios);
  all.ours.push(...row.ours);
  all.theirs.push(...row.theirs);
}
print("all fresh", all);
console.log(`wrong ${wrong}, unknown ${unknown}`);
if (checking.length)
  console.log(`checking the certificate takes ${(100 * quantile(checking, 0.5)).toFixed(0)} % of the time of an unsat answer (median)`);
