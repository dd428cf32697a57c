import assert from "node:assert/strict";
import { test } from "node:test";
import { comparable, csvOf, runsOf, tally } from "../../web/ui/analyses/cover/compare";
import { compareChoice } from "../../web/ui/analyses/cover/settings";
import { roundNumbers, spread } from "../../web/ui/parts/log-chart";
import type { ComparedRun } from "../../web/ui/protocol";
import { readSettings, Untrusted } from "../../web/ui/state/settings";

const run = (diamonds: number, seed: number, algorithm: string, queries: number, time_us = 100, complete = true): ComparedRun => ({
  diamonds,
  seed,
  algorithm,
  queries,
  tests: queries - 1,
  time_us,
  complete,
});

test("only programs that every algorithm has covered are compared", () => {
  const runs = [run(2, 0, "sc", 5), run(2, 0, "fm", 8), run(2, 1, "sc", 4), run(2, 1, "fm", 8), run(3, 0, "sc", 7)];
  assert.deepEqual(comparable(runs, 2), runs.slice(0, 4));
  assert.deepEqual(comparable(runs.slice(0, 1), 2), []);
  assert.equal(runsOf({ least: 2, most: 9, programs: 10, algorithms: ["sc", "fm"] }), 160);
});

test("runs are added up by size, with the least and the most", () => {
  const runs = [run(2, 0, "sc", 5, 100), run(2, 1, "sc", 7, 300, false), run(3, 0, "sc", 9, 50), run(2, 0, "fm", 8)];
  const of = tally(runs, "sc", 2);
  assert.deepEqual([of?.programs, of?.queries, of?.tests, of?.us, of?.open], [2, 12, 10, 400, 1]);
  assert.deepEqual([of?.queriesFrom, of?.queriesTo, of?.usFrom, of?.usTo], [5, 7, 100, 300]);
  assert.equal(tally(runs, "sc")?.programs, 3);
  assert.equal(tally(runs, "vstte"), null);
  assert.equal(
    csvOf(runs.slice(0, 2)),
    "diamonds,seed,algorithm,queries,tests,time_us,complete\n2,0,sc,5,4,100,true\n2,1,sc,7,6,300,false\n",
  );
});

test("of few numbers all stand at the axis, of many some", () => {
  assert.deepEqual(roundNumbers(2, 9), [2, 3, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual(roundNumbers(4, 4), [4]);
  assert.deepEqual(roundNumbers(0, 50), [0, 20, 40]);
});

test("names are moved apart, and stay above the ground", () => {
  assert.deepEqual(spread([10, 60, 100], 13, 200), [10, 60, 100]);
  assert.deepEqual(spread([50, 40, 45], 13, 200), [66, 40, 53]);
  const low = spread([198, 199, 200], 13, 200);
  assert.deepEqual(low, [174, 187, 200]);
});

test("what a link asks to compare is checked field by field", () => {
  const read = (compare: unknown) => compareChoice.read(new Untrusted(compare), compareChoice.defaults);
  assert.deepEqual(read({ shown: true, least: 3, most: 5, programs: 7, seed: 11, algorithms: ["prefer", "sc", "best"] }), {
    shown: true,
    least: 3,
    most: 5,
    programs: 7,
    seed: 11,
    algorithms: ["sc", "prefer"],
  });
  assert.deepEqual(read({ shown: 1, least: 0, most: 99, programs: 1e9, seed: -1, algorithms: [] }), compareChoice.defaults);
  assert.deepEqual([read({ least: 8, most: 3 }).least, read({ least: 8, most: 3 }).most], [3, 8]);
  assert.deepEqual(
    [
      readSettings({ inlineDepth: 3 }, []).inlineDepth,
      readSettings({ inlineDepth: -2 }, []).inlineDepth,
      readSettings({ inlineDepth: "5" }, []).inlineDepth,
      readSettings({}, []).inlineDepth,
    ],
    [3, null, null, null],
  );
});
