// What the page and its engine worker say to each other. The documents themselves are in protocol.ts.

import type { CheckedFile } from "./evidence";
import type { CfgDocument, CheckDocument, CompareDocument, CompareSettings, CoverDocument, CoverSettings, DrawDocument, Event, ExplainDocument, ExplainSettings, Input, PathsDocument, PruneDocument, PruneGraphSettings, Reply, Request, RunDocument } from "./protocol";

/** One question to the engine. */
export type Question =
  | { kind: "cfg"; request: Request }
  | { kind: "paths"; request: Request; lengths: number[]; feasible: boolean }
  | { kind: "run"; request: Request; input: Input }
  | { kind: "draw"; request: Request; length: number; count: number; feasibleOnly: boolean }
  | { kind: "prune"; request: Request; settings: PruneGraphSettings; lengths: number[]; feasible: boolean }
  | { kind: "draw-pruned"; request: Request; settings: PruneGraphSettings; length: number; count: number; feasibleOnly: boolean }
  | { kind: "explain"; request: Request; settings: ExplainSettings }
  | { kind: "cover"; request: Request; settings: CoverSettings }
  | { kind: "compare"; settings: CompareSettings }
  | { kind: "check"; file: Blob }
  | { kind: "generate"; diamonds: number; seed: number };

/** What each question is answered with. */
export interface Answers {
  cfg: Reply<CfgDocument>;
  paths: Reply<PathsDocument>;
  draw: Reply<DrawDocument>;
  "draw-pruned": Reply<DrawDocument>;
  prune: Reply<PruneDocument>;
  run: Reply<RunDocument>;
  explain: Reply<ExplainDocument>;
  cover: Reply<CoverDocument>;
  compare: Reply<CompareDocument>;
  /** The text of a random program. */
  generate: Reply<{ text: string }>;
  check: Reply<CheckDocument>;
}

/** What comes with an answer: of a run its evidence file, of a check what the file is about. */
export interface Extra {
  evidence?: Blob;
  checked?: CheckedFile;
}

/** Asks for nothing, while nobody waits: each runs a few small questions, so that the browser compiles the engine's functions: `warm` those of a page that opens, `ahead` those that are asked later. */
export type Chore = { chore: "warm" | "ahead" };

export type ToWorker = { id: number; question: Question } | Chore;

export type FromWorker =
  | { kind: "ready"; version: string }
  | { kind: "broken"; message: string }
  | { kind: "event"; id: number; event: Event }
  | { kind: "answer"; id: number; reply: Answers[keyof Answers]; extra: Extra; ms: number }
  | { kind: "failed"; id: number; message: string };
