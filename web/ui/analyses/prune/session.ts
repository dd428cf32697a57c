// What the Prune tab asks.

import { PRUNE_LIMIT, type PruneGraphSettings } from "../../protocol";
import { run, type Task } from "../../state/run";
import { areLengths, parseLengths } from "../../state/settings";
import { type PruneRun, pruneRun, resetRed } from "./red-state";
import { parseLookahead, parseOptionalLength, pruneChoice } from "./settings";
import { SHOWN_STEPS } from "./worker";

/** What the Prune tab says of the graph, for the engine; or what is wrong with it. */
export function graphSettings(): PruneGraphSettings | string {
  const { abstraction, restarts, invariants, precondition, ...typed } = pruneChoice.value;
  const lookahead = parseLookahead(typed.lookahead);
  const [greatest, exact] = [parseOptionalLength(typed.maxRedLength), parseOptionalLength(typed.exactUpTo)];
  if (typeof lookahead === "string") return lookahead;
  if (typeof greatest === "string") return greatest;
  if (typeof exact === "string") return exact;
  return {
    abstraction,
    restarts,
    lookahead,
    max_red_length: greatest,
    invariants,
    exact_up_to: exact,
    precondition: precondition.trim() || null,
  };
}

/** Builds the red–black graph and the transformed graph. */
export const pruning: Task<"prune", PruneRun> = {
  name: "prune",
  run: pruneRun,
  limit: PRUNE_LIMIT,
  ready: () => areLengths(pruneChoice.value.lengths) && typeof graphSettings() !== "string",
  question: () => {
    const [graph, lengths, { feasible }] = [graphSettings(), parseLengths(pruneChoice.value.lengths), pruneChoice.value];
    return typeof graph === "string" || typeof lengths === "string"
      ? null
      : { settings: { graph, lengths, feasible }, begin: { steps: [] } };
  },
  begins: resetRed,
  arrived: ({ steps }, events) => ({
    steps: steps.concat(events.flatMap((event) => (event.kind === "pruning" ? [event.step] : []))).slice(0, SHOWN_STEPS),
  }),
  every: 700,
  open: (document) => document.open,
  evidence: { title: "Pruned graph", file: "pruned", how: "make a graph" },
};
/** Without a limit of steps, within the engine's own. */
export const pruneGraph = (limit?: number) => run(pruning, limit === undefined ? {} : { limit });
