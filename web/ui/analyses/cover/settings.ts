// What the Cover tab is asked for.

import { MAX_COMPARED_DIAMONDS, MAX_COMPARED_PROGRAMS, MAX_COMPARED_SEED, MAX_UNWIND } from "../../protocol";
import { Choice, PRECONDITION_ALLOWED, PRECONDITION_MAX, type Untrusted } from "../../state/settings";

/** The engine’s algorithms. */
export const ALGORITHMS = ["sc", "pc", "fm", "vstte", "prefer"] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

export interface CoverChoice {
  /** How often each loop's header may be returned to before the loop is left; `null` is as often as is needed. */
  unwind: number | null;
  algorithm: Algorithm;
  /** Whether tests of called functions are used in place of their bodies first. */
  summaries: boolean;
  precondition: string;
}

export const coverChoice = new Choice<CoverChoice>(
  "cover",
  { unwind: null, algorithm: "prefer", summaries: false, precondition: "" },
  (from, otherwise) => ({
    unwind: from.whole("unwind", 0, MAX_UNWIND, otherwise.unwind),
    algorithm: from.among("algorithm", ALGORITHMS, otherwise.algorithm),
    summaries: from.flag("summaries", otherwise.summaries),
    precondition: from.text("precondition", otherwise.precondition, (text) => text.length <= PRECONDITION_MAX, PRECONDITION_ALLOWED),
  }),
);

/** Which random programs the covering algorithms are compared on. */
export interface CompareChoice {
  /** Whether the Cover tab shows this in place of the program's tests. */
  shown: boolean;
  least: number;
  most: number;
  /** How many programs of each size. */
  programs: number;
  seed: number;
  algorithms: readonly Algorithm[];
}

function readCompare(from: Untrusted, otherwise: CompareChoice): CompareChoice {
  const least = from.whole("least", 1, MAX_COMPARED_DIAMONDS, otherwise.least);
  const most = from.whole("most", 1, MAX_COMPARED_DIAMONDS, otherwise.most);
  const given: unknown = from.raw("algorithms");
  const algorithms = Array.isArray(given) ? otherwise.algorithms.filter((name) => given.includes(name)) : [];
  if (given !== undefined && (!Array.isArray(given) || algorithms.length < given.length))
    from.wrong("algorithms", `a list of ${otherwise.algorithms.join(", ")}, each once`);
  return {
    shown: from.flag("shown", otherwise.shown),
    least: Math.min(least, most),
    most: Math.max(least, most),
    programs: from.whole("programs", 1, MAX_COMPARED_PROGRAMS, otherwise.programs),
    seed: from.whole("seed", 0, MAX_COMPARED_SEED, otherwise.seed),
    algorithms: algorithms.length > 0 ? algorithms : otherwise.algorithms,
  };
}

const COMPARED: CompareChoice = {
  shown: false,
  least: 2,
  most: 9,
  programs: 3,
  seed: 0,
  algorithms: ["pc", "sc", "fm", "vstte", "prefer"],
};
export const compareChoice = new Choice<CompareChoice>("compare", COMPARED, readCompare, true);
