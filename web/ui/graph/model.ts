// From the engine's document to what is drawn: shapes, shown labels, sizes. Pure, so that the tests and the layout
// worker share it.

import type { CfgDocument, EdgeKind } from "../protocol";
import type { Blocks } from "./blocks";

export type Shape = "plain" | "loop" | "exit" | "error";

export interface PictureNode {
  id: number;
  /** What is written in it. */
  text: string;
  shape: Shape;
  entry: boolean;
  line: number;
  width: number;
  height: number;
  /** What it is called where it is no location. */
  name?: string;
}

export interface PictureEdge {
  id: number;
  from: number;
  to: number;
  kind: EdgeKind;
  /** The side of a decision; `null` for other edges. */
  holds: boolean | null;
  line: number;
  /** The label as it is drawn, perhaps cut. */
  text: string;
  full: string;
  /** The function whose text it is of, if that is a called one. */
  called?: string;
  /** A sign of what is known of it. */
  sign?: string;
  /** What it is called where it is no edge of a program. */
  name?: string;
}

export interface Picture {
  nodes: PictureNode[];
  edges: PictureEdge[];
  /** How they are gathered in boxes; without it each is drawn for itself. */
  blocks?: Blocks;
}

/** The layout is for these text metrics, whatever font is there: the SVG sets `textLength` where it must. */
export const TEXT = { size: 13, character: 7.83, height: 19, tag: 20 };
/** From an edge's line to its label. */
export const LABEL_GAP = 9;
const LONGEST_LABEL = 34;
const NODE_HEIGHT = 34;

/** Above this the page asks before it lays out. */
export const MANY_EDGES = 3000;

function shapeOf(id: number, cfg: CfgDocument, headers: ReadonlySet<number>): Shape {
  if (id === cfg.error) return "error";
  if (id === cfg.exit) return "exit";
  return headers.has(id) ? "loop" : "plain";
}

export function shortened(text: string, longest: number = LONGEST_LABEL): string {
  const flat = text.replace(/\s+/g, " ");
  return flat.length > longest ? `${flat.slice(0, longest - 1)}…` : flat;
}

export function pictureOf(cfg: CfgDocument): Picture {
  const headers = new Set(cfg.loop_headers);
  const nodes = cfg.locations.map((location): PictureNode => {
    const shape = shapeOf(location.id, cfg, headers);
    const digits = String(location.id).length;
    const width = Math.max(NODE_HEIGHT, 14 + digits * 9) + (shape === "loop" ? 10 : 0);
    return {
      id: location.id,
      text: String(location.id),
      shape,
      entry: location.id === cfg.entry,
      line: location.line,
      width,
      height: NODE_HEIGHT,
    };
  });
  const edges = cfg.edges.map(({ id, from, to, kind, holds, line, label, function: number }): PictureEdge => {
    const called = number === null ? undefined : cfg.functions[number];
    const edge = { id, from, to, kind, holds, line, text: shortened(label), full: label };
    return called === undefined || called === cfg.function ? edge : { ...edge, called };
  });
  return { nodes, edges };
}

/** The room an edge's label takes: the T or F tag, then the text. */
export function labelWidth(edge: PictureEdge): number {
  return (edge.holds === null ? 0 : TEXT.tag) + edge.text.length * TEXT.character;
}

/** Equal for pictures that are laid out alike, so that editing a comment does not lay out again. */
export function pictureKey({ nodes, edges, blocks }: Picture): string {
  const vertices = nodes.map((n) => `${n.id}${n.shape[0]}${n.entry ? "!" : ""}${blocks ? n.line : n.text}`).join(" ");
  // Signs have their room in boxes.
  const arrows = edges.map((e) => `${e.from}>${e.to} ${e.holds} ${blocks ? `${e.line} ${e.full}` : e.text}`).join("\n");
  return `${blocks?.blocks.map(({ id, rows }) => `${id}:${rows.length}`).join(" ") ?? ""}\n${vertices}\n${arrows}`;
}
