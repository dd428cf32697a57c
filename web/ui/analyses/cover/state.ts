// What is known of each statement, and what is looked at in the Cover tab.

import { computed, signal } from "@preact/signals";
import type { GraphView } from "../../graph/view";
import { plural } from "../../numbers";
import type { CfgDocument, CoverDocument, CoverStatement } from "../../protocol";
import { type CoverRun, coverChosen, coverRun, coverStatement, current, selected, settings, shownPath, testsOf } from "../../state";

export type Kind = "covered" | "infeasible" | "never" | "within" | "open";

/** Each kind has a sign, so that none is told apart by its colour alone. */
export const SIGNS: Record<Kind, string> = { covered: "✓", infeasible: "✕", never: "⊘", within: "↻", open: "?" };
/** The kinds in a few words; `unwind` is the bound. */
export const words = (unwind: number): Record<Kind, string> => ({
  covered: "covered",
  infeasible: "infeasible in every execution",
  never: "never completes",
  within: `not within ${plural(unwind, "unwinding")}`,
  open: "open",
});
/** The same with a sentence, as the headings of the lists. */
export const HEADINGS: Record<Exclude<Kind, "covered">, { title: (unwind: number) => string; says: string }> = {
  infeasible: { title: () => "Infeasible", says: "No execution takes these, however often loops run." },
  never: { title: () => "Never completes", says: "What takes one of these fails or goes on for ever." },
  within: { title: (unwind) => `Not within ${plural(unwind, "unwinding")}`, says: "Bounded: perhaps covered with more." },
  open: { title: () => "Open", says: "Nothing is known of these." },
};

/** The document's lists, by kind. */
export const listOf = (document: CoverDocument, kind: Exclude<Kind, "covered">): CoverStatement[] =>
  ({ infeasible: document.infeasible, never: document.never_completes, within: document.not_within, open: document.open })[kind];

/** What is known of each edge; of a run without a document, what its tests cover. */
export function kindsOf(run: CoverRun): Map<number, Kind> {
  const kinds = new Map<number, Kind>();
  if (!run.document) {
    for (const test of testsOf(run)) for (const edge of test.edges) kinds.set(edge, "covered");
    return kinds;
  }
  for (const { id } of run.cfg.edges) kinds.set(id, "covered");
  for (const kind of ["infeasible", "never", "within", "open"] as const) for (const { edge } of listOf(run.document, kind)) kinds.set(edge, kind);
  return kinds;
}

/** The kinds of the program now shown. */
export const kinds = computed((): ReadonlyMap<number, Kind> | null => {
  const run = coverRun.value;
  return run && current(run) && (run.document || run.found.length > 0) ? kindsOf(run) : null;
});

const ORDER: readonly Kind[] = ["covered", "infeasible", "never", "within", "open"];

/** What the program's margin shows while the Cover tab is chosen: for each line the kinds of its statements. */
export const margin = computed((): { line: number; kinds: Kind[]; title: string }[] => {
  const [run, known] = [coverRun.value, kinds.value];
  if (!run || !known || settings.value.tab !== "cover") return [];
  const name = words(run.unwind);
  const lines = new Map<number, Map<Kind, string[]>>();
  for (const { id, line, label } of run.cfg.edges) {
    const kind = known.get(id);
    if (kind === undefined || line < 1) continue;
    const here = lines.get(line) ?? new Map<Kind, string[]>();
    lines.set(line, here.set(kind, [...(here.get(kind) ?? []), label]));
  }
  return [...lines].map(([line, here]) => {
    const found = ORDER.filter((kind) => here.has(kind));
    return { line, kinds: found, title: found.map((kind) => `${name[kind]}: ${here.get(kind)!.join(", ")}`).join("\n") };
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
export function choose(kind: "test" | "error" | "statement", at: number): void {
  const chosen = coverChosen.peek();
  const leave = chosen?.kind === kind && chosen.at === at && (shownPath.peek()?.of === "cover" || coverStatement.peek() !== null);
  selected.value = null;
  shownPath.value = null;
  coverChosen.value = leave ? null : { kind, at };
  const run = coverRun.peek();
  if (leave || !run) return;
  // A test is shown with all of its lines, an error where it happens, a statement where it is taken.
  const test = kind === "test" ? testsOf(run)[at] : undefined;
  const error = kind === "error" ? run.document?.errors[at] : undefined;
  const statement = coverStatement.peek();
  if (kind === "statement" && !statement?.reached_by) return;
  const step = test ? Math.max(0, test.edges.length - 1) : error ? error.edges.length : statement ? Math.max(0, statement.reached_edges.indexOf(at)) : 0;
  shownPath.value = { of: "cover", index: 0, step };
}

/** Whether it is the one that is looked at. */
export const isChosen = (kind: "test" | "error" | "statement", at: number): boolean => {
  const chosen = coverChosen.value;
  return chosen?.kind === kind && chosen.at === at && (kind === "statement" ? coverStatement.value !== null : shownPath.value?.of === "cover");
};

export const view = signal<GraphView | null>(null);
/** Where there is room for one of them: the lists, or the graph. */
export const part = signal<"list" | "picture">("list");
