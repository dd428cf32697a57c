// Why a path cannot run: its constraints, the minimal explanation among them, the dependencies that keep it true, and what
// would have to go.

import { Assumes, resting } from "../../parts/assumes";
import { Term } from "../../parts/term";
import type { ExplainPath, ExplainReason, ExplainStep } from "../../protocol";
import { current, narrow, notice, projector, shownPath } from "../../state/state";
import { inputText } from "../../text/inputs";
import { grouped, plural, short } from "../../text/numbers";
import { EvidenceLink } from "../evidence-link";
import { asWritten, letter } from "./automaton";
import { explainPath } from "./session";
import { type ExplainedRun, explained, explainedRun, shownReason } from "./state";

/** A condition of the inputs at a place of the path. */
const conditionAt = (path: ExplainPath, index: number): string => {
  const constraint = path.constraints.find((other) => other.index === index);
  return !constraint ? "" : constraint.never ? "never true" : asWritten(constraint.condition, constraint.text);
};

const ConstraintSet = ({ path, indices }: { path: ExplainPath; indices: readonly number[] }) => (
  <code class="set">
    {"{ "}
    {indices
      .map((index) => {
        const constraint = path.constraints.find((other) => other.index === index);
        return constraint ? asWritten(constraint.never ? "false" : constraint.condition, constraint.text) : "?";
      })
      .join(", ")}
    {" }"}
  </code>
);

const own = shownPath.in("explain");
const goTo = (step: number): void => void (own.value = { of: explained, index: 0, step });

/** Rows of the steps' table are this high, so that arrows can be drawn beside them. */
const rowHeight = (): number => (projector.value ? 36 : narrow.value ? 34 : 26);
const LANE = 7;

interface Step {
  /** Its place in the path; -1 is the entry. */
  index: number;
  lines: string;
  text: string;
  condition: string;
  kind: "reason" | "kept" | "other";
}

function stepsOf(run: ExplainedRun, path: ExplainPath, reason: ExplainReason | null): Step[] {
  const core = new Set(reason?.explanation.map((step) => step.index));
  const kept = new Set(reason?.indispensable);
  const places = new Set([
    ...core,
    ...kept,
    ...path.constraints.map((constraint) => constraint.index),
    ...(reason?.dependencies.flatMap((one) => (one.writer === null ? [] : [one.writer])) ?? []),
  ]);
  const steps = [...places]
    .sort((a, b) => a - b)
    .flatMap((index): Step[] => {
      const edge = run.cfg.edges[path.edges[index] ?? -1];
      return edge
        ? [
            {
              index,
              lines: letter(edge),
              text: path.constraints.find((one) => one.index === index)?.text ?? edge.label,
              condition: conditionAt(path, index),
              kind: core.has(index) ? "reason" : kept.has(index) ? "kept" : "other",
            },
          ]
        : [];
    });
  const entry = reason?.dependencies.some((one) => one.writer === null);
  return entry ? [{ index: -1, lines: "", text: "entry", condition: "", kind: "kept" }, ...steps] : steps;
}

/** Arrows from what reads to what wrote it, each in a lane of its own where they overlap. */
function Arrows({ steps, reason }: { steps: Step[]; reason: ExplainReason }) {
  const rowOf = new Map(steps.map((step, row) => [step.index, row]));
  const ends: number[] = [];
  const arrows = reason.dependencies
    .flatMap(({ reader, writer, name }) => {
      const [from, to] = [rowOf.get(reader), rowOf.get(writer ?? -1)];
      return from === undefined || to === undefined ? [] : [{ from, to, name }];
    })
    .sort((a, b) => a.from - a.to - (b.from - b.to));
  const placed = arrows.map((arrow) => {
    // Short ones inside; one that begins where another ends may share its lane.
    let lane = ends.findIndex((end) => end <= arrow.to);
    if (lane < 0) lane = ends.push(0) - 1;
    ends[lane] = arrow.from;
    return { ...arrow, lane };
  });
  const width = 14 + ends.length * LANE;
  const height = rowHeight();
  const y = (row: number): number => row * height + height / 2;
  return (
    <svg class="arrows" width={width} height={steps.length * height} aria-hidden="true">
      {placed.map(({ from, to, lane, name }, i) => {
        const x = width - 12 - lane * LANE;
        return (
          <g key={i}>
            <path
              d={`M${width - 1} ${y(from) - 4}H${x + 4}Q${x} ${y(from) - 4} ${x} ${y(from) - 8}V${y(to) + 8}Q${x} ${y(to) + 4} ${x + 4} ${y(to) + 4}H${width - 7}`}
            >
              <title>{name}</title>
            </path>
            <path class="tip" d={`M${width - 1} ${y(to) + 4}l-7 -3.5v7z`} />
          </g>
        );
      })}
    </svg>
  );
}

function Steps({ run, path, reason }: { run: ExplainedRun; path: ExplainPath; reason: ExplainReason | null }) {
  const steps = stepsOf(run, path, reason);
  if (steps.length === 0) return <p class="muted">No condition along this path depends on the inputs.</p>;
  const at = own.value?.of === explained ? own.value.step : null;
  const readsOf = (index: number) => reason?.dependencies.filter((one) => one.reader === index) ?? [];
  const place = (index: number): string => (index < 0 ? "entry" : `${letter(run.cfg.edges[path.edges[index] ?? -1]!)}, step ${index + 1}`);
  return (
    <div class="steps-of">
      {reason && reason.dependencies.length > 0 && <Arrows steps={steps} reason={reason} />}
      <ol class="path-steps">
        {steps.map(({ index, lines, text, condition, kind }) => (
          <li key={index} class={`${kind}${index === at ? " at" : ""}`} style={{ height: `${rowHeight()}px` }}>
            {index < 0 ? (
              <span class="step-no">entry</span>
            ) : (
              <button
                type="button"
                class="link step-no"
                aria-label={`Step ${index + 1}, line ${lines}: show it`}
                onClick={() => goTo(index)}
              >
                {lines}
              </button>
            )}
            <code title={text}>{index < 0 ? "inputs" : text}</code>
            <code class="condition" title={condition}>
              {condition}
            </code>
            <span class="reads muted">
              {readsOf(index).map(({ name, writer }) => (
                <span key={name} title={`reads ${name} from ${place(writer ?? -1)}`}>
                  <code>{name}</code> ← {writer === null ? "entry" : letter(run.cfg.edges[path.edges[writer] ?? -1]!)}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The assignments that make a decision false, whatever the inputs are. */
function Causes({ run, steps: [step, ...more] }: { run: ExplainedRun; steps: readonly ExplainStep[] }) {
  if (!step || more.length > 0) return null;
  const { causes } = step;
  if (causes.length === 0) return step.condition === "false" ? <> here, whatever the inputs are</> : null;
  const edgeOf = (edge: number) => run.cfg.edges[edge];
  return (
    <>
      {" "}
      here, whatever the inputs are:{" "}
      {causes.map(({ index, edge, text, line, name, value }, i) => (
        <span key={i}>
          {i > 0 && ", "}
          <button type="button" class="link" aria-label={`Step ${index + 1}, line ${line}: show it`} onClick={() => goTo(index)}>
            {edgeOf(edge) ? letter(edgeOf(edge)!) : line}
          </button>{" "}
          <code>{text}</code>
          {value !== null && !text.endsWith(`= ${value}`) && (
            <>
              {" "}
              makes <code>{name}</code> {value}
            </>
          )}
        </span>
      ))}
    </>
  );
}

/** What would have to go for the path to become feasible. */
function Corrections({ path }: { path: ExplainPath }) {
  if (path.verdict !== "infeasible" || path.corrections.length === 0) return null;
  const names = (indices: readonly number[]) =>
    indices.map((index) => {
      const constraint = path.constraints.find((other) => other.index === index);
      return (
        <span key={index}>
          <code>{constraint?.text}</code> in line {constraint?.line} (step {index + 1}){" "}
        </span>
      );
    });
  const single = path.corrections.every((correction) => correction.indices.length === 1);
  return (
    <div class="corrections">
      <p>
        <b>What would have to go?</b>{" "}
        {single && path.corrections.length > 1
          ? "Any one of these would be enough:"
          : single
            ? "One constraint is enough:"
            : "No single one is enough; of these, all of a group:"}
      </p>
      <ul>
        {path.corrections.map(({ indices, input, assumes }) => (
          <li key={indices.join()}>
            without {names(indices)}
            {input && (
              <>
                the rest holds for <code>{inputText(input)}</code>
                {assumes.length > 0 && `, ${resting(assumes)}`}
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function copy(text: string): void {
  void navigator.clipboard.writeText(text).then(
    () => (notice.value = { tone: "info", text: "Regular expression copied." }),
    () => (notice.value = { tone: "error", text: "Copying was not allowed." }),
  );
}

export function Regex({ reason }: { reason: ExplainReason }) {
  if (reason.regex === null) return <p class="muted">The regular expression would be too long to be read.</p>;
  const { regex } = reason;
  return (
    <p class="regex">
      <code
        tabIndex={regex.length > 200 ? 0 : undefined}
        role={regex.length > 200 ? "group" : undefined}
        aria-label={regex.length > 200 ? "Regular expression" : undefined}
      >
        {regex.split(" ").flatMap((part, i) => (i ? [" ", <wbr key={i} />, part] : [part]))}
      </code>{" "}
      <button type="button" class="small" aria-label="Copy the regular expression" onClick={() => copy(regex)}>
        Copy
      </button>
    </p>
  );
}

function ReasonChoice({ run, path }: { run: ExplainedRun; path: ExplainPath }) {
  if (path.reasons.length < 2) return null;
  const to = (by: number): void =>
    void (explainedRun.value = { ...run, reason: (run.reason + by + path.reasons.length) % path.reasons.length });
  return (
    <p class="reason-choice">
      <button type="button" aria-label="Explanation before" onClick={() => to(-1)}>
        ◀
      </button>{" "}
      Explanation {run.reason + 1} of {path.reasons.length}
      {path.all_reasons ? "" : " or more"}{" "}
      <button type="button" aria-label="Next explanation" onClick={() => to(1)}>
        ▶
      </button>
    </p>
  );
}

function again(run: ExplainedRun): void {
  void explainPath(run.title, run.edges, [], run.cfg).then((there) => {
    if (!there) notice.value = { tone: "info", text: `The program has changed: ${run.title.toLowerCase()} is no path of it any more.` };
  });
}

export function Reason() {
  const run = explainedRun.value;
  if (!run)
    return (
      <div class="reason-pane">
        <p class="muted">Choose an infeasible prefix to see why it cannot run, or build a path.</p>
      </div>
    );
  const { path } = run;
  const reason = shownReason.value;
  return (
    <div class="reason-pane" role="region" aria-label="Explanation" tabIndex={0} aria-busy={run.state === "running"}>
      <h2>
        {run.title} <span class="muted">{plural(run.edges.length, "edge")}</span>
      </h2>
      {run.state === "running" && <p class="muted">Explaining…</p>}
      {run.state === "cancelled" && current(run) && (
        <p class="mark">
          Another question came first.{" "}
          <button type="button" class="link" onClick={() => again(run)}>
            Explain it
          </button>
        </p>
      )}
      {run.state === "failed" && <p class="mark bad">✕ {run.note}</p>}
      {!current(run) && run.state !== "running" && (
        <p class="mark stale-mark">
          Of an earlier text.{" "}
          <button type="button" class="link" onClick={() => again(run)}>
            Explain again
          </button>
        </p>
      )}
      {path && (
        <>
          {path.verdict === "feasible" && (
            <p class="verdict-line">
              <span class="badge yes">
                <b aria-hidden="true">✓</b> feasible
              </span>{" "}
              Replayed with <code>{path.input ? inputText(path.input) : ""}</code>
            </p>
          )}
          {path.verdict === "open" && (
            <p class="verdict-line">
              <span class="badge open">
                <b aria-hidden="true">?</b> open
              </span>{" "}
              {run.note}
            </p>
          )}
          {path.verdict === "infeasible" && (
            <p class="verdict-line">
              <span class="badge no">
                <b aria-hidden="true">✕</b> infeasible
              </span>{" "}
              {reason ? (
                <>
                  <Term of="explanation">No input satisfies</Term>{" "}
                  <ConstraintSet path={path} indices={reason.explanation.map((step) => step.index)} />
                  <Causes run={run} steps={reason.explanation} />
                </>
              ) : (
                <>
                  The chosen check <Term of="Γ" /> does not see why; a stronger one does.
                </>
              )}
            </p>
          )}
          <Assumes all={run.document?.assumptions} ids={reason?.assumes ?? path.assumes} />
          <ReasonChoice run={run} path={path} />
          {reason && (
            <>
              <p>
                <b>{short(reason.paths)}</b> {reason.paths === "1" ? "path" : "paths"} of at most {grouped(path.max_instructions)}{" "}
                instructions cannot run for this reason
                {reason.confirmed ? (
                  <span class="badge yes" title="The checker accepted the explanation's certificate and the annotated automaton">
                    {" "}
                    ✓ checked
                  </span>
                ) : (
                  <span class="badge open"> ? not confirmed</span>
                )}
              </p>
              <Regex reason={reason} />
            </>
          )}
          <Corrections path={path} />
          <h3>Constraints{reason ? " and what they depend on" : ""}</h3>
          <Steps run={run} path={path} reason={reason} />
          <EvidenceLink name={`${run.title} of ${run.cfg.function}`} evidence={run.evidence} />
        </>
      )}
    </div>
  );
}
