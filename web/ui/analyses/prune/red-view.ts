// The drawn red–black graph: an SVG made once per layout, whose elements are then only shown, hidden and marked. Only
// what changed between two steps is touched, so stepping stays smooth with thousands of vertices.

import type { Exported } from "../../graph/export";
import type { Box } from "../../graph/viewport";
import { Viewport } from "../../graph/viewport";
import type { History, RedVertex } from "./history";
import { branch, COLUMN, RADIUS, ROW, type Spot, subsumption } from "./red-layout";

const SVG = "http://www.w3.org/2000/svg";

export interface Look {
  living: ReadonlyMap<number, RedVertex>;
  /** The vertex of the current step, and others it concerns. */
  at: number | null;
  others: ReadonlySet<number>;
  selected: number | null;
}

export interface Drawing {
  history: History;
  spots: readonly (Spot | null)[];
  /** Collapsed slots and how many vertices are folded into each. */
  folded: ReadonlyMap<number, number>;
  exit: number;
  headers: ReadonlySet<number>;
}

function slotMarkup({ history, spots, folded, exit, headers }: Drawing, id: number): { line: string; node: string } {
  const { parent, location } = history.slots[id]!;
  const spot = spots[id]!;
  const above = parent === null ? null : spots[parent];
  const kind = `${location === exit ? " exit" : ""}${headers.has(location) ? " loop" : ""}`;
  const ring = location === exit ? `<circle class="ring" r="${RADIUS - 3}"/>` : "";
  // Thousands of vertices: parts that no step ever shows are left out.
  const cross = history.marked.has(id) ? '<path class="cross" d="M-8 -8L8 8M8 -8L-8 8"/>' : "";
  const alpha = history.abstracted.has(id) ? '<g class="alpha" transform="translate(9 -10)"><circle r="6"/><text y="3">α</text></g>' : "";
  const more = folded.get(id);
  const badge = more ? `<text class="more" y="${RADIUS + 9}">+${more}</text>` : "";
  return {
    line: above ? `<path class="branch off away" data-line="${id}" d="${branch(above, spot)}"/>` : "",
    node: `<g class="red off away${kind}" data-slot="${id}" transform="translate(${spot.x} ${spot.y})"><circle class="body" r="${RADIUS}"/>${ring}<text y="4"${location > 99 ? ' class="long"' : ""}>${location}</text>${cross}${alpha}${badge}</g>`,
  };
}

export class RedView {
  readonly svg = document.createElementNS(SVG, "svg");
  readonly viewport: Viewport;
  #root = document.createElementNS(SVG, "g");
  #drawing: Drawing | null = null;
  #nodes = new Map<number, SVGElement>();
  #lines = new Map<number, SVGElement>();
  #classes = new Map<SVGElement, string>();
  #dashes = document.createElementNS(SVG, "g");
  #dashed = "";
  #slotToVertex = new Map<number, number>();
  #box: Box | null = null;
  /** What is seen of the picture, and the slots outside of it: the browser is spared them. */
  #seen: Box | null = null;
  #away = new Set<number>();

  constructor(
    host: HTMLElement,
    private readonly onSelect: (vertex: number | null) => void,
    onKey: (e: KeyboardEvent) => boolean,
  ) {
    const { svg } = this;
    svg.classList.add("graph", "red-graph");
    svg.setAttribute("role", "group");
    svg.setAttribute("tabindex", "0");
    svg.append(this.#root);
    host.append(svg);
    // Numbers that cannot be read only take time to paint.
    this.viewport = new Viewport(svg, this.#root, (scale, seen) => {
      svg.classList.toggle("far", scale < 0.3);
      this.#seen = seen;
      this.#cull();
    });
    this.viewport.readable = 0.7;
    svg.addEventListener("click", (e) => {
      if (this.viewport.dragged) return;
      const slot = (e.target as Element).closest<SVGElement>("[data-slot]")?.dataset.slot;
      this.onSelect(slot === undefined ? null : (this.#slotToVertex.get(Number(slot)) ?? null));
    });
    svg.addEventListener("keydown", (e) => {
      if (!onKey(e) && !this.viewport.key(e)) return;
      e.preventDefault();
      e.stopPropagation();
    });
  }

  show(drawing: Drawing): void {
    this.#drawing = drawing;
    const shown = drawing.spots.flatMap((spot, id) => (spot ? [{ id, spot }] : []));
    const parts = shown.map(({ id }) => slotMarkup(drawing, id));
    this.#root.innerHTML = `<g class="branches">${parts.map((p) => p.line).join("")}</g><g class="dashes"></g><g class="reds">${parts.map((p) => p.node).join("")}</g>`;
    this.#dashes = this.#root.querySelector(".dashes")!;
    this.#dashed = "";
    this.#classes.clear();
    // All of them at first: a request for a size would have the browser lay them out, and most are out of view.
    this.#away = new Set(shown.map(({ id }) => id));
    const by = (name: string): Map<number, SVGElement> =>
      new Map([...this.#root.querySelectorAll<SVGElement>(`[data-${name}]`)].map((e) => [Number(e.dataset[name]), e]));
    this.#nodes = by("slot");
    this.#lines = by("line");
    const xs = shown.map(({ spot }) => spot.x);
    const ys = shown.map(({ spot }) => spot.y);
    const most = (list: number[]): number => list.reduce((a, b) => Math.max(a, b), 0);
    this.viewport.entry = 0;
    this.#box = { x: -COLUMN, y: -ROW, width: most(xs) + 2 * COLUMN, height: most(ys) + 2 * ROW };
    this.viewport.renew(this.#box);
  }

  mark({ living, at, others, selected }: Look): void {
    const drawing = this.#drawing;
    if (!drawing) return;
    const bySlot = new Map([...living.values()].map((vertex) => [vertex.slot, vertex]));
    this.#slotToVertex = new Map([...bySlot].map(([slot, { vertex }]) => [slot, vertex]));
    const set = (element: SVGElement, classes: string, slot: number): void => {
      if (this.#classes.get(element) === classes) return;
      this.#classes.set(element, classes);
      element.setAttribute("class", this.#away.has(slot) ? `${classes} away` : classes);
    };
    const dashes: string[] = [];
    for (const [slot, element] of this.#nodes) {
      const v = bySlot.get(slot);
      const location = drawing.history.slots[slot]!.location;
      const names = ["red", location === drawing.exit ? "exit" : "", drawing.headers.has(location) ? "loop" : ""];
      if (!v) names.push("off");
      else {
        if (v.unsatisfiable) names.push("unsatisfiable");
        if (v.subsumedBy !== null) names.push("subsumed");
        if (v.abstracted.length > 0) names.push("abstracted");
        if (v.limits.length > 0) names.push("limited");
        if (v.halted) names.push("halted");
        if (v.children === 0 && !v.unsatisfiable && v.subsumedBy === null && location !== drawing.exit) names.push("open");
        if (v.vertex === at) names.push("at");
        if (others.has(v.vertex)) names.push("other");
        if (v.vertex === selected) names.push("selected");
        const [from, whole] = [drawing.spots[slot], v.subsumedBy === null ? undefined : living.get(v.subsumedBy)];
        const to = whole && drawing.spots[whole.slot];
        if (from && to)
          dashes.push(
            `<path class="subsumption${v.vertex === at || v.vertex === selected ? " strong" : ""}" d="${subsumption(from, to)}"/>`,
          );
      }
      set(element, names.filter(Boolean).join(" "), slot);
      const line = this.#lines.get(slot);
      if (line) set(line, v ? `branch${v.vertex === at ? " at" : ""}` : "branch off", slot);
    }
    const markup = dashes.join("");
    if (markup !== this.#dashed) this.#dashes.innerHTML = this.#dashed = markup;
  }

  /** Hides the vertices that are out of view, with the lines that lead to them. */
  #cull(): void {
    const [drawing, seen] = [this.#drawing, this.#seen];
    if (!drawing || !seen) return;
    for (const [slot, node] of this.#nodes) {
      const spot = drawing.spots[slot]!;
      const parent = drawing.history.slots[slot]!.parent;
      const above = (parent === null ? null : drawing.spots[parent]) ?? spot;
      const away =
        spot.x + 2 * COLUMN < seen.x ||
        above.x - COLUMN > seen.x + seen.width ||
        Math.max(spot.y, above.y) + 2 * ROW < seen.y ||
        Math.min(spot.y, above.y) - ROW > seen.y + seen.height;
      if (away === this.#away.has(slot)) continue;
      if (away) this.#away.add(slot);
      else this.#away.delete(slot);
      node.classList.toggle("away", away);
      this.#lines.get(slot)?.classList.toggle("away", away);
    }
  }

  /** The picture as it is at this step. */
  exported(): Exported {
    return { svg: this.svg, markup: this.#root.innerHTML.replaceAll(/ away\b/g, ""), box: this.#box };
  }

  boxOf(slot: number): Box | null {
    const spot = this.#drawing?.spots[slot];
    return spot ? { x: spot.x - COLUMN / 2, y: spot.y - ROW / 2, width: COLUMN, height: ROW } : null;
  }
}
