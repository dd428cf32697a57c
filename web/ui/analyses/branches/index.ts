// The Branches tab: tests for every side of every decision that can be taken, and proofs that the others cannot.

import { stepRows } from "../../parts/rows";
import { current } from "../../state/state";
import { isChoice, isFlag, isNumber, isOneOf, keeping } from "../../state/stored";
import type { Analysis } from "../analysis";
import { sharedBranches } from "../background";
import { Controls, View } from "./pane";
import { branchAll, branching } from "./session";
import { branchesChoice } from "./settings";
import { branched, branchesChosen, branchesRun, CHOSEN, chooseAt, margin, part, pointed } from "./state";
import { atWork, show, stepsShown } from "./work-state";
import { WorkSteps } from "./work-view";

export const branches: Analysis = {
  id: "branches",
  title: "Branches",
  View,
  Controls,
  Strip: WorkSteps,
  choices: [branchesChoice],
  tasks: [branching],
  analyse: () => branchAll(),
  step: stepRows(".branches-pane"),
  // The first visit shows what there is without being asked, as the other tabs do.
  visit: async () => {
    const run = branchesRun.value;
    if (run === null || !current(run)) await (sharedBranches() ?? (run === null ? branchAll() : null));
  },
  paths: [branched],
  keeps: [
    keeping("chosen", branchesChosen, isChoice(CHOSEN)),
    keeping("part", part, isOneOf(["list", "picture"])),
    keeping("work", atWork, isFlag),
    keeping("step", stepsShown, isNumber),
  ],
  pointed: () => (atWork.value ? null : pointed.value),
  margin: () => margin.value,
  marginChosen: (line, sign) => {
    show(false);
    chooseAt(line, sign);
  },
  problems: () => {
    const run = branchesRun.value;
    return run && current(run) ? run.refused : [];
  },
};
