import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { asWritten, automatonPicture, letter, walk } from "../../web/ui/analyses/explain/automaton";
import { Builder } from "../../web/ui/analyses/explain/state";
import { nodeName } from "../../web/ui/graph/draw";
import { roundNumbers } from "../../web/ui/parts/log-chart";
import type { CfgDocument, ExplainAutomaton } from "../../web/ui/protocol";
import { readAll, usual } from "../../web/ui/session/all-settings";
import { known } from "../../web/ui/state/state";
import { cfgOf } from "./documents";

/** Edge 0, then any number of edges 1, then edge 2. */
const LOOP: ExplainAutomaton = {
  states: 3,
  initial: 0,
  accepting: [2],
  transitions: [
    [0, 0, 1],
    [1, 1, 1],
    [1, 2, 2],
  ],
  locations: [0, 1, 2],
};

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
  for (const text of ["x >= 0", "x <= 0", "x == 0", "x != y", "y", "x >> 1 == 2", "p->n == 1"])
    assert.equal(asWritten("0 <= x", text), "0 <= x", text);
  assert.equal(asWritten("false", "i < 4"), "i < 4");
  for (const condition of ["x + 1 <= y", "1 <= x ∧ x <= 2", "x != 0", "never"]) assert.equal(asWritten(condition, "x < y"), condition);
});

test("an automaton is drawn with its states, not with locations", () => {
  const cfg = cfgOf(["0>1 x := 0", "1>1 ?x > 0", "1>2 !x <= 0"]);
  const picture = automatonPicture(LOOP, cfg);
  assert.deepEqual(picture.nodes.map(nodeName), [
    "State 0, initial, at location 0",
    "State 1, at location 1",
    "State 2, accepting, at location 2",
  ]);
  assert.deepEqual(
    picture.edges.map(({ id, from, to }) => [id, from, to]),
    LOOP.transitions.map(([from, , to], id) => [id, from, to]),
  );
  assert.deepEqual(
    cfg.edges.map(letter).map((word) => word.replace(/\d+/, "")),
    ["", "t", "f"],
  );
});

test("round numbers for an axis", () => {
  assert.deepEqual(roundNumbers(0, 10), [0, 5, 10]);
  assert.deepEqual(roundNumbers(8, 49), [20, 40]);
  assert.deepEqual(roundNumbers(3, 3), [3]);
});

test("settings of Explain come back from a link, odd ones do not", () => {
  const explain = { maxInstructions: 80, order: "all", check: "interval", extend: "any_way", rounds: { length: 60, pruned: true } };
  assert.deepEqual(readAll({ explain }).explain, explain);
  assert.deepEqual(
    readAll({ explain: { maxInstructions: 0, order: "best", check: 1, rounds: { length: -1, pruned: "yes" } } }).explain,
    usual().explain,
  );
  assert.deepEqual(readAll({}).explain, usual().explain);
});

const show = (cfg: CfgDocument): void => {
  known.value = { cfg, text: Text.of([""]), asked: null, ints: null, inlineDepth: null, assume: null, target: null, ms: 0 };
};

test("a path that is built goes with its program, and comes back with it", () => {
  const before = cfgOf(["0>1 a := 0", "1>2 ?a < n", "1>4 !a >= n", "2>1 a := a + 1"]);
  show(before);
  const path = new Builder();
  assert.ok(path.add(1));
  assert.ok(path.add(3));
  assert.ok(path.add(2));
  assert.deepEqual([path.edges.value, path.end.value], [[0, 1, 3, 2], 4]);
  // Another constant, another name: the same path.
  show(cfgOf(["0>1 b := 7", "1>2 ?b < n", "1>4 !b >= n", "2>1 b := b + 2"]));
  assert.deepEqual(path.edges.value, [0, 1, 3, 2]);
  // A loop that is gone: no path, though some numbers are still edges.
  show(cfgOf(["0>1 a := 0", "1>2 ?a < n", "1>4 !a >= n"]));
  assert.deepEqual([path.edges.value, path.end.value], [[], 0]);
  assert.deepEqual(
    path.next.value.map((edge) => edge.id),
    [1, 2],
  );
  show(before);
  assert.deepEqual(path.edges.value, [0, 1, 3, 2]);
  // The other program begins anew.
  show(cfgOf(["0>1 a := 0", "1>2 ?a < n", "1>4 !a >= n"]));
  assert.ok(path.add(1));
  assert.deepEqual(path.edges.value, [0, 1]);
  show(before);
  assert.deepEqual(path.edges.value, [0, 1]);
});

test("numbers of edges that happen to be a path of another program are not the path that was built", () => {
  const before = cfgOf(["0>1 a := 0", "1>2 ?a < n", "1>3 !a >= n", "2>3 a := 1"]);
  show(before);
  const path = new Builder();
  path.set([0, 1, 3]);
  // The sides have changed places.
  show(cfgOf(["0>1 a := 0", "1>2 !a >= n", "1>3 ?a < n", "2>3 a := 1"]));
  assert.deepEqual(path.edges.value, []);
  // A decision stands where an assignment stood.
  show(cfgOf(["0>1 a := 0", "1>2 ?a < n", "1>3 !a >= n", "2>3 ?a < 1"]));
  assert.deepEqual(path.edges.value, []);
  // Another function of much the same text.
  show({ ...before, function: "g" });
  assert.deepEqual(path.edges.value, []);
  show(before);
  assert.deepEqual(path.edges.value, [0, 1, 3]);
  // Going on in a program of which it is still a path makes it that program's path.
  const renamed = cfgOf(["0>1 b := 0", "1>2 ?b < n", "1>3 !b >= n", "2>3 b := 1", "3>4 b := 2"]);
  show(renamed);
  assert.ok(path.add(4));
  assert.deepEqual(path.edges.value, [0, 1, 3, 4]);
  path.undo();
  show(before);
  assert.deepEqual(path.edges.value, [0, 1, 3]);
});

test("what can follow in a graph that changes is never an edge of the last one", () => {
  show(cfgOf(["0>1 a := 0", "1>2 ?a < n", "1>3 !a >= n", "2>1 a := 1"]));
  const path = new Builder();
  path.set([0, 1, 3]);
  show(cfgOf(["0>1 a := 0", "1>2 a := 2"]));
  assert.equal(path.add(3), false);
  assert.deepEqual(path.edges.value, []);
  path.undo();
  assert.deepEqual(path.edges.value, []);
  known.value = null;
  assert.deepEqual([path.edges.value, path.end.value, path.next.value, path.add(0)], [[], null, [], false]);
});
