// How quick the page is: the figures that its tests note, as medians and worst of several runs, beside what is aimed at. Where
// an aim is missed the row says so, and the script fails; tests hold no time against a bound. A run takes some five minutes.
//
//   ./dev build && node scripts/speed.mjs [RUNS]

import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const runs = Number(process.argv[2] ?? 3);
if (!(Number.isInteger(runs) && runs > 0)) {
  console.error("how many runs? node scripts/speed.mjs [RUNS]");
  process.exit(2);
}

const FILES = ["page", "hostile", "prune", "explain", "check"];

/** What the median of a figure is to stay below, in milliseconds; the first that fits. */
const AIMS = [
  [/^cold, until the editor/, 1000],
  [/^cold, until merge's answer/, 1200],
  [/^cold, until merge's report/, 1500],
  [/^warm, merge's report/, 500],
  [/^while a report runs: (longest block by|most processor time for) a key$/, 50],
  [/^cold, until merge's graph/, 2000],
  [/^cold, until merge's table/, 3000],
  [/^the merging sort is drawn and counted/, 3000],
  [/longest block by a key$|processor time for a key$/, 100],
  [/in the pause after the keys$/, 200],
  [/: settled$/, 3000],
  [/^fifty thousand prefixes, opening/, 2000],
  [/longest block/, 300],
];

const folder = await mkdtemp(join(tmpdir(), "speed-"));
const file = join(folder, "figures.jsonl");
for (let run = 1; run <= runs; run++) {
  process.stderr.write(`run ${run} of ${runs}\n`);
  const tests = FILES.map((name) => `tests/browser/${name}.test.mjs`);
  const { status } = spawnSync(process.execPath, ["--test", "--test-reporter=dot", "--test-concurrency=1", ...tests], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, FIGURES: file },
  });
  if (status !== 0) {
    await rm(folder, { recursive: true });
    console.error("a test failed: node scripts/unit.mjs tests/browser/*.test.mjs says which");
    process.exit(1);
  }
}

const figures = new Map();
for (const line of (await readFile(file, "utf8")).trim().split("\n")) {
  const { what, ms } = JSON.parse(line);
  figures.set(what, [...(figures.get(what) ?? []), ms]);
}
await rm(folder, { recursive: true });

const width = Math.max(...[...figures.keys()].map((what) => what.length));
console.log(`${"".padEnd(width)}  median   worst     aim, in ms of ${runs} run${runs === 1 ? "" : "s"}`);
let missed = 0;
for (const [what, times] of figures) {
  const sorted = times.sort((a, b) => a - b);
  const median = sorted[sorted.length >> 1];
  const aim = AIMS.find(([which]) => which.test(what))?.[1];
  const over = aim !== undefined && median >= aim;
  if (over) missed++;
  const column = (value) => String(value === undefined ? "" : Math.round(value)).padStart(8);
  console.log(`${what.padEnd(width)}${column(median)}${column(sorted.at(-1))}${column(aim)}${over ? "  missed" : ""}`);
}
process.exit(missed ? 1 : 0);
