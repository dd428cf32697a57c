// Dagre's cycle breaking, ranking and first ordering recurse once per location and its ranking is quadratic: on
// programs of a thousand lines they overrun the stack. These stand in for them on large graphs, all with loops: back
// edges of a depth-first search are reversed, ranks are longest paths, orders come from barycentre sweeps.

import type { Picture } from "./model";

/** What is used of dagre's graphs. */
interface LayoutGraph {
  nodes(): string[];
  node(v: string): { rank?: number; order?: number };
  edges(): { v: string; w: string }[];
  edge(e: { v: string; w: string }): { minlen?: number };
  successors(v: string): string[] | undefined;
  predecessors(v: string): string[] | undefined;
  inEdges(v: string): { v: string; w: string }[] | undefined;
  outEdges(v: string): { v: string; w: string }[] | undefined;
}

const SWEEPS = 8;

/** The edges that close a cycle when the graph is searched from its first node. */
export function backEdges(picture: Picture): ReadonlySet<number> {
  const out = new Map<number, { id: number; to: number }[]>();
  for (const { id, from, to } of picture.edges) out.set(from, [...(out.get(from) ?? []), { id, to }]);
  const back = new Set<number>();
  const state = new Map<number, "open" | "done">();
  for (const { id: root } of picture.nodes) {
    if (state.has(root)) continue;
    state.set(root, "open");
    const stack = [{ at: root, next: 0 }];
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const edge = out.get(top.at)?.[top.next++];
      if (!edge) {
        state.set(top.at, "done");
        stack.pop();
      } else if (state.get(edge.to) === "open") {
        back.add(edge.id);
      } else if (!state.has(edge.to)) {
        state.set(edge.to, "open");
        stack.push({ at: edge.to, next: 0 });
      }
    }
  }
  return back;
}

/** Ranks by longest path from above. */
export function rank(graph: LayoutGraph): void {
  const missing = new Map(graph.nodes().map((v) => [v, graph.inEdges(v)?.length ?? 0]));
  const ready = graph.nodes().filter((v) => missing.get(v) === 0);
  for (const v of ready) graph.node(v).rank = 0;
  while (ready.length > 0) {
    const v = ready.pop()!;
    const from = graph.node(v).rank ?? 0;
    for (const e of graph.outEdges(v) ?? []) {
      const to = graph.node(e.w);
      to.rank = Math.max(to.rank ?? 0, from + (graph.edge(e).minlen ?? 1));
      const left = missing.get(e.w)! - 1;
      missing.set(e.w, left);
      if (left === 0) ready.push(e.w);
    }
  }
}

/** Orders within ranks: depth-first first, then towards the neighbours' mean, down and up. */
export function order(graph: LayoutGraph): void {
  const layers: string[][] = [];
  const seen = new Set<string>();
  for (const root of [...graph.nodes()].sort((a, b) => (graph.node(a).rank ?? 0) - (graph.node(b).rank ?? 0))) {
    const stack = [root];
    while (stack.length > 0) {
      const v = stack.pop()!;
      if (seen.has(v)) continue;
      seen.add(v);
      (layers[graph.node(v).rank ?? 0] ??= []).push(v);
      stack.push(...(graph.successors(v) ?? []).filter((w) => !seen.has(w)).reverse());
    }
  }
  const number = (layer: string[]): void => layer.forEach((v, i) => (graph.node(v).order = i));
  layers.forEach(number);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    for (const layer of down ? layers : [...layers].reverse()) {
      if (!layer) continue;
      const mean = new Map(
        layer.map((v, i) => {
          const near = (down ? graph.predecessors(v) : graph.successors(v)) ?? [];
          return [v, near.length === 0 ? i : near.reduce((sum, w) => sum + (graph.node(w).order ?? 0), 0) / near.length];
        }),
      );
      layer.sort((a, b) => mean.get(a)! - mean.get(b)!);
      number(layer);
    }
  }
}
