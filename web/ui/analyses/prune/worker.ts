// The Prune tab's question in the worker.

import type { AtWorker } from "../../engine/at-worker";

/** Steps of a construction that are kept for looking at; with restarts there may be millions. */
export const SHOWN_STEPS = 50_000;

export const prune: AtWorker<"prune"> = {
  results: ({ kind }) => kind === "pruning",
  most: SHOWN_STEPS,
  evidence: true,
  warmUp: {
    chore: "ahead",
    settings: {
      graph: {
        abstraction: "learn",
        restarts: true,
        lookahead: 6,
        max_red_length: null,
        invariants: true,
        exact_up_to: null,
        precondition: null,
      },
      lengths: [6, 14],
      feasible: true,
    },
  },
};
