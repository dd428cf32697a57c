// What is emphasised in a control-flow graph at this moment, wherever it is drawn.

import type { Marks } from "./graph/view";
import { coverStatement, current, cursorLine, pathInView, selected } from "./state";

export function marks(): Marks {
  const shown = pathInView.value;
  const path = shown && current(shown.run) ? shown.path : null;
  const statement = coverStatement.value;
  return {
    selected: selected.value,
    line: selected.value || path || statement ? null : cursorLine.value,
    path: path ? path.edges.slice(0, (path.dies_at ?? path.edges.length) + 1) : [],
    beyond: path?.dies_at != null ? path.edges.slice(path.dies_at + 1) : [],
    at: path && shown ? (path.edges[shown.step] ?? null) : (statement?.edge ?? null),
    reason: statement ? statement.because.map(({ edge }) => edge) : path ? path.core.flatMap((step) => path.edges[step] ?? []) : [],
    dead: path?.dies_at != null ? (path.edges[path.dies_at] ?? null) : null,
  };
}
