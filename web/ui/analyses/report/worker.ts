// The Report tab's questions in the worker.

import type { AtWorker } from "../../engine/at-worker";

export const report: AtWorker<"report"> = { evidence: true };
export const criteria: AtWorker<"criteria"> = { evidence: true };
