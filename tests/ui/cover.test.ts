import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { verdictOfBranches } from "../../web/ui/analyses/background";
import { type BranchesRun, branchesRun } from "../../web/ui/analyses/branches/state";
import { cover } from "../../web/ui/analyses/cover";
import { type CoverRun, choose, coverRun, coverStatement, kinds, kindsOf, leadsToExit, margin } from "../../web/ui/analyses/cover/state";
import { marks as marksIn } from "../../web/ui/parts/marks";
import type { CoverDocument, CoverStatement } from "../../web/ui/protocol";
import { DEFAULTS } from "../../web/ui/state/settings";
import { known, pathInView, selected, settings, shownPath, text } from "../../web/ui/state/state";
import { cfgOf } from "./documents";

/** Line 2 decides between an assertion that fails and the exit; line 4 is dead. */
const cfg = cfgOf(["0>1 x := 1", "1>2 ?x > 1", "1>3 !x <= 1", "4>3 y := 1"], { exit: 3, error: 2 });

const place = { line: 1, column: 1, end_line: 1, end_column: 2, start: 0, end: 1 };
const statement = (edge: number, more: Partial<CoverStatement> = {}): CoverStatement => ({
  line: cfg.edges[edge]!.line,
  column: 1,
  text: cfg.edges[edge]!.label,
  expansion: null,
  edge,
  place,
  library: false,
  assumes: [],
  evidence: "e",
  because: [],
  excluded_by: { itself: false, all: [], either: [], some: [], operations: [], enclosing: [], values: [], facts: [], runs: null },
  reached_by: null,
  reached_edges: [],
  state: null,
  ...more,
});
const input = { nondet: [] } as never;
const document: CoverDocument = {
  schema: 1,
  program: "p",
  function: "f",
  chosen_because: null,
  ints: "unbounded",
  inline_depth: null,
  assumptions: [],
  crowded_lines: [],
  complete: true,
  statistics: cfg.statistics,
  diagnostics: [],
  refused: [],
  unwind: 1,
  algorithm: "sc",
  tests: [{ input, after: [], assumes: [], draws: [], blocks: [0], lines: [1, 3], lines_total: null, edges: [0, 2], beyond: false }],
  infeasible: [statement(3, { because: [{ line: 2, column: 1, text: "x > 1", expansion: null, edge: 1, in_another_call: false }] })],
  never_completes: [statement(1, { reached_by: input, reached_edges: [0, 1] })],
  not_within: [],
  open: [],
  errors: [
    {
      line: 2,
      column: 1,
      text: "x > 1",
      expansion: null,
      error: "a failed assertion",
      input,
      after: [],
      assumes: [],
      edge: 1,
      edges: [0, 1],
      lines: [1, 2],
      lines_total: null,
    },
  ],
  statements: 4,
  covered: 2,
  queries: 2,
  bounded: false,
  enough: null,
  summaries: null,
  reason: null,
} as CoverDocument;
const program = Text.of(["a", "b", "c", "d"]);
const asked = { unwind: 1, algorithm: "sc", summaries: false, precondition: null };
const run: CoverRun = {
  state: "done",
  text: program,
  cfg,
  asked,
  found: [],
  document,
  refused: [],
  limit: 1,
  progress: null,
  note: null,
  ms: 1,
  evidence: null,
};

test("every statement has one kind; before there is a document only tests that complete cover", () => {
  assert.deepEqual([...kindsOf(run).values()], ["covered", "never", "covered", "infeasible"]);
  const found = [
    { path: [0, 1], input },
    { path: [0, 2], input },
  ];
  assert.deepEqual([...kindsOf({ ...run, document: null, found }).keys()], [0, 2]);
});

test("only what the graph leads to the exit can complete", () => {
  assert.deepEqual(
    cfg.edges.map(({ id }) => leadsToExit(cfg, id)),
    [true, false, true, true],
  );
  const loop = cfgOf(["0>1 a", "1>1 b", "0>2 c"], { exit: 2 });
  assert.deepEqual(
    loop.edges.map(({ id }) => leadsToExit(loop, id)),
    [false, false, true],
  );
});

const marks = () => marksIn("cover", cover.pointed?.());

test("what is chosen is shown while it is of the program shown", () => {
  text.value = program;
  known.value = { cfg, text: program, asked: null, ints: null, inlineDepth: null, assume: null, target: null, ms: 1 };
  settings.value = { ...DEFAULTS, tab: "cover" };
  coverRun.value = run;
  assert.deepEqual(
    margin.value.map(({ line, signs }) => [line, signs.map(({ name }) => name).join()]),
    [
      [1, "covered"],
      [2, "never"],
      [3, "covered"],
      [4, "infeasible"],
    ],
  );
  choose("test", 0);
  assert.equal(pathInView.value?.title, "Test 1");
  assert.deepEqual([marks().path, marks().at], [[0, 2], 2]);
  choose("error", 0);
  assert.equal(pathInView.value?.ends, "a failed assertion");
  assert.equal(marks().dead, 1);
  choose("statement", 1);
  assert.deepEqual([pathInView.value?.title, marks().path, marks().at], ["Run to line 2", [0, 1], 1]);
  choose("statement", 3);
  assert.equal(pathInView.value, null);
  assert.deepEqual([marks().path, marks().at, marks().reason], [[], 3, [1]]);
  choose("statement", 3);
  assert.deepEqual([marks().at, marks().reason], [null, []]);
  choose("statement", 3);
  text.value = Text.of(["other"]);
  assert.equal(kinds.value, null);
  assert.deepEqual([marks().at, marks().reason], [null, []]);
});

test("an edge has the verdict of Branches: covered on the path of a test, infeasible by a proof, in the program shown", () => {
  text.value = program;
  known.value = { cfg, text: program, asked: null, ints: null, inlineDepth: null, assume: null, target: null, ms: 1 };
  const side = (verdict: string, edges: number[]) => ({ verdict, edges });
  branchesRun.value = {
    cfg,
    text: program,
    // Of two copies of a branch the test takes one.
    list: [side("covered", [1, 3]), side("infeasible", [2])],
    tests: [{ edges: [0, 1] }],
  } as unknown as BranchesRun;
  assert.deepEqual([0, 1, 2, 3].map(verdictOfBranches), ["covered", "covered", "infeasible", "open"]);
  text.value = Text.of(["other"]);
  assert.equal(verdictOfBranches(1), "open");
  branchesRun.value = null;
});

test("what is chosen in one tab is no other tab's", () => {
  text.value = program;
  settings.value = { ...DEFAULTS, tab: "cover" };
  coverRun.value = run;
  if (coverStatement.peek()) choose("statement", coverStatement.peek()!.edge);
  choose("test", 0);
  selected.value = { kind: "edge", id: 2 };
  settings.value = { ...DEFAULTS, tab: "graph" };
  assert.deepEqual([pathInView.value, selected.value, shownPath.value], [null, null, null]);
  assert.deepEqual([marksIn("graph").path, marksIn("graph").at, marksIn("graph").selected], [[], null, null]);
  selected.value = { kind: "node", id: 1 };
  assert.deepEqual([marks().path, marks().selected], [[0, 2], { kind: "edge", id: 2 }]);
  settings.value = { ...DEFAULTS, tab: "cover" };
  assert.deepEqual(
    [pathInView.value?.title, selected.value, marksIn("graph").selected],
    ["Test 1", { kind: "edge", id: 2 }, { kind: "node", id: 1 }],
  );
  // A new run has other tests.
  shownPath.in("graph").value = shownPath.value;
  cover.tasks?.[0]?.begins?.();
  assert.deepEqual([shownPath.in("cover").value, shownPath.in("graph").value], [null, null]);
});
