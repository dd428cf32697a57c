// Boxes and arrows of the picture of linked structures, in pixels.

import type { Held, Member, ObjectNode, Objects, PointerVariable } from "./objects";
import type { Course } from "./objects-course";
import { ordered } from "./objects-course";
import { arrange, type Placed, place } from "./objects-layout";

/** A row or a cell of a node. */
export interface Cell {
  member: Member;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Where the value stands, or the dot of a pointer. */
  at: { x: number; y: number };
  /** Whether the value stands below the name. */
  below: boolean;
}

export interface NodeBox extends Placed {
  node: ObjectNode;
  cells: Cell[];
}

export interface VariableBox {
  variable: PointerVariable;
  x: number;
  y: number;
  width: number;
  height: number;
  at: { x: number; y: number };
}

export interface Arrow {
  from: string;
  to: string;
  d: string;
  /** The triangle at its end. */
  head: string;
  dangling: boolean;
  changed: boolean;
  variable: boolean;
  /** Whether it starts in a node that was freed. */
  freed: boolean;
}

export interface Geometry {
  width: number;
  height: number;
  size: number;
  nodes: NodeBox[];
  variables: VariableBox[];
  arrows: Arrow[];
}

/** The longest text in a box. */
const LONGEST = 18;
/** So many variables have their rows kept. */
const KEPT_ROWS = 6;

export const cut = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);
const letters = (text: string): number => Math.min(LONGEST, text.length);

type Way = "right" | "down" | "left" | "up";

function head(x: number, y: number, way: Way, size: number): string {
  const [long, wide] = [size * 0.6, size * 0.3];
  const [dx, dy] = { right: [1, 0], left: [-1, 0], down: [0, 1], up: [0, -1] }[way] as [number, number];
  const [bx, by] = [x - dx * long, y - dy * long];
  return `M${x} ${y}L${bx - dy * wide} ${by - dx * wide}L${bx + dy * wide} ${by + dx * wide}Z`;
}

/** What a node needs, with its cells from its corner. */
function boxOf(node: ObjectNode, tree: boolean, course: Course, size: number): { width: number; height: number; cells: Cell[] } {
  const [letter, pad, line] = [size * 0.61, Math.round(size * 0.5), Math.round(size * 1.75)];
  const cellsBelow = tree && node.members.filter(({ pointer }) => pointer).length > 1;
  const rows = node.members.filter(({ pointer }) => !(cellsBelow && pointer));
  const columns = node.members.filter((member) => !rows.includes(member));
  const named = Math.max(0, ...rows.map(({ name }) => letters(name))) * letter;
  const valued =
    Math.max(2, ...rows.map(({ array, pointer }) => (pointer ? 2 : Math.min(LONGEST, course.widest.get(array) ?? 1)))) * letter + pad;
  const column = Math.max(0, ...columns.map(({ name }) => Math.max(2, letters(name)) * letter + pad * 1.4));
  const titled = (letters(node.title) + (node.freed !== null ? 6 : 0)) * letter + 2 * pad;
  const width = Math.ceil(Math.max(titled, rows.length > 0 ? named + valued + 2 * pad : 0, columns.length * column));
  const cells = rows.map((member, at): Cell => {
    const y = line * (at + 1);
    return { member, x: 0, y, width, height: line, at: { x: width - valued / 2 - pad / 2, y: y + line / 2 }, below: false };
  });
  const y = line * (rows.length + 1);
  const tall = Math.round(line * 1.6);
  for (const [at, member] of columns.entries()) {
    const each = width / columns.length;
    cells.push({ member, x: at * each, y, width: each, height: tall, at: { x: (at + 0.5) * each, y: y + tall * 0.72 }, below: true });
  }
  return { width, height: y + (columns.length > 0 ? tall : 0), cells };
}

/** The picture of the objects after so many steps. */
export function geometry(objects: Objects, course: Course, steps: number, size: number): Geometry {
  const [letter, pad, line] = [size * 0.61, Math.round(size * 0.5), Math.round(size * 1.75)];
  const epoch = course.epochs.findLast(({ from }) => from <= steps);
  const now = objects.nodes.flatMap(({ id, members }) =>
    members.flatMap(({ name, held }, order) => (held.kind === "node" ? [{ from: id, member: name, order, to: held.to }] : [])),
  );
  const nodes = epoch?.nodes ?? objects.nodes.map(({ id }) => id);
  const arrangement = arrange(nodes, epoch?.links ?? ordered(now));
  const { tree } = arrangement;
  const own = new Map(objects.nodes.map((node) => [node.id, { node, ...boxOf(node, tree, course, size) }]));
  // A node that comes later is as large as another one of its structure.
  const structure = (id: string): string => id.slice(0, id.lastIndexOf(" "));
  const like = (id: string) => own.get(id) ?? [...own.values()].find(({ node }) => structure(node.id) === structure(id));
  const sized = nodes.map((id) => ({ id, width: like(id)?.width ?? 0, height: like(id)?.height ?? 0 }));
  const gaps = tree ? { across: size * 1.6, down: size * 3.2 } : { across: size * 3.2, down: size * 4.6 };

  // Variables in a column on the left.
  const rows = course.slots[steps] ?? new Map<string, number>();
  const names = course.slots.flatMap((slots) => [...slots.keys()]);
  const wide = Math.ceil(Math.max(0, ...names.map(letters)) * letter + 2 * pad + 2 * size);
  const top = tree ? pad : Math.round(size * 2.4);
  const pitch = line + Math.round(size * 0.5);
  const variables = objects.pointers.map((variable, at): VariableBox => {
    const y = top + (rows.get(variable.name) ?? at) * pitch;
    return { variable, x: 1, y, width: wide, height: line, at: { x: 1 + wide - size, y: y + line / 2 } };
  });

  const left = objects.pointers.length > 0 || names.length > 0 ? wide + Math.round(size * 4) : 1;
  const boxes = place(arrangement, sized, new Set(own.keys()), gaps).map((box): NodeBox => {
    const { node, cells } = own.get(box.id)!;
    const [x, y] = [Math.round(left + box.x), Math.round(top + box.y)];
    const moved = cells.map((cell) => ({ ...cell, x: x + cell.x, y: y + cell.y, at: { x: x + cell.at.x, y: y + cell.at.y } }));
    return { ...box, x, y, node, cells: moved };
  });
  const arrows = arrowsOf(boxes, variables, tree, size);
  const most = Math.min(KEPT_ROWS, Math.max(0, ...course.slots.map((slots) => slots.size)));
  const bottom = Math.max(
    top + most * pitch,
    ...variables.map(({ y, height }) => y + height + pad),
    ...boxes.map(({ y, height }) => y + height + (tree ? pad : size * 2.6)),
  );
  const right = Math.max(wide + 2, ...boxes.map(({ x, width }) => x + width + size * 1.5));
  return { width: Math.ceil(right), height: Math.ceil(bottom), size, nodes: boxes, variables, arrows };
}

function arrowsOf(boxes: readonly NodeBox[], variables: readonly VariableBox[], tree: boolean, size: number): Arrow[] {
  const line = Math.round(size * 1.75);
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const arrows: Arrow[] = [];
  const counts = new Map<string, number>();
  const turn = (key: string): number => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key)! - 1;
  };
  const overlaps = (a: number, b: number, c: number, d: number): boolean => Math.max(a, c) < Math.min(b, d);
  const isClear = (x0: number, x1: number, y0: number, y1: number, but: readonly string[]): boolean =>
    !boxes.some(
      (box) =>
        !but.includes(box.id) &&
        overlaps(x0, x1, box.x, box.x + box.width) &&
        overlaps(Math.min(y0, y1) - 1, Math.max(y0, y1) + 1, box.y, box.y + box.height),
    );
  const freed = new Set(
    boxes.filter(({ node }) => node.freed).flatMap(({ node }) => node.members.map(({ name }) => `${node.title}.${name}`)),
  );
  const add = (
    from: string,
    held: Held,
    changed: boolean,
    variable: boolean,
    drawn: { d: string; end: [number, number]; way: Way },
  ): void => {
    if (held.kind !== "node") return;
    const { d, end, way } = drawn;
    arrows.push({
      from,
      to: held.text,
      d,
      head: head(end[0], end[1], way, size),
      dangling: held.dangling,
      changed,
      variable,
      freed: freed.has(from),
    });
  };

  for (const { variable, x, width, at } of variables) {
    const { held, name, changed } = variable;
    const target = held.kind === "node" ? byId.get(held.to) : undefined;
    if (!target) continue;
    const start = x + width;
    const entry = target.y + line * 0.5 + turn(`left ${target.id}`) * size * 0.55;
    if (entry < target.y + target.height && isClear(start, target.x, at.y, entry, [target.id])) {
      const reach = Math.min(size * 4, (target.x - start) / 2);
      const d = `M${at.x} ${at.y}H${start}C${start + reach} ${at.y} ${target.x - reach} ${entry} ${target.x - 2} ${entry}`;
      add(name, held, changed, true, { d, end: [target.x, entry], way: "right" });
      continue;
    }
    const lane = target.y - size * (0.9 + 0.5 * (turn(`above ${target.y}`) % 3));
    const down = target.x + size * (1.2 + 0.9 * turn(`top ${target.id}`));
    const gap = start + size * 2.8;
    const d = `M${at.x} ${at.y}H${start}C${start + size * 1.8} ${at.y} ${gap - size * 1.8} ${lane} ${gap} ${lane}H${down - size * 0.5}Q${down} ${lane} ${down} ${target.y - 2}`;
    add(name, held, changed, true, { d, end: [down, target.y], way: "down" });
  }

  for (const box of boxes) {
    for (const { member, at } of box.cells) {
      const { held, name, changed } = member;
      const target = held.kind === "node" ? byId.get(held.to) : undefined;
      if (!target) continue;
      const from = `${box.node.title}.${name}`;
      const [right, bottom] = [box.x + box.width, box.y + box.height];
      if (tree && target.y > box.y) {
        const end = target.x + target.width / 2 + (turn(`top ${target.id}`) % 2) * size;
        const middle = (bottom + target.y) / 2;
        const d = `M${at.x} ${at.y}V${bottom}C${at.x} ${middle} ${end} ${middle} ${end} ${target.y - 2}`;
        add(from, held, changed, false, { d, end: [end, target.y], way: "down" });
        continue;
      }
      if (tree) {
        // Back, around the right side.
        const out = Math.max(right, target.x + target.width) + size * (0.9 + 0.4 * (turn(`right ${target.id}`) % 3));
        const [x, y] = [target.x + target.width, target.y + line * 0.5];
        const d = `M${at.x} ${at.y}V${bottom + size * 0.6}H${out}V${y}H${x + 2}`;
        add(from, held, changed, false, { d, end: [x, y], way: "left" });
        continue;
      }
      const entry = target.y + line * 0.5;
      const isForward = target.x > right;
      if (isForward && isClear(right, target.x, at.y, entry, [box.id, target.id])) {
        const reach = Math.min(size * 3, (target.x - right) / 2);
        const d = `M${at.x} ${at.y}H${right}C${right + reach} ${at.y} ${target.x - reach} ${entry} ${target.x - 2} ${entry}`;
        add(from, held, changed, false, { d, end: [target.x, entry], way: "right" });
        continue;
      }
      // Below the row, to the lower side of the target; to a lower row from above.
      const lane = bottom + size * (0.8 + 0.5 * (turn(`below ${box.y}`) % 4));
      const shift = size * 0.9 * (turn(`bottom ${target.id}`) % 3);
      const [end, round] = [target.x + target.width / 2 - size + shift, size * 0.5];
      const isLower = target.y > bottom;
      const side = end < at.x ? -1 : 1;
      const near = Math.min(round, Math.abs(end - at.x) / 2);
      const y = isLower ? target.y : target.y + target.height;
      const turnOff = isLower ? lane + round : lane - round;
      const d = `M${at.x} ${at.y}V${lane - round}Q${at.x} ${lane} ${at.x + side * near} ${lane}H${end - side * near}Q${end} ${lane} ${end} ${turnOff}V${y + (isLower ? -2 : 2)}`;
      add(from, held, changed, false, { d, end: [end, y], way: isLower ? "down" : "up" });
    }
  }
  return arrows;
}
