// The engine in the browser beside the native program: the same questions, milliseconds of the processor, medians of runs that follow a
// first one, neither with evidence. The browser's engine runs in Node, whose WebAssembly is Chromium's; the native program is that of the
// profile `release`. On a busy machine V8 compiles late, and the engine runs its first, slow code for longer.
//
//   ./dev build && cargo build --release && node scripts/wasm-speed.mjs [RUNS]
//
// CULDESAC_CORPUS names a folder of C programs; rows about programs that it lacks are left out.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { engineOf } from "./engine-in-node.mjs";
import { readExamples } from "./examples.mjs";

const runs = Number(process.argv[2] ?? 7);
if (!(Number.isInteger(runs) && runs > 0)) {
  console.error("how many runs? node scripts/wasm-speed.mjs [RUNS]");
  process.exit(2);
}

const native = process.env.CULDESAC ?? join(process.env.CARGO_TARGET_DIR ?? "target", "release/culdesac");
if (!existsSync(native)) {
  console.error(`${native} is missing: cargo build --release`);
  process.exit(2);
}

const PRUNED = {
  abstraction: "learn",
  restarts: true,
  lookahead: 6,
  max_red_length: null,
  invariants: true,
  exact_up_to: null,
  precondition: null,
};
const EXPLAINED = { max_instructions: 24, order: "first", check: "integer", extend: "detours", path: null, compare: 0, rounds: null };

/** What is asked of which file, in the settings of the page and the options of the command line. */
const ROWS = [
  {
    what: "merge, FP(100)",
    file: "merge.c",
    name: "paths",
    settings: { lengths: [100], feasible: true },
    options: ["--lengths", "100", "--feasible"],
  },
  {
    what: "prune, substring",
    file: "substring.c",
    name: "prune",
    settings: { graph: PRUNED, lengths: [10, 20], feasible: true },
    options: ["--lengths", "10,20", "--feasible", "--lookahead", "6"],
  },
  { what: "explain, selection", file: "selection.c", name: "explain", settings: EXPLAINED, options: ["--max-instructions", "24"] },
  {
    what: "cover, tcas",
    file: "tcas.c",
    name: "cover",
    settings: { unwind: null, algorithm: "prefer", precondition: null },
    options: ["--only"],
  },
  {
    what: "branches, kbfiltr",
    file: "kbfiltr_simpl2_true-unreach-call.cil.c",
    name: "branches",
    limit: 10_000,
    settings: { tests: [], order: "discovery", baselines: false },
    options: ["--order", "discovery", "--only"],
  },
  {
    what: "reach, HWM",
    file: "hello_world_at_microsoft.c",
    name: "reach",
    limit: 20_000,
    settings: { target: null, k: 25 },
    options: ["--k", "25", "--only"],
  },
];

/** Steps, so that a run ends within a second or two; of a row that says so, fewer. */
const LIMIT = 200_000;

const folders = ["examples", process.env.CULDESAC_CORPUS].filter(Boolean);
async function pathOf(file) {
  for (const folder of folders) {
    const name = (await readdir(folder)).find((name) => name === file || name.endsWith(`__${file}`));
    if (name) return join(folder, name);
  }
  return null;
}

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];

/** Milliseconds of the processor that the program takes, without those of a start that does nothing. */
function natively(options) {
  const once = (args) => {
    const { stderr, status } = spawnSync("bash", ["-c", 'TIMEFORMAT="%U %S"; time "$0" "$@" >/dev/null 2>&1', native, ...args], {
      encoding: "utf8",
    });
    // With status 1 a limit left something open.
    if (status > 1) throw new Error(`${native} ${args.join(" ")} ended with ${status}`);
    const [user, system] = stderr.trim().split(/\s+/).map(Number);
    return (user + system) * 1000;
  };
  const times = (args) => Array.from({ length: runs }, () => once(args));
  return median(times(options)) - median(times(["--version"]));
}

const examples = await readExamples("examples");
const engine = await engineOf(process.env.DIST ?? "dist");

/** Milliseconds of the processor that the engine takes once it is warm. */
async function inBrowser(name, request, settings) {
  await engine.load(name);
  const once = () => {
    const before = process.cpuUsage();
    const reply = engine.ask(name, { request, settings }, () => true);
    const { user, system } = process.cpuUsage(before);
    if (reply.kind !== "document") throw new Error(JSON.stringify(reply).slice(0, 500));
    return { ms: (user + system) / 1000, steps: reply.document.statistics.steps };
  };
  const first = once();
  // V8 compiles in threads of its own, whose time is not the engine's.
  once();
  return { first: first.ms, warm: median(Array.from({ length: runs }, () => once().ms)), steps: first.steps };
}

console.log(`${"".padEnd(20)}   first    warm  native   ratio      steps, in ms of ${runs} runs`);
const ratios = [];
for (const { what, file, name, settings, options, limit = LIMIT } of ROWS) {
  const path = await pathOf(file);
  if (!path) {
    console.log(`${what.padEnd(20)}  ${file} is in none of ${folders.join(", ")}`);
    continue;
  }
  const source = await readFile(path, "utf8");
  const target = examples.find(({ name }) => `${name}.c` === file)?.reach;
  const asked = { program: path, source, function: null, limit, seed: 0 };
  const here = await inBrowser(name, asked, "target" in settings ? { ...settings, target } : settings);
  const there = natively([
    name,
    path,
    "--json",
    "--seed",
    "0",
    "--limit",
    String(limit),
    ...("target" in settings ? ["--target", target] : []),
    ...options,
  ]);
  const ratio = here.warm / there;
  ratios.push(ratio);
  const column = (value, digits = 0) => value.toFixed(digits).padStart(8);
  console.log(
    `${what.padEnd(20)}${column(here.first)}${column(here.warm)}${column(there, 1)}${column(ratio, 2)}${String(here.steps).padStart(11)}`,
  );
}
console.log(
  `browser : native, geometric mean${Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
    .toFixed(2)
    .padStart(17)}`,
);
