// The settings of Prune: a line of them, and behind a button the fields.

import { useSignal } from "@preact/signals";
import { grouped } from "../../numbers";
import { MAX_LOOKAHEAD } from "../../protocol";
import { PRECONDITION_MAX, parseLengths } from "../../settings";
import { ABSTRACTIONS, type PruneChoice, parseRedLength, pruneChoice } from "./settings";
import { NumberField, Switch, TextField } from "../../parts/fields";
import { SettingsBar } from "../../parts/settings-bar";

const ABOUT: Record<PruneChoice["abstraction"], string> = {
  learn: "keeps what both vertices know, and what refutes infeasible paths",
  havoc: "fresh values for what changed between the two",
  drop: "drops conjuncts, oldest first",
};

/** The settings in a few words. */
export function inWords({ abstraction, restarts, lookahead, maxRedLength, precondition }: PruneChoice): string {
  const parts = [abstraction, `lookahead ${lookahead}`, restarts ? "restarts" : "no restarts"];
  if (maxRedLength.trim()) parts.push(`max red length ${maxRedLength.trim()}`);
  if (precondition.trim()) parts.push(`precondition ${precondition.trim()}`);
  return parts.join(" · ");
}

function Fields({ go, lookahead }: { go: () => void; lookahead: (ok: boolean) => void }) {
  const chosen = pruneChoice.value;
  const errors = wrong(chosen);
  const set = (part: Partial<PruneChoice>): void => pruneChoice.change(part);
  return (
    <>
      <span class="field">
        <label for="prune-abstraction">Abstraction</label>
        <select id="prune-abstraction" value={chosen.abstraction} title={ABOUT[chosen.abstraction]} onChange={(e) => set({ abstraction: ABSTRACTIONS.find((name) => name === e.currentTarget.value) ?? "learn" })}>
          {ABSTRACTIONS.map((name) => <option key={name} value={name}>{name}</option>)}
        </select>
      </span>
      <NumberField
        label="Lookahead"
        value={chosen.lookahead}
        low={0}
        high={MAX_LOOKAHEAD}
        onChange={(n) => {
          lookahead(n !== null);
          if (n !== null) set({ lookahead: n });
        }}
        onEnter={go}
      />
      <TextField label="Max red length" value={chosen.maxRedLength} error={errors.maxRedLength} numeric onInput={(text) => set({ maxRedLength: text })} onEnter={go} />
      <TextField label="Lengths" className="lengths" value={chosen.lengths} error={errors.lengths} onInput={(text) => set({ lengths: text })} onEnter={go} />
      <TextField label="Precondition" value={chosen.precondition} error={errors.precondition} onInput={(text) => set({ precondition: text })} onEnter={go} />
      <Switch label="Restarts" checked={chosen.restarts} onChange={(on) => set({ restarts: on })} />
      <Switch label="Count feasible ones" checked={chosen.feasible} onChange={(on) => set({ feasible: on })} />
    </>
  );
}

function wrong(chosen: PruneChoice): Record<"lengths" | "maxRedLength" | "precondition", string | null> {
  const said = (parsed: unknown): string | null => (typeof parsed === "string" ? parsed : null);
  return {
    lengths: said(parseLengths(chosen.lengths)),
    maxRedLength: said(parseRedLength(chosen.maxRedLength)),
    precondition: chosen.precondition.length > PRECONDITION_MAX ? `At most ${grouped(PRECONDITION_MAX)} characters.` : null,
  };
}

export function Form({ busy, start }: { busy: boolean; start: () => void }) {
  const chosen = pruneChoice.value;
  const lookaheadOk = useSignal(true);
  const ready = lookaheadOk.value && Object.values(wrong(chosen)).every((error) => error === null);
  const fields = (go: () => void) => <Fields go={go} lookahead={(ok) => (lookaheadOk.value = ok)} />;
  return <SettingsBar pane="prune" busy={busy} ready={ready} inWords={inWords(chosen)} start={start} fields={fields} />;
}
