// The Prune tab: the red–black graph, the transformed graph it leads to, and how many paths that saves.

import { signal, useSignal } from "@preact/signals";
import { grouped, plural, short } from "../numbers";
import { pruneGraph, stopRuns } from "../session";
import { ABSTRACTIONS, LOOKAHEAD_MAX, PRECONDITION_MAX, type PruneChoice, parseLengths, parseRedLength } from "../settings";
import { type PruneRun, change, current, pruneRun, settings } from "../state";
import { NumberField, Switch, TextField } from "./fields";
import type { Pane } from "./pane";
import { PruneTable } from "./prune-table";
import { PrunedGraph } from "./pruned-graph";
import { RedGraph, resetRed } from "./red-graph";
import { RunState } from "./run-state";

const VIEWS = [
  { id: "red", title: "Red–black graph" },
  { id: "pruned", title: "Transformed graph S′" },
  { id: "counts", title: "Path counts" },
] as const;
const view = signal<(typeof VIEWS)[number]["id"]>("red");

const ABOUT: Record<PruneChoice["abstraction"], string> = {
  learn: "keeps what refutes infeasible paths",
  havoc: "fresh values for what changed between the two",
  drop: "drops conjuncts, oldest first",
};

function start(): void {
  resetRed();
  void pruneGraph();
}

function Form({ busy }: { busy: boolean }) {
  const chosen = settings.value.prune;
  const set = (part: Partial<PruneChoice>): void => change({ prune: { ...settings.value.prune, ...part } });
  const said = (parsed: unknown): string | null => (typeof parsed === "string" ? parsed : null);
  const lookaheadOk = useSignal(true);
  const errors = {
    lengths: said(parseLengths(chosen.lengths)),
    maxRedLength: said(parseRedLength(chosen.maxRedLength)),
    precondition: chosen.precondition.length > PRECONDITION_MAX ? `At most ${grouped(PRECONDITION_MAX)} characters.` : null,
  };
  const ready = lookaheadOk.value && Object.values(errors).every((error) => error === null);
  const go = (): void => {
    if (ready) start();
  };
  return (
    <div class="form">
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
          lookaheadOk.value = n !== null;
          if (n !== null) set({ lookahead: n });
        }}
        onEnter={go}
      />
      <TextField label="Max red length" value={chosen.maxRedLength} error={errors.maxRedLength} numeric onInput={(text) => set({ maxRedLength: text })} onEnter={go} />
      <TextField label="Lengths" className="lengths" value={chosen.lengths} error={errors.lengths} onInput={(text) => set({ lengths: text })} onEnter={go} />
      <TextField label="Precondition" value={chosen.precondition} error={errors.precondition} onInput={(text) => set({ precondition: text })} onEnter={go} />
      <Switch label="Restarts" checked={chosen.restarts} onChange={(on) => set({ restarts: on })} />
      <Switch label="Count feasible ones" checked={chosen.feasible} onChange={(on) => set({ feasible: on })} />
      {busy ? <button type="button" onClick={stopRuns}>Cancel</button> : <button type="button" class="primary" disabled={!ready} onClick={go}>Run</button>}
    </div>
  );
}

function Summary({ run }: { run: PruneRun }) {
  const { document } = run;
  if (!document) return run.steps.length > 0 ? <p class="summary">{plural(run.steps.length, "step")} of the construction so far.</p> : null;
  const { red, original, pruned, table } = document;
  const row = table[table.length - 1];
  return (
    <p class="summary">
      <b>{plural(red.vertices, "red vertex", "red vertices")}</b>
      <span>{grouped(red.marked)} unsatisfiable, {plural(red.subsumptions, "subsumption")}, {plural(red.abstractions, "abstraction")}, {plural(red.restarts, "restart")}</span>
      <span class="muted">S: {original.locations} locations, {original.edges} edges; S′: {pruned.locations}, {pruned.edges}</span>
      {row && <span>Of {short(row.original)} paths of length ≤ {grouped(row.length)}, <b>{short(row.pruned)}</b> are left.</span>}
    </p>
  );
}

function View() {
  const run = pruneRun.value;
  const busy = run?.state === "running";
  return (
    <div class="pane prune-pane" role="region" aria-label="Prune" aria-busy={busy}>
      <div class="top">
        <Form busy={busy} />
        {run && <RunState run={run} current={current(run)} again={start} />}
        {run && <Summary run={run} />}
        {!run && <p class="muted">Unfolds the control-flow graph into a red–black graph, cuts what no run can reach, and folds it again by subsumption: the transformed graph S′ has every feasible path, and fewer of the others.</p>}
      </div>
      {run && (
        <>
          <div class="views" role="group" aria-label="What is shown">
            {VIEWS.map(({ id, title }) => <button key={id} type="button" aria-pressed={view.value === id} onClick={() => (view.value = id)}>{title}</button>)}
          </div>
          {view.value === "red" && <RedGraph run={run} />}
          {view.value === "pruned" && <PrunedGraph run={run} />}
          {view.value === "counts" && <div class="counts scroll" tabIndex={0} role="region" aria-label="Path counts"><PruneTable run={run} /></div>}
        </>
      )}
    </div>
  );
}

export const prunePane: Pane = { id: "prune", title: "Prune", View, analyse: start };
