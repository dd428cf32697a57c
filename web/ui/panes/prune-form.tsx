// The settings of Prune: a line of them, and behind a button the fields.

import { signal, useSignal } from "@preact/signals";
import { grouped } from "../numbers";
import { stopRuns } from "../session";
import { ABSTRACTIONS, LOOKAHEAD_MAX, PRECONDITION_MAX, type PruneChoice, parseLengths, parseRedLength } from "../settings";
import { change, narrow, settings } from "../state";
import { load, save } from "../storage";
import { NumberField, Switch, TextField } from "./fields";

const ABOUT: Record<PruneChoice["abstraction"], string> = {
  learn: "keeps what both vertices know, and what refutes infeasible paths",
  havoc: "fresh values for what changed between the two",
  drop: "drops conjuncts, oldest first",
};

/** Kept on this device: whoever wants the fields wants them next time too. */
const opened = signal(load("prune-settings") === "open");

/** The settings in a few words. */
export function inWords({ abstraction, restarts, lookahead, maxRedLength, precondition }: PruneChoice): string {
  const parts = [abstraction, `lookahead ${lookahead}`, restarts ? "restarts" : "no restarts"];
  if (maxRedLength.trim()) parts.push(`max red length ${maxRedLength.trim()}`);
  if (precondition.trim()) parts.push(`precondition ${precondition.trim()}`);
  return parts.join(" · ");
}

function Fields({ go, lookahead }: { go: () => void; lookahead: (ok: boolean) => void }) {
  const chosen = settings.value.prune;
  const errors = wrong(chosen);
  const set = (part: Partial<PruneChoice>): void => change({ prune: { ...settings.value.prune, ...part } });
  return (
    <div class="form" id="prune-fields">
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
        high={LOOKAHEAD_MAX}
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
    </div>
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
  const chosen = settings.value.prune;
  const lookaheadOk = useSignal(true);
  const ready = lookaheadOk.value && Object.values(wrong(chosen)).every((error) => error === null);
  // What is wrong must be seen.
  const open = opened.value || !ready;
  const go = (): void => {
    if (!ready) return;
    // On a phone the fields would stand between the button and the picture.
    if (narrow.value) opened.value = false;
    start();
  };
  const toggle = (): void => {
    opened.value = !open;
    save("prune-settings", opened.value ? "open" : "closed");
  };
  return (
    <>
      <div class="bar">
        {busy ? <button type="button" onClick={stopRuns}>Cancel</button> : <button type="button" class="primary" disabled={!ready} onClick={go}>Run</button>}
        <button type="button" aria-expanded={open} aria-controls={open ? "prune-fields" : undefined} onClick={toggle}>
          Settings <span aria-hidden="true">{open ? "▴" : "▾"}</span>
        </button>
        {!open && <span class="in-words muted">{inWords(chosen)}</span>}
        <span class="spring" />
        <a href="docs/prune.html">How it works</a>
      </div>
      {open && <Fields go={go} lookahead={(ok) => (lookaheadOk.value = ok)} />}
    </>
  );
}
