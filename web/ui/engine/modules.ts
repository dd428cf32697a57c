// The engine's compiled modules. The page keeps them and posts them to its workers: each is fetched once, however many workers there are,
// and a worker that replaces one that was ended finds what the browser has compiled of it so far.

import type { FromWorker, ToWorker } from "./messages";

/** Names the build in the addresses of the engine's files, which Trunk does not hash: no cache mixes two builds. */
declare const BUILD: string;
/** The files of each of the engine's parts, in the order of loading (scripts/parts.mjs). */
declare const PARTS: Record<string, readonly string[]>;

/** What a worker needs before it can be asked anything. */
export const FIRST = "culdesac-web_bg.wasm";

const ready = new Map<string, WebAssembly.Module>();
const coming = new Map<string, Promise<WebAssembly.Module>>();

/** The compiled module of a file, `ahead` of questions after what else travels. What failed is tried again with the next call. */
function moduleOf(file: string, ahead = false): Promise<WebAssembly.Module> {
  const known = coming.get(file);
  if (known) return known;
  const module = WebAssembly.compileStreaming(fetch(`./${file}?${BUILD}`, { priority: ahead ? "low" : "auto" }));
  coming.set(file, module);
  module.then(
    (module) => ready.set(file, module),
    () => coming.delete(file),
  );
  return module;
}

/** Posts a worker what is there, and what it asks for. */
export function supply(worker: Worker): Worker {
  const give = (message: ToWorker): void => worker.postMessage(message);
  for (const [file, module] of ready) give({ file, module });
  worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
    if (data.kind !== "wants") return;
    const { file } = data;
    if (file === FIRST) startBeside();
    moduleOf(file).then(
      (module) => give({ file, module }),
      (error: unknown) => give({ file, missing: error instanceof Error ? error.message : String(error) }),
    );
  });
  return worker;
}

/** Files that are loaded beside the first one, from the moment at which a worker waits for it. */
let beside: string[] = [];
function startBeside(): void {
  for (const file of beside.splice(0)) moduleOf(file, true).catch(() => {});
}

/** Loads parts while the first file is still on its way: a worker that asks for that has its scripts, so most of the file is there, and no time
 * is lost between the two. */
export function loadBeside(parts: readonly string[]): void {
  beside = parts.flatMap((part) => PARTS[part] ?? []);
  void moduleOf(FIRST).then(startBeside, () => {});
}

/** The parts of buttons and of further views, which a click on a tab does not need: they come last. */
const LATER = ["compare", "check", "export", "documents"];

/** Loads parts while no question waits for them, one after the other, those of tabs first; what fails is told to the question that needs it. */
export async function loadAhead(parts: readonly string[] = Object.keys(PARTS)): Promise<void> {
  const inOrder = [...parts].sort((a, b) => LATER.indexOf(a) - LATER.indexOf(b));
  try {
    await moduleOf(FIRST);
    for (const file of inOrder.flatMap((part) => PARTS[part] ?? [])) await moduleOf(file, true);
  } catch {
    // See above.
  }
}
