// The page's state: signals that panes read. Only session.ts asks the engine; the rest writes what a person chose.

import { Text } from "@codemirror/state";
import { type ReadonlySignal, computed, signal } from "@preact/signals";
import type { CfgDocument, Diagnostic, DrawnPath, PathsRow } from "./protocol";
import { DEFAULTS, type Settings } from "./settings";

export type { Item } from "./graph/view";
import type { Item } from "./graph/view";

/** The program as the editor holds it: a tree of lines, so that a key press copies none of the rest. */
export const text = signal(Text.empty);
let lastRead: { text: Text; source: string } | null = null;
/** The text in one piece, for the engine, for storage and for links. */
export function sourceOf(of: Text): string {
  if (lastRead?.text !== of) lastRead = { text: of, source: of.toString() };
  return lastRead.source;
}
/** The program's name: an example's stem, or `program`. */
export const program = signal("program");
export const settings = signal<Settings>(DEFAULTS);
export const change = (part: Partial<Settings>): void => {
  settings.value = { ...settings.value, ...part };
};

/** The last control-flow graph the engine gave, and what it was made from. */
export interface Known {
  cfg: CfgDocument;
  text: Text;
  /** The function that was asked for; `null` is the engine's choice. */
  asked: string | null;
  ms: number;
}
export const known = signal<Known | null>(null);
export const diagnostics = signal<Diagnostic[]>([]);
export const analysing = signal(false);
/** What went wrong with the engine itself, not with the program. */
export const engineError = signal<string | null>(null);
export const engineVersion = signal<string | null>(null);

/** Whether the graph shown is of an earlier text. */
export const stale = computed(() => known.value !== null && (!known.value.text.eq(text.value) || known.value.asked !== settings.value.function));

export type RunState = "running" | "done" | "cancelled" | "failed";
export interface Progress {
  steps: number;
  limit: number;
  text: string;
}

interface Run {
  state: RunState;
  text: Text;
  cfg: CfgDocument;
  progress: Progress | null;
  /** Why it failed, or what is open. */
  note: string | null;
  ms: number | null;
}
export interface PathsRun extends Run {
  lengths: number[];
  feasible: boolean;
  rows: PathsRow[];
}
export interface DrawRun extends Run {
  length: number;
  count: number;
  seed: number;
  feasibleOnly: boolean;
  population: string | null;
  paths: (DrawnPath | undefined)[];
}
export const pathsRun = signal<PathsRun | null>(null);
export const drawRun = signal<DrawRun | null>(null);
export const running = computed(() => pathsRun.value?.state === "running" || drawRun.value?.state === "running");
const currents = new WeakMap<Run, ReadonlySignal<boolean>>();
/** Whether a run's results are of the program and function now shown. Whoever reads it hears of changes of the answer only,
 * not of every key press. */
export function current(run: Run): boolean {
  let answer = currents.get(run);
  if (!answer) {
    answer = computed(() => run.cfg.function === known.value?.cfg.function && !stale.value && run.text.eq(text.value));
    currents.set(run, answer);
  }
  return answer.value;
}

export const selected = signal<Item | null>(null);
export const cursorLine = signal<number | null>(null);

/** The drawn path that is looked at and the step it stands at (an index into its edges). */
export const shownPath = signal<{ index: number; step: number } | null>(null);
export const pathInView = computed(() => {
  const shown = shownPath.value;
  const run = drawRun.value;
  const path = shown && run?.paths[shown.index];
  return shown && run && path ? { path, run, index: shown.index, step: Math.min(shown.step, Math.max(0, path.edges.length - 1)) } : null;
});

export interface Notice {
  text: string;
  tone: "info" | "error";
  action?: { label: string; run: () => void };
}
export const notice = signal<Notice | null>(null);

export type Theme = "auto" | "light" | "dark";
export const theme = signal<Theme>("auto");
export const projector = signal(false);
/** Phone layout: one pane at a time, the program among them. */
export const narrow = signal(false);
export const programShown = signal(true);
