// The Cover tab: tests for every statement that can be executed within a bound, and why the others cannot.

import { useRef } from "preact/hooks";
import type { Marks } from "../../graph/view";
import { Choice } from "../../parts/choice";
import { FlowGraph, plain, signed } from "../../parts/flow-graph";
import { marks } from "../../parts/marks";
import { useColumns } from "../../parts/room";
import { GoOn, Refused } from "../../parts/run-end";
import { RunState } from "../../parts/run-state";
import { Term } from "../../parts/term";
import { Viewing } from "../../parts/viewing";
import { type CoverSummaries, MAX_UNWIND } from "../../protocol";
import { current, known } from "../../state/state";
import { inputText } from "../../text/inputs";
import { duration, grouped, plural } from "../../text/numbers";
import { EvidenceLink } from "../evidence-link";
import { rowKeys } from "../paths/draw";
import { comparisonRun } from "./compare";
import { CompareControls, Comparison } from "./compare-view";
import { CoverControls } from "./form";
import { Errors, Statements, Tests } from "./list";
import { coverAll } from "./session";
import { compareChoice, coverChoice } from "./settings";
import { boundOf, type CoverRun, coverRun, coverStatement, type Kind, kinds, listOf, part, SIGNS, testsOf, view, words } from "./state";
import { CoverViews } from "./views";

const REST = ["infeasible", "never", "within", "open"] as const;

/** One more where there are few, twice as many where there are more. */
const more = (unwind: number): number => Math.min(MAX_UNWIND, unwind < 4 ? unwind + 1 : 2 * unwind);

function UnwindMore({ run }: { run: CoverRun }) {
  if (!run.document || run.document.not_within.length === 0 || run.document.unwind >= MAX_UNWIND) return null;
  const { enough } = run.document;
  const unwind = enough?.unwind ?? more(run.document.unwind);
  const why = enough
    ? `With ${plural(unwind, "unwinding")} the run with ${inputText(enough.input)} completes`
    : `${plural(run.document.not_within.length, "statement")} may be covered with more unwindings`;
  const go = (): void => {
    coverChoice.change({ unwind });
    void coverAll();
  };
  return (
    <button type="button" title={why} onClick={go}>
      Unwind more: {plural(unwind, "time")}
    </button>
  );
}

function Summary({ run }: { run: CoverRun }) {
  const { document } = run;
  if (!document) {
    const tests = testsOf(run).length;
    return <p class="summary">{tests > 0 && `${plural(tests, "test")} so far.`}</p>;
  }
  if (document.statements === 0 && document.tests.length > 0)
    return (
      <p class="summary">
        The function has no statement to cover: there is 1 path, and it runs.{" "}
        <EvidenceLink name={`Cover of ${run.cfg.function}`} evidence={run.evidence} />
      </p>
    );
  const name = words(document.unwind);
  const bound = document.bounded
    ? `loops unwound ${document.unwind === 1 ? "once" : `${grouped(document.unwind)} times`}`
    : "all executions";
  return (
    <p class="summary">
      <span class={`badge ${document.covered > 0 ? "covered" : "open"}`}>
        {document.covered > 0 && (
          <>
            <b aria-hidden="true">{SIGNS.covered}</b>{" "}
          </>
        )}
        <b>
          {grouped(document.covered)} of {plural(document.statements, "statement")}
        </b>{" "}
        covered by {plural(document.tests.length, "test")}
      </span>
      {REST.map((kind) => {
        const count = listOf(document, kind).length;
        return (
          count > 0 && (
            <span key={kind} class={`badge ${kind}`}>
              <b aria-hidden="true">{SIGNS[kind]}</b> {grouped(count)} {name[kind]}
            </span>
          )
        );
      })}
      {document.errors.length > 0 && (
        <span class="badge failure">
          <b aria-hidden="true">!</b> {plural(document.errors.length, "error")}
        </span>
      )}
      <UnwindMore run={run} />
      <EvidenceLink name={`Cover of ${run.cfg.function}`} evidence={run.evidence} />
      <span class="muted numbers">
        {plural(document.queries, "query", "queries")} · {document.bounded ? <Term of="unwinding">{bound}</Term> : bound}
        {run.ms !== null && ` · ${duration(run.ms)}`}
      </span>
      <Summaries of={document.summaries} />
    </p>
  );
}

/** What became of called functions, where their summaries were asked for. */
function Summaries({ of }: { of: CoverSummaries | null }) {
  if (!of) return null;
  if (of.functions.length === 0) return <span class="muted summarized">No function is called: there was nothing to summarize.</span>;
  return (
    <span class="muted summarized">
      {plural(of.tests, "test")} by {plural(of.queries, "query", "queries")} with summaries:{" "}
      {of.functions.map(({ function: name, pairs, recomputed, inlined }, at) => (
        <span key={name}>
          {at > 0 && "; "}
          <code>{name}</code>{" "}
          {inlined === null
            ? `has ${plural(pairs, "pair")}${recomputed > 0 ? `, recomputed ${recomputed === 1 ? "once" : `${recomputed} times`}` : ""}`
            : `is inlined, as ${inlined}`}
        </span>
      ))}
      .
    </span>
  );
}

/** The graph; of a run with what is known of each edge before its label. */
const picture = () => {
  const run = coverRun.value;
  // While tests arrive the graph is not laid out again and again.
  if (!run?.document || !kinds.value) return plain();
  const name = words(boundOf(run));
  return signed(run.document, (edge) => {
    const kind = kinds.value?.get(edge) ?? "open";
    return { sign: SIGNS[kind], name: name[kind] };
  });
};

const marked = (): Marks => {
  const known = kinds.value;
  const here = marks("cover", coverStatement.value);
  return known ? { ...here, kinds: new Map([...known].map(([edge, kind]) => [edge, `v-${kind}`])) } : here;
};

function Legend({ run }: { run: CoverRun | null }) {
  const name = words(run ? boundOf(run) : null);
  const there = new Set<Kind>(kinds.value?.values());
  if (there.size === 0) return null;
  return (
    <ul class="legend" aria-label="Legend">
      {(["covered", ...REST] as const)
        .filter((kind) => there.has(kind))
        .map((kind) => (
          <li key={kind} class={`v-${kind}`}>
            <b class={`sign ${kind}`} aria-hidden="true">
              {SIGNS[kind]}
            </b>
            {name[kind]}
          </li>
        ))}
    </ul>
  );
}

const PARTS = [
  { id: "list", title: "Tests" },
  { id: "picture", title: "Graph" },
] as const;

function Program() {
  const run = coverRun.value;
  const name = words(run ? boundOf(run) : null);
  const cfg = known.value?.cfg;
  const host = useRef<HTMLDivElement>(null);
  const columns = useColumns(host).value;
  return (
    <>
      <div class="pane-bar" ref={host}>
        <CoverViews />
        {columns === 1 && <Choice label="Part" all={PARTS} chosen={part.value} onChoose={(id) => (part.value = id)} />}
        {(columns > 1 || part.value === "picture") && (
          <span class="tools">
            <Legend run={run} />
            <Viewing
              of={[view.value?.viewport]}
              save={{
                picture: () => view.value?.exported() ?? null,
                name: `${cfg?.program ?? "program"}-${cfg?.function ?? ""}-cover`,
                title: "the graph",
              }}
            />
          </span>
        )}
      </div>
      <div class="top">
        {run && <RunState run={run} current={current(run)} again={() => void coverAll()} />}
        {run && <Refused run={run} />}
        {run && <GoOn run={run} go={(limit) => void coverAll(limit)} />}
        {!run && (
          <p class="muted">
            Finds a few tests that execute every statement that can be executed within a number of unwindings, and says of the others why
            they cannot.
          </p>
        )}
      </div>
      <div class="picture pair" data-columns={columns} data-part={part.value}>
        <div class="side-list scroll" tabIndex={0} role="region" aria-label="Tests and statements" onKeyDown={rowKeys}>
          {run && (
            <>
              <Summary run={run} />
              <Tests run={run} />
              <Errors run={run} />
              {REST.map((kind) => (
                <Statements key={kind} run={run} kind={kind} name={name[kind]} />
              ))}
            </>
          )}
        </div>
        <FlowGraph tab="cover" view={view} picture={picture} marked={marked} />
      </div>
    </>
  );
}

export function View() {
  const { shown } = compareChoice.value;
  const busy = (shown ? comparisonRun : coverRun).value?.state === "running";
  return (
    <div class="pane prune-pane cover-pane" role="region" aria-label="Cover" aria-busy={busy}>
      {shown ? <Comparison /> : <Program />}
    </div>
  );
}

export function Controls() {
  if (compareChoice.value.shown) return <CompareControls key="compare" busy={comparisonRun.value?.state === "running"} />;
  return <CoverControls key="cover" busy={coverRun.value?.state === "running"} start={() => void coverAll()} />;
}
