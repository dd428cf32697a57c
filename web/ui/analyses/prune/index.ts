// The Prune tab: the graph unfolded, cut and folded again.

import { current } from "../../state/state";
import { isFlag, isItem, isNumber, isOneOf, keeping } from "../../state/stored";
import type { Analysis } from "../analysis";
import { Controls, chosenView, Strip, VIEWS, View } from "./pane";
import { collapse, prunedSelected, pruneRun, redSelected, stepsShown } from "./red-state";
import { pruneGraph, pruning } from "./session";
import { pruneChoice } from "./settings";

export const prune: Analysis = {
  id: "prune",
  title: "Prune",
  View,
  Controls,
  Strip,
  choices: [pruneChoice],
  tasks: [pruning],
  analyse: () => pruneGraph(),
  // The first visit shows the graph without being asked, as the Paths tab does with its table.
  visit: async () => {
    if (pruneRun.value === null) await pruneGraph();
  },
  takesPath: {
    title: "In S′",
    now: () => {
      const run = pruneRun.value;
      return run?.document != null && current(run);
    },
    show: () => (chosenView.value = "pruned"),
  },
  keeps: [
    keeping("view", chosenView, isOneOf(VIEWS.map(({ id }) => id))),
    keeping("step", stepsShown, isNumber),
    keeping("vertex", redSelected, isNumber),
    keeping("place", prunedSelected, isItem),
    keeping("collapsed", collapse, isFlag),
  ],
};
