// The Explain tab's questions in the worker.

import type { AtWorker } from "../../engine/at-worker";

export const explain: AtWorker<"explain"> = {
  results: ({ kind }) => kind === "refuted",
  evidence: true,
  warmUp: {
    chore: "ahead",
    settings: { max_instructions: 14, order: "first", check: "integer", extend: "detours", path: null, compare: 0, rounds: null },
  },
};
