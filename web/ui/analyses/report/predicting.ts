// Predict: the verdicts are hidden until they are guessed. A link with it is an exercise.

import { computed, signal } from "@preact/signals";
import type { ReportBranch } from "../../protocol";
import { Choice } from "../../state/settings";
import { type Known, known } from "../../state/state";
import { shownDocument } from "./state";

export const predictChoice = new Choice("predict", { on: false }, (from, otherwise) => ({ on: from.flag("on", otherwise.on) }), true);

/** The guesses on the branches of a program, by number: whether it can run. */
const guesses = signal<{ of: Known | null; made: ReadonlyMap<number, boolean> }>({ of: null, made: new Map() });

/** Those on the program that is shown. */
export const made = computed((): ReadonlyMap<number, boolean> => {
  const { of, made } = guesses.value;
  return of !== null && of === known.value ? made : new Map();
});

export function guess(at: number, runs: boolean): void {
  if (made.peek().has(at)) return;
  guesses.value = { of: known.peek(), made: new Map([...made.peek(), [at, runs]]) };
}

export const forget = (): void => void (guesses.value = { of: null, made: new Map() });

/** Whether verdicts are hidden: until each branch is guessed. */
export const isPredicting = computed(() => {
  const list = shownDocument.value?.list;
  return predictChoice.value.on && (!list || list.some((_, at) => !made.value.has(at)));
});

/** Whether a guess is right; `null` for a branch that is open, which no guess can be held against. */
export const isRight = ({ verdict }: ReportBranch, runs: boolean): boolean | null =>
  verdict === "open" ? null : (verdict === "covered") === runs;

/** How many branches were guessed, how many of these with an answer, and how many of them right. */
export function tally(
  list: readonly ReportBranch[],
  made: ReadonlyMap<number, boolean>,
): { guessed: number; judged: number; right: number } {
  const judged = [...made].flatMap(([at, runs]) => {
    const branch = list[at];
    const right = branch && isRight(branch, runs);
    return right === undefined || right === null ? [] : [right];
  });
  return { guessed: made.size, judged: judged.length, right: judged.filter(Boolean).length };
}
