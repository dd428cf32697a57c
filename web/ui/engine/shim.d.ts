// The functions of the engine as wasm-bindgen exports them (web/src/lib.rs), with the types of the protocol.

import type { Event, Reply, Request } from "../protocol";
import type { Piece } from "./evidence";
import type { DocumentOf, Name, SettingsOf } from "./messages";

export interface Engine {
  default(options: { module_or_path: Promise<WebAssembly.Module> }): Promise<unknown>;
  /** Has the parts that are loaded later come from there, instead of being fetched. */
  takeModulesFrom(moduleOf: (file: string) => Promise<WebAssembly.Module>): void;
  version(): string;
  /** Loads what the question of this name needs; without it, `ask` throws. */
  load(name: Name): Promise<void>;
  /** The reply to a question by its name. The listener gets each event and answers `false` to stop; the evidence file comes in pieces, each
   * claim and at the end the file without claims, since all of it may be more than the engine's memory. */
  ask<A extends Name>(
    name: A,
    question: { request: Request | null; settings: SettingsOf<A> },
    onEvent: (event: Event) => boolean,
    onEvidence?: (piece: Piece) => void,
  ): Reply<DocumentOf<A>>;
}
