// A sentence on each step of the construction, in the paper's terms.

import type { PruneStep, PruneUsed } from "../../protocol";
import { grouped, plural } from "../../text/numbers";
import type { History } from "./history";

/** A vertex as `5·2`: the second occurrence of location 5. */
export function namer({ steps }: History): (vertex: number) => string {
  const names = new Map<number, string>();
  for (const step of steps) if (step.step === "added") names.set(step.vertex, `${step.location}·${step.index}`);
  return (vertex) => names.get(vertex) ?? `#${vertex}`;
}

const LISTED = 4;
export function conjunction(formulas: readonly string[]): string {
  const more = formulas.length - LISTED;
  return formulas.slice(0, LISTED).join(" ∧ ") + (more > 0 ? ` ∧ … (${grouped(more)} more)` : "");
}

/** The settings of an attempt. */
export function builtWith({ lookahead, restarts, max_red_length }: Pick<PruneUsed, "lookahead" | "restarts" | "max_red_length">): string {
  return `with a lookahead of ${lookahead}, ${restarts ? "with" : "without"} restarts${max_red_length === null ? "" : `, down to a depth of ${max_red_length}`}`;
}

export function sentence(step: PruneStep, name: (vertex: number) => string, label: (edge: number) => string): string {
  switch (step.step) {
    case "added":
      return step.parent === null
        ? `Start: red vertex ${name(step.vertex)}, the first occurrence of the entry.`
        : `Unfolding: edge ${step.edge}, ${label(step.edge ?? -1)}, leads from ${name(step.parent)} to the new red vertex ${name(step.vertex)}.`;
    case "unsatisfiable":
      return `${name(step.vertex)} is marked: its configuration is unsatisfiable, so no run comes here.`;
    case "subsumed":
      return `Subsumption: ${name(step.vertex)} is subsumed by ${name(step.by)}, which has all its states; it is not unfolded.`;
    case "abstracted":
      return `Abstraction: ${name(step.vertex)} forgets ${step.forgotten.length > 0 ? conjunction(step.forgotten) : "how values came about"}, so that it contains ${name(step.subsumee)}; it keeps ${step.kept.length > 0 ? conjunction(step.kept) : "nothing"}.`;
    case "propagated":
      return `The abstraction of ${name(step.vertex)} is carried on to ${plural(step.vertices.length, "vertex", "vertices")} below it.`;
    case "unmarked":
      return `${name(step.vertex)} is no longer marked: after the abstraction its configuration is satisfiable.`;
    case "refined":
      return `Refinement: the path to the exit is infeasible, and the abstraction of ${name(step.vertex)} let it through. Its limiting predicate learns ${step.condition}.`;
    case "destroyed":
      return `${plural(step.vertices.length, "vertex", "vertices")} below ${name(step.vertex)} ${step.vertices.length === 1 ? "is" : "are"} destroyed.`;
    case "restarted":
      return `Restart: the construction goes on from ${name(step.vertex)}.`;
    case "anew":
      return `${step.smaller ? "Fewer paths are left otherwise" : "What was asked for does not come to an end"}; the construction begins anew at the root, ${builtWith(step)}.`;
    case "halted":
      return `${name(step.vertex)} is not unfolded: from here on the original goes on, or a graph made with less.`;
  }
}
