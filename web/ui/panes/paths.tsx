// The Paths tab: how many complete paths of at most a length there are, how many of them can run; and paths drawn from
// them.

import { duration, grouped, plural, share, short } from "../numbers";
import type { PathsRow } from "../protocol";
import { countPaths, stopRuns } from "../session";
import { type PathsRun, change, current, pathsRun, settings } from "../state";
import { parseLengths } from "../settings";
import { Chart } from "./chart";
import { Draw } from "./draw";
import { EvidenceLink } from "./evidence-link";
import { Switch, TextField } from "./fields";
import type { Pane } from "./pane";
import { RunState } from "./run-state";

/** Copies tables with the numbers in full, not shortened. */
export function copyInFull(e: ClipboardEvent): void {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || !e.clipboardData) return;
  const part = selection.getRangeAt(0).cloneContents();
  const rows = [...part.querySelectorAll("tr")];
  if (rows.length === 0) return;
  const text = rows.map((row) => [...row.children].map((cell) => cell.querySelector<HTMLElement>("[data-full]")?.dataset["full"] ?? cell.textContent).join("\t")).join("\n");
  e.clipboardData.setData("text/plain", text);
  e.preventDefault();
}

/** A count of any size; shortened ones say their full value, and a click copies it. */
export function Count({ digits }: { digits: string }) {
  const text = short(digits);
  if (text === grouped(digits)) return <span data-full={digits}>{text}</span>;
  return (
    <button type="button" class="link count" data-full={digits} title={`${digits}\nClick to copy all ${digits.length} digits`} onClick={() => void navigator.clipboard?.writeText(digits)}>
      {text}
    </button>
  );
}

function Row({ row, length, run }: { row: PathsRow | undefined; length: number; run: PathsRun }) {
  const waiting = run.state === "running" ? "counting…" : "not counted";
  const open = row && run.feasible && row.feasible === null;
  return (
    <tr>
      <th scope="row" class="number">{grouped(length)}</th>
      <td class="number">{row ? <Count digits={row.total} /> : <span class="muted">{waiting}</span>}</td>
      {run.feasible && (
        <>
          <td class="number">
            {!row && <span class="muted">{waiting}</span>}
            {row?.feasible != null && <Count digits={row.feasible} />}
            {open && (
              <span class={run.state === "done" ? "open" : "muted"}>
                {run.state === "done" && "? "}
                {row.feasible_at_least !== null && row.feasible_at_least !== "0" ? <>at least <Count digits={row.feasible_at_least} /></> : run.state === "done" ? "open" : waiting}
              </span>
            )}
          </td>
          <td class="number">{row?.feasible != null ? share(row.feasible, row.total) : ""}</td>
        </>
      )}
    </tr>
  );
}

function Table({ run }: { run: PathsRun }) {
  const rows = new Map(run.rows.map((row) => [row.length, row]));
  return (
    <table class="paths" onCopy={copyInFull}>
      <caption>
        Complete paths of <code>{run.cfg.function}</code> by length
      </caption>
      <thead>
        <tr>
          <th scope="col" class="number">Length ≤ <i>l</i></th>
          <th scope="col" class="number">Paths P(<i>l</i>)</th>
          {run.feasible && (
            <>
              <th scope="col" class="number">Feasible FP(<i>l</i>)</th>
              <th scope="col" class="number">Share</th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {run.lengths.map((length) => <Row key={length} row={rows.get(length)} length={length} run={run} />)}
      </tbody>
    </table>
  );
}

function Counting() {
  const { lengths, feasible } = settings.value.paths;
  const parsed = parseLengths(lengths);
  const error = typeof parsed === "string" ? parsed : null;
  const run = pathsRun.value;
  const busy = run?.state === "running";
  const set = (part: Partial<{ lengths: string; feasible: boolean }>): void => change({ paths: { ...settings.value.paths, ...part } });
  const go = (): void => void (error === null && countPaths());
  return (
    <section aria-labelledby="count-title" aria-busy={busy}>
      <h2 id="count-title">Count</h2>
      <div class="form">
        <TextField label="Lengths" value={lengths} error={error} wide onInput={(text) => set({ lengths: text })} onEnter={go} />
        <Switch label="Count feasible ones" checked={feasible} onChange={(on) => set({ feasible: on })} />
        {busy ? <button type="button" onClick={stopRuns}>Cancel</button> : <button type="button" class="primary" disabled={error !== null} onClick={go}>Count</button>}
      </div>
      {run && (
        <>
          <RunState run={run} current={current(run)} again={go} />
          <div class="result">
            <Table run={run} />
            {run.rows.length > 1 && <Chart rows={run.rows} feasible={run.feasible} />}
          </div>
          {run.state === "done" && (
            <p class="muted small">
              {run.feasible ? "Each feasible path was replayed with an input, each infeasible one has a checked proof; beyond 5,000 feasible paths, one for all prefixes with the same states." : "Counted in the graph alone: infeasible paths are among them."}
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

function View() {
  return (
    <div class="pane paths-pane scroll" tabIndex={0} role="region" aria-label="Paths">
      <Counting />
      <Draw />
    </div>
  );
}

export const pathsPane: Pane = {
  id: "paths",
  title: "Paths",
  View,
  analyse: () => void countPaths(),
  // The first visit brings the table without being asked; later ones would count again what is known.
  visit: () => {
    if (pathsRun.value === null) void countPaths();
  },
};
