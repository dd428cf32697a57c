// The page's state: signals that panes read. Only session.ts asks the engine; the rest writes what a person chose.

import { Text } from "@codemirror/state";
import { type ReadonlySignal, computed, signal } from "@preact/signals";
import { type CheckedFile, claimPath } from "./evidence";
import type { CfgDocument, CheckDocument, CompareSettings, ComparedRun, CoverDocument, CoverStatement, Diagnostic, DrawnPath, ExplainDocument, ExplainPath, FeasibleBy, Input, Ints, PathsRow, PruneDocument, PruneStep, Rejected, RunDocument } from "./protocol";
import { DEFAULTS, type DrawnFrom, type Settings } from "./settings";

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

/** What was asked for; `null` is the engine's choice. */
export interface Asked {
  /** The function. */
  asked: string | null;
  ints: Ints | null;
  inlineDepth: number | null;
}
/** The last control-flow graph the engine gave, and what it was made from. */
export interface Known extends Asked {
  cfg: CfgDocument;
  text: Text;
  ms: number;
}
export const known = signal<Known | null>(null);
export const diagnostics = signal<Diagnostic[]>([]);
export const analysing = signal(false);
/** What went wrong with the engine itself, not with the program. */
export const engineError = signal<string | null>(null);
export const engineVersion = signal<string | null>(null);

/** Whether the graph shown is of an earlier text. */
export const stale = computed(() => known.value !== null && (!known.value.text.eq(text.value) || known.value.asked !== settings.value.function || known.value.ints !== settings.value.ints || known.value.inlineDepth !== settings.value.inlineDepth));

export type RunState = "running" | "done" | "cancelled" | "failed";
export interface Progress {
  steps: number;
  limit: number;
  text: string;
}

/** What results are about. */
type About = Pick<Known, "cfg" | "text">;

interface Run extends About {
  state: RunState;
  progress: Progress | null;
  /** Why it failed, or what is open. */
  note: string | null;
  ms: number | null;
  /** The evidence file of what was found; there is none without claims, and none of a run that was cancelled. */
  evidence: Blob | null;
}
export interface PathsRun extends Run {
  lengths: number[];
  feasible: boolean;
  rows: PathsRow[];
  /** What the feasible counts rest on, once that is known. */
  by: FeasibleBy | null;
}
export interface DrawRun extends Run {
  length: number;
  count: number;
  seed: number;
  from: DrawnFrom;
  population: string | null;
  paths: (DrawnPath | undefined)[];
}
export const pathsRun = signal<PathsRun | null>(null);
export const drawRun = signal<DrawRun | null>(null);
export interface PruneRun extends Run {
  lengths: number[];
  feasible: boolean;
  /** The changes of the red–black graph so far; only the first ones of very long constructions. */
  steps: PruneStep[];
  document: PruneDocument | null;
  /** What the construction was asked for; the document says what came to an end. */
  asked: { lookahead: number; restarts: boolean };
  /** The limit of its steps. */
  limit: number;
}
export const pruneRun = signal<PruneRun | null>(null);
export interface ExplainRun extends Run {
  /** Infeasible prefixes as they arrive, before there is a document: edges, and which of them contradict each other. */
  found: { path: number[]; core: number[] }[];
  document: ExplainDocument | null;
  /** The limit of its steps. */
  limit: number;
}
export const explainRun = signal<ExplainRun | null>(null);
export interface RoundsRun extends Run {
  document: ExplainDocument | null;
  limit: number;
}
export const roundsRun = signal<RoundsRun | null>(null);
/** The one path that is explained at the moment, whose explanation has the number `reason`. */
export interface ExplainedRun extends Run {
  title: string;
  edges: number[];
  path: ExplainPath | null;
  reason: number;
}
export const explainedRun = signal<ExplainedRun | null>(null);
export interface CoverRun extends Run {
  /** Replayed runs as they arrive, before there is a document. */
  found: { path: number[]; input: Input }[];
  document: CoverDocument | null;
  /** What stands in the way of covering, with its place. */
  refused: Diagnostic[];
  unwind: number;
  /** The limit of its steps. */
  limit: number;
}
export const coverRun = signal<CoverRun | null>(null);
/** The covering algorithms on random programs: of no program that is shown. */
export interface ComparisonRun extends Omit<Run, keyof About> {
  asked: CompareSettings;
  /** As they arrive. */
  runs: ComparedRun[];
}
export const comparisonRun = signal<ComparisonRun | null>(null);
/** One execution. */
export interface ExecutedRun extends Run {
  input: Input;
  document: RunDocument | null;
  refused: Diagnostic[];
  /** The limit of its steps. */
  limit: number;
}
export const executedRun = signal<ExecutedRun | null>(null);
/** What is looked at in the Cover tab: a test or an error by its number, or a statement by its edge. */
export const coverChosen = signal<{ kind: "test" | "error" | "statement"; at: number } | null>(null);
/** The check of an evidence file, whose program need not be the one shown. */
export interface CheckRun {
  state: RunState;
  /** What is checked, such as the file's name. */
  name: string;
  input: Blob;
  /** Claims checked, of all. */
  progress: Progress | null;
  rejected: Rejected[];
  document: CheckDocument | null;
  file: CheckedFile | null;
  note: string | null;
  ms: number | null;
}
export const checkRun = signal<CheckRun | null>(null);
export const running = computed(() => [pathsRun, drawRun, pruneRun, explainRun, roundsRun, coverRun, comparisonRun, executedRun, checkRun].some((run) => run.value?.state === "running"));

const currents = new WeakMap<About, ReadonlySignal<boolean>>();
/** Whether a run's results are of the program and function now shown. Whoever reads it hears of changes of the answer only,
 * not of every key press. */
export function current(run: About): boolean {
  let answer = currents.get(run);
  if (!answer) {
    answer = computed(() => run.cfg.function === known.value?.cfg.function && run.cfg.ints === known.value.cfg.ints && run.cfg.inline_depth === known.value.cfg.inline_depth && !stale.value && run.text.eq(text.value));
    currents.set(run, answer);
  }
  return answer.value;
}

export const selected = signal<Item | null>(null);
export const cursorLine = signal<number | null>(null);

/** Whether the checked file is about the program and function now shown. */
export const checkMatches = computed(() => {
  const file = checkRun.value?.file;
  const now = known.value;
  return file != null && now !== null && !stale.value && file.function === now.cfg.function && file.ints === now.cfg.ints && file.inlineDepth === now.cfg.inline_depth && file.source === sourceOf(now.text);
});

/** The path that is looked at, drawn, of a checked claim, explained, of a run that covers or executed, and the step it stands at (an index into its edges). */
export const shownPath = signal<{ of: "drawn" | "claims" | "explained" | "cover" | "run"; index: number; step: number } | null>(null);
export interface PathInView {
  title: string;
  path: DrawnPath;
  run: About;
  step: number;
  /** What happens at its end, if that is not that no input is left. */
  ends?: string;
}
export const pathInView = computed((): PathInView | null => {
  const shown = shownPath.value;
  if (!shown) return null;
  const found = shown.of === "drawn" ? drawnInView(shown.index) : shown.of === "claims" ? claimInView(shown.index) : shown.of === "cover" ? coverInView() : shown.of === "run" ? executedInView() : explainedInView();
  return found && { ...found, step: Math.min(shown.step, Math.max(0, found.path.edges.length - 1)) };
});

function drawnInView(index: number): Omit<PathInView, "step"> | null {
  const run = drawRun.value;
  const path = run?.paths[index];
  return run && path ? { title: `Path ${index + 1}`, path, run } : null;
}

/** The steps of a run that are known, with the edge before which it stopped. */
function executedInView(): Omit<PathInView, "step"> | null {
  const run = executedRun.value;
  if (!run?.document) return null;
  const { steps_shown, steps, stopped_before, reason } = run.document;
  const stopped = stopped_before !== null && steps_shown.length === steps ? [stopped_before] : [];
  const edges = [...steps_shown.map(({ edge }) => edge), ...stopped];
  if (edges.length === 0) return null;
  const lines = edges.map((edge) => run.cfg.edges[edge]?.line ?? 0);
  const path = { edges, lines, feasible: true, input: run.input, dies_at: stopped.length > 0 ? edges.length - 1 : null, core: [], open: null };
  return { title: "The run", path, run, ...(stopped.length > 0 ? { ends: reason ?? "the assumption does not hold" } : {}) };
}

function explainedInView(): Omit<PathInView, "step"> | null {
  const run = explainedRun.value;
  if (!run?.path || run.path.edges.length === 0) return null;
  const { edges, lines, verdict, input, dies_at, reasons } = run.path;
  const feasible = verdict === "feasible" ? true : verdict === "infeasible" ? false : null;
  const core = reasons[run.reason]?.explanation.map((step) => step.index) ?? [];
  return { title: run.title, path: { edges, lines, feasible, input, dies_at, core, open: run.note }, run };
}

/** The statement that is looked at in the Cover tab, if it is one of the program now shown. */
export const coverStatement = computed((): CoverStatement | null => {
  const [run, chosen, shown] = [coverRun.value, coverChosen.value, shownPath.value];
  if (!run?.document || chosen?.kind !== "statement" || (shown && shown.of !== "cover") || !current(run)) return null;
  const { infeasible, never_completes, not_within, open } = run.document;
  return [infeasible, never_completes, not_within, open].flat().find(({ edge }) => edge === chosen.at) ?? null;
});

/** The tests of a run: of its document, or the complete ones of those that had arrived. */
export function testsOf({ document, found, cfg }: CoverRun): { edges: number[]; input: Input }[] {
  if (document) return document.tests;
  return found.flatMap(({ path, input }) => (path.length === 0 || cfg.edges[path.at(-1)!]?.to === cfg.exit ? [{ edges: path, input }] : []));
}

function coverInView(): Omit<PathInView, "step"> | null {
  const [run, chosen] = [coverRun.value, coverChosen.value];
  if (!run || !chosen) return null;
  const view = (title: string, edges: number[], input: Input, ends?: string): Omit<PathInView, "step"> | null => {
    if (edges.length === 0) return null;
    const lines = edges.map((edge) => run.cfg.edges[edge]?.line ?? 0);
    const path = { edges, lines, feasible: true, input, dies_at: ends === undefined ? null : edges.length - 1, core: [], open: null };
    return { title, path, run, ...(ends === undefined ? {} : { ends }) };
  };
  if (chosen.kind === "test") {
    const test = testsOf(run)[chosen.at];
    return test ? view(`Test ${chosen.at + 1}`, test.edges, test.input) : null;
  }
  if (chosen.kind === "error") {
    const error = run.document?.errors[chosen.at];
    if (!error) return null;
    const edges = error.edges.at(-1) === error.edge ? error.edges : [...error.edges, error.edge];
    return view(`Error ${chosen.at + 1}`, edges, error.input, error.error);
  }
  const statement = coverStatement.value;
  return statement?.reached_by ? view(`Run to line ${statement.line}`, statement.reached_edges, statement.reached_by) : null;
}

function claimInView(index: number): Omit<PathInView, "step"> | null {
  const check = checkRun.value;
  const run = known.value;
  const claim = check?.file?.claims.find((other) => other.index === index);
  if (!check || !run || !claim || !checkMatches.value) return null;
  const path = claimPath(claim, check.rejected.find((other) => other.index === index), run.cfg);
  return path && { title: `Claim ${claim.id}`, path, run };
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

/** A program that a pane wants to be shown. */
export const programWanted = signal<Pick<CheckedFile, "program" | "source" | "function" | "ints" | "inlineDepth"> | null>(null);

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
/** Phone layout: one pane at a time, the program among them. */
export const narrow = signal(false);
export const programShown = signal(true);
