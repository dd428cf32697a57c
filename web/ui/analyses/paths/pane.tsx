// The Paths tab: how many complete paths of at most a length there are, how many of them can run; and paths drawn from
// them.

import type { ComponentChildren } from "preact";
import { duration, plural, share } from "../../numbers";
import type { PathsRow } from "../../protocol";
import { stopRuns } from "../../session";
import { current } from "../../state";
import { parseLengths } from "../../settings";
import { Chart } from "../../parts/chart";
import { basis, type Column, Count, CountTable, Feasible } from "../../parts/count-table";
import { Draw } from "./draw";
import { countPaths } from "./session";
import { pathsChoice } from "./settings";
import { type PathsRun, pathsRun } from "./state";
import { EvidenceLink } from "../../parts/evidence-link";
import { Switch, TextField } from "../../parts/fields";
import { RunState } from "../../parts/run-state";

interface Line {
  length: number;
  /** What has arrived of it. */
  row: PathsRow | undefined;
}

function columns(run: PathsRun): Column<Line>[] {
  const done = run.state === "done";
  const waiting = <span class="muted">{run.state === "running" ? "counting…" : "not counted"}</span>;
  const atLeast = (row: PathsRow): ComponentChildren =>
    row.feasible_at_least !== null && row.feasible_at_least !== "0" ? <span class="muted">at least <Count digits={row.feasible_at_least} /></span> : waiting;
  const all: Column<Line> = { title: <>Paths: <span class="whole">P(<i>l</i>)</span></>, cell: ({ row }) => (row ? <Count digits={row.total} /> : waiting) };
  if (!run.asked.feasible) return [all];
  return [
    all,
    { title: <>Feasible: <span class="whole">FP(<i>l</i>)</span></>, cell: ({ row }) => (!row ? waiting : done || row.feasible !== null ? <Feasible row={row} /> : atLeast(row)) },
    { title: "FP/P", cell: ({ row }) => (row?.feasible != null ? share(row.feasible, row.total) : "") },
  ];
}

function Table({ run }: { run: PathsRun }) {
  const rows = new Map(run.rows.map((row) => [row.length, row]));
  return <CountTable of={run.cfg.function} rows={run.asked.lengths.map((length) => ({ length, row: rows.get(length) }))} columns={columns(run)} />;
}

function Counting() {
  const { lengths, feasible } = pathsChoice.value;
  const parsed = parseLengths(lengths);
  const error = typeof parsed === "string" ? parsed : null;
  const run = pathsRun.value;
  const busy = run?.state === "running";
  const go = (): void => void (error === null && countPaths());
  return (
    <section aria-labelledby="count-title" aria-busy={busy}>
      <h2 id="count-title">Count</h2>
      <div class="form">
        <TextField label="Lengths" value={lengths} error={error} wide onInput={(text) => pathsChoice.change({ lengths: text })} onEnter={go} />
        <Switch label="Count feasible ones" checked={feasible} onChange={(on) => pathsChoice.change({ feasible: on })} />
        {busy ? <button type="button" onClick={stopRuns}>Cancel</button> : <button type="button" class="primary" disabled={error !== null} onClick={go}>Count</button>}
      </div>
      {run && (
        <>
          <RunState run={run} current={current(run)} again={go} />
          <div class="result">
            <Table run={run} />
            {run.rows.length > 1 && <Chart rows={run.rows} feasible={run.asked.feasible} />}
          </div>
          {run.state === "done" && (
            <p class="muted small">
              {run.asked.feasible ? basis(run.by) : "Counted in the graph alone: infeasible paths are among them."}
              {run.ms !== null && ` ${plural(run.rows.length, "row")} in ${duration(run.ms)}.`}
            </p>
          )}
          <EvidenceLink name={`Counted paths of ${run.cfg.function}`} evidence={run.evidence} />
        </>
      )}
      {!run && <p class="muted">A path is complete when it leads from the entry to the exit; its length is its number of edges.</p>}
    </section>
  );
}

export function View() {
  return (
    <div class="pane paths-pane scroll" tabIndex={0} role="region" aria-label="Paths">
      <Counting />
      <Draw />
    </div>
  );
}
