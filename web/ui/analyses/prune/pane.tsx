// The Prune tab: the red–black graph, the transformed graph it leads to, and how many paths that saves.

import { signal } from "@preact/signals";
import { Choice } from "../../parts/choice";
import { roomy } from "../../parts/room";
import { RunState } from "../../parts/run-state";
import { Term } from "../../parts/term";
import { current, pathIn } from "../../state/state";
import { grouped, plural, short } from "../../text/numbers";
import { PruneControls } from "./form";
import { PlaceFacts, PrunedGraph, PrunedTools } from "./pruned-graph";
import { Facts, RedGraph, RedTools, Steps } from "./red-graph";
import { type PruneRun, prunedSelected, pruneRun, redSelected } from "./red-state";
import { builtWith } from "./sentence";
import { pruneGraph } from "./session";
import { PruneTable } from "./table";

export const VIEWS = [
  { id: "all", title: "Overview", short: "Overview" },
  { id: "red", title: "Red–black graph", short: "Red–black" },
  { id: "pruned", title: "S and S′", short: "S and S′" },
  { id: "counts", title: "Path counts", short: "Counts" },
] as const;
type ViewId = (typeof VIEWS)[number]["id"];
export const chosenView = signal<ViewId>("all");
/** Where there is no room for all at once, the first of them. */
const shownView = (): ViewId => (!roomy.value && chosenView.value === "all" ? "red" : chosenView.value);

/** After a run that its limit held back: the same with ten times as many steps. */
function GoOn({ run }: { run: PruneRun }) {
  const reached = run.document?.reached_limit;
  const used = run.document?.used;
  const lessened = used?.because != null;
  if (run.state !== "done" || (reached == null && !lessened)) return null;
  const limit = 10 * (reached ?? run.limit);
  return (
    <p class="mark open">
      {lessened &&
        `What was asked for did not come to an end within its share of ${grouped(run.limit)} steps. This was built ${builtWith(used)}. The reason: ${used.because}. `}
      <button type="button" onClick={() => void pruneGraph(limit)}>
        Go on, up to {grouped(limit)} steps
      </button>
    </p>
  );
}

function Summary({ run }: { run: PruneRun }) {
  const { document } = run;
  // How far the construction has come stands beside its steps.
  if (!document) return null;
  const { red, original, pruned, table, used } = document;
  const { lookahead } = run.asked.graph;
  const row = table[table.length - 1];
  return (
    <p class="summary">
      <b>{plural(red.vertices, "red vertex", "red vertices")}</b>
      {used.exact_up_to !== null ? (
        <span class="parts">exact up to length {used.exact_up_to}</span>
      ) : (
        lookahead === null && <span class="muted parts">lookahead {used.lookahead}</span>
      )}
      {shownView() === "pruned" ? (
        <span class="muted parts">
          S: {original.locations} locations, {original.edges} edges; S′: {grouped(pruned.locations)}, {grouped(pruned.edges)};{" "}
          {plural(document.graph.cut.length, "edge")} cut
        </span>
      ) : (
        <span class="parts">
          {red.marked + red.subsumptions + red.abstractions + red.restarts === 0 ? (
            "nothing was cut or merged"
          ) : (
            <>
              {grouped(red.marked)} unsatisfiable, {plural(red.subsumptions, "subsumption")}, {plural(red.abstractions, "abstraction")},{" "}
              {plural(red.restarts, "restart")}
            </>
          )}
        </span>
      )}
      {row && shownView() !== "all" && (
        <span class="left">
          Of {short(row.original)} paths of length ≤ {grouped(row.length)}, <b>{short(row.pruned)}</b> are left.
        </span>
      )}
    </p>
  );
}

const Counts = ({ run, brief = false }: { run: PruneRun; brief?: boolean }) => (
  <div class="counts scroll" tabIndex={0} role="region" aria-label="Path counts">
    <PruneTable run={run} brief={brief} />
  </div>
);

function Shown({ run }: { run: PruneRun }) {
  switch (shownView()) {
    case "red":
      return (
        <>
          <RedGraph />
          <Facts run={run} />
        </>
      );
    case "pruned":
      return (
        <>
          <PrunedGraph run={run} />
          <PlaceFacts run={run} />
        </>
      );
    case "counts":
      return <Counts run={run} />;
    case "all":
      return (
        <>
          <div class="overview">
            <RedGraph />
            <div class="below">
              <PrunedGraph run={run} />
              <Counts run={run} brief />
            </div>
          </div>
          {redSelected.value === null && run.document && (prunedSelected.value || pathIn("prune")) ? (
            <PlaceFacts run={run} />
          ) : (
            <Facts run={run} />
          )}
        </>
      );
  }
}

function Views() {
  const shown = shownView();
  const all = VIEWS.filter(({ id }) => id !== "all" || roomy.value).map(({ id, title, short }) => ({
    id,
    title: roomy.value ? title : short,
  }));
  return <Choice className="views" label="What is shown" all={all} chosen={shown} onChoose={(id) => (chosenView.value = id)} />;
}

export function View() {
  const run = pruneRun.value;
  const busy = run?.state === "running";
  const shown = shownView();
  return (
    <div class="pane prune-pane" role="region" aria-label="Prune" aria-busy={busy}>
      {run && (
        <div class="pane-bar">
          <Views />
          <Summary run={run} />
          {(shown === "red" || shown === "all") && <RedTools run={run} />}
          {shown === "pruned" && <PrunedTools run={run} />}
        </div>
      )}
      <div class="top">
        {run && <RunState run={run} current={current(run)} again={() => void pruneGraph()} />}
        {run && <GoOn run={run} />}
        {!run && (
          <p class="muted">
            Unfolds the control-flow graph into a red–black graph, cuts what no run can reach, and folds it again by subsumption: the
            transformed graph <Term of="S′" /> has every feasible path, and fewer of the others.
          </p>
        )}
      </div>
      {run && (
        <div class="picture">
          <Shown run={run} />
        </div>
      )}
    </div>
  );
}

export function Strip() {
  const shown = shownView();
  return pruneRun.value && (shown === "red" || shown === "all") ? <Steps /> : null;
}

export const Controls = () => <PruneControls busy={pruneRun.value?.state === "running"} start={() => void pruneGraph()} />;
