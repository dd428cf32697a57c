import assert from "node:assert/strict";
import { test } from "node:test";
import { closedSubtrees, type History, historyOf, Replay } from "../../web/ui/analyses/prune/history";
import { COLUMN, layOutSlots, RADIUS } from "../../web/ui/analyses/prune/red-layout";
import { namer, sentence } from "../../web/ui/analyses/prune/sentence";
import type { PruneStep } from "../../web/ui/protocol";
import { crossings, overlaps, throughBoxes } from "../browser/drawing.mjs";

const added = (vertex: number, parent: number | null, edge: number | null, location: number, index = 0): PruneStep => ({
  step: "added",
  vertex,
  location,
  index,
  parent,
  edge,
});

/** 0 → 1 → {2, 3}; 3 is subsumed by 1; then everything below 1 is destroyed and unfolded anew. */
const STEPS: PruneStep[] = [
  added(0, null, null, 0),
  added(1, 0, 0, 1),
  added(2, 1, 1, 2),
  added(3, 1, 2, 1, 1),
  { step: "unsatisfiable", vertex: 2 },
  { step: "abstracted", vertex: 1, subsumee: 3, forgotten: ["x = 0"], kept: [] },
  { step: "subsumed", vertex: 3, by: 1 },
  { step: "refined", vertex: 1, condition: "x > 0", path: [0, 1, 2] },
  { step: "destroyed", vertex: 1, vertices: [2, 3] },
  { step: "restarted", vertex: 1 },
  added(4, 1, 1, 2, 1),
  added(5, 1, 2, 1, 2),
];

const standing = (history: History, count: number) => new Replay(history).at(count);

test("vertices that are unfolded anew take the places of the destroyed ones", () => {
  const history = historyOf(STEPS);
  assert.equal(history.slots.length, 4);
  assert.deepEqual(
    [2, 3].map((v) => history.slotOf.get(v)),
    [4, 5].map((v) => history.slotOf.get(v)),
  );
});

test("each step shows the graph as it was then", () => {
  const history = historyOf(STEPS);
  assert.equal(standing(history, 0).size, 0);
  const subsumed = standing(history, 7);
  assert.deepEqual([subsumed.get(2)!.unsatisfiable, subsumed.get(3)!.subsumedBy, subsumed.get(1)!.abstracted.length], [true, 1, 1]);
  assert.deepEqual([...closedSubtrees(history, subsumed, 9)], [[0, 3]]);
  const destroyed = standing(history, 10);
  assert.deepEqual([[...destroyed.keys()], destroyed.get(1)!.abstracted, destroyed.get(1)!.limits], [[0, 1], [], ["x > 0"]]);
  assert.deepEqual([...standing(history, 12).keys()], [0, 1, 4, 5]);
});

test("going on from a snapshot gives what going through all steps gives, and leaves the snapshot as it was", () => {
  const history = historyOf(STEPS);
  const replay = new Replay(history, 3);
  for (const count of [12, 7, 10, 3, 8, 12, 0, 7]) assert.deepEqual(replay.at(count), standing(history, count), String(count));
});

test("of a graph too large to be drawn, the first steps are kept whole", () => {
  const history = historyOf(STEPS, 3);
  assert.deepEqual([history.slots.length, history.steps.length], [3, 3]);
  assert.equal(historyOf(STEPS, 4).steps.length, STEPS.length);
});

test("an abstraction that is carried on is noted where it arrives", () => {
  const history = historyOf([...STEPS.slice(0, 7), { step: "propagated", vertex: 1, vertices: [2, 3] }]);
  const living = standing(history, 8);
  assert.deepEqual(
    [1, 2, 3].map((vertex) => living.get(vertex)!.carried),
    [[], [1], [1]],
  );
});

test("the layout gives each vertex a place of its own, in its depth's column", () => {
  // A fixed sequence of pseudo-random parents.
  let seed = 7;
  const steps = Array.from({ length: 2000 }, (_, i) => added(i, i === 0 ? null : (seed = (seed * 16807) % 2147483647) % i, i, i));
  const { slots } = historyOf(steps);
  const started = performance.now();
  const spots = layOutSlots(slots, new Set());
  console.log(`2,000 vertices laid out: ${Math.round(performance.now() - started)} ms`);
  assert.equal(new Set(spots.map((spot) => `${spot!.x} ${spot!.y}`)).size, 2000);
  for (const { id, parent } of slots) if (parent !== null) assert.ok(spots[id]!.x > spots[parent]!.x && spots[id]!.y >= spots[parent]!.y);
  const folded = layOutSlots(slots, new Set([slots[0]!.children[0]!]));
  assert.ok(folded.filter((spot) => spot === null).length > 0);
});

test("no branch crosses another or runs through a vertex, and no two vertices overlap", () => {
  let seed = 3;
  const next = (below: number): number => (seed = (seed * 16807) % 2147483647) % below;
  for (let tree = 0; tree < 40; tree++) {
    const parents = Array.from({ length: 60 }, (_, i) => (i === 0 ? null : Math.max(0, i - 1 - next(6))));
    const { slots } = historyOf(parents.map((parent, i) => added(i, parent, i, i)));
    const spots = layOutSlots(slots, new Set());
    const boxes = spots.map((spot, i) => ({
      name: String(i),
      left: spot!.x - RADIUS,
      right: spot!.x + RADIUS,
      top: spot!.y - RADIUS,
      bottom: spot!.y + RADIUS,
    }));
    const lines = slots.flatMap(({ id, parent }) => {
      if (parent === null) return [];
      // Level parts stand as H, upright ones as V.
      const [from, to] = [spots[parent]!, spots[id]!];
      const gap = to.x - COLUMN / 2;
      const corners = [
        { x: from.x + RADIUS, y: from.y },
        { x: gap, y: from.y },
        { x: gap, y: to.y },
        { x: to.x - RADIUS, y: to.y },
      ];
      return [{ name: `${parent} to ${id}`, from: parent, holds: null, points: from.y === to.y ? [corners[0]!, corners[3]!] : corners }];
    });
    assert.deepEqual(overlaps(boxes), [], `tree ${tree}`);
    assert.deepEqual(throughBoxes(lines, boxes), [], `tree ${tree}`);
    assert.equal(crossings(lines), 0, `tree ${tree}`);
  }
});

test("a long path is laid out as well", () => {
  const steps = Array.from({ length: 20_000 }, (_, i) => added(i, i === 0 ? null : i - 1, i, i));
  const spots = layOutSlots(historyOf(steps).slots, new Set());
  assert.ok(spots.every((spot) => spot!.y === 0));
});

test("every step has a sentence", () => {
  const name = namer(historyOf(STEPS));
  const label = (edge: number): string => `x = ${edge}`;
  for (const step of [
    ...STEPS,
    { step: "anew", lookahead: 2, restarts: false, max_red_length: null, smaller: false },
    { step: "anew", lookahead: 2, restarts: true, max_red_length: 40, smaller: true },
    { step: "halted", vertex: 4 },
  ] as PruneStep[])
    assert.match(sentence(step, name, label), /^.{10,}\.$/);
  assert.equal(sentence(STEPS[1]!, name, label), "Unfolding: edge 0, x = 0, leads from 0·0 to the new red vertex 1·0.");
  assert.equal(sentence(STEPS[6]!, name, label), "Subsumption: 1·1 is subsumed by 1·0, which has all its states; it is not unfolded.");
});
