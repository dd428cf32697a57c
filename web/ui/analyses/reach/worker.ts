// The Reach tab's question in the worker.

import type { AtWorker } from "../at-worker";

export const reach: AtWorker<"reach"> = { evidence: true };
