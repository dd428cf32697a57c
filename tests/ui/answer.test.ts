import assert from "node:assert/strict";
import { test } from "node:test";
import { answerLength, branchSentences, branches, chosenSentence, longest, pathSentences, shortest, statements } from "../../web/ui/answer";
import type { CfgDocument, CoverDocument, CoverStatement, PathsDocument, PathsRow } from "../../web/ui/protocol";
import type { Sentence } from "../../web/ui/answer";

interface Edge {
  from: number;
  to: number;
  /** Where it stands in the text; edges of one place are copies of one another. */
  at: number;
  holds?: boolean;
}

function cfgOf(edges: Edge[], more: Partial<CfgDocument> = {}): CfgDocument {
  return {
    edges: edges.map(({ from, to, at, holds = null }, id) => ({ id, from, to, kind: holds === null ? "assign" : "assume", label: `e${at}`, line: at, column: 1, place: { line: at, column: 1, end_line: at, end_column: 2, start: at, end: at + 1 }, holds, library: false })),
    entry: 0,
    exit: Math.max(...edges.map(({ to }) => to)),
    loop_headers: [],
    inline_depth: null,
    chosen_because: null,
    ...more,
  } as unknown as CfgDocument;
}

const coverOf = (lists: Partial<Record<"infeasible" | "never_completes" | "not_within" | "open", number[]>>, more: Partial<CoverDocument> = {}): CoverDocument => {
  const list = (edges: number[] = []): CoverStatement[] => edges.map((edge) => ({ edge, assumes: [] as string[] }) as unknown as CoverStatement);
  return { unwind: 3, infeasible: list(lists.infeasible), never_completes: list(lists.never_completes), not_within: list(lists.not_within), open: list(lists.open), errors: [], ...more } as unknown as CoverDocument;
};
const pathsOf = (row: Partial<PathsRow>): PathsDocument => ({ table: [{ length: 30, total: "29", feasible: null, feasible_at_least: null, assumes: [], ...row }] }) as unknown as PathsDocument;
const said = (sentences: readonly Sentence[]): string => sentences.map((sentence) => sentence.map(({ text }) => text).join("")).join(" ");

/** Two decisions in a row. */
const TWO = cfgOf([{ from: 0, to: 1, at: 1, holds: true }, { from: 0, to: 1, at: 1, holds: false }, { from: 1, to: 2, at: 2, holds: true }, { from: 1, to: 2, at: 2, holds: false }]);

test("branches that never run are counted of all, with what is bounded and what is open", () => {
  assert.deepEqual(branches(TWO, coverOf({ infeasible: [3] })), { all: 4, runs: 3, never: 1, within: 0, open: 0 });
  assert.equal(said(branchSentences(TWO, coverOf({ infeasible: [3] }))), "1 of 4 branches can never run.");
  const assuming = coverOf({ infeasible: [3] });
  assuming.infeasible[0]!.assumes = ["first-call"];
  assert.equal(said(branchSentences(TWO, assuming)), "1 of 4 branches can never run (assuming first-call).");
  assert.equal(said(branchSentences(TWO, coverOf({}))), "All 4 branches can run.");
  assert.equal(said(branchSentences(TWO, coverOf({ open: [2] }))), "3 of 4 branches can run, and 1 is open.");
  assert.equal(said(branchSentences(TWO, coverOf({ not_within: [1, 2] }))), "2 of 4 branches can run, and 2 cannot within 3 rounds of the loops.");
  assert.equal(said(branchSentences(TWO, coverOf({ not_within: [1], infeasible: [0], open: [2, 3] }))), "1 of 4 branches can never run, 1 cannot within 3 rounds of the loops, 2 are open.");
  // What some execution takes runs, whether or not it comes to its end.
  assert.equal(said(branchSentences(TWO, coverOf({ never_completes: [0] }))), "All 4 branches can run.");
});

test("a decision that is inlined twice is one decision: dead only if both copies are, settled if one is", () => {
  const copies = cfgOf([{ from: 0, to: 1, at: 1, holds: true }, { from: 0, to: 1, at: 1, holds: false }, { from: 1, to: 2, at: 1, holds: true }, { from: 1, to: 2, at: 1, holds: false }]);
  assert.deepEqual(branches(copies, coverOf({ infeasible: [0] })), { all: 2, runs: 2, never: 0, within: 0, open: 0 });
  assert.deepEqual(branches(copies, coverOf({ infeasible: [0, 2] })), { all: 2, runs: 1, never: 1, within: 0, open: 0 });
  assert.deepEqual(branches(copies, coverOf({ infeasible: [0], open: [2] })), { all: 2, runs: 1, never: 0, within: 0, open: 1 });
  assert.deepEqual(branches(copies, coverOf({ infeasible: [0], not_within: [2] })), { all: 2, runs: 1, never: 0, within: 1, open: 0 });
  // So no statement of the text is said to be dead either.
  assert.equal(said(branchSentences(copies, coverOf({ infeasible: [0] }))), "All 2 branches can run.");
});

test("without decisions statements are counted; recursion and failing runs are said", () => {
  const line = cfgOf([{ from: 0, to: 1, at: 1 }, { from: 1, to: 2, at: 2 }]);
  assert.deepEqual(statements(line, coverOf({ infeasible: [1] })), { all: 2, runs: 1, never: 1, within: 0, open: 0 });
  assert.equal(said(branchSentences(line, coverOf({ infeasible: [1] }))), "1 of 2 statements can never run.");
  assert.equal(said(branchSentences(line, coverOf({}, { errors: [{}] as CoverDocument["errors"] }))), "All 2 statements can run. Runs fail in 1 place.");
  const recursive = cfgOf([{ from: 0, to: 1, at: 1, holds: true }, { from: 0, to: 1, at: 1, holds: false }], { inline_depth: 8 });
  assert.match(said(branchSentences(recursive, coverOf({ infeasible: [1] }))), /^With calls at most 8 deep, 1 of 2 branches can never run\.$/);
  assert.match(said(branchSentences(recursive, coverOf({}))), /^With calls at most 8 deep, all 2 branches can run\.$/);
});

test("paths are said with their bound unless these are all, and as open as they are", () => {
  assert.equal(longest(TWO), 2);
  assert.equal(shortest(TWO), 2);
  assert.equal(answerLength(TWO, 100), 2);
  assert.equal(said(pathSentences(TWO, pathsOf({ length: 2, total: "4", feasible: "3" }))), "Of 4 paths, 3 can run.");
  assert.equal(said(pathSentences(TWO, pathsOf({ length: 2, total: "4", feasible: "0" }))), "Of 4 paths, none can run.");
  assert.equal(said(pathSentences(TWO, pathsOf({ length: 2, total: "4", feasible_at_least: "1" }))), "Of 4 paths, at least 1 can run; the rest is open.");
  assert.equal(said(pathSentences(TWO, pathsOf({ length: 2, total: "4", feasible: "3", assumes: ["any-state"] }))), "Of 4 paths, 3 can run (assuming any-state).");
  assert.equal(said(pathSentences(TWO, pathsOf({ length: 2, total: "4" }))), "Of 4 paths, how many can run is open.");
  // Not all of them: that is said.
  assert.equal(said(pathSentences(TWO, pathsOf({ length: 1, total: "0" }))), "No path of at most 1 step reaches the end.");
  const loop = cfgOf([{ from: 0, to: 1, at: 1, holds: true }, { from: 1, to: 0, at: 2 }, { from: 0, to: 2, at: 1, holds: false }], { loop_headers: [0] });
  assert.equal(longest(loop), null);
  assert.equal(shortest(loop), 1);
  assert.equal(answerLength(loop, 100), 30);
  assert.equal(said(pathSentences(loop, pathsOf({ feasible: "11" }))), "Of 29 paths of at most 30 steps, 11 can run.");
});

test("every number leads to where it comes from", () => {
  const leads = (sentences: readonly Sentence[]): (string | undefined)[] => sentences.flatMap((sentence) => sentence.filter(({ text }) => /\d/.test(text)).map(({ to }) => to));
  assert.deepEqual(leads(branchSentences(TWO, coverOf({ infeasible: [0], open: [1] }))), ["infeasible", "cover"]);
  assert.deepEqual(leads(pathSentences(TWO, pathsOf({ length: 2, total: "4", feasible: "3" }))), ["paths", "paths"]);
});

test("the answer says why it is about a function that nobody chose", () => {
  assert.deepEqual(chosenSentence(TWO), []);
  const chosen = { ...TWO, function: "g", chosen_because: "`main`, which calls it, reads no input" };
  assert.equal(said(chosenSentence(chosen)), "This is about g, since main, which calls it, reads no input.");
});

test("what is of the library's functions is no branch of the program", () => {
  const called = { ...TWO, edges: TWO.edges.map((edge, at) => ({ ...edge, library: at >= 2 })) };
  assert.deepEqual(branches(called, coverOf({ infeasible: [3] })), { all: 2, runs: 2, never: 0, within: 0, open: 0 });
});
