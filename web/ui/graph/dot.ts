// A picture for Graphviz.

import type { Picture, Shape } from "./model";

const SHAPES: Record<Shape, string> = { plain: "circle", loop: "hexagon", exit: "doublecircle", error: "octagon" };

const quoted = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/** The graph with whole labels; the side of a decision that fails is dashed. */
export function dotText({ nodes, edges }: Picture, name: string): string {
  const node = nodes.map(
    ({ id, text, shape, entry }) => `  ${id} [label=${quoted(text)}, shape=${SHAPES[shape]}${entry ? ", penwidth=2" : ""}];`,
  );
  const edge = edges.map(
    ({ from, to, full, holds }) => `  ${from} -> ${to} [label=${quoted(full)}${holds === false ? ", style=dashed" : ""}];`,
  );
  return [`digraph ${quoted(name)} {`, "  node [fontname=monospace];", "  edge [fontname=monospace];", ...node, ...edge, "}", ""].join(
    "\n",
  );
}
