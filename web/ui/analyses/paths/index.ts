// The Paths tab: how many paths there are by length, how many of them can run, and single ones drawn evenly.

import { isOneOf, keeping } from "../../state/stored";
import type { Analysis } from "../analysis";
import { Controls, View } from "./pane";
import { counting, countPaths, drawing, drawPaths } from "./session";
import { drawChoice, pathsChoice } from "./settings";
import { drawn, pathsRun } from "./state";
import { PATHS_VIEWS, pathsView } from "./views";

export const paths: Analysis = {
  id: "paths",
  title: "Paths",
  View,
  Controls,
  choices: [pathsChoice, drawChoice],
  tasks: [counting, drawing],
  task: () => (pathsView.value === "count" ? counting : drawing),
  analyse: () => (pathsView.value === "count" ? countPaths() : drawPaths()),
  // The first visit brings the table without being asked; later ones would count again what is known.
  visit: async () => {
    if (pathsRun.value === null) await countPaths();
  },
  paths: [drawn],
  keeps: [keeping("view", pathsView, isOneOf(PATHS_VIEWS.map(({ id }) => id)))],
};
