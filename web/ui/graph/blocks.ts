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

const isDecision = ({ links }: Made): boolean => links.length === 2 && links[0]!.holds === true && links[1]!.holds === false;

/** So many conditions stand in one box at most. */
const TOGETHER = 24;

/** `a && b` and `a || b` of one line in one box: `first` decides, `second` does nothing else, and both lead to one box on the same side. */
function fused(first: Made, second: Made): Made | null {
  if (!isDecision(first) || !isDecision(second) || second.rows.length !== 1 || second.locations.length !== 1) return null;
  const [own, next] = [first.rows.at(-1)!, second.rows[0]!];
  const side = first.links.findIndex(({ to }) => to === second.node.id);
  const [on, shared] = [first.links[side]!, first.links[1 - side]!];
  const [goes, alike] = [second.links[side]!, second.links[1 - side]!];
  if (own.pieces.length >= TOGETHER || own.line !== next.line || alike.to !== shared.to || goes.to === alike.to) return null;
  const pieces = own.pieces.map((piece, i) =>
    i + 1 < own.pieces.length ? piece : { ...piece, text: `${piece.text} ${on.holds ? "&&" : "||"}` },
  );
  const links = [
    { ...goes, from: first.node.id },
    { ...shared, edges: [...shared.edges, ...alike.edges] },
  ];
  return {
    node: first.node,
    locations: [...first.locations, ...second.locations],
    rows: [...first.rows.slice(0, -1), { ...own, pieces: [...pieces, ...next.pieces] }],
    links: side === 0 ? links : links.reverse(),
  };
}

function fuse(made: Map<number, Made>): void {
  const into = new Map<number, number>();
  for (const { links } of made.values()) for (const { to } of links) into.set(to, (into.get(to) ?? 0) + 1);
  for (const id of [...made.keys()]) {
    for (let again = true; again; ) {
      again = false;
      const first = made.get(id);
      for (const { to } of first?.links ?? []) {
        const second = made.get(to);
        if (!first || !second || second === first || second.node.shape !== "plain" || second.node.entry || into.get(to) !== 1) continue;
        const both = fused(first, second);
        if (!both) continue;
        made.set(id, both);
        made.delete(to);
        const shared = both.links.find(({ edges }) => edges.length > 1);
        if (shared) into.set(shared.to, into.get(shared.to)! - 1);
        again = true;
        break;
      }
    }
  }
}

/** Rows as they are written: a long condition takes a row for each part, and what is too long is cut. */
function written(row: Row): Row[] {
  const texts = row.pieces.map(({ text }) => text);
  const ask = row.kind === "condition" && texts.some((text) => text !== "");
  const ended = row.pieces.map(({ text, edges }, i) => ({
    text: shortened(ask && i + 1 === texts.length ? `${text} ?` : text, LONGEST_ROW),
    edges,
  }));
  if (ended.length === 1 || texts.join(" ").length <= LONGEST_ROW) return [{ ...row, pieces: ended }];
  return ended.map((piece) => ({ ...row, pieces: [piece] }));
}

export const textOf = ({ pieces }: Row): string => pieces.map(({ text }) => text).join(" ");

function sized({ node, locations, rows }: Made): Block {
  const all = rows.flatMap(written);
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

/** `together`: whether decisions of one line that are joined by `&&` or `||` share a box; `calls`: the inlined calls that are drawn as one row each. */
export function blocksOf(picture: Picture, together: boolean, calls: readonly Call[] = []): Blocks {
  const maker = new Maker(picture, calls);
  const made = new Map([...maker.nodes.values()].filter(({ id }) => maker.leads(id)).map((node) => [node.id, maker.make(node)]));
  if (together) fuse(made);
  const all = [...made.values()];
  return copied(
    all.map(sized),
    all.flatMap(({ links }) => links),
  );
}

/** The inlined calls whose boxes are drawn: all, or the calls that begin at these locations of the graph. */
export type Opened = ReadonlySet<number> | "all";

/** A graph in basic blocks if it is reducible, else as it is; of a large one calls are rows until they are opened. */
export function blockPicture(cfg: CfgDocument, together: boolean, opened: Opened = new Set()): Picture {
  const picture = pictureOf(cfg);
  if (!cfg.reducible) return picture;
  const edges = picture.edges.map((edge) => ({ ...edge, text: shortened(edge.full, LONGEST_ROW) }));
  const whole = { nodes: picture.nodes, edges, blocks: blocksOf(picture, together) };
  // The same for all tabs, whether conditions share boxes in them or not.
  if ((together ? whole.blocks : blocksOf(picture, true)).blocks.length <= MANY_BOXES) return whole;
  const all = callsOf(picture).length;
  if (all === 0) return whole;
  const calls = opened === "all" ? [] : callsOf(picture, opened);
  return { ...whole, blocks: { ...blocksOf(picture, together, calls), calls: all } };
}
