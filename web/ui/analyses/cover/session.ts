// What the Cover tab asks.

import { run, type Task } from "../../state/run";
import { leavePaths } from "../../state/state";
import { coverChoice } from "./settings";
import { type CoverRun, coverChosen, covered, coverRun } from "./state";

/** Runs that are kept of a run without a document. */
const FOUND_MAX = 10_000;

/** Covers the function with tests, and says of the rest why. */
export const covering: Task<"cover", CoverRun> = {
  name: "cover",
  run: coverRun,
  question: () => {
    const { precondition, ...chosen } = coverChoice.value;
    return { settings: { ...chosen, precondition: precondition.trim() || null }, begin: { found: [] } };
  },
  begins: () => {
    leavePaths(covered);
    coverChosen.value = null;
  },
  arrived: ({ found }, events) => ({
    found: found.concat(events.flatMap((event) => (event.kind === "reached" ? [event] : []))).slice(0, FOUND_MAX),
  }),
  every: 200,
  open: (document) => document.reason,
  evidence: { title: "Cover", file: "cover", how: "cover statements" },
};
export const coverAll = (limit?: number) => run(covering, limit === undefined ? {} : { limit });
covered.again = async () => {
  if (coverRun.value === null) await coverAll();
};
