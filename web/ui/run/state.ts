// What the Run tab shows of a run: the variables at a step.

import { computed, signal } from "@preact/signals";
import type { GraphView } from "../graph/view";
import { valueText } from "../inputs";
import type { InputValue, Number as Int, RunDocument, RunOutcome } from "../protocol";
import { current, executedRun, shownPath } from "../state";

/** The outcomes in words; a returned value is said apart. */
export const OUTCOMES: Record<RunOutcome, { sign: string; kind: "yes" | "no" | "open"; words: string }> = {
  returned: { sign: "✓", kind: "yes", words: "returned" },
  aborted: { sign: "✕", kind: "no", words: "aborted" },
  error_call: { sign: "✕", kind: "no", words: "error call" },
  assume_failed: { sign: "⊘", kind: "open", words: "assumption does not hold" },
  undefined: { sign: "✕", kind: "no", words: "undefined behaviour" },
  steps: { sign: "?", kind: "open", words: "not at its end" },
};

export interface Shown {
  name: string;
  text: string;
  /** What it was before this step, if this step changed it. */
  before: string | null;
}

const LONG_ARRAY = 64;

function shortened(value: InputValue): InputValue {
  if (typeof value !== "object") return value;
  const entries = Object.entries(value).filter(([index]) => index !== "default");
  if (entries.length <= LONG_ARRAY) return value;
  return Object.fromEntries(entries.slice(0, LONG_ARRAY));
}

const textOf = (value: InputValue): string => `${valueText(shortened(value))}${typeof value === "object" && Object.keys(value).length > LONG_ARRAY + 1 ? " …" : ""}`;

/** The values of all variables behind so many steps, by replaying what they changed. */
export function valuesAfter(document: RunDocument, steps: number): Shown[] {
  const values = new Map<string, InputValue>();
  for (const { name, start } of document.variables) values.set(name, typeof start === "object" ? { ...start } : start);
  let changed: { name: string; before: string } | null = null;
  document.steps_shown.slice(0, steps).forEach(({ change }, at) => {
    if (!change) return;
    const old = values.get(change.name);
    if (at === steps - 1) {
      const element = change.kind === "element" && typeof old === "object" ? old[change.index] ?? old["default"] ?? 0 : null;
      changed = { name: change.name, before: change.kind === "element" ? `[${change.index}] was ${element}` : `was ${textOf(old ?? 0)}` };
    }
    if (change.kind === "variable") values.set(change.name, change.value);
    else if (change.kind === "array") values.set(change.name, Object.fromEntries(change.elements.map((value: Int, index: number) => [String(index), value])));
    else if (typeof old === "object") old[change.index] = change.value;
  });
  const of = changed as { name: string; before: string } | null;
  return [...values].map(([name, value]) => ({ name, text: textOf(value), before: of?.name === name ? of.before : null }));
}

/** The step that is looked at, counted from 1; 0 is before the first. `null` while another path is looked at. */
export const stepShown = computed((): number | null => {
  const run = executedRun.value;
  if (!run?.document || !current(run)) return null;
  const { steps_shown } = run.document;
  if (steps_shown.length === 0) return 0;
  const shown = shownPath.value;
  return shown?.of === "run" ? Math.min(shown.step + 1, steps_shown.length) : null;
});

export const view = signal<GraphView | null>(null);
