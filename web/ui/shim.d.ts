// The functions of the engine's two wasm modules as wasm-bindgen exports them, with the types of the protocol.

import type { Piece } from "./evidence";
import type { CfgDocument, CheckDocument, CompareDocument, CompareSettings, CoverDocument, CoverSettings, DrawDocument, Event, ExplainDocument, ExplainSettings, Input, PathsDocument, PruneDocument, PruneSettings, Reply, Request, RunDocument } from "./protocol";

type Init = (options: { module_or_path: URL }) => Promise<unknown>;

/** web/src/lib.rs */
export interface Engine {
  default: Init;
  version(): string;
  cfg(request: Request): Reply<CfgDocument>;
  paths(
    request: Request,
    lengths: Uint32Array,
    feasible: boolean,
    onEvent: (event: Event) => boolean,
    onEvidence?: (piece: Piece) => void,
  ): Reply<PathsDocument>;
  run(request: Request, input: Input): Reply<RunDocument>;
}

/** web/on_demand/lib.rs */
export interface OnDemand {
  default: Init;
  draw(
    request: Request,
    length: number,
    count: number,
    feasibleOnly: boolean,
    onEvent: (event: Event) => boolean,
    onEvidence?: (piece: Piece) => void,
  ): Reply<DrawDocument>;
  prune(
    request: Request,
    settings: PruneSettings,
    lengths: Uint32Array,
    feasible: boolean,
    onEvent: (event: Event) => boolean,
    onEvidence?: (piece: Piece) => void,
  ): Reply<PruneDocument>;
  draw_pruned(
    request: Request,
    settings: PruneSettings,
    length: number,
    count: number,
    feasibleOnly: boolean,
    onEvent: (event: Event) => boolean,
    onEvidence?: (piece: Piece) => void,
  ): Reply<DrawDocument>;
  explain(
    request: Request,
    settings: ExplainSettings,
    onEvent: (event: Event) => boolean,
    onEvidence?: (piece: Piece) => void,
  ): Reply<ExplainDocument>;
  cover(
    request: Request,
    settings: CoverSettings,
    onEvent: (event: Event) => boolean,
    onEvidence?: (piece: Piece) => void,
  ): Reply<CoverDocument>;
  compare(settings: CompareSettings, onEvent: (event: Event) => boolean): Reply<CompareDocument>;
  check(evidence: unknown, onEvent: (event: Event) => boolean): Reply<CheckDocument>;
  not_evidence(reason: string): Reply<CheckDocument>;
  generate(diamonds: number, seed: bigint): string;
}
