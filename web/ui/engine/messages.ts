// What the page and its engine worker say to each other. The documents themselves are in protocol.ts.

import type { Analyses, Event, Reply, Request } from "../protocol";

export type Name = keyof Analyses;
export type SettingsOf<A extends Name> = Analyses[A]["settings"];
export type DocumentOf<A extends Name> = Analyses[A]["document"];

/** One question to the engine; without a request it is about no program. */
export interface Question<A extends Name = Name> {
  name: A;
  request: Request | null;
  settings: SettingsOf<A>;
}

/** What comes with an answer: the evidence file of what was found, and what the worker made of the document. */
export interface Extra {
  evidence?: Blob;
  also?: unknown;
}

/** Makes no query of the user: each runs a few small questions, so that the browser compiles the engine's functions: `warm` those of
 * a page that opens, `ahead` those that are asked later. */
export type Chore = { chore: "warm" | "ahead" };

/** A file of the engine that a worker asked for, compiled, or why it is not there. */
export type Supply = { file: string; module: WebAssembly.Module } | { file: string; missing: string };

export type ToWorker = { id: number; question: Question } | Chore | Supply;

export type FromWorker =
  | { kind: "wants"; file: string }
  | { kind: "ready"; version: string }
  | { kind: "broken"; message: string }
  | { kind: "event"; id: number; event: Event }
  | { kind: "answer"; id: number; reply: Reply<unknown>; extra: Extra; ms: number }
  | { kind: "failed"; id: number; message: string };
