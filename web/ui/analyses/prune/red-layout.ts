// A layout of the unfolding from left to right: paths are rows, the first child goes on in its parent's row, and each
// further subtree moves up to the contour of those before it. Linear but for merging contours.

import type { Slot } from "./history";

export const COLUMN = 40;
export const ROW = 34;
export const RADIUS = 12;

export interface Spot {
  x: number;
  y: number;
}

/** The rows a subtree covers by depth, deepest first, so that its root's own is added at the end. */
interface Contour {
  deepest: number;
  top: number[];
  bottom: number[];
}

/** The spots of the slots; `null` for those below a collapsed one. */
export function layOutSlots(slots: readonly Slot[], collapsed: ReadonlySet<number>): (Spot | null)[] {
  const offset = new Array<number>(slots.length).fill(0);
  const contours = new Array<Contour | null>(slots.length).fill(null);
  for (let id = slots.length - 1; id >= 0; id--) {
    const { depth, children } = slots[id]!;
    let whole: Contour | null = null;
    for (const child of collapsed.has(id) ? [] : children) {
      const part = contours[child]!;
      contours[child] = null;
      if (!whole) {
        whole = part;
        continue;
      }
      let shift = 1;
      for (let d = depth + 1; d <= Math.min(whole.deepest, part.deepest); d++) {
        shift = Math.max(shift, whole.bottom[whole.deepest - d]! - part.top[part.deepest - d]! + 1);
      }
      offset[child] = shift;
      if (part.deepest > whole.deepest) {
        const extra = part.deepest - whole.deepest;
        whole.top = part.top
          .slice(0, extra)
          .map((row) => row + shift)
          .concat(whole.top);
        whole.bottom = part.bottom
          .slice(0, extra)
          .map((row) => row + shift)
          .concat(whole.bottom);
        whole.deepest = part.deepest;
      }
      for (let d = depth + 1; d <= part.deepest; d++) {
        const at = whole.deepest - d;
        whole.bottom[at] = Math.max(whole.bottom[at]!, part.bottom[part.deepest - d]! + shift);
      }
    }
    whole ??= { deepest: depth, top: [], bottom: [] };
    whole.top.push(0);
    whole.bottom.push(0);
    contours[id] = whole;
  }
  const spots = new Array<Spot | null>(slots.length).fill(null);
  for (const { id, parent, depth } of slots) {
    const above = parent === null ? { y: 0 } : collapsed.has(parent) ? null : spots[parent];
    if (above) spots[id] = { x: depth * COLUMN, y: above.y + offset[id]! * ROW };
  }
  return spots;
}

/** A line of the tree: straight within a row, else down in the gap between two columns. */
export function branch(from: Spot, to: Spot): string {
  if (from.y === to.y) return `M${from.x + RADIUS} ${from.y}H${to.x - RADIUS}`;
  const gap = to.x - COLUMN / 2;
  const bend = 6;
  return `M${from.x + RADIUS * 0.8} ${from.y + RADIUS * 0.6}Q${gap} ${from.y + RADIUS * 0.6} ${gap} ${from.y + RADIUS + bend}V${to.y - bend}Q${gap} ${to.y} ${to.x - RADIUS} ${to.y}`;
}

/** A dashed line from a subsumed vertex to the one that subsumes it: above its own row, then in a gap between columns. */
export function subsumption(from: Spot, to: Spot): string {
  const lane = from.y - ROW / 2;
  if (from.y === to.y) return `M${from.x} ${from.y - RADIUS}V${lane}H${to.x}V${to.y - RADIUS}`;
  const gap = to.x - COLUMN * 0.4;
  const end = to.y < from.y ? 1 : -1;
  return `M${from.x} ${from.y - RADIUS}V${lane}H${gap}V${to.y + end * RADIUS * 1.25}L${to.x - RADIUS * 0.7} ${to.y + end * RADIUS * 0.7}`;
}
