// What the Run tab asks.

import type { Input } from "../../protocol";
import { analyse, finish, long, request, stopRuns } from "../../session";
import { type ExecutedRun, change, executedRun, settings, shownPath } from "../../state";
import { fieldsOf, readInput } from "./input";

/** The limit of steps of a first run; going on takes ten times as many. */
export const RUN_LIMIT = 1_000_000;

let runs = 0;

/** Runs the function on what the fields say; a run that has not ended gives way. */
export async function runOnce(limit: number = RUN_LIMIT): Promise<void> {
  const number = ++runs;
  stopRuns();
  const found = await analyse();
  if (!found || number !== runs) return;
  const { input, wrong } = readInput(settings.value.run, found.cfg.inputs);
  if (wrong.size > 0) return;
  let run: ExecutedRun = { state: "running", text: found.text, cfg: found.cfg, input, document: null, refused: [], limit, progress: null, note: null, ms: null, evidence: null };
  const update = (part: Partial<ExecutedRun>): void => {
    // The one that gave way hears of its end only when the next has begun.
    if (number === runs) executedRun.value = run = { ...run, ...part };
  };
  if (shownPath.value?.of === "run") shownPath.value = null;
  update({});
  const outcome = await long.ask({ kind: "run", request: request({ limit }), input });
  const document = finish<"run">(outcome, update);
  if (!document || number !== runs) return;
  update({ document });
  shownPath.value = { of: "run", index: 0, step: 0 };
}

/** Shows the Run tab with this input, and runs it. */
export function runThis(input: Input): void {
  change({ tab: "run", run: fieldsOf(input) });
  void runOnce();
}
