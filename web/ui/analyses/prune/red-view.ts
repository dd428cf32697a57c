// The drawn red–black graph: an SVG made once per layout, whose elements are then only shown, hidden and marked. Only
// what changed between two steps is touched, so stepping stays smooth with thousands of vertices.

import { escaped } from "../../graph/draw";
import type { Exported } from "../../graph/export";
import type { Box } from "../../graph/viewport";
import { Viewport } from "../../graph/viewport";
import type { History, RedVertex } from "./history";
import { type RedBox, type RedRow, ROW_LEFT, textLeft } from "./red-boxes";
import { branch, GAP, HEIGHT, heightOf, INSET, type Laid, type Spot, subsumption } from "./red-layout";

/** Around all. */
const MARGIN = 16;
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
  boxes: readonly RedBox[];
  laid: Laid;
  /** Collapsed slots and how many vertices are folded into each. */
  folded: ReadonlyMap<number, number>;
  exit: number;
  headers: ReadonlySet<number>;
}

/** The baseline of a row's text. */
const BASE = HEIGHT / 2 + 4.5;
/** A sign in a circle. */
const badge = (name: string, x: number, text: string): string =>
  `<g class="${name}" transform="translate(${x + 8} ${HEIGHT / 2})"><circle r="8"/><text class="middle" y="4">${text}</text></g>`;

function rowMarkup({ history, folded, headers }: Drawing, row: RedRow, spot: Spot, frame: string): string {
  const { slot, text, full, line, loop, exit, behind } = row;
  const { location } = history.slots[slot]!;
  const classes = `red off away${exit ? " exit" : ""}${headers.has(location) ? " loop" : ""}`;
  const more = folded.get(slot);
  // Thousands of vertices: parts that no step ever shows are left out.
  const parts = [
    text === full ? "" : `<title>${escaped(full)}</title>`,
    frame,
    `<rect class="body" x="2" width="${spot.width - 4}" height="${HEIGHT}" rx="3"/>`,
    line > 0 ? `<text class="line-number" x="${ROW_LEFT}" y="${BASE}">${line}</text>` : "",
    loop ? `<text class="round" x="${textLeft(false)}" y="${BASE}">↻</text>` : "",
    `<text class="words" x="${textLeft(loop)}" y="${BASE}">${escaped(text)}</text>`,
    behind.exit === null ? "" : `<text class="end" x="${behind.exit}" y="${BASE}">✓ exit</text>`,
    behind.alpha === null ? "" : badge("alpha", behind.alpha, "α"),
    behind.number === null ? "" : badge("subsumer", behind.number, String(history.numbers.get(slot))),
    behind.subsumed === null ? "" : `<text class="subsumed-by" x="${behind.subsumed}" y="${BASE}"></text>`,
    more && behind.more !== null ? `<text class="more" x="${behind.more}" y="${BASE}">+${more}</text>` : "",
  ];
  return `<g class="${classes}" data-slot="${slot}" transform="translate(${spot.x} ${spot.y})">${parts.join("")}</g>`;
}

/** A vertex that is refuted: what led to it is read when the pointer rests there. */
const crossMarkup = (slot: number, { x, y, width }: Spot, full: string): string =>
  `<g class="red cross off away" data-slot="${slot}" data-cross="" transform="translate(${x} ${y})"><title>${escaped(full)}</title><rect class="body" width="${width}" height="${width}" rx="4"/><path class="refuted" d="M4 4L${width - 4} ${width - 4}M${width - 4} 4L4 ${width - 4}"/><circle class="yet" cx="${width / 2}" cy="${width / 2}" r="2"/></g>`;

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
  #frames = new Map<number, SVGElement>();
  /** The box of each slot, by its place in the list. */
  #boxOf = new Map<number, number>();
  /** What is said of the vertices that subsume others. */
  #texts = new Map<number, string>();
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
    // The line to what subsumes a vertex, or what it subsumes, is drawn while the pointer rests on it.
    svg.addEventListener("pointerover", (e) => {
      const slot = (e.target as Element).closest<SVGElement>("[data-slot]")?.dataset.slot;
      for (const line of this.#dashes.querySelectorAll<SVGElement>(".subsumption"))
        line.classList.toggle("near", slot !== undefined && (line.dataset.from === slot || line.dataset.to === slot));
    });
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

  show(drawing: Drawing, full: (slot: number) => string): void {
    const { boxes, laid } = drawing;
    this.#drawing = drawing;
    this.#boxOf.clear();
    const lines: string[] = [];
    const nodes: string[] = [];
    for (const [at, { head, rows }] of boxes.entries()) {
      const points = laid.branches[at]!;
      if (points.length > 0) lines.push(`<path class="branch off away" data-line="${head}" d="${branch(points)}"/>`);
      for (const [i, row] of rows.entries()) {
        this.#boxOf.set(row.slot, at);
        const { width } = laid.boxes[at]!;
        const frame =
          i === 0 ? `<rect class="frame" data-frame="${at}" y="${-INSET}" width="${width}" height="${heightOf(rows.length)}" rx="4"/>` : "";
        nodes.push(rowMarkup(drawing, row, laid.spots[row.slot]!, frame));
        for (const slot of row.refuted) {
          this.#boxOf.set(slot, at);
          nodes.push(crossMarkup(slot, laid.spots[slot]!, full(slot)));
        }
      }
    }
    this.#root.innerHTML = `<g class="branches">${lines.join("")}</g><g class="reds">${nodes.join("")}</g><g class="dashes"></g>`;
    this.#dashes = this.#root.querySelector(".dashes")!;
    this.#dashed = "";
    this.#classes.clear();
    this.#texts.clear();
    // All of them at first: a request for a size would have the browser lay them out, and most are out of view.
    this.#away = new Set(laid.spots.flatMap((spot, id) => (spot ? [id] : [])));
    const by = (name: string): Map<number, SVGElement> =>
      new Map([...this.#root.querySelectorAll<SVGElement>(`[data-${name}]`)].map((e) => [Number(e.dataset[name]), e]));
    this.#nodes = by("slot");
    this.#lines = by("line");
    this.#frames = by("frame");
    const most = (list: number[]): number => list.reduce((a, b) => Math.max(a, b), 0);
    this.viewport.entry = 0;
    this.#box = {
      x: -MARGIN,
      y: -MARGIN,
      width: most(laid.boxes.map(({ x, width }) => x + width)) + 2 * MARGIN,
      height: most(laid.boxes.map(({ y, height }) => y + height)) + 2 * MARGIN,
    };
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
    const { history, boxes, laid, exit, headers } = drawing;
    const subsumers = new Set([...living.values()].flatMap(({ subsumedBy }) => (subsumedBy === null ? [] : [subsumedBy])));
    const dashes: string[] = [];
    for (const [slot, element] of this.#nodes) {
      const v = bySlot.get(slot);
      const location = history.slots[slot]!.location;
      const names = ["red", location === exit ? "exit" : "", headers.has(location) ? "loop" : ""];
      if (element.dataset.cross !== undefined) names.push("cross");
      if (!v) names.push("off");
      else {
        if (v.unsatisfiable) names.push("unsatisfiable");
        if (v.subsumedBy !== null) names.push("subsumed");
        if (v.abstracted.length > 0) names.push("abstracted");
        if (v.limits.length > 0) names.push("limited");
        if (v.halted) names.push("halted");
        if (v.children === 0 && !v.unsatisfiable && v.subsumedBy === null && location !== exit) names.push("open");
        if (subsumers.has(v.vertex)) names.push("subsumes");
        if (v.vertex === at) names.push("at");
        if (others.has(v.vertex)) names.push("other");
        if (v.vertex === selected) names.push("selected");
        const whole = v.subsumedBy === null ? undefined : living.get(v.subsumedBy);
        if (whole) {
          const inBox = this.#boxOf.get(whole.slot) === this.#boxOf.get(slot);
          this.#say(slot, element, inBox ? "⤴" : `⤴ ${history.numbers.get(whole.slot) ?? ""}`);
          const [from, to] = [laid.spots[slot], laid.spots[whole.slot]];
          const strong = [v.vertex, whole.vertex].some((end) => end === selected) || v.vertex === at;
          if (from && to)
            dashes.push(
              `<path class="subsumption${strong ? " strong" : ""}" data-from="${slot}" data-to="${whole.slot}" d="${subsumption(from, to)}"/>`,
            );
        }
      }
      set(element, names.filter(Boolean).join(" "), slot);
      const line = this.#lines.get(slot);
      if (line) set(line, v ? `branch${v.vertex === at ? " at" : ""}` : "branch off", slot);
    }
    for (const [at, frame] of this.#frames) this.#frameTo(frame, boxes[at]!, bySlot);
    const markup = dashes.join("");
    if (markup !== this.#dashed) this.#dashes.innerHTML = this.#dashed = markup;
  }

  /** Which vertex subsumes another one may change with the steps. */
  #say(slot: number, element: SVGElement, text: string): void {
    if (this.#texts.get(slot) === text) return;
    this.#texts.set(slot, text);
    const words = element.querySelector(".subsumed-by");
    if (words) words.textContent = text;
  }

  /** A box reaches as far as its rows are there, and looks as its last one does. */
  #frameTo(frame: SVGElement, { rows }: RedBox, bySlot: ReadonlyMap<number, RedVertex>): void {
    let last = -1;
    let end: RedVertex | undefined;
    for (const [i, row] of rows.entries()) {
      const v = bySlot.get(row.slot);
      if (!v) continue;
      last = i;
      if (!row.loop) end = v;
    }
    const looks = end?.unsatisfiable
      ? " refuted"
      : end?.subsumedBy != null
        ? " subsumed"
        : end?.location === this.#drawing?.exit
          ? " exit"
          : "";
    const now = `frame${looks} ${last + 1}`;
    if (this.#classes.get(frame) === now) return;
    this.#classes.set(frame, now);
    frame.setAttribute("class", `frame${looks}`);
    frame.setAttribute("height", String(heightOf(last + 1)));
  }

  /** Hides the vertices that are out of view, with the lines that lead to them. */
  #cull(): void {
    const [drawing, seen] = [this.#drawing, this.#seen];
    if (!drawing || !seen) return;
    const { boxes, laid } = drawing;
    for (const [slot, node] of this.#nodes) {
      const own = laid.spots[slot]!;
      const at = this.#boxOf.get(slot)!;
      // With its first row a box is drawn, and the line that leads to it.
      const isHead = boxes[at]!.head === slot;
      const spot = isHead ? laid.boxes[at]! : own;
      const parent = isHead ? boxes[at]!.parent : null;
      const above = (parent === null ? null : laid.spots[parent]) ?? spot;
      const away =
        spot.x + spot.width + GAP.across < seen.x ||
        above.x - GAP.across > seen.x + seen.width ||
        Math.max(spot.y + spot.height, above.y + above.height) + GAP.down < seen.y ||
        Math.min(spot.y, above.y) - GAP.down > seen.y + seen.height;
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
    return this.#drawing?.laid.spots[slot] ?? null;
  }
}
