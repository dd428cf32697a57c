// All tabs, in order. A new one is an object here and a file beside this one.

import { checkPane } from "./check";
import { coverPane } from "./cover";
import { explainPane } from "./explain";
import { graphPane } from "./graph";
import type { Pane } from "./pane";
import { pathsPane } from "./paths";
import { prunePane } from "./prune";
import { runPane } from "./run";

export const panes: readonly Pane[] = [graphPane, pathsPane, prunePane, explainPane, coverPane, runPane, checkPane];

export const paneOf = (id: string): Pane => panes.find((pane) => pane.id === id) ?? panes[0]!;
