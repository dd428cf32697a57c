// What the Check tab asks.

import { type CheckedFile, SHOWN_CLAIMS } from "../../engine/evidence";
import { type Options, run, type Task } from "../../state/run";
import { leavePaths } from "../../state/state";
import { type CheckRun, checkRun, claims } from "./state";

/** Checks an evidence file, from the program's text in it on. */
export const checking: Task<"check", CheckRun, Options & { name: string; file: Blob }> = {
  name: "check",
  run: checkRun,
  alone: true,
  question: ({ name, file }) => ({
    settings: { evidence: file, unreadable: null },
    begin: { name, input: file, rejected: [], file: null },
  }),
  begins: () => leavePaths(claims),
  arrived: (run, events) => {
    const checked = events.flatMap((event) => (event.kind === "checked" ? [event] : []));
    const last = checked.at(-1);
    const rejected = [...run.rejected, ...checked.flatMap((event) => event.rejected ?? [])].slice(0, SHOWN_CLAIMS);
    return { rejected, ...(last && { progress: { steps: last.claims, limit: last.of, text: "" } }) };
  },
  finished: (_, { rejected }, file) => ({ rejected, file: (file as CheckedFile | undefined) ?? null }),
  // Not the program's doing: no link would reproduce it, the file does.
  gaveUp: (message) => `the engine gave up on the file: ${message}`,
};
export const checkEvidence = (name: string, file: Blob) => run(checking, { name, file });
