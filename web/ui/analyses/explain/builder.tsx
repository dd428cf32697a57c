// Paths put together edge by edge: one to be explained, or another one to be tried against the automaton.

import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { CfgDocument, ExplainPath } from "../../protocol";
import { current, known, pathIn, shownPath } from "../../state/state";
import { inputText } from "../../text/inputs";
import { plural } from "../../text/numbers";
import { drawn as drawnPaths, drawRun } from "../paths/state";
import { letter } from "./automaton";
import { Walked } from "./graphs";
import { isPathOfBoth } from "./path";
import { explainPath, judgePath } from "./session";
import { type Builder, built, explainedRun, explainRun, other, otherVerdict, otherWalk, rows, shownReason } from "./state";

/** The path so far, the edges that can follow as buttons, undo and clear, and paths to begin with. */
function Building({ of, name }: { of: Builder; name: string }) {
  const cfg = known.value?.cfg;
  if (!cfg) return null;
  const edges = of.edges.value;
  const next = of.next.value;
  const drawn = drawRun.value?.paths.flatMap((path, index) => (path && drawRun.value?.cfg === cfg ? [{ path, index }] : [])) ?? [];
  // Of an earlier program its edges may be others.
  const here = (of: CfgDocument, path: readonly number[]): boolean => isPathOfBoth(path, of, cfg);
  const drawnInView = shownPath.in("paths").value?.of === drawnPaths ? pathIn("paths") : null;
  const inView = drawnInView && here(drawnInView.run.cfg, drawnInView.path.edges) ? drawnInView : null;
  const explained = explainedRun.value && here(explainedRun.value.cfg, explainedRun.value.edges) ? explainedRun.value : null;
  return (
    <>
      <div class="next" role="group" aria-label="Edges that can follow">
        {next.length > 0 && <span class="muted">{edges.length === 0 ? "Begin with" : "Go on with"}</span>}
        {next.map((edge) => (
          <button key={edge.id} type="button" onClick={() => of.add(edge.id)}>
            <b>{letter(edge)}</b> <code>{edge.label}</code>
          </button>
        ))}
        {next.length === 0 && <span class="muted">The path is complete.</span>}
      </div>
      <p class="so-far" aria-live="polite">
        {edges.length === 0 ? (
          <span class="muted">
            Click edges in S, or choose here. Edges without an alternative before the one that was clicked come along.
          </span>
        ) : (
          <code>{edges.map((id) => letter(cfg.edges[id]!)).join(" ")}</code>
        )}
      </p>
      <div class="bar">
        <button type="button" disabled={edges.length === 0} onClick={() => of.undo()}>
          Undo
        </button>
        <button type="button" disabled={edges.length === 0} onClick={() => of.set([])}>
          Clear
        </button>
        {inView && (
          <button type="button" onClick={() => of.set(inView.path.edges)}>
            Take {inView.title.toLowerCase()} of the Paths tab
          </button>
        )}
        {!inView && drawn.length > 0 && (
          <label class="take">
            <span class="sr-only">Take a path drawn in the Paths tab</span>
            <select
              value=""
              onChange={(e) => {
                const one = drawn.find(({ index }) => String(index) === e.currentTarget.value);
                if (one) of.set(one.path.edges);
                e.currentTarget.value = "";
              }}
            >
              <option value="">Take a drawn path…</option>
              {drawn.map(({ path, index }) => (
                <option key={index} value={String(index)}>
                  Path {index + 1}, {plural(path.edges.length, "edge")}
                </option>
              ))}
            </select>
          </label>
        )}
        {explained && explained.edges.length > 0 && explained.edges.join() !== edges.join() && (
          <button type="button" onClick={() => of.set(explained.edges)}>
            Take {explained.title === name ? "the explained path" : explained.title.toLowerCase()}
          </button>
        )}
      </div>
    </>
  );
}

export function BuildPath() {
  // Each step is judged as it is taken.
  useEffect(
    () =>
      effect(() => {
        const edges = built.edges.value;
        if (edges.length > 0) void explainPath("Built path", edges);
      }),
    [],
  );
  return (
    <section class="list-pane build-pane" aria-label="Build a path">
      <Building of={built} name="Built path" />
    </section>
  );
}

function said(path: ExplainPath): { text: string; name: "yes" | "no" | "open" } {
  if (path.verdict === "feasible")
    return { text: `The engine: feasible, replayed with ${path.input ? inputText(path.input) : ""}.`, name: "yes" };
  if (path.verdict === "infeasible")
    return { text: `The engine: infeasible, at step ${(path.dies_at ?? 0) + 1} no input is left.`, name: "no" };
  return { text: "The engine: open.", name: "open" };
}

export function TryPath() {
  useEffect(
    () =>
      effect(() => {
        const edges = other.edges.value;
        otherVerdict.value = null;
        if (edges.length === 0) return;
        void judgePath(edges).then((path) => {
          if (path && other.edges.peek() === edges) otherVerdict.value = { edges, ...said(path) };
        });
      }),
    [],
  );
  const reason = shownReason.value;
  const walked = otherWalk.value;
  const run = explainedRun.value;
  const edges = other.edges.value;
  const stuckAt = walked?.stuck ? run?.cfg.edges[edges[walked.transitions.length] ?? -1] : undefined;
  const verdict = otherVerdict.value;
  return (
    <section class="list-pane build-pane" aria-label="Try another path">
      {!reason && <p class="muted">There is no automaton yet: choose an infeasible prefix or build an infeasible path first.</p>}
      {reason && <p class="muted">Against the automaton of {run?.title.toLowerCase()}:</p>}
      <Building of={other} name="" />
      {reason && rows.value.length > 1 && explainRun.value && current(explainRun.value) && edges.length === 0 && (
        <p>
          <button type="button" onClick={() => other.set(rows.value[Math.floor(Math.random() * rows.value.length)]!.edges)}>
            Take any other prefix
          </button>
        </p>
      )}
      {walked && edges.length > 0 && (
        <div role="status" class="judged">
          {walked.accepted !== null ? (
            <p>
              <span class="badge no">
                <b aria-hidden="true">✕</b> accepted
              </span>{" "}
              after {plural(walked.accepted, "edge")}: the path cannot run, for the same reason, however it goes on.
            </p>
          ) : walked.stuck ? (
            <p>
              <span class="badge open">
                <b aria-hidden="true">–</b> not accepted
              </span>{" "}
              In state {walked.states.at(-1)} there is no transition for {stuckAt ? letter(stuckAt) : "this edge"}: this explanation says
              nothing of the path.
            </p>
          ) : (
            <p>
              <span class="badge open">
                <b aria-hidden="true">…</b> not yet accepted
              </span>{" "}
              It is in state {walked.states.at(-1)}; go on.
            </p>
          )}
          {verdict && verdict.edges === edges && <p class={verdict.name === "no" ? "mark bad" : "mark"}>{verdict.text}</p>}
        </div>
      )}
      {edges.length > 0 && <Walked />}
    </section>
  );
}
