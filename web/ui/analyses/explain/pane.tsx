// The Explain tab: infeasible prefixes, why they cannot run, and all paths that cannot for the same reason.

import { EXPLAIN_LIMIT, explainAll } from "./session";
import { type ExplainRun, VIEWS, explainRun, rows, shownView } from "./state";
import { grouped, plural, short } from "../../numbers";
import { current, narrow } from "../../state";
import { BuildPath, TryPath } from "./builder";
import { Form } from "./form";
import { Graphs } from "./graphs";
import { PrefixList } from "./list";
import { Reason } from "./reason";
import { Rounds } from "./rounds";
import { Tables } from "./tables";
import { EvidenceLink } from "../../parts/evidence-link";
import { RunState } from "../../parts/run-state";

/** After a run that its limit held back: the same with ten times as many steps. */
function GoOn({ run }: { run: ExplainRun }) {
  const steps = run.document?.statistics.steps;
  if (run.state !== "done" || run.document?.complete !== false || steps === undefined || steps < run.limit) return null;
  const limit = 10 * run.limit;
  return <p class="mark open"><button type="button" onClick={() => void explainAll({ limit })}>Go on, up to {grouped(limit)} steps</button></p>;
}

function Summary({ run }: { run: ExplainRun }) {
  const { document } = run;
  if (!document) return <p class="summary">{rows.value.length > 0 && `${plural(rows.value.length, "infeasible prefix", "infeasible prefixes")} so far.`}</p>;
  const { generalized } = document;
  return (
    <p class="summary">
      <b>{plural(document.infeasible_prefixes, "infeasible prefix", "infeasible prefixes")}</b>
      {document.infeasible_prefixes > 0 && <span>a family has {grouped(generalized.average.toFixed(2))} paths on average, {short(generalized.maximum)} at most</span>}
    </p>
  );
}

export function View() {
  const run = explainRun.value;
  const busy = run?.state === "running";
  const shown = shownView.value;
  return (
    <div class="pane prune-pane explain-pane" role="region" aria-label="Explain" aria-busy={busy}>
      <div class="top">
        <Form busy={busy} start={() => void explainAll()} />
        {run && <RunState run={run} current={current(run)} again={() => void explainAll()} />}
        {run && <GoOn run={run} />}
        {run ? <Summary run={run} /> : <p class="muted">Finds every prefix at which a path turns infeasible, explains it by as few constraints as possible, and builds the automaton of all paths that fail for the same reason.</p>}
      </div>
      <div class="views" role="group" aria-label="What is shown">
        {VIEWS.map(({ id, title, short }) => <button key={id} type="button" aria-pressed={shown === id} onClick={() => (shownView.value = id)}>{narrow.value ? short : title}</button>)}
        <span class="spring" />
        {run && <EvidenceLink name={`Explanations of ${run.cfg.function}`} evidence={run.evidence} />}
      </div>
      {shown === "tables" ? (
        <Tables run={run} measure={(compare) => void explainAll({ limit: run?.limit ?? EXPLAIN_LIMIT, compare })} />
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
  );
}
