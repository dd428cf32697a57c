// The Cover tab's questions in the worker.

import type { AtWorker } from "../../engine/at-worker";

export const cover: AtWorker<"cover"> = { results: ({ kind }) => kind === "reached", evidence: true };
export const compare: AtWorker<"compare"> = { results: ({ kind }) => kind === "compared" };
