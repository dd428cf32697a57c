// The Run tab: one execution on an input, walked along step by step with the values of all variables.

import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Assumes } from "../../parts/assumes";
import { Choice } from "../../parts/choice";
import { FlowGraph } from "../../parts/flow-graph";
import { marks } from "../../parts/marks";
import { roomy, useColumns } from "../../parts/room";
import { RunState } from "../../parts/run-state";
import { Viewing } from "../../parts/viewing";
import { current, known, placeWanted, shownPath } from "../../state/state";
import { inputText, isEmpty } from "../../text/inputs";
import { duration, grouped, plural } from "../../text/numbers";
import { rowKeys } from "../paths/draw";
import { InputControls } from "./form";
import { hasObjects, ObjectsPicture } from "./objects-picture";
import { runOnce } from "./session";
import { type ExecutedRun, executed, executedRun, OUTCOMES, stepShown, valuesAfter, view } from "./state";

function Summary({ run }: { run: ExecutedRun }) {
  const { document } = run;
  if (!document) return null;
  const { outcome, value, value_name, reason, place, steps, output_cut } = document;
  const { sign, kind, words } = OUTCOMES[outcome];
  const limit = 10 * run.limit;
  return (
    <p class="summary">
      <span class={`badge ${kind}`}>
        <b aria-hidden="true">{sign}</b>{" "}
        <b>
          {words}
          {value !== null && ` ${value_name ?? value}`}
        </b>
      </span>
      {reason && <span class="reason">{reason}</span>}
      {place && (
        <button type="button" class="link" onClick={() => (placeWanted.value = place.start)}>
          line {place.line}
        </button>
      )}
      {outcome === "steps" && steps >= run.limit && (
        <button type="button" onClick={() => void runOnce(limit)}>
          Go on, up to {grouped(limit)} steps
        </button>
      )}
      {output_cut !== null && <span class="muted">Of the output the first {grouped(output_cut)} bytes are kept.</span>}
      <span class="muted numbers">
        {plural(steps, "step")}
        {run.ms !== null && ` · ${duration(run.ms)}`}
      </span>
    </p>
  );
}

function Variables({ run }: { run: ExecutedRun }) {
  const { document } = run;
  const step = stepShown.value;
  if (!document || document.variables.length === 0) return null;
  if (step === null)
    return (
      <p>
        <button type="button" onClick={() => (shownPath.in("run").value = { of: executed, index: 0, step: 0 })}>
          Walk along this run
        </button>
      </p>
    );
  return (
    <table class="variables" aria-label={`Variables after step ${step}`}>
      <thead>
        <tr>
          <th scope="col">Variable</th>
          <th scope="col">{step === 0 ? "at the start" : `after step ${grouped(step)}`}</th>
          <th scope="col">changed</th>
        </tr>
      </thead>
      <tbody>
        {valuesAfter(document, step).map(({ name, text, before }) => (
          <tr key={name} class={before === null ? "" : "changed"}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>
              <code>{text}</code>
            </td>
            <td>
              {before !== null && (
                <>
                  <b aria-hidden="true">◂ </b>
                  <code>{before}</code>
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Branches({ run }: { run: ExecutedRun }) {
  const branches = run.document?.branches ?? [];
  if (branches.length === 0) return null;
  return (
    <>
      <h2>Decisions</h2>
      <table class="branches">
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Decision</th>
            <th scope="col">true</th>
            <th scope="col">false</th>
          </tr>
        </thead>
        <tbody>
          {branches.map(({ line, text, place, holds, fails }, at) => (
            <tr key={at}>
              <td>
                <button type="button" class="link" onClick={() => (placeWanted.value = place.start)}>
                  {line}
                </button>
              </td>
              <td>
                <code>{text}</code>
              </td>
              <td class={holds === 0 ? "never" : ""}>{grouped(holds)}</td>
              <td class={fails === 0 ? "never" : ""}>{grouped(fails)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Results({ run }: { run: ExecutedRun }) {
  const { document } = run;
  if (!document) return null;
  const left = document.steps - document.steps_shown.length;
  return (
    <>
      <h2>Variables</h2>
      <Variables run={run} />
      {left > 0 && (
        <p class="muted">
          The first {plural(document.steps_shown.length, "step")} can be walked along, not the {grouped(left)} after them.
        </p>
      )}
      {document.output !== "" && (
        <>
          <h2>Output</h2>
          <pre class="output" tabIndex={0}>
            {document.output}
          </pre>
        </>
      )}
      <Branches run={run} />
    </>
  );
}

type Part = "list" | "objects" | "picture";
/** What a person chose to see. */
const part = signal<Part | null>(null);
const PARTS = [
  { id: "list", title: "Values" },
  { id: "objects", title: "Objects" },
  { id: "picture", title: "Graph" },
] as const;
/** Where there is room for several: the objects alone, too. */
const TOGETHER = [
  { id: "list", title: "All" },
  { id: "objects", title: "Objects" },
] as const;

export function View() {
  const run = executedRun.value;
  const busy = run?.state === "running";
  const host = useRef<HTMLDivElement>(null);
  const columns = useColumns(host).value;
  const objects = hasObjects(run);
  const parts = columns > 1 ? TOGETHER : PARTS.filter(({ id }) => objects || id !== "objects");
  // Beside values and graph there is little left of a large picture, as in a lecture.
  const first: Part = objects && !roomy.value ? "objects" : "list";
  const wanted = part.value ?? first;
  const shown = (objects || wanted !== "objects") && parts.some(({ id }) => id === wanted) ? wanted : first;
  return (
    <div class="pane prune-pane run-pane" role="region" aria-label="Run" aria-busy={busy} ref={host}>
      <div class="pane-bar">
        {(columns === 1 || objects) && <Choice label="Part" all={parts} chosen={shown} onChoose={(id) => (part.value = id)} />}
        {run && <Summary run={run} />}
        {(shown === "picture" || (columns > 1 && shown === "list")) && (
          <span class="tools">
            <Viewing
              of={[view.value?.viewport]}
              save={{
                picture: () => view.value?.exported() ?? null,
                name: `${known.value?.cfg.function ?? "graph"}-run`,
                title: "the graph",
              }}
            />
          </span>
        )}
      </div>
      <div class="top">
        {run && <RunState run={run} current={current(run)} again={() => void runOnce()} />}
        {run?.document && <Assumes all={run.document.assumptions} ids={run.document.assumes} />}
        {!run && (
          <p class="muted">
            Executes the function once, on the input that is set above, and shows where it goes and what it does to the variables.
          </p>
        )}
      </div>
      <div class="picture pair" data-columns={columns} data-part={shown}>
        {run && objects && <ObjectsPicture run={run} name={known.value?.cfg.function ?? "run"} />}
        <div class="side-list scroll" tabIndex={0} role="region" aria-label="Variables, output and decisions" onKeyDown={rowKeys}>
          {run?.document && (
            <p class="muted">
              Input:{" "}
              <code>
                {run.cfg.inputs.length > 0 && isEmpty(run.document.input) ? "everything is 0" : inputText(run.document.input, run.cfg)}
              </code>
            </p>
          )}
          {run && <Results run={run} />}
        </div>
        <FlowGraph tab="run" view={view} marked={() => marks("run")} />
      </div>
    </div>
  );
}

export const Controls = () => <InputControls busy={executedRun.value?.state === "running"} start={() => void runOnce()} />;
