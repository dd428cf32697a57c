// The Explain tab: infeasible prefixes, why they cannot run, and all paths that cannot for the same reason.

import { useRef } from "preact/hooks";
import { Choice } from "../../parts/choice";
import { type Columns, roomy, useColumns } from "../../parts/room";
import { RunState } from "../../parts/run-state";
import { longer } from "../../state/run";
import { current } from "../../state/state";
import { grouped, plural, short } from "../../text/numbers";
import { BuildPath, TryPath } from "./builder";
import { PrefixControls } from "./form";
import { Graphs, GraphTools } from "./graphs";
import { PrefixList } from "./list";
import { Reason } from "./reason";
import { Rounds, RoundsControls } from "./rounds";
import { explainAll } from "./session";
import { type ExplainRun, explainRun, groups, part, rows, shownView, VIEWS, type ViewId } from "./state";
import { Tables } from "./tables";

/** After a run that its limit held back: the same with ten times as many steps. */
function GoOn({ run }: { run: ExplainRun }) {
  const limit = longer(run);
  return (
    limit !== null && (
      <p class="mark open">
        <button type="button" onClick={() => void explainAll({ limit })}>
          Go on, up to {grouped(limit)} steps
        </button>
      </p>
    )
  );
}

function Summary({ run }: { run: ExplainRun }) {
  const { document } = run;
  if (!document)
    return (
      <p class="summary">
        {rows.value.length > 0 && `${plural(groups.value.length, "reason")}, ${plural(rows.value.length, "prefix", "prefixes")} so far.`}
      </p>
    );
  const { generalized } = document;
  return (
    <p class="summary">
      {document.infeasible_prefixes === 0 && !document.complete ? (
        <b>No infeasible prefix so far</b>
      ) : (
        <b>
          {document.infeasible_prefixes > 0 && `${plural(document.reasons.length, "reason")}, `}
          {plural(document.infeasible_prefixes, "infeasible prefix", "infeasible prefixes")}
        </b>
      )}
      {document.infeasible_prefixes > 0 && (
        <span>
          a family has {grouped(generalized.average.toFixed(2))} paths on average, {short(generalized.maximum)} at most
        </span>
      )}
    </p>
  );
}

/** What another view begins with is its list or its builder. */
function show(view: ViewId): void {
  shownView.value = view;
  part.value = "list";
}

function Parts({ columns }: { columns: Columns }) {
  const chosen = part.value;
  // With a picture beside it, the first column shows what was last asked of it.
  const first = columns === 1 ? chosen : chosen === "why" ? "why" : "list";
  const all = [
    { id: "list" as const, title: shownView.value === "prefixes" ? "List" : "Path" },
    { id: "why" as const, title: "Why" },
  ];
  return <Choice label="First column" all={all} chosen={first === "picture" ? null : first} onChoose={(id) => (part.value = id)} />;
}

export function View() {
  const run = explainRun.value;
  const busy = run?.state === "running";
  const shown = shownView.value;
  const host = useRef<HTMLDivElement>(null);
  const columns = useColumns(host).value;
  const graphs = shown !== "tables" && shown !== "rounds";
  const swaps = columns === 1 || !roomy.value;
  const all = VIEWS.map(({ id, title, short }) => ({ id, title: roomy.value ? title : short }));
  return (
    <div
      class="pane prune-pane explain-pane"
      role="region"
      aria-label="Explain"
      aria-busy={busy}
      ref={host}
      data-columns={columns}
      data-part={swaps ? part.value : "all"}
    >
      <div class="pane-bar">
        <Choice className="views" label="What is shown" all={all} chosen={shown} onChoose={show} />
        {run && roomy.value && <Summary run={run} />}
        {graphs && swaps && <Parts columns={columns} />}
        {graphs && (
          <GraphTools
            which={columns < 3}
            shown={columns > 1 || part.value === "picture"}
            onShow={() => columns === 1 && (part.value = "picture")}
          />
        )}
      </div>
      <div class="top">
        {run && <RunState run={run} current={current(run)} again={() => void explainAll()} />}
        {run && <GoOn run={run} />}
        {!run && (
          <p class="muted">
            Finds every prefix at which a path turns infeasible, explains it by as few constraints as possible, and builds the automaton of
            all paths that fail for the same reason.
          </p>
        )}
      </div>
      <div class="picture">
        {shown === "tables" ? (
          <Tables run={run} measure={(compare) => void explainAll({ ...(run?.limit && { limit: run.limit }), compare })} />
        ) : shown === "rounds" ? (
          <Rounds />
        ) : (
          <div class="explained" data-view={shown}>
            <div class="pair">
              {shown === "prefixes" && run && <PrefixList run={run} />}
              {shown === "prefixes" && !run && <section class="list-pane" />}
              {shown === "build" && <BuildPath />}
              {shown === "other" && <TryPath />}
              <Reason />
            </div>
            <Graphs />
          </div>
        )}
      </div>
    </div>
  );
}

export const Controls = () =>
  shownView.value === "rounds" ? (
    <RoundsControls />
  ) : (
    <PrefixControls busy={explainRun.value?.state === "running"} start={() => void explainAll()} />
  );
