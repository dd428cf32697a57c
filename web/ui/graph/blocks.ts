// Basic blocks as boxes. A box has a row for each statement and ends before a join, a loop header, the exit or the error, or behind a
// decision, whose condition is its last row.

import type { CfgDocument } from "../protocol";
import { type Call, callsOf, callText, isEnd } from "./calls";
import { type Picture, type PictureEdge, type PictureNode, pictureOf, shortened, TEXT } from "./model";

/** A part of a row, marked where one of its edges is. */
export interface Piece {
  text: string;
  edges: number[];
}

export interface Row {
  line: number;
  kind: "statement" | "condition" | "call" | "end";
  pieces: Piece[];
  /** What it stands for, if it is a call. */
  call?: Call;
}

export interface Block {
  /** Its first location, of a copy a negative number. */
  id: number;
  locations: number[];
  rows: Row[];
  shape: PictureNode["shape"];
  entry: boolean;
  width: number;
  height: number;
}

/** From box to box: the edges that it stands for. */
export interface Link {
  from: number;
  to: number;
  holds: boolean | null;
  edges: number[];
}

export interface Blocks {
  blocks: Block[];
  links: Link[];
  /** How many calls were rows at first, if any were. */
  calls?: number;
}

const LONGEST_ROW = 44;
export const ROW = { height: 19, above: 4, left: 14, right: 10, number: 4 * TEXT.character };
/** Of a loop's header, whose flanks are pointed. */
export const FLANK = 10;
/** An exit or an error with more edges into it is drawn once for each. */
const MOST_INTO = 3;

/** Pictures of more boxes begin with calls as rows. */
const MANY_BOXES = 40;
/** Room for signs behind a call. */
const SIGNS = "    ";

/** An edge, or a way through a call. */
interface Way extends PictureEdge {
  call?: Call;
  /** The edges by which it comes to its end. */
  last: number[];
}

/** A box as it is made. */
interface Made {
  node: PictureNode;
  locations: number[];
  rows: Row[];
  links: Link[];
}

const callRow = (call: Call): Row => ({ line: 0, kind: "call", call, pieces: [{ text: `${callText(call)}${SIGNS}`, edges: call.edges }] });

class Maker {
  readonly out = new Map<number, Way[]>();
  readonly into = new Map<number, Way[]>();
  readonly nodes: ReadonlyMap<number, PictureNode>;

  /** `calls`: the inlined calls that are drawn as one row each. */
  constructor({ nodes, edges }: Picture, calls: readonly Call[]) {
    const inner = new Set(calls.flatMap((call) => [...call.inner]));
    this.nodes = new Map(nodes.filter(({ id }) => !inner.has(id)).map((node) => [node.id, node]));
    for (const id of this.nodes.keys()) {
      this.out.set(id, []);
      this.into.set(id, []);
    }
    const hidden = new Set(calls.flatMap((call) => call.edges));
    for (const edge of edges) if (!hidden.has(edge.id)) this.#add({ ...edge, last: [edge.id] });
    for (const call of calls) {
      const own = new Set(call.edges);
      for (const to of call.outs) {
        const last = edges.flatMap(({ id, to: end }) => (end === to && own.has(id) ? [id] : []));
        const full = callText(call);
        this.#add({ id: last[0]!, from: call.id, to, kind: "call", holds: null, line: 0, text: full, full, call, last });
      }
    }
  }

  #add(way: Way): void {
    this.out.get(way.from)!.push(way);
    this.into.get(way.to)!.push(way);
  }

  /** Whether a box begins there. */
  leads(id: number): boolean {
    const node = this.nodes.get(id)!;
    const into = this.into.get(id)!;
    return node.entry || node.shape !== "plain" || into.length !== 1 || this.out.get(into[0]!.from)!.length !== 1;
  }

  make(node: PictureNode): Made {
    const made: Made = { node, locations: [node.id], rows: [], links: [] };
    if (isEnd(node)) made.rows.push({ line: 0, kind: "end", pieces: [{ text: node.shape, edges: [] }] });
    for (let at = node.id; ; ) {
      const edges = this.out.get(at)!;
      const only = edges.length === 1 ? edges[0]! : null;
      if (!only) {
        // The true side first: it is drawn left.
        const sides = [...edges].sort((a, b) => Number(b.holds ?? false) - Number(a.holds ?? false));
        const [first] = sides;
        if (first?.call) made.rows.push(callRow(first.call));
        else if (first)
          made.rows.push({
            line: first.line,
            kind: "condition",
            pieces: [{ text: first.holds === null ? "" : first.full, edges: sides.map(({ id }) => id) }],
          });
        made.links = sides.map(({ to, holds, last }) => ({ from: node.id, to, holds, edges: last }));
        return made;
      }
      if (only.call) made.rows.push(callRow(only.call));
      else if (only.full !== "") made.rows.push({ line: only.line, kind: "statement", pieces: [{ text: only.full, edges: [only.id] }] });
      if (this.leads(only.to)) {
        made.links = [{ from: node.id, to: only.to, holds: only.holds, edges: only.last }];
        return made;
      }
      at = only.to;
      made.locations.push(at);
    }
  }
}

/** A row as it is written: a condition asks, and what is too long is cut. */
const written = (row: Row): Row => ({
  ...row,
  pieces: row.pieces.map(({ text, edges }) => ({
    text: shortened(row.kind === "condition" && text !== "" ? `${text} ?` : text, LONGEST_ROW),
    edges,
  })),
});

export const textOf = ({ pieces }: Row): string => pieces.map(({ text }) => text).join(" ");

function sized({ node, locations, rows }: Made): Block {
  const all = rows.map(written);
  const lines = all.some(({ line }) => line > 0);
  const longest = Math.max(1, ...all.map((row) => textOf(row).length));
  const flank = node.shape === "loop" ? FLANK : 0;
  return {
    id: node.id,
    locations,
    rows: all,
    shape: node.shape,
    entry: node.entry,
    width: Math.round(ROW.left + (lines ? ROW.number : 0) + longest * TEXT.character + ROW.right + 2 * flank),
    height: 2 * ROW.above + ROW.height * Math.max(1, all.length),
  };
}

/** An end with many edges into it, once for each of them. */
function copied(blocks: Block[], links: Link[]): Blocks {
  const into = new Map<number, number>();
  for (const { to } of links) into.set(to, (into.get(to) ?? 0) + 1);
  const many = new Map(
    blocks.flatMap((block) => (isEnd(block) && !block.entry && (into.get(block.id) ?? 0) > MOST_INTO ? [[block.id, block] as const] : [])),
  );
  const copies: Block[] = [];
  const led = links.map((link): Link => {
    const end = many.get(link.to);
    if (!end) return link;
    const id = -1 - copies.length;
    copies.push({ ...end, id });
    return { ...link, to: id };
  });
  return { blocks: [...blocks.filter(({ id }) => !many.has(id)), ...copies], links: led };
}

/** `calls`: the inlined calls that are drawn as one row each. Each condition has a box: what is known of its sides stands beside them. */
export function blocksOf(picture: Picture, calls: readonly Call[] = []): Blocks {
  const maker = new Maker(picture, calls);
  const all = [...maker.nodes.values()].filter(({ id }) => maker.leads(id)).map((node) => maker.make(node));
  return copied(
    all.map(sized),
    all.flatMap(({ links }) => links),
  );
}

/** The inlined calls whose boxes are drawn: all, or the calls that begin at these locations of the graph. */
export type Opened = ReadonlySet<number> | "all";

/** A graph in basic blocks if it is reducible, else as it is; of a large one calls are rows until they are opened. */
export function blockPicture(cfg: CfgDocument, opened: Opened = new Set()): Picture {
  const picture = pictureOf(cfg);
  if (!cfg.reducible) return picture;
  const edges = picture.edges.map((edge) => ({ ...edge, text: shortened(edge.full, LONGEST_ROW) }));
  const whole = { nodes: picture.nodes, edges, blocks: blocksOf(picture) };
  if (whole.blocks.blocks.length <= MANY_BOXES) return whole;
  const all = callsOf(picture).length;
  if (all === 0) return whole;
  const calls = opened === "all" ? [] : callsOf(picture, opened);
  return { ...whole, blocks: { ...blocksOf(picture, calls), calls: all } };
}
