import assert from "node:assert/strict";
import { test } from "node:test";
import { edgeOf, modelAt, runOf } from "../../web/ui/analyses/branches/work";
import { sentence } from "../../web/ui/analyses/branches/work-sentence";
import type { BranchesDid, BranchesStep } from "../../web/ui/protocol";
import { cfgOf } from "./documents";

/** x > 0 sets y, y > 1 returns from 3; nobody gets to x < 0 behind. */
const CFG = cfgOf(["0>1 ?x > 0", "0>2 !x <= 0", "1>2 y := x", "2>3 ?y > 1", "2>4 !y <= 1", "4>3 ?y > 1 + 1", "4>5 !y <= 2"]);

const step = (did: BranchesDid, changes: Partial<BranchesStep> = {}): BranchesStep => ({
  did,
  iteration: 0,
  reached: [],
  taken: [],
  wanted: [],
  removed: [],
  touched: [],
  joined: [],
  left: [],
  ...changes,
});
const target = (state: number, location: number, edge: number) => ({
  state,
  location,
  condition: "true",
  target: edge,
  way: null,
  to: null,
});

const STEPS: BranchesStep[] = [
  step({ kind: "run", run: 0, origin: { from: "zeros" }, edges: [1, 4, 6] }, { reached: [0, 2, 4, 5], taken: [1, 4, 6] }),
  step(
    { kind: "targets" },
    {
      wanted: [target(0, 1, 0), target(1, 3, 3), target(2, 3, 5)],
      joined: [
        { gap: 0, edge: 0, to: 0 },
        { gap: 1, edge: 3, to: 1 },
        { gap: 2, edge: 5, to: 2 },
      ],
    },
  ),
  step(
    { kind: "backward", edge: 3, to: 1, state: 3, exact: false },
    {
      iteration: 1,
      wanted: [{ state: 3, location: 2, condition: "2 <= y", target: 3, way: 3, to: 1 }],
      left: [1],
      joined: [{ gap: 3, edge: 1, to: 3 }],
    },
  ),
  step(
    { kind: "run", run: 1, origin: { from: "diverted", edge: 0, to: 0 }, edges: [0, 2, 3] },
    { iteration: 2, reached: [1, 3], taken: [0, 2, 3], joined: [{ gap: 4, edge: 2, to: 3 }] },
  ),
  step({ kind: "coarsened" }, { iteration: 2, removed: [0, 1, 3], left: [0, 3, 4] }),
  step({ kind: "gone", edge: 5, to: 2, before: "y <= 1 && 2 <= y", why: { is: "contradiction", known: [] } }, { iteration: 3, left: [2] }),
  step({ kind: "proved", edge: 5, states: [2] }, { iteration: 3 }),
  step({ kind: "excluded", edges: [5] }, { iteration: 3, removed: [2] }),
];

const at = (count: number) => {
  const { reached, taken, excluded, wanted, frontier } = modelAt(STEPS, count);
  return [[...reached], [...taken], [...excluded], [...wanted.keys()], [...frontier.keys()]].map((all) => all.sort().join(" "));
};

test("each step shows the model as it was then", () => {
  assert.deepEqual(at(0), ["", "", "", "", ""]);
  assert.deepEqual(at(2), ["0 2 4 5", "1 4 6", "", "0 1 2", "0 1 2"]);
  assert.deepEqual(at(3), ["0 2 4 5", "1 4 6", "", "0 1 2 3", "0 2 3"]);
  assert.deepEqual(at(4)[4], "0 2 3 4");
  assert.deepEqual(at(8), ["0 1 2 3 4 5", "0 1 2 3 4 6", "5", "", ""]);
});

test("what a run satisfies without taking the branch is noted", () => {
  const touching = step({ kind: "run", run: 1, origin: { from: "found" }, edges: [1] }, { touched: [1] });
  const { wanted } = modelAt([...STEPS.slice(0, 2), touching], 3);
  assert.deepEqual(
    [...wanted.values()].map(({ touched }) => touched),
    [false, true, false],
  );
  assert.equal(modelAt(STEPS, 2).wanted.get(1)!.touched, false);
  assert.equal(
    sentence(touching, modelAt(STEPS, 2), CFG),
    "Run 2, on the input that was found, takes nothing new. It satisfies 1 wanted state and goes another way: that condition says too little.",
  );
});

test("the graph shows a step's edge, and a run's path up to what follows on it", () => {
  assert.deepEqual(STEPS.map(edgeOf), [null, null, 3, 0, null, 5, 5, 5]);
  assert.deepEqual(
    STEPS.map((_, number) => runOf(STEPS, number).join(" ")),
    ["1 4 6", "1 4 6", "", "0 2 3", "0 2 3", "", "", ""],
  );
});

test("each step is a sentence", () => {
  assert.deepEqual(
    STEPS.map((step, number) => sentence(step, modelAt(STEPS, number), CFG)),
    [
      "Run 1, on zeros, reaches 4 locations and takes 3 edges for the first time.",
      "Wanted from now on, as the run passes by: line 1 `x > 0`, line 4 `y > 1`, line 6 `y > 1 + 1`.",
      "Backward: `2 <= y` is wanted before line 4 `y > 1`. It is an over-approximation.",
      "Forward: a known run is diverted along line 1 `x > 0`. That is run 2, which reaches 2 locations and takes 3 edges for the first time.",
      "Coarsening: the run takes line 1 `x > 0`, line 4 `y > 1`, so 3 wanted states go.",
      "The frontier edge is gone: to take line 6 `y > 1 + 1`, `y <= 1 && 2 <= y` would be needed, which contradicts itself.",
      "No frontier edge is left on the way to line 6 `y > 1 + 1`: no execution satisfies the condition wanted there. Negated, it is an invariant.",
      "Proved infeasible: no execution takes line 6 `y > 1 + 1`. Coarsening: 1 wanted state goes.",
    ],
  );
  const asked = (inputs: number, shown: number, effort: number) =>
    sentence(step({ kind: "asked", who: "cover", effort, inputs, shown }), modelAt([], 0), CFG);
  assert.equal(asked(2, 1, 0), "Cover is asked for what is left: 2 inputs and 1 thing that holds of every execution.");
  assert.equal(asked(0, 0, 2), "Cover is asked for what is left, with more effort (2): nothing.");
});
