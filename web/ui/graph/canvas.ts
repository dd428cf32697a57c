// The elements of a drawn graph. Small graphs are in the document whole. Of large ones only what is in view is, and
// from far away a silhouette of three paths stands for everything: the browser's work then depends on what is seen, not
// on the size of the program.

import type { Blocks } from "./blocks";
import { type PlacedPiece, piecesOf } from "./boxes";
import { boxEdgeMarkup, boxMarkup, callMarkup, edgeMarkup, loopMarkup, nodeMarkup, nodeOutline, numbersMarkup, pieceMarkup } from "./draw";
import type { Layout } from "./layout";
import type { Picture } from "./model";
import type { Box } from "./viewport";

export type Item = { kind: "node" | "edge"; id: number };
export const keyOf = (item: Item): string => `${item.kind}${item.id}`;

const LAYERS = ["edges", "nodes", "pieces"] as const;

interface Entry {
  key: string;
  layer: (typeof LAYERS)[number];
  box: Box;
  /** What is marked with it: it has the classes of all these. */
  follows?: readonly string[];
  markup: (classes: string) => string;
  /** As part of the silhouette. */
  d: string;
}

const SVG = "http://www.w3.org/2000/svg";
/** Graphs up to this many edges, of boxes from box to box, are drawn whole, unless the boxes have more rows. */
const WHOLE = 200;
const WHOLE_ROWS = 440;
/** Below this scale large graphs are silhouettes. */
const FAR = 0.35;
/** Drawn around the view, so that panning does not show the border. In pixels. */
const AROUND = 150;

const group = (name: string): SVGGElement => {
  const g = document.createElementNS(SVG, "g");
  g.classList.add(name);
  return g;
};

export class Canvas {
  readonly root = group("drawing");
  #layers = { edges: group("edges"), nodes: group("nodes"), pieces: group("pieces") };
  #regions = group("regions");
  #silhouette = group("silhouette");
  #entries = new Map<string, Entry>();
  #shown = new Map<string, SVGGElement>();
  #classes: ReadonlyMap<string, string> = new Map();
  #large = false;
  #view: { box: Box; scale: number } | null = null;
  /** Stays in the document wherever it is: it holds the focus or may be given it. */
  pinned: string | null = null;

  constructor() {
    this.root.append(this.#silhouette, this.#regions, ...Object.values(this.#layers));
  }

  get far(): boolean {
    return this.#large && (this.#view?.scale ?? 1) < FAR;
  }

  show(picture: Picture, layout: Layout): void {
    this.#large = (picture.blocks?.links ?? picture.edges).length > WHOLE || picture.edges.length > WHOLE_ROWS;
    this.#entries.clear();
    this.#shown.clear();
    this.pinned = null;
    for (const layer of Object.values(this.#layers)) layer.replaceChildren();
    this.#regions.innerHTML = (layout.loops ?? []).map(loopMarkup).join("");
    // Lines begin in vertices, which cover them; rows stand in boxes.
    if (picture.blocks) this.root.append(this.#layers.nodes, this.#layers.pieces, this.#layers.edges);
    else this.root.append(this.#layers.edges, this.#layers.nodes);
    if (picture.blocks) this.#addBoxes(picture, picture.blocks, layout);
    else this.#addVertices(picture, layout);
    this.#finish();
  }

  #addBoxes(picture: Picture, { blocks }: Blocks, layout: Layout): void {
    const nodes = new Map(picture.nodes.map((node) => [node.id, node]));
    const pieces = new Map<number, PlacedPiece>();
    blocks.forEach((block, i) => {
      const at = layout.nodes[i]!;
      const { width, height } = block;
      this.#add({
        key: `node${block.id}`,
        layer: "nodes",
        box: { x: at.x - width / 2, y: at.y - height / 2, width, height },
        d: nodeOutline(block, at.x, at.y),
        markup: (classes) => boxMarkup(block, nodes.get(block.locations[0]!)!, at, classes),
      });
      this.#add({
        key: `numbers${block.id}`,
        layer: "pieces",
        box: { x: at.x - width / 2, y: at.y - height / 2, width, height },
        d: "",
        markup: () => numbersMarkup(block, at),
      });
      piecesOf(block, at).forEach((placed, number) => {
        for (const edge of placed.piece.edges) pieces.set(edge, placed);
        const { call, kind } = placed.row;
        if (kind === "statement") return;
        if (call) {
          const own = new Set(call.edges);
          const signs = new Set(picture.edges.flatMap(({ id, sign }) => (sign && own.has(id) ? [sign] : [])));
          this.#add({
            key: `call${call.id}`,
            layer: "edges",
            box: placed.box,
            d: "",
            markup: (classes) => callMarkup(placed, call, [...signs], classes),
          });
          return;
        }
        const follows = placed.piece.edges.length > 0 ? placed.piece.edges.map((edge) => `edge${edge}`) : [`node${block.id}`];
        this.#add({
          key: `piece${block.id}.${number}`,
          layer: "pieces",
          box: placed.box,
          follows,
          d: "",
          markup: (classes) => pieceMarkup(placed, classes),
        });
      });
    });
    picture.edges.forEach((edge, i) => {
      const placed = layout.edges[i]!;
      // What is executed in a call that is a row is not drawn but for how it ends.
      if (placed.d === "" && pieces.get(edge.id)?.row.call) return;
      this.#add({
        key: `edge${edge.id}`,
        layer: "edges",
        box: placed.box,
        d: placed.d,
        markup: (classes) => boxEdgeMarkup(edge, placed, pieces.get(edge.id), classes),
      });
    });
  }

  #addVertices(picture: Picture, layout: Layout): void {
    picture.edges.forEach((edge, i) => {
      const placed = layout.edges[i]!;
      this.#add({
        key: `edge${edge.id}`,
        layer: "edges",
        box: placed.box,
        d: placed.d,
        markup: (classes) => edgeMarkup(edge, placed, classes),
      });
    });
    picture.nodes.forEach((node, i) => {
      const { x, y } = layout.nodes[i]!;
      const box = { x: x - node.width / 2, y: y - node.height / 2, width: node.width, height: node.height };
      this.#add({
        key: `node${node.id}`,
        layer: "nodes",
        box,
        d: nodeOutline(node, x, y),
        markup: (classes) => nodeMarkup(node, x, y, classes),
      });
    });
  }

  #finish(): void {
    const all = [...this.#entries.values()];
    const path = (name: string, d: string): string => `<path class="${name}" d="${d}"/>`;
    const silhouette = (): string =>
      `${path("far-lines", this.outline("edges"))}<path class="far-marks"/>${path("far-nodes", this.outline("nodes"))}`;
    this.#silhouette.innerHTML = this.#large ? silhouette() : "";
    this.#uncover();
    if (!this.#large) this.#put(all);
    else this.#refresh();
  }

  /** All edges or all nodes as one path. */
  outline(layer: "edges" | "nodes"): string {
    return [...this.#entries.values()].flatMap((entry) => (entry.layer === layer ? [entry.d] : [])).join("");
  }

  #add(entry: Entry): void {
    this.#entries.set(entry.key, entry);
  }

  /** What is seen: the part of the graph and how large it appears. */
  look(box: Box, scale: number): void {
    this.#view = { box, scale };
    if (this.#large) this.#refresh();
  }

  /** Shows the silhouette or what it stands for. */
  #uncover(): void {
    this.#silhouette.toggleAttribute("hidden", !this.far);
    for (const layer of [...Object.values(this.#layers), this.#regions]) layer.toggleAttribute("hidden", this.far);
  }

  #refresh(): void {
    const view = this.#view;
    if (!view) return;
    this.#uncover();
    if (this.far) return;
    const margin = AROUND / view.scale;
    const left = view.box.x - margin;
    const top = view.box.y - margin;
    const right = view.box.x + view.box.width + margin;
    const bottom = view.box.y + view.box.height + margin;
    const seen = ({ box }: Entry): boolean => box.x < right && box.x + box.width > left && box.y < bottom && box.y + box.height > top;
    const missing: Entry[] = [];
    for (const entry of this.#entries.values()) {
      const element = this.#shown.get(entry.key);
      if (seen(entry) || entry.key === this.pinned) {
        if (!element) missing.push(entry);
      } else if (element) {
        element.remove();
        this.#shown.delete(entry.key);
      }
    }
    this.#put(missing);
  }

  #put(entries: readonly Entry[]): void {
    for (const layer of LAYERS) {
      const mine = entries.filter((entry) => entry.layer === layer);
      if (mine.length === 0) continue;
      const parent = this.#layers[layer];
      const before = parent.lastElementChild;
      parent.insertAdjacentHTML("beforeend", mine.map((entry) => entry.markup(this.#classes.get(entry.key) ?? "")).join(""));
      let element = before ? before.nextElementSibling : parent.firstElementChild;
      for (const { key } of mine) {
        if (!element) break;
        this.#shown.set(key, element as SVGGElement);
        element = element.nextElementSibling;
      }
    }
  }

  /** The item's element, put into the document if it is not there; `null` for items that do not exist. */
  element(key: string): SVGGElement | null {
    const entry = this.#entries.get(key);
    if (entry && !this.#shown.has(key)) this.#put([entry]);
    return this.#shown.get(key) ?? null;
  }

  boxOf(key: string): Box | null {
    return this.#entries.get(key)?.box ?? null;
  }

  /** Marks items with classes; those not named lose theirs. */
  mark(given: ReadonlyMap<string, string>): void {
    const before = this.#classes;
    const classes = new Map(given);
    for (const { key, follows } of this.#entries.values()) {
      const names = new Set(follows?.flatMap((other) => given.get(other)?.split(" ") ?? []));
      if (names.size > 0) classes.set(key, [...names].join(" "));
    }
    this.#classes = classes;
    const change = (key: string): void => {
      const element = this.#shown.get(key);
      const [old, now] = [before.get(key), classes.get(key)];
      if (!element || old === now) return;
      if (old) element.classList.remove(...old.split(" "));
      if (now) element.classList.add(...now.split(" "));
    };
    for (const key of before.keys()) if (!classes.has(key)) change(key);
    for (const key of classes.keys()) change(key);
    // What is known of an edge does not emphasise it.
    const paths = [...classes]
      .map(([key, names]) => (names.startsWith("v-") && !names.includes(" ") ? undefined : this.#entries.get(key)))
      .filter((entry) => entry?.layer === "edges");
    this.#silhouette.querySelector(".far-marks")?.setAttribute("d", paths.map((entry) => entry?.d).join(""));
  }

  /** Everything, as markup for a file. */
  markup(): string {
    const entries = [...this.#entries.values()].map((entry) => entry.markup(this.#classes.get(entry.key) ?? ""));
    return `${this.#regions.innerHTML}${entries.join("")}`;
  }
}
