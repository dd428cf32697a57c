// The Report tab's question in the worker.

import type { AtWorker } from "../../engine/at-worker";

export const report: AtWorker<"report"> = { evidence: true };
