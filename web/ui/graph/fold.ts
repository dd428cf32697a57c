// A picture that is much too high for its pane, in columns as of a newspaper. Cuts go through a few forward edges alone, never through a box
// or a loop; an edge that is cut goes from the foot of its column to the head of the next one.

import type { Block } from "./blocks";
import type { Nested, Routed } from "./nested";
import type { Point } from "./route";

export interface Room {
  width: number;
  height: number;
}

const MOST_COLUMNS = 6;
const MOST_CUT = 3;
/** So much larger the picture must become for one more column. */
const GAIN = 1.1;
/** So much smaller it may rather be than cut one more edge. */
const BENT = 0.04;
/** A picture that is larger than this many panes is not folded: it is scrolled either way. */
const LARGEST = 1.3;
const GUTTER = 20;
const TRACK = 9;
/** From a cut to the box below it: between the last bend and the arrowhead. */
const ABOVE = 11;
/** A bend so near above a cut is left out. */
const NEAR = 24;
/** Of the arrow to the entry. */
const START = 20;

interface Cut {
  y: number;
  /** The lanes that pass, from left to right, with the edges in each. */
  passing: { x: number; routes: Routed[] }[];
}

interface Column {
  from: number;
  to: number;
  left: number;
  right: number;
}

class Folder {
  readonly #spans: { left: number; right: number; top: number; bottom: number }[];
  readonly top: number;
  readonly bottom: number;

  constructor(
    private readonly picture: Nested,
    private readonly blocks: readonly Block[],
  ) {
    const boxes = blocks.map(({ id, width, height }) => {
      const { x, y } = picture.boxes.get(id)!;
      return { left: x - width / 2, right: x + width / 2, top: y, bottom: y + height };
    });
    const loops = picture.loops.map(({ x, y, width, height }) => ({ left: x, right: x + width, top: y, bottom: y + height }));
    const lines = picture.routes.flatMap(({ points }) =>
      points.slice(1).map((q, i) => {
        const p = points[i]!;
        return { left: Math.min(p.x, q.x), right: Math.max(p.x, q.x), top: Math.min(p.y, q.y), bottom: Math.max(p.y, q.y) };
      }),
    );
    this.#spans = [...boxes, ...loops, ...lines];
    this.top = Math.min(...this.#spans.map(({ top }) => top)) - START;
    this.bottom = Math.max(...this.#spans.map(({ bottom }) => bottom));
  }

  cuts(): Cut[] {
    const { boxes, loops, routes } = this.picture;
    const heights = [...new Set(this.blocks.map(({ id }) => boxes.get(id)!.y - ABOVE))].sort((a, b) => a - b);
    return heights.flatMap((y): Cut[] => {
      if (y < this.top + 2 * START) return [];
      if (this.blocks.some(({ id, height }) => boxes.get(id)!.y < y && boxes.get(id)!.y + height > y)) return [];
      if (loops.some((loop) => loop.y < y && loop.y + loop.height > y)) return [];
      const passing: Cut["passing"] = [];
      for (const route of routes) {
        for (const [i, p] of route.points.slice(0, -1).entries()) {
          const q = route.points[i + 1]!;
          if (Math.min(p.y, q.y) >= y || Math.max(p.y, q.y) < y) continue;
          if (q.y < p.y || p.x !== q.x) return [];
          const lane = passing.find(({ x }) => Math.abs(x - p.x) < 0.5);
          if (lane) lane.routes.push(route);
          else passing.push({ x: p.x, routes: [route] });
        }
      }
      if (passing.length === 0 || passing.length > MOST_CUT) return [];
      return [{ y, passing: passing.sort((a, b) => a.x - b.x) }];
    });
  }

  columns(cuts: readonly Cut[]): Column[] {
    const ends = [this.top, ...cuts.map(({ y }) => y), this.bottom];
    return ends.slice(1).map((to, i) => {
      const from = ends[i]!;
      const inside = this.#spans.filter(({ top, bottom }) => bottom >= from && top < to);
      return { from, to, left: Math.min(...inside.map(({ left }) => left)), right: Math.max(...inside.map(({ right }) => right)) };
    });
  }

  size(cuts: readonly Cut[]): Room {
    const columns = this.columns(cuts);
    const gutters = cuts.reduce((sum, { passing }) => sum + 2 * GUTTER + TRACK * passing.length, 0);
    const tracks = 2 * TRACK * Math.max(0, ...cuts.map(({ passing }) => passing.length)) + 10;
    return {
      width: columns.reduce((sum, { left, right }) => sum + right - left, gutters),
      height: Math.max(...columns.map(({ from, to }) => to - from)) + tracks,
    };
  }

  /** The cuts for the largest picture, each as low as a bound on the height allows. */
  best(room: Room): Cut[] {
    const all = this.cuts();
    const scale = ({ width, height }: Room): number => Math.min(room.width / width, room.height / height);
    let best: Cut[] = [];
    let value = scale(this.size([]));
    for (let columns = 2; columns <= MOST_COLUMNS; columns++) {
      for (let slack = 1; slack < 2.8; slack += 0.06) {
        const most = ((this.bottom - this.top) / columns) * slack;
        const cuts: Cut[] = [];
        let at = this.top;
        while (this.bottom - at > most && cuts.length < columns - 1) {
          const within = all.filter(({ y }) => y > at + 2 * START && y - at <= most);
          const last = within[within.length - 1];
          if (!last) break;
          const cut = within.filter(({ y }) => y > last.y - 60).reduce((a, b) => (b.passing.length <= a.passing.length ? b : a));
          cuts.push(cut);
          at = cut.y;
        }
        if (cuts.length !== columns - 1) continue;
        const size = this.size(cuts);
        const worth = scale(size) - BENT * cuts.reduce((sum, { passing }) => sum + passing.length - 1, 0);
        if (size.width > room.width || worth < value * GAIN) continue;
        best = cuts;
        value = worth;
      }
    }
    return best;
  }

  fold(cuts: readonly Cut[]): Nested {
    const columns = this.columns(cuts);
    const shifts: Point[] = [];
    let x = 0;
    columns.forEach((column, i) => {
      shifts.push({ x: x - column.left, y: -column.from });
      x += column.right - column.left + 2 * GUTTER + TRACK * (cuts[i]?.passing.length ?? 0);
    });
    const columnOf = (y: number): number => cuts.filter((cut) => y >= cut.y).length;
    const moved = (p: Point, column = columnOf(p.y)): Point => ({ x: p.x + shifts[column]!.x, y: p.y + shifts[column]!.y });
    const across = ({ route, points }: { route: Routed; points: Point[] }, column: number): void => {
      const { y, passing } = cuts[column]!;
      const at = passing.findIndex(({ routes }) => routes.includes(route));
      const alone = passing.length === 1 && passing[0]!.routes.length === 1;
      const fromRight = passing.length - 1 - at;
      const foot = y - columns[column]!.from + 4 + TRACK * fromRight;
      const side = columns[column]!.right + shifts[column]!.x + GUTTER + TRACK * fromRight;
      const head = -6 - TRACK * at;
      // What bends just above the cut, alone, need not bend.
      const [bend, last] = points.slice(-2);
      if (alone && last && bend?.y === last.y && y - columns[column]!.from - last.y < NEAR) points.pop();
      const down = points[points.length - 1]!;
      const to = moved({ x: passing[at]!.x, y }, column + 1);
      points.push({ x: down.x, y: foot }, { x: side, y: foot }, { x: side, y: head }, { x: to.x, y: head });
    };
    const routes = this.picture.routes.map((route): Routed => {
      const made = { route, points: [moved(route.points[0]!)] };
      for (const [i, q] of route.points.slice(1).entries()) {
        for (let column = columnOf(route.points[i]!.y); column < columnOf(q.y); column++) across(made, column);
        made.points.push(moved(q));
      }
      return { ...route, points: made.points };
    });
    return {
      boxes: new Map([...this.picture.boxes].map(([id, at]) => [id, moved(at)])),
      routes,
      loops: this.picture.loops.map((loop) => ({ ...loop, ...moved(loop) })),
    };
  }
}

/** The picture in as many columns as make it largest in a pane of this size, if it is much too high for it. */
export function folded(picture: Nested, blocks: readonly Block[], room: Room): Nested {
  const folder = new Folder(picture, blocks);
  const { width, height } = folder.size([]);
  if (height < room.height * LARGEST || width > room.width) return picture;
  const cuts = folder.best(room);
  return cuts.length === 0 ? picture : folder.fold(cuts);
}
