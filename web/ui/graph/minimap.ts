// All of a large graph in small beside the part in view: a press or a drag in it goes there. For pointers alone; arrow keys move the picture.

import type { Box, Viewport } from "./viewport";

/** From so many boxes on. */
const MANY_BOXES = 100;
const SVG = "http://www.w3.org/2000/svg";

export class Minimap {
  readonly #svg = document.createElementNS(SVG, "svg");
  readonly #seen = document.createElementNS(SVG, "rect");
  readonly #graph = document.createElementNS(SVG, "g");

  constructor(
    private readonly host: HTMLElement,
    private readonly viewport: () => Viewport,
  ) {
    this.#svg.classList.add("minimap");
    this.#svg.setAttribute("aria-hidden", "true");
    this.#svg.append(this.#graph, this.#seen);
    const go = (e: PointerEvent): void => {
      const matrix = this.#svg.getScreenCTM();
      if (!matrix || e.buttons !== 1) return;
      const { x, y } = new DOMPoint(e.clientX, e.clientY).matrixTransform(matrix.inverse());
      this.viewport().centre({ x, y });
    };
    this.#svg.addEventListener("pointerdown", (e) => {
      this.#svg.setPointerCapture(e.pointerId);
      go(e);
    });
    this.#svg.addEventListener("pointermove", go);
  }

  /** `lines` and `boxes` as paths. */
  show(count: number, { x, y, width, height }: Box, lines: string, boxes: string): void {
    if (count < MANY_BOXES) {
      this.#svg.remove();
      return;
    }
    this.#svg.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    this.#svg.style.aspectRatio = `${width} / ${height}`;
    this.#graph.innerHTML = `<path class="map-lines" d="${lines}"/><path class="map-boxes" d="${boxes}"/>`;
    this.host.append(this.#svg);
  }

  look({ x, y, width, height }: Box): void {
    for (const [name, value] of Object.entries({ x, y, width, height })) this.#seen.setAttribute(name, String(value));
  }

  remove(): void {
    this.#svg.remove();
  }
}
