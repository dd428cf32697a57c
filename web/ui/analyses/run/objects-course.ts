// What the pictures of a run have in common, so that its nodes stay where they are from step to step.

import type { Number as Int } from "../../protocol";
import { type Document, type Flow, type Link, MANY_NODES, Walk } from "./objects";

/** Steps during which no pointer contradicts the order of the nodes, so that these need not move. */
export interface Epoch {
  /** The first number of steps after which it is so. */
  from: number;
  nodes: string[];
  links: Link[];
}

/** What pictures of a run have in common, so that what they show stays where it is. */
export interface Course {
  /** None where there are many nodes. */
  epochs: Epoch[];
  /** The length of the longest text of each array of members. */
  widest: Map<string, number>;
  /** The row of each variable after each number of steps. */
  slots: Map<string, number>[];
}

/** Pointers of these names lead back. */
const BACK = /^(prev|previous|parent|back|up|owner)$|_(prev|parent)$/i;

/** Whether links lead from one node to another. */
export function leads(links: Iterable<Link>, from: string, to: string): boolean {
  const next = new Map<string, string[]>();
  for (const link of links) next.set(link.from, [...(next.get(link.from) ?? []), link.to]);
  const open = [from];
  const met = new Set(open);
  for (let at = 0; at < open.length; at++) {
    if (open[at] === to) return true;
    for (const id of next.get(open[at]!) ?? []) if (!met.has(id)) met.add(id) && open.push(id);
  }
  return false;
}

/** The pointers of one step that agree with an order of the nodes. */
export function ordered(links: readonly Link[]): Link[] {
  const kept: Link[] = [];
  for (const link of links) if (!BACK.test(link.member) && !leads(kept, link.to, link.from)) kept.push(link);
  return kept;
}

export function courseOf(document: Document, flow: Flow): Course {
  const walk = new Walk(document, flow);
  const epochs: Epoch[] = [];
  const slots: Map<string, number>[] = [];
  let open: Map<string, Link> | null = null;
  /** Links that close a cycle. */
  let closing = new Set<string>();
  let many = false;
  const key = ({ from, member, to }: Link): string => `${from}|${member}|${to}`;
  for (let at = 0; ; at++) {
    const before = slots.at(-1) ?? new Map<string, number>();
    const names = walk.entries().map(({ name }) => name);
    const kept = new Map([...before].filter(([name]) => names.includes(name)));
    const taken = new Set(kept.values());
    for (const name of names) {
      if (kept.has(name)) continue;
      let free = 0;
      while (taken.has(free)) free++;
      taken.add(free);
      kept.set(name, free);
    }
    slots.push(kept);
    many ||= walk.seen.size > MANY_NODES;
    if (!many) {
      const now = walk.links();
      for (const link of open === null ? [] : now) {
        if (open!.has(key(link)) || closing.has(key(link)) || BACK.test(link.member)) continue;
        if (!leads(open!.values(), link.to, link.from)) open!.set(key(link), link);
        else if (
          leads(
            now.filter((other) => open!.has(key(other))),
            link.to,
            link.from,
          )
        )
          closing.add(key(link));
        else {
          open = null;
          break;
        }
      }
      if (open === null) {
        open = new Map(ordered(now).map((link) => [key(link), link]));
        closing = new Set(now.map(key).filter((one) => !open!.has(one)));
        epochs.push({ from: at, nodes: [], links: [] });
      }
      const epoch = epochs.at(-1)!;
      epoch.nodes = [...walk.seen];
      epoch.links = [...open.values()];
    }
    if (at >= document.steps_shown.length) break;
    walk.step();
  }
  return { epochs: many ? [] : epochs, widest: widths(document), slots };
}

/** The length of the longest text that each array of members holds. */
function widths(document: Document): Map<string, number> {
  const found = new Map<string, number>();
  const texts = new Map(document.variables.map(({ name, addresses }) => [name, addresses]));
  const note = (name: string, value: Int): void => {
    const text = texts.get(name)?.[String(value)] ?? String(value);
    found.set(name, Math.max(found.get(name) ?? 1, text.length));
  };
  for (const { name, start } of document.variables)
    if (typeof start === "object") for (const value of Object.values(start)) note(name, value!);
  for (const { change, also } of document.steps_shown) {
    for (const one of change === null ? [] : [change, ...also]) if (one.kind === "element") note(one.name, one.value);
  }
  return found;
}
