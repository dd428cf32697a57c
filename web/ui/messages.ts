// What the page and its engine worker say to each other. The documents themselves are in protocol.ts.

import type { CheckedFile } from "./evidence";
import type { CfgDocument, CheckDocument, DrawDocument, Event, ExplainDocument, ExplainSettings, PathsDocument, PruneDocument, PruneSettings, Reply, Request } from "./protocol";

/** One question to the engine. */
export type Question =
  | { kind: "cfg"; request: Request }
  | { kind: "paths"; request: Request; lengths: number[]; feasible: boolean }
  | { kind: "draw"; request: Request; pruned: PruneSettings | null; length: number; count: number; feasibleOnly: boolean }
  | { kind: "prune"; request: Request; settings: PruneSettings; lengths: number[]; feasible: boolean }
  | { kind: "explain"; request: Request; settings: ExplainSettings }
  | { kind: "check"; file: Blob };

/** What each question is answered with. */
export interface Answers {
  cfg: Reply<CfgDocument>;
  paths: Reply<PathsDocument>;
  draw: Reply<DrawDocument>;
  prune: Reply<PruneDocument>;
  explain: Reply<ExplainDocument>;
  check: Reply<CheckDocument>;
}

/** What comes with an answer: of a run its evidence file, of a check what the file is about. */
export interface Extra {
  evidence?: Blob;
  checked?: CheckedFile;
}

/** `warm` asks for nothing: the engine compiles its functions while nobody waits for it. */
export type ToWorker = { id: number; question: Question } | { warm: true };

export type FromWorker =
  | { kind: "ready"; version: string }
  | { kind: "broken"; message: string }
  | { kind: "event"; id: number; event: Event }
  | { kind: "answer"; id: number; reply: Answers[keyof Answers]; extra: Extra; ms: number }
  | { kind: "failed"; id: number; message: string };
