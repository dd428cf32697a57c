// The Report tab: one verdict for each branch, from all engines, and what a reviewer has to look at first.

import { signal } from "@preact/signals";
import { embedded } from "../../browser/embedded";
import { load, save } from "../../browser/storage";
import { Icon } from "../../parts/icons";
import { RunControls } from "../../parts/run-controls";
import { GoOn, Refused } from "../../parts/run-end";
import { RunState } from "../../parts/run-state";
import { SaveTests } from "../../parts/save-tests";
import type { ReportDocument, ReportErrorCall, ReportVerdict } from "../../protocol";
import { current } from "../../state/state";
import { duration, grouped, plural } from "../../text/numbers";
import { EvidenceLink } from "../evidence-link";
import { rowKeys } from "../paths/draw";
import { justifyAll, justifying, justifyRun } from "./coverage";
import { AddCoverage, Coverage } from "./coverage-view";
import { criterionChoice, criterionRun, judgeGoals, judging } from "./criterion";
import { CriterionFields, CriterionGoals, criterionWords } from "./criterion-view";
import { Branches, Findings, Tests } from "./list";
import { Predict } from "./predict";
import { predictChoice } from "./predicting";
import { Safety } from "./safety";
import { SaveForms } from "./save-forms";
import { reportAll, reporting } from "./session";
import { type ReportRun, reportRun, SIGNS, sidesOf, VERDICTS } from "./state";

/** What the numbers of branches count. */
const TILES: Record<ReportVerdict, string> = { covered: "can run", infeasible: "never run", open: "open" };

const ERROR_CALLS: Record<ReportErrorCall, { sign: string; className: string; words: string }> = {
  reached: { sign: "!", className: "failure", words: "error call or assertion reached" },
  unreachable: { sign: "✓", className: "covered", words: "error calls and assertions unreachable" },
  unknown: { sign: "?", className: "open", words: "error calls and assertions open" },
};

function Summary({ run, document }: { run: ReportRun; document: ReportDocument }) {
  const { branches, sentence, error_call, statistics, tests } = document;
  const error = error_call && ERROR_CALLS[error_call];
  return (
    <>
      <h2 class="sentence">{sentence}</h2>
      <ul class="tiles" aria-label="Branches">
        {VERDICTS.map((verdict) => (
          <li key={verdict} class={`tile ${branches[verdict] > 0 ? verdict : "none"}`}>
            <b>
              <span aria-hidden="true">{SIGNS[verdict]}</span> {grouped(branches[verdict])}
            </b>{" "}
            <span>{TILES[verdict]}</span>
          </li>
        ))}
        <li class="tile">
          <b>{grouped(tests.length)}</b> <span>{tests.length === 1 ? "test" : "tests"}</span>
        </li>
      </ul>
      <p class="summary">
        {error && (
          <span class={`badge ${error.className}`}>
            <b aria-hidden="true">{error.sign}</b> {error.words}
          </span>
        )}
        {branches.total > 0 && (
          <button
            type="button"
            title="Hides all verdicts: guess for each branch whether it can run, and the answer comes with its reason"
            onClick={() => predictChoice.change({ on: true })}
          >
            Predict
          </button>
        )}
        <EvidenceLink name={`Report of ${run.cfg.function}`} evidence={run.evidence} />
        <span class="muted numbers">
          {plural(statistics.steps, "step")}
          {run.ms !== null && ` · ${duration(run.ms)}`}
        </span>
      </p>
    </>
  );
}

/** Whether the sentence of the page was dismissed, on this device. */
const welcomed = signal(load("welcomed") !== null);

/** What the page is for, until that is dismissed. */
function Welcome() {
  if (welcomed.value || embedded) return null;
  return (
    <p class="notice info welcome">
      <span>
        Paste a C function on the left: culdesac says which of its branches can never run and why, and has a test for each of the others.
        Press a line for what is known of it.
      </span>{" "}
      <button
        type="button"
        aria-label="Dismiss"
        onClick={() => {
          welcomed.value = true;
          save("welcomed", "1");
        }}
      >
        <Icon name="close" />
      </button>
    </p>
  );
}

export function View() {
  const run = reportRun.value;
  const document = run?.document;
  return (
    <div class="pane report-pane" role="region" aria-label="Report" aria-busy={run?.state === "running"}>
      <div class="top">
        <Welcome />
        {run && <RunState run={run} current={current(run)} again={() => void reportAll()} />}
        {run && <Refused run={run} />}
        {run && <GoOn run={run} go={(limit) => void reportAll(limit)} />}
        {!run && <p class="muted">One verdict for each branch from all engines, and what fails, always holds or never runs.</p>}
      </div>
      <div class="picture">
        <div class="side-list scroll" tabIndex={0} role="region" aria-label="Findings, branches and tests" onKeyDown={rowKeys}>
          {run && document && predictChoice.value.on && document.list.length > 0 && <Predict run={{ ...run, document }} />}
          {run && document && !(predictChoice.value.on && document.list.length > 0) && (
            <>
              <Summary run={run} document={document} />
              <Coverage />
              <Findings run={{ ...run, document }} />
              <Branches run={{ ...run, document }} />
              <Safety run={run} document={document} />
              <CriterionGoals />
              <Tests run={{ ...run, document }} />
              {run.state !== "running" && (
                <SaveTests
                  run={run}
                  tests={[{ function: null, tests: document.tests }]}
                  infeasible={sidesOf(run, document).flatMap(({ verdict, edges }) => (verdict === "infeasible" ? edges : []))}
                />
              )}
              {run.state !== "running" && <SaveForms run={{ ...run, document }} />}
              <AddCoverage />
            </>
          )}
        </div>
      </div>
    </div>
  );
}

export function Controls() {
  const start = (): void => {
    void reportAll();
    void justifyAll();
    void judgeGoals();
  };
  return (
    <RunControls
      page="report.html"
      busy={[reportRun, justifyRun, criterionRun].some(({ value }) => value?.state === "running")}
      tasks={[reporting, justifying, judging]}
      ready
      words={criterionWords()}
      reset={() => criterionChoice.reset()}
      start={start}
      fields={() => <CriterionFields />}
    />
  );
}
