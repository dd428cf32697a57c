// The Report tab: findings in groups, the margin, and what is looked at.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { report } from "../../web/ui/analyses/report";
import {
  branchAt,
  choose,
  findingGroups,
  HEADINGS,
  offsetOf,
  type ReportRun,
  reportRun,
  sidesOf,
} from "../../web/ui/analyses/report/state";
import type { CoverExclusion, ReportBranch, ReportDocument, ReportFinding, ReportVerdict } from "../../web/ui/protocol";
import { DEFAULTS } from "../../web/ui/state/settings";
import { known, selected, settings, text } from "../../web/ui/state/state";
import { cfgOf } from "./documents";

const cfg = cfgOf(["0>1 ?x > 1", "0>2 !x <= 1", "1>2 ?x < 0", "1>2 !x >= 0"]);
const place = { line: 1, column: 1, end_line: 1, end_column: 2, start: 0, end: 1 };

const branch = (line: number, text: string, verdict: ReportVerdict, more: Partial<ReportBranch> = {}): ReportBranch => ({
  line,
  column: 1,
  place,
  text,
  expansion: null,
  side: "true",
  verdict,
  engine: "cover",
  test: verdict === "covered" ? 0 : null,
  because: null,
  assumes: [],
  open: verdict === "open" ? "the limit was reached" : null,
  state: null,
  ...more,
});
const finding = (kind: ReportFinding["kind"], line: number) => ({ kind, line, because: null }) as ReportFinding;

const because: CoverExclusion = {
  itself: false,
  all: [{ line: 1, column: 1, text: "x > 1", expansion: null, edge: 0, in_another_call: false }],
  either: [],
  some: [],
  operations: [],
  enclosing: [],
  values: [],
  facts: [],
  runs: null,
};
const LIST = [
  branch(1, "x > 1", "covered"),
  branch(1, "x <= 1", "covered"),
  branch(3, "x < 0", "infeasible", { because }),
  branch(3, "x >= 0", "open"),
];

test("findings stand under a heading for each kind, in the document's order and with the document's numbers", () => {
  const findings = [finding("error", 7), finding("error", 2), finding("always", 3), finding("open", 1)];
  assert.deepEqual(
    findingGroups(findings).map(({ kind, findings }) => [HEADINGS[kind].title, findings.map(({ finding, at }) => [at, finding.line])]),
    [
      [
        "Errors",
        [
          [0, 7],
          [1, 2],
        ],
      ],
      ["Always true", [[2, 3]]],
      ["Open", [[3, 1]]],
    ],
  );
  assert.deepEqual(findingGroups([]), []);
});

test("a column counts characters, an offset code units", () => {
  const program = Text.of(["int a;", "/* 🙂 */ a = 1;"]);
  assert.deepEqual(
    [offsetOf(program, 1, 5), offsetOf(program, 2, 9), offsetOf(program, 3, 1), offsetOf(program, 0, 1)],
    [4, 16, null, null],
  );
});

test("the line of the chosen row is pointed at with its reasons, while it is of the program shown", () => {
  const program = Text.of(["a", "b", "c", "d"]);
  text.value = program;
  known.value = { cfg, text: program, asked: null, ints: null, inlineDepth: null, assume: null, target: null, ms: 1 };
  settings.value = { ...DEFAULTS, tab: "report" };
  const document = { findings: [finding("error", 2)], list: LIST, tests: [] } as unknown as ReportDocument;
  reportRun.value = { state: "done", cfg, text: program, document, refused: [] } as unknown as ReportRun;
  const lines = () => {
    const pointed = report.pointed?.();
    return pointed && [pointed.line, ...pointed.because.map(({ line }) => line)];
  };
  assert.equal(lines(), null);
  choose("finding", 0);
  assert.deepEqual(lines(), [2]);
  selected.value = { kind: "edge", id: 0 };
  choose("branch", 2);
  assert.deepEqual([lines(), selected.value], [[3, 1], null]);
  choose("branch", 2);
  assert.equal(lines(), null);
  // A sign of the margin leads to the next branch of its line.
  assert.deepEqual([branchAt(3, "open"), branchAt(1, "open"), branchAt(1, "covered")], [3, null, 0]);
  choose("branch", 0);
  assert.equal(branchAt(1, "covered"), 1);
  choose("branch", 1);
  assert.equal(branchAt(1, "covered"), 0);
  text.value = Text.of(["other"]);
  assert.equal(lines(), null);
});

test("a report's branches are those of all copies of their edges; of decisions at one place none", () => {
  const cfg = cfgOf(["0>1 ?x", "0>1 !x", "1>2 ?x", "1>2 !x", "2>3 ?y", "2>3 !y"]);
  for (const [at, start] of [0, 0, 0, 0, 5, 5].entries()) cfg.edges[at]!.place = { ...cfg.edges[at]!.place, start, end: start + 1 };
  const branch = (start: number, side: string, verdict: string) =>
    ({ place: { start, end: start + 1 }, side, verdict, assumes: [] }) as unknown as ReportBranch;
  const list = [branch(0, "true", "covered"), branch(0, "false", "infeasible"), branch(5, "true", "open"), branch(5, "true", "infeasible")];
  assert.deepEqual(
    sidesOf({ cfg, text: Text.empty }, { list }).map(({ verdict, edges }) => [verdict, edges]),
    [
      ["covered", [0, 2]],
      ["infeasible", [1, 3]],
    ],
  );
});
