// Holds the daily run to its bounds: how many random cases its tests made, and how many steps the engine took in them. `./dev test` has
// the test programs leave their sums in a folder (tests/it/common/cases.rs). Counted and not timed, so that the same tests pass on every
// machine; CONTRIBUTING.md says where a test that does not fit belongs.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Of cases and steps somewhat more than the daily run has: a test that searches for long, or tries many cases, goes past them. A raised
 * bound needs a reason. */
const MOST = { cases: 15_000, steps: 1_000_000_000 };
/** The library's own tests, and those from outside. */
const PROGRAMS = 2;

const folder = process.argv[2];
const sums = { cases: 0, steps: 0 };
const files = await readdir(folder).catch(() => []);
for (const file of files)
  for (const line of (await readFile(join(folder, file), "utf8")).trim().split("\n")) {
    const [what, number] = line.split(" ");
    sums[what] += Number(number);
  }

let failed = files.length < PROGRAMS;
if (failed) console.error(`${files.length} of ${PROGRAMS} test programs have left their counts in ${folder}`);
// Queries and programs from elsewhere take steps that are not the daily run's.
const { PROPTEST_CASES, CULDESAC_QUERIES, CULDESAC_CORPUS } = process.env;
const bounded = { cases: !PROPTEST_CASES, steps: !PROPTEST_CASES && !CULDESAC_QUERIES && !CULDESAC_CORPUS };
for (const [what, most] of Object.entries(MOST)) {
  const number = sums[what].toLocaleString("en");
  console.log(`${number} ${what} of at most ${most.toLocaleString("en")}`);
  if (!bounded[what] || sums[what] <= most) continue;
  failed = true;
  console.error(`The daily run has ${number} ${what}: fewer cases, or ./dev nightly.`);
}
process.exit(failed ? 1 : 0);
