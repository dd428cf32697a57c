// The functions of the engine as wasm-bindgen exports them (web/src/lib.rs), with the types of the protocol.

import type { Piece } from "./evidence";
import type { Event, Reply, Request } from "./protocol";

/** Gets each event and answers `false` to stop. */
export type OnEvent = (event: Event) => boolean;

export interface Engine {
  default(options: { module_or_path: URL }): Promise<unknown>;
  version(): string;
  /** The reply to a question by its name. */
  ask(name: string, question: { request: Request | null; settings: unknown }, onEvent: OnEvent, onEvidence?: (piece: Piece) => void): Reply<unknown>;
}
