// The red–black graph over time: from the steps of its construction to what it is after any of them. Pure.
//
// A vertex that is unfolded again after a restart takes the place of the one that was destroyed there: a slot is a place
// in the unfolding, named by the edges that lead to it. The layout is one of slots, so nothing moves from step to step.

import type { PruneStep } from "../../protocol";

export interface Slot {
  id: number;
  parent: number | null;
  /** The edge of the original that leads here. */
  edge: number | null;
  location: number;
  depth: number;
  children: number[];
}

export interface History {
  /** As many of the first steps as fit into the picture. */
  steps: readonly PruneStep[];
  /** Parents before their children. */
  slots: readonly Slot[];
  slotOf: ReadonlyMap<number, number>;
  /** Slots that are unsatisfiable, or abstracted, after some step. */
  marked: ReadonlySet<number>;
  abstracted: ReadonlySet<number>;
  /** By slot that is subsumed after some step, the slots that subsume it. */
  subsumers: ReadonlyMap<number, ReadonlySet<number>>;
  /** The slots that subsume another one, numbered in the order of the steps. */
  numbers: ReadonlyMap<number, number>;
}

/** Slots of a picture: more of them take the browser seconds to draw. */
export const SLOTS_MAX = 6_000;

export function historyOf(made: readonly PruneStep[], most = SLOTS_MAX): History {
  let steps = made;
  const slots: Slot[] = [];
  const slotOf = new Map<number, number>();
  const named = new Map<string, number>();
  const marked = new Set<number>();
  const abstracted = new Set<number>();
  const subsumers = new Map<number, Set<number>>();
  const numbers = new Map<number, number>();
  for (const [at, step] of made.entries()) {
    if (step.step === "unsatisfiable" || step.step === "abstracted") {
      const slot = slotOf.get(step.vertex);
      if (slot !== undefined) (step.step === "abstracted" ? abstracted : marked).add(slot);
    }
    if (step.step === "subsumed") {
      const [slot, by] = [slotOf.get(step.vertex), slotOf.get(step.by)];
      if (slot !== undefined && by !== undefined) {
        subsumers.set(slot, (subsumers.get(slot) ?? new Set()).add(by));
        if (!numbers.has(by)) numbers.set(by, numbers.size + 1);
      }
    }
    if (step.step !== "added") continue;
    const parent = step.parent === null ? null : slotOf.get(step.parent);
    if (parent === undefined) continue;
    const name = `${parent} ${step.edge}`;
    let id = named.get(name);
    if (id === undefined && slots.length === most) {
      steps = made.slice(0, at);
      break;
    }
    if (id === undefined) {
      id = slots.length;
      named.set(name, id);
      const above = parent === null ? null : slots[parent]!;
      slots.push({ id, parent, edge: step.edge, location: step.location, depth: above ? above.depth + 1 : 0, children: [] });
      above?.children.push(id);
    }
    slotOf.set(step.vertex, id);
  }
  return { steps, slots, slotOf, marked, abstracted, subsumers, numbers };
}

/** A red vertex as it is after some step. */
export interface RedVertex {
  vertex: number;
  slot: number;
  location: number;
  /** Its number among the occurrences of the location. */
  index: number;
  parent: number | null;
  edge: number | null;
  children: number;
  unsatisfiable: boolean;
  subsumedBy: number | null;
  /** The abstractions made here. */
  abstracted: readonly { subsumee: number; forgotten: string[]; kept: string[] }[];
  /** The vertices above it whose abstractions were carried on to here, one entry for each. */
  carried: readonly number[];
  /** The limiting predicate's conjuncts learned here. */
  limits: readonly string[];
  halted: boolean;
}

export type Living = Map<number, RedVertex>;

/** Copies share the lists: `advance` replaces them instead of adding to them. */
const copied = (living: Living): Living => new Map([...living].map(([vertex, at]) => [vertex, { ...at }]));

/** The living vertices after any number of steps; going on from a snapshot, so that a step back in a long construction does
 * not go through all of it. */
export class Replay {
  readonly #snapshots: Living[] = [new Map()];

  constructor(
    private readonly history: History,
    private readonly every = 2000,
  ) {}

  at(count: number): Living {
    const wanted = Math.min(Math.floor(count / this.every), Math.floor(this.history.steps.length / this.every));
    while (this.#snapshots.length <= wanted) {
      const last = this.#snapshots.length - 1;
      const next = copied(this.#snapshots[last]!);
      advance(this.history, next, last * this.every, (last + 1) * this.every);
      this.#snapshots.push(next);
    }
    const living = copied(this.#snapshots[wanted]!);
    advance(this.history, living, wanted * this.every, count);
    return living;
  }
}

function advance({ steps, slotOf }: History, living: Living, from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const step = steps[i]!;
    switch (step.step) {
      case "added": {
        const { vertex, location, index, parent, edge } = step;
        const slot = slotOf.get(vertex);
        if (slot === undefined) break;
        const above = parent === null ? undefined : living.get(parent);
        if (above) above.children++;
        living.set(vertex, {
          vertex,
          slot,
          location,
          index,
          parent,
          edge,
          children: 0,
          unsatisfiable: false,
          subsumedBy: null,
          abstracted: [],
          carried: [],
          limits: [],
          halted: false,
        });
        break;
      }
      case "unsatisfiable":
      case "unmarked": {
        const at = living.get(step.vertex);
        if (at) at.unsatisfiable = step.step === "unsatisfiable";
        break;
      }
      case "subsumed": {
        const at = living.get(step.vertex);
        if (at) at.subsumedBy = step.by;
        break;
      }
      case "abstracted": {
        const at = living.get(step.vertex);
        if (at) at.abstracted = [...at.abstracted, { subsumee: step.subsumee, forgotten: step.forgotten, kept: step.kept }];
        break;
      }
      case "propagated":
        for (const below of step.vertices) {
          const at = living.get(below);
          if (at) at.carried = [...at.carried, step.vertex];
        }
        break;
      case "refined": {
        const at = living.get(step.vertex);
        if (at) at.limits = [...at.limits, step.condition];
        break;
      }
      case "destroyed": {
        for (const gone of step.vertices) living.delete(gone);
        const below = living.get(step.vertex);
        if (below) {
          below.children = 0;
          // It is unfolded anew, without the abstraction that let the infeasible path through.
          below.abstracted = [];
        }
        for (const at of living.values()) {
          if (at.subsumedBy !== null && (at.subsumedBy === step.vertex || !living.has(at.subsumedBy))) at.subsumedBy = null;
        }
        break;
      }
      case "halted": {
        const at = living.get(step.vertex);
        if (at) at.halted = true;
        break;
      }
    }
  }
}

/** The vertex a step is about, and others it concerns. */
export function concerned(step: PruneStep): { vertex: number | null; others: readonly number[] } {
  switch (step.step) {
    case "subsumed":
      return { vertex: step.vertex, others: [step.by] };
    case "abstracted":
      return { vertex: step.vertex, others: [step.subsumee] };
    case "propagated":
      return { vertex: step.vertex, others: step.vertices };
    case "refined":
      return { vertex: step.vertex, others: step.path };
    case "anew":
      return { vertex: null, others: [] };
    default:
      return { vertex: step.vertex, others: [] };
  }
}

/** Slots below which everything is settled without an exit, the outermost ones of at least three: what Collapse folds. */
export function closedSubtrees(history: History, living: ReadonlyMap<number, RedVertex>, exit: number): Map<number, number> {
  const bySlot = new Map([...living.values()].map((at) => [at.slot, at]));
  const size = new Array<number>(history.slots.length).fill(0);
  const closed = new Array<boolean>(history.slots.length).fill(true);
  for (let id = history.slots.length - 1; id >= 0; id--) {
    const slot = history.slots[id]!;
    const at = bySlot.get(id);
    const children = slot.children.filter((child) => bySlot.has(child));
    if (at) {
      size[id] = 1 + children.reduce((sum, child) => sum + size[child]!, 0);
      closed[id] =
        children.length > 0
          ? children.every((child) => closed[child])
          : slot.location !== exit && (at.unsatisfiable || at.subsumedBy !== null);
    }
  }
  const found = new Map<number, number>();
  for (const { id, parent } of history.slots) {
    if (bySlot.has(id) && closed[id] && size[id]! > 2 && (parent === null || !closed[parent])) found.set(id, size[id]! - 1);
  }
  return found;
}
