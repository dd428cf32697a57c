// The Graph tab: the control-flow graph itself, which is always there.

import type { Analysis } from "../analysis";
import { View } from "./pane";

export const graph: Analysis = { id: "graph", title: "Graph", View, takes: { label: "In the graph" } };
