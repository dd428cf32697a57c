// The settings of Explain: a line of them, and behind a button the fields.

import { signal, useSignal } from "@preact/signals";
import { stopRuns } from "../session";
import { EXTENSIONS, type ExplainChoice, INSTRUCTIONS_MAX, ORDERS, STRENGTHS } from "../settings";
import { change, narrow, settings } from "../state";
import { load, save } from "../storage";
import { NumberField } from "./fields";

const ABOUT: Record<string, string> = {
  first: "constraints are looked at in path order",
  last: "the last constraint is looked at first",
  all: "all minimal explanations of each prefix",
  integer: "the whole solver",
  rational: "as if the inputs could be fractions",
  interval: "bounds of single values only",
  detours: "detours from the path, as the paper's algorithm has it",
  any_way: "any way between the indispensable edges, as the paper's definition allows",
};
export const titleOf = (name: string): string => name.replace("_", " ");

/** Kept on this device, as those of Prune are. */
const opened = signal(load("explain-settings") === "open");

export function inWords({ maxInstructions, order, check, extend }: ExplainChoice): string {
  return [`${maxInstructions} instructions`, `order ${order}`, `check ${check}`, titleOf(extend)].join(" · ");
}

function Choice<T extends string>({ label, value, all, set }: { label: string; value: T; all: readonly T[]; set: (value: T) => void }) {
  const id = `explain-${label.toLowerCase().replace(/\W+/g, "-")}`;
  return (
    <span class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} title={ABOUT[value]} onChange={(e) => set(all.find((name) => name === e.currentTarget.value) ?? all[0]!)}>
        {all.map((name) => <option key={name} value={name} title={ABOUT[name]}>{titleOf(name)}</option>)}
      </select>
    </span>
  );
}

export function Form({ busy, start }: { busy: boolean; start: () => void }) {
  const chosen = settings.value.explain;
  const ready = useSignal(true);
  const open = opened.value || !ready.value;
  const set = (part: Partial<ExplainChoice>): void => change({ explain: { ...settings.value.explain, ...part } });
  const go = (): void => {
    if (!ready.value) return;
    if (narrow.value) opened.value = false;
    start();
  };
  const toggle = (): void => {
    opened.value = !open;
    save("explain-settings", opened.value ? "open" : "closed");
  };
  return (
    <>
      <div class="bar">
        {busy ? <button type="button" onClick={stopRuns}>Cancel</button> : <button type="button" class="primary" disabled={!ready.value} onClick={go}>Run</button>}
        <button type="button" aria-expanded={open} aria-controls={open ? "explain-fields" : undefined} onClick={toggle}>
          Settings <span aria-hidden="true">{open ? "▴" : "▾"}</span>
        </button>
        {!open && <span class="in-words muted">{inWords(chosen)}</span>}
        <span class="spring" />
        <a href="docs/explain.html">How it works</a>
      </div>
      {open && (
        <div class="form" id="explain-fields">
          <NumberField
            label="Max instructions"
            value={chosen.maxInstructions}
            low={1}
            high={INSTRUCTIONS_MAX}
            onChange={(n) => {
              ready.value = n !== null;
              if (n !== null) set({ maxInstructions: n });
            }}
            onEnter={go}
          />
          <Choice label="Order" value={chosen.order} all={ORDERS} set={(order) => set({ order })} />
          <Choice label="Check Γ" value={chosen.check} all={STRENGTHS} set={(check) => set({ check })} />
          <Choice label="Extend" value={chosen.extend} all={EXTENSIONS} set={(extend) => set({ extend })} />
        </div>
      )}
    </>
  );
}
