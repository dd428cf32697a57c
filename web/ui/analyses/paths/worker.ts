// The Paths tab's questions in the worker.

import type { AtWorker } from "../../engine/at-worker";

export const paths: AtWorker<"paths"> = {
  results: ({ kind }) => kind === "row",
  evidence: true,
  warmUp: { chore: "warm", settings: { lengths: [6, 14], feasible: true } },
};
export const draw: AtWorker<"draw"> = {
  results: ({ kind }) => kind === "path",
  evidence: true,
  warmUp: { chore: "ahead", settings: { length: 14, count: 2, feasible_only: true, pruned: null } },
};
