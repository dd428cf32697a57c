// The run of Branches, what is known of each branch, and what is looked at in the tab.

import { batch, computed, signal } from "@preact/signals";
import type { MarginMark } from "../../editor/editor";
import type { GraphView } from "../../graph/view";
import { showChosen } from "../../parts/rows";
import type { BranchesCounts, BranchesDocument, BranchesSide, BranchesStep, BranchesTest, BranchesVerdict } from "../../protocol";
import type { ProgramRun } from "../../state/run";
import { current, type PathSource, type Pointed, programShown, selected, shownPath, viewOf } from "../../state/state";

/** What was found: of the document, or of what has arrived before it. */
export interface BranchesRun extends ProgramRun<"branches"> {
  list: BranchesSide[];
  tests: BranchesTest[];
  counts: BranchesCounts | null;
  /** cov_b and cov_f. */
  shares: [number, number];
  iterations: number;
  runs: number;
  /** What was done: the first steps, and whether there were more. */
  steps: BranchesStep[];
  moreSteps: boolean;
}
/** How a run begins. */
export const NOTHING: Omit<BranchesRun, keyof ProgramRun<"branches">> = {
  list: [],
  tests: [],
  counts: null,
  shares: [1, 1],
  iterations: 0,
  runs: 0,
  steps: [],
  moreSteps: false,
};
/** What its document says, in place of what had arrived. */
export const found = ({ list, tests, branches, cov_b, cov_f, iterations, runs }: BranchesDocument): Partial<BranchesRun> => ({
  list,
  tests,
  counts: branches,
  shares: [cov_b, cov_f],
  iterations,
  runs,
});
export const branchesRun = signal<BranchesRun | null>(null);

/** Each verdict has a sign, so that none is told apart by its colour alone. */
export const SIGNS: Record<BranchesVerdict, string> = { covered: "✓", infeasible: "✕", open: "?" };
export const VERDICTS = ["covered", "infeasible", "open"] as const;

/** What is looked at, by its number. */
export const CHOSEN = ["test", "branch"] as const;
type ChosenKind = (typeof CHOSEN)[number];
export const branchesChosen = signal<{ kind: ChosenKind; at: number } | null>(null);

/** The run of the program now shown. */
const shownRun = computed(() => {
  const run = branchesRun.value;
  return run && run.list.length > 0 && current(run) ? run : null;
});

const chosenSide = computed((): BranchesSide | null => {
  const chosen = branchesChosen.value;
  return (chosen?.kind === "branch" && shownRun.value?.list[chosen.at]) || null;
});

/** The path of what is looked at: of a test, or of the one that takes a branch. */
export const branched: PathSource = {
  id: "branches",
  at: () => {
    const [run, chosen] = [branchesRun.value, branchesChosen.value];
    const number = chosen?.kind === "test" ? chosen.at : chosen && run?.list[chosen.at]?.test;
    const test = run?.tests[number ?? -1];
    return run && test ? viewOf(run, `Test ${number! + 1}`, test.edges, { input: test.input }) : null;
  },
};

/** A branch that no test takes. */
export const pointed = computed((): Pointed | null => {
  const side = chosenSide.value;
  return side && side.test === null ? { edge: side.edges[0] ?? -1, line: side.line, because: [] } : null;
});

/** The path that is looked at in the tab. */
const own = shownPath.in("branches");

/** Whether it is the one that is looked at. */
export const isChosen = (kind: ChosenKind, at: number): boolean => {
  const chosen = branchesChosen.value;
  return chosen?.kind === kind && chosen.at === at && (own.value !== null || pointed.value !== null);
};

/** Chooses something, or leaves it if it is chosen: a test from its end, a branch where it is taken. */
export function choose(kind: ChosenKind, at: number): void {
  const leave = isChosen(kind, at);
  selected.in("branches").value = null;
  own.value = null;
  branchesChosen.value = leave ? null : { kind, at };
  const run = branchesRun.peek();
  const side = kind === "branch" ? run?.list[at] : undefined;
  const edges = run?.tests[side ? (side.test ?? -1) : at]?.edges;
  if (leave || !edges) return;
  own.value = { of: branched, index: 0, step: side ? edges.findIndex((edge) => side.edges.includes(edge)) : Math.max(0, edges.length - 1) };
}

/** Which branches the list shows. */
export const only = signal<BranchesVerdict | null>(null);

/** From a sign in the margin: its branch, and with each press the next one of the line. */
export function chooseAt(line: number, sign: string): void {
  const run = shownRun.peek();
  const there = run?.list.flatMap((side, at) => (side.line === line && side.verdict === sign ? [at] : [])) ?? [];
  if (there.length === 0) return;
  const chosen = branchesChosen.peek();
  const next = there[(chosen?.kind === "branch" ? there.indexOf(chosen.at) + 1 : 0) % there.length]!;
  batch(() => {
    if (!isChosen("branch", next)) choose("branch", next);
    only.value = null;
    part.value = "list";
    programShown.value = false;
  });
  showChosen(".branches-pane li.chosen");
}

/** What is known of the edges: of a copy of a branch that other copies cover nothing is said. */
export const kinds = computed((): ReadonlyMap<number, BranchesVerdict> | null => {
  const run = shownRun.value;
  if (!run) return null;
  const taken = new Set(run.tests.flatMap(({ edges }) => edges));
  return new Map(
    run.list.flatMap(({ edges, verdict }) =>
      edges.flatMap((edge) => (verdict !== "covered" || taken.has(edge) ? [[edge, verdict] as const] : [])),
    ),
  );
});

/** What the program's margin shows: for each line the verdicts of its branches. */
export const margin = computed((): MarginMark[] => {
  const lines = new Map<number, BranchesSide[]>();
  for (const side of shownRun.value?.list ?? []) lines.set(side.line, [...(lines.get(side.line) ?? []), side]);
  return [...lines].map(([line, sides]) => {
    const found = VERDICTS.filter((verdict) => sides.some((side) => side.verdict === verdict));
    const texts = (verdict: BranchesVerdict): string => sides.flatMap((side) => (side.verdict === verdict ? [side.text] : [])).join(", ");
    return {
      line,
      signs: found.map((verdict) => ({ name: verdict, text: SIGNS[verdict] })),
      title: found.map((verdict) => `${verdict}: ${texts(verdict)}`).join("\n"),
    };
  });
});

export const view = signal<GraphView | null>(null);
/** Where there is room for one of them: the lists, or the graph. */
export const part = signal<"list" | "picture">("list");
