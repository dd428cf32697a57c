// The Branches tab's question in the worker.

import type { AtWorker } from "../../engine/at-worker";

export const branches: AtWorker<"branches"> = { results: ({ kind }) => kind.startsWith("branches"), evidence: true };
