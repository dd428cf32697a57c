// What the page asks the engine, and what it does with the answers.
//
// Two engines: a quick one for the graph, which follows the typing, and one for the runs that may take long. A run
// shows its results as they arrive; when it is cancelled or the engine fails, what has arrived stays.

import type { Text } from "@codemirror/state";
import { batch } from "@preact/signals";
import { Engine, type Outcome } from "./engine";
import { SHOWN_CLAIMS } from "./evidence";
import { whenIdle } from "./idle";
import type { Answers } from "./messages";
import { type Diagnostic, type Event, PRUNE_LIMIT, type PruneGraphSettings, type PruneStep, type Request } from "./protocol";
import { SHOWN_STEPS, parseLengths, parseRedLength } from "./settings";
import {
  type Asked,
  type CheckRun,
  type DrawRun,
  type Known,
  type PathsRun,
  type PruneRun,
  analysing,
  checkRun,
  diagnostics,
  drawRun,
  engineError,
  engineVersion,
  known,
  notice,
  pathsRun,
  program,
  pruneRun,
  selected,
  settings,
  shownPath,
  sourceOf,
  stale,
  text,
} from "./state";

declare const BUILD: string;

const spawn = (): Worker => new Worker(`./worker.js?${BUILD}`, { type: "module" });
export const quick = new Engine(spawn, (version) => (engineVersion.value = version));
export const long = new Engine(spawn);
/** For the answer in the bar, which is worked out beside whatever runs. */
export const aside = new Engine(spawn);

/** Loads the engine while the page is still being set up. */
export function warmUp(): void {
  quick.start();
}

/** Loads the second engine, once the first has nothing to do; then, once the browser has nothing to do either, what only some
 * tabs need. */
export function warmUpLong(): void {
  long.warm();
  whenIdle(() => long.ahead());
}

export function request({ seed = 0, limit = null }: { seed?: number; limit?: number | null } = {}): Request {
  return { program: program.value, source: sourceOf(text.value), function: settings.value.function, limit, seed, ints: settings.value.ints, inline_depth: settings.value.inlineDepth };
}

let asking: (Asked & { text: Text; answer: Promise<Known | null> }) | null = null;

/** The control-flow graph of the text as it is now; `null` if it was refused or overtaken. */
export function analyse(): Promise<Known | null> {
  const now = text.value;
  const { function: asked, ints, inlineDepth } = settings.value;
  if (asking?.text === now && asking.asked === asked && asking.ints === ints && asking.inlineDepth === inlineDepth) return asking.answer;
  if (known.value && !stale.value && engineError.value === null) return Promise.resolve(known.value);
  const answer = askCfg(now, { asked, ints, inlineDepth }).finally(() => {
    if (asking?.answer === answer) {
      asking = null;
      analysing.value = false;
    }
  });
  asking = { text: now, asked, ints, inlineDepth, answer };
  analysing.value = true;
  return answer;
}

async function askCfg(now: Text, { asked, ...rest }: Asked): Promise<Known | null> {
  const outcome = await quick.ask({ kind: "cfg", request: request() });
  if (outcome.kind === "cancelled") return null;
  if (outcome.kind === "failed") {
    engineError.value = outcome.message;
    return null;
  }
  const { reply, ms } = outcome;
  if (reply.kind === "refused") {
    // The function that was chosen may be gone from the text: that is no fault of the program.
    if (asked !== null && text.value === now && settings.value.function === asked) {
      const second = await quick.ask({ kind: "cfg", request: { ...request(), function: null } });
      if (second.kind === "answer" && second.reply.kind === "document") {
        settings.value = { ...settings.value, function: null };
        return keep({ cfg: second.reply.document, text: now, asked: null, ...rest, ms: second.ms });
      }
    }
    batch(() => {
      diagnostics.value = reply.diagnostics;
      engineError.value = null;
    });
    return null;
  }
  return keep({ cfg: reply.document, text: now, asked, ...rest, ms });
}

function keep(found: Known): Known {
  batch(() => {
    if (!known.value?.text.eq(found.text) || known.value.cfg.function !== found.cfg.function || known.value.cfg.ints !== found.cfg.ints || known.value.cfg.inline_depth !== found.cfg.inline_depth) {
      selected.value = null;
      shownPath.value = null;
    }
    known.value = found;
    if (diagnostics.value.length + found.cfg.diagnostics.length > 0) diagnostics.value = found.cfg.diagnostics;
    engineError.value = null;
  });
  return found;
}

/** Counts paths by length. */
export async function countPaths(): Promise<void> {
  const lengths = parseLengths(settings.value.paths.lengths);
  if (typeof lengths === "string") return;
  stopRuns();
  const found = await analyse();
  if (!found) return;
  const { feasible } = settings.value.paths;
  let run: PathsRun = { state: "running", text: found.text, cfg: found.cfg, lengths, feasible, rows: [], by: null, progress: null, note: null, ms: null, evidence: null };
  const update = (part: Partial<PathsRun>): void => {
    pathsRun.value = run = { ...run, ...part };
  };
  update({});
  const outcome = await long.ask({ kind: "paths", request: request(), lengths, feasible }, (event) => {
    if (event.kind === "row") update({ rows: [...run.rows.filter((row) => row.length !== event.row.length), event.row].sort((a, b) => a.length - b.length) });
    else if (event.kind === "progress") update({ progress: event });
  });
  const document = finish(outcome, update);
  if (document) update({ rows: document.table, by: document.feasible_by, note: document.open });
}

/** Hundreds of events may arrive at once: they are shown together, a few frames at a time, and more seldom where showing
 * them takes long. */
export function gathered<E>(show: (events: E[]) => void, least = 40): { add: (event: E) => void; flush: () => void } {
  const waiting: E[] = [];
  let every = least;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const before = performance.now();
    if (waiting.length > 0) show(waiting.splice(0));
    every = Math.max(least, 8 * (performance.now() - before));
  };
  return {
    add: (event) => {
      waiting.push(event);
      timer ??= setTimeout(flush, every);
    },
    flush,
  };
}

/** Draws paths and settles each. */
export async function drawPaths(): Promise<void> {
  stopRuns();
  const found = await analyse();
  if (!found) return;
  const { length, count, seed, from } = settings.value.draw;
  const pruned = from === "pruned" ? pruneSettings() : null;
  if (typeof pruned === "string") return;
  let run: DrawRun = {
    state: "running", text: found.text, cfg: found.cfg, length, count, seed, from,
    population: null, paths: [], progress: null, note: null, ms: null, evidence: null,
  };
  const update = (part: Partial<DrawRun>): void => {
    drawRun.value = run = { ...run, ...part };
  };
  shownPath.value = null;
  update({});
  const arrived = gathered<Extract<Event, { kind: "path" }>>((events) => {
    const paths = [...run.paths];
    for (const { index, path } of events) paths[index] = path;
    update({ paths });
  });
  const drawing = { request: request({ seed }), length, count, feasibleOnly: from === "feasible" };
  const outcome = await long.ask(pruned ? { kind: "draw-pruned", settings: pruned, ...drawing } : { kind: "draw", ...drawing }, (event) => {
    if (event.kind === "progress") update({ progress: event });
    else if (event.kind === "path") arrived.add(event);
  });
  arrived.flush();
  const document = finish(outcome, update);
  if (document) update({ paths: document.paths, population: document.population, note: document.open });
}

/** What the Prune tab says, for the engine; or what is wrong with it. */
function pruneSettings(): PruneGraphSettings | string {
  const { abstraction, restarts, lookahead, precondition, maxRedLength } = settings.value.prune;
  const greatest = parseRedLength(maxRedLength);
  return typeof greatest === "string" ? greatest : { abstraction, restarts, lookahead, max_red_length: greatest, precondition: precondition.trim() || null };
}

/** Builds the red–black graph and the transformed graph; without a limit of steps, within the engine's own. */
export async function pruneGraph(limit: number | null = null): Promise<void> {
  const { feasible, ...texts } = settings.value.prune;
  const [lengths, asked] = [parseLengths(texts.lengths), pruneSettings()];
  if (typeof lengths === "string" || typeof asked === "string") return;
  stopRuns();
  const found = await analyse();
  if (!found) return;
  let run: PruneRun = {
    state: "running", text: found.text, cfg: found.cfg, lengths, feasible, steps: [],
    document: null, asked, limit: limit ?? PRUNE_LIMIT, progress: null, note: null, ms: null, evidence: null,
  };
  const update = (part: Partial<PruneRun>): void => {
    pruneRun.value = run = { ...run, ...part };
  };
  update({});
  const arrived = gathered<PruneStep>((steps) => {
    update({ steps: run.steps.concat(steps).slice(0, SHOWN_STEPS) });
  }, 700);
  const outcome = await long.ask({ kind: "prune", request: request({ limit: run.limit }), settings: asked, lengths, feasible }, (event) => {
    if (event.kind === "progress") update({ progress: event });
    else if (event.kind === "pruning") arrived.add(event.step);
  });
  arrived.flush();
  const document = finish(outcome, update);
  if (document) update({ document, note: document.open });
}

let checks = 0;

/** Checks an evidence file, from the program's text in it on; a check that still runs gives way. */
export async function checkEvidence(name: string, evidence: Blob): Promise<void> {
  const number = ++checks;
  stopRuns();
  if (shownPath.value?.of === "claims") shownPath.value = null;
  let run: CheckRun = { state: "running", name, input: evidence, progress: null, rejected: [], document: null, file: null, note: null, ms: null };
  const update = (part: Partial<CheckRun>): void => {
    // The one that gave way hears of its end only when the next has begun.
    if (number === checks) checkRun.value = run = { ...run, ...part };
  };
  update({});
  const arrived = gathered<Extract<Event, { kind: "checked" }>>((events) => {
    const last = events[events.length - 1]!;
    const rejected = [...run.rejected, ...events.flatMap((event) => event.rejected ?? [])].slice(0, SHOWN_CLAIMS);
    update({ rejected, progress: { steps: last.claims, limit: last.of, text: "" } });
  });
  const outcome = await long.ask({ kind: "check", file: evidence }, (event) => {
    if (event.kind === "checked") arrived.add(event);
  });
  arrived.flush();
  if (outcome.kind === "failed") {
    // Not the program's doing: no link would reproduce it, the file does.
    update({ state: "failed", note: `the engine gave up on the file: ${outcome.message}`, progress: null });
    return;
  }
  const document = finish<"check">(outcome, ({ evidence: _, ...part }) => update(part));
  if (document && outcome.kind === "answer") update({ document, rejected: document.rejected, file: outcome.extra.checked ?? null });
}

type Finish = (part: { refused?: Diagnostic[]; state: PathsRun["state"]; note?: string | null; progress?: null; ms?: number; evidence?: Blob | null }) => void;

type DocumentOf<K extends keyof Answers> = Extract<Answers[K], { kind: "document" }>["document"];

/** Notes how a run ended; the document if it ended with one. */
export function finish<K extends "paths" | "draw" | "draw-pruned" | "prune" | "explain" | "cover" | "compare" | "run" | "check">(outcome: Outcome<K>, update: Finish): DocumentOf<K> | null {
  if (outcome.kind === "cancelled") {
    update({ state: "cancelled", progress: null });
  } else if (outcome.kind === "failed") {
    update({ state: "failed", note: outcome.message, progress: null });
    engineError.value = outcome.message;
  } else if (outcome.reply.kind === "refused") {
    const { diagnostics: refused } = outcome.reply;
    update({ state: "failed", note: refused[0]?.message ?? "The program was refused.", progress: null, refused });
  } else {
    update({ state: "done", progress: null, ms: outcome.ms, evidence: outcome.extra.evidence ?? null });
    return outcome.reply.document as DocumentOf<K>;
  }
  return null;
}

/** The text of a random program; `null` if the engine was asked something else in the meantime. */
export async function randomProgram(diamonds: number, seed: number): Promise<string | null> {
  const outcome = await quick.ask({ kind: "generate", diamonds, seed });
  if (outcome.kind === "failed") engineError.value = outcome.message;
  return outcome.kind === "answer" && outcome.reply.kind === "document" ? outcome.reply.document.text : null;
}

/** Stops what runs; results that have arrived stay. */
export function stopRuns(): void {
  long.cancel();
}

export function cancelAll(): void {
  long.cancel();
  quick.cancel();
  notice.value = { text: "Cancelled. What was found so far is kept.", tone: "info" };
}
