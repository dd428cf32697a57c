// What the Reach tab asks.

import { run, type Task } from "../../state/run";
import { leavePaths } from "../../state/state";
import { reachChoice } from "./settings";
import { learned, look, type ReachRun, reached, reachRun } from "./state";

/** Asks what it takes to get to the target. */
export const reaching: Task<"reach", ReachRun> = {
  name: "reach",
  run: reachRun,
  question: () => {
    const { target, k } = reachChoice.value;
    return { settings: { target: target.trim() || null, k }, begin: { sofar: null } };
  },
  begins: () => leavePaths(reached),
  arrived: ({ sofar }, events) => ({ sofar: events.reduce(learned, sofar) }),
  evidence: { title: "Reach", file: "reach", how: "ask for a target" },
};

export async function reachTarget(limit?: number): Promise<void> {
  const ended = await run(reaching, limit === undefined ? {} : { limit });
  const path = ended?.document?.path ?? [];
  if (path.length > 0) look(0, path.length - 1);
}

reached.again = async () => {
  if (reachRun.value === null) await reachTarget();
};
