// What is known of each line of a program: the verdicts on the statements and branches that stand on it.

import type { CfgDocument } from "../protocol";
import type { Verdict } from "./headline";

/** A line with something that is executed on it. */
export interface LineVerdicts {
  line: number;
  /** Of each branch and statement, copies of one together. */
  found: ReadonlySet<Verdict>;
  /** Whether a run fails here. */
  fails: boolean;
}

const BEST: readonly Verdict[] = ["runs", "open", "never"];

type LineGroups = Map<number, Map<string, number[]>>;

const grouped = new WeakMap<CfgDocument, LineGroups>();

/** The edges that stand on each line or pass a statement there, those of one branch or statement together. */
function groups(cfg: CfgDocument): LineGroups {
  const known = grouped.get(cfg);
  if (known) return known;
  const lines: LineGroups = new Map();
  grouped.set(cfg, lines);
  const add = (line: number, key: string, edge: number): void => {
    if (line < 1) return;
    const here = lines.get(line) ?? new Map<string, number[]>();
    lines.set(line, here.set(key, [...(here.get(key) ?? []), edge]));
  };
  for (const { id, line, place, kind, holds, library, passes } of cfg.edges) {
    if (!library) add(line, `${place.start} ${place.end} ${kind} ${holds}`, id);
    for (const passed of passes) add(passed, "passed", id);
  }
  return lines;
}

/** Of some edges together the best verdict that one of them has. */
const best = (edges: readonly number[], known: ReadonlyMap<number, Verdict>): Verdict =>
  BEST.find((verdict) => edges.some((edge) => (known.get(edge) ?? "open") === verdict))!;

/** The edges on a line whose branch or statement never runs, in any of its copies. */
export const deadEdgesOf = (cfg: CfgDocument, known: ReadonlyMap<number, Verdict>, line: number): number[] =>
  [...(groups(cfg).get(line)?.values() ?? [])].flatMap((edges) => (best(edges, known) === "never" ? edges : []));

/** The lines in ascending order; every call of the function executes the lines at its entry. A statement to which no path leads has no edge: the
 * `unreached` lines never run where nothing else stands on them. */
export function lineVerdicts(
  cfg: CfgDocument,
  known: ReadonlyMap<number, Verdict>,
  failing: ReadonlySet<number>,
  unreached: readonly number[] = [],
): LineVerdicts[] {
  const lines = new Map<number, Set<Verdict>>();
  for (const [line, edges] of groups(cfg)) {
    lines.set(line, new Set([...edges.values()].map((all) => best(all, known))));
  }
  for (const line of cfg.entry_passes) lines.set(line, new Set([...(lines.get(line) ?? []), "runs"]));
  for (const line of unreached) if (!lines.has(line)) lines.set(line, new Set(["never"]));
  return [...lines].map(([line, found]) => ({ line, found, fails: failing.has(line) })).sort((a, b) => a.line - b.line);
}

/** The edges whose executions execute a line. */
export const edgesOf = (cfg: CfgDocument, line: number): number[] =>
  cfg.edges.flatMap((edge) => ((edge.line === line && !edge.library) || edge.passes.includes(line) ? [edge.id] : []));
