// The Report tab's question.

import { run, type Task } from "../../state/run";
import { type ReportRun, reportChosen, reportRun } from "./state";

/** The verdicts of all engines on the branches. */
export const reporting: Task<"report", ReportRun> = {
  name: "report",
  run: reportRun,
  question: ({ limit }) => ({ settings: {}, begin: { own: limit ?? null } }),
  begins: () => {
    reportChosen.value = null;
  },
  evidence: { title: "Report", file: "report", how: "report on the function" },
};
export const reportAll = (limit?: number) => run(reporting, limit === undefined ? {} : { limit });
