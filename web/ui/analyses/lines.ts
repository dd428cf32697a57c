// What the page knows of the program's lines, from the results of all tabs: the signs in its margin, and what is said of one line.

import { computed } from "@preact/signals";
import type { MarginMark } from "../editor/editor";
import type { Assumed, CoverStatement, Input, ReportBranch, ReportFinding, ReportTest } from "../protocol";
import { current, type Known, known, stale } from "../state/state";
import { type Verdict, verdicts } from "../text/headline";
import { deadEdgesOf, edgesOf, lineVerdicts } from "../text/line-marks";
import { answer, isAnswering, sources } from "./background";
import { isPredicting } from "./report/predicting";
import { reportRun } from "./report/state";

/** The signs of verdicts, by the names of their colours. */
const SIGNS = { covered: "✓", infeasible: "✕", open: "?", failure: "!" };
type Sign = keyof typeof SIGNS;
const MEANING: Record<Sign, string> = {
  covered: "✓ runs",
  infeasible: "✕ never runs",
  open: "? open",
  failure: "! a run fails here",
};

/** The program that is shown, if it is known. */
const shown = (): Known | null => (stale.value ? null : known.value);

/** The Report of the program that is shown. */
const report = () => {
  const run = reportRun.value;
  return run && current(run) ? run.document : null;
};

/** The warning of a graph in which executions end at calls that go deeper: what Cover excludes there is excluded up to that depth. In other
 * graphs proofs hold at every depth. */
const BOUNDED = "recursion-bounded";

/** What is known of each edge. */
function verdictsOf(of: Known): ReadonlyMap<number, Verdict> {
  const all = sources();
  if (!of.cfg.diagnostics.some(({ code }) => code === BOUNDED)) return verdicts(of.cfg, all);
  const covers = all.covers.map((document) => ({
    ...document,
    infeasible: [],
    open: [...document.open, ...document.infeasible],
  }));
  return verdicts(of.cfg, { ...all, covers });
}

const failing = (): Set<number> =>
  new Set([
    ...(report()?.findings ?? []).flatMap(({ kind, line }) => (kind === "error" ? [line] : [])),
    ...sources().covers.flatMap(({ errors }) => errors.map(({ line }) => line)),
  ]);

/** The signs as they were last, so that the editor hears of changes alone. */
let last: { text: string; marks: readonly MarginMark[] } = { text: "[]", marks: [] };

/** The signs beside the program's lines; what is open has its sign once the answer is complete. */
export const programMargin = computed((): readonly MarginMark[] => {
  const marks = marksNow();
  const text = JSON.stringify(marks);
  if (text !== last.text) last = { text, marks };
  return last.marks;
});

function marksNow(): MarginMark[] {
  const now = shown();
  const found = answer.value;
  if (!now || found?.of !== now || isPredicting.value) return [];
  const settled = !isAnswering();
  const unreached = (report()?.findings ?? []).flatMap(({ kind, line }) => (kind === "never_runs" ? [line] : []));
  return lineVerdicts(now.cfg, verdictsOf(now), failing(), unreached).flatMap(({ line, found, fails }): MarginMark[] => {
    const signs: Sign[] = [
      ...(found.has("runs") ? (["covered"] as const) : []),
      ...(found.has("never") ? (["infeasible"] as const) : []),
      ...(found.has("open") && settled ? (["open"] as const) : []),
      ...(fails ? (["failure"] as const) : []),
    ];
    if (signs.length === 0) return [];
    return [
      {
        line,
        signs: signs.map((name) => ({ name, text: SIGNS[name] })),
        title: signs.map((name) => MEANING[name]).join("\n"),
        dead: found.size === 1 && found.has("never"),
      },
    ];
  });
}

/** What is known of a line. */
export interface LineKnowledge {
  of: Known;
  line: number;
  signs: MarginMark["signs"];
  branches: readonly { branch: ReportBranch; at: number }[];
  findings: readonly { finding: ReportFinding; at: number }[];
  tests: readonly ReportTest[];
  assumptions: readonly Assumed[];
  /** An input whose run executes the line, where no branch on it has one. */
  input: Input | null;
  /** What on the line never runs, where the Report does not say it. */
  dead: readonly CoverStatement[];
  /** Of what the Report says never to run, the conditions that it needs and that never hold. */
  needed: readonly CoverStatement[];
}

/** What is known of a line; `null` if nothing on it is executed, or nothing is known yet. */
export function knowledgeOf(line: number): LineKnowledge | null {
  const of = shown();
  const signs = programMargin.value.find((mark) => mark.line === line)?.signs;
  if (!of || !signs) return null;
  const document = report();
  const numbered = <T extends { line: number }>(all: readonly T[]) => all.flatMap((one, at) => (one.line === line ? [{ one, at }] : []));
  const branches = numbered(document?.list ?? []).map(({ one: branch, at }) => ({ branch, at }));
  // Of a branch that never runs the branch itself says more.
  const findings = numbered(document?.findings ?? [])
    .map(({ one: finding, at }) => ({ finding, at }))
    .filter(({ finding }) => finding.kind === "error" || branches.length === 0);
  const edges = new Set(edgesOf(of.cfg, line));
  const { covers } = sources();
  const test = covers.flatMap(({ tests }) => tests).find((test) => test.edges.some((edge) => edges.has(edge)));
  const isDead = signs.every(({ name }) => name === "infeasible");
  const never = new Set(deadEdgesOf(of.cfg, verdictsOf(of), line));
  const texts = new Map(covers.flatMap(({ infeasible }) => infeasible.flatMap((one) => (never.has(one.edge) ? [[one.text, one]] : []))));
  return {
    of,
    line,
    signs,
    branches,
    findings,
    tests: document?.tests ?? [],
    assumptions: document?.assumptions ?? [],
    input: branches.length === 0 && !isDead ? (test?.input ?? null) : null,
    dead: branches.length === 0 && findings.length === 0 ? [...texts.values()] : [],
    needed: findings.length > 0 ? [...texts.values()].filter(({ text }) => findings.every(({ finding }) => finding.text !== text)) : [],
  };
}
