// The engine's thread: a module worker around the engine's wasm. It answers one question at a time; the page cancels by ending
// the worker, so nothing here listens while the engine runs. What it knows of single analyses stands in
// analyses/worker-registry.ts.

import type { AtWorker } from "./analyses/at-worker";
import { atWorker, warmUps } from "./analyses/worker-registry";
import { EvidenceWriter } from "./evidence";
import * as engine from "./modules";
import type { Extra, FromWorker, Name, Question, ToWorker } from "./messages";
import type { Reply, Request } from "./protocol";
import { reporter } from "./reporter";

const post = (message: FromWorker): void => self.postMessage(message);
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

// The panic hook writes the panic's text to console.error, then the instance traps with a bare "unreachable".
let lastComplaint = "";
const complain = console.error;
console.error = (...parts: unknown[]) => {
  lastComplaint = parts.map(String).join(" ").split("\n\nStack:")[0] ?? "";
  complain(...parts);
};

async function answerTo<A extends Name>(id: number, { name, request, settings: given }: Question<A>): Promise<{ reply: Reply<unknown>; extra: Extra }> {
  const { read, also, evidence, ...which }: AtWorker<A> = atWorker(name);
  const settings = read ? await read(given) : given;
  const writer = evidence ? new EvidenceWriter() : null;
  const reply = engine.ask(name, { request, settings }, reporter(which, (event) => post({ kind: "event", id, event })), writer ? (piece) => writer.add(piece) : undefined);
  const extra: Extra = {};
  if (writer?.file) extra.evidence = writer.file;
  if (also && reply.kind === "document") extra.also = also(reply.document, settings);
  return { reply, extra };
}

/** The browser compiles a function of the engine when it is first called, which makes a first run several times slower than
 * the next one. A small one before anybody asks takes that time away from the first. */
const WARM_UP =
  "int f(int n, int m) { int i = 0; int j = 0; while (i < n && j < m) { if (nondet()) { i = i + 1; } else { j = j + 1; } } while (i < n) { i = i + 1; } return j; }";

const REQUEST: Request = { program: "warm-up", source: WARM_UP, function: null, limit: 200_000, seed: 0, ints: null, inline_depth: null };
const nobody = (): boolean => true;

/** Asks those that are answered by the same part of the engine. */
function warmUp(onDemand: boolean): void {
  try {
    for (const { name, settings } of warmUps) {
      if (engine.isOnDemand(name) === onDemand) engine.ask(name, { request: REQUEST, settings }, nobody, nobody);
    }
  } catch (error) {
    post({ kind: "broken", message: textOf(error) });
  }
}

/** Whether a question has needed what is loaded on demand: then it is warm, and another may be waiting. */
let needed = false;

async function loadAhead(): Promise<void> {
  // A failure is told to the question that needs the module.
  const there = await engine.loadOnDemand().then(() => true, () => false);
  if (there && !needed) warmUp(true);
}

async function answer({ id, question }: Extract<ToWorker, { id: number }>): Promise<void> {
  lastComplaint = "";
  try {
    if (engine.isOnDemand(question.name)) {
      needed = true;
      await engine.loadOnDemand();
    }
    const started = performance.now();
    const { reply, extra } = await answerTo(id, question);
    post({ kind: "answer", id, reply, extra, ms: performance.now() - started });
  } catch (error) {
    // Whatever it was, the instance is not to be trusted any more; the page starts a new worker.
    if (error instanceof engine.NotLoaded) post({ kind: "broken", message: error.message });
    else post({ kind: "failed", id, message: lastComplaint || textOf(error) });
  }
}

try {
  await engine.start();
  self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
    if ("id" in data) void answer(data);
    else if (data.chore === "warm") warmUp(false);
    else void loadAhead();
  };
  post({ kind: "ready", version: engine.version() });
} catch (error) {
  post({ kind: "broken", message: textOf(error) });
}
