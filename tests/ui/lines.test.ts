import assert from "node:assert/strict";
import { test } from "node:test";
import type { Verdict } from "../../web/ui/text/headline";
import { deadEdgesOf, edgesOf, lineVerdicts } from "../../web/ui/text/line-marks";
import { type Findable, groupsOf, PAPERS } from "../../web/ui/text/papers";
import { cfgOf } from "./documents";

/** Two sides of a decision on line 1; the first passes lines 7 and 8, the second line 8. */
function decided() {
  const cfg = cfgOf(["0>1 ?x > 0", "0>1 !x <= 0", "1>2 y = 1"]);
  Object.assign(cfg.edges[0]!, { line: 1, passes: [7, 8] });
  Object.assign(cfg.edges[1]!, { line: 1, passes: [8] });
  Object.assign(cfg.edges[2]!, { line: 3, place: { ...cfg.edges[2]!.place, start: 5, end: 6 } });
  return { ...cfg, entry_passes: [2] };
}

const shown = (known: Record<number, Verdict>, failing: number[] = []) =>
  lineVerdicts(decided(), new Map(Object.entries(known).map(([edge, verdict]) => [Number(edge), verdict])), new Set(failing)).map(
    ({ line, found, fails }) => `${line} ${[...found].sort().join(" ")}${fails ? " fails" : ""}`,
  );

test("a line has the verdicts of its branches, and of what is executed on the way", () => {
  assert.deepEqual(shown({ 0: "never", 1: "runs", 2: "runs" }), ["1 never runs", "2 runs", "3 runs", "7 never", "8 runs"]);
  assert.deepEqual(shown({ 1: "never", 2: "open" }, [3]), ["1 never open", "2 runs", "3 open fails", "7 open", "8 open"]);
});

test("a line to which no path leads never runs, unless something else stands on it", () => {
  const found = lineVerdicts(decided(), new Map([[2, "runs" as Verdict]]), new Set(), [3, 5]);
  assert.deepEqual(
    found.map(({ line, found }) => `${line} ${[...found].join(" ")}`).filter((text) => /^[35]/.test(text)),
    ["3 runs", "5 never"],
  );
});

test("copies of a statement count together: one that runs is enough", () => {
  const cfg = cfgOf(["0>1 x = 1", "1>2 x = 1"]);
  for (const edge of cfg.edges) Object.assign(edge, { line: 4, place: cfg.edges[0]!.place });
  const found = lineVerdicts(
    cfg,
    new Map([
      [0, "never"],
      [1, "runs"],
    ]),
    new Set(),
  );
  assert.deepEqual([...found[0]!.found], ["runs"]);
  assert.deepEqual(
    deadEdgesOf(
      cfg,
      new Map([
        [0, "never"],
        [1, "runs"],
      ]),
      4,
    ),
    [],
  );
  assert.deepEqual(
    deadEdgesOf(
      cfg,
      new Map([
        [0, "never"],
        [1, "never"],
      ]),
      4,
    ),
    [0, 1],
  );
});

test("what a library does is at no line of its own", () => {
  const cfg = cfgOf(["0>1 x = 1"]);
  Object.assign(cfg.edges[0]!, { library: true, passes: [9] });
  assert.deepEqual(
    lineVerdicts(cfg, new Map(), new Set()).map(({ line }) => line),
    [9],
  );
  assert.deepEqual([edgesOf(cfg, 1), edgesOf(cfg, 9)], [[], [0]]);
});

const EXAMPLES: Findable[] = [
  { name: "f2", title: "A product", lookAt: "", paper: "DBG10" },
  { name: "merge", title: "Merging two sorted arrays", lookAt: "Three loops", paper: "AGVW16" },
  { name: "leap_year", title: "Leap years", lookAt: "", paper: "" },
];
const foundBy = (search: string): string[] => groupsOf(EXAMPLES, search).flatMap(({ examples }) => examples.map(({ name }) => name));

test("examples are found by name, title, paper, author and method", () => {
  assert.deepEqual(foundBy(""), ["leap_year", "merge", "f2"]);
  for (const search of ["f2", "delahaye", "Gotlieb", "DBG10", "explain"]) assert.deepEqual(foundBy(search), ["f2"], search);
  assert.deepEqual(foundBy("three MERGING"), ["merge"]);
  assert.deepEqual(foundBy("Strejcek"), []);
  assert.deepEqual(foundBy("nothing of this"), []);
});

test("each example is of a paper that is told, or of none", async () => {
  // @ts-expect-error a build script without types
  const { readExamples } = await import("../../scripts/examples.mjs");
  const all: Findable[] = await readExamples("examples");
  const keys = ["", ...PAPERS.map(({ key }) => key)];
  assert.deepEqual(
    all.filter(({ paper }) => !keys.includes(paper)),
    [],
  );
  assert.equal(groupsOf(all, "").length, keys.length);
  assert.equal(groupsOf(all, "").flatMap(({ examples }) => examples).length, all.length);
  assert.deepEqual(
    groupsOf(all, "Strejcek").map(({ paper }) => paper?.key),
    ["ST12"],
  );
});
