// The functions of web/src/lib.rs as wasm-bindgen exports them, with the types of the protocol.

import type { Piece } from "./evidence";
import type { CfgDocument, CheckDocument, DrawDocument, Event, ExplainDocument, ExplainSettings, PathsDocument, PruneDocument, PruneSettings, Reply, Request } from "./protocol";

export default function init(options: { module_or_path: URL }): Promise<unknown>;
export function version(): string;
export function cfg(request: Request): Reply<CfgDocument>;
export function paths(
  request: Request,
  lengths: Uint32Array,
  feasible: boolean,
  onEvent: (event: Event) => boolean,
  onEvidence?: (piece: Piece) => void,
): Reply<PathsDocument>;
export function draw(
  request: Request,
  pruned: PruneSettings | undefined,
  length: number,
  count: number,
  feasibleOnly: boolean,
  onEvent: (event: Event) => boolean,
  onEvidence?: (piece: Piece) => void,
): Reply<DrawDocument>;
export function prune(
  request: Request,
  settings: PruneSettings,
  lengths: Uint32Array,
  feasible: boolean,
  onEvent: (event: Event) => boolean,
  onEvidence?: (piece: Piece) => void,
): Reply<PruneDocument>;
export function explain(
  request: Request,
  settings: ExplainSettings,
  onEvent: (event: Event) => boolean,
  onEvidence?: (piece: Piece) => void,
): Reply<ExplainDocument>;
export function check(evidence: unknown, onEvent: (event: Event) => boolean): Reply<CheckDocument>;
export function not_evidence(reason: string): Reply<CheckDocument>;
