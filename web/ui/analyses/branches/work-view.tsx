// The graph at work, beside the graph: how far the runs have got, what is wanted, and the frontier, after each step.

import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Choice } from "../../parts/choice";
import { quoted } from "../../parts/quoted";
import { Row, Rows, Section } from "../../parts/rows";
import { Stepper } from "../../parts/stepper";
import { Term } from "../../parts/term";
import type { CfgDocument } from "../../protocol";
import { current, placeWanted } from "../../state/state";
import { grouped, plural } from "../../text/numbers";
import { type BranchesRun, branchesRun } from "./state";
import type { Wanted } from "./work";
import { edgeName, sentence } from "./work-sentence";
import {
  atWork,
  before,
  chooseWanted,
  goTo,
  model,
  playing,
  show,
  shownCount,
  step,
  steps,
  stepsShown,
  wantedChosen,
  workMarks,
} from "./work-state";

/** Steps are there to be read. */
const PLAYS = { all: 180_000, one: 1_500 };

export const Views = () => (
  <Choice
    className="views"
    label="What is shown"
    all={
      [
        { id: "result", title: "Result" },
        { id: "work", title: "At work", hint: "Step by step, how it was found" },
      ] as const
    }
    chosen={atWork.value ? "work" : "result"}
    onChoose={(id) => show(id === "work")}
  />
);

const said = (run: BranchesRun): string =>
  step.value ? sentence(step.value, before.value, run.cfg) : "Before the first step: no run is known, and nothing is wanted.";

/** The steps of the last run. */
export function WorkSteps() {
  const run = branchesRun.value;
  useEffect(() => () => void (playing.value = false), []);
  if (!run || !atWork.value || steps.value.length === 0) return null;
  const last = steps.value.length;
  return (
    <Stepper
      of="analysis"
      last={last}
      at={shownCount}
      goTo={goTo}
      playing={playing}
      plays={PLAYS}
      more={run.moreSteps ? `The analysis took more steps: only the first ${grouped(last)} are shown here.` : null}
    >
      {quoted(said(run))}
    </Stepper>
  );
}

/** What is known of a wanted state at the step. */
type Shown = Wanted & { sign: string; is: string };

function About({ state: { state, location, way, to, target, touched }, cfg }: { state: Shown; cfg: CfgDocument }) {
  const behind = to === null ? undefined : (model.value.wanted.get(to) ?? before.value.wanted.get(to));
  const into = [...model.value.frontier.values()].filter((gap) => gap.to === state);
  const at = cfg.edges[way ?? target];
  return (
    <>
      <p>
        {quoted(
          way === null
            ? `Location ${location}, behind ${edgeName(cfg, target)}, which no run takes.`
            : `At location ${location}. From here ${edgeName(cfg, way)} leads to \`${behind?.condition ?? "?"}\`.`,
        )}{" "}
        {at && (
          <button type="button" class="link" onClick={() => (placeWanted.value = at.place.start)}>
            Show the line
          </button>
        )}
      </p>
      {way !== null && <p>{quoted(`Wanted for ${edgeName(cfg, target)}.`)}</p>}
      <p>
        {quoted(
          into.length > 0
            ? `Frontier before it: ${into.map(({ edge }) => edgeName(cfg, edge)).join(", ")}.`
            : "No frontier edge before it.",
        )}
      </p>
      {touched && <p>A run has satisfied it and gone another way: it says too little, and no proof uses it.</p>}
    </>
  );
}

/** A target is wanted whatever holds there: it is known by its edge. */
const Condition = ({ state: { condition, way, target }, cfg }: { state: Shown; cfg: CfgDocument }) =>
  way === null ? (
    <>
      {condition !== "true" && (
        <>
          <code>{condition}</code>{" "}
        </>
      )}
      behind <code>{cfg.edges[target]?.label}</code>
    </>
  ) : (
    <code>{condition}</code>
  );

/** What is wanted, and what was until this step: by place, what is new first. */
function wantedNow(): Shown[] {
  const [now, was, done] = [model.value.wanted, before.value.wanted, step.value];
  const fresh = new Set(done?.wanted.map(({ state }) => state));
  const gone = (done?.removed ?? []).flatMap((state) => was.get(state) ?? []);
  return [
    ...[...now.values()].filter(({ state }) => fresh.has(state)).map((state) => ({ ...state, sign: "+", is: "new" })),
    ...gone.map((state) => ({ ...state, sign: "−", is: "removed" })),
    ...[...now.values()]
      .filter(({ state }) => !fresh.has(state))
      .reverse()
      .map((state) => ({ ...state, sign: state.touched ? "~" : "", is: state.touched ? "touched" : "" })),
  ];
}

function WantedStates({ run }: { run: BranchesRun }) {
  const all = wantedNow();
  const line = (edge: number): number => run.cfg.edges[edge]?.line ?? 0;
  const size = model.value.wanted.size;
  return (
    <Section
      kind="wanted"
      title={plural(size, "wanted state")}
      says={
        size > 0 ? (
          <>
            <Term of="R-state">R-states</Term>: from there the way to a branch is known that no run takes.
          </>
        ) : (
          "Nothing is wanted."
        )
      }
    >
      <Rows<Shown>
        label="Wanted states"
        all={all}
        row={(state) => (
          <Row
            key={state.state}
            at={state.state}
            chosen={wantedChosen.value === state.state}
            usable={current(run)}
            choose={() => chooseWanted(state.state)}
            className={state.is}
            where={grouped(line(state.way ?? state.target))}
            sign={state.sign}
            signName={state.is}
            text={<Condition state={state} cfg={run.cfg} />}
            size={`for line ${grouped(line(state.target))}`}
          >
            {() => <About state={state} cfg={run.cfg} />}
          </Row>
        )}
      />
    </Section>
  );
}

export function Work({ run }: { run: BranchesRun }) {
  const { reached, taken, frontier, excluded } = model.value;
  const edges = new Set([...frontier.values()].map(({ edge }) => edge)).size;
  // The last run's list keeps its place; a step further what is new stands at its top.
  useEffect(
    () =>
      effect(() => {
        if (stepsShown.value !== null) document.querySelector(".branches-pane .side-list")?.scrollTo({ top: 0 });
      }),
    [],
  );
  if (steps.value.length === 0)
    return <p class="muted">{run.state === "running" ? "The first step is to come." : "Nothing was done at the graph."}</p>;
  return (
    <>
      <p class="step-says">{quoted(said(run))}</p>
      <dl class="shares model">
        <div>
          <dt>
            <Term of="S-state">Reached (S)</Term>
          </dt>
          <dd>
            {plural(reached.size, "location")} of {grouped(run.cfg.locations.length)}, by {plural(taken.size, "edge")} of{" "}
            {grouped(run.cfg.edges.length)}
          </dd>
        </div>
        <div>
          <dt>
            <Term of="frontier">Frontier</Term>
          </dt>
          <dd>
            {frontier.size === 0
              ? "no edge is left"
              : `${plural(edges, "edge")} to ${plural(new Set([...frontier.values()].map(({ to }) => to)).size, "wanted state")}`}
          </dd>
        </div>
        {excluded.size > 0 && (
          <div>
            <dt>Infeasible</dt>
            <dd>{plural(excluded.size, "edge")}</dd>
          </div>
        )}
        <div>
          <dt>Steps at the frontier</dt>
          <dd>
            {grouped(step.value?.iteration ?? 0)} of {grouped(run.iterations)}
          </dd>
        </div>
      </dl>
      <WantedStates run={run} />
    </>
  );
}

/** Of what may be absent it is said when it is there. */
const LEGEND: { kinds: string; node: string; text: string; there?: () => boolean }[] = [
  { kinds: "", node: "reached", text: "reached (S)" },
  {
    kinds: "",
    node: "unreached",
    text: "not reached",
    there: () => model.value.reached.size < (branchesRun.value?.cfg.locations.length ?? 0),
  },
  { kinds: "v-taken", node: "", text: "taken" },
  { kinds: "on-path", node: "", text: "this run", there: () => workMarks.value.path.length > 0 },
  { kinds: "", node: "note", text: "wanted here (R)", there: () => model.value.wanted.size > 0 },
  { kinds: "frontier", node: "", text: "frontier", there: () => model.value.frontier.size > 0 },
  { kinds: "v-infeasible", node: "", text: "infeasible", there: () => model.value.excluded.size > 0 },
];

/** What the signs of the graph mean. */
export const WorkLegend = () => (
  <details class="legend-fold">
    <summary>Legend</summary>
    <ul class="legend" aria-label="Legend">
      {LEGEND.filter(({ there }) => there?.() ?? true).map(({ kinds, node, text }) => (
        <li key={text}>
          <svg class="graph" viewBox="-17 -12 34 24" aria-hidden="true">
            {node === "note" ? (
              <g class="note">
                <rect x="-14" y="-9" width="28" height="18" rx="5" />
                <text y="4.5">R 3</text>
              </g>
            ) : node ? (
              <g class={`node ${node}`}>
                <rect class="shape" x="-13" y="-9" width="26" height="18" rx="9" />
              </g>
            ) : (
              <g class={`edge ${kinds}`}>
                <path class="hit" d="M-15 0H15" />
                <path class="line" d="M-15 0H15" />
              </g>
            )}
          </svg>
          {text}
        </li>
      ))}
    </ul>
  </details>
);
