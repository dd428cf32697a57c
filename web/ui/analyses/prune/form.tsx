// The settings of Prune, in words and as fields.

import { useEffect } from "preact/hooks";
import { Switch, TextField } from "../../parts/fields";
import { inLine, RunControls, type Word } from "../../parts/run-controls";
import { PRECONDITION_MAX, parseLengths } from "../../state/settings";
import { grouped } from "../../text/numbers";
import { pruning } from "./session";
import { ABSTRACTIONS, type PruneChoice, parseLookahead, parseOptionalLength, pruneChoice } from "./settings";

const ABOUT: Record<PruneChoice["abstraction"], string> = {
  learn: "keeps what both vertices know, and what refutes infeasible paths",
  havoc: "fresh values for what changed between the two",
  drop: "drops conjuncts, oldest first",
};

/** The settings in a few words. */
function words({
  abstraction,
  restarts,
  lookahead,
  maxRedLength,
  exactUpTo,
  invariants,
  precondition,
  lengths,
  feasible,
}: PruneChoice): Word[] {
  const usual = pruneChoice.defaults;
  return [
    { text: abstraction, changed: abstraction !== usual.abstraction },
    { text: `lookahead ${lookahead.trim() || "16 or 32"}`, changed: lookahead.trim() !== usual.lookahead },
    { text: restarts ? "restarts" : "no restarts", changed: restarts !== usual.restarts },
    ...(maxRedLength.trim() ? [{ text: `max red length ${maxRedLength.trim()}`, changed: true }] : []),
    ...(exactUpTo.trim() ? [{ text: `exact up to ${exactUpTo.trim()}`, changed: true }] : []),
    ...(invariants === usual.invariants ? [] : [{ text: "no invariants", changed: true }]),
    ...(precondition.trim() ? [{ text: `precondition ${precondition.trim()}`, changed: true }] : []),
    ...(lengths === usual.lengths ? [] : [{ text: `lengths ${lengths}`, changed: true }]),
    ...(feasible === usual.feasible ? [] : [{ text: "feasible ones not counted", changed: true }]),
  ];
}

/** What S′ is made with, in one line. */
export const inWords = (choice: PruneChoice): string => inLine(words(choice));

function Fields({ go }: { go: () => void }) {
  const chosen = pruneChoice.value;
  const errors = wrong(chosen);
  const set = (part: Partial<PruneChoice>): void => pruneChoice.change(part);
  // What is no lookahead goes with the field, and then stands in no one's way any more.
  useEffect(() => () => void (wrong(pruneChoice.value).lookahead !== null && set({ lookahead: pruneChoice.defaults.lookahead })), []);
  return (
    <>
      <span class="field">
        <label for="prune-abstraction">Abstraction</label>
        <select
          id="prune-abstraction"
          value={chosen.abstraction}
          title={ABOUT[chosen.abstraction]}
          onChange={(e) => set({ abstraction: ABSTRACTIONS.find((name) => name === e.currentTarget.value) ?? "learn" })}
        >
          {ABSTRACTIONS.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </span>
      <TextField
        label="Lookahead"
        value={chosen.lookahead}
        error={errors.lookahead}
        numeric
        onInput={(text) => set({ lookahead: text })}
        onEnter={go}
      />
      <TextField
        label="Max red length"
        value={chosen.maxRedLength}
        error={errors.maxRedLength}
        numeric
        onInput={(text) => set({ maxRedLength: text })}
        onEnter={go}
      />
      <TextField
        label="Exact up to"
        value={chosen.exactUpTo}
        error={errors.exactUpTo}
        numeric
        onInput={(text) => set({ exactUpTo: text })}
        onEnter={go}
      />
      <TextField
        label="Lengths"
        className="lengths"
        value={chosen.lengths}
        error={errors.lengths}
        onInput={(text) => set({ lengths: text })}
        onEnter={go}
      />
      <TextField
        label="Precondition"
        value={chosen.precondition}
        error={errors.precondition}
        onInput={(text) => set({ precondition: text })}
        onEnter={go}
      />
      <Switch label="Restarts" checked={chosen.restarts} onChange={(on) => set({ restarts: on })} />
      <Switch label="Invariants" checked={chosen.invariants} onChange={(on) => set({ invariants: on })} />
      <Switch label="Count feasible ones" checked={chosen.feasible} onChange={(on) => set({ feasible: on })} />
    </>
  );
}

function wrong(chosen: PruneChoice): Record<"lengths" | "lookahead" | "maxRedLength" | "exactUpTo" | "precondition", string | null> {
  const said = (parsed: unknown): string | null => (typeof parsed === "string" ? parsed : null);
  return {
    lengths: said(parseLengths(chosen.lengths)),
    lookahead: said(parseLookahead(chosen.lookahead)),
    maxRedLength: said(parseOptionalLength(chosen.maxRedLength)),
    exactUpTo: said(parseOptionalLength(chosen.exactUpTo)),
    precondition: chosen.precondition.length > PRECONDITION_MAX ? `At most ${grouped(PRECONDITION_MAX)} characters.` : null,
  };
}

export function PruneControls({ busy, start }: { busy: boolean; start: () => void }) {
  const chosen = pruneChoice.value;
  const ready = Object.values(wrong(chosen)).every((error) => error === null);
  const fields = (go: () => void) => <Fields go={go} />;
  return (
    <RunControls
      page="prune.html"
      busy={busy}
      tasks={[pruning]}
      ready={ready}
      words={words(chosen)}
      reset={() => pruneChoice.reset()}
      start={start}
      fields={fields}
    />
  );
}
