// The Report tab: one verdict for each branch, from all engines, and what a reviewer has to look at first.

import { current } from "../../state/state";
import { isChoice, keeping } from "../../state/stored";
import type { Analysis } from "../analysis";
import { Controls, View } from "./pane";
import { predictChoice } from "./predicting";
import { reportAll, reporting } from "./session";
import { CHOSEN, chooseAt, pointed, reportChosen, reportRun, stepRow } from "./state";

export const report: Analysis = {
  id: "report",
  title: "Report",
  View,
  Controls,
  choices: [predictChoice],
  tasks: [reporting],
  analyse: () => reportAll(),
  // The first visit shows what there is without being asked, as the other tabs do.
  visit: async () => {
    if (reportRun.value === null) await reportAll();
  },
  keeps: [keeping("chosen", reportChosen, isChoice(CHOSEN))],
  pointed: () => pointed.value,
  step: (by) => !predictChoice.value.on && stepRow(by),
  marginChosen: chooseAt,
  problems: () => {
    const run = reportRun.value;
    return run && current(run) ? run.refused : [];
  },
};
