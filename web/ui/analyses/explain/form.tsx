// The settings of Explain, in words and as fields.

import { useSignal } from "@preact/signals";
import { NumberField } from "../../parts/fields";
import { RunControls, type Word } from "../../parts/run-controls";
import { MAX_INSTRUCTIONS } from "../../protocol";
import { exploring } from "./session";
import { EXTENSIONS, type ExplainChoice, explainChoice, ORDERS, STRENGTHS } from "./settings";

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

function words({ maxInstructions, order, check, extend }: ExplainChoice): Word[] {
  const usual = explainChoice.defaults;
  return [
    { text: `${maxInstructions} instructions`, changed: maxInstructions !== usual.maxInstructions },
    { text: `order ${order}`, changed: order !== usual.order },
    { text: `check ${check}`, changed: check !== usual.check },
    { text: titleOf(extend), changed: extend !== usual.extend },
  ];
}

function Choice<T extends string>({ label, value, all, set }: { label: string; value: T; all: readonly T[]; set: (value: T) => void }) {
  const id = `explain-${label.toLowerCase().replace(/\W+/g, "-")}`;
  return (
    <span class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        title={ABOUT[value]}
        onChange={(e) => set(all.find((name) => name === e.currentTarget.value) ?? all[0]!)}
      >
        {all.map((name) => (
          <option key={name} value={name} title={ABOUT[name]}>
            {titleOf(name)}
          </option>
        ))}
      </select>
    </span>
  );
}

export function PrefixControls({ busy, start }: { busy: boolean; start: () => void }) {
  const chosen = explainChoice.value;
  const ready = useSignal(true);
  const set = (part: Partial<ExplainChoice>): void => explainChoice.change(part);
  const fields = (go: () => void) => (
    <>
      <NumberField
        label="Max instructions"
        value={chosen.maxInstructions}
        low={1}
        high={MAX_INSTRUCTIONS}
        onChange={(n) => {
          ready.value = n !== null;
          if (n !== null) set({ maxInstructions: n });
        }}
        onEnter={go}
      />
      <Choice label="Order" value={chosen.order} all={ORDERS} set={(order) => set({ order })} />
      <Choice label="Check Γ" value={chosen.check} all={STRENGTHS} set={(check) => set({ check })} />
      <Choice label="Extend" value={chosen.extend} all={EXTENSIONS} set={(extend) => set({ extend })} />
    </>
  );
  return (
    <RunControls
      page="explain.html"
      busy={busy}
      tasks={[exploring]}
      ready={ready.value}
      words={words(chosen)}
      reset={() => set({ ...explainChoice.defaults, rounds: chosen.rounds })}
      start={start}
      fields={fields}
    />
  );
}
