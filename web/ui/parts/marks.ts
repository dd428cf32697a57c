// What is emphasised in a control-flow graph at this moment: what is looked at in its tab.

import type { Marks } from "../graph/view";
import { current, cursorLine, type Pointed, pathIn, selected } from "../state/state";

export function marks(tab: string, pointed: Pointed | null = null): Marks {
  const shown = pathIn(tab);
  const path = shown && current(shown.run) ? shown.path : null;
  const chosen = selected.in(tab).value;
  return {
    selected: chosen,
    line: chosen || path || pointed ? null : cursorLine.value,
    path: path ? path.edges.slice(0, (path.dies_at ?? path.edges.length) + 1) : [],
    beyond: path?.dies_at != null ? path.edges.slice(path.dies_at + 1) : [],
    at: path && shown ? (path.edges[shown.step] ?? null) : (pointed?.edge ?? null),
    reason: pointed ? pointed.because.map(({ edge }) => edge) : path ? path.core.flatMap((step) => path.edges[step] ?? []) : [],
    dead: path?.dies_at != null ? (path.edges[path.dies_at] ?? null) : null,
  };
}
