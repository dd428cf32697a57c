// The engine's thread: a module worker around the wasm shim. It answers one question at a time; the page cancels by
// ending the worker, so nothing here listens while the engine runs.

import type { FromWorker, ToWorker } from "./messages";
import type { Event } from "./protocol";
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

/** Progress is for people: ten times a second is plenty. Rows and paths are results and always pass. */
function reporter(id: number): (event: Event) => boolean {
  let last = -Infinity;
  return (event) => {
    if (event.kind === "progress") {
      const now = performance.now();
      if (now - last < 100) return true;
      last = now;
    }
    post({ kind: "event", id, event });
    return true;
  };
}

function answer(shim: typeof Shim, { id, question }: ToWorker): void {
  const started = performance.now();
  lastComplaint = "";
  try {
    const on = reporter(id);
    const { request } = question;
    const reply =
      question.kind === "cfg"
        ? shim.cfg(request)
        : question.kind === "paths"
          ? shim.paths(request, Uint32Array.from(question.lengths), question.feasible, on)
          : shim.draw(request, question.length, question.count, question.feasibleOnly, on);
    post({ kind: "answer", id, reply, ms: performance.now() - started });
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
  self.onmessage = (e: MessageEvent<ToWorker>) => answer(shim, e.data);
  post({ kind: "ready", version: shim.version() });
} catch (error) {
  post({ kind: "broken", message: error instanceof Error ? error.message : String(error) });
}
