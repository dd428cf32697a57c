// What the Branches tab asks.

import type { Input } from "../../protocol";
import { run, type Task } from "../../state/run";
import { current, leavePaths } from "../../state/state";
import { coverRun } from "../cover/state";
import { branchesChoice, readInputs } from "./settings";
import { type BranchesRun, branched, branchesChosen, branchesRun, found, NOTHING } from "./state";
import { resetWork } from "./work-state";

/** The tests that Cover found for the program now shown; those that begin in the middle of a program's life are none here. */
export function coverTests(): Input[] {
  const found = coverRun.value;
  return found?.document && current(found) ? found.document.tests.flatMap(({ input, after }) => (after.length === 0 ? [input] : [])) : [];
}

function startingTests(): Input[] | string {
  const { start, given } = branchesChoice.value;
  return start === "nothing" ? [] : start === "cover" ? coverTests() : readInputs(given);
}

/** Tests or excludes every branch. */
export const branching: Task<"branches", BranchesRun> = {
  name: "branches",
  run: branchesRun,
  ready: () => typeof startingTests() !== "string",
  question: () => {
    const tests = startingTests();
    if (typeof tests === "string") return null;
    return { settings: { tests, order: branchesChoice.value.order, baselines: branchesChoice.value.compare }, begin: NOTHING };
  },
  begins: () => {
    leavePaths(branched);
    branchesChosen.value = null;
    resetWork();
  },
  arrived: (before, events) => {
    let { counts, shares, iterations, runs, moreSteps } = before;
    const [list, tests, steps] = [[...before.list], [...before.tests], [...before.steps]];
    for (const event of events) {
      if (event.kind === "branches_step") steps.push(event.step);
      if (event.kind === "branches_more") moreSteps = true;
      if (event.kind === "branches_test") tests.push(event.test);
      if (event.kind !== "branches") continue;
      ({ counts, iterations, runs } = event);
      shares = [event.cov_b, event.cov_f];
      for (const { at, side } of event.changed) list[at] = side;
    }
    return { list, tests, counts, shares, iterations, runs, steps, moreSteps };
  },
  every: 200,
  finished: (_, document) => {
    // The suite is a choice of the tests so far, with numbers of its own.
    if (branchesChosen.value?.kind === "test") {
      leavePaths(branched);
      branchesChosen.value = null;
    }
    return found(document);
  },
  open: ({ reason }) => reason,
  evidence: { title: "Branches", file: "branches", how: "look for branches" },
};
export const branchAll = (limit?: number) => run(branching, limit === undefined ? {} : { limit });
branched.again = async () => {
  if (branchesRun.value === null) await branchAll();
};
