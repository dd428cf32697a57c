// The Report tab: one verdict for each branch, from all engines, and what a reviewer has to look at first.

import { coverage } from "../../state/coverage";
import { current } from "../../state/state";
import { isChoice, keeping } from "../../state/stored";
import type { Analysis } from "../analysis";
import { justifyAll, justifying, justifyRun, refusal } from "./coverage";
import { criterionChoice, criterionRun, judgeGoals, judging } from "./criterion";
import { shortReason } from "./list";
import { Controls, View } from "./pane";
import { predictChoice } from "./predicting";
import { saveForm } from "./save-forms";
import { reportAll, reporting } from "./session";
import { CHOSEN, chooseAt, excludedBranch, pointed, reportChosen, reportRun, stepRow } from "./state";

export const report: Analysis = {
  id: "report",
  title: "Report",
  View,
  Controls,
  choices: [predictChoice, criterionChoice],
  tasks: [reporting, justifying, judging],
  analyse: () => {
    void reportAll();
    void justifyAll();
    void judgeGoals();
  },
  measured: refusal,
  // The first visit shows what there is without being asked, as the other tabs do; so does each program that is shown in place of another.
  visit: async () => {
    const measured = coverage.value.length > 0 && justifyRun.value === null ? justifyAll() : null;
    const goals = criterionRun.value === null ? judgeGoals() : null;
    if (reportRun.value === null || !current(reportRun.value)) await reportAll();
    await Promise.all([measured, goals]);
  },
  keeps: [keeping("chosen", reportChosen, isChoice(CHOSEN))],
  pointed: () => pointed.value,
  step: (by) => !predictChoice.value.on && stepRow(by),
  marginChosen: chooseAt,
  reasonOf: (edge) => {
    const branch = excludedBranch(edge);
    return branch && shortReason(branch);
  },
  savePage: async () => {
    const now = reportRun.peek();
    const run = now?.document && current(now) ? now : await reportAll();
    if (run?.document) await saveForm({ ...run, document: run.document }, "html");
  },
  problems: () => {
    const run = reportRun.value;
    return run && current(run) ? run.refused : [];
  },
};
