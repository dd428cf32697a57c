// The engines, and the control-flow graph, which everything else is about: a quick engine for the graph, which follows the
// typing, and one for each run that may take long (run.ts), so that runs of several tabs go on beside each other.

import type { Text } from "@codemirror/state";
import { batch } from "@preact/signals";
import { whenIdle } from "../browser/idle";
import { forTarget } from "../editor/files";
import { Engine } from "../engine/engine";
import { loadAhead, loadBeside, supply } from "../engine/modules";
import type { Request } from "../protocol";
import { assumptions } from "./settings";
import {
  type Asked,
  analysing,
  diagnostics,
  engineError,
  engineVersion,
  type Known,
  known,
  notice,
  program,
  selected,
  settings,
  shownPath,
  sourceOf,
  stale,
  text,
} from "./state";

declare const BUILD: string;

const spawn = (): Worker => supply(new Worker(`./worker.js?${BUILD}`, { type: "module" }));
export const quick = new Engine(spawn, (version) => (engineVersion.value = version));
/** The first of those for runs; others are there only while they are needed. */
const long = new Engine(spawn);
const besides = new Set<Engine>();

/** An idle engine. */
export function idleEngine(): Engine {
  if (!long.busy) return long;
  const another = [...besides].find(({ busy }) => !busy) ?? new Engine(spawn);
  besides.add(another);
  return another;
}

/** The engine has answered. */
export function freed(engine: Engine): void {
  if (!besides.has(engine) || engine.busy) return;
  besides.delete(engine);
  engine.end();
}

/** For the answer in the bar, which is worked out beside whatever runs. */
export const aside = new Engine(spawn);

/** Loads the engine while the page is still being set up, and beside its first part the one that answers in the bar. */
export function warmUp(): void {
  quick.start();
  loadBeside(["answer"]);
}

/** Loads what the analysis of a tab needs. */
export const warmUpFor = (tab: string): void => void loadAhead([tab]);

/** Loads the second engine, once the first has nothing to do; then, once the browser has nothing to do either, what only some
 * tabs need. */
export function warmUpLong(): void {
  long.warm();
  whenIdle(() => {
    long.ahead();
    void loadAhead();
  });
}

export function request({ seed = 0, limit = null }: { seed?: number; limit?: number | null } = {}): Request {
  return {
    program: program.value,
    source: forTarget(sourceOf(text.value), settings.value.target),
    function: settings.value.function,
    limit,
    seed,
    ints: settings.value.ints,
    inline_depth: settings.value.inlineDepth,
    ...assumptions(settings.value.assume),
  };
}

let asking: (Asked & { text: Text; answer: Promise<Known | null> }) | null = null;

/** The control-flow graph of the text as it is now; `null` if it was refused or overtaken. */
export function analyse(): Promise<Known | null> {
  const now = text.value;
  const { function: asked, ints, inlineDepth, assume, target } = settings.value;
  if (
    asking?.text === now &&
    asking.asked === asked &&
    asking.ints === ints &&
    asking.inlineDepth === inlineDepth &&
    asking.assume === assume &&
    asking.target === target
  )
    return asking.answer;
  if (known.value && !stale.value) {
    // Back at a text that is known: what was said of another one holds no more.
    diagnostics.value = known.value.cfg.diagnostics;
    return Promise.resolve(known.value);
  }
  const answer = askCfg(now, { asked, ints, inlineDepth, assume, target }).finally(() => {
    if (asking?.answer === answer) {
      asking = null;
      analysing.value = false;
    }
  });
  asking = { text: now, asked, ints, inlineDepth, assume, target, answer };
  analysing.value = true;
  // What an edit has cancelled is asked again as soon as the graph is there.
  for (const engine of [aside, long]) engine.startAgain();
  return answer;
}

async function askCfg(now: Text, { asked, ...rest }: Asked): Promise<Known | null> {
  const outcome = await quick.ask({ name: "cfg", request: request(), settings: {} });
  if (outcome.kind === "cancelled") return null;
  if (outcome.kind === "failed") {
    engineError.value = outcome.message;
    return null;
  }
  const { reply, ms } = outcome;
  if (reply.kind === "refused") {
    // The function that was chosen may be gone from the text: that is no fault of the program.
    if (asked !== null && text.value === now && settings.value.function === asked) {
      const second = await quick.ask({ name: "cfg", request: { ...request(), function: null }, settings: {} });
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
    if (
      !known.value?.text.eq(found.text) ||
      known.value.cfg.function !== found.cfg.function ||
      known.value.cfg.ints !== found.cfg.ints ||
      known.value.cfg.inline_depth !== found.cfg.inline_depth ||
      known.value.assume !== found.assume ||
      known.value.target !== found.target
    ) {
      selected.clear();
      shownPath.clear();
    }
    known.value = found;
    if (diagnostics.value.length + found.cfg.diagnostics.length > 0) diagnostics.value = found.cfg.diagnostics;
    engineError.value = null;
  });
  return found;
}

export function cancelAnalysis(): void {
  quick.cancel();
  notice.value = { text: "Cancelled.", tone: "info" };
}
