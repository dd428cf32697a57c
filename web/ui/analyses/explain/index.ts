// The Explain tab: why paths cannot run, and which others cannot for the same reason.

import type { Analysis } from "../analysis";
import { Controls, View } from "./pane";
import { explainAll, exploring, refine, refining } from "./session";
import { explainChoice } from "./settings";
import { explainRun, explained, shownView } from "./state";

export const explain: Analysis = {
  id: "explain",
  title: "Explain",
  View,
  Controls,
  choices: [explainChoice],
  tasks: [exploring, refining],
  analyse: () => void (shownView.value === "rounds" ? refine() : explainAll()),
  // The first visit shows what there is without being asked, as the other tabs do.
  visit: () => {
    if (explainRun.value === null) void explainAll();
  },
  paths: [explained],
};
