// The settings of Cover, in words and as fields.

import { useSignal } from "@preact/signals";
import { OptionalNumberField, Switch, TextField } from "../../parts/fields";
import { RunControls, type Word } from "../../parts/run-controls";
import { MAX_UNWIND } from "../../protocol";
import { PRECONDITION_MAX } from "../../state/settings";
import { grouped, plural } from "../../text/numbers";
import { covering } from "./session";
import { ALGORITHMS, type CoverChoice, coverChoice } from "./settings";

const ABOUT: Record<CoverChoice["algorithm"], string> = {
  sc: "by enabling clauses: each test covers something new",
  pc: "by blocking clauses: a test for every feasible path",
  fm: "one question for each minimal block",
  vstte: "the most new blocks in each question",
  prefer: "as sc, with a solver that prefers what is not covered",
};

function words({ unwind, algorithm, summaries, precondition }: CoverChoice): Word[] {
  const usual = coverChoice.defaults;
  return [
    { text: unwind === null ? "unwound as often as is needed" : plural(unwind, "unwinding"), changed: unwind !== usual.unwind },
    ...(algorithm === usual.algorithm ? [] : [{ text: algorithm, changed: true }]),
    ...(summaries ? [{ text: "summaries", changed: true }] : []),
    ...(precondition.trim() ? [{ text: `precondition ${precondition.trim()}`, changed: true }] : []),
  ];
}

export function CoverControls({ busy, start }: { busy: boolean; start: () => void }) {
  const chosen = coverChoice.value;
  const unwindOk = useSignal(true);
  const wrong = chosen.precondition.length > PRECONDITION_MAX ? `At most ${grouped(PRECONDITION_MAX)} characters.` : null;
  const ready = unwindOk.value && wrong === null;
  const set = (part: Partial<CoverChoice>): void => coverChoice.change(part);
  const fields = (go: () => void) => (
    <>
      <OptionalNumberField
        label="Unwindings"
        without="as needed"
        value={chosen.unwind}
        low={0}
        high={MAX_UNWIND}
        onChange={(n) => {
          unwindOk.value = n !== "wrong";
          if (n !== "wrong") set({ unwind: n });
        }}
        onEnter={go}
      />
      <span class="field algorithm">
        <label for="cover-algorithm">Algorithm</label>
        <select
          id="cover-algorithm"
          value={chosen.algorithm}
          onChange={(e) => set({ algorithm: ALGORITHMS.find((name) => name === e.currentTarget.value) ?? chosen.algorithm })}
        >
          {ALGORITHMS.map((name) => (
            <option key={name} value={name}>
              {name}: {ABOUT[name]}
            </option>
          ))}
        </select>
      </span>
      <Switch label="Summaries of called functions" checked={chosen.summaries} onChange={(summaries) => set({ summaries })} />
      <TextField
        label="Precondition"
        className="precondition"
        value={chosen.precondition}
        error={wrong}
        onInput={(text) => set({ precondition: text })}
        onEnter={go}
      />
    </>
  );
  return (
    <RunControls
      page="cover.html"
      busy={busy}
      tasks={[covering]}
      ready={ready}
      words={words(chosen)}
      reset={() => set(coverChoice.defaults)}
      start={start}
      fields={fields}
    />
  );
}
