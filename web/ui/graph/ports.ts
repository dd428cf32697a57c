// Where edges touch a node. Left to themselves, flat edges would all meet at a node's sides, arrowheads upon beginnings;
// here each end gets a direction of its own, near the wanted one, on the node's upper or lower half.

import type { Point } from "./route";

/** Degrees from the upright. */
const WIDEST = 68;
const APART = 21;

interface End {
  key: string;
  wanted: number;
  up: boolean;
}

export class Ports {
  #ends = new Map<string, End[]>();
  #given = new Map<string, { angle: number; up: boolean }>();

  /** An end at `node`, whose edge comes from or goes to `next`. */
  ask(key: string, node: number, centre: Point, next: Point): void {
    const up = next.y < centre.y;
    const degrees = (Math.atan2(next.x - centre.x, Math.abs(next.y - centre.y)) * 180) / Math.PI;
    const side = `${node}${up ? "^" : "v"}`;
    const ends = this.#ends.get(side) ?? [];
    ends.push({ key, wanted: degrees, up });
    this.#ends.set(side, ends);
  }

  settle(): void {
    for (const ends of this.#ends.values()) {
      ends.sort((a, b) => a.wanted - b.wanted);
      const apart = Math.min(APART, (2 * WIDEST) / Math.max(1, ends.length - 1));
      const wanted = ends.map((end) => Math.max(-WIDEST, Math.min(WIDEST, end.wanted)));
      // Pushed apart to the right and to the left; the mean of both keeps the distance and the middle.
      const right = [...wanted];
      for (let i = 1; i < right.length; i++) right[i] = Math.max(right[i]!, right[i - 1]! + apart);
      const left = [...wanted];
      for (let i = left.length - 2; i >= 0; i--) left[i] = Math.min(left[i]!, left[i + 1]! - apart);
      const mean = right.map((r, i) => (r + left[i]!) / 2);
      const most = Math.max(...mean.map(Math.abs));
      const squeeze = most > WIDEST + 12 ? (WIDEST + 12) / most : 1;
      ends.forEach((end, i) => this.#given.set(end.key, { angle: (mean[i]! * squeeze * Math.PI) / 180, up: end.up }));
    }
  }

  /** A point in the direction the end was given; `otherwise` if it asked for none. */
  direction(key: string, otherwise: Point, centre: Point): Point {
    const given = this.#given.get(key);
    if (!given) return otherwise;
    return { x: centre.x + 100 * Math.sin(given.angle), y: centre.y + (given.up ? -100 : 100) * Math.cos(given.angle) };
  }
}
