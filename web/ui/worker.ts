// The engine's thread: a module worker around the engine's two wasm modules, of which the second is loaded when a question
// first needs it, or ahead when the page has nothing to do. It answers one question at a time; the page cancels by ending
// the worker, so nothing here listens while the engine runs.

import { EvidenceWriter, type Piece, SHOWN_CLAIMS, shownFile } from "./evidence";
import { type Answers, type Extra, type FromWorker, type OnDemandQuestion, type Question, type ToWorker, isOnDemand } from "./messages";
import type { Event } from "./protocol";
import { SHOWN_STEPS } from "./settings";
import type { Engine, OnDemand } from "./shim";

/** Names the build in the addresses of the engine's files, which Trunk does not hash: no cache mixes two builds. */
declare const BUILD: string;

const post = (message: FromWorker): void => self.postMessage(message);

// The panic hook writes the panic's text to console.error, then the instance traps with a bare "unreachable".
let lastComplaint = "";
const complain = console.error;
console.error = (...parts: unknown[]) => {
  lastComplaint = parts.map(String).join(" ").split("\n\nStack:")[0] ?? "";
  complain(...parts);
};

/** Progress is for people: ten times a second is plenty. Rows and paths are results and always pass, and so do the
 * rejected claims that are shown. */
function reporter(id: number): (event: Event) => boolean {
  let last = -Infinity;
  let rejected = 0;
  let steps = 0;
  return (event) => {
    const shown = event.kind === "checked" && event.rejected !== null && ++rejected <= SHOWN_CLAIMS;
    if (event.kind === "progress" || (event.kind === "checked" && !shown)) {
      const now = performance.now();
      if (now - last < 100) return true;
      last = now;
    }
    // Each step of a construction passes, in order, up to as many as the page keeps.
    if (event.kind === "pruning" && ++steps > SHOWN_STEPS) return true;
    post({ kind: "event", id, event });
    return true;
  };
}

interface Answered {
  reply: Answers[keyof Answers];
  extra: Extra;
}

async function check(module: OnDemand, file: Blob, on: (event: Event) => boolean): Promise<Answered> {
  let data: unknown;
  try {
    data = JSON.parse(await file.text());
  } catch (error) {
    return { reply: module.not_evidence(error instanceof Error ? error.message : String(error)), extra: {} };
  }
  const reply = module.check(data, on);
  if (reply.kind !== "document") return { reply, extra: {} };
  // How many were rejected stands in the kinds; a file of nothing but wrong claims must not flood the page.
  reply.document.rejected.splice(SHOWN_CLAIMS);
  return { reply, extra: { checked: shownFile(data as Record<string, unknown>, reply.document.rejected) } };
}

/** Loads one of the engine's modules; another attempt needs another address, as browsers remember one that failed. */
async function load<M extends Engine | OnDemand>(name: string, attempt = 0): Promise<M> {
  const build = attempt === 0 ? BUILD : `${BUILD}.${attempt}`;
  // In a variable, so that esbuild leaves the import to the browser.
  const address = `./${name}.js?${build}`;
  const module = (await import(address)) as M;
  await module.default({ module_or_path: new URL(`./${name}_bg.wasm?${build}`, self.location.href) });
  return module;
}

let loading: Promise<OnDemand> | null = null;
let attempts = 0;
let neededOnDemand = false;

/** The second module. What failed while nobody waited for it is tried again. */
function onDemand(): Promise<OnDemand> {
  loading ??= load<OnDemand>("culdesac-on-demand", attempts++).catch((error: unknown) => {
    loading = null;
    throw new NotLoaded(textOf(error));
  });
  return loading;
}

class NotLoaded extends Error {}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function writing(): { take: (piece: Piece) => void; withEvidence: (reply: Answers[keyof Answers]) => Answered } {
  const writer = new EvidenceWriter();
  return { take: (piece) => writer.add(piece), withEvidence: (reply) => ({ reply, extra: writer.file ? { evidence: writer.file } : {} }) };
}

function answerTo(engine: Engine, question: Exclude<Question, OnDemandQuestion>, on: (event: Event) => boolean): Answered {
  const { take, withEvidence } = writing();
  switch (question.kind) {
    case "cfg":
      return { reply: engine.cfg(question.request), extra: {} };
    case "paths":
      return withEvidence(engine.paths(question.request, Uint32Array.from(question.lengths), question.feasible, on, take));
    case "run":
      return { reply: engine.run(question.request, question.input), extra: {} };
  }
}

function answerOnDemand(module: OnDemand, question: OnDemandQuestion, on: (event: Event) => boolean): Answered | Promise<Answered> {
  const { take, withEvidence } = writing();
  switch (question.kind) {
    case "draw":
      return withEvidence(module.draw(question.request, question.length, question.count, question.feasibleOnly, on, take));
    case "prune":
      return withEvidence(module.prune(question.request, question.settings, Uint32Array.from(question.lengths), question.feasible, on, take));
    case "draw-pruned":
      return withEvidence(module.draw_pruned(question.request, question.settings, question.length, question.count, question.feasibleOnly, on, take));
    case "explain":
      return withEvidence(module.explain(question.request, question.settings, on, take));
    case "cover":
      return withEvidence(module.cover(question.request, question.settings, on, take));
    case "compare":
      return { reply: module.compare(question.settings, on), extra: {} };
    case "check":
      return check(module, question.file, on);
    case "generate":
      return { reply: module.generate(question.diamonds, BigInt(question.seed)), extra: {} };
  }
}

/** How a question is answered, once the module that it needs is loaded. */
async function ready(engine: Engine, question: Question, on: (event: Event) => boolean): Promise<() => Answered | Promise<Answered>> {
  if (!isOnDemand(question)) return () => answerTo(engine, question, on);
  neededOnDemand = true;
  const module = await onDemand();
  return () => answerOnDemand(module, question, on);
}

/** The browser compiles a function of the engine when it is first called, which makes a first run several times slower than
 * the next one. A small one before anybody asks takes that time away from the first. */
const WARM_UP =
  "int f(int n, int m) { int i = 0; int j = 0; while (i < n && j < m) { if (nondet()) { i = i + 1; } else { j = j + 1; } } while (i < n) { i = i + 1; } return j; }";

const WARM_REQUEST = { program: "warm-up", source: WARM_UP, function: null, limit: 200_000, seed: 0, ints: null, inline_depth: null };
const nobody = (): boolean => true;

function warmUp(engine: Engine): void {
  try {
    engine.paths(WARM_REQUEST, Uint32Array.of(6, 14), true, nobody, nobody);
  } catch (error) {
    post({ kind: "broken", message: textOf(error) });
  }
}

async function loadAhead(): Promise<void> {
  // A failure is told to the question that needs the module.
  const module = await onDemand().catch(() => null);
  // With a question in between it is warm, and another may be waiting.
  if (!module || neededOnDemand) return;
  const pruning = { abstraction: "learn", restarts: true, lookahead: 6, max_red_length: null, precondition: null };
  const explaining = { max_instructions: 14, order: "first", check: "integer", extend: "detours", path: null, compare: 0, rounds: null } as const;
  try {
    module.draw(WARM_REQUEST, 14, 2, true, nobody, nobody);
    module.prune(WARM_REQUEST, pruning, Uint32Array.of(6, 14), true, nobody, nobody);
    module.explain(WARM_REQUEST, explaining, nobody, nobody);
  } catch (error) {
    post({ kind: "broken", message: textOf(error) });
  }
}

async function answer(engine: Engine, { id, question }: Extract<ToWorker, { id: number }>): Promise<void> {
  lastComplaint = "";
  try {
    const run = await ready(engine, question, reporter(id));
    const started = performance.now();
    const { reply, extra } = await run();
    post({ kind: "answer", id, reply, extra, ms: performance.now() - started });
  } catch (error) {
    // Whatever it was, the instance is not to be trusted any more; the page starts a new worker.
    if (error instanceof NotLoaded) post({ kind: "broken", message: error.message });
    else post({ kind: "failed", id, message: lastComplaint || textOf(error) });
  }
}

function hear(engine: Engine, message: ToWorker): void {
  if ("id" in message) void answer(engine, message);
  else if (message.chore === "warm") warmUp(engine);
  else void loadAhead();
}

try {
  const engine = await load<Engine>("culdesac-web");
  self.onmessage = ({ data }: MessageEvent<ToWorker>) => hear(engine, data);
  post({ kind: "ready", version: engine.version() });
} catch (error) {
  post({ kind: "broken", message: textOf(error) });
}
