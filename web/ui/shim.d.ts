// The engine's functions as wasm-bindgen exports them, with the types of the protocol.

import type { Piece } from "./evidence";
import type { DocumentOf, Name, SettingsOf } from "./messages";
import type { Event, Reply, Request } from "./protocol";

export interface Engine {
  default: (options: { module_or_path: URL }) => Promise<unknown>;
  version(): string;
  /** Answers a question. The listener's `false` stops it. The evidence comes in pieces, since all of it may be more than the engine's memory: each
   * claim, and at the end the file without claims. */
  ask<A extends Name>(
    name: A,
    question: { request: Request | null; settings: SettingsOf<A> },
    onEvent: (event: Event) => boolean,
    onEvidence?: (piece: Piece) => void,
  ): Reply<DocumentOf<A>>;
}
