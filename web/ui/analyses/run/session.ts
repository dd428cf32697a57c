// What the Run tab asks.

import type { Input } from "../../protocol";
import { run, type Task } from "../../state/run";
import { change, leavePaths, shownPath } from "../../state/state";
import { fieldsOf } from "./input";
import { runChoice } from "./settings";
import { type ExecutedRun, executed, executedRun } from "./state";

/** The limit of steps of a first run; going on takes ten times as many. */
export const RUN_LIMIT = 1_000_000;

/** Runs the function on what the fields say. */
export const executing: Task<"run", ExecutedRun> = {
  name: "run",
  run: executedRun,
  limit: RUN_LIMIT,
  question: () => {
    const { ends, ...fields } = runChoice.value;
    return { settings: { input: { nondet: [] } as unknown as Input, fields, is_open: !ends }, begin: {} };
  },
  begins: () => leavePaths(executed),
};

export async function runOnce(limit?: number): Promise<void> {
  const ended = await run(executing, limit === undefined ? {} : { limit });
  if (ended?.document) shownPath.in("run").value = { of: executed, index: 0, step: 0 };
}

executed.again = async () => {
  if (executedRun.value === null) await runOnce();
};

/** Shows the Run tab with this input, and runs it. */
export function runThis(input: Input): void {
  runChoice.value = fieldsOf(input);
  change({ tab: "run" });
  void runOnce();
}
