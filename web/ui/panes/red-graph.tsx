// The red–black graph of a run, step by step: picture, stepper, a sentence on the step, facts of the chosen vertex.

import { effect, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../icons";
import { grouped, plural } from "../numbers";
import { conjunction, sentence } from "../red/sentence";
import { collapse, currentStep, emphasis, folded, goTo, history, living, nameOf, playing, redSelected, shownCount, spots, stepsShown } from "../red/state";
import { RedView } from "../red/view";
import { SHOWN_STEPS } from "../settings";
import { type PruneRun, current, pruneRun, selected } from "../state";

/** Playing takes about this long, whatever the number of steps. */
const PLAY_MS = 15_000;

/** Chooses a vertex; its location is then shown in the graph and in the program. */
function choose(vertex: number | null): void {
  const run = pruneRun.value;
  const at = vertex === null ? undefined : living.value.get(vertex);
  redSelected.value = at ? at.vertex : null;
  if (run && current(run)) selected.value = at ? { kind: "node", id: at.location } : null;
}

/** Keys in the picture: with a vertex chosen, arrows follow the branches; Enter chooses the one of the step. */
function key(e: KeyboardEvent): boolean {
  if (e.ctrlKey || e.metaKey || e.altKey) return false;
  const at = redSelected.value === null ? undefined : living.value.get(redSelected.value);
  if (!at) {
    if (e.key !== "Enter") return false;
    choose(emphasis.value.at ?? living.value.keys().next().value ?? null);
    return true;
  }
  if (e.key === "Escape") {
    choose(null);
    return true;
  }
  const all = [...living.value.values()];
  const drawn = (vertex: number | undefined): void => {
    const to = vertex === undefined ? undefined : living.value.get(vertex);
    if (to && spots.value[to.slot]) choose(to.vertex);
  };
  const around = all.filter((other) => other.parent === at.parent);
  const place = around.findIndex((other) => other.vertex === at.vertex);
  switch (e.key) {
    case "ArrowLeft": drawn(at.parent ?? undefined); return true;
    case "ArrowRight": drawn(all.find((other) => other.parent === at.vertex)?.vertex); return true;
    case "ArrowUp": drawn(around[place - 1]?.vertex); return true;
    case "ArrowDown": drawn(around[place + 1]?.vertex); return true;
    default: return false;
  }
}

function attach(host: HTMLElement, hold: (view: RedView) => void): () => void {
  const view = new RedView(host, choose, key);
  hold(view);
  const undo = [
    effect(() => {
      const run = pruneRun.value;
      if (!run) return;
      view.svg.setAttribute("aria-label", `Red–black graph: ${plural(history.value.slots.length, "place")} of red vertices. Enter chooses the vertex of the step, arrows then follow the branches; without one they move the picture. Plus and minus zoom, F fits.`);
      view.show({ history: history.value, spots: spots.value, folded: folded.value, exit: run.cfg.exit, headers: new Set(run.cfg.loop_headers) });
      view.mark(emphasis.peek());
    }),
    effect(() => {
      const look = emphasis.value;
      view.mark(look);
      const focus = living.value.get(look.selected ?? look.at ?? -1);
      const box = focus && view.boxOf(focus.slot);
      // Only from out of sight: a picture that moves with every step cannot be followed.
      if (box) view.viewport.reveal(box, 4);
    }),
  ];
  return () => {
    undo.forEach((f) => f());
    view.svg.remove();
  };
}

function Stepper({ run }: { run: PruneRun }) {
  const last = run.steps.length;
  const at = shownCount.value;
  const on = playing.value;
  useEffect(() => {
    if (!on) return;
    const every = Math.min(600, Math.max(40, PLAY_MS / last));
    const stride = Math.max(1, Math.round((last * every) / PLAY_MS));
    const timer = setInterval(() => {
      goTo(shownCount.peek() + stride);
      if (shownCount.peek() >= last) playing.value = false;
    }, every);
    return () => clearInterval(timer);
  }, [on, last]);
  const go = (to: number): void => {
    playing.value = false;
    goTo(to);
  };
  const play = (): void => {
    if (!on && at >= last) goTo(0);
    playing.value = !on;
  };
  const onKey = (e: KeyboardEvent): void => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.target instanceof HTMLInputElement) return;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[e.key];
    if (to === undefined) return;
    go(to);
    e.preventDefault();
  };
  const step = currentStep.value;
  return (
    <div class="stepper" role="region" aria-label="Steps of the construction" onKeyDown={onKey}>
      <span class="steps">
        <button type="button" aria-label="First step" disabled={at === 0} onClick={() => go(0)}><Icon name="first" /></button>
        <button type="button" aria-label="Step back" disabled={at === 0} onClick={() => go(at - 1)}><Icon name="back" /></button>
        <button type="button" class="primary" onClick={play}>{on ? "Pause" : "Play"}</button>
        <button type="button" aria-label="Step on" disabled={at >= last} onClick={() => go(at + 1)}><Icon name="on" /></button>
        <button type="button" aria-label="Last step" disabled={at >= last} onClick={() => go(last)}><Icon name="last" /></button>
      </span>
      <input type="range" min={0} max={last} value={at} aria-label="Step of the construction" aria-valuetext={`step ${at} of ${last}`} onInput={(e) => go(Number(e.currentTarget.value))} />
      <span class="count">{grouped(at)} / {grouped(last)}</span>
      <p class="sentence" role="status" aria-live={on ? "off" : "polite"}>
        {step ? sentence(step, nameOf.value) : "Before the first step: there is no red vertex yet."}
        {last === SHOWN_STEPS && at === last && ` Only the first ${grouped(last)} steps are shown.`}
      </p>
    </div>
  );
}

function Facts({ run }: { run: PruneRun }) {
  const chosen = redSelected.value;
  const name = nameOf.value;
  const at = chosen === null ? undefined : living.value.get(chosen);
  if (!at) return <p class="details muted">Choose a red vertex to see its location, what is known there, and its line in the program.</p>;
  const location = run.cfg.locations.find((other) => other.id === at.location);
  // What the document says is of the finished graph.
  const final = shownCount.value === run.steps.length && run.steps.length < SHOWN_STEPS;
  const holds = final ? run.document?.graph.places.find((place) => place.vertex === at.vertex)?.holds : undefined;
  const state = at.unsatisfiable ? "marked: unsatisfiable" : at.subsumedBy !== null ? `subsumed by ${name(at.subsumedBy)}` : at.location === run.cfg.exit ? "a complete path ends here" : at.halted ? "has the greatest red length" : at.children > 0 ? "unfolded" : "still to be visited";
  const edge = at.edge === null ? null : run.cfg.edges[at.edge];
  return (
    <div class="details" role="status">
      <p>
        <b>Red vertex {name(at.vertex)}</b>: {state} · black vertex (location) {at.location}
        {location && at.location !== run.cfg.exit && ` · line ${location.line}`}
        {edge && <> · after <code>{edge.label}</code></>}
      </p>
      {holds && <p>Known here: <code>{holds.length > 0 ? holds.join(" ∧ ") : "nothing"}</code></p>}
      {at.abstracted.map(({ subsumee, forgotten, kept }, i) => (
        <p key={i}>Abstracted to contain {name(subsumee)}: forgot <code>{conjunction(forgotten) || "how values came about"}</code>, kept <code>{conjunction(kept) || "nothing"}</code></p>
      ))}
      {at.limits.length > 0 && <p>Limiting predicate: <code>{at.limits.join(" ∧ ")}</code></p>}
    </div>
  );
}

const LEGEND = [
  { name: "open", text: "to be visited" },
  { name: "", text: "unfolded" },
  { name: "exit", text: "exit" },
  { name: "unsatisfiable", text: "unsatisfiable" },
  { name: "subsumed", text: "subsumed" },
  { name: "abstracted", text: "abstracted" },
];

function RedLegend() {
  return (
    <ul class="legend">
      {LEGEND.map(({ name, text }) => (
        <li key={text}>
          <svg class="graph red-graph" viewBox="-16 -18 34 34" aria-hidden="true">
            <g class={`red ${name}`}>
              <circle class="body" r="12" />
              {name === "exit" && <circle class="ring" r="9" />}
              <path class="cross" d="M-8 -8L8 8M8 -8L-8 8" />
              <g class="alpha" transform="translate(9 -10)"><circle r="6" /><text y="3">α</text></g>
            </g>
          </svg>
          {text}
        </li>
      ))}
    </ul>
  );
}

export function RedGraph({ run }: { run: PruneRun }) {
  const host = useRef<HTMLDivElement>(null);
  const view = useSignal<RedView | null>(null);
  useEffect(() => (host.current ? attach(host.current, (made) => (view.value = made)) : undefined), []);
  // Leaving the picture ends the play.
  useEffect(() => () => void (playing.value = false), []);
  const viewport = view.value?.viewport;
  return (
    <div class="red-pane">
      <div class="toolbar">
        <RedLegend />
        <button type="button" aria-pressed={collapse.value} title="Fold subtrees without a complete path" onClick={() => (collapse.value = !collapse.value)}>Collapse closed subtrees</button>
        <span class="group">
          <button type="button" aria-label="Zoom out" onClick={() => viewport?.zoom(0.8)}>−</button>
          <button type="button" aria-label="Zoom in" onClick={() => viewport?.zoom(1.25)}>+</button>
          <button type="button" onClick={() => viewport?.fit()}>Fit</button>
        </span>
      </div>
      <div class="canvas" ref={host} />
      <Stepper run={run} />
      <Facts run={run} />
    </div>
  );
}

/** A new run is shown from its end on. */
export function resetRed(): void {
  stepsShown.value = null;
  redSelected.value = null;
  playing.value = false;
}
