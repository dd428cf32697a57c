// What the Explain tab found, and what is chosen in it.

import { computed, signal } from "@preact/signals";
import type { GraphView } from "../../graph/view";
import type { CfgDocument, CfgEdge, ExplainDocument, ExplainPath, ExplainStep } from "../../protocol";
import type { ProgramRun } from "../../state/run";
import { current, known, type PathSource } from "../../state/state";
import { walk } from "./automaton";
import { endOf, isPathOfBoth } from "./path";

export interface ExplainRun extends ProgramRun<"explain"> {
  /** Infeasible prefixes as they arrive, before there is a document: edges, and which of them contradict each other. */
  found: { path: number[]; core: number[] }[];
}
export const explainRun = signal<ExplainRun | null>(null);

export type RoundsRun = ProgramRun<"explain">;
export const roundsRun = signal<RoundsRun | null>(null);

/** The one path that is explained at the moment, whose explanation has the number `reason`. */
export interface ExplainedRun extends ProgramRun<"explain"> {
  title: string;
  edges: number[];
  /** The places of the explanation that was asked for, if one was. */
  core: number[];
  path: ExplainPath | null;
  reason: number;
}
export const explainedRun = signal<ExplainedRun | null>(null);

export const explained: PathSource = {
  id: "explained",
  at: () => {
    const run = explainedRun.value;
    if (!run?.path || run.path.edges.length === 0) return null;
    const { edges, lines, verdict, input, dies_at, reasons, assumes } = run.path;
    const feasible = verdict === "feasible" ? true : verdict === "infeasible" ? false : null;
    const core = reasons[run.reason]?.explanation.map((step) => step.index) ?? [];
    return {
      title: run.title,
      path: { edges, lines, feasible, input, dies_at, core, open: run.note, assumes, after: [], state: null },
      run,
    };
  },
};

export const VIEWS = [
  { id: "prefixes", title: "Prefixes", short: "Prefixes" },
  { id: "build", title: "Build a path", short: "Build" },
  { id: "other", title: "Try another path", short: "Another" },
  { id: "rounds", title: "Rounds", short: "Rounds" },
  { id: "tables", title: "Tables", short: "Tables" },
] as const;
export type ViewId = (typeof VIEWS)[number]["id"];
export const shownView = signal<ViewId>("prefixes");
/** Where there is room for one picture only: which one; `null` is the one that goes with the view. */
const chosenPicture = signal<{ view: ViewId; picture: "S" | "automaton" } | null>(null);
export const shownPicture = computed((): "S" | "automaton" => {
  const [view, chosen] = [shownView.value, chosenPicture.value];
  return chosen?.view === view ? chosen.picture : view === "build" ? "S" : "automaton";
});
export const choosePicture = (picture: "S" | "automaton"): void => void (chosenPicture.value = { view: shownView.value, picture });
/** Where there is room for one column only: what it shows. */
export const part = signal<"list" | "why" | "picture">("list");
/** The automaton as built, or minimised. */
export const asBuilt = signal(false);
export const views = { S: signal<GraphView | null>(null), automaton: signal<GraphView | null>(null) };

/** A row of the list: an infeasible prefix with one explanation of it. */
export interface Row {
  number: number;
  edges: number[];
  explanation: (Pick<ExplainStep, "index" | "edge" | "line" | "text"> & Partial<Pick<ExplainStep, "causes">>)[];
  /** The same as conditions of the inputs, once they are known. */
  conditions: string[] | null;
  paths: string | null;
  states: number | null;
  regex: string | null;
}

/** The rows of a run: of its document, or of what had arrived when it was stopped. */
export function rowsOf({ document, found, cfg }: ExplainRun): Row[] {
  if (document) {
    return document.families.map(({ prefix, explanation, paths, states, regex }, number) => ({
      number,
      edges: prefix,
      explanation,
      conditions: explanation.map((step) => step.condition),
      paths,
      states,
      regex,
    }));
  }
  return found.map(({ path, core }, number) => {
    const explanation = core.flatMap((index) => {
      const edge = cfg.edges[path[index] ?? -1];
      return edge ? [{ index, edge: edge.id, line: edge.line, text: edge.label }] : [];
    });
    return { number, edges: path, explanation, conditions: null, paths: null, states: null, regex: null };
  });
}
export const rows = computed(() => (explainRun.value ? rowsOf(explainRun.value) : []));
export const chosenRow = signal<number | null>(null);

/** Rows for which the same edges contradict each other: a reason, as the engine's document has them. */
export interface Group {
  /** The edges, ascending. */
  key: string;
  number: number;
  prefixes: number;
  /** The row of the shortest prefix. */
  shortest: Row;
  rows: Row[];
}

const keyOf = (row: Row): string => [...new Set(row.explanation.map((step) => step.edge))].sort((a, b) => a - b).join();
const isPrefix = (row: Row | undefined, edges: readonly number[]): boolean =>
  row?.edges.length === edges.length && row.edges.every((edge, i) => edge === edges[i]);

/** The reasons of a document. */
function groupsIn({ reasons }: ExplainDocument, all: readonly Row[]): Group[] {
  return reasons.map(({ edges, prefixes, prefix, families }, number) => {
    const of = families.flatMap((at) => all[at] ?? []);
    const shortest = of.find((row) => isPrefix(row, prefix)) ?? of[0]!;
    return { key: edges.join(), number, prefixes, shortest, rows: of };
  });
}

/** The reasons among prefixes that are still arriving, those of most prefixes first: the engine tells them with its document. */
function groupsSoFar(all: readonly Row[]): Group[] {
  const groups = new Map<string, Omit<Group, "number">>();
  for (const row of all) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (!group) {
      groups.set(key, { key, prefixes: 1, shortest: row, rows: [row] });
      continue;
    }
    if (!isPrefix(group.rows.at(-1), row.edges)) group.prefixes++;
    if (row.edges.length < group.shortest.edges.length) group.shortest = row;
    group.rows.push(row);
  }
  return [...groups.values()]
    .sort((a, b) => b.prefixes - a.prefixes || a.shortest.edges.length - b.shortest.edges.length)
    .map((group, number) => ({ ...group, number }));
}
export const groups = computed(() => {
  const document = explainRun.value?.document;
  return document ? groupsIn(document, rows.value) : groupsSoFar(rows.value);
});
/** The reasons whose prefixes are listed below them. */
export const opened = signal<readonly string[]>([]);

/** A path put together edge by edge, each entry what one choice brought. */
export class Builder {
  /** With the graph in which they were made. */
  readonly #made = signal<{ of: CfgDocument; choices: readonly (readonly number[])[] } | null>(null);
  /** Empty where the program has changed so that this is no path of it any more. */
  readonly edges = computed((): number[] => {
    const [made, cfg] = [this.#made.value, known.value?.cfg];
    const edges = made?.choices.flat() ?? [];
    return made && cfg && isPathOfBoth(edges, made.of, cfg) ? edges : [];
  });
  /** The location at its end, and the edges that can follow. */
  readonly end = computed(() => {
    const cfg = known.value?.cfg;
    return cfg ? endOf(cfg, this.edges.value) : null;
  });
  /** Where there is no alternative the path is followed to the next decision, or to its end. */
  readonly next = computed((): CfgEdge[] => {
    const edges = known.value?.cfg.edges ?? [];
    let out = edges.filter((edge) => edge.from === this.end.value);
    for (let left = edges.length; left > 0 && out.length === 1; left--) {
      const ahead = edges.filter((edge) => edge.from === out[0]!.to);
      if (ahead.length === 0) break;
      out = ahead;
    }
    return out;
  });

  /** Goes on by an edge. One farther ahead may be named if nothing is to be decided before it. Whether it could. */
  add(id: number): boolean {
    const cfg = known.value?.cfg;
    let at = this.end.value;
    if (!cfg || at === null) return false;
    const way: number[] = [];
    for (let left = cfg.edges.length; left >= 0; left--) {
      const out = cfg.edges.filter((edge) => edge.from === at);
      const named = out.find((edge) => edge.id === id);
      const edge = named ?? (out.length === 1 ? out[0] : undefined);
      if (!edge) return false;
      way.push(edge.id);
      if (named) {
        this.#made.value = { of: cfg, choices: [...this.#choices(), way] };
        return true;
      }
      at = edge.to;
    }
    return false;
  }

  undo(): void {
    const cfg = known.value?.cfg;
    if (cfg) this.#made.value = { of: cfg, choices: this.#choices().slice(0, -1) };
  }

  set(edges: readonly number[]): void {
    const cfg = known.value?.cfg;
    if (cfg) this.#made.value = { of: cfg, choices: edges.map((edge) => [edge]) };
  }

  /** Those that hold in the program now shown. */
  #choices(): readonly (readonly number[])[] {
    return this.edges.value.length === 0 ? [] : (this.#made.value?.choices ?? []);
  }
}

export const built = new Builder();
export const other = new Builder();
/** What the engine said of the other path. */
export const otherVerdict = signal<{ edges: readonly number[]; text: string; name: "yes" | "no" | "open" } | null>(null);

/** The explanation that is looked at. */
export const shownReason = computed(() => {
  const run = explainedRun.value;
  return run?.path?.reasons[run.reason] ?? null;
});
export const shownAutomaton = computed(() => {
  const reason = shownReason.value;
  return reason ? (asBuilt.value ? reason.raw : reason.automaton) : null;
});
/** How the automaton follows the other path. */
export const otherWalk = computed(() => (shownAutomaton.value ? walk(shownAutomaton.value, other.edges.value) : null));

/** Whether what is explained is about the program now shown. */
export const explainedIsCurrent = (): boolean => explainedRun.value !== null && current(explainedRun.value);
