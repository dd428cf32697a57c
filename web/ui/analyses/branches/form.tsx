// The settings of Branches, in words and as fields.

import { useId } from "preact/hooks";
import { Switch } from "../../parts/fields";
import { RunControls, type Word } from "../../parts/run-controls";
import { plural } from "../../text/numbers";
import { branchAll, branching, coverTests } from "./session";
import { type BranchesChoice, branchesChoice, ORDERS, readInputs, STARTS } from "./settings";
import { branchesRun } from "./state";

const ABOUT_ORDER: Record<BranchesChoice["order"], string> = {
  fair: "the branch with the fewest attempts first",
  discovery: "as they are found, as in the paper",
};

const aboutStart = (start: BranchesChoice["start"]): string =>
  ({ nothing: "none", cover: `those that Cover found (${coverTests().length})`, given: "inputs as JSON" })[start];

function words({ order, start, compare }: BranchesChoice): Word[] {
  return [
    { text: ABOUT_ORDER[order], changed: order !== "fair" },
    {
      text: start === "nothing" ? "begun without tests" : start === "cover" ? "begun with Cover's tests" : "begun with given tests",
      changed: start !== "nothing",
    },
    ...(compare ? [{ text: "compared with other searches", changed: true }] : []),
  ];
}

export function Controls() {
  const chosen = branchesChoice.value;
  const id = useId();
  const read = chosen.start === "given" ? readInputs(chosen.given) : [];
  const wrong = typeof read === "string" ? read : null;
  const set = (part: Partial<BranchesChoice>): void => branchesChoice.change(part);
  const fields = () => (
    <>
      <span class="field algorithm">
        <label for={`${id}-order`}>Which branch comes next</label>
        <select
          id={`${id}-order`}
          value={chosen.order}
          onChange={(e) => set({ order: ORDERS.find((name) => name === e.currentTarget.value) ?? chosen.order })}
        >
          {ORDERS.map((name) => (
            <option key={name} value={name}>
              {ABOUT_ORDER[name]}
            </option>
          ))}
        </select>
      </span>
      <span class="field algorithm">
        <label for={`${id}-start`}>Tests to begin with</label>
        <select
          id={`${id}-start`}
          value={chosen.start}
          onChange={(e) => set({ start: STARTS.find((name) => name === e.currentTarget.value) ?? chosen.start })}
        >
          {STARTS.map((name) => (
            <option key={name} value={name} disabled={name === "cover" && chosen.start !== name && coverTests().length === 0}>
              {aboutStart(name)}
            </option>
          ))}
        </select>
      </span>
      {chosen.start === "given" && (
        <span class="field wide json">
          <label for={`${id}-given`}>A JSON array of inputs</label>
          <textarea
            id={`${id}-given`}
            rows={4}
            spellcheck={false}
            value={chosen.given}
            aria-invalid={wrong !== null}
            onInput={(e) => set({ given: e.currentTarget.value })}
          />
          {wrong !== null ? (
            <span class="error" role="alert">
              {wrong}
            </span>
          ) : (
            <span class="muted">{plural(read.length, "test")}</span>
          )}
        </span>
      )}
      <Switch label="Compare with other searches" checked={chosen.compare} onChange={(compare) => set({ compare })} />
    </>
  );
  return (
    <RunControls
      page="branches.html"
      busy={branchesRun.value?.state === "running"}
      tasks={[branching]}
      ready={wrong === null}
      words={words(chosen)}
      reset={() => branchesChoice.reset()}
      start={() => void branchAll()}
      fields={fields}
    />
  );
}
