// The Graph tab: the control-flow graph itself, which is always there.

import { isFlag, keeping } from "../../keep";
import type { Analysis } from "../analysis";
import { View, asList } from "./pane";

export const graph: Analysis = {
  id: "graph",
  title: "Graph",
  View,
  takes: { label: "In the graph" },
  keeps: [keeping("list", asList, isFlag)],
};
