// One execution, and what the Run tab shows of it: the variables at a step.

import { computed, signal } from "@preact/signals";
import type { GraphView } from "../../graph/view";
import type { InputValue, Number as Int, RunDocument, RunOutcome } from "../../protocol";
import type { ProgramRun } from "../../state/run";
import { current, type PathSource, shownPath, viewOf } from "../../state/state";
import { valueText } from "../../text/inputs";

export interface ExecutedRun extends ProgramRun<"run"> {
  limit: number;
}
export const executedRun = signal<ExecutedRun | null>(null);

/** The steps of the run that are known, with the edge before which it stopped. */
export const executed: PathSource = {
  id: "run",
  at: () => {
    const run = executedRun.value;
    if (!run?.document) return null;
    const { steps_shown, steps, stopped_before, reason } = run.document;
    const stopped = stopped_before !== null && steps_shown.length === steps ? [stopped_before] : [];
    const edges = [...steps_shown.map(({ edge }) => edge), ...stopped];
    return viewOf(run, "The run", edges, {
      input: run.document.input,
      ends: stopped.length > 0 ? (reason ?? "the assumption does not hold") : undefined,
    });
  },
};

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

const textOf = (value: InputValue): string =>
  `${valueText(shortened(value))}${typeof value === "object" && Object.keys(value).length > LONG_ARRAY + 1 ? " …" : ""}`;

/** The value with the names of what it is the address of. */
function addressed(value: InputValue, names: Record<string, string | undefined>): InputValue {
  if (typeof value !== "object") return names[String(value)] ?? value;
  return Object.fromEntries(Object.entries(value).map(([index, element]) => [index, names[String(element)] ?? element]));
}

/** The values of all variables after so many steps, by replaying what they changed; without the arrays of blocks, which the picture draws. */
export function valuesAfter(document: RunDocument, steps: number): Shown[] {
  const values = new Map<string, InputValue>();
  const addresses = new Map(document.variables.map((variable) => [variable.name, variable.addresses]));
  const shown = (name: string, value: InputValue): string => textOf(addressed(value, addresses.get(name) ?? {}));
  for (const { name, start } of document.variables) values.set(name, typeof start === "object" ? { ...start } : start);
  const before = new Map<string, string>();
  document.steps_shown.slice(0, steps).forEach(({ change, also }, at) => {
    for (const one of change === null ? [] : [change, ...also]) {
      const old = values.get(one.name);
      if (at === steps - 1) {
        const element = one.kind === "element" && typeof old === "object" ? (old[one.index] ?? old.default ?? 0) : 0;
        before.set(
          one.name,
          one.kind === "element" ? `[${one.index}] was ${shown(one.name, element)}` : `was ${shown(one.name, old ?? 0)}`,
        );
      }
      if (one.kind === "variable") values.set(one.name, one.value);
      else if (one.kind === "array")
        values.set(one.name, Object.fromEntries(one.elements.map((value: Int, index: number) => [String(index), value])));
      else if (one.kind === "contents") values.set(one.name, { ...one.contents });
      else if (typeof old === "object") old[one.index] = one.value;
    }
  });
  const drawn = new Set<string | null>(
    document.structures?.flatMap(({ block, freed }) =>
      block ? [block.lengths, ...block.items.map(({ array }) => array), block.moved, freed] : [],
    ),
  );
  return [...values]
    .filter(([name]) => !drawn.has(name))
    .map(([name, value]) => ({ name, text: shown(name, value), before: before.get(name) ?? null }));
}

/** The step that is looked at, counted from 1; 0 is before the first. `null` while another path is looked at. */
export const stepShown = computed((): number | null => {
  const run = executedRun.value;
  if (!run?.document || !current(run)) return null;
  const { steps_shown } = run.document;
  if (steps_shown.length === 0) return 0;
  const shown = shownPath.in("run").value;
  return shown?.of === executed ? Math.min(shown.step + 1, steps_shown.length) : null;
});

export const view = signal<GraphView | null>(null);
