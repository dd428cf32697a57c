// A coverage criterion beside the branches: which one is chosen, the question about its goals, and the last answer.

import { signal } from "@preact/signals";
import type { Criterion, CriterionTest, PairKind, ReportTest } from "../../protocol";
import { type ProgramRun, run, stop, type Task } from "../../state/run";
import { Choice } from "../../state/settings";
import { current } from "../../state/state";

export const CRITERIA = ["statement", "branch", "condition", "mcdc", "path"] as const satisfies readonly Criterion[];
export const PAIRS = ["masking", "unique-cause"] as const satisfies readonly PairKind[];

export interface CriterionChosen {
  /** `null`: the branches alone. */
  criterion: Criterion | null;
  /** Of MC/DC. */
  pairs: PairKind;
}

export const criterionChoice = new Choice<CriterionChosen>(
  "report",
  { criterion: null, pairs: "masking" },
  (from, otherwise) => ({
    criterion: from.among("criterion", CRITERIA, otherwise.criterion),
    pairs: from.among("pairs", PAIRS, otherwise.pairs),
  }),
  true,
);

export type CriterionRun = ProgramRun<"criteria">;
export const criterionRun = signal<CriterionRun | null>(null);

/** Whether a run is of the criterion that is chosen. */
export function isChosenCriterion({ asked }: Pick<CriterionRun, "asked">): boolean {
  const { criterion, pairs } = criterionChoice.value;
  return asked.criterion === criterion && (criterion !== "mcdc" || asked.pairs === pairs);
}

/** Whether a run is of the criterion and the program now shown. */
export const isCurrentCriterion = (run: CriterionRun): boolean => isChosenCriterion(run) && current(run);

export const judging: Task<"criteria", CriterionRun> = {
  name: "criteria",
  run: criterionRun,
  question: () => {
    const { criterion, pairs } = criterionChoice.value;
    return criterion === null ? null : { settings: { criterion, pairs }, begin: {} };
  },
  evidence: { title: "Criterion", file: "criterion", how: "choose a criterion" },
};

/** Judges the goals of the chosen criterion, if one is chosen. */
export async function judgeGoals(limit?: number): Promise<void> {
  if (criterionChoice.value.criterion === null) stop(judging);
  else await run(judging, limit === undefined ? {} : { limit });
}

/** The numbers of a criterion's tests among those of the report, from 0; others come after these. */
export function testNumbers(tests: readonly CriterionTest[], report: readonly ReportTest[]): number[] {
  const name = ({ input, after }: CriterionTest | ReportTest): string => JSON.stringify([input, after]);
  const names = report.map(name);
  return tests.map((test) => {
    const at = names.indexOf(name(test));
    return at < 0 ? names.push(name(test)) - 1 : at;
  });
}
