// The boxes of the red–black graph: a chain of red vertices is one box, each vertex a row with the statement or condition that leads to it.
// A refuted vertex is a cross at the end of the row that it leaves; a loop that its own head subsumes stands in the box of that head.

import { shortened, TEXT } from "../../graph/model";
import type { History } from "./history";

/** What a row says. */
export interface Words {
  text: string;
  /** In full, where the text is shortened. */
  full: string;
  line: number;
  exit: boolean;
}

export interface RedRow extends Words {
  slot: number;
  /** Part of a loop that the head subsumes. */
  loop: boolean;
  /** The vertices that are refuted right after it. */
  refuted: readonly number[];
  /** Where what stands behind the text begins, in the order of drawing; `null` if no step shows it. */
  behind: {
    exit: number | null;
    crosses: number;
    alpha: number | null;
    number: number | null;
    subsumed: number | null;
    more: number | null;
  };
  width: number;
}

export interface RedBox {
  /** Its first vertex. */
  head: number;
  rows: RedRow[];
  /** The boxes that its last vertices lead to, by their place in the list. */
  children: number[];
  /** The slot that the box hangs on. */
  parent: number | null;
  depth: number;
  width: number;
}

/** A longer chain goes on in the next column. */
const MOST_ROWS = 24;
/** A loop with more rows is a box of its own. */
const MOST_IN_LOOP = 4;
const LONGEST = 26;

const PADDING = 9;
const LINE_NUMBER = 3.6 * TEXT.character;
const INDENT = 2 * TEXT.character;
const CROSS = 18;
const BADGE = 20;
export const ROW_LEFT = PADDING;
export const textLeft = (loop: boolean): number => PADDING + LINE_NUMBER + (loop ? INDENT : 0);

/** What an edge says in a row. */
export function wordsOf(label: string, line: number, exit: boolean): Words {
  return { text: shortened(label, LONGEST), full: label, line, exit };
}

/** Boxes, parents before their children; below a collapsed vertex there are none. */
export function boxesOf(history: History, collapsed: ReadonlySet<number>, words: (slot: number) => Words): RedBox[] {
  const { slots, marked, abstracted, subsumers, numbers } = history;
  const isRefuted = (slot: number): boolean => marked.has(slot) && slots[slot]!.children.length === 0;
  const onwards = (slot: number): number[] => (collapsed.has(slot) ? [] : slots[slot]!.children.filter((child) => !isRefuted(child)));
  const rowOf = (slot: number, loop: boolean): RedRow => {
    const said = words(slot);
    const refuted = collapsed.has(slot) ? [] : slots[slot]!.children.filter(isRefuted);
    let x = textLeft(loop) + said.text.length * TEXT.character + 6;
    const take = (width: number, is = true): number => {
      const at = x;
      if (is) x += width;
      return at;
    };
    const room = (width: number, is: boolean): number | null => (is ? take(width) : null);
    const behind = {
      exit: room(6 * TEXT.character + 4, said.exit),
      crosses: take(CROSS * refuted.length),
      alpha: room(CROSS, abstracted.has(slot)),
      number: room(BADGE, numbers.has(slot)),
      subsumed: room(3.6 * TEXT.character, subsumers.has(slot)),
      more: room(5 * TEXT.character, collapsed.has(slot)),
    };
    return { ...said, slot, loop, refuted, behind, width: x + PADDING - 4 };
  };
  /** The vertices of a loop from a head back to it; `null` if the child begins no such loop. */
  const loopFrom = (head: number, child: number): number[] | null => {
    const chain = [child];
    for (;;) {
      const last = chain[chain.length - 1]!;
      const next = onwards(last);
      if (next.length === 0) return subsumers.get(last)?.has(head) ? chain : null;
      if (next.length > 1 || chain.length === MOST_IN_LOOP) return null;
      chain.push(next[0]!);
    }
  };
  const boxes: RedBox[] = [];
  const waiting = slots.length > 0 ? [{ head: 0, parent: null as number | null, depth: 0, of: null as RedBox | null }] : [];
  while (waiting.length > 0) {
    const { head, parent, depth, of } = waiting.pop()!;
    const box: RedBox = { head, rows: [], children: [], parent, depth, width: 0 };
    of?.children.push(boxes.length);
    boxes.push(box);
    let next = [head];
    let last = head;
    while (next.length === 1 && box.rows.length < MOST_ROWS) {
      last = next[0]!;
      box.rows.push(rowOf(last, false));
      next = onwards(last);
      if (next.length !== 2) continue;
      const loop = next.map((child) => ({ child, chain: loopFrom(last, child) })).find(({ chain }) => chain !== null);
      if (!loop) continue;
      box.rows.push(...loop.chain!.map((slot) => rowOf(slot, true)));
      next = next.filter((child) => child !== loop.child);
    }
    box.width = Math.max(...box.rows.map(({ width }) => width));
    // The last one is taken first.
    for (const child of next.reverse()) waiting.push({ head: child, parent: last, depth: depth + 1, of: box });
  }
  return boxes;
}
