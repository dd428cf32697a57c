// What the Explain tab asks. All prefixes are explored by the engine for long runs; a single path is explained by the
// quick one, so that it can be looked at while the exploration goes on. Typing then takes the quick engine for itself:
// what it was explaining is of an earlier text.

import { whenIdle } from "../../browser/idle";
import type { CfgDocument, ExplainPath, ExplainSettings } from "../../protocol";
import { analyse, quick, request } from "../../state/engines";
import { type Options, run, type Task } from "../../state/run";
import { Untrusted } from "../../state/settings";
import { type Known, known, leavePaths, selected, shownPath } from "../../state/state";
import type { Keep } from "../../state/stored";
import { drawChoice } from "../paths/settings";
import { isPathOfBoth } from "./path";
import { explainChoice } from "./settings";
import {
  chosenRow,
  type ExplainedRun,
  type ExplainRun,
  explained,
  explainedRun,
  explainRun,
  opened,
  type RoundsRun,
  roundsRun,
} from "./state";

/** Prefixes that are kept of a run without a document. */
export const FOUND_MAX = 50_000;

function chosen(compare: number, path: number[] | null, rounds: ExplainSettings["rounds"] = null): ExplainSettings {
  const { maxInstructions, order, check, extend } = explainChoice.value;
  // The rounds need the fewest where a family reaches as far as it can.
  return { max_instructions: maxInstructions, order, check, extend: rounds ? "any_way" : extend, compare, path, rounds };
}

/** Explores and explains; for `compare` of the families each path is proved by itself too. */
export const exploring: Task<"explain", ExplainRun, Options & { compare?: number }> = {
  name: "explain",
  run: explainRun,
  question: ({ compare = 0 }) => ({ settings: chosen(compare, null), begin: { found: [] } }),
  begins: () => {
    chosenRow.value = null;
    opened.value = [];
    // The query starts when a prefix is chosen.
    whenIdle(() => quick.ahead());
  },
  arrived: ({ found }, events) => ({
    found: found.concat(events.flatMap((event) => (event.kind === "refuted" ? [event] : []))).slice(0, FOUND_MAX),
  }),
  every: 300,
  open: (document) => document.open,
  evidence: { title: "Explanations", file: "explained", how: "explain prefixes" },
};
export const explainAll = (options: Options & { compare?: number } = {}) => run(exploring, options);

/** Draws paths, explains those that cannot run and takes their families away, until none is left. */
export const refining: Task<"explain", RoundsRun> = {
  name: "explain",
  run: roundsRun,
  question: () => {
    const { length, pruned } = explainChoice.value.rounds;
    return { settings: chosen(0, null, { length, pruned }), seed: drawChoice.value.seed, begin: {} };
  },
  open: (document) => document.open,
  evidence: { title: "Rounds", file: "rounds", how: "refine in rounds" },
};
export const refine = (limit?: number) => run(refining, limit === undefined ? {} : { limit });

interface OnePath extends Options {
  title: string;
  edges: readonly number[];
  /** The places of the explanation that is shown first, if it is there. */
  core: readonly number[];
  /** The graph whose edges are meant. */
  of: CfgDocument | undefined;
}

const explaining: Task<"explain", ExplainedRun, OnePath> = {
  name: "explain",
  run: explainedRun,
  engine: quick,
  question: ({ title, edges, core, of }, found) =>
    there(edges, of, found)
      ? { settings: chosen(0, [...edges]), begin: { title, edges: [...edges], core: [...core], path: null, reason: 0 } }
      : null,
  begins: () => leavePaths(explained),
  finished: ({ core }, { path }) => {
    const same = (reason: ExplainPath["reasons"][number]): boolean => reason.explanation.map((step) => step.index).join() === core.join();
    return { path, reason: Math.max(0, path?.reasons.findIndex(same) ?? 0) };
  },
  open: (document) => document.open,
};

/** Whether this path of a graph is a path of the program as it is now, too. */
const there = (edges: readonly number[], of: CfgDocument | undefined, found: Known): boolean =>
  of !== undefined && isPathOfBoth(edges, of, found.cfg);

/** Explains one path of a graph, without another of the one that is shown. Of its explanations the one with these places is shown
 * first, if it is there. Whether it is a path of the program as it is now. */
export async function explainPath(
  title: string,
  edges: readonly number[],
  core: readonly number[] = [],
  of = known.peek()?.cfg,
): Promise<boolean> {
  const found = await analyse();
  if (!found || !there(edges, of, found)) return false;
  const ended = await run(explaining, { title, edges, core, of });
  if (ended?.path) {
    selected.in("explain").value = null;
    const { path } = ended;
    if (path.edges.length > 0) shownPath.in("explain").value = { of: explained, index: 0, step: path.dies_at ?? path.edges.length - 1 };
  }
  return true;
}

/** What the engine says of a path, shown or not; `null` if it was asked something else in the meantime. */
export async function judgePath(edges: readonly number[]): Promise<ExplainPath | null> {
  const of = known.peek()?.cfg;
  const found = await analyse();
  if (!found || !there(edges, of, found)) return null;
  const outcome = await quick.ask({ name: "explain", request: request(), settings: chosen(0, [...edges]) });
  return outcome.kind === "answer" && outcome.reply.kind === "document" ? outcome.reply.document.path : null;
}

/** The path that was explained before a reload. */
let before: Pick<ExplainedRun, "title" | "edges" | "core"> | null = null;

function asked(data: unknown): typeof before {
  const from = new Untrusted(data);
  const [title, edges, core] = [from.text("title", null), from.raw("edges"), from.raw("core")];
  const numbers = (all: unknown): all is number[] => Array.isArray(all) && all.every(Number.isSafeInteger);
  return title !== null && numbers(edges) && numbers(core) ? { title, edges, core } : null;
}

export const explainedKeep: Keep = {
  name: "explained",
  read: () => {
    const run = explainedRun.peek();
    const core = run?.path?.reasons[run.reason]?.explanation.map((step) => step.index) ?? [];
    return run && { title: run.title, edges: run.edges, core };
  },
  sound: {
    holds: (data) => data === null || asked(data) !== null,
    allowed: '{ "title": a text, "edges": a list of whole numbers, "core": another one }, or null',
  },
  restore: (data) => void (before = asked(data) ?? before),
  reset: () => void (before = null),
};

explained.again = async () => {
  const path = before;
  before = null;
  if (path) await explainPath(path.title, path.edges, path.core);
};
