// The run of Prune, and what is looked at in its red–black graph: a step, a vertex, whether closed subtrees are folded.

import { computed, signal } from "@preact/signals";
import type { PruneStep } from "../../protocol";
import type { ProgramRun } from "../../state/run";
import type { Item } from "../../state/state";
import { closedSubtrees, concerned, historyOf, type Living, Replay } from "./history";
import { boxesOf, wordsOf } from "./red-boxes";
import { layOutBoxes } from "./red-layout";
import { namer } from "./sentence";
import { SHOWN_STEPS } from "./worker";

export interface PruneRun extends ProgramRun<"prune"> {
  limit: number;
  /** The changes of the red–black graph so far; only the first ones of very long constructions. */
  steps: PruneStep[];
}
export const pruneRun = signal<PruneRun | null>(null);

/** How many steps are shown; `null` is all there are. */
export const stepsShown = signal<number | null>(null);
export const redSelected = signal<number | null>(null);
/** A place or an edge of S′. */
export const prunedSelected = signal<Item | null>(null);
export const collapse = signal(false);
export const playing = signal(false);

export const history = computed(() => historyOf(pruneRun.value?.steps ?? []));
const steps = computed(() => history.value.steps);
/** Whether the construction took more steps than are kept. */
export const cutShort = computed(() => {
  const made = pruneRun.value?.steps.length ?? 0;
  return made >= SHOWN_STEPS || steps.value.length < made;
});
export const shownCount = computed(() => Math.min(stepsShown.value ?? Infinity, steps.value.length));
const replay = computed(() => new Replay(history.value));
export const living = computed((): Living => replay.value.at(shownCount.value));
export const nameOf = computed(() => namer(history.value));
export const currentStep = computed(() => steps.value[shownCount.value - 1] ?? null);

/** Of the finished graph, so that what is folded does not change while stepping. */
export const folded = computed(() => {
  const run = pruneRun.value;
  if (!run || !collapse.value) return new Map<number, number>();
  return closedSubtrees(history.value, replay.value.at(steps.value.length), run.cfg.exit);
});
export const boxes = computed(() => {
  const cfg = pruneRun.value?.cfg;
  const edges = new Map(cfg?.edges.map((edge) => [edge.id, edge]));
  return boxesOf(history.value, new Set(folded.value.keys()), (slot) => {
    const { edge, location } = history.value.slots[slot]!;
    const of = edge === null ? undefined : edges.get(edge);
    return wordsOf(of?.label ?? "entry", of?.line ?? 0, location === cfg?.exit);
  });
});
export const laid = computed(() => layOutBoxes(boxes.value, history.value.slots.length));

/** What the picture emphasises. */
export const emphasis = computed(() => {
  const step = stepsShown.value === null ? null : currentStep.value;
  const { vertex, others } = step ? concerned(step) : { vertex: null, others: [] };
  return { living: living.value, at: vertex, others: new Set(others), selected: redSelected.value };
});

export function goTo(count: number): void {
  stepsShown.value = Math.max(0, Math.min(steps.value.length, count));
}

/** A new run is shown from its end on. */
export function resetRed(): void {
  stepsShown.value = null;
  redSelected.value = null;
  prunedSelected.value = null;
  playing.value = false;
}
