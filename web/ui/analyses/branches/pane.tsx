// The Branches tab: tests for every side of every decision that can be taken, and proofs that the others cannot.

import { useRef } from "preact/hooks";
import type { Marks } from "../../graph/view";
import { Choice } from "../../parts/choice";
import { FlowGraph, plain, signed } from "../../parts/flow-graph";
import { marks } from "../../parts/marks";
import { useColumns } from "../../parts/room";
import { GoOn, Refused } from "../../parts/run-end";
import { RunState } from "../../parts/run-state";
import { SaveTests } from "../../parts/save-tests";
import { Term } from "../../parts/term";
import { Viewing } from "../../parts/viewing";
import { current, known } from "../../state/state";
import { duration, grouped, plural, share } from "../../text/numbers";
import { EvidenceLink } from "../evidence-link";
import { rowKeys } from "../paths/draw";
import { Compared } from "./compared";
import { Branches, Tests } from "./list";
import { branchAll } from "./session";
import { type BranchesRun, branchesRun, kinds, part, pointed, SIGNS, VERDICTS, view } from "./state";
import { atWork, workMarks } from "./work-state";
import { Views, Work, WorkLegend } from "./work-view";

const infeasibleEdges = ({ list }: BranchesRun): number[] => list.flatMap(({ verdict, edges }) => (verdict === "infeasible" ? edges : []));

function Summary({ run }: { run: BranchesRun }) {
  const { counts, tests, state, runs, iterations, asked } = run;
  if (!counts) return null;
  if (counts.total === 0)
    return (
      <p class="summary">
        The function decides nothing: there is no branch. <EvidenceLink name={`Branches of ${run.cfg.function}`} evidence={run.evidence} />
      </p>
    );
  const { total, covered, infeasible, open } = counts;
  // Of a run that was stopped nothing is final.
  const sofar = run.document ? "" : " so far";
  return (
    <>
      <p class="summary">
        <span class={`badge ${covered > 0 ? "covered" : "open"}`}>
          {covered > 0 && (
            <>
              <b aria-hidden="true">{SIGNS.covered}</b>{" "}
            </>
          )}
          <b>
            {grouped(covered)} of {plural(total, "branch", "branches")}
          </b>{" "}
          covered by {plural(tests.length, "test")}
          {sofar}
        </span>
        {infeasible > 0 ? (
          <span class="badge infeasible">
            <b aria-hidden="true">{SIGNS.infeasible}</b> {grouped(infeasible)} infeasible{sofar}
          </span>
        ) : (
          run.document?.complete && <span class="badge nothing">0 infeasible</span>
        )}
        <span class={`badge ${open > 0 ? "open" : "covered"}`}>
          <b aria-hidden="true">{open > 0 ? SIGNS.open : SIGNS.covered}</b> {grouped(open)} open
        </span>
        <EvidenceLink name={`Branches of ${run.cfg.function}`} evidence={run.evidence} />
      </p>
      <dl class="shares">
        <div>
          <dt>
            <Term of="cov_b" />
          </dt>
          <dd>
            <b>{share(String(covered), String(total))}</b> of all branches
          </dd>
        </div>
        <div>
          <dt>
            <Term of="cov_f" />
          </dt>
          <dd>
            <b>{total === infeasible ? "100 %" : share(String(covered), String(total - infeasible))}</b> of those not infeasible
          </dd>
        </div>
      </dl>
      {state === "cancelled" && open > 0 && (
        <p>
          The run was stopped: what is open here may be covered or infeasible.{" "}
          <button type="button" class="link" onClick={() => void branchAll()}>
            Run again
          </button>
        </p>
      )}
      <p class="muted numbers">
        {asked.tests.length > 0 && `begun with ${plural(asked.tests.length, "test")} · `}
        {plural(runs, "run")} · {plural(iterations, "step")} at the <Term of="frontier" />
        {run.document && (
          <>
            {" ("}
            <Term of="it_b" /> {grouped(run.document.iterations_covered)}, <Term of="it_f" /> {grouped(run.document.iterations_settled)})
          </>
        )}
        {run.ms !== null && ` · ${duration(run.ms)}`}
      </p>
    </>
  );
}

/** The graph; of a run that has ended with what is known of each branch before its label, but not at work, when that was yet to be found. */
const picture = () => {
  const run = branchesRun.value;
  if (!run || run.state === "running" || atWork.value || !kinds.value) return plain();
  return signed(run.list, (edge) => {
    const kind = kinds.value?.get(edge);
    return kind ? { sign: SIGNS[kind], name: kind } : null;
  });
};

const marked = (): Marks =>
  atWork.value
    ? workMarks.value
    : { ...marks("branches", pointed.value), kinds: new Map([...(kinds.value ?? [])].map(([edge, kind]) => [edge, `v-${kind}`])) };

function Legend() {
  const there = new Set(kinds.value?.values());
  if (there.size === 0) return null;
  return (
    <ul class="legend" aria-label="Legend">
      {VERDICTS.filter((kind) => there.has(kind)).map((kind) => (
        <li key={kind} class={`v-${kind}`}>
          <b class={`sign ${kind}`} aria-hidden="true">
            {SIGNS[kind]}
          </b>
          {kind}
        </li>
      ))}
    </ul>
  );
}

const parts = () =>
  [
    { id: "list", title: atWork.value ? "R-states" : "Branches" },
    { id: "picture", title: "Graph" },
  ] as const;

export function View() {
  const run = branchesRun.value;
  const cfg = known.value?.cfg;
  const host = useRef<HTMLDivElement>(null);
  const columns = useColumns(host).value;
  return (
    <div class="pane prune-pane branches-pane" role="region" aria-label="Branches" aria-busy={run?.state === "running"}>
      <div class="pane-bar" ref={host}>
        {run && run.list.length > 0 && <Views />}
        {columns === 1 && <Choice label="Part" all={parts()} chosen={part.value} onChoose={(id) => (part.value = id)} />}
        {(columns > 1 || part.value === "picture") && (
          <span class="tools">
            {!atWork.value && <Legend />}
            <Viewing
              of={[view.value?.viewport]}
              save={{
                picture: () => view.value?.exported() ?? null,
                name: `${cfg?.program ?? "program"}-${cfg?.function ?? ""}-branches`,
                title: "the graph",
              }}
            />
          </span>
        )}
      </div>
      <div class="top">
        {run && <RunState run={run} current={current(run)} again={() => void branchAll()} />}
        {run && <Refused run={run} />}
        {run && <GoOn run={run} go={(limit) => void branchAll(limit)} />}
        {!run && (
          <p class="muted">
            Finds tests that take every side of every decision that can be taken, and proves of the others that no execution takes them.
          </p>
        )}
      </div>
      <div class="picture pair" data-columns={columns} data-part={part.value}>
        <div class="side-list scroll" tabIndex={0} role="region" aria-label="Tests and branches" onKeyDown={rowKeys}>
          {run &&
            (atWork.value ? (
              <Work run={run} />
            ) : (
              <>
                <Summary run={run} />
                <Compared run={run} />
                {run.state !== "running" && (
                  <SaveTests run={run} tests={[{ function: null, tests: run.tests }]} infeasible={infeasibleEdges(run)} />
                )}
                <Tests run={run} />
                <Branches run={run} />
              </>
            ))}
        </div>
        <FlowGraph tab="branches" view={view} picture={picture} marked={marked} legend={atWork.value ? <WorkLegend /> : null} />
      </div>
    </div>
  );
}

export { Controls } from "./form";
