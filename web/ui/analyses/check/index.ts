// The Proofs tab: the evidence of the other analyses, or a file from elsewhere, checked anew.

import { running } from "../../state/run";
import type { Analysis } from "../analysis";
import { viewOver } from "./pane";
import { checkEvidence, checking } from "./session";
import { checkRun, claims } from "./state";

/** The check of what these analyses find. */
export const checkOf = (others: readonly Analysis[]): Analysis => {
  const tasks = others.flatMap(({ tasks = [] }) => tasks.filter(({ evidence }) => evidence));
  return {
    id: "check",
    title: "Proofs",
    View: viewOver(others),
    tasks: [checking],
    // Analyse checks what was last checked or, before that, what there is.
    analyse: () => {
      const run = checkRun.value;
      const file = tasks.map((task) => task.run.value?.evidence).find((evidence) => evidence);
      if (run) void checkEvidence(run.name, run.input);
      else if (file && !running.value) void checkEvidence("Evidence of the last run", file);
    },
    alone: () => true,
    paths: [claims],
  };
};
