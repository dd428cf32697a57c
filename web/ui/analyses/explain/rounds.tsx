// Draw, explain, refine: infeasible paths are drawn and taken away, each with its family, until none is left.

import { useSignal } from "@preact/signals";
import { Assumes, resting } from "../../parts/assumes";
import { Count } from "../../parts/count-table";
import { NumberField, Switch } from "../../parts/fields";
import { LogChart } from "../../parts/log-chart";
import { RunControls } from "../../parts/run-controls";
import { RunState } from "../../parts/run-state";
import { Term } from "../../parts/term";
import { type ExplainRound, type ExplainRounds, MAX_LENGTH } from "../../protocol";
import { longer } from "../../state/run";
import { current } from "../../state/state";
import { grouped, log10, plural, short } from "../../text/numbers";
import { EvidenceLink } from "../evidence-link";
import { asWritten, letter } from "./automaton";
import { explainPath, refine, refining } from "./session";
import { explainChoice } from "./settings";
import { part, type RoundsRun, roundsRun, shownView } from "./state";

/** Rounds shown at first. */
const FIRST = 200;

function Round({ run, round, number }: { run: RoundsRun; round: ExplainRound; number: number }) {
  const show = (): void => {
    shownView.value = "prefixes";
    part.value = "why";
    void explainPath(
      `Path of round ${number}`,
      round.prefix,
      round.explanation.map((step) => step.index),
    );
  };
  const letters = round.explanation.map((step) => (run.cfg.edges[step.edge] ? letter(run.cfg.edges[step.edge]!) : "")).join(" ");
  return (
    <tr>
      <td class="number">
        <button type="button" class="link" disabled={!current(run)} aria-label={`Round ${number}: explain its path`} onClick={show}>
          {grouped(number)}
        </button>
      </td>
      <td>{round.drawn ? "drawn" : "found"}</td>
      <td>
        <code>{round.explanation.map((step) => asWritten(step.condition, step.text)).join(", ")}</code>{" "}
        <span class="muted">
          {letters}
          {round.assumes.length > 0 && ` ${resting(round.assumes)}`}
        </span>
      </td>
      <td class="number">
        <Count digits={round.left} />
      </td>
    </tr>
  );
}

function Result({ run, rounds }: { run: RoundsRun; rounds: ExplainRounds }) {
  const shown = useSignal(FIRST);
  const all = rounds.rounds;
  const marks = [
    { x: 0, log: log10(rounds.start), title: `before: ${grouped(rounds.start)} paths` },
    ...all.map(({ left }, i) => ({ x: i + 1, log: log10(left), title: `round ${i + 1}: ${grouped(left)} paths` })),
  ];
  const from = rounds.pruned ? "S′" : "S";
  return (
    <>
      <p>
        Of <b>{short(rounds.start)}</b> complete paths of {from} of at most {plural(rounds.length, "edge")}, {plural(all.length, "round")}{" "}
        left <b>{short(rounds.left)}</b>
        {rounds.settled ? (
          <>
            , and each of them can run: P({grouped(rounds.length)}) has fallen to FP({grouped(rounds.length)}).{" "}
            <span class="badge yes">✓ nothing infeasible is left</span>
          </>
        ) : (
          <>
            ; {short(rounds.feasible)} of them were seen to run. <span class="badge open">? others are open</span>
          </>
        )}
      </p>
      <div class="result">
        {all.length > 0 && (
          <LogChart
            title={`P(${rounds.length}) round by round`}
            axis="round"
            series={[{ marks, joined: true }]}
            {...(rounds.settled && rounds.feasible !== "0"
              ? { level: { log: log10(rounds.feasible), name: `FP = ${short(rounds.feasible)}` } }
              : {})}
          />
        )}
        <table class="paths rounds">
          <caption>
            Each round takes a <Term of="family" /> of infeasible paths away
          </caption>
          <thead>
            <tr>
              <th scope="col" class="number">
                Round
              </th>
              <th scope="col">Path</th>
              <th scope="col">Because of</th>
              <th scope="col" class="number">
                Left: P(<i>l</i>)
              </th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td class="number">0</td>
              <td />
              <td />
              <td class="number">
                <Count digits={rounds.start} />
              </td>
            </tr>
            {all.slice(0, shown.value).map((round, i) => (
              <Round key={i} run={run} round={round} number={i + 1} />
            ))}
          </tbody>
        </table>
      </div>
      {all.length > shown.value && (
        <p>
          <button type="button" onClick={() => (shown.value += FIRST)}>
            Show more
          </button>{" "}
          {plural(all.length - shown.value, "round")} not shown
        </p>
      )}
    </>
  );
}

export function RoundsControls() {
  const { rounds } = explainChoice.value;
  const ready = useSignal(true);
  const set = (changed: Partial<typeof rounds>): void => explainChoice.change({ rounds: { ...explainChoice.value.rounds, ...changed } });
  const usual = explainChoice.defaults.rounds;
  const words = [
    { text: `length at most ${grouped(rounds.length)}`, changed: rounds.length !== usual.length },
    { text: rounds.pruned ? "from S′" : "from S", changed: rounds.pruned !== usual.pruned },
  ];
  const fields = (go: () => void) => (
    <>
      <NumberField
        label="Length at most"
        value={rounds.length}
        low={0}
        high={MAX_LENGTH}
        onEnter={go}
        onChange={(n) => {
          ready.value = n !== null;
          if (n !== null) set({ length: n });
        }}
      />
      <Switch label="From S′ instead of S" checked={rounds.pruned} onChange={(on) => set({ pruned: on })} />
    </>
  );
  return (
    <RunControls
      page="explain.html"
      busy={roundsRun.value?.state === "running"}
      tasks={[refining]}
      ready={ready.value}
      words={words}
      reset={() => set(usual)}
      start={() => void refine()}
      fields={fields}
    />
  );
}

export function Rounds() {
  const run = roundsRun.value;
  const busy = run?.state === "running";
  const limit = run && longer(run);
  return (
    <div class="counts scroll" tabIndex={0} role="region" aria-label="Rounds" aria-busy={busy}>
      {run ? (
        <>
          <RunState run={run} current={current(run)} again={() => void refine()} />
          {limit !== null && (
            <p class="mark open">
              <button type="button" onClick={() => void refine(limit)}>
                Go on, up to {grouped(limit)} steps
              </button>
            </p>
          )}
          {run.document?.rounds && <Result run={run} rounds={run.document.rounds} />}
          {run.document?.rounds && <Assumes all={run.document.assumptions} ids={run.document.rounds.assumes} />}
          <EvidenceLink name={`Rounds of ${run.cfg.function}`} evidence={run.evidence} />
        </>
      ) : (
        <>
          <p class="muted">
            Draws a complete path, each equally likely. One that cannot run is explained, and its whole <Term of="family" /> is taken away
            from what is drawn from; then the next one is drawn. When only feasible ones come, all that is left is gone over, until P(
            <i>l</i>) is FP(
            <i>l</i>).
          </p>
          <p>
            <button type="button" class="primary" onClick={() => void refine()}>
              Draw, explain, refine
            </button>
          </p>
        </>
      )}
    </div>
  );
}
