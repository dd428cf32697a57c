// Where the nodes of linked structures lie in the picture: lists from left to right, trees from top to bottom.

import type { Link } from "./objects";

/** A box to be placed. */
export interface Sized {
  id: string;
  width: number;
  height: number;
}

export interface Placed extends Sized {
  x: number;
  y: number;
}

/** Columns and rows: of a tree the columns are half as wide as its boxes, so that a node lies between its subtrees. */
export interface Arrangement {
  tree: boolean;
  spots: Map<string, { column: number; row: number }>;
}

interface Gaps {
  across: number;
  down: number;
}

/** More columns are only kept for nodes that are not there yet where there are no more. */
const KEPT_COLUMNS = 10;

/** The pointers between nodes without those that close a cycle; the nodes keep their order. */
export function arrange(nodes: readonly string[], links: readonly Link[]): Arrangement {
  const out = new Map<string, Link[]>(nodes.map((id) => [id, []]));
  const into = new Map<string, Link[]>(nodes.map((id) => [id, []]));
  for (const link of links) {
    if (!out.has(link.from) || !into.has(link.to)) continue;
    out.get(link.from)!.push(link);
    into.get(link.to)!.push(link);
  }
  for (const all of out.values()) all.sort((a, b) => a.order - b.order);
  const depths = new Map<string, number>();
  const depth = (id: string): number => {
    if (!depths.has(id)) depths.set(id, Math.max(0, ...into.get(id)!.map(({ from }) => depth(from) + 1)));
    return depths.get(id)!;
  };
  nodes.forEach(depth);
  // The spanning tree of the graph: each node hangs below its deepest predecessor, so that a list stays a row.
  const children = new Map<string, Link[]>(nodes.map((id) => [id, []]));
  const roots: string[] = [];
  for (const id of nodes) {
    const parent = into.get(id)!.find(({ from }) => depths.get(from)! === depths.get(id)! - 1);
    if (parent) children.get(parent.from)!.push(parent);
    else roots.push(id);
  }
  for (const all of children.values()) all.sort((a, b) => a.order - b.order);
  const tree = isTree(links);
  return { tree, spots: tree ? downwards(roots, children, depths) : across(roots, children, depths) };
}

const structure = (id: string): string => id.slice(0, id.lastIndexOf(" "));

/** Whether nodes of one structure lead to each other by several members. */
function isTree(links: readonly Link[]): boolean {
  const members = new Map<string, Set<string>>();
  for (const { from, member, to } of links) {
    if (structure(from) === structure(to)) members.set(structure(from), (members.get(structure(from)) ?? new Set()).add(member));
  }
  return [...members.values()].some((all) => all.size > 1);
}

/** Each chain in a row, from left to right. */
function across(
  roots: readonly string[],
  children: ReadonlyMap<string, Link[]>,
  depths: ReadonlyMap<string, number>,
): Arrangement["spots"] {
  const spots: Arrangement["spots"] = new Map();
  /** Of each row the columns that are taken. */
  const taken: Set<number>[] = [];
  const chain = (from: string, least: number): void => {
    const ids: string[] = [];
    for (let id: string | undefined = from; id !== undefined; id = children.get(id)![0]?.to) ids.push(id);
    const columns = ids.map((id) => depths.get(id)!);
    let row = least;
    const isFree = (): boolean => {
      // With room for the arrows beside it.
      for (let column = columns[0]! - 1; column <= columns.at(-1)! + 1; column++) if (taken[row]?.has(column)) return false;
      return true;
    };
    while (!isFree()) row++;
    taken[row] ??= new Set();
    for (let column = columns[0]!; column <= columns.at(-1)!; column++) taken[row]!.add(column);
    for (const [at, id] of ids.entries()) spots.set(id, { column: columns[at]!, row });
    for (const id of ids) for (const { to } of children.get(id)!.slice(1)) chain(to, row + 1);
  };
  for (const root of roots) chain(root, 0);
  return spots;
}

/** Each node below the one that leads to it, between what its first and what its later members lead to. */
function downwards(
  roots: readonly string[],
  children: ReadonlyMap<string, Link[]>,
  depths: ReadonlyMap<string, number>,
): Arrangement["spots"] {
  const spots: Arrangement["spots"] = new Map();
  /** By structure the members that lead on. */
  const leading = new Map<string, Set<number>>();
  for (const [id, all] of children) {
    for (const { order } of all) leading.set(structure(id), (leading.get(structure(id)) ?? new Set()).add(order));
  }
  let next = 0;
  const several = (links: readonly Link[]): void => {
    for (const [at, { to }] of links.entries()) {
      // Nothing lies between two of them.
      if (at > 0) next++;
      visit(to);
    }
  };
  const visit = (id: string): void => {
    const all = children.get(id)!;
    const row = depths.get(id)!;
    const orders = [...(leading.get(structure(id)) ?? [])];
    const first = Math.min(...orders);
    const left = all.filter(({ order }) => order === first);
    several(left);
    const below = orders.length === 1 ? left[0] : undefined;
    spots.set(id, { column: below ? spots.get(below.to)!.column : next++, row });
    several(all.filter(({ order }) => order !== first));
  };
  for (const root of roots) {
    if (next > 0) next++;
    visit(root);
  }
  return spots;
}

/** The boxes that are to be drawn at their spots. The others keep their room where there are few columns. */
export function place({ tree, spots }: Arrangement, boxes: readonly Sized[], drawn: ReadonlySet<string>, gaps: Gaps): Placed[] {
  const all = boxes.filter(({ id }) => spots.has(id));
  const few = new Set(all.map(({ id }) => spots.get(id)!.column)).size <= KEPT_COLUMNS * (tree ? 2 : 1);
  const kept = few ? all : all.filter(({ id }) => drawn.has(id));
  const width = Math.max(0, ...all.map((box) => box.width));
  const lines = (of: "column" | "row"): number[] => [...new Set(kept.map(({ id }) => spots.get(id)![of]))].sort((a, b) => a - b);
  const lefts = new Map<number, number>();
  let x = 0;
  for (const [at, column] of lines("column").entries()) {
    const before = lines("column")[at - 1];
    // Columns without a node are there once, which keeps the boxes of a row apart.
    if (before !== undefined) x += tree ? (Math.min(2, column - before) * (width + gaps.across)) / 2 : width + gaps.across;
    lefts.set(column, x);
  }
  const tops = new Map<number, number>();
  let y = 0;
  for (const row of lines("row")) {
    tops.set(row, y);
    y += Math.max(...kept.filter(({ id }) => spots.get(id)!.row === row).map((box) => box.height)) + gaps.down;
  }
  return kept
    .filter(({ id }) => drawn.has(id))
    .map((box) => {
      const { column, row } = spots.get(box.id)!;
      // A narrow box of a tree stands in the middle of its column.
      return { ...box, x: lefts.get(column)! + (tree ? (width - box.width) / 2 : 0), y: tops.get(row)! };
    });
}
