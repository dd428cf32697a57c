// The engine's thread: a module worker around the engine. It answers one question at a time; the page cancels by ending the
// worker, so nothing here listens while the engine runs. What it knows of single analyses stands in
// analyses/worker-registry.ts.

import { atWorker, warmUps } from "./analyses/worker-registry";
import type { AtWorker } from "./engine/at-worker";
import { EvidenceWriter } from "./engine/evidence";
import type { Chore, Extra, FromWorker, Name, Question, Supply, ToWorker } from "./engine/messages";
import { FIRST } from "./engine/modules";
import { reporter } from "./engine/reporter";
import type { Engine } from "./engine/shim";
import type { Reply, Request } from "./protocol";

/** Names the build in the addresses of the engine's files, which Trunk does not hash: no cache mixes two builds. */
declare const BUILD: string;

const post = (message: FromWorker): void => self.postMessage(message);
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

// The panic hook writes the panic's text to console.error, then the instance traps with a bare "unreachable".
let lastComplaint = "";
const complain = console.error;
console.error = (...parts: unknown[]) => {
  lastComplaint = parts.map(String).join(" ").split("\n\nStack:")[0] ?? "";
  complain(...parts);
};

const supplied = new Map<string, Promise<WebAssembly.Module>>();
const awaited = new Map<string, (supply: Supply) => void>();

/** Takes a module that the page posts, asked for or not. */
function take(supply: Supply): void {
  const waiting = awaited.get(supply.file);
  awaited.delete(supply.file);
  if (waiting) waiting(supply);
  else if ("module" in supply) supplied.set(supply.file, Promise.resolve(supply.module));
}

/** The compiled module of a file, which the page has or fetches. */
function moduleOf(file: string): Promise<WebAssembly.Module> {
  const known = supplied.get(file);
  if (known) return known;
  const module = new Promise<WebAssembly.Module>((resolve, reject) => {
    awaited.set(file, (supply) => ("module" in supply ? resolve(supply.module) : reject(new Error(supply.missing))));
  });
  supplied.set(file, module);
  module.catch(() => supplied.delete(file));
  post({ kind: "wants", file });
  return module;
}

/** Loads the engine as a page needs it that opens. */
async function start(): Promise<Engine> {
  // In a variable, so that esbuild leaves the import to the browser.
  const address = `./culdesac-web.js?${BUILD}`;
  // On its way while the script is.
  const first = moduleOf(FIRST);
  first.catch(() => {});
  const engine = (await import(address)) as Engine;
  engine.takeModulesFrom(moduleOf);
  await engine.default({ module_or_path: first });
  return engine;
}

class NotLoaded extends Error {}

/** Loads what a question needs beyond that. What failed in the background is tried again. */
async function load(engine: Engine, name: Name): Promise<void> {
  await engine.load(name).catch((error: unknown) => {
    throw new NotLoaded(textOf(error));
  });
}

async function answerTo<A extends Name>(
  engine: Engine,
  id: number,
  { name, request, settings: given }: Question<A>,
): Promise<{ reply: Reply<unknown>; extra: Extra }> {
  const { read, also, evidence, ...passing }: AtWorker<A> = atWorker(name);
  const settings = read ? await read(given) : given;
  const writer = evidence ? new EvidenceWriter() : null;
  const reply = engine.ask(
    name,
    { request, settings },
    reporter(passing, (event) => post({ kind: "event", id, event })),
    writer ? (piece) => writer.add(piece) : undefined,
  );
  const extra: Extra = {};
  if (writer?.file) extra.evidence = writer.file;
  if (also && reply.kind === "document") extra.also = also(reply.document, settings);
  return { reply, extra };
}

/** The browser compiles a function of the engine when it is first called, which makes a first run several times slower than
 * the next one. A small one before the first query of the user takes that time away from it. */
const WARM_UP =
  "int f(int n, int m) { int i = 0; int j = 0; while (i < n && j < m) { if (nondet()) { i = i + 1; } else { j = j + 1; } } while (i < n) { i = i + 1; } return j; }";

const WARM_REQUEST: Request = {
  program: "warm-up",
  source: WARM_UP,
  function: null,
  limit: 200_000,
  seed: 0,
  ints: null,
  inline_depth: null,
  assume: [],
  no_assume: [],
};
const goOn = (): boolean => true;

let asked = 0;

async function warmUp(engine: Engine, { chore }: Chore): Promise<void> {
  const before = asked;
  for (const { name, settings } of warmUps(chore)) {
    try {
      await load(engine, name);
      // With a question in between it is warm, and another may be waiting.
      if (asked !== before) return;
      engine.ask(name, { request: WARM_REQUEST, settings }, goOn, goOn);
    } catch (error) {
      // What cannot be loaded is told to the question that needs it.
      if (!(error instanceof NotLoaded)) post({ kind: "broken", message: textOf(error) });
      return;
    }
  }
}

async function answer(engine: Engine, { id, question }: Extract<ToWorker, { id: number }>): Promise<void> {
  lastComplaint = "";
  asked++;
  try {
    await load(engine, question.name);
    const started = performance.now();
    const { reply, extra } = await answerTo(engine, id, question);
    post({ kind: "answer", id, reply, extra, ms: performance.now() - started });
  } catch (error) {
    // Whatever it was, the instance is not to be trusted any more; the page starts a new worker.
    if (error instanceof NotLoaded) post({ kind: "broken", message: error.message });
    else post({ kind: "failed", id, message: lastComplaint || textOf(error) });
  }
}

// Before anything is awaited: the page posts modules as soon as there is a worker.
let engine: Engine | null = null;
self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if ("file" in data) take(data);
  else if (!engine) return;
  else if ("id" in data) void answer(engine, data);
  else void warmUp(engine, data);
};
try {
  engine = await start();
  post({ kind: "ready", version: engine.version() });
} catch (error) {
  post({ kind: "broken", message: textOf(error) });
}
