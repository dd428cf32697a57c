// Paths as numbers of edges, which mean something in one graph only.

import type { CfgDocument } from "../../protocol";

/** Where these edges lead from the entry; `null` if they are no path. */
export function endOf(cfg: CfgDocument, edges: readonly number[]): number | null {
  let at = cfg.entry;
  for (const id of edges) {
    const edge = cfg.edges[id];
    if (edge?.from !== at) return null;
    at = edge.to;
  }
  return at;
}

/** Whether a path of one graph is the same path in another: of the same function, and each edge of the same kind, on the same side
 * of its decision, between the same places. What it says may differ: a constant was changed, a variable renamed. */
export function isPathOfBoth(edges: readonly number[], before: CfgDocument, now: CfgDocument): boolean {
  if (before === now) return endOf(now, edges) !== null;
  if (before.function !== now.function || endOf(now, edges) === null) return false;
  return edges.every((id) => {
    const [one, other] = [before.edges[id], now.edges[id]];
    return one && other && one.from === other.from && one.to === other.to && one.kind === other.kind && one.holds === other.holds;
  });
}
