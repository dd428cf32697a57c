// One engine worker and the questions put to it, one at a time.
//
// Cancelling ends the worker: the engine cannot be interrupted from outside. The next worker starts with the next question or with
// `startAgain`, since a worker that starts beside the keys of a person keeps the page from drawing them; 40 ms for a new one is quick.
// Answers carry the number of their question, so one that comes late is dropped. A question that arrives while the worker is still
// loading waits.

import type { Event, Reply } from "../protocol";
import type { DocumentOf, Extra, FromWorker, Name, Question, ToWorker } from "./messages";

/** How the message begins if the engine is not there at all. */
export const NOT_LOADED = "The engine could not be loaded: ";

export type Outcome<A extends Name> =
  | { kind: "answer"; reply: Reply<DocumentOf<A>>; extra: Extra; ms: number }
  | { kind: "cancelled" }
  /** A panic, a trap, or an engine that cannot be loaded at all. */
  | { kind: "failed"; message: string };

interface Asked {
  id: number;
  question: Question;
  onEvent: (event: Event) => void;
  settle: (outcome: Outcome<never>) => void;
  sent: boolean;
}

export class Engine {
  #spawn: () => Worker;
  #worker: Worker | null = null;
  #ready = false;
  #next = 1;
  #asked: Asked | null = null;
  #toWarm = false;
  #ahead = false;
  #loadedAhead = false;
  #cancelled = false;
  #onVersion: (version: string) => void;

  constructor(spawn: () => Worker, onVersion: (version: string) => void = () => {}) {
    this.#spawn = spawn;
    this.#onVersion = onVersion;
  }

  get busy(): boolean {
    return this.#asked !== null;
  }

  /** Loads the engine before the first question. */
  start(): void {
    if (this.#worker) return;
    const worker = this.#spawn();
    this.#worker = worker;
    this.#ready = false;
    this.#cancelled = false;
    worker.onmessage = (e: MessageEvent<FromWorker>) => {
      if (worker === this.#worker) this.#hear(e.data);
    };
    worker.onerror = (e) => {
      e.preventDefault();
      if (worker === this.#worker) this.#hear({ kind: "broken", message: e.message || "the engine's script did not load" });
    };
  }

  /** Starts the worker that follows one which a cancelled question ended. */
  startAgain(): void {
    if (this.#cancelled) this.start();
  }

  /** Loads the engine, and has it compile its functions if it is not asked at once. */
  warm(): void {
    this.#toWarm = true;
    this.start();
    this.#doChores();
  }

  /** Has this worker, and those that replace it, load the parts of the tabs when there is nothing else to do. */
  ahead(): void {
    this.#ahead = true;
    this.start();
    this.#doChores();
  }

  #doChores(): void {
    if (!this.#ready || this.#asked) return;
    if (this.#toWarm) this.#worker?.postMessage({ chore: "warm" } satisfies ToWorker);
    this.#toWarm = false;
    if (this.#ahead && !this.#loadedAhead) this.#worker?.postMessage({ chore: "ahead" } satisfies ToWorker);
    this.#loadedAhead = this.#ahead;
  }

  /** Puts a question; one that is still being answered is cancelled first. */
  ask<A extends Name>(question: Question<A>, onEvent: (event: Event) => void = () => {}): Promise<Outcome<A>> {
    this.cancel();
    this.start();
    return new Promise((resolve) => {
      this.#asked = {
        id: this.#next++,
        question: question as unknown as Question,
        onEvent,
        settle: resolve as Asked["settle"],
        sent: false,
      };
      this.#send();
    });
  }

  cancel(): void {
    const asked = this.#asked;
    if (!asked) return;
    this.#asked = null;
    if (asked.sent) {
      this.#stop();
      this.#cancelled = true;
    }
    asked.settle({ kind: "cancelled" });
  }

  #send(): void {
    const asked = this.#asked;
    if (!asked || asked.sent || !this.#ready) return;
    asked.sent = true;
    this.#toWarm = false;
    this.#worker?.postMessage({ id: asked.id, question: asked.question } satisfies ToWorker);
  }

  /** Ends the worker; it must not be asked any more. */
  end(): void {
    this.cancel();
    this.#stop();
    this.#cancelled = false;
  }

  #stop(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#ready = false;
    this.#loadedAhead = false;
  }

  #hear(message: FromWorker): void {
    // The worker's supplier hears that (modules.ts).
    if (message.kind === "wants") return;
    if (message.kind === "ready") {
      this.#ready = true;
      this.#onVersion(message.version);
      this.#send();
      this.#doChores();
      return;
    }
    const asked = this.#asked;
    if (message.kind === "broken") {
      // A new attempt is made with the next question, not at once: the cause is likely still there.
      this.#stop();
      this.#asked = null;
      asked?.settle({ kind: "failed", message: NOT_LOADED + message.message });
      return;
    }
    if (!asked || message.id !== asked.id) return;
    if (message.kind === "event") {
      asked.onEvent(message.event);
      return;
    }
    this.#asked = null;
    if (message.kind === "failed") {
      this.#stop();
      this.start();
      asked.settle({ kind: "failed", message: message.message });
    } else {
      asked.settle({ kind: "answer", reply: message.reply as never, extra: message.extra, ms: message.ms });
      this.#doChores();
    }
  }
}
