// The run of Cover, what is known of each statement, and what is looked at in the tab.

import { computed, signal } from "@preact/signals";
import type { MarginMark } from "../../editor/editor";
import type { GraphView } from "../../graph/view";
import type { Call, CfgDocument, CoverDocument, CoverDraw, CoverStatement, Input } from "../../protocol";
import type { ProgramRun } from "../../state/run";
import { current, type PathSource, selected, shownPath, viewOf } from "../../state/state";
import { plural } from "../../text/numbers";

export interface CoverRun extends ProgramRun<"cover"> {
  /** Replayed runs as they arrive, before there is a document. */
  found: { path: number[]; input: Input }[];
}
export const coverRun = signal<CoverRun | null>(null);

/** The tests of a run: of its document, or the complete ones of those that had arrived. */
export function testsOf({
  document,
  found,
  cfg,
}: CoverRun): { edges: number[]; input: Input; after: Call[]; draws: CoverDraw[]; assumes: string[] }[] {
  if (document) return document.tests;
  return found.flatMap(({ path, input }) =>
    path.length === 0 || cfg.edges[path.at(-1)!]?.to === cfg.exit ? [{ edges: path, input, after: [], draws: [], assumes: [] }] : [],
  );
}

/** How often loops are unwound; `null` as long as the engine has not told it. */
export const boundOf = ({ document, asked }: CoverRun): number | null => document?.unwind ?? asked.unwind;

/** What is looked at: a test or an error by its number, or a statement by its edge. */
export const CHOSEN = ["test", "error", "statement"] as const;
export type ChosenKind = (typeof CHOSEN)[number];
export const coverChosen = signal<{ kind: ChosenKind; at: number } | null>(null);

/** The statement that is looked at, if it is one of the program now shown. */
export const coverStatement = computed((): CoverStatement | null => {
  const [run, chosen] = [coverRun.value, coverChosen.value];
  if (!run?.document || chosen?.kind !== "statement" || !current(run)) return null;
  const { infeasible, never_completes, not_within, open } = run.document;
  return [infeasible, never_completes, not_within, open].flat().find(({ edge }) => edge === chosen.at) ?? null;
});

/** The path of what is looked at: a test's, an error's, or the run that comes to a statement. */
export const covered: PathSource = {
  id: "cover",
  at: () => {
    const [run, chosen] = [coverRun.value, coverChosen.value];
    if (!run || !chosen) return null;
    if (chosen.kind === "test") {
      const test = testsOf(run)[chosen.at];
      return test ? viewOf(run, `Test ${chosen.at + 1}`, test.edges, test) : null;
    }
    if (chosen.kind === "error") {
      const error = run.document?.errors[chosen.at];
      if (!error) return null;
      const edges = error.edges.at(-1) === error.edge ? error.edges : [...error.edges, error.edge];
      return viewOf(run, `Error ${chosen.at + 1}`, edges, { input: error.input, ends: error.error });
    }
    const statement = coverStatement.value;
    return statement?.reached_by
      ? viewOf(run, `Run to line ${statement.line}`, statement.reached_edges, { input: statement.reached_by })
      : null;
  },
};

/** The path that is looked at in the tab. */
const own = shownPath.in("cover");

export type Kind = "covered" | "infeasible" | "never" | "within" | "open";

/** Each kind has a sign, so that none is told apart by its colour alone. */
export const SIGNS: Record<Kind, string> = { covered: "✓", infeasible: "✕", never: "⊘", within: "↻", open: "?" };
const notWithin = (unwind: number | null): string => `not within ${unwind === null ? "the bound" : plural(unwind, "unwinding")}`;
/** The kinds in a few words; `unwind` is the bound. */
export const words = (unwind: number | null): Record<Kind, string> => ({
  covered: "covered",
  infeasible: "infeasible in every execution",
  never: "never completes",
  within: notWithin(unwind),
  open: "open",
});
/** The same with a sentence, as the headings of the lists. */
export const HEADINGS: Record<Exclude<Kind, "covered">, { title: (unwind: number | null) => string; says: string }> = {
  infeasible: { title: () => "Infeasible", says: "No execution takes these, however often loops run." },
  never: { title: () => "Never completes", says: "What takes one of these fails or goes on for ever." },
  within: { title: (unwind) => notWithin(unwind).replace("n", "N"), says: "Bounded: perhaps covered with more." },
  open: { title: () => "Open", says: "Nothing is known of these." },
};

/** The document's lists, by kind, with what is of functions of the library. */
const allOf = (document: CoverDocument, kind: Exclude<Kind, "covered">): CoverStatement[] =>
  ({ infeasible: document.infeasible, never: document.never_completes, within: document.not_within, open: document.open })[kind];

/** The same without what is not the program's. */
export const listOf = (document: CoverDocument, kind: Exclude<Kind, "covered">): CoverStatement[] =>
  allOf(document, kind).filter(({ library }) => !library);

/** What is known of each edge; of a run without a document, what its tests cover. */
export function kindsOf(run: CoverRun): Map<number, Kind> {
  const kinds = new Map<number, Kind>();
  if (!run.document) {
    for (const test of testsOf(run)) for (const edge of test.edges) kinds.set(edge, "covered");
    return kinds;
  }
  for (const { id } of run.cfg.edges) kinds.set(id, "covered");
  for (const kind of ["infeasible", "never", "within", "open"] as const)
    for (const { edge } of allOf(run.document, kind)) kinds.set(edge, kind);
  return kinds;
}

/** The kinds of the program now shown. */
export const kinds = computed((): ReadonlyMap<number, Kind> | null => {
  const run = coverRun.value;
  return run && current(run) && (run.document || run.found.length > 0) ? kindsOf(run) : null;
});

const ORDER: readonly Kind[] = ["covered", "infeasible", "never", "within", "open"];

/** What the program's margin shows: for each line the kinds of its statements. */
export const margin = computed((): MarginMark[] => {
  const [run, known] = [coverRun.value, kinds.value];
  if (!run || !known) return [];
  const name = words(boundOf(run));
  const lines = new Map<number, Map<Kind, string[]>>();
  for (const { id, line, label, library } of run.cfg.edges) {
    const kind = known.get(id);
    if (kind === undefined || line < 1 || library) continue;
    const here = lines.get(line) ?? new Map<Kind, string[]>();
    lines.set(line, here.set(kind, [...(here.get(kind) ?? []), label]));
  }
  return [...lines].map(([line, here]) => {
    const found = ORDER.filter((kind) => here.has(kind));
    return {
      line,
      signs: found.map((kind) => ({ name: kind, text: SIGNS[kind] })),
      title: found.map((kind) => `${name[kind]}: ${here.get(kind)!.join(", ")}`).join("\n"),
    };
  });
});

/** Whether some way leads from an edge to the exit. */
export function leadsToExit(cfg: CfgDocument, edge: number): boolean {
  const seen = new Set<number>();
  const waiting = [cfg.edges[edge]?.to ?? -1];
  while (waiting.length > 0) {
    const at = waiting.pop()!;
    if (at === cfg.exit) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    for (const { from, to } of cfg.edges) if (from === at) waiting.push(to);
  }
  return false;
}

/** Chooses something, or leaves it if it is chosen. */
export function choose(kind: ChosenKind, at: number): void {
  const chosen = coverChosen.peek();
  const leave = chosen?.kind === kind && chosen.at === at && (own.peek() !== null || coverStatement.peek() !== null);
  selected.in("cover").value = null;
  own.value = null;
  coverChosen.value = leave ? null : { kind, at };
  const run = coverRun.peek();
  if (leave || !run) return;
  // A test is shown with all of its lines, an error where it happens, a statement where it is taken.
  const test = kind === "test" ? testsOf(run)[at] : undefined;
  const error = kind === "error" ? run.document?.errors[at] : undefined;
  const statement = coverStatement.peek();
  if (kind === "statement" && !statement?.reached_by) return;
  const step = test
    ? Math.max(0, test.edges.length - 1)
    : error
      ? error.edges.length
      : statement
        ? Math.max(0, statement.reached_edges.indexOf(at))
        : 0;
  own.value = { of: covered, index: 0, step };
}

/** Whether it is the one that is looked at. */
export const isChosen = (kind: ChosenKind, at: number): boolean => {
  const chosen = coverChosen.value;
  return chosen?.kind === kind && chosen.at === at && (kind === "statement" ? coverStatement.value !== null : own.value !== null);
};

export const view = signal<GraphView | null>(null);
/** Where there is room for one of them: the lists, or the graph. */
export const part = signal<"list" | "picture">("list");
