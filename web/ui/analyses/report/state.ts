// The run of Report, its findings by kind, and the row that is looked at.

import type { Text } from "@codemirror/state";
import { batch, computed, signal } from "@preact/signals";
import { showChosen } from "../../parts/rows";
import type {
  CoverExclusion,
  ReportBranch,
  ReportDocument,
  ReportFinding,
  ReportFindingKind,
  ReportVerdict,
  TextPlace,
} from "../../protocol";
import type { ProgramRun } from "../../state/run";
import { type About, current, type Pointed, programShown, selected } from "../../state/state";
import type { DecidedEdges } from "../../text/headline";
import { isCurrent, justifyRun } from "./coverage";
import { criterionRun, isCurrentCriterion } from "./criterion";

export type ReportRun = ProgramRun<"report"> & {
  /** The limit of steps that was asked for; `null` is the engine's own. */
  own: number | null;
};
export const reportRun = signal<ReportRun | null>(null);

/** Each verdict has a sign, so that none is told apart by its colour alone. */
export const SIGNS: Record<ReportVerdict, string> = { covered: "✓", infeasible: "✕", open: "?" };
export const VERDICTS = ["covered", "infeasible", "open"] as const;

export interface Heading {
  title: string;
  says: string;
  sign: string;
  /** The class that gives the sign its colour, the one that other tabs have for the same. */
  className: string;
}
export const HEADINGS: Record<ReportFindingKind, Heading> = {
  error: { title: "Errors", says: "Runs that fail, each with an input; there may be more.", sign: "!", className: "failure" },
  always: { title: "Always true", says: "No execution takes the other branch.", sign: "≡", className: "infeasible" },
  never_runs: { title: "Never runs", says: "No execution takes these.", sign: "✕", className: "infeasible" },
  never_completes: {
    title: "Never completes",
    says: "Each execution that gets here fails or goes on for ever.",
    sign: "⊘",
    className: "never",
  },
  open: { title: "Open", says: "Neither a test nor a proof.", sign: "?", className: "open" },
};

/** A finding and its number in the document. */
export interface Numbered {
  finding: ReportFinding;
  at: number;
}

/** The findings by kind, kinds and findings in the document's order. */
export function findingGroups(findings: readonly ReportFinding[]): { kind: ReportFindingKind; findings: Numbered[] }[] {
  const groups = new Map<ReportFindingKind, Numbered[]>();
  for (const [at, finding] of findings.entries()) groups.set(finding.kind, [...(groups.get(finding.kind) ?? []), { finding, at }]);
  return [...groups].map(([kind, findings]) => ({ kind, findings }));
}

/** The kinds of rows; a row is looked at by its kind and its number in the document. */
export const CHOSEN = ["gap", "finding", "branch", "goal", "test"] as const;
export type ChosenKind = (typeof CHOSEN)[number];
export const reportChosen = signal<{ kind: ChosenKind; at: number } | null>(null);

/** The document of the program now shown. */
export const shownDocument = computed((): ReportDocument | null => {
  const run = reportRun.value;
  return run && current(run) ? run.document : null;
});

/** Where a line and a column are in the text; `null` where the text has no such line. Columns count characters, offsets count code units. */
export function offsetOf(text: Text, line: number, column: number): number | null {
  if (line < 1 || line > text.lines) return null;
  const { from, text: letters } = text.line(line);
  return from + [...letters].slice(0, column - 1).join("").length;
}

/** All conditions and assignments of an explanation. */
export const reasonsOf = ({ all, either, some, operations, enclosing, values }: CoverExclusion) => [
  ...all,
  ...either.flat(),
  ...some,
  ...operations,
  ...enclosing,
  ...values.flatMap(({ values: found }) => found.flatMap(({ assigned }) => assigned)),
];

/** The line of the chosen finding or branch, and those of its explanation. The tab has no graph: lines are enough. */
export const pointed = computed((): Pointed | null => {
  const [document, chosen] = [shownDocument.value, reportChosen.value];
  const gap =
    chosen?.kind === "gap" && justifyRun.value && isCurrent(justifyRun.value) ? justifyRun.value.document?.branches[chosen.at] : undefined;
  if (gap) return { edge: -1, line: gap.line, because: [] };
  const judged = criterionRun.value;
  const goal = chosen?.kind === "goal" && judged && isCurrentCriterion(judged) ? judged.document?.criterion.list[chosen.at] : undefined;
  if (goal) return { edge: -1, line: goal.line, because: [] };
  const row =
    chosen?.kind === "finding" ? document?.findings[chosen.at] : chosen?.kind === "branch" ? document?.list[chosen.at] : undefined;
  return row ? { edge: -1, line: row.line, because: row.because ? reasonsOf(row.because) : [] } : null;
});

/** What a report says of edges: the branches with the edges of their copies. Of several decisions at one place there are none, since the text
 * does not tell them apart. */
export function sidesOf(
  { cfg }: About,
  { list }: { list: readonly Pick<ReportBranch, "place" | "side" | "verdict" | "assumes">[] },
): DecidedEdges[] {
  const key = (place: TextPlace, holds: boolean): string => `${place.start} ${place.end} ${holds}`;
  const edges = new Map<string, number[]>();
  for (const { id, place, holds, library } of cfg.edges)
    if (holds !== null && !library) edges.set(key(place, holds), [...(edges.get(key(place, holds)) ?? []), id]);
  const names = list.map(({ place, side }) => key(place, side === "true"));
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return list.flatMap(({ verdict, assumes }, at) => {
    const name = names[at]!;
    return counts.get(name) === 1 ? [{ verdict, assumes, edges: edges.get(name) ?? [] }] : [];
  });
}

/** The branch that no execution takes with this edge, in the report on what is now shown. */
export function excludedBranch(edge: number): ReportBranch | null {
  const [run, document] = [reportRun.value, shownDocument.value];
  if (!run || !document) return null;
  const side = run.cfg.edges.find(({ id }) => id === edge);
  if (!side || side.holds === null) return null;
  const found = document.list.filter(
    ({ place, side: holds }) => place.start === side.place.start && place.end === side.place.end && (holds === "true") === side.holds,
  );
  return found.length === 1 && found[0]!.verdict === "infeasible" ? found[0]! : null;
}

export const isChosen = (kind: ChosenKind, at: number): boolean => reportChosen.value?.kind === kind && reportChosen.value.at === at;

/** Chooses a row, or leaves it if it is chosen. */
export function choose(kind: ChosenKind, at: number): void {
  selected.in("report").value = null;
  reportChosen.value = isChosen(kind, at) ? null : { kind, at };
}

/** Chooses the next row, or the one before: findings, branches, goals and tests in the order in which they stand. */
export function stepRow(by: 1 | -1): boolean {
  const document = shownDocument.peek();
  if (!document) return false;
  const measured = justifyRun.peek();
  const gaps = measured && isCurrent(measured) ? (measured.document?.branches ?? []) : [];
  const judged = criterionRun.peek();
  const goals = judged && isCurrentCriterion(judged) ? (judged.document?.criterion.list ?? []) : [];
  const rows = [
    ...gaps.map((_, at) => ({ kind: "gap" as const, at })),
    ...findingGroups(document.findings).flatMap(({ findings }) => findings.map(({ at }) => ({ kind: "finding" as const, at }))),
    ...document.list.map((_, at) => ({ kind: "branch" as const, at })),
    ...goals.map((_, at) => ({ kind: "goal" as const, at })),
    ...document.tests.map((_, at) => ({ kind: "test" as const, at })),
  ];
  const chosen = reportChosen.peek();
  const now = rows.findIndex(({ kind, at }) => kind === chosen?.kind && at === chosen.at);
  const next = rows[now < 0 ? (by > 0 ? 0 : rows.length - 1) : now + by];
  if (!next) return false;
  choose(next.kind, next.at);
  showChosen(".report-pane li.chosen");
  return true;
}

/** The branch that a sign in the margin leads to: with each press the next one of the line. */
export function branchAt(line: number, sign: string): number | null {
  const list = shownDocument.peek()?.list ?? [];
  const branches = list.flatMap((branch, at) => (branch.line === line && branch.verdict === sign ? [at] : []));
  const chosen = reportChosen.peek();
  return branches[(chosen?.kind === "branch" ? branches.indexOf(chosen.at) + 1 : 0) % branches.length] ?? null;
}

/** Chooses that branch. */
export function chooseAt(line: number, sign: string): void {
  const at = branchAt(line, sign);
  if (at === null) return;
  batch(() => {
    if (!isChosen("branch", at)) choose("branch", at);
    programShown.value = false;
  });
  showChosen(".report-pane .kind.branches li.chosen");
}
