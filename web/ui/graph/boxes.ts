// A picture of basic blocks, laid out: where its boxes, the parts of their rows and its edges are.

import { type Block, type Blocks, FLANK, type Piece, ROW, type Row, textOf } from "./blocks";
import { folded, type Room } from "./fold";
import type { Layout, PlacedEdge } from "./layout";
import { type Picture, TEXT } from "./model";
import { nested, type Routed } from "./nested";
import type { Point } from "./route";
import type { Box } from "./viewport";

const MARGIN = { x: 10, top: 30, bottom: 12 };
/** Of a bend. */
const RADIUS = 5;
/** The letter of a decision's side, beside the edge's beginning. */
const LETTER = { x: 13, y: 11 };

/** A part of a row where it is written; its text begins at `text`, `y` is its middle. */
export interface PlacedPiece {
  row: Row;
  piece: Piece;
  text: Point;
  box: Box;
}

/** The parts of the rows of a box whose middle is at a point. */
export function piecesOf(block: Block, at: Point): PlacedPiece[] {
  const left = at.x - block.width / 2;
  const numbered = block.rows.some(({ line }) => line > 0);
  const flank = block.shape === "loop" ? FLANK : 0;
  return block.rows.flatMap((row, i) => {
    const y = at.y - block.height / 2 + ROW.above + ROW.height * (i + 0.5);
    let x = left + flank + ROW.left + (numbered ? ROW.number : 0);
    if (row.kind === "end") x = at.x - (textOf(row).length * TEXT.character) / 2;
    const whole = row.kind === "statement" || row.kind === "call";
    return row.pieces.map((piece): PlacedPiece => {
      const text = { x, y };
      const width = piece.text.length * TEXT.character;
      x += width + TEXT.character;
      const box = whole
        ? { x: left + 2, y: y - ROW.height / 2, width: block.width - 4, height: ROW.height }
        : { x: text.x - 3, y: y - ROW.height / 2 + 1, width: width + 6, height: ROW.height - 2 };
      return { row, piece, text, box };
    });
  });
}

const round = (n: number): number => Math.round(n * 10) / 10;
const length = (a: Point, b: Point): number => Math.hypot(b.x - a.x, b.y - a.y);

/** An SVG path along a polyline, with round bends. */
export function rounded(points: readonly Point[]): string {
  const towards = (from: Point, to: Point, way: number): Point => {
    const share = way / (length(from, to) || 1);
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
  };
  const text = ({ x, y }: Point): string => `${round(x)} ${round(y)}`;
  return points
    .map((at, i) => {
      const [before, after] = [points[i - 1], points[i + 1]];
      if (!before) return `M${text(at)}`;
      if (!after) return `L${text(at)}`;
      const bend = Math.min(RADIUS, length(before, at) / 2, length(at, after) / 2);
      return `L${text(towards(at, before, bend))}Q${text(at)} ${text(towards(at, after, bend))}`;
    })
    .join("");
}

function along(points: readonly Point[]): { d: string; end: Point; angle: number } {
  const end = points[points.length - 1]!;
  const before = points[points.length - 2] ?? end;
  return { d: rounded(points), end, angle: Math.atan2(end.y - before.y, end.x - before.x) };
}

/** Many points are no arguments of one call. */
function around(points: readonly Point[], margin: number): Box {
  const [low, high] = [
    { x: Infinity, y: Infinity },
    { x: -Infinity, y: -Infinity },
  ];
  for (const { x, y } of points) {
    low.x = Math.min(low.x, x);
    low.y = Math.min(low.y, y);
    high.x = Math.max(high.x, x);
    high.y = Math.max(high.y, y);
  }
  return { x: low.x - margin, y: low.y - margin, width: high.x - low.x + 2 * margin, height: high.y - low.y + 2 * margin };
}

const corners = ({ x, y, width, height }: Box): Point[] => [
  { x, y },
  { x: x + width, y: y + height },
];

/** `room`: the size of the pane where the picture is legible; without it, it is not folded. */
export function layOutBlocks(picture: Picture, blocks: Blocks, room: Room | null = null): Layout {
  const straight = nested(blocks);
  const { boxes, routes, loops } = room ? folded(straight, blocks.blocks, room) : straight;
  const nodes = blocks.blocks.map(({ id, height }) => {
    const { x, y } = boxes.get(id)!;
    return { id, x, y: y + height / 2 };
  });
  const pieces = new Map<number, PlacedPiece>();
  blocks.blocks.forEach((block, i) => {
    for (const placed of piecesOf(block, nodes[i]!)) for (const edge of placed.piece.edges) pieces.set(edge, placed);
  });
  const ways = new Map<number, Routed>(routes.flatMap((route) => route.link.edges.map((edge) => [edge, route] as const)));
  const edges = picture.edges.map((edge): PlacedEdge => {
    const [piece, way] = [pieces.get(edge.id), ways.get(edge.id)];
    const points = way?.points ?? [];
    const start = points[0];
    const label = piece?.text ?? start ?? { x: 0, y: 0 };
    const drawn = start ? along(points) : { d: "", end: label, angle: 0 };
    const side = start && edge.holds !== null ? { x: start.x + (edge.holds ? -LETTER.x : LETTER.x), y: start.y + LETTER.y } : undefined;
    // Where edges share a line, the one that is drawn last has it.
    const letter = way && edge.id === Math.max(...way.link.edges) ? side : undefined;
    const own = piece && piece.row.kind === "statement" ? corners(piece.box) : [];
    const begin = side
      ? [
          { x: side.x - 22, y: side.y },
          { x: side.x + 22, y: side.y },
        ]
      : [];
    return {
      id: edge.id,
      ...drawn,
      label,
      near: side ?? { x: label.x + 20, y: label.y },
      ...(letter && { letter }),
      box: around(
        [
          ...points,
          ...own,
          ...begin,
          ...(points.length + own.length === 0 ? corners(piece?.box ?? { ...label, width: 1, height: 1 }) : []),
        ],
        6,
      ),
    };
  });
  const all = [
    ...blocks.blocks.flatMap(({ width, height }, i) => {
      const { x, y } = nodes[i]!;
      return corners({ x: x - width / 2, y: y - height / 2, width, height });
    }),
    ...routes.flatMap(({ points }) => points),
    ...loops.flatMap(corners),
  ];
  const { x, y, width, height } = around(all, 0);
  const box = { x: x - MARGIN.x, y: y - MARGIN.top, width: width + 2 * MARGIN.x, height: height + MARGIN.top + MARGIN.bottom };
  return { nodes, edges, loops, box };
}
