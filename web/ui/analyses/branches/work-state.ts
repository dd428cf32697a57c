// The graph at work: which step of the last run is looked at, and what the graph shows of the model then.

import { batch, computed, signal } from "@preact/signals";
import type { Marks } from "../../graph/view";
import { current, selected, shownPath } from "../../state/state";
import { branchesChosen, branchesRun, part } from "./state";
import { edgeOf, modelAt, runOf } from "./work";

/** Whether the tab shows how it was found instead of what was found. */
export const atWork = signal(false);
/** How many steps are shown; `null` is all there are. */
export const stepsShown = signal<number | null>(null);
export const playing = signal(false);
/** The wanted state that is looked at. */
export const wantedChosen = signal<number | null>(null);

export const steps = computed(() => branchesRun.value?.steps ?? []);
export const shownCount = computed(() => Math.min(stepsShown.value ?? Infinity, steps.value.length));
export const step = computed(() => steps.value[shownCount.value - 1] ?? null);
export const model = computed(() => modelAt(steps.value, shownCount.value));
/** It before the step. */
export const before = computed(() => modelAt(steps.value, Math.max(0, shownCount.value - 1)));

export function goTo(count: number): void {
  stepsShown.value = Math.max(0, Math.min(steps.value.length, count));
}

/** Shows how it was found, or what was found. */
export function show(work: boolean): void {
  batch(() => {
    atWork.value = work;
    playing.value = false;
    if (!work) return;
    // A path in view has the strip of steps for itself.
    shownPath.in("branches").value = null;
    branchesChosen.value = null;
    selected.in("branches").value = null;
    part.value = "picture";
  });
}

/** A new run is shown from its end on. */
export function resetWork(): void {
  stepsShown.value = null;
  wantedChosen.value = null;
  playing.value = false;
}

/** Looks at a wanted state, whose location is shown in the graph, or leaves it. */
export function chooseWanted(number: number): void {
  const state = wantedChosen.peek() === number ? undefined : (model.peek().wanted.get(number) ?? before.peek().wanted.get(number));
  wantedChosen.value = state ? number : null;
  selected.in("branches").value = state ? { kind: "node", id: state.location } : null;
}

/** What the graph shows of the model at the step. */
export const workMarks = computed((): Marks => {
  const none: Marks = { selected: selected.in("branches").value, line: null, path: [], beyond: [], at: null, dead: null };
  const run = branchesRun.value;
  if (!run || !current(run)) return none;
  const { reached, taken, excluded, wanted, frontier } = model.value;
  const now = step.value;
  const at = now && edgeOf(now);
  const kinds = new Map<number, string>();
  const add = (edge: number, name: string): void => void kinds.set(edge, `${kinds.has(edge) ? `${kinds.get(edge)} ` : ""}${name}`);
  for (const edge of taken) add(edge, "v-taken");
  for (const edge of excluded) add(edge, "v-infeasible");
  for (const { edge } of frontier.values()) if (!kinds.get(edge)?.endsWith("frontier")) add(edge, "frontier");
  const counts = new Map<number, number>();
  for (const { location } of wanted.values()) counts.set(location, (counts.get(location) ?? 0) + 1);
  return {
    ...none,
    path: runOf(steps.value, shownCount.value - 1),
    at,
    dead: now?.did.kind === "gone" || now?.did.kind === "excluded" ? at : null,
    kinds,
    places: new Map(run.cfg.locations.map(({ id }) => [id, reached.has(id) ? "reached" : "unreached"])),
    notes: new Map([...counts].map(([location, count]) => [location, `R ${count}`])),
  };
});
