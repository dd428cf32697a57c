// The layout of structured control flow. Every box has a region with all that only it leads to: the true side's column left, the false
// side's right, what joins them below on its axis. An edge that leaves a region waits as a lane until its target is laid out below. A loop's
// region is closed before what its exits lead to is hung below it, so that edges cross no box and loops are one piece.

import type { Block, Blocks, Link } from "./blocks";
import { type Flow, flowOf } from "./flow";
import type { Point } from "./route";

/** Between columns, lanes and horizontal tracks. */
const GAP = 26;
const LANE = 13;
const TRACK = 10;
/** Room for an arrowhead, and below a decision for the letters of its sides. */
const HEAD = 10;
const STUB = 21;
/** More edges into a box come in one line. */
const BUS = 5;
const BUS_BACK = 3;
/** So many tests in a row are a ladder. */
const LADDER = 3;
/** Around a loop's boxes. */
const PAD = 7;

/** A box and all that hangs below it; its coordinates begin at the middle of the box's upper side. */
interface Region {
  block: Block;
  /** The extent. */
  left: number;
  right: number;
  bottom: number;
  /** From left to right. */
  exits: Exit[];
  within: { region: Region; x: number; y: number } | null;
}

/** An edge that has left its box and has not come to its target. */
interface Exit {
  link: Link;
  x: number;
  /** Each with the region whose coordinates it has. */
  points: { of: Region; x: number; y: number }[];
}

/** An edge along a polyline of upright and level parts. */
export interface Routed {
  link: Link;
  points: Point[];
}

export interface Nested {
  /** The middle of each box's upper side. */
  boxes: ReadonlyMap<number, Point>;
  routes: Routed[];
  /** Around each loop, the outermost first, with how deep it is nested. */
  loops: { x: number; y: number; width: number; height: number; depth: number }[];
}

class Builder {
  readonly routed: { link: Link; points: Exit["points"] }[] = [];
  readonly regions = new Map<number, Region>();
  /** What is laid out in whose region, and which of it hangs below the loop of that box. */
  readonly parent = new Map<number, number>();
  readonly leaves = new Set<number>();
  readonly #children = new Map<number, number[]>();
  readonly #body: ReadonlyMap<number, ReadonlySet<number>>;
  readonly #rungs: ReadonlySet<number>;

  constructor(
    private readonly blocks: ReadonlyMap<number, Block>,
    private readonly flow: Flow<Link>,
  ) {
    this.#body = new Map(flow.loops.map(({ header, body }) => [header, body]));
    // The loops around each box, the outermost first.
    const around = new Map<number, number[]>();
    for (const { header, body } of flow.loops) for (const v of body) around.set(v, [...(around.get(v) ?? []), header]);
    for (const v of flow.order) {
      const above = flow.dominator.get(v);
      if (above === undefined) continue;
      const left = (around.get(above) ?? []).find((header) => !this.#body.get(header)!.has(v));
      if (left !== undefined) this.leaves.add(v);
      const parent = left ?? above;
      this.parent.set(v, parent);
      this.#children.set(parent, [...(this.#children.get(parent) ?? []), v]);
    }
    this.#rungs = this.#ladders();
  }

  build(): Region {
    // Children come after their parents in reverse postorder.
    for (const v of [...this.flow.order].reverse()) this.#build(v);
    return this.regions.get(this.flow.order[0]!)!;
  }

  /** Whether the edge is the only way to its target, which is then a column of its own. */
  #isColumn(link: Link): boolean {
    const { from, to } = link;
    if (this.parent.get(to) !== from || this.leaves.has(to) || this.flow.back.has(link)) return false;
    return this.flow.into.get(to)!.filter((other) => !this.flow.back.has(other)).length === 1;
  }

  /** The tests of long chains in which each follows on the false side of the one before. */
  #ladders(): Set<number> {
    const next = new Map<number, number>();
    for (const v of this.flow.order) {
      const [yes, no] = this.flow.out.get(v)!;
      const decides = yes?.holds === true && no !== undefined && !this.#body.has(v);
      if (decides) next.set(v, this.#isColumn(no) ? no.to : Number.NaN);
    }
    const rungs = new Map<number, number>();
    for (const v of [...this.flow.order].reverse()) if (next.has(v)) rungs.set(v, 1 + (rungs.get(next.get(v)!) ?? 0));
    const found = new Set<number>();
    for (const v of this.flow.order) {
      if (rungs.get(v)! >= LADDER) found.add(v);
      if (found.has(v) && rungs.has(next.get(v)!)) found.add(next.get(v)!);
    }
    return found;
  }

  #put(region: Region, into: Region, x: number, y: number): void {
    region.within = { region: into, x, y };
    for (const exit of region.exits) exit.x += x;
    into.left = Math.min(into.left, region.left + x);
    into.right = Math.max(into.right, region.right + x);
    into.bottom = Math.max(into.bottom, region.bottom + y);
  }

  #widen(region: Region, x: number): void {
    region.left = Math.min(region.left, x);
    region.right = Math.max(region.right, x);
  }

  #end(exit: Exit): void {
    this.routed.push({ link: exit.link, points: exit.points });
  }

  #build(v: number): void {
    const block = this.blocks.get(v)!;
    const half = block.width / 2;
    const region: Region = { block, left: -half, right: half, bottom: block.height, exits: [], within: null };
    this.regions.set(v, region);
    const beside = this.#columns(region);
    const body = this.#body.get(v);
    const below = (this.#children.get(v) ?? []).filter((child) => !beside.has(child));
    for (const child of below) if (!body || body.has(child)) this.#below(region, child);
    if (!body) return;
    this.#backs(region);
    for (const child of below) if (!body.has(child)) this.#below(region, child);
  }

  /** Puts what only the box's edges lead to side by side below it; gives back what. */
  #columns(region: Region): Set<number> {
    const { block } = region;
    const links = this.flow.out.get(block.id)!;
    const ladder = this.#rungs.has(block.id);
    const columns = links.map((link) => ({
      link,
      region: this.#isColumn(link) && !(ladder && link.holds === false) ? this.regions.get(link.to)! : null,
      x: 0,
      port: 0,
    }));
    if (columns.length === 0) return new Set();
    const full = columns.filter((column) => column.region);
    const width = block.width;
    const n = columns.length;
    if (ladder) {
      // The false side goes straight on, the true side's column stands left of it.
      const [yes, no] = columns as [(typeof columns)[0], (typeof columns)[0]];
      no.port = no.x = 0;
      yes.port = -width * 0.34;
      yes.x = yes.region ? -Math.max(LANE, yes.region.right + LANE) : Math.min(yes.port, -LANE);
    } else if (full.length === 0) {
      columns.forEach((column, i) => {
        column.port = column.x = n === 1 ? 0 : width * (0.6 * (i / (n - 1)) - 0.3);
      });
    } else if (full.length === 1) {
      const at = columns.indexOf(full[0]!);
      const alone = full[0]!.region!;
      let limit = alone.left - GAP / 2;
      for (const column of columns.slice(0, at).reverse()) {
        column.port = -width * 0.34;
        column.x = Math.min(column.port, limit);
        limit = column.x - LANE;
      }
      limit = alone.right + GAP / 2;
      for (const column of columns.slice(at + 1)) {
        column.port = width * 0.34;
        column.x = Math.max(column.port, limit);
        limit = column.x + LANE;
      }
    } else {
      let at = 0;
      for (const column of columns) {
        column.x = column.region ? at - column.region.left : at;
        at = column.region ? column.x + column.region.right + GAP : at + LANE;
      }
      const middle = (full[0]!.x + full[full.length - 1]!.x) / 2;
      columns.forEach((column, i) => {
        column.x -= middle;
        const [low, high] = [width * ((0.8 * i) / n - 0.4) + 4, width * ((0.8 * (i + 1)) / n - 0.4) - 4];
        column.port = Math.max(low, Math.min(high, column.x));
      });
    }
    const lettered = n > 1 || links[0]!.holds !== null;
    const level = block.height + (lettered ? STUB : HEAD - 4);
    const top = level + HEAD;
    for (const column of columns) {
      const points = [{ of: region, x: column.port, y: block.height }];
      if (Math.abs(column.port - column.x) > 0.5)
        points.push({ of: region, x: column.port, y: level - 3 }, { of: region, x: column.x, y: level - 3 });
      if (column.region) {
        this.#put(column.region, region, column.x, top);
        this.#end({ link: column.link, x: column.x, points: [...points, { of: region, x: column.x, y: top }] });
        region.exits.push(...column.region.exits);
      } else {
        region.exits.push({ link: column.link, x: column.x, points });
        this.#widen(region, column.x);
        region.bottom = Math.max(region.bottom, lettered ? level : block.height + 4);
      }
    }
    return new Set(full.map(({ link }) => link.to));
  }

  /** Hangs a region below all that is there: exits that lead to it join at its head, others step aside. */
  #below(region: Region, child: number): void {
    const under = this.regions.get(child)!;
    const { exits } = region;
    const joins = exits.filter(({ link }) => link.to === child);
    const first = exits.indexOf(joins[0]!);
    const last = exits.indexOf(joins[joins.length - 1]!);
    const [lefts, rights]: [Exit[], Exit[]] = [[], []];
    const between = new Set<Exit>();
    let met = 0;
    exits.forEach((exit, i) => {
      if (exit.link.to === child) met++;
      else if (i < first || (i <= last && met <= joins.length - met)) lefts.push(exit);
      else rights.push(exit);
      if (i > first && i < last && exit.link.to !== child) between.add(exit);
    });
    let y = this.#aside(region, lefts, rights, under, between);

    const bus = joins.length > BUS;
    const apart = joins.length > 1 ? Math.min(14, (under.block.width * 0.76) / (joins.length - 1)) : 0;
    const ports = new Map(joins.map((exit, i) => [exit, bus ? 0 : (i - (joins.length - 1) / 2) * apart]));
    const fromLeft = joins.filter((exit) => exit.x < ports.get(exit)! - 0.5);
    const fromRight = joins.filter((exit) => exit.x > ports.get(exit)! + 0.5);
    const tracks = bus ? 1 : Math.max(fromLeft.length, fromRight.length);
    const top = y + tracks * TRACK + HEAD + 4;
    const turn = (exit: Exit, track: number): void => {
      y = region.bottom;
      const level = top - HEAD - 4 - (tracks - 1 - (bus ? 0 : track)) * TRACK;
      exit.points.push({ of: region, x: exit.x, y: level }, { of: region, x: ports.get(exit)!, y: level });
    };
    fromLeft.forEach((exit, i) => turn(exit, fromLeft.length - 1 - i));
    fromRight.forEach((exit, i) => turn(exit, i));
    for (const exit of joins) {
      exit.points.push({ of: region, x: ports.get(exit)!, y: top });
      this.#end(exit);
    }
    this.#put(under, region, 0, top);
    region.exits = [...lefts, ...under.exits, ...rights];
  }

  /** Moves the lanes that pass out of the way of what comes below; gives back where that may begin. */
  #aside(region: Region, lefts: readonly Exit[], rights: readonly Exit[], under: Region, between: ReadonlySet<Exit>): number {
    const moves = (all: readonly Exit[], side: -1 | 1): { exit: Exit; x: number }[] => {
      let limit = side * ((side < 0 ? -under.left : under.right) + GAP / 2);
      // Neighbours on the way to a box with many edges into it share a lane.
      const lanes: Exit[][] = [];
      for (const exit of all) {
        const lane = lanes[lanes.length - 1];
        if (lane && lane[0]!.link.to === exit.link.to && this.flow.into.get(exit.link.to)!.length > BUS) lane.push(exit);
        else lanes.push([exit]);
      }
      return lanes.flatMap((lane) => {
        const out = Math.max(side * limit, ...lane.map((exit) => side * exit.x + (between.has(exit) ? LANE / 2 : 0)));
        const x = side * out;
        limit = x + side * LANE;
        return lane.flatMap((exit) => (Math.abs(x - exit.x) > 0.1 ? [{ exit, x }] : []));
      });
    };
    // The outermost turns first.
    const sides = [moves([...lefts].reverse(), -1).reverse(), moves(rights, 1).reverse()];
    for (const side of sides)
      side.forEach(({ exit, x }, track) => {
        const y = region.bottom + TRACK * (track + 1);
        exit.points.push({ of: region, x: exit.x, y }, { of: region, x, y });
        exit.x = x;
        this.#widen(region, x);
      });
    return region.bottom + TRACK * Math.max(...sides.map(({ length }) => length));
  }

  /** Leads the edges back to the box up the side where fewer others are. */
  #backs(region: Region): void {
    const { block, exits } = region;
    const isBack = ({ link }: Exit): boolean => link.to === block.id;
    const others = exits.filter((exit) => !isBack(exit)).length;
    const [left, right]: [Exit[], Exit[]] = [[], []];
    let before = 0;
    for (const exit of exits) {
      if (!isBack(exit)) before++;
      else (before <= others - before ? left : right).push(exit);
    }
    const lead = (exits: readonly Exit[], side: -1 | 1): void => {
      const bus = exits.length > BUS_BACK;
      exits.forEach((exit, at) => {
        const i = bus ? 0 : at;
        const y = region.bottom + TRACK * (i + 1);
        const x = (side < 0 ? region.left : region.right) + side * (LANE * (i + 1) + 2);
        const flank = bus
          ? block.height / 2
          : block.height / 2 + ((exits.length - 1) / 2 - i) * Math.min(8, (block.height * 0.5) / exits.length);
        const points = [
          { x: exit.x, y },
          { x, y },
          { x, y: flank },
          { x: (side * block.width) / 2, y: flank },
        ];
        exit.points.push(...points.map((point) => ({ of: region, ...point })));
        this.#end(exit);
      });
    };
    const lanes = (all: readonly Exit[]): number => (all.length > BUS_BACK ? 1 : all.length);
    lead(left, -1);
    lead([...right].reverse(), 1);
    if (left.length > 0) region.left -= LANE * lanes(left) + PAD + 2;
    if (right.length > 0) region.right += LANE * lanes(right) + PAD + 2;
    if (left.length + right.length > 0) region.bottom += TRACK * Math.max(lanes(left), lanes(right)) + PAD;
    region.exits = exits.filter((exit) => !isBack(exit));
  }

  /** Leads edges into the midst of a loop around everything: only irreducible graphs have some. */
  around(root: Region, at: (region: Region) => Point): void {
    for (const exit of root.exits) {
      const { block } = this.regions.get(exit.link.to)!;
      const target = at(this.regions.get(exit.link.to)!);
      root.bottom += TRACK;
      root.right += LANE;
      const flank = target.y + block.height / 2;
      const points = [
        { x: exit.x, y: root.bottom },
        { x: root.right, y: root.bottom },
        { x: root.right, y: flank },
        { x: target.x + block.width / 2, y: flank },
      ];
      exit.points.push(...points.map((point) => ({ of: root, ...point })));
      this.#end(exit);
    }
  }
}

/** Boxes and lines around each loop. */
function aroundLoops(
  { loops }: Flow<Link>,
  boxes: Nested["boxes"],
  blocks: ReadonlyMap<number, Block>,
  routes: readonly Routed[],
): Nested["loops"] {
  const inside = new Map<number, Routed[]>();
  for (const route of routes) inside.set(route.link.from, [...(inside.get(route.link.from) ?? []), route]);
  return loops.map(({ header, body }) => {
    const xs: number[] = [];
    const ys: number[] = [];
    for (const v of body) {
      const { x, y } = boxes.get(v)!;
      const { width, height } = blocks.get(v)!;
      xs.push(x - width / 2, x + width / 2);
      ys.push(y, y + height);
      for (const { link, points } of inside.get(v) ?? []) {
        if (!body.has(link.to)) continue;
        xs.push(...points.map((p) => p.x));
        ys.push(...points.map((p) => p.y));
      }
    }
    const [x, y] = [Math.min(...xs) - PAD, Math.min(...ys) - PAD];
    const depth = loops.filter((other) => other.header !== header && other.body.has(header)).length;
    return { x, y, width: Math.max(...xs) + PAD - x, height: Math.max(...ys) + PAD - y, depth };
  });
}

export function nested({ blocks, links }: Blocks): Nested {
  const byId = new Map(blocks.map((block) => [block.id, block]));
  const entry = blocks.find((block) => block.entry) ?? blocks[0]!;
  const flow = flowOf([...byId.keys()], links, entry.id);
  const builder = new Builder(byId, flow);
  const root = builder.build();
  const places = new Map<Region, Point>([[root, { x: 0, y: 0 }]]);
  for (const v of flow.order) {
    const region = builder.regions.get(v)!;
    if (!region.within) continue;
    const { x, y } = places.get(region.within.region)!;
    places.set(region, { x: x + region.within.x, y: y + region.within.y });
  }
  builder.around(root, (region) => places.get(region)!);
  const boxes = new Map([...builder.regions].map(([id, region]) => [id, places.get(region)!]));
  const routes = builder.routed.map(({ link, points }): Routed => {
    const all = points.map(({ of, x, y }) => ({ x: x + places.get(of)!.x, y: y + places.get(of)!.y }));
    return { link, points: all.filter((p, i) => i === 0 || Math.hypot(p.x - all[i - 1]!.x, p.y - all[i - 1]!.y) > 0.01) };
  });
  return { boxes, routes, loops: aroundLoops(flow, boxes, byId, routes) };
}
