// The model of Branches over time: what it is after any number of its steps. Pure.

import type { BranchesGap, BranchesStep, BranchesWanted } from "../../protocol";

/** A wanted state as it is after some step. */
export interface Wanted extends BranchesWanted {
  /** Its condition says too little: no proof uses it. */
  touched: boolean;
}

export interface Model {
  /** The locations that runs have reached, and the edges that they have taken. */
  reached: ReadonlySet<number>;
  taken: ReadonlySet<number>;
  /** Edges that no execution takes. */
  excluded: ReadonlySet<number>;
  wanted: ReadonlyMap<number, Wanted>;
  /** By the numbers of the gaps. */
  frontier: ReadonlyMap<number, BranchesGap>;
}

/** The model after so many of the steps. */
export function modelAt(steps: readonly BranchesStep[], count: number): Model {
  const [reached, taken, excluded] = [new Set<number>(), new Set<number>(), new Set<number>()];
  const wanted = new Map<number, Wanted>();
  const frontier = new Map<number, BranchesGap>();
  for (const step of steps.slice(0, count)) {
    for (const location of step.reached) reached.add(location);
    for (const edge of step.taken) taken.add(edge);
    if (step.did.kind === "excluded") for (const edge of step.did.edges) excluded.add(edge);
    for (const state of step.wanted) wanted.set(state.state, { ...state, touched: false });
    for (const number of step.touched) {
      const state = wanted.get(number);
      if (state) state.touched = true;
    }
    for (const number of step.removed) wanted.delete(number);
    for (const gap of step.left) frontier.delete(gap);
    for (const gap of step.joined) frontier.set(gap.gap, gap);
  }
  return { reached, taken, excluded, wanted, frontier };
}

/** The edge that a step is about. */
export function edgeOf({ did }: BranchesStep): number | null {
  switch (did.kind) {
    case "run":
      return did.origin.from === "diverted" ? did.origin.edge : null;
    case "backward":
    case "gone":
    case "proved":
      return did.edge;
    case "excluded":
      return did.edges[0] ?? null;
    default:
      return null;
  }
}

/** The last of the steps that is a run: what follows on a run is shown with its path. */
export function runOf(steps: readonly BranchesStep[], at: number): readonly number[] {
  const kind = steps[at]?.did.kind;
  if (kind !== "run" && kind !== "coarsened" && kind !== "targets") return [];
  for (let before = at; before >= 0; before--) {
    const { did } = steps[before]!;
    if (did.kind === "run") return did.edges;
  }
  return [];
}
