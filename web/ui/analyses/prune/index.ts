// The Prune tab: the graph unfolded, cut and folded again.

import { current, settings } from "../../state";
import type { Analysis } from "../analysis";
import { Controls, Strip, View, chosenView } from "./pane";
import { pruneRun } from "./red-state";
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
  // A drawn path may end where S′ has no edge for it.
  takes: {
    label: "In S′",
    ready: () => settings.value.tab === "paths" && pruneRun.value?.document != null && current(pruneRun.value),
    before: () => (chosenView.value = "pruned"),
  },
  analyse: () => void pruneGraph(),
  // The first visit shows the graph without being asked, as the Paths tab does with its table.
  visit: () => {
    if (pruneRun.value === null) void pruneGraph();
  },
};
