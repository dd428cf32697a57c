// The Paths tab: how many complete paths of at most a length there are, how many of them can run; and paths drawn from
// them.

import type { ComponentChildren } from "preact";
import { Assumes, ofRows } from "../../parts/assumes";
import { Chart } from "../../parts/chart";
import { Choice } from "../../parts/choice";
import { basis, type Column, Count, CountTable, Feasible } from "../../parts/count-table";
import { Switch, TextField } from "../../parts/fields";
import { RunControls } from "../../parts/run-controls";
import { RunState } from "../../parts/run-state";
import { SaveTable } from "../../parts/save-table";
import type { PathsRow } from "../../protocol";
import { parseLengths } from "../../state/settings";
import { current } from "../../state/state";
import { duration, plural, share } from "../../text/numbers";
import type { Table as SavedTable } from "../../text/tables";
import { EvidenceLink } from "../evidence-link";
import { Draw, DrawControls } from "./draw";
import { counting, countPaths } from "./session";
import { pathsChoice } from "./settings";
import { type PathsRun, pathsRun } from "./state";
import { PATHS_VIEWS, pathsView } from "./views";

interface Line {
  length: number;
  /** What has arrived of it. */
  row: PathsRow | undefined;
}

function columns(run: PathsRun): Column<Line>[] {
  const done = run.state === "done";
  const waiting = <span class="muted">{run.state === "running" ? "counting…" : "not counted"}</span>;
  const atLeast = (row: PathsRow): ComponentChildren =>
    row.feasible_at_least !== null && row.feasible_at_least !== "0" ? (
      <span class="muted">
        at least <Count digits={row.feasible_at_least} />
      </span>
    ) : (
      waiting
    );
  const all: Column<Line> = {
    title: (
      <>
        Paths:{" "}
        <span class="whole">
          P(<i>l</i>)
        </span>
      </>
    ),
    cell: ({ row }) => (row ? <Count digits={row.total} /> : waiting),
  };
  if (!run.asked.feasible) return [all];
  return [
    all,
    {
      title: (
        <>
          Feasible:{" "}
          <span class="whole">
            FP(<i>l</i>)
          </span>
        </>
      ),
      cell: ({ row }) => (!row ? waiting : done || row.feasible !== null ? <Feasible row={row} /> : atLeast(row)),
    },
    { title: "FP/P", cell: ({ row }) => (row?.feasible != null ? share(row.feasible, row.total) : "") },
  ];
}

function Table({ run }: { run: PathsRun }) {
  const rows = new Map(run.rows.map((row) => [row.length, row]));
  const lengths = [...run.asked.lengths];
  // Where the steps did not suffice, a length that they reached has a row too.
  for (const { length } of run.rows) {
    if (lengths.includes(length)) continue;
    const at = lengths.findIndex((asked) => asked > length);
    lengths.splice(at < 0 ? lengths.length : at, 0, length);
  }
  return <CountTable of={run.cfg.function} rows={lengths.map((length) => ({ length, row: rows.get(length) }))} columns={columns(run)} />;
}

/** What is not counted is empty. */
const countTable = ({ rows, asked }: PathsRun): SavedTable => ({
  head: ["length", "paths", ...(asked.feasible ? ["feasible", "feasible at least"] : [])],
  rows: rows.map(({ length, total, feasible, feasible_at_least: least }) => [
    String(length),
    total,
    ...(asked.feasible ? [feasible ?? "", feasible ?? least ?? ""] : []),
  ]),
});

function CountControls() {
  const chosen = pathsChoice.value;
  const parsed = parseLengths(chosen.lengths);
  const error = typeof parsed === "string" ? parsed : null;
  const set = (part: Partial<typeof chosen>): void => pathsChoice.change(part);
  const words = [
    { text: error === null ? `lengths ${chosen.lengths}` : "no lengths", changed: chosen.lengths !== pathsChoice.defaults.lengths },
    ...(chosen.feasible ? [] : [{ text: "feasible ones not counted", changed: true }]),
  ];
  const fields = (go: () => void) => (
    <>
      <TextField label="Lengths" value={chosen.lengths} error={error} wide onInput={(text) => set({ lengths: text })} onEnter={go} />
      <Switch label="Count feasible ones" checked={chosen.feasible} onChange={(on) => set({ feasible: on })} />
    </>
  );
  return (
    <RunControls
      busy={pathsRun.value?.state === "running"}
      tasks={[counting]}
      ready={error === null}
      words={words}
      reset={() => set(pathsChoice.defaults)}
      start={() => void countPaths()}
      fields={fields}
    />
  );
}

/** Whether there is one path in all, and it can be taken: no table says more. */
const isOne = ({ document, cfg, rows }: PathsRun): boolean =>
  document !== null &&
  rows.length > 0 &&
  cfg.edges.every(({ holds }) => holds === null) &&
  rows.every(({ total, feasible }) => total === "1" && feasible === "1");

function Counts() {
  const run = pathsRun.value;
  return (
    <section aria-label="Path counts" aria-busy={run?.state === "running"}>
      {run ? (
        <>
          <RunState run={run} current={current(run)} again={() => void countPaths()} />
          {isOne(run) ? (
            <p class="summary">
              <b>1 path, it runs.</b>
            </p>
          ) : (
            <div class="result">
              <div>
                <SaveTable title="the numbers of paths" file={`${run.cfg.function}-paths`} table={() => countTable(run)} />
                <Table run={run} />
              </div>
              {run.rows.length > 1 && <Chart rows={run.rows} feasible={run.asked.feasible} />}
            </div>
          )}
          {run.document?.shortest && (
            <p>
              The shortest {run.document.shortest.exact ? "" : "known "}complete run needs{" "}
              <b>{plural(run.document.shortest.length, "step")}</b>.
            </p>
          )}
          <Assumes all={run.document?.assumptions} ids={ofRows(run.rows)} />
          {run.state === "done" && (
            <p class="muted small">
              {run.asked.feasible ? basis(run.by) : "Counted in the graph alone: infeasible paths are among them."}
              {run.ms !== null && ` ${isOne(run) ? "Counted" : plural(run.rows.length, "row")} in ${duration(run.ms)}.`}
            </p>
          )}
          <EvidenceLink name={`Counted paths of ${run.cfg.function}`} evidence={run.evidence} />
        </>
      ) : (
        <p class="muted">A path is complete when it leads from the entry to the exit; its length is its number of edges.</p>
      )}
    </section>
  );
}

export function View() {
  const shown = pathsView.value;
  return (
    <div class="pane paths-pane">
      <div class="pane-bar">
        <Choice className="views" label="What is shown" all={PATHS_VIEWS} chosen={shown} onChoose={(id) => (pathsView.value = id)} />
      </div>
      <div class="picture scroll" tabIndex={0} role="region" aria-label="Paths">
        {shown === "count" ? <Counts /> : <Draw />}
      </div>
    </div>
  );
}

export const Controls = () => (pathsView.value === "count" ? <CountControls key="count" /> : <DrawControls key="draw" />);
