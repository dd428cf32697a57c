// Asks the layout worker; a newer question or a cancel ends the one that runs.

import type { Layout } from "./layout";
import type { Picture } from "./model";

declare const BUILD: string;

export class Layouter {
  #worker: Worker | null = null;
  #give: ((layout: Layout | null) => void) | null = null;

  /** `null` when it was cancelled or failed. */
  ask(picture: Picture): Promise<Layout | null> {
    if (this.#give) this.cancel();
    this.#worker ??= new Worker(`./layout-worker.js?${BUILD}`, { type: "module" });
    const worker = this.#worker;
    return new Promise((resolve) => {
      const settle = (layout: Layout | null): void => {
        if (this.#give !== settle) return;
        this.#give = null;
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
      worker.postMessage(picture);
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
