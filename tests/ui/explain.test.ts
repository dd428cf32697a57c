import assert from "node:assert/strict";
import { test } from "node:test";
import { asWritten, automatonPicture, letter, walk } from "../../web/ui/explain/automaton";
import { nodeName } from "../../web/ui/graph/draw";
import { roundNumbers } from "../../web/ui/panes/log-chart";
import type { ExplainAutomaton } from "../../web/ui/protocol";
import { DEFAULTS, readSettings } from "../../web/ui/settings";
import { cfgOf } from "./documents";

/** Edge 0, then any number of edges 1, then edge 2. */
const LOOP: ExplainAutomaton = { states: 3, initial: 0, accepting: [2], transitions: [[0, 0, 1], [1, 1, 1], [1, 2, 2]], locations: [0, 1, 2] };

test("a path is walked to the accepting state, and no farther", () => {
  assert.deepEqual(walk(LOOP, [0, 1, 1, 2, 7, 8]), { states: [0, 1, 1, 1, 2], transitions: [0, 1, 1, 2], accepted: 4, stuck: false });
  assert.deepEqual(walk(LOOP, [0, 1]), { states: [0, 1, 1], transitions: [0, 1], accepted: null, stuck: false });
  assert.deepEqual(walk(LOOP, [0, 5, 2]), { states: [0, 1], transitions: [0], accepted: null, stuck: true });
  assert.deepEqual(walk({ ...LOOP, accepting: [0] }, [5]), { states: [0], transitions: [], accepted: 0, stuck: false });
  assert.deepEqual(walk(LOOP, []), { states: [0], transitions: [], accepted: null, stuck: false });
});

test("a single bound is written with the sign of the program's text, and stays the same for whole numbers", () => {
  assert.equal(asWritten("3 <= x", "i < a"), "2 < x");
  assert.equal(asWritten("x <= 1", "x < 2"), "x < 2");
  assert.equal(asWritten("x <= -1", "x < 0"), "x < 0");
  assert.equal(asWritten("-9007199254740993 <= x", "x > y"), "-9007199254740994 < x");
  assert.equal(asWritten("a[0] <= 4", "a[i] < e"), "a[0] < 5");
  for (const text of ["x >= 0", "x <= 0", "x == 0", "x != y", "y", "x >> 1 == 2", "p->n == 1"]) assert.equal(asWritten("0 <= x", text), "0 <= x", text);
  assert.equal(asWritten("false", "i < 4"), "i < 4");
  for (const condition of ["x + 1 <= y", "1 <= x ∧ x <= 2", "x != 0", "never"]) assert.equal(asWritten(condition, "x < y"), condition);
});

test("an automaton is drawn with its states, not with locations", () => {
  const cfg = cfgOf(["0>1 x := 0", "1>1 ?x > 0", "1>2 !x <= 0"]);
  const picture = automatonPicture(LOOP, cfg);
  assert.deepEqual(picture.nodes.map(nodeName), ["State 0, initial, at location 0", "State 1, at location 1", "State 2, accepting, at location 2"]);
  assert.deepEqual(picture.edges.map(({ id, from, to }) => [id, from, to]), LOOP.transitions.map(([from, , to], id) => [id, from, to]));
  assert.deepEqual(cfg.edges.map(letter).map((word) => word.replace(/\d+/, "")), ["", "t", "f"]);
});

test("round numbers for an axis", () => {
  assert.deepEqual(roundNumbers(0, 10), [0, 5, 10]);
  assert.deepEqual(roundNumbers(8, 49), [20, 40]);
  assert.deepEqual(roundNumbers(3, 3), [3]);
});

test("settings of Explain come back from a link, odd ones do not", () => {
  const explain = { maxInstructions: 80, order: "all", check: "interval", extend: "any_way", rounds: { length: 60, pruned: true } };
  assert.deepEqual(readSettings({ explain }).explain, explain);
  assert.deepEqual(readSettings({ explain: { maxInstructions: 0, order: "best", check: 1, rounds: { length: -1, pruned: "yes" } } }).explain, DEFAULTS.explain);
  assert.deepEqual(readSettings({}).explain, DEFAULTS.explain);
});
