// The settings of Cover: a line of them, and behind a button the fields.

import { useSignal } from "@preact/signals";
import { grouped, plural } from "../../numbers";
import { MAX_UNWIND } from "../../protocol";
import { PRECONDITION_MAX } from "../../settings";
import { ALGORITHMS, type CoverChoice, coverChoice } from "./settings";
import { CoverViews } from "./views";
import { NumberField, Switch, TextField } from "../../parts/fields";
import { SettingsBar } from "../../parts/settings-bar";

const ABOUT: Record<CoverChoice["algorithm"], string> = {
  sc: "by enabling clauses: each test covers something new",
  pc: "by blocking clauses: a test for every feasible path",
  fm: "one question for each minimal block",
  vstte: "the most new blocks in each question",
  prefer: "as sc, with a solver that prefers what is not covered",
};

function inWords({ unwind, algorithm, summaries, precondition }: CoverChoice): string {
  const other = algorithm === coverChoice.defaults.algorithm ? [] : [algorithm];
  return [plural(unwind, "unwinding"), ...other, ...(summaries ? ["summaries"] : []), ...(precondition.trim() ? [`precondition ${precondition.trim()}`] : [])].join(" · ");
}

export function Form({ busy, start }: { busy: boolean; start: () => void }) {
  const chosen = coverChoice.value;
  const unwindOk = useSignal(true);
  const wrong = chosen.precondition.length > PRECONDITION_MAX ? `At most ${grouped(PRECONDITION_MAX)} characters.` : null;
  const ready = unwindOk.value && wrong === null;
  const set = (part: Partial<CoverChoice>): void => coverChoice.change(part);
  const fields = (go: () => void) => (
    <>
      <NumberField
        label="Unwindings"
        value={chosen.unwind}
        low={0}
        high={MAX_UNWIND}
        onChange={(n) => {
          unwindOk.value = n !== null;
          if (n !== null) set({ unwind: n });
        }}
        onEnter={go}
      />
      <span class="field algorithm">
        <label for="cover-algorithm">Algorithm</label>
        <select id="cover-algorithm" value={chosen.algorithm} onChange={(e) => set({ algorithm: ALGORITHMS.find((name) => name === e.currentTarget.value) ?? chosen.algorithm })}>
          {ALGORITHMS.map((name) => <option key={name} value={name}>{name}: {ABOUT[name]}</option>)}
        </select>
      </span>
      <Switch label="Summaries of called functions" checked={chosen.summaries} onChange={(summaries) => set({ summaries })} />
      <TextField label="Precondition" className="precondition" value={chosen.precondition} error={wrong} onInput={(text) => set({ precondition: text })} onEnter={go} />
    </>
  );
  return <SettingsBar pane="cover" busy={busy} ready={ready} inWords={inWords(chosen)} start={start} fields={fields} views={<CoverViews />} />;
}
