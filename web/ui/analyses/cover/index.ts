// The Cover tab: tests for every statement that can be executed, and the covering algorithms compared.

import { current } from "../../state";
import type { Analysis } from "../analysis";
import { compareAll, comparing } from "./compare";
import { Controls, View } from "./pane";
import { coverAll, covering } from "./session";
import { compareChoice, coverChoice } from "./settings";
import { coverRun, coverStatement, covered, margin } from "./state";

export const cover: Analysis = {
  id: "cover",
  title: "Cover",
  View,
  Controls,
  choices: [coverChoice, compareChoice],
  tasks: [covering, comparing],
  analyse: () => void (compareChoice.value.shown ? compareAll() : coverAll()),
  // The first visit shows what there is without being asked, as the other tabs do.
  visit: () => {
    if (coverRun.value === null && !compareChoice.value.shown) void coverAll();
  },
  paths: [covered],
  pointed: () => coverStatement.value,
  margin: () => margin.value,
  problems: () => {
    const run = coverRun.value;
    return run && current(run) ? run.refused : [];
  },
};
