// The coverage of a person's own tests: the question what they lack, and its last answer.

import type { Text } from "@codemirror/state";
import { signal } from "@preact/signals";
import type { CoverageText } from "../../protocol";
import { coverage, isJustifications } from "../../state/coverage";
import { type ProgramRun, run, stop, type Task } from "../../state/run";
import { text } from "../../state/state";

export type JustifyRun = ProgramRun<"justify"> & { of: readonly CoverageText[] };
export const justifyRun = signal<JustifyRun | null>(null);

/** Whether a run is of the coverage and the text now shown. */
export const isCurrent = (run: JustifyRun): boolean => run.of === coverage.value && run.text.eq(text.value);

/** For each branch that the coverage has not a test, a proof that none can take it, or why it is open. */
export const justifying: Task<"justify", JustifyRun> = {
  name: "justify",
  run: justifyRun,
  whole: true,
  question: () => {
    const of = coverage.peek();
    if (of.length === 0) return null;
    const against = of.find(isJustifications) ?? null;
    return { settings: { coverage: of.filter((file) => file !== against), against }, begin: { of } };
  },
};

/** The question that is being answered: the tab asks when it is visited, and so does the one who adds coverage. */
let asking: { of: readonly CoverageText[]; about: Text; answer: Promise<JustifyRun | null> } | null = null;

export async function justifyAll(limit?: number): Promise<JustifyRun | null> {
  const [of, about] = [coverage.peek(), text.peek()];
  if (of.length === 0) {
    stop(justifying);
    return null;
  }
  if (limit === undefined && asking?.of === of && asking.about === about) return asking.answer;
  const mine = { of, about, answer: run(justifying, limit === undefined ? {} : { limit }) };
  asking = mine;
  return mine.answer.finally(() => {
    if (asking === mine) asking = null;
  });
}

/** Why the coverage that was added is not of the program, in a sentence; `null` also where that is not known yet. */
export async function refusal(): Promise<string | null> {
  const now = await justifyAll();
  const [first] = now?.refused ?? [];
  if (first?.code !== "coverage") return null;
  return `${first.message}${first.help ? `. ${first.help[0]!.toUpperCase()}${first.help.slice(1)}` : ""}.`;
}
