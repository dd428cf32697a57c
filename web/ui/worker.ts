// The engine's thread: a module worker around the engine. It answers one question at a time; the page cancels by ending the
// worker, so nothing here listens while the engine runs.

import { EvidenceWriter, SHOWN_CLAIMS, shownFile } from "./evidence";
import type { Answers, Chore, Extra, FromWorker, Question, ToWorker } from "./messages";
import type { CheckDocument, Reply, Request } from "./protocol";
import { SHOWN_STEPS } from "./settings";
import type { Engine, OnEvent } from "./shim";

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
function reporter(id: number): OnEvent {
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

async function check(engine: Engine, file: Blob, on: OnEvent): Promise<Answered> {
  let evidence: unknown = null;
  let unreadable: string | null = null;
  try {
    evidence = JSON.parse(await file.text());
  } catch (error) {
    unreadable = textOf(error);
  }
  const reply = engine.ask("check", { request: null, settings: { evidence, unreadable } }, on) as Reply<CheckDocument>;
  if (reply.kind !== "document") return { reply, extra: {} };
  // How many were rejected stands in the kinds; a file of nothing but wrong claims must not flood the page.
  reply.document.rejected.splice(SHOWN_CLAIMS);
  return { reply, extra: { checked: shownFile(evidence as Record<string, unknown>, reply.document.rejected) } };
}

/** Loads the engine as a page needs it that opens. */
async function start(): Promise<Engine> {
  // In a variable, so that esbuild leaves the import to the browser.
  const address = `./culdesac-web.js?${BUILD}`;
  // Fetched while the script is.
  const wasm = fetch(`./culdesac-web_bg.wasm?${BUILD}`);
  wasm.catch(() => {});
  const engine = (await import(address)) as Engine;
  await engine.default({ module_or_path: wasm });
  return engine;
}

class NotLoaded extends Error {}

/** Loads what a question needs beyond that. What failed while nobody waited for it is tried again. */
async function load(engine: Engine, name: string): Promise<void> {
  await engine.load(name).catch((error: unknown) => {
    throw new NotLoaded(textOf(error));
  });
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const nameOf = ({ kind }: Question): string => (kind === "draw-pruned" ? "draw" : kind);

/** A question as the engine takes it: the program and the settings. */
function put(question: Exclude<Question, { kind: "check" }>): [request: Request | null, settings: unknown] {
  switch (question.kind) {
    case "cfg":
      return [question.request, {}];
    case "paths":
      return [question.request, { lengths: question.lengths, feasible: question.feasible }];
    case "run":
      return [question.request, { input: question.input }];
    case "draw":
    case "draw-pruned": {
      const pruned = question.kind === "draw" ? null : question.settings;
      return [question.request, { length: question.length, count: question.count, feasible_only: question.feasibleOnly, pruned }];
    }
    case "prune":
      return [question.request, { graph: question.settings, lengths: question.lengths, feasible: question.feasible }];
    case "explain":
    case "cover":
      return [question.request, question.settings];
    case "compare":
      return [null, question.settings];
    case "generate":
      return [null, { diamonds: question.diamonds, seed: question.seed }];
  }
}

async function answerTo(engine: Engine, question: Question, on: OnEvent): Promise<Answered> {
  if (question.kind === "check") return check(engine, question.file, on);
  const writer = new EvidenceWriter();
  const [request, settings] = put(question);
  const answer = engine.ask(nameOf(question), { request, settings }, on, (piece) => writer.add(piece));
  return { reply: answer as Answers[keyof Answers], extra: writer.file ? { evidence: writer.file } : {} };
}

/** The browser compiles a function of the engine when it is first called, which makes a first run several times slower than
 * the next one. A small one before anybody asks takes that time away from the first. */
const WARM_UP =
  "int f(int n, int m) { int i = 0; int j = 0; while (i < n && j < m) { if (nondet()) { i = i + 1; } else { j = j + 1; } } while (i < n) { i = i + 1; } return j; }";

const WARM_REQUEST = { program: "warm-up", source: WARM_UP, function: null, limit: 200_000, seed: 0, ints: null, inline_depth: null };
const nobody = (): boolean => true;

/** What is run ahead by each chore. */
const CHORES: Record<Chore["chore"], [name: string, settings: unknown][]> = {
  warm: [["paths", { lengths: [6, 14], feasible: true }]],
  ahead: [
    ["draw", { length: 14, count: 2, feasible_only: true, pruned: null }],
    ["prune", { graph: { abstraction: "learn", restarts: true, lookahead: 6, max_red_length: null, precondition: null }, lengths: [6, 14], feasible: true }],
    ["explain", { max_instructions: 14, order: "first", check: "integer", extend: "detours", path: null, compare: 0, rounds: null }],
  ],
};

async function warmUp(engine: Engine, { chore }: Chore): Promise<void> {
  const before = asked;
  for (const [name, settings] of CHORES[chore]) {
    try {
      await load(engine, name);
      // With a question in between it is warm, and another may be waiting.
      if (asked !== before) return;
      engine.ask(name, { request: WARM_REQUEST, settings }, nobody, nobody);
    } catch (error) {
      // What cannot be loaded is told to the question that needs it.
      if (!(error instanceof NotLoaded)) post({ kind: "broken", message: textOf(error) });
      return;
    }
  }
}

let asked = 0;

async function answer(engine: Engine, { id, question }: Extract<ToWorker, { id: number }>): Promise<void> {
  lastComplaint = "";
  asked++;
  try {
    await load(engine, nameOf(question));
    const started = performance.now();
    const { reply, extra } = await answerTo(engine, question, reporter(id));
    post({ kind: "answer", id, reply, extra, ms: performance.now() - started });
  } catch (error) {
    // Whatever it was, the instance is not to be trusted any more; the page starts a new worker.
    if (error instanceof NotLoaded) post({ kind: "broken", message: error.message });
    else post({ kind: "failed", id, message: lastComplaint || textOf(error) });
  }
}

function hear(engine: Engine, message: ToWorker): void {
  if ("id" in message) void answer(engine, message);
  else void warmUp(engine, message);
}

try {
  const engine = await start();
  self.onmessage = ({ data }: MessageEvent<ToWorker>) => hear(engine, data);
  post({ kind: "ready", version: engine.version() });
} catch (error) {
  post({ kind: "broken", message: textOf(error) });
}
