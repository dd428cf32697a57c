// What the Explain tab asks. All prefixes are explored by the engine for long runs; a single path is explained by the
// quick one, so that it can be looked at while the exploration goes on. Typing then takes the quick engine for itself:
// what it was explaining is of an earlier text.

import type { Outcome } from "../../engine";
import { whenIdle } from "../../idle";
import type { CfgDocument, ExplainPath, ExplainSettings } from "../../protocol";
import { analyse, finish, gathered, long, quick, request, stopRuns } from "../../session";
import { type ExplainRun, type ExplainedRun, type Known, type RoundsRun, explainRun, explainedRun, known, roundsRun, selected, settings, shownPath } from "../../state";
import { isPathOfBoth } from "./path";

/** The limit of steps of a first run; going on takes ten times as many. */
export const EXPLAIN_LIMIT = 20_000_000;
/** Prefixes that are kept of a run without a document. */
export const FOUND_MAX = 50_000;

function chosen(compare: number, path: number[] | null, rounds: ExplainSettings["rounds"] = null): ExplainSettings {
  const { maxInstructions, order, check, extend } = settings.value.explain;
  return { max_instructions: maxInstructions, order, check, extend, compare, path, rounds };
}

/** Explores and explains; for `compare` of the families each path is proved by itself too. */
export async function explainAll({ limit = EXPLAIN_LIMIT, compare = 0 }: { limit?: number; compare?: number } = {}): Promise<void> {
  stopRuns();
  // It is asked as soon as somebody chooses a prefix.
  whenIdle(() => quick.ahead());
  const found = await analyse();
  if (!found) return;
  let run: ExplainRun = { state: "running", text: found.text, cfg: found.cfg, found: [], document: null, limit, progress: null, note: null, ms: null, evidence: null };
  const update = (part: Partial<ExplainRun>): void => {
    explainRun.value = run = { ...run, ...part };
  };
  update({});
  const arrived = gathered<ExplainRun["found"][number]>((prefixes) => update({ found: run.found.concat(prefixes).slice(0, FOUND_MAX) }), 300);
  const outcome = await long.ask({ kind: "explain", request: request({ limit }), settings: chosen(compare, null) }, (event) => {
    if (event.kind === "progress") update({ progress: event });
    else if (event.kind === "refuted") arrived.add(event);
  });
  arrived.flush();
  const document = finish(outcome, update);
  if (document) update({ document, note: document.open });
}

/** Draws paths, explains those that cannot run and takes their families away, until none is left. */
export async function refine(limit: number = EXPLAIN_LIMIT): Promise<void> {
  stopRuns();
  const found = await analyse();
  if (!found) return;
  let run: RoundsRun = { state: "running", text: found.text, cfg: found.cfg, document: null, limit, progress: null, note: null, ms: null, evidence: null };
  const update = (part: Partial<RoundsRun>): void => {
    roundsRun.value = run = { ...run, ...part };
  };
  update({});
  const { length, pruned } = settings.value.explain.rounds;
  const outcome = await long.ask({ kind: "explain", request: request({ limit, seed: settings.value.draw.seed }), settings: chosen(0, null, { length, pruned }) }, (event) => {
    if (event.kind === "progress") update({ progress: event });
  });
  const document = finish(outcome, update);
  if (document) update({ document, note: document.open });
}

/** What is known of the text as it is now, if this path of a graph is a path there too. */
async function analysed(edges: readonly number[], of: CfgDocument | undefined): Promise<Known | null> {
  const found = await analyse();
  return of && found && isPathOfBoth(edges, of, found.cfg) ? found : null;
}

/** Explains one path of a graph, without another of the one that is shown. Of its explanations the one with these places is shown
 * first, if it is there. Whether it is a path of the program as it is now. */
export async function explainPath(title: string, edges: readonly number[], core: readonly number[] = [], of = known.peek()?.cfg): Promise<boolean> {
  const found = await analysed(edges, of);
  if (!found) return false;
  let run: ExplainedRun = { state: "running", text: found.text, cfg: found.cfg, title, edges: [...edges], path: null, reason: 0, progress: null, note: null, ms: null, evidence: null };
  let mine: ExplainedRun | null = null;
  const update = (part: Partial<ExplainedRun>): void => {
    // One that was asked for later has taken the place.
    if (mine !== null && explainedRun.value !== mine) return;
    explainedRun.value = mine = run = { ...run, ...part };
  };
  if (shownPath.value?.of === "explained") shownPath.value = null;
  update({});
  const outcome = await quick.ask({ kind: "explain", request: request({ limit: EXPLAIN_LIMIT }), settings: chosen(0, run.edges) });
  const document = finish(outcome, update);
  if (!document?.path || explainedRun.value !== mine) return true;
  const same = (reason: ExplainPath["reasons"][number]): boolean => reason.explanation.map((step) => step.index).join() === core.join();
  const { path } = document;
  update({ path, reason: Math.max(0, path.reasons.findIndex(same)), note: document.open });
  selected.value = null;
  if (path.edges.length > 0) shownPath.value = { of: "explained", index: 0, step: path.dies_at ?? path.edges.length - 1 };
  return true;
}

/** What the engine says of a path, shown or not; `null` if it was asked something else in the meantime. */
export async function judgePath(edges: readonly number[]): Promise<ExplainPath | null> {
  if (!(await analysed(edges, known.peek()?.cfg))) return null;
  const outcome: Outcome<"explain"> = await quick.ask({ kind: "explain", request: request({ limit: EXPLAIN_LIMIT }), settings: chosen(0, [...edges]) });
  return outcome.kind === "answer" && outcome.reply.kind === "document" ? outcome.reply.document.path : null;
}
