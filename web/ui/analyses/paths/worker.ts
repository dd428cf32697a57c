// The Paths tab's questions in the worker.

import type { AtWorker } from "../at-worker";

export const paths: AtWorker<"paths"> = { results: ({ kind }) => kind === "row", evidence: true, warmUp: { lengths: [6, 14], feasible: true } };
export const draw: AtWorker<"draw"> = { results: ({ kind }) => kind === "path", evidence: true, warmUp: { length: 14, count: 2, feasible_only: true, pruned: null } };
