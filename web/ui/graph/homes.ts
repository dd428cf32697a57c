// Which drawn elements stand for a location or an edge: in a graph of boxes a location is a part of a box, and an end with many edges into
// it has several.

import type { Call } from "./calls";
import type { Item } from "./canvas";
import type { Picture } from "./model";

export class Homes {
  readonly #blocks = new Map<number, number[]>();
  readonly #first = new Set<number>();
  readonly #leads = new Map<number, number>();
  /** Calls that are rows, and the edges in them. */
  readonly calls = new Map<number, Call>();
  readonly #within = new Map<number, Call>();

  constructor(private readonly picture: Picture) {
    for (const { id, locations, rows } of picture.blocks?.blocks ?? []) {
      for (const { call } of rows) {
        if (!call) continue;
        this.calls.set(call.id, call);
        for (const edge of call.edges) this.#within.set(edge, call);
        for (const inner of call.inner) this.#blocks.set(inner, [id]);
      }
      this.#first.add(locations[0]!);
      for (const location of locations) this.#blocks.set(location, [...(this.#blocks.get(location) ?? []), id]);
    }
    for (const { edges, to } of picture.blocks?.links ?? []) for (const edge of edges) this.#leads.set(edge, to);
  }

  /** The keys of an item's elements. */
  keys({ kind, id }: Item): string[] {
    if (kind === "edge") {
      const call = this.#within.get(id);
      return call ? [`call${call.id}`, ...(this.#leads.has(id) ? [`edge${id}`] : [])] : [`edge${id}`];
    }
    return (this.#blocks.get(id) ?? [id]).map((block) => `node${block}`);
  }

  /** The keys of the elements at both ends of an edge. */
  ends({ id, from, to }: { id: number; from: number; to: number }): string[] {
    const led = this.#leads.get(id);
    return [...this.keys({ kind: "node", id: from }), ...(led === undefined ? this.keys({ kind: "node", id: to }) : [`node${led}`])];
  }

  /** Whether the edge is in a call that is a row. */
  isWithin(edge: number): boolean {
    return this.#within.has(edge);
  }

  /** The number of the row in its box that begins at a location. */
  row(location: number): number {
    const block = this.picture.blocks?.blocks.find(({ locations }) => locations.includes(location));
    const edges = new Set(this.picture.edges.flatMap(({ id, from }) => (from === location ? [id] : [])));
    return block?.rows.findIndex(({ pieces }) => pieces.some((piece) => piece.edges.some((edge) => edges.has(edge)))) ?? 0;
  }

  /** Whether a box begins at the location. */
  leads(location: number): boolean {
    return !this.picture.blocks || this.#first.has(location);
  }
}
