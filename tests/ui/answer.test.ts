import assert from "node:assert/strict";
import { test } from "node:test";
import type { BranchesSide, CfgDocument, CoverDocument, CoverStatement, PathsDocument, PathsRow } from "../../web/ui/protocol";
import type { Sentence } from "../../web/ui/text/headline";
import {
  answerLength,
  branches,
  branchSentences,
  chosenSentence,
  longest,
  pathSentences,
  type Sources,
  shortest,
  statements,
  verdicts,
} from "../../web/ui/text/headline";

interface Edge {
  from: number;
  to: number;
  /** Where it stands in the text; edges of one place are copies of one another. */
  at: number;
  holds?: boolean;
}

function cfgOf(edges: Edge[], more: Partial<CfgDocument> = {}): CfgDocument {
  return {
    edges: edges.map(({ from, to, at, holds = null }, id) => ({
      id,
      from,
      to,
      kind: holds === null ? "assign" : "assume",
      label: `e${at}`,
      line: at,
      column: 1,
      place: { line: at, column: 1, end_line: at, end_column: 2, start: at, end: at + 1 },
      holds,
      library: false,
      passes: [],
    })),
    entry: 0,
    entry_passes: [],
    exit: Math.max(...edges.map(({ to }) => to)),
    loop_headers: [],
    inline_depth: null,
    chosen_because: null,
    ...more,
  } as unknown as CfgDocument;
}

type Lists = Partial<Record<"infeasible" | "never_completes" | "not_within" | "open", number[]>>;
const coverOf = (lists: Lists, more: Partial<CoverDocument> = {}, reached: number[] = lists.never_completes ?? []): CoverDocument => {
  const list = (edges: number[] = []): CoverStatement[] =>
    edges.map(
      (edge) =>
        ({
          edge,
          assumes: [] as string[],
          reached_by: reached.includes(edge) ? {} : null,
          reached_edges: reached.includes(edge) ? [edge] : [],
        }) as unknown as CoverStatement,
    );
  return {
    unwind: 3,
    infeasible: list(lists.infeasible),
    never_completes: list(lists.never_completes),
    not_within: list(lists.not_within),
    open: list(lists.open),
    errors: [],
    ...more,
  } as unknown as CoverDocument;
};
const of = (...covers: CoverDocument[]): Sources => ({ covers, branches: [], runs: [], failing: 0 });
const counted = (cfg: CfgDocument, lists: Lists): ReturnType<typeof branches> => branches(cfg, verdicts(cfg, of(coverOf(lists))));
const pathsOf = (row: Partial<PathsRow>): PathsDocument =>
  ({
    table: [{ length: 30, total: "29", feasible: null, feasible_at_least: null, assumes: [], ...row }],
    shortest: null,
  }) as unknown as PathsDocument;
const said = (sentences: readonly Sentence[]): string => sentences.map((sentence) => sentence.map(({ text }) => text).join("")).join(" ");

/** Two decisions in a row. */
const TWO = cfgOf([
  { from: 0, to: 1, at: 1, holds: true },
  { from: 0, to: 1, at: 1, holds: false },
  { from: 1, to: 2, at: 2, holds: true },
  { from: 1, to: 2, at: 2, holds: false },
]);

test("branches that never run are counted of all, and what is not proved is open", () => {
  assert.deepEqual(counted(TWO, { infeasible: [3] }), { all: 4, runs: 3, never: 1, open: 0 });
  const saying = (lists: Lists): string => said(branchSentences(TWO, of(coverOf(lists))));
  assert.equal(saying({ infeasible: [3] }), "1 of 4 branches can never run.");
  const assuming = coverOf({ infeasible: [3] });
  assuming.infeasible[0]!.assumes = ["first-call"];
  assert.equal(said(branchSentences(TWO, of(assuming))), "1 of 4 branches can never run (assuming first-call).");
  assert.equal(saying({}), "All 4 branches can run.");
  assert.equal(saying({ open: [2] }), "3 of 4 branches can run, 1 open.");
  assert.equal(saying({ infeasible: [0], open: [1, 2, 3] }), "1 of 4 branches can never run, 3 open.");
  assert.equal(saying({ infeasible: [0], open: [2] }), "2 of 4 branches can run, 1 never, 1 open.");
  // What some execution takes runs, whether or not it comes to its end.
  assert.equal(saying({ never_completes: [0] }), "All 4 branches can run.");
});

test("a bound is no reason to say that a branch cannot run", () => {
  const bounded = (reached: number[]): string => said(branchSentences(TWO, of(coverOf({ not_within: [1, 2] }, {}, reached))));
  assert.equal(bounded([]), "2 of 4 branches can run, 2 open.");
  assert.equal(bounded([1]), "3 of 4 branches can run, 1 open.");
  assert.equal(bounded([1, 2]), "All 4 branches can run.");
  assert.equal(said(branchSentences(TWO, of(coverOf({ not_within: [0, 1, 2, 3] })))), "All 4 branches are open.");
});

test("what one tab knows the answer knows, too; a run beats a claim", () => {
  const side = (edge: number, verdict: BranchesSide["verdict"]): BranchesSide =>
    ({ edges: [edge], verdict, assumes: [] as string[] }) as unknown as BranchesSide;
  const cover = coverOf({ not_within: [1, 2], open: [3] });
  const together: Sources = {
    covers: [cover],
    branches: [[side(1, "covered"), side(2, "infeasible"), side(3, "open")]],
    runs: [],
    failing: 0,
  };
  assert.equal(said(branchSentences(TWO, together)), "2 of 4 branches can run, 1 never, 1 open.");
  assert.equal(
    said(
      branchSentences(TWO, {
        ...together,
        runs: [
          [0, 2],
          [1, 3],
        ],
      }),
    ),
    "All 4 branches can run.",
  );
});

test("while more is to come, or was stopped, nothing is said as if it were final", () => {
  const runs: Sources = { covers: [], branches: [], runs: [[0, 2]], failing: 0 };
  assert.equal(said(branchSentences(TWO, runs, "running")), "2 of 4 branches can run so far…");
  assert.equal(said(branchSentences(TWO, runs, "cancelled")), "Cancelled: 2 of 4 branches can run, 2 open.");
  assert.equal(
    said(branchSentences(TWO, { covers: [], branches: [], runs: [], failing: 0 }, "cancelled")),
    "Cancelled: all 4 branches are open.",
  );
});

test("a decision that is inlined twice is one decision: dead only if both copies are, settled if one is", () => {
  const copies = cfgOf([
    { from: 0, to: 1, at: 1, holds: true },
    { from: 0, to: 1, at: 1, holds: false },
    { from: 1, to: 2, at: 1, holds: true },
    { from: 1, to: 2, at: 1, holds: false },
  ]);
  assert.deepEqual(counted(copies, { infeasible: [0] }), { all: 2, runs: 2, never: 0, open: 0 });
  assert.deepEqual(counted(copies, { infeasible: [0, 2] }), { all: 2, runs: 1, never: 1, open: 0 });
  assert.deepEqual(counted(copies, { infeasible: [0], open: [2] }), { all: 2, runs: 1, never: 0, open: 1 });
  assert.deepEqual(counted(copies, { infeasible: [0], not_within: [2] }), { all: 2, runs: 1, never: 0, open: 1 });
  // So no statement of the text is said to be dead either.
  assert.equal(said(branchSentences(copies, of(coverOf({ infeasible: [0] })))), "All 2 branches can run.");
});

test("without decisions statements are counted where one never runs; recursion and failing runs are said", () => {
  const line = cfgOf([
    { from: 0, to: 1, at: 1 },
    { from: 1, to: 2, at: 2 },
  ]);
  assert.deepEqual(statements(line, verdicts(line, of(coverOf({ infeasible: [1] })))), { all: 2, runs: 1, never: 1, open: 0 });
  assert.equal(said(branchSentences(line, of(coverOf({ infeasible: [1] })))), "1 of 2 statements can never run.");
  assert.equal(
    said(branchSentences(line, of(coverOf({}, { errors: [{ edges: [0] }] as CoverDocument["errors"] })))),
    "Runs fail in 1 place.",
  );
  // Nor less than the report says.
  const reported = { ...of(coverOf({}, { errors: [{ edges: [0] }] as CoverDocument["errors"] })), failing: 2 };
  assert.match(said(branchSentences(line, reported)), /Runs fail in 2 places\.$/);
  const recursive = cfgOf(
    [
      { from: 0, to: 1, at: 1, holds: true },
      { from: 0, to: 1, at: 1, holds: false },
    ],
    { inline_depth: 8 },
  );
  // What is said of branches holds at every depth of calls, what is said of paths not.
  assert.equal(said(branchSentences(recursive, of(coverOf({ infeasible: [1] })))), "1 of 2 branches can never run.");
  assert.equal(
    said(pathSentences(recursive, pathsOf({ length: 2, total: "4", feasible: "3" }))),
    "With calls at most 8 deep, of 4 paths, 3 can run.",
  );
});

test("of a program with one path that is said, and nothing is counted", () => {
  const hello = { ...cfgOf([{ from: 0, to: 0, at: 1 }]), edges: [], exit: 0 } as unknown as CfgDocument;
  assert.equal(
    said([...branchSentences(hello, of(coverOf({}))), ...pathSentences(hello, pathsOf({ length: 0, total: "1", feasible: "1" }))]),
    "1 path, it runs.",
  );
  const line = cfgOf([
    { from: 0, to: 1, at: 1 },
    { from: 1, to: 2, at: 2 },
  ]);
  assert.equal(
    said([...branchSentences(line, of(coverOf({}))), ...pathSentences(line, pathsOf({ length: 2, total: "1", feasible: "1" }))]),
    "1 path, it runs.",
  );
});

test("where only the bound is why no path can run, the answer says what a run needs", () => {
  const loop = cfgOf(
    [
      { from: 0, to: 1, at: 1, holds: true },
      { from: 1, to: 0, at: 2 },
      { from: 0, to: 2, at: 1, holds: false },
    ],
    { loop_headers: [0] },
  );
  const none = (shortest: PathsDocument["shortest"]): PathsDocument => ({ ...pathsOf({ total: "20", feasible: "0" }), shortest });
  assert.equal(said(pathSentences(loop, none({ length: 34, exact: true }))), "The shortest complete run needs 34 steps.");
  assert.equal(said(pathSentences(loop, none({ length: 34, exact: false }))), "The shortest known complete run needs 34 steps.");
  assert.equal(said(pathSentences(loop, none(null))), "A complete run, if there is one, needs more than 30 steps.");
  // What is proved is said: the only way to the exit never runs.
  assert.equal(
    said(pathSentences(loop, none(null), verdicts(loop, of(coverOf({ infeasible: [2] }))))),
    "No run comes to the end: each fails or goes on for ever.",
  );
});

test("paths are said with their bound unless these are all, and as open as they are", () => {
  assert.equal(longest(TWO), 2);
  assert.equal(shortest(TWO), 2);
  assert.equal(answerLength(TWO, 100), 2);
  assert.equal(said(pathSentences(TWO, pathsOf({ length: 2, total: "4", feasible: "3" }))), "Of 4 paths, 3 can run.");
  assert.equal(said(pathSentences(TWO, pathsOf({ length: 2, total: "4", feasible: "0" }))), "Of 4 paths, none can run.");
  assert.equal(
    said(pathSentences(TWO, pathsOf({ length: 2, total: "4", feasible_at_least: "1" }))),
    "Of 4 paths, at least 1 can run; the rest is open.",
  );
  assert.equal(
    said(pathSentences(TWO, pathsOf({ length: 2, total: "4", feasible: "3", assumes: ["any-state"] }))),
    "Of 4 paths, 3 can run (assuming any-state).",
  );
  assert.equal(said(pathSentences(TWO, pathsOf({ length: 2, total: "4" }))), "Of 4 paths, how many can run is open.");
  // Not all of them: that is said.
  assert.equal(said(pathSentences(TWO, pathsOf({ length: 1, total: "0" }))), "No path of at most 1 step reaches the end.");
  const loop = cfgOf(
    [
      { from: 0, to: 1, at: 1, holds: true },
      { from: 1, to: 0, at: 2 },
      { from: 0, to: 2, at: 1, holds: false },
    ],
    { loop_headers: [0] },
  );
  assert.equal(longest(loop), null);
  assert.equal(shortest(loop), 1);
  assert.equal(answerLength(loop, 100), 30);
  assert.equal(said(pathSentences(loop, pathsOf({ feasible: "11" }))), "Of 29 paths of at most 30 steps, 11 can run.");
});

test("every number leads to where it comes from", () => {
  const leads = (sentences: readonly Sentence[]): (string | undefined)[] =>
    sentences.flatMap((sentence) => sentence.filter(({ text }) => /\d/.test(text)).map(({ to }) => to));
  assert.deepEqual(leads(branchSentences(TWO, of(coverOf({ infeasible: [0], open: [1] })))), ["cover", "infeasible", "cover"]);
  assert.deepEqual(leads(pathSentences(TWO, pathsOf({ length: 2, total: "4", feasible: "3" }))), ["paths", "paths"]);
});

test("the answer says why it is about a function that nobody chose", () => {
  assert.deepEqual(chosenSentence(TWO), []);
  const chosen = { ...TWO, function: "g", chosen_because: "`main`, which calls it, reads no input" };
  assert.equal(said(chosenSentence(chosen)), "This is about g, since main, which calls it, reads no input.");
});

test("what is of the library's functions is no branch of the program", () => {
  const called = { ...TWO, edges: TWO.edges.map((edge, at) => ({ ...edge, library: at >= 2 })) };
  assert.deepEqual(counted(called, { infeasible: [3] }), { all: 2, runs: 2, never: 0, open: 0 });
});
