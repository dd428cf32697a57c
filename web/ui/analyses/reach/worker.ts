// The Reach tab's question in the worker.

import type { AtWorker } from "../../engine/at-worker";

export const reach: AtWorker<"reach"> = { results: ({ kind }) => kind.startsWith("reach_"), evidence: true };
