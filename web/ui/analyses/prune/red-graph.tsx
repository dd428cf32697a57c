// The red–black graph of a run, step by step: picture, stepper, a sentence on the step, facts of the chosen vertex.

import { effect, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Details } from "../../parts/details";
import { readable } from "../../parts/flow-graph";
import { Stepper } from "../../parts/stepper";
import { Term } from "../../parts/term";
import { Viewing } from "../../parts/viewing";
import { current, selected } from "../../state/state";
import { grouped, plural } from "../../text/numbers";
import type { RedVertex } from "./history";
import {
  boxes,
  collapse,
  currentStep,
  cutShort,
  emphasis,
  folded,
  goTo,
  history,
  laid,
  living,
  nameOf,
  type PruneRun,
  playing,
  prunedSelected,
  pruneRun,
  redSelected,
  shownCount,
} from "./red-state";
import { RedView } from "./red-view";
import { conjunction, sentence } from "./sentence";

/** Chooses a vertex; its place in S′, its location in the graph and in the program are then shown too. */
function choose(vertex: number | null): void {
  const run = pruneRun.value;
  const at = vertex === null ? undefined : living.value.get(vertex);
  redSelected.value = at ? at.vertex : null;
  const place = at ? (run?.document?.graph.places.findIndex((other) => other.vertex === at.vertex) ?? -1) : -1;
  prunedSelected.value = place >= 0 ? { kind: "node", id: place } : null;
  if (run && current(run)) selected.in("prune").value = at ? { kind: "node", id: at.location } : null;
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
    if (to && laid.value.spots[to.slot]) choose(to.vertex);
  };
  const around = all.filter((other) => other.parent === at.parent);
  const place = around.findIndex((other) => other.vertex === at.vertex);
  switch (e.key) {
    case "ArrowLeft":
      drawn(at.parent ?? undefined);
      return true;
    case "ArrowRight":
      drawn(all.find((other) => other.parent === at.vertex)?.vertex);
      return true;
    case "ArrowUp":
      drawn(around[place - 1]?.vertex);
      return true;
    case "ArrowDown":
      drawn(around[place + 1]?.vertex);
      return true;
    default:
      return false;
  }
}

function attach(host: HTMLElement, hold: (view: RedView) => void): () => void {
  const view = new RedView(host, choose, key);
  hold(view);
  const undo = [
    effect(() => {
      // What is too large for the pane is scrolled, not made too small to be read.
      view.viewport.readable = readable();
      view.viewport.open();
    }),
    effect(() => {
      const run = pruneRun.value;
      if (!run) return;
      view.svg.setAttribute(
        "aria-label",
        `Red–black graph: ${plural(history.value.slots.length, "place")} of red vertices. Enter chooses the vertex of the step, arrows then follow the branches; without one they move the picture. Plus and minus zoom, F fits.`,
      );
      const { slots } = history.value;
      view.show(
        {
          history: history.value,
          boxes: boxes.value,
          laid: laid.value,
          folded: folded.value,
          exit: run.cfg.exit,
          headers: new Set(run.cfg.loop_headers),
        },
        (slot) => run.cfg.edges[slots[slot]?.edge ?? -1]?.label ?? "",
      );
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

/** Steps of the construction. */
export function Steps() {
  const last = history.value.steps.length;
  const step = currentStep.value;
  const more = cutShort.value
    ? `The construction took more steps: only the first ${grouped(last)} are shown here. S′ and the counts are of all of them.`
    : null;
  return (
    <Stepper of="construction" last={last} at={shownCount} goTo={goTo} playing={playing} more={more}>
      {step
        ? sentence(step, nameOf.value, (edge) => pruneRun.value?.cfg.edges[edge]?.label ?? "?")
        : "Before the first step: there is no red vertex yet."}
    </Stepper>
  );
}

/** The configurations of a vertex, the current one on top; those that abstractions further up brought are counted only, as the
 * steps do not tell them. */
function Stack({ at, now }: { at: RedVertex; now: readonly string[] | undefined }) {
  const name = nameOf.value;
  const own = [...at.abstracted].reverse();
  const carried = new Set(at.carried);
  const text = (formulas: readonly string[]) => <code>{conjunction(formulas) || "true"}</code>;
  return (
    <>
      <p>
        Configuration stack: {plural(1 + at.abstracted.length + at.carried.length, "configuration")}
        {carried.size > 0 &&
          `, ${at.carried.length} of them carried on from the ${at.carried.length === 1 ? "abstraction" : "abstractions"} of ${[...carried].map(name).join(", ")}`}
      </p>
      {now && <p>On top, at the end: {text(now)}</p>}
      {own.map(({ subsumee, forgotten, kept }, i) => (
        <p key={i}>
          Abstracted to contain {name(subsumee)}: kept {text(kept)}, forgot{" "}
          {forgotten.length > 0 ? text(forgotten) : "how values came about"}
        </p>
      ))}
    </>
  );
}

export function Facts({ run }: { run: PruneRun }) {
  const chosen = redSelected.value;
  const name = nameOf.value;
  const at = chosen === null ? undefined : living.value.get(chosen);
  if (!at) return null;
  const location = run.cfg.locations.find((other) => other.id === at.location);
  const known = (vertex: number | null) => run.document?.graph.places.find((place) => place.vertex === vertex)?.holds;
  const state = at.unsatisfiable
    ? "marked: unsatisfiable"
    : at.subsumedBy !== null
      ? `subsumed by ${name(at.subsumedBy)}`
      : at.location === run.cfg.exit
        ? "a complete path ends here"
        : at.halted
          ? "has the greatest red length"
          : at.children > 0
            ? "unfolded"
            : "still to be visited";
  const edge = at.edge === null ? null : run.cfg.edges[at.edge];
  const before = at.unsatisfiable ? known(at.parent) : undefined;
  return (
    <Details onClose={() => choose(null)}>
      <p>
        <b>Red vertex {name(at.vertex)}</b>: {state} · black vertex (location) {at.location}
        {location && at.location !== run.cfg.exit && ` · line ${location.line}`}
        {edge && (
          <>
            {" "}
            · after <code>{edge.label}</code>
          </>
        )}
      </p>
      {before && edge && (
        <p>
          Before that edge <code>{conjunction(before) || "true"}</code> holds, which the edge contradicts.
        </p>
      )}
      <Stack at={at} now={known(at.vertex)} />
      <p>
        Limiting predicate Φ: <code>{at.limits.length > 0 ? at.limits.join(" ∧ ") : "true"}</code>
      </p>
    </Details>
  );
}

const LEGEND = [
  { name: "open", text: "to be visited" },
  { name: "exit", text: "a complete path", sign: "✓" },
  { name: "cross unsatisfiable", text: "unsatisfiable" },
  { name: "subsumed", text: "subsumed by ①", term: "subsumed", sign: "⤴" },
  { name: "abstracted", text: "abstracted", term: "abstraction" },
  { name: "", text: "a loop that its head subsumes", sign: "↻" },
];

function RedLegend() {
  return (
    <details class="legend-fold">
      <summary>Legend</summary>
      <ul class="legend" aria-label="Legend">
        {LEGEND.map(({ name, text, term, sign }) => (
          <li key={text}>
            <svg class="graph red-graph" viewBox="-1 -1 32 22" aria-hidden="true">
              <g class={`red ${name}`}>
                <rect class={`frame ${name}`} width="30" height="20" rx="4" />
                <rect class="body" x="2" y="2" width="26" height="16" rx="3" />
                {name.startsWith("cross") && <path class="refuted" d="M11 6L19 14M19 6L11 14" />}
                {name === "abstracted" && (
                  <g class="alpha" transform="translate(15 10)">
                    <circle r="8" />
                    <text class="middle" y="4">
                      α
                    </text>
                  </g>
                )}
                {sign && (
                  <text class={`middle ${name === "exit" ? "end" : name === "" ? "round" : "subsumed-by"}`} x="15" y="15">
                    {sign}
                  </text>
                )}
              </g>
            </svg>
            {term ? <Term of={term}>{text}</Term> : text}
          </li>
        ))}
      </ul>
    </details>
  );
}

const shownRed = signal<RedView | null>(null);

/** What can be done with the picture, for the pane's bar. */
export function RedTools({ run }: { run: PruneRun }) {
  return (
    <span class="tools">
      <button
        type="button"
        aria-pressed={collapse.value}
        aria-label="Collapse closed subtrees"
        title="Fold subtrees without a complete path"
        onClick={() => (collapse.value = !collapse.value)}
      >
        Collapse
      </button>
      <Viewing
        of={[shownRed.value?.viewport]}
        save={{
          picture: () => shownRed.value?.exported() ?? null,
          name: `${run.cfg.program}-${run.cfg.function}-red`,
          title: "the red–black graph at this step",
        }}
      />
    </span>
  );
}

export function RedGraph() {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => (host.current ? attach(host.current, (made) => (shownRed.value = made)) : undefined), []);
  // Leaving the picture ends the play.
  useEffect(() => () => void (playing.value = false), []);
  return (
    <div class="red-pane">
      <div class="canvas" ref={host}>
        <RedLegend />
      </div>
    </div>
  );
}
