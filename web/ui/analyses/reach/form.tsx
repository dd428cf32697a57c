// What Reach is asked: the target and K beside each other in the pane, and K as any number in the settings.

import { useSignal } from "@preact/signals";
import { NumberField } from "../../parts/fields";
import { RunControls } from "../../parts/run-controls";
import { MAX_K } from "../../protocol";
import { reaching, reachTarget } from "./session";
import { reachChoice, STEPS, TARGET_MAX } from "./settings";
import { reachRun } from "./state";

export function Ask() {
  const { target, k } = reachChoice.value;
  const busy = reachRun.value?.state === "running";
  return (
    <>
      <label
        class="choice"
        title="A line, LINE:COLUMN, a label, or a function that is called. Clicking a line of the program puts it here."
      >
        <span>Target</span>
        <input
          type="text"
          class="target"
          placeholder="line or label"
          autocomplete="off"
          spellcheck={false}
          maxLength={TARGET_MAX}
          value={target}
          onInput={(e) => reachChoice.change({ target: e.currentTarget.value })}
          onKeyDown={(e) => {
            if (e.key === "Enter" && !e.ctrlKey && !e.metaKey) void reachTarget();
          }}
        />
      </label>
      <button type="button" class="ask" disabled={busy} onClick={() => void reachTarget()}>
        Reach
      </button>
      <label class="choice" title="The search looks at up to K rounds of each loop">
        <span>K</span>
        <input
          type="range"
          min={0}
          max={STEPS.length - 1}
          value={STEPS.findLastIndex((step) => step <= k)}
          aria-valuetext={String(k)}
          onInput={(e) => reachChoice.change({ k: STEPS[Number(e.currentTarget.value)]! })}
          onChange={() => void reachTarget()}
        />
        <output>{k}</output>
      </label>
    </>
  );
}

export function ReachControls() {
  const chosen = reachChoice.value;
  const usual = reachChoice.defaults;
  const ready = useSignal(true);
  const start = (): void => void reachTarget();
  const fields = (go: () => void) => (
    <NumberField
      label="K"
      value={chosen.k}
      low={0}
      high={MAX_K}
      onChange={(k) => {
        ready.value = k !== null;
        if (k !== null) reachChoice.change({ k });
      }}
      onEnter={go}
    />
  );
  return (
    <RunControls
      page="reach.html"
      busy={reachRun.value?.state === "running"}
      tasks={[reaching]}
      ready={ready.value}
      words={[{ text: `K = ${chosen.k}`, changed: chosen.k !== usual.k }]}
      reset={() => reachChoice.change({ k: usual.k })}
      start={start}
      fields={fields}
    />
  );
}
