// All tabs, in order. A new one is an object here and a file beside this one.

import { checkPane } from "./check/pane";
import { coverPane } from "./cover/pane";
import { explainPane } from "./explain/pane";
import { graphPane } from "./graph/pane";
import type { Pane } from "./pane";
import { pathsPane } from "./paths/pane";
import { prunePane } from "./prune/pane";
import { runPane } from "./run/pane";

export const panes: readonly Pane[] = [graphPane, pathsPane, prunePane, explainPane, coverPane, runPane, checkPane];

export const paneOf = (id: string): Pane => panes.find((pane) => pane.id === id) ?? panes[0]!;
