// The functions of the engine as wasm-bindgen exports them (web/src/lib.rs), with the types of the protocol.

import type { Piece } from "./evidence";
import type { Event, Reply, Request } from "./protocol";

/** Gets each event and answers `false` to stop. */
export type OnEvent = (event: Event) => boolean;

export interface Engine {
  default(options: { module_or_path: Promise<Response> }): Promise<unknown>;
  version(): string;
  /** Loads what the question of this name needs; without it, `ask` throws. */
  load(name: string): Promise<void>;
  /** The reply to a question by its name. */
  ask(name: string, question: { request: Request | null; settings: unknown }, onEvent: OnEvent, onEvidence?: (piece: Piece) => void): Reply<unknown>;
}
