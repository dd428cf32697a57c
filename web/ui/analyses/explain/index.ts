// The Explain tab: why paths cannot run, and which others cannot for the same reason.

import { areTexts, isNumber, isOneOf, keeping } from "../../state/stored";
import type { Analysis } from "../analysis";
import { Controls, View } from "./pane";
import { explainAll, explainedKeep, exploring, refine, refining } from "./session";
import { explainChoice } from "./settings";
import { chosenRow, explained, explainRun, opened, part, shownView, VIEWS } from "./state";

export const explain: Analysis = {
  id: "explain",
  title: "Explain",
  View,
  Controls,
  choices: [explainChoice],
  tasks: [exploring, refining],
  task: () => (shownView.value === "rounds" ? refining : exploring),
  analyse: () => (shownView.value === "rounds" ? refine() : explainAll()),
  // The first visit shows what there is without being asked, as the other tabs do.
  visit: async () => {
    if (explainRun.value !== null) return;
    await explainAll();
    await explained.again?.();
  },
  paths: [explained],
  keeps: [
    keeping("view", shownView, isOneOf(VIEWS.map(({ id }) => id))),
    keeping("row", chosenRow, isNumber),
    keeping("opened", opened, areTexts),
    keeping("part", part, isOneOf(["list", "why", "picture"])),
    explainedKeep,
  ],
};
