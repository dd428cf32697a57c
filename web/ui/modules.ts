// The engine's two wasm modules, behind one `ask`. The second is loaded when a question first needs it, or ahead when the page
// has nothing to do.

import type { Name } from "./messages";
import type { Engine } from "./shim";

/** Names the build in the addresses of the engine's files, which Trunk does not hash: no cache mixes two builds. */
declare const BUILD: string;

const FIRST: ReadonlySet<Name> = new Set<Name>(["cfg", "paths", "run"]);
export const isOnDemand = (name: Name): boolean => !FIRST.has(name);

/** Loads one of the engine's modules; another attempt needs another address, as browsers remember one that failed. */
async function load(name: string, attempt = 0): Promise<any> {
  const build = attempt === 0 ? BUILD : `${BUILD}.${attempt}`;
  // In a variable, so that esbuild leaves the import to the browser.
  const address = `./${name}.js?${build}`;
  const module = await import(address);
  await module.default({ module_or_path: new URL(`./${name}_bg.wasm?${build}`, self.location.href) });
  return module;
}

let first: any = null;
/** Loads the first module, without which nothing can be asked. */
export async function start(): Promise<void> {
  first = await load("culdesac-web");
}

let second: any = null;
let loading: Promise<void> | null = null;
let attempts = 0;

export class NotLoaded extends Error {}

/** Loads the second module. What failed while nobody waited for it is tried again. */
export function loadOnDemand(): Promise<void> {
  return (loading ??= load("culdesac-on-demand", attempts++).then(
    (module) => void (second = module),
    (error: unknown) => {
      loading = null;
      throw new NotLoaded(error instanceof Error ? error.message : String(error));
    },
  ));
}

export const version = (): string => first.version();

export const ask: Engine["ask"] = (name, { request, settings }, on, take) => {
  const s = settings as any;
  switch (name as Name) {
    case "cfg": return first.cfg(request);
    case "paths": return first.paths(request, Uint32Array.from(s.lengths), s.feasible, on, take);
    case "run": return first.run(request, s.input);
    case "draw":
      return s.pruned ? second.draw_pruned(request, s.pruned, s.length, s.count, s.feasible_only, on, take) : second.draw(request, s.length, s.count, s.feasible_only, on, take);
    case "prune": return second.prune(request, s.graph, Uint32Array.from(s.lengths), s.feasible, on, take);
    case "explain": return second.explain(request, s, on, take);
    case "cover": return second.cover(request, s, on, take);
    case "compare": return second.compare(s, on);
    case "check": return s.unreadable === null ? second.check(s.evidence, on) : second.not_evidence(s.unreadable);
    case "generate": return { kind: "document", document: { text: second.generate(s.diamonds, BigInt(s.seed)) } };
  }
};
