// The Run tab: one execution, step by step.

import type { Analysis } from "../analysis";
import { Controls, View } from "./pane";
import { executing, runOnce } from "./session";
import { runChoice } from "./settings";
import { executed, executedRun } from "./state";

export const run: Analysis = {
  id: "run",
  title: "Run",
  View,
  Controls,
  choices: [runChoice],
  tasks: [executing],
  analyse: () => runOnce(),
  // The first visit shows what there is without being asked, as the other tabs do.
  visit: async () => {
    if (executedRun.value === null) await runOnce();
  },
  paths: [executed],
};
