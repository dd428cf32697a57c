// The Prune tab: the red–black graph, the transformed graph it leads to, and how many paths that saves.

import { signal } from "@preact/signals";
import { grouped, plural, short } from "../../numbers";
import { type PruneRun, pruneRun, prunedSelected, redSelected } from "./red-state";
import { pruneGraph } from "./session";
import { current, narrow, pathIn } from "../../state";
import { Form } from "./form";
import { PruneTable } from "./table";
import { PlaceFacts, PrunedGraph } from "./pruned-graph";
import { Facts, RedGraph } from "./red-graph";
import { RunState } from "../../parts/run-state";

const VIEWS = [
  { id: "all", title: "Overview", short: "Overview" },
  { id: "red", title: "Red–black graph", short: "Red–black" },
  { id: "pruned", title: "S and S′", short: "S and S′" },
  { id: "counts", title: "Path counts", short: "Path counts" },
] as const;
type ViewId = (typeof VIEWS)[number]["id"];
const chosenView = signal<ViewId>("all");
/** A phone has room for one thing at a time. */
const shownView = (): ViewId => (narrow.value && chosenView.value === "all" ? "red" : chosenView.value);

/** After a run that its limit held back: the same with ten times as many steps. */
function GoOn({ run }: { run: PruneRun }) {
  const reached = run.document?.reached_limit;
  const used = run.document?.used;
  const lessened = used && (used.lookahead !== run.asked.graph.lookahead || used.restarts !== run.asked.graph.restarts);
  if (run.state !== "done" || (reached == null && !lessened)) return null;
  const limit = 10 * (reached ?? run.limit);
  return (
    <p class="mark open">
      {lessened && `What was asked for did not come to an end within its share of ${grouped(run.limit)} steps. This was built with a lookahead of ${used.lookahead}, ${used.restarts ? "with" : "without"} restarts. ${used.because ? `The reason: ${used.because}. ` : ""}`}
      <button type="button" onClick={() => void pruneGraph(limit)}>Go on, up to {grouped(limit)} steps</button>
    </p>
  );
}

function Summary({ run }: { run: PruneRun }) {
  const { document } = run;
  if (!document) return <p class="summary">{run.steps.length > 0 && `${plural(run.steps.length, "step")} of the construction so far.`}</p>;
  const { red, original, pruned, table } = document;
  const row = table[table.length - 1];
  return (
    <p class="summary">
      <b>{plural(red.vertices, "red vertex", "red vertices")}</b>
      <span class="parts">{grouped(red.marked)} unsatisfiable, {plural(red.subsumptions, "subsumption")}, {plural(red.abstractions, "abstraction")}, {plural(red.restarts, "restart")}</span>
      {shownView() !== "all" && <span class="muted parts">S: {original.locations} locations, {original.edges} edges; S′: {grouped(pruned.locations)}, {grouped(pruned.edges)}</span>}
      {row && shownView() !== "all" && <span>Of {short(row.original)} paths of length ≤ {grouped(row.length)}, <b>{short(row.pruned)}</b> are left.</span>}
    </p>
  );
}

const Counts = ({ run, brief = false }: { run: PruneRun; brief?: boolean }) => (
  <div class="counts scroll" tabIndex={0} role="region" aria-label="Path counts"><PruneTable run={run} brief={brief} /></div>
);

function Shown({ run }: { run: PruneRun }) {
  switch (shownView()) {
    case "red":
      return <><RedGraph run={run} /><Facts run={run} /></>;
    case "pruned":
      return <><PrunedGraph run={run} /><PlaceFacts run={run} /></>;
    case "counts":
      return <Counts run={run} />;
    case "all":
      return (
        <>
          <div class="overview">
            <RedGraph run={run} beside={<Summary run={run} />} />
            <div class="strip">
              <PrunedGraph run={run} />
              <Counts run={run} brief />
            </div>
          </div>
          {redSelected.value === null && run.document && (prunedSelected.value || pathIn("prune")) ? <PlaceFacts run={run} /> : <Facts run={run} />}
        </>
      );
  }
}

export function View() {
  const run = pruneRun.value;
  const busy = run?.state === "running";
  const shown = shownView();
  return (
    <div class="pane prune-pane" role="region" aria-label="Prune" aria-busy={busy}>
      <div class="top">
        <Form busy={busy} start={() => void pruneGraph()} />
        {run && <RunState run={run} current={current(run)} again={() => void pruneGraph()} />}
        {run && <GoOn run={run} />}
        {run && shown !== "all" && <Summary run={run} />}
        {!run && <p class="muted">Unfolds the control-flow graph into a red–black graph, cuts what no run can reach, and folds it again by subsumption: the transformed graph S′ has every feasible path, and fewer of the others.</p>}
      </div>
      {run && (
        <>
          <div class="views" role="group" aria-label="What is shown">
            {VIEWS.filter(({ id }) => id !== "all" || !narrow.value).map(({ id, title, short }) => <button key={id} type="button" aria-pressed={shown === id} onClick={() => (chosenView.value = id)}>{narrow.value ? short : title}</button>)}
          </div>
          <Shown run={run} />
        </>
      )}
    </div>
  );
}
