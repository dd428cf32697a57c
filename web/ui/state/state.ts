// The page's state: signals that panes read. Nothing here knows single analyses: what they found stands in their folders. Only
// engines.ts and run.ts ask the engine; the rest writes what a person chose.

import { Text } from "@codemirror/state";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Item } from "../graph/view";
import type { CfgDocument, Diagnostic, DrawnPath, Input, Ints } from "../protocol";
import { PerTab } from "./per-tab";
import { DEFAULTS, type Settings } from "./settings";

export type { Item };

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

/** What was asked for; `null` is the engine's choice. */
export interface Asked {
  /** The function. */
  asked: string | null;
  ints: Ints | null;
  inlineDepth: number | null;
  assume: string | null;
  target: string | null;
}
/** The last control-flow graph the engine gave, and what it was made from. */
export interface Known extends Asked {
  cfg: CfgDocument;
  text: Text;
  ms: number;
}
export const known = signal<Known | null>(null);
export const diagnostics = signal<Diagnostic[]>([]);
/** The text has changed, and its analysis waits for a pause in the keys. */
export const typing = signal(false);
export const analysing = signal(false);
/** What went wrong with the engine itself, not with the program. */
export const engineError = signal<string | null>(null);
export const engineVersion = signal<string | null>(null);

/** Whether the graph shown is of an earlier text. */
export const stale = computed(
  () =>
    known.value !== null &&
    (!known.value.text.eq(text.value) ||
      known.value.asked !== settings.value.function ||
      known.value.ints !== settings.value.ints ||
      known.value.inlineDepth !== settings.value.inlineDepth ||
      known.value.assume !== settings.value.assume ||
      known.value.target !== settings.value.target),
);

/** Whether the text is no program that could be analysed. What was found of an earlier one is not shown then; it comes back with it. */
export const refused = computed(() => diagnostics.value.some(({ severity }) => severity === "error"));

/** What results are about. */
export type About = Pick<Known, "cfg" | "text">;

const currents = new WeakMap<About, ReadonlySignal<boolean>>();
/** Whether a run's results are of the program and function now shown. A reader is notified of changes of the answer only,
 * not of every key press. */
export function current(run: About): boolean {
  let answer = currents.get(run);
  if (!answer) {
    answer = computed(
      () =>
        run.cfg.function === known.value?.cfg.function &&
        run.cfg.ints === known.value.cfg.ints &&
        run.cfg.inline_depth === known.value.cfg.inline_depth &&
        JSON.stringify(run.cfg.options?.target) === JSON.stringify(known.value.cfg.options?.target) &&
        !stale.value &&
        run.text.eq(text.value),
    );
    currents.set(run, answer);
  }
  return answer.value;
}

const tab = (): string => settings.value.tab;

/** What is chosen in a tab's graph. */
export const selected = new PerTab<Item | null>(null, tab);
export const cursorLine = signal<number | null>(null);

/** Something that has paths to be looked at: drawn ones, those of a run, of checked claims. */
export interface PathSource {
  /** Under this name a path is kept over a reload. */
  id: string;
  at: (index: number) => Omit<PathInView, "step"> | null;
  /** After a reload: asks anew for what the paths come from, if it is not there. */
  again?: () => Promise<unknown>;
}
/** The path that is looked at in a tab, and the step it stands at (an index into its edges). */
export const shownPath = new PerTab<{ of: PathSource; index: number; step: number } | null>(null, tab);
/** What is looked at of a source is no longer there. */
export const leavePaths = (of: PathSource): void => shownPath.clear((shown) => shown?.of === of);

export interface PathInView {
  title: string;
  path: DrawnPath;
  run: About;
  step: number;
  /** What happens at its end, if that is not that no input is left. */
  ends?: string;
}

const inView = new Map<string, ReadonlySignal<PathInView | null>>();
/** The path that is looked at in a tab, while it is there. */
export function pathIn(tab: string): PathInView | null {
  let view = inView.get(tab);
  if (!view) {
    view = computed(() => {
      const shown = shownPath.in(tab).value;
      if (!shown) return null;
      const found = shown.of.at(shown.index);
      return found && { ...found, step: Math.min(shown.step, Math.max(0, found.path.edges.length - 1)) };
    });
    inView.set(tab, view);
  }
  return view.value;
}
/** That of the tab which is shown. */
export const pathInView = computed((): PathInView | null => pathIn(tab()));

/** A single edge that is looked at, with those that say why it cannot be taken. */
export interface Pointed {
  edge: number;
  line: number;
  because: readonly { edge: number; line: number }[];
}

/** The path of a run on an input as it is looked at, or edges in a row that no run is known of; `ends` says what happens at its
 * last edge, if that is not taken. */
export function viewOf(
  run: About,
  title: string,
  edges: number[],
  { input, ends }: { input: Input | null; ends?: string | undefined },
): Omit<PathInView, "step"> | null {
  if (edges.length === 0) return null;
  const lines = edges.map((edge) => run.cfg.edges[edge]?.line ?? 0);
  const path: DrawnPath = {
    edges,
    lines,
    feasible: input === null ? null : true,
    input,
    dies_at: ends === undefined ? null : edges.length - 1,
    core: [],
    open: null,
    assumes: [],
    after: [],
    state: null,
  };
  return { title, path, run, ...(ends === undefined ? {} : { ends }) };
}

/** Moves along the path in view; whether there is one. */
export function stepBy(by: number): boolean {
  const shown = shownPath.value;
  const view = pathInView.value;
  if (!shown || !view) return false;
  const step = Math.min(view.path.edges.length - 1, Math.max(0, view.step + by));
  if (step === view.step) return true;
  selected.value = null;
  shownPath.value = { ...shown, step };
  return true;
}

/** A program that a pane wants to be shown, with what is to be analysed of it. */
export interface Wanted {
  program: string;
  source: string;
  function: string;
  ints: string;
  inlineDepth: number | null;
}
export const programWanted = signal<Wanted | null>(null);

/** A place in the program that a pane wants to be shown. */
export const placeWanted = signal<number | null>(null);

export interface Notice {
  text: string;
  tone: "info" | "error";
  action?: { label: string; run: () => void };
}
export const notice = signal<Notice | null>(null);

export type Theme = "auto" | "light" | "dark";
export const theme = signal<Theme>("auto");
export const projector = signal(false);
/** In Present, where otherwise a function is shown alone. */
export const wholeProgram = signal(false);
/** Phone layout: one pane at a time, the program among them. */
export const narrow = signal(false);
export const programShown = signal(true);
