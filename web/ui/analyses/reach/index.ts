// The Reach tab: what an input has to satisfy to get to a line, and whether one does.

import { isOneOf, keeping } from "../../state/stored";
import type { Analysis } from "../analysis";
import { Controls, View } from "./pane";
import { reaching, reachTarget } from "./session";
import { reachChoice } from "./settings";
import { margin, part, reached, reachRun, target } from "./state";

export const reach: Analysis = {
  id: "reach",
  title: "Reach",
  View,
  Controls,
  choices: [reachChoice],
  tasks: [reaching],
  analyse: () => reachTarget(),
  // The first visit shows what there is without being asked, as the other tabs do.
  visit: async () => {
    if (reachRun.value === null) await reachTarget();
  },
  opened: ({ reach }) => reachChoice.change({ target: reach }),
  aimed: (line) => reachChoice.change({ target: String(line) }),
  paths: [reached],
  keeps: [keeping("part", part, isOneOf(["list", "picture"]))],
  pointed: () => target.value,
  margin: () => margin.value,
};
