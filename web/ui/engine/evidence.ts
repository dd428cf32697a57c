// Evidence files as the page handles them: put together from the engine's pieces, and read back for showing. What they
// mean stands in crate/evidence.rs. They never pass through the page's own thread: a Blob is handed around unread.

import type { CfgDocument, DrawnPath, Input, Rejected } from "../protocol";

/** A piece that the engine gives: a claim, or at the end the file that the claims belong to. */
export type Piece = { claims: unknown[] } | { claim: string };

/** Text is given to the browser to keep once there is this much of it. */
const CHUNK = 1 << 20;

export class EvidenceWriter {
  #chunks: Blob[] = [];
  #waiting: string[] = [];
  #size = 0;
  #claims = 0;
  #file: Blob | null = null;

  add(piece: Piece): void {
    if ("claims" in piece) {
      this.#flush();
      const head = JSON.stringify(piece);
      this.#file = new Blob([head.slice(0, -2), ...this.#chunks, "]}"], { type: "application/json" });
      return;
    }
    const text = (this.#claims++ > 0 ? "," : "") + JSON.stringify(piece);
    this.#waiting.push(text);
    this.#size += text.length;
    if (this.#size > CHUNK) this.#flush();
  }

  #flush(): void {
    this.#chunks.push(new Blob(this.#waiting));
    this.#waiting = [];
    this.#size = 0;
  }

  /** The whole file, if it has claims at all. */
  get file(): Blob | null {
    return this.#claims > 0 ? this.#file : null;
  }
}

/** What is shown of a claim. */
export interface ShownClaim {
  index: number;
  id: string;
  kind: string;
  /** The numbers of the edges, if the claim is about a path. */
  path: number[] | null;
  core: number[];
  /** Of a claim about edges and not about a path. */
  edges: number[];
  input: Input | null;
  /** The names of the assumptions under which it holds. */
  assumes: string[];
}

export interface CheckedFile {
  program: string;
  function: string;
  ints: string;
  /** How often functions were inlined within themselves, where some call was cut off. */
  inlineDepth: number | null;
  source: string;
  /** Whether the claims are about edges of the function's unfolded graph. */
  unfolded: boolean;
  claims: ShownClaim[];
}

/** Claims shown in full; the numbers are of all. */
export const SHOWN_CLAIMS = 200;

/** The rejected claims of a file that the engine could read, then its first others, as many as are shown. */
export function shownFile(file: Record<string, unknown>, rejected: readonly Rejected[]): CheckedFile {
  const all = file.claims as Record<string, unknown>[];
  const wanted = new Set(rejected.slice(0, SHOWN_CLAIMS).flatMap(({ index }) => index ?? []));
  for (let index = 0; index < all.length && wanted.size < SHOWN_CLAIMS; index++) wanted.add(index);
  const claims = [...wanted].map((index): ShownClaim => {
    const { id, claim, path, core, edges, input, assumes } = all[index]!;
    const numbers = (list: unknown): number[] | null => (Array.isArray(list) ? (list as number[]) : null);
    return {
      index,
      id: String(id),
      kind: String(claim),
      path: numbers(path),
      core: numbers(core) ?? [],
      edges: numbers(edges) ?? [],
      input: (input as Input | undefined) ?? null,
      assumes: Array.isArray(assumes) ? assumes.map(String) : [],
    };
  });
  const depth = file.inline_depth;
  return {
    program: String(file.program),
    function: String(file.function),
    ints: String(file.ints),
    inlineDepth: typeof depth === "number" ? depth : null,
    source: String(file.source),
    unfolded: typeof file.unfolding === "string",
    claims,
  };
}

/** The claim's path, to be looked at like a drawn one; `null` if it is not about edges of this graph. */
export function claimPath(claim: ShownClaim, rejected: Rejected | undefined, cfg: CfgDocument): DrawnPath | null {
  const edges = claim.path;
  if (!edges || edges.length === 0 || edges.some((edge) => cfg.edges[edge] === undefined)) return null;
  const feasible = rejected ? null : claim.kind === "reached" ? true : claim.kind === "infeasible" ? false : null;
  return {
    edges,
    lines: edges.map((edge) => cfg.edges[edge]!.line),
    feasible,
    input: claim.input,
    dies_at: feasible === false ? edges.length - 1 : null,
    core: claim.core.filter((step) => edges[step] !== undefined),
    open: rejected?.reason ?? null,
    assumes: claim.assumes,
    after: [],
    state: null,
  };
}
