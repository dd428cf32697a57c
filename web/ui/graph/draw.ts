// SVG as text. Thousands of elements are made much faster by the browser's parser than one call at a time.

import { type Block, FLANK, ROW, type Row } from "./blocks";
import type { PlacedPiece } from "./boxes";
import type { Call } from "./calls";
import type { PlacedEdge } from "./layout";
import { type PictureEdge, type PictureNode, TEXT } from "./model";
import type { Point } from "./route";
import type { Box } from "./viewport";

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (c) => ESCAPES[c]!);

const r = (n: number): number => Math.round(n * 10) / 10;

/** The outline of a node around (0, 0), each kind told apart by shape alone. */
export function outline({ shape, width, height }: Pick<PictureNode, "shape" | "width" | "height">): string {
  const w = width / 2;
  const h = height / 2;
  switch (shape) {
    case "loop": {
      const c = h * 0.62;
      return `<path class="shape" d="M${-w} 0L${-w + c} ${-h}H${w - c}L${w} 0L${w - c} ${h}H${-w + c}Z"/>`;
    }
    case "error": {
      const c = h * 0.58;
      return `<path class="shape" d="M${-w + c} ${-h}H${w - c}L${w} ${-h + c}V${h - c}L${w - c} ${h}H${-w + c}L${-w} ${h - c}V${-h + c}Z"/>`;
    }
    case "exit":
      return `<rect class="shape" x="${-w}" y="${-h}" width="${width}" height="${height}" rx="${h}"/><rect class="inner" x="${-w + 4}" y="${-h + 4}" width="${width - 8}" height="${height - 8}" rx="${h - 4}"/>`;
    default:
      return `<rect class="shape" x="${-w}" y="${-h}" width="${width}" height="${height}" rx="${h}"/>`;
  }
}

/** T or F, drawn: it is part of the picture, not of the edge's text. */
export const letter = (holds: boolean): string => `<path class="letter" d="${holds ? "M-3 -3.5H3M0 -3.5V4" : "M-2 4V-3.5H3M-2 0H2"}"/>`;

export function nodeName(node: PictureNode): string {
  if (node.name !== undefined) return node.name;
  const role = [node.entry ? "entry" : "", { plain: "", loop: "loop header", exit: "exit", error: "error" }[node.shape]]
    .filter(Boolean)
    .join(", ");
  return `Location ${node.text}${role ? `, ${role}` : ""}${node.line > 0 && node.shape !== "exit" && node.shape !== "error" ? `, line ${node.line}` : ""}`;
}

export function edgeName(edge: PictureEdge): string {
  if (edge.name !== undefined) return edge.name;
  const side = edge.holds === null ? "" : edge.holds ? ", true side" : ", false side";
  const label = edge.text === edge.full ? edge.full : `${edge.text} in full ${edge.full}`;
  return `Edge ${edge.id} from ${edge.from} to ${edge.to}: ${label}${side}, line ${edge.line}`;
}

/** A node as part of a silhouette. */
export const nodeOutline = ({ width, height }: Pick<PictureNode, "width" | "height">, x: number, y: number): string =>
  `M${r(x - width / 2)} ${r(y - height / 2)}h${width}v${height}h${-width}z`;

export function nodeMarkup(n: PictureNode, x: number, y: number, classes: string): string {
  const start = n.entry
    ? `<path class="start" d="M0 ${-n.height / 2 - 24}V${-n.height / 2 - 3}"/><path class="head start-head" d="M0 ${-n.height / 2 - 1}l-4.5 -9h9z"/>`
    : "";
  return `<g class="node ${n.shape}${n.entry ? " entry" : ""} ${classes}" data-node="${n.id}" role="button" tabindex="-1" aria-label="${escaped(nodeName(n))}" transform="translate(${r(x)} ${r(y)})">${start}${outline(n)}<text class="number" y="4.5">${escaped(n.text)}</text></g>`;
}

/** A note whose left end stands there. */
export function noteMarkup(text: string, x: number, y: number): string {
  const width = text.length * 7 + 8;
  return `<g class="note" transform="translate(${r(x)} ${r(y)})"><rect y="-9" width="${width}" height="18" rx="5"/><text x="${width / 2}" y="4.5">${escaped(text)}</text></g>`;
}

const headMarkup = ({ end, angle }: PlacedEdge): string =>
  `<path class="head" d="M0 0l-9 -4.5v9z" transform="translate(${r(end.x)} ${r(end.y)}) rotate(${r((angle * 180) / Math.PI)})"/>`;

export function edgeMarkup(e: PictureEdge, placed: PlacedEdge, classes: string): string {
  const { x, y } = placed.label;
  const side = e.holds === null ? "" : e.holds ? " yes" : " no";
  const tag = e.holds === null ? "" : `<g class="tag" transform="translate(${r(x + 8)} ${r(y)})"><circle r="7.5"/>${letter(e.holds)}</g>`;
  const text = `<text class="label" x="${r(x + (e.holds === null ? 0 : TEXT.tag))}" y="${r(y + 4.5)}">${escaped(e.text)}</text>`;
  return `<g class="edge ${e.kind}${side} ${classes}" data-edge="${e.id}" role="button" tabindex="-1" aria-label="${escaped(edgeName(e))}"><path class="hit" d="${placed.d}"/><path class="line" d="${placed.d}"/>${headMarkup(placed)}<g class="words">${tag}${text}</g></g>`;
}

/** The outline of a box around (0, 0). */
export function boxOutline({ shape, width, height }: Pick<Block, "shape" | "width" | "height">): string {
  const w = width / 2;
  const h = height / 2;
  switch (shape) {
    case "loop":
      return `<path class="shape" d="M${-w} 0L${-w + FLANK} ${-h}H${w - FLANK}L${w} 0L${w - FLANK} ${h}H${-w + FLANK}Z"/>`;
    case "error":
      return outline({ shape, width, height });
    case "exit":
      return `<rect class="shape" x="${-w}" y="${-h}" width="${width}" height="${height}" rx="${h}"/><rect class="inner" x="${-w + 3}" y="${-h + 3}" width="${width - 6}" height="${height - 6}" rx="${h - 3}"/>`;
    default:
      return `<rect class="shape" x="${-w}" y="${-h}" width="${width}" height="${height}" rx="4"/>`;
  }
}

/** A box. What stands in its rows is drawn with the edges and pieces: it is not part of its name. */
export function boxMarkup(block: Block, node: PictureNode, { x, y }: Point, classes: string): string {
  const top = -block.height / 2;
  const start = block.entry
    ? `<path class="start" d="M0 ${top - 24}V${top - 3}"/><path class="head start-head" d="M0 ${top - 1}l-4.5 -9h9z"/>`
    : "";
  return `<g class="node box ${block.shape}${block.entry ? " entry" : ""} ${classes}" data-node="${node.id}" data-block="${block.id}" role="button" tabindex="-1" aria-label="${escaped(nodeName(node))}" transform="translate(${r(x)} ${r(y)})">${start}${boxOutline(block)}</g>`;
}

/** The lines of a box's rows. */
export function numbersMarkup(block: Block, { x, y }: Point): string {
  const left = x - block.width / 2 + (block.shape === "loop" ? FLANK : 0) + ROW.left;
  const top = y - block.height / 2 + ROW.above + 4.5;
  const number = ({ line }: Row, i: number): string =>
    line > 0 ? `<text class="line-number" x="${r(left)}" y="${r(top + ROW.height * (i + 0.5))}">${line}</text>` : "";
  return `<g class="numbers" aria-hidden="true">${block.rows.map(number).join("")}</g>`;
}

/** A part of a condition, or what an end is called. */
export function pieceMarkup({ row, piece, text, box }: PlacedPiece, classes: string): string {
  return `<g class="piece ${row.kind} ${classes}"><rect class="row" x="${r(box.x)}" y="${r(box.y)}" width="${r(box.width)}" height="${r(box.height)}" rx="3"/><text x="${r(text.x)}" y="${r(text.y + 4.5)}">${escaped(piece.text)}</text></g>`;
}

/** A call that is one row, with the signs of what is in it. */
export function callMarkup({ piece, text, box }: PlacedPiece, call: Call, signs: readonly string[], classes: string): string {
  const all = signs.filter((sign) => sign !== "✓" || signs.length === 1).join("");
  const name = `Call of ${call.names.join(", ")}, ${call.edges.length} edges${all && `, ${all}`}: press to open`;
  const shown = piece.text.trimEnd();
  const { x, y } = text;
  return `<g class="edge call-row ${classes}" data-call="${call.id}" role="button" tabindex="-1" aria-expanded="false" aria-label="${escaped(name)}"><rect class="row" x="${r(box.x)}" y="${r(box.y)}" width="${r(box.width)}" height="${r(box.height)}" rx="3"/><g aria-hidden="true"><text class="label" x="${r(x)}" y="${r(y + 4.5)}">${escaped(shown)}</text><text class="sign" x="${r(box.x + box.width - 18)}" y="${r(y + 4.5)}">${escaped(all)}</text></g></g>`;
}

/** An edge of a graph of boxes: a row, a line, or both. */
export function boxEdgeMarkup(e: PictureEdge, placed: PlacedEdge, piece: PlacedPiece | undefined, classes: string): string {
  const side = e.holds === null ? "" : e.holds ? " yes" : " no";
  const way = placed.d && `<path class="hit" d="${placed.d}"/><path class="line" d="${placed.d}"/>${headMarkup(placed)}`;
  const sign = (x: number, y: number): string =>
    e.sign ? `<text class="sign" x="${r(x)}" y="${r(y + 4.5)}">${escaped(e.sign)}</text>` : "";
  let words = "";
  if (placed.letter) {
    const { x, y } = placed.letter;
    words = `<g class="label tag" transform="translate(${r(x)} ${r(y)})"><rect class="reach" x="-12" y="-10" width="24" height="20"/><circle r="7.5"/>${letter(e.holds ?? false)}</g>${sign(x + (e.holds ? -15 : 15), y)}`;
  } else if (piece?.row.kind === "statement") {
    const { box, text } = piece;
    const numbered = piece.row.line > 0 ? ROW.number : 0;
    words = `<rect class="row" x="${r(box.x)}" y="${r(box.y)}" width="${r(box.width)}" height="${r(box.height)}" rx="3"/>${sign(text.x - numbered - ROW.left / 2, text.y)}<text class="label" x="${r(text.x)}" y="${r(text.y + 4.5)}">${escaped(piece.piece.text)}</text>`;
  } else if (piece?.row.kind === "condition") {
    const { x, y, width, height } = piece.box;
    words = `<rect class="row" x="${r(x)}" y="${r(y)}" width="${r(width)}" height="${r(height)}" rx="3"/>${sign(x + width / 2, y - 6)}`;
  }
  return `<g class="edge ${e.kind}${side} ${classes}" data-edge="${e.id}" role="button" tabindex="-1" aria-label="${escaped(edgeName(e))}">${way}<g class="words">${words}</g></g>`;
}

export const loopMarkup = ({ x, y, width, height }: Box): string =>
  `<rect class="loop-region" x="${r(x)}" y="${r(y)}" width="${r(width)}" height="${r(height)}" rx="8"/>`;
