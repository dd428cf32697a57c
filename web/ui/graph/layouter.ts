// Asks the layout worker; a newer question or a cancel ends the one that runs. A program's graph has one layout for all tabs.

import type { Room } from "./fold";
import type { Layout } from "./layout";
import { type Picture, pictureKey } from "./model";

declare const BUILD: string;

/** The last layouts. */
const made = new Map<string, Layout>();
const MOST_KEPT = 8;
/** Panes that differ by less have the same layout. In pixels. */
const ALIKE = 40;

const rough = (length: number): number => Math.max(ALIKE, Math.floor(length / ALIKE) * ALIKE);

/** Of a pane, its tabs and its bar take so much. */
const BARS = 90;

/** Tells of the room for a picture that is legible at a scale, whenever it is another one; gives back how to measure it again and how to end.
 * The room is that of the panel, whichever tab it shows and whatever stands there beside the picture: boxes keep their places from tab to tab. */
export function watchRoom(host: HTMLElement, scale: () => number, tell: (room: Room) => void): { measure: () => void; end: () => void } {
  const [panel, frame] = [".panel", "main"].map((of) => host.closest<HTMLElement>(of) ?? host) as [HTMLElement, HTMLElement];
  let last = "";
  const measure = (): void => {
    const width = panel.clientWidth;
    if (width === 0) return;
    const height = frame.clientHeight - (frame === host ? 0 : BARS);
    const room = { width: rough(width / scale()), height: rough(height / scale()) };
    const now = `${room.width} ${room.height}`;
    if (now !== last) tell(room);
    last = now;
  };
  const observer = new ResizeObserver(measure);
  for (const element of [panel, frame]) observer.observe(element);
  measure();
  return { measure, end: () => observer.disconnect() };
}

export class Layouter {
  #worker: Worker | null = null;
  #give: ((layout: Layout | null) => void) | null = null;

  /** `null` when it was cancelled or failed. */
  ask(picture: Picture, room: Room | null = null): Promise<Layout | null> {
    if (this.#give) this.cancel();
    const key = `${picture.blocks && room ? `${room.width} ${room.height}` : ""}\n${pictureKey(picture)}`;
    const before = made.get(key);
    if (before) return Promise.resolve(before);
    this.#worker ??= new Worker(`./layout-worker.js?${BUILD}`, { type: "module" });
    const worker = this.#worker;
    return new Promise((resolve) => {
      const settle = (layout: Layout | null): void => {
        if (this.#give !== settle) return;
        this.#give = null;
        if (layout) made.set(key, layout);
        if (made.size > MOST_KEPT) made.delete(made.keys().next().value!);
        resolve(layout);
      };
      this.#give = settle;
      worker.onmessage = (e: MessageEvent<Layout>) => settle(e.data);
      worker.onerror = (e) => {
        e.preventDefault();
        worker.terminate();
        this.#worker = null;
        settle(null);
      };
      worker.postMessage({ picture, room });
    });
  }

  cancel(): void {
    this.#worker?.terminate();
    this.#worker = null;
    const give = this.#give;
    this.#give?.(null);
    if (this.#give === give) this.#give = null;
  }
}
