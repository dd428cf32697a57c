import assert from "node:assert/strict";
import { test } from "node:test";
import { closedSubtrees, type History, historyOf, Replay } from "../../web/ui/analyses/prune/history";
import { boxesOf, type RedBox, wordsOf } from "../../web/ui/analyses/prune/red-boxes";
import { type Laid, layOutBoxes } from "../../web/ui/analyses/prune/red-layout";
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

/** The boxes of a history, whose rows name their slots, and where they stand. */
function pictureOf(history: History, collapsed: number[] = [], exit = -1): { boxes: RedBox[]; laid: Laid } {
  const boxes = boxesOf(history, new Set(collapsed), (slot) => wordsOf(`to ${slot}`, 1, history.slots[slot]!.location === exit));
  return { boxes, laid: layOutBoxes(boxes, history.slots.length) };
}
const slotsOf = ({ boxes }: { boxes: RedBox[] }): number[][] => boxes.map(({ rows }) => rows.map(({ slot }) => slot));

test("a chain is a box, a refuted vertex a cross at the row that it leaves", () => {
  const picture = pictureOf(historyOf(STEPS));
  // 2 is unsatisfiable: 3 alone goes on from 1.
  assert.deepEqual(slotsOf(picture), [[0, 1, 3]]);
  assert.deepEqual(
    picture.boxes[0]!.rows.map(({ refuted }) => refuted),
    [[], [2], []],
  );
  const [row, cross] = [picture.laid.spots[1]!, picture.laid.spots[2]!];
  assert.ok(
    cross.x > row.x && cross.x + cross.width < row.x + row.width && cross.y >= row.y && cross.y + cross.height <= row.y + row.height,
  );
  assert.deepEqual(slotsOf(pictureOf(historyOf(STEPS), [1])), [[0, 1]]);
});

test("a loop that its own head subsumes stands in the head's box, a longer one and one that another vertex subsumes do not", () => {
  // 0 → 1; from 1 into the loop 2 → 3 and out to 4.
  const loop = (rounds: number): PruneStep[] => [
    added(0, null, null, 0),
    added(1, 0, 0, 1),
    added(2, 1, 1, 2),
    added(4, 1, 2, 9),
    ...Array.from({ length: rounds }, (_, i) => added(10 + i, i === 0 ? 2 : 9 + i, 3, 3)),
  ];
  const by = (steps: PruneStep[], vertex: number, by: number): History => historyOf([...steps, { step: "subsumed", vertex, by }]);
  const inside = pictureOf(by(loop(1), 10, 1), [], 9);
  assert.deepEqual(slotsOf(inside), [[0, 1, 2, 4, 3]]);
  assert.deepEqual(
    inside.boxes[0]!.rows.map(({ loop, exit }) => [loop, exit]),
    [
      [false, false],
      [false, false],
      [true, false],
      [true, false],
      [false, true],
    ],
  );
  assert.equal(slotsOf(pictureOf(by(loop(1), 10, 0))).length, 3);
  assert.equal(slotsOf(pictureOf(by(loop(6), 15, 1))).length, 3);
});

test("no branch crosses another or runs through a box, and no two boxes overlap", () => {
  let seed = 3;
  const next = (below: number): number => (seed = (seed * 16807) % 2147483647) % below;
  for (let tree = 0; tree < 40; tree++) {
    const parents = Array.from({ length: 60 }, (_, i) => (i === 0 ? null : Math.max(0, i - 1 - next(6))));
    const steps = parents.map((parent, i) => added(i, parent, i, i));
    // Some are refuted, some subsumed.
    const settled = parents.flatMap((_, i): PruneStep[] => {
      const kind = next(5);
      return kind === 0 && i > 0
        ? [{ step: "unsatisfiable", vertex: i }]
        : kind === 1 && i > 0
          ? [{ step: "subsumed", vertex: i, by: next(i) }]
          : [];
    });
    const { boxes, laid } = pictureOf(historyOf([...steps, ...settled]));
    const drawn = laid.boxes.map(({ x, y, width, height }, i) => ({
      name: String(i),
      left: x,
      right: x + width,
      top: y,
      bottom: y + height,
    }));
    const parentOf = new Map(boxes.flatMap(({ children }, at) => children.map((child) => [child, at])));
    const lines = laid.branches.flatMap((points, at) => {
      const level = points.length > 0 && points[1]!.y === points[2]!.y;
      const from = parentOf.get(at)!;
      return points.length > 0 ? [{ name: `${from} to ${at}`, from, holds: null, points: level ? [points[0]!, points[3]!] : points }] : [];
    });
    assert.equal(lines.length, boxes.length - 1);
    assert.deepEqual(overlaps(drawn), [], `tree ${tree}`);
    assert.deepEqual(throughBoxes(lines, drawn), [], `tree ${tree}`);
    assert.equal(crossings(lines), 0, `tree ${tree}`);
    // Each vertex has a place, within its box.
    assert.ok(laid.spots.every((spot) => spot !== null));
    for (const [at, { rows }] of boxes.entries())
      for (const slot of rows.flatMap(({ slot, refuted }) => [slot, ...refuted])) {
        const [inner, outer] = [laid.spots[slot]!, laid.boxes[at]!];
        assert.ok(inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width, `${slot} of tree ${tree}`);
        assert.ok(inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height, `${slot} of tree ${tree}`);
      }
  }
});

test("two thousand vertices and a long path are laid out as well", () => {
  // A fixed sequence of pseudo-random parents.
  let seed = 7;
  const steps = Array.from({ length: 2000 }, (_, i) => added(i, i === 0 ? null : (seed = (seed * 16807) % 2147483647) % i, i, i));
  const started = performance.now();
  const { laid } = pictureOf(historyOf(steps));
  console.log(`2,000 vertices laid out: ${Math.round(performance.now() - started)} ms`);
  assert.equal(new Set(laid.spots.map((spot) => `${spot!.x} ${spot!.y}`)).size, 2000);
  const path = pictureOf(historyOf(Array.from({ length: 5_000 }, (_, i) => added(i, i === 0 ? null : i - 1, i, i))));
  assert.ok(path.boxes.every(({ rows }) => rows.length <= 24) && path.laid.boxes.every(({ y }) => y === 0));
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
