// The drawn graph: an SVG that is made once per layout and then only marked. It is one tab stop for the picture
// (arrows pan) and one for the item last visited (arrows follow the edges).

import { ROW } from "./blocks";
import type { Call } from "./calls";
import { Canvas, type Item, keyOf } from "./canvas";
import { dotText } from "./dot";
import { edgeName, nodeName, noteMarkup } from "./draw";
import { type Exported, wholePictures } from "./export";
import { Homes } from "./homes";
import type { Layout } from "./layout";
import { Minimap } from "./minimap";
import { LABEL_GAP, type Picture } from "./model";
import { Viewport } from "./viewport";

export type { Item } from "./canvas";

/** What is emphasised. */
export interface Marks {
  selected: Item | null;
  /** Edges of the editor's line. */
  line: number | null;
  /** A path's edges, those it would take after its death, and the one it stands at. */
  path: readonly number[];
  beyond: readonly number[];
  at: number | null;
  /** Edges whose constraints contradict each other. */
  reason?: readonly number[];
  /** Edges that a path being built can go on with. */
  next?: readonly number[];
  /** The edge at which the path dies. */
  dead: number | null;
  /** What is known of edges, as class names. */
  kinds?: ReadonlyMap<number, string>;
  /** What is known of places, as class names, and what is noted beside them. */
  places?: ReadonlyMap<number, string>;
  notes?: ReadonlyMap<number, string>;
}

const SVG = "http://www.w3.org/2000/svg";
const same = (a: Item | null, b: Item | null): boolean => a?.kind === b?.kind && a?.id === b?.id;

export class GraphView {
  readonly svg = document.createElementNS(SVG, "svg");
  readonly viewport: Viewport;
  #canvas = new Canvas();
  readonly #minimap: Minimap;
  #cross = document.createElementNS(SVG, "path");
  #notes = document.createElementNS(SVG, "g");
  #picture: Picture = { nodes: [], edges: [] };
  #homes = new Homes(this.#picture);
  #layout: Layout | null = null;
  #marks: Marks = { selected: null, line: null, path: [], beyond: [], at: null, dead: null };
  #roving: SVGGElement | null = null;

  constructor(
    host: HTMLElement,
    private readonly onSelect: (item: Item | null) => void,
    /** Opens a call that is a row. */
    private readonly onOpen: (call: number) => void = () => {},
  ) {
    const { svg } = this;
    svg.classList.add("graph");
    svg.setAttribute("role", "group");
    svg.setAttribute("tabindex", "0");
    svg.append(this.#canvas.root);
    wholePictures.set(svg, () => this.exported());
    this.#cross.classList.add("cross");
    host.append(svg);
    this.#minimap = new Minimap(host, () => this.viewport);
    this.viewport = new Viewport(svg, this.#canvas.root, (scale, seen) => {
      this.#canvas.look(seen, scale);
      this.#minimap.look(seen);
    });
    svg.addEventListener("click", (e) => this.#click(e));
    svg.addEventListener("keydown", (e) => this.#key(e));
    svg.addEventListener("focusin", (e) => this.#focus(e));
  }

  show(picture: Picture, layout: Layout): void {
    this.#picture = picture;
    this.#homes = new Homes(picture);
    this.#layout = layout;
    this.#roving = null;
    this.svg.classList.toggle("boxes", picture.blocks !== undefined);
    this.svg.setAttribute(
      "aria-label",
      `Control-flow graph: ${picture.nodes.length} locations, ${picture.edges.length} edges. Arrow keys move the picture, plus and minus zoom, F fits, Enter visits the entry.`,
    );
    this.viewport.entry = layout.nodes[(picture.blocks?.blocks ?? picture.nodes).findIndex((n) => n.entry)]?.x ?? 0;
    this.#canvas.show(picture, layout);
    this.#minimap.show(picture.blocks?.blocks.length ?? 0, layout.box, this.#canvas.outline("edges"), this.#canvas.outline("nodes"));
    this.viewport.renew(layout.box);
    const entry = picture.nodes.find((n) => n.entry);
    if (entry) this.#rove(keyOf({ kind: "node", id: entry.id }));
    this.mark(this.#marks);
  }

  mark(marks: Marks): void {
    this.#marks = marks;
    const wanted = new Map<string, Set<string>>();
    const addKey = (key: string, name: string): void => {
      const names = wanted.get(key) ?? new Set();
      wanted.set(key, names.add(name));
    };
    const add = (item: Item, name: string): void => {
      for (const key of this.#homes.keys(item)) addKey(key, name);
    };
    for (const [id, name] of marks.kinds ?? []) if (!this.#homes.isWithin(id)) add({ kind: "edge", id }, name);
    for (const [id, name] of marks.places ?? []) if (this.#homes.leads(id)) add({ kind: "node", id }, name);
    if (marks.line !== null) for (const e of this.#picture.edges) if (e.line === marks.line) add({ kind: "edge", id: e.id }, "at-line");
    const byId = new Map(this.#picture.edges.map((e) => [e.id, e]));
    const follow = (ids: readonly number[], name: string): void => {
      for (const id of new Set(ids)) {
        const edge = byId.get(id);
        if (!edge) continue;
        add({ kind: "edge", id }, name);
        for (const key of this.#homes.ends(edge)) addKey(key, name);
      }
    };
    follow(marks.path, "on-path");
    follow(marks.beyond, "beyond");
    for (const id of new Set(marks.reason ?? [])) add({ kind: "edge", id }, "reason");
    for (const id of new Set(marks.next ?? [])) add({ kind: "edge", id }, "next");
    if (marks.at !== null) add({ kind: "edge", id: marks.at }, "at");
    if (marks.dead !== null) add({ kind: "edge", id: marks.dead }, "dead");
    if (marks.selected) add(marks.selected, "selected");
    this.#canvas.mark(new Map([...wanted].map(([key, names]) => [key, [...names].join(" ")])));
    this.#putCross(marks.dead);
    this.#putNotes(marks.notes);
    this.svg.classList.toggle("has-path", marks.path.length > 0);
  }

  /** A cross where the path dies: on the edge's line, beside its label. */
  #putCross(edge: number | null): void {
    const at = edge === null ? undefined : this.#layout?.edges.find((e) => e.id === edge);
    if (!at) {
      this.#cross.remove();
      return;
    }
    this.#cross.setAttribute("d", "M-5 -5L5 5M5 -5L-5 5");
    const { x, y } = at.near ?? { x: at.label.x - LABEL_GAP, y: at.label.y };
    this.#cross.setAttribute("transform", `translate(${x} ${y})`);
    this.#canvas.root.append(this.#cross);
  }

  /** Notes: each at the upper right corner of its place. */
  #putNotes(notes: ReadonlyMap<number, string> = new Map()): void {
    const made = [...notes].flatMap(([id, text]) => {
      const [key] = this.#homes.keys({ kind: "node", id });
      const box = key === undefined ? null : this.#canvas.boxOf(key);
      if (!box) return [];
      // Beside the row that begins there.
      const rows = this.#picture.blocks ? Math.max(0, this.#homes.row(id)) : 0;
      return [noteMarkup(text, box.x + box.width - 4, box.y + rows * ROW.height)];
    });
    this.#notes.innerHTML = made.join("");
    if (notes.size === 0) this.#notes.remove();
    else this.#canvas.root.append(this.#notes);
  }

  /** Brings an item into view. */
  reveal(item: Item, around?: number, share?: number): void {
    if (item.kind === "node") {
      const [key] = this.#homes.keys(item);
      const box = key === undefined ? null : this.#canvas.boxOf(key);
      if (box) this.viewport.reveal({ x: box.x - 13, y: box.y - 13, width: box.width + 26, height: box.height + 26 }, around, share);
    } else {
      const at = this.#layout?.edges.find((e) => e.id === item.id);
      if (!at) return;
      const end = at.near ?? at.end;
      const top = Math.min(at.label.y, end.y);
      const left = Math.min(at.label.x, end.x);
      this.viewport.reveal(
        { x: left - 10, y: top - 20, width: Math.abs(at.label.x - end.x) + 60, height: Math.abs(at.label.y - end.y) + 40 },
        around,
        share,
      );
    }
  }

  /** The whole picture, whatever part is in view. */
  exported(): Exported {
    return {
      svg: this.svg,
      markup: this.#canvas.markup() + [this.#cross, this.#notes].map((one) => (one.isConnected ? one.outerHTML : "")).join(""),
      box: this.#layout?.box ?? null,
      dot: (name) => dotText(this.#picture, name),
    };
  }

  get layout(): Layout | null {
    return this.#layout;
  }

  #itemOf(target: EventTarget | null): Item | null {
    const element = target instanceof Element ? target.closest<SVGGElement>("[data-node],[data-edge],[data-call]") : null;
    if (!element) return null;
    const { node, edge } = element.dataset;
    const call = this.#callOf(element);
    if (call) return { kind: "edge", id: call.edges[0]! };
    return node === undefined ? { kind: "edge", id: Number(edge) } : { kind: "node", id: Number(node) };
  }

  #callOf(target: EventTarget | null): Call | null {
    const element = target instanceof Element ? target.closest<SVGGElement>("[data-call]") : null;
    return element ? (this.#homes.calls.get(Number(element.dataset.call)) ?? null) : null;
  }

  #click(e: MouseEvent): void {
    if (this.viewport.dragged && e.detail > 0) return;
    const call = this.#callOf(e.target);
    if (call) {
      this.onOpen(call.id);
      return;
    }
    const item = this.#itemOf(e.target);
    this.onSelect(same(item, this.#marks.selected) ? null : item);
  }

  /** The key of the element that something is a part of. */
  #keyOf(target: EventTarget | null): string | null {
    const element = target instanceof Element ? target.closest<SVGGElement>("[data-node],[data-edge],[data-call]") : null;
    if (!element) return null;
    const { node, block, edge, call } = element.dataset;
    if (call !== undefined) return `call${call}`;
    return edge === undefined ? `node${block ?? node}` : `edge${edge}`;
  }

  /** Makes the element the one that Tab visits. */
  #rove(key: string): void {
    const element = this.#canvas.element(key);
    if (!element || element === this.#roving) return;
    this.#roving?.setAttribute("tabindex", "-1");
    element.setAttribute("tabindex", "0");
    this.#roving = element;
    this.#canvas.pinned = key;
  }

  #focus(e: FocusEvent): void {
    const [item, key] = [this.#itemOf(e.target), this.#keyOf(e.target)];
    if (!item || key === null) return;
    this.#rove(key);
    if (e.target instanceof Element && e.target.matches(":focus-visible")) this.reveal(item);
  }

  #go(item: Item | undefined): void {
    const key = item && this.#homes.keys(item)[0];
    if (key === undefined) return;
    const box = this.#canvas.boxOf(key);
    if (box && this.#canvas.far) this.viewport.approach(box);
    this.#rove(key);
    this.#canvas.element(key)?.focus();
  }

  #key(e: KeyboardEvent): void {
    const item = this.#itemOf(e.target);
    let done: boolean;
    if (!item) {
      done = e.key === "Enter" || this.viewport.key(e);
      if (e.key === "Enter") this.#go(this.#itemOf(this.#roving) ?? undefined);
    } else if (this.#callOf(e.target) && (e.key === "Enter" || e.key === " ")) {
      this.onOpen(this.#callOf(e.target)!.id);
      this.svg.focus();
      done = true;
    } else if (e.key === "Enter" || e.key === " ") {
      this.onSelect(same(item, this.#marks.selected) ? null : item);
      done = true;
    } else if (e.key === "Escape") {
      this.onSelect(null);
      this.svg.focus();
      done = true;
    } else {
      done = this.viewport.zoomKey(e) || this.#walk(item, e);
    }
    if (done) {
      e.preventDefault();
      e.stopPropagation();
    }
  }

  /** Down and up follow the edges, left and right visit the alternatives. */
  #walk(item: Item, e: KeyboardEvent): boolean {
    if (!e.key.startsWith("Arrow") || e.ctrlKey || e.metaKey || e.altKey) return false;
    const { edges } = this.#picture;
    const asEdge = (id: number | undefined): Item | undefined => (id === undefined ? undefined : { kind: "edge", id });
    if (item.kind === "node") {
      const out = edges.filter((x) => x.from === item.id);
      const into = edges.filter((x) => x.to === item.id);
      if (e.key === "ArrowDown") this.#go(asEdge(out[0]?.id));
      else if (e.key === "ArrowUp") this.#go(asEdge(into[0]?.id));
      else
        this.#sideways(
          this.#picture.nodes.filter((n) => this.#homes.leads(n.id)).map((n) => ({ kind: "node", id: n.id }) as Item),
          item,
          e.key,
        );
      return true;
    }
    const edge = edges.find((x) => x.id === item.id);
    if (!edge) return true;
    // In a box from row to row.
    const within = (location: number, next: readonly { id: number }[]): Item | undefined =>
      this.#homes.leads(location) ? { kind: "node", id: location } : asEdge(next[0]?.id);
    if (e.key === "ArrowDown")
      this.#go(
        within(
          edge.to,
          edges.filter((x) => x.from === edge.to),
        ),
      );
    else if (e.key === "ArrowUp")
      this.#go(
        within(
          edge.from,
          edges.filter((x) => x.to === edge.from),
        ),
      );
    else
      this.#sideways(
        edges.filter((x) => x.from === edge.from || x.to === edge.to).map((x) => ({ kind: "edge", id: x.id }) as Item),
        item,
        e.key,
      );
    return true;
  }

  #sideways(items: Item[], item: Item, key: string): void {
    const at = items.findIndex((x) => same(x, item));
    this.#go(items[(at + (key === "ArrowRight" ? 1 : items.length - 1)) % items.length]);
  }

  /** Takes it out of the page. */
  remove(): void {
    this.svg.remove();
    this.#minimap.remove();
  }

  /** A sentence on an item. */
  describe(item: Item): string {
    const node = item.kind === "node" ? this.#picture.nodes.find((n) => n.id === item.id) : undefined;
    const edge = item.kind === "edge" ? this.#picture.edges.find((e) => e.id === item.id) : undefined;
    return node ? nodeName(node) : edge ? edgeName(edge) : "";
  }
}
