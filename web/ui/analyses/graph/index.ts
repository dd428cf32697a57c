// The Graph tab: the control-flow graph itself, which is always there.

import { isFlag, keeping } from "../../state/stored";
import type { Analysis } from "../analysis";
import { asList, View } from "./pane";

export const graph: Analysis = {
  id: "graph",
  title: "Graph",
  View,
  takesPath: { title: "In the graph", now: () => true },
  keeps: [keeping("list", asList, isFlag)],
};
