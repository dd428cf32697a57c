// The run of Reach, and the paths that can be looked at of it.

import { computed, signal } from "@preact/signals";
import type { MarginMark } from "../../editor/editor";
import type { GraphView } from "../../graph/view";
import type { Event, ReachDocument, ReachSatisfiable, ReachVerdict } from "../../protocol";
import type { ProgramRun } from "../../state/run";
import { current, type PathSource, type Pointed, shownPath, viewOf } from "../../state/state";
import { subscript } from "../../text/numbers";

/** The condition and what it was made of. */
export type Answer = Pick<
  ReachDocument,
  | "target"
  | "verdict"
  | "condition"
  | "written_out"
  | "written_out_cut"
  | "condition_steps"
  | "written_out_steps"
  | "backbones"
  | "backbones_cut"
  | "loop_summaries"
  | "path"
  | "input"
  | "search"
>;

export interface ReachRun extends ProgramRun<"reach"> {
  /** What is known before there is a document. */
  sofar: Answer | null;
}
/** What a run says, or has said before it was cancelled. */
export const answerOf = (run: ReachRun): Answer | null => run.document ?? run.sofar;

/** What an event adds to what is known. */
export function learned(sofar: Answer | null, event: Event): Answer | null {
  if (event.kind === "reach_condition") {
    return { ...event, verdict: "unknown", condition_steps: 0, written_out_steps: 0, path: [], input: null, search: null };
  }
  if (event.kind !== "reach_decided" || !sofar) return sofar;
  const { backbone, verdict, k } = event;
  return { ...sofar, backbones: sofar.backbones.map((of, at) => (at === backbone ? { ...of, verdict, k } : of)) };
}
export const reachRun = signal<ReachRun | null>(null);

/** A verdict's sign, its class, and its word. */
export const VERDICTS: Record<ReachVerdict, { sign: string; kind: "covered" | "infeasible" | "open"; word: string }> = {
  reached: { sign: "✓", kind: "covered", word: "reached" },
  unreachable: { sign: "✕", kind: "infeasible", word: "unreachable" },
  unknown: { sign: "?", kind: "open", word: "open" },
};
export const CONDITIONS: Record<ReachSatisfiable, { sign: string; kind: string; word: string }> = {
  satisfiable: { sign: "✓", kind: "covered", word: "can hold" },
  unsatisfiable: { sign: "✕", kind: "infeasible", word: "cannot hold" },
  open: { sign: "?", kind: "open", word: "open" },
  unasked: { sign: "–", kind: "", word: "not asked" },
};

/** What can be walked along: the run to the target or the nearest one, then the backbones, then the rounds of the loops. */
function ways({ target, path, backbones, loop_summaries, input, search }: Answer) {
  const nearest = search?.nearest;
  return [
    nearest && !input
      ? { title: "Nearest run", edges: nearest.path, input: nearest.input, there: false }
      : { title: `Run to line ${target.place.line}`, edges: path, input, there: true },
    ...backbones.map(({ edges }, at) => ({ title: `Backbone ${at + 1}`, edges, input: null, there: true })),
    ...loop_summaries.flatMap(({ rounds }) =>
      rounds.map(({ counter, edges }) => ({ title: `Round ${subscript(counter)}`, edges, input: null, there: false })),
    ),
  ];
}

export const reached: PathSource = {
  id: "reach",
  at: (index) => {
    const run = reachRun.value;
    const answer = run && answerOf(run);
    const way = answer && ways(answer)[index];
    if (!run || !way) return null;
    const view = viewOf(run, way.title, way.edges, { input: way.input });
    // The last edge may begin before the target, as the test does that leads to it.
    if (view && way.there) view.path.lines.splice(-1, 1, answer.target.place.line);
    return view;
  },
};

/** The path that is looked at in the tab. */
const own = shownPath.in("reach");

/** The run to the target, or the nearest one, has number 0; then come the backbones, then the rounds. */
export const indexOf = {
  backbone: (at: number): number => 1 + at,
  round: ({ backbones, loop_summaries }: Answer, looped: number, at: number): number =>
    1 + backbones.length + loop_summaries.slice(0, looped).reduce((sum, { rounds }) => sum + rounds.length, 0) + at,
};

/** Looks at a path from one of its steps on. */
export const look = (index: number, step = 0): void => void (own.value = { of: reached, index, step });
/** Looks at a path, or leaves it if it is looked at. */
export const toggle = (index: number): void => (isShown(index) ? void (own.value = null) : look(index));
export const isShown = (index: number): boolean => own.value?.of === reached && own.value.index === index;

/** The target, of the program now shown. */
export const target = computed((): Pointed | null => {
  const run = reachRun.value;
  const answer = run && answerOf(run);
  if (!answer || !current(run)) return null;
  const { edges, place } = answer.target;
  return { edge: edges[0] ?? -1, line: place.line, because: [] };
});

/** What the program's margin shows: the verdict at the target. */
export const margin = computed((): MarginMark[] => {
  const verdict = target.value && reachRun.value?.document?.verdict;
  if (!verdict) return [];
  const { sign, kind, word } = VERDICTS[verdict];
  return [{ line: target.value!.line, signs: [{ name: kind, text: sign }], title: `Target: ${word}` }];
});

export const view = signal<GraphView | null>(null);
/** Where there is room for one of them: the answer, or the graph. */
export const part = signal<"list" | "picture">("list");
