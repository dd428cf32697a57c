// The Cover tab: tests for every statement that can be executed, and the covering algorithms compared.

import { stepRows } from "../../parts/rows";
import { current } from "../../state/state";
import { isChoice, isOneOf, keeping } from "../../state/stored";
import type { Analysis } from "../analysis";
import { sharedCover } from "../background";
import { compareAll, comparing } from "./compare";
import { Controls, View } from "./pane";
import { coverAll, covering } from "./session";
import { compareChoice, coverChoice } from "./settings";
import { CHOSEN, coverChosen, covered, coverRun, coverStatement, margin, part } from "./state";

export const cover: Analysis = {
  id: "cover",
  title: "Cover",
  View,
  Controls,
  choices: [coverChoice, compareChoice],
  tasks: [covering, comparing],
  task: () => (compareChoice.value.shown ? comparing : covering),
  analyse: () => (compareChoice.value.shown ? compareAll() : coverAll()),
  step: stepRows(".cover-pane"),
  // The first visit shows what there is without being asked, as the other tabs do.
  visit: async () => {
    const run = coverRun.value;
    if (!compareChoice.value.shown && (run === null || !current(run))) await (sharedCover() ?? (run === null ? coverAll() : null));
  },
  alone: () => compareChoice.value.shown,
  paths: [covered],
  keeps: [keeping("chosen", coverChosen, isChoice(CHOSEN)), keeping("part", part, isOneOf(["list", "picture"]))],
  pointed: () => coverStatement.value,
  margin: () => margin.value,
  problems: () => {
    const run = coverRun.value;
    return run && current(run) ? run.refused : [];
  },
};
