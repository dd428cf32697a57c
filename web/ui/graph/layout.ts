// The layout of a picture: boxes are nested, single vertices are laid out in layers with dagre. Pure; runs in the layout worker.
//
// In layers every label is a box of its own, right of its edge's line, so labels keep clear of edges and of each
// other. Self-loops are left out of dagre and drawn beside their node, whose box is widened for them.

import { layout as dagre, Graph } from "@dagrejs/dagre";
import { layOutBlocks } from "./boxes";
import { backEdges, order, rank } from "./deep";
import type { Room } from "./fold";
import { LABEL_GAP, labelWidth, type Picture, TEXT } from "./model";
import { Ports } from "./ports";
import { border, curve, type Point, selfLoop } from "./route";
import type { Box } from "./viewport";

export interface PlacedEdge {
  id: number;
  d: string;
  /** Tip and direction (radians) of the arrowhead. */
  end: Point;
  angle: number;
  /** The left end of the label, at mid-height. */
  label: Point;
  /** What is to be in view with the label; without it the end. */
  near?: Point;
  /** Where the letter of a decision's side is, if it is not part of the label. */
  letter?: Point;
  /** Bounds of line and label. */
  box: Box;
}

export interface Layout {
  nodes: { id: number; x: number; y: number }[];
  edges: PlacedEdge[];
  /** Around each loop, the outermost first, with how deep it is nested. */
  loops?: (Box & { depth: number })[];
  /** The bounds of everything drawn. */
  box: Box;
}

const LOOP_WIDTH = 34;
/** Larger graphs are laid out by simpler means. */
const LARGE_EDGES = 500;

interface NodeBox {
  width: number;
  height: number;
  x?: number;
  y?: number;
}
interface EdgeBox {
  width: number;
  height: number;
  labelpos: string;
  labeloffset: number;
  weight: number;
  minlen: number;
  x?: number;
  y?: number;
  points?: Point[];
}

/** Asks that a decision's true side stands left of its false side, leaving out requests that contradict others. */
function sides(picture: Picture): { left: string; right: string }[] {
  const after = new Map<number, number[]>();
  const reaches = (from: number, to: number): boolean => {
    const stack = [from];
    const seen = new Set<number>();
    while (stack.length > 0) {
      const at = stack.pop()!;
      if (at === to) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      stack.push(...(after.get(at) ?? []));
    }
    return false;
  };
  const wanted: { left: string; right: string }[] = [];
  const taken = new Map<number, number>();
  for (const edge of picture.edges) {
    if (edge.holds === true) taken.set(edge.from, edge.to);
    const left = edge.holds === false ? taken.get(edge.from) : undefined;
    if (left === undefined || left === edge.to || left <= edge.from || edge.to <= edge.from || reaches(edge.to, left)) continue;
    after.set(left, [...(after.get(left) ?? []), edge.to]);
    wanted.push({ left: String(left), right: String(edge.to) });
  }
  return wanted;
}

/** Bounds of an edge: its curve never leaves those of its points. */
function bounds(points: readonly Point[], label: Point, width: number): PlacedEdge["box"] {
  const xs = [...points.map((p) => p.x - 6), ...points.map((p) => p.x + 6), label.x, label.x + width];
  const ys = [...points.map((p) => p.y), label.y - TEXT.height / 2, label.y + TEXT.height / 2];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** `room`: what pane it is for, where it is legible; boxes are folded into columns for it. */
export const layOut = (picture: Picture, room: Room | null = null): Layout =>
  picture.blocks ? layOutBlocks(picture, picture.blocks, room) : layered(picture);

function layered(picture: Picture): Layout {
  const graph = new Graph<object, NodeBox, EdgeBox>({ multigraph: true });
  const large = picture.edges.length > LARGE_EDGES;
  const back = large ? backEdges(picture) : new Set<number>();
  // The types know rankers by name only; a function is taken too.
  graph.setGraph({
    rankdir: "TB",
    nodesep: 26,
    edgesep: 14,
    ranksep: 22,
    marginx: 8,
    marginy: 30,
    ...(large ? { ranker: rank, acyclicer: "greedy" } : {}),
  });
  const loops = new Map<number, number>();
  for (const edge of picture.edges) {
    if (edge.from === edge.to) loops.set(edge.from, Math.max(loops.get(edge.from) ?? 0, LOOP_WIDTH + labelWidth(edge)));
  }
  for (const node of picture.nodes) {
    graph.setNode(String(node.id), { width: node.width + 2 * (loops.get(node.id) ?? 0), height: node.height });
  }
  for (const edge of picture.edges) {
    if (edge.from === edge.to) continue;
    const box: EdgeBox = {
      width: labelWidth(edge),
      height: TEXT.height,
      labelpos: "r",
      labeloffset: LABEL_GAP,
      weight: edge.holds === false ? 1 : 2,
      minlen: 1,
    };
    const [v, w] = back.has(edge.id) ? [edge.to, edge.from] : [edge.from, edge.to];
    graph.setEdge(String(v), String(w), box, String(edge.id));
  }
  dagre(graph, large ? { customOrder: (layers) => order(layers as never) } : { constraints: sides(picture) });

  const sized = new Map(picture.nodes.map((node) => [node.id, node]));
  const centre = (id: number): Point => {
    const { x = 0, y = 0 } = graph.node(String(id));
    return { x, y };
  };
  const inners = picture.edges.map((edge) => {
    const from = sized.get(edge.from)!;
    const to = sized.get(edge.to)!;
    if (from === to) return { edge, label: centre(edge.from), inner: [], from, to };
    const reversed = back.has(edge.id);
    const placed = reversed
      ? graph.edge(String(edge.to), String(edge.from), String(edge.id))
      : graph.edge(String(edge.from), String(edge.to), String(edge.id));
    const route = reversed ? [...(placed.points ?? [])].reverse() : (placed.points ?? []);
    const label = { x: (placed.x ?? 0) - placed.width / 2, y: placed.y ?? 0 };
    const down = centre(edge.to).y >= centre(edge.from).y;
    // The inner points, with the one beside the label stretched to the label's height.
    const inner = route.slice(1, -1).flatMap((point): Point[] => {
      if (Math.abs(point.y - label.y) > 0.5) return [point];
      const half = (down ? 1 : -1) * (TEXT.height / 2);
      return [
        { x: point.x, y: point.y - half },
        { x: point.x, y: point.y + half },
      ];
    });
    return { edge, label, inner, from, to };
  });
  const ports = new Ports();
  for (const { edge, inner } of inners) {
    if (inner.length === 0) continue;
    ports.ask(`${edge.id}>`, edge.from, centre(edge.from), inner[0]!);
    ports.ask(`>${edge.id}`, edge.to, centre(edge.to), inner[inner.length - 1]!);
  }
  ports.settle();
  const edges = inners.map(({ edge, label, inner, from, to }): PlacedEdge => {
    if (from === to) {
      const at = centre(edge.from);
      const loop = selfLoop(at, from.width);
      return {
        id: edge.id,
        ...loop,
        box: bounds([at, { x: loop.label.x, y: at.y - 20 }, { x: loop.label.x, y: at.y + 20 }], loop.label, labelWidth(edge)),
      };
    }
    // Lines begin a little inside their node, which is drawn over them; arrowheads end a little before theirs.
    const start = border(
      centre(edge.from),
      from.width,
      from.height,
      ports.direction(`${edge.id}>`, centre(edge.to), centre(edge.from)),
      -2,
    );
    const end = border(centre(edge.to), to.width, to.height, ports.direction(`>${edge.id}`, centre(edge.from), centre(edge.to)), 2);
    const points = [start, ...inner, end].filter((p, i, all) => i === 0 || Math.abs(p.y - all[i - 1]!.y) > 0.01);
    return { id: edge.id, ...curve(points), label, box: bounds(points, label, labelWidth(edge)) };
  });
  const nodes = picture.nodes.map((node) => ({ id: node.id, ...centre(node.id) }));
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return { nodes, edges, box: { x: 0, y: 0, width, height } };
}
