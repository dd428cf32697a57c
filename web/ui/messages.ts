// What the page and its engine worker say to each other. The documents themselves are in protocol.ts.

import type { CfgDocument, CheckDocument, CompareDocument, CompareSettings, CoverDocument, CoverSettings, DrawDocument, Event, ExplainDocument, ExplainSettings, Input, PathsDocument, PruneDocument, PruneSettings, Reply, Request, RunDocument } from "./protocol";

/** What the engine can be asked, by name: the settings that it takes, and the document that it gives. */
export interface Analyses {
  cfg: { settings: Record<string, never>; document: CfgDocument };
  paths: { settings: { lengths: number[]; feasible: boolean }; document: PathsDocument };
  draw: { settings: { length: number; count: number; feasible_only: boolean; pruned: PruneSettings | null }; document: DrawDocument };
  run: { settings: { input: Input }; document: RunDocument };
  prune: { settings: { graph: PruneSettings; lengths: number[]; feasible: boolean }; document: PruneDocument };
  explain: { settings: ExplainSettings; document: ExplainDocument };
  cover: { settings: CoverSettings; document: CoverDocument };
  compare: { settings: CompareSettings; document: CompareDocument };
  check: { settings: { evidence: unknown; unreadable: string | null }; document: CheckDocument };
  generate: { settings: { diamonds: number; seed: number }; document: { text: string } };
}

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

/** Asks for nothing, while nobody waits: each runs a few small questions, so that the browser compiles the engine's functions: `warm` those of
 * a page that opens, `ahead` those that are asked later. */
export type Chore = { chore: "warm" | "ahead" };

export type ToWorker = { id: number; question: Question } | Chore;

export type FromWorker =
  | { kind: "ready"; version: string }
  | { kind: "broken"; message: string }
  | { kind: "event"; id: number; event: Event }
  | { kind: "answer"; id: number; reply: Reply<unknown>; extra: Extra; ms: number }
  | { kind: "failed"; id: number; message: string };
