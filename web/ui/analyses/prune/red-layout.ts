// A layout of the boxes from left to right: each depth of boxes is a column, the first child begins at the height of its parent, and each
// further subtree moves up to the contour of those before it. Linear but for merging contours. No branch crosses another or runs through a box.

import { rounded } from "../../graph/boxes";
import { TEXT } from "../../graph/model";
import type { Point } from "../../graph/route";
import type { RedBox } from "./red-boxes";

/** Between two columns, and between two boxes. */
export const GAP = { across: 34, down: 12 };
export const HEIGHT = TEXT.height;
/** Above the first row and below the last one. */
export const INSET = 3;
const CROSS = 16;

export interface Spot {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Laid {
  /** Of the boxes. */
  boxes: Spot[];
  /** Of the slots: rows, and crosses at their ends; `null` for those below a collapsed one. */
  spots: (Spot | null)[];
  /** The lines to the boxes; none to the first. */
  branches: Point[][];
}

export const heightOf = (rows: number): number => rows * HEIGHT + 2 * INSET;

/** The heights that a subtree covers by depth, deepest first, so that its root's own is added at the end. */
interface Contour {
  deepest: number;
  top: number[];
  bottom: number[];
}

/** How far below its parent's top each box begins. */
function offsets(boxes: readonly RedBox[]): number[] {
  const offset = new Array<number>(boxes.length).fill(0);
  const contours = new Array<Contour | null>(boxes.length).fill(null);
  for (let at = boxes.length - 1; at >= 0; at--) {
    const { depth, children, rows } = boxes[at]!;
    let whole: Contour | null = null;
    for (const child of children) {
      const part = contours[child]!;
      contours[child] = null;
      if (!whole) {
        whole = part;
        continue;
      }
      let shift = 0;
      for (let d = depth + 1; d <= Math.min(whole.deepest, part.deepest); d++) {
        shift = Math.max(shift, whole.bottom[whole.deepest - d]! - part.top[part.deepest - d]! + GAP.down);
      }
      offset[child] = shift;
      if (part.deepest > whole.deepest) {
        const extra = part.deepest - whole.deepest;
        whole.top = part.top
          .slice(0, extra)
          .map((y) => y + shift)
          .concat(whole.top);
        whole.bottom = part.bottom
          .slice(0, extra)
          .map((y) => y + shift)
          .concat(whole.bottom);
        whole.deepest = part.deepest;
      }
      for (let d = depth + 1; d <= part.deepest; d++) {
        const of = whole.deepest - d;
        whole.bottom[of] = Math.max(whole.bottom[of]!, part.bottom[part.deepest - d]! + shift);
      }
    }
    whole ??= { deepest: depth, top: [], bottom: [] };
    whole.top.push(0);
    whole.bottom.push(heightOf(rows.length));
    contours[at] = whole;
  }
  return offset;
}

export function layOutBoxes(boxes: readonly RedBox[], slots: number): Laid {
  const widths: number[] = [];
  for (const { depth, width } of boxes) widths[depth] = Math.max(widths[depth] ?? 0, width);
  const lefts: number[] = [];
  let left = 0;
  for (const [depth, width] of widths.entries()) {
    lefts[depth] = left;
    left += width + GAP.across;
  }
  const offset = offsets(boxes);
  const laid: Spot[] = [];
  const spots = new Array<Spot | null>(slots).fill(null);
  const branches: Point[][] = [];
  const parents = new Map(boxes.flatMap(({ children }, at) => children.map((child) => [child, at] as const)));
  for (const [at, { depth, rows, width, parent }] of boxes.entries()) {
    const above = parents.get(at);
    const spot = { x: lefts[depth]!, y: above === undefined ? 0 : laid[above]!.y + offset[at]!, width, height: heightOf(rows.length) };
    laid.push(spot);
    for (const [i, row] of rows.entries()) {
      const y = spot.y + INSET + i * HEIGHT;
      spots[row.slot] = { x: spot.x, y, width, height: HEIGHT };
      for (const [k, slot] of row.refuted.entries())
        spots[slot] = { x: spot.x + row.behind.crosses + k * (CROSS + 2), y: y + 1.5, width: CROSS, height: CROSS };
    }
    branches.push([]);
    const from = parent === null ? null : spots[parent];
    if (!from) continue;
    const [begin, end] = [from.y + HEIGHT / 2, spot.y + INSET + HEIGHT / 2];
    const lane = spot.x - GAP.across / 2;
    branches[at] = [
      { x: from.x + from.width, y: begin },
      { x: lane, y: begin },
      { x: lane, y: end },
      { x: spot.x - 1, y: end },
    ];
  }
  return { boxes: laid, spots, branches };
}

/** A line to a box, with its head. */
export function branch(points: readonly Point[]): string {
  const { x, y } = points[points.length - 1]!;
  return `${rounded(points)}M${x - 6} ${y - 4}L${x} ${y}L${x - 6} ${y + 4}`;
}

/** A line from a subsumed vertex to the one that subsumes it. */
export function subsumption(from: Spot, to: Spot): string {
  const [y, end] = [from.y + from.height / 2, to.y + to.height / 2];
  if (to.x + to.width < from.x) {
    const bow = Math.min(80, (from.x - to.x - to.width) / 2 + 20);
    return `M${from.x} ${y}C${from.x - bow} ${y} ${to.x + to.width + bow} ${end} ${to.x + to.width} ${end}`;
  }
  const bow = 24;
  return `M${from.x} ${y}C${from.x - bow} ${y} ${to.x - bow} ${end} ${to.x} ${end}`;
}
