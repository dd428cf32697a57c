// The Report tab: one verdict for each branch, from all engines, and what a reviewer has to look at first.

import { PlainControls } from "../../parts/run-controls";
import { GoOn, Refused } from "../../parts/run-end";
import { RunState } from "../../parts/run-state";
import type { ReportDocument, ReportErrorCall } from "../../protocol";
import { current } from "../../state/state";
import { duration, grouped, plural } from "../../text/numbers";
import { EvidenceLink } from "../evidence-link";
import { rowKeys } from "../paths/draw";
import { Branches, Findings, Tests } from "./list";
import { reportAll, reporting } from "./session";
import { type ReportRun, reportRun, SIGNS, VERDICTS } from "./state";

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
      <p class="summary">
        {VERDICTS.map(
          (verdict) =>
            branches[verdict] > 0 && (
              <span key={verdict} class={`badge ${verdict}`}>
                <b aria-hidden="true">{SIGNS[verdict]}</b> {grouped(branches[verdict])} {verdict}
                {verdict === "covered" && ` by ${plural(tests.length, "test")}`}
              </span>
            ),
        )}
        {error && (
          <span class={`badge ${error.className}`}>
            <b aria-hidden="true">{error.sign}</b> {error.words}
          </span>
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

export function View() {
  const run = reportRun.value;
  const document = run?.document;
  return (
    <div class="pane report-pane" role="region" aria-label="Report" aria-busy={run?.state === "running"}>
      <div class="top">
        {run && <RunState run={run} current={current(run)} again={() => void reportAll()} />}
        {run && <Refused run={run} />}
        {run && <GoOn run={run} go={(limit) => void reportAll(limit)} />}
        {!run && <p class="muted">One verdict for each branch from all engines, and what fails, always holds or never runs.</p>}
      </div>
      <div class="picture">
        <div class="side-list scroll" tabIndex={0} role="region" aria-label="Findings, branches and tests" onKeyDown={rowKeys}>
          {run && document && (
            <>
              <Summary run={run} document={document} />
              <Findings run={{ ...run, document }} />
              <Branches run={{ ...run, document }} />
              <Tests run={{ ...run, document }} />
            </>
          )}
        </div>
      </div>
    </div>
  );
}

export const Controls = () => (
  <PlainControls page="report.html" busy={reportRun.value?.state === "running"} tasks={[reporting]} start={() => void reportAll()} />
);
