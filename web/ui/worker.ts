// The engine's thread: a module worker around the wasm shim. It answers one question at a time; the page cancels by
// ending the worker, so nothing here listens while the engine runs.

import { EvidenceWriter, type Piece, SHOWN_CLAIMS, shownFile } from "./evidence";
import type { Answers, Extra, FromWorker, Question, ToWorker } from "./messages";
import type { Event } from "./protocol";
import { SHOWN_STEPS } from "./settings";
import type * as Shim from "./shim";

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

async function check(shim: typeof Shim, file: Blob, on: (event: Event) => boolean): Promise<Answered> {
  let data: unknown;
  try {
    data = JSON.parse(await file.text());
  } catch (error) {
    return { reply: shim.not_evidence(error instanceof Error ? error.message : String(error)), extra: {} };
  }
  const reply = shim.check(data, on);
  if (reply.kind !== "document") return { reply, extra: {} };
  // How many were rejected stands in the kinds; a file of nothing but wrong claims must not flood the page.
  reply.document.rejected.splice(SHOWN_CLAIMS);
  return { reply, extra: { checked: shownFile(data as Record<string, unknown>, reply.document.rejected) } };
}

async function answerTo(shim: typeof Shim, question: Question, on: (event: Event) => boolean): Promise<Answered> {
  const writer = new EvidenceWriter();
  const take = (piece: Piece): void => writer.add(piece);
  const withEvidence = (reply: Answers[keyof Answers]): Answered => ({ reply, extra: writer.file ? { evidence: writer.file } : {} });
  switch (question.kind) {
    case "cfg":
      return { reply: shim.cfg(question.request), extra: {} };
    case "paths":
      return withEvidence(shim.paths(question.request, Uint32Array.from(question.lengths), question.feasible, on, take));
    case "draw":
      return withEvidence(shim.draw(question.request, question.pruned ?? undefined, question.length, question.count, question.feasibleOnly, on, take));
    case "prune":
      return withEvidence(shim.prune(question.request, question.settings, Uint32Array.from(question.lengths), question.feasible, on, take));
    case "explain":
      return withEvidence(shim.explain(question.request, question.settings, on, take));
    case "check":
      return check(shim, question.file, on);
  }
}

/** The browser compiles a function of the engine when it is first called, which makes a first run several times slower than
 * the next one. A small one before anybody asks takes that time away from the first. */
const WARM_UP =
  "int f(int n, int m) { int i = 0; int j = 0; while (i < n && j < m) { if (nondet()) { i = i + 1; } else { j = j + 1; } } while (i < n) { i = i + 1; } return j; }";

function warmUp(shim: typeof Shim): void {
  const request = { program: "warm-up", source: WARM_UP, function: null, limit: 200_000, seed: 0 };
  const settings = { abstraction: "learn", restarts: true, lookahead: 6, max_red_length: null, precondition: null };
  const nobody = (): boolean => true;
  try {
    shim.prune(request, settings, Uint32Array.of(6, 14), true, nobody, nobody);
  } catch (error) {
    post({ kind: "broken", message: error instanceof Error ? error.message : String(error) });
  }
}

async function answer(shim: typeof Shim, { id, question }: Extract<ToWorker, { id: number }>): Promise<void> {
  const started = performance.now();
  lastComplaint = "";
  try {
    const { reply, extra } = await answerTo(shim, question, reporter(id));
    post({ kind: "answer", id, reply, extra, ms: performance.now() - started });
  } catch (error) {
    // Whatever it was, the instance is not to be trusted any more; the page starts a new worker.
    const text = error instanceof Error ? error.message : String(error);
    post({ kind: "failed", id, message: lastComplaint || text });
  }
}

try {
  // In a variable, so that esbuild leaves the import to the browser.
  const address = `./culdesac-web.js?${BUILD}`;
  const shim = (await import(address)) as typeof Shim;
  await shim.default({ module_or_path: new URL(`./culdesac-web_bg.wasm?${BUILD}`, self.location.href) });
  self.onmessage = ({ data }: MessageEvent<ToWorker>) => void ("warm" in data ? warmUp(shim) : answer(shim, data));
  post({ kind: "ready", version: shim.version() });
} catch (error) {
  post({ kind: "broken", message: error instanceof Error ? error.message : String(error) });
}
